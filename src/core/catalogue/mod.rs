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
pub(crate) use classes::chutes::band_classes;
pub(crate) use classes::counts::{AUTOMORPHISMS, MAPS};
pub use classes::counts::{BANDS, BandCounts, CLASSES, Counts, count_band, counts};
pub(crate) use classes::minlex::Minlex;
pub use classes::minlex::{first_band, minlex};
#[cfg(test)]
pub(crate) use classes::ranks::cells_of_rank;
pub use classes::ranks::{class_of_rank, class_rank};
pub use names::{NameKind, name_of, puzzle_of_name, ranked_name};
pub use numbers::bands::{BandRows, bands};
pub(crate) use numbers::grids::GRIDS;
pub use numbers::grids::{grid_number, grid_of_number, grids};
pub(crate) use numbers::grids::{number_of_values, transposed, two_rows};
pub use numbers::two_rows::Column;
