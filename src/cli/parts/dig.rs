//! `dig`: digs puzzles from full grids of a file or a pipe, as the second stage of a run does.

use anyhow::{bail, ensure};

use crate::cli::line::options::{Global, ReadOptions};
use crate::cli::parts::stage::{self, StageOutput};
use crate::cli::{Outcome, Usage, about_options, with_options};
use crate::corpus::{Draft, ErRange, GoalDraft, GridDraft, Input, InputPath, OnError, Ratings, Recipe};

/// Dig puzzles out of full grids.
///
/// Digging removes digits from a full grid, until a puzzle is left. The other digits are its givens. The plan says how
/// `dig` removes them, and the goal (such as a level) says which puzzles it keeps.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus dig grids.txt
  sudoku-corpus dig grids.txt --symmetry rotate-180 --out dug.parquet
  sudoku-corpus dig grids.txt --holes 40..45
  sudoku-corpus dig grids.txt --level medium
  sudoku-corpus dig grids.txt --only singles --symmetry rotate-180

The guide page `digging` explains the plans and the goals: sudoku-corpus guide digging")]
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

pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let reading = args.read.reading()?;
    let rows = stage::rows_of(&args.output, &args.file, &reading)?;
    let shape = reading.shape;
    let mut input = Input::open(&args.file, reading)?.peekable();
    // The limits of a plan depend on the shape. Without --shape, take that of the first grid.
    let first = input.peek().and_then(|row| row.as_ref().ok());
    let grid = GridDraft { shape: shape.or(first.map(|record| record.shape)), ..GridDraft::default() };
    let puzzle = first.and_then(|record| record.puzzle.as_ref()).filter(|puzzle| puzzle.grid().holes() > 0);
    let grids =
        "`generate` makes them, and `query 'SELECT solution FROM puzzles' --out grids.csv` writes those of a corpus";
    let what = format!("its rows are puzzles, not full grids; {grids}");
    ensure!(puzzle.is_none() || !args.file.is_dir(), Usage::of(&args.file, what));
    let draft = Draft { seed: args.seed, grid, dig: args.dig, levels: args.levels, ..Draft::default() };
    let most = Ratings::ER_LIMIT;
    if let Some(ErRange(least, _)) = draft.dig.er.filter(|er| er.0 > most) {
        let how = "`run --er-limit` makes harder puzzles";
        bail!(Usage(format!("--er {least}: `dig` rates puzzles up to {most}: write --er 9.0..{most}; {how}")));
    }
    let recipe = Recipe::new(&draft).map_err(|error| about_options(error.into()))?;
    let output = StageOutput { levels: recipe.levels.clone(), ..args.output };
    stage::run(global, &output, &["dig"], input, rows, args.on_error, |record| {
        Ok(recipe.dig(record).map_err(|error| error.with_advice(with_options))?)
    })
}
