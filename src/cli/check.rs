//! `check`: checks that every puzzle is valid and has exactly one solution.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _};
use std::path::Path;

use anyhow::Context as _;

use super::options::Global;
use super::source::{self, Source, UNIQUE};
use super::{Outcome, say};
use crate::board::Puzzle;
use crate::catalogue::{self, BANDS};
use crate::corpus::{CorpusError, InputPath, Record};
use crate::rate::Technique;
use crate::rate::library::{OutcomeCounts, Scorecard, techniques_of};
use crate::solve::Budget;

/// Check that every puzzle is valid and has exactly one solution.
///
/// Prints a line for each puzzle: its number in the file, the verdict, the puzzle and the problem. For 9x9 puzzles with
/// one solution, the line also gives the first band of the solution's minlex form, by its standard number. Full grids
/// are checked too, and positions with candidates (pencil marks). The exit code is 3 if any puzzle is not valid and
/// unique, or if there are none.
///
/// With --library, the file holds cases of solving techniques in HoDoKu's line format instead. Each case is replayed;
/// passes, failures and skips are counted for each code. The exit code is 3 if any case fails or any line is
/// unreadable, or if no case passes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus check puzzles.txt
  sudoku-corpus check puzzles.parquet | grep -v ,unique, > wrong.csv
  sudoku-corpus check --quiet puzzles.txt && echo all unique
  sudoku-corpus check --library techniques.txt
  sudoku-corpus check 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// Replay a library of technique cases instead; - for standard input.
    #[arg(long = "library", value_name = "FILE", conflicts_with_all = ["puzzles", "budget", "shape", "board"])]
    cases: Option<InputPath>,
    /// Positions that the search may visit for one puzzle; on 9x9, solutions that it may find. A puzzle that needs more
    /// is "unknown".
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    budget: u64,
}

/// The verdicts, in the order of the summary.
const VERDICTS: [&str; 5] = ["unique", "several", "none", "unknown", NOT_A_PUZZLE];
/// The verdict on a row that is no puzzle.
const NOT_A_PUZZLE: &str = "not a puzzle";

/// The verdict, the problem, and the first band of the minlex form of the only solution of a 9x9 puzzle.
fn judge(record: &Record, puzzle: &Puzzle, budget: Budget) -> (&'static str, &'static str, String) {
    if !puzzle.shape().is_solvable() {
        // Boards above order 36 cannot be searched, but a full grid without conflicts is its own solution.
        return match puzzle.grid().holes() {
            0 => ("unique", "", String::new()),
            _ => ("unknown", "the board is too large to be solved", String::new()),
        };
    }
    let (found, count) = source::solutions_of(record, puzzle, 2, budget);
    let (verdict, problem) = source::verdict(count);
    let band = found.first().filter(|_| count == UNIQUE).and_then(catalogue::first_band);
    (verdict, problem, band.map_or(String::new(), |band| format!("band {} of {BANDS}", band + 1)))
}

/// Checks one row after the other, and counts the verdicts.
pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.cases {
        return replay_library(global, path);
    }
    let mut out = csv::Writer::from_writer(BufWriter::new(io::stdout().lock()));
    if !global.quiet {
        out.write_record(["number", "verdict", "puzzle", "problem", "band"])?;
    }
    let mut counts = VERDICTS.map(|verdict| (verdict, 0u64));
    for (number, row) in (1u64..).zip(args.source.open_positions()?) {
        let refused = |problem: String| (NOT_A_PUZZLE, String::new(), problem, String::new());
        let (verdict, line, problem, band) = match row {
            Ok(record) => match source::puzzle_of(&record) {
                Some(puzzle) => {
                    let (verdict, problem, band) = judge(&record, &puzzle, Budget(args.budget));
                    (verdict, puzzle.to_string(), problem.to_owned(), band)
                }
                None => refused("this row has no puzzle".to_owned()),
            },
            Err(CorpusError::Row(error)) => refused(error.to_string()),
            Err(error) => {
                out.flush()?;
                return Err(error.into());
            }
        };
        counts.iter_mut().filter(|(of, _)| *of == verdict).for_each(|(_, count)| *count += 1);
        if !global.quiet {
            out.write_record([&number.to_string(), verdict, &line, &problem, &band])?;
        }
    }
    out.flush()?;
    let found = counts.iter().filter(|(_, count)| *count > 0).map(|(verdict, count)| format!("{count} {verdict}"));
    let found = found.collect::<Vec<_>>();
    global.say(found.join(", "));
    let good = found.len() == 1 && counts[0].1 > 0;
    Ok(if good { Outcome::Done } else { Outcome::CheckFailed })
}

/// Replays the cases of a file (`-` is standard input). Prints counts for each code to stdout and failures to stderr.
fn replay_library(global: &Global, path: &Path) -> anyhow::Result<Outcome> {
    let name = path.display();
    let card = match path == Path::new("-") {
        true => replay(io::stdin().lock()),
        false => File::open(path).and_then(|file| replay(BufReader::new(file))),
    };
    let card = card.with_context(|| name.to_string())?;
    if !global.quiet {
        let mut out = csv::Writer::from_writer(BufWriter::new(io::stdout().lock()));
        out.write_record(["code", "technique", "passed", "failed", "skipped"])?;
        // HoDoKu has techniques that are not searched here, and cases of one of them.
        let other = |code: &str| if code == "0363" { "Finned Mutant Squirmbag (not searched)" } else { "not searched" };
        let technique = |code: &str| techniques_of(code).next().map_or_else(|| other(code), Technique::name).to_owned();
        let codes = card.codes.iter().map(|(code, counts)| (code.as_str(), technique(code), *counts));
        for (code, technique, OutcomeCounts { passed, failed, skipped }) in
            codes.chain([("all", String::new(), card.total())])
        {
            let [passed, failed, skipped] = [passed, failed, skipped].map(|count| count.to_string());
            out.write_record([code, &technique, &passed, &failed, &skipped])?;
        }
        out.flush()?;
    }
    card.unreadable.iter().for_each(|(number, error)| say(format_args!("{name}:{number}: {error}")));
    card.failures.iter().for_each(|(number, line)| say(format_args!("{name}:{number}: failed: {line}")));
    let (OutcomeCounts { passed, failed, skipped }, unreadable) = (card.total(), card.unreadable.len());
    global.say(format_args!("{passed} passed, {failed} failed, {skipped} skipped, {unreadable} unreadable"));
    Ok(if failed == 0 && unreadable == 0 && passed > 0 { Outcome::Done } else { Outcome::CheckFailed })
}

/// The longest line of a library. The rest of a longer line is skipped.
const LONGEST: u64 = 1 << 16;

/// Replays the case of each line.
fn replay(mut lines: impl BufRead) -> io::Result<Scorecard> {
    let mut card = Scorecard::default();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if lines.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.pop_if(|last| *last == b'\n').is_none() {
            lines.skip_until(b'\n')?;
        }
        // The comments of the published library are not UTF-8.
        card.run(number, &String::from_utf8_lossy(&line));
    }
    Ok(card)
}
