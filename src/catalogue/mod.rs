//! Grids counted and numbered.

mod bands;
mod chutes;
mod five_boxes;
mod grids;
mod partition;
mod start;
mod two_row_numbers;
mod two_rows;

pub use bands::{Bands, ColumnClass, Rows as BandRows, bands, count_by_bands};
pub use chutes::{Band, BandClass, BandClasses, BandMap, band_classes, chute_of};
pub use five_boxes::FiveBoxes;
pub use grids::{GRIDS, grid_number, grid_of_number, grids, two_rows};
pub use start::{Frame, Start};
pub use two_rows::{Column, TwoRowCount, TwoRows};
