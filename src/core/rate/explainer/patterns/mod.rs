//! The producers of hints from patterns in one position.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `singles` | hidden and naked singles | `hidden_singles`, `naked_singles` |
//! | `locking` | Pointing and Claiming | `locking` |
//! | `subsets` | naked and hidden sets | `naked_sets`, `hidden_sets` |
//! | `fish` | X-Wing to Jellyfish | `fish` |
//! | `wings` | XY-Wing, XYZ-Wing | `wings` |
//! | `loops` | unique rectangles and loops | `unique_loops` |
//! | `bug` | bivalue universal grave | `bug` |
//! | `aligned` | Aligned Pair and Triplet Exclusion | `aligned_pairs`, `triplets` |

pub(in crate::rate) mod aligned;
pub(in crate::rate) mod bug;
pub(in crate::rate) mod fish;
pub(in crate::rate) mod locking;
pub(in crate::rate) mod loops;
pub(in crate::rate) mod singles;
pub(in crate::rate) mod subsets;
pub(in crate::rate) mod wings;
