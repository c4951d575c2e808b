//! Weighted statistics that say how far they can be trusted: the command `stats`.
//!
//! | file | about |
//! |---|---|
//! | `ask` | columns and SQL expressions of a corpus into figures, by groups |
//! | `expressions` | lists of SQL expressions |
//! | `shares` | rows weighted by the published shares of their givens |
//! | `fit` | lines and logits of several figures, rank correlations |
//! | `values` | the rows of a group as sums |
//! | `sample` | one figure of weighted rows: estimate, error, interval, doubt |
//! | `plot` | figures as a plot, and as a table of one value a cell |
//! | `pareto` | how heavy the tail of the weights is |

pub mod ask;
#[cfg(test)]
mod enumeration;
mod expressions;
mod fit;
pub mod pareto;
pub mod plot;
pub mod sample;
mod shares;
mod values;

pub use ask::{Figures, FiguresQuery};
pub use sample::{Blocks, Doubt, Estimate, Moments, Pair, Sample};
pub use values::Finding;
