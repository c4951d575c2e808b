//! A key of a 9x9 board that isomorphic boards share, computed much faster than a canonical form. Boards with different
//! keys are not isomorphic; boards with equal keys mostly are.
//!
//! Colours are refined (Weisfeiler and Leman): a given gets a new colour from the sums of the colours of its digit, its
//! box, its row, column, band and stack. Rows and columns are mixed in the same way, because a board may be transposed.

use crate::random::finalise;

const ROUNDS: usize = 3;
/// Odd factors and a rotation that tell boxes from digits.
const BOX_FACTOR: u64 = 0xa076_1d64_78bd_642f;
const DIGIT_FACTOR: u64 = 0xd6e8_feb8_6659_fd93;
const BOX_ROTATION: u32 = 29;

/// A board without some of its givens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Without {
    /// The key of what is left.
    pub key: u64,
    /// The cells whose givens were taken away; 81 for none.
    pub cells: [u8; 2],
}

/// A given: the numbers of its houses, and its digit, all from 0.
#[derive(Clone, Copy, Default)]
struct Given {
    row: u8,
    column: u8,
    block: u8,
    digit: u8,
}

impl Given {
    /// Every input has a key: values above 9 count as 9.
    fn new(cell: usize, value: u8) -> Given {
        let (row, column) = (cell / 9, cell % 9);
        let block = row / 3 * 3 + column / 3;
        Given { row: row as u8, column: column as u8, block: block as u8, digit: value.min(9) - 1 }
    }
}

/// The key of a board; 0 stands for a blank.
pub fn key(values: &[u8; 81]) -> u64 {
    let mut givens = [Given::default(); 81];
    let mut count = 0;
    for (cell, &value) in values.iter().enumerate().filter(|(_, value)| **value != 0) {
        givens[count] = Given::new(cell, value);
        count += 1;
    }
    let givens = &givens[..count];
    let mut colours = [1u64; 81];
    for _ in 0..ROUNDS {
        let [mut digits, mut boxes, mut rows, mut columns] = [[0; 9]; 4];
        for (given, &colour) in givens.iter().zip(&colours) {
            add(&mut digits, given.digit, colour);
            add(&mut boxes, given.block, colour);
            add(&mut rows, given.row, colour);
            add(&mut columns, given.column, colour);
        }
        let (rows, columns) = (with_chutes(&rows), with_chutes(&columns));
        for (given, colour) in givens.iter().zip(&mut colours) {
            let of_lines = rows[usize::from(given.row)].wrapping_add(columns[usize::from(given.column)]);
            let of_box = boxes[usize::from(given.block)].wrapping_mul(BOX_FACTOR).rotate_left(BOX_ROTATION);
            let of_digit = digits[usize::from(given.digit)].wrapping_mul(DIGIT_FACTOR);
            *colour = finalise(of_lines ^ of_box ^ of_digit);
        }
    }
    colours[..count].iter().fold(count as u64, |sum, colour| sum.wrapping_add(*colour))
}

#[inline]
fn add(sums: &mut [u64; 9], number: u8, colour: u64) {
    let sum = &mut sums[usize::from(number)];
    *sum = sum.wrapping_add(colour);
}

/// The colours of rows, or of columns, by the sums of their givens: each is mixed with the colour of its chute.
#[inline]
fn with_chutes(sums: &[u64; 9]) -> [u64; 9] {
    let lines = sums.map(finalise);
    let mut chutes = [0u64; 3];
    for (line, colour) in lines.into_iter().enumerate() {
        chutes[line / 3] = chutes[line / 3].wrapping_add(colour);
    }
    std::array::from_fn(|line| finalise(lines[line].rotate_left(17) ^ chutes[line / 3]))
}

/// The keys of a board from which none, one, or up to `most` (at most two) of its givens are taken away.
pub fn keys_without(values: &[u8; 81], most: usize) -> Vec<Without> {
    let mut keys = vec![Without { key: key(values), cells: [81; 2] }];
    if most == 0 {
        return keys;
    }
    let givens: Vec<usize> = (0..81).filter(|&cell| values[cell] != 0).collect();
    let mut rest = *values;
    for (number, &first) in givens.iter().enumerate() {
        rest[first] = 0;
        keys.push(Without { key: key(&rest), cells: [first as u8, 81] });
        let seconds = if most > 1 { &givens[number + 1..] } else { &[] };
        for &second in seconds {
            rest[second] = 0;
            keys.push(Without { key: key(&rest), cells: [first as u8, second as u8] });
            rest[second] = values[second];
        }
        rest[first] = values[first];
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Freedom, Isomorphism, Puzzle, Shape, text};
    use crate::random::{Rng, Stage};

    const LINES: [&str; 3] = [
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "1............8.2......37.45.....197..3...5.2.8.1.42..........9..64..3....7851.6..",
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    ];

    #[test]
    fn isomorphic_boards_have_the_same_keys_and_other_boards_do_not() {
        let mut all = Vec::new();
        for line in LINES {
            let puzzle = Puzzle::try_from(text::parse_line(line, None).unwrap()).unwrap();
            let keys = |puzzle: &Puzzle, most| {
                let mut keys: Vec<u64> =
                    keys_without(&puzzle.grid().nine().unwrap(), most).iter().map(|one| one.key).collect();
                keys.sort_unstable();
                keys
            };
            let own = keys(&puzzle, 2);
            for seed in 0..20 {
                let mut rng = Rng::new(seed, 0, Stage::Bench, 0);
                let image = Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng).apply_to_puzzle(&puzzle);
                assert_eq!(keys(&image, 2), own);
            }
            let n = puzzle.grid().givens();
            assert_eq!(own.len(), 1 + n + n * (n - 1) / 2);
            all.extend(own);
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert!(all.len() * 100 > count * 95, "{} of {count} differ", all.len());
    }
}
