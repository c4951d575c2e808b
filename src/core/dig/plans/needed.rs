//! `needed`: looks for a puzzle that needs something, such as a technique.
//!
//! ```text
//!   walk     from minimal puzzle to minimal puzzle, nearer and nearer     until it is in use
//!   roam     add and remove a few givens, while it stays in use           until it is needed, and nothing harder
//!   prune    remove givens, while it stays needed                         until none can go
//! ```
//!
//! A puzzle that uses a rare technique mostly needs a harder one as well, or would do without. But puzzles that use it are
//! near each other, so thousands are seen for the price of the first, until one needs it.
//!
//! The caller decides what a puzzle needs, so this module does not depend on a rater.
//!
//! `reports/needs.md` says how many puzzles are found in a second, and `reports/tried.md` what was tried and lost.

use super::walk::dig_walk;
use super::within::{Bound, DigWithin};
use crate::board::{CellSet, Puzzle, Solution, Symmetry};
use crate::dig::job::{DigError, DigOptions, Dug, ProverWork, with_prover};
use crate::dig::orbits;
use crate::random::Rng;
use crate::solve::{Answer, Prover};

/// The most steps of roaming.
const STEPS: usize = 2_000;

/// The most units that a step adds, and the most that it removes.
const MOST: usize = 3;

/// The most removals that a step tries.
const TRIES: usize = 12;

/// How near a puzzle is to what is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearness {
    /// The puzzle does not use what it should need. The number is its distance from a puzzle that does; 0 counts as 1.
    Lacking(u32),
    /// The puzzle uses what it should need, and needs something harder as well.
    TooHard,
    /// The puzzle is as wanted.
    Met,
}

/// Digs one puzzle out of a solution. None if no puzzle was found that is as wanted. `judge` is called only for puzzles
/// with one solution, with the distance that is of interest: if a puzzle is farther, any number above will do.
///
/// # Errors
/// The plan `minimal` does not apply.
pub fn dig_needed(
    solution: &Solution,
    symmetry: Symmetry,
    options: &DigOptions,
    judge: &mut dyn FnMut(&Puzzle, u32) -> Nearness,
    rng: &mut Rng,
) -> Result<Option<Dug>, DigError> {
    let Some(mut puzzle) = look(solution, symmetry, options, judge, rng)? else { return Ok(None) };
    // Without one given, another one that was tried before may be able to go.
    loop {
        let mut bound = Bound { allows: &mut |puzzle| judge(puzzle, 0) == Nearness::Met, proves: false };
        let prune = DigWithin { solution, part: Some(&puzzle), symmetry, bound: &mut bound, rng };
        let dug = with_prover(solution, options.budget, prune);
        if dug.puzzle == puzzle {
            return Ok(Some(dug));
        }
        puzzle = dug.puzzle;
    }
}

/// A puzzle that is as wanted.
fn look(
    solution: &Solution,
    symmetry: Symmetry,
    options: &DigOptions,
    judge: &mut dyn FnMut(&Puzzle, u32) -> Nearness,
    rng: &mut Rng,
) -> Result<Option<Puzzle>, DigError> {
    // What the easiest puzzles need, no minimal puzzle may use.
    let orbits = symmetry.orbits(solution.shape());
    let hole = &orbits[rng.below(orbits.len())];
    let easiest = solution.masked(|cell| !hole.contains(&cell));
    if judge(&easiest, 0) == Nearness::Met {
        return Ok(Some(easiest));
    }
    let mut last = Nearness::TooHard;
    let start = dig_walk(
        solution,
        symmetry,
        options,
        &mut |puzzle, far| {
            last = judge(puzzle, far);
            if let Nearness::Lacking(distance) = last { distance.max(1) } else { 0 }
        },
        rng,
    )?;
    let Some(Dug { puzzle: start, .. }) = start else { return Ok(None) };
    if last == Nearness::Met {
        return Ok(Some(start));
    }
    Ok(with_prover(solution, options.budget, Roam { solution, symmetry, start: &start, judge, rng }))
}

struct Roam<'a> {
    solution: &'a Solution,
    symmetry: Symmetry,
    start: &'a Puzzle,
    judge: &'a mut dyn FnMut(&Puzzle, u32) -> Nearness,
    rng: &'a mut Rng,
}

impl ProverWork for Roam<'_> {
    type Output = Option<Puzzle>;

    fn run<S: CellSet, R: Prover<S>>(self, mut prover: R, _: impl FnOnce() -> Option<R>) -> Option<Puzzle> {
        let Roam { solution, symmetry, start, judge, rng } = self;
        let mut units: Vec<S> = orbits::shuffled(solution.shape(), symmetry, rng);
        let mut givens = S::of(start.grid().given_cells().map(|(cell, _)| cell));
        for _ in 0..STEPS {
            rng.shuffle(&mut units);
            let (adds, mut removes) = (rng.below(MOST + 1), rng.below(MOST + 1));
            let added =
                units.iter().filter(|unit| !unit.meets(givens)).take(adds).fold(S::empty(), |all, &unit| all | unit);
            let mut next = givens | added;
            for &unit in units.iter().filter(|unit| unit.within(givens)).take(TRIES) {
                if removes > 0 && matches!(prover.second(next - unit), Answer::None) {
                    (next, removes) = (next - unit, removes - 1);
                }
            }
            if next == givens {
                continue;
            }
            let puzzle = solution.masked(|cell| next.contains(cell));
            match judge(&puzzle, 0) {
                Nearness::Met => return Some(puzzle),
                Nearness::TooHard => givens = next,
                Nearness::Lacking(_) => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{CellSet, Narrow, Shape};
    use crate::dig::testing::{is_unique, rng, solution, symmetric_givens};

    /// Replaces the judgement of a technique: two to four givens in the first row, and at least 32 givens in all.
    fn judge(puzzle: &Puzzle, _: u32) -> Nearness {
        let givens = puzzle.grid().givens();
        let first = puzzle.grid().values()[..9].iter().filter(|&&value| value > 0).count();
        match (first, givens) {
            (0..2, _) => Nearness::Lacking(2 - first as u32),
            (5.., _) => Nearness::Lacking(first as u32 - 4),
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
            assert!(is_unique(&solution, givens));
            assert_eq!(judge(&dug.puzzle, 0), Nearness::Met, "{:?}", dug.puzzle);
            for orbit in symmetry.orbits(Shape::NINE).into_iter().map(Narrow::of).filter(|orbit| orbit.meets(givens)) {
                // No unit can go: the puzzle would be ambiguous, or not as wanted.
                let rest = givens - orbit;
                let met = judge(&solution.masked(|cell| rest.contains(cell)), 0) == Nearness::Met;
                assert!(!(met && is_unique(&solution, rest)), "{symmetry}");
            }
        }
        assert!(found > 20, "{found}");
    }

    /// A walk has a minimal puzzle and 64 steps, and one puzzle is the easiest.
    #[test]
    fn a_grid_whose_puzzles_lack_it_is_given_up() {
        let solution = solution(Shape::NINE, &mut rng(1));
        let options = DigOptions::of(Shape::NINE);
        let mut calls = 0;
        let mut judge = |_: &Puzzle, _| {
            calls += 1;
            Nearness::Lacking(1)
        };
        assert!(dig_needed(&solution, Symmetry::None, &options, &mut judge, &mut rng(1)).unwrap().is_none());
        assert!((30..=66).contains(&calls), "{calls}");
    }

    /// What only puzzles with one open cell need.
    #[test]
    fn the_easiest_puzzles_are_found() {
        let solution = solution(Shape::NINE, &mut rng(1));
        let mut judge = |puzzle: &Puzzle, _| match puzzle.grid().holes() {
            1 => Nearness::Met,
            _ => Nearness::Lacking(1),
        };
        let options = DigOptions::of(Shape::NINE);
        let dug = dig_needed(&solution, Symmetry::None, &options, &mut judge, &mut rng(1)).unwrap().unwrap();
        assert_eq!(dug.puzzle.grid().holes(), 1);
    }
}
