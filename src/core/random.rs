//! Random numbers: every item of a corpus has its own generator.
//!
//! The numbers of a generator depend only on (seed, index, stage, attempt). A SplitMix64 finaliser mixes these four
//! into the state and the stream of a PCG64-DXSM generator. *Tried and lost*: the index itself as state or as stream.
//! The random numbers of neighbouring items are then visibly correlated.
//!
//! Bounded draws and shuffles are our own (Lemire, "Fast Random Integer Generation in an Interval", 2019). A library
//! may change the values that it gives for a range or a shuffle from one release to the next, but the same recipe has
//! to give the same bytes. For the same reason the order of draws is a contract: whoever draws once more, or exchanges
//! two draws, makes another corpus.

use rand_pcg::Pcg64Dxsm;
use rand_pcg::rand_core::Rng as _;

/// The seed of all random numbers where none is asked for.
pub const DEFAULT_SEED: u64 = 20_261_120;

/// The purpose of a generator. The number of a stage is part of the hash, so stages must never be renumbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Stage {
    /// Making a full grid.
    Generate = 1,
    /// Digging holes into a grid.
    Dig = 2,
    /// Choosing rows for a check or a sample.
    Sample = 3,
    /// Random numbers in benchmarks and tests.
    Bench = 4,
    /// Drawing the regions of a jigsaw.
    Layout = 5,
}

/// The generator of one item: 64-bit PCG-DXSM with hashed state and stream.
#[derive(Clone, Debug)]
pub struct Rng(Pcg64Dxsm);

/// The SplitMix64 finaliser: a bijection of 64-bit words in which any input bit changes about half of the output bits.
pub const fn finalise(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

impl Rng {
    /// The generator of item `index` at `stage`; `attempt` counts retries of the same item from 0.
    pub fn new(seed: u64, index: u64, stage: Stage, attempt: u64) -> Rng {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut word = finalise(seed.wrapping_add(GOLDEN));
        for part in [index, stage as u64, attempt] {
            word = finalise(word.wrapping_add(GOLDEN) ^ finalise(part.wrapping_add(GOLDEN)));
        }
        // The halves of the state and of the stream, the upper half first.
        let [a, b, c, d] = [1, 2, 3, 4].map(|count| finalise(word.wrapping_add(GOLDEN.wrapping_mul(count))));
        let state = u128::from(a) << 64 | u128::from(b);
        let stream = u128::from(c) << 64 | u128::from(d);
        Rng(Pcg64Dxsm::new(state, stream))
    }

    /// A uniform 64-bit word.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number in `0..bound`. `bound` must not be 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        debug_assert!(bound > 0);
        // The number is the upper half of word * bound. Words with a lower half below a threshold are rejected, so that
        // each number comes from as many words.
        let bound = bound as u64;
        let mut wide = u128::from(self.word()) * u128::from(bound);
        if (wide as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (wide as u64) < threshold {
                wide = u128::from(self.word()) * u128::from(bound);
            }
        }
        (wide >> 64) as usize
    }

    /// One element of a slice, uniformly. The slice must not be empty.
    #[inline]
    pub fn choose<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Puts a slice into a uniformly random order (Fisher-Yates, from the end).
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let drawn = self.below(last + 1);
            items.swap(last, drawn);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_argument_of_new_matters() {
        let words: std::collections::HashSet<u64> = [
            (1, 0, Stage::Generate, 0),
            (2, 0, Stage::Generate, 0),
            (1, 1, Stage::Generate, 0),
            (1, 0, Stage::Dig, 0),
            (1, 0, Stage::Generate, 1),
            (0, 1, Stage::Generate, 0),
        ]
        .into_iter()
        .map(|(seed, index, stage, attempt)| Rng::new(seed, index, stage, attempt).word())
        .collect();
        assert_eq!(words.len(), 6);
    }

    /// The values are part of the file format: a change here changes every corpus.
    #[test]
    fn the_stream_is_pinned() {
        let mut rng = Rng::new(20_261_120, 7, Stage::Generate, 0);
        let drawn: Vec<usize> = (0..8).map(|_| rng.below(1000)).collect();
        assert_eq!(drawn, [748, 515, 95, 728, 838, 560, 408, 925]);
    }

    /// 24 orders of four items, 240,000 shuffles: chi-square with 23 degrees of freedom, 99.99 % point 56.
    #[test]
    fn shuffles_are_uniform() {
        let mut counts = std::collections::HashMap::new();
        for index in 0..240_000 {
            let mut items = [0u8, 1, 2, 3];
            Rng::new(5, index, Stage::Bench, 0).shuffle(&mut items);
            *counts.entry(items).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 24);
        let chi: f64 = counts.values().map(|&n| (f64::from(n) - 1e4).powi(2) / 1e4).sum();
        assert!(chi < 56.0, "chi-square {chi}");
    }
}
