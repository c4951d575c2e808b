//! What a corpus is like: statistics over its rows, and questions in SQL.
//!
//! | file | about |
//! |---|---|
//! | `query` | SQL over corpora and files |
//! | `read`, `summary` | corpora and files into a [`Summary`] |
//! | `counts`: `stats`, `classes`, `weights`, `gallery` | what is counted of boards of one shape: tallies, essentially equal puzzles, weighted shares, puzzles worth a look |
//! | `weighted` | weighted figures with honest errors |
//! | `resample` | few rows of a weighted corpus as a sample of all minimal puzzles |
//! | `audit` | anybody's files of puzzles: proper, minimal, copies, origin |
//! | `report` | a summary as a page with plots |

pub mod audit;
pub mod classes;
pub mod counts;
pub mod gallery;
pub mod query;
pub mod read;
pub mod report;
pub mod resample;
pub mod stats;
pub mod summary;
pub mod weighted;
pub mod weights;

pub use query::{Source, Table};
pub use read::summarize;
pub use summary::Summary;
