//! What a reader of figures has to know: which weights were used, which rows are missing, how the figures were made.

use std::path::Path;

use super::ask::QuestionRows;
use super::question::{END_OF_VALUE, readable};
use crate::corpus::Result;
use crate::study::TargetPopulation;
use sudoku_corpus_core::generate::MethodName;
use sudoku_corpus_core::page::numbers::counted;

/// The origins that a note names.
const ORIGINS: usize = 6;

impl QuestionRows<'_> {
    /// The notes for the reader. The first says which weights were used.
    pub(super) fn notes(&self, weighted: bool) -> Result<Vec<String>> {
        let table = self.question.table;
        let mut notes = vec![self.weights_note(weighted)?];
        if self.origins.len() > 1 {
            let shown: Vec<String> = self.origins.iter().take(ORIGINS).map(|origin| readable(origin)).collect();
            let more = if self.origins.len() > ORIGINS { ", ..." } else { "" };
            notes.push(format!(
                "the figures mix rows of {} kinds (shape, method, plan): {}{more}; --by separates them",
                self.origins.len(),
                shown.join(", ")
            ));
        }
        notes.extend(table.notes(&self.question.query.sql()));
        notes.extend(self.question.shares.iter().filter_map(|shares| shares.note.clone()));
        let rows: u64 = self.groups.iter().map(|group| group.rows).sum();
        for (number, name) in self.question.names.iter().enumerate() {
            let (mut with_value, mut infinite, mut left_out) = (0, 0, 0);
            for group in &self.groups {
                let figure = &group.figures[number];
                with_value += figure.sample.rows;
                infinite += figure.infinite;
                left_out = left_out.max(figure.texts_left_out());
            }
            for (state, affected) in [("NULL", rows - with_value - infinite), ("infinite", infinite)] {
                if affected == rows {
                    notes.push(format!("'{name}' is {state} in all rows that are used"));
                } else if affected > 0 {
                    notes.push(format!(
                        "'{name}' is {state} in {affected} of {}: its figures are those of the others",
                        counted(rows, "row")
                    ));
                }
            }
            if left_out > 0 {
                notes.push(format!("'{name}' has {} of smaller shares, not shown", counted(left_out, "more value")));
            }
        }
        if !table.has("solution") && self.question.query.grid.is_none() {
            let grids: u64 = self.groups.iter().map(|group| group.figures[0].sample.grids()).sum();
            if grids < rows && table.has("puzzle") {
                notes.push("rows of one puzzle do not count as independent; --grid names another column".to_owned());
            }
        }
        Ok(notes)
    }

    /// Which weights were used, and whom the figures are about.
    fn weights_note(&self, weighted: bool) -> Result<String> {
        let (table, query) = (self.question.table, self.question.query);
        let unfair = self.origins.iter().find(|origin| has_biased_grids(origin));
        let by_shares = "weighted by the published shares of givens";
        let sources = self.question.table.made().sources.iter().map(Path::new);
        // The shares are those of all puzzles, whatever rows stand for them.
        let of_shares = TargetPopulation::of(std::iter::empty(), query.condition.as_deref())?.words();
        let population = TargetPopulation::of(sources, query.condition.as_deref())?.words();
        if self.question.shares.is_some() && (query.unweighted || !table.has("log_weight")) {
            return Ok(format!(
                "{by_shares}: the figures estimate all {of_shares} as far as those of one number of givens are alike"
            ));
        }
        if self.question.shares.is_some() {
            return Ok(format!(
                "{by_shares}, and within each number of givens by exp(log_weight): the figures estimate all {of_shares}"
            ));
        }
        Ok(match (weighted, &query.log_weight, unfair) {
            (true, Some(expression), _) => format!("weighted by exp({expression})"),
            (true, None, Some(origin)) => format!(
                "weighted by exp(log_weight), which undoes the bias of digging only: the grids of '{}' are no fair sample of all \
                 grids, and neither are these puzzles of all minimal puzzles",
                readable(origin)
            ),
            (true, None, None) => format!("weighted by exp(log_weight): the figures estimate all {population}"),
            (false, ..) if query.unweighted => "unweighted: the figures describe only these rows".to_owned(),
            (false, ..) => "these rows have no weights: the figures describe only these rows".to_owned(),
        })
    }

    /// How the figures are made: the name of each fact, and its text. Facts without a text are left out.
    pub(super) fn made(&self, weights: &str) -> Vec<(&'static str, String)> {
        let (made, query) = (self.question.table.made(), self.question.query);
        let origins: Vec<String> = self.origins.iter().map(|origin| readable(origin)).collect();
        let mut facts = vec![
            ("figures", query.figures.clone()),
            ("by", query.by.clone().unwrap_or_default()),
            ("where", query.condition.clone().unwrap_or_default()),
            ("weights", weights.to_owned()),
            ("rows", (self.rows.with_weight + self.rows.without_weight).to_string()),
            ("plans", origins.join("; ")),
            ("sources", made.sources.join("; ")),
            ("seeds", made.seeds.join("; ")),
            ("versions", made.versions.join("; ")),
        ];
        facts.retain(|(_, text)| !text.is_empty());
        facts
    }
}

/// True if the method of an origin makes grids that no weight turns into a fair sample of all grids. The method is the
/// second value of an origin.
fn has_biased_grids(origin: &str) -> bool {
    let method = origin.split(END_OF_VALUE).nth(1).unwrap_or("").split(':').next().unwrap_or("");
    method.parse().is_ok_and(|method: MethodName| !method.can_be_weighed())
}
