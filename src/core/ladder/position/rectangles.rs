//! Finds the rectangles: four cells where two rows and two columns cross, in two boxes.
//!
//! Two digits in them could be exchanged, which would be a second solution. The uniqueness tests search for rectangles
//! in which one corner has exactly two digits. Chains also pass through *almost unique rectangles*, in which all extra
//! candidates are of one or two digits: from one digit, or from one cell, to the rest ([`super::links`]). No corner
//! needs to have exactly the pair. Reference: Sudopedia, "Almost Unique Rectangles".

use crate::board::{Candidates, Cell, CellSet, Digit, Digits};

/// Corner, its mate on one line, its mate on the crossing line, the opposite cell.
pub(crate) type Rectangle = [Cell; 4];

/// Calls `visit` with every rectangle that has a given corner and whose other three cells are in `mates`. Exactly one
/// of the mates on the corner's row and column lies in its box. The opposite cells come in ascending order.
fn with_corner<S: CellSet>(marks: &Candidates<S>, corner: Cell, mates: S, mut visit: impl FnMut(Rectangle)) {
    let [row, column, corner_box] = marks.sets().layout().plain_houses_of(corner).map(|house| marks.house(house));
    let mates = mates - S::only(corner);
    for below in (mates & column).cells() {
        let row_mates = if corner_box.contains(below) { mates - corner_box } else { mates & corner_box } & row;
        for beside in row_mates.cells() {
            if let Some(cells) = rectangle(marks, corner, beside, below)
                && mates.contains(cells[3])
            {
                visit(cells);
            }
        }
    }
}

/// The rectangle of a corner and its mates on two lines, if exactly one of them lies in its box.
pub(crate) fn rectangle<S: CellSet>(
    marks: &Candidates<S>,
    corner: Cell,
    beside: Cell,
    below: Cell,
) -> Option<Rectangle> {
    let [corner_box, beside_box, below_box] =
        [corner, beside, below].map(|cell| marks.sets().layout().plain_houses_of(cell)[2]);
    // It completes two rows and two columns, so its number and that of the corner add up to those of the others.
    let opposite = Cell::new(below.index() + beside.index() - corner.index());
    let cells = [corner, beside, below, opposite];
    let is_in_two_boxes = (beside_box == corner_box) != (below_box == corner_box);
    (is_in_two_boxes && is_closed(marks, cells)).then_some(cells)
}

/// True if each house has as many of the corner and its opposite cell as of the two others, so that two digits can be
/// exchanged in the four. Rows and columns have one of each. On plain boards two boxes always have, too.
fn is_closed<S: CellSet>(marks: &Candidates<S>, [corner, beside, below, opposite]: Rectangle) -> bool {
    let layout = marks.sets().layout();
    let mut houses = [corner, beside, below, opposite].into_iter().flat_map(|cell| layout.houses_of(cell).skip(2));
    marks.shape().is_plain()
        || houses.all(|house| {
            let count = |cell| u8::from(marks.house(house).contains(cell));
            count(corner) + count(opposite) == count(beside) + count(below)
        })
}

/// A rectangle of open cells. One corner has only two candidates, the pair, and each cell has at least one of the pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenRectangle {
    /// The first is a corner with only the pair.
    pub(crate) cells: Rectangle,
    pub(crate) pair: Digits,
    /// The number of cells with extra candidates.
    pub(crate) roof: usize,
    /// All candidates of the cells that are not of the pair.
    pub(crate) extras: Digits,
    /// True when the roof is two cells of one line.
    pub(crate) on_line: bool,
}

impl OpenRectangle {
    fn new<S: CellSet>(marks: &Candidates<S>, cells: Rectangle, pair: Digits) -> OpenRectangle {
        let [corner, beside, below, opposite] = cells.map(|cell| marks.of_cell(cell) - pair);
        let roof = [corner, beside, below, opposite].iter().filter(|extras| !extras.is_empty()).count();
        let on_line = roof == 2 && corner.is_empty() != opposite.is_empty();
        OpenRectangle { cells, pair, roof, extras: corner | beside | below | opposite, on_line }
    }

    pub(crate) fn base(&self) -> [(Cell, Digits); 4] {
        self.cells.map(|cell| (cell, self.pair))
    }
}

pub(crate) fn open_rectangles<S: CellSet>(marks: &Candidates<S>) -> Vec<OpenRectangle> {
    let mut rectangles = Vec::with_capacity(32);
    for corner in marks.with_candidates(2).cells() {
        let pair = marks.of_cell(corner);
        let holders = pair.iter().fold(S::empty(), |holders, digit| holders | marks.of_digit(digit));
        with_corner(marks, corner, holders, |cells| {
            // Each rectangle once, from the first of its corners with only the pair.
            if cells.iter().all(|&cell| cell >= corner || marks.of_cell(cell) != pair) {
                rectangles.push(OpenRectangle::new(marks, cells, pair));
            }
        });
    }
    rectangles
}

/// Calls `visit` with the cells of every almost unique rectangle, and two nodes (digit, cells): its extra candidates.
pub(crate) fn almost_unique_rectangles<S: CellSet>(marks: &Candidates<S>, mut visit: impl FnMut(S, [(Digit, S); 2])) {
    for corner in marks.open().cells() {
        with_corner(marks, corner, marks.open(), |cells| {
            let digits = cells.iter().fold(Digits::EMPTY, |digits, &cell| digits | marks.of_cell(cell));
            // Each rectangle once, from its first cell. Its digits are the pair and one or two extra ones.
            if cells.iter().all(|&cell| cell >= corner) && matches!(digits.len(), 3 | 4) {
                extras_as_nodes(marks, cells, digits, &mut visit);
            }
        });
    }
}

/// Calls `visit` for every pair among three or four digits of which each cell has at least one.
fn extras_as_nodes<S: CellSet>(
    marks: &Candidates<S>,
    cells: Rectangle,
    digits: Digits,
    visit: &mut impl FnMut(S, [(Digit, S); 2]),
) {
    let area = S::of(cells);
    for first in digits.iter() {
        for second in digits.iter().filter(|&second| second > first) {
            let pair = Digits::only(first) | Digits::only(second);
            if cells.iter().any(|&cell| (marks.of_cell(cell) & pair).is_empty()) {
                continue;
            }
            let mut extras = (digits - pair).iter().map(|digit| (digit, marks.of_digit(digit) & area));
            match (extras.next(), extras.next()) {
                (Some(first_extra), Some(second_extra)) => visit(area, [first_extra, second_extra]),
                (Some((digit, places)), None) if places.len() > 1 => places.cells().for_each(|cell| {
                    visit(area, [S::only(cell), places - S::only(cell)].map(|cells| (digit, cells)));
                }),
                _ => {}
            }
        }
    }
}
