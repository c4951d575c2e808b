//! Makes full grids: every method, one file for each.
//!
//! ```text
//!   Method --------- accepts(shape)?  fill(shape, rng)  ->  Solution
//!     permutation        shuffles of one template; any order up to 400
//!     row-major          cell by cell, one step back          \
//!     jump-back          cell by cell, many cells back         |  these search; they reach every grid,
//!     digit-by-box       digit by digit, box by box            |  but not with equal probability
//!     seeded-cross       first row and column, then a solver   |
//!     fewest-candidates  the solver on an empty board         /
//!     uniform            every grid equally often: 9x9, 4x4, 6x6, 8x8
//!     base-shuffle       shuffles of given puzzles or grids
//!     uniform-classes    every essentially different grid equally often: 9x9
//!   name       the names, and what is said about each        attempts   how often a method tries, and why it fails
//!   search     the methods that search                        jigsaw     boards of regions of any form, from a seed
//! ```
//!
//! `METHODS` names the source and the bias of each method. The documentation, the help and the benchmarks iterate over
//! it. A grid depends only on the method, the shape and the random number generator. Budgets count steps.

mod attempts;
mod base_shuffle;
mod jigsaw;
mod method;
mod name;
mod permutation;
mod search;
mod uniform;

pub use attempts::FillError;
pub use base_shuffle::Bases;
pub use jigsaw::jigsaw;
pub use method::Method;
pub use name::{MethodInfo, MethodName};
pub use permutation::Strength;
pub use search::jump_back::Jumps;
#[cfg(test)]
pub(crate) use search::seeded_cross::cross;
