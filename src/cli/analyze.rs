//! `analyze`: runs only the third stage, on puzzles from any file or a pipe.

use std::fs;
use std::path::PathBuf;

use anyhow::ensure;

use super::options::{BoardOptions, Global};
use super::stage::{self, StageOutput};
use super::{Outcome, Usage};
use crate::board::{Grid, Puzzle, Solution};
use crate::corpus::{
    Analysis, AnalyzeDraft, Copied, CorpusError, FileFormat, Input, OnError, Reading, Record, StepFormat, StepsWanted,
    Want,
};

/// Analyse puzzles: count solutions, test minimality, measure search depth, rate difficulty.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A command that is stopped leaves its rows in a file: rated.partial.csv for rated.csv. The same command with --resume goes on
from there, and makes the same file as a command that is not stopped.

The input may have columns that this program does not compute, for example an id or solving times. They are copied and follow
the columns of this program. If both have a column of the same name, the name of the copied one gets the prefix input_.
Parquet output leaves out copied lists and dates.

Examples:
  sudoku-corpus analyze puzzles.txt --out rated.csv
  sudoku-corpus analyze puzzles.txt.gz --techniques singles --out rated.parquet
  sudoku-corpus analyze hard.txt --techniques none --ratings er,w --er-limit 9.4 --out rated.csv
  sudoku-corpus analyze puzzles.txt --out rated.parquet --steps steps.parquet
  sudoku-corpus analyze puzzles.txt --out rated.parquet --resume
  sudoku-corpus analyze sixteen.txt --shape 4x4 --format csv | head")]
pub struct Args {
    /// Puzzles: lines, blocks, CSV or Parquet; plain, zstd or gzip; the folder of a corpus; - for standard input.
    #[arg(default_value = "-")]
    file: PathBuf,
    #[command(flatten)]
    board: BoardOptions,
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
    steps: Option<PathBuf>,
    /// Add up to N wrong steps and impossible positions for each puzzle to the file of steps, labelled as wrong.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "steps")]
    wrong_steps: usize,
    /// Go on where the same command was stopped: take over the rows that it left in OUT.partial, if it left any.
    #[arg(long)]
    resume: bool,
}

/// The rows that a stopped command left.
struct Kept {
    path: PathBuf,
    rows: Input,
    /// The analysis of the rows, without steps.
    analysis: Analysis,
    taken: u64,
}

impl Kept {
    fn open(path: PathBuf, analysis: &Analysis) -> Result<Kept, CorpusError> {
        // Columns of other programs come from the input again, with their types.
        let rows = Input::open(&path, Reading { want: Want::Rows, ..Reading::default() })?;
        Ok(Kept { path, rows, analysis: Analysis { steps: None, ..analysis.clone() }, taken: 0 })
    }

    /// The analysed row of a row of the input. None after the last one.
    ///
    /// # Errors
    /// The file is damaged, or has not the rows of this input, analysed in this way.
    fn next(&mut self, row: &Record) -> Result<Option<Record>, CorpusError> {
        let Some(kept) = self.rows.next() else { return Ok(None) };
        let kept = kept.map_err(|error| CorpusError::file(&self.path, error))?;
        let kept = Record { outside: row.outside.clone(), ..kept };
        self.taken += 1;
        // Rows 1, 2, 4, 8 and so on are analysed again, which shows other options.
        let same = match self.taken.is_power_of_two() {
            true => self.analysis.analyze(row.clone()) == kept,
            false => kept.index == row.index && kept.puzzle.as_ref().map(Puzzle::grid) == board(row),
        };
        let reason = "is not what this command makes of the input; it comes from another input, from other options or \
                      from another version";
        let other = || CorpusError::file(&self.path, format!("row {} {reason}", self.taken));
        if same { Ok(Some(kept)) } else { Err(other()) }
    }
}

/// The puzzle of a row, or its full grid.
fn board(row: &Record) -> Option<&Grid> {
    row.puzzle.as_ref().map(Puzzle::grid).or(row.solution.as_ref().map(Solution::grid))
}

pub fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let mut output = args.output;
    // In text formats, unknown columns are copied as they are. Parquet needs their types.
    let parquet = output.file_format() == Some(FileFormat::Parquet);
    let copy = if parquet { Copied::Typed } else { Copied::Texts };
    let shape = args.board.solvable()?;
    let input = Input::open(&args.file, Reading { shape, copy, ..Reading::default() })?;
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
    output.steps = args.steps;
    let partial = output.partial();
    ensure!(!args.resume || partial.is_some(), Usage("--resume needs --out FILE".into()));
    let left = partial.filter(|partial| args.resume && partial.exists());
    let mut left = left.map(|partial| Kept::open(partial, &analysis)).transpose()?;
    output.held.set(if left.is_some() { u64::MAX } else { 0 });
    let rows = input.map(|row| {
        let row = row?;
        let known = left.as_mut().map_or(Ok(None), |left| left.next(&row))?;
        if let Some(ended) = left.take_if(|_| known.is_none()) {
            output.held.set(ended.taken);
        }
        Ok((row, known))
    });
    let work = |(row, known): (Record, Option<Record>)| match known {
        None => Ok(analysis.analyze(row)),
        Some(mut record) => {
            analysis.with_steps(&mut record);
            Ok(record)
        }
    };
    let outcome = stage::run(global, &output, &["analyze"], rows, None, args.on_error, work)?;
    if args.resume && outcome == Outcome::Done {
        output.partial_files().for_each(|path| drop(fs::remove_file(path)));
    }
    Ok(outcome)
}
