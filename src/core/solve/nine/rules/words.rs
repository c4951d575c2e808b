//! Defines the layout of the 81 cells in machine words.
//!
//! The places of one digit are three words, one for each band. A word holds three rows of nine cells. Above each row
//! there is a guard bit that is always set:
//!
//! ```text
//!   bit     29 28 ........ 20  19 18 ........ 10   9  8 7 6 5 4 3 2 1 0
//!           g  row 2 of band   g  row 1 of band    g  row 0 of the band
//!                                                     c8    ...     c0
//! ```
//!
//! A guard stops the borrow of a subtraction before the next row. So one subtraction shows for three rows whether a row
//! has no place, one place, or several: `word - LOW` clears the guard of an empty row.
//!
//! A [`PackedCandidates`] is three vectors of 16 words; three digits stand side by side in each:
//!
//! ```text
//!              group 0        group 1        group 2        padding
//!   vector 0   digit 0: bbbp  digit 3: bbbp  digit 6: bbbp  pppp        b: a band of the board
//!   vector 1   digit 1: bbbp  digit 4: bbbp  digit 7: bbbp  pppp        p: padding
//!   vector 2   digit 2: bbbp  digit 5: bbbp  digit 8: bbbp  pppp
//! ```
//!
//! Padding words always hold every place; no rule removes anything from them.

/// The nine cells of each row.
pub(crate) const CELLS: u32 = 0x1ff * LOW;
/// The lowest cell of each row.
pub(crate) const LOW: u32 = 1 | 1 << 10 | 1 << 20;
/// The guard bit of each row.
pub(crate) const GUARDS: u32 = LOW << 9;
/// All cells and guards: a word from which nothing was removed.
pub(crate) const FULL: u32 = CELLS | GUARDS;

/// Words of one digit: three bands and padding.
pub(crate) type DigitWords = [u32; 4];
/// A set of no cells.
pub(crate) const NO_CELLS: DigitWords = [0; 4];
/// Words of one vector, group by group: vector v has the digits v, v + 3 and v + 6, and padding.
pub(crate) type VectorWords = [DigitWords; 4];

/// The candidates of a board: places of each digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct PackedCandidates(pub(crate) [VectorWords; 3]);

/// Lane (the number of the word of its band) and bit of a cell 0..81.
pub(crate) const fn place(cell: usize) -> (usize, u32) {
    let (row, column) = (cell / 9, cell % 9);
    (row / 3, (row % 3 * 10 + column) as u32)
}

/// The cell of a lane and a bit: the inverse of [`place`].
pub(crate) const fn cell_at(lane: usize, bit: u32) -> usize {
    27 * lane + 9 * (bit as usize / 10) + bit as usize % 10
}

/// The words of one cell; padding is empty.
pub(crate) const fn only(cell: usize) -> DigitWords {
    let (lane, bit) = place(cell);
    let mut words = [0; 4];
    words[lane] = 1 << bit;
    words
}

/// A set of cells, bit i for cell i, as three words without guards; padding is empty.
#[inline(always)]
pub(crate) fn spread(cells: u128) -> DigitWords {
    let bands = [cells as u32, (cells as u64 >> 27) as u32, (cells >> 54) as u32];
    let [a, b, c] = bands.map(
        #[inline(always)]
        |band| band & 0x1ff | (band & 0x1ff << 9) << 1 | (band & 0x1ff << 18) << 2,
    );
    [a, b, c, 0]
}

/// The inverse of [`spread`]; guards and padding are dropped.
#[inline(always)]
pub(crate) fn gather(words: DigitWords) -> u128 {
    let mut cells = 0;
    for (lane, &word) in words.iter().enumerate().take(3) {
        let band = word & 0x1ff | (word >> 1) & 0x1ff << 9 | (word >> 2) & 0x1ff << 18;
        cells |= u128::from(band) << (27 * lane);
    }
    cells
}

impl PackedCandidates {
    /// The empty board: every digit is possible everywhere.
    pub(crate) const BLANK: PackedCandidates = PackedCandidates([[[FULL; 4]; 4]; 3]);

    /// The words of a digit from 0.
    #[inline(always)]
    pub(crate) fn digit(&self, digit: usize) -> &DigitWords {
        &self.0[digit % 3][digit / 3]
    }

    #[inline(always)]
    pub(crate) fn digit_mut(&mut self, digit: usize) -> &mut DigitWords {
        &mut self.0[digit % 3][digit / 3]
    }

    /// The candidates that the givens of a puzzle leave, before any rule is applied: a given cell has its digit
    /// only, an empty cell has all nine. None if a value is not a digit.
    pub(crate) fn of(values: &[u8; 81]) -> Option<PackedCandidates> {
        let mut places = [0u128; 16];
        for (cell, &value) in values.iter().enumerate() {
            if value > 9 {
                return None;
            }
            places[usize::from(value & 15)] |= 1 << cell;
        }
        Some(PackedCandidates::of_cells(&std::array::from_fn(|digit| places[0] | places[digit + 1])))
    }

    /// The candidates when the cells of each digit are these.
    pub(crate) fn of_cells(cells: &[u128; 9]) -> PackedCandidates {
        let mut position = PackedCandidates::BLANK;
        for (digit, &cells) in cells.iter().enumerate() {
            let [a, b, c, _] = spread(cells).map(|word| word | GUARDS);
            *position.digit_mut(digit) = [a, b, c, FULL];
        }
        position
    }

    /// The digit of each cell, from 1. The position is solved: each cell has one candidate.
    pub(crate) fn values(&self) -> [u8; 81] {
        let mut values = [0; 81];
        for digit in 0..9 {
            for (lane, &word) in self.digit(digit).iter().enumerate().take(3) {
                let mut rest = word & CELLS;
                while rest != 0 {
                    values[cell_at(lane, rest.trailing_zeros())] = digit as u8 + 1;
                    rest &= rest - 1;
                }
            }
        }
        values
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
            assert_eq!(words, only(cell));
            assert_eq!(gather(words), 1 << cell);
        }
        assert_eq!(spread((1 << 81) - 1), [CELLS, CELLS, CELLS, 0]);
    }

    #[test]
    fn a_value_that_is_not_a_digit_is_refused() {
        let mut values = [0; 81];
        assert_eq!(PackedCandidates::of(&values), Some(PackedCandidates::BLANK));
        values[80] = 10;
        assert_eq!(PackedCandidates::of(&values), None);
    }
}
