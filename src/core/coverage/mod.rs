//! How much of the space of all grids each method reaches, and how evenly. Figures are exact where mathematics allows
//! it, and have standard errors elsewhere.
//!
//! ```text
//!   exact      numbers of grids, orbits of the permutation method, the article's claims    natural   big numbers
//!   symmetry   maps of one grid onto another                                               numbers   p-values
//!   classes    counts how many of the 5,472,730,538 classes a method reaches               strata    a sample of them
//!   process    methods whose probabilities are known, as trees of choices
//!     likelihood    P(G) of single grids, means over drawn grids       small   all grids of order 4 and 6, listed
//!     distribution  all probabilities of a method
//!   sampled    counts on drawn grids               judge   tests of evenness
//!   survey     everything, for all boards and methods      report   Markdown, HTML, plots, data
//!   recount    all grids counted by several routes         portrait one grid
//! ```

pub mod classes;
mod distribution;
mod exact;
mod judge;
pub mod likelihood;
mod natural;
pub mod numbers;
mod portrait;
mod process;
pub mod recount;
pub mod report;
mod sampled;
mod small;
pub mod strata;
mod survey;
mod symmetry;

pub use portrait::portrait;
pub use recount::{Recount, recount};
pub use survey::{Options, Progress, Silent, Survey, survey};
