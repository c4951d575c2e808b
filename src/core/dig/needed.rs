//! `needed`: looks for a puzzle that needs something, such as a technique, near a minimal puzzle.
//!
//! ```text
//!   minimal puzzle        uses the technique?              no: the grid is given up
//!   give a given back     still uses it?                   no: take it away again
//!   and another ..        needs it, and nothing harder?    yes: remove what can go without changing this
//! ```
//!
//! A minimal puzzle that uses a rare technique mostly needs a harder one as well. Givens make a puzzle easier, so after
//! some givens the harder techniques are no longer needed. The rare technique stays in use, because a given that makes
//! it needless is taken away again.
//!
//! The caller decides what a puzzle needs, so this module does not depend on a rater.
//!
//! This is five to ten times as fast as digging minimal puzzles until one needs the technique (`reports/tried.md`).

use super::Plan;
use super::job::{DigError, DigOptions, Dug, with_prover};
use super::within::{Bound, DigWithin};
use crate::board::{Puzzle, Solution, Symmetry};
use crate::random::Rng;

/// Orders in which givens come back, for each minimal puzzle.
const ORDERS: usize = 4;

/// How near a puzzle is to what is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearness {
    /// The puzzle lacks what it should need. More givens do not help.
    Lacking,
    /// The puzzle needs something harder as well.
    TooHard,
    /// The puzzle is as wanted.
    Met,
}

/// Digs one puzzle out of a solution. None if the minimal puzzle lacks what is wanted, or if no order of givens leads
/// to it. `judge` is called only for puzzles with one solution.
///
/// # Errors
/// The plan `minimal` does not apply.
pub fn dig_needed(
    solution: &Solution,
    symmetry: Symmetry,
    options: &DigOptions,
    judge: &mut dyn FnMut(&Puzzle) -> Nearness,
    rng: &mut Rng,
) -> Result<Option<Dug>, DigError> {
    let minimal = Plan::Minimal.dig(solution, symmetry, options, rng)?.puzzle;
    let nearness = judge(&minimal);
    if nearness == Nearness::Lacking {
        return Ok(None);
    }
    let found = (0..ORDERS).find_map(|_| give_back(solution, symmetry, (&minimal, nearness), judge, rng));
    Ok(found.map(|found| {
        let mut allows = |puzzle: &Puzzle| judge(puzzle) == Nearness::Met;
        let mut bound = Bound { allows: &mut allows, proves: false };
        let work = DigWithin { solution, part: Some(&found), symmetry, bound: &mut bound, rng };
        with_prover(solution, options.budget, work)
    }))
}

/// Gives givens back in random order until the puzzle is as wanted. A given is left out if the puzzle would be
/// [`Nearness::Lacking`] with it.
fn give_back(
    solution: &Solution,
    symmetry: Symmetry,
    (start, mut nearness): (&Puzzle, Nearness),
    judge: &mut dyn FnMut(&Puzzle) -> Nearness,
    rng: &mut Rng,
) -> Option<Puzzle> {
    let mut puzzle = start.clone();
    let mut units = symmetry.orbits(solution.shape());
    units.retain(|unit| unit.iter().any(|&cell| start.grid().get(cell).is_none()));
    rng.shuffle(&mut units);
    for unit in units {
        if nearness == Nearness::Met {
            break;
        }
        let more = solution.masked(|cell| unit.contains(&cell) || puzzle.grid().get(cell).is_some());
        match judge(&more) {
            Nearness::Lacking => {}
            better => (puzzle, nearness) = (more, better),
        }
    }
    (nearness == Nearness::Met).then_some(puzzle)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{rng, solution, symmetric_givens, unique};
    use super::*;
    use crate::board::{CellSet, Narrow, Shape};

    /// Replaces the judgement of a technique: two to four givens in the first row, and at least 32 givens in all.
    fn judge(puzzle: &Puzzle) -> Nearness {
        let givens = puzzle.grid().givens();
        let first = puzzle.grid().values()[..9].iter().filter(|&&value| value > 0).count();
        match (first, givens) {
            (0..2 | 5.., _) => Nearness::Lacking,
            (_, ..32) => Nearness::TooHard,
            _ => Nearness::Met,
        }
    }

    #[test]
    fn puzzles_are_as_wanted_unique_and_symmetric() {
        let options = DigOptions::of(Shape::NINE);
        let mut found = 0;
        for index in 0..60 {
            let symmetry = Symmetry::ALL[index as usize % Symmetry::ALL.len()];
            let solution = solution(Shape::NINE, &mut rng(index));
            let Some(dug) = dig_needed(&solution, symmetry, &options, &mut judge, &mut rng(index)).unwrap() else {
                continue;
            };
            found += 1;
            let givens = symmetric_givens(&dug.puzzle, &solution, symmetry);
            assert!(unique(&solution, givens));
            assert_eq!(judge(&dug.puzzle), Nearness::Met, "{:?}", dug.puzzle);
            for orbit in symmetry.orbits(Shape::NINE).into_iter().map(Narrow::of).filter(|orbit| orbit.meets(givens)) {
                // No unit can go: the puzzle would be ambiguous, or not as wanted.
                let rest = givens - orbit;
                let met = judge(&solution.masked(|cell| rest.contains(cell))) == Nearness::Met;
                assert!(!(met && unique(&solution, rest)), "{symmetry}");
            }
        }
        assert!(found > 20, "{found}");
    }

    #[test]
    fn a_puzzle_that_lacks_it_is_given_up() {
        let solution = solution(Shape::NINE, &mut rng(1));
        let options = DigOptions::of(Shape::NINE);
        let mut calls = 0;
        let mut judge = |_: &Puzzle| {
            calls += 1;
            Nearness::Lacking
        };
        assert!(dig_needed(&solution, Symmetry::None, &options, &mut judge, &mut rng(1)).unwrap().is_none());
        assert_eq!(calls, 1);
    }
}
