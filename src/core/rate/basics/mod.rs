//! The techniques of singles, intersections, subsets and wings.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `singles` | a cell or a house that leaves no choice | `naked_singles` |
//! | `intersections` | what a box and a line have in common | `pointing` |
//! | `subsets` | as many digits as cells in one house | `naked_subsets` |
//! | `wings` | two or three cells with two or three candidates | `wings` |

pub(in crate::rate) mod intersections;
pub(in crate::rate) mod singles;
pub(in crate::rate) mod subsets;
pub(in crate::rate) mod wings;
