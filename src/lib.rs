//! Makes, digs, analyses and publishes corpora of Sudoku puzzles.
//!
//! ```
//! use sudoku_corpus::board::{Shape, Symmetry};
//! use sudoku_corpus::dig::{DigOptions, Plan};
//! use sudoku_corpus::generate::Method;
//! use sudoku_corpus::random::{Rng, Stage};
//! use sudoku_corpus::rate::{Ladder, rate};
//! use sudoku_corpus::solve::{Budget, Verdict, verdict};
//!
//! let nine = Shape::NINE;
//! let grid = Method::Uniform.fill(nine, &mut Rng::new(1, 0, Stage::Generate, 0))?;
//! let mut rng = Rng::new(1, 0, Stage::Dig, 0);
//! let puzzle = Plan::Minimal.dig(&grid, Symmetry::None, &DigOptions::of(nine), &mut rng)?.puzzle;
//! assert_eq!(verdict(&puzzle, Budget::UNLIMITED), Verdict::Unique(grid));
//! let rating = rate(&puzzle, &Ladder::default());
//! println!("{puzzle} {} {} {}", puzzle.grid().givens(), rating.level, rating.score);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`guide`] is the manual: [`guide::terms`] explains the words, [`guide::architecture`] the source. Without the
//! feature `corpus`, the crate consists of [`board`], [`solve`], [`catalogue`], [`generate`], [`dig`], [`rate`],
//! [`coverage`], [`page`], [`random`] and [`guide`], and compiles without polars.

// Row numbers are used as indices. With 32-bit indices, wrong rows would be sampled without an error.
#[cfg(not(target_pointer_width = "64"))]
compile_error!("sudoku-corpus needs a target with 64-bit pointers");

/// The version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

pub mod board;
pub mod catalogue;
/// The command line. It is public for the program and for tests, and not part of the library.
#[cfg(feature = "corpus")]
#[doc(hidden)]
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
