//! Intersections: what a box and a line have in common.
//!
//! ```text
//!    pointing                       claiming                        locked pair
//!    . . . | - - - | - - -          . . . | x x . | . . .           12 12  . | -12 ...
//!    x x . | . . . | . . .          - - - |  box  |                 -12 ..
//! ```
//!
//! * **Pointing**: all places of a digit in a box lie on one line. So it is removed from the rest of the line.
//! * **Claiming**: all places of a digit on a line lie in one box. So it is removed from the rest of the box.
//! * On boards with rules both are one pattern: all places of a digit in a house, a box or another, are seen by a cell
//!   outside it, in whatever way. So it is removed there.
//! * **Locked pair, triple**: two (three) cells of an intersection have two (three) candidates together. These
//!   candidates are removed from the rest of the box and from the rest of the line. If only one of the two houses loses
//!   a candidate, the pattern is an ordinary naked subset (see [`super::subsets`]).
//!
//! Reference: Sudopedia, "Locked Candidates"; HoDoKu, "Intersections". Boxes may have any side lengths.

use crate::board::{Candidates, CellSet, Digits, House, HouseKind};

use super::subsets::{common_line, may_have_naked, naked_in, outside, with_few};
use crate::ladder::position::Position;
use crate::ladder::position::common::{all_see, has_at_least};
use crate::ladder::position::quiet::{Quiet, each_changed};
use crate::ladder::position::template_places::digits_worth_searching;
use crate::ladder::words::sink::{Pattern, Sink, removals};

/// Offers every pointing; on boards with rules, what all places of a digit in a box see.
pub(crate) fn pointing<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let shape = marks.shape();
    if !shape.is_plain() {
        return common_peers(marks, Quiet::Pointing, |house| house.kind(shape) == HouseKind::Box, sink);
    }
    let side = shape.box_rows().max(shape.box_columns());
    let boxes = (0..shape.order()).map(|number| House::of(shape, HouseKind::Box, number));
    let digits = digits_worth_searching(marks);
    each_changed(marks, Quiet::Pointing as usize, boxes.filter(|_| !digits.is_empty()), |of_box| {
        confined(marks, of_box, digits, side, &[HouseKind::Row, HouseKind::Column], sink)
    });
}

/// Offers every claiming; on boards with rules, what all places of a digit in another house see.
pub(crate) fn claiming<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let shape = marks.shape();
    if !shape.is_plain() {
        return common_peers(marks, Quiet::Claiming, |house| house.kind(shape) != HouseKind::Box, sink);
    }
    let digits = digits_worth_searching(marks);
    let lines = marks.sets().layout().houses().filter(|line| !digits.is_empty() && line.kind(shape) != HouseKind::Box);
    each_changed(marks, Quiet::Claiming as usize, lines, |line| {
        let is_row = line.kind(shape) == HouseKind::Row;
        let most = if is_row { shape.box_columns() } else { shape.box_rows() };
        confined(marks, line, digits, most, &[HouseKind::Box], sink)
    });
}

/// Offers the cells that see all places of a digit in a house, on a board with rules. `takes` chooses the houses.
fn common_peers<S: CellSet>(
    marks: &Candidates<S>,
    quiet: Quiet,
    takes: impl Fn(House) -> bool,
    sink: &mut impl Sink<S>,
) {
    let houses = marks.sets().layout().houses().filter(|&house| takes(house));
    each_changed(marks, quiet as usize, houses, |house| {
        let mut is_found = false;
        for digit in
            Digits::all(marks.order()).iter().filter(|&digit| (2..=marks.order()).contains(&marks.places(digit, house)))
        {
            let cells = marks.of_digit(digit) & marks.house(house);
            let out = marks.of_digit(digit) & all_see(marks, cells);
            is_found |= !out.is_empty();
            sink.eliminate_one(digit, out, || Pattern::of(Digits::only(digit), cells.cells()).in_houses([house]));
        }
        is_found
    });
}

/// Offers what follows when all 2 to `most` places of one of the digits in a house lie in a house of other kinds. True
/// if anything does.
fn confined<S: CellSet>(
    marks: &Candidates<S>,
    house: House,
    digits: Digits,
    most: usize,
    kinds: &[HouseKind],
    sink: &mut impl Sink<S>,
) -> bool {
    let mut is_found = false;
    for digit in digits.iter().filter(|&digit| (2..=most).contains(&marks.places(digit, house))) {
        let cells = marks.of_digit(digit) & marks.house(house);
        let Some(first) = cells.first() else { continue };
        for other in kinds.iter().map(|&kind| marks.sets().layout().plain_houses_of(first)[kind as usize]) {
            let out = (marks.of_digit(digit) & marks.house(other)) - cells;
            if !out.is_empty() && cells.within(marks.house(other)) {
                is_found = true;
                sink.eliminate(&[(digit, out)], || {
                    Pattern::of(Digits::only(digit), cells.cells()).in_houses([house]).removing_in([other])
                });
            }
        }
    }
    is_found
}

/// Offers every locked pair (`size` 2) or triple (3).
pub(crate) fn locked_subsets<S: CellSet>(position: &Position<'_, S>, size: usize, sink: &mut impl Sink<S>) {
    let (marks, few) = (position.marks, with_few(position.marks, size));
    let shape = marks.shape();
    let boxes = (0..shape.order()).map(|number| House::of(shape, HouseKind::Box, number));
    each_changed(marks, Quiet::LockedPair.of_size(size), boxes, |of_box| {
        let few_of_box = few & marks.house(of_box);
        let share_a_line = few_of_box.cells().any(|cell| {
            let lines = &marks.sets().layout().plain_houses_of(cell)[..2];
            lines.iter().any(|&line| has_at_least(few_of_box & marks.house(line), size))
        });
        if !share_a_line || !may_have_naked(position, of_box, few, size) {
            return false;
        }
        let mut is_found = false;
        naked_in(marks, of_box, size, &mut |cells, digits| {
            let Some(line) = common_line(marks, cells) else { return };
            if outside(marks, cells, digits, of_box) && outside(marks, cells, digits, line) {
                is_found = true;
                let area = marks.house(of_box) | marks.house(line);
                let out = removals(marks, digits, |_| area - cells);
                sink.eliminate(&out, || Pattern::of(digits, cells.cells()).in_houses([of_box, line]));
            }
        });
        is_found
    });
}
