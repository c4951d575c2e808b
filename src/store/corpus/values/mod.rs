//! What a corpus is made of, in memory: rows, their columns, ratings and levels. Only `reading` opens
//! files: those that are read whole.
//!
//! | file | about | main type |
//! |---|---|---|
//! | `error` | what went wrong | [`CorpusError`](error::CorpusError) |
//! | `value` | the value of a column, and its type | [`Value`](value::Value) |
//! | `reading` | files that are read whole, and calls that are made again | [`Steady`](reading::Steady) |
//! | `steps` | the steps of a solution as texts | [`StepTexts`](steps::StepTexts) |
//! | `record` | a row, and the one table of columns | [`Record`](record::Record) |
//! | `foreign/` | columns of any file as columns of rows | [`Mapping`](mapping::Mapping) |
//! | `ratings` | which ratings a puzzle gets | [`Ratings`](ratings::Ratings) |
//! | `analyze` | the analyses of a puzzle | [`Analysis`](analyze::Analysis) |
//! | `hashes` | hashes of boards and texts | |
//! | `claims` | compares what a row says of its puzzle with the puzzle | [`confirmed`](claims::confirmed) |
//! | `target` | what a puzzle must need, and judging it | [`ErRange`](target::ErRange) |
//! | `levels/` | levels of difficulty, and whether a puzzle has one | [`Levels`](levels::Levels) |

pub(crate) mod analyze;
pub(crate) mod claims;
pub(crate) mod error;
mod foreign;
pub(crate) mod hashes;
pub(crate) mod levels;
pub(crate) mod ratings;
pub(crate) mod reading;
pub(crate) mod record;
pub(crate) mod steps;
pub(crate) mod target;
pub(crate) mod value;

pub(crate) use foreign::{column_names, guess, json, mapping, outside};
