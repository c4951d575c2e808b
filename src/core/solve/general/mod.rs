//! Boards of every shape of order 4 to 36: counting solutions, proving uniqueness, completing, filling at random.
//!
//! ```text
//!   tables     what depends on the shape            search    guesses, and weights learnt from dead ends
//!   givens     digits by house, changed in place    prover    is there a second solution? For digging
//!   position   domains as bits, singles             fill      random full grids
//!   sat        a SAT solver for long searches       trial     nested assumptions, without guesses
//! ```
//!
//! The constraint search has bit sets for what is possible in each cell, and for each digit in each house. It places
//! naked and hidden singles until there are none, and then guesses in a smallest domain: a cell, or the places of a
//! digit in a house. [`position`] draws these bit sets, the *words*; [`search`] chooses the guess.
//!
//! A depth-first search may take very long to find its first solution, above all on large boards with few givens. So a
//! search restarts if it meets too many dead ends before its first solution. It keeps the weights of the words, and the
//! allowed number of dead ends doubles, so that a puzzle without solutions is recognised in the end.
//!
//! If the search becomes long, a SAT solver continues it: see [`sat`]. Its conflicts use the same budget, so the answer
//! is still the same on every machine.

mod fill;
mod givens;
mod position;
mod prover;
mod sat;
mod search;
mod tables;
mod trial;

pub(crate) use fill::random_fill;
pub(crate) use prover::ProverOf;
pub use trial::te_depth;
pub(super) use {givens::Givens, position::SearchPosition, tables::Tables};

use self::sat::Sat;
use self::search::{Search, SearchEnd};
use super::{Budget, Count};
use crate::board::{Digits, Puzzle, Shape, Solution};

/// The number of dead ends before the first restart.
const PATIENCE: u64 = 1000;

/// Counts the solutions of a puzzle, up to a limit. Above order 36 none is found, and the count is not exact.
pub fn count(puzzle: &Puzzle, limit: u64, budget: Budget) -> Count {
    explore(puzzle, limit, budget, |_| ())
}

/// The solutions of a puzzle, up to a limit, in the order in which the search meets them. Boards of order above 36 are
/// not searched, as in [`count`].
pub fn solutions(puzzle: &Puzzle, limit: usize, budget: Budget) -> (Vec<Solution>, Count) {
    let mut solutions = Vec::new();
    let count = explore(puzzle, limit as u64, budget, |values| {
        let values = values.iter().map(|&value| value.into()).collect();
        solutions.push(Solution::trusted(puzzle.shape(), values));
    });
    (solutions, count)
}

/// The solutions in which every cell has one of its candidates, up to a limit. A candidate that another cell's only one
/// excludes is none, listed or not. Boards of order above 36 are not searched.
///
/// ```
/// use sudoku_corpus_core::board::{Digits, Shape};
/// use sudoku_corpus_core::solve::{Budget, general::solutions_at};
///
/// let shape: Shape = "2x2".parse()?;
/// let mut cells = vec![Digits::all(4); 16];
/// assert_eq!(solutions_at(shape, &cells, 1_000, Budget::UNLIMITED).1.found, 288);
/// cells[0] = Digits(0b0001);
/// assert_eq!(solutions_at(shape, &cells, 1_000, Budget::UNLIMITED).1.found, 72);
/// cells[1] = Digits(0b0001);
/// assert_eq!(solutions_at(shape, &cells, 1_000, Budget::UNLIMITED).1.found, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solutions_at(shape: Shape, candidates: &[Digits], limit: usize, budget: Budget) -> (Vec<Solution>, Count) {
    let mut solutions = Vec::new();
    if limit == 0 || !shape.is_solvable() {
        return (solutions, Count { found: 0, exact: false });
    }
    let tables = Tables::of(shape);
    let mut search = Search::new(tables);
    search.allow(budget.0, u64::MAX);
    let root = search.root();
    let settled = root.start(&Givens::none(tables)).and_then(|()| root.keep(tables, candidates));
    if settled.and_then(|()| root.settle(tables)).is_none() {
        return (solutions, Count { found: 0, exact: true });
    }
    let mut query = SolutionQuery {
        givens: None,
        known: &[],
        limit: limit as u64,
        count: 0,
        met: None,
        on_solution: |values: &[u8]| {
            solutions.push(Solution::trusted(shape, values.iter().map(|&value| value.into()).collect()));
        },
    };
    let exact = query.answer(tables, &mut search);
    let count = Count { found: query.count, exact };
    (solutions, count)
}

/// Calls `on_solution` with each solution, up to a limit.
fn explore(puzzle: &Puzzle, limit: u64, budget: Budget, on_solution: impl FnMut(&[u8])) -> Count {
    // With a high limit the SAT solver is not used: its clauses would have to exclude every known solution.
    let gate = if limit <= sat::MOST_SOLUTIONS { sat::gate(puzzle.shape().order(), budget) } else { u64::MAX };
    explore_from(gate, puzzle, limit, budget, on_solution)
}

/// [`explore`] with a gate: the number of positions without a solution after which the SAT solver takes over.
fn explore_from(gate: u64, puzzle: &Puzzle, limit: u64, budget: Budget, on_solution: impl FnMut(&[u8])) -> Count {
    if limit == 0 || !puzzle.shape().is_solvable() {
        return Count { found: 0, exact: false };
    }
    let tables = Tables::of(puzzle.shape());
    let mut search = Search::new(tables);
    search.allow(budget.0, gate);
    let givens = Givens::of(tables, puzzle);
    let met = (gate < u64::MAX).then(Vec::new);
    let mut query = SolutionQuery { givens: Some(&givens), known: &[], limit, count: 0, met, on_solution };
    let exact = query.answer(tables, &mut search);
    Count { found: query.count, exact }
}

/// A query for solutions, up to a limit. One known solution can be excluded.
struct SolutionQuery<'a, F> {
    /// The givens from which the search starts, and restarts after too many dead ends. If None, the search starts once,
    /// from the root, which must be fully propagated.
    givens: Option<&'a Givens>,
    /// A solution that does not count, or an empty slice. Its digits are tried first.
    known: &'a [u8],
    /// The number of solutions that are wanted.
    limit: u64,
    /// The number of solutions found so far.
    count: u64,
    /// The solutions met so far, if the SAT solver may have to exclude them.
    met: Option<Vec<Vec<u8>>>,
    /// Receives each solution: the digits of all cells, from 1.
    on_solution: F,
}

impl<F: FnMut(&[u8])> SolutionQuery<'_, F> {
    /// Searches up to the gate, then runs the SAT solver. If there would be too many clauses, searches again without a
    /// gate. True if there are no more solutions, false if the limit or the budget was reached.
    fn answer(&mut self, tables: &Tables, search: &mut Search) -> bool {
        self.by_search(search).or_else(|| self.by_clauses(tables, search)).unwrap_or_else(|| {
            search.allow(search.budget, u64::MAX);
            self.by_search(search).unwrap_or(false)
        })
    }

    /// Records a solution; ignores one that is known or was found before. True if more are wanted.
    fn take(&mut self, values: &[u8]) -> bool {
        if values == self.known {
            return true;
        }
        if let Some(met) = &mut self.met {
            if met.iter().any(|solution| solution == values) {
                return true;
            }
            met.push(values.to_vec());
        }
        self.count += 1;
        (self.on_solution)(values);
        self.count < self.limit
    }

    /// The answer by search; None if the gate was reached.
    fn by_search(&mut self, search: &mut Search) -> Option<bool> {
        let mut patience = if self.givens.is_some() { PATIENCE } else { u64::MAX };
        loop {
            if let Some(givens) = self.givens {
                if !search.visit() {
                    return (search.budget == 0).then_some(false);
                }
                let root = search.root();
                if root.start(givens).and_then(|()| root.settle(givens.tables)).is_none() {
                    return Some(true);
                }
            }
            match search.run(self.known, patience, |values| self.take(values)) {
                SearchEnd::Tired => patience = patience.saturating_mul(2),
                SearchEnd::Spent => return (search.budget == 0).then_some(false),
                end => return Some(end == SearchEnd::Exhausted),
            }
        }
    }

    /// The answer by the SAT solver; None if there would be too many clauses.
    fn by_clauses(&mut self, tables: &Tables, search: &mut Search) -> Option<bool> {
        let mut conflicts_left = search.budget / sat::POSITIONS_A_CONFLICT;
        let mut excluded: Vec<&[u8]> = self.met.iter().flatten().map(Vec::as_slice).collect();
        excluded.extend(Some(self.known).filter(|known| !known.is_empty()));
        let mut sat = Sat::new(tables, search.root(), excluded.first().copied().unwrap_or_default())?;
        excluded.into_iter().for_each(|values| sat.forbid(values));
        while let Some(has_solution) = sat.solve(&mut conflicts_left) {
            if !has_solution {
                return Some(true);
            }
            if !self.take(&sat.values) {
                break;
            }
            sat.forbid_last();
        }
        Some(false)
    }
}

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod tests;
