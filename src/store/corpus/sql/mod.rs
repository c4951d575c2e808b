//! SQL over Parquet files, by SQLite.
//!
//! ```text
//!   files -> FrameReader -> Walk: one row group at a time, a column when it is first used
//!                             |
//!   query -> SQLite -> virtual table `puzzles`          a table that is read from its beginning to its end
//!               \----> temporary table `puzzles`        a table that is read again for each row of another
//! ```
//!
//! SQLite makes no index for a virtual table, and reads it again in each round of a loop. So the tables that are read in
//! a loop, as SQLite's own plan says, are first copied into temporary tables, with only the columns that the query uses;
//! SQLite then makes the indexes that it needs.
//!
//! | file | about | main type |
//! |---|---|---|
//! | `tokens` | what is looked at before SQLite sees a text | [`TokenKind`](tokens::TokenKind) |
//! | `refusal`, `functions/` | messages; functions that SQLite does not have | |
//! | `tables` | tables: their columns and files | [`SqlTable`](tables::SqlTable) |
//! | `walk`, `module` | rows of files as a virtual table | [`Walk`](walk::Walk) |
//! | `database`, `answer` | answers, and writing them | [`Answer`] |
//! | `plan` | which tables SQLite reads in a loop | [`Plan`](plan::Plan) |
//! | `session` | one query: limits, copies, rows | [`Session`](session::Session) |
//! | `condition` | conditions: whether a text is one, and its columns | |
//! | `scan` | questions about sources of rows | [`Scan`] |

mod answer;
mod condition;
mod database;
mod functions;
mod module;
mod plan;
mod refusal;
mod scan;
mod session;
mod tables;
mod tokens;
mod walk;

pub use answer::{Answer, AnswerWriter};
pub(crate) use condition::{CHANGES, is_condition};
pub use condition::{check_condition, columns_of_condition};
pub use database::{DatabaseColumn, DatabaseWriter, corpus_columns};
pub(crate) use rusqlite::types::Value as SqlValue;
pub use scan::Scan;
pub use session::AskLimits;
pub(crate) use tables::TABLE;
pub use tables::{ROW_NUMBER, SourceFiles};
pub(crate) use tokens::{TokenKind, tokens as sql_tokens};

#[cfg(test)]
mod tests;
