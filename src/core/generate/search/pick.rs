//! Picks a random element of a set that is held as bits of a word.
//!
//! ```text
//!   mask   0000_0100_1001_0010      4 bits set; draw k = 2; the answer is 7
//!                    ^ bit 7 is the third from the right that is set
//! ```
//!
//! The generators do this at every cell, so two tables make it fast. Tried and lost: clearing the lowest bit
//! k times, because its branches cannot be predicted; and `count_ones`, a dozen instructions on plain x86-64.

use crate::bits;
use crate::random::Rng;

/// Index of the k-th lowest set bit of a byte, with k counted from 0; 8 if no more than k bits are set.
const NTH: [[u8; 8]; 256] = {
    let mut table = [[8; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[inline]
fn count(mask: u64) -> usize {
    let mut total = 0;
    let mut rest = mask;
    while rest != 0 {
        total += bits::count(rest as u16) as usize;
        // The table of `bits` has nine bits.
        rest >>= 9;
    }
    total
}

#[inline]
fn count_byte(byte: usize) -> usize {
    bits::count(byte as u16) as usize
}

/// The place, from 0, of a uniformly random bit of a mask that is not 0.
#[inline]
pub(super) fn random_bit(mask: u64, rng: &mut Rng) -> usize {
    debug_assert!(mask != 0);
    if mask < 1 << 16 { random_bit_of_two_bytes(mask, rng) } else { random_bit_of_any(mask, rng) }
}

/// For boards up to order 16: no loop, and no branch on the outcome.
#[inline]
fn random_bit_of_two_bytes(mask: u64, rng: &mut Rng) -> usize {
    let (low, high) = ((mask & 0xff) as usize, (mask >> 8 & 0xff) as usize);
    let count_of_low = count_byte(low);
    let k = rng.below(count_of_low + count_byte(high));
    let (byte, k, first_bit) = if k < count_of_low { (low, k, 0) } else { (high, k - count_of_low, 8) };
    first_bit + usize::from(NTH[byte][k & 7])
}

/// For boards of any order: byte by byte.
fn random_bit_of_any(mask: u64, rng: &mut Rng) -> usize {
    let mut k = rng.below(count(mask));
    let mut rest = mask;
    let mut first_bit = 0;
    loop {
        let byte = (rest & 0xff) as usize;
        let count = count_byte(byte);
        if k < count {
            return first_bit + usize::from(NTH[byte][k]);
        }
        k -= count;
        rest >>= 8;
        first_bit += 8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stage;

    #[test]
    fn every_bit_of_a_mask_is_drawn_and_no_other() {
        for mask in [1, 0b1010, 0x8000_0000_0000_0001, 0xf0f0_0000_0ff0, u64::MAX] {
            let mut rng = Rng::new(1, mask, Stage::Bench, 0);
            let drawn = (0..2000).fold(0, |drawn, _| drawn | 1u64 << random_bit(mask, &mut rng));
            assert_eq!(drawn, mask);
            assert_eq!(count(mask), mask.count_ones() as usize);
        }
    }
}
