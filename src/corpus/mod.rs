//! Corpora: recipes, rows, parts, folders.
//!
//! ```text
//!   recipe.toml -> Draft -> Recipe --make(index)--> Record --COLUMNS--> part-000000.parquet
//!                             |                       ^                  manifest.jsonl
//!                          produce: parallel, resumable, part by part
//!                          verify:  everything a corpus promises
//!
//!   any file of puzzles -> Input -> Record -> dig, analyze -> Sink        single stages
//! ```
//!
//! A row depends on recipe and index alone; a part is whole or not there; memory is bounded however long the corpus.
//!
//! | file | about |
//! |---|---|
//! | `draft`, `recipe`, `make`, `bases` | what is to be made, and making a row |
//! | `record`, `columns`, `mapping` | the row and its one schema |
//! | `analyze` | what is found out about a puzzle |
//! | `frame`, `csv_rows`, `encode`, `metadata` | file formats |
//! | `atomic`, `part`, `manifest`, `folder`, `produce`, `workers` | a corpus on disk, made in parallel |
//! | `input`, `sink`, `stage` | single stages from files to files |
//! | `verify` | checking a corpus |

mod analyze;
mod atomic;
mod bases;
mod columns;
mod csv_rows;
mod draft;
mod encode;
mod error;
mod folder;
mod frame;
mod input;
mod make;
mod manifest;
mod mapping;
mod metadata;
mod part;
mod produce;
mod progress;
mod recipe;
mod record;
mod sink;
mod stage;
mod verify;
mod workers;

pub use analyze::Analysis;
pub use atomic::write_whole;
pub use columns::{COLUMNS, Column, Kind, Value};
pub use draft::{Draft, KEYS, Key};
pub use encode::FileFormat;
pub use error::{CorpusError, Result, RowError};
pub use folder::{RECIPE_FILE, part_files};
pub use frame::{Answer, Cells, Scan, TABLE, write_table};
pub use input::Input;
pub use make::MakeError;
pub use manifest::{Entry, Header, MANIFEST_FILE, Manifest};
pub use metadata::{FORMAT_VERSION, Metadata, PROGRAM_VERSION, PartPlace, SCALES};
pub use produce::{ProduceOptions, Summary, merge, produce};
pub use progress::{PartDone, Progress, Silent, StopFlag};
pub use recipe::{BASES_FILE, BasesFile, Format, Recipe, RecipeError};
pub use record::Record;
pub use sink::Sink;
pub use stage::{OnError, StageOptions, StageSummary, run_stage};
pub use verify::{Problem, Report, VerifyOptions, verify};

#[cfg(test)]
mod tests;
