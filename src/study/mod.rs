//! What a corpus is like: statistics over its rows, and questions in SQL.
//!
//! ```text
//!   query     SQL over corpora and files
//!   read      corpora and files -> Summary         summary   what is counted
//!   report    Summary -> page with plots           stats     tallies      classes   essentially equal puzzles
//! ```

pub mod classes;
pub mod query;
pub mod read;
pub mod report;
pub mod stats;
pub mod summary;

pub use query::Table;
pub use read::summarize;
pub use summary::Summary;
