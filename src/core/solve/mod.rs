//! Solving: how many solutions a puzzle has, and which they are.
//!
//! ```text
//!                      verdict   count   solutions                 search_depth
//!                          \       |       /                            |
//!                  3x3 ----- by the shape ----- all others              |
//!                   |                               |                   |
//!                 nine                           general              probe
//!             bands of bits                 any shape to 6x6     the reference search
//! ```
//!
//! [`nine`] is written for 81 cells only. On 9x9 boards it gives the same answers as [`general`], but faster.
//! [`Prover`] answers the question that digging repeats for one known solution: is there another solution?
//!
//! If a search on a large board becomes long, [`general`] continues with a SAT solver. Callers see no difference.
//!
//! A budget counts search nodes (on 9x9, solutions), never time, so the answer is the same on every machine. "Unknown
//! within the budget" is a separate answer. It never counts as "unique".
//!
//! ```
//! use sudoku_corpus_core::board::{Puzzle, text};
//! use sudoku_corpus_core::solve::probe::search_depth;
//! use sudoku_corpus_core::solve::{Budget, Count, Verdict, count, solutions, verdict};
//!
//! let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
//! let puzzle = Puzzle::try_from(text::parse_line(line, None)?)?;
//! let Verdict::Unique(solution) = verdict(&puzzle, Budget::UNLIMITED) else { unreachable!("it has one solution") };
//! assert_eq!(search_depth(&puzzle, Budget(1_000)).map(|cost| cost.guesses), Some(0)); // singles solve it
//!
//! // Every third column is given, so the others of a stack can be exchanged.
//! let several = solution.masked(|cell| cell.index() % 3 == 0);
//! assert_eq!(count(&several, 8, Budget::UNLIMITED), Count { found: 8, exact: false }); // 8, and perhaps more
//! let (found, _) = solutions(&several, 2, Budget::UNLIMITED);
//! assert!(found[0] != found[1] && several.is_part_of(&found[1]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
pub mod general;
pub mod nine;
pub mod probe;

pub use answer::{Answer, Budget, Count, Prover, Verdict};

use crate::board::{Cell, Digit, Grid, Puzzle, Reason, Shape, Solution};

/// A digit, from 0, in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    cell: usize,
    digit: usize,
}

/// Has a puzzle no, one or several solutions? Boards of order above 36 are not searched: [`Verdict::Unknown`].
pub fn verdict(puzzle: &Puzzle, budget: Budget) -> Verdict {
    let (solutions, count) = solutions(puzzle, 2, budget);
    Verdict::of(solutions, count)
}

/// Counts the solutions of a puzzle, up to a limit.
pub fn count(puzzle: &Puzzle, limit: u64, budget: Budget) -> Count {
    if puzzle.shape() != Shape::NINE {
        return general::count(puzzle, limit, budget);
    }
    let limit = limit.min(budget.0);
    let solutions = nine::count(&nine_values(puzzle), limit);
    Count { found: solutions, exact: solutions < limit }
}

/// The solutions of a puzzle, up to a limit, in the order in which the search meets them.
pub fn solutions(puzzle: &Puzzle, limit: usize, budget: Budget) -> (Vec<Solution>, Count) {
    if puzzle.shape() != Shape::NINE {
        return general::solutions(puzzle, limit, budget);
    }
    let limit = limit.min(usize::try_from(budget.0).unwrap_or(usize::MAX));
    let mut grids = Vec::new();
    nine::solutions(&nine_values(puzzle), limit, &mut grids);
    let count = Count { found: grids.len() as u64, exact: grids.len() < limit };
    let solutions = grids.into_iter().map(|values| Solution::trusted(Shape::NINE, values.map(u16::from).to_vec()));
    (solutions.collect(), count)
}

/// The number of full grids of a shape up to relabelling, up to a limit: those whose first row is 1, 2, 3, ..
pub fn grids_up_to_digits(shape: Shape, limit: u64, budget: Budget) -> Count {
    let mut grid = Grid::blank(shape);
    (0..shape.order()).for_each(|column| grid.set(Cell::new(column), Some(Digit::from_index(column))));
    let Ok(puzzle) = Puzzle::try_from(grid) else { return Count { found: 0, exact: true } };
    // The SAT solver, which proves in a moment that there is no grid, is used only where few are wanted.
    match count(&puzzle, limit.min(1), budget) {
        none @ Count { found: 0, .. } => none,
        _ => count(&puzzle, limit, budget),
    }
}

/// Refuses a board with rules that is proved to have no grid. Every recipe asks it, so grids are made of no such board.
///
/// # Errors
/// The board has no grid.
pub fn ensure_grid(shape: Shape) -> Result<(), Reason> {
    if shape.is_plain() || shape.is_any_jigsaw() {
        return Ok(());
    }
    if grids_up_to_digits(shape, 1, Budget(1_000_000)) != (Count { found: 0, exact: true }) {
        return Ok(());
    }
    Err(Reason(format!("there is no grid of the {}", shape.board())))
}

/// The values of a 9x9 puzzle in the form that [`nine`] takes.
fn nine_values<const CELLS: usize>(puzzle: &Puzzle) -> [u8; CELLS] {
    std::array::from_fn(|cell| puzzle.grid().values()[cell] as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_below_the_limit_is_never_exact_on_nine_by_nine() {
        let blank = Puzzle::try_from(Grid::blank(Shape::NINE)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(count(&blank, 1000, Budget(7)), Count { found: 7, exact: false });
        assert_eq!(verdict(&blank, Budget(1)), Verdict::Unknown);
        assert!(matches!(verdict(&blank, Budget(2)), Verdict::Several(..)));
    }
}
