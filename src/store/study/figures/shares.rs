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

use crate::corpus::{AskLimits, CorpusError};
use crate::study::Table;
use crate::study::estimates::{Blocks, Strata, hash_of_row, number_of};
use sudoku_corpus_core::page::numbers::significant;

/// Shares of all minimal 9x9 puzzles by number of givens, in per cent (Berthier, 5,926,343 puzzles of controlled bias).
const PUBLISHED: [(u32, f64); 13] = [
    (20, 1.32e-7),
    (21, 3.148e-5),
    (22, 0.003_481_6),
    (23, 0.147_847),
    (24, 2.284_853),
    (25, 13.424_609),
    (26, 31.909_496),
    (27, 32.712_245),
    (28, 15.479_856),
    (29, 3.598_318),
    (30, 0.414_100),
    (31, 0.024_144),
    (32, 0.001_019_6),
];

/// The largest share of all minimal puzzles, in per cent, that may be missing among the rows.
const MOST_LOST: f64 = 10.0;

/// Where the shares of the numbers of givens come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetShares {
    /// The published shares of all minimal 9x9 puzzles.
    Published,
}

/// The share of a number of givens, in per cent. None if no minimal puzzle of the published collection has it.
fn published_share(givens: i64) -> Option<f64> {
    PUBLISHED.iter().find(|(number, _)| i64::from(*number) == givens).map(|(_, share)| *share)
}

/// The weights of the rows with each number of givens.
pub(super) struct Shares {
    by_givens: BTreeMap<i64, GivensShare>,
    /// The weights of the strata.
    pub strata: Arc<Strata>,
    /// What is missing.
    pub note: Option<String>,
}

/// How rows with one number of givens get their published share.
#[derive(Clone, Copy)]
pub(super) struct GivensShare {
    /// Their stratum, from 1.
    pub stratum: usize,
    /// What is added to the logarithms of their weights.
    pub log_factor: f64,
}

/// The rows with one number of givens.
struct Stratum {
    /// The logarithm of the first weight, which is the unit of the others.
    unit: f64,
    weights: Blocks,
}

impl Shares {
    /// Reads the numbers of givens of all rows. `log` and `grid` are SQL expressions for the logarithm of the weight of
    /// a row, and for its grid: rows of one grid are in one block.
    ///
    /// # Errors
    /// A column that is missing, rows that are not minimal 9x9 puzzles, numbers of givens that no row has and more than
    /// 10 % of all minimal puzzles have, or a query that fails.
    pub(super) fn of(table: &Table, log: &str, grid: &str) -> Result<Shares, CorpusError> {
        let mut strata = strata_of(table, log, grid)?;
        strata.retain(|givens, _| published_share(*givens).is_some());
        let missing = PUBLISHED.iter().filter(|(givens, _)| !strata.contains_key(&i64::from(*givens)));
        let lost: f64 = missing.clone().map(|(_, share)| share).sum();
        let names = missing.map(|(givens, _)| givens.to_string()).collect::<Vec<_>>().join(", ");
        if lost > MOST_LOST {
            return Err(CorpusError::Query(format!(
                "no row has {names} givens, but {} % of all minimal puzzles have: make more rows",
                significant(lost, 3)
            )));
        }
        let note = (lost > 0.0)
            .then(|| format!("no row has {names} givens, as {} % of all minimal puzzles have", significant(lost, 2)));
        let mut by_givens = BTreeMap::new();
        for (stratum, (&givens, Stratum { unit, weights })) in (1..).zip(&strata) {
            let share = published_share(givens).unwrap_or(0.0);
            by_givens.insert(givens, GivensShare { stratum, log_factor: share.ln() - weights.sum().ln() - unit });
        }
        let weights: Vec<Blocks> = strata.into_values().map(|stratum| stratum.weights).collect();
        Ok(Shares { by_givens, strata: Arc::new(Strata::new(&weights)), note })
    }

    /// The share of a number of givens. None for numbers that no minimal puzzle of the published collection has.
    pub(super) fn of_givens(&self, givens: i64) -> Option<GivensShare> {
        self.by_givens.get(&givens).copied()
    }
}

/// The rows of a table by their number of givens. Rows without one count as those of 0, of which no share is known.
fn strata_of(table: &Table, log: &str, grid: &str) -> Result<BTreeMap<i64, Stratum>, CorpusError> {
    if let Some(column) = ["givens", "shape"].into_iter().find(|column| !table.has(column)) {
        return Err(CorpusError::Query(format!("--shares published needs the column {column}")));
    }
    let minimal = if table.has("minimal") { "minimal" } else { "NULL" };
    let sql = format!("SELECT givens, {log}, {grid}, shape = '3x3', {minimal} FROM puzzles");
    let mut strata: BTreeMap<i64, Stratum> = BTreeMap::new();
    let mut row_number = 0;
    table.ask_in_batches(&sql, &AskLimits::default(), |answer| {
        for row in answer.rows() {
            let [givens, log, grid, is_nine, minimal] = row else { continue };
            let refused = match (number_of(is_nine), number_of(minimal)) {
                (Some(1.0), Some(0.0)) => Some("minimal puzzles: rows that are not minimal must be excluded before"),
                (Some(1.0), _) => None,
                _ => Some("9x9 puzzles: other rows must be excluded before"),
            };
            if let Some(reason) = refused {
                return Err(CorpusError::Query(format!("the published shares are those of {reason}")));
            }
            let log = number_of(log).unwrap_or(0.0);
            let givens = number_of(givens).unwrap_or(0.0) as i64;
            let first = || Stratum { unit: log, weights: Blocks::default() };
            let Stratum { unit, weights } = strata.entry(givens).or_insert_with(first);
            weights.add(hash_of_row(grid, row_number).into(), (log - *unit).exp());
            row_number += 1;
        }
        Ok(())
    })??;
    Ok(strata)
}
