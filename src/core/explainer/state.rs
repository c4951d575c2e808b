//! Defines the position: the digits in the cells and the remaining candidates, stored in three ways.
//!
//! ```text
//!   digits[cell]        the candidates of a cell                     9 bits
//!   places[house][d]    the places of a digit in a house             9 bits
//!   cells[d]            the cells that have a digit as a candidate  81 bits
//! ```
//! One elimination updates all three (five words), so every rule can read the most useful one. The struct is plain data
//! of about 1 KB and is copied where a rule tries something.

use super::tables::{CELLS, HOUSE, HOUSES, HOUSES_OF, OF, PEERS, at_least, bits, cells};
use crate::board::Puzzle;
use crate::solve::nine;

/// A position of a 9x9 board. Digits are 0..9, in the numbering of [`super::tables`].
#[derive(Clone)]
pub(super) struct State {
    /// The cells in which each digit stands.
    pub(super) filled: CellsByDigit,
    /// Candidates of each cell; none in a filled cell.
    pub(super) digits: [u16; CELLS],
    /// `[house][digit]`: the places of a digit in a house.
    pub(super) places: [[u16; 9]; HOUSES],
    /// The cells that have each digit as a candidate.
    pub(super) cells: [u128; 9],
    /// The empty places of each house.
    pub(super) open: [u16; HOUSES],
    /// The digits that each house lacks and that have one place in it, as bits.
    pub(super) single: [u16; HOUSES],
    /// How often each digit has been placed.
    pub(super) placed: [u8; 9],
    /// The number of empty cells.
    pub(super) holes: u8,
    /// What has changed since this was last cleared.
    pub(super) changed: News,
    /// What may be new to the present search. A search leaves out the rest.
    pub(super) news: News,
    /// The houses with news of any digit.
    pub(super) new_houses: u32,
}

/// What has changed.
#[derive(Clone, Copy)]
pub(super) struct News {
    /// For each digit the houses that have lost places of it, as bits.
    pub(super) houses: [u32; 9],
    /// The cells that have lost candidates.
    pub(super) cells: u128,
}

impl News {
    pub(super) const NOTHING: News = News { houses: [0; 9], cells: 0 };
    pub(super) const ALL: News = News { houses: [u32::MAX; 9], cells: u128::MAX };

    pub(super) fn add(&mut self, changes: &News) {
        self.houses.iter_mut().zip(changes.houses).for_each(|(houses, changed)| *houses |= changed);
        self.cells |= changes.cells;
    }
}

/// For each digit a set of cells: those in which it stands, or those that lose it.
pub(super) type CellsByDigit = [u128; 9];

impl State {
    /// The givens, and every candidate that they allow. None unless the board is 9x9.
    pub(super) fn new(puzzle: &Puzzle) -> Option<State> {
        let values = puzzle.grid().nine()?;
        let mut state = State {
            filled: [0; 9],
            digits: [0; CELLS],
            places: [[0; 9]; HOUSES],
            cells: [(1 << CELLS) - 1; 9],
            open: [0x1ff; HOUSES],
            single: [0; HOUSES],
            placed: [0; 9],
            holes: CELLS as u8,
            changed: News::NOTHING,
            news: News::ALL,
            new_houses: u32::MAX,
        };
        let mut filled = 0;
        for (cell, &value) in values.iter().enumerate().filter(|&(_, &value)| value != 0) {
            state.fill(cell, usize::from(value - 1));
            state.cells[usize::from(value - 1)] &= !PEERS[cell];
            filled |= 1 << cell;
        }
        for digit in 0..9 {
            state.cells[digit] &= !filled;
            for cell in cells(state.cells[digit]) {
                state.digits[cell] |= 1 << digit;
                OF[cell].iter().for_each(|&(house, place)| state.places[house as usize][digit] |= 1 << place);
            }
        }
        for (single, places) in state.single.iter_mut().zip(&state.places) {
            *single = (0..9).fold(0, |set, digit| set | u16::from(places[digit].is_power_of_two()) << digit);
        }
        Some(state)
    }

    /// Applies all singles and all locked candidates, at once. If they fill the board (true) or fail, nothing changes.
    pub(super) fn settle(&mut self) -> bool {
        let before: [u128; 9] = std::array::from_fn(|digit| self.cells[digit] | self.filled[digit]);
        let Some(places) = nine::settled(&before) else { return false };
        let digits = at_least(places.iter().copied());
        let alone = digits.one & !digits.two;
        if alone == (1 << CELLS) - 1 {
            return true;
        }
        places.iter().enumerate().for_each(|(digit, set)| self.clear(digit, !set));
        for (digit, set) in places.iter().enumerate() {
            cells(set & alone & !self.filled[digit]).for_each(|cell| self.place(cell, digit));
        }
        false
    }

    #[inline]
    pub(super) fn has(&self, cell: usize, digit: usize) -> bool {
        self.digits[cell] >> digit & 1 != 0
    }

    /// Removes a candidate. Does nothing when it is not there.
    #[inline]
    pub(super) fn eliminate(&mut self, cell: usize, digit: usize) {
        self.cells[digit] &= !(1 << cell);
        self.changed.cells |= 1 << cell;
        self.lose(cell, digit);
    }

    /// Does the part of [`State::eliminate`] that is not done for many cells at once.
    #[inline]
    fn lose(&mut self, cell: usize, digit: usize) {
        self.digits[cell] &= !(1 << digit);
        for (house, place) in OF[cell] {
            let places = &mut self.places[house as usize][digit];
            *places &= !(1 << place);
            self.single[house as usize] |= u16::from(places.is_power_of_two()) << digit;
        }
        self.changed.houses[digit] |= HOUSES_OF[cell];
    }

    /// Removes a digit from some cells.
    fn clear(&mut self, digit: usize, set: u128) {
        let set = set & self.cells[digit];
        self.cells[digit] &= !set;
        self.changed.cells |= set;
        cells(set).for_each(|cell| self.lose(cell, digit));
    }

    /// Writes a digit into an empty cell. Candidates stay.
    fn fill(&mut self, cell: usize, digit: usize) {
        self.holes -= 1;
        self.filled[digit] |= 1 << cell;
        self.placed[digit] += 1;
        for (house, place) in OF[cell] {
            self.open[house as usize] &= !(1 << place);
        }
    }

    /// Fills an empty cell and removes the candidates that conflict with it.
    pub(super) fn place(&mut self, cell: usize, digit: usize) {
        self.fill(cell, digit);
        bits(self.digits[cell]).for_each(|candidate| self.eliminate(cell, candidate));
        self.clear(digit, PEERS[cell]);
        OF[cell].iter().for_each(|&(house, _)| self.single[house as usize] &= !(1 << digit));
    }

    pub(super) fn candidates(&self) -> u32 {
        self.cells.iter().map(|cells| cells.count_ones()).sum()
    }

    #[inline]
    pub(super) fn is_news(&self, house: usize) -> bool {
        self.new_houses >> house & 1 != 0
    }

    /// Says what may be new to the search that begins.
    #[inline]
    pub(super) fn set_news(&mut self, news: &News) {
        self.news = *news;
        self.new_houses = news.houses.iter().fold(0, |all, houses| all | houses);
    }

    /// Places hidden singles until there are none. True if they fill the board.
    pub(super) fn place_hidden_singles(&mut self) -> bool {
        let mut holes = CELLS as u8;
        while std::mem::replace(&mut holes, self.holes) > self.holes {
            for (house, cells) in HOUSE.iter().enumerate() {
                for digit in bits(self.single[house]) {
                    let places = self.places[house][digit];
                    // A broken puzzle can lose the last place.
                    if places.is_power_of_two() {
                        self.place(cells[places.trailing_zeros() as usize].into(), digit);
                    }
                }
            }
        }
        self.holes == 0
    }

    pub(super) fn remove(&mut self, removals: &CellsByDigit) {
        for (digit, &set) in removals.iter().enumerate().filter(|&(_, &set)| set != 0) {
            self.clear(digit, set);
        }
    }

    /// Removes candidates, and places those of the others that are still there.
    pub(super) fn apply(&mut self, place: &CellsByDigit, remove: &CellsByDigit) {
        self.remove(remove);
        for (digit, &set) in place.iter().enumerate() {
            for cell in cells(set) {
                if self.has(cell, digit) {
                    self.place(cell, digit);
                }
            }
        }
    }

    /// The cells with exactly `count` candidates (1 to 3).
    pub(super) fn cells_with(&self, count: u32) -> u128 {
        // Adds up the digits of all cells: `ones` and `twos` are bits of the sums, `more` marks sums of four or more.
        let (mut ones, mut twos, mut more) = (0, 0, 0);
        for set in self.cells {
            let carry = ones & set;
            ones ^= set;
            more |= twos & carry;
            twos ^= carry;
        }
        let odd = if count & 1 != 0 { ones } else { !ones };
        let two_or_three = if count & 2 != 0 { twos } else { !twos };
        odd & two_or_three & !more & ((1 << CELLS) - 1)
    }
}
