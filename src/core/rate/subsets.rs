//! Subsets: as many digits as cells in one house, sizes 2 to 4.
//!
//! ```text
//!   naked pair     12 | 12 | -1 3 4 | -2 5          hidden pair    12 -3 | 12 -4 -5 | 34 | 35 | 45
//! ```
//!
//! * **Naked subset**: k cells of a house have k candidates together. The k digits fill the k cells, so they are
//!   removed from all other cells of the house, and of any other house that contains all k cells.
//! * **Hidden subset**: k digits of a house have k places together. The digits fill the places, so every other
//!   candidate is removed there.
//!
//! Both searches add one cell (one digit) at a time and stop as soon as the union is larger than k. Cells with one
//! candidate and digits with one place are singles and take no part. In a house of 36 cells there can be subsets larger
//! than 4, but they are not searched.

use crate::board::candidates::Houses;
use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House, HouseKind, Shape};

use super::sink::{Pattern, Sink};

/// The largest subset that is searched.
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
}

/// Every naked subset of a size, except the locked subsets of sizes 2 and 3.
pub fn naked_subsets<S: CellSet>(marks: &Candidates<S>, size: usize, sink: &mut impl Sink<S>) {
    let (mut out, mut is_quiet) = (Vec::new(), true);
    let (few, kind) = (with_few(marks, size), Quiet::NakedPair as usize + size - 2);
    for house in marks.sets().layout().houses().filter(|&house| marks.is_news(kind, house)) {
        if marks.open_in(house) <= size || !has_at_least(marks.house(house) & few, size) {
            continue;
        }
        naked_in(marks, house, size, &mut |cells: &[Cell], digits| {
            let shared = shared_houses(marks, cells);
            let area = shared.iter().fold(S::empty(), |area, &house| area | marks.house(house));
            ruled_out(marks, cells, digits, area, &mut out);
            // A locked subset can become an ordinary one although its house does not change.
            is_quiet &= out.is_empty();
            let locked = size <= 3 && is_locked(marks, cells, digits);
            if !out.is_empty() && !locked {
                let pattern = || Pattern::of(digits, cells.iter().copied()).in_houses(shared);
                sink.eliminate_at(priority(marks, house), &out, pattern);
            }
        });
    }
    if is_quiet {
        marks.found_nothing(kind);
    }
}

/// Every hidden subset of a size.
pub fn hidden_subsets<S: CellSet>(marks: &Candidates<S>, size: usize, sink: &mut impl Sink<S>) {
    let (all, kind) = (Digits::all(marks.order()), Quiet::HiddenPair as usize + size - 2);
    let (mut out, mut is_quiet) = (Vec::new(), true);
    for house in with_hidden(marks, size) {
        if marks.open_in(house) <= size || !marks.is_news(kind, house) {
            continue;
        }
        hidden_in(marks, house, size, &mut |digits, cells: S| {
            out.clear();
            let others = (all - digits).iter().map(|digit| (digit, marks.of_digit(digit) & cells));
            out.extend(others.filter(|(_, cells)| !cells.is_empty()));
            if !out.is_empty() {
                is_quiet = false;
                let pattern = || Pattern::of(digits, cells.cells()).in_houses([house]);
                sink.eliminate_at(priority(marks, house), &out, pattern);
            }
        });
    }
    if is_quiet {
        marks.found_nothing(kind);
    }
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

/// Houses with at least two and at most `most` places for a digit.
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

/// The candidates in an area that a naked subset removes, digit by digit.
pub(super) fn ruled_out<S: CellSet>(
    marks: &Candidates<S>,
    cells: &[Cell],
    digits: Digits,
    area: S,
    out: &mut Vec<(Digit, S)>,
) {
    let rest = area - S::of(cells.iter().copied());
    out.clear();
    out.extend(digits.iter().map(|digit| (digit, marks.of_digit(digit) & rest)).filter(|(_, cells)| !cells.is_empty()));
}

/// The houses that contain all the cells.
fn shared_houses<S: CellSet>(marks: &Candidates<S>, cells: &[Cell]) -> Vec<House> {
    let set = S::of(cells.iter().copied());
    let houses = marks.sets().layout().houses_of(cells[0]);
    houses.into_iter().filter(|&house| set.within(marks.house(house))).collect()
}

/// Calls `found` with every set of `size` cells of a house that have `size` candidates together, each cell at least
/// two.
pub(super) fn naked_in<S: CellSet>(
    marks: &Candidates<S>,
    house: House,
    size: usize,
    found: &mut impl FnMut(&[Cell], Digits),
) {
    let mut pool = [(Cell::new(0), Digits::EMPTY); Shape::MAX_SOLVABLE_ORDER];
    let mut count = 0;
    for cell in (marks.house(house) & with_few(marks, size)).cells() {
        pool[count] = (cell, marks.of_cell(cell));
        count += 1;
    }
    if count >= size {
        let mut chosen = [Cell::new(0); MAX_SIZE];
        grow_naked(&pool[..count], &mut chosen[..size], 0, Digits::EMPTY, found);
    }
}

fn grow_naked(
    pool: &[(Cell, Digits)],
    chosen: &mut [Cell],
    done: usize,
    union: Digits,
    found: &mut impl FnMut(&[Cell], Digits),
) {
    let size = chosen.len();
    if done == size {
        found(chosen, union);
        return;
    }
    for (at, &(cell, digits)) in pool.iter().enumerate() {
        let union = union | digits;
        if pool.len() - at >= size - done && union.is_at_most(size) {
            chosen[done] = cell;
            grow_naked(&pool[at + 1..], chosen, done + 1, union, found);
        }
    }
}

/// Calls `found` with every set of `size` digits that have `size` places together in a house, each digit at least two.
fn hidden_in<S: CellSet>(marks: &Candidates<S>, house: House, size: usize, found: &mut impl FnMut(Digits, S)) {
    let mut pool = [(Digits::EMPTY, S::empty()); Shape::MAX_SOLVABLE_ORDER];
    let mut count = 0;
    for digit in Digits::all(marks.order()) {
        if (2..=size).contains(&marks.places(digit, house)) {
            pool[count] = (Digits::only(digit), marks.of_digit(digit) & marks.house(house));
            count += 1;
        }
    }
    if count >= size {
        grow_hidden(&pool[..count], size, size, (Digits::EMPTY, S::empty()), found);
    }
}

fn grow_hidden<S: CellSet>(
    pool: &[(Digits, S)],
    size: usize,
    left: usize,
    (digits, cells): (Digits, S),
    found: &mut impl FnMut(Digits, S),
) {
    if left == 0 {
        found(digits, cells);
        return;
    }
    for (at, &(digit, places)) in pool.iter().enumerate() {
        let union = cells | places;
        if pool.len() - at >= left && union.is_at_most(size) {
            grow_hidden(&pool[at + 1..], size, left - 1, (digits | digit, union), found);
        }
    }
}

/// The line that contains all the cells.
pub(super) fn common_line<S: CellSet>(marks: &Candidates<S>, cells: &[Cell]) -> Option<House> {
    let set = S::of(cells.iter().copied());
    let [row, column, _] = marks.sets().layout().houses_of(*cells.first()?);
    [row, column].into_iter().find(|&line| set.within(marks.house(line)))
}

/// True when the house has one of the digits outside the cells.
pub(super) fn outside<S: CellSet>(marks: &Candidates<S>, cells: &[Cell], digits: Digits, house: House) -> bool {
    let rest = marks.house(house) - S::of(cells.iter().copied());
    digits.iter().any(|digit| marks.of_digit(digit).meets(rest))
}

/// True when the cells share a box and a line and both lose candidates: a locked subset, not a naked one.
fn is_locked<S: CellSet>(marks: &Candidates<S>, cells: &[Cell], digits: Digits) -> bool {
    let set = S::of(cells.iter().copied());
    let of_box = marks.sets().layout().houses_of(cells[0])[HouseKind::Box as usize];
    set.within(marks.house(of_box))
        && common_line(marks, cells)
            .is_some_and(|line| outside(marks, cells, digits, of_box) && outside(marks, cells, digits, line))
}
