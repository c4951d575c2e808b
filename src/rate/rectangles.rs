//! Rectangles: two digits in the four cells where two rows and two columns cross, in two boxes.
//!
//! ```text
//!   ab  ab+  | .  . | ...      corner A, its box mate B        A = D = a, B = C = b could be
//!   ab  ab+  | ...             (on a line), C and D on         changed to A = D = b, B = C = a:
//!   C   D                      another line, in another box    a deadly pattern
//! ```
//!
//! The four cells must not be givens. Three of them are the fourth's mates in its row, column and box.
//!
//! * **Uniqueness tests 1 to 4**: the roof of an open rectangle (see [`super::uniqueness`]) is one cell (1); or has one
//!   extra digit, in two cells of a line (2); or takes part in a subset (3); or locks a digit (4). **Test 5**: one extra
//!   digit in two opposite cells or in three. **Test 6**: the roof is two opposite cells, and one digit has no other
//!   place in both rows, or in both columns: were it in one of the roof's cells it would be in both, and the pattern
//!   complete, so it is ruled out there.
//! * **Hidden rectangle**: a corner with just the two digits; on the row and on the column of the opposite cell one of
//!   the digits has no other place than the rectangle: the other digit there would complete the pattern.
//! * **Avoidable rectangle 1**: three cells have been solved, not given, and the fourth would complete the pattern with
//!   one digit: it is ruled out there. **2**: two cells have been solved, the two open ones have the completing digit
//!   and one and the same extra digit: it is ruled out where both are seen.
//!
//! A cell may lack one of the two digits: what was ruled out can not make the pattern less deadly. One corner is always
//! a cell with exactly the two digits, and the search starts there. References: Sudopedia, "Uniqueness Test", "Hidden
//! Rectangle", "Avoidable Rectangle"; HoDoKu, "Uniqueness".

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, HouseKind, Shape};

use super::sink::{Pattern, Sink};
use super::uniqueness::{Kind, conclude, offer, roof};

/// Corner, its mate on one line, its mate on the crossing line, the opposite cell.
type Rectangle = [Cell; 4];

/// The rectangle of two opposite cells; none when they share a line or the four cells lie in one box or in four.
fn rectangle(shape: Shape, corner: Cell, opposite: Cell) -> Option<Rectangle> {
    let (a, d) = ((corner.row(shape), corner.column(shape)), (opposite.row(shape), opposite.column(shape)));
    let same_band = a.0 / shape.box_rows() == d.0 / shape.box_rows();
    let same_stack = a.1 / shape.box_columns() == d.1 / shape.box_columns();
    let fits = a.0 != d.0 && a.1 != d.1 && same_band != same_stack;
    fits.then(|| [corner, Cell::at(shape, a.0, d.1), Cell::at(shape, d.0, a.1), opposite])
}

/// Calls `found` once with every open rectangle that has a corner with just two candidates, the pair, and at least one
/// of the pair in each cell. The first cell is such a corner.
fn open_rectangles<S: CellSet>(marks: &Candidates<S>, found: &mut impl FnMut(Rectangle, Digits)) {
    let shape = marks.shape();
    for corner in marks.with_two().cells() {
        let pair = marks.of_cell(corner);
        let holders = pair.fold(S::empty(), |all, digit| all | marks.of_digit(digit));
        for opposite in (holders - marks.peers(corner)).cells() {
            let Some(cells) = rectangle(shape, corner, opposite) else { continue };
            let is_first = |&cell: &Cell| cell >= corner || marks.of_cell(cell) != pair;
            if cells.iter().all(|&cell| holders.contains(cell)) && cells.iter().all(is_first) {
                found(cells, pair);
            }
        }
    }
}

/// Every use of a kind of conclusion in a rectangle: uniqueness tests 1 to 4.
pub fn uniqueness_tests<S: CellSet>(marks: &Candidates<S>, kind: Kind, sink: &mut impl Sink<S>) {
    open_rectangles(marks, &mut |cells, pair| {
        let base = cells.map(|cell| (cell, pair));
        if kind != Kind::SameExtra || is_on_line(marks, &roof(marks, &base)) {
            conclude(marks, kind, &base, sink);
        }
    });
}

/// Every uniqueness test 5.
pub fn uniqueness_test_5<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    open_rectangles(marks, &mut |cells, pair| {
        let base = cells.map(|cell| (cell, pair));
        if !is_on_line(marks, &roof(marks, &base)) {
            conclude(marks, Kind::SameExtra, &base, sink);
        }
    });
}

/// True when the roof is two cells of one line.
fn is_on_line<S: CellSet>(marks: &Candidates<S>, roof: &[(Cell, Digits)]) -> bool {
    matches!(*roof, [(first, _), (second, _)] if marks.peers(first).contains(second))
}

/// Every uniqueness test 6.
pub fn uniqueness_test_6<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    open_rectangles(marks, &mut |cells, pair| {
        let base = cells.map(|cell| (cell, pair));
        let [(first, _), (second, _)] = roof(marks, &base)[..] else { return };
        if marks.peers(first).contains(second) {
            return;
        }
        for digit in pair {
            let confined = |kind| [first, second].iter().all(|&cell| is_confined(marks, digit, cell, kind, &cells));
            if confined(HouseKind::Row) || confined(HouseKind::Column) {
                offer(marks, &base, Digits::only(digit), S::of([first, second]), &[], sink);
            }
        }
    });
}

/// True when a digit has its only places in the row (column) of a cell among some cells.
fn is_confined<S: CellSet>(marks: &Candidates<S>, digit: Digit, cell: Cell, kind: HouseKind, cells: &[Cell]) -> bool {
    let line = marks.sets().layout().houses_of(cell)[kind as usize];
    let places = marks.of_digit(digit) & marks.house(line);
    !places.is_empty() && places.within(S::of(cells.iter().copied()))
}

/// Every hidden rectangle.
pub fn hidden_rectangles<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    open_rectangles(marks, &mut |cells, pair| {
        let base = cells.map(|cell| (cell, pair));
        for (at, &corner) in cells.iter().enumerate() {
            let opposite = cells[3 - at];
            for digit in if marks.of_cell(corner) == pair { pair } else { Digits::EMPTY } {
                let confined = |kind| is_confined(marks, digit, opposite, kind, &cells);
                if confined(HouseKind::Row) && confined(HouseKind::Column) {
                    offer(marks, &base, pair - Digits::only(digit), S::only(opposite), &[], sink);
                }
            }
        }
    });
}

/// The digit of a cell that was solved, not given.
fn solved<S: CellSet>(marks: &Candidates<S>, cell: Cell) -> Option<Digit> {
    marks.value(cell).filter(|_| !marks.givens().contains(cell))
}

/// Every avoidable rectangle with three solved cells.
pub fn avoidable_rectangles_1<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let shape = marks.shape();
    let found = solved_cells(marks);
    for open in marks.open().cells() {
        for opposite in (found - marks.peers(open)).cells() {
            let Some(cells) = rectangle(shape, open, opposite) else { continue };
            let [Some(a), Some(b), Some(digit)] = [cells[1], cells[2], opposite].map(|cell| solved(marks, cell)) else {
                continue;
            };
            if a == b {
                let base = cells.map(|cell| (cell, Digits::only(a) | Digits::only(digit)));
                offer(marks, &base, Digits::only(digit), S::only(open), &[], sink);
            }
        }
    }
}

fn solved_cells<S: CellSet>(marks: &Candidates<S>) -> S {
    S::of(marks.sets().layout().cells().filter(|&cell| solved(marks, cell).is_some()))
}

/// Every avoidable rectangle with two solved cells.
pub fn avoidable_rectangles_2<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let pairs: Vec<Cell> = marks.with_two().cells().collect();
    let found = solved_cells(marks);
    for (at, &first) in pairs.iter().enumerate() {
        for &second in &pairs[at + 1..] {
            if marks.of_cell(first).0 & marks.of_cell(second).0 == 0 {
                continue;
            }
            match rectangle(marks.shape(), first, second) {
                Some([_, a, b, _]) if found.contains(a) && found.contains(b) && marks.value(a) == marks.value(b) => {
                    avoid(marks, [first, second], [b, a], sink);
                }
                Some(_) => {}
                None => side_by_side(marks, found, [first, second], sink),
            }
        }
    }
}

/// Two open cells of a line with every two solved cells that make up a rectangle with them.
fn side_by_side<S: CellSet>(marks: &Candidates<S>, found: S, [first, second]: [Cell; 2], sink: &mut impl Sink<S>) {
    let shape = marks.shape();
    let one_row = first.row(shape) == second.row(shape);
    if !one_row && first.column(shape) != second.column(shape) {
        return;
    }
    let crossing = marks.sets().layout().houses_of(first)[if one_row { 1 } else { 0 }];
    for mate in (found & marks.house(crossing)).cells() {
        if let Some(cells) = rectangle(shape, mate, second)
            && cells.contains(&first)
            && let Some(&other) = cells.iter().find(|&&cell| cell != mate && cell != first && cell != second)
            && found.contains(other)
        {
            avoid(marks, [first, second], [mate, other], sink);
        }
    }
}

/// Open cells with one and the same extra digit besides the one that completes the rectangle. `mates[i]` is the solved
/// cell whose digit the other open cell completes: the mate of `open[i]` across when the open cells share a line.
fn avoid<S: CellSet>(marks: &Candidates<S>, open: [Cell; 2], mates: [Cell; 2], sink: &mut impl Sink<S>) {
    let [Some(a), Some(b)] = mates.map(|cell| solved(marks, cell)) else { return };
    let of = open.map(|cell| marks.of_cell(cell));
    if a != b {
        // Side by side: below a goes b, below b goes a.
        if of[0].contains(b) && of[1].contains(a) {
            let extras = [of[0] - Digits::only(b), of[1] - Digits::only(a)];
            offer_avoidable(marks, (open, mates), extras, Digits::only(a) | Digits::only(b), sink);
        }
    } else if !marks.peers(open[0]).contains(open[1]) {
        // Across: both open cells take the same other digit.
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
    if !out.is_empty() {
        sink.eliminate(&[(extra, out)], || Pattern {
            digits: pair | Digits::only(extra),
            cells: [open, mates].concat(),
            ..Pattern::default()
        });
    }
}
