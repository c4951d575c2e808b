//! Figures of a corpus: from SQL expressions, weights and groups to estimates with errors.
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

use super::expressions::expressions;
use super::sample::{Blocks, Pair};
use super::values::{Figure, Finding, label, number_of};
use crate::corpus::{Answer, AskLimits, CorpusError, SqlValue, is_condition};
use crate::study::Table;
use sudoku_corpus_core::generate::MethodName;
use sudoku_corpus_core::random::finalise;

/// The largest number of groups.
const GROUPS: usize = 1 << 12;
/// The largest difference of the logarithms of two weights that are added.
const SPAN: f64 = 300.0;

/// A query for figures of a table.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct FiguresQuery {
    /// Columns or SQL expressions, separated by commas; each may have a name: `score / 100.0 AS points`.
    pub figures: String,
    /// Columns or SQL expressions by which to group: the figures are computed for each of their values.
    #[cfg_attr(feature = "cli", arg(long, value_name = "EXPRESSIONS"))]
    pub by: Option<String>,
    /// Use only the rows that satisfy this SQL condition.
    #[cfg_attr(feature = "cli", arg(long = "where", value_name = "CONDITION"))]
    pub condition: Option<String>,
    /// Ignore weights: every row counts once.
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "log_weight"))]
    pub unweighted: bool,
    /// The natural logarithm of the weight, as an SQL expression; the column log_weight by default.
    #[cfg_attr(feature = "cli", arg(long, value_name = "EXPRESSION", allow_hyphen_values = true))]
    pub log_weight: Option<String>,
    /// An SQL expression that is equal for rows of the same grid; the column solution by default.
    #[cfg_attr(feature = "cli", arg(long, value_name = "EXPRESSION"))]
    pub grid: Option<String>,
    /// Quantiles to compute, in per cent.
    #[cfg_attr(feature = "cli", arg(long, value_name = "PER CENT", value_delimiter = ',', default_value = "25,50,75"))]
    pub quantiles: Vec<f64>,
    /// Also estimate how many minimal puzzles a grid has, for each value of the figure.
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "unweighted"))]
    pub total: bool,
    /// Also compute the correlation of every two figures that are numbers or flags.
    #[cfg_attr(feature = "cli", arg(long))]
    pub correlations: bool,
    /// Also compute the difference and the ratio of each mean, or share of true, to that of the first group.
    #[cfg_attr(feature = "cli", arg(long, requires = "by"))]
    pub compare: bool,
    /// Also fit a straight line of one figure on another: 'er ~ givens'.
    #[cfg_attr(feature = "cli", arg(long = "fit", value_name = "Y ~ X"))]
    pub fits: Vec<String>,
}

/// The answer.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// The names of the expressions of `by`.
    pub by: Vec<String>,
    /// The figures, group by group.
    pub findings: Vec<Finding>,
    /// Notes for the reader: which weights were used, which rows are missing.
    pub notes: Vec<String>,
    /// How the figures were made: names and texts.
    pub made: Vec<(&'static str, String)>,
}

/// One group of rows.
struct Group {
    name: Vec<String>,
    /// The origin of its rows.
    origin: usize,
    figures: Vec<Figure>,
    pairs: Vec<Pair>,
}

/// Shape, method, plan and, where scales differ, the source; with the number of tries of all rows.
struct SampleOrigin {
    name: String,
    tries: Blocks,
}

/// What a query asks for, and what is known so far.
struct Reading<'a> {
    query: &'a FiguresQuery,
    names: Vec<String>,
    by: Vec<String>,
    /// Whether each figure and each expression of `by` is a condition. SQLite has no type for its values.
    conditions: Vec<bool>,
    /// The figures of each correlation or fit.
    pairs: Vec<(usize, usize)>,
    /// True if the first row has a weight.
    weighted: Option<bool>,
    /// The logarithm of the unit of weights.
    unit: f64,
    /// Rows without a weight, and with one.
    rows: [u64; 2],
    origins: Vec<SampleOrigin>,
    groups: Vec<Group>,
    places: HashMap<String, usize>,
}

/// The error of a wrong query.
fn wrong(reason: impl Into<String>) -> CorpusError {
    CorpusError::Query(reason.into())
}

/// Computes figures of a table.
///
/// # Errors
/// SQL that is not understood; weights that are missing or not on one scale; a file that cannot be read.
pub fn ask(table: &Table, query: &FiguresQuery) -> Result<Figures, CorpusError> {
    let figures = expressions(&query.figures);
    if figures.is_empty() {
        return Err(wrong("nothing to compute: name columns or SQL expressions, separated by commas"));
    }
    let by = query.by.as_deref().map(expressions).unwrap_or_default();
    let has = |column: &str| table.columns().iter().any(|known| known == column);
    let or_null = |column: &str| if has(column) { column.to_owned() } else { "NULL".to_owned() };
    let log = match &query.log_weight {
        _ if query.unweighted => "NULL".to_owned(),
        Some(expression) => expression.clone(),
        None => or_null("log_weight"),
    };
    let grid = query.grid.clone().unwrap_or_else(|| or_null("solution"));
    let source = if table.differing_scales().is_some() { "source" } else { "NULL" };
    let mut fixed = vec![log, grid, or_null("shape"), or_null("method"), or_null("plan"), source.to_owned()];
    let mut condition = query.condition.as_ref().map_or(String::new(), |text| format!(" WHERE {text}"));
    if query.total {
        // Rows that are not used count as tries too.
        fixed.push(or_null("tries"));
        fixed.extend(query.condition.as_ref().map(|text| format!("({text})")));
        condition.clear();
    }
    let all = figures.iter().chain(&by).map(|(expression, _)| expression).chain(&fixed);
    let listed: Vec<String> = all.enumerate().map(|(at, expression)| format!("{expression} AS stats_{at}")).collect();
    let sql = format!("SELECT {} FROM puzzles{condition}", listed.join(", "));
    let conditions = figures.iter().chain(&by).map(|(expression, _)| is_condition(expression)).collect();
    let [names, by] = [figures, by].map(|list| list.into_iter().map(|(_, name)| name).collect::<Vec<_>>());
    let mut reading = Reading {
        query,
        by,
        conditions,
        pairs: pairs_of(query, &names)?,
        names,
        weighted: None,
        unit: 0.0,
        rows: [0; 2],
        origins: Vec::new(),
        groups: Vec::new(),
        places: HashMap::new(),
    };
    table.ask_in_batches(&sql, &AskLimits::default(), |answer| reading.take(&answer).map_err(wrong))??;
    reading.found(table)
}

/// The places of the figures of each fit and each correlation.
fn pairs_of(query: &FiguresQuery, names: &[String]) -> Result<Vec<(usize, usize)>, CorpusError> {
    let place = |name: &str| {
        let found = names.iter().position(|known| known == name.trim());
        found.ok_or_else(|| wrong(format!("'{}' is not one of the figures: {}", name.trim(), names.join(", "))))
    };
    let fit = |fit: &String| {
        let (y, x) = fit.split_once('~').ok_or_else(|| wrong(format!("'{fit}' is not of the form 'y ~ x'")))?;
        Ok((place(x)?, place(y)?))
    };
    let mut pairs: Vec<(usize, usize)> = query.fits.iter().map(fit).collect::<Result<_, CorpusError>>()?;
    if query.correlations {
        pairs.extend((0..names.len()).flat_map(|b| (0..b).map(move |a| (a, b))));
    }
    Ok(pairs)
}

fn text_of(value: &SqlValue, is_flag: bool) -> String {
    match value {
        SqlValue::Null | SqlValue::Blob(_) => String::new(),
        SqlValue::Integer(flag) if is_flag => (*flag != 0).to_string(),
        SqlValue::Integer(number) => number.to_string(),
        SqlValue::Real(number) => label(*number),
        SqlValue::Text(text) => text.clone(),
    }
}

/// A hash of the name of a grid, the same on every machine.
fn hash_of(name: &str) -> u64 {
    name.as_bytes().chunks(8).fold(name.len() as u64, |hash, part| {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        finalise(hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from_le_bytes(word))
    })
}

/// Some values as a key.
fn key_of<'a>(key: &'a mut String, values: &[SqlValue]) -> &'a str {
    key.clear();
    for value in values {
        match value {
            SqlValue::Text(text) => key.push_str(text),
            SqlValue::Integer(number) => _ = write!(key, "{number}"),
            SqlValue::Real(number) => _ = write!(key, "{number}"),
            SqlValue::Null | SqlValue::Blob(_) => key.push('\u{1}'),
        }
        key.push('\0');
    }
    key
}

impl Reading<'_> {
    fn take(&mut self, answer: &Answer) -> Result<(), String> {
        for (at, flag) in self.conditions.iter_mut().enumerate() {
            *flag |= answer.is_flag(at);
        }
        let (figures, by) = (self.names.len(), self.by.len());
        let mut key = String::new();
        // Consecutive rows mostly have the same origin and often the same group.
        let mut last: Option<(&[SqlValue], usize)> = None;
        let mut last_group: Option<(&[SqlValue], usize)> = None;
        for row in answer.rows() {
            let (figures, rest) = row.split_at(figures);
            let (group, rest) = rest.split_at(by);
            let [log, grid, rest @ ..] = rest else {
                return Err("a column is missing".to_owned());
            };
            let (from, rest) = rest.split_at(rest.len().min(4));
            let origin = match last {
                Some((same, origin)) if same == from => origin,
                _ => self.origin(key_of(&mut key, from)),
            };
            last = Some((from, origin));
            let grid = match grid {
                // A row without a grid counts as a grid of its own.
                SqlValue::Null => (self.rows[0] + self.rows[1]).wrapping_mul(0x9E37_79B9_7F4A_7C15).swap_bytes(),
                SqlValue::Text(text) => hash_of(text),
                grid => hash_of(&text_of(grid, false)),
            };
            if let Some(tries) = rest.first() {
                let block = grid as usize % super::sample::BLOCKS;
                self.origins[origin].tries.add(block, number_of(tries).unwrap_or(1.0));
                // The condition of the rows that are used, if there is one.
                if rest.get(1).is_some_and(|used| number_of(used).unwrap_or(0.0) == 0.0) {
                    continue;
                }
            }
            let log = number_of(log);
            self.rows[usize::from(log.is_some())] += 1;
            let weighted = *self.weighted.get_or_insert(log.is_some());
            if weighted && self.rows[1] == 1 && self.rows[0] == 0 {
                self.unit = log.unwrap_or(0.0);
            }
            if weighted != log.is_some() {
                // The missing weights are counted to the end, for the message.
                continue;
            }
            let over = log.unwrap_or(0.0) - self.unit;
            if over > SPAN {
                return Err(format!("two weights differ by a factor of more than e^{SPAN}"));
            }
            let at = match last_group {
                Some((same, at)) if same == group => at,
                _ => self.group(key_of(&mut key, group), group, origin)?,
            };
            last_group = Some((group, at));
            let group = &mut self.groups[at];
            if weighted && group.origin != origin {
                return Err(one_scale(&group.name, &self.origins[group.origin].name, &self.origins[origin].name));
            }
            let weight = if weighted { over.exp() } else { 1.0 };
            for ((figure, value), flag) in group.figures.iter_mut().zip(figures).zip(&self.conditions) {
                figure.add(value, *flag, grid, weight)?;
            }
            for (pair, &(x, y)) in group.pairs.iter_mut().zip(&self.pairs) {
                if let (Some(x), Some(y)) = (number_of(&figures[x]), number_of(&figures[y])) {
                    pair.add(grid, weight, x, y);
                }
            }
        }
        Ok(())
    }

    /// The place of an origin.
    fn origin(&mut self, key: &str) -> usize {
        self.origins.iter().rposition(|origin| origin.name == key).unwrap_or_else(|| {
            self.origins.push(SampleOrigin { name: key.to_owned(), tries: Blocks::default() });
            self.origins.len() - 1
        })
    }

    fn group(&mut self, key: &str, values: &[SqlValue], origin: usize) -> Result<usize, String> {
        if let Some(&at) = self.places.get(key) {
            return Ok(at);
        }
        if self.groups.len() == GROUPS {
            return Err(format!("--by gives more than {GROUPS} groups"));
        }
        let weighted = self.weighted == Some(true);
        let flags = &self.conditions[self.names.len()..];
        self.groups.push(Group {
            name: values.iter().zip(flags).map(|(value, flag)| text_of(value, *flag)).collect(),
            origin,
            figures: self.names.iter().map(|_| Figure::new(weighted)).collect(),
            pairs: self.pairs.iter().map(|_| Pair::new(weighted)).collect(),
        });
        self.places.insert(key.to_owned(), self.groups.len() - 1);
        Ok(self.groups.len() - 1)
    }

    fn found(mut self, table: &Table) -> Result<Figures, CorpusError> {
        let [without, with] = self.rows;
        if without > 0 && (with > 0 || self.query.log_weight.is_some()) {
            return Err(wrong(format!(
                "{without} of {} rows have no weight: exclude them with --where 'log_weight IS NOT NULL', or ignore the weights with \
                 --unweighted",
                with + without
            )));
        }
        let weighted = with > 0;
        // Groups in the order of their values: numbers by size, then texts.
        let key = |text: &String| text.parse::<f64>().unwrap_or(f64::INFINITY);
        self.groups.sort_by(|Group { name: a, .. }, Group { name: b, .. }| {
            let numbers = a.iter().map(key).partial_cmp(b.iter().map(key));
            numbers.unwrap_or(std::cmp::Ordering::Equal).then_with(|| a.cmp(b))
        });
        let mut found = Figures { by: self.by.clone(), notes: self.notes(table, weighted), ..Figures::default() };
        found.made = self.made(table, &found.notes[0]);
        for group in &self.groups {
            let tries = Some((&self.origins[group.origin].tries, self.unit)).filter(|_| self.query.total && weighted);
            for (at, figure) in group.figures.iter().enumerate().filter(|(_, figure)| figure.is_known()) {
                let about = figure.about(&group.name, &self.names[at]);
                let of = |statistic, estimate| Finding { statistic, estimate, ..about.clone() };
                let estimates = figure.estimates(&self.query.quantiles, tries);
                found.findings.extend(estimates.into_iter().map(|(statistic, estimate)| of(statistic, estimate)));
                let first = &self.groups[0];
                if let Some(estimates) =
                    figure.compared(&first.figures[at]).filter(|_| self.query.compare && first.name != group.name)
                {
                    let named = ["difference from", "ratio to"].map(|word| format!("{word} {}", first.name.join(", ")));
                    found.findings.extend(named.into_iter().zip(estimates).map(|(name, estimate)| of(name, estimate)));
                }
            }
            found.findings.extend(self.of_pairs(group));
        }
        Ok(found)
    }

    /// Correlations and fits of the rows that know both figures.
    fn of_pairs(&self, group: &Group) -> Vec<Finding> {
        let mut found = Vec::new();
        for (at, (&(x, y), pair)) in self.pairs.iter().zip(&group.pairs).enumerate() {
            if pair.sample.rows == 0 || group.figures[x].is_text() || group.figures[y].is_text() {
                continue;
            }
            let (first, second) = (&self.names[x], &self.names[y]);
            let correlation = pair.correlation();
            let of = |name: String, statistic: &str, estimate| Finding {
                statistic: statistic.to_owned(),
                estimate,
                ..Finding::of(&pair.sample, &group.name, &name)
            };
            // There is no line and no correlation if one of the figures never varies.
            if !correlation.value.is_finite() {
                continue;
            }
            if at < self.query.fits.len() {
                let fit = pair.fit().into_iter().zip(["slope", "intercept"]);
                found.extend(fit.map(|(estimate, statistic)| of(format!("{second} ~ {first}"), statistic, estimate)));
            }
            found.push(of(format!("{first} and {second}"), "correlation", correlation));
        }
        found
    }

    fn notes(&self, table: &Table, weighted: bool) -> Vec<String> {
        let fair = |origin: &SampleOrigin| {
            let method = origin.name.split('\0').nth(1).unwrap_or("").split(':').next().unwrap_or("");
            method.parse().ok().is_none_or(MethodName::can_be_weighed)
        };
        let unfair = self.origins.iter().find(|origin| !fair(origin)).map(|origin| readable(&origin.name));
        let mut notes = vec![match (weighted, &self.query.log_weight, unfair) {
            (true, None, Some(origin)) => format!(
                "weighted by exp(log_weight), which undoes the bias of digging only: the grids of '{origin}' are no fair sample of \
                 all grids, and neither are these puzzles of all minimal puzzles"
            ),
            (true, Some(expression), _) => format!("weighted by exp({expression})"),
            (true, ..) => "weighted by exp(log_weight): the figures estimate all minimal puzzles".to_owned(),
            (false, ..) if self.query.unweighted => "unweighted: the figures describe only these rows".to_owned(),
            (false, ..) => "these rows have no weights: the figures describe only these rows".to_owned(),
        }];
        if self.origins.len() > 1 {
            let shown: Vec<String> = self.origins.iter().take(6).map(|origin| readable(&origin.name)).collect();
            let more = if self.origins.len() > 6 { ", ..." } else { "" };
            notes.push(format!(
                "the figures mix rows of {} kinds (shape, method, plan): {}{more}; --by separates them",
                self.origins.len(),
                shown.join(", ")
            ));
        }
        notes.extend(table.differing_scales().map(str::to_owned));
        if self.groups.is_empty() {
            notes.push("no rows are used".to_owned());
        }
        for (at, name) in self.names.iter().enumerate().filter(|_| !self.groups.is_empty()) {
            if self.groups.iter().all(|group| !group.figures[at].is_known()) {
                notes.push(format!("'{name}' is NULL in all {} rows that are used", self.rows[0] + self.rows[1]));
            }
        }
        notes
    }

    /// How the figures are made.
    fn made(&self, table: &Table, weights: &str) -> Vec<(&'static str, String)> {
        let made = table.made();
        let origins: Vec<String> = self.origins.iter().map(|origin| readable(&origin.name)).collect();
        let mut all = vec![
            ("figures", self.query.figures.clone()),
            ("by", self.query.by.clone().unwrap_or_default()),
            ("where", self.query.condition.clone().unwrap_or_default()),
            ("weights", weights.to_owned()),
            ("rows", (self.rows[0] + self.rows[1]).to_string()),
            ("plans", origins.join("; ")),
            ("sources", made.sources.join("; ")),
            ("seeds", made.seeds.join("; ")),
            ("versions", made.versions.join("; ")),
        ];
        all.retain(|(_, text)| !text.is_empty());
        all
    }
}

/// An origin in words.
fn readable(origin: &str) -> String {
    origin.split('\0').filter(|part| !part.is_empty() && *part != "\u{1}").collect::<Vec<_>>().join(" ")
}

/// The refusal of rows of different plans, methods or shapes, whose weights cannot be compared.
fn one_scale(group: &[String], first: &str, other: &str) -> String {
    let place = if group.is_empty() { String::new() } else { format!(" (in {})", group.join(", ")) };
    let by = if first.ends_with("\u{1}\0") { "" } else { ",source" };
    format!(
        "weights of '{}' and of '{}' cannot be compared{place}: separate them with --by shape,method,plan{by}, select with \
         --where, or ignore the weights with --unweighted",
        readable(first),
        readable(other)
    )
}
