//! `check`: checks that every puzzle is valid and has exactly one solution.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use super::options::Global;
use super::source::{self, Source};
use super::{Outcome, library};
use crate::board::{Puzzle, Solution, text};
use crate::catalogue::{self, BANDS};
use crate::corpus::CorpusError;
use crate::solve::{self, Budget, Count};

/// Check that every puzzle is valid and has exactly one solution.
///
/// Prints a line for each puzzle: its number in the file, the verdict, the puzzle and the problem. For 9x9 puzzles with
/// one solution, the line also gives the first band of the solution's minlex form, by its standard number. Full grids
/// are checked too. The exit code is 3 if any puzzle is not valid and unique.
///
/// With --library, the file holds cases of solving techniques in HoDoKu's line format instead. Each case is replayed;
/// passes, failures and skips are counted for each code. The exit code is 3 if any case fails.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus check puzzles.txt
  sudoku-corpus check --failures puzzles.parquet > wrong.csv
  sudoku-corpus check --quiet puzzles.txt && echo all unique
  sudoku-corpus check --library techniques.txt
  sudoku-corpus check 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Replay a library of technique cases instead; - for standard input.
    #[arg(long = "library", value_name = "FILE", conflicts_with_all = ["puzzles", "failures", "budget", "shape", "board"])]
    cases: Option<PathBuf>,
    /// Print only the lines of puzzles that fail.
    #[arg(long)]
    failures: bool,
    /// Positions that the search may visit for one puzzle. A puzzle that needs more is "unknown". 9x9 puzzles have no such
    /// limit.
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    budget: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Unique,
    Several,
    None,
    Unknown,
    NotAPuzzle,
}

impl Status {
    const ALL: [Status; 5] = [Status::Unique, Status::Several, Status::None, Status::Unknown, Status::NotAPuzzle];

    const fn name(self) -> &'static str {
        match self {
            Status::Unique => "unique",
            Status::Several => "several",
            Status::None => "none",
            Status::Unknown => "unknown",
            Status::NotAPuzzle => "not a puzzle",
        }
    }

    /// The verdict, the problem, and the band of the only solution.
    fn of(puzzle: &Puzzle, budget: Budget) -> (Status, &'static str, String) {
        let verdict = |verdict, problem| (verdict, problem, String::new());
        if !puzzle.shape().is_solvable() {
            // Boards above order 36 cannot be searched, but a full grid without conflicts is its own solution.
            return match puzzle.grid().holes() {
                0 => verdict(Status::Unique, ""),
                _ => verdict(Status::Unknown, "the board is too large to be solved"),
            };
        }
        match solve::solutions(puzzle, 2, budget) {
            (_, Count { found: 2.., .. }) => verdict(Status::Several, "more than one solution"),
            (found, Count { found: 1, exact: true }) => {
                (Status::Unique, "", found.first().and_then(band).unwrap_or_default())
            }
            (_, Count { found: 0, exact: true }) => verdict(Status::None, "no solution"),
            _ => verdict(Status::Unknown, "the budget was used up before the number of solutions was known"),
        }
    }
}

/// The first band of the minlex form of a 9x9 solution.
fn band(solution: &Solution) -> Option<String> {
    Some(format!("band {} of {BANDS}", catalogue::first_band(solution)? + 1))
}

pub fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.cases {
        return library::check(global, path);
    }
    let mut out = csv::Writer::from_writer(BufWriter::new(io::stdout().lock()));
    if !global.quiet {
        out.write_record(["number", "verdict", "puzzle", "problem", "band"])?;
    }
    let mut counts = [0u64; Status::ALL.len()];
    for (number, row) in args.source.open()?.enumerate() {
        let (verdict, line, problem, band) = match row {
            Ok(record) => match source::puzzle_of(&record) {
                Some(puzzle) => {
                    let (verdict, problem, band) = Status::of(&puzzle, Budget(args.budget));
                    (verdict, text::line(puzzle.grid()), problem.to_owned(), band)
                }
                None => (Status::NotAPuzzle, String::new(), "this row has no puzzle".to_owned(), String::new()),
            },
            Err(CorpusError::Row(error)) => (Status::NotAPuzzle, String::new(), error.to_string(), String::new()),
            Err(error) => {
                out.flush()?;
                return Err(error.into());
            }
        };
        counts[verdict as usize] += 1;
        let wanted = !args.failures || verdict != Status::Unique;
        if wanted && !global.quiet {
            out.write_record([&(number + 1).to_string(), verdict.name(), &line, &problem, &band])?;
        }
    }
    out.flush()?;
    finish(global, &counts)
}

/// A line of counts on stderr, and the exit code.
fn finish(global: &Global, counts: &[u64; Status::ALL.len()]) -> anyhow::Result<Outcome> {
    if !global.quiet {
        let found = Status::ALL.iter().zip(counts).filter(|&(_, &count)| count > 0);
        let found: Vec<String> = found.map(|(verdict, count)| format!("{count} {}", verdict.name())).collect();
        let line = if found.is_empty() { "nothing to check".to_owned() } else { found.join(", ") };
        writeln!(io::stderr(), "{line}")?;
    }
    let good = counts[Status::Unique as usize];
    let all: u64 = counts.iter().sum();
    Ok(if all > 0 && good == all { Outcome::Done } else { Outcome::CheckFailed })
}
