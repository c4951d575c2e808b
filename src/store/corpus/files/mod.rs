//! Files of rows, one at a time: reading any of them, and writing them so that none is half there.
//!
//! | file | about | main type |
//! |---|---|---|
//! | `names` | the names of the files of a corpus | |
//! | `durable/` | files and folders that are there whole or not at all | |
//! | `format` | the formats of files of rows | [`FileFormat`](format::FileFormat) |
//! | `metadata` | what a file says about its rows | [`Metadata`](metadata::Metadata) |
//! | `progress` | long work: its threads, its news, the way to stop it | [`Job`](progress::Job) |
//! | `paths` | paths, by what a call does with them | [`InputPath`](paths::InputPath) |
//! | `frame/` | Parquet | [`FrameReader`](frame::FrameReader) |
//! | `encode` | rows and metadata in the bytes of a format | [`Encoder`](encode::Encoder) |
//! | `input/` | any file of puzzles as rows | [`Input`](input::Input) |
//! | `pick` | the rows with given numbers | [`Picked`](pick::Picked) |
//! | `parallel` | work on items in parallel, with results in order | [`in_order`](parallel::in_order) |
//! | `step_sink` | files of steps | [`StepSink`](step_sink::StepSink) |
//! | `sink` | a stage: rows in, rows out | [`RowSink`](sink::RowSink) |
//! | `sorter` | sorting more records than memory holds | [`Sorter`](sorter::Sorter) |

pub(crate) mod durable;
pub(crate) mod encode;
pub(crate) mod format;
pub(crate) mod frame;
pub(crate) mod input;
pub(crate) mod metadata;
pub(crate) mod names;
pub(crate) mod parallel;
pub(crate) mod paths;
pub(crate) mod pick;
pub(crate) mod progress;
pub(crate) mod sink;
pub mod sorter;
pub(crate) mod step_sink;
