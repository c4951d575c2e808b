//! Makes, digs, analyses and publishes corpora of Sudoku puzzles.
//!
//! ```text
//! cli  ->  nights  ->  publish, study  ->  corpus  ->  coverage  ->  rate, dig, generate  ->  catalogue  ->  solve  ->  board  ->  random, page
//! ```

// Row numbers become indices: with 32 bits other rows would be sampled, without a word.
#[cfg(not(target_pointer_width = "64"))]
compile_error!("sudoku-corpus needs a target with 64-bit pointers");

/// The version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

pub mod board;
pub mod catalogue;
#[cfg(feature = "corpus")]
pub mod cli;
#[cfg(feature = "corpus")]
pub mod corpus;
pub mod coverage;
pub mod dig;
pub mod generate;
pub mod guide;
#[cfg(feature = "corpus")]
pub mod nights;
pub mod page;
#[cfg(feature = "corpus")]
pub mod publish;
pub mod random;
pub mod rate;
pub mod solve;
#[cfg(feature = "corpus")]
pub mod study;
