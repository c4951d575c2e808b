//! Publishing: exports without isomorphs, printed books, pictures, data sets.
//!
//! This crate alone knows PDF and fonts. `sudoku-corpus` re-exports its module.

pub mod publish;
