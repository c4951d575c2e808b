//! Boards of every shape of order 4 to 36: counting solutions, proving uniqueness, completing, filling at random.
//!
//! ```text
//!   tables     what depends on the shape            search    guesses, and what dead ends teach
//!   givens     digits by house, changed in place    rivals    what digging asks
//!   position   domains as bits, singles             fill      random full grids
//! ```
//!
//! Constraint search: bit sets for what is possible in each cell and for each digit in each house, naked and hidden singles
//! to a fixed point, then a guess where least is possible, on cells and on places of a digit alike. See
//! [`position`] for the drawing of the words and [`search`] for the choice of the guess.
//!
//! A first solution may hide from a depth-first search for very long, above all on large boards with few givens. So a
//! search that meets too many dead ends before it has a solution begins anew; the words remember where it failed, and its
//! patience doubles, so that a puzzle without solutions is found out in the end.

mod fill;
mod givens;
mod position;
mod rivals;
mod search;
mod tables;

pub use fill::random_fill;
pub use rivals::RivalsOf;
pub(super) use {givens::Givens, position::Position, tables::Tables};

use self::search::{End, Search, Then};
use super::{Budget, Count, Verdict};
use crate::board::{Puzzle, Solution};

/// Dead ends before the first new beginning.
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

/// The first solution that the search meets: singles to a fixed point, then the word with fewest possibilities. None
/// when there is no solution, when the budget is spent, or when the order is above 36.
pub fn complete(puzzle: &Puzzle, budget: Budget) -> Option<Solution> {
    solutions(puzzle, 1, budget).0.pop()
}

/// Tells `found` each solution, up to a limit.
fn explore(puzzle: &Puzzle, limit: u64, budget: Budget, mut found: impl FnMut(&[u8])) -> Count {
    let mut count = Count { found: 0, exact: false };
    if limit == 0 || !puzzle.shape().is_solvable() {
        return count;
    }
    let tables = Tables::of(puzzle.shape());
    let givens = Givens::of(tables, puzzle);
    let mut search = Search::new(tables);
    search.allow(budget.0);
    let mut patience = PATIENCE;
    loop {
        if !search.visit() {
            return count;
        }
        if search.start(&givens).and_then(|root| root.settle(tables)).is_err() {
            return Count { found: 0, exact: true };
        }
        let end = search.run(&[], patience, |values| {
            count.found += 1;
            found(values);
            if count.found < limit { Then::Continue } else { Then::Stop }
        });
        if end != End::Tired {
            return Count { exact: end == End::Exhausted, ..count };
        }
        patience = patience.saturating_mul(2);
    }
}

#[cfg(test)]
mod tests;
