//! The rows of one group as sums: for each figure its weights, and the weight of each of its values.
//!
//! ```text
//!   few values     the weight of each value in 1,024 blocks     shares, totals, quantiles
//!   many values    in 32 blocks                                 quantiles
//! ```
//!
//! Of more than 4,096 different numbers, the lowest bits are left out: a number is then known to 0.1 %, means are exact.

use std::collections::BTreeMap;

use super::sample::{Blocks, Estimate, Moments, Sample};
use crate::corpus::SqlValue;
use sudoku_corpus_core::page::numbers::{grouped, significant};

/// A number with at most this many different values gets a share for each of them.
const FEW_VALUES: usize = 24;
/// The values of a text that are shown: those with the largest shares.
const TEXT_VALUES: usize = 64;
/// The largest number of different numbers.
const NUMBERS: usize = 1 << 12;
/// The largest number of different texts.
const TEXTS: usize = 1 << 16;

/// The weights of the rows with each value.
#[derive(Debug, Default)]
struct Shares<K> {
    of: BTreeMap<K, Blocks>,
    few: bool,
}

impl<K: Ord> Shares<K> {
    fn add(&mut self, value: K, block: usize, weight: f64, most: usize) {
        let few = self.few;
        let blocks = || if few { Blocks::few() } else { Blocks::default() };
        self.of.entry(value).or_insert_with(blocks).add(block, weight);
        if !few && self.of.len() > most {
            self.few = true;
            self.of.values_mut().for_each(|blocks| *blocks = blocks.folded());
        }
    }
}

/// Numbers as integers of the same order.
#[derive(Debug, Default)]
struct Numbers {
    of: Shares<u64>,
    /// Lowest bits that are left out.
    dropped: u32,
}

impl Numbers {
    fn add(&mut self, value: f64, block: usize, weight: f64) {
        let bits = (value + 0.0).to_bits();
        let key = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
        self.of.add(key >> self.dropped << self.dropped, block, weight, FEW_VALUES);
        while self.of.of.len() > NUMBERS {
            self.dropped = if self.dropped == 0 { 32 } else { self.dropped + 2 };
            for (key, blocks) in std::mem::take(&mut self.of.of) {
                self.of.of.entry(key >> self.dropped << self.dropped).or_insert_with(Blocks::few).merge(&blocks);
            }
        }
    }

    fn ascending(&self) -> Vec<(f64, &Blocks)> {
        let value = |key: u64| f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key });
        self.of.of.iter().map(|(&key, blocks)| (value(key), blocks)).collect()
    }
}

/// An estimate of one figure of one group.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The values of the expressions of `by`.
    pub group: Vec<String>,
    /// The expression, or its name.
    pub figure: String,
    /// `mean`, `sd`, `q50`, `share of hard`, ...
    pub statistic: String,
    /// The figure and its error.
    pub estimate: Estimate,
    /// Number of rows it is computed from.
    pub rows: u64,
    /// Number of grids among them.
    pub grids: u64,
    /// The effective sample size: the number of independent rows of equal weight with about the same precision.
    pub effective: f64,
    /// Pareto-k of the weights; None without weights.
    pub shape: Option<f64>,
}

impl Finding {
    /// A finding about a sample, without an estimate.
    pub(super) fn of(sample: &Sample, group: &[String], figure: &str) -> Finding {
        Finding {
            group: group.to_vec(),
            figure: figure.to_owned(),
            statistic: String::new(),
            estimate: Estimate::NONE,
            rows: sample.rows,
            grids: sample.grids(),
            effective: sample.effective_rows(),
            shape: sample.shape(),
        }
    }

    /// About how many rows give an interval of `share` of the figure on each side. None if no number of rows does, or if the
    /// figure is not reliable.
    pub fn rows_for(&self, share: f64) -> Option<f64> {
        let (value, (low, high)) = (self.estimate.value, self.estimate.reliable());
        let times = ((high - low) / (2.0 * share * value)).powi(2);
        (times.is_finite() && times > 0.0).then_some(self.rows as f64 * times)
    }

    /// The doubt in words, with the number of rows that would settle it.
    pub fn doubt(&self) -> Option<String> {
        let doubt = self.estimate.doubt?;
        Some(match self.estimate.rows_for(doubt, self.rows as f64, self.shape) {
            Some(rows) => format!("{doubt}: about {} rows settle it", grouped(significant(rows, 2) as u128)),
            None => format!("{doubt}: no number of rows settles it"),
        })
    }
}

#[derive(Debug)]
enum Values {
    Unknown,
    Numbers(Moments, Numbers),
    Flags([Blocks; 2]),
    Texts(Shares<String>),
}

/// One figure of one group.
#[derive(Debug)]
pub(super) struct Figure {
    pub sample: Sample,
    values: Values,
}

/// A value as a number: flags are 1 and 0. None for texts and for what is not known.
pub(super) fn number_of(value: &SqlValue) -> Option<f64> {
    match value {
        SqlValue::Integer(number) => Some(*number as f64),
        SqlValue::Real(number) => Some(*number).filter(|number| number.is_finite()),
        _ => None,
    }
}

/// A number without the digits that are errors of rounding.
pub(super) fn label(number: f64) -> String {
    format!("{number:.11e}").parse().unwrap_or(number).to_string()
}

impl Figure {
    pub(super) fn new(weighted: bool) -> Figure {
        Figure { sample: Sample::new(weighted), values: Values::Unknown }
    }

    /// Adds the value of a row; flags come as integers.
    pub(super) fn add(&mut self, value: &SqlValue, is_flag: bool, grid: u64, weight: f64) -> Result<(), String> {
        let number = number_of(value);
        if number.is_none() && !matches!(value, SqlValue::Text(_)) {
            return Ok(());
        }
        if let Values::Unknown = self.values {
            self.values = match number {
                Some(_) if is_flag => Values::Flags(Default::default()),
                Some(_) => Values::Numbers(Moments::default(), Numbers::default()),
                None => Values::Texts(Shares::default()),
            };
        }
        let block = self.sample.add(grid, weight);
        match (&mut self.values, number, value) {
            (Values::Numbers(moments, numbers), Some(number), _) => {
                moments.add(block, weight, number);
                numbers.add(number, block, weight);
            }
            (Values::Flags(flags), Some(flag), _) => flags[usize::from(flag != 0.0)].add(block, weight),
            (Values::Texts(texts), None, SqlValue::Text(text)) => {
                match texts.of.get_mut(text) {
                    Some(blocks) => blocks.add(block, weight),
                    None => texts.add(text.clone(), block, weight, TEXT_VALUES),
                }
                if texts.of.len() > TEXTS {
                    return Err(format!("a text with more than {TEXTS} different values has no figures"));
                }
            }
            _ => return Err("values of several types in one column".to_owned()),
        }
        Ok(())
    }

    /// True if any row knows the figure.
    pub(super) fn is_known(&self) -> bool {
        self.sample.rows > 0
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.values, Values::Texts(_))
    }

    /// What the estimates of this figure have in common.
    pub(super) fn about(&self, group: &[String], name: &str) -> Finding {
        Finding::of(&self.sample, group, name)
    }

    /// All estimates with their names. `tries` are all tries and the logarithm of the unit of weights.
    pub(super) fn estimates(&self, quantiles: &[f64], tries: Option<(&Blocks, f64)>) -> Vec<(String, Estimate)> {
        let sample = &self.sample;
        let of_value = |label: &str, part: &Blocks| {
            let total = tries.map(|(tries, unit)| (format!("total {label}"), sample.total(part, tries, unit)));
            std::iter::once((format!("share {label}"), sample.share(part))).chain(total)
        };
        match &self.values {
            Values::Unknown => Vec::new(),
            Values::Flags(flags) => of_value("true", &flags[1]).collect(),
            Values::Texts(texts) => {
                let mut shown: Vec<(&String, &Blocks, f64)> =
                    texts.of.iter().map(|(text, blocks)| (text, blocks, blocks.sum())).collect();
                shown.sort_by(|a, b| b.2.total_cmp(&a.2).then_with(|| a.0.cmp(b.0)));
                shown.into_iter().take(TEXT_VALUES).flat_map(|(text, blocks, _)| of_value(text, blocks)).collect()
            }
            Values::Numbers(moments, numbers) => {
                let values = numbers.ascending();
                let mut found =
                    vec![("mean".to_owned(), sample.mean(moments)), ("sd".to_owned(), sample.deviation(moments))];
                for q in quantiles.iter().map(|q| q / 100.0) {
                    found.push((format!("q{}", label(100.0 * q)), sample.quantile(q, &values)));
                }
                let total = tries.map(|(tries, unit)| sample.total(&sample.weights, tries, unit));
                found.extend(total.map(|total| ("total".to_owned(), total)));
                if (2..=FEW_VALUES).contains(&values.len()) {
                    found.extend(values.iter().flat_map(|(value, blocks)| of_value(&label(*value), blocks)));
                }
                found
            }
        }
    }

    /// The difference of the means, or of the shares of true, to those of another group, and their ratio. Grids that have rows
    /// in both groups are left out of both at once.
    pub(super) fn compared(&self, other: &Figure) -> Option<[Estimate; 2]> {
        let none = Moments::default();
        let mean = |figure: &Figure| match &figure.values {
            Values::Numbers(moments, _) => Some((moments.clone(), moments.x.clone())),
            Values::Flags(flags) => Some((none.clone(), flags[1].clone())),
            _ => None,
        };
        let ((own, x), (its, y)) = (mean(self)?, mean(other)?);
        let of = [&self.sample.weights, &x, &other.sample.weights, &y];
        let both = |[w, x, v, y]: [f64; 4]| (own.mean_of(x, w), its.mean_of(y, v));
        let difference = self.sample.figure(of, |sums| both(sums).0 - both(sums).1);
        let ratio = self.sample.figure(of, |sums| both(sums).0 / both(sums).1);
        let doubt = other.sample.mean(&its).doubt;
        Some([difference, ratio].map(|estimate| Estimate { doubt: estimate.doubt.or(doubt), ..estimate }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_different_values_needs_little_memory() {
        let mut figure = Figure::new(false);
        for row in 0..50_000u64 {
            let value = (row * 7919 % 50_000) as f64 * 1.37 - 20_000.0;
            figure.add(&SqlValue::Real(value), false, row, 1.0).unwrap();
        }
        let Values::Numbers(_, numbers) = &figure.values else { panic!() };
        assert!(numbers.of.of.len() <= NUMBERS);
        for (name, estimate) in figure.estimates(&[50.0, 90.0], None) {
            let expected = match name.as_str() {
                "mean" => 1.37 * 24_999.5 - 20_000.0,
                "sd" => 1.37 * 50_000.0 / 12f64.sqrt(),
                "q50" => 1.37 * 24_999.0 - 20_000.0,
                _ => 1.37 * 44_999.0 - 20_000.0,
            };
            assert!((estimate.value / expected - 1.0).abs() < 2e-3, "{name}: {} {expected}", estimate.value);
        }
    }

    #[test]
    fn labels_have_no_errors_of_rounding() {
        let numbers = [0.1 + 0.2, 1.2 * 3.0 / 3.0, -7.0, 1e20, 0.0];
        assert_eq!(numbers.map(label), ["0.3", "1.2", "-7", "100000000000000000000", "0"]);
    }
}
