//! `dig`: digs puzzles from full grids of a file or a pipe, as the second stage of a run does.

use anyhow::ensure;

use crate::cli::line::options::{Global, ReadOptions};
use crate::cli::parts::stage::{self, StageOutput};
use crate::cli::{Outcome, Usage};
use crate::corpus::{Draft, GoalDraft, GridDraft, Input, InputPath, OnError, Recipe};

/// Dig puzzles out of full grids.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus dig grids.txt
  sudoku-corpus dig grids.txt --symmetry rotate-180 --out dug.parquet
  sudoku-corpus dig grids.txt --holes 40..45
  sudoku-corpus dig grids.txt --level medium
  sudoku-corpus dig grids.txt --only singles --symmetry rotate-180")]
pub(in crate::cli) struct Args {
    /// Full grids: lines, blocks, CSV or Parquet; a folder that `generate` made; - for standard input.
    #[arg(default_value = "-")]
    file: InputPath,
    #[command(flatten)]
    read: ReadOptions,
    /// Seed of all random numbers, from 0; default 20261120.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    dig: GoalDraft,
    /// The scale of the levels: newspaper (default), hodoku, or a TOML file.
    #[arg(long, value_name = "LEVELS", requires = "level")]
    levels: Option<InputPath>,
    /// What to do with bad rows, which are not full grids or cannot be dug as requested.
    #[arg(long, value_enum, default_value_t)]
    on_error: OnError,
    #[command(flatten)]
    output: StageOutput,
}

/// Digs a puzzle from each grid, and writes the rows.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let reading = args.read.reading()?;
    let rows = stage::rows_of(&args.output, &args.file, &reading)?;
    let shape = reading.shape;
    let mut input = Input::open(&args.file, reading)?.peekable();
    let first_record = input.peek().and_then(|row| row.as_ref().ok());
    let first_puzzle = first_record.and_then(|record| record.puzzle.as_ref());
    let has_puzzles = first_puzzle.is_some_and(|puzzle| puzzle.grid().holes() > 0);
    let reason = "its rows are puzzles, not full grids, as `generate` makes them";
    let is_corpus_of_puzzles = has_puzzles && args.file.is_dir();
    ensure!(!is_corpus_of_puzzles, Usage(format!("{}: {reason}", args.file.display())));
    // The limits of a plan depend on the shape. Without --shape, take that of the first grid.
    let grid = GridDraft { shape: shape.or(first_record.map(|record| record.shape)), ..GridDraft::default() };
    let levels = args.levels.map(|name| name.to_string_lossy().into_owned());
    let draft = Draft { seed: args.seed, grid, dig: args.dig, levels, ..Draft::default() };
    let recipe = Recipe::new(&draft)?;
    let output = StageOutput { levels: recipe.levels.clone(), ..args.output };
    stage::run(global, &output, &["dig"], input, rows, args.on_error, |record| Ok(recipe.dig(record)?))
}
