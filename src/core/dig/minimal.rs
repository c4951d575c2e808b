//! `minimal`: removes cells in random order, each only if the puzzle stays unique.
//!
//! "How to generate a valid and fast Sudoku board from scratch?" (Yagiz), step 2, and "Sudoku" (Whack! My world of
//! hacks) both dig this way. Every minimal puzzle of the solution can be the result, but not with equal probability:
//! see [`super::weight`], which corrects this.

use super::{Dug, Job, ProverWork, digging, orbits, weight};
use crate::board::{CellSet, Puzzle, Solution, Symmetry};
use crate::random::Rng;
use crate::solve::{Budget, Prover};

/// The share of the units that the first question removes.
const FIRST_WINDOW: (usize, usize) = (42, 81);

/// Digs one puzzle.
pub fn dig<S: CellSet, R: Prover<S>>(mut job: Job<'_, R>, rng: &mut Rng) -> Dug {
    let units: Vec<S> = orbits::shuffled(job.solution.shape(), job.symmetry, rng);
    let window = first_window(units.len());
    let mut digging = job.digging(units, &[], window, 0);
    let minimal = digging.is_minimal();
    let (givens, units, demands, spent) = (digging.givens, digging.units, digging.demands, digging.spent);
    let weigh = job.options.weight && job.symmetry == Symmetry::None && job.logic.is_none() && minimal == Some(true);
    let log_weight = weigh
        .then(|| weight::log_weight(&mut job.prover, &units, givens, demands.sets().iter().chain(&spent)))
        .flatten();
    Dug { log_weight, ..Dug::unique(job.solution, givens, minimal) }
}

/// Is a unique puzzle of this solution minimal? None if the budget did not settle it, or if the puzzle is not a part of
/// the solution. The puzzle must be unique; this is not checked.
pub fn is_minimal(puzzle: &Puzzle, solution: &Solution, budget: Budget) -> Option<bool> {
    let applies = puzzle.is_part_of(solution) && solution.shape().is_solvable();
    applies.then(|| super::with_prover(solution, budget, (puzzle, solution))).flatten()
}

impl ProverWork for (&Puzzle, &Solution) {
    type Output = Option<bool>;

    fn run<S: CellSet, R: Prover<S>>(self, mut prover: R, _: impl FnOnce() -> Option<R>) -> Option<bool> {
        let (puzzle, solution) = self;
        let givens = S::of(puzzle.grid().given_cells().map(|(cell, _)| cell));
        let mut sets = Vec::new();
        super::plain_sets(solution, solution.shape().order() + 1, |cells| sets.push(S::of(cells.iter().copied())));
        digging::is_minimal(&mut prover, givens, S::empty(), &sets)
    }
}

/// The number of units to remove with the first question.
pub fn first_window(units: usize) -> usize {
    units * FIRST_WINDOW.0 / FIRST_WINDOW.1
}

#[cfg(test)]
mod tests {
    use super::super::testing::{SHAPES, givens_of, minimal, rng, solution};
    use super::super::{DigOptions, Plan};
    use super::*;
    use crate::board::{Narrow, Shape};

    #[test]
    fn is_minimal_agrees_with_counting_solutions() {
        for (rows, columns) in SHAPES {
            let shape = Shape::new(rows, columns).unwrap();
            for index in 0..6 {
                let mut rng = rng(index);
                let solution = solution(shape, &mut rng);
                let options = DigOptions { budget: Budget::UNLIMITED, ..DigOptions::of(shape) };
                let dug = Plan::Minimal.dig(&solution, Symmetry::ALL[index as usize], &options, &mut rng).unwrap();
                let known = is_minimal(&dug.puzzle, &solution, options.budget);
                assert_eq!(known, Some(minimal::<Narrow>(&solution, givens_of(&dug.puzzle))));
                assert_eq!(known, dug.minimal);
                let mut more = dug.puzzle.into_grid();
                let hole = more.values().iter().position(|&value| value == 0).unwrap();
                more.set(crate::board::Cell::new(hole), Some(solution.digit(crate::board::Cell::new(hole))));
                let more = Puzzle::try_from(more).unwrap();
                assert_eq!(is_minimal(&more, &solution, options.budget), Some(false));
            }
        }
    }

    #[test]
    fn a_puzzle_of_another_solution_has_no_answer() {
        let (one, other) = (solution(Shape::NINE, &mut rng(1)), solution(Shape::NINE, &mut rng(2)));
        assert_eq!(is_minimal(&Puzzle::from(one), &other, Budget::UNLIMITED), None);
    }

    #[test]
    fn minimal_puzzles_have_as_many_givens_as_published() {
        let digs = 400;
        let mean = (0..digs)
            .map(|index| {
                let mut rng = rng(index);
                let solution = solution(Shape::NINE, &mut rng);
                let dug = Plan::Minimal.dig(&solution, Symmetry::None, &DigOptions::of(Shape::NINE), &mut rng).unwrap();
                dug.puzzle.grid().givens() as f64
            })
            .sum::<f64>()
            / digs as f64;
        // Top-down digging of uniform grids: mean 24.38, standard deviation 1.12 (Berthier 2009).
        assert!((mean - 24.38).abs() < 0.35, "{mean}");
    }
}
