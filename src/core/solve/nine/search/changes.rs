//! What is changed at a branch: the candidates of a cell and of its peers.

use super::load;
use crate::board::nine;
use crate::solve::nine::rules::lanes::Lanes;
use crate::solve::nine::rules::words::{DigitWords, PackedCandidates, only, place};

/// Peers of each cell, as words.
pub(super) static PEERS: [DigitWords; 81] = {
    let mut peers = [[0; 4]; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut peer = 0;
        while peer < 81 {
            if nine::PEERS[cell] >> peer & 1 != 0 {
                let (lane, bit) = place(peer);
                peers[cell][lane] |= 1 << bit;
            }
            peer += 1;
        }
        cell += 1;
    }
    peers
};

/// The words of each cell.
pub(super) static ONLY: [DigitWords; 81] = {
    let mut words = [[0; 4]; 81];
    let mut cell = 0;
    while cell < 81 {
        words[cell] = only(cell);
        cell += 1;
    }
    words
};

/// The words of a cell in every group.
#[inline(always)]
fn cell_mask<L: Lanes>(cell: usize) -> L {
    L::repeat(&ONLY[cell])
}

/// The digits 0..9 that a cell may hold, as bits.
#[inline(always)]
pub(in crate::solve::nine) fn candidates<L: Lanes>(words: &[L; 3], cell: usize) -> u32 {
    let mask = cell_mask::<L>(cell);
    let lane = cell / 27;
    // Bit 4g of each number: the digits 3g, 3g+1, 3g+2.
    let [a, b, c] =
        [words[0].meets(mask), words[1].meets(mask), words[2].meets(mask)].map(|lanes| lanes >> lane & 0x111);
    // Three bits for each group, four apart. Without the gaps, bit d is digit d.
    let groups = a | b << 1 | c << 2;
    groups & 7 | groups >> 1 & 7 << 3 | groups >> 2 & 7 << 6
}

/// All bits of the words of one digit, nothing elsewhere.
static OF_DIGIT: [PackedCandidates; 9] = {
    let mut masks = [PackedCandidates([[[0; 4]; 4]; 3]); 9];
    let mut digit = 0;
    while digit < 9 {
        masks[digit].0[digit % 3][digit / 3] = [u32::MAX; 4];
        digit += 1;
    }
    masks
};

/// Leaves one candidate in a cell and removes it from the peers.
#[inline(always)]
pub(in crate::solve::nine) fn put<L: Lanes>(words: &mut [L; 3], digit: usize, cell: usize) {
    let mask = cell_mask::<L>(cell);
    let peers = L::repeat(&PEERS[cell]);
    for (word, digit_mask) in words.iter_mut().zip(load::<L>(&OF_DIGIT[digit])) {
        *word = word.without(peers.and(digit_mask).or(mask.without(digit_mask)));
    }
}

#[inline(always)]
pub(super) fn remove<L: Lanes>(words: &mut [L; 3], digit: usize, cell: usize) {
    clear(words, digit, &ONLY[cell]);
}

/// Removes some cells from the places of a digit.
#[inline(always)]
pub(super) fn clear<L: Lanes>(words: &mut [L; 3], digit: usize, cells: &DigitWords) {
    for (word, digit_mask) in words.iter_mut().zip(load::<L>(&OF_DIGIT[digit])) {
        *word = word.without(L::repeat(cells).and(digit_mask));
    }
}
