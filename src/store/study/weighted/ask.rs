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
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value as Json;

use super::expressions::expressions;
use super::sample::{Estimate, Sample};
use crate::corpus::{Answer, AskError, AskLimits, is_condition};
use crate::study::Table;

/// A number with at most this many different values gets a share for each of them.
const FEW_VALUES: usize = 24;
/// The values of a text that are shown: those with the largest shares.
const TEXT_VALUES: usize = 64;

/// Where the weights come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weights {
    /// `log_weight`, if the rows have it.
    Auto,
    /// Every row counts once.
    None,
    /// An SQL expression for the natural logarithm of the weight.
    Log(String),
}

/// A query for figures of a table.
#[derive(Clone, Debug)]
pub struct FiguresQuery {
    /// SQL expressions separated by commas, each with an optional `AS name`.
    pub figures: String,
    /// SQL expressions by whose values the rows are grouped.
    pub by: Option<String>,
    /// A condition for the rows to use.
    pub condition: Option<String>,
    /// Where the weights come from.
    pub weights: Weights,
    /// The SQL expression that names the grid of a row; `solution` by default.
    pub grid: Option<String>,
    /// Quantiles of numbers, each in 0..=1.
    pub quantiles: Vec<f64>,
    /// Also the number of minimal puzzles of a grid for which each flag or value holds.
    pub total: bool,
    /// Also the correlation of every two figures that are numbers or flags.
    pub correlations: bool,
}

/// One figure of one group.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The values of the expressions of `by`.
    pub group: Vec<String>,
    /// The expression, or its name.
    pub figure: String,
    /// `mean`, `sd`, `q50`, `share of hard`, ...
    pub statistic: String,
    /// The figure and its error.
    pub estimate: Estimate,
    /// Number of rows it is computed from.
    pub rows: usize,
    /// Number of grids among them.
    pub grids: usize,
    /// The effective sample size: the number of rows of equal weight with the same variance.
    pub effective: f64,
    /// Pareto-k of the weights; None without weights.
    pub shape: Option<f64>,
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
}

/// The values of one expression in all rows.
#[derive(Debug)]
enum Values {
    Unknown,
    Numbers(Vec<f64>),
    Flags(Vec<Option<bool>>),
    Texts(Vec<Option<u32>>, Vec<String>, HashMap<String, u32>),
}

/// The values that are read from the rows.
#[derive(Default)]
struct Rows {
    figures: Vec<Values>,
    /// Whether each figure and each expression of `by` is a condition. SQLite has no type for its values.
    conditions: Vec<bool>,
    groups: Vec<Vec<String>>,
    logs: Vec<Option<f64>>,
    grids: Vec<u64>,
    /// Shape, method and plan, as texts.
    origins: Vec<String>,
    tries: Vec<f64>,
}

/// The error of a wrong query.
fn wrong(reason: impl Into<String>) -> AskError {
    AskError::Query(reason.into())
}

/// Computes figures of a table.
///
/// # Errors
/// SQL that is not understood; weights that are missing or not on one scale; a file that cannot be read.
pub fn ask(table: &Table, question: &FiguresQuery) -> Result<Figures, AskError> {
    let figures = expressions(&question.figures);
    if figures.is_empty() {
        return Err(wrong("nothing to compute: name columns or SQL expressions, separated by commas"));
    }
    let by = question.by.as_deref().map(expressions).unwrap_or_default();
    let has = |column: &str| table.columns().iter().any(|known| known == column);
    let or_null = |column: &str| if has(column) { column.to_owned() } else { "NULL".to_owned() };
    let log = match &question.weights {
        Weights::Auto => or_null("log_weight"),
        Weights::None => "NULL".to_owned(),
        Weights::Log(expression) => expression.clone(),
    };
    let grid = question.grid.clone().unwrap_or_else(|| or_null("solution"));
    let fixed = [log, grid, or_null("tries"), or_null("shape"), or_null("method"), or_null("plan")];
    let all = figures.iter().chain(&by).map(|(expression, _)| expression).chain(&fixed);
    let listed: Vec<String> = all.enumerate().map(|(at, expression)| format!("{expression} AS stats_{at}")).collect();
    let condition = question.condition.as_ref().map_or(String::new(), |text| format!(" WHERE {text}"));
    let sql = format!("SELECT {} FROM puzzles{condition}", listed.join(", "));
    let conditions = figures.iter().chain(&by).map(|(expression, _)| is_condition(expression)).collect();
    let mut rows = Rows { figures: figures.iter().map(|_| Values::Unknown).collect(), conditions, ..Rows::default() };
    table.ask_in_batches(&sql, &AskLimits::default(), |answer| rows.take(&answer, by.len()).map_err(wrong))??;

    let mut found = Figures { by: by.into_iter().map(|(_, name)| name).collect(), ..Figures::default() };
    let weighted = rows.weighted(question)?;
    found.notes.extend(rows.notes(question, weighted));
    let names: Vec<String> = figures.into_iter().map(|(_, name)| name).collect();
    for (group, members) in rows.by_group() {
        if weighted {
            rows.one_scale(&group, &members)?;
        }
        for (values, name) in rows.figures.iter().zip(&names) {
            found.findings.extend(rows.findings(question, weighted, &group, &members, values, name));
        }
        if question.correlations {
            found.findings.extend(rows.correlations(weighted, &group, &members, &names));
        }
    }
    Ok(found)
}

fn text_of(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl Values {
    fn push(&mut self, value: &Json, before: usize) -> Result<(), String> {
        if let Values::Unknown = self {
            *self = match value {
                Json::Null => return Ok(()),
                Json::Bool(_) => Values::Flags(vec![None; before]),
                Json::Number(_) => Values::Numbers(vec![f64::NAN; before]),
                _ => Values::Texts(vec![None; before], Vec::new(), HashMap::new()),
            };
        }
        match (self, value) {
            (Values::Numbers(all), Json::Null) => all.push(f64::NAN),
            (Values::Numbers(all), value) => all.push(value.as_f64().ok_or("values of several types in one column")?),
            (Values::Flags(all), value) => all.push(value.as_bool()),
            (Values::Texts(all, ..), Json::Null) => all.push(None),
            (Values::Texts(all, names, known), value) => {
                let text = text_of(value);
                let next = names.len() as u32;
                let code = *known.entry(text).or_insert_with_key(|text| {
                    names.push(text.clone());
                    next
                });
                all.push(Some(code));
            }
            (Values::Unknown, _) => {}
        }
        Ok(())
    }
}

impl Rows {
    fn take(&mut self, answer: &Answer, by: usize) -> Result<(), String> {
        for at in 0..answer.len() {
            let mut row = answer.row(at)?;
            for (value, _) in row.iter_mut().zip(&self.conditions).filter(|(_, condition)| **condition) {
                *value = value.as_i64().map_or(Json::Null, |number| Json::Bool(number != 0));
            }
            let before = self.logs.len();
            let (figures, rest) = row.split_at(self.figures.len());
            for (values, value) in self.figures.iter_mut().zip(figures) {
                values.push(value, before)?;
            }
            let (group, rest) = rest.split_at(by);
            self.groups.push(group.iter().map(text_of).collect());
            let [log, grid, tries, shape, method, plan] = rest else { return Err("a column is missing".to_owned()) };
            self.logs.push(log.as_f64());
            self.grids.push(match grid {
                // A row without a grid counts as a grid of its own.
                Json::Null => before as u64,
                grid => {
                    let mut hasher = DefaultHasher::new();
                    text_of(grid).hash(&mut hasher);
                    hasher.finish()
                }
            });
            self.tries.push(tries.as_f64().unwrap_or(1.0));
            self.origins.push(format!("{} {} {}", text_of(shape), text_of(method), text_of(plan)));
        }
        Ok(())
    }

    /// True if weights are to be used.
    fn weighted(&self, question: &FiguresQuery) -> Result<bool, AskError> {
        let known = self.logs.iter().flatten().filter(|log| log.is_finite()).count();
        match question.weights {
            Weights::None => Ok(false),
            Weights::Auto if known == 0 => Ok(false),
            _ if known == self.logs.len() => Ok(true),
            _ => Err(wrong(format!(
                "{} of {} rows have no weight: exclude them with --where 'log_weight IS NOT NULL', or ignore the weights with \
                 --unweighted",
                self.logs.len() - known,
                self.logs.len()
            ))),
        }
    }

    fn notes(&self, question: &FiguresQuery, weighted: bool) -> Vec<String> {
        let mut origins: Vec<&String> = self.origins.iter().collect();
        origins.sort_unstable();
        origins.dedup();
        let mut notes = Vec::new();
        notes.push(match (weighted, &question.weights) {
            (true, _) => "weighted by exp(log_weight): the figures estimate all minimal puzzles".to_owned(),
            (false, Weights::None) => "unweighted: the figures describe only these rows".to_owned(),
            (false, _) => "these rows have no weights: the figures describe only these rows".to_owned(),
        });
        if origins.len() > 1 {
            let shown: Vec<&str> = origins.iter().take(6).map(|origin| origin.as_str()).collect();
            let more = if origins.len() > 6 { ", ..." } else { "" };
            notes.push(format!(
                "the figures mix rows of {} kinds (shape, method, plan): {}{more}; --by separates them",
                origins.len(),
                shown.join(", ")
            ));
        }
        notes
    }

    /// The rows of each group. Groups are in the order of their values: numbers by size, then texts.
    fn by_group(&self) -> Vec<(Vec<String>, Vec<usize>)> {
        let mut groups: HashMap<&Vec<String>, Vec<usize>> = HashMap::new();
        for (row, group) in self.groups.iter().enumerate() {
            groups.entry(group).or_default().push(row);
        }
        let mut groups: Vec<(Vec<String>, Vec<usize>)> =
            groups.into_iter().map(|(group, rows)| (group.clone(), rows)).collect();
        let key = |text: &String| text.parse::<f64>().unwrap_or(f64::INFINITY);
        groups.sort_by(|(a, _), (b, _)| {
            let numbers = a.iter().map(key).partial_cmp(b.iter().map(key));
            numbers.unwrap_or(std::cmp::Ordering::Equal).then_with(|| a.cmp(b))
        });
        groups
    }

    /// Refuses rows of different plans, methods or shapes, whose weights cannot be compared.
    fn one_scale(&self, group: &[String], members: &[usize]) -> Result<(), AskError> {
        let first = members.first().map(|&row| &self.origins[row]);
        match members.iter().map(|&row| &self.origins[row]).find(|&origin| Some(origin) != first) {
            None => Ok(()),
            Some(other) => {
                let place = if group.is_empty() { String::new() } else { format!(" (in {})", group.join(", ")) };
                Err(wrong(format!(
                    "weights of '{}' and of '{other}' cannot be compared{place}: separate them with --by shape,method,plan, \
                     select with --where, or ignore the weights with --unweighted",
                    first.map_or("", |origin| origin)
                )))
            }
        }
    }

    /// Some rows as a sample, and the logarithms of their weights.
    fn sample(&self, weighted: bool, known: &[usize]) -> (Vec<f64>, Sample) {
        let log = |&row: &usize| if weighted { self.logs[row].unwrap_or(0.0) } else { 0.0 };
        let logs: Vec<f64> = known.iter().map(log).collect();
        let grids: Vec<u64> = known.iter().map(|&row| self.grids[row]).collect();
        let sample = Sample::new(&logs, &grids);
        (logs, sample)
    }

    fn finding(
        weighted: bool,
        group: &[String],
        name: &str,
        statistic: String,
        estimate: Estimate,
        sample: &Sample,
    ) -> Finding {
        Finding {
            group: group.to_vec(),
            figure: name.to_owned(),
            statistic,
            estimate,
            rows: sample.rows(),
            grids: sample.clusters(),
            effective: sample.effective_rows(),
            shape: sample.shape().filter(|_| weighted),
        }
    }

    /// The correlation of every two figures, of the rows that know both.
    fn correlations(&self, weighted: bool, group: &[String], members: &[usize], names: &[String]) -> Vec<Finding> {
        let figures: Vec<(&Values, &String)> = self.figures.iter().zip(names).filter(|(v, _)| v.is_numeric()).collect();
        let pairs = (0..figures.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let found = pairs.filter_map(|(a, b)| {
            let ((x, first), (y, second)) = (figures[a], figures[b]);
            let both = |row: &usize| x.is_known(*row) && y.is_known(*row);
            let known: Vec<usize> = members.iter().copied().filter(both).collect();
            let (_, sample) = self.sample(weighted, &known);
            let estimate = sample.correlation(|at| x.number(known[at]), |at| y.number(known[at]));
            let name = format!("{first} and {second}");
            let finding = Rows::finding(weighted, group, &name, "correlation".to_owned(), estimate, &sample);
            // There is no correlation if one of the figures never varies.
            estimate.value.is_finite().then_some(finding)
        });
        found.collect()
    }

    fn findings(
        &self,
        question: &FiguresQuery,
        weighted: bool,
        group: &[String],
        members: &[usize],
        values: &Values,
        name: &str,
    ) -> Vec<Finding> {
        let known: Vec<usize> = members.iter().copied().filter(|&row| values.is_known(row)).collect();
        if known.is_empty() {
            return Vec::new();
        }
        let (logs, sample) = self.sample(weighted, &known);
        let finding = |(statistic, estimate)| Rows::finding(weighted, group, name, statistic, estimate, &sample);
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let of_value = |label: &str, holds: &dyn Fn(usize) -> bool| {
            let mut both = vec![(format!("share {label}"), sample.share(|at| holds(known[at])))];
            if question.total && weighted {
                let total = sample.total(|at| holds(known[at]), |at| self.tries[known[at]], largest);
                both.push((format!("total {label}"), total));
            }
            both
        };
        let mut found = Vec::new();
        match values {
            Values::Unknown => {}
            Values::Flags(flags) => found.extend(of_value("true", &|row| flags[row] == Some(true))),
            Values::Texts(codes, names, _) => {
                let mut shares: Vec<(u32, f64)> = (0..names.len() as u32)
                    .map(|code| {
                        (
                            code,
                            known
                                .iter()
                                .zip(&logs)
                                .filter(|(row, _)| codes[**row] == Some(code))
                                .map(|(_, log)| (log - largest).exp())
                                .sum(),
                        )
                    })
                    .collect();
                shares.sort_by(|a, b| b.1.total_cmp(&a.1));
                let shown = shares.iter().take(TEXT_VALUES).filter(|(_, sum)| *sum > 0.0);
                for &(code, _) in shown {
                    found.extend(of_value(&names[code as usize], &|row| codes[row] == Some(code)));
                }
            }
            Values::Numbers(numbers) => {
                let value = |at: usize| numbers[known[at]];
                found.push(("mean".to_owned(), sample.mean(value)));
                found.push(("sd".to_owned(), sample.deviation(value)));
                for &q in &question.quantiles {
                    found.push((format!("q{}", (1e4 * q).round() / 1e2), sample.quantile(q, value)));
                }
                if question.total && weighted {
                    found.push(("total".to_owned(), sample.total(|_| true, |at| self.tries[known[at]], largest)));
                }
                let mut different: Vec<f64> = Vec::new();
                for &row in &known {
                    if !different.contains(&numbers[row]) {
                        different.push(numbers[row]);
                    }
                    if different.len() > FEW_VALUES {
                        break;
                    }
                }
                if (2..=FEW_VALUES).contains(&different.len()) {
                    different.sort_by(f64::total_cmp);
                    for number in different {
                        found.extend(of_value(&number.to_string(), &|row| numbers[row] == number));
                    }
                }
            }
        }
        found.into_iter().map(finding).collect()
    }
}

impl Values {
    fn is_numeric(&self) -> bool {
        matches!(self, Values::Numbers(_) | Values::Flags(_))
    }

    /// The value of a row that is known, as a number.
    fn number(&self, row: usize) -> f64 {
        match self {
            Values::Numbers(all) => all[row],
            Values::Flags(all) => f64::from(u8::from(all[row] == Some(true))),
            Values::Unknown | Values::Texts(..) => f64::NAN,
        }
    }

    fn is_known(&self, row: usize) -> bool {
        match self {
            Values::Unknown => false,
            Values::Numbers(all) => all.get(row).is_some_and(|number| number.is_finite()),
            Values::Flags(all) => all.get(row).is_some_and(Option::is_some),
            Values::Texts(all, ..) => all.get(row).is_some_and(Option::is_some),
        }
    }
}
