//! Keeps sums over rows: by blocks of grids, and by strata.
//!
//! A *block* has the rows of about a thousandth of all grids, chosen by their hashes. The errors of figures come from
//! leaving out one block after the other. *Strata* are explained at [`Strata`].

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// Blocks of grids.
pub(super) const BLOCKS: usize = 1024;
/// Blocks of the shares from which quantiles get their intervals, if there are many values.
pub(super) const FEW_BLOCKS: usize = 32;
/// So many grids are counted exactly; of more, the number is estimated.
const MOST_HASHES: usize = 1 << 17;

/// A sum over rows, kept apart for each block of grids. One of the few blocks has the rows of all blocks whose numbers
/// have its low bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blocks {
    /// The sum of each block; empty for zeros.
    pub(super) sums: Vec<f64>,
    /// The sum of each stratum over all blocks, if there are strata.
    strata: Vec<f64>,
}

impl Blocks {
    /// Zeros in a few blocks only.
    pub(in crate::study) fn few() -> Blocks {
        Blocks { sums: vec![0.0; FEW_BLOCKS], strata: Vec::new() }
    }

    pub(in crate::study) fn add(&mut self, place: Place, term: f64) {
        if self.sums.is_empty() {
            self.sums.resize(BLOCKS, 0.0);
        }
        let block = place.block_of(self.sums.len());
        self.sums[block] += term;
        self.add_to_stratum(place.stratum, term);
    }

    /// Adds to the sum of a stratum; 0 is none.
    fn add_to_stratum(&mut self, stratum: usize, term: f64) {
        if stratum > 0 {
            self.strata.resize(self.strata.len().max(stratum), 0.0);
            self.strata[stratum - 1] += term;
        }
    }

    /// Adds the sums of other rows. If one of both has few blocks, the result has few. Zeros have no blocks.
    pub(in crate::study) fn merge(&mut self, other: &Blocks) {
        if self.sums.is_empty() {
            self.sums.resize(other.sums.len(), 0.0);
        }
        if !other.sums.is_empty() && other.sums.len() < self.sums.len() {
            *self = self.folded();
        }
        for (block, &sum) in (0u64..).zip(&other.sums) {
            if sum != 0.0 {
                self.add(block.into(), sum);
            }
        }
        for (stratum, &sum) in (1..).zip(&other.strata) {
            self.add_to_stratum(stratum, sum);
        }
    }

    pub(in crate::study) fn scale(&mut self, factor: f64) {
        for sum in self.sums.iter_mut().chain(&mut self.strata) {
            *sum *= factor;
        }
    }

    pub(super) fn times(&self, factor: f64) -> Blocks {
        let mut blocks = self.clone();
        blocks.scale(factor);
        blocks
    }

    /// The same sums in a few blocks.
    pub(in crate::study) fn folded(&self) -> Blocks {
        let mut folded = Blocks::few();
        folded.merge(self);
        folded
    }

    pub(in crate::study) fn used(&self) -> Vec<usize> {
        (0..self.sums.len()).filter(|block| self.sums[*block] != 0.0).collect()
    }

    pub(in crate::study) fn sum(&self) -> f64 {
        self.sums.iter().sum()
    }
}

/// How many different hashes there are. Only those that begin with `halvings` zero bits are kept: of 2^halvings hashes
/// about one.
#[derive(Clone, Debug, Default)]
pub(super) struct Distinct {
    hashes: HashSet<u64, BuildHasherDefault<AlreadyHashed>>,
    halvings: u32,
}

/// Hashes are not hashed again. Their halves change places: a set uses the first and the last bits, which may not be the
/// zeros of [`Distinct`].
#[derive(Clone, Copy, Default)]
struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0 << 8 | u64::from(*byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash.rotate_left(32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Distinct {
    pub(super) fn count(&self) -> u64 {
        (self.hashes.len() as u64) << self.halvings
    }

    /// Counts a grid by its hash. If there are too many hashes, only those with more leading zeros are kept.
    pub(super) fn add(&mut self, hash: u64) {
        if hash.leading_zeros() >= self.halvings && self.hashes.insert(hash) {
            while self.hashes.len() > MOST_HASHES {
                self.halvings += 1;
                self.hashes.retain(|hash| hash.leading_zeros() >= self.halvings);
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Distinct) {
        self.halvings = self.halvings.max(other.halvings);
        self.hashes.retain(|hash| hash.leading_zeros() >= self.halvings);
        other.hashes.iter().for_each(|hash| self.add(*hash));
    }
}

/// Strata are parts of the population whose shares are known, such as the puzzles of each number of givens. The weights
/// of the rows give each stratum its share. If a block is left out, the other rows of a stratum get more weight, so that
/// it keeps its share.
#[derive(Clone, Debug, Default)]
pub(in crate::study) struct Strata {
    /// For each stratum the part of its weight that each of the [`BLOCKS`] has.
    block_parts: Vec<Vec<f64>>,
}

impl Strata {
    /// Strata from the weights of their rows in each block.
    pub(in crate::study) fn new(weights: &[Blocks]) -> Strata {
        let mut block_parts = Vec::with_capacity(weights.len());
        for blocks in weights {
            let sum = blocks.sum();
            block_parts.push(blocks.sums.iter().map(|weight| weight / sum).collect());
        }
        Strata { block_parts }
    }

    /// For each stratum, the factor of the weights of its other rows if one of these blocks is left out.
    pub(in crate::study) fn factors_without(&self, blocks: &[usize]) -> Vec<Vec<f64>> {
        let mut factors = Vec::with_capacity(self.block_parts.len());
        for parts in &self.block_parts {
            let left_out = blocks.iter().map(|block| parts.get(*block).copied().unwrap_or(0.0));
            factors.push(left_out.map(|part| 1.0 / (1.0 - part)).collect());
        }
        factors
    }

    /// What a sum loses if a block is left out, and the strata get their shares again, to first order.
    pub(super) fn lost(&self, sum: &Blocks, block: usize) -> f64 {
        let mut regained = 0.0;
        for (stratum, parts) in sum.strata.iter().zip(&self.block_parts) {
            // The other rows weigh 1 / (1 - part), about 1 + part, times as much. A few blocks have several of the 1,024.
            let part: f64 = parts.iter().skip(block).step_by(sum.sums.len().max(1)).sum();
            regained += stratum * part;
        }
        sum.sums.get(block).copied().unwrap_or(0.0) - regained
    }
}

/// To which sums a row belongs.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The hash of its grid, which gives its block.
    pub(in crate::study) grid: u64,
    /// Its stratum from 1; 0 without strata.
    pub(in crate::study) stratum: usize,
}

impl Place {
    /// The block among so many, which are a power of two.
    fn block_of(self, blocks: usize) -> usize {
        self.grid as usize & (blocks - 1)
    }

    /// The block among [`BLOCKS`].
    pub(in crate::study) fn block(self) -> usize {
        self.block_of(BLOCKS)
    }
}

/// A place without a stratum. The number of a block may stand for the hash of a grid in it: it has its low bits.
impl From<u64> for Place {
    fn from(grid: u64) -> Place {
        Place { grid, stratum: 0 }
    }
}
