//! Plain bands: one of each set of bands that differ only in labels and in the order of columns in boxes 2 and 3.
//!
//! ```text
//!   1 2 3 | 4 5 6 | 7 8 9      A plain band: the first box reads 1..9, and the columns of the other boxes are in the
//!   4 5 6 | 7 8 9 | 1 2 3      order of their first row. There are 56 ways to split the digits of box 2 into rows and
//!   7 8 9 | 1 2 3 | 4 5 6      6 orders each of rows 2 and 3 in boxes 2 and 3: 56 * 6^4 = 72,576 plain bands.
//! ```
//!
//! Any band becomes one of these by renaming its digits and sorting six columns, so a table of 72,576 entries knows the
//! classes of all bands. The number of a plain band has five digits: the split, and four orders in base 6.
//!
//! ```text
//!   number = 1296 * split + 36 * (6 * a + b) + 6 * c + d        a, b: orders of rows 2 and 3 in box 2; c, d: in box 3
//! ```
//!
//! The band above has split 0 and every row in order 0, so it is number 0.

use crate::catalogue::numbers::partition::{DigitRow, Triples, digits, partitions, set_of};
use crate::catalogue::orders::{ORDERS, order_number};

/// A band as 27 digits 1..=9, row by row.
pub(crate) type Band = [u8; 27];

/// Number of plain bands: splits times orders of two rows in two boxes.
pub(crate) const PLAIN: usize = 56 * 1296;

/// `REORDERED[x][y]`: what order y becomes when the columns are sorted by order x.
const REORDERED: [[u8; 6]; 6] = {
    let (mut table, mut entry) = ([[0; 6]; 6], 0);
    while entry < 6 * 6 * 6 {
        let (x, y, number) = (entry / 36, entry / 6 % 6, entry % 6);
        let (by, order, ranks) = (ORDERS[x], ORDERS[y], ORDERS[number]);
        if ranks[by[0]] == order[0] && ranks[by[1]] == order[1] {
            table[x][y] = number as u8;
        }
        entry += 1;
    }
    table
};

/// The orders of rows 2 and 3 of a box as one number below 36, when its columns are put in the order of row 1.
#[inline]
pub(crate) fn box_orders(rows: &[[u8; 3]; 3]) -> usize {
    let [first, second, third] = [order_number(rows[0]), order_number(rows[1]), order_number(rows[2])];
    (6 * REORDERED[first][second] + REORDERED[first][third]).into()
}

/// The plain band that a band becomes.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct PlainForm {
    /// The number of the plain band.
    pub(crate) number: usize,
    /// For each of its columns, the column of the band.
    pub(crate) columns: DigitRow,
}

/// Numbers of the 56 splits of nine digits into the rows of box 2, by the digits of rows 2 and 3 in base 3.
pub(crate) struct SplitNumbers(Vec<u8>);

/// For each set of digits the sum of the powers of 3.
static CODE: [u16; 512] = {
    let (mut codes, mut set) = ([0; 512], 1);
    while set < 512 {
        // The set without its lowest digit, and this digit.
        codes[set] = codes[set & (set - 1)] + 3u16.pow(set.trailing_zeros());
        set += 1;
    }
    codes
};

impl SplitNumbers {
    pub(crate) fn new() -> SplitNumbers {
        let mut numbers = SplitNumbers(vec![0; 19_683]);
        (0..)
            .zip(&partitions().splits[0])
            .for_each(|(number, split)| numbers.0[SplitNumbers::code(&split.second)] = number);
        numbers
    }

    /// The digits of rows 2 and 3 in base 3: digit d counts 3^d in row 2 and twice that in row 3.
    #[inline]
    fn code(rows: &Triples) -> usize {
        (CODE[usize::from(rows[1])] + 2 * CODE[usize::from(rows[2])]).into()
    }

    /// The number of the split of partition 0 whose second box has these rows.
    #[inline]
    pub(crate) fn of(&self, rows: &Triples) -> usize {
        self.0[SplitNumbers::code(rows)].into()
    }

    #[inline]
    pub(crate) fn plain_form(&self, band: &Band) -> PlainForm {
        let mut name = [0u8; 10];
        (0..9u8).for_each(|digit| name[usize::from(band[usize::from(digit / 3 * 9 + digit % 3)])] = digit);
        // A loop, because maps of arrays of arrays would not be inlined.
        let [mut second, mut third] = [[[0; 3]; 3]; 2];
        for (row, digits) in band.chunks_exact(9).enumerate() {
            for place in 0..3 {
                second[row][place] = name[usize::from(digits[3 + place])];
                third[row][place] = name[usize::from(digits[6 + place])];
            }
        }
        let mut columns = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        for (left, rows) in [(3, &second), (6, &third)] {
            let ranks = ORDERS[order_number(rows[0])];
            (0..3).for_each(|place| columns[left + ranks[place]] = (left + place) as u8);
        }
        let split = self.of(&[set_of(&second[0]), set_of(&second[1]), set_of(&second[2])]);
        PlainForm { number: plain_number(split, box_orders(&second), box_orders(&third)), columns }
    }
}

/// The number of a plain band by its split and by the [`box_orders`] of boxes 2 and 3: see the header.
#[inline]
pub(crate) fn plain_number(split: usize, second: usize, third: usize) -> usize {
    1296 * split + 36 * second + third
}

/// The plain band of a number below [`PLAIN`].
pub(crate) fn plain(number: usize) -> Band {
    let split = &partitions().splits[0][number / 1296];
    std::array::from_fn(|cell| {
        let (row, place) = (cell / 9, cell % 3);
        let (set, orders) = match cell % 9 / 3 {
            0 => return (3 * row + place + 1) as u8,
            1 => (split.second[row], number / 36 % 36),
            _ => (split.third[row], number % 36),
        };
        let order = [0, orders / 6, orders % 6][row];
        digits(set).nth(ORDERS[order][place]).map_or(0, |digit| digit + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_plain_bands_survive_a_round_trip() {
        let numbers = SplitNumbers::new();
        let line = *b"123456789456789123789123456";
        assert_eq!(numbers.plain_form(&line.map(|digit| digit - b'0')).number, 0);
        for number in (0..PLAIN).step_by(7) {
            let columns = [0, 1, 2, 3, 4, 5, 6, 7, 8];
            assert_eq!(numbers.plain_form(&plain(number)), PlainForm { number, columns });
        }
    }
}
