//! Corpora: recipes, rows, parts, folders.
//!
//! ```text
//!   recipe.toml -> Draft -> Recipe --make(index)--> Record --COLUMNS--> part-000000.parquet
//!                             |                       ^                  manifest.jsonl
//!                          produce: parallel, resumable, part by part
//!                          verify:  checks all promises of a corpus
//!
//!   any file of puzzles -> Input -> Record -> dig, analyze -> RowSink        single stages
//! ```
//!
//! A row depends only on the recipe and its index. A part is complete or does not exist. Memory is bounded for a corpus
//! of any length.
//!
//! A folder knows those above it in this table, and `sql` knows `values` and `files`:
//!
//! | folder | about |
//! |---|---|
//! | `values` | what a corpus is made of, in memory: rows, columns, goals, levels |
//! | `files` | files of rows, one at a time: formats, reading, writing |
//! | `sql` | questions in SQL |
//! | `request` | what is asked for: drafts, recipes, stocks; making a row |
//! | `folder` | a corpus on disk: parts, manifest, making, joining, checking |

mod files;
mod folder;
mod request;
mod sql;
mod values;

pub use files::atomic::{
    TempFolder, claim, clean, create_folder, folder_of, has_no_locks, remove_temporary, sync_folder, through_links,
    write_only_claimed,
};
pub use files::encode::csv_cell;
pub use files::format::FileFormat;
pub(crate) use files::frame::write_csv_as_parquet;
pub use files::frame::{expects_panics, write_table};
pub use files::input::{Copied, Input, Least, Reading, Unread};
pub use files::journal::{Journal, LeftRows};
pub use files::metadata::{FORMAT_VERSION, Metadata, PROGRAM_VERSION, SCALES};
pub use files::names::{MANIFEST_FILE, RECIPE_FILE, STOCK_FILE};
pub use files::new_folder::NewFolder;
pub use files::output::{Output, Sealed, seal_file, write_file};
pub use files::paths::{IndexPath, InputPath, NamedInput, OutputFolder, OutputPath, PublishedPath, WorkFolder};
pub use files::pick::{Picked, count_rows};
pub use files::progress::{Job, OnError, PartDone, Progress, Silent, StopFlag};
pub use files::sink::{RowSink, copy_columns, run_stage};
pub use files::sorter;
pub use files::step_sink::StepSink;
pub use files::workers::{Workers, spawn, start_threads, thread_pool};
pub use folder::corpus_folder::part_files;
pub use folder::intake::{check_complete, files_of, read_again};
pub use folder::layout::{files_in, name_of_corpus};
pub use folder::manifest::{Entry, Manifest};
pub use folder::merge::{MergeOptions, Merged, merge, read_lines};
pub use folder::produce::{Summary, produce};
pub use folder::stock::{find_share, find_stock};
pub use folder::verify::{Report, verify};
pub use request::draft::{AnalyzeDraft, By, Draft, GONE_KEYS, GoalDraft, GridDraft, KEYS, Layouts, OutputDraft};
pub use request::goal::{Goal, RowQuota};
pub use request::layouts::JigsawLayouts;
pub use request::recipe::Recipe;
pub use request::stock::Class;
pub use sql::{
    Answer, AnswerWriter, AskLimits, DatabaseColumn, DatabaseWriter, ROW_NUMBER, Scan, SourceFiles, check_condition,
    columns_of_condition, corpus_columns,
};
pub(crate) use sql::{SqlValue, TABLE, is_condition};
pub use sudoku_corpus_core::rate::step_rows::columns::{STEP_COLUMNS, StepLine, StepValue};
pub use values::analyze::{Analysis, solution_class};
pub use values::error::{CorpusError, MakeError, RecipeError, Result, RowError};
pub use values::levels::Levels;
pub(crate) use values::mapping::NOT_PART;
pub use values::mapping::Want;
pub use values::outside::Outside;
pub use values::ratings::Ratings;
pub use values::record::Record;
pub use values::record::{COLUMNS, Column};
pub use values::steps::{StepFormat, StepTexts, StepsWanted};
pub use values::target::{ErRange, Techniques, range};
pub use values::value::{ColumnType, Value};

#[cfg(test)]
mod tests;
