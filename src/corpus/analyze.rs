//! One puzzle: how many solutions, minimal or not, how deep a search, which techniques.
//!
//! ```text
//!   solutions?  ->  minimal?  ->  reference search  ->  ladder of techniques
//!   what digging knows already is not asked again
//! ```

use super::record::Record;
use crate::board::{Canonical, Puzzle, Solution};
use crate::dig::{self, DigOptions};
use crate::rate::{Ladder, rate};
use crate::solve::probe::search_depth;
use crate::solve::{Budget, Count, count, solutions};

/// What is found out about a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The techniques; none to leave rating out.
    pub ladder: Option<Ladder>,
    /// Find out whether puzzles are minimal.
    pub minimal: bool,
    /// How far solutions are counted.
    pub count_limit: u64,
    /// Positions that counting and the reference search may visit, each.
    pub budget: Budget,
}

impl Default for Analysis {
    fn default() -> Analysis {
        Analysis { ladder: Some(Ladder::default()), minimal: true, count_limit: 1_000, budget: Budget(1_000_000) }
    }
}

impl Analysis {
    /// Fills in what can be known about the puzzle of a row; a full grid is a puzzle without holes. Boards of order
    /// above 36 stay as they are. Search and rating are left out when there is no solution.
    pub fn analyze(&self, record: Record) -> Record {
        let record = match (&record.puzzle, &record.solution) {
            (None, Some(solution)) => {
                let puzzle = Puzzle::from(solution.clone());
                record.with_puzzle(puzzle)
            }
            _ => record,
        };
        let Some(puzzle) = record.puzzle.clone().filter(|_| record.shape.is_solvable()) else { return record };
        let mut record = self.counted(record, &puzzle);
        if let (Some(solution), true, None) = (unique(&record), self.minimal, record.minimal) {
            record.minimal = dig::is_minimal(&puzzle, solution, DigOptions::of(record.shape).budget);
        }
        if record.solutions == Some(0) {
            return record;
        }
        if let Some(form) = Canonical::of(&puzzle) {
            (record.class, record.automorphisms) = (Some(form.class()), Some(form.automorphisms));
        }
        record.search = search_depth(&puzzle, self.budget);
        match &self.ladder {
            Some(ladder) if unique(&record).is_some() => record.with_rating(&rate(&puzzle, ladder)),
            // Techniques of uniqueness would be wrong here.
            Some(ladder) => record.with_rating(&rate(&puzzle, &ladder.clone().without_uniqueness())),
            None => record,
        }
    }

    /// The row with its number of solutions, and with the solution if there is only one.
    fn counted(&self, record: Record, puzzle: &Puzzle) -> Record {
        if record.solutions.is_some() {
            return record;
        }
        let (mut found, mut number) = solutions(puzzle, 2, self.budget);
        if number.found > 1 {
            number = count(puzzle, self.count_limit, self.budget);
        }
        let only = number == Count { found: 1, exact: true };
        let solution = if only { found.pop() } else { record.solution.clone() };
        Record { solution, solutions: Some(number.found), solutions_exact: Some(number.exact), ..record }
    }
}

/// The solution of a row that is known to have just one.
fn unique(record: &Record) -> Option<&Solution> {
    let only = record.solutions == Some(1) && record.solutions_exact == Some(true);
    record.solution.as_ref().filter(|_| only)
}
