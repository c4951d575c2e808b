//! Weighted statistics that say how far they can be trusted: the command `stats`.
//!
//! | file | about |
//! |---|---|
//! | `ask` | columns and SQL expressions of a corpus into figures, by groups |
//! | `question` | what is asked of each row |
//! | `notes` | what a reader of the figures has to know |
//! | `shares` | rows weighted by the published shares of their givens |
//! | `replicates` | the rows with their weights and jackknife weights, for other programs |
//! | `plot` | figures as a plot, and as a table of one value a cell |

pub mod ask;
#[cfg(test)]
mod enumeration;
mod notes;
pub mod plot;
mod question;
pub mod replicates;
mod shares;

pub use ask::Figures;
pub use question::FiguresQuery;
pub use shares::TargetShares;
