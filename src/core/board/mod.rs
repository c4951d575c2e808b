//! The basic types of the field, one per file: shape, digit, cell, house, grid, candidates, symmetry.

pub mod candidates;
pub mod canonical;
pub mod cell;
pub mod digit;
pub(crate) mod flood;
pub mod grid;
pub mod house;
pub mod isomorph;
pub mod shape;
pub mod symmetry;
pub mod text;

pub use candidates::Candidates;
pub use canonical::Canonical;
pub use cell::{Cell, CellSet, Narrow, Wide};
pub use digit::{Digit, Digits};
pub use grid::{Grid, GridError, Puzzle, Solution};
pub use house::{House, HouseKind, Layout};
pub use isomorph::{Freedom, Isomorph};
pub use shape::{Shape, ShapeError};
pub use symmetry::Symmetry;
