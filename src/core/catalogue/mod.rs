//! Counting and numbering grids: how many there are, which grid has a number, and permanent names of puzzles.
//!
//! ```text
//!   partition      the 280 partitions of nine digits into triples, on which all 9x9 counts are based
//!   bands          9x9 grids by the columns of their bands: 6,670,903,752,021,072,936,960     five_boxes   another count
//!   two_rows       boards whose boxes have two rows: 4x4, 6x6, 8x8, 10x10           two_row_numbers   their numbers
//!   grids          a number for every labelled grid, and back
//!   chutes         the 416 classes of bands, by their standard numbers                plain   representatives of bands
//!   minlex         the smallest form of a grid, with the maps that lead to it     canonical   that of a puzzle; classes
//!   start          all minlex grids with a given first band and fourth row; tables for that in frame and boxes
//!   counts         how many minlex grids each start has: 5,472,730,538 in all
//!   ranks          the place of a class among them, and back
//!   names          20 characters for a puzzle up to symmetry, 27 for a labelled one
//! ```

mod bands;
mod boxes;
pub mod canonical;
mod chutes;
mod counts;
mod five_boxes;
mod frame;
mod grids;
mod minlex;
mod names;
mod partition;
mod plain;
mod ranks;
mod start;
mod two_row_numbers;
mod two_rows;

pub use bands::{Rows as BandRows, bands, count_by_bands};
pub use canonical::Canonical;
pub use chutes::band_classes;
pub use counts::{AUTOMORPHISMS, BANDS, BandCounts, CLASSES, Counts, MAPS, count_band, counts};
pub use five_boxes::FiveBoxes;
pub use grids::{GRIDS, grid_number, grid_of_number, grids, number_of_values, two_rows};
pub use minlex::{first_band, minlex};
pub use names::{NameKind, name_of, puzzle_of_name, ranked_name};
pub use ranks::{cells_of_rank, class_of_rank, class_rank, fourth_rows, grids_below};
pub use two_rows::{Column, TwoRowCount};
