//! `number`: turns grids into numbers and ranks, and numbers and ranks into grids.

use std::io::{self, Write as _};

use super::options::Global;
use super::source::{Source, numbered_rows};
use super::{Outcome, Usage};
use crate::board::{Reason, Shape};
use crate::catalogue::{self, CLASSES};

/// Print the number of a grid or the rank of its class, or the grid that has a number.
///
/// All grids of a shape are numbered from 0 (4x4, 6x6, 8x8 and 9x9 boards). With --class, the line is the rank of the
/// grid's class among the 5,472,730,538 minlex 9x9 grids in lexicographic order, from 1. A puzzle is replaced by its
/// only solution.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus number 123456789456789123789123456214365897365897214897214365531642978642978531978531642
  sudoku-corpus number --grid 361144234539379590
  sudoku-corpus number --class grids.txt > ranks.txt
  sudoku-corpus number --rank 5472730538
  sudoku-corpus generate --from 1 --to 1000 --out first.parquet     the catalogue, grid by grid

`sudoku-corpus guide numbers` says how the numbers are defined.")]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// Print the rank of the class of each grid instead of the number of the grid.
    #[arg(long, conflicts_with_all = ["grid", "rank"])]
    class: bool,
    /// Print the grid that has this number. It is a 9x9 grid unless --shape or --board is given.
    #[arg(long, value_name = "NUMBER", conflicts_with = "rank")]
    grid: Option<u128>,
    /// Print the minlex grid that has this rank, 1 to 5472730538.
    #[arg(long, value_name = "RANK")]
    rank: Option<u64>,
}

/// Prints the number or the rank of each grid, or the grid that has one.
pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let not_numbered = |shape: Shape| {
        if let Err(Reason(why)) = shape.only_plain("numbers") {
            return why;
        }
        let known = if args.class { "classes of 9x9 grids" } else { "4x4, 6x6, 8x8 and 9x9 grids" };
        format!("only {known} have numbers, not those of the {}", shape.board())
    };
    let wanted = match (args.grid, args.rank) {
        (Some(number), _) => {
            let shape = args.source.shape()?.unwrap_or(Shape::NINE);
            let last = catalogue::grids(shape).ok_or_else(|| Usage(not_numbered(shape)))? - 1;
            let none = || format!("there is no grid {number}: the last one is {last} ({})", shape.board());
            catalogue::grid_of_number(shape, number).ok_or_else(none)
        }
        (_, Some(rank)) => {
            let none = || format!("there is no class {rank}: ranks are 1 to {CLASSES}");
            catalogue::class_of_rank(rank).ok_or_else(none)
        }
        _ => {
            return numbered_rows(global, &args.source, |_, solution| {
                let rank = || catalogue::class_rank(solution).map(u128::from);
                let number = if args.class { rank() } else { catalogue::grid_number(solution) };
                number.map(|number| number.to_string()).ok_or_else(|| not_numbered(solution.shape()))
            });
        }
    };
    writeln!(io::stdout(), "{}", wanted.map_err(Usage)?)?;
    Ok(Outcome::Done)
}

/// A rank on the command line.
pub(super) fn rank(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(rank @ 1..=CLASSES) => Ok(rank),
        _ => Err(format!("a rank must be 1 to {CLASSES}")),
    }
}
