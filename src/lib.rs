//! Makes, digs, analyses and publishes corpora of Sudoku puzzles.

pub mod board;
pub mod random;
