//! The answer to a question about the boards of one shape.

use std::borrow::Cow;

use serde::Deserialize;

use super::Board;
use crate::study::estimates::Estimate;
use crate::study::numbers::Number;
use crate::study::tally::{Joint, Tally};
use sudoku_corpus_core::page::numbers::{grouped, tenths};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// A column for each value, or for each bin of values.
    Columns,
    /// A horizontal bar for each line of `lines`.
    Bars,
    /// A dot for each technique.
    Techniques,
    /// Bins of equal ratio, with a colour for each value of the first number.
    Stacks,
    /// A falling line: the share of puzzles above each value.
    Falling,
    /// For each value of the first number, the shares of the values of the second.
    Heat,
    /// For each value of the first number, the quartiles of the second.
    Boxes,
}

/// The answer to a question about one board.
pub(super) struct ReportAnswer<'a> {
    pub board: &'a Board<'a>,
    pub kind: Kind,
    /// The first number, of a pair; otherwise the number.
    pub by: Number,
    pub number: Number,
    /// How often each value of the number occurs; of a pair, in the rows that have both.
    pub tally: Cow<'a, Tally>,
    pub joint: Option<&'a Joint>,
    /// The label of the axis of values.
    pub label: String,
    /// The first columns of the data.
    pub columns: Vec<String>,
}

impl<'a> ReportAnswer<'a> {
    pub(super) fn of(board: &'a Board<'a>, kind: Kind, asked: &[Number]) -> Option<ReportAnswer<'a>> {
        let (by, number) = (*asked.first()?, *asked.last()?);
        let joint = (asked.len() > 1).then(|| board.answers.pair(by, number));
        let tally = match joint {
            Some(joint) => Cow::Owned(joint.second()),
            None if number == Number::COPIES => Cow::Borrowed(&board.copies),
            None => Cow::Borrowed(board.answers.tally(number)),
        };
        let (label, columns) = Default::default();
        (tally.total() > 0).then_some(ReportAnswer { board, kind, by, number, tally, joint, label, columns })
    }

    /// Weighted shares of groups of values of the number. None if the weights are not good enough.
    pub(super) fn weighted(&self, groups: usize, group: impl Fn(u64) -> Option<usize>) -> Option<Vec<Estimate>> {
        self.board.weights()?.shares(self.number.weighted()?, groups, group)
    }

    /// Of how many puzzles the value is only a lower bound.
    pub(super) fn bounds(&self) -> u64 {
        self.number.bounds().map_or(0, |bounds| self.board.answers.tally(bounds).total())
    }

    /// Spearman's rank correlation of a pair.
    pub(super) fn rank(&self) -> Option<f64> {
        self.joint.and_then(Joint::rank_correlation)
    }
}

/// A number with some decimals, and a true minus sign unless it is zero.
pub(super) fn decimal(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.abs());
    if value < 0.0 && text.contains(|digit| ('1'..='9').contains(&digit)) { format!("\u{2212}{text}") } else { text }
}

/// A value as it is printed.
pub(super) fn shown(number: Number, value: u64) -> String {
    if number.is_in_tenths() { tenths(value) } else { grouped(value.into()) }
}
