//! Finds what cells have in common: houses, cells that all of them see, the two ends of a strong link.

use crate::board::{Candidates, Cell, CellSet, Digit, House};

/// The two places of a digit in a house that has exactly two.
pub(crate) fn ends<S: CellSet>(marks: &Candidates<S>, digit: Digit, house: House) -> Option<[Cell; 2]> {
    if marks.places(digit, house) != 2 {
        return None;
    }
    let mut cells = (marks.of_digit(digit) & marks.house(house)).cells();
    Some([cells.next()?, cells.next()?])
}

/// True if a digit is not placed in a house.
pub(crate) fn lacks<S: CellSet>(marks: &Candidates<S>, digit: Digit, house: House) -> bool {
    // A placed digit is counted as 128 places or more.
    marks.places(digit, house) < 128
}

/// The houses that contain all of some cells.
pub(crate) fn shared_houses<S: CellSet>(marks: &Candidates<S>, cells: S) -> impl Iterator<Item = House> {
    let houses = cells.first().map(|first| marks.sets().houses_of(first));
    houses.into_iter().flatten().filter(move |&house| cells.within(marks.house(house)))
}

/// The cells that see one of some cells.
pub(crate) fn seen_by<S: CellSet>(marks: &Candidates<S>, cells: S) -> S {
    cells.cells().fold(S::empty(), |seen, cell| seen | marks.peers(cell))
}

/// The cells that see all of some cells.
pub(crate) fn all_see<S: CellSet>(marks: &Candidates<S>, cells: S) -> S {
    let mut each = cells.cells().map(|cell| marks.peers(cell));
    let first = each.next().unwrap_or_default();
    each.fold(first, |seen, peers| seen & peers)
}

/// True when a set has at least `count` cells. This is faster than counting all of them.
pub(crate) fn has_at_least<S: CellSet>(cells: S, count: usize) -> bool {
    count == 0 || cells.cells().nth(count - 1).is_some()
}
