//! `walk`: goes from minimal puzzle to minimal puzzle of one grid, towards what is asked for.
//!
//! ```text
//!   a minimal puzzle        as asked?                          the result
//!   give three cells back   others become needless: remove them in random order, until none is
//!   the next puzzle         not farther from what is asked?    go on from there      else go on from where it was
//! ```
//!
//! Three cells more make few others needless, and the unavoidable sets of the steps before answer most questions. So a
//! step takes a tenth of a dig. And the next puzzle is about as hard as the one before, so a puzzle of a rare kind is
//! near one of a kind that is nearly right.
//!
//! The caller says how far a puzzle is from what is asked for, so this module does not depend on a rater.

use crate::board::{CellSet, Puzzle, Solution, Symmetry};
use crate::dig::job::{DigError, DigOptions, Dug, ProverWork, with_prover};
use crate::dig::unavoidable::plain_sets;
use crate::dig::{Plan, digging, orbits};
use crate::random::Rng;
use crate::solve::{Answer, Prover};

/// Cells, or orbits of cells, that a step gives back. Puzzles of ER 3 to 4 a second: 1,400 with one, 1,660 with two,
/// 1,860 with three, 1,590 with five; from 1,130 down to 460 if these may go before the others.
const BACK: usize = 3;

/// The most steps of a walk.
const STEPS: u32 = 64;

/// Digs a minimal puzzle out of a solution, and walks a number of puzzles on, until `distance` is 0. None if it never
/// was. `distance` is called only for puzzles with one solution, with the distance up to which the walk goes on from them:
/// if a puzzle is farther, any number above will do.
///
/// # Errors
/// The plan `minimal` does not apply.
pub fn dig_walk(
    solution: &Solution,
    symmetry: Symmetry,
    options: &DigOptions,
    distance: &mut dyn FnMut(&Puzzle, u32) -> u32,
    rng: &mut Rng,
) -> Result<Option<Dug>, DigError> {
    let minimal = Plan::Minimal.dig(solution, symmetry, options, rng)?;
    let far = distance(&minimal.puzzle, u32::MAX);
    if far == 0 {
        return Ok(Some(minimal));
    }
    let start = &minimal.puzzle;
    Ok(with_prover(solution, options.budget, Walk { solution, symmetry, start, far, distance, rng }))
}

struct Walk<'a> {
    solution: &'a Solution,
    symmetry: Symmetry,
    /// The minimal puzzle with which the walk begins.
    start: &'a Puzzle,
    /// Its distance.
    far: u32,
    distance: &'a mut dyn FnMut(&Puzzle, u32) -> u32,
    rng: &'a mut Rng,
}

impl ProverWork for Walk<'_> {
    type Output = Option<Dug>;

    fn run<S: CellSet, R: Prover<S>>(self, mut prover: R, _: impl FnOnce() -> Option<R>) -> Option<Dug> {
        let Walk { solution, symmetry, start, mut far, distance, rng } = self;
        // Unavoidable sets: a puzzle without a given in one of them needs no search to be refused.
        let mut sets = Vec::with_capacity(128);
        plain_sets(solution, solution.shape().order() + 1, &mut |set| sets.push(set));
        let mut units: Vec<S> = orbits::shuffled(solution.shape(), symmetry, rng);
        let mut givens = S::of(start.grid().given_cells().map(|(cell, _)| cell));
        for _ in 0..STEPS {
            rng.shuffle(&mut units);
            let back = units.iter().filter(|unit| !unit.meets(givens)).take(BACK);
            let added = back.fold(S::empty(), |all, &unit| all | unit);
            let next = without_needless(&mut prover, givens | added, added, &units, &mut sets);
            if next == givens {
                continue;
            }
            let puzzle = solution.masked(|cell| next.contains(cell));
            let distance = distance(&puzzle, far);
            if distance == 0 {
                let minimal = digging::is_minimal(&mut prover, next, S::empty(), &sets);
                return Some(Dug::unique(solution, next, minimal));
            }
            if distance <= far {
                (givens, far) = (next, distance);
            }
        }
        None
    }
}

/// Removes the units that are needless, in their order, `added` last. `sets` gets the unavoidable sets that are found.
fn without_needless<S: CellSet, R: Prover<S>>(
    prover: &mut R,
    mut givens: S,
    added: S,
    units: &[S],
    sets: &mut Vec<S>,
) -> S {
    let mut needed_cells = needed(givens, sets);
    let old = units.iter().filter(|unit| !unit.meets(added));
    for &unit in old.chain(units.iter().filter(|unit| unit.meets(added))) {
        if !unit.within(givens) || unit.meets(needed_cells) {
            continue;
        }
        let rest = givens - unit;
        let answer = match unit.first() {
            Some(cell) if S::only(cell) == unit => prover.second_without(rest, cell),
            _ => prover.second(rest),
        };
        match answer {
            Answer::None => {
                givens = rest;
                needed_cells = needed_cells | needed(givens, sets);
            }
            Answer::Differs(set) => sets.push(set),
            Answer::Unknown => {}
        }
    }
    givens
}

/// The givens that alone meet one of the unavoidable sets.
fn needed<S: CellSet>(givens: S, sets: &[S]) -> S {
    sets.iter().map(|&set| set & givens).filter(|hit| hit.is_at_most(1)).fold(S::empty(), |all, hit| all | hit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::dig::testing::{givens_of, is_minimal, is_unique, rng, shapes, solution, symmetric_givens};

    /// Replaces a rating: the sum of the numbers of the given cells, modulo 50, should be 7.
    fn far(puzzle: &Puzzle) -> u32 {
        let sum: usize = puzzle.grid().given_cells().map(|(cell, _)| cell.index()).sum();
        (sum % 50).abs_diff(7) as u32
    }

    #[test]
    fn puzzles_are_as_wanted_unique_minimal_and_symmetric() {
        let mut found = 0;
        for (index, shape) in shapes().chain([Shape::NINE; 20]).enumerate() {
            for symmetry in [Symmetry::None, Symmetry::Rotate180] {
                let mut rng = rng(index as u64);
                let (solution, mut asked) = (solution(shape, &mut rng), Vec::new());
                let mut distance = |puzzle: &Puzzle, _: u32| {
                    asked.push(far(puzzle));
                    far(puzzle)
                };
                let options = DigOptions::of(shape);
                let Some(dug) = dig_walk(&solution, symmetry, &options, &mut distance, &mut rng).unwrap() else {
                    continue;
                };
                found += 1;
                let givens = symmetric_givens(&dug.puzzle, &solution, symmetry);
                assert!(is_unique(&solution, givens) && far(&dug.puzzle) == 0);
                assert_eq!(asked.iter().position(|&far| far == 0), Some(asked.len() - 1));
                assert_eq!(dug.minimal, Some(is_minimal(&solution, givens)));
                assert!(symmetry != Symmetry::None || dug.minimal == Some(true));
            }
        }
        assert!(found > 10, "{found}");
    }

    #[test]
    fn a_walk_ends_after_its_steps_and_visits_minimal_puzzles() {
        let mut rng = rng(5);
        let solution = solution(Shape::NINE, &mut rng);
        let mut visited = Vec::new();
        let mut distance = |puzzle: &Puzzle, _: u32| {
            visited.push(givens_of::<crate::board::Narrow>(puzzle));
            1
        };
        let options = DigOptions::of(Shape::NINE);
        assert_eq!(dig_walk(&solution, Symmetry::None, &options, &mut distance, &mut rng), Ok(None));
        assert!(visited.len() <= STEPS as usize + 1 && visited.len() > STEPS as usize / 2);
        assert!(visited.iter().all(|&givens| is_minimal(&solution, givens)));
    }
}
