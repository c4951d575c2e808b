//! What a corpus is made of, in memory: rows, their columns, goals and levels. Nothing here opens a file.
//!
//! | file | about | main type |
//! |---|---|---|
//! | `error` | what went wrong | [`CorpusError`](error::CorpusError) |
//! | `progress` | stopping, and news of a long work | [`Job`](progress::Job) |
//! | `columns/` | values, types, and the one table of columns | [`COLUMNS`](columns::COLUMNS) |
//! | `record` | a row | [`Record`](record::Record) |
//! | `mapping` | columns of any file as columns of rows | [`Mapping`](mapping::Mapping) |
//! | `step_columns` | a row of a file of steps | [`StepLine`](step_columns::StepLine) |
//! | `ratings` | which ratings a puzzle gets | [`Ratings`](ratings::Ratings) |
//! | `analyze` | the analyses of a puzzle | [`Analysis`](analyze::Analysis) |
//! | `target` | what a puzzle must need, and judging it | [`ErRange`](target::ErRange) |
//! | `levels` | levels of the publisher's own | [`Levels`](levels::Levels) |
//! | `goal` | what the puzzle of a row must be | [`Goal`](goal::Goal) |

pub(crate) mod analyze;
pub(crate) mod columns;
pub(crate) mod error;
pub(crate) mod goal;
pub(crate) mod levels;
pub(crate) mod mapping;
pub(crate) mod progress;
pub(crate) mod ratings;
pub(crate) mod record;
pub(crate) mod step_columns;
pub(crate) mod target;
