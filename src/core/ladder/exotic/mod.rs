//! Techniques with rare patterns of many cells.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `aligned` | candidates that fit no combination of a few cells | `aligned_exclusions` |
//! | `fireworks` | digits that a row and a column force into few cells | `firework_triples` |
//! | `exocet` | two base cells whose digits stand in two targets | `junior_exocets` |
//! | `multi_sector` | cells covered by as many links as there are cells | `multi_sector_locked_sets` |
//! | `tridagon` | three digits in twelve cells that cannot hold them | `tridagons` |

pub(in crate::ladder) mod aligned;
pub(in crate::ladder) mod exocet;
pub(in crate::ladder) mod fireworks;
pub(in crate::ladder) mod multi_sector;
pub(in crate::ladder) mod tridagon;
