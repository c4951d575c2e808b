//! A key of a 9x9 board that isomorphic boards share, computed much faster than a canonical form. Boards with different
//! keys are not isomorphic; boards with equal keys mostly are.
//!
//! Colours are refined (Weisfeiler and Leman): a given gets a new colour from the sums of the colours of its digit, its
//! box, its row, column, band and stack. Rows and columns have the same part, because a board may be transposed.

use crate::random::finalise;

/// Rounds of refinement.
const ROUNDS: usize = 3;

/// A board without some of its givens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Without {
    /// The key of what is left.
    pub key: u64,
    /// The cells whose givens were taken away; 81 for none.
    pub cells: [u8; 2],
}

/// The key of a board; 0 stands for a blank.
pub fn key(values: &[u8; 81]) -> u64 {
    let mut givens = [(0u8, 0u8); 81];
    let mut count = 0;
    for (cell, &value) in values.iter().enumerate().filter(|(_, value)| **value != 0) {
        givens[count] = (cell as u8, value.min(9) - 1);
        count += 1;
    }
    let givens = &givens[..count];
    let mut colours = [1u64; 81];
    for _ in 0..ROUNDS {
        let (mut digits, mut boxes) = ([0u64; 9], [0u64; 9]);
        let (mut rows, mut columns, mut bands, mut stacks) = ([0u64; 9], [0u64; 9], [0u64; 3], [0u64; 3]);
        for (&(cell, digit), &colour) in givens.iter().zip(&colours) {
            let (row, column) = (usize::from(cell) / 9, usize::from(cell) % 9);
            digits[usize::from(digit)] = digits[usize::from(digit)].wrapping_add(colour);
            boxes[row / 3 * 3 + column / 3] = boxes[row / 3 * 3 + column / 3].wrapping_add(colour);
            rows[row] = rows[row].wrapping_add(colour);
            columns[column] = columns[column].wrapping_add(colour);
        }
        for line in 0..9 {
            rows[line] = finalise(rows[line]);
            columns[line] = finalise(columns[line]);
            bands[line / 3] = bands[line / 3].wrapping_add(rows[line]);
            stacks[line / 3] = stacks[line / 3].wrapping_add(columns[line]);
        }
        let (rows, columns) = (with_chutes(&rows, &bands), with_chutes(&columns, &stacks));
        for (&(cell, digit), colour) in givens.iter().zip(&mut colours) {
            let (row, column) = (usize::from(cell) / 9, usize::from(cell) % 9);
            let place = rows[row].wrapping_add(columns[column]);
            let of_box = boxes[row / 3 * 3 + column / 3].wrapping_mul(0xa076_1d64_78bd_642f);
            let of_digit = digits[usize::from(digit)].wrapping_mul(0xd6e8_feb8_6659_fd93);
            *colour = finalise(place ^ of_box.rotate_left(29) ^ of_digit);
        }
    }
    colours[..count].iter().fold(count as u64, |sum, colour| sum.wrapping_add(*colour))
}

/// The colours of lines, each mixed with the colour of its chute.
#[inline]
fn with_chutes(lines: &[u64; 9], chutes: &[u64; 3]) -> [u64; 9] {
    std::array::from_fn(|line| finalise(lines[line].rotate_left(17) ^ chutes[line / 3]))
}

/// The keys of a board from which none, one, or up to `most` (at most two) of its givens are taken away.
pub fn keys_without(values: &[u8; 81], most: usize) -> Vec<Without> {
    let givens: Vec<usize> = (0..81).filter(|&cell| values[cell] != 0).collect();
    let mut all = vec![Without { key: key(values), cells: [81; 2] }];
    let mut left = *values;
    for (number, &a) in givens.iter().enumerate().filter(|_| most > 0) {
        left[a] = 0;
        all.push(Without { key: key(&left), cells: [a as u8, 81] });
        for &b in givens[number + 1..].iter().filter(|_| most > 1) {
            left[b] = 0;
            all.push(Without { key: key(&left), cells: [a as u8, b as u8] });
            left[b] = values[b];
        }
        left[a] = values[a];
    }
    all
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
