//! Corpora on disk, and questions about them: [`corpus`] makes, keeps and checks them, [`study`] reads them.
//!
//! This crate alone knows polars and SQLite. `sudoku-corpus` re-exports its modules.

pub mod corpus;
pub mod study;

// Crates above use these copies: `clap` where a structure is the options of a command, `base64` for links.
pub use {base64, clap};
