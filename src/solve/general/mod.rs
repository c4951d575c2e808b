//! Boards of every shape of order 4 to 36: counting solutions, proving uniqueness, completing, filling at random.
//!
//! ```text
//!   tables     what depends on the shape            search    guesses, and weights learnt from dead ends
//!   givens     digits by house, changed in place    rivals    other solutions, for digging
//!   position   domains as bits, singles             fill      random full grids
//!   sat        a SAT solver for long searches
//! ```
//!
//! Constraint search: bit sets for what is possible in each cell and for each digit in each house, naked and hidden singles
//! to a fixed point, then a guess in a smallest domain: a cell, or the places of a digit in a house. See
//! [`position`] for the drawing of the words and [`search`] for the choice of the guess.
//!
//! A depth-first search may need very long for its first solution, above all on large boards with few givens. So a
//! search that meets too many dead ends before its first solution restarts. The weights of the words are kept, and the allowed
//! number of dead ends doubles, so that a puzzle without solutions is recognised in the end.
//!
//! If the search becomes long, a SAT solver continues it: see [`sat`]. Its conflicts use
//! the same budget, so an answer still depends on nothing but the question.

mod fill;
mod givens;
mod position;
mod rivals;
mod sat;
mod search;
mod tables;

pub use fill::random_fill;
pub use rivals::RivalsOf;
pub(super) use {givens::Givens, position::Position, tables::Tables};

use self::sat::{Found, Sat};
use self::search::{End, Search, Then};
use super::{Budget, Count, Verdict};
use crate::board::{Puzzle, Solution};

/// The number of dead ends before the first restart.
const PATIENCE: u64 = 1000;

/// Has a puzzle no, one or several solutions? Boards of order above 36 are not searched: [`Verdict::Unknown`].
pub fn verdict(puzzle: &Puzzle, budget: Budget) -> Verdict {
    Verdict::of(solutions(puzzle, 2, budget))
}

/// Counts the solutions of a puzzle, up to a limit.
pub fn count(puzzle: &Puzzle, limit: u64, budget: Budget) -> Count {
    explore(puzzle, limit, budget, |_| ())
}

/// The solutions of a puzzle, up to a limit, in the order in which the search meets them.
pub fn solutions(puzzle: &Puzzle, limit: usize, budget: Budget) -> (Vec<Solution>, Count) {
    let mut found = Vec::new();
    let count = explore(puzzle, limit as u64, budget, |values| {
        let values = values.iter().map(|&value| value.into()).collect();
        found.push(Solution::trusted(puzzle.shape(), values));
    });
    (found, count)
}

/// The first solution that the search meets. None if there is no solution, if the budget is used up, or if the
/// order is above 36.
pub fn complete(puzzle: &Puzzle, budget: Budget) -> Option<Solution> {
    solutions(puzzle, 1, budget).0.pop()
}

/// Calls `found` with each solution, up to a limit.
fn explore(puzzle: &Puzzle, limit: u64, budget: Budget, found: impl FnMut(&[u8])) -> Count {
    // With a high limit the SAT solver is not used: its clauses would have to exclude every known solution.
    let gate = if limit <= sat::MOST_SOLUTIONS { sat::gate(puzzle.shape().order(), budget) } else { u64::MAX };
    explore_from(gate, puzzle, limit, budget, found)
}

/// [`explore`] with a gate: after this number of positions without a solution, the SAT solver takes over.
fn explore_from(gate: u64, puzzle: &Puzzle, limit: u64, budget: Budget, found: impl FnMut(&[u8])) -> Count {
    if limit == 0 || !puzzle.shape().is_solvable() {
        return Count { found: 0, exact: false };
    }
    let tables = Tables::of(puzzle.shape());
    let mut search = Search::new(tables);
    search.allow(budget.0, gate);
    let known = (gate < u64::MAX).then(Vec::new);
    let mut exploration = Exploration { limit, count: 0, known, found };
    let givens = Givens::of(tables, puzzle);
    let first = exploration.search(&mut search, &givens);
    let exact = first.or_else(|| exploration.clauses(tables, &mut search)).unwrap_or_else(|| {
        search.allow(search.left(), u64::MAX);
        exploration.search(&mut search, &givens).unwrap_or(false)
    });
    Count { found: exploration.count, exact }
}

/// What was found so far.
struct Exploration<F> {
    limit: u64,
    count: u64,
    /// The solutions found, where they are kept.
    known: Option<Vec<Vec<u8>>>,
    found: F,
}

impl<F: FnMut(&[u8])> Exploration<F> {
    /// Records a solution; ignores one that was found before.
    fn take(&mut self, values: &[u8]) -> Then {
        if let Some(known) = &mut self.known {
            if known.iter().any(|other| other == values) {
                return Then::Continue;
            }
            known.push(values.to_vec());
        }
        self.count += 1;
        (self.found)(values);
        if self.count < self.limit { Then::Continue } else { Then::Stop }
    }

    /// Searches from the start, with restarts. True if there are no more solutions, false if it
    /// stopped early; None at a gate.
    fn search(&mut self, search: &mut Search, givens: &Givens) -> Option<bool> {
        let mut patience = PATIENCE;
        loop {
            if !search.visit() {
                return (search.left() == 0).then_some(false);
            }
            if search.start(givens).and_then(|root| root.settle(givens.tables)).is_err() {
                return Some(true);
            }
            match search.run(&[], patience, |values| self.take(values)) {
                End::Tired => patience = patience.saturating_mul(2),
                End::Spent => return (search.left() == 0).then_some(false),
                end => return Some(end == End::Exhausted),
            }
        }
    }

    /// Continues with the SAT solver where the search stopped at a gate. None if there would be too many clauses.
    fn clauses(&mut self, tables: &Tables, search: &mut Search) -> Option<bool> {
        let mut left = sat::conflicts(search.left());
        let known = self.known.as_deref().unwrap_or_default();
        let mut sat = Sat::new(tables, search.root(), known.first().map_or(&[], Vec::as_slice))?;
        known.iter().for_each(|values| sat.forbid(values));
        loop {
            match sat.solve(&mut left) {
                Found::Nothing => return Some(true),
                Found::Spent => return Some(false),
                Found::Solution if self.take(sat.values()) == Then::Stop => return Some(false),
                Found::Solution => sat.forbid_last(),
            }
        }
    }
}

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod tests;
