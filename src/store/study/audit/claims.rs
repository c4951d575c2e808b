//! Compares what a file says of the difficulty of its puzzles with ER and search: the columns of other programs, and
//! those of this program, which somebody may have changed.
//!
//! A column of numbers gets its rank correlation with each; a column of texts gets their means for each text.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::corpus::sorter::key_of;
use crate::corpus::{Record, Value};
use crate::study::numbers::Number;
use crate::study::tally::{Joint, Tally};
use sudoku_corpus_core::page::Table;
use sudoku_corpus_core::page::numbers::grouped;

/// Columns with more different texts say something else.
const MOST_TEXTS: usize = 16;
/// Fewer rows, or fewer solution grids, say nothing.
const LEAST_ROWS: u64 = 25;
/// The ratings that a column is compared with. The arrays below are in this order.
const RATINGS: [Number; 2] = [Number::ER, Number::GUESSES];
/// Numbers are counted by the first 24 bits of their keys: sign, exponent and twelve binary places. So the counts stay
/// small, and numbers keep their order.
const DROPPED_BITS: u32 = 64 - 24;

/// A column of another program.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    name: String,
    /// Rows that have a value.
    rows: u64,
    /// The least and the largest number.
    ends: Option<[f64; 2]>,
    /// For each value of a rating the numbers of the column, as integers of the same order.
    numbers: [Joint; RATINGS.len()],
    /// For each text its ratings.
    texts: BTreeMap<String, [Tally; RATINGS.len()]>,
}

/// The rows with a text, and the means of their ratings.
struct TextMeans<'a> {
    text: &'a str,
    rows: u64,
    er: Option<f64>,
    /// Of log2(1 + guesses).
    log_guesses: Option<f64>,
}

/// A rank correlation, and its 95 % interval.
struct Correlation {
    value: f64,
    interval: Option<(f64, f64)>,
}

impl Claim {
    pub(super) fn new(name: String) -> Claim {
        Claim { name, rows: 0, ends: None, numbers: Default::default(), texts: BTreeMap::new() }
    }

    pub(super) fn has_values(&self) -> bool {
        self.rows > 0
    }

    /// Adds a value of a puzzle, with the ratings that the audit computed.
    pub(super) fn add(&mut self, value: &Value<'_>, record: &Record) {
        let number = match value {
            Value::Null => return,
            Value::Flag(flag) => Some(f64::from(u8::from(*flag))),
            Value::Unsigned(number) => Some(*number as f64),
            Value::Signed(number) => Some(*number as f64),
            Value::Real(number) => Some(*number),
            Value::Text(text) => text.trim().parse().ok(),
        };
        self.rows += 1;
        if let Some(number) = number {
            let [least, most] = self.ends.unwrap_or([number; 2]);
            self.ends = Some([least.min(number), most.max(number)]);
        }
        for (place, rating) in RATINGS.into_iter().enumerate() {
            let Some(rating) = rating.of(record) else { continue };
            if let Some(number) = number.filter(|number| number.is_finite()) {
                self.numbers[place].add(rating, key_of(number) >> DROPPED_BITS);
            } else if let Value::Text(text) = value
                && (self.texts.len() <= MOST_TEXTS || self.texts.contains_key(text.as_ref()))
            {
                self.texts.entry(text.to_string()).or_default()[place].add(rating);
            }
        }
    }

    /// The correlations with the ratings, if enough rows have numbers and they vary. `grids` is the number of different
    /// solution grids, because puzzles of one grid are not independent.
    fn correlations(&self, grids: u64) -> [Option<Correlation>; RATINGS.len()] {
        self.numbers.each_ref().map(|joint| {
            let rows = joint.first().total();
            let value = joint.rank_correlation().filter(|_| rows >= LEAST_ROWS)?;
            let independent = rows.min(grids);
            // The interval of Bonett and Wright for Spearman's correlation (Psychometrika 65, 2000).
            let half_width = 1.96 * ((1.0 + value * value / 2.0) / (independent.max(4) - 3) as f64).sqrt();
            let interval = ((value.atanh() - half_width).tanh(), (value.atanh() + half_width).tanh());
            Some(Correlation { value, interval: (independent >= LEAST_ROWS).then_some(interval) })
        })
    }

    /// The number that all rows have, if they are enough.
    fn only_number(&self) -> Option<f64> {
        let [least, most] = self.ends.filter(|_| self.rows >= LEAST_ROWS && self.texts.is_empty())?;
        (least == most).then_some(least)
    }

    /// The means of the ratings for each text, if the texts are few.
    fn means(&self) -> Vec<TextMeans<'_>> {
        if self.texts.len() > MOST_TEXTS || self.rows < LEAST_ROWS {
            return Vec::new();
        }
        let mut means = Vec::new();
        for (text, [er, guesses]) in &self.texts {
            let logs = guesses.iter().map(|(guesses, rows)| (1.0 + guesses as f64).log2() * rows as f64).sum::<f64>();
            means.push(TextMeans {
                text,
                rows: er.total().max(guesses.total()),
                er: (er.total() > 0).then(|| er.sum() as f64 / 10.0 / er.total() as f64),
                log_guesses: (guesses.total() > 0).then(|| logs / guesses.total() as f64),
            });
        }
        means
    }

    pub(super) fn json(&self, grids: u64) -> Json {
        let [er, guesses] = self.correlations(grids).map(|correlation| correlation.map(Correlation::json));
        let mut texts = Vec::new();
        for TextMeans { text, rows, er, log_guesses } in self.means() {
            texts.push(json!({"text": text, "rows": rows, "mean_er": er, "mean_log2_guesses": log_guesses}));
        }
        json!({"column": self.name, "rows": self.rows, "er": er, "guesses": guesses, "texts": texts})
    }
}

impl Correlation {
    fn json(self) -> Json {
        let (low, high) = self.interval.unzip();
        json!({"rank_correlation": self.value, "low_95": low, "high_95": high})
    }

    fn words(self) -> String {
        match self.interval {
            Some((low, high)) => format!("rank correlation {:.2} ({low:.2} .. {high:.2})", self.value),
            None => format!("rank correlation {:.2}", self.value),
        }
    }
}

/// The columns as a table; empty if none says anything.
pub(super) fn table(claims: &[Claim], grids: u64) -> Table {
    let mut table = Table::new(&["column", "rows", "ER", "guesses, mean of log2(1 + guesses)"]);
    for claim in claims {
        let correlations = claim.correlations(grids);
        if correlations.iter().any(Option::is_some) {
            let [er, guesses] = correlations.map(|correlation| correlation.map_or(String::new(), Correlation::words));
            table.rows.push(vec![claim.name.clone(), grouped(claim.rows.into()), er, guesses]);
        }
        if let Some(number) = claim.only_number() {
            let rows = grouped(claim.rows.into());
            table.rows.push(vec![claim.name.clone(), rows, format!("one value: {number}"), String::new()]);
        }
        for TextMeans { text, rows, er, log_guesses } in claim.means() {
            let [er, guesses] =
                [er, log_guesses].map(|mean| mean.map_or(String::new(), |mean| format!("mean {mean:.2}")));
            table.rows.push(vec![format!("{} = {text}", claim.name), grouped(rows.into()), er, guesses]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::tests::puzzle;

    #[test]
    fn a_column_with_one_value_is_told() {
        let record = Record::of_puzzle(0, puzzle(&".".repeat(81)));
        let mut claim = Claim::new("stars".to_owned());
        (0..LEAST_ROWS).for_each(|_| claim.add(&Value::Unsigned(1), &record));
        assert_eq!(table(std::slice::from_ref(&claim), LEAST_ROWS).rows, [["stars", "25", "one value: 1", ""]]);
        claim.add(&Value::Unsigned(2), &record);
        assert!(table(&[claim], LEAST_ROWS).rows.is_empty());
    }
}
