//! Sums the rows of one group: for each figure its weights, and the weight of each of its values.
//!
//! ```text
//!   few values     the weight of each value in 1,024 blocks     shares, totals, quantiles
//!   many values    in 32 blocks                                 quantiles
//! ```
//!
//! Of more than 4,096 different numbers, the lowest bits are left out: a number is known to 0.1 %, means are exact.

use std::collections::BTreeMap;

use super::pareto::{Tail, tail_of};
use super::sample::{Blocks, Doubt, Estimate, HEAVIEST_OF_SQUARES, Moments, Place, Sample};
use crate::corpus::SqlValue;
use sudoku_corpus_core::coverage::numbers::student_tail;
use sudoku_corpus_core::page::numbers::{grouped, significant};
use sudoku_corpus_core::random::finalise;

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
    /// There are many values, so each has only the few blocks that quantiles need.
    few: bool,
}

impl<K: Ord> Shares<K> {
    /// Adds the weight of a row. With more than `most` values, each gets few blocks.
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
    /// Adds the weight of a row. If there are too many different numbers, their lowest bits are left out, first 32 and
    /// then two more at a time, so that near numbers become one.
    fn add(&mut self, value: f64, block: usize, weight: f64) {
        let bits = (value + 0.0).to_bits();
        // Positive numbers get the highest bit, negative ones are inverted. So keys have the order of the numbers.
        // Adding 0.0 makes -0 to 0.
        let key = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
        self.of.add(key >> self.dropped << self.dropped, block, weight, FEW_VALUES);
        while self.of.of.len() > NUMBERS {
            self.dropped = if self.dropped == 0 { 32 } else { self.dropped + 2 };
            for (key, blocks) in std::mem::take(&mut self.of.of) {
                self.of.of.entry(key >> self.dropped << self.dropped).or_insert_with(Blocks::few).merge(&blocks);
            }
        }
    }

    /// The numbers in ascending order, each with its weight.
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
    /// For a difference, a slope or a correlation: the probability of one that is at least as far from 0 if there is
    /// none; alone, and corrected for all those of one kind (Holm 1979). None if the figure is not reliable.
    pub p_value: Option<[f64; 2]>,
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
            p_value: None,
        }
    }

    /// With the probability that chance alone is as far from 0.
    pub(super) fn tested(self) -> Finding {
        let Estimate { value, error, freedom, doubt, .. } = self.estimate;
        let p = student_tail(value / error, freedom);
        Finding { p_value: (doubt.is_none() && p.is_finite()).then_some([p, p]), ..self }
    }

    /// About how many rows give an interval of `share` of the figure on each side. None if no number of rows does, or
    /// if the figure is not reliable.
    pub fn rows_for(&self, share: f64) -> Option<f64> {
        let (value, (low, high)) = (self.estimate.value, self.estimate.reliable());
        let times = ((high - low) / (2.0 * share * value)).powi(2);
        (times.is_finite() && times > 0.0).then_some(self.rows as f64 * times)
    }

    /// The doubt in words, and if more rows can settle it, about how many do. None if the figure is reliable.
    pub fn doubt(&self) -> Option<String> {
        let doubt = self.estimate.doubt?;
        if !doubt.is_of_size() {
            let least =
                matches!(doubt, Doubt::Bounds(_)) && (self.statistic == "mean" || self.statistic.starts_with('q'));
            return Some(if least { format!("at least this: {doubt}") } else { doubt.to_string() });
        }
        let of_group = if self.group.is_empty() { "" } else { " of this group" };
        Some(match self.estimate.rows_for(doubt, self.rows as f64, self.shape) {
            Some(rows) => format!("{doubt}: about {} rows{of_group} settle it", grouped(significant(rows, 2) as u128)),
            None => format!("{doubt}: no number of rows settles it"),
        })
    }
}

/// The values of a figure. Their type is that of the first one.
#[derive(Debug)]
enum Values {
    /// No row has a value yet.
    Unknown,
    Numbers(Moments, Numbers),
    /// The weight of false, and of true.
    Flags([Blocks; 2]),
    Texts(Shares<String>),
}

/// One figure of one group.
#[derive(Debug)]
pub(super) struct Figure {
    pub sample: Sample,
    /// The rows whose value is only a lower bound.
    pub bounds: u64,
    values: Values,
}

/// What is asked about each figure.
pub(super) struct Asked<'a> {
    /// In per cent.
    pub quantiles: &'a [f64],
    /// The width of the classes of numbers.
    pub classes: Option<f64>,
    /// True if numbers with many values get classes.
    pub histogram: bool,
    /// All tries, and the logarithm of the unit of weights.
    pub tries: Option<(&'a Blocks, f64)>,
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

/// A value as the name of a group.
pub(super) fn text_of(value: &SqlValue, is_flag: bool) -> String {
    match value {
        SqlValue::Null | SqlValue::Blob(_) => String::new(),
        SqlValue::Integer(flag) if is_flag => (*flag != 0).to_string(),
        SqlValue::Integer(number) => number.to_string(),
        SqlValue::Real(number) => label(*number),
        SqlValue::Text(text) => text.clone(),
    }
}

/// A hash of the name of a grid, the same on every machine.
fn hash_of(name: &str) -> u64 {
    name.as_bytes().chunks(8).fold(name.len() as u64, |hash, part| {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        finalise(hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from_le_bytes(word))
    })
}

/// The hash of the grid of a row. A row without one counts as a grid of its own.
pub(super) fn hash_of_row(grid: &SqlValue, row: u64) -> u64 {
    match grid {
        SqlValue::Null => row.wrapping_mul(0x9E37_79B9_7F4A_7C15).swap_bytes(),
        SqlValue::Text(text) => hash_of(text),
        grid => hash_of(&text_of(grid, false)),
    }
}

impl Figure {
    /// A figure without rows.
    pub(super) fn new(weighted: bool) -> Figure {
        Figure { sample: Sample::new(weighted), bounds: 0, values: Values::Unknown }
    }

    /// Adds the value of a row; flags come as integers.
    pub(super) fn add(&mut self, value: &SqlValue, is_flag: bool, place: Place, weight: f64) -> Result<(), String> {
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
        let block = self.sample.add(place, weight);
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

    /// The tail of the squares of the distances from the mean. None for what has no numbers, and where the largest are
    /// so few different ones that they have no tail.
    fn tail(&self) -> Option<Tail> {
        /// The fewest different numbers in a tail.
        const DIFFERENT: usize = 10;
        let Values::Numbers(moments, numbers) = &self.values else { return None };
        let (values, rows) = (numbers.ascending(), self.sample.rows as f64);
        let (mean, all) = (self.sample.mean(moments).value, self.sample.weights.sum());
        let times = |blocks: &Blocks| (blocks.sum() / all * rows).round().max(1.0) as usize;
        let mut far: Vec<(f64, usize)> =
            values.iter().map(|(value, blocks)| ((value - mean).powi(2), times(blocks))).collect();
        far.sort_by(|a, b| b.0.total_cmp(&a.0));
        // One more than the tail has.
        let wanted = (rows / 5.0).min(3.0 * rows.sqrt()) as usize + 1;
        let mut kept: Vec<f64> = Vec::with_capacity(wanted);
        for &(square, times) in &far {
            kept.extend(std::iter::repeat_n(square, times.min(wanted - kept.len().min(wanted))));
        }
        let mut different = kept.clone();
        different.dedup();
        if different.len() < DIFFERENT { None } else { tail_of(&mut kept, rows as usize) }
    }

    /// How far a value that no row has may be from the mean: beyond the ends as far as the next value would be.
    fn far(mean: f64, values: &[(f64, &Blocks)]) -> f64 {
        let [first, last] = [values.first(), values.last()].map(|end| end.map_or(0.0, |end| end.0));
        let step = (last - first) / (values.len().max(2) - 1) as f64;
        (mean - first).max(last - mean) + step
    }

    /// How far a row that is not in the sample may be from the mean, in standard deviations: by its value, and by its
    /// rank. For a flag, how far the rarer value is. This tells how much such a row could change a correlation.
    pub(super) fn reach(&self) -> [f64; 2] {
        let all = self.sample.weights.sum();
        let of_ranks = |parts: &mut dyn Iterator<Item = f64>| {
            let cubes: f64 = parts.map(|part| (part / all).powi(3)).sum();
            // Half of all ranks is the farthest from the mean. With ties, their variance is (1 - sum of cubes) / 12.
            0.5 / ((1.0 - cubes) / 12.0).sqrt()
        };
        match &self.values {
            Values::Numbers(moments, numbers) => {
                let values = numbers.ascending();
                let far = Figure::far(self.sample.mean(moments).value, &values);
                let deviation = self.sample.deviation(moments, far).value;
                [far / deviation, of_ranks(&mut values.iter().map(|(_, blocks)| blocks.sum()))]
            }
            Values::Flags(flags) => {
                let parts = [&flags[0], &flags[1]].map(Blocks::sum);
                let odds = parts[0] / parts[1];
                [odds.max(1.0 / odds).sqrt(), of_ranks(&mut parts.into_iter())]
            }
            Values::Texts(_) | Values::Unknown => [0.0; 2],
        }
    }

    /// Why figures of this number are not reliable, whatever the weights: means, and figures of squares.
    pub(super) fn doubts(&self) -> [Option<Doubt>; 2] {
        let bounds = (self.bounds > 0).then_some(Doubt::Bounds(self.bounds));
        let heavy = self.tail().filter(|tail| tail.at_most > HEAVIEST_OF_SQUARES);
        let heavy = heavy.map(|tail| Doubt::HeavyValues { k: tail.at_most, most: HEAVIEST_OF_SQUARES });
        [bounds, bounds.or(heavy)]
    }

    /// All estimates with their names.
    pub(super) fn estimates(&self, asked: &Asked<'_>) -> Vec<(String, Estimate)> {
        let (sample, tries) = (&self.sample, asked.tries);
        let of_value = |label: &str, part: &Blocks| {
            let total = tries.map(|(tries, unit)| (format!("total {label}"), sample.total(part, tries, unit)));
            std::iter::once((format!("share {label}"), sample.share(part))).chain(total)
        };
        let mut found: Vec<(String, Estimate)> = match &self.values {
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
                let mean = sample.mean(moments);
                let ([plain, squares], ends) =
                    (self.doubts(), [values.first(), values.last()].map(|end| end.map_or(0.0, |end| end.0)));
                let far = Figure::far(mean.value, &values);
                let doubted = |estimate: Estimate, doubt| Estimate { doubt: estimate.doubt.or(doubt), ..estimate };
                let mut found = vec![
                    ("mean".to_owned(), doubted(mean, plain)),
                    ("sd".to_owned(), doubted(sample.deviation(moments, far), squares)),
                ];
                for q in asked.quantiles.iter().map(|q| q / 100.0) {
                    found.push((format!("q{}", label(100.0 * q)), sample.quantile(q, &values)));
                }
                let total = tries.map(|(tries, unit)| sample.total(&sample.weights, tries, unit));
                found.extend(total.map(|total| ("total".to_owned(), total)));
                let usual = (asked.histogram && values.len() > FEW_VALUES).then(|| class_width(ends[0], ends[1]));
                if let Some(width) = asked.classes.or(usual) {
                    found.extend(classes(&values, width).iter().flat_map(|(name, part)| of_value(name, part)));
                } else if (2..=FEW_VALUES).contains(&values.len()) {
                    found.extend(values.iter().flat_map(|(value, blocks)| of_value(&label(*value), blocks)));
                }
                found
            }
        };
        if self.bounds > 0 {
            let bounded = |doubt: Option<Doubt>| doubt.or(Some(Doubt::Bounds(self.bounds)));
            found.iter_mut().for_each(|(_, estimate)| estimate.doubt = bounded(estimate.doubt));
        }
        found
    }

    /// The difference of the means, or of the shares of true, to those of another group, and their ratio. Grids that
    /// have rows in both groups are left out of both at once.
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
        let doubt = other.sample.mean(&its).doubt.or(self.doubts()[0]).or(other.doubts()[0]);
        Some([difference, ratio].map(|estimate| Estimate { doubt: estimate.doubt.or(doubt), ..estimate }))
    }
}

/// The weights of ascending values in classes of a width: `4 to 4.5` holds 4 and all below 4.5.
fn classes(values: &[(f64, &Blocks)], width: f64) -> Vec<(String, Blocks)> {
    let mut classes: Vec<(f64, Blocks)> = Vec::new();
    for (value, blocks) in values {
        let class = (value / width + 1e-9).floor();
        match classes.last_mut() {
            Some((last, sum)) if *last == class => sum.merge(blocks),
            _ => classes.push((class, (*blocks).clone())),
        }
    }
    // Empty classes between others are classes too, unless they are many.
    let (first, last) = (classes.first().map_or(0.0, |class| class.0), classes.last().map_or(0.0, |class| class.0));
    for place in 0..(last - first).min(100.0) as usize {
        if classes[place].0 != first + place as f64 && last - first < 100.0 {
            classes.insert(place, (first + place as f64, Blocks::default()));
        }
    }
    let name = |class: f64| format!("{} to {}", label(class * width), label((class + 1.0) * width));
    classes.into_iter().map(|(class, sum)| (name(class), sum)).collect()
}

/// A width of classes, 1, 2 or 5 times a power of ten, with which all values of a figure have at most 20.
fn class_width(least: f64, most: f64) -> f64 {
    let rough = (most - least) / 19.0;
    let unit = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|times| times * unit).into_iter().find(|width| *width >= rough).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_their_lower_ends() {
        let blocks = Blocks::few();
        let values = [4.0, 4.4, 5.1].map(|value| (value, &blocks));
        let names: Vec<String> = classes(&values, 0.5).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["4 to 4.5", "4.5 to 5", "5 to 5.5"]);
        assert_eq!([class_width(0.0, 19.0), class_width(12.0, 2000.0), class_width(1.2, 9.0)], [1.0, 200.0, 0.5]);
    }

    #[test]
    fn any_number_of_different_values_needs_little_memory() {
        let mut figure = Figure::new(false);
        for row in 0..50_000u64 {
            let value = (row * 7919 % 50_000) as f64 * 1.37 - 20_000.0;
            figure.add(&SqlValue::Real(value), false, row.into(), 1.0).unwrap();
        }
        let Values::Numbers(_, numbers) = &figure.values else { panic!() };
        assert!(numbers.of.of.len() <= NUMBERS);
        for (name, estimate) in
            figure.estimates(&Asked { quantiles: &[50.0, 90.0], classes: None, histogram: false, tries: None })
        {
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
