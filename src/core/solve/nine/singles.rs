//! Settles positions of 9x9 boards: places all naked and hidden singles, and nothing else, for the reference search
//! ([`crate::solve::probe`]); or applies locked candidates too, for Sudoku Explainer's ratings.
//!
//! A position is a [`PackedCandidates`]; in registers it is three vectors `[L; 3]` with three digits in each. A set of candidates
//! has the same form: a bit says that a digit is in a cell. See [`super::rules::words`] for the bits.

use super::rules::lanes::Lanes;
use super::rules::sweep::{all_singles, clash, clear_other_digits, clear_peers, equal, narrowest};
use super::rules::words::PackedCandidates;
use super::search::cells::first_of;
use super::search::changes::{candidates, put};
use super::search::{SettleEnd, SettledState, load, settle, store};
use crate::solve::Candidate;

/// A position in which every single is placed.
pub(in crate::solve) struct SinglesPlaced {
    /// The candidates of every cell. A filled cell has one.
    pub(super) places: PackedCandidates,
    /// The open cell (0..81) with fewest candidates, the lowest on a tie. 0 if the board is full.
    pub(in crate::solve) cell: usize,
    /// The candidates of `cell`: bit d for the digit d from 0. None if the board is full.
    pub(in crate::solve) digits: u32,
}

/// Places `first`, and all singles that follow; without it, the singles of `start`. None at a contradiction.
///
/// ```text
///   words           candidates of the position: they only become fewer
///   all_singles     candidates that are alone in their cell or in a house, those of filled cells included
///   placed          the singles of the last step. The loop ends when a step finds no others
/// ```
#[inline(always)]
pub(super) fn place_singles_with<L: Lanes>(
    start: &PackedCandidates,
    first: Option<Candidate>,
) -> Option<SinglesPlaced> {
    let mut words = load::<L>(start);
    if let Some(Candidate { cell, digit }) = first {
        put(&mut words, digit, cell);
    }
    let mut placed = [L::splat(0); 3];
    loop {
        let singles = all_singles(&words)?;
        if equal(&singles, &placed) {
            break;
        }
        // A hidden single becomes the only candidate of its cell. Then its digit leaves the cells that see it.
        clear_other_digits(&mut words, &singles);
        clear_peers(&mut words, singles);
        placed = singles;
    }
    // `clear_peers` keeps all singles of a step. So two singles of one digit in a house, found at once, both stay.
    if clash(&placed) {
        return None;
    }
    let mut after = SinglesPlaced { places: PackedCandidates::BLANK, cell: 0, digits: 0 };
    // Every group of the vector holds the same cells; the first is enough. There is no cell if the board is full.
    if let Some(cell) = first_of(&narrowest(&words).cells.group()) {
        store(words, &mut after.places);
        (after.cell, after.digits) = (cell, candidates(&words, cell));
    }
    Some(after)
}

/// The position after full sweeps until nothing changes (singles, locked candidates). None at a contradiction.
#[inline(always)]
pub(super) fn settled_with<L: Lanes>(start: &PackedCandidates) -> Option<PackedCandidates> {
    let mut words = load::<L>(start);
    if matches!(settle(&mut words, SettleEnd::Rest), SettledState::Dead) {
        return None;
    }
    let mut after = PackedCandidates::BLANK;
    store(words, &mut after);
    Some(after)
}
