//! Checks of the rows of a part.
//!
//! ```text
//!   without solving   its number, a valid solution, a puzzle that is part of it, the number of givens
//!   solved            the number of solutions, by a solver that is independent of the way the row was made
//!   made again        every value, compared with the row that the recipe gives
//! ```

use std::path::Path;

use super::columns::COLUMNS;
use super::error::{CorpusError, Result};
use super::input::Input;
use super::manifest::Entry;
use super::recipe::Recipe;
use super::record::Record;
use sudoku_corpus_core::solve::{Budget, Verdict, count, verdict};

/// Search nodes for one row on boards that are not 9x9.
const BUDGET: Budget = Budget(10_000_000);

/// Returns a problem that can be found without solving the puzzle.
pub(super) fn simply_wrong(recipe: &Recipe, record: &Record, index: u64) -> Option<String> {
    if record.index != index {
        return Some(format!("its number is {}", record.index));
    }
    if record.shape != recipe.shape {
        return Some(format!("the row is of the {}", record.shape.board()));
    }
    let (Some(puzzle), Some(_)) = (&record.puzzle, &record.solution) else {
        return Some("the puzzle or the solution is missing".to_owned());
    };
    let (givens, holes) = (puzzle.grid().givens() as u32, puzzle.grid().holes() as u32);
    if (record.givens, record.holes) != (Some(givens), Some(holes)) {
        return Some(format!("the puzzle has {givens} givens and {holes} holes, but its columns have other numbers"));
    }
    None
}

/// The result of comparing the number of solutions with the solver's.
pub(super) enum Solved {
    Right,
    Undecided,
    Wrong(String),
}

/// Checks the number of solutions of a row, and that its solution is one of them.
pub(super) fn solved(record: &Record, limit: u64) -> Solved {
    let (Some(puzzle), Some(solution)) = (&record.puzzle, &record.solution) else { return Solved::Undecided };
    let only = record.solutions == Some(1) && record.solutions_exact == Some(true);
    match verdict(puzzle, BUDGET) {
        Verdict::Unknown => Solved::Undecided,
        Verdict::Unsolvable => Solved::Wrong("the puzzle has no solution".to_owned()),
        Verdict::Unique(_) if !only => {
            Solved::Wrong("the puzzle has one solution, but its columns say otherwise".to_owned())
        }
        Verdict::Unique(found) if found != *solution => Solved::Wrong("the puzzle has another solution".to_owned()),
        Verdict::Unique(_) => Solved::Right,
        Verdict::Several(..) if only => Solved::Wrong("the puzzle has several solutions".to_owned()),
        Verdict::Several(..) => {
            let found = count(puzzle, limit, BUDGET);
            let same = (record.solutions, record.solutions_exact) == (Some(found.found), Some(found.exact));
            let settled = found.exact || found.found >= limit;
            match (same, settled) {
                (true, _) => Solved::Right,
                (false, false) => Solved::Undecided,
                (false, true) => {
                    Solved::Wrong(format!("the puzzle has {} solutions, but its columns say otherwise", found.found))
                }
            }
        }
    }
}

/// The first column in which two rows differ.
pub(super) fn first_difference(there: &Record, again: &Record) -> Option<String> {
    let column = COLUMNS.iter().find(|column| column.get(there) != column.get(again))?;
    let (there, again) = (column.get(there), column.get(again));
    Some(format!("{}: {there} in the file, {again} made from the recipe", column.name))
}

/// An error without the path, which the report gives already.
pub(super) fn plain(path: &Path, error: &CorpusError) -> String {
    match error {
        CorpusError::Row(row) => row.reason.clone(),
        other => {
            let text = other.to_string();
            let prefix = format!("{}: ", path.display());
            text.strip_prefix(&prefix).unwrap_or(&text).to_owned()
        }
    }
}

/// Reads a part for which there is no checksum. Checks every row without solving it, and makes the first and the last
/// row again. Returns the first problem.
///
/// # Errors
/// The system reports an error; a row cannot be made.
pub(super) fn first_wrong_row(recipe: &Recipe, entry: &Entry, path: &Path) -> Result<Option<String>> {
    let end = entry.first_row + entry.rows;
    let mut index = entry.first_row;
    let rows = match Input::open_records(path) {
        Err(error @ CorpusError::File { .. }) => return Ok(Some(plain(path, &error))),
        rows => rows?,
    };
    for row in rows {
        let row = match row {
            Err(error) if matches!(error, CorpusError::File { .. }) || error.is_about_a_row() => {
                return Ok(Some(plain(path, &error)));
            }
            row => row?,
        };
        let mut wrong = simply_wrong(recipe, &row, index);
        if wrong.is_none() && (index == entry.first_row || index + 1 == end) {
            wrong = first_difference(&row, &recipe.make_like(&row)?);
        }
        if let Some(reason) = wrong {
            return Ok(Some(format!("row {index}: {reason}")));
        }
        index += 1;
    }
    Ok((index != end).then(|| format!("{} rows, but it should have {}", index - entry.first_row, entry.rows)))
}
