//! Bivalue Universal Grave (BUG): each open cell has two candidates, each open digit two places in each house.
//!
//! ```text
//!   12 | 23 | 13+2        each open digit of a house has two places, except for a few extra candidates
//! ```
//!
//! Without the extra candidates each cell has two candidates, its base. If all took a digit of their base, each could
//! take the other one instead: two solutions. So some cell takes an extra candidate (see [`super::conclusions`]).
//!
//! * **BUG + 1**: one cell has one extra candidate and takes it. Its two base digits are removed.
//! * **BUG type 2**: all extra candidates are one digit. It is removed from the cells that see all of them.
//! * **BUG type 3**: the extra candidates are part of a naked subset.
//! * **BUG type 4**: a base digit is locked in the two cells with extra candidates.
//!
//! The base of a cell with three or more candidates is not known in advance. Every choice that leaves each digit two
//! places, or none, in every house is valid. Reference: Sudopedia, "Bivalue Universal Grave". HoDoKu only knows BUG +
//! 1. The other types have the same score and level here, and the default ladder, which is HoDoKu's, leaves them out.

use crate::board::{Candidates, Cell, CellSet, Digits};

use super::conclusions::{Base, UniquenessType, conclude};
use crate::ladder::words::sink::Sink;

/// The most cells with three or more candidates.
const MAX_EXTRA: usize = 6;

/// Offers all choices of two candidates, in cells with more, that make a BUG ([`UniquenessType::Alone`]: BUG + 1).
pub(crate) fn bugs<S: CellSet>(marks: &Candidates<S>, kind: UniquenessType, sink: &mut impl Sink<S>) {
    let rest = marks.open() - marks.with_candidates(1) - marks.with_candidates(2);
    let polyvalue: Vec<Cell> = rest.cells().filter(|&cell| marks.of_cell(cell).len() > 2).take(MAX_EXTRA + 1).collect();
    let fits = match (kind, &polyvalue[..]) {
        (UniquenessType::Alone, &[cell]) => marks.of_cell(cell).len() == 3,
        (UniquenessType::Alone, _) => false,
        _ => (2..=MAX_EXTRA).contains(&polyvalue.len()),
    };
    if !fits || !marks.with_candidates(1).is_empty() {
        return;
    }
    for digit in Digits::all(marks.order()) {
        for house in marks.sets().layout().houses() {
            let places = marks.of_digit(digit) & marks.house(house);
            let extra = polyvalue.iter().filter(|&&cell| places.contains(cell)).count();
            // One place is no pair. Places in cells with two candidates all stay, so there are at most two.
            if places.len() == 1 || places.len() - extra > 2 {
                return;
            }
        }
    }
    let mut base: Vec<(Cell, Digits)> = polyvalue.iter().map(|&cell| (cell, Digits::EMPTY)).collect();
    base.extend(marks.with_candidates(2).cells().map(|cell| (cell, marks.of_cell(cell))));
    choose(marks, 0, polyvalue.len(), &mut base, &mut |base| conclude(marks, kind, base, sink));
}

/// Chooses two candidates for each of the first `polyvalue` cells, from number `next` on.
fn choose<S: CellSet>(
    marks: &Candidates<S>,
    next: usize,
    polyvalue: usize,
    base: &mut Base,
    visit: &mut impl FnMut(&Base),
) {
    if next == polyvalue {
        if is_bug(marks, base) {
            visit(base);
        }
        return;
    }
    let (cell, _) = base[next];
    let candidates = marks.of_cell(cell);
    for first in candidates {
        for second in candidates.iter().filter(|&second| second > first) {
            base[next] = (cell, Digits::only(first) | Digits::only(second));
            choose(marks, next + 1, polyvalue, base, visit);
        }
    }
}

/// True when each digit has two places, or none, in the base of every house.
fn is_bug<S: CellSet>(marks: &Candidates<S>, base: &Base) -> bool {
    let houses = marks.sets().layout().house_count();
    let (mut once, mut twice) = (vec![Digits::EMPTY; houses], vec![Digits::EMPTY; houses]);
    for &(cell, digits) in base {
        for house in marks.sets().houses_of(cell).map(|house| house.index()) {
            if !(twice[house] & digits).is_empty() {
                return false;
            }
            twice[house] = twice[house] | (once[house] & digits);
            once[house] = once[house] | digits;
        }
    }
    once == twice
}
