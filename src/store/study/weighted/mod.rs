//! Weighted statistics that say how far they can be trusted: the command `stats`.
//!
//! | file | about |
//! |---|---|
//! | `ask` | columns and SQL expressions of a corpus into figures, by groups |
//! | `expressions` | lists of SQL expressions |
//! | `sample` | one figure of weighted rows in clusters: estimate, error, interval, doubt |
//! | `pareto` | how heavy the tail of the weights is |

pub mod ask;
mod expressions;
pub mod pareto;
pub mod sample;

pub use ask::{Figures, FiguresQuery, Finding, Weights};
pub use sample::{Doubt, Estimate, Sample};
