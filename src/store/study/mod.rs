//! Statistics over the rows of a corpus, and queries in SQL.
//!
//! | file | about |
//! |---|---|
//! | `query` | SQL over corpora and files |
//! | `population` | whom weighted figures are about |
//! | `rated` | how the rows of sources were rated, and what cannot be compared |
//! | `summary` | corpora and files into a [`Summary`] |
//! | `answers`: `numbers`, `tally`, `multiset`, `gallery` | what is asked of the boards of one shape: which numbers, how often each value occurs, essentially equal puzzles, puzzles to show |
//! | `estimates` | weighted estimates with their errors |
//! | `figures` | columns and expressions into estimates, by groups |
//! | `audit` | files of puzzles from any source: proper, minimal, copies |
//! | `neighbors` | puzzles that differ by one or two givens, for audits and for splits |
//! | `score` | the answers of a model against a set of puzzles |
//! | `report` | questions about a summary, and their answers as a page with plots |

mod answers;
pub mod audit;
pub mod estimates;
pub mod figures;
mod gallery;
mod multiset;
mod neighbors;
mod numbers;
mod population;
pub mod query;
mod rated;
pub mod report;
pub mod score;
mod summary;
mod tally;

pub use neighbors::{NearRow, Neighbors};
pub use numbers::Number;
pub use population::TargetPopulation;
pub use query::{Source, Table, traps_of_condition};
pub use rated::{Difference, RatedWith};
pub use summary::{Summary, summarize};
