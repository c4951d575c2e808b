//! The table of variants, one row of [`VARIANTS`] each, and where their houses lie.

use crate::board::rules::DrawnAs;
use crate::board::{Cell, Shape};

/// The name of a jigsaw without its regions, in recipes and tables.
pub(super) const ANY_JIGSAW: &str = "jigsaw";

/// A place: row and column, from 0.
type Place = (usize, usize);

/// A variant: one row of [`VARIANTS`].
#[derive(Debug)]
pub struct VariantInfo {
    /// The name in shapes: `3x3+x`.
    pub name: &'static str,
    /// The name in print.
    pub title: &'static str,
    /// The rule in one sentence.
    pub rule: &'static str,
    /// The boards that can have it, in words.
    pub boards: &'static str,
    /// How it is drawn.
    pub drawn: DrawnAs,
    /// What one of its houses is called, with a number: "diagonal 1".
    pub house: &'static str,
    /// Its houses. The drawn ones come first, then those that they imply. None if the plain shape cannot have it.
    houses: fn(Shape) -> Option<Vec<Vec<Place>>>,
    /// True if only the first (side of a box - 1)² houses are drawn.
    pub(super) implies: bool,
    /// Moves between cells that see each other: rows down, columns across.
    pub(super) moves: &'static [(isize, isize)],
    /// Its keys in the JSON of f-puzzles; all of them together say the same as its name.
    pub f_puzzles: &'static [&'static str],
}

/// Every variant, in the order in which names of shapes have them.
pub static VARIANTS: [VariantInfo; 10] = [
    VariantInfo {
        drawn: DrawnAs::Line,
        house: "diagonal",
        houses: |shape| Some(vec![diagonal(shape, false), diagonal(shape, true)]),
        f_puzzles: &["diagonal-", "diagonal+"],
        ..VariantInfo::of("x", "X", "Both long diagonals hold every digit once.", "up to order 16")
    },
    VariantInfo {
        drawn: DrawnAs::Line,
        house: "diagonal",
        houses: |shape| Some(vec![diagonal(shape, false)]),
        f_puzzles: &["diagonal-"],
        ..VariantInfo::of(
            "diagonal",
            "Diagonal",
            "The diagonal from the top left holds every digit once.",
            "up to order 16",
        )
    },
    VariantInfo {
        drawn: DrawnAs::Line,
        house: "diagonal",
        houses: |shape| Some(vec![diagonal(shape, true)]),
        f_puzzles: &["diagonal+"],
        ..VariantInfo::of(
            "antidiagonal",
            "Antidiagonal",
            "The diagonal from the top right holds every digit once.",
            "up to order 16",
        )
    },
    VariantInfo {
        drawn: DrawnAs::Shade,
        house: "window",
        houses: windows,
        implies: true,
        ..VariantInfo::of(
            "windoku",
            "Windoku",
            "Each shaded window holds every digit once.",
            "boards with square boxes, up to order 16",
        )
    },
    VariantInfo {
        house: "group",
        houses: |shape| {
            shape.regions().is_none().then(|| (0..shape.order()).map(|place| group(shape, place)).collect())
        },
        f_puzzles: &["disjointgroups"],
        ..VariantInfo::of(
            "disjoint",
            "Disjoint Groups",
            "Cells in the same place of their boxes hold different digits.",
            "boards with boxes, up to order 16",
        )
    },
    VariantInfo {
        drawn: DrawnAs::Shade,
        house: "asterisk",
        houses: |shape| nine_cells(shape, [(1, 4), (2, 2), (2, 6), (4, 1), (4, 4), (4, 7), (6, 2), (6, 6), (7, 4)]),
        ..VariantInfo::of(
            "asterisk",
            "Asterisk",
            "The shaded cells of the asterisk hold every digit once.",
            "boards of 3x3 boxes",
        )
    },
    VariantInfo {
        drawn: DrawnAs::Shade,
        house: "girandola",
        houses: |shape| nine_cells(shape, [(0, 0), (0, 8), (1, 4), (4, 1), (4, 4), (4, 7), (7, 4), (8, 0), (8, 8)]),
        ..VariantInfo::of(
            "girandola",
            "Girandola",
            "The shaded cells of the girandola hold every digit once.",
            "boards of 3x3 boxes",
        )
    },
    VariantInfo {
        drawn: DrawnAs::Shade,
        house: "centers",
        houses: |shape| {
            let odd = shape.box_rows() % 2 == 1 && shape.box_columns() % 2 == 1;
            (odd && shape.regions().is_none()).then(|| vec![group(shape, shape.order() / 2)])
        },
        ..VariantInfo::of(
            "centre-dot",
            "Center Dot",
            "The shaded centers of the boxes hold every digit once.",
            "boxes of odd sides, up to order 16",
        )
    },
    VariantInfo {
        moves: &[(1, 2), (2, 1), (2, -1), (1, -2)],
        f_puzzles: &["antiknight"],
        ..VariantInfo::of(
            "anti-knight",
            "Anti-Knight",
            "Cells a knight's move apart hold different digits.",
            "up to order 16",
        )
    },
    VariantInfo {
        moves: &[(1, 1), (1, -1)],
        f_puzzles: &["antiking"],
        ..VariantInfo::of(
            "anti-king",
            "Anti-King",
            "Cells that touch at a corner hold different digits.",
            "up to order 16",
        )
    },
];

impl VariantInfo {
    /// A row without houses and without moves.
    const fn of(name: &'static str, title: &'static str, rule: &'static str, boards: &'static str) -> VariantInfo {
        let houses: fn(Shape) -> Option<Vec<Vec<Place>>> = |_| Some(Vec::new());
        let (drawn, moves, f_puzzles) = (DrawnAs::Nothing, &[], &[]);
        VariantInfo { name, title, rule, boards, drawn, house: "", houses, implies: false, moves, f_puzzles }
    }

    /// The cells of its houses on a board without further rules, ascending. None if the board cannot have it.
    pub(super) fn houses_of(&self, plain: Shape) -> Option<Vec<Vec<Cell>>> {
        let cells = |house: Vec<Place>| {
            let mut cells: Vec<Cell> = house.into_iter().map(|(row, column)| Cell::at(plain, row, column)).collect();
            cells.sort_unstable();
            cells
        };
        (self.houses)(plain).map(|houses| houses.into_iter().map(cells).collect())
    }
}

/// The long diagonal from the top left, or from the top right.
fn diagonal(shape: Shape, from_right: bool) -> Vec<Place> {
    let n = shape.order();
    (0..n).map(|row| (row, if from_right { n - 1 - row } else { row })).collect()
}

/// The cells at one place of every box.
fn group(shape: Shape, place: usize) -> Vec<Place> {
    let (rows, columns) = (shape.box_rows(), shape.box_columns());
    let (row, column) = (place / columns, place % columns);
    let boxes = (0..shape.order()).map(|number| (number / shape.stacks(), number % shape.stacks()));
    boxes.map(|(band, stack)| (band * rows + row, stack * columns + column)).collect()
}

/// The windows, then the groups that they imply.
fn windows(shape: Shape) -> Option<Vec<Vec<Place>>> {
    if !shape.is_square() {
        return None;
    }
    let side = shape.box_rows();
    let (mut drawn, mut implied) = (Vec::new(), Vec::new());
    for down in 0..side {
        for across in 0..side {
            let columns = lines_of_window(side, across);
            let rows = lines_of_window(side, down).into_iter();
            let window = rows.flat_map(|row| columns.iter().map(move |&column| (row, column))).collect();
            if down.max(across) + 1 < side { drawn.push(window) } else { implied.push(window) }
        }
    }
    Some([drawn, implied].concat())
}

/// The rows, or the columns, of the windows in one line of windows. The last line stands for what is between windows.
fn lines_of_window(side: usize, line: usize) -> Vec<usize> {
    if line + 1 < side {
        let first = 1 + line * (side + 1);
        (first..first + side).collect()
    } else {
        (0..side).map(|gap| gap * (side + 1)).collect()
    }
}

/// One house of nine cells; None unless the board is 9x9 with 3x3 boxes.
fn nine_cells(shape: Shape, cells: [Place; 9]) -> Option<Vec<Vec<Place>>> {
    (shape.plain() == Shape::NINE).then(|| vec![cells.to_vec()])
}

/// Regions of the user's own, as a variant.
pub(super) static REGIONS: VariantInfo = VariantInfo {
    drawn: DrawnAs::Shade,
    house: "extra region",
    ..VariantInfo::of(
        "extra",
        "Extra Regions",
        "Each shaded region holds every digit once.",
        "up to order 16; write the cells: extra:r2c2r2c3..",
    )
};

/// Regions in place of boxes, as a variant.
pub(super) static OF_JIGSAW: VariantInfo = VariantInfo {
    drawn: DrawnAs::Borders,
    ..VariantInfo::of(
        ANY_JIGSAW,
        "Jigsaw",
        "Each region inside the thick lines holds every digit once.",
        "orders 4 to 16; write the order and a letter for each cell: 9+jigsaw:AAABBB.., or 9+jigsaw to draw regions of orders 5 to 12",
    )
};
