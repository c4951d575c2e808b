//! Positions of 9x9 boards with all naked and hidden singles placed: alone for the reference search, together with
//! locked candidates for ratings.

use super::lanes::Lanes;
use super::search::{State, candidates, first_of, load, put, settle, store};
use super::sweep::{all_singles, clash, clear_other_digits, clear_peers, equal, narrowest};
use super::words::Places;

/// A position in which every single is placed.
pub(in crate::solve) struct SinglesPlaced {
    pub(super) places: Places,
    /// The cell with fewest candidates, the lowest on a tie, and its candidates; no candidates if the board is full.
    pub(in crate::solve) cell: usize,
    pub(in crate::solve) digits: u32,
}

/// Places a digit in a cell, and all singles that follow. None if the position contradicts itself.
#[inline(always)]
pub(super) fn place_singles_with<L: Lanes>(start: &Places, first: Option<(usize, usize)>) -> Option<SinglesPlaced> {
    let mut words = load::<L>(start);
    if let Some((cell, digit)) = first {
        put(&mut words, digit, cell);
    }
    let mut placed = [L::splat(0); 3];
    loop {
        let singles = all_singles(&words)?;
        if equal(&singles, &placed) {
            break;
        }
        clear_other_digits(&mut words, &singles);
        clear_peers(&mut words, singles);
        placed = singles;
    }
    // Two equal digits of a house, placed in one step, leave each other in place.
    if clash(&placed) {
        return None;
    }
    let mut after = SinglesPlaced { places: Places::BLANK, cell: 0, digits: 0 };
    if let Some(cell) = first_of(&narrowest(&words).0.group()) {
        store(words, &mut after.places);
        (after.cell, after.digits) = (cell, candidates(&words, cell));
    }
    Some(after)
}

/// A position after all singles and all locked candidates; None if these contradict each other.
#[inline(always)]
pub(super) fn settled_with<L: Lanes>(start: &Places) -> Option<Places> {
    let mut words = load::<L>(start);
    if matches!(settle(&mut words, false), State::Dead) {
        return None;
    }
    let mut after = Places::BLANK;
    store(words, &mut after);
    Some(after)
}
