//! Counts the values of a column, or of two columns together, in one pass and in little memory.
//!
//! ```text
//!   Tally      how often each value occurred       -> quantiles, mean, histogram
//!   Joint      a tally for each value of another   -> boxes, heat maps, correlations
//! ```
//!
//! Counters of the parts of a corpus can be merged in any order: the result is the same as for all rows at once.
//!
//! Values below 4,096 are counted exactly. So are larger ones, until a tally has more than 65,536 different ones of
//! these. It then becomes *coarse*: it keeps only their 12 highest bits, and so stays small for any input. Numbers of
//! rows and means stay exact; quantiles and standard deviations are approximate. The first of the two integers of a
//! joint tally always keeps its 12 highest bits only, if it is 4,096 or more. So correlations of such integers are
//! approximate.

use std::collections::BTreeMap;

use sudoku_corpus_core::page::numbers::percent;

/// How often each value of an integer occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The count of each value below [`EXACT_BELOW`], up to the largest that occurred.
    small: Vec<u64>,
    /// The counts of larger values.
    large: BTreeMap<u64, u64>,
    /// True if larger values are counted by their highest bits.
    coarse: bool,
    total: u64,
    /// The exact sum of the values.
    sum: u128,
}

/// The highest bits that are kept of large values in a coarse tally.
const KEPT_BITS: u32 = 12;
/// Values below this one are always counted exactly.
const EXACT_BELOW: u64 = 1 << KEPT_BITS;
/// The number of different values from [`EXACT_BELOW`] on that are still counted exactly.
const EXACT: usize = 1 << 16;

/// A value with all but its [`KEPT_BITS`] highest bits set to 0. Values below [`EXACT_BELOW`] stay as they are.
fn kept(value: u64) -> u64 {
    let bits = u64::BITS - value.leading_zeros();
    let excess = bits.saturating_sub(KEPT_BITS);
    value >> excess << excess
}

impl Tally {
    pub fn add(&mut self, value: u64) {
        self.add_many(value, 1);
    }

    pub(crate) fn add_many(&mut self, value: u64, times: u64) {
        self.total += times;
        self.sum += u128::from(value) * u128::from(times);
        if value < EXACT_BELOW {
            let place = value as usize;
            if place >= self.small.len() {
                self.small.resize(place + 1, 0);
            }
            self.small[place] += times;
        } else {
            *self.large.entry(self.key(value)).or_default() += times;
            self.shrink(false);
        }
    }

    /// The value under which a large value is counted.
    fn key(&self, value: u64) -> u64 {
        if self.coarse { kept(value) } else { value }
    }

    /// Becomes coarse if this is wanted, or if there are too many different large values.
    fn shrink(&mut self, wanted: bool) {
        if !self.coarse && (wanted || self.large.len() > EXACT) {
            self.coarse = true;
            for (value, times) in std::mem::take(&mut self.large) {
                *self.large.entry(kept(value)).or_default() += times;
            }
        }
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: &Tally) {
        if self.small.len() < other.small.len() {
            self.small.resize(other.small.len(), 0);
        }
        self.small.iter_mut().zip(&other.small).for_each(|(count, more)| *count += more);
        self.shrink(other.coarse);
        for (&value, more) in &other.large {
            *self.large.entry(self.key(value)).or_default() += more;
        }
        self.shrink(false);
        self.total += other.total;
        self.sum += other.sum;
    }

    pub fn total(&self) -> u64 {
        self.total
    }

    pub fn sum(&self) -> u128 {
        self.sum
    }

    /// Values and how often they occurred, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let small = self.small.iter().enumerate().map(|(value, &count)| (value as u64, count));
        small.filter(|(_, count)| *count > 0).chain(self.large.iter().map(|(&value, &count)| (value, count)))
    }

    /// How often a value occurred. For a large value in a coarse tally, how often values with the same 12 highest bits
    /// occurred.
    pub fn count(&self, value: u64) -> u64 {
        match value {
            ..EXACT_BELOW => self.small.get(value as usize).copied().unwrap_or(0),
            _ => self.large.get(&self.key(value)).copied().unwrap_or(0),
        }
    }

    /// The share of all values that a value has, in per cent.
    pub fn percent(&self, value: u64) -> String {
        percent(self.count(value), self.total)
    }

    /// The smallest value that at least a share `q` in 0..=1 of all values does not exceed. None without values.
    pub(crate) fn quantile(&self, q: f64) -> Option<u64> {
        let rank = (q * self.total as f64).ceil().max(1.0) as u64;
        let mut values_so_far = 0;
        for (value, count) in self.iter() {
            values_so_far += count;
            if values_so_far >= rank {
                return Some(value);
            }
        }
        None
    }

    /// The smallest value. None without values.
    pub fn min(&self) -> Option<u64> {
        self.iter().next().map(|(value, _)| value)
    }

    /// The largest value. None without values.
    pub fn max(&self) -> Option<u64> {
        let small = || self.small.iter().rposition(|&count| count > 0).map(|value| value as u64);
        self.large.keys().next_back().copied().or_else(small)
    }

    /// Mean and standard deviation (by n - 1) of all values. None without values; one value alone deviates by 0.
    pub(crate) fn moments(&self) -> Option<(f64, f64)> {
        let total = self.total as f64;
        let mean = self.sum as f64 / total;
        let square = self.iter().map(|(value, count)| (value as f64 - mean).powi(2) * count as f64).sum::<f64>()
            / (total - 1.0).max(1.0);
        (self.total > 0).then_some((mean, square.sqrt()))
    }
}

/// Counts pairs of integers (x, y), one of each row: for every value of x, a tally of y.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Joint {
    /// By x, or by its 12 highest bits.
    rows: BTreeMap<u64, Tally>,
}

impl Joint {
    pub fn add(&mut self, x: u64, y: u64) {
        self.rows.entry(kept(x)).or_default().add(y);
    }

    pub fn merge(&mut self, other: &Joint) {
        other.rows.iter().for_each(|(&x, tally)| self.rows.entry(x).or_default().merge(tally));
    }

    /// The values of x, ascending, each with its tally of y.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &Tally)> + '_ {
        self.rows.iter().map(|(&x, tally)| (x, tally))
    }

    /// The tally of x alone.
    pub fn first(&self) -> Tally {
        let mut all = Tally::default();
        self.iter().for_each(|(x, tally)| all.add_many(x, tally.total()));
        all
    }

    /// The tally of y alone.
    pub fn second(&self) -> Tally {
        let mut all = Tally::default();
        self.iter().for_each(|(_, tally)| all.merge(tally));
        all
    }

    /// Pearson's correlation, in -1..=1. None if x or y never varies.
    pub fn correlation(&self) -> Option<f64> {
        self.correlated(|x| x as f64, |y| y as f64)
    }

    /// Spearman's rank correlation: Pearson's correlation of the ranks. Equal values share the mean of their ranks.
    /// None if x or y never varies.
    pub(crate) fn rank_correlation(&self) -> Option<f64> {
        let (first, second) = (ranks(&self.first()), ranks(&self.second()));
        let rank = |ranks: &BTreeMap<u64, f64>, value| ranks.get(&value).copied().unwrap_or(0.0);
        self.correlated(|x| rank(&first, x), |y| rank(&second, y))
    }

    /// Pearson's correlation of f(x) and g(y). None if one of them never varies.
    fn correlated(&self, f: impl Fn(u64) -> f64, g: impl Fn(u64) -> f64) -> Option<f64> {
        // f(x), g(y), and how often the pair occurred.
        let mut pairs: Vec<(f64, f64, f64)> = Vec::new();
        for (x, tally) in self.iter() {
            let x = f(x);
            pairs.extend(tally.iter().map(|(y, count)| (x, g(y), count as f64)));
        }
        let (mut n, mut sum_x, mut sum_y) = (0.0, 0.0, 0.0);
        for (x, y, count) in &pairs {
            n += count;
            sum_x += x * count;
            sum_y += y * count;
        }
        let (mean_x, mean_y) = (sum_x / n, sum_y / n);
        let (mut xx, mut yy, mut xy) = (0.0f64, 0.0f64, 0.0f64);
        for (x, y, count) in &pairs {
            let (x, y) = (x - mean_x, y - mean_y);
            xx += x * x * count;
            yy += y * y * count;
            xy += x * y * count;
        }
        let scale = (xx * yy).sqrt();
        (scale > 0.0).then(|| (xy / scale).clamp(-1.0, 1.0))
    }
}

/// The rank of each value among all values, from 1: the mean of the ranks that equal values share.
fn ranks(tally: &Tally) -> BTreeMap<u64, f64> {
    let mut ranks = BTreeMap::new();
    let mut smaller = 0.0;
    for (value, count) in tally.iter() {
        ranks.insert(value, smaller + f64::midpoint(count as f64, 1.0));
        smaller += count as f64;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::{any, proptest};

    use super::*;

    #[test]
    fn quantiles_and_moments_of_known_values() {
        let mut tally = Tally::default();
        (1..=100).for_each(|value| tally.add(value));
        assert_eq!(tally.quantile(0.5), Some(50));
        assert_eq!(tally.quantile(0.99), Some(99));
        assert_eq!(tally.quantile(0.0), Some(1));
        assert_eq!([tally.min(), tally.max()], [Some(1), Some(100)]);
        let (mean, deviation) = tally.moments().unwrap();
        assert!((mean - 50.5).abs() < 1e-12 && (deviation - (9999.0f64 / 12.0 * 100.0 / 99.0).sqrt()).abs() < 1e-9);
        assert_eq!(Tally::default().moments(), None);
        assert_eq!([Tally::default().min(), Tally::default().max()], [None, None]);
    }

    #[test]
    fn large_values_keep_twelve_bits_and_little_memory() {
        let mut tally = Tally::default();
        (0..2_000_000).for_each(|value| tally.add(value * 37));
        assert!(tally.iter().count() < 5 * 65_536);
        assert_eq!(tally.total(), 2_000_000);
        let median = tally.quantile(0.5).unwrap() as f64;
        assert!((median / 37e6 - 1.0).abs() < 1e-3, "{median}");
        assert_eq!(tally.moments().unwrap().0, 37.0 * 1_999_999.0 / 2.0, "means are exact");
        let mut exact = Tally::default();
        let values = [4095, 4096, 4097, 8191, 8192, 8193, u64::MAX];
        values.into_iter().for_each(|value| exact.add(value));
        assert_eq!(exact.iter().map(|(value, _)| value).collect::<Vec<_>>(), values, "few values are exact");
        assert_eq!([exact.count(4097), exact.count(8194)], [1, 0]);
        exact.merge(&tally);
        assert_eq!([exact.count(4097), exact.count(u64::MAX)], [tally.count(4096) + 2, 1], "many are not");
        assert!(exact.moments().is_some());
    }

    #[test]
    fn correlations_of_known_pairs() {
        let (mut up, mut down, mut bent) = (Joint::default(), Joint::default(), Joint::default());
        for x in 0..50 {
            up.add(x, 3 * x + 7);
            down.add(x, 50 - x);
            bent.add(x, x * x);
        }
        assert!((up.correlation().unwrap() - 1.0).abs() < 1e-12);
        assert!((down.correlation().unwrap() + 1.0).abs() < 1e-12);
        assert!(bent.correlation().unwrap() < 0.98 && (bent.rank_correlation().unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(Joint::default().correlation(), None);
        // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3.5, 3.5, by hand: 0.8333.
        let mut ties = Joint::default();
        [(1, 5), (2, 6), (2, 9), (3, 9)].into_iter().for_each(|(x, y)| ties.add(x, y));
        assert!((ties.rank_correlation().unwrap() - 3.75 / 4.5).abs() < 1e-12, "{:?}", ties.rank_correlation());
    }

    proptest! {
        #[test]
        fn counting_in_parts_gives_the_same_result(values in vec((any::<u16>(), any::<u64>()), 0..200), cut in 0..200usize) {
            let counted = |pairs: &[(u16, u64)]| {
                let mut joint = Joint::default();
                pairs.iter().for_each(|&(x, y)| joint.add(x.into(), y >> 8));
                joint
            };
            let (left, right) = values.split_at(cut.min(values.len()));
            let mut parts = counted(right);
            parts.merge(&counted(left));
            assert_eq!(parts, counted(&values));
            assert_eq!(parts.second().total(), values.len() as u64);
        }
    }
}
