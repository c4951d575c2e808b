//! Empty rectangles: in a box a digit lies on one row and one column, and a strong link crosses one of them.
//!
//! ```text
//!   . x . | . . .       x  the places in the box: all in row 2 or column 2, the rest of the box is empty
//!   x . x | . E .       E, F  the two places of another column
//!   . x . | . . .
//!   ------+------       If E is false, F is true. If E is true, the digit of the box is in column 2.
//!   . - . | . F .       Either way r4c2 sees the digit.
//! ```
//!
//! All places of a digit in a box lie on a row r and a column c, and neither line holds all of them. A column in
//! another stack has exactly two places, one in row r, the other in another band. Then the digit is removed from the
//! cell where the row of the other place meets column c. Rows and columns may be exchanged. A box with two places
//! counts as well. **Dual**: two empty rectangles with the same box count as one.
//!
//! Reference: Sudopedia, "Empty Rectangle"; HoDoKu, "Single Digit Patterns".

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House, HouseKind};

use super::turbot::duals;
use crate::ladder::position::common::ends;
use crate::ladder::position::template_places::digits_worth_searching;
use crate::ladder::words::list::StepList;
use crate::ladder::words::sink::{Pattern, Sink};

pub(crate) fn empty_rectangles<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for digit in digits_worth_searching(marks) {
        for number in 0..marks.order() {
            in_box(marks, digit, House::of(marks.shape(), HouseKind::Box, number), sink);
        }
    }
}

/// Offers every two empty rectangles with the same box.
pub(crate) fn dual_empty_rectangles<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for digit in digits_worth_searching(marks) {
        for number in 0..marks.order() {
            let of_box = House::of(marks.shape(), HouseKind::Box, number);
            let mut rectangles = StepList::<S>::all();
            in_box(marks, digit, of_box, &mut rectangles);
            duals(rectangles, |_| S::empty(), sink);
        }
    }
}

/// Offers the empty rectangles of a digit in a box.
fn in_box<S: CellSet>(marks: &Candidates<S>, digit: Digit, of_box: House, sink: &mut impl Sink<S>) {
    let shape = marks.shape();
    // A row and a column have this many cells of a box together.
    let most = shape.box_rows() + shape.box_columns() - 1;
    if !(2..=most).contains(&marks.places(digit, of_box)) {
        return;
    }
    let places = marks.of_digit(digit) & marks.house(of_box);
    let [rows, columns] = [HouseKind::Row, HouseKind::Column].map(|kind| crossing(marks, of_box, kind));
    for &row in &rows {
        for &column in &columns {
            let [in_row, in_column] = [row, column].map(|line| places & marks.house(line));
            if places.within(in_row | in_column) && !places.within(in_row) && !places.within(in_column) {
                hinge(marks, digit, of_box, [row, column], sink);
                hinge(marks, digit, of_box, [column, row], sink);
            }
        }
    }
}

/// The rows, or the columns, that cross a box.
fn crossing<S: CellSet>(marks: &Candidates<S>, of_box: House, kind: HouseKind) -> Vec<House> {
    let layout = marks.sets().layout();
    let mut lines: Vec<House> =
        layout.house(of_box).iter().map(|&cell| layout.plain_houses_of(cell)[kind as usize]).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Offers the strong links with one end on the line `along`. Each removes one place on the line `across`.
fn hinge<S: CellSet>(
    marks: &Candidates<S>,
    digit: Digit,
    of_box: House,
    [along, across]: [House; 2],
    sink: &mut impl Sink<S>,
) {
    let layout = marks.sets().layout();
    let [along_kind, across_kind] = [along, across].map(|line| line.kind(marks.shape()) as usize);
    for near in (marks.of_digit(digit) & (marks.house(along) - marks.house(of_box))).cells() {
        let link = layout.plain_houses_of(near)[across_kind];
        let Some(ends) = ends(marks, digit, link) else { continue };
        let far: Cell = if ends[0] == near { ends[1] } else { ends[0] };
        let out = marks.of_digit(digit) & marks.house(layout.plain_houses_of(far)[along_kind]) & marks.house(across);
        // The line of the far place may pass through the box too. Then the two lines cross inside it.
        if !out.meets(marks.house(of_box)) {
            let cells = (marks.of_digit(digit) & marks.house(of_box)).cells().chain([near, far]);
            sink.eliminate_one(digit, out, || Pattern::of(Digits::only(digit), cells).in_houses([of_box, link]));
        }
    }
}
