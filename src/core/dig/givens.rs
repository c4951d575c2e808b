//! `givens`: works as `minimal` does, but stops at a number of givens.
//!
//! The number is drawn uniformly from the numbers in the range that a pattern with the symmetry can have. An orbit is
//! skipped if too few givens would be left without it. A dig may end with more givens than this number. If they are
//! still in the range, the puzzle is used; otherwise the dig fails. So numbers that are hard to reach occur less often
//! than others.

use std::ops::RangeInclusive;

use super::{DigError, Dug, Job, minimal, orbits, plan};
use crate::board::CellSet;
use crate::random::Rng;
use crate::solve::Prover;

/// Digs one puzzle. [`Plan::accepts`](super::Plan::accepts) has checked that a pattern can have some number of the
/// range.
pub fn dig<S: CellSet, R: Prover<S>>(
    mut job: Job<'_, R>,
    range: &RangeInclusive<usize>,
    rng: &mut Rng,
) -> Result<Dug, DigError> {
    let shape = job.solution.shape();
    let goal = rng.choose(&plan::reachable_givens(shape, job.symmetry, range));
    let units: Vec<S> = orbits::shuffled(shape, job.symmetry, rng);
    let window = minimal::first_window(units.len());
    let mut digging = job.digging(units, &[], window, goal);
    let givens: S = digging.givens;
    if givens.len() > *range.end() {
        return Err(DigError::OutOfReach { best: givens.len(), most: *range.end() });
    }
    let minimal = digging.is_minimal();
    Ok(Dug::unique(job.solution, givens, minimal))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{rng, solution};
    use super::super::{DigOptions, Plan};
    use super::*;
    use crate::board::{Shape, Symmetry};

    fn dig(range: RangeInclusive<usize>, symmetry: Symmetry, index: u64) -> Result<Dug, DigError> {
        let mut rng = rng(index);
        let solution = solution(Shape::NINE, &mut rng);
        Plan::Givens(range).dig(&solution, symmetry, &DigOptions::of(Shape::NINE), &mut rng)
    }

    #[test]
    fn numbers_that_can_be_reached_are_drawn_evenly() {
        let mut counts = [0; 6];
        for index in 0..300 {
            let givens = dig(30..=35, Symmetry::None, index).unwrap().puzzle.grid().givens();
            counts[givens - 30] += 1;
        }
        assert!(counts.iter().all(|count| (25..=80).contains(count)), "{counts:?}");
    }

    #[test]
    fn an_error_gives_the_number_of_givens_that_was_reached() {
        for index in 0..20 {
            match dig(17..=19, Symmetry::None, index) {
                Err(DigError::OutOfReach { best, most: 19 }) => assert!((20..=30).contains(&best)),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn orbits_never_overshoot_the_range() {
        for index in 0..80 {
            let symmetry = Symmetry::ALL[index as usize % 8];
            match dig(33..=36, symmetry, index) {
                Ok(dug) => assert!((33..=36).contains(&dug.puzzle.grid().givens()), "{symmetry}"),
                Err(error) => assert!(matches!(error, DigError::OutOfReach { best: 37.., most: 36 }), "{error}"),
            }
        }
    }
}
