//! Makes, digs, analyses and publishes corpora of Sudoku puzzles.
//!
//! ```text
//! cli  ->  publish, study, coverage  ->  corpus  ->  rate, dig, generate  ->  solve  ->  board  ->  random, page
//! ```

pub mod board;
#[cfg(feature = "corpus")]
pub mod cli;
#[cfg(feature = "corpus")]
pub mod corpus;
pub mod coverage;
pub mod dig;
pub mod generate;
pub mod guide;
pub mod page;
#[cfg(feature = "corpus")]
pub mod publish;
pub mod random;
pub mod rate;
pub mod solve;
#[cfg(feature = "corpus")]
pub mod study;
