//! Defines what long work is given: its threads, the reports to its caller, and the way to stop it.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use serde::Serialize;
pub use sudoku_corpus_core::progress::Silent;

use super::metadata::PartPlace;
use crate::corpus::values::error::{CorpusError, Result};

/// Also receives reports about stages, parts and bad rows.
pub trait Progress: sudoku_corpus_core::progress::Progress {
    /// Seconds spent so far on generating, digging and analysing, summed over all threads.
    fn stages(&self, _seconds: [f64; 3]) {}

    /// A part is finished.
    fn part(&self, _done: &PartDone) {}

    /// A requested part was there before.
    fn kept(&self, _there: &PartDone) {}

    /// A row of the input was skipped.
    fn skipped(&self, _error: &CorpusError) {}

    /// A number of rows may or may not have one solution: the search ended after `budget` positions.
    fn unsettled(&self, _rows: u64, _budget: u64) {}
}

impl Progress for Silent {}

/// What to do with rows that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum OnError {
    /// Report, count and skip them.
    #[default]
    Skip,
    /// Stop at the first one.
    Fail,
}

impl OnError {
    /// A good row, or none if a bad row was reported and is to be skipped.
    ///
    /// # Errors
    /// A row that is not skipped; an error that is not about a row.
    pub fn sort<T>(self, row: Result<T>, progress: &dyn Progress) -> Result<Option<T>> {
        match row {
            Err(error) if self == OnError::Skip && error.is_about_a_row() => {
                progress.skipped(&error);
                Ok(None)
            }
            row => row.map(Some),
        }
    }
}

/// What work that takes long gets from its caller: a folder for temporary files, progress, and the way to stop it.
pub struct Job<'a> {
    /// What to do with rows of the input that cannot be used.
    pub on_error: OnError,
    /// The folder of temporary files, which are made for large numbers of puzzles.
    pub folder: PathBuf,
    /// Receives the progress.
    pub progress: &'a dyn Progress,
    /// Checked regularly; ends the work when it is set.
    pub stop: StopFlag,
}

impl Default for Job<'_> {
    fn default() -> Job<'static> {
        let (folder, stop) = (env::temp_dir(), StopFlag::new());
        Job { on_error: OnError::Skip, folder, progress: &Silent, stop }
    }
}

/// A stage whose time is measured.
#[derive(Clone, Copy)]
pub(crate) enum TimedStage {
    Generate,
    Dig,
    Analyze,
}

/// Nanoseconds that all threads together have spent on each [`TimedStage`].
#[derive(Debug, Default)]
pub(crate) struct StageTimes([AtomicU64; 3]);

impl StageTimes {
    /// Does work of a stage and adds its time.
    pub(crate) fn of<T>(&self, stage: TimedStage, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let done = work();
        self.0[stage as usize].fetch_add(began.elapsed().as_nanos() as u64, Ordering::Relaxed);
        done
    }

    /// The seconds that each stage has taken.
    pub(crate) fn seconds(&self) -> [f64; 3] {
        self.0.each_ref().map(|nanoseconds| nanoseconds.load(Ordering::Relaxed) as f64 / 1e9)
    }
}

/// A finished part. `run --json` prints it as a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartDone {
    /// Its file, relative to the folder of the corpus.
    pub file: PathBuf,
    /// Its rows.
    #[serde(flatten)]
    pub place: PartPlace,
    /// Its size in bytes.
    pub bytes: u64,
    /// The size of its file of steps, if the recipe asks for steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps_bytes: Option<u64>,
    /// Time from its first row to its completion; 0 if it was there before.
    pub seconds: f64,
}

/// A flag that a signal sets. It is read between rows.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is not set.
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Asks the work to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True if the work was asked to stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for a signal handler.
    pub fn shared(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}
