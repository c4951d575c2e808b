//! Finds the solutions of a position: the candidates of every cell are given, perhaps fewer than the digits leave.

use super::{Budget, Count};
use crate::board::{Digits, Grid, Layout, Shape, Solution};

/// The solutions in which every cell has one of its candidates, up to a limit. A candidate that a placed digit excludes
/// is none, listed or not.
///
/// ```
/// use sudoku_corpus_core::board::{Digits, Shape};
/// use sudoku_corpus_core::solve::{Budget, position};
///
/// let shape: Shape = "2x2".parse()?;
/// let mut cells = vec![Digits::all(4); 16];
/// assert_eq!(position::solutions(shape, &cells, 1_000, Budget::UNLIMITED).1.found, 288);
/// cells[0] = Digits(0b0001);
/// assert_eq!(position::solutions(shape, &cells, 1_000, Budget::UNLIMITED).1.found, 72);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solutions(shape: Shape, candidates: &[Digits], limit: usize, budget: Budget) -> (Vec<Solution>, Count) {
    let mut search = Search { layout: Layout::of(shape), shape, found: Vec::new(), limit, left: budget.0 };
    let complete = search.from(candidates.to_vec());
    let count = Count { found: search.found.len() as u64, exact: complete };
    (search.found, count)
}

/// The data of one search.
struct Search {
    layout: &'static Layout,
    shape: Shape,
    /// The solutions found so far; at most `limit` are wanted.
    found: Vec<Solution>,
    limit: usize,
    /// Positions that may still be visited.
    left: u64,
}

impl Search {
    /// Searches a position. False if the limit or the budget ended the search.
    fn from(&mut self, mut cells: Vec<Digits>) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        if !self.reduce(&mut cells) {
            return true;
        }
        let open = (0..cells.len()).filter(|&at| cells[at].len() > 1).min_by_key(|&at| cells[at].len());
        let Some(at) = open else {
            let values = cells.iter().map(|cell| cell.first().map_or(0, |digit| digit.value())).collect();
            self.found.extend(Grid::new(self.shape, values).ok().and_then(|grid| Solution::try_from(grid).ok()));
            return self.found.len() < self.limit;
        };
        cells[at].iter().all(|digit| {
            let mut next = cells.clone();
            next[at] = Digits::only(digit);
            self.from(next)
        })
    }

    /// Removes the digits of cells with one candidate from their houses, and keeps a digit that has one place. False if
    /// a cell or a digit has none.
    fn reduce(&self, cells: &mut [Digits]) -> bool {
        loop {
            let before = cells.to_vec();
            for house in self.layout.houses() {
                let members = self.layout.house(house);
                let (mut once, mut twice) = (Digits::EMPTY, Digits::EMPTY);
                for &cell in members {
                    if let Some(digit) = cells[cell.index()].single() {
                        let others = members.iter().filter(|&&other| other != cell);
                        others.for_each(|other| cells[other.index()].remove(digit));
                    }
                }
                for &cell in members {
                    twice = twice | (once & cells[cell.index()]);
                    once = once | cells[cell.index()];
                }
                if once != Digits::all(self.shape.order()) {
                    return false;
                }
                for &cell in members {
                    let here = cells[cell.index()] & (once - twice);
                    if here.len() > 1 {
                        return false;
                    }
                    if !here.is_empty() {
                        cells[cell.index()] = here;
                    }
                }
            }
            if cells.iter().any(|cell| cell.is_empty()) {
                return false;
            }
            if before == cells {
                return true;
            }
        }
    }
}
