//! Uniqueness: conclusions from the knowledge that a puzzle has one solution.
//!
//! ```text
//!   ab  . . | ab     If all four cells were a or b, the digits could be exchanged: two solutions.
//!   ab  . . | abc    So the cell with more candidates takes one of the others.
//! ```
//!
//! A *deadly pattern* is a set of open cells, each with a set of candidates, its base. If all these cells took digits
//! of their base, the solution could be changed into another one. In a puzzle with one solution some cell takes a digit
//! outside its base, an extra candidate. The cells with extra candidates are the roof.
//!
//! * **Alone**: the roof is one cell. Its base is removed there.
//! * **Same extra**: all roof cells have the same single extra digit. The cells that see all of them lose it.
//! * **Subset**: the roof lies in a house. Its extra digits and the candidates of k-1 other cells of the house are k
//!   digits. They fill these k-1 cells and one roof cell, so they are removed from the rest of the house.
//! * **Locked**: the roof is two cells of a house, and a base digit of both has no other place there. One of the two
//!   cells takes that digit, so the other takes an extra candidate. Their remaining base digits are removed.
//!
//! All this is wrong for puzzles with several solutions: see [`crate::ladder::Ladder::without_uniqueness`]. For the
//! patterns see [`super::rectangles`], [`super::loops`] and [`super::bug`]. References: Sudopedia, "Uniqueness Test",
//! "Unique Loop", "Bivalue Universal Grave"; HoDoKu, "Uniqueness".

use crate::board::{Candidates, Cell, CellSet, Digits, House};

use crate::ladder::position::common::shared_houses;
use crate::ladder::words::sink::{Pattern, Sink, removals};

/// The cells of a deadly pattern, each with its base.
pub(crate) type Base = [(Cell, Digits)];

/// The conclusions of the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UniquenessType {
    Alone,
    SameExtra,
    Subset,
    Locked,
}

impl UniquenessType {
    pub(crate) const ALL: [UniquenessType; 4] =
        [UniquenessType::Alone, UniquenessType::SameExtra, UniquenessType::Subset, UniquenessType::Locked];
}

/// The cells of a pattern with extra candidates, each with these candidates.
pub(crate) fn roof<S: CellSet>(marks: &Candidates<S>, base: &Base) -> Vec<(Cell, Digits)> {
    let extras = base.iter().map(|&(cell, digits)| (cell, marks.of_cell(cell) - digits));
    extras.filter(|(_, extras)| !extras.is_empty()).collect()
}

/// Offers what one type of conclusion removes in a pattern.
pub(crate) fn conclude<S: CellSet>(marks: &Candidates<S>, kind: UniquenessType, base: &Base, sink: &mut impl Sink<S>) {
    let roof = roof(marks, base);
    let cells = S::of(roof.iter().map(|&(cell, _)| cell));
    let extras = roof.iter().fold(Digits::EMPTY, |union, &(_, extras)| union | extras);
    match (kind, &roof[..]) {
        (UniquenessType::Alone, &[(cell, _)]) => offer(marks, base, marks.of_cell(cell) - extras, cells, &[], sink),
        (UniquenessType::SameExtra, [_, _, ..]) if extras.len() == 1 => {
            let seen = cells.cells().fold(marks.open(), |seen, cell| seen & marks.peers(cell));
            offer(marks, base, extras, seen, &[], sink);
        }
        (UniquenessType::Subset, [_, _, ..]) => {
            for house in shared_houses(marks, cells) {
                let pool: Vec<Cell> = ((marks.house(house) & marks.open()) - cells).cells().collect();
                grow(marks, &pool, S::empty(), 1, extras, &mut |partners, digits| {
                    let subset = cells | partners;
                    let area = shared_houses(marks, subset).fold(S::empty(), |area, house| area | marks.house(house));
                    offer(marks, base, digits, area - subset, &[house], sink);
                });
            }
        }
        (UniquenessType::Locked, &[(first, _), (second, _)]) => locked(marks, base, [first, second], sink),
        _ => {}
    }
}

/// Offers the case that one of the two digits has no other place in a house of both roof cells: they lose the other.
fn locked<S: CellSet>(marks: &Candidates<S>, base: &Base, roof: [Cell; 2], sink: &mut impl Sink<S>) {
    let roof_digits = roof.map(|roof_cell| {
        let entry = base.iter().find(|&&(cell, _)| cell == roof_cell);
        entry.map_or(Digits::EMPTY, |&(_, digits)| digits)
    });
    let ([first, second], pair) = (roof_digits, S::of(roof));
    for digit in first & second {
        let mut houses = shared_houses(marks, pair);
        if let Some(house) = houses.find(|&house| (marks.of_digit(digit) & marks.house(house)) == pair) {
            let out = removals(marks, (first | second) - Digits::only(digit), |lost| {
                let losing = roof.into_iter().zip(roof_digits).filter(|(_, digits)| digits.contains(lost));
                S::of(losing.map(|(cell, _)| cell))
            });
            sink.eliminate(&out, || pattern(base, &[house]));
        }
    }
}

/// Adds cells to a set until it has as many cells as digits. `places` counts the cells, and one for the roof.
fn grow<S: CellSet>(
    marks: &Candidates<S>,
    pool: &[Cell],
    chosen: S,
    places: usize,
    digits: Digits,
    visit: &mut impl FnMut(S, Digits),
) {
    if places > 1 && digits.len() == places {
        visit(chosen, digits);
    }
    for (index, &cell) in pool.iter().enumerate() {
        let union = digits | marks.of_cell(cell);
        // Each further cell is a place for one digit more.
        if union.len() <= MAX_SUBSET.min(places + pool.len() - index) {
            grow(marks, &pool[index + 1..], chosen | S::only(cell), places + 1, union, visit);
        }
    }
}

const MAX_SUBSET: usize = 7;

/// Offers the removal of some digits from an area.
pub(crate) fn offer<S: CellSet>(
    marks: &Candidates<S>,
    base: &Base,
    digits: Digits,
    area: S,
    houses: &[House],
    sink: &mut impl Sink<S>,
) {
    sink.eliminate(&removals(marks, digits, |_| area), || pattern(base, houses));
}

fn pattern(base: &Base, houses: &[House]) -> Pattern {
    let digits = base.iter().fold(Digits::EMPTY, |union, &(_, digits)| union | digits);
    Pattern::of(digits, base.iter().map(|&(cell, _)| cell)).in_houses(houses.iter().copied())
}
