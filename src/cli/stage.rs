//! Runs a stage: a command that makes one row from each item of its input and writes the rows in order. The stages are
//! `generate`, `dig`, `analyze`, `mask` and `resample`.
//!
//! ```text
//!   items -> work (in threads) -> rows in order -> a temporary file -> rated.csv           all rows were made
//!                    |                                            `--> rated.partial.csv   the command was stopped
//!                    `--> journal: each row as soon as it is finished (only where rows cost much)
//! ```
//!
//! [`Partial`] describes the partial file, which keeps the rows of a stopped command, and the journal. `analyze
//! --resume` goes on with them.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::options::{self, Global};
use super::partial::Partial;
use super::progress::Bars;
use super::{Outcome, counted};
use crate::board::Shape;
use crate::corpus::{
    Analysis, AnalyzeDraft, CorpusError, Draft, FileFormat, GridDraft, Job, Journal, OnError, OutputPath, Outside,
    Progress, Recipe, RecipeError, Record, RowSink, Sealed, StepSink, run_stage,
};

/// The output of a stage: options, and what the command sets after it has read them (`skip`).
#[derive(Debug, clap::Args)]
pub(super) struct StageOutput {
    /// The output file. Its name gives the format: .parquet, .csv.zst, .csv, .txt. The default is standard output.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub out: OutputPath,
    /// The format, if the name does not give it: parquet, csv.zst, csv or txt.
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub format: Option<FileFormat>,
    /// The file of the steps of the ladder, for commands that write one.
    #[arg(skip)]
    pub steps: Option<OutputPath>,
    /// Columns that are copied from the input and follow those of this program.
    #[arg(skip)]
    pub outside: Vec<Outside>,
    /// The number of rows in the partial file of an earlier command; `u64::MAX` while they are still being compared
    /// with the input; None if the file is to be counted. That file stays until this command has made as many rows.
    #[arg(skip)]
    pub held: Cell<Option<u64>>,
    /// A digest of the options and the version. It is kept beside the partial file.
    #[arg(skip)]
    pub options: Option<String>,
    /// Whether there is a journal. It keeps finished rows even if the process is killed.
    #[arg(skip)]
    pub journal: bool,
    /// The number of positions that counting the solutions of one puzzle may visit; 0 if the stage does not count.
    #[arg(skip)]
    pub budget: u64,
}

impl StageOutput {
    /// The format of the output, if it is known.
    pub(super) fn file_format(&self) -> Option<FileFormat> {
        self.format.or_else(|| FileFormat::of_name(&self.out.file_name()?.to_string_lossy()))
    }

    /// Makes standard output CSV by default: plain lines of puzzles would lose their analysis.
    pub(super) fn keep_analysis(&mut self) {
        let usual = (self.out == Path::new("-")).then_some(FileFormat::Csv);
        self.format = self.format.or(usual);
    }

    /// The partial file. None for pipes, devices and standard output.
    pub(super) fn partial(&self) -> Option<Partial> {
        partial_name(&self.out).map(Partial::at)
    }

    /// The outputs, rows and steps, each with the name that it has if the command is stopped.
    fn partials(&self) -> impl Iterator<Item = (&OutputPath, PathBuf)> {
        std::iter::once(&self.out).chain(&self.steps).filter_map(|path| Some((path, partial_name(path)?)))
    }

    /// Claims the names of the files that are left if the command is stopped. An error if one of them is also the name
    /// of another input or output.
    pub(super) fn claim(&self, global: &Global) -> anyhow::Result<()> {
        self.partials().try_for_each(|(out, partial)| {
            Partial::at(partial).files().iter().try_for_each(|file| global.paths.claim(out, file))
        })
    }

    /// Removes the files that a stopped command left: rows and steps.
    pub(super) fn remove_partial(&self) {
        self.partials().for_each(|(_, partial)| Partial::at(partial).remove());
    }
}

/// The analysis that `analyze` options describe, for puzzles of a shape; None if puzzles of any shape may come.
pub(super) fn analysis(shape: Option<Shape>, analyze: AnalyzeDraft) -> Result<Analysis, RecipeError> {
    let grid = GridDraft { shape, ..GridDraft::default() };
    Ok(Recipe::new(&Draft { grid, analyze, ..Draft::default() })?.analysis)
}

/// The format of an ending, with or without its dot.
fn format(text: &str) -> Result<FileFormat, String> {
    FileFormat::of_name(&format!(".{}", text.trim_start_matches('.')))
        .ok_or_else(|| "known formats: parquet, csv.zst, csv, txt".to_owned())
}

/// The name of an output that is not complete: `rated.partial.csv` for `rated.csv`. None for pipes, devices and
/// standard output, which are written directly.
fn partial_name(out: &Path) -> Option<PathBuf> {
    let plain = out != Path::new("-") && fs::metadata(out).map_or(true, |data| data.is_file());
    let name = out.file_name().filter(|_| plain)?.to_string_lossy();
    let end = FileFormat::of_name(&name).map(FileFormat::suffix);
    let stem = end.and_then(|end| name.strip_suffix(end)).or_else(|| Some(name.rsplit_once('.')?.0)).unwrap_or(&name);
    Some(out.with_file_name(format!("{stem}.partial{}", &name[stem.len()..])))
}

/// Runs a stage. `stage` is its name for the report of progress, and `rows` the number of items, if it is known. If not
/// all rows can be made, those before the first that is missing go into the partial file, and a file that already has
/// the name of the output stays.
///
/// # Errors
/// A file cannot be read or written; a name is claimed already; or an item gives no row and `on_error` does not skip
/// it.
pub(super) fn run<T: Send>(
    global: &Global,
    output: &StageOutput,
    stage: &'static [&'static str],
    items: impl Iterator<Item = Result<T, CorpusError>>,
    rows: Option<u64>,
    on_error: OnError,
    work: impl Fn(T) -> Result<Record, CorpusError> + Sync + Send,
) -> anyhow::Result<Outcome> {
    output.claim(global)?;
    run_claimed(global, output, stage, items, rows, on_error, work)
}

/// As [`run`], for a command that has called [`StageOutput::claim`] itself.
pub(super) fn run_claimed<T: Send>(
    global: &Global,
    output: &StageOutput,
    stage: &'static [&'static str],
    items: impl Iterator<Item = Result<T, CorpusError>>,
    rows: Option<u64>,
    on_error: OnError,
    work: impl Fn(T) -> Result<Record, CorpusError> + Sync + Send,
) -> anyhow::Result<Outcome> {
    let stop = options::stop_flag()?;
    let partial = output.partial();
    let options = output.options.as_deref();
    let mut sink = options::opening(&stop, || {
        let sink = RowSink::with_outside(&output.out, output.format, &output.outside)?;
        let steps = output.steps.as_deref().map(StepSink::create).transpose()?;
        Ok(steps.into_iter().fold(sink, RowSink::with_steps))
    })?;
    let journal = match (&partial, options) {
        (Some(partial), Some(options)) if output.journal => {
            Journal::create(&partial.journal_path(), options, &output.outside)?
        }
        _ => None,
    };
    let mut position = 0;
    let items = items.map(|item| -> Result<(u64, T), CorpusError> {
        let item = item?;
        position += 1;
        Ok((position - 1, item))
    });
    let work = |(position, item): (u64, T)| -> Result<Record, CorpusError> {
        let row = work(item)?;
        journal.as_ref().map_or(Ok(()), |journal| journal.write(position, &row))?;
        Ok(row)
    };
    let outcome = Bars::during(global, stage, |bars| {
        run_stage(items, work, &mut sink, rows, &Job { on_error, ..global.job(bars, &stop) })
            .inspect(|summary| bars.unsettled(summary.unsettled, output.budget))
    });
    let made = sink.rows();
    // The partial file is replaced only if this command made as many rows. So who forgets --resume loses nothing.
    let held = || output.held.get().unwrap_or_else(|| partial.as_ref().map_or(0, Partial::rows));
    let named = |sealed: Sealed| sealed.renamed(|path| partial_name(path).unwrap_or_else(|| path.to_owned()));
    // The journal may have more rows than the output: those that were finished after a row that was not. Then the
    // partial file takes them over, unless it has rows that are not yet compared with the input.
    let finished = journal.as_ref().map_or(0, Journal::rows).max(made);
    let take_over = |journal: Option<Journal>| -> anyhow::Result<()> {
        match (journal, &partial) {
            (Some(journal), Some(partial)) if finished > made && held() < u64::MAX => {
                drop(journal);
                partial.take_over(output.format)
            }
            (journal, _) => Ok(journal.map_or(Ok(()), Journal::remove)?),
        }
    };
    let summary = match (outcome, &partial) {
        (Ok(summary), _) => summary,
        // After a damaged input or a bad row, keep the rows before it if possible. On a full disk, the next call takes
        // over the journal.
        (Err(error), Some(partial)) if !matches!(error, CorpusError::Io { .. }) => {
            let sealed = (made > held()).then(|| sink.seal().ok()).flatten();
            let there = sealed.is_some_and(|rows| partial.replace(named(rows), options, &BTreeSet::new()).is_ok());
            // Rows after the error belong to other items when the input is mended.
            if journal.map_or(Ok(()), Journal::remove).is_ok() && there {
                super::say(format_args!("the rows before the error are in {}", partial.path().display()));
            }
            return Err(error.into());
        }
        (Err(error), _) => return Err(error.into()),
    };
    let sealed = sink.seal()?;
    let kept = match partial.as_ref().filter(|_| summary.stopped) {
        Some(partial) if made < held() => {
            take_over(journal)?;
            format!("; stopped early, {} has more rows and stays as it was", partial.path().display())
        }
        Some(partial) => {
            partial.replace(named(sealed), options, &BTreeSet::new())?;
            take_over(journal)?;
            format!("; stopped early, these rows are in {}", partial.path().display())
        }
        None => {
            sealed.publish()?;
            journal.map_or(Ok(()), Journal::remove)?;
            if summary.stopped { "; stopped early".to_owned() } else { String::new() }
        }
    };
    let rows = if summary.stopped { finished } else { summary.rows };
    let skipped = if summary.skipped > 0 { format!(", {} skipped", summary.skipped) } else { String::new() };
    global.say(format_args!("{}{skipped}{kept}", counted(rows, "row")));
    Ok(if summary.stopped { Outcome::Stopped } else { Outcome::Done })
}
