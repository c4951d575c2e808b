//! `dig`: digs puzzles from full grids of a file or a pipe, as the second stage of a run does.

use super::Outcome;
use super::options::{Global, ReadOptions};
use super::stage::{self, StageOutput};
use crate::corpus::{Draft, GoalDraft, GridDraft, Input, InputPath, OnError, Recipe};

/// Dig puzzles out of full grids.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus dig grids.txt
  sudoku-corpus dig grids.parquet --plan givens=28..32 --symmetry rotate-180 --out puzzles.parquet
  sudoku-corpus dig grids.txt --holes 40..45
  sudoku-corpus dig grids.txt --level hard
  sudoku-corpus dig grids.txt --only singles --symmetry rotate-180
  sudoku-corpus generate --count 10 --shape 4x4 | sudoku-corpus dig - --shape 4x4 --plan random-holes=100")]
pub(super) struct Args {
    /// Full grids: lines, blocks, CSV or Parquet; the folder of a corpus; - for standard input.
    #[arg(default_value = "-")]
    file: InputPath,
    #[command(flatten)]
    read: ReadOptions,
    /// Seed of all random numbers. Another seed gives other puzzles.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    dig: GoalDraft,
    /// What to do with lines that are not full grids or cannot be dug as requested.
    #[arg(long, value_enum, default_value_t)]
    on_error: OnError,
    #[command(flatten)]
    output: StageOutput,
}

pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let reading = args.read.reading()?;
    let shape = reading.shape;
    let mut input = Input::open(&args.file, reading)?.peekable();
    // The limits of a plan depend on the shape. Without --shape, take that of the first grid.
    let first = input.peek().and_then(|row| row.as_ref().ok()).map(|record| record.shape);
    let grid = GridDraft { shape: shape.or(first), ..GridDraft::default() };
    let draft = Draft { seed: args.seed, grid, dig: args.dig, ..Draft::default() };
    let recipe = Recipe::new(&draft)?;
    stage::run(global, &args.output, &["dig"], input, None, args.on_error, |record| Ok(recipe.dig(record)?))
}
