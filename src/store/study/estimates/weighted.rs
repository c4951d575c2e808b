//! Adds up the weighted numbers of records, in one pass and in parts that can be added.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::blocks::{Blocks, Place};
use super::estimate::{Doubt, Estimate};
use super::numbers::Numbers;
use super::sample::Sample;

/// Weights are multiples of a *unit*, at first the weight of the first row. If the logarithm of a weight exceeds that of
/// the unit by this much, the unit changes, so that no weight overflows.
const SPAN: f64 = 50.0;

/// Some numbers of rows with weights.
#[derive(Clone, Debug)]
pub struct Weighted {
    /// The logarithm of the unit of all weights. None without rows.
    unit: Option<f64>,
    /// The rows, by the numbers that they have, a bit for each: so each row is in one sample.
    samples: BTreeMap<u32, Sample>,
    numbers: Vec<Numbers>,
    /// Computed when it is first asked for.
    together: OnceCell<Together>,
}

/// The samples of [`Weighted`] added up.
#[derive(Clone, Debug)]
struct Together {
    all: Sample,
    /// For each number the rows that have it.
    with_number: Vec<Sample>,
}

impl Weighted {
    pub(in crate::study) fn new(numbers: usize) -> Weighted {
        let numbers = vec![Numbers::default(); numbers];
        Weighted { unit: None, samples: BTreeMap::new(), numbers, together: OnceCell::new() }
    }

    /// Adds a row with the logarithm of its weight, a hash of its grid, and its numbers. Rows of one grid are not
    /// independent.
    pub(in crate::study) fn add(&mut self, log: f64, grid: u64, numbers: &[Option<u64>]) {
        let unit = *self.unit.get_or_insert(log);
        if log > unit + SPAN {
            self.rescale(log);
        }
        let weight = (log - self.unit.unwrap_or(log)).exp();
        let mut present = 0u32;
        for (bit, number) in numbers.iter().enumerate() {
            present |= u32::from(number.is_some()) << bit;
        }
        let place = Place::from(grid);
        self.samples.entry(present).or_insert_with(|| Sample::new(true)).add(place, weight);
        for (sums, number) in self.numbers.iter_mut().zip(numbers) {
            if let Some(number) = number {
                sums.add(*number as f64, place, weight);
            }
        }
        self.together.take();
    }

    fn rescale(&mut self, unit: f64) {
        let factor = self.unit.map_or(1.0, |old_unit| (old_unit - unit).exp());
        for rows in self.samples.values_mut() {
            rows.scale(factor);
        }
        for numbers in &mut self.numbers {
            numbers.scale(factor);
        }
        self.unit = Some(unit);
        self.together.take();
    }

    pub(in crate::study) fn merge(&mut self, mut other: Weighted) {
        let (Some(unit), Some(other_unit)) = (self.unit, other.unit) else {
            if self.unit.is_none() {
                *self = other;
            }
            return;
        };
        if other_unit > unit {
            self.rescale(other_unit);
        } else {
            other.rescale(unit);
        }
        for (place, numbers) in self.numbers.iter_mut().enumerate() {
            let mut weights = Blocks::default();
            for (present, rows) in &other.samples {
                if present >> place & 1 == 1 {
                    weights.merge(&rows.weights);
                }
            }
            numbers.merge(&other.numbers[place], &weights);
        }
        for (present, rows) in &other.samples {
            self.samples.entry(*present).or_insert_with(|| Sample::new(true)).merge(rows);
        }
        self.together.take();
    }

    fn together(&self) -> &Together {
        self.together.get_or_init(|| {
            let mut all = Sample::new(true);
            let mut with_number = vec![Sample::new(true); self.numbers.len()];
            for (present, rows) in &self.samples {
                all.merge(rows);
                for (place, sample) in with_number.iter_mut().enumerate() {
                    if present >> place & 1 == 1 {
                        sample.merge(rows);
                    }
                }
            }
            Together { all, with_number }
        })
    }

    fn rows_with(&self, number: usize) -> &Sample {
        &self.together().with_number[number]
    }

    /// The number of rows with a weight.
    pub fn rows(&self) -> u64 {
        self.samples.values().map(|rows| rows.rows).sum()
    }

    /// The effective sample size.
    pub fn effective_rows(&self) -> f64 {
        self.together().all.effective_rows()
    }

    /// Why no figure with these weights is reliable. None if some are.
    pub fn doubt(&self) -> Option<Doubt> {
        self.together().all.weights_doubt()
    }

    /// The mean of one of the numbers. None if no row has it.
    pub fn mean(&self, number: usize) -> Option<Estimate> {
        let rows = self.rows_with(number);
        (rows.rows > 0).then(|| self.numbers[number].mean(rows))
    }

    /// The median of one of the numbers. None if no row has it.
    pub fn median(&self, number: usize) -> Option<Estimate> {
        let rows = self.rows_with(number);
        (rows.rows > 0).then(|| self.numbers[number].quantile(0.5, rows))
    }

    /// Shares of groups of values of one of the numbers, among the rows that have it. `group` returns the group of a
    /// value, below `groups`, or None for a value that belongs to none: it counts in the whole only. None if no row has
    /// the number.
    pub fn shares(&self, number: usize, groups: usize, group: impl Fn(u64) -> Option<usize>) -> Option<Vec<Estimate>> {
        let rows = self.rows_with(number);
        (rows.rows > 0).then(|| self.numbers[number].shares(groups, |value| group(value as u64), rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::random::finalise;

    /// Weights of any size, in parts in any order, give the same figures as all rows at once.
    #[test]
    fn parts_of_any_scale_give_the_same_figures() {
        let mut whole = Weighted::new(1);
        let mut parts = [(); 3].map(|()| Weighted::new(1));
        for row in 0..900u64 {
            let log = (row % 5) as f64 / 4.0 + 500.0 * (row / 300) as f64;
            let number = (row % 40 >= 2).then_some(row * 7 % 60);
            for weighted in [&mut whole, &mut parts[(row / 300) as usize]] {
                weighted.add(log, finalise(row), &[number]);
            }
        }
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let mut merged = Weighted::new(1);
            order.into_iter().for_each(|part| merged.merge(parts[part].clone()));
            assert_eq!(merged.rows(), 900);
            assert!((merged.effective_rows() / whole.effective_rows() - 1.0).abs() < 1e-9);
            let [mean, expected] = [&merged, &whole].map(|weighted| weighted.mean(0).unwrap());
            assert!((mean.value / expected.value - 1.0).abs() < 1e-9, "{} {}", mean.value, expected.value);
            assert!((mean.error / expected.error - 1.0).abs() < 1e-6, "{} {}", mean.error, expected.error);
            let group = |value: u64| (value < 30).then_some(0);
            let shares = [&merged, &whole].map(|weighted| weighted.shares(0, 1, group).unwrap()[0].value);
            assert!((shares[0] - shares[1]).abs() < 1e-9, "{shares:?}");
        }
        assert_eq!(Weighted::new(2).mean(1), None);
        assert!(Weighted::new(1).doubt().is_some());
    }
}
