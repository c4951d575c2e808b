//! Makes the units of digging, in random order: sets of cells that are kept or removed together.

use crate::board::{Cell, CellSet, Shape, Symmetry};
use crate::random::Rng;

/// The orbits of a symmetry in a uniformly random order.
pub(super) fn shuffled<S: CellSet>(shape: Shape, symmetry: Symmetry, rng: &mut Rng) -> Vec<S> {
    let mut units: Vec<S> = match symmetry {
        Symmetry::None => (0..shape.cells()).map(|cell| S::only(Cell::new(cell))).collect(),
        _ => symmetry.orbits(shape).into_iter().map(S::of).collect(),
    };
    rng.shuffle(&mut units);
    units
}

/// How many orbits there are of each size. Rotations and reflections of a square have orbits of 1, 2, 4 and 8 cells.
/// The index is the binary logarithm of the size, see [`slot`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes([usize; 4]);

impl Sizes {
    pub(super) fn of(shape: Shape, symmetry: Symmetry) -> Sizes {
        let mut sizes = Sizes([0; 4]);
        match symmetry {
            Symmetry::None => sizes.0[0] = shape.cells(),
            _ => symmetry.orbits(shape).iter().for_each(|orbit| sizes.0[slot(orbit.len())] += 1),
        }
        sizes
    }

    pub(super) fn take(&mut self, size: usize) {
        self.0[slot(size)] -= 1;
    }

    /// True if some of the orbits together have this number of cells. Each size divides the next one, so it is enough
    /// to take the largest orbits first.
    pub(super) fn can_sum_to(&self, cells: usize) -> bool {
        // `rest >> slot` is the most orbits of this size that fit into the rest.
        let rest = (0..4).rev().fold(cells, |rest, slot| rest - self.0[slot].min(rest >> slot) * (1 << slot));
        rest == 0
    }
}

/// The index of a size: 0, 1, 2, 3 for 1, 2, 4, 8.
fn slot(size: usize) -> usize {
    debug_assert!(matches!(size, 1 | 2 | 4 | 8));
    size.trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with all sums of subsets, by dynamic programming.
    #[test]
    fn sums_are_found_exactly_if_they_exist() {
        for shape in Shape::all(16) {
            for symmetry in Symmetry::ALL {
                let mut possible = vec![false; shape.cells() + 1];
                possible[0] = true;
                for orbit in symmetry.orbits(shape) {
                    (orbit.len()..possible.len()).rev().for_each(|sum| possible[sum] |= possible[sum - orbit.len()]);
                }
                let sizes = Sizes::of(shape, symmetry);
                for (sum, &possible) in possible.iter().enumerate() {
                    assert_eq!(sizes.can_sum_to(sum), possible, "{shape} {symmetry} {sum}");
                }
            }
        }
    }
}
