//! Intersections: what a box and a line have in common.
//!
//! ```text
//!    pointing                       claiming                        locked pair
//!    . . . | - - - | - - -          . . . | x x . | . . .           12 12  . | -12 ...
//!    x x . | . . . | . . .          - - - |  box  |                 -12 ..
//! ```
//!
//! * **Pointing**: all places of a digit in a box lie on one line. The digit is in the box, so it is removed from the
//!   rest of the line.
//! * **Claiming**: all places of a digit on a line lie in one box. The digit is on the line, so it is removed from the
//!   rest of the box.
//! * **Locked pair, triple**: two (three) cells of an intersection have two (three) candidates together. These
//!   candidates are removed from the rest of the box and from the rest of the line. If only one of the two houses loses
//!   a candidate, the pattern is an ordinary naked subset (see [`super::subsets`]).
//!
//! Reference: Sudopedia, "Locked Candidates"; HoDoKu, "Intersections". Boxes may have any side lengths.

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House, HouseKind};

use super::sink::{Pattern, Sink};
use super::subsets::{Quiet, common_line, naked_in, outside, ruled_out};

/// Every digit of a box that is confined to a line.
pub fn pointing<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let (shape, kind) = (marks.shape(), Quiet::Pointing as usize);
    let (side, mut is_quiet) = (shape.box_rows().max(shape.box_columns()), true);
    let boxes = (0..shape.order()).map(|number| House::of(shape, HouseKind::Box, number));
    for of_box in boxes.filter(|&of_box| marks.is_news(kind, of_box)) {
        for digit in Digits::all(shape.order()) {
            if (2..=side).contains(&marks.places(digit, of_box)) {
                is_quiet &= !confined(marks, digit, of_box, &[HouseKind::Row, HouseKind::Column], sink);
            }
        }
    }
    if is_quiet {
        marks.found_nothing(kind);
    }
}

/// Every digit of a line that is confined to a box.
pub fn claiming<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let (shape, mut is_quiet) = (marks.shape(), true);
    for (kind, side) in [(HouseKind::Row, shape.box_columns()), (HouseKind::Column, shape.box_rows())] {
        let lines = (0..shape.order()).map(|number| House::of(shape, kind, number));
        for line in lines.filter(|&line| marks.is_news(Quiet::Claiming as usize, line)) {
            for digit in Digits::all(shape.order()) {
                if (2..=side).contains(&marks.places(digit, line)) {
                    is_quiet &= !confined(marks, digit, line, &[HouseKind::Box], sink);
                }
            }
        }
    }
    if is_quiet {
        marks.found_nothing(Quiet::Claiming as usize);
    }
}

/// Offers the elimination when all places of a digit in one house lie in another house of the given kinds. True if
/// there is one.
fn confined<S: CellSet>(
    marks: &Candidates<S>,
    digit: Digit,
    house: House,
    kinds: &[HouseKind],
    sink: &mut impl Sink<S>,
) -> bool {
    let cells = marks.of_digit(digit) & marks.house(house);
    let (Some(first), mut is_found) = (cells.first(), false) else { return false };
    for &kind in kinds {
        let other = marks.sets().layout().houses_of(first)[kind as usize];
        if !cells.within(marks.house(other)) {
            continue;
        }
        let out = (marks.of_digit(digit) & marks.house(other)) - cells;
        if !out.is_empty() {
            is_found = true;
            sink.eliminate(&[(digit, out)], || {
                Pattern::of(Digits::only(digit), cells.cells()).in_houses([house]).removing_in([other])
            });
        }
    }
    is_found
}

/// Every locked pair (size 2) or triple (size 3).
pub fn locked_subsets<S: CellSet>(marks: &Candidates<S>, size: usize, sink: &mut impl Sink<S>) {
    let (shape, kind) = (marks.shape(), Quiet::LockedPair as usize + size - 2);
    let (mut out, mut is_quiet) = (Vec::new(), true);
    for of_box in (0..shape.order()).map(|number| House::of(shape, HouseKind::Box, number)) {
        if marks.open_in(of_box) <= size || !marks.is_news(kind, of_box) {
            continue;
        }
        naked_in(marks, of_box, size, &mut |cells: &[Cell], digits| {
            let Some(line) = common_line(marks, cells) else { return };
            let houses = marks.house(of_box) | marks.house(line);
            if outside(marks, cells, digits, of_box) && outside(marks, cells, digits, line) {
                is_quiet = false;
                ruled_out(marks, cells, digits, houses, &mut out);
                sink.eliminate(&out, || Pattern::of(digits, cells.iter().copied()).in_houses([of_box, line]));
            }
        });
    }
    if is_quiet {
        marks.found_nothing(kind);
    }
}
