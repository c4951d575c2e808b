//! Sums the rows of one group: for each figure its weights, and the weight of each of its values.

use super::blocks::{Blocks, Place};
use super::classes::Classes;
use super::estimate::{Doubt, Estimate, HEAVIEST_OF_SQUARES};
use super::finding::{Finding, Statistic};
use super::numbers::{FEW_VALUES, Numbers, Weights, label};
use super::pareto::{Tail, tail_of};
use super::sample::Sample;
use crate::corpus::{ColumnType, SqlValue, hash_of_text};

/// The values of a text that are shown: those with the largest shares.
const TEXT_VALUES: usize = 64;
const MOST_TEXTS: usize = 1 << 16;

/// The values of a figure. Their type is that of the first one.
#[derive(Clone, Debug)]
enum Values {
    /// No row has a value yet.
    Unknown,
    Numbers(Numbers),
    /// The weight of false, and of true.
    Flags([Blocks; 2]),
    Texts(Weights<String>),
}

/// Why the mean of a number and figures of its squares are not reliable.
struct NumberDoubts {
    of_mean: Option<Doubt>,
    of_squares: Option<Doubt>,
}

#[derive(Clone, Debug)]
pub(in crate::study) struct Figure {
    pub sample: Sample,
    /// The rows whose value is only a lower bound.
    pub bounds: u64,
    /// The rows whose value is infinite: they have no part in the figures.
    pub infinite: u64,
    values: Values,
    classes: Option<Classes>,
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

/// Ascending numbers without the digits that are errors of rounding; with all digits where two would be alike.
fn labels(numbers: &[f64]) -> Vec<String> {
    let short: Vec<String> = numbers.iter().map(|number| label(*number)).collect();
    let mut labels = Vec::new();
    for (place, number) in numbers.iter().enumerate() {
        let label = &short[place];
        // Numbers ascend, so alike ones stand side by side.
        let is_like_next = short.get(place + 1) == Some(label);
        let is_like_previous = place > 0 && short[place - 1] == *label;
        labels.push(if is_like_next || is_like_previous { number.to_string() } else { label.clone() });
    }
    labels
}

/// A value as the name of a group, if [`text_of`] gives two groups the same name: with all digits, and NULL unlike an
/// empty text.
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
                None => Values::Texts(Weights::default()),
            };
        }
        self.sample.add(place, weight);
        match (&mut self.values, number, value) {
            (Values::Numbers(numbers), Some(number), _) => {
                numbers.add(number, place, weight);
                if let Some(classes) = &mut self.classes {
                    classes.add(number, place, weight)?;
                }
            }
            (Values::Flags(flags), Some(flag), _) => flags[usize::from(flag != 0.0)].add(place, weight),
            (Values::Texts(texts), None, SqlValue::Text(text)) => {
                match texts.by_value.get_mut(text) {
                    Some(blocks) => blocks.add(place, weight),
                    None => texts.add(text.clone(), place, weight, TEXT_VALUES),
                }
                if texts.by_value.len() > MOST_TEXTS {
                    return Err(format!("a text with more than {MOST_TEXTS} different values has no figures"));
                }
            }
            _ => return Err("values of several types in one column".to_owned()),
        }
        Ok(())
    }

    /// The number of values of a text that are not shown.
    pub(in crate::study) fn texts_left_out(&self) -> usize {
        match &self.values {
            Values::Texts(texts) => texts.by_value.len().saturating_sub(TEXT_VALUES),
            _ => 0,
        }
    }

    /// The type of its values: a text, a flag or a number. None if no row has a value.
    pub(in crate::study) fn value_type(&self) -> Option<ColumnType> {
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
        const LEAST_DIFFERENT: usize = 10;
        let Values::Numbers(numbers) = &self.values else { return None };
        let (mean, rows) = (numbers.mean(&self.sample).value, self.sample.rows as f64);
        let weight = self.sample.weights.sum();
        let mut squares_by_distance: Vec<(f64, usize)> = Vec::new();
        for (value, blocks) in numbers.ascending() {
            let copies = (blocks.sum() / weight * rows).round().max(1.0) as usize;
            squares_by_distance.push(((value - mean).powi(2), copies));
        }
        squares_by_distance.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        // One more than the tail has.
        let tail_length = (rows / 5.0).min(3.0 * rows.sqrt()) as usize + 1;
        let mut tail_squares: Vec<f64> = Vec::with_capacity(tail_length);
        for &(square, copies) in &squares_by_distance {
            let missing = tail_length.saturating_sub(tail_squares.len());
            tail_squares.extend(std::iter::repeat_n(square, copies.min(missing)));
        }
        let mut different = tail_squares.clone();
        different.dedup();
        if different.len() < LEAST_DIFFERENT { None } else { tail_of(&mut tail_squares, rows as usize) }
    }

    /// How far a value that no row has may be from the mean: beyond the ends as far as the next value would be.
    fn farthest_unseen(mean: f64, values: &[(f64, &Blocks)]) -> f64 {
        let [first, last] = [values.first(), values.last()].map(|end| end.map_or(0.0, |(value, _)| *value));
        let mean_step = (last - first) / (values.len().max(2) - 1) as f64;
        (mean - first).max(last - mean) + mean_step
    }

    /// Why figures of this number are not reliable, whatever the weights.
    fn doubts(&self) -> NumberDoubts {
        let bounds = (self.bounds > 0).then_some(Doubt::Bounds(self.bounds));
        let heavy_tail = self.tail().filter(|tail| tail.at_most > HEAVIEST_OF_SQUARES);
        let heavy_values = heavy_tail.map(|tail| Doubt::HeavyValues { k: tail.at_most, most: HEAVIEST_OF_SQUARES });
        NumberDoubts { of_mean: bounds, of_squares: bounds.or(heavy_values) }
    }

    /// All estimates with their names; at least one.
    pub(in crate::study) fn estimates(&self, asked: &AskedFigures<'_>) -> Vec<(Statistic, Estimate)> {
        let mut estimates = match &self.values {
            Values::Unknown => vec![(Statistic::Mean, Estimate { doubt: Some(Doubt::Unknown), ..Estimate::NONE })],
            Values::Flags(flags) => vec![self.share("true", &flags[1])],
            Values::Texts(texts) => self.of_texts(texts),
            Values::Numbers(numbers) => self.of_numbers(numbers, asked),
        };
        let is_given = self.is_given(&estimates);
        for (_, estimate) in &mut estimates {
            if is_given {
                estimate.doubt = Some(Doubt::Given);
            } else if self.bounds > 0 {
                estimate.doubt = estimate.doubt.or(Some(Doubt::Bounds(self.bounds)));
            }
        }
        estimates
    }

    /// The shares of the most frequent texts, the largest first.
    fn of_texts(&self, texts: &Weights<String>) -> Vec<(Statistic, Estimate)> {
        let mut sums: Vec<(&String, &Blocks, f64)> =
            texts.by_value.iter().map(|(text, blocks)| (text, blocks, blocks.sum())).collect();
        sums.sort_by(|(text_a, _, sum_a), (text_b, _, sum_b)| sum_b.total_cmp(sum_a).then_with(|| text_a.cmp(text_b)));
        sums.into_iter().take(TEXT_VALUES).map(|(text, blocks, _)| self.share(text, blocks)).collect()
    }

    /// True if the shares of the strata alone give the figure: its value is the same in all rows of a stratum.
    fn is_given(&self, estimates: &[(Statistic, Estimate)]) -> bool {
        let varies = match &self.values {
            Values::Unknown => false,
            Values::Numbers(numbers) => numbers.different() > 1,
            Values::Flags(flags) => flags.iter().all(|flag| flag.sum() > 0.0),
            Values::Texts(texts) => texts.by_value.len() > 1,
        };
        let size = estimates.iter().map(|(_, estimate)| estimate.value.abs()).fold(0.0, f64::max);
        let has_error = |(_, estimate): &(Statistic, Estimate)| estimate.error > 1e-9 * size;
        self.sample.strata.is_some() && varies && !estimates.iter().any(has_error)
    }

    fn share(&self, value: &str, part: &Blocks) -> (Statistic, Estimate) {
        (Statistic::Share(value.to_owned()), self.sample.share(part))
    }

    fn of_numbers(&self, numbers: &Numbers, asked: &AskedFigures<'_>) -> Vec<(Statistic, Estimate)> {
        let sample = &self.sample;
        let values = numbers.ascending();
        let mean = numbers.mean(sample);
        let doubts = self.doubts();
        let deviation = sample.deviation(&numbers.moments, Figure::farthest_unseen(mean.value, &values));
        let mut estimates = vec![
            (Statistic::Mean, Estimate { doubt: mean.doubt.or(doubts.of_mean), ..mean }),
            (Statistic::Deviation, Estimate { doubt: deviation.doubt.or(doubts.of_squares), ..deviation }),
        ];
        for per_cent in asked.quantiles {
            estimates.push((Statistic::Quantile(*per_cent), sample.quantile(per_cent / 100.0, &values)));
        }
        let needs_classes = asked.histogram && self.classes.is_none() && values.len() > FEW_VALUES;
        let usual_classes = needs_classes.then(|| Classes::usual(&values));
        if let Some(classes) = self.classes.as_ref().or(usual_classes.as_ref()) {
            estimates.extend(classes.named().iter().map(|(name, part)| self.share(name, part)));
        } else if (2..=FEW_VALUES).contains(&values.len()) {
            let numbers: Vec<f64> = values.iter().map(|(value, _)| *value).collect();
            let shares = labels(&numbers).into_iter().zip(&values);
            estimates.extend(shares.map(|(label, (_, blocks))| self.share(&label, blocks)));
        }
        estimates
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::estimates::numbers::MOST_NUMBERS;

    fn named_classes(width: f64, numbers: &[f64]) -> Vec<(String, Estimate)> {
        let mut figure = Figure::new(false, Some(width));
        for (row, number) in numbers.iter().enumerate() {
            figure.add(&SqlValue::Real(*number), false, (row as u64).into(), 1.0).unwrap();
        }
        let estimates = figure.estimates(&AskedFigures { quantiles: &[], histogram: false });
        let named = estimates.into_iter().map(|(statistic, estimate)| (statistic.to_string(), estimate));
        named.filter(|(name, _)| name.contains(" to ")).collect()
    }

    #[test]
    fn classes_hold_their_lower_ends() {
        let names: Vec<String> = named_classes(0.5, &[4.0, 4.4, 5.1]).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["share 4 to 4.5", "share 4.5 to 5", "share 5 to 5.5"]);
    }

    /// For any number of values and of classes: each number counts in its own class, and gaps are filled up to 100.
    #[test]
    fn classes_are_exact_for_any_number_of_values() {
        for last in [0, 1, 99, 100, 101, 5_000, 20_000] {
            let numbers: Vec<f64> = (0..=last).map(|number| 1e9 + f64::from(number) * 10.0).collect();
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
        assert!(numbers.different() <= MOST_NUMBERS);
        for (statistic, estimate) in figure.estimates(&AskedFigures { quantiles: &[50.0, 90.0], histogram: false }) {
            let expected = match statistic {
                Statistic::Mean => 1.37 * 24_999.5 - 20_000.0,
                Statistic::Deviation => 1.37 * 50_000.0 / 12f64.sqrt(),
                Statistic::Quantile(50.0) => 1.37 * 24_999.0 - 20_000.0,
                _ => 1.37 * 44_999.0 - 20_000.0,
            };
            assert!((estimate.value / expected - 1.0).abs() < 2e-3, "{statistic}: {} {expected}", estimate.value);
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
