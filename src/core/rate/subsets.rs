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
//! candidate and digits with one place are singles and take no part. Subsets larger than 4, in large houses, are not
//! searched.

use std::ops::BitOr;

use crate::board::candidates::Houses;
use crate::board::{Candidates, CellSet, Digit, Digits, House, HouseKind, Shape};

use super::sink::{Pattern, Sink, removals};
use super::uniqueness::shared_houses;

pub const MAX_SIZE: usize = 4;

/// Numbers of the searches that look at one house at a time. Once such a search has found nothing in the whole
/// position, it skips each house until the house changes.
#[derive(Clone, Copy)]
pub(super) enum Quiet {
    Pointing,
    Claiming,
    /// The next number is that of locked triples.
    LockedPair,
    /// The next two numbers are those of naked triples and quadruples.
    NakedPair = 4,
    /// The next two numbers are those of hidden triples and quadruples.
    HiddenPair = 7,
    SueDeCoq = 10,
}

/// Searches the houses that have changed since this search last found nothing anywhere. `search`: true if it found
/// anything.
pub(super) fn each_changed<S: CellSet>(
    marks: &Candidates<S>,
    number: usize,
    houses: impl Iterator<Item = House>,
    mut search: impl FnMut(House) -> bool,
) {
    let mut is_quiet = true;
    for house in houses.filter(|&house| marks.is_news(number, house)) {
        is_quiet &= !search(house);
    }
    if is_quiet {
        marks.found_nothing(number);
    }
}

/// Every naked subset of a size, except the locked subsets of sizes 2 and 3.
pub fn naked_subsets<S: CellSet>(marks: &Candidates<S>, size: usize, sink: &mut impl Sink<S>) {
    let few = with_few(marks, size);
    each_changed(marks, Quiet::NakedPair as usize + size - 2, marks.sets().layout().houses(), |house| {
        let mut found = false;
        if marks.open_in(house) <= size || !has_at_least(marks.house(house) & few, size) {
            return found;
        }
        naked_in(marks, house, size, &mut |cells, digits| {
            let area = shared_houses(marks, cells).fold(S::empty(), |area, house| area | marks.house(house));
            let out = removals(marks, digits, |_| area - cells);
            // A locked subset can become an ordinary one although its house does not change.
            found |= !out.is_empty();
            if !(out.is_empty() || size <= 3 && is_locked(marks, cells, digits)) {
                let pattern = || Pattern::of(digits, cells.cells()).in_houses(shared_houses(marks, cells));
                sink.eliminate_at(priority(marks, house), &out, pattern);
            }
        });
        found
    });
}

pub fn hidden_subsets<S: CellSet>(marks: &Candidates<S>, size: usize, sink: &mut impl Sink<S>) {
    let all = Digits::all(marks.order());
    each_changed(marks, Quiet::HiddenPair as usize + size - 2, with_hidden(marks, size).iter(), |house| {
        let mut found = false;
        if marks.open_in(house) <= size {
            return found;
        }
        hidden_in(marks, house, size, &mut |digits, cells| {
            let out = removals(marks, all - digits, |_| cells);
            if !out.is_empty() {
                found = true;
                let pattern = || Pattern::of(digits, cells.cells()).in_houses([house]);
                sink.eliminate_at(priority(marks, house), &out, pattern);
            }
        });
        found
    });
}

/// Boxes come before rows and columns, as in HoDoKu.
fn priority<S: CellSet>(marks: &Candidates<S>, house: House) -> u32 {
    u32::from(house.kind(marks.shape()) != HouseKind::Box)
}

/// Open cells with at least two and at most `most` candidates.
fn with_few<S: CellSet>(marks: &Candidates<S>, most: usize) -> S {
    let [two, three, four] = [marks.with_two(), marks.with_three(), marks.with_four()];
    match most {
        2 => two,
        3 => two | three,
        _ => two | three | four,
    }
}

fn with_few_places<S: CellSet>(marks: &Candidates<S>, digit: Digit, most: usize) -> Houses {
    let (two, three) = (marks.with_two_places(digit), marks.with_three_places(digit));
    match most {
        2 => two,
        3 => two.or(three),
        _ => two.or(three).or(marks.with_four_places(digit)),
    }
}

/// The houses in which at least `size` digits have at least two and at most `size` places.
fn with_hidden<S: CellSet>(marks: &Candidates<S>, size: usize) -> Houses {
    // The houses in which at least one, two, three, four of the digits counted so far have few enough places.
    let mut at_least = [Houses::default(); MAX_SIZE];
    for digit in Digits::all(marks.order()) {
        let houses = with_few_places(marks, digit, size);
        for count in (1..MAX_SIZE).rev() {
            at_least[count] = at_least[count].or(at_least[count - 1].and(houses));
        }
        at_least[0] = at_least[0].or(houses);
    }
    at_least[size - 1]
}

/// True when a set has at least `count` cells. This is faster than counting all of them.
fn has_at_least<S: CellSet>(cells: S, count: usize) -> bool {
    cells.cells().nth(count - 1).is_some()
}

/// Calls `found` with every `size` cells of a house that have `size` candidates together, each at least two.
pub(super) fn naked_in<S: CellSet>(
    marks: &Candidates<S>,
    house: House,
    size: usize,
    found: &mut impl FnMut(S, Digits),
) {
    let cells = (marks.house(house) & with_few(marks, size)).cells();
    let pool = cells.map(|cell| (S::only(cell), marks.of_cell(cell)));
    choices(pool, size, (S::empty(), Digits::EMPTY), |union| union.is_at_most(size), found);
}

/// Calls `found` with every set of `size` digits that have `size` places together in a house, each digit at least two.
fn hidden_in<S: CellSet>(marks: &Candidates<S>, house: House, size: usize, found: &mut impl FnMut(Digits, S)) {
    let few = |&digit: &Digit| (2..=size).contains(&marks.places(digit, house));
    let digits = Digits::all(marks.order()).iter().filter(few);
    let pool = digits.map(|digit| (Digits::only(digit), marks.of_digit(digit) & marks.house(house)));
    choices(pool, size, (Digits::EMPTY, S::empty()), |union| union.is_at_most(size), found);
}

/// Calls `found` with the union of every `size` members of a pool whose second parts together are small enough.
pub(super) fn choices<A: Copy + BitOr<Output = A>, B: Copy + BitOr<Output = B>>(
    members: impl Iterator<Item = (A, B)>,
    size: usize,
    nothing: (A, B),
    is_small: impl Fn(B) -> bool + Copy,
    found: &mut impl FnMut(A, B),
) {
    let mut pool = [nothing; Shape::MAX_SOLVABLE_ORDER];
    let count = pool.iter_mut().zip(members).map(|(place, member)| *place = member).count();
    if count >= size {
        grow(&pool[..count], size, nothing, is_small, found);
    }
}

fn grow<A: Copy + BitOr<Output = A>, B: Copy + BitOr<Output = B>>(
    pool: &[(A, B)],
    left: usize,
    chosen: (A, B),
    is_small: impl Fn(B) -> bool + Copy,
    found: &mut impl FnMut(A, B),
) {
    if left == 0 {
        return found(chosen.0, chosen.1);
    }
    for (at, &(member, union)) in pool.iter().enumerate() {
        let union = chosen.1 | union;
        if pool.len() - at >= left && is_small(union) {
            grow(&pool[at + 1..], left - 1, (chosen.0 | member, union), is_small, found);
        }
    }
}

pub(super) fn common_line<S: CellSet>(marks: &Candidates<S>, cells: S) -> Option<House> {
    shared_houses(marks, cells).find(|house| house.kind(marks.shape()) != HouseKind::Box)
}

/// True when the house has one of the digits outside the cells.
pub(super) fn outside<S: CellSet>(marks: &Candidates<S>, cells: S, digits: Digits, house: House) -> bool {
    digits.iter().any(|digit| marks.of_digit(digit).meets(marks.house(house) - cells))
}

/// True when the cells share a box and a line and both lose candidates: a locked subset, not a naked one.
fn is_locked<S: CellSet>(marks: &Candidates<S>, cells: S, digits: Digits) -> bool {
    let houses = || shared_houses(marks, cells);
    houses().count() == 2
        && houses().any(|house| house.kind(marks.shape()) == HouseKind::Box)
        && houses().all(|house| outside(marks, cells, digits, house))
}
