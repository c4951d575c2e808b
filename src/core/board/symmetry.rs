//! Symmetric patterns of givens: the sets of cells that are dug together.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::flood::flood;
use super::{Cell, Shape};

/// A group of rotations and reflections of the square under which the pattern of givens stays the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Symmetry {
    /// No symmetry is required.
    #[default]
    None,
    /// Half turn, the usual one in newspapers.
    #[serde(rename = "rotate-180")]
    Rotate180,
    /// Quarter turn.
    #[serde(rename = "rotate-90")]
    Rotate90,
    /// Left and right exchanged.
    MirrorHorizontal,
    /// Top and bottom exchanged.
    MirrorVertical,
    /// Reflection in the diagonal from the upper left corner.
    Diagonal,
    /// Reflection in the diagonal from the upper right corner.
    AntiDiagonal,
    /// All eight rotations and reflections.
    Full,
}

/// A text that is not the name of a symmetry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown symmetry '{0}'; known: none, rotate-180, rotate-90, mirror-horizontal, mirror-vertical, diagonal, anti-diagonal, full"
)]
pub struct UnknownSymmetry(String);

/// A map of (side, row, column) to (row, column).
type SquareMap = fn(usize, usize, usize) -> (usize, usize);

impl Symmetry {
    /// Every symmetry, in the order of the documentation.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::None,
        Symmetry::Rotate180,
        Symmetry::Rotate90,
        Symmetry::MirrorHorizontal,
        Symmetry::MirrorVertical,
        Symmetry::Diagonal,
        Symmetry::AntiDiagonal,
        Symmetry::Full,
    ];

    /// The name in recipes, rows and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Symmetry::None => "none",
            Symmetry::Rotate180 => "rotate-180",
            Symmetry::Rotate90 => "rotate-90",
            Symmetry::MirrorHorizontal => "mirror-horizontal",
            Symmetry::MirrorVertical => "mirror-vertical",
            Symmetry::Diagonal => "diagonal",
            Symmetry::AntiDiagonal => "anti-diagonal",
            Symmetry::Full => "full",
        }
    }

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

    /// The orbits: sets of cells that are kept or removed together. They are a partition of the board; each orbit is
    /// ascending, and orbits are ordered by their first cell.
    pub fn orbits(self, shape: Shape) -> Vec<Vec<Cell>> {
        let n = shape.order();
        let mut seen = vec![None; n * n];
        let mut orbits = Vec::new();
        let images = |at: usize| {
            self.generators().iter().map(move |map| {
                let (row, column) = map(n, at / n, at % n);
                (row * n + column, ())
            })
        };
        for start in 0..n * n {
            if seen[start].is_none() {
                let mut orbit = flood(&mut seen, (start, ()), images, |_, _| ());
                orbit.sort_unstable();
                orbits.push(orbit.into_iter().map(Cell::new).collect());
            }
        }
        orbits
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Symmetry {
    type Err = UnknownSymmetry;

    fn from_str(text: &str) -> Result<Symmetry, UnknownSymmetry> {
        Symmetry::ALL
            .into_iter()
            .find(|symmetry| symmetry.name() == text)
            .ok_or_else(|| UnknownSymmetry(text.to_owned()))
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

    #[test]
    fn names_are_the_same_everywhere() {
        for symmetry in Symmetry::ALL {
            assert_eq!(symmetry.name().parse(), Ok(symmetry));
            assert_eq!(serde_json::to_string(&symmetry).unwrap(), format!("\"{symmetry}\""));
        }
    }
}
