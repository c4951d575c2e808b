//! Makes, digs, analyses and publishes corpora of Sudoku puzzles.
//!
//! ```text
//! cli  ->  publish, study, coverage  ->  corpus  ->  rate, dig, generate  ->  solve  ->  board  ->  random, page
//! ```

pub mod board;
pub mod cli;
pub mod corpus;
pub mod coverage;
pub mod dig;
pub mod generate;
pub mod page;
pub mod publish;
pub mod random;
pub mod rate;
pub mod solve;
pub mod study;
