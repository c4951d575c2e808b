//! Runs one stage over many rows: the commands `generate`, `dig` and `analyze`.
//!
//! ```text
//!   items in order -> chunk -> all threads -> rows in order -> sink
//! ```

use super::error::{CorpusError, Result};
use super::progress::{Progress, StopFlag};
use super::record::Record;
use super::sink::RowSink;
use super::workers::Workers;

/// What to do with a row that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OnError {
    /// Report it, count it, and continue.
    #[default]
    Skip,
    /// Stop.
    Fail,
}

/// The result of a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageSummary {
    /// Rows written.
    pub rows: u64,
    /// Rows skipped.
    pub skipped: u64,
    /// True if it was stopped before the input ended.
    pub stopped: bool,
}

/// Options of a stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct StageOptions {
    /// The number of threads. None means one thread for each core.
    pub threads: Option<usize>,
    /// What to do with rows that cannot be used.
    pub on_error: OnError,
    /// The number of rows, if known.
    pub rows: Option<u64>,
}

/// Processes every item of an input and writes the rows in order. The sink stays open. If the stage was stopped, the
/// sink has the rows of all completed chunks.
///
/// # Errors
/// A damaged input, an output that cannot be written, and with [`OnError::Fail`] the first bad row.
pub fn run_stage<T: Send>(
    input: impl Iterator<Item = Result<T>>,
    work: impl Fn(T) -> Result<Record> + Sync + Send,
    sink: &mut RowSink,
    options: &StageOptions,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<StageSummary> {
    let mut workers = Workers::new(options.threads)?;
    let mut summary = StageSummary::default();
    let mut input = input.fuse();
    progress.begin(options.rows, 0);
    loop {
        let chunk: Vec<Result<T>> = input.by_ref().take(workers.chunk()).collect();
        if chunk.is_empty() {
            return Ok(summary);
        }
        let items = chunk.len() as u64;
        let Some(done) = workers.work(chunk, stop, |item| item.and_then(&work)) else {
            return Ok(StageSummary { stopped: true, ..summary });
        };
        for outcome in done {
            match outcome {
                Ok(record) => {
                    sink.write(record)?;
                    summary.rows += 1;
                }
                Err(error) if options.on_error == OnError::Skip && error.is_about_a_row() => {
                    progress.skipped(&error);
                    summary.skipped += 1;
                }
                Err(error) => return Err(error),
            }
        }
        sink.flush()?;
        progress.rows(items);
    }
}

impl CorpusError {
    /// True if only one row is wrong, so that the next may be good.
    pub fn is_about_a_row(&self) -> bool {
        matches!(self, CorpusError::Row(_) | CorpusError::Make(_))
    }
}
