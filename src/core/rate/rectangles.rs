//! Rectangles: two digits in the four cells where two rows and two columns cross, in two boxes.
//!
//! ```text
//!   A: ab   B: ab+   .        A is a corner. B is its mate in the same box.    A = D = a, B = C = b could be
//!   -----------------         C and D lie on another line, in another box.     changed to A = D = b, B = C = a:
//!   C: ab   D: ab+   .        + stands for extra candidates.                   a deadly pattern
//! ```
//!
//! The four cells must not be givens. The other three cells are the mates of a corner: in its row, in its column, and
//! opposite.
//!
//! * **Uniqueness tests 1 to 4**: the roof of an open rectangle (see [`super::uniqueness`]) is one cell (1), has one
//!   extra digit in two cells of a line (2), is part of a subset (3), or locks a digit (4).
//! * **Test 5**: the roof has one extra digit in two opposite cells or in three cells.
//! * **Test 6**: the roof is two opposite cells, and one digit has no other place in both rows, or in both columns. If
//!   it were in one roof cell it would be in both, and the pattern would be complete. So it is removed from the roof.
//! * **Hidden rectangle**: a corner has only the two digits, and one of them has no other place on the row and the
//!   column of the opposite cell. The other digit in that cell would complete the pattern, so it is removed there.
//! * **Avoidable rectangle 1**: three cells are solved, not given, and a digit in the fourth would complete the
//!   pattern. It is removed there. **2**: two cells are solved, and the two open ones have the completing digit and the
//!   same single extra digit. It is removed from the cells that see both.
//!
//! * **Almost unique rectangle**: all extra candidates are of one or two digits. It is no technique of its own: chains
//!   pass from one digit, or from one cell, to the rest ([`super::links`]). No corner needs to have exactly the pair.
//!
//! A cell may lack one of the two digits: a candidate that is removed cannot make the pattern less deadly. In tests 1
//! to 6 and in hidden rectangles one corner has exactly the two digits, and the search starts there. References:
//! Sudopedia, "Uniqueness Test", "Hidden Rectangle", "Avoidable Rectangle", "Almost Unique Rectangles"; HoDoKu,
//! "Uniqueness".

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House, HouseKind};

use super::position::Position;
use super::sink::{Pattern, Sink};
use super::uniqueness::{UniquenessType, conclude, offer, roof};

/// Corner, its mate on one line, its mate on the crossing line, the opposite cell.
type Rectangle = [Cell; 4];

/// The rectangle of two opposite cells. None when they share a line, or when the four cells lie in one box or in four.
fn rectangle<S: CellSet>(marks: &Candidates<S>, corner: Cell, opposite: Cell) -> Option<Rectangle> {
    let layout = marks.sets().layout();
    let (order, own, other) = (marks.order(), layout.houses_of(corner), layout.houses_of(opposite));
    if own[0] == other[0] || own[1] == other[1] {
        return None;
    }
    let cross = |row: House, column: House| Cell::new(row.index() * order + column.index() - order);
    let (beside, below) = (cross(own[0], other[1]), cross(other[0], own[1]));
    lies_in_two_boxes(marks, corner, beside, below).then_some([corner, beside, below, opposite])
}

/// True when exactly one of the mates of a corner on its row and on its column lies in its box.
fn lies_in_two_boxes<S: CellSet>(marks: &Candidates<S>, corner: Cell, beside: Cell, below: Cell) -> bool {
    let [own, beside, below] = [corner, beside, below].map(|cell| marks.sets().layout().houses_of(cell)[2]);
    (own == beside) != (own == below)
}

/// Calls `found` with every rectangle that has a given corner and whose other three cells are in `mates`. The
/// rectangles come in ascending order of the opposite cell.
fn with_corner<S: CellSet>(marks: &Candidates<S>, corner: Cell, mates: S, mut found: impl FnMut(Rectangle)) {
    let layout = marks.sets().layout();
    let [row, column, _] = layout.houses_of(corner);
    let (row, column) = (mates & marks.house(row), mates & marks.house(column));
    for below in (column - S::only(corner)).cells() {
        for beside in (row - S::only(corner)).cells() {
            let opposite = Cell::new(below.index() + beside.index() - corner.index());
            if mates.contains(opposite) && lies_in_two_boxes(marks, corner, beside, below) {
                found([corner, beside, below, opposite]);
            }
        }
    }
}

/// A rectangle of open cells. One corner has only two candidates, the pair, and each cell has at least one of the pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenRectangle {
    /// The first is a corner with only the pair.
    cells: Rectangle,
    pair: Digits,
    /// The number of cells with extra candidates.
    roof: usize,
    extras: Digits,
    /// True when the roof is two cells of one line.
    on_line: bool,
}

impl OpenRectangle {
    fn new<S: CellSet>(marks: &Candidates<S>, cells: Rectangle, pair: Digits) -> OpenRectangle {
        let extras = cells.map(|cell| marks.of_cell(cell) - pair);
        let roof = extras.iter().filter(|extras| !extras.is_empty()).count();
        // The cells at 0 and 3, and those at 1 and 2, are opposite.
        let opposite = extras[0].is_empty() == extras[3].is_empty();
        let extras = extras.into_iter().fold(Digits::EMPTY, |all, extras| all | extras);
        OpenRectangle { cells, pair, roof, extras, on_line: roof == 2 && !opposite }
    }

    fn base(&self) -> [(Cell, Digits); 4] {
        self.cells.map(|cell| (cell, self.pair))
    }

    /// True when a type of conclusion may apply.
    fn may_conclude(&self, kind: UniquenessType) -> bool {
        match kind {
            UniquenessType::Alone => self.roof == 1,
            UniquenessType::SameExtra => self.roof >= 2 && self.extras.single().is_some(),
            UniquenessType::Subset => self.on_line,
            UniquenessType::Locked => self.roof == 2,
        }
    }
}

pub(super) fn open_rectangles<S: CellSet>(marks: &Candidates<S>) -> Vec<OpenRectangle> {
    let mut all = Vec::new();
    for corner in marks.with_two().cells() {
        let pair = marks.of_cell(corner);
        let holders = pair.iter().fold(S::empty(), |all, digit| all | marks.of_digit(digit));
        with_corner(marks, corner, holders, |cells| {
            let is_first = |&cell: &Cell| cell >= corner || marks.of_cell(cell) != pair;
            if cells.iter().all(is_first) {
                all.push(OpenRectangle::new(marks, cells, pair));
            }
        });
    }
    all
}

/// Calls `found` with the cells of every almost unique rectangle, and two nodes that together are its extra candidates.
/// A node is a digit in some of the cells.
pub(super) fn almost_unique_rectangles<S: CellSet>(marks: &Candidates<S>, mut found: impl FnMut(S, [(Digit, S); 2])) {
    for corner in marks.open().cells() {
        with_corner(marks, corner, marks.open(), |cells| {
            let digits = cells.iter().fold(Digits::EMPTY, |all, &cell| all | marks.of_cell(cell));
            if cells.iter().all(|&cell| cell >= corner) && matches!(digits.len(), 3 | 4) {
                extras_as_nodes(marks, cells, digits, &mut found);
            }
        });
    }
}

/// Calls `found` for every pair among three or four digits of which each cell has at least one.
fn extras_as_nodes<S: CellSet>(
    marks: &Candidates<S>,
    cells: Rectangle,
    digits: Digits,
    found: &mut impl FnMut(S, [(Digit, S); 2]),
) {
    let area = S::of(cells);
    let node = |digit: Digit| (digit, marks.of_digit(digit) & area);
    for first in digits.iter() {
        for second in digits.iter().filter(|&second| second > first) {
            let pair = Digits::only(first) | Digits::only(second);
            let mut extras = (digits - pair).iter().map(node);
            if cells.iter().any(|&cell| marks.of_cell(cell).0 & pair.0 == 0) {
                continue;
            }
            match (extras.next(), extras.next()) {
                (Some(one), Some(other)) => found(area, [one, other]),
                (Some((digit, places)), None) if places.len() > 1 => places.cells().for_each(|cell| {
                    found(area, [S::only(cell), places - S::only(cell)].map(|cells| (digit, cells)));
                }),
                _ => {}
            }
        }
    }
}

/// Every conclusion of a type from a rectangle: uniqueness tests 1 to 4.
pub fn uniqueness_tests<S: CellSet>(position: &Position<'_, S>, kind: UniquenessType, sink: &mut impl Sink<S>) {
    for rectangle in position.rectangles().iter().filter(|rectangle| rectangle.may_conclude(kind)) {
        if kind != UniquenessType::SameExtra || rectangle.on_line {
            conclude(position.marks, kind, &rectangle.base(), sink);
        }
    }
}

pub fn uniqueness_test_5<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    for rectangle in position.rectangles().iter().filter(|rectangle| rectangle.may_conclude(UniquenessType::SameExtra))
    {
        if !rectangle.on_line {
            conclude(position.marks, UniquenessType::SameExtra, &rectangle.base(), sink);
        }
    }
}

pub fn uniqueness_test_6<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    let marks = position.marks;
    for rectangle in position.rectangles().iter().filter(|rectangle| rectangle.roof == 2 && !rectangle.on_line) {
        let (base, cells) = (rectangle.base(), rectangle.cells);
        let [(first, _), (second, _)] = roof(marks, &base)[..] else { continue };
        for digit in rectangle.pair {
            let confined = |kind| [first, second].iter().all(|&cell| is_confined(marks, digit, cell, kind, &cells));
            if confined(HouseKind::Row) || confined(HouseKind::Column) {
                offer(marks, &base, Digits::only(digit), S::of([first, second]), &[], sink);
            }
        }
    }
}

/// True when a digit has no places in the row (column) of a cell except among some cells.
fn is_confined<S: CellSet>(marks: &Candidates<S>, digit: Digit, cell: Cell, kind: HouseKind, cells: &[Cell]) -> bool {
    let line = marks.sets().layout().houses_of(cell)[kind as usize];
    let places = marks.of_digit(digit) & marks.house(line);
    !places.is_empty() && places.within(S::of(cells.iter().copied()))
}

pub fn hidden_rectangles<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    let marks = position.marks;
    for rectangle in position.rectangles() {
        let (cells, pair) = (rectangle.cells, rectangle.pair);
        for (at, &corner) in cells.iter().enumerate() {
            let opposite = cells[3 - at];
            for digit in if marks.of_cell(corner) == pair { pair } else { Digits::EMPTY } {
                let confined = |kind| is_confined(marks, digit, opposite, kind, &cells);
                if confined(HouseKind::Row) && confined(HouseKind::Column) {
                    offer(marks, &rectangle.base(), pair - Digits::only(digit), S::only(opposite), &[], sink);
                }
            }
        }
    }
}

fn solved<S: CellSet>(marks: &Candidates<S>, cell: Cell) -> Option<Digit> {
    marks.value(cell).filter(|_| !marks.givens().contains(cell))
}

fn solved_cells<S: CellSet>(marks: &Candidates<S>) -> S {
    Digits::all(marks.order()).iter().fold(S::empty(), |all, digit| all | marks.stands(digit)) - marks.givens()
}

/// Every avoidable rectangle with three solved cells.
pub fn avoidable_rectangles_1<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let found = solved_cells(marks);
    if found.is_empty() {
        return;
    }
    for open in marks.open().cells() {
        with_corner(marks, open, found, |cells| {
            let [Some(a), Some(b), Some(digit)] = [cells[1], cells[2], cells[3]].map(|cell| marks.value(cell)) else {
                return;
            };
            if a == b {
                let base = cells.map(|cell| (cell, Digits::only(a) | Digits::only(digit)));
                offer(marks, &base, Digits::only(digit), S::only(open), &[], sink);
            }
        });
    }
}

/// Every avoidable rectangle with two solved cells.
pub fn avoidable_rectangles_2<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let found = solved_cells(marks);
    if found.is_empty() {
        return;
    }
    let pairs: Vec<Cell> = marks.with_two().cells().collect();
    for (at, &first) in pairs.iter().enumerate() {
        for &second in &pairs[at + 1..] {
            if marks.of_cell(first).0 & marks.of_cell(second).0 == 0 {
                continue;
            }
            match rectangle(marks, first, second) {
                Some([_, a, b, _]) if found.contains(a) && found.contains(b) && marks.value(a) == marks.value(b) => {
                    avoid(marks, [first, second], [b, a], sink);
                }
                Some(_) => {}
                None => side_by_side(marks, found, [first, second], sink),
            }
        }
    }
}

/// Two open cells of a line with every two solved cells that form a rectangle with them.
fn side_by_side<S: CellSet>(marks: &Candidates<S>, found: S, [first, second]: [Cell; 2], sink: &mut impl Sink<S>) {
    let [of_first, of_second] = [first, second].map(|cell| marks.sets().layout().houses_of(cell));
    let one_row = of_first[0] == of_second[0];
    if !one_row && of_first[1] != of_second[1] {
        return;
    }
    let crossing = of_first[if one_row { 1 } else { 0 }];
    for mate in (found & marks.house(crossing)).cells() {
        if let Some(cells) = rectangle(marks, mate, second)
            && cells.contains(&first)
            && let Some(&other) = cells.iter().find(|&&cell| cell != mate && cell != first && cell != second)
            && found.contains(other)
        {
            avoid(marks, [first, second], [mate, other], sink);
        }
    }
}

/// Offers the removal of the single extra digit that both open cells have besides the digit that would complete the
/// rectangle. If the open cells share a line, `mates[i]` is the solved cell that shares the crossing line with
/// `open[i]`, and its digit in the other open cell would complete the rectangle. Otherwise the mates have the same
/// digit, and their order does not matter.
fn avoid<S: CellSet>(marks: &Candidates<S>, open: [Cell; 2], mates: [Cell; 2], sink: &mut impl Sink<S>) {
    let [Some(a), Some(b)] = mates.map(|cell| solved(marks, cell)) else { return };
    let of = open.map(|cell| marks.of_cell(cell));
    if a != b {
        // Side by side: b completes the rectangle in the open cell next to the solved a, and a in the other one.
        if of[0].contains(b) && of[1].contains(a) {
            let extras = [of[0] - Digits::only(b), of[1] - Digits::only(a)];
            offer_avoidable(marks, (open, mates), extras, Digits::only(a) | Digits::only(b), sink);
        }
    } else if !marks.peers(open[0]).contains(open[1]) {
        // Opposite: the rectangle is complete when both open cells take the same digit.
        for digit in of[0] & of[1] {
            let extras = of.map(|digits| digits - Digits::only(digit));
            offer_avoidable(marks, (open, mates), extras, Digits::only(a) | Digits::only(digit), sink);
        }
    }
}

fn offer_avoidable<S: CellSet>(
    marks: &Candidates<S>,
    (open, mates): ([Cell; 2], [Cell; 2]),
    extras: [Digits; 2],
    pair: Digits,
    sink: &mut impl Sink<S>,
) {
    let (Some(extra), true) = (extras[0].single(), extras[0] == extras[1]) else { return };
    let out = marks.of_digit(extra) & marks.peers(open[0]) & marks.peers(open[1]);
    sink.eliminate_one(extra, out, || Pattern::of(pair | Digits::only(extra), [open, mates].concat()));
}
