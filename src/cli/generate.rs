//! `generate`: the first stage alone.

use super::Outcome;
use super::options::{self, Global, GridOptions};
use super::progress::Bars;
use super::stage::{self, Output};
use crate::corpus::{Draft, OnError};

/// Make full grids.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus generate --count 5
  sudoku-corpus generate --count 1000000 --method permutation:transpose --out grids.parquet
  sudoku-corpus generate --count 1 --shape 20x20 --method permutation | head -c 200
  sudoku-corpus generate --count 100 | sudoku-corpus dig - | sudoku-corpus analyze - --out rated.csv")]
pub struct Args {
    /// Number of grids.
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,
    /// Where all randomness comes from.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    grid: GridOptions,
    #[command(flatten)]
    output: Output,
}

/// Runs the command.
pub fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let mut draft = Draft { seed: args.seed, count: Some(args.count), ..Draft::default() };
    args.grid.fill(&mut draft);
    let recipe = options::recipe_for_grids(&draft)?;
    let bars = Bars::new(global.quiet, &["generate"]);
    let rows = (0..args.count).map(Ok);
    let work = |index| Ok(recipe.generate(index)?);
    stage::run(global, &args.output, &bars, rows, Some(args.count), OnError::Fail, work)
}
