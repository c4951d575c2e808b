//! Sums the rows of one group: for each figure its weights, and the weight of each of its values.
//!
//! ```text
//!   few values     the weight of each value in 1,024 blocks     shares, quantiles
//!   many values    in 32 blocks                                 quantiles
//!   classes        as values, from the exact numbers            shares of classes
//! ```
//!
//! Of more than 4,096 different numbers, the lowest bits are left out: a number is known to 0.1 %, means are exact.

use std::collections::BTreeMap;

use super::pareto::{Tail, tail_of};
use super::sample::{Blocks, Doubt, Estimate, HEAVIEST_OF_SQUARES, Moments, Place, Sample};
use crate::corpus::sorter::key_of;
use crate::corpus::{ColumnType, SqlValue, hash_of_text};
use sudoku_corpus_core::page::nice_step;
use sudoku_corpus_core::page::numbers::{grouped, significant};

/// A number with at most this many different values gets a share for each of them.
const FEW_VALUES: usize = 24;
/// The values of a text that are shown: those with the largest shares.
const TEXT_VALUES: usize = 64;
/// The largest number of different numbers.
const NUMBERS: usize = 1 << 12;
/// The largest number of different texts, or of classes.
const TEXTS: usize = 1 << 16;
/// The most classes of a histogram whose width nobody chose.
const USUAL_CLASSES: usize = 20;
/// Between classes, at most this many empty ones are shown.
const EMPTY_CLASSES: f64 = 100.0;
/// Below this number, classes are counted exactly.
const END_OF_CLASSES: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;

/// The weights of the rows with each value.
#[derive(Clone, Debug, Default)]
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

/// The number of a key, which [`key_of`] gives.
fn number_of_key(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

/// The weights of numbers: their sums, and the weight of each number, as an integer of the same order.
#[derive(Clone, Debug, Default)]
pub(in crate::study) struct Numbers {
    moments: Moments,
    of: Shares<u64>,
    /// Lowest bits that are left out.
    dropped: u32,
}

impl Numbers {
    /// Adds the weight of a row. If there are too many different numbers, their lowest bits are left out, first 32 and
    /// then two more at a time, so that near numbers become one.
    pub(in crate::study) fn add(&mut self, value: f64, block: usize, weight: f64) {
        self.moments.add(block, weight, value);
        let key = key_of(value);
        self.of.add(key >> self.dropped << self.dropped, block, weight, FEW_VALUES);
        self.shorten();
    }

    /// Leaves out bits until there are not too many numbers.
    fn shorten(&mut self) {
        while self.of.of.len() > NUMBERS {
            self.drop_bits(if self.dropped == 0 { 32 } else { self.dropped + 2 });
        }
    }

    /// Leaves out the lowest bits.
    fn drop_bits(&mut self, bits: u32) {
        self.dropped = bits;
        for (key, blocks) in std::mem::take(&mut self.of.of) {
            self.of.of.entry(key >> bits << bits).or_insert_with(Blocks::few).merge(&blocks);
        }
        self.of.few = true;
    }

    /// Multiplies all weights.
    pub(in crate::study) fn scale(&mut self, factor: f64) {
        self.moments.scale(factor);
        self.of.of.values_mut().for_each(|blocks| blocks.scale(factor));
    }

    /// Adds the numbers of other rows, which have these weights.
    pub(in crate::study) fn merge(&mut self, other: &Numbers, weights: &Blocks) {
        self.moments.merge(&other.moments, weights);
        if self.dropped < other.dropped {
            self.drop_bits(other.dropped);
        }
        self.of.few |= other.of.few;
        for (key, blocks) in &other.of.of {
            let sums = self.of.of.entry(key >> self.dropped << self.dropped);
            sums.or_insert_with(|| if other.of.few { Blocks::few() } else { Blocks::default() }).merge(blocks);
        }
        self.shorten();
    }

    /// The numbers in ascending order, each with its weight.
    fn ascending(&self) -> Vec<(f64, &Blocks)> {
        self.of.of.iter().map(|(&key, blocks)| (number_of_key(key), blocks)).collect()
    }

    /// The mean over the rows that have a number.
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
    pub(in crate::study) fn of(sample: &Sample, group: &[String], figure: &str) -> Finding {
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
#[derive(Clone, Debug)]
enum Values {
    /// No row has a value yet.
    Unknown,
    Numbers(Numbers),
    /// The weight of false, and of true.
    Flags([Blocks; 2]),
    Texts(Shares<String>),
}

/// One figure of one group.
#[derive(Clone, Debug)]
pub(in crate::study) struct Figure {
    pub sample: Sample,
    /// The rows whose value is only a lower bound.
    pub bounds: u64,
    /// The rows whose value is infinite: they have no part in the figures.
    pub infinite: u64,
    values: Values,
    /// The classes that are asked for.
    classes: Option<Classes>,
}

/// The weights of the classes of a width: `4 to 4.5` holds 4 and all below 4.5.
#[derive(Clone, Debug)]
struct Classes {
    width: f64,
    /// By the number of the class, as [`key_of`] has it.
    weights: Shares<u64>,
}

impl Classes {
    fn new(width: f64) -> Classes {
        Classes { width, weights: Shares::default() }
    }

    /// Adds the weight of a row.
    ///
    /// # Errors
    /// There are too many classes, or the number is too large to have one of its own.
    fn add(&mut self, number: f64, block: usize, weight: f64) -> Result<(), String> {
        let class = (number / self.width + 1e-9).floor();
        if class.abs() >= END_OF_CLASSES {
            let width = self.width;
            return Err(format!("--bins {width} is too narrow for numbers such as {number}: choose a larger width"));
        }
        self.weights.add(key_of(class), block, weight, TEXT_VALUES);
        if self.weights.of.len() > TEXTS {
            return Err(format!("--bins {} gives more than {TEXTS} intervals: choose a larger width", self.width));
        }
        Ok(())
    }

    /// The classes in ascending order, with the empty ones between them, unless these are many.
    fn named(&self) -> Vec<(String, Blocks)> {
        let classes: Vec<(f64, &Blocks)> =
            self.weights.of.iter().map(|(&key, blocks)| (number_of_key(key), blocks)).collect();
        let (Some((first, _)), Some((last, _))) = (classes.first(), classes.last()) else { return Vec::new() };
        let fills_gaps = last - first <= EMPTY_CLASSES;
        let mut named: Vec<(String, Blocks)> = Vec::new();
        let mut previous = *first;
        for &(class, blocks) in &classes {
            let gap = if fills_gaps { (class - previous) as u64 } else { 0 };
            named.extend((1..gap).map(|step| (self.name(previous + step as f64), Blocks::default())));
            named.push((self.name(class), blocks.clone()));
            previous = class;
        }
        named
    }

    fn name(&self, class: f64) -> String {
        format!("{} to {}", label(class * self.width), label((class + 1.0) * self.width))
    }
}

/// What is asked about each figure.
pub(in crate::study) struct AskedFigures<'a> {
    /// In per cent.
    pub quantiles: &'a [f64],
    /// True if numbers with many values get classes.
    pub histogram: bool,
}

/// A value as a number: flags are 1 and 0. None for texts and for what is not known.
pub(in crate::study) fn number_of(value: &SqlValue) -> Option<f64> {
    match value {
        SqlValue::Integer(number) => Some(*number as f64),
        SqlValue::Real(number) => Some(*number).filter(|number| number.is_finite()),
        _ => None,
    }
}

/// A number without the digits that are errors of rounding.
pub(in crate::study) fn label(number: f64) -> String {
    format!("{number:.11e}").parse().unwrap_or(number).to_string()
}

/// Ascending numbers without the digits that are errors of rounding; with all digits where two would be alike.
fn labels(numbers: &[f64]) -> Vec<String> {
    let labels: Vec<String> = numbers.iter().map(|number| label(*number)).collect();
    let is_alike = |place: usize| {
        let label = labels.get(place);
        label == labels.get(place + 1) || place > 0 && label == labels.get(place - 1)
    };
    let named = numbers.iter().enumerate();
    named.map(|(place, number)| if is_alike(place) { number.to_string() } else { labels[place].clone() }).collect()
}

/// A value as the name of a group that another group has, too: with all digits, and NULL unlike an empty text.
pub(in crate::study) fn exact_text_of(value: &SqlValue, is_flag: bool) -> String {
    match value {
        SqlValue::Null => "NULL".to_owned(),
        SqlValue::Real(number) => number.to_string(),
        other => text_of(other, is_flag),
    }
}

/// A value as the name of a group.
pub(in crate::study) fn text_of(value: &SqlValue, is_flag: bool) -> String {
    match value {
        SqlValue::Null | SqlValue::Blob(_) => String::new(),
        SqlValue::Integer(flag) if is_flag => (*flag != 0).to_string(),
        SqlValue::Integer(number) => number.to_string(),
        SqlValue::Real(number) => label(*number),
        SqlValue::Text(text) => text.clone(),
    }
}

/// The hash of the grid of a row. A row without one counts as a grid of its own.
pub(in crate::study) fn hash_of_row(grid: &SqlValue, row: u64) -> u64 {
    match grid {
        SqlValue::Null => row.wrapping_mul(0x9E37_79B9_7F4A_7C15).swap_bytes(),
        SqlValue::Text(text) => hash_of_text(text),
        grid => hash_of_text(&text_of(grid, false)),
    }
}

impl Figure {
    /// A figure without rows, with classes of this width if it gets numbers.
    pub(in crate::study) fn new(weighted: bool, classes: Option<f64>) -> Figure {
        let classes = classes.map(Classes::new);
        Figure { sample: Sample::new(weighted), bounds: 0, infinite: 0, values: Values::Unknown, classes }
    }

    /// Adds the value of a row; flags come as integers.
    pub(in crate::study) fn add(
        &mut self,
        value: &SqlValue,
        is_flag: bool,
        place: Place,
        weight: f64,
    ) -> Result<(), String> {
        let number = number_of(value);
        self.infinite += u64::from(matches!(value, SqlValue::Real(real) if real.is_infinite()));
        if number.is_none() && !matches!(value, SqlValue::Text(_)) {
            return Ok(());
        }
        if let Values::Unknown = self.values {
            self.values = match number {
                Some(_) if is_flag => Values::Flags(Default::default()),
                Some(_) => Values::Numbers(Numbers::default()),
                None => Values::Texts(Shares::default()),
            };
        }
        let block = self.sample.add(place, weight);
        match (&mut self.values, number, value) {
            (Values::Numbers(numbers), Some(number), _) => {
                numbers.add(number, block, weight);
                self.classes.iter_mut().try_for_each(|classes| classes.add(number, block, weight))?;
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

    /// The number of values of a text that are not shown.
    pub(in crate::study) fn texts_left_out(&self) -> usize {
        match &self.values {
            Values::Texts(texts) => texts.of.len().saturating_sub(TEXT_VALUES),
            _ => 0,
        }
    }

    /// The type of its values: texts, flags or numbers. None if no row has one.
    pub(in crate::study) fn kind(&self) -> Option<ColumnType> {
        match self.values {
            Values::Unknown => None,
            Values::Numbers(..) => Some(ColumnType::Real),
            Values::Flags(_) => Some(ColumnType::Flag),
            Values::Texts(_) => Some(ColumnType::Text),
        }
    }

    /// What the estimates of this figure have in common.
    pub(in crate::study) fn about(&self, group: &[String], name: &str) -> Finding {
        Finding::of(&self.sample, group, name)
    }

    /// The tail of the squares of the distances from the mean. None for what has no numbers, and where the largest are
    /// so few different ones that they have no tail.
    fn tail(&self) -> Option<Tail> {
        /// The fewest different numbers in a tail.
        const DIFFERENT: usize = 10;
        let Values::Numbers(numbers) = &self.values else { return None };
        let (values, rows) = (numbers.ascending(), self.sample.rows as f64);
        let (mean, all) = (numbers.mean(&self.sample).value, self.sample.weights.sum());
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

    /// Why figures of this number are not reliable, whatever the weights: means, and figures of squares.
    fn doubts(&self) -> [Option<Doubt>; 2] {
        let bounds = (self.bounds > 0).then_some(Doubt::Bounds(self.bounds));
        let heavy = self.tail().filter(|tail| tail.at_most > HEAVIEST_OF_SQUARES);
        let heavy = heavy.map(|tail| Doubt::HeavyValues { k: tail.at_most, most: HEAVIEST_OF_SQUARES });
        [bounds, bounds.or(heavy)]
    }

    /// All estimates with their names; at least one.
    pub(in crate::study) fn estimates(&self, asked: &AskedFigures<'_>) -> Vec<(String, Estimate)> {
        let mut estimates = match &self.values {
            Values::Unknown => vec![("mean".to_owned(), Estimate { doubt: Some(Doubt::Unknown), ..Estimate::NONE })],
            Values::Flags(flags) => vec![self.share("true", &flags[1])],
            Values::Texts(texts) => {
                let mut shown: Vec<(&String, &Blocks, f64)> =
                    texts.of.iter().map(|(text, blocks)| (text, blocks, blocks.sum())).collect();
                shown.sort_by(|a, b| b.2.total_cmp(&a.2).then_with(|| a.0.cmp(b.0)));
                shown.into_iter().take(TEXT_VALUES).map(|(text, blocks, _)| self.share(text, blocks)).collect()
            }
            Values::Numbers(numbers) => self.of_numbers(numbers, asked),
        };
        if self.bounds > 0 {
            let bounds = Some(Doubt::Bounds(self.bounds));
            estimates.iter_mut().for_each(|(_, estimate)| estimate.doubt = estimate.doubt.or(bounds));
        }
        if self.is_given(&estimates) {
            estimates.iter_mut().for_each(|(_, estimate)| estimate.doubt = Some(Doubt::Given));
        }
        estimates
    }

    /// True if the shares of the strata alone give the figure: its value is the same in all rows of a stratum.
    fn is_given(&self, estimates: &[(String, Estimate)]) -> bool {
        let varies = match &self.values {
            Values::Unknown => false,
            Values::Numbers(numbers) => numbers.of.of.len() > 1,
            Values::Flags(flags) => flags.iter().all(|flag| flag.sum() > 0.0),
            Values::Texts(texts) => texts.of.len() > 1,
        };
        let size = estimates.iter().map(|(_, estimate)| estimate.value.abs()).fold(0.0, f64::max);
        let has_error = |(_, estimate): &(String, Estimate)| estimate.error > 1e-9 * size;
        self.sample.strata.is_some() && varies && !estimates.iter().any(has_error)
    }

    /// The share of a value.
    fn share(&self, label: &str, part: &Blocks) -> (String, Estimate) {
        (format!("share {label}"), self.sample.share(part))
    }

    /// The estimates of a number.
    fn of_numbers(&self, numbers: &Numbers, asked: &AskedFigures<'_>) -> Vec<(String, Estimate)> {
        let sample = &self.sample;
        let values = numbers.ascending();
        let mean = numbers.mean(sample);
        let [of_mean, of_squares] = self.doubts();
        let far = Figure::far(mean.value, &values);
        let deviation = sample.deviation(&numbers.moments, far);
        let mut estimates = vec![
            ("mean".to_owned(), Estimate { doubt: mean.doubt.or(of_mean), ..mean }),
            ("sd".to_owned(), Estimate { doubt: deviation.doubt.or(of_squares), ..deviation }),
        ];
        for q in asked.quantiles.iter().map(|q| q / 100.0) {
            estimates.push((format!("q{}", label(100.0 * q)), sample.quantile(q, &values)));
        }
        let draws_classes = asked.histogram && self.classes.is_none() && values.len() > FEW_VALUES;
        let usual = draws_classes.then(|| usual_classes(&values));
        if let Some(classes) = self.classes.as_ref().or(usual.as_ref()) {
            estimates.extend(classes.named().iter().map(|(name, part)| self.share(name, part)));
        } else if (2..=FEW_VALUES).contains(&values.len()) {
            let numbers: Vec<f64> = values.iter().map(|(value, _)| *value).collect();
            let shares = labels(&numbers).into_iter().zip(&values);
            estimates.extend(shares.map(|(label, (_, blocks))| self.share(&label, blocks)));
        }
        estimates
    }
}

/// Classes of ascending values, at most [`USUAL_CLASSES`].
fn usual_classes(values: &[(f64, &Blocks)]) -> Classes {
    let [least, most] = [values.first(), values.last()].map(|end| end.map_or(0.0, |end| end.0));
    let mut classes = Classes::new(nice_step(most - least, USUAL_CLASSES - 1));
    for (value, blocks) in values {
        let class = (value / classes.width + 1e-9).floor();
        classes.weights.of.entry(key_of(class)).or_insert_with(Blocks::few).merge(blocks);
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named_classes(width: f64, numbers: &[f64]) -> Vec<(String, Estimate)> {
        let mut figure = Figure::new(false, Some(width));
        for (row, number) in numbers.iter().enumerate() {
            figure.add(&SqlValue::Real(*number), false, (row as u64).into(), 1.0).unwrap();
        }
        let estimates = figure.estimates(&AskedFigures { quantiles: &[], histogram: false });
        estimates.into_iter().filter(|(name, _)| name.contains(" to ")).collect()
    }

    #[test]
    fn classes_hold_their_lower_ends() {
        let names: Vec<String> = named_classes(0.5, &[4.0, 4.4, 5.1]).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["share 4 to 4.5", "share 4.5 to 5", "share 5 to 5.5"]);
        assert_eq!([19.0, 1_988.0, 7.8].map(|span| nice_step(span, USUAL_CLASSES - 1)), [1.0, 200.0, 0.5]);
    }

    /// For any number of values and of classes: each number counts in its own class, and gaps are filled up to 100.
    #[test]
    fn classes_are_exact_for_any_number_of_values() {
        for last in [0, 1, 99, 100, 101, 5_000, 20_000] {
            let numbers: Vec<f64> = (0..=last).map(|at| 1e9 + f64::from(at) * 10.0).collect();
            let classes = named_classes(10.0, &numbers);
            assert_eq!(classes.len(), numbers.len(), "{last}");
            let share = 1.0 / numbers.len() as f64;
            assert!(classes.iter().all(|(_, estimate)| (estimate.value / share - 1.0).abs() < 1e-9), "{last}");
            let expected = if last <= 100 { last as usize + 1 } else { 2 };
            assert_eq!(
                named_classes(1.0, &[-7.0, f64::from(last) - 7.0]).len(),
                expected.min(last as usize + 1),
                "{last}"
            );
        }
        let mut figure = Figure::new(false, Some(1.0));
        let mut added = (0..70_000u64).map(|row| figure.add(&SqlValue::Integer(row as i64), false, row.into(), 1.0));
        assert!(added.find_map(Result::err).unwrap().contains("choose a larger width"));
    }

    /// From 2^53 on, a number plus 1 is the same number.
    #[test]
    fn classes_of_large_numbers_end() {
        let numbers = [990.0, 992.0, 998.0, 1010.0].map(|end| 9_007_199_254_740_000.0 + end);
        assert_eq!(named_classes(2.0, &numbers).len(), 11);
        let mut figure = Figure::new(false, Some(1.0));
        let added = numbers.map(|number| figure.add(&SqlValue::Real(number), false, 1u64.into(), 1.0));
        assert!(added.iter().map(Result::is_ok).eq([true, false, false, false]), "{added:?}");
    }

    #[test]
    fn any_number_of_different_values_needs_little_memory() {
        let mut figure = Figure::new(false, None);
        for row in 0..50_000u64 {
            let value = (row * 7919 % 50_000) as f64 * 1.37 - 20_000.0;
            figure.add(&SqlValue::Real(value), false, row.into(), 1.0).unwrap();
        }
        let Values::Numbers(numbers) = &figure.values else { panic!() };
        assert!(numbers.of.of.len() <= NUMBERS);
        for (name, estimate) in figure.estimates(&AskedFigures { quantiles: &[50.0, 90.0], histogram: false }) {
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
    fn numbers_that_differ_in_their_last_digit_have_two_names() {
        assert_eq!(labels(&[0.1, 0.3, 0.1 + 0.2, 0.5]), ["0.1", "0.3", "0.30000000000000004", "0.5"]);
        assert_eq!(labels(&[0.1 + 0.2, 0.5]), ["0.3", "0.5"]);
    }

    /// Their squares overflow or vanish.
    #[test]
    fn numbers_of_extreme_size_have_no_standard_deviation_and_not_0() {
        for size in [1e200, 1e-200] {
            let mut figure = Figure::new(false, None);
            for row in 0..400u64 {
                figure.add(&SqlValue::Real(size * (1 + row % 40) as f64), false, row.into(), 1.0).unwrap();
            }
            let estimates = figure.estimates(&AskedFigures { quantiles: &[], histogram: false });
            let [(_, mean), (_, deviation)] = &estimates[..] else { panic!() };
            assert!((mean.value / size - 20.5).abs() < 1e-9 && mean.reliable().0.is_nan());
            assert!(deviation.value.is_nan() && deviation.doubt == Some(Doubt::Squares));
        }
    }

    #[test]
    fn labels_have_no_errors_of_rounding() {
        let numbers = [0.1 + 0.2, 1.2 * 3.0 / 3.0, -7.0, 1e20, 0.0];
        assert_eq!(numbers.map(label), ["0.3", "1.2", "-7", "100000000000000000000", "0"]);
    }
}
