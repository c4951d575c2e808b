//! Defines the symmetries of patterns of givens, and the sets of cells that are dug together.

use super::flood::flood;
use crate::board::{Cell, Shape};
use crate::names;

names! { "symmetry":
    /// A group of rotations and reflections of the square under which the pattern of givens stays the same.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum Symmetry {
        /// No symmetry is required.
        #[default]
        None = "none",
        /// Half turn, the usual one in newspapers.
        Rotate180 = "rotate-180",
        /// Quarter turn.
        Rotate90 = "rotate-90",
        /// Left and right exchanged.
        MirrorHorizontal = "mirror-horizontal",
        /// Top and bottom exchanged.
        MirrorVertical = "mirror-vertical",
        /// Reflection in the diagonal from the upper left corner.
        Diagonal = "diagonal",
        /// Reflection in the diagonal from the upper right corner.
        AntiDiagonal = "anti-diagonal",
        /// All eight rotations and reflections.
        Full = "full",
    }
}

/// A map of (side, row, column) to (row, column).
type SquareMap = fn(usize, usize, usize) -> (usize, usize);

impl Symmetry {
    /// Generators of the group, as maps of (row, column) on a square of side n.
    fn generators(self) -> &'static [SquareMap] {
        match self {
            Symmetry::None => &[],
            Symmetry::Rotate180 => &[|n, r, c| (n - 1 - r, n - 1 - c)],
            Symmetry::Rotate90 => &[|n, r, c| (c, n - 1 - r)],
            Symmetry::MirrorHorizontal => &[|n, r, c| (r, n - 1 - c)],
            Symmetry::MirrorVertical => &[|n, r, c| (n - 1 - r, c)],
            Symmetry::Diagonal => &[|_, r, c| (c, r)],
            Symmetry::AntiDiagonal => &[|n, r, c| (n - 1 - c, n - 1 - r)],
            Symmetry::Full => &[|n, r, c| (c, n - 1 - r), |_, r, c| (c, r)],
        }
    }

    /// The generators of the group on a square of side n, as permutations: the cell at place i goes to place `map[i]`.
    pub(crate) fn moves(self, n: usize) -> impl Iterator<Item = Vec<usize>> {
        self.generators().iter().map(move |map| {
            let images = (0..n * n).map(|cell| map(n, cell / n, cell % n));
            images.map(|(row, column)| row * n + column).collect()
        })
    }

    /// The orbits: sets of cells that are kept or removed together. They are a partition of the board; each orbit is
    /// ascending, and orbits are ordered by their first cell.
    ///
    /// ```
    /// use sudoku_corpus_core::board::{Cell, Shape, Symmetry};
    ///
    /// let orbits = Symmetry::Rotate180.orbits(Shape::NINE);
    /// assert_eq!((orbits.len(), &orbits[0]), (41, &vec![Cell::new(0), Cell::new(80)]));
    /// ```
    pub fn orbits(self, shape: Shape) -> Vec<Vec<Cell>> {
        let n = shape.order();
        let mut seen = vec![None; n * n];
        let mut orbits = Vec::new();
        let moves: Vec<Vec<usize>> = self.moves(n).collect();
        for start in 0..n * n {
            if seen[start].is_none() {
                let images = |cell: usize| moves.iter().map(move |map| (map[cell], ()));
                let mut orbit = flood(&mut seen, start, (), images, |_, _| ());
                orbit.sort_unstable();
                orbits.push(orbit.into_iter().map(Cell::new).collect());
            }
        }
        orbits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orbits_partition_the_board() {
        for shape in Shape::all(16) {
            for symmetry in Symmetry::ALL {
                let mut cells: Vec<Cell> = symmetry.orbits(shape).concat();
                cells.sort_unstable();
                assert_eq!(cells, (0..shape.cells()).map(Cell::new).collect::<Vec<_>>(), "{shape} {symmetry}");
            }
        }
    }

    /// Orbits of the 81 cells, by Burnside's lemma.
    #[test]
    fn orbit_counts_on_nine() {
        let counts = Symmetry::ALL.map(|symmetry| symmetry.orbits(Shape::NINE).len());
        assert_eq!(counts, [81, 41, 21, 45, 45, 45, 45, 15]);
    }
}
