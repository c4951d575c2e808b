//! Counting and numbering grids: how many there are, which grid has a number, and permanent names of puzzles.
//!
//! | room | purpose | main item |
//! |---|---|---|
//! | `orders` | the orders of three things | `ORDERS` |
//! | `numbers` | how many grids there are, and a number for each | [`grid_number`] |
//! | `classes` | classes of bands and grids, and the rank of a class | [`class_rank`] |
//! | [`canonical`] | the smallest of all isomorphic boards; classes of puzzles | [`Canonical`] |
//! | `names` | 20 characters for a puzzle up to symmetry, 27 for a labelled one | [`name_of`] |

pub mod canonical;
mod classes;
mod names;
mod numbers;
mod orders;

pub use canonical::Canonical;
pub use classes::chutes::band_classes;
pub use classes::counts::{AUTOMORPHISMS, BANDS, BandCounts, CLASSES, Counts, MAPS, count_band, counts};
pub use classes::minlex::{first_band, minlex};
pub use classes::ranks::{cells_of_rank, class_of_rank, class_rank, fourth_rows, grids_below};
pub use names::{NameKind, name_of, puzzle_of_name, ranked_name};
pub use numbers::bands::{Rows as BandRows, bands, count_by_bands};
pub use numbers::five_boxes::FiveBoxes;
pub use numbers::grids::{GRIDS, grid_number, grid_of_number, grids, number_of_values, two_rows};
pub use numbers::two_rows::{Column, TwoRowCount};
