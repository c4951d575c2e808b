//! Reads the input of commands that take single puzzles: a file, standard input, or the puzzle itself as the argument.

use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use crate::board::{Puzzle, Shape, Solution};
use crate::cli::line::options::{Global, ReadOptions};
use crate::cli::{Outcome, Usage};
use crate::corpus::{CorpusError, Input, InputPath, ItemSize, Least, Reading, Record, StopFlag, Unread, in_order};
use crate::ladder::Ladder;
use crate::solve::{Budget, Count, general, solutions};

/// The puzzles of a command.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Source {
    /// A puzzle, a file of puzzles (lines, blocks, CSV or Parquet), the folder of a corpus, or - for standard input.
    #[arg(default_value = "-", value_name = "PUZZLE or FILE")]
    puzzles: InputPath,
    #[command(flatten)]
    read: ReadOptions,
}

/// Cells of a 4x4 board.
const SHORTEST_BOARD: usize = 16;

impl Source {
    /// Opens the input. An argument that is not the name of a file is read as a puzzle.
    pub(in crate::cli) fn open(&self) -> anyhow::Result<Input> {
        self.opened(false)
    }

    /// Opens the input. Positions with candidates are rows, too.
    pub(in crate::cli) fn open_positions(&self) -> anyhow::Result<Input> {
        self.opened(true)
    }

    /// The shape that was asked for.
    pub(in crate::cli) fn shape(&self) -> Option<Shape> {
        self.read.shape
    }

    /// Opens the file, or reads the argument as a puzzle. `positions`: candidates are kept.
    fn opened(&self, positions: bool) -> anyhow::Result<Input> {
        let path = &*self.puzzles;
        let reading = self.read.reading()?;
        // Each row is told, and an exit code says that one was wrong.
        let how = Reading { positions, least: Least::Row, ..reading };
        if !self.is_literal() {
            return Ok(Input::open(path, how)?);
        }
        if let Some(column) = &how.column {
            return Err(
                Usage(format!("a puzzle on the command line has no columns; leave out --column {column}")).into()
            );
        }
        // A word too short for any board is more likely the name of a file, and so are words and what is no text.
        let text = self.puzzles.to_str().filter(|text| text.chars().count() >= SHORTEST_BOARD);
        let text = text.filter(|text| Input::of_puzzle(text, how.clone()).any(|row| row.is_ok()) || !is_name(text));
        let reason = "there is no file of this name, and a 9x9 puzzle has 81 signs";
        let text = text.ok_or_else(|| Usage::of(path, format_args!("neither a file nor a puzzle: {reason}")))?;
        Ok(Input::of_puzzle(text, how))
    }

    /// True if the argument is the puzzle itself.
    pub(in crate::cli) fn is_literal(&self) -> bool {
        self.puzzles != Path::new("-") && !self.puzzles.exists()
    }
}

/// True for what is more likely the name of a missing file than a puzzle with a wrong sign.
fn is_name(text: &str) -> bool {
    let ends = text.rsplit_once('.').is_some_and(|(_, end)| end.len() >= 2 && end.chars().all(char::is_alphabetic));
    // Three letters that are not all the same.
    let word = text
        .split(|sign: char| !sign.is_alphabetic())
        .any(|word| word.chars().count() >= 3 && word.chars().any(|sign| !word.starts_with(sign)));
    let cells = text.chars().filter(|sign| sign.is_ascii_digit() || ".0_*-".contains(*sign)).count();
    let is_link = text.starts_with("http://") || text.starts_with("https://");
    !is_link
        && (ends
            || text.contains(['/', '\\'])
            || word && (text.len() < Shape::NINE.cells() / 2 || 2 * cells < text.len()))
}

/// One solution, and no other.
pub(in crate::cli) const UNIQUE: Count = Count { found: 1, exact: true };

/// The techniques that may be used. Techniques of uniqueness are left out unless the puzzle has one solution.
pub(in crate::cli) fn sound(ladder: &Ladder, count: Count) -> Ladder {
    if count == UNIQUE { ladder.clone() } else { ladder.clone().without_uniqueness() }
}

/// The verdict on a puzzle with this number of solutions, and its problem.
pub(in crate::cli) fn verdict(count: Count) -> (&'static str, &'static str) {
    match count {
        UNIQUE => ("unique", ""),
        Count { found: 2.., .. } => ("several", "more than one solution"),
        Count { found: 0, exact: true } => ("none", "no solution"),
        _ => ("unknown", "the budget was used up before the number of solutions was known"),
    }
}

/// The puzzle of a row. A full grid is a puzzle without holes.
pub(in crate::cli) fn puzzle_of(record: &Record) -> Option<Puzzle> {
    record.puzzle.clone().or_else(|| record.solution.clone().map(Into::into))
}

/// The solutions of a row, a puzzle or a position, up to a limit.
pub(in crate::cli) fn solutions_of(
    record: &Record,
    puzzle: &Puzzle,
    limit: usize,
    budget: Budget,
) -> (Vec<Solution>, Count) {
    match &record.candidates {
        Some(candidates) => general::solutions_at(puzzle.shape(), candidates, limit, budget),
        None => solutions(puzzle, limit, budget),
    }
}

/// Positions that may be visited to find the solution of a puzzle.
const SEARCH: Budget = Budget(100_000_000);

/// Prints a line for each puzzle and its only solution, in order; the lines are computed in parallel. The text `head`
/// stands before the first one. Rows that do not have exactly one solution are reported on stderr, and the outcome is
/// then a failed check.
pub(in crate::cli) fn numbered_rows(
    global: &Global,
    source: &Source,
    mut head: &str,
    line: impl Fn(&Puzzle, &Solution) -> Result<String, String> + Sync,
) -> anyhow::Result<Outcome> {
    let mut out = BufWriter::new(io::stdout().lock());
    let work = |(number, row): (usize, Unread)| match row.read() {
        Ok(record) => {
            let line = solved(&record).and_then(|(puzzle, solution)| line(&puzzle, &solution));
            Ok(line.map_err(|problem| format!("row {number}: {problem}")))
        }
        Err(CorpusError::Row(error)) => Ok(Err(error.to_string())),
        Err(error) => Err(error),
    };
    let mut outcome = Outcome::Done;
    let rows = (1..).zip(source.open()?.unread());
    in_order(ItemSize::Small, rows, &StopFlag::new(), work, |lines| {
        for line in lines {
            match line? {
                Ok(text) => writeln!(out, "{}{text}", std::mem::take(&mut head))?,
                Err(problem) => {
                    outcome = Outcome::CheckFailed;
                    global.say(problem);
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
    only_solution(&puzzle).map(|solution| (puzzle, solution))
}

/// The only solution of a puzzle.
///
/// # Errors
/// The puzzle has none or several, or cannot be solved.
pub(in crate::cli) fn only_solution(puzzle: &Puzzle) -> Result<Solution, String> {
    if !puzzle.shape().is_solvable() {
        return Err("the board is too large to be solved".to_owned());
    }
    let (mut solutions, count) = solutions(puzzle, 2, SEARCH);
    solutions.pop().filter(|_| count == UNIQUE).ok_or_else(|| verdict(count).1.to_owned())
}
