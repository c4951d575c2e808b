//! `generate`: makes full grids, as the first stage of a run does.

use crate::board::Shape;
use crate::catalogue::{CLASSES, class_of_rank};
use crate::cli::line::options::{BoardOptions, Global};
use crate::cli::parts::stage::{self, StageOutput};
use crate::cli::{Outcome, about_options};
use crate::corpus::{Draft, GridDraft, OnError, Recipe, Record, range};
use crate::page::numbers::{counted, grouped};
use crate::solve::{Budget, Count, grids_up_to_digits};

/// Make full grids.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus generate --count 5
  sudoku-corpus generate --count 100 --out grids.txt
  sudoku-corpus generate --count 50 --method permutation:blocks --out g.csv
  sudoku-corpus generate --ranks 1..1000 --out classes.parquet
      one grid of each class, by rank
  sudoku-corpus generate --count 1 --shape 20x20 --method permutation | wc -c
  sudoku-corpus generate | sudoku-corpus dig - | sudoku-corpus check -")]
pub(in crate::cli) struct Args {
    /// Number of grids.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// Do not draw grids: print the minlex 9x9 grids of the classes with these ranks.
    #[arg(long, value_name = "A..B", value_parser = ranks, conflicts_with_all = ["count", "seed", "shape", "board", "method", "bases"])]
    ranks: Option<(u64, u64)>,
    /// Seed of all random numbers, from 0; default 20261120.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    board: BoardOptions,
    #[command(flatten)]
    grid: GridDraft,
    #[command(flatten)]
    output: StageOutput,
}

/// Makes the grids, or those of the classes with these ranks.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    if let Some((first, last)) = args.ranks {
        return walk(global, &args.output, first, last);
    }
    let grid = GridDraft { shape: args.board.shape(), ..args.grid };
    let draft = Draft { seed: args.seed, count: Some(args.count), grid, ..Draft::default() };
    let recipe = Recipe::for_grids(&draft).map_err(|error| about_options(error.into()))?;
    if let Some(note) = few_grids(recipe.shape) {
        global.say(note);
    }
    stage::run(global, &args.output, &["generate"], (0..args.count).map(Ok), Some(args.count), OnError::Fail, |index| {
        Ok(recipe.generate(index)?)
    })
}

/// A note about a board with rules that has so few grids that solutions come again.
pub(in crate::cli) fn few_grids(shape: Shape) -> Option<String> {
    const MANY: u64 = 10_000;
    if shape.is_plain() || shape.is_any_jigsaw() {
        return None;
    }
    let Count { found, exact } = grids_up_to_digits(shape, MANY, Budget(1_000_000));
    let (grids, board) = (counted(grouped(found.into()), "full grid"), shape.board());
    (exact && found < MANY)
        .then(|| format!("note: the {board} has {grids} up to the names of the digits, so solutions come again"))
}

/// Reads ranks: N, or A..B with both ends included.
fn ranks(text: &str) -> Result<(u64, u64), String> {
    let (first, last) = range(text)?;
    match 1 <= first && first <= last && last as u64 <= CLASSES {
        true => Ok((first as u64, last as u64)),
        false => Err(format!("ranks are 1..{CLASSES}, the smaller one first")),
    }
}

/// The minlex grids of a range of ranks, in order.
fn walk(global: &Global, output: &StageOutput, from: u64, to: u64) -> anyhow::Result<Outcome> {
    stage::run(global, output, &["walk"], (from..=to).map(Ok), Some(to - from + 1), OnError::Fail, |rank| {
        let grid = class_of_rank(rank).unwrap_or_else(|| unreachable!("a rank that was checked"));
        Ok(Record { class_rank: Some(rank), ..Record::of_solution(rank - from, grid) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_with_few_grids_are_told_with_their_number() {
        let note = |shape: &str| few_grids(shape.parse().unwrap()).unwrap_or_default();
        assert!(note("2x2+anti-knight").contains(" has 1 full grid up to "));
        assert!(note("2x2+x").contains(" full grids up to "));
        assert_eq!(note("2x2"), "");
    }
}
