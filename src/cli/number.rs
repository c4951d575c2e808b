//! `number`: the number of a grid, the rank of its class, and back.

use std::io::{self, BufWriter, Write as _};

use super::options::Global;
use super::source::{Source, numbered_rows};
use super::{Outcome, Usage};
use crate::board::{Shape, Solution, text};
use crate::catalogue::{self, CLASSES};

/// Number grids: every full grid, and every class of essentially different 9x9 grids.
///
/// Prints one line for each grid: its number among all grids of its shape, from 0 (9x9, 4x4, 6x6 and 8x8). With --class
/// it is the rank of the grid's class among the 5,472,730,538 minlex grids in lexicographic order, from 1 (9x9). A puzzle
/// stands for its only solution.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus number 123456789456789123789123456214365897365897214897214365531642978642978531978531642
  sudoku-corpus number --grid 361144234539379590
  sudoku-corpus number --class grids.txt > ranks.txt
  sudoku-corpus number --rank 5472730538
  sudoku-corpus generate --from 1 --to 1000 --out first.parquet     the catalogue, grid by grid

`sudoku-corpus guide numbers` says how the numbers are defined.")]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Print the rank of the class of each grid instead of the number of the grid.
    #[arg(long, conflicts_with_all = ["grid", "rank"])]
    class: bool,
    /// Print the grid of this number; its shape is 3x3 or the one of --shape.
    #[arg(long, value_name = "NUMBER", conflicts_with = "rank")]
    grid: Option<u128>,
    /// Print the minlex grid of this rank, 1 to 5472730538.
    #[arg(long, value_name = "RANK")]
    rank: Option<u64>,
}

/// Runs the command.
pub fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let wanted = match (args.grid, args.rank) {
        (Some(number), _) => Some(grid(args.source.shape().unwrap_or(Shape::NINE), number)?),
        (_, Some(rank)) => Some(class(rank)?),
        _ => None,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    if let Some(grid) = wanted {
        writeln!(out, "{}", text::line(grid.grid()))?;
        out.flush()?;
        return Ok(Outcome::Done);
    }
    let number = |_: &crate::board::Puzzle, solution: &Solution| {
        let number =
            if args.class { catalogue::class_rank(solution).map(u128::from) } else { catalogue::grid_number(solution) };
        number.map(|number| number.to_string()).ok_or_else(|| not_numbered(solution.shape(), args.class))
    };
    numbered_rows(global, &args.source, &mut out, number)
}

fn not_numbered(shape: Shape, class: bool) -> String {
    let known = if class { "classes of 9x9 grids" } else { "grids of 3x3, 2x2, 2x3, 3x2, 2x4 and 4x2" };
    format!("boards of {shape} have no number: {known} are numbered")
}

fn grid(shape: Shape, number: u128) -> Result<Solution, Usage> {
    let count = catalogue::grids(shape).ok_or_else(|| Usage(not_numbered(shape, false)))?;
    catalogue::grid_of_number(shape, number)
        .ok_or_else(|| Usage(format!("there is no grid {number} of {shape}: the last one is {}", count - 1)))
}

fn class(rank: u64) -> Result<Solution, Usage> {
    catalogue::class_of_rank(rank).ok_or_else(|| Usage(format!("there is no class {rank}: ranks are 1 to {CLASSES}")))
}

/// A rank on the command line.
pub fn rank(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(rank @ 1..=CLASSES) => Ok(rank),
        _ => Err(format!("ranks are 1 to {CLASSES}")),
    }
}
