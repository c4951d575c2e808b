//! The core of sudoku-corpus: boards, solving, numbers of grids, generating, digging, rating, coverage.
//!
//! ```
//! use sudoku_corpus_core::board::{Shape, Symmetry};
//! use sudoku_corpus_core::dig::{DigOptions, Plan};
//! use sudoku_corpus_core::generate::Method;
//! use sudoku_corpus_core::random::{Rng, Stage};
//! use sudoku_corpus_core::ladder::{Ladder, rate};
//! use sudoku_corpus_core::solve::{Budget, Verdict, verdict};
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
//! It needs a dozen small crates, and neither polars nor a database. `sudoku-corpus` re-exports its modules.

// Row numbers are used as indices. With 32-bit indices, wrong rows would be sampled without an error.
#[cfg(not(target_pointer_width = "64"))]
compile_error!("sudoku-corpus needs a target with 64-bit pointers");

mod bits;
pub mod board;
pub mod catalogue;
pub mod coverage;
pub mod dig;
pub mod effort;
pub mod explainer;
pub mod generate;
pub mod ladder;
pub mod names;
pub mod page;
pub mod progress;
pub mod random;
pub mod solve;
pub mod steps;
pub mod stop;
pub mod whip;
