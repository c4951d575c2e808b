//! Computes figures of a corpus: from SQL expressions, weights and groups to estimates with errors.
//!
//! ```text
//!   expression    a number           mean, standard deviation, quantiles; shares too when there are few values
//!                 a flag             share of the rows for which it is true
//!                 a text             share of every value
//!   cluster       the full grid      rows dug from one grid are not independent
//!   weight        exp(log_weight)    rows whose weights are not on one scale are refused, not pooled
//! ```

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::question::{END_OF_VALUE, FiguresQuery, NO_VALUE, Question, Row, USUAL_QUANTILES, one_scale};
use crate::corpus::{Answer, AskLimits, ColumnType, CorpusError, Levels, SqlValue};
use crate::study::Table;
use crate::study::estimates::{AskedFigures, Blocks, Figure, Finding, exact_text_of, number_of, text_of};
use sudoku_corpus_core::ladder::Level;

const MOST_GROUPS: usize = 1 << 12;
/// The logarithm of a weight may be larger than that of the first weight by this much.
const SPAN: f64 = 300.0;

/// The answer.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// The names of the expressions of `by`.
    pub by: Vec<String>,
    /// The figures, group by group. Each figure of each group has at least one finding.
    pub findings: Vec<Finding>,
    /// Notes for the reader: which weights were used, which rows are missing.
    pub notes: Vec<String>,
    /// How the figures were made: names and texts.
    pub made: Vec<(&'static str, String)>,
}

pub(super) struct Group {
    /// The values of the expressions of `by`.
    pub name: Vec<String>,
    /// The same values with all digits.
    exact_name: Vec<String>,
    /// The place of the origin of its first row among the origins. With weights, all rows have this one.
    origin: usize,
    pub figures: Vec<Figure>,
    /// Its rows.
    pub rows: u64,
}

/// The rows of a question, added up group by group.
pub(super) struct QuestionRows<'a> {
    pub question: &'a Question<'a>,
    /// Whether each figure and each expression of `by` is a condition. SQLite has no type for its values.
    pub flags: Vec<bool>,
    /// True if the first row has a weight.
    weighted: Option<bool>,
    /// The logarithm of the unit of weights.
    unit: f64,
    /// All rows that were read, also those that do not count.
    rows_read: u64,
    pub rows: RowCounts,
    /// The weights of all rows.
    pub weights: Blocks,
    /// Shape, method, plan and, where scales differ, the source: each as [`key_of`] writes them.
    pub origins: Vec<String>,
    pub groups: Vec<Group>,
    /// The place of each group, by [`key_of`] its values.
    places: HashMap<String, usize>,
}

/// Numbers of rows that count.
#[derive(Clone, Copy, Default)]
pub(super) struct RowCounts {
    pub with_weight: u64,
    pub without_weight: u64,
}

/// Computes figures of a table. One SQL query asks for all that is needed of each row.
///
/// # Errors
/// SQL that is not understood; weights that are missing or not on one scale; no rows; a file that cannot be read.
pub fn ask(table: &Table, query: &FiguresQuery) -> Result<Figures, CorpusError> {
    let question = Question::of(table, query)?;
    QuestionRows::of(&question)?.figures()
}

/// Some values as one text, which is written into `key`.
fn key_of<'a>(key: &'a mut String, values: &[SqlValue]) -> &'a str {
    key.clear();
    for value in values {
        match value {
            SqlValue::Text(text) => key.push_str(text),
            SqlValue::Integer(number) => _ = write!(key, "{number}"),
            SqlValue::Real(number) => _ = write!(key, "{number}"),
            SqlValue::Null | SqlValue::Blob(_) => key.push(NO_VALUE),
        }
        key.push(END_OF_VALUE);
    }
    key
}

impl<'a> QuestionRows<'a> {
    /// Reads all rows.
    pub(super) fn of(question: &'a Question<'a>) -> Result<QuestionRows<'a>, CorpusError> {
        let mut reading = QuestionRows {
            question,
            flags: question.conditions.clone(),
            weighted: None,
            unit: 0.0,
            rows_read: 0,
            rows: RowCounts::default(),
            weights: Blocks::default(),
            origins: Vec::new(),
            groups: Vec::new(),
            places: HashMap::new(),
        };
        question.table.ask_in_batches(&question.sql, &AskLimits::default(), |answer| reading.take(&answer))??;
        let RowCounts { with_weight, without_weight } = reading.rows;
        let rows = with_weight + without_weight;
        if without_weight > 0 && (with_weight > 0 || question.query.log_weight.is_some()) {
            let weight = match question.query.log_weight.as_deref() {
                None => "log_weight".to_owned(),
                Some(name) if name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') => name.to_owned(),
                Some(expression) => format!("({expression})"),
            };
            return Err(CorpusError::Query(format!(
                "{without_weight} of {rows} rows have no weight: exclude them with --where '{weight} IS NOT NULL', or ignore the weights with \
                 --unweighted"
            )));
        }
        if rows == 0 {
            let which =
                if question.query.condition.is_some() { "no row meets the condition" } else { "there are no rows" };
            return Err(CorpusError::Query(format!("{which}: there is nothing to compute")));
        }
        reading.check_options()?;
        Ok(reading)
    }

    /// Refuses options about numbers if no figure is one.
    fn check_options(&self) -> Result<(), CorpusError> {
        let figures = self.groups.iter().flat_map(|group| &group.figures);
        let types: Vec<ColumnType> = figures.filter_map(Figure::value_type).collect();
        let has_no_number = !types.is_empty() && !types.contains(&ColumnType::Real);
        let query = self.question.query;
        let asked = [
            ("--bins", query.classes.is_some()),
            ("--quantiles", !query.quantiles.is_empty() && query.quantiles != USUAL_QUANTILES),
        ];
        match asked.iter().find(|(_, is_asked)| *is_asked) {
            Some((option, _)) if has_no_number => {
                Err(CorpusError::Query(format!("{option} has no effect here: it needs a figure that is a number")))
            }
            _ => Ok(()),
        }
    }

    fn take(&mut self, answer: &Answer) -> Result<(), CorpusError> {
        for (column, flag) in self.flags.iter_mut().enumerate() {
            *flag |= answer.is_flag(column);
        }
        let mut key = String::new();
        // Consecutive rows mostly have the same origin and often the same group: then nothing is looked up.
        let mut last_origin: Option<(&[SqlValue], usize)> = None;
        let mut last_group: Option<(&[SqlValue], usize)> = None;
        for values in answer.rows() {
            let number = self.rows_read;
            self.rows_read += 1;
            let Some(row) = self.question.row(values, number) else { continue };
            let origin = match last_origin {
                Some((same, origin)) if same == row.origin => origin,
                _ => self.place_of_origin(key_of(&mut key, row.origin)),
            };
            last_origin = Some((row.origin, origin));
            let Some(weight) = self.weight(row.log)? else { continue };
            let group = match last_group {
                Some((same, group)) if same == row.group => group,
                _ => self.place_of_group(key_of(&mut key, row.group), row.group, origin)?,
            };
            last_group = Some((row.group, group));
            self.add(group, origin, &row, weight)?;
        }
        Ok(())
    }

    /// The weight of a row as a multiple of the first one. None if this row has a weight and the first one has not, or
    /// the other way round: then the rows are counted to the end, for the message.
    fn weight(&mut self, log: Option<f64>) -> Result<Option<f64>, CorpusError> {
        match log {
            Some(_) => self.rows.with_weight += 1,
            None => self.rows.without_weight += 1,
        }
        if self.weighted.is_none() {
            self.unit = log.unwrap_or(0.0);
        }
        let weighted = *self.weighted.get_or_insert(log.is_some());
        if weighted != log.is_some() {
            return Ok(None);
        }
        let weight = self.question.weight(log, self.unit);
        if weight > SPAN.exp() {
            return Err(CorpusError::Query(format!("two weights differ by a factor of more than e^{SPAN}")));
        }
        Ok(Some(weight))
    }

    fn add(&mut self, group: usize, origin: usize, row: &Row<'_>, weight: f64) -> Result<(), CorpusError> {
        let group = &mut self.groups[group];
        if self.weighted == Some(true) && group.origin != origin {
            return Err(one_scale(&group.name, &self.origins[group.origin], &self.origins[origin]));
        }
        let mut bounds = row.bounds.iter();
        group.rows += 1;
        self.weights.add(row.place.grid.into(), weight);
        for (number, (figure, value)) in group.figures.iter_mut().zip(row.figures).enumerate() {
            figure.add(value, self.flags[number], row.place, weight).map_err(CorpusError::Query)?;
            if self.question.bounded[number] {
                let is_bound = bounds.next().and_then(number_of).is_some_and(|bound| bound != 0.0);
                figure.bounds += u64::from(is_bound && !matches!(value, SqlValue::Null));
            }
        }
        Ok(())
    }

    /// The place of an origin, which is added if it is new.
    fn place_of_origin(&mut self, key: &str) -> usize {
        if let Some(place) = self.origins.iter().rposition(|origin| origin == key) {
            return place;
        }
        self.origins.push(key.to_owned());
        self.origins.len() - 1
    }

    /// The place of a group, which is added if it is new.
    fn place_of_group(&mut self, key: &str, values: &[SqlValue], origin: usize) -> Result<usize, CorpusError> {
        if let Some(&place) = self.places.get(key) {
            return Ok(place);
        }
        if self.groups.len() == MOST_GROUPS {
            return Err(CorpusError::Query(format!("--by gives more than {MOST_GROUPS} groups")));
        }
        let weighted = self.weighted == Some(true);
        let flags = &self.flags[self.question.names.len()..];
        let classes = self.question.query.classes;
        let mut figures: Vec<Figure> = self.question.names.iter().map(|_| Figure::new(weighted, classes)).collect();
        if let Some(shares) = &self.question.shares {
            for figure in &mut figures {
                figure.sample.strata = Some(Arc::clone(&shares.strata));
            }
        }
        let (mut name, mut exact_name) = (Vec::new(), Vec::new());
        for (value, &is_flag) in values.iter().zip(flags) {
            name.push(text_of(value, is_flag));
            exact_name.push(exact_text_of(value, is_flag));
        }
        self.groups.push(Group { name, exact_name, origin, figures, rows: 0 });
        self.places.insert(key.to_owned(), self.groups.len() - 1);
        Ok(self.groups.len() - 1)
    }

    /// The weight of a row of a later reading, as a multiple of the first one.
    pub(super) fn weight_again(&self, row: &Row<'_>) -> f64 {
        if self.weighted == Some(true) { self.question.weight(row.log, self.unit) } else { 1.0 }
    }

    /// Gives groups of one name their exact names.
    fn tell_names_apart(&mut self) {
        let mut times: HashMap<Vec<String>, usize> = HashMap::new();
        for group in &self.groups {
            *times.entry(group.name.clone()).or_default() += 1;
        }
        for group in self.groups.iter_mut().filter(|group| times[&group.name] > 1) {
            group.name.clone_from(&group.exact_name);
        }
    }

    pub(super) fn figures(mut self) -> Result<Figures, CorpusError> {
        self.tell_names_apart();
        // Groups in the order of their values: numbers by size, levels by difficulty, then texts.
        let key = |text: &String| text.parse::<f64>().ok().or(level_of(text)).unwrap_or(f64::INFINITY);
        self.groups.sort_by(|Group { name: a, .. }, Group { name: b, .. }| {
            let numbers = a.iter().map(key).partial_cmp(b.iter().map(key));
            numbers.unwrap_or(std::cmp::Ordering::Equal).then_with(|| a.cmp(b))
        });
        let notes = self.notes(self.weighted == Some(true))?;
        let made = self.made(&notes[0]);
        let by = self.question.by.clone();
        let histogram = self.question.query.drawn && by.is_empty();
        let asked = AskedFigures { quantiles: &self.question.query.quantiles, histogram };
        let mut findings = Vec::new();
        for group in &self.groups {
            for (figure, name) in group.figures.iter().zip(&self.question.names) {
                let about = figure.about(&group.name, name);
                for (statistic, estimate) in figure.estimates(&asked) {
                    findings.push(Finding { statistic, estimate, ..about.clone() });
                }
            }
        }
        Ok(Figures { by, findings, notes, made })
    }
}

/// The place of a level of the newspaper's or HoDoKu's scale in the order of levels.
pub(super) fn level_of(text: &str) -> Option<f64> {
    match Levels::default().keys().position(|key| key == text) {
        Some(place) if place < Level::Extreme as usize => Some(place as f64),
        _ => text.parse::<Level>().ok().map(|level| f64::from(level as u8)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::figures::shares::TargetShares;

    /// The figures of a table of 400 rows: `x` has 40 numbers, `y` is 0 or 1.
    fn asked(query: FiguresQuery) -> Result<Figures, CorpusError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        let mut text = "row,shape,givens,minimal,x,y,weight\n".to_owned();
        for row in 0..400 {
            let (givens, y) = (24 + row % 6, row * 7 % 11 % 2);
            text += &format!("{row},3x3,{givens},true,{},{y},\n", row % 40);
        }
        std::fs::write(&path, text).unwrap();
        ask(&Table::open(&[path]).unwrap(), &query)
    }

    fn figures(figures: &str) -> FiguresQuery {
        FiguresQuery { figures: figures.to_owned(), ..FiguresQuery::default() }
    }

    #[test]
    fn infinite_values_are_not_called_null() {
        let some = asked(figures("CASE WHEN x < 10 THEN 9e999 WHEN x < 15 THEN NULL ELSE x END AS z")).unwrap();
        for words in ["'z' is infinite in 100 of 400 rows", "'z' is NULL in 50 of 400 rows"] {
            assert!(some.notes.iter().any(|note| note.contains(words)), "{words}: {:?}", some.notes);
        }
        let all = asked(figures("-9e999 AS z")).unwrap();
        assert!(all.notes.iter().any(|note| note == "'z' is infinite in all rows that are used"), "{:?}", all.notes);
    }

    #[test]
    fn the_advice_about_missing_weights_names_their_column() {
        for (weight, advice) in [("weight", "--where 'weight IS NOT NULL'"), ("-weight", "'(-weight) IS NOT NULL'")] {
            let query = FiguresQuery { log_weight: Some(weight.to_owned()), ..figures("x") };
            let error = asked(query).unwrap_err().to_string();
            assert!(error.contains(advice), "{error}");
        }
    }

    #[test]
    fn two_groups_have_two_names() {
        let groups = |by: &str| {
            let all = asked(FiguresQuery { by: Some(by.to_owned()), ..figures("x") }).unwrap();
            let mut names: Vec<String> = all.findings.iter().map(|finding| finding.group.join(",")).collect();
            names.dedup();
            names
        };
        assert_eq!(groups("CASE y WHEN 0 THEN 0.3 ELSE 0.1 + 0.2 END AS z"), ["0.3", "0.30000000000000004"]);
        assert_eq!(groups("CASE y WHEN 0 THEN '' END AS z"), ["", "NULL"]);
        assert_eq!(groups("CASE y WHEN 0 THEN 'a' END AS z"), ["", "a"]);
    }

    #[test]
    fn what_the_published_shares_give_is_no_finding() {
        let query = FiguresQuery {
            shares: Some(TargetShares::Published),
            quantiles: vec![50.0],
            ..figures("givens, givens < 26 AS few, y = 1 AS one")
        };
        for finding in asked(query).unwrap().findings {
            let is_given = finding.doubt().is_some_and(|doubt| doubt.contains("no finding"));
            assert_eq!(is_given, finding.figure != "one", "{finding:?}");
            assert_eq!(finding.estimate.reliable().0.is_nan(), is_given, "{finding:?}");
        }
    }
}
