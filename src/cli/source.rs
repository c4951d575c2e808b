//! The input of commands that take single puzzles: a file, standard input, or the puzzle itself as the argument.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

use super::options::{BoardOptions, Global};
use super::{Outcome, Usage, say};
use crate::board::{Puzzle, Shape, Solution};
use crate::corpus::{CorpusError, Input, Record, StopFlag, Workers};
use crate::solve::{Budget, Count, solutions};

/// The puzzles of a command.
#[derive(Debug, clap::Args)]
pub struct Source {
    /// A puzzle, a file of puzzles (lines, blocks, CSV or Parquet), the folder of a corpus, or - for standard input.
    #[arg(default_value = "-", value_name = "PUZZLE or FILE")]
    puzzles: OsString,
    #[command(flatten)]
    board: BoardOptions,
}

/// Cells of a 4x4 board.
const SHORTEST_BOARD: usize = 16;

impl Source {
    /// Opens the input. An argument that is not the name of a file is read as a puzzle.
    pub fn open(&self) -> anyhow::Result<Input> {
        let path = Path::new(&self.puzzles);
        if self.puzzles == "-" || path.exists() {
            return Ok(Input::open(path, self.shape()?)?);
        }
        // A word too short for any board is more likely the name of a file, and so is what is no text.
        match self.puzzles.to_str().filter(|text| text.chars().count() >= SHORTEST_BOARD) {
            Some(text) => Ok(Input::of_puzzle(text, self.shape()?)),
            None => Err(Usage(format!("{}: neither a file nor a puzzle", path.display())).into()),
        }
    }

    pub fn shape(&self) -> Result<Option<Shape>, Usage> {
        self.board.solvable()
    }

    /// The argument: a puzzle, a file or -.
    pub fn given(&self) -> &Path {
        Path::new(&self.puzzles)
    }

    /// True if the argument is the puzzle itself.
    pub fn is_literal(&self) -> bool {
        self.puzzles != "-" && !Path::new(&self.puzzles).exists()
    }
}

/// The puzzle of a row. A full grid is a puzzle without holes.
pub fn puzzle_of(record: &Record) -> Option<Puzzle> {
    record.puzzle.clone().or_else(|| record.solution.clone().map(Into::into))
}

/// Positions that may be visited to find the solution of a puzzle.
const SEARCH: Budget = Budget(100_000_000);

/// Prints a line for each puzzle and its only solution, in order; the lines are computed in parallel. Rows that do not
/// have exactly one solution are reported on stderr, and the outcome is then a failed check.
pub fn numbered_rows(
    global: &Global,
    source: &Source,
    out: &mut impl Write,
    line: impl Fn(&Puzzle, &Solution) -> Result<String, String> + Sync,
) -> anyhow::Result<Outcome> {
    let rows = source.open()?.enumerate();
    let work = |(at, row): (usize, Result<Record, CorpusError>)| match row {
        Ok(record) => {
            let line = solved(&record).and_then(|(puzzle, solution)| line(&puzzle, &solution));
            Ok(line.map_err(|problem| format!("row {}: {problem}", at + 1)))
        }
        Err(CorpusError::Row(error)) => Ok(Err(error.to_string())),
        Err(error) => Err(error),
    };
    let mut outcome = Outcome::Done;
    Workers::new(global.threads)?.run(rows, &StopFlag::new(), work, |lines| {
        for line in lines {
            match line? {
                Ok(text) => writeln!(out, "{text}")?,
                Err(problem) => {
                    outcome = Outcome::CheckFailed;
                    if !global.quiet {
                        say(problem);
                    }
                }
            }
        }
        anyhow::Ok(())
    })?;
    out.flush()?;
    Ok(outcome)
}

/// The puzzle of a row and its only solution.
fn solved(record: &Record) -> Result<(Puzzle, Solution), String> {
    let puzzle = puzzle_of(record).ok_or("this row has no puzzle")?;
    if puzzle.grid().holes() == 0 {
        let solution = Solution::try_from(puzzle.grid().clone()).map_err(|error| error.to_string())?;
        return Ok((puzzle, solution));
    }
    if !puzzle.shape().is_solvable() {
        return Err("the board is too large to be solved".to_owned());
    }
    let (mut found, count) = solutions(&puzzle, 2, SEARCH);
    match (found.pop(), count) {
        (Some(solution), Count { found: 1, exact: true }) => Ok((puzzle, solution)),
        (Some(_), Count { found: 2.., .. }) => Err("more than one solution".to_owned()),
        (_, Count { exact: true, .. }) => Err("no solution".to_owned()),
        _ => Err("the budget was used up before the number of solutions was known".to_owned()),
    }
}
