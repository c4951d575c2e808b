//! `generate`: makes full grids, as the first stage of a run does.

use super::options::{BoardOptions, Global};
use super::stage::{self, StageOutput};
use super::{Outcome, Usage, number};
use crate::catalogue::{CLASSES, class_of_rank};
use crate::corpus::{Draft, GridDraft, OnError, Recipe, Record};

/// Make full grids.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus generate --count 5
  sudoku-corpus generate --count 1000000 --method permutation:transpose --out grids.parquet
  sudoku-corpus generate --from 1 --to 1000000 --out classes.parquet
  sudoku-corpus generate --count 1 --shape 20x20 --method permutation | head -c 200
  sudoku-corpus generate --count 100 | sudoku-corpus dig - | sudoku-corpus analyze - --out rated.csv")]
pub(super) struct Args {
    /// Number of grids.
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,
    /// Do not draw grids: print the minlex 9x9 grid of every class in the order of the catalogue, from this rank on.
    #[arg(long, value_name = "RANK", value_parser = number::rank, conflicts_with_all = ["count", "seed", "shape", "board", "method", "bases"])]
    from: Option<u64>,
    /// The last rank to print; the end of the catalogue by default.
    #[arg(long, value_name = "RANK", value_parser = number::rank, requires = "from")]
    to: Option<u64>,
    /// Seed of all random numbers. Another seed gives other grids.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    board: BoardOptions,
    #[command(flatten)]
    grid: GridDraft,
    #[command(flatten)]
    output: StageOutput,
}

pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    if let Some(from) = args.from {
        return walk(global, &args.output, from, args.to.unwrap_or(CLASSES));
    }
    let grid = GridDraft { shape: args.board.shape(), ..args.grid };
    let draft = Draft { seed: args.seed, count: Some(args.count), grid, ..Draft::default() };
    let recipe = Recipe::for_grids(&draft)?;
    let work = |index| Ok(recipe.generate(index)?);
    stage::run(global, &args.output, &["generate"], (0..args.count).map(Ok), Some(args.count), OnError::Fail, work)
}

/// The minlex grids of a range of ranks, in order.
fn walk(global: &Global, output: &StageOutput, from: u64, to: u64) -> anyhow::Result<Outcome> {
    anyhow::ensure!(from <= to, Usage(format!("--to {to} comes before --from {from}")));
    let work = |rank: u64| {
        let grid = class_of_rank(rank).unwrap_or_else(|| unreachable!("a rank that was checked"));
        Ok(Record { class_rank: Some(rank), ..Record::of_solution(rank - from, grid) })
    };
    stage::run(global, output, &["walk"], (from..=to).map(Ok), Some(to - from + 1), OnError::Fail, work)
}
