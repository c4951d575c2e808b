//! Finds the houses that may have a subset.

use crate::board::candidates::Houses;
use crate::board::{Candidates, CellSet, Digits};

pub(crate) const MAX_SIZE: usize = 4;

/// For each size the houses in which at least as many digits have at most as many places.
pub(crate) fn with_hidden<S: CellSet>(marks: &Candidates<S>) -> [Houses; MAX_SIZE] {
    // [size - 1][n]: the houses in which more than n of the digits counted so far have few enough places.
    let mut more_than = [[Houses::default(); MAX_SIZE]; MAX_SIZE];
    for digit in Digits::all(marks.order()) {
        let mut few_places = Houses::default();
        for (size, more_than) in more_than.iter_mut().enumerate() {
            few_places = few_places.or(marks.with_places(digit, size + 1));
            // The highest count first, so that a digit raises the count of a house only once.
            for count in (1..=size).rev() {
                more_than[count] = more_than[count].or(more_than[count - 1].and(few_places));
            }
            more_than[0] = more_than[0].or(few_places);
        }
    }
    std::array::from_fn(|size| more_than[size][size])
}
