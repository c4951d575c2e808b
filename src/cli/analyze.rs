//! `analyze`: runs only the third stage, on puzzles from any file or a pipe.

use std::path::{Path, PathBuf};

use super::options::{BoardOptions, Global};
use super::progress::Bars;
use super::stage::{self, Output};
use super::{Outcome, Usage};
use crate::corpus::{AnalyzeDraft, Copied, Draft, FileFormat, GridDraft, Input, OnError, Reading, Recipe, StepsWanted};

/// Analyse puzzles: count solutions, test minimality, measure search depth, rate difficulty.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The input may have columns that this program does not compute, for example an id or solving times. They are copied and follow
the columns of this program. If both have a column of the same name, the name of the copied one gets the prefix input_.
Parquet output leaves out copied lists and dates.

Examples:
  sudoku-corpus analyze puzzles.txt --out rated.csv
  sudoku-corpus analyze puzzles.txt.gz --techniques singles --out rated.parquet
  sudoku-corpus analyze hard.txt --techniques none --ratings er,w --er-limit 9.4 --out rated.csv
  sudoku-corpus analyze puzzles.txt --out rated.parquet --steps steps.parquet
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
    output: Output,
    /// Write every step of the solutions to this file: .parquet, .jsonl, .tokens or .txt (sentences); see `guide
    /// datasets`.
    #[arg(long, value_name = "FILE")]
    steps: Option<PathBuf>,
    /// Add up to N wrong steps and impossible positions for each puzzle to the file of steps, labelled as wrong.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "steps")]
    wrong_steps: usize,
}

pub fn run(global: &Global, mut args: Args) -> anyhow::Result<Outcome> {
    // In text formats, unknown columns are copied as they are. Parquet needs their types.
    let parquet = args.output.file_format() == Some(FileFormat::Parquet);
    let copy = if parquet { Copied::Typed } else { Copied::Texts };
    let shape = args.board.solvable()?;
    let input = Input::open(&args.file, Reading { shape, copy, ..Reading::default() })?;
    args.output.outside = input.outside();
    let mut input = input.peekable();
    // The default budget depends on the shape. Without --shape, take that of the first puzzle.
    let first = input.peek().and_then(|row| row.as_ref().ok()).map(|record| record.shape);
    let shape = shape.or(first.filter(|shape| shape.is_solvable()));
    let grid = GridDraft { shape, ..GridDraft::default() };
    let draft = Draft { grid, analyze: args.analyze, ..Draft::default() };
    let mut analysis = Recipe::new(&draft)?.analysis;
    if args.steps.is_some() {
        if analysis.ladder.is_none() {
            return Err(Usage("--steps needs the ladder of techniques, but --techniques is none".into()).into());
        }
        analysis.steps = Some(StepsWanted { wrong: args.wrong_steps, seed: 0 });
    }
    if args.output.out == Path::new("-") {
        // Plain lines of puzzles would lose the analysis.
        args.output.format = args.output.format.or(Some(FileFormat::Csv));
    }
    args.output.steps = args.steps;
    let bars = Bars::new(global.quiet, &["analyze"]);
    let work = |record| Ok(analysis.analyze(record));
    stage::run(global, &args.output, &bars, input, None, args.on_error, work)
}
