//! Days, and series of puzzles with one for each day.

pub mod series;
