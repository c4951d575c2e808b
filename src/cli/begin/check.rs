//! `check`: checks that every puzzle is valid and has exactly one solution.

use std::io::{self, BufWriter};

use crate::board::Puzzle;
use crate::catalogue::{self, BANDS};
use crate::cli::Outcome;
use crate::cli::line::options::Global;
use crate::cli::line::source::{self, Source, UNIQUE};
use crate::corpus::{CorpusError, Record};
use crate::solve::Budget;

/// Check that every puzzle is valid and has exactly one solution.
///
/// Prints a line for each puzzle: its number in the file, the verdict, the shape, the puzzle and the problem. For 9x9
/// puzzles with one solution, the line also gives the first band of the solution's minlex form, by its standard number.
/// Full grids are checked too, and positions with candidates (pencil marks). The exit code is 3 if any puzzle is not
/// valid and unique, and 1 if there is no puzzle.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus check puzzle.txt
  sudoku-corpus check --quiet puzzles.sdm && echo all unique
  sudoku-corpus check puzzles.sdm | grep -c ,unique,")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    source: Source,
    /// Limit of a search for one puzzle: positions that it may visit, or on 9x9 solutions that it may find. A puzzle
    /// that needs more is "unknown".
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    budget: u64,
}

/// The verdicts, in the order of the summary.
const VERDICTS: [&str; 5] = ["unique", "several", "none", "unknown", NOT_A_PUZZLE];
/// The verdict on a row that is no puzzle.
const NOT_A_PUZZLE: &str = "not a puzzle";

/// A row of the output, without its number.
struct Judgment {
    verdict: &'static str,
    shape: String,
    puzzle: String,
    /// Why it is not unique; empty if it is.
    problem: String,
    /// The first band of the minlex form of the only solution of a 9x9 puzzle, in words.
    band: String,
}

impl Judgment {
    fn no_puzzle(problem: String) -> Judgment {
        Judgment { verdict: NOT_A_PUZZLE, problem, shape: String::new(), puzzle: String::new(), band: String::new() }
    }

    fn of(record: &Record, puzzle: &Puzzle, budget: Budget) -> Judgment {
        let judgment = |verdict, problem: &str, band| {
            let (shape, puzzle) = (puzzle.shape().to_string(), puzzle.to_string());
            Judgment { verdict, shape, puzzle, problem: problem.to_owned(), band }
        };
        if !puzzle.shape().is_solvable() {
            // Boards above order 36 cannot be searched, but a full grid without conflicts is its own solution.
            return match puzzle.grid().holes() {
                0 => judgment("unique", "", String::new()),
                _ => judgment("unknown", "the board is too large to be solved", String::new()),
            };
        }
        let (solutions, count) = source::solutions_of(record, puzzle, 2, budget);
        let (verdict, problem) = source::verdict(count);
        let band = solutions.first().filter(|_| count == UNIQUE).and_then(catalogue::first_band);
        judgment(verdict, problem, band.map_or(String::new(), |band| format!("band {} of {BANDS}", band + 1)))
    }
}

/// Checks one row after the other, and counts the verdicts.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let mut out = csv::Writer::from_writer(BufWriter::new(io::stdout().lock()));
    let mut counts = VERDICTS.map(|verdict| (verdict, 0u64));
    for (number, row) in (1u64..).zip(args.source.open_positions()?) {
        let judgment = match row {
            Ok(record) => match source::puzzle_of(&record) {
                Some(puzzle) => Judgment::of(&record, &puzzle, Budget(args.budget)),
                None => Judgment::no_puzzle("this row has no puzzle".to_owned()),
            },
            Err(CorpusError::Row(error)) => Judgment::no_puzzle(error.to_string()),
            Err(error) => {
                out.flush()?;
                return Err(error.into());
            }
        };
        counts.iter_mut().filter(|(verdict, _)| *verdict == judgment.verdict).for_each(|(_, count)| *count += 1);
        if !global.quiet {
            if number == 1 {
                out.write_record(["number", "verdict", "shape", "puzzle", "problem", "band"])?;
            }
            let Judgment { verdict, shape, puzzle, problem, band } = &judgment;
            out.write_record([&number.to_string(), *verdict, shape, puzzle, problem, band])?;
        }
    }
    out.flush()?;
    let verdicts = counts.iter().filter(|(_, count)| *count > 0).map(|(verdict, count)| format!("{count} {verdict}"));
    let verdicts = verdicts.collect::<Vec<_>>();
    global.say(verdicts.join(", "));
    let good = verdicts.len() == 1 && counts[0].1 > 0;
    Ok(if good { Outcome::Done } else { Outcome::CheckFailed })
}
