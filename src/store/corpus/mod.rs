//! Corpora: recipes, rows, parts, folders.
//!
//! ```text
//!   recipe.toml -> Draft -> Recipe --make(index)--> Record --COLUMNS--> part-000000.parquet
//!                             |                       ^                  in rows/
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
//! | `published` | the index of published puzzles |
//! | `request` | what is asked for: drafts, recipes, outlines of corpora; making a row |
//! | `folder` | a corpus on disk: its parts, making and checking them |

mod files;
mod folder;
mod published;
mod request;
mod sql;
mod values;

pub use files::durable::atomic::{NewFolder, create_folder, files_below};
pub use files::durable::inside::{folder_of, resolved, stays_inside, write_only_inside};
pub use files::durable::output::{Output, Sealed, seal_file, write_file};
pub use files::durable::temporary::{TempFolder, clean, has_no_locks, remove_temporary};
pub use files::encode::csv_cell;
pub use files::format::{FileFormat, PartFormat};
pub(crate) use files::frame::{TableWriter, write_csv_as_parquet};
pub use files::frame::{expects_panics, write_table};
pub use files::input::{Copied, Input, Least, Reading, Unread, forms};
pub use files::metadata::{Metadata, PROGRAM_VERSION, SCALES};
pub use files::names::{OUTPUTS_FOLDER, RECIPE_FILE, files_in, name_of_corpus};
pub use files::parallel::{ItemSize, in_order, spawn, start_threads, thread_pool};
pub use files::paths::{IndexPath, InputPath, NamedInput, OutputFolder, OutputPath, PublishedPath, WorkFolder};
pub use files::pick::{Picked, count_rows, has_own_rows};
pub use files::progress::{Job, OnError, PartDone, Progress, Silent, StopFlag};
pub use files::sink::{RowSink, copy_columns, run_stage};
pub use files::sorter;
pub use files::step_sink::StepSink;
pub use folder::missing::quoted;
pub use folder::produce::{RunSummary, produce, produce_from};
pub use folder::scales::SourceScales;
pub(crate) use folder::scales::metadata_of;
pub use folder::sources::{Holdings, digest_of, files_of, holdings, notes_on, read_again};
pub use folder::verify::{Report, compare_rows, verify};
pub(crate) use published::write_published;
pub use published::{Begun, Publication, PublicationCall, is_published_index, published_classes};
pub use request::draft::{
    AnalyzeDraft, Draft, GONE_KEYS, GoalDraft, GridDraft, KEYS, Layouts, OutputDraft, OutputOption,
};
pub use request::goal::{Goal, RowQuota};
pub use request::layouts::JigsawLayouts;
pub use request::outline::{CommandCall, CommandInput, Outline};
pub use request::recipe::Recipe;
pub use sql::{
    Answer, AnswerWriter, AskLimits, DatabaseColumn, DatabaseWriter, ROW_NUMBER, Scan, SourceFiles, check_condition,
    columns_of_condition, corpus_columns,
};
pub(crate) use sql::{CHANGES, SqlValue, TABLE, TokenKind, is_condition, sql_tokens};
pub use sudoku_corpus_core::steps::columns::{STEP_COLUMNS, StepLine, StepValue};
pub use values::analyze::{Analysis, solution_class};
pub use values::error::{CorpusError, MakeError, RecipeError, Result, RowError, in_words, toml_in_words};
pub use values::hashes::hash_of_board;
pub(crate) use values::hashes::hash_of_text;
pub use values::levels::Levels;
pub use values::mapping::{KEY_COLUMNS, Want};
pub use values::outside::Outside;
pub use values::ratings::Ratings;
pub use values::reading::{Steady, read_small, read_small_text};
pub use values::record::{COLUMNS, Column, Record};
pub use values::steps::{StepFormat, StepTexts, StepsWanted};
pub use values::target::{ErRange, Techniques, range};
pub use values::value::{ColumnType, Value};

#[cfg(test)]
pub(crate) mod tests;
