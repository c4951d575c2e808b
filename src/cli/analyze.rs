//! `analyze`: rates puzzles of any file or pipe, as the third stage of a run does.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::ensure;

use super::options::{Global, ReadOptions};
use super::partial::Partial;
use super::stage::{self, StageOutput};
use super::{Outcome, Usage};
use crate::board::{Grid, Puzzle, Solution};
use crate::corpus::{
    Analysis, AnalyzeDraft, COLUMNS, Column, Copied, CorpusError, FORMAT_VERSION, FileFormat, Input, InputPath,
    OnError, OutputPath, PROGRAM_VERSION, Ratings, Reading, Record, SCALES, StepFormat, StepsWanted, Value, Want,
};

/// Analyse puzzles: count solutions, test minimality, measure search depth, rate difficulty.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A command that is stopped leaves its finished rows in a file: rated.partial.csv for rated.csv. (After kill -9 the next call \
makes that file, if the rows have ratings.) The same command with --resume goes on from there. It makes the same file as a \
command that is not stopped. The file rated.partial.csv.made says with which options and version the rows were made. If these \
are others now, or if the input was changed or cut short, the call is refused, and the rows stay in their file.

The input may have columns that this program does not compute, for example an id or solving times. They are copied and follow \
the columns of this program. If both have a column of the same name, the name of the copied one gets the prefix input_. \
Parquet output leaves out copied lists and dates.

Examples:
  sudoku-corpus analyze puzzles.txt --out rated.csv
  sudoku-corpus analyze puzzles.txt.gz --techniques singles --out rated.parquet
  sudoku-corpus analyze hard.txt --techniques none --ratings er,w --er-limit 9.4 --out rated.csv
  sudoku-corpus analyze puzzles.txt --out rated.parquet --steps steps.parquet
  sudoku-corpus analyze puzzles.txt --out rated.parquet --resume
  sudoku-corpus analyze sixteen.txt --shape 4x4 --format csv | head")]
pub(super) struct Args {
    /// Puzzles: lines, blocks, CSV or Parquet; plain, zstd or gzip; the folder of a corpus; - for standard input.
    #[arg(default_value = "-")]
    file: InputPath,
    #[command(flatten)]
    read: ReadOptions,
    #[command(flatten)]
    analyze: AnalyzeDraft,
    /// What to do with lines that are not puzzles.
    #[arg(long, value_enum, default_value_t)]
    on_error: OnError,
    #[command(flatten)]
    output: StageOutput,
    /// Write every step of the solutions to this file: .parquet, .jsonl, .tokens or .txt (sentences); see `guide
    /// datasets`.
    #[arg(long, value_name = "FILE")]
    steps: Option<OutputPath>,
    /// Add up to N wrong steps and impossible positions for each puzzle to the file of steps, labelled as wrong.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "steps")]
    wrong_steps: usize,
    /// Go on where the same command was stopped: take over the rows that it left beside OUT, in
    /// rated.partial.csv for rated.csv, if it left any.
    #[arg(long)]
    resume: bool,
}

/// The rows that a stopped command left.
struct Kept {
    path: PathBuf,
    rows: Input,
    /// The analysis of the rows, without steps.
    analysis: Analysis,
    /// The rows that were taken so far.
    taken: u64,
    /// Columns of the input that the analysis replaces by values of its own.
    replaced: BTreeSet<usize>,
    /// The items of the input without a row.
    missing: BTreeSet<u64>,
    /// The number of items so far.
    items: u64,
    /// No kept row is left, so the following rows of the input are analysed.
    ended: bool,
}

impl Kept {
    /// Opens the rows. An error if they were made with other options, or if that is not known.
    fn open(partial: &Partial, options: &str, analysis: &Analysis) -> Result<Kept, CorpusError> {
        let path = partial.path().to_owned();
        let missing = match partial.made().map_err(CorpusError::io("read", &path))? {
            Some((made, missing)) if made == options => Ok(missing),
            Some(_) => Err("its rows were made with other options or by another version"),
            None => Err("how its rows were made is not known, or it was changed"),
        };
        let refused = |reason| CorpusError::file(&path, format!("{reason}: remove it, or go on with what made it"));
        let missing = missing.map_err(refused)?;
        // Columns of other programs come from the input again, with their types.
        let rows = Input::open(&path, Reading { want: Want::Rows, ..Reading::default() })?;
        let analysis = Analysis { steps: None, ..analysis.clone() };
        Ok(Kept { path, rows, analysis, taken: 0, replaced: BTreeSet::new(), missing, items: 0, ended: false })
    }

    /// The analysed row of a row of the input. None if it is missing, or after the last one.
    ///
    /// # Errors
    /// The file is damaged, or has not the rows of this input.
    fn next(&mut self, row: &Record) -> Result<Option<Record>, CorpusError> {
        self.items += 1;
        if self.missing.contains(&(self.items - 1)) {
            return Ok(None);
        }
        let Some(kept) = self.rows.next() else {
            self.ended = true;
            return Ok(None);
        };
        let kept = kept.map_err(|error| CorpusError::file(&self.path, error))?;
        let kept = Record { outside: row.outside.clone(), ..kept };
        self.taken += 1;
        // Every value of the input stands in the row, or is known to be replaced. Otherwise, and for the rows 1, 2, 4
        // and so on, the row is analysed again.
        let same = self.has_all_of(row, &kept) && !self.taken.is_power_of_two() || self.is_made_of(row, &kept);
        if same { Ok(Some(kept)) } else { Err(self.other(self.taken)) }
    }

    /// True if each value of the input stands in a kept row, except in columns that the analysis replaces.
    fn has_all_of(&self, row: &Record, kept: &Record) -> bool {
        let board = kept.puzzle.as_ref().map(Puzzle::grid) == board(row);
        let stands = |(at, column): (usize, &Column)| {
            let value = column.get(row);
            value == Value::Null || value == column.get(kept) || self.replaced.contains(&at)
        };
        board && kept.index == row.index && COLUMNS.iter().enumerate().all(stands)
    }

    /// True if a kept row is what the analysis makes of a row of the input.
    fn is_made_of(&mut self, row: &Record, kept: &Record) -> bool {
        let same = self.analysis.analyze(row.clone()) == *kept;
        if same {
            let differs = |(_, column): &(usize, &Column)| {
                let value = column.get(row);
                value != Value::Null && value != column.get(kept)
            };
            self.replaced.extend(COLUMNS.iter().enumerate().filter(differs).map(|(at, _)| at));
        }
        same
    }

    /// An error if rows are left after the end of the input.
    fn end(&mut self) -> Result<(), CorpusError> {
        self.ended = true;
        if self.rows.next().is_none() { Ok(()) } else { Err(self.other(self.taken + 1)) }
    }

    /// The error that a kept row, counted from 1, does not belong to this input.
    fn other(&self, row: u64) -> CorpusError {
        let reason = "is not what this command makes of the input: the input was changed or cut short";
        CorpusError::file(&self.path, format!("row {row} {reason}"))
    }
}

/// The puzzle of a row, or its full grid.
fn board(row: &Record) -> Option<&Grid> {
    row.puzzle.as_ref().map(Puzzle::grid).or(row.solution.as_ref().map(Solution::grid))
}

/// Analyses the rows one after the other. Columns of other programs are copied.
pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let mut output = args.output;
    // In text formats, unknown columns are copied as they are. Parquet needs their types.
    let parquet = output.file_format() == Some(FileFormat::Parquet);
    let copy = if parquet { Copied::Typed } else { Copied::Texts };
    let reading = args.read.reading()?;
    let shape = reading.shape;
    let input = Input::open(&args.file, Reading { copy, ..reading })?;
    output.outside = input.outside();
    let mut input = input.peekable();
    // The default budget depends on the shape. Without --shape, take that of the first puzzle.
    let first = input.peek().and_then(|row| row.as_ref().ok()).map(|record| record.shape);
    let shape = shape.or(first.filter(|shape| shape.is_solvable()));
    let mut analysis = stage::analysis(shape, args.analyze)?;
    if let Some(steps) = &args.steps {
        let refused = "--steps needs the ladder of techniques, but --techniques is none";
        ensure!(analysis.ladder.is_some(), Usage(refused.into()));
        analysis.steps = Some(StepsWanted { wrong: args.wrong_steps, seed: 0, format: StepFormat::of_name(steps)? });
    }
    output.keep_analysis();
    output.budget = if analysis.count_limit > 1 { analysis.budget.0 } else { 0 };
    output.steps = args.steps;
    let options = options_digest(&analysis);
    let partial = output.partial();
    ensure!(!args.resume || partial.is_some(), Usage("--resume needs --out FILE".into()));
    output.claim(global)?;
    partial.as_ref().map_or(Ok(()), |partial| partial.take_over(output.format))?;
    let there = partial.filter(|partial| partial.path().exists());
    if let Some(partial) = there.as_ref().filter(|_| !args.resume) {
        global.say(format_args!(
            "{} has rows of a stopped command: --resume goes on with them",
            partial.path().display()
        ));
    }
    let left = there.filter(|_| args.resume).map(|partial| Kept::open(&partial, &options, &analysis));
    let mut left = left.transpose()?;
    output.options = Some(options);
    // Other rows are made again as fast as they are kept.
    output.journal = analysis.ladder.is_some() || analysis.ratings != Ratings::NONE;
    output.held.set(left.is_some().then_some(u64::MAX));
    let rows = input.map(Some).chain(std::iter::once(None)).filter_map(|row| {
        let known = match (&row, left.as_mut()) {
            (Some(Ok(row)), Some(left)) => left.next(row),
            // Rows that are left belong to an input that was longer.
            (None, Some(left)) => left.end().map(|()| None),
            _ => Ok(None),
        };
        let known = match known {
            Ok(known) => known,
            Err(error) => return Some(Err(error)),
        };
        if let Some(ended) = left.take_if(|left| left.ended) {
            output.held.set(Some(ended.taken));
        }
        Some(row?.map(|row| (row, known)))
    });
    let work = |(row, known): (Record, Option<Record>)| match known {
        None => Ok(analysis.analyze(row)),
        Some(mut record) => {
            analysis.with_steps(&mut record);
            Ok(record)
        }
    };
    let outcome = stage::run_claimed(global, &output, &["analyze"], rows, None, args.on_error, work)?;
    if args.resume && outcome == Outcome::Done {
        output.remove_partial();
    }
    Ok(outcome)
}

/// A digest of everything besides the input that determines the analysed rows.
fn options_digest(analysis: &Analysis) -> String {
    let analysis = Analysis { steps: None, ..analysis.clone() };
    let text = format!("{PROGRAM_VERSION} {FORMAT_VERSION} {SCALES:?} {analysis:?}");
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
