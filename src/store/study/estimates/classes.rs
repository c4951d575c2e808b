//! Intervals of one width, called *classes* as in a histogram: from the exact numbers, and the weight of each.

use super::blocks::{Blocks, Place};
use super::numbers::{Weights, label, number_of_key};
use crate::corpus::sorter::key_of;
use sudoku_corpus_core::page::nice_step;

const MOST_CLASSES: usize = 1 << 16;
/// With more classes, the weight of each is in few blocks.
const FOLDED_FROM: usize = 64;
/// The most classes of a histogram whose width nobody chose.
const USUAL_CLASSES: usize = 20;
/// Between classes, at most this many empty ones are shown.
const EMPTY_CLASSES: f64 = 100.0;
/// Below this number, classes are counted exactly.
const END_OF_CLASSES: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;

/// The weights of the classes of a width: `4 to 4.5` holds 4 and all below 4.5.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    width: f64,
    /// By the number of the class, as [`key_of`] has it.
    weights: Weights<u64>,
}

impl Classes {
    pub(super) fn new(width: f64) -> Classes {
        Classes { width, weights: Weights::default() }
    }

    /// Classes of ascending values, at most [`USUAL_CLASSES`].
    pub(super) fn usual(values: &[(f64, &Blocks)]) -> Classes {
        let [least, most] = [values.first(), values.last()].map(|end| end.map_or(0.0, |end| end.0));
        let mut classes = Classes::new(nice_step(most - least, USUAL_CLASSES - 1));
        for (value, blocks) in values {
            let class = key_of(classes.class_of(*value));
            classes.weights.by_value.entry(class).or_insert_with(Blocks::few).merge(blocks);
        }
        classes
    }

    /// Adds the weight of a row.
    ///
    /// # Errors
    /// There are too many classes, or the number is too large to have one of its own.
    pub(super) fn add(&mut self, number: f64, place: Place, weight: f64) -> Result<(), String> {
        let class = self.class_of(number);
        if class.abs() >= END_OF_CLASSES {
            let width = self.width;
            return Err(format!("--bins {width} is too narrow for numbers such as {number}: choose a larger width"));
        }
        self.weights.add(key_of(class), place, weight, FOLDED_FROM);
        if self.weights.by_value.len() > MOST_CLASSES {
            return Err(format!(
                "--bins {} gives more than {MOST_CLASSES} intervals: choose a larger width",
                self.width
            ));
        }
        Ok(())
    }

    /// The classes in ascending order, with the empty ones between them, unless these are many.
    pub(super) fn named(&self) -> Vec<(String, Blocks)> {
        let classes: Vec<(f64, &Blocks)> =
            self.weights.by_value.iter().map(|(&key, blocks)| (number_of_key(key), blocks)).collect();
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

    /// The number of the class of a number. What is nearly the lower end of a class belongs to it.
    fn class_of(&self, number: f64) -> f64 {
        (number / self.width + 1e-9).floor()
    }

    fn name(&self, class: f64) -> String {
        format!("{} to {}", label(class * self.width), label((class + 1.0) * self.width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_classes_have_round_widths() {
        for (most, width) in [(19.0, 1.0), (1_988.0, 200.0), (7.8, 0.5)] {
            let weight = Blocks::few();
            assert_eq!(Classes::usual(&[(0.0, &weight), (most, &weight)]).width, width);
        }
    }
}
