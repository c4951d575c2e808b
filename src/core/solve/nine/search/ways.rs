//! Branches on ways ([`crate::solve::nine::rules::sweep`]): a digit with only two or three ways through a band or
//! stack, where all digits together have the fewest. tdoku (T. Dillon) has the idea.

use super::changes::clear;
use super::stack::Stack;
use crate::solve::nine::rules::lanes::Lanes;
use crate::solve::nine::rules::sweep::all_ways;
use crate::solve::nine::rules::words::{DigitWords, LOW, NO_CELLS, VectorWords, place};

/// For each band, then each stack, and for each way through it: its cells that are not on the way. The first three ways
/// are those of [`Moved`](crate::solve::nine::rules::sweep::Moved) down.
static OFF_WAY: [[DigitWords; 6]; 6] = {
    let mut masks = [[[0; 4]; 6]; 6];
    let mut number = 0;
    while number < 6 * 6 * 27 {
        let (chute, way, cell) = (number / 162, number / 27 % 6, number % 27);
        // The row of the band and the box of the cell; in a stack, the band and the column.
        let (line, crossing, cell) = if chute < 3 {
            (cell / 9, cell % 9 / 3, 27 * chute + cell)
        } else {
            (cell / 9, cell % 3, 9 * (cell / 3) + 3 * (chute - 3) + cell % 3)
        };
        // A way has crossing `way` % 3 in the first line. In each further line it moves on by one; ways 3 to 5 by two.
        if crossing != (way % 3 + line * (1 + way / 3)) % 3 {
            let (lane, bit) = place(cell);
            masks[chute][way][lane] |= 1 << bit;
        }
        number += 1;
    }
    masks
};

/// The ways of all digits: through bands, down and up, and through stacks, down and up.
///
/// Each way has one crossing in row 0 of its band, or in band 0 of its stack. So ways are counted there. They are at
/// bit 3 box + digit in bands, and at bit 10 digit + column in stacks; the digit is that within its group.
struct Ways([VectorWords; 4]);

/// The ways of one digit through a chute: bits 0 to 2 are ways down, 3 to 5 up.
#[derive(Clone, Copy)]
struct DigitWays {
    digit: usize,
    ways: u32,
}

impl Ways {
    #[inline(always)]
    fn of<L: Lanes>(words: &[L; 3]) -> Ways {
        let mut ways = Ways([[[0; 4]; 4]; 4]);
        for (row, word) in ways.0.iter_mut().zip(all_ways(*words)) {
            word.store(row);
        }
        ways
    }

    /// The number of ways of all digits through a chute: a band, or from 3 on a stack.
    #[inline(always)]
    fn count(&self, chute: usize) -> u32 {
        let [down, up, stacks_down, stacks_up] = &self.0;
        let mut count = 0;
        for group in 0..3 {
            count += if chute < 3 {
                (down[group][chute] & 0x1ff | (up[group][chute] & 0x1ff) << 9).count_ones()
            } else {
                let stack = (LOW * 7) << (3 * (chute - 3));
                (stacks_down[group][0] & stack).count_ones() + (stacks_up[group][0] & stack).count_ones()
            };
        }
        count
    }

    /// The ways of a digit through a chute. Bits 0 to 2 are ways down, 3 to 5 up.
    #[inline(always)]
    fn of_digit(&self, chute: usize, digit: usize) -> u32 {
        let [down, up, stacks_down, stacks_up] = &self.0;
        let (group, first) = (digit / 3, digit % 3);
        if chute < 3 {
            let half = |word: u32| word >> first & 1 | word >> (first + 2) & 2 | word >> (first + 4) & 4;
            half(down[group][chute]) | half(up[group][chute]) << 3
        } else {
            let shift = 10 * first + 3 * (chute - 3);
            stacks_down[group][0] >> shift & 7 | (stacks_up[group][0] >> shift & 7) << 3
        }
    }

    /// The chute in which all digits together have the fewest ways, of those that are not solved.
    #[inline(always)]
    fn narrowest_chute(&self) -> usize {
        let (mut fewest, mut narrowest) = (u32::MAX, 0);
        for chute in 0..6 {
            let count = self.count(chute);
            // A solved chute has 9 ways, one for each digit.
            if count > 9 && count < fewest {
                (fewest, narrowest) = (count, chute);
            }
        }
        narrowest
    }

    /// Of the digits with two or three ways through a chute, the first with fewest. Without ways if there is none.
    #[inline(always)]
    fn narrowest_digit(&self, chute: usize) -> DigitWays {
        let (mut fewest, mut narrowest) = (4, DigitWays { digit: 0, ways: 0 });
        for digit in 0..9 {
            let ways = self.of_digit(chute, digit);
            let count = ways.count_ones();
            if count > 1 && count < fewest {
                (fewest, narrowest) = (count, DigitWays { digit, ways });
            }
        }
        narrowest
    }
}

/// Branches on a digit with two or three ways, in the band or stack in which all digits together have the fewest ways.
/// False if there is no such digit there.
#[inline(always)]
pub(super) fn guess_way<L: Lanes>(words: &mut [L; 3], stack: &mut Stack) -> bool {
    let all = Ways::of(words);
    let chute = all.narrowest_chute();
    let DigitWays { digit, ways } = all.narrowest_digit(chute);
    if ways == 0 {
        return false;
    }
    // Goes on with the first way.
    let off_first_of = |ways: u32| OFF_WAY[chute][ways.trailing_zeros() as usize];
    let later_ways = ways & (ways - 1);
    let last_way = later_ways & (later_ways - 1);
    // The cells that are on none of the ways left for later: there are one or two.
    let mut off_later = off_first_of(later_ways);
    if last_way != 0 {
        off_later.iter_mut().zip(off_first_of(last_way)).for_each(|(word, off_last)| *word &= off_last);
    }
    let mut without_first = *words;
    clear(&mut without_first, digit, &off_later);
    stack.push(&without_first, NO_CELLS, None);
    clear(words, digit, &off_first_of(ways));
    true
}
