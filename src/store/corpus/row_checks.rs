//! Checks of the rows of a part.
//!
//! ```text
//!   without solving   its number, a valid solution, a puzzle that is part of it, the number of givens
//!   solved            the number of solutions, by a solver that is independent of the way the row was made
//!   made again        every value, compared with the row that the recipe gives
//! ```

use std::collections::BTreeSet;
use std::path::Path;

use super::columns::COLUMNS;
use super::error::{CorpusError, Result};
use super::input::Input;
use super::mapping::Want;
use super::metadata::PartPlace;
use super::progress::{Progress, Silent, StopFlag};
use super::recipe::Recipe;
use super::record::Record;
use super::workers::Workers;
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
            // A number that is not exact is a lower bound, on either side.
            let (Some(said), exact) = (record.solutions, record.solutions_exact == Some(true)) else {
                return Solved::Wrong("the number of solutions is missing".to_owned());
            };
            let settled = found.exact || found.found >= limit;
            match settled {
                true if said == found.found || (!exact && said < found.found) => Solved::Right,
                true => {
                    Solved::Wrong(format!("the puzzle has {} solutions, but its columns say otherwise", found.found))
                }
                false if exact && said < found.found => {
                    let reason =
                        format!("the puzzle has at least {} solutions, but its columns say {said}", found.found);
                    Solved::Wrong(reason)
                }
                false if !exact && said <= found.found => Solved::Right,
                false => Solved::Undecided,
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

/// Which checks the rows of a part get besides those without solving.
pub(super) struct RowChecks<'a> {
    pub recipe: &'a Recipe,
    /// The numbers of the rows to solve and to make again. None means all rows.
    pub chosen: Option<BTreeSet<u64>>,
    pub solve: bool,
    pub remake: bool,
    pub progress: &'a dyn Progress,
    pub stop: &'a StopFlag,
}

#[derive(Default)]
pub(super) struct RowOutcome {
    pub problem: Option<String>,
    pub solved: bool,
    pub remade: bool,
    pub undecided: bool,
}

impl RowChecks<'_> {
    /// Checks all rows of a part. `take` gets the number and the outcome of every row, and at last, without a number, a
    /// wrong number of rows. False if it was stopped.
    pub fn part(
        &self,
        path: &Path,
        place: PartPlace,
        workers: &mut Workers,
        mut take: impl FnMut(Option<u64>, RowOutcome),
    ) -> Result<bool> {
        let rows = Input::open(path, Want::Everything)?.zip(place.first_row..);
        let mut next = place.first_row;
        let ended = workers.run(
            rows,
            self.stop,
            |(row, index)| self.row(row?, index),
            |found| {
                self.progress.rows(found.len() as u64);
                for outcome in found {
                    let outcome = match outcome {
                        Err(error) if error.is_about_a_row() => RowOutcome::wrong(plain(path, &error)),
                        outcome => outcome?,
                    };
                    take(Some(next), outcome);
                    next += 1;
                }
                Ok::<(), CorpusError>(())
            },
        )?;
        let rows = next - place.first_row;
        if ended && rows != place.rows {
            take(None, RowOutcome::wrong(format!("{rows} rows, but it should have {}", place.rows)));
        }
        Ok(ended)
    }

    fn row(&self, record: Record, index: u64) -> Result<RowOutcome> {
        if let Some(reason) = simply_wrong(self.recipe, &record, index) {
            return Ok(RowOutcome::wrong(reason));
        }
        if self.chosen.as_ref().is_some_and(|chosen| !chosen.contains(&index)) {
            return Ok(RowOutcome::default());
        }
        let mut outcome = RowOutcome { solved: self.solve, ..RowOutcome::default() };
        if self.solve {
            match solved(&record, self.recipe.dig.count_limit) {
                Solved::Right => {}
                Solved::Undecided => outcome.undecided = true,
                Solved::Wrong(reason) => return Ok(RowOutcome { problem: Some(reason), ..outcome }),
            }
        }
        if self.remake {
            let again = self.recipe.make_like(&record)?;
            outcome.problem = first_difference(&record, &again);
            outcome.remade = outcome.problem.is_none();
        }
        Ok(outcome)
    }
}

impl RowOutcome {
    fn wrong(reason: String) -> RowOutcome {
        RowOutcome { problem: Some(reason), ..RowOutcome::default() }
    }
}

/// Makes all rows of a part again for which there is no checksum. Returns the first problem.
pub(super) fn first_wrong_row(recipe: &Recipe, place: PartPlace, path: &Path) -> Result<Option<String>> {
    let stop = StopFlag::new();
    let checks = RowChecks { recipe, chosen: None, solve: false, remake: true, progress: &Silent, stop: &stop };
    let mut first = None;
    let read = checks.part(path, place, &mut Workers::here(), |index, outcome| {
        if let (None, Some(reason)) = (&first, outcome.problem) {
            first = Some(index.map_or(reason.clone(), |index| format!("row {index}: {reason}")));
            stop.set();
        }
    });
    match read {
        Err(error @ CorpusError::File { .. }) => Ok(Some(plain(path, &error))),
        read => read.map(|_| first),
    }
}
