//! Makes, digs, analyses and publishes corpora of Sudoku puzzles.
//!
//! ```text
//! sudoku-corpus          the program: cli, nights, guide; this library re-exports the crates below
//! sudoku-corpus-press    publish
//! sudoku-corpus-store    corpus, study
//! sudoku-corpus-core     board, solve, catalogue, generate, dig, ladder, explainer, whip, steps, effort, coverage, ...
//! ```
//!
//! A program that makes, solves or rates puzzles needs `sudoku-corpus-core` alone. [`guide`] is the manual:
//! [`guide::terms`] explains the words, CONTRIBUTING.md the source.

pub use sudoku_corpus_core::{
    board, catalogue, coverage, dig, effort, explainer, generate, ladder, names, page, progress, random, solve, steps,
    stop, whip,
};
pub use sudoku_corpus_press as publish;
pub use sudoku_corpus_store::{corpus, study};

/// The command line. It is public for the program and for tests, and not part of the library.
#[doc(hidden)]
pub mod cli;
pub mod guide;
mod library;
mod nights;

/// The examples of CONTRIBUTING.md.
#[cfg(doctest)]
#[doc = include_str!("../CONTRIBUTING.md")]
mod contributing {}
