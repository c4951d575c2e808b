//! Where the puzzles of `solve`, `hint` and `check` come from: a file, standard input, or the argument itself.

use std::io::Write;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::options::{self, Global};
use super::{Outcome, Usage};
use crate::board::{Puzzle, Shape, Solution};
use crate::corpus::{CorpusError, Input, Record};
use crate::solve::{Budget, Count, solutions};

/// Puzzles to look at.
#[derive(Debug, clap::Args)]
pub struct Source {
    /// A puzzle, a file of puzzles (lines, blocks, CSV or Parquet), or - for standard input.
    #[arg(default_value = "-", value_name = "PUZZLE or FILE")]
    puzzles: String,
    /// Rows x columns of a box, where the text does not tell.
    #[arg(long, value_name = "RxC", value_parser = options::solvable)]
    shape: Option<Shape>,
}

/// Cells of a 4x4 board.
const SHORTEST_BOARD: usize = 16;

impl Source {
    /// Opens it. A name that is no file is read as a puzzle.
    pub fn open(&self) -> anyhow::Result<Input> {
        let path = Path::new(&self.puzzles);
        if self.puzzles == "-" || path.exists() {
            return Ok(Input::open(path, self.shape)?);
        }
        // A word too short for any board is more likely the name of a file.
        if self.puzzles.chars().count() < SHORTEST_BOARD {
            return Err(Usage(format!("{}: no such file, and not a puzzle", self.puzzles)).into());
        }
        Ok(Input::of_puzzle(&self.puzzles, self.shape))
    }

    /// The shape that was asked for.
    pub fn shape(&self) -> Option<Shape> {
        self.shape
    }

    /// What stands on the command line: a puzzle, a file or -.
    pub fn text(&self) -> &str {
        &self.puzzles
    }

    /// True when the puzzle stands on the command line.
    pub fn is_literal(&self) -> bool {
        self.puzzles != "-" && !PathBuf::from(&self.puzzles).exists()
    }
}

/// The board of a row as a puzzle; a full grid is one without blanks.
pub fn puzzle_of(record: &Record) -> Option<Puzzle> {
    record.puzzle.clone().or_else(|| record.solution.clone().map(Into::into))
}

/// Rows that are worked on at a time.
const CHUNK: usize = 4_096;

/// Positions that finding the solution of a puzzle may cost.
const SEARCH: Budget = Budget(100_000_000);

/// Prints a line for each puzzle and its only solution, in order, worked out in parallel. Rows without one are told on
/// standard error; then the outcome is a failed check.
pub fn numbered_rows(
    global: &Global,
    source: &Source,
    out: &mut impl Write,
    line: impl Fn(&Puzzle, &Solution) -> Result<String, String> + Sync,
) -> anyhow::Result<Outcome> {
    let workers = rayon::ThreadPoolBuilder::new().num_threads(global.threads.unwrap_or(0)).build()?;
    let mut rows = source.open()?.enumerate();
    let mut outcome = Outcome::Done;
    loop {
        let chunk: Vec<_> = rows.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            break;
        }
        let work = |(at, row): (usize, Result<Record, CorpusError>)| match row {
            Ok(record) => {
                let told = solved(&record).and_then(|(puzzle, solution)| line(&puzzle, &solution));
                Ok(told.map_err(|problem| format!("row {}: {problem}", at + 1)))
            }
            Err(CorpusError::Row(error)) => Ok(Err(error.to_string())),
            Err(error) => Err(error),
        };
        let told: Vec<_> = workers.install(|| chunk.into_par_iter().map(work).collect());
        for row in told {
            match row? {
                Ok(text) => writeln!(out, "{text}")?,
                Err(problem) => {
                    outcome = Outcome::CheckFailed;
                    if !global.quiet {
                        writeln!(std::io::stderr(), "{problem}")?;
                    }
                }
            }
        }
    }
    out.flush()?;
    Ok(outcome)
}

/// The puzzle of a row and its only solution.
fn solved(record: &Record) -> Result<(Puzzle, Solution), String> {
    let puzzle = puzzle_of(record).ok_or("no puzzle in this row")?;
    if puzzle.grid().holes() == 0 {
        let solution = Solution::try_from(puzzle.grid().clone()).map_err(|error| error.to_string())?;
        return Ok((puzzle, solution));
    }
    if !puzzle.shape().is_solvable() {
        return Err("too large to be solved".to_owned());
    }
    let (mut found, count) = solutions(&puzzle, 2, SEARCH);
    match (found.pop(), count) {
        (Some(solution), Count { found: 1, exact: true }) => Ok((puzzle, solution)),
        (Some(_), Count { found: 2.., .. }) => Err("more than one solution".to_owned()),
        (_, Count { exact: true, .. }) => Err("no solution".to_owned()),
        _ => Err("not settled within the budget".to_owned()),
    }
}
