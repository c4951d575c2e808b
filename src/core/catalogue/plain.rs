//! Plain bands: one of each set of bands that differ only in the labels of digits and the order of columns in boxes 2 and 3.
//!
//! ```text
//!   1 2 3 | 4 5 6 | 7 8 9      A plain band: the first box reads 1..9, and the columns of the other boxes are in the
//!   4 5 6 | 7 8 9 | 1 2 3      order of their first row. There are 56 ways to split the digits of box 2 into rows and
//!   7 8 9 | 1 2 3 | 4 5 6      6 orders each of rows 2 and 3 in boxes 2 and 3: 56 * 6^4 = 72,576 plain bands.
//! ```
//!
//! Any band becomes one of these by renaming its digits and sorting six columns, so a table of 72,576 entries knows the
//! classes of all bands. The band above has the last split, 55, and every row in order 0: it is number 55 * 6^4 = 71,280.

use super::chutes::Band;
/// Orders of three things: `ORDERS[n][place]` is the rank of the thing at a place.
pub(super) use crate::board::canonical::ORDERS;

/// Number of plain bands: splits times orders of two rows in two boxes.
pub(super) const PLAIN: usize = 56 * 1296;

/// The number in [`ORDERS`] of the ranks of three values, by comparisons of pairs: first < second, first < third,
/// second < third.
#[inline]
pub(super) fn order_number<T: PartialOrd + Copy>([a, b, c]: [T; 3]) -> usize {
    const NUMBER: [u8; 8] = [5, 4, 0, 2, 3, 0, 1, 0];
    NUMBER[usize::from(a < b) << 2 | usize::from(a < c) << 1 | usize::from(b < c)].into()
}

/// `REORDERED[x][y]`: the order y when the things are put in the order of x.
const REORDERED: [[u8; 6]; 6] = reordered();

const fn reordered() -> [[u8; 6]; 6] {
    let mut table = [[0; 6]; 6];
    let mut x = 0;
    while x < 36 {
        let (by, of) = (ORDERS[x / 6], ORDERS[x % 6]);
        let mut ranks = [0; 3];
        let mut place = 0;
        while place < 3 {
            ranks[by[place]] = of[place];
            place += 1;
        }
        let mut number = 0;
        while ORDERS[number][0] != ranks[0] || ORDERS[number][1] != ranks[1] {
            number += 1;
        }
        table[x / 6][x % 6] = number as u8;
        x += 1;
    }
    table
}

/// The orders of rows 2 and 3 of a box as one number below 36, when its columns are put in the order of row 1.
#[inline]
pub(super) fn box_orders(rows: &[[u8; 3]; 3]) -> usize {
    let [first, second, third] = rows.map(order_number);
    (6 * REORDERED[first][second] + REORDERED[first][third]).into()
}

/// The 56 ways to split nine digits, three from each row of box 1, into the rows of box 2.
pub(super) struct Splits {
    /// For each split, the row in box 2 of each renamed digit.
    rows: Vec<[u8; 9]>,
    /// Number of a split by its rows written in base 3.
    number: Vec<u8>,
}

const POWERS: [u16; 9] = [1, 3, 9, 27, 81, 243, 729, 2187, 6561];

impl Splits {
    pub fn new() -> Splits {
        let rows: Vec<[u8; 9]> = (0..19_683u16)
            .map(|code| POWERS.map(|power| (code / power % 3) as u8))
            .filter(|rows: &[u8; 9]| {
                let even = (0..3).all(|row| rows.iter().filter(|&&of| of == row).count() == 3);
                even && rows.iter().enumerate().all(|(digit, &row)| usize::from(row) != digit / 3)
            })
            .collect();
        let mut number = vec![0; 19_683];
        rows.iter().enumerate().for_each(|(at, rows)| number[Self::code(rows)] = at as u8);
        Splits { rows, number }
    }

    fn code(rows: &[u8; 9]) -> usize {
        rows.iter().zip(POWERS).map(|(&row, power)| usize::from(row) * usize::from(power)).sum()
    }

    /// The number of the plain band that a band becomes, and the order of its columns there.
    #[inline]
    pub fn plain_form(&self, band: &Band) -> (usize, [u8; 9]) {
        let mut name = [0u8; 10];
        (0..9u8).for_each(|at| name[usize::from(band[usize::from(at / 3 * 9 + at % 3)])] = at);
        let [second, third] = [3, 6].map(|left: usize| {
            [0, 1, 2].map(|row| [0, 1, 2].map(|column| name[usize::from(band[9 * row + left + column])]))
        });
        let mut columns = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        for (left, rows) in [(3, &second), (6, &third)] {
            let ranks = ORDERS[order_number(rows[0])];
            (0..3).for_each(|at| columns[left + ranks[at]] = (left + at) as u8);
        }
        (self.number_of(&second) * 1296 + 36 * box_orders(&second) + box_orders(&third), columns)
    }

    /// The number of the split that the rows of box 2 make, with renamed digits.
    #[inline]
    pub fn number_of(&self, rows: &[[u8; 3]; 3]) -> usize {
        let code = (0..3).map(|at| POWERS[usize::from(rows[1][at])] + 2 * POWERS[usize::from(rows[2][at])]);
        self.number[usize::from(code.sum::<u16>())].into()
    }

    pub fn plain(&self, number: usize) -> Band {
        let rows = &self.rows[number / 1296];
        let mut band: Band = [0; 27];
        (0..9).for_each(|at| band[at / 3 * 9 + at % 3] = at as u8 + 1);
        for row in 0..3u8 {
            let (mut boxes, mut counts) = ([[0; 3]; 2], [0; 2]);
            for digit in (0..9u8).filter(|digit| digit / 3 != row) {
                let box_number = usize::from(rows[usize::from(digit)] != row);
                boxes[box_number][counts[box_number]] = digit;
                counts[box_number] += 1;
            }
            for (box_number, digits) in boxes.into_iter().enumerate() {
                let order = match row {
                    0 => 0,
                    _ => number % 1296 / 6usize.pow(3 - 2 * box_number as u32 - u32::from(row - 1)) % 6,
                };
                for (column, &rank) in ORDERS[order].iter().enumerate() {
                    band[usize::from(row) * 9 + 3 + 3 * box_number + column] = digits[rank] + 1;
                }
            }
        }
        band
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_plain_bands_survive_a_round_trip() {
        let splits = Splits::new();
        assert_eq!(splits.rows.len(), 56);
        let line = *b"123456789456789123789123456";
        assert_eq!(splits.plain_form(&line.map(|digit| digit - b'0')).0, 71_280);
        for number in (0..PLAIN).step_by(7) {
            assert_eq!(splits.plain_form(&splits.plain(number)), (number, [0, 1, 2, 3, 4, 5, 6, 7, 8]));
        }
    }
}
