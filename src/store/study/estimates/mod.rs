//! Estimates of weighted figures, with errors and doubts: what `stats` and the report ask of the same sums.
//!
//! | file | about |
//! |---|---|
//! | `values` | the rows of a group as sums, and the estimates of each figure |
//! | `numbers` | the weight of each value, and of each number |
//! | `classes` | the weights of the classes of a histogram |
//! | `finding` | an estimate of one figure of one group, as users see it |
//! | `estimate` | an estimate with its error, and why it may not be reliable |
//! | `blocks` | sums over rows, by blocks of grids and by strata |
//! | `sample` | figures of weighted rows |
//! | `pareto` | how heavy the tail of the weights is |
//! | `weighted` | the weighted numbers of records, added up in parts |

mod blocks;
mod classes;
mod estimate;
mod finding;
mod numbers;
pub mod pareto;
pub mod sample;
mod values;
mod weighted;

pub(super) use blocks::{Blocks, Place, Strata};
pub use estimate::{Doubt, Estimate};
pub use finding::{Finding, Statistic};
pub(super) use values::{AskedFigures, Figure, exact_text_of, hash_of_row, number_of, text_of};
pub use weighted::Weighted;
