//! Compares what a file says of the difficulty of its puzzles with ER and search: the columns of other programs.
//!
//! A column of numbers gets its correlation with each; a column of texts gets their means for each text.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::corpus::{Record, Value};
use crate::study::weighted::{Estimate, Pair};
use sudoku_corpus_core::page::Table;
use sudoku_corpus_core::page::numbers::grouped;

/// Columns with more different texts say something else.
const TEXTS: usize = 16;
/// Fewer rows say nothing.
const ROWS: u64 = 25;

/// A column of another program.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    name: String,
    /// Rows that have a value.
    rows: u64,
    /// Its numbers with ER, and with log2(1 + guesses).
    numbers: [Pair; 2],
    /// For each text the number of rows and the sum of ER, and those of log2(1 + guesses).
    texts: BTreeMap<String, [(u64, f64); 2]>,
}

impl Claim {
    pub(super) fn new(name: String) -> Claim {
        Claim { name, rows: 0, numbers: [(); 2].map(|()| Pair::new(false)), texts: BTreeMap::new() }
    }

    /// Adds a value of a puzzle, with the ratings that the audit computed.
    pub(super) fn add(&mut self, value: &Value<'_>, record: &Record) {
        let er = record.se_er_tenths.map(|tenths| f64::from(tenths) / 10.0);
        let guesses = record.search_guesses.map(|guesses| (1.0 + guesses as f64).log2());
        let number = match value {
            Value::Null => return,
            Value::Flag(flag) => Some(f64::from(u8::from(*flag))),
            Value::Unsigned(number) => Some(*number as f64),
            Value::Signed(number) => Some(*number as f64),
            Value::Real(number) => Some(*number),
            Value::Text(text) => text.trim().parse().ok(),
        };
        self.rows += 1;
        let grid = record.solution_class.unwrap_or(0) as u64;
        for (at, rating) in [er, guesses].into_iter().enumerate() {
            let Some(rating) = rating else { continue };
            if let Some(number) = number.filter(|number| number.is_finite()) {
                self.numbers[at].add(grid, 1.0, number, rating);
            } else if let Value::Text(text) = value
                && (self.texts.len() <= TEXTS || self.texts.contains_key(text.as_ref()))
            {
                let (rows, sum) = &mut self.texts.entry(text.to_string()).or_default()[at];
                (*rows, *sum) = (*rows + 1, *sum + rating);
            }
        }
    }

    /// The correlations, if enough rows have numbers and they vary.
    fn correlations(&self) -> [Option<Estimate>; 2] {
        self.numbers
            .each_ref()
            .map(|pair| Some(pair.correlation()).filter(|found| pair.sample.rows >= ROWS && found.value.is_finite()))
    }

    /// The rows of each text with the means, if the texts are few.
    fn means(&self) -> impl Iterator<Item = (&str, u64, [Option<f64>; 2])> {
        let few = self.texts.len() <= TEXTS && self.rows >= ROWS;
        self.texts.iter().filter(move |_| few).map(|(text, of)| {
            let mean = |(rows, sum): (u64, f64)| (rows > 0).then(|| sum / rows as f64);
            (text.as_str(), of[0].0.max(of[1].0), of.map(mean))
        })
    }

    /// The claim as JSON.
    pub(super) fn json(&self) -> Json {
        let correlation = |found: Option<Estimate>| {
            found.map(|found| json!({"correlation": found.value, "low_95": found.reliable().0, "high_95": found.reliable().1}))
        };
        let [er, guesses] = self.correlations().map(correlation);
        let texts = self.means().map(|(text, rows, [er, guesses])| {
            json!({"text": text, "rows": rows, "mean_er": er, "mean_log2_guesses": guesses})
        });
        json!({"column": self.name, "rows": self.rows, "er": er, "log2_guesses": guesses, "texts": texts.collect::<Vec<_>>()})
    }
}

/// The columns as a table; empty if none says anything.
pub(super) fn table(claims: &[Claim]) -> Table {
    let mut table = Table::new(&["column", "rows", "ER", "log2(1 + guesses)"]);
    for claim in claims {
        let correlations = claim.correlations();
        if correlations.iter().any(Option::is_some) {
            let cell = |found: Option<Estimate>| {
                found.map_or(String::new(), |found| match found.reliable() {
                    (low, high) if low.is_finite() => format!("correlation {:.2} ({low:.2} .. {high:.2})", found.value),
                    _ => format!("correlation {:.2}", found.value),
                })
            };
            let [er, guesses] = correlations.map(cell);
            table.rows.push(vec![claim.name.clone(), grouped(claim.rows.into()), er, guesses]);
        }
        for (text, rows, means) in claim.means() {
            let [er, guesses] = means.map(|mean| mean.map_or(String::new(), |mean| format!("mean {mean:.2}")));
            table.rows.push(vec![format!("{} = {text}", claim.name), grouped(rows.into()), er, guesses]);
        }
    }
    table
}
