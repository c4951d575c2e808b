//! `within`: works as `minimal` does, but removes a cell only if the puzzle stays within a bound, such as "at most
//! hard".
//!
//! ```text
//!   random order    is it unique without the cell?    is it within the bound?    the cell
//!                   no                                 -                          stays
//!                   yes                                no                         stays
//!                   yes                                yes                        goes
//! ```
//!
//! Easy puzzles need this, because a minimal puzzle is seldom easy. The loop is that of [`super::digging`], which
//! treats a puzzle outside the bound like an unsettled question: the cell stays. So a puzzle of this plan is within the
//! bound, and it is seldom minimal. Each of its givens was kept because, when it was tried, removing it led outside the
//! bound or to a second solution, or the budget did not settle the question.
//!
//! The caller decides what is within the bound, so this module does not depend on a rater. Some bounds also *prove*
//! that a puzzle has one solution, for example a ladder of techniques that are valid for any puzzle. They save the
//! search: on large boards, logic is tried first, and then only the bound.
//!
//! Measured on 9x9, with singles and with "at most hard" as the bound, as relative times of complete runs: 1 if the
//! first test removes 42 of the 81 cells, 1.16 for 60 cells, 1.3 for 21 cells, 1.5 for single cells from the beginning.

use super::minimal;
use crate::board::{Cell, CellSet, Puzzle, Solution, Symmetry};
use crate::dig::digging::Digging;
use crate::dig::job::{DigOptions, Dug, LOGIC, ProverWork, with_prover};
use crate::dig::orbits;
use crate::random::Rng;
use crate::solve::{Answer, Budget, Prover};

/// The bound that a puzzle must not exceed while it is dug.
pub struct Bound<'a> {
    /// True for puzzles within the bound. It is called for puzzles with one solution. If `proves` is true, it is also
    /// called for puzzles that may have several solutions.
    pub allows: &'a mut dyn FnMut(&Puzzle) -> bool,
    /// True if `allows` is false for every puzzle with several solutions.
    pub proves: bool,
}

/// Digs one puzzle out of a solution. The full grid itself counts as within the bound.
pub fn dig_within(
    solution: &Solution,
    symmetry: Symmetry,
    options: &DigOptions,
    bound: &mut Bound<'_>,
    rng: &mut Rng,
) -> Dug {
    let bounded = options.budget != Budget::UNLIMITED;
    let budget = if bounded && bound.proves { options.budget.min(LOGIC) } else { options.budget };
    with_prover(solution, budget, DigWithin { solution, part: None, symmetry, bound, rng })
}

pub(super) struct DigWithin<'a, 'b> {
    pub solution: &'a Solution,
    /// The puzzle to begin with, if it is not the full grid: it has one solution, is symmetric and within the bound.
    pub part: Option<&'a Puzzle>,
    pub symmetry: Symmetry,
    pub bound: &'a mut Bound<'b>,
    pub rng: &'a mut Rng,
}

impl ProverWork for DigWithin<'_, '_> {
    type Output = Dug;

    fn run<S: CellSet, R: Prover<S>>(self, prover: R, _: impl FnOnce() -> Option<R>) -> Dug {
        let DigWithin { solution, part, symmetry, bound, rng } = self;
        let mut units: Vec<S> = orbits::shuffled(solution.shape(), symmetry, rng);
        let window = match part {
            None => minimal::first_window(solution.shape(), units.len()),
            Some(part) => {
                let givens = S::of(part.grid().given_cells().map(|(cell, _)| cell));
                units.retain(|unit| unit.within(givens));
                1
            }
        };
        let mut guarded = Guarded { prover, solution, bound };
        let mut digging = Digging::new(solution, units, &mut guarded);
        digging.run(window, 0);
        Dug::unique(solution, digging.givens, None)
    }
}

/// A [`Prover`] that also checks the bound.
struct Guarded<'a, 'b, R> {
    prover: R,
    solution: &'a Solution,
    bound: &'a mut Bound<'b>,
}

impl<R> Guarded<'_, '_, R> {
    /// Turns "there is no second solution" into "unknown" outside the bound. A bound that proves uniqueness also turns
    /// "unknown" into "there is no second solution".
    fn guarded<S: CellSet>(&mut self, givens: S, answer: Answer<S>) -> Answer<S> {
        let bound_decides = match answer {
            Answer::Differs(_) => return answer,
            Answer::None => true,
            Answer::Unknown => self.bound.proves,
        };
        if bound_decides && (self.bound.allows)(&self.solution.masked(|cell| givens.contains(cell))) {
            Answer::None
        } else {
            Answer::Unknown
        }
    }
}

impl<S: CellSet, R: Prover<S>> Prover<S> for Guarded<'_, '_, R> {
    fn second(&mut self, givens: S) -> Answer<S> {
        let answer = self.prover.second(givens);
        self.guarded(givens, answer)
    }

    fn second_without(&mut self, givens: S, cell: Cell) -> Answer<S> {
        let answer = self.prover.second_without(givens, cell);
        self.guarded(givens, answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Narrow, Shape, Wide};
    use crate::dig::testing::{givens_of, is_minimal, is_unique, rng, shapes, solution, symmetric_givens};
    use crate::solve;

    fn dig(solution: &Solution, symmetry: Symmetry, allows: &mut dyn FnMut(&Puzzle) -> bool, proves: bool) -> Dug {
        let options = DigOptions::of(solution.shape());
        dig_within(solution, symmetry, &options, &mut Bound { allows, proves }, &mut rng(3))
    }

    #[test]
    fn a_bound_that_allows_all_gives_minimal_puzzles() {
        for shape in shapes() {
            let solution = solution(shape, &mut rng(8));
            let options = DigOptions { budget: Budget::UNLIMITED, ..DigOptions::of(shape) };
            let mut allows = |_: &Puzzle| true;
            let mut bound = Bound { allows: &mut allows, proves: false };
            let dug = dig_within(&solution, Symmetry::None, &options, &mut bound, &mut rng(3));
            assert!(is_minimal::<Narrow>(&solution, givens_of(&dug.puzzle)), "{shape}");
        }
    }

    #[test]
    fn a_bound_that_allows_nothing_leaves_the_full_grid() {
        let solution = solution(Shape::NINE, &mut rng(8));
        for proves in [false, true] {
            assert_eq!(dig(&solution, Symmetry::None, &mut |_| false, proves).puzzle.grid().holes(), 0);
        }
    }

    /// Replaces a rater: true if the reference search solves the puzzle without a guess.
    fn shallow(puzzle: &Puzzle) -> bool {
        solve::probe::search_depth(puzzle, Budget(1)).is_some_and(|search| search.guesses == 0)
    }

    #[test]
    fn puzzles_are_unique_symmetric_and_within_the_bound() {
        for (index, symmetry) in Symmetry::ALL.into_iter().enumerate() {
            let solution = solution(Shape::NINE, &mut rng(index as u64));
            for proves in [false, true] {
                let dug = dig(&solution, symmetry, &mut shallow, proves);
                let givens = symmetric_givens(&dug.puzzle, &solution, symmetry);
                assert!(is_unique(&solution, givens) && shallow(&dug.puzzle));
                assert!((20..60).contains(&givens.len()), "{}", givens.len());
            }
        }
    }

    #[test]
    fn a_bound_that_proves_replaces_the_search_on_large_boards() {
        let shape = Shape::new(4, 4).unwrap();
        let solution = solution(shape, &mut rng(4));
        let dug = dig(&solution, Symmetry::None, &mut shallow, true);
        assert!(is_unique::<Wide<4>>(&solution, givens_of(&dug.puzzle)) && shallow(&dug.puzzle));
        assert!(dug.puzzle.grid().givens() < 130, "{}", dug.puzzle.grid().givens());
    }
}
