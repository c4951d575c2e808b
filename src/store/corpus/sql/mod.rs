//! SQL over Parquet files, by SQLite. This is the only module that uses it.
//!
//! ```text
//!   files -> FrameReader -> Walk: one row group at a time, a column when it is first used
//!                             |
//!   query -> SQLite -> virtual table `puzzles`          a table that is read once
//!               \----> temporary table `puzzles`        a table that is read again and again: joined, looked up
//! ```
//!
//! SQLite makes no index for a virtual table. So a table inside a loop is first copied into a temporary table, with only the
//! columns that the query uses; SQLite then makes the index that it needs.
//!
//! | file | about |
//! |---|---|
//! | `scan` | sources, tables and their columns |
//! | `walk`, `module` | rows of files as a virtual table |
//! | `session`, `plan`, `refusal` | one query: limits, copies, messages |
//! | `functions`, `sums` | functions that SQLite does not have |
//! | `words`, `condition` | what is looked at before SQLite sees a text |
//! | `answer`, `database` | answers, and writing them |

mod answer;
mod condition;
mod database;
mod functions;
mod module;
mod plan;
mod refusal;
mod scan;
mod session;
mod sums;
mod walk;
mod words;

pub use answer::{Answer, AnswerWriter};
pub use condition::{check_condition, columns_of_condition, is_condition};
pub use database::{DatabaseColumn, DatabaseWriter, corpus_columns};
pub(crate) use rusqlite::types::Value as SqlValue;
pub use scan::{ROW_NUMBER, SOURCE, Scan, SourceFiles, TABLE};
pub use session::AskLimits;

#[cfg(test)]
mod tests;
