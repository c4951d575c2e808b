//! Where the 81 cells stand in machine words.
//!
//! One digit's places on the board are three words, one a band; a word holds three rows of nine cells, and each row
//! has a guard bit above it that is always set:
//!
//! ```text
//!   bit     29 28 ........ 20  19 18 ........ 10   9  8 7 6 5 4 3 2 1 0
//!           g  row 2 of band   g  row 1 of band    g  row 0 of the band
//!                                                     c8    ...     c0
//! ```
//!
//! A guard stops the borrow of a subtraction from running into the next row, so that "has this row no, one, or
//! several places" is asked of three rows at once: `word - LOW` clears the guard of an empty row.
//!
//! A [`Position`] is nine such triples, each padded to four lanes for the vector registers. The fourth lane holds
//! every place of every digit, always; no rule ever takes anything from it.

/// The nine cells of each row.
pub(super) const CELLS: u32 = 0x1ff * LOW;
/// The lowest cell of each row.
pub(super) const LOW: u32 = 1 | 1 << 10 | 1 << 20;
/// The guard bit of each row.
pub(super) const GUARDS: u32 = LOW << 9;
/// All cells and guards: a word from which nothing has been taken.
pub(super) const FULL: u32 = CELLS | GUARDS;

/// Words of one digit: three bands and the padding lane.
pub(super) type Digit = [u32; 4];

/// The candidates of a board: places of each digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub(super) struct Position(pub(super) [Digit; 9]);

/// Lane and bit of a cell 0..81.
pub(super) const fn place(cell: usize) -> (usize, u32) {
    let (row, column) = (cell / 9, cell % 9);
    (row / 3, (row % 3 * 10 + column) as u32)
}

/// The cell of a lane and a bit.
pub(super) const fn cell_at(lane: usize, bit: u32) -> usize {
    27 * lane + 9 * (bit as usize / 10) + bit as usize % 10
}

/// A set of cells, bit i for cell i, as three words without guards; the padding lane is empty.
#[inline]
pub(super) fn spread(cells: u128) -> Digit {
    let mut words = [0; 4];
    for (lane, word) in words.iter_mut().enumerate().take(3) {
        let band = (cells >> (27 * lane)) as u32;
        *word = band & 0x1ff | (band & 0x1ff << 9) << 1 | (band & 0x1ff << 18) << 2;
    }
    words
}

/// The inverse of [`spread`]; guards and padding are dropped.
#[inline]
pub(super) fn gather(words: Digit) -> u128 {
    let mut cells = 0;
    for (lane, &word) in words.iter().enumerate().take(3) {
        let band = word & 0x1ff | (word >> 1) & 0x1ff << 9 | (word >> 2) & 0x1ff << 18;
        cells |= u128::from(band) << (27 * lane);
    }
    cells
}

impl Position {
    /// The blank board: every digit may stand everywhere.
    pub(super) const BLANK: Position = Position([[FULL; 4]; 9]);

    /// The candidates that the givens of a puzzle leave, before any rule is applied: a given cell has its digit
    /// only, a blank one all nine. None when a value is no digit.
    #[inline]
    pub(super) fn of(values: &[u8; 81]) -> Option<Position> {
        let mut places = [0u128; 10];
        for (cell, &value) in values.iter().enumerate() {
            *places.get_mut(usize::from(value))? |= 1 << cell;
        }
        let blank = spread(places[0]);
        let mut position = Position::BLANK;
        for (words, &own) in position.0.iter_mut().zip(&places[1..]) {
            let own = spread(own);
            for lane in 0..3 {
                words[lane] = GUARDS | blank[lane] | own[lane];
            }
        }
        Some(position)
    }

    /// Writes the digits of the candidates; to be called on a solved position, where each cell has one.
    pub(super) fn values(&self) -> [u8; 81] {
        let mut values = [0; 81];
        for (value, words) in (1..).zip(&self.0) {
            for (lane, &word) in words.iter().enumerate().take(3) {
                let mut rest = word & CELLS;
                while rest != 0 {
                    values[cell_at(lane, rest.trailing_zeros())] = value;
                    rest &= rest - 1;
                }
            }
        }
        values
    }

    /// The digits 0..9 that a cell may hold, as bits.
    #[inline]
    pub(super) fn candidates(&self, lane: usize, bit: u32) -> u32 {
        let mut digits = 0;
        for (digit, words) in self.0.iter().enumerate() {
            digits |= (words[lane] >> bit & 1) << digit;
        }
        digits
    }

    /// Takes a candidate away.
    #[inline]
    pub(super) fn remove(&mut self, digit: usize, lane: usize, bit: u32) {
        self.0[digit][lane] &= !(1 << bit);
    }

    /// Leaves one candidate in a cell.
    #[inline]
    pub(super) fn place(&mut self, digit: usize, lane: usize, bit: u32) {
        for words in &mut self.0 {
            words[lane] &= !(1 << bit);
        }
        self.0[digit][lane] |= 1 << bit;
    }
}

/// Up to four positions side by side, so that one register can hold a digit of all of them: digit, slot, band.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Slots(pub(super) [[Digit; 4]; 9]);

impl Slots {
    /// Four blank boards.
    pub(super) const BLANK: Slots = Slots([[[FULL; 4]; 4]; 9]);

    /// Writes a position.
    #[inline(always)]
    pub(super) fn put(&mut self, slot: usize, position: &Position) {
        for (row, words) in self.0.iter_mut().zip(&position.0) {
            row[slot] = *words;
        }
    }

    /// Reads a position.
    #[inline(always)]
    pub(super) fn get(&self, slot: usize) -> Position {
        Position(self.0.map(|row| row[slot]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_bits_are_inverse() {
        for cell in 0..81 {
            let (lane, bit) = place(cell);
            assert_eq!(cell_at(lane, bit), cell);
            let words = spread(1 << cell);
            assert_eq!(words[lane], 1 << bit);
            assert_eq!(gather(words), 1 << cell);
        }
        assert_eq!(spread((1 << 81) - 1), [CELLS, CELLS, CELLS, 0]);
    }

    #[test]
    fn a_value_that_is_no_digit_is_refused() {
        let mut values = [0; 81];
        assert_eq!(Position::of(&values), Some(Position::BLANK));
        values[80] = 10;
        assert_eq!(Position::of(&values), None);
    }
}
