//! The weight of each value of a figure, and of each number.
//!
//! ```text
//!   few values     the weight of each value in 1,024 blocks     shares, quantiles
//!   many values    in 32 blocks                                 quantiles
//! ```
//!
//! Of more than 4,096 different numbers, the lowest bits are left out. So numbers, and quantiles, are rounded down: by
//! some tenths of a per cent, and by up to 2 % if the numbers span six powers of ten. Means are exact.

use std::collections::BTreeMap;

use super::blocks::{Blocks, Place};
use super::estimate::Estimate;
use super::sample::{Moments, Sample};
use crate::corpus::sorter::key_of;

/// A number with at most this many different values gets a share for each of them.
pub(super) const FEW_VALUES: usize = 24;
pub(super) const MOST_NUMBERS: usize = 1 << 12;

/// The weights of the rows with each value.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights<K> {
    pub by_value: BTreeMap<K, Blocks>,
    /// There are many values, so each has only the few blocks that quantiles need.
    is_folded: bool,
}

impl<K: Ord> Weights<K> {
    /// Adds the weight of a row. With more than `most` values, each gets few blocks.
    pub(super) fn add(&mut self, value: K, place: Place, weight: f64, most: usize) {
        self.of_value(value).add(place, weight);
        if !self.is_folded && self.by_value.len() > most {
            self.is_folded = true;
            self.by_value.values_mut().for_each(|blocks| *blocks = blocks.folded());
        }
    }

    /// The weight of a value, which is added if it is new.
    fn of_value(&mut self, value: K) -> &mut Blocks {
        let no_weight = if self.is_folded { Blocks::few } else { Blocks::default };
        self.by_value.entry(value).or_insert_with(no_weight)
    }
}

/// The number of a key, which [`key_of`] gives.
pub(super) fn number_of_key(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

/// The weights of numbers: their sums, and the weight of each number, as an integer of the same order.
#[derive(Clone, Debug, Default)]
pub(in crate::study) struct Numbers {
    pub(super) moments: Moments,
    weights: Weights<u64>,
    dropped_bits: u32,
}

impl Numbers {
    /// Adds the weight of a row. If there are too many different numbers, their lowest bits are left out, first 32 and
    /// then two more at a time, so that near numbers become one.
    pub(in crate::study) fn add(&mut self, value: f64, place: Place, weight: f64) {
        self.moments.add(place, weight, value);
        let key = key_of(value);
        self.weights.add(key >> self.dropped_bits << self.dropped_bits, place, weight, FEW_VALUES);
        self.shorten();
    }

    /// Leaves out bits until there are not too many numbers.
    fn shorten(&mut self) {
        while self.different() > MOST_NUMBERS {
            self.drop_bits(if self.dropped_bits == 0 { 32 } else { self.dropped_bits + 2 });
        }
    }

    fn drop_bits(&mut self, bits: u32) {
        self.dropped_bits = bits;
        self.weights.is_folded = true;
        for (key, blocks) in std::mem::take(&mut self.weights.by_value) {
            self.weights.of_value(key >> bits << bits).merge(&blocks);
        }
    }

    pub(in crate::study) fn scale(&mut self, factor: f64) {
        self.moments.scale(factor);
        self.weights.by_value.values_mut().for_each(|blocks| blocks.scale(factor));
    }

    /// Adds the numbers of other rows, which have these weights.
    pub(in crate::study) fn merge(&mut self, other: &Numbers, weights: &Blocks) {
        self.moments.merge(&other.moments, weights);
        if self.dropped_bits < other.dropped_bits {
            self.drop_bits(other.dropped_bits);
        }
        self.weights.is_folded |= other.weights.is_folded;
        let no_weight = if other.weights.is_folded { Blocks::few } else { Blocks::default };
        for (key, blocks) in &other.weights.by_value {
            let key = key >> self.dropped_bits << self.dropped_bits;
            self.weights.by_value.entry(key).or_insert_with(no_weight).merge(blocks);
        }
        self.shorten();
    }

    /// The numbers in ascending order, each with its weight.
    pub(super) fn ascending(&self) -> Vec<(f64, &Blocks)> {
        self.weights.by_value.iter().map(|(&key, blocks)| (number_of_key(key), blocks)).collect()
    }

    /// How many different numbers there are, without the bits that are left out.
    pub(super) fn different(&self) -> usize {
        self.weights.by_value.len()
    }

    pub(in crate::study) fn mean(&self, rows: &Sample) -> Estimate {
        rows.mean(&self.moments)
    }

    /// The quantile at a share of the weight.
    pub(in crate::study) fn quantile(&self, share: f64, rows: &Sample) -> Estimate {
        rows.quantile(share, &self.ascending())
    }

    /// The shares of groups of numbers; what has no group counts in the whole only.
    pub(in crate::study) fn shares(
        &self,
        groups: usize,
        group: impl Fn(f64) -> Option<usize>,
        rows: &Sample,
    ) -> Vec<Estimate> {
        let mut parts = vec![Blocks::default(); groups];
        for (number, blocks) in self.ascending() {
            group(number).into_iter().for_each(|group| parts[group].merge(blocks));
        }
        parts.iter().map(|part| rows.share(part)).collect()
    }
}

/// A number without the digits that are errors of rounding.
pub(in crate::study) fn label(number: f64) -> String {
    format!("{number:.11e}").parse().unwrap_or(number).to_string()
}
