//! Publishing: chooses puzzles of each kind, no two of them essentially the same, and writes them in the formats of
//! printers, players and programs.
//!
//! ```text
//!   corpora, files of puzzles -> pool -> select (request, quota, index) -> chosen puzzles -> formats, books
//! ```
//!
//! A folder knows those above it in this table:
//!
//! | folder | about |
//! |---|---|
//! | `tally`, `error` | what is missing, and why nothing was published |
//! | `calendar` | days, and series of puzzles with one a day |
//! | `words` | texts in languages, names of levels, numbers of puzzles |
//! | `index` | what was published before |
//! | `choice` | chooses puzzles, and divides them into splits |
//! | `draw` | what is drawn on a page, and the typeface |
//! | `picture` | pictures of boards |
//! | `formats` | files of puzzles, one format each |
//! | `release` | data sets |
//! | `book` | printed books |

pub mod book;
mod calendar;
mod choice;
mod draw;
mod error;
pub mod formats;
mod index;
pub mod picture;
pub mod release;
mod tally;
pub mod words;

#[cfg(test)]
mod outputs;

pub use calendar::series;
pub use choice::order::{Pick, SortColumn, parse_columns};
pub use choice::quota::Quota;
pub use choice::request::Request;
pub use choice::rows::chosen::Chosen;
pub use choice::rows::pool::Pool;
pub use choice::rows::puzzles::Puzzles;
pub use choice::scale::Scale;
pub use choice::select::{Choice, choose};
pub use choice::split::{Apart, Division, Splits, Splitter};
pub use error::PublishError;
pub use formats::seal_steps;
pub use index::{Seen, request_digest};
pub use tally::{RowCounts, Short};
pub use words::numbering::{NO_LEVEL, Numbering, file_word};
