//! Statistics over the rows of a corpus, and queries in SQL.
//!
//! | file | about |
//! |---|---|
//! | `query` | SQL over corpora and files |
//! | `read`, `summary` | corpora and files into a [`Summary`] |
//! | `counts`: `stats`, `crossed`, `multiset`, `weights`, `gallery`, `efforts` | counts for the boards of one shape: tallies, numbers that are compared, essentially equal puzzles, weighted shares, puzzles to show, numbers of effort |
//! | `weighted` | weighted figures with their errors |
//! | `resample` | few rows of a weighted corpus as a sample of all minimal puzzles |
//! | `audit` | files of puzzles from any source: proper, minimal, copies, origin |
//! | `score` | the answers of a model against a set of puzzles |
//! | `report` | a summary as a page with plots |

pub mod audit;
mod counts;
mod crossed;
mod efforts;
mod gallery;
mod multiset;
pub mod query;
mod read;
pub mod report;
pub mod resample;
pub mod score;
mod stats;
mod summary;
pub mod weighted;
mod weights;

pub use query::{Source, Table};
pub use read::summarize;
pub use summary::Summary;
