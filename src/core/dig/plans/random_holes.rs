//! `random-holes`: blanks a number of cells without checking the puzzle.
//!
//! Orbits are blanked in random order. An orbit is skipped if the exact number could not be reached with it. Without a
//! symmetry every pattern with this number of holes is equally likely.

use crate::board::CellSet;
use crate::dig::job::{Dug, Job};
use crate::dig::{digging, orbits};
use crate::random::Rng;
use crate::solve::{self, Prover};

/// Digs one puzzle and counts its solutions. [`Plan::accepts`](super::Plan::accepts) has checked the number.
pub(super) fn dig<S: CellSet, R: Prover<S>>(mut job: Job<'_, R>, holes: usize, rng: &mut Rng) -> Dug {
    let shape = job.solution.shape();
    let mut sizes = orbits::Sizes::of(shape, job.symmetry);
    let mut left = holes;
    let mut givens = S::empty();
    for unit in orbits::shuffled::<S>(shape, job.symmetry, rng) {
        sizes.take(unit.len());
        if unit.len() <= left && sizes.can_sum_to(left - unit.len()) {
            left -= unit.len();
        } else {
            givens = givens | unit;
        }
    }
    // At every step the orbits that follow can make up what is left: at first `accepts` has checked it.
    debug_assert_eq!(left, 0);
    let puzzle = job.solution.masked(|cell| givens.contains(cell));
    let solutions = solve::count(&puzzle, job.options.count_limit, job.options.budget);
    let unique = solutions == solve::Count { found: 1, exact: true };
    let minimal = if unique { digging::is_minimal(&mut job.prover, givens, S::empty(), &[]) } else { None };
    Dug { puzzle, solutions, minimal, log_weight: None, orders: 1 }
}

#[cfg(test)]
mod tests {
    use crate::board::{Shape, Symmetry};
    use crate::dig::testing::{rng, shapes, solution};
    use crate::dig::{DigOptions, Plan};
    use crate::solve::Count;

    #[test]
    fn the_number_of_holes_is_exact_or_refused() {
        for shape in shapes() {
            let solution = solution(shape, &mut rng(1));
            let options = DigOptions { count_limit: 3, ..DigOptions::of(shape) };
            for symmetry in Symmetry::ALL {
                for holes in 1..=shape.cells() {
                    match Plan::RandomHoles(holes).dig(&solution, symmetry, &options, &mut rng(holes as u64)) {
                        Ok(dug) => assert_eq!(dug.puzzle.grid().holes(), holes, "{shape} {symmetry}"),
                        Err(error) => assert!(error.to_string().contains("patterns"), "{error}"),
                    }
                }
            }
        }
    }

    #[test]
    fn solutions_are_counted_up_to_the_limit() {
        let solution = solution(Shape::NINE, &mut rng(1));
        let options = DigOptions { count_limit: 7, ..DigOptions::of(Shape::NINE) };
        let dig = |holes| Plan::RandomHoles(holes).dig(&solution, Symmetry::None, &options, &mut rng(2)).unwrap();
        for (holes, found, exact, minimal) in [(75, 7, false, None), (3, 1, true, Some(false))] {
            assert_eq!((dig(holes).solutions, dig(holes).minimal), (Count { found, exact }, minimal));
        }
    }
}
