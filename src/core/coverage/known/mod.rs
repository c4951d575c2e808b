//! Computes what is known exactly, without drawing a grid.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `natural` | numbers beyond 128 bits | `Natural` |
//! | `exact` | numbers of grids, orbits of the permutation method | `Size`, `Orbit` |
//! | `automorphisms` | maps of one grid onto another | `maps` |
//! | `process` | methods whose probabilities are known, as trees of choices | `Process` |
//! | `distribution` | all probabilities of a method | `Distribution` |
//! | `likelihood` | the probability of a grid, and means over drawn grids | [`chance`](likelihood::chance) |
//! | `small` | all grids of order 4 and 6, listed | `Small` |

pub(crate) mod automorphisms;
pub(crate) mod distribution;
pub(crate) mod exact;
pub mod likelihood;
pub(crate) mod natural;
pub(crate) mod process;
pub(crate) mod small;
