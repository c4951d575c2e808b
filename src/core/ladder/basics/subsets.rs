//! Subsets: as many digits as cells in one house, sizes 2 to 4.
//!
//! ```text
//!   naked pair     12 | 12 | -1 3 4 | -2 5          hidden pair    12 -3 | 12 -4 -5 | 34 | 35 | 45
//! ```
//!
//! * **Naked subset**: k cells of a house have k candidates together. The k digits fill the k cells, so they are
//!   removed from all other cells of the house, and of any other house that contains all k cells.
//! * **Hidden subset**: k digits of a house have k places together. All other candidates go there.
//!
//! Both searches add one cell (one digit) at a time and stop as soon as the union is larger than k. Cells with one
//! candidate and digits with one place are singles and take no part. Larger subsets are not searched.

use crate::board::{Candidates, CellSet, Digits, House, HouseKind};

use crate::ladder::position::Position;
use crate::ladder::position::choices::{ChoiceMember, choices};
use crate::ladder::position::common::{has_at_least, shared_houses};
use crate::ladder::position::quiet::{Quiet, each_changed};
use crate::ladder::position::subset_houses::MAX_SIZE;
use crate::ladder::words::sink::{Pattern, Sink, removals};

/// Offers every naked subset of a size, except the locked subsets of sizes 2 and 3.
pub(crate) fn naked_subsets<S: CellSet>(position: &Position<'_, S>, size: usize, sink: &mut impl Sink<S>) {
    let (marks, narrow_cells) = (position.marks, with_few(position.marks, size));
    each_changed(marks, Quiet::NakedPair.of_size(size), marks.sets().layout().houses(), |house| {
        let mut has_any = false;
        if !may_have_naked(position, house, narrow_cells, size) {
            return has_any;
        }
        naked_in(marks, house, size, &mut |cells, digits| {
            let area = shared_houses(marks, cells).fold(S::empty(), |area, house| area | marks.house(house));
            let out = removals(marks, digits, |_| area - cells);
            // A locked subset can become an ordinary one although its house does not change.
            has_any |= !out.is_empty();
            if !(out.is_empty() || size <= 3 && is_locked(marks, cells, digits)) {
                sink.eliminate_at(priority(marks, house), &out, || {
                    Pattern::of(digits, cells.cells()).in_houses(shared_houses(marks, cells))
                });
            }
        });
        has_any
    });
}

/// Offers every hidden subset of a size, in the houses that have changed.
pub(crate) fn hidden_subsets<S: CellSet>(position: &Position<'_, S>, size: usize, sink: &mut impl Sink<S>) {
    let marks = position.marks;
    each_changed(marks, Quiet::HiddenPair.of_size(size), position.with_hidden(size).iter(), |house| {
        let mut has_any = false;
        if !may_have_hidden(marks, house, size) {
            return has_any;
        }
        hidden_in(marks, house, size, &mut |digits, cells| {
            let out = removals(marks, Digits::all(marks.order()) - digits, |_| cells);
            has_any |= !out.is_empty();
            sink.eliminate_at(priority(marks, house), &out, || Pattern::of(digits, cells.cells()).in_houses([house]));
        });
        has_any
    });
}

/// False if a house has no naked subset of a size, of the cells with few candidates, that removes anything. A naked
/// subset leaves the other digits of the house to its other cells. So these digits are a hidden subset, and both remove
/// the same from the house.
pub(crate) fn may_have_naked<S: CellSet>(
    position: &Position<'_, S>,
    house: House,
    narrow_cells: S,
    size: usize,
) -> bool {
    let (marks, shape) = (position.marks, position.marks.shape());
    let rest = marks.open_in(house).saturating_sub(size);
    if rest == 0 || !has_at_least(marks.house(house) & narrow_cells, size) {
        return false;
    }
    if rest > MAX_SIZE {
        return true;
    }
    // The subset has only this house.
    let is_alone = shape.is_plain() && size > shape.box_rows().max(shape.box_columns());
    let is_quiet = is_alone && is_quiet(marks, Quiet::HiddenPair, rest, house) && !position.with_hidden(1).has(house);
    !is_quiet && position.with_hidden(rest).has(house)
}

/// False if a house has no hidden subset of a size that removes anything. The other open cells would be a naked subset.
fn may_have_hidden<S: CellSet>(marks: &Candidates<S>, house: House, size: usize) -> bool {
    let rest = marks.open_in(house).saturating_sub(size);
    let singles = marks.with_candidates(1) & marks.house(house);
    rest > 0
        && (!is_quiet(marks, Quiet::NakedPair, rest, house) || !singles.is_empty())
        && (rest > MAX_SIZE || has_at_least(singles | with_few(marks, rest) & marks.house(house), rest))
}

/// True if the search for subsets of a size, the first or a later one of its kind, has found nothing in this house.
fn is_quiet<S: CellSet>(marks: &Candidates<S>, pairs: Quiet, size: usize, house: House) -> bool {
    (2..=MAX_SIZE).contains(&size) && !marks.is_news(pairs.of_size(size), house)
}

/// Boxes come before rows and columns, as in HoDoKu.
fn priority<S: CellSet>(marks: &Candidates<S>, house: House) -> u32 {
    u32::from(house.kind(marks.shape()) != HouseKind::Box)
}

/// Open cells with at least two and at most `most` candidates.
pub(crate) fn with_few<S: CellSet>(marks: &Candidates<S>, most: usize) -> S {
    (2..=most).fold(S::empty(), |all, count| all | marks.with_candidates(count))
}

/// Calls `visit` with every `size` cells of a house that have `size` candidates together, each at least two.
pub(crate) fn naked_in<S: CellSet>(
    marks: &Candidates<S>,
    house: House,
    size: usize,
    visit: &mut impl FnMut(S, Digits),
) {
    let cells = (marks.house(house) & with_few(marks, size)).cells();
    let pool = cells.map(|cell| ChoiceMember { item: S::only(cell), extent: marks.of_cell(cell) });
    let nothing = ChoiceMember { item: S::empty(), extent: Digits::EMPTY };
    choices(pool, size, nothing, |union| union.is_at_most(size), visit);
}

/// Calls `visit` with every set of `size` digits that have `size` places together in a house, each digit at least two.
fn hidden_in<S: CellSet>(marks: &Candidates<S>, house: House, size: usize, visit: &mut impl FnMut(Digits, S)) {
    let digits = Digits::all(marks.order()).iter().filter(|&digit| (2..=size).contains(&marks.places(digit, house)));
    let pool = digits.map(|digit| {
        let places = marks.of_digit(digit) & marks.house(house);
        ChoiceMember { item: Digits::only(digit), extent: places }
    });
    let nothing = ChoiceMember { item: Digits::EMPTY, extent: S::empty() };
    choices(pool, size, nothing, |union| union.is_at_most(size), visit);
}

pub(crate) fn common_line<S: CellSet>(marks: &Candidates<S>, cells: S) -> Option<House> {
    shared_houses(marks, cells).find(|house| house.kind(marks.shape()) != HouseKind::Box)
}

/// True when the house has one of the digits outside the cells.
pub(crate) fn outside<S: CellSet>(marks: &Candidates<S>, cells: S, digits: Digits, house: House) -> bool {
    digits.iter().any(|digit| marks.of_digit(digit).meets(marks.house(house) - cells))
}

/// True when the cells share a box and a line and both lose candidates: a locked subset, not a naked one.
fn is_locked<S: CellSet>(marks: &Candidates<S>, cells: S, digits: Digits) -> bool {
    let mut houses = shared_houses(marks, cells);
    let (Some(first), Some(second), None) = (houses.next(), houses.next(), houses.next()) else { return false };
    [first, second].iter().any(|house| house.kind(marks.shape()) == HouseKind::Box)
        && outside(marks, cells, digits, first)
        && outside(marks, cells, digits, second)
}
