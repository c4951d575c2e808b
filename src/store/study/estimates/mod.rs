//! Estimates of weighted figures, with errors and doubts: what `stats` and the report ask of the same sums.
//!
//! | file | about |
//! |---|---|
//! | `values` | the rows of a group as sums, and the estimates of each figure |
//! | `numbers` | the weight of each value, and of each number |
//! | `classes` | the weights of the classes of a histogram |
//! | `finding` | an estimate of one figure of one group, as users see it |
//! | `sample` | one figure of weighted rows: estimate, error, interval, doubt |
//! | `pareto` | how heavy the tail of the weights is |
//! | `weighted` | the weighted numbers of records, added up in parts |

mod classes;
mod finding;
mod numbers;
pub mod pareto;
pub mod sample;
mod values;
mod weighted;

pub use finding::{Finding, Statistic};
pub(super) use sample::{BLOCKS, Blocks, Place, Strata};
pub use sample::{Doubt, Estimate};
pub(super) use values::{AskedFigures, Figure, exact_text_of, hash_of_row, number_of, text_of};
pub use weighted::Weighted;
