//! What a corpus is made of, in memory: rows, their columns, ratings and levels. Nothing here opens a file.
//!
//! | file | about | main type |
//! |---|---|---|
//! | `error` | what went wrong | [`CorpusError`](error::CorpusError) |
//! | `value` | the value of a column, and its type | [`Value`](value::Value) |
//! | `guess` | the type of a column of texts | [`Guess`](guess::Guess) |
//! | `steps` | the steps of a solution as texts | [`StepTexts`](steps::StepTexts) |
//! | `record` | a row, and the one table of columns | [`Record`](record::Record) |
//! | `outside` | columns of other programs | [`Outside`](outside::Outside) |
//! | `mapping` | columns of any file as columns of rows | [`Mapping`](mapping::Mapping) |
//! | `ratings` | which ratings a puzzle gets | [`Ratings`](ratings::Ratings) |
//! | `analyze` | the analyses of a puzzle | [`Analysis`](analyze::Analysis) |
//! | `target` | what a puzzle must need, and judging it | [`ErRange`](target::ErRange) |
//! | `levels` | levels of the publisher's own | [`Levels`](levels::Levels) |

pub(crate) mod analyze;
pub(crate) mod error;
pub(crate) mod guess;
pub(crate) mod levels;
pub(crate) mod mapping;
pub(crate) mod outside;
pub(crate) mod ratings;
pub(crate) mod record;
pub(crate) mod steps;
pub(crate) mod target;
pub(crate) mod value;
