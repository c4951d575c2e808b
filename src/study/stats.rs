//! Counters and moments that need one pass and little memory.

use std::collections::BTreeMap;

/// How often each value of a small whole number occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    counts: BTreeMap<u64, u64>,
    total: u64,
}

/// Values from here on are counted by their highest bits, so that a tally stays small whatever it is fed.
const EXACT_BELOW: u64 = 1 << 12;

impl Tally {
    /// Counts one value; values of 4,096 and more lose all but their 12 highest bits.
    pub fn add(&mut self, value: u64) {
        let excess = value.max(EXACT_BELOW - 1).ilog2().saturating_sub(EXACT_BELOW.ilog2() - 1);
        *self.counts.entry(value >> excess << excess).or_default() += 1;
        self.total += 1;
    }

    /// Number of values counted.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Values and how often they occurred, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.counts.iter().map(|(&value, &count)| (value, count))
    }

    /// The smallest value that at least a share `q` in 0..=1 of the values does not exceed.
    pub fn quantile(&self, q: f64) -> Option<u64> {
        let rank = (q * self.total as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        self.iter()
            .find(|&(_, count)| {
                seen += count;
                seen >= rank
            })
            .map(|(value, _)| value)
    }

    /// The largest value.
    pub fn max(&self) -> Option<u64> {
        self.counts.keys().next_back().copied()
    }

    /// Mean and standard deviation.
    pub fn moments(&self) -> Option<(f64, f64)> {
        let total = self.total as f64;
        let mean = self.iter().map(|(value, count)| value as f64 * count as f64).sum::<f64>() / total;
        let square =
            self.iter().map(|(value, count)| (value as f64 - mean).powi(2) * count as f64).sum::<f64>() / total;
        (self.total > 0).then_some((mean, square.sqrt()))
    }
}

/// Pearson's correlation of two quantities, in one pass (Welford's update).
#[derive(Clone, Copy, Debug, Default)]
pub struct Correlation {
    count: f64,
    mean: [f64; 2],
    square: [f64; 2],
    product: f64,
}

impl Correlation {
    /// Adds one pair.
    pub fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        let delta = [x - self.mean[0], y - self.mean[1]];
        self.mean[0] += delta[0] / self.count;
        self.mean[1] += delta[1] / self.count;
        self.square[0] += delta[0] * (x - self.mean[0]);
        self.square[1] += delta[1] * (y - self.mean[1]);
        self.product += delta[0] * (y - self.mean[1]);
    }

    /// The correlation in -1..=1; none when one of the two never varies.
    pub fn value(&self) -> Option<f64> {
        let scale = (self.square[0] * self.square[1]).sqrt();
        (scale > 0.0).then(|| self.product / scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_and_moments_of_known_values() {
        let mut tally = Tally::default();
        (1..=100).for_each(|value| tally.add(value));
        assert_eq!(tally.quantile(0.5), Some(50));
        assert_eq!(tally.quantile(0.99), Some(99));
        assert_eq!(tally.quantile(0.0), Some(1));
        assert_eq!(tally.max(), Some(100));
        let (mean, deviation) = tally.moments().unwrap();
        assert!((mean - 50.5).abs() < 1e-12 && (deviation - (9999.0f64 / 12.0).sqrt()).abs() < 1e-9);
        assert_eq!(Tally::default().moments(), None);
    }

    #[test]
    fn large_values_keep_twelve_bits_and_little_memory() {
        let mut tally = Tally::default();
        (0..2_000_000).for_each(|value| tally.add(value * 37));
        assert!(tally.iter().count() < 5 * 65_536);
        assert_eq!(tally.total(), 2_000_000);
        let median = tally.quantile(0.5).unwrap() as f64;
        assert!((median / 37e6 - 1.0).abs() < 1e-3, "{median}");
        let mut exact = Tally::default();
        [4095, 4096, 4097, 8191, 8192, 8193].into_iter().for_each(|value| exact.add(value));
        assert_eq!(exact.iter().map(|(value, _)| value).collect::<Vec<_>>(), [4095, 4096, 8190, 8192]);
    }

    #[test]
    fn correlations_of_known_pairs() {
        let mut up = Correlation::default();
        let mut down = Correlation::default();
        for x in 0..50 {
            up.add(f64::from(x), 3.0 * f64::from(x) + 7.0);
            down.add(f64::from(x), -f64::from(x));
        }
        assert!((up.value().unwrap() - 1.0).abs() < 1e-12);
        assert!((down.value().unwrap() + 1.0).abs() < 1e-12);
        assert_eq!(Correlation::default().value(), None);
    }
}
