//! Rows of a plan that does not reach all minimal puzzles equally often, weighted by the published shares of their
//! numbers of givens (post-stratification).
//!
//! ```text
//!   weight of a row = published share of its number of givens
//!                     * its own weight / sum of the weights of the rows with this number of givens
//! ```
//! Berthier, "Unbiased statistics of a CSP" (2009): puzzles that are dug top-down are much more like all minimal
//! puzzles if only those of one number of givens are compared.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::sample::{BLOCKS, Blocks, Strata};
use super::values::{hash_of_row, number_of};
use crate::corpus::{AskLimits, CorpusError};
use crate::study::Table;
use crate::study::resample::PUBLISHED;
use sudoku_corpus_core::page::numbers::significant;

/// The weights of the rows with each number of givens.
pub(super) struct Shares {
    /// For each number of givens its stratum, from 1, and what is added to the logarithms of weights.
    of: BTreeMap<i64, (usize, f64)>,
    /// The weights of the strata.
    pub strata: Arc<Strata>,
    /// What is missing.
    pub note: Option<String>,
}

impl Shares {
    /// Reads the numbers of givens of all rows. `log` and `grid` are SQL expressions for the logarithm of the weight of
    /// a row, and for its grid: rows of one grid are in one block.
    ///
    /// # Errors
    /// A column that is missing, rows that are not minimal 9x9 puzzles, numbers of givens that no row has and more than
    /// 10 % of all minimal puzzles have, or a query that fails.
    pub(super) fn of(table: &Table, log: &str, grid: &str) -> Result<Shares, CorpusError> {
        let has = |column: &str| table.columns().iter().any(|known| known == column);
        for column in ["givens", "shape"] {
            if !has(column) {
                return Err(CorpusError::Query(format!("--shares published needs the column {column}")));
            }
        }
        let minimal = if has("minimal") { "minimal" } else { "NULL" };
        let sql = format!("SELECT givens, {log}, {grid}, shape, {minimal} FROM puzzles");
        // Logarithms of the first weight of each stratum, which is its unit, and the weights in it.
        let mut found: BTreeMap<i64, (f64, Blocks)> = BTreeMap::new();
        let (mut row_number, mut wrong) = (0u64, None);
        table.ask_in_batches(&sql, &AskLimits::default(), |answer| {
            for row in answer.rows() {
                let [givens, log, grid, shape, minimal] = row else { continue };
                let known = number_of(givens).map(|givens| givens as i64);
                if !matches!(shape, crate::corpus::SqlValue::Text(shape) if shape == "3x3") {
                    wrong = Some("the published shares are those of 9x9 puzzles: other rows must be excluded before");
                } else if number_of(minimal) == Some(0.0) {
                    wrong = Some("the published shares are those of minimal puzzles: rows that are not minimal must be excluded before");
                }
                let log = number_of(log).unwrap_or(0.0);
                // Rows without a number of givens count as those of 0, of which no published share is known.
                let (unit, blocks) =
                    found.entry(known.unwrap_or(0)).or_insert_with(|| (log, Blocks::default()));
                blocks.add((hash_of_row(grid, row_number) % BLOCKS as u64) as usize, (log - *unit).exp());
                row_number += 1;
            }
            Ok::<(), std::convert::Infallible>(())
        })?
        .unwrap_or_else(|never| match never {});
        if let Some(reason) = wrong {
            return Err(CorpusError::Query(reason.to_owned()));
        }
        let share =
            |givens: i64| PUBLISHED.iter().find(|(known, _)| i64::from(*known) == givens).map(|(_, share)| *share);
        found.retain(|givens, _| share(*givens).is_some());
        let missing: Vec<String> = PUBLISHED
            .iter()
            .filter(|(givens, _)| !found.contains_key(&i64::from(*givens)))
            .map(|(givens, _)| givens.to_string())
            .collect();
        let lost: f64 = PUBLISHED
            .iter()
            .filter(|(givens, _)| !found.contains_key(&i64::from(*givens)))
            .map(|(_, share)| share)
            .sum();
        if lost > 10.0 {
            let names = missing.join(", ");
            return Err(CorpusError::Query(format!(
                "no row has {names} givens, but {} % of all minimal puzzles have: make more rows",
                significant(lost, 3)
            )));
        }
        let note = (lost > 0.0).then(|| {
            format!(
                "no row has {} givens, as {} % of all minimal puzzles have",
                missing.join(", "),
                significant(lost, 2)
            )
        });
        let of = found.iter().enumerate().map(|(at, (&givens, (unit, blocks)))| {
            let log = share(givens).unwrap_or(0.0).ln() - blocks.sum().ln() - unit;
            (givens, (at + 1, log))
        });
        let weights: Vec<Blocks> = found.values().map(|(_, blocks)| blocks.clone()).collect();
        Ok(Shares { of: of.collect(), strata: Arc::new(Strata::new(&weights)), note })
    }

    /// The stratum of a number of givens, and the logarithm of the factor of its weights. None for numbers that no
    /// minimal puzzle of the published collection has.
    pub(super) fn stratum(&self, givens: i64) -> Option<(usize, f64)> {
        self.of.get(&givens).copied()
    }
}
