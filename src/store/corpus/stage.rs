//! Runs one stage over many rows: the commands `generate`, `dig` and `analyze`.

use super::error::{CorpusError, Result};
use super::progress::{Progress, StopFlag};
use super::record::Record;
use super::sink::RowSink;
use super::workers::Workers;

/// What to do with rows that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum OnError {
    /// Report, count and skip them.
    #[default]
    Skip,
    /// Stop at the first one.
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
    let mut summary = StageSummary::default();
    progress.begin(options.rows, 0);
    let work = |item: Result<T>| item.and_then(&work);
    let ended = Workers::new(options.threads)?.run(input, stop, work, |done| {
        let items = done.len() as u64;
        for row in done {
            match options.on_error.sort(row, progress)? {
                Some(record) => {
                    sink.write(record)?;
                    summary.rows += 1;
                }
                None => summary.skipped += 1,
            }
        }
        sink.flush()?;
        progress.rows(items);
        Ok::<(), CorpusError>(())
    })?;
    Ok(StageSummary { stopped: !ended, ..summary })
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
