//! `analyze`: the third stage alone, on puzzles from any file or a pipe.

use std::path::{Path, PathBuf};

use super::options::{self, AnalyzeOptions, BadRows, Global};
use super::progress::Bars;
use super::stage::{self, Output};
use super::{Outcome, Usage};
use crate::board::Shape;
use crate::corpus::{Draft, FileFormat, Input, StepsWanted};

/// Find out about puzzles: solutions, minimal or not, search depth, techniques.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Columns of a table that are not of this program (an id, the time of people) stand behind ours in what is written, under their
names; one that is called like a column of ours gets input_ before its name. Parquet leaves out lists and dates.

Examples:
  sudoku-corpus analyze puzzles.txt --out rated.csv
  sudoku-corpus analyze puzzles.txt.gz --techniques singles --out rated.parquet
  sudoku-corpus analyze hard.txt --techniques none --ratings er,w --er-limit 9.4 --out rated.csv
  sudoku-corpus analyze puzzles.txt --out rated.parquet --steps steps.parquet
  sudoku-corpus analyze sixteen.txt --shape 4x4 --format csv | head")]
pub struct Args {
    /// Puzzles: lines, blocks, CSV or Parquet; plain, zstd or gzip; - for standard input.
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Rows x columns of a box, where the text does not tell.
    #[arg(long, value_name = "RxC", value_parser = options::solvable)]
    shape: Option<Shape>,
    #[command(flatten)]
    analyze: AnalyzeOptions,
    /// What to do about lines that are no puzzles.
    #[arg(long, value_enum, default_value_t)]
    on_error: BadRows,
    #[command(flatten)]
    output: Output,
    /// Every step of the solutions, in a file of its own: .parquet, .jsonl, .tokens or .txt (sentences); see `guide datasets`.
    #[arg(long, value_name = "FILE")]
    steps: Option<PathBuf>,
    /// So many wrong steps and impossible positions for each puzzle among the steps, labelled as such.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "steps")]
    wrong_steps: usize,
}

/// Runs the command.
pub fn run(global: &Global, mut args: Args) -> anyhow::Result<Outcome> {
    // Text keeps the texts of other programs' columns as they are; Parquet has types.
    let typed = args.output.file_format() == Some(FileFormat::Parquet);
    let input = Input::open(&args.file, args.shape)?.with_outside(typed)?;
    args.output.outside = input.outside();
    let mut input = input.peekable();
    // The usual budget depends on the shape: without --shape, that of the first puzzle.
    let first = input.peek().and_then(|row| row.as_ref().ok()).map(|record| record.shape);
    let mut draft = Draft { shape: args.shape.or(first.filter(|shape| shape.is_solvable())), ..Draft::default() };
    args.analyze.fill(&mut draft);
    let mut analysis = options::recipe(&draft)?.analysis;
    if args.steps.is_some() {
        if analysis.ladder.is_none() {
            return Err(
                Usage("--steps needs the ladder of techniques, which --techniques none leaves out".into()).into()
            );
        }
        analysis.steps = Some(StepsWanted { wrong: args.wrong_steps, seed: 0 });
    }
    if args.output.out == Path::new("-") {
        // Lines would throw the analysis away.
        args.output.format = args.output.format.or(Some(FileFormat::Csv));
    }
    args.output.steps = args.steps;
    let bars = Bars::new(global.quiet, &["analyze"]);
    let work = |record| Ok(analysis.analyze(record));
    stage::run(global, &args.output, &bars, input, None, args.on_error.into(), work)
}
