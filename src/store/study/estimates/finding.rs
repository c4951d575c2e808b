//! What is found about a figure: an estimate, and what it is computed from.

use std::fmt;

use super::estimate::{Doubt, Estimate};
use super::numbers::label;
use super::sample::Sample;
use sudoku_corpus_core::page::numbers::{grouped, significant};

/// What is estimated of a figure. As a text: mean, sd, q50, share hard.
#[derive(Clone, Debug, PartialEq)]
pub enum Statistic {
    /// The mean.
    Mean,
    /// The standard deviation.
    Deviation,
    /// A quantile, in per cent.
    Quantile(f64),
    /// The share of a value or of an interval.
    Share(String),
}

impl fmt::Display for Statistic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Statistic::Mean => out.write_str("mean"),
            Statistic::Deviation => out.write_str("sd"),
            Statistic::Quantile(per_cent) => write!(out, "q{}", label(*per_cent)),
            Statistic::Share(value) => write!(out, "share {value}"),
        }
    }
}

/// An estimate of one figure of one group.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The values of the expressions of `by`.
    pub group: Vec<String>,
    /// The expression, or its name.
    pub figure: String,
    /// What is estimated of it.
    pub statistic: Statistic,
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
    /// A finding about a sample, whose mean is not known.
    pub(in crate::study) fn of(sample: &Sample, group: &[String], figure: &str) -> Finding {
        Finding {
            group: group.to_vec(),
            figure: figure.to_owned(),
            statistic: Statistic::Mean,
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
            let is_least =
                matches!(doubt, Doubt::Bounds(_)) && matches!(self.statistic, Statistic::Mean | Statistic::Quantile(_));
            return Some(if is_least { format!("at least this: {doubt}") } else { doubt.to_string() });
        }
        let of_group = if self.group.is_empty() { "" } else { " of this group" };
        Some(match self.estimate.rows_for(doubt, self.rows as f64, self.shape) {
            Some(rows) => format!("{doubt}: about {} rows{of_group} settle it", grouped(significant(rows, 2) as u128)),
            None => format!("{doubt}: no number of rows settles it"),
        })
    }
}
