//! `minimal` removes cells in random order, each only if the puzzle stays unique. `givens` stops at a number of givens.
//!
//! "How to generate a valid and fast Sudoku board from scratch?" (Yagiz), step 2, and "Sudoku" (Whack! My world of
//! hacks) both dig this way. Every minimal puzzle of the solution can be the result, but not with equal probability:
//! see [`super::weight`], which corrects this.
//!
//! The number of `givens` is drawn uniformly from the numbers in the range that a pattern with the symmetry can have.
//! An orbit is skipped if too few givens would be left without it. A dig may end with more givens than this number. If
//! they are still in the range, the puzzle is used; otherwise the dig fails. So numbers that are hard to reach occur
//! less often than others.

use std::ops::RangeInclusive;

use super::weight;
use crate::board::{CellSet, Puzzle, Shape, Solution, Symmetry};
use crate::dig::job::{DigError, Dug, Job, ProverWork, with_prover};
use crate::dig::unavoidable::plain_sets;
use crate::dig::{digging, orbits, plan};
use crate::random::Rng;
use crate::solve::{Budget, Prover};

/// Digs one puzzle: down to a number of givens in `range`, or as far as possible.
pub(super) fn dig<S: CellSet, R: Prover<S>>(
    mut job: Job<'_, R>,
    range: Option<&RangeInclusive<usize>>,
    rng: &mut Rng,
) -> Result<Dug, DigError> {
    let shape = job.solution.shape();
    let floor = range.map_or(0, |range| rng.choose(&plan::reachable_givens(shape, job.symmetry, range)));
    let units: Vec<S> = orbits::shuffled(shape, job.symmetry, rng);
    let window = first_window(shape, units.len());
    let mut digging = job.digging(units, &[], window, floor);
    let best = digging.givens.len();
    if let Some(most) = range.map(|range| *range.end()).filter(|&most| best > most) {
        return Err(DigError::OutOfReach { best, most });
    }
    let minimal = digging.is_minimal();
    let (givens, units, demands, spent) = (digging.givens, digging.units, digging.demands, digging.spent);
    let weigh = job.options.weight && range.is_none() && job.symmetry == Symmetry::None && job.logic.is_none();
    let log_weight = if weigh && minimal == Some(true) {
        weight::log_weight(&mut job.prover, &units, givens, demands.sets.iter().chain(&spent))
    } else {
        None
    };
    Ok(Dug { log_weight, ..Dug::unique(job.solution, givens, minimal) })
}

/// Is a unique puzzle of this solution minimal? None if the budget did not settle it, or if the puzzle is not a part of
/// the solution. The puzzle must be unique; this is not checked.
pub fn is_minimal(puzzle: &Puzzle, solution: &Solution, budget: Budget) -> Option<bool> {
    if !puzzle.is_part_of(solution) || !solution.shape().is_solvable() {
        return None;
    }
    with_prover(solution, budget, MinimalityTest { puzzle, solution })
}

struct MinimalityTest<'a> {
    puzzle: &'a Puzzle,
    solution: &'a Solution,
}

impl ProverWork for MinimalityTest<'_> {
    type Output = Option<bool>;

    fn run<S: CellSet, R: Prover<S>>(self, mut prover: R, _: impl FnOnce() -> Option<R>) -> Option<bool> {
        let MinimalityTest { puzzle, solution } = self;
        let givens = S::of(puzzle.grid().given_cells().map(|(cell, _)| cell));
        let mut sets = Vec::new();
        plain_sets(solution, solution.shape().order() + 1, &mut |set| sets.push(set));
        digging::is_minimal(&mut prover, givens, S::empty(), &sets)
    }
}

/// The number of units to remove with the first question: 42 of 81; 50 with further rules, which need fewer givens.
pub(super) fn first_window(shape: Shape, units: usize) -> usize {
    units * if shape.is_plain() { 42 } else { 50 } / 81
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::catalogue::canonical;
    use crate::dig::Plan;
    use crate::dig::testing::{all_minimal, dig, grids_of_4x4, rng, solution};

    #[test]
    fn a_puzzle_of_another_solution_has_no_answer() {
        let (one, other) = (solution(Shape::NINE, &mut rng(1)), solution(Shape::NINE, &mut rng(2)));
        assert_eq!(is_minimal(&Puzzle::from(one), &other, Budget::UNLIMITED), None);
    }

    /// Essentially different minimal 4x4 puzzles: 13 with four givens, 22 with five, 1 with six; "Mini Sudoku" on
    /// Wikipedia's "Mathematics of Sudoku", from the players' forum (2006).
    #[test]
    fn minimal_puzzles_of_4x4_are_counted_as_published() {
        let mut classes = [(); 3].map(|()| HashSet::new());
        for (solution, _) in grids_of_4x4() {
            for set in all_minimal(&solution) {
                classes[set.len() - 4].insert(canonical::class(&solution.masked(|cell| set.contains(cell))));
            }
        }
        assert_eq!(classes.map(|of_size| of_size.len()), [13, 22, 1]);
    }

    #[test]
    fn minimal_puzzles_have_as_many_givens_as_published() {
        let givens = |index| dig(&Plan::Minimal, Shape::NINE, Symmetry::None, index).unwrap().puzzle.grid().givens();
        let mean = (0..400).map(givens).sum::<usize>() as f64 / 400.0;
        // Top-down digging of uniform grids: mean 24.38, standard deviation 1.12 (Berthier 2009).
        assert!((mean - 24.38).abs() < 0.35, "{mean}");
    }

    #[test]
    fn numbers_of_givens_that_can_be_reached_are_drawn_evenly() {
        let mut counts = [0; 6];
        for index in 0..300 {
            let dug = dig(&Plan::Givens(30..=35), Shape::NINE, Symmetry::None, index).unwrap();
            counts[dug.puzzle.grid().givens() - 30] += 1;
        }
        assert!(counts.iter().all(|count| (25..=80).contains(count)), "{counts:?}");
    }

    #[test]
    fn the_number_of_givens_lies_in_the_range_or_in_the_error() {
        for index in 0..80 {
            let symmetry = Symmetry::ALL[index as usize % 8];
            match dig(&Plan::Givens(33..=36), Shape::NINE, symmetry, index) {
                Ok(dug) => assert!((33..=36).contains(&dug.puzzle.grid().givens()), "{symmetry}"),
                Err(error) => assert!(matches!(error, DigError::OutOfReach { best: 37.., most: 36 }), "{error}"),
            }
            if index < 20 {
                let low = dig(&Plan::Givens(17..=19), Shape::NINE, Symmetry::None, index);
                assert!(matches!(low, Err(DigError::OutOfReach { best: 20..=30, most: 19 })), "{low:?}");
            }
        }
    }
}
