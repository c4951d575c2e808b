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
//! A row depends only on the recipe and its index. A part is complete or does not exist. Memory is bounded for a corpus of
//! any length.
//!
//! | file | about |
//! |---|---|
//! | `draft`, `recipe`, `goal`, `target`, `make`, `bases`, `stock` | the request, and making a row |
//! | `record`, `columns`, `mapping` | the row and its one schema |
//! | `analyze`, `ratings` | analyses and ratings of a puzzle |
//! | `format`, `frame`, `encode`, `metadata` | file formats |
//! | `sql` | questions in SQL |
//! | `atomic`, `part`, `manifest`, `layout`, `folder`, `produce`, `distinct`, `merge`, `workers` | a corpus on disk, made in parallel |
//! | `steps`, `step_columns` | the steps of a solution, in files of their own |
//! | `input`, `intake`, `pick`, `output`, `sink` | single stages, from files to files |
//! | `verify` | checking a corpus and its rows |
//! | `sorter` | sorting more records than memory holds |

mod analyze;
mod atomic;
mod bases;
mod columns;
mod distinct;
mod draft;
mod encode;
mod error;
mod folder;
mod format;
mod frame;
mod goal;
mod input;
mod intake;
mod layout;
mod levels;
mod make;
mod manifest;
mod mapping;
mod merge;
mod metadata;
mod output;
mod part;
mod pick;
mod produce;
mod progress;
mod ratings;
mod recipe;
mod record;
mod sink;
pub mod sorter;
mod sql;
mod step_columns;
mod steps;
mod stock;
mod target;
mod verify;
mod workers;

pub use analyze::{Analysis, solution_class};
pub use atomic::{FileSum, TempFolder, clean, create_folder, folder_of, has_no_locks, remove_temporary, sync_folder};
pub use bases::{BASES_FILE, BasesFile};
pub use columns::{COLUMNS, Column, ColumnType, Outside, Value};
pub use draft::{AnalyzeDraft, Draft, GoalDraft, GridDraft, KEYS, Key, OutputDraft, StockDraft};
pub use error::{CorpusError, MakeError, RecipeError, Result, RowError};
pub use folder::{RECIPE_FILE, part_files};
pub use format::{FileFormat, PartFormat};
pub use frame::{write_csv_as_parquet, write_table};
pub use goal::{Goal, RowQuota};
pub use input::{Copied, Input, Reading};
pub use intake::{allow_missing_parts, files_of};
pub use layout::{FolderLayout, files_in, keys_of, name_of_corpus};
pub use levels::{LevelBand, LevelDraft, Levels, OwnLevel};
pub use manifest::{Entry, Header, MANIFEST_FILE, Manifest};
pub use mapping::{NOT_PART, Want};
pub use merge::{MergeOptions, Merged, merge, read_lines};
pub use metadata::{FORMAT_VERSION, Metadata, PROGRAM_VERSION, PartPlace, SCALES};
pub use output::{Output, Sealed, seal_file, write_file};
pub use pick::{Picked, count_rows};
pub use produce::{Summary, produce};
pub use progress::{Job, PartDone, Progress, Silent, StopFlag};
pub use ratings::{RatingKind, Ratings};
pub use recipe::Recipe;
pub use record::Record;
pub use sink::{OnError, RowSink, StageSummary, run_stage};
pub(crate) use sql::SqlValue;
pub use sql::{
    Answer, AnswerWriter, AskLimits, DatabaseColumn, DatabaseWriter, ROW_NUMBER, SOURCE, Scan, SourceFiles, TABLE,
    check_condition, check_query, columns_of_condition, corpus_columns, is_condition,
};
pub use step_columns::{STEP_COLUMNS, StepColumn, StepLine, StepValue};
pub use steps::{StepFormat, StepSink, StepTexts, StepsWanted};
pub use stock::{By, Class, Finds, STOCK_FILE, Stock, find_stock};
pub use target::{ErRange, Techniques, range};
pub use verify::{Problem, Report, verify};
pub use workers::{Workers, thread_pool};

#[cfg(test)]
mod tests;
