//! The techniques of singles, intersections, subsets and wings.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `singles` | a cell or a house that leaves no choice | `naked_singles` |
//! | `intersections` | what a box and a line have in common | `pointing` |
//! | `leftovers` | lines and regions of a jigsaw that hold the same digits | `leftovers` |
//! | `subsets` | as many digits as cells in one house | `naked_subsets` |
//! | `wings` | two or three cells with two or three candidates | `wings` |

pub(in crate::ladder) mod intersections;
pub(in crate::ladder) mod leftovers;
pub(in crate::ladder) mod singles;
pub(in crate::ladder) mod subsets;
pub(in crate::ladder) mod wings;
