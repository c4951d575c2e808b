//! Corpora on disk, and questions about them: [`corpus`] makes, keeps and checks them, [`study`] reads them.
//!
//! This crate alone knows polars and SQLite. `sudoku-corpus` re-exports its modules.

pub mod corpus;
pub mod study;

// For crates above: options of commands that are fields there, and links.
pub use {base64, clap};
