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
/// Prints a line for each puzzle: its number in the file, the verdict, the puzzle and the problem. For 9x9 puzzles with
/// one solution, the line also gives the first band of the solution's minlex form, by its standard number. Full grids
/// are checked too, and positions with candidates (pencil marks). The exit code is 3 if any puzzle is not valid and
/// unique, or if there are none.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus check puzzle.txt
  sudoku-corpus check --quiet puzzles.sdm && echo all unique
  sudoku-corpus check puzzles.sdm | grep -c ,unique,")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    source: Source,
    /// Positions that a search may visit for one puzzle; on 9x9, solutions that it may find. A puzzle that needs more
    /// is "unknown".
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    budget: u64,
}

/// The verdicts, in the order of the summary.
const VERDICTS: [&str; 5] = ["unique", "several", "none", "unknown", NOT_A_PUZZLE];
/// The verdict on a row that is no puzzle.
const NOT_A_PUZZLE: &str = "not a puzzle";

/// What is found out about a row: the columns behind its number.
struct CheckedRow {
    /// One of [`VERDICTS`].
    verdict: &'static str,
    puzzle: String,
    problem: String,
    /// The first band of the minlex form of the only solution of a 9x9 puzzle.
    band: String,
}

impl CheckedRow {
    /// A row that is no puzzle.
    fn no_puzzle(problem: String) -> CheckedRow {
        CheckedRow { verdict: NOT_A_PUZZLE, puzzle: String::new(), problem, band: String::new() }
    }

    fn of_puzzle(record: &Record, puzzle: &Puzzle, budget: Budget) -> CheckedRow {
        let mut row =
            CheckedRow { verdict: "unique", puzzle: puzzle.to_string(), problem: String::new(), band: String::new() };
        if !puzzle.shape().is_solvable() {
            // Boards above order 36 cannot be searched, but a full grid without conflicts is its own solution.
            if puzzle.grid().holes() > 0 {
                row.verdict = "unknown";
                row.problem = "the board is too large to be solved".to_owned();
            }
            return row;
        }
        let (solutions, count) = source::solutions_of(record, puzzle, 2, budget);
        let (verdict, problem) = source::verdict(count);
        (row.verdict, row.problem) = (verdict, problem.to_owned());
        if count == UNIQUE
            && let Some(band) = solutions.first().and_then(catalogue::first_band)
        {
            row.band = format!("band {} of {BANDS}", band + 1);
        }
        row
    }
}

/// Checks one row after the other, and counts the verdicts.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let mut out = csv::Writer::from_writer(BufWriter::new(io::stdout().lock()));
    if !global.quiet {
        out.write_record(["number", "verdict", "puzzle", "problem", "band"])?;
    }
    let mut counts = VERDICTS.map(|verdict| (verdict, 0u64));
    for (number, row) in (1u64..).zip(args.source.open_positions()?) {
        let row = match row {
            Ok(record) => match source::puzzle_of(&record) {
                Some(puzzle) => CheckedRow::of_puzzle(&record, &puzzle, Budget(args.budget)),
                None => CheckedRow::no_puzzle("this row has no puzzle".to_owned()),
            },
            Err(CorpusError::Row(error)) => CheckedRow::no_puzzle(error.to_string()),
            Err(error) => {
                out.flush()?;
                return Err(error.into());
            }
        };
        if let Some((_, count)) = counts.iter_mut().find(|(verdict, _)| *verdict == row.verdict) {
            *count += 1;
        }
        if !global.quiet {
            out.write_record([&number.to_string(), row.verdict, &row.puzzle, &row.problem, &row.band])?;
        }
    }
    out.flush()?;
    let mut summary = Vec::new();
    for (verdict, count) in counts {
        if count > 0 {
            summary.push(format!("{count} {verdict}"));
        }
    }
    global.say(summary.join(", "));
    let all_unique = summary.len() == 1 && counts[0].1 > 0;
    Ok(if all_unique { Outcome::Done } else { Outcome::CheckFailed })
}
