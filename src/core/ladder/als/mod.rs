//! Techniques of almost locked sets.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `xz` | two sets that share a restricted common digit | `als_xz` |
//! | `als_chains` | chains of sets | `als_chains` |
//! | `blossom` | a cell whose candidates each lock a set | `death_blossoms` |
//! | `sue_de_coq` | cells of a box and a line, with a few cells of each | `sue_de_coqs` |

pub(in crate::ladder) mod als_chains;
pub(in crate::ladder) mod blossom;
pub(in crate::ladder) mod sue_de_coq;
pub(in crate::ladder) mod xz;
