//! One stage over many rows: `generate`, `dig` and `analyze` as commands of their own.
//!
//! ```text
//!   items in order -> chunk -> all threads -> rows in order -> sink
//! ```

use super::error::{CorpusError, Result};
use super::progress::{Progress, StopFlag};
use super::record::Record;
use super::sink::RowSink;
use super::workers::Workers;

/// What to do about a row that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OnError {
    /// Report it, count it, go on.
    #[default]
    Skip,
    /// Stop there.
    Fail,
}

/// What a stage did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageSummary {
    /// Rows written.
    pub rows: u64,
    /// Rows left out.
    pub skipped: u64,
    /// True when it was stopped before the input ended.
    pub stopped: bool,
}

/// How to run a stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct StageOptions {
    /// Threads; none for one a core.
    pub threads: Option<usize>,
    /// What to do about rows that cannot be used.
    pub on_error: OnError,
    /// Rows in all, where known.
    pub rows: Option<u64>,
}

/// Works on every item of an input and writes the rows in order. The sink stays open; when the stage was stopped, what
/// was done until then is in it.
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
    /// True when only one row is at fault, and the next may be good.
    pub fn is_about_a_row(&self) -> bool {
        matches!(self, CorpusError::Row(_) | CorpusError::Make(_))
    }
}
