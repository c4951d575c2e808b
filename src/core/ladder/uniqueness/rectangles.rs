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
//! A cell may lack one of the two digits: a candidate that is removed cannot make the pattern less deadly. In tests 1
//! to 6 and in hidden rectangles one corner has exactly the two digits, and the search starts there
//! ([`crate::ladder::position::rectangles`]). References: Sudopedia, "Uniqueness Test", "Hidden Rectangle", "Avoidable
//! Rectangle"; HoDoKu, "Uniqueness".

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, HouseKind};

use super::conclusions::{UniquenessType, conclude, offer, roof};
use crate::ladder::position::Position;
use crate::ladder::position::rectangles::{Rectangle, rectangle};
use crate::ladder::words::sink::{Pattern, Sink};

/// Offers what a uniqueness test, `number` 1 to 5, removes in each open rectangle.
pub(crate) fn uniqueness_test<S: CellSet>(position: &Position<'_, S>, number: usize, sink: &mut impl Sink<S>) {
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

/// Offers what uniqueness test 6 removes in each open rectangle.
pub(crate) fn uniqueness_test_6<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    let marks = position.marks;
    for rectangle in position.rectangles().iter().filter(|rectangle| rectangle.roof == 2 && !rectangle.on_line) {
        let (base, cells) = (rectangle.base(), rectangle.cells);
        let [(first, _), (second, _)] = roof(marks, &base)[..] else { continue };
        for digit in rectangle.pair {
            let mut kinds = [HouseKind::Row, HouseKind::Column].into_iter();
            if kinds.any(|kind| [first, second].iter().all(|&cell| is_confined(marks, digit, cell, kind, &cells))) {
                offer(marks, &base, Digits::only(digit), S::of([first, second]), &[], sink);
            }
        }
    }
}

/// True when a digit has places in the row (column, by `kind`) of a cell, all of them among `cells`.
fn is_confined<S: CellSet>(marks: &Candidates<S>, digit: Digit, cell: Cell, kind: HouseKind, cells: &[Cell]) -> bool {
    let line = marks.sets().layout().plain_houses_of(cell)[kind as usize];
    let places = marks.of_digit(digit) & marks.house(line);
    !places.is_empty() && places.within(S::of(cells.iter().copied()))
}

pub(crate) fn hidden_rectangles<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    let marks = position.marks;
    for rectangle in position.rectangles() {
        let (cells, pair) = (rectangle.cells, rectangle.pair);
        for (index, &corner) in cells.iter().enumerate() {
            let opposite = cells[3 - index];
            // If `digit` has no other place on the lines of the opposite cell, the other one is removed there.
            for digit in if marks.of_cell(corner) == pair { pair } else { Digits::EMPTY } {
                let mut kinds = [HouseKind::Row, HouseKind::Column].into_iter();
                if kinds.all(|kind| is_confined(marks, digit, opposite, kind, &cells)) {
                    offer(marks, &rectangle.base(), pair - Digits::only(digit), S::only(opposite), &[], sink);
                }
            }
        }
    }
}

/// The cells that have a digit and are not given.
fn solved_cells<S: CellSet>(marks: &Candidates<S>) -> S {
    Digits::all(marks.order()).iter().fold(S::empty(), |cells, digit| cells | marks.placed(digit)) - marks.givens()
}

/// Calls `visit` with every rectangle of an open corner whose mates on column and row are `solved`, with one digit.
fn with_equal_mates<S: CellSet>(marks: &Candidates<S>, corner: Cell, solved: S, mut visit: impl FnMut(Rectangle)) {
    let [row, column, _] = marks.sets().layout().plain_houses_of(corner);
    for below in (solved & marks.house(column)).cells() {
        // The cells of the same digit: at most one of them is in the row.
        let stands = marks.value(below).map_or(S::empty(), |digit| marks.placed(digit));
        if let Some(beside) = (stands & solved & marks.house(row)).first() {
            rectangle(marks, corner, beside, below).into_iter().for_each(&mut visit);
        }
    }
}

/// Offers what each avoidable rectangle with three solved cells removes: the digit of the cell opposite the open one.
pub(crate) fn avoidable_rectangles_1<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let solved = solved_cells(marks);
    for open in marks.open().cells().filter(|_| !solved.is_empty()) {
        with_equal_mates(marks, open, solved, |cells| {
            if solved.contains(cells[3])
                && let (Some(a), Some(digit)) = (marks.value(cells[1]), marks.value(cells[3]))
            {
                let base = cells.map(|cell| (cell, Digits::only(a) | Digits::only(digit)));
                offer(marks, &base, Digits::only(digit), S::only(open), &[], sink);
            }
        });
    }
}

/// Offers what each avoidable rectangle with two solved cells removes.
///
/// ```text
///   a    .   b         The solved cells a, b side by side: with b in the open cell below a, and a in the one below b,
///   -----------        the four could be exchanged. If the open cells are b x and a x, one of them is x, so x is
///   b x  .   a x       removed from all cells that see both. Solved cells that are opposite have the same digit.
/// ```
pub(crate) fn avoidable_rectangles_2<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let (solved, pairs) = (solved_cells(marks), marks.with_candidates(2));
    if solved.is_empty() {
        return;
    }
    let layout = marks.sets().layout();
    let mut rectangles = Vec::new();
    for first in pairs.cells() {
        // The open cells are opposite.
        with_equal_mates(marks, first, solved, |[_, beside, below, opposite]| {
            if opposite > first && pairs.contains(opposite) {
                rectangles.push(HalfSolved { open: [first, opposite], solved: [below, beside] });
            }
        });
        // The open cells are side by side. Only the second has the digit a of the solved cell beside the first.
        let lines = layout.plain_houses_of(first);
        for second in (pairs & marks.peers(first)).cells().filter(|&second| second > first) {
            let Some(a) = (marks.of_cell(second) - marks.of_cell(first)).single() else { continue };
            // `cross`: the kind of line (0: rows) of a solved cell beside the first; the open ones share the other.
            for cross in [1, 0] {
                let share_line = layout.plain_houses_of(second)[1 - cross] == lines[1 - cross];
                let solved_beside = solved & marks.placed(a) & marks.house(lines[cross]);
                let Some(near) = solved_beside.first().filter(|_| share_line) else { continue };
                let cells = rectangle(marks, first, second, near).filter(|cells| solved.contains(cells[3]));
                rectangles.extend(cells.map(|[.., far]| HalfSolved { open: [first, second], solved: [near, far] }));
            }
        }
    }
    rectangles.sort_unstable();
    rectangles.into_iter().for_each(|rectangle| avoid(marks, rectangle, sink));
}

/// Two open and two solved cells of a rectangle. If the open ones share a line, `open[0]` shares one with `solved[0]`.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct HalfSolved {
    open: [Cell; 2],
    solved: [Cell; 2],
}

/// Offers the removal of the single extra digit that both open cells have besides the digits that would complete the
/// rectangle: x in `open[0]` and y in `open[1]`. If these cells are side by side, x and y are the digits of the solved
/// cells, crosswise; if they are opposite, x and y are one digit, and the solved cells have one digit.
fn avoid<S: CellSet>(marks: &Candidates<S>, HalfSolved { open, solved }: HalfSolved, sink: &mut impl Sink<S>) {
    let [Some(a), Some(b)] = solved.map(|cell| marks.value(cell)) else { return };
    let [first_digits, second_digits] = open.map(|cell| marks.of_cell(cell));
    let side_by_side = marks.peers(open[0]).contains(open[1]);
    for x in first_digits {
        let (y, completes) = if side_by_side { (a, x == b) } else { (x, a == b) };
        let extras = first_digits - Digits::only(x);
        if completes
            && second_digits.contains(y)
            && extras == second_digits - Digits::only(y)
            && let Some(extra) = extras.single()
        {
            let out = marks.of_digit(extra) & marks.peers(open[0]) & marks.peers(open[1]);
            let digits = [a, x, extra].into_iter().collect();
            sink.eliminate_one(extra, out, || Pattern::of(digits, [open, solved].concat()));
        }
    }
}
