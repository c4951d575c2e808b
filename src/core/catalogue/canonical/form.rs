//! Defines a canonical form and its hash.

use crate::catalogue::classes::minlex::Minlex;
use crate::random::finalise;

/// The smallest of all boards equivalent to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// Row by row, 0 for a blank, digits 1..=9 in the order of their first appearance.
    pub cells: [u8; 81],
    /// Maps of cells that turn the board into a relabelling of itself, the identity among them: 1 to 3,359,232.
    pub automorphisms: u32,
}

impl From<Minlex> for Canonical {
    fn from(form: Minlex) -> Canonical {
        Canonical { cells: form.cells, automorphisms: form.maps.len() as u32 }
    }
}

impl Canonical {
    /// The class: a hash of the form. Isomorphic puzzles have the same class, two others with probability 2^-128.
    ///
    /// The definition is part of the file format. The 81 cells make six words of up to 14 cells, with the first cell in
    /// the lowest four bits. Two accumulators start from different constants. For each word, each accumulator is xored
    /// with the word, multiplied by its own odd constant and passed through the SplitMix64 finaliser. The first
    /// accumulator is the upper half.
    pub fn class(&self) -> u128 {
        hash(self.cells.chunks(14).map(|part| part.iter().rev().fold(0, |word, &cell| word << 4 | u64::from(cell))))
    }
}

pub(super) fn hash(words: impl Iterator<Item = u64>) -> u128 {
    let (mut upper, mut lower) = (0x9e37_79b9_7f4a_7c15_u64, 0xc2b2_ae3d_27d4_eb4f_u64);
    for word in words {
        upper = finalise((upper ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93));
        lower = finalise((lower ^ word).wrapping_mul(0xa076_1d64_78bd_642f));
    }
    u128::from(upper) << 64 | u128::from(lower)
}
