//! Rectangles: two digits in the four cells where two rows and two columns cross, in two boxes.
//!
//! ```text
//!   A: ab   B: ab+   .        A is a corner. B is its mate in the same box.    A = D = a, B = C = b could be
//!   -----------------         C and D lie on another line, in another box.     changed to A = D = b, B = C = a:
//!   C: ab   D: ab+   .        + stands for extra candidates.                   a deadly pattern
//! ```
//!
//! The four cells must not be givens. The mates of a corner are the cells in its row, in its column, and opposite.
//!
//! * **Uniqueness tests 1 to 4**: the roof of an open rectangle (see [`super::conclusions`]) is one cell (1), has one
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
//!   pass from one digit, or from one cell, to the rest ([`crate::rate::position::links`]). No corner needs to have exactly the pair.
//!
//! A cell may lack one of the two digits: a candidate that is removed cannot make the pattern less deadly. In tests 1
//! to 6 and in hidden rectangles one corner has exactly the two digits, and the search starts there. References:
//! Sudopedia, "Uniqueness Test", "Hidden Rectangle", "Avoidable Rectangle", "Almost Unique Rectangles"; HoDoKu,
//! "Uniqueness".

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, HouseKind};

use super::conclusions::{UniquenessType, conclude, offer, roof};
use crate::rate::ladder::sink::{Pattern, Sink};
use crate::rate::position::Position;

/// Corner, its mate on one line, its mate on the crossing line, the opposite cell.
type Rectangle = [Cell; 4];

/// Calls `found` with every rectangle that has a given corner and whose other three cells are in `mates`. Exactly one
/// of the mates on the corner's row and column lies in its box. The opposite cells come in ascending order.
fn with_corner<S: CellSet>(marks: &Candidates<S>, corner: Cell, mates: S, mut found: impl FnMut(Rectangle)) {
    let [row, column, of_box] = marks.sets().layout().plain_houses_of(corner).map(|house| marks.house(house));
    let mates = mates - S::only(corner);
    for below in (mates & column).cells() {
        let beside = if of_box.contains(below) { mates - of_box } else { mates & of_box } & row;
        let each = beside.cells().filter_map(|beside| rectangle(marks, corner, beside, below));
        each.filter(|cells| mates.contains(cells[3])).for_each(&mut found);
    }
}

/// The rectangle of a corner and its mates on two lines, if exactly one of them lies in its box.
fn rectangle<S: CellSet>(marks: &Candidates<S>, corner: Cell, beside: Cell, below: Cell) -> Option<Rectangle> {
    let of_box = |cell| marks.sets().layout().plain_houses_of(cell)[2];
    let is_near = |cell| of_box(cell) == of_box(corner);
    let opposite = Cell::new(below.index() + beside.index() - corner.index());
    let cells = [corner, beside, below, opposite];
    (is_near(beside) != is_near(below) && is_closed(marks, cells)).then_some(cells)
}

/// True if each house of the rules has as many of the corner and its opposite cell as of the two others, so that two digits can be
/// exchanged in the four.
fn is_closed<S: CellSet>(marks: &Candidates<S>, [corner, beside, below, opposite]: Rectangle) -> bool {
    let layout = marks.sets().layout();
    let mut houses = [corner, beside, below, opposite].into_iter().flat_map(|cell| layout.extras_of(cell));
    !S::EXTRAS
        || houses.all(|&house| {
            let has = |cell| u8::from(marks.house(house).contains(cell));
            has(corner) + has(opposite) == has(beside) + has(below)
        })
}

/// A rectangle of open cells. One corner has only two candidates, the pair, and each cell has at least one of the pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenRectangle {
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
}

pub(crate) fn open_rectangles<S: CellSet>(marks: &Candidates<S>) -> Vec<OpenRectangle> {
    let mut all = Vec::with_capacity(32);
    for corner in marks.with(2).cells() {
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

/// Calls `found` with the cells of every almost unique rectangle, and two nodes (digit, cells): its extra candidates.
pub(crate) fn almost_unique_rectangles<S: CellSet>(marks: &Candidates<S>, mut found: impl FnMut(S, [(Digit, S); 2])) {
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
            if cells.iter().any(|&cell| (marks.of_cell(cell) & pair).is_empty()) {
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

/// Uniqueness tests 1 to 5.
pub fn uniqueness_test<S: CellSet>(position: &Position<'_, S>, number: usize, sink: &mut impl Sink<S>) {
    for rectangle in position.rectangles() {
        let has_one_extra = rectangle.roof >= 2 && rectangle.extras.single().is_some();
        let (fits, kind) = match number {
            1 => (rectangle.roof == 1, UniquenessType::Alone),
            2 => (has_one_extra && rectangle.on_line, UniquenessType::SameExtra),
            3 => (rectangle.on_line, UniquenessType::Subset),
            4 => (rectangle.roof == 2, UniquenessType::Locked),
            _ => (has_one_extra && !rectangle.on_line, UniquenessType::SameExtra),
        };
        if fits {
            conclude(position.marks, kind, &rectangle.base(), sink);
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
    let line = marks.sets().layout().plain_houses_of(cell)[kind as usize];
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

fn solved_cells<S: CellSet>(marks: &Candidates<S>) -> S {
    Digits::all(marks.order()).iter().fold(S::empty(), |all, digit| all | marks.stands(digit)) - marks.givens()
}

/// Calls `found` with every rectangle of an open corner whose mates on its column and row are solved cells with the same
/// digit.
fn with_equal_mates<S: CellSet>(marks: &Candidates<S>, corner: Cell, solved: S, mut found: impl FnMut(Rectangle)) {
    let [row, column, _] = marks.sets().layout().plain_houses_of(corner);
    for below in (solved & marks.house(column)).cells() {
        let stands = marks.value(below).map_or(S::empty(), |digit| marks.stands(digit));
        if let Some(beside) = (stands & solved & marks.house(row)).first() {
            rectangle(marks, corner, beside, below).into_iter().for_each(&mut found);
        }
    }
}

/// Every avoidable rectangle with three solved cells.
pub fn avoidable_rectangles_1<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let solved = solved_cells(marks);
    for open in marks.open().cells().filter(|_| !solved.is_empty()) {
        with_equal_mates(marks, open, solved, |cells| {
            if let (true, Some(a), Some(digit)) =
                (solved.contains(cells[3]), marks.value(cells[1]), marks.value(cells[3]))
            {
                let base = cells.map(|cell| (cell, Digits::only(a) | Digits::only(digit)));
                offer(marks, &base, Digits::only(digit), S::only(open), &[], sink);
            }
        });
    }
}

pub fn avoidable_rectangles_2<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let (solved, pairs) = (solved_cells(marks), marks.with(2));
    if solved.is_empty() {
        return;
    }
    let layout = marks.sets().layout();
    // The open cells and the solved ones. If the open cells share a line, `solved[0]` shares the other line of `open[0]`.
    let mut all = Vec::new();
    for first in pairs.cells() {
        with_equal_mates(marks, first, solved, |[_, beside, below, opposite]| {
            if opposite > first && pairs.contains(opposite) {
                all.push(([first, opposite], [below, beside]));
            }
        });
        let lines = layout.plain_houses_of(first);
        for second in (pairs & marks.peers(first)).cells().filter(|&second| second > first) {
            let [of_first, of_second] = [first, second].map(|cell| marks.of_cell(cell));
            let Some(own) = (of_second - of_first).single() else { continue };
            let share = |&cross: &usize| layout.plain_houses_of(second)[1 - cross] == lines[1 - cross];
            for cross in [1, 0].into_iter().filter(share) {
                let Some(near) = (solved & marks.stands(own) & marks.house(lines[cross])).first() else { continue };
                let cells = rectangle(marks, first, second, near).filter(|cells| solved.contains(cells[3]));
                all.extend(cells.map(|[.., far]| ([first, second], [near, far])));
            }
        }
    }
    all.sort_unstable();
    all.into_iter().for_each(|(open, solved)| avoid(marks, open, solved, sink));
}

/// Offers the removal of the single extra digit that both open cells have besides the digits x and y that would
/// complete the rectangle: side by side those of the solved cells, opposite any equal two.
fn avoid<S: CellSet>(marks: &Candidates<S>, open: [Cell; 2], solved: [Cell; 2], sink: &mut impl Sink<S>) {
    let [Some(a), Some(b)] = solved.map(|cell| marks.value(cell)) else { return };
    let [of_first, of_second] = open.map(|cell| marks.of_cell(cell));
    let side_by_side = marks.peers(open[0]).contains(open[1]);
    for x in of_first {
        let (y, completes) = if side_by_side { (a, x == b) } else { (x, a == b) };
        let extras = of_first - Digits::only(x);
        let (true, true, Some(extra)) = (completes, of_second.contains(y), extras.single()) else { continue };
        if extras == of_second - Digits::only(y) {
            let out = marks.of_digit(extra) & marks.peers(open[0]) & marks.peers(open[1]);
            let digits = || [a, x, extra].into_iter().collect();
            sink.eliminate_one(extra, out, || Pattern::of(digits(), [open, solved].concat()));
        }
    }
}
