//! Positions of 9x9 boards with all naked and hidden singles placed, and nothing else: for the reference search.

use super::lanes::Lanes;
use super::search::{candidates, first_of, load, put, store};
use super::sweep::{all_singles, clash, clear_other_digits, clear_peers, equal, narrowest};
use super::words::Places;
use super::{BEST, dispatch};
use crate::board::Puzzle;
use crate::solve::probe::Settled;

/// A position in which every single is placed.
pub(in crate::solve) struct SinglesPlaced {
    position: Places,
    /// The cell with fewest candidates, the lowest on a tie, and its candidates; no candidates if the board is full.
    cell: usize,
    digits: u32,
}

impl SinglesPlaced {
    /// The position of a puzzle. None if it contradicts itself.
    pub(in crate::solve) fn new(puzzle: &Puzzle) -> Option<SinglesPlaced> {
        dispatch::place_singles(BEST, &dispatch::read(BEST, &puzzle.grid().nine()?)?, None)
    }
}

impl Settled for SinglesPlaced {
    fn is_full(&self) -> bool {
        self.digits == 0
    }

    fn narrowest(&self) -> (usize, u64) {
        (self.cell, self.digits.into())
    }

    fn after(&self, cell: usize, digit: usize) -> Option<SinglesPlaced> {
        dispatch::place_singles(BEST, &self.position, Some((cell, digit)))
    }
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
    let mut after = SinglesPlaced { position: Places::BLANK, cell: 0, digits: 0 };
    if let Some(cell) = first_of(&narrowest(&words).0.group()) {
        store(words, &mut after.position);
        (after.cell, after.digits) = (cell, candidates(&words, cell));
    }
    Some(after)
}
