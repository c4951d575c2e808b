//! Positions of 9x9 boards with all naked and hidden singles placed, and nothing else: for the reference search.
//!
//! ```text
//!   bit  89 88 .... 80   ...   19 18 .... 10    9  8 7 6 5 4 3 2 1 0
//!        -  row 8              -  row 1         -  row 0               the places of one digit; - is always empty
//! ```
//!
//! All singles of a position are found at once, and placed at once. Only digits that lost places can have new hidden singles.

use crate::board::Puzzle;
use crate::solve::probe::Settled;

/// The places of a digit, or a set of cells.
type Places = u128;

/// The first cell of each row.
const FIRST: Places = {
    let (mut cells, mut row) = (0, 0);
    while row < 9 {
        cells |= 1 << (10 * row);
        row += 1;
    }
    cells
};
/// The bit after each row.
const GUARDS: Places = FIRST << 9;
const ROW: Places = 0x1ff;
const ALL: Places = FIRST * ROW;
/// The first cell of each box.
const BOXES: Places = 0o111 | 0o111 << 30 | 0o111 << 60;
/// The cells of box 0.
const BOX: Places = 7 | 7 << 10 | 7 << 20;

/// The peers of each cell, by its bit.
static PEERS: [Places; 90] = {
    let mut peers = [0; 90];
    let mut at = 0;
    while at < 90 {
        let (row, column) = (at / 10, at % 10);
        if column < 9 {
            let block = BOX << (row / 3 * 30 + column / 3 * 3);
            peers[at] = (ROW << (10 * row) | FIRST << column | block) & !(1 << at);
        }
        at += 1;
    }
    peers
};

#[inline]
fn bits(mut cells: Places) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (cells != 0).then_some(cells.trailing_zeros() as usize);
        cells &= cells.wrapping_sub(1);
        first
    })
}

/// What at least one, and at least two of three sets have.
#[inline]
fn once_and_twice(a: Places, b: Places, c: Places) -> (Places, Places) {
    (a | b | c, a & b | (a | b) & c)
}

/// The places that are the only ones in their row, column or box. None if a house has no place.
#[inline]
fn hidden_singles(own: Places) -> Option<Places> {
    // A guard stops the borrow of a subtraction before the next row; that of an empty row is lost.
    let below = (own | GUARDS) - FIRST;
    let several = ((own & below | GUARDS) - FIRST) & GUARDS;
    let rows = !(several - (several >> 9));
    // The columns of each band, at its first row.
    let (once, twice) = once_and_twice(own, own >> 10, own >> 20);
    let (any, more) = once_and_twice(once, once >> 30, once >> 60);
    let columns = (ROW & !(more | twice | twice >> 30 | twice >> 60)) * FIRST;
    let (filled, more) = once_and_twice(once, once >> 1, once >> 2);
    let boxes = (BOXES & !(more | twice | twice >> 1 | twice >> 2)) * BOX;
    let full = below & GUARDS == GUARDS && any & ROW == ROW && filled & BOXES == BOXES;
    full.then_some(own & (rows | columns | boxes))
}

/// The places of each digit. Every single is placed.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solve) struct SinglesPlaced {
    places: [Places; 9],
    /// Cells whose digit is placed.
    placed: Places,
}

impl SinglesPlaced {
    /// The position of a puzzle. None if it contradicts itself.
    pub(in crate::solve) fn new(puzzle: &Puzzle) -> Option<SinglesPlaced> {
        let mut givens = [0; 9];
        for (cell, digit) in puzzle.grid().given_cells() {
            givens[digit.index()] |= 1 << (cell.index() / 9 * 10 + cell.index() % 9);
        }
        SinglesPlaced { places: [ALL; 9], placed: 0 }.with(givens)
    }

    /// Places digits, and all singles that follow.
    fn with(mut self, mut new: [Places; 9]) -> Option<SinglesPlaced> {
        loop {
            let mut changed = 0;
            let taken = new.iter().fold(0, |all, new| all | new);
            self.placed |= taken;
            for (digit, (places, new)) in self.places.iter_mut().zip(new).enumerate() {
                let before = *places;
                *places = bits(new).fold(before & (new | !taken), |places, cell| places & !PEERS[cell]);
                changed |= u32::from(*places != before) << digit;
            }
            let (mut once, mut twice) = (0, 0);
            for places in self.places {
                twice |= once & places;
                once |= places;
            }
            let open = ALL & !self.placed;
            let (naked, mut all) = (open & !twice, 0);
            for (digit, (&places, new)) in self.places.iter().zip(&mut new).enumerate() {
                let hidden = if changed >> digit & 1 == 1 { hidden_singles(places)? } else { 0 };
                *new = places & (naked | hidden & open);
                if all & *new != 0 {
                    return None;
                }
                all |= *new;
            }
            match all {
                _ if once != ALL => return None,
                0 => return Some(self),
                _ => {}
            }
        }
    }
}

impl Settled for SinglesPlaced {
    fn after(&self, cell: usize, digit: usize) -> Option<SinglesPlaced> {
        let mut new = [0; 9];
        new[digit] = 1 << (cell / 9 * 10 + cell % 9);
        self.with(new)
    }

    fn is_full(&self) -> bool {
        self.placed == ALL
    }

    fn narrowest(&self) -> (usize, u64) {
        let [mut once, mut twice, mut thrice] = [0; 3];
        for places in self.places {
            thrice |= twice & places;
            twice |= once & places;
            once |= places;
        }
        let candidates =
            |at: usize| (0..9).fold(0, |set, digit| set | ((self.places[digit] >> at) as u64 & 1) << digit);
        let pairs = twice & !thrice;
        let at = match pairs {
            0 => bits(ALL & !self.placed).min_by_key(|&at| candidates(at).count_ones()).unwrap_or_default(),
            _ => pairs.trailing_zeros() as usize,
        };
        (at / 10 * 9 + at % 10, candidates(at))
    }
}
