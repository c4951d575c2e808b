//! Corpora on disk, and questions about them: [`corpus`] makes, keeps and checks them, [`study`] reads them.
//!
//! This crate alone knows polars and SQLite. `sudoku-corpus` re-exports its modules. With the feature `cli`, structures
//! that are also the options of a command are those of clap.

pub mod corpus;
pub mod study;

// The press makes links with it.
pub use base64;
