//! Sums weighted shares of rows, from weights that are known by their logarithms, in one pass and in parts that add up.
//!
//! Rows are assumed to be independent. This is true of a corpus that `run` makes, because every row has its own grid.
//! For corpora in which several rows share a grid, `stats` gives correct errors.

use std::collections::BTreeMap;

use super::weighted::pareto::{self, Largest};
use super::weighted::sample::{Doubt, doubt_of};

/// A quantity whose values have weighted shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// The number of givens.
    Givens,
    /// The level of the hardest step on HoDoKu's scale, by its position.
    Level,
    /// One of [`super::counts::RATINGS`].
    Rating(usize),
    /// Different techniques that the ladder uses.
    Kinds,
    /// The depth of the reference search.
    Depth,
}

/// The share of the weight of a value, or of several values together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// The share, 0..=1.
    pub share: f64,
    /// Its standard error.
    pub error: f64,
}

/// Sums of weights and of their squares, as multiples of the largest weight and its square.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    rows: u64,
    /// Logarithm of the largest weight, which is the unit of all sums.
    largest: f64,
    /// Sum and sum of squares over all rows.
    all: [f64; 2],
    /// Sum and sum of squares over the rows with each value of each quantity.
    of: BTreeMap<(Quantity, u64), [f64; 2]>,
    /// Logarithms of the largest weights.
    top: Largest,
}

/// Adds to both sums.
fn plus(sums: &mut [f64; 2], more: [f64; 2]) {
    sums[0] += more[0];
    sums[1] += more[1];
}

impl Weights {
    /// Adds a row with its known quantities. Ignores rows without a weight.
    pub(super) fn add(&mut self, log: Option<f64>, known: impl IntoIterator<Item = (Quantity, u64)>) {
        let Some(log) = log.filter(|log| log.is_finite()) else { return };
        if self.rows == 0 || log > self.largest {
            self.scale(log);
        }
        let weight = (log - self.largest).exp();
        let sums = [weight, weight * weight];
        self.rows += 1;
        plus(&mut self.all, sums);
        for key in known {
            plus(self.of.entry(key).or_default(), sums);
        }
        self.top.add(log);
    }

    /// Rescales all sums to another unit of weight.
    fn scale(&mut self, largest: f64) {
        let factor = if self.rows == 0 { 1.0 } else { (self.largest - largest).exp() };
        for sums in self.of.values_mut().chain([&mut self.all]) {
            *sums = [sums[0] * factor, sums[1] * factor * factor];
        }
        self.largest = largest;
    }

    /// Adds the weights of other rows. Sums are in units of the largest weight, which may change.
    pub(super) fn merge(&mut self, other: &Weights) {
        if other.rows == 0 {
            return;
        }
        if self.rows == 0 || other.largest > self.largest {
            self.scale(other.largest);
        }
        let factor = (other.largest - self.largest).exp();
        let scaled = |sums: [f64; 2]| [sums[0] * factor, sums[1] * factor * factor];
        plus(&mut self.all, scaled(other.all));
        for (&key, &sums) in &other.of {
            plus(self.of.entry(key).or_default(), scaled(sums));
        }
        self.rows += other.rows;
        other.top.kept().iter().for_each(|&log| self.top.add(log));
    }

    /// The number of rows with a weight.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The effective sample size, (sum of weights)^2 / sum of squares (Kish).
    pub fn effective_rows(&self) -> f64 {
        if self.rows == 0 { 0.0 } else { self.all[0] * self.all[0] / self.all[1] }
    }

    /// Why figures with these weights are not reliable. None if they are.
    pub fn doubt(&self) -> Option<Doubt> {
        let mut top: Vec<f64> = self.top.kept().iter().map(|log| (log - self.largest).exp()).collect();
        let effective = self.effective_rows();
        doubt_of(self.rows as usize, effective, effective, pareto::tail_of(&mut top, self.rows as usize))
    }

    /// Shares of groups of values of a quantity, among the rows that have it. `groups` is the number of groups. `group`
    /// returns the group of a value, from 0, or None for a value that belongs to none: it counts in the whole only.
    /// None if no row with a weight has the quantity.
    ///
    /// # Panics
    /// If a group is not below `groups`.
    pub fn shares(
        &self,
        quantity: Quantity,
        groups: usize,
        group: impl Fn(u64) -> Option<usize>,
    ) -> Option<Vec<Share>> {
        let mut sums = vec![[0.0; 2]; groups];
        let mut all = [0.0; 2];
        for (&(_, value), &more) in self.of.range((quantity, 0)..=(quantity, u64::MAX)) {
            plus(&mut all, more);
            if let Some(at) = group(value) {
                plus(&mut sums[at], more);
            }
        }
        let share = |[sum, squares]: [f64; 2]| {
            let p = sum / all[0];
            // The error of a ratio of sums: each weight, times its distance from the share, which is 1 - p or p.
            let variance = squares * (1.0 - p).powi(2) + (all[1] - squares).max(0.0) * p * p;
            Share { share: p, error: variance.sqrt() / all[0] }
        };
        (all[0] > 0.0).then(|| sums.into_iter().map(share).collect())
    }

    /// Weighted mean of a quantity and its standard error. None if no row with a weight has the quantity.
    pub fn mean(&self, quantity: Quantity) -> Option<(f64, f64)> {
        let values =
            || self.of.range((quantity, 0)..=(quantity, u64::MAX)).map(|(&(_, value), &sums)| (value as f64, sums));
        let all: f64 = values().map(|(_, [sum, _])| sum).sum();
        let mean = values().map(|(value, [sum, _])| value * sum).sum::<f64>() / all;
        let variance: f64 = values().map(|(value, [_, squares])| squares * (value - mean).powi(2)).sum();
        (all > 0.0).then(|| (mean, variance.sqrt() / all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_any_size_give_shares() {
        let (mut weights, mut left, mut right) = (Weights::default(), Weights::default(), Weights::default());
        for (at, (givens, log)) in
            [(24, Some(-5000.0)), (24, Some(1000.0)), (25, Some(1000.0)), (26, None), (27, Some(f64::NAN))]
                .into_iter()
                .enumerate()
        {
            weights.add(log, [(Quantity::Givens, givens), (Quantity::Rating(1), 3)]);
            if at % 2 == 0 { &mut left } else { &mut right }
                .add(log, [(Quantity::Givens, givens), (Quantity::Rating(1), 3)]);
        }
        left.merge(&right);
        assert_eq!(left.rows(), weights.rows());
        let shares = left.shares(Quantity::Givens, 30, |value| Some(value as usize)).unwrap();
        assert!((shares[24].share - 0.5).abs() < 1e-12 && (shares[25].share - 0.5).abs() < 1e-12);
        // Two rows of equal weight: the error of a share of one half is sqrt(1/4 / 2).
        assert!((shares[24].error - 0.125f64.sqrt()).abs() < 1e-12 && shares[26].share == 0.0);
        assert!((left.effective_rows() - 2.0).abs() < 1e-9);
        assert_eq!(left.mean(Quantity::Givens), Some((24.5, 0.125f64.sqrt())));
        assert_eq!(left.shares(Quantity::Depth, 1, |_| Some(0)), None);
        assert!(left.doubt().is_some() && Weights::default().doubt().is_some());
    }

    #[test]
    fn the_largest_weights_are_kept_with_any_number_of_rows() {
        let mut weights = Weights::default();
        for at in 0..50_000u32 {
            weights.add(Some(f64::from(at.wrapping_mul(2_654_435_761) % 1000) / 1000.0), [(Quantity::Givens, 24)]);
        }
        assert!(weights.top.kept().len() < 20_000 && weights.doubt().is_none(), "{:?}", weights.doubt());
    }
}
