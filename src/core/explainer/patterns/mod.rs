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

pub(crate) mod aligned;
pub(crate) mod bug;
pub(crate) mod fish;
pub(crate) mod locking;
pub(crate) mod loops;
pub(crate) mod singles;
pub(crate) mod subsets;
pub(crate) mod wings;
