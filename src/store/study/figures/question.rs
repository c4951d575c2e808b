//! What a query asks of each row of a table: one SQL query, and the meaning of its columns.

use std::collections::BTreeSet;

use super::shares::{Shares, TargetShares};
use crate::corpus::{CHANGES, CorpusError, SqlValue, check_condition, columns_of_condition, is_condition};
use crate::study::Table;
use crate::study::estimates::{Place, hash_of_row, number_of};

/// A column whose values may be lower bounds.
struct Bounded {
    column: &'static str,
    /// The column that must be there for this.
    needed: &'static str,
    /// The condition under which a value is only a bound.
    condition: &'static str,
}

/// The columns whose values may be lower bounds.
const BOUNDED: [Bounded; 4] = [
    Bounded { column: "se_er_tenths", needed: "se_exact", condition: "se_exact IS FALSE" },
    Bounded { column: "w", needed: "wb_exact", condition: "wb_exact IS FALSE" },
    // B is open only if no order of whips is known.
    Bounded { column: "b", needed: "w_upper", condition: "(wb_exact IS FALSE AND w_upper IS NULL)" },
    Bounded { column: "solutions", needed: "solutions_exact", condition: "solutions_exact IS FALSE" },
];

/// The quantiles of a query that names none, in per cent.
pub(super) const USUAL_QUANTILES: [f64; 3] = [25.0, 50.0, 75.0];

/// What ends each value in the text of an origin or a group.
pub(super) const END_OF_VALUE: char = '\0';

/// What stands there for a value that is missing.
pub(super) const NO_VALUE: char = '\u{1}';

/// A query for figures of a table.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct FiguresQuery {
    /// Columns or SQL expressions, separated by commas. Each may have a name: `se_er_tenths / 10.0 AS er`.
    pub figures: String,
    /// Columns or SQL expressions by which to group: there are figures for each of their values.
    #[cfg_attr(feature = "cli", arg(long, value_name = "EXPRESSIONS"))]
    pub by: Option<String>,
    /// Take only rows that satisfy an SQL condition.
    #[cfg_attr(feature = "cli", arg(long = "where", value_name = "SQL"))]
    pub condition: Option<String>,
    /// Ignore weights: every row counts once.
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "log_weight"))]
    pub unweighted: bool,
    /// The natural logarithm of the weight, as an SQL expression. The default is the column log_weight.
    #[cfg_attr(feature = "cli", arg(long, value_name = "EXPRESSION", allow_hyphen_values = true))]
    pub log_weight: Option<String>,
    /// Give each number of givens its published share of all minimal 9x9 puzzles. With --unweighted, rows of any plan
    /// that digs minimal puzzles can then stand for all minimal puzzles. The condition is that rows with N givens are
    /// like all minimal puzzles with N givens.
    #[cfg_attr(feature = "cli", arg(long, value_name = "published", value_parser = published, conflicts_with = "log_weight"))]
    pub shares: Option<TargetShares>,
    /// An SQL expression that is equal for rows of the same grid. The command does not treat such rows as independent.
    /// The default is the column solution, or else the column puzzle.
    #[cfg_attr(feature = "cli", arg(long, value_name = "EXPRESSION"))]
    pub grid: Option<String>,
    /// Quantiles to compute, in per cent: 50 is the median.
    #[cfg_attr(feature = "cli", arg(long, value_name = "PER CENT", value_delimiter = ',', default_value = "25,50,75"))]
    pub quantiles: Vec<f64>,
    /// Also estimate which share of the values lies in each interval of this width: 0.5 gives 4 to 4.5, 4.5 to 5, and so
    /// on.
    #[cfg_attr(feature = "cli", arg(long = "bins", value_name = "WIDTH"))]
    pub classes: Option<f64>,
    /// For a plot: choose classes of numbers with many values for a histogram.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub drawn: bool,
}

impl FiguresQuery {
    /// The names of the expressions of `by`.
    pub fn by_names(&self) -> Vec<String> {
        let by = self.by.as_deref().map(expressions).unwrap_or_default();
        by.into_iter().map(|expression| expression.name).collect()
    }

    pub(super) fn sql(&self) -> String {
        let others = [&self.by, &self.condition, &self.log_weight].into_iter().flatten();
        std::iter::once(&self.figures).chain(others).map(String::as_str).collect::<Vec<_>>().join("; ")
    }
}

/// The value of --shares.
#[cfg(feature = "cli")]
fn published(text: &str) -> Result<TargetShares, String> {
    if text == "published" { Ok(TargetShares::Published) } else { Err("write --shares published".to_owned()) }
}

/// A query for figures, ready to be asked.
pub(super) struct Question<'a> {
    pub table: &'a Table,
    pub query: &'a FiguresQuery,
    /// The names of the figures.
    pub names: Vec<String>,
    /// The names of the expressions of `by`.
    pub by: Vec<String>,
    /// Whether each figure and each expression of `by` is a condition.
    pub conditions: Vec<bool>,
    /// For each figure whether another expression tells if its value is a bound.
    pub bounded: Vec<bool>,
    pub shares: Option<Shares>,
    pub sql: String,
}

/// What is needed of a row.
pub(super) struct Row<'a> {
    pub figures: &'a [SqlValue],
    /// The values of the expressions of `by`.
    pub group: &'a [SqlValue],
    /// For each figure that may be bounded: true if its value is a bound.
    pub bounds: &'a [SqlValue],
    /// Shape, method, plan, source.
    pub origin: &'a [SqlValue],
    /// The logarithm of its weight.
    pub log: Option<f64>,
    pub place: Place,
}

impl<'a> Question<'a> {
    /// Reads a query.
    ///
    /// # Errors
    /// No figures, aggregates, a condition that is none, or published shares that do not fit the rows.
    pub(super) fn of(table: &'a Table, query: &'a FiguresQuery) -> Result<Question<'a>, CorpusError> {
        let figures = expressions(&query.figures);
        let by = query.by.as_deref().map(expressions).unwrap_or_default();
        check(query, &figures, &by)?;
        let or_null = |column: &str| if table.has(column) { column.to_owned() } else { "NULL".to_owned() };
        let log = match &query.log_weight {
            _ if query.unweighted => "NULL".to_owned(),
            Some(expression) => expression.clone(),
            None => or_null("log_weight"),
        };
        let grid = query.grid.clone().unwrap_or_else(|| match (table.has("solution"), table.has("puzzle")) {
            (true, true) => "coalesce(solution, puzzle)".to_owned(),
            (false, true) => "puzzle".to_owned(),
            (_, false) => or_null("solution"),
        });
        let shares = query.shares.map(|_| Shares::of(table, &log, &grid)).transpose()?;
        let bounds: Vec<Option<String>> = figures.iter().map(|expression| bound(table, &expression.sql)).collect();
        let source = if table.differences(&query.sql()).is_empty() { "NULL" } else { "source" };
        // [`Question::row`] takes the columns apart in this order.
        let mut columns: Vec<String> = figures.iter().chain(&by).map(|expression| expression.sql.clone()).collect();
        columns.extend(bounds.iter().flatten().cloned());
        columns.extend([log, grid, or_null("shape"), or_null("method"), or_null("plan"), source.to_owned()]);
        columns.push(if shares.is_some() { "givens".to_owned() } else { "NULL".to_owned() });
        let listed: Vec<String> =
            columns.iter().zip(0..).map(|(expression, number)| format!("{expression} AS stats_{number}")).collect();
        let condition = query.condition.as_ref().map_or(String::new(), |text| format!(" WHERE {text}"));
        Ok(Question {
            table,
            query,
            conditions: figures.iter().chain(&by).map(|expression| is_condition(&expression.sql)).collect(),
            bounded: bounds.iter().map(Option::is_some).collect(),
            names: figures.into_iter().map(|expression| expression.name).collect(),
            by: query.by_names(),
            sql: format!("SELECT {} FROM puzzles{condition}", listed.join(", ")),
            shares,
        })
    }

    /// The parts of a row of the answer to `sql`; `number` is its number. None if no minimal puzzle of the published
    /// collection has its number of givens.
    pub(super) fn row<'r>(&self, values: &'r [SqlValue], number: u64) -> Option<Row<'r>> {
        let bounds = self.bounded.iter().filter(|bounded| **bounded).count();
        let (figures, rest) = values.split_at_checked(self.names.len())?;
        let (group, rest) = rest.split_at_checked(self.by.len())?;
        let (bounds, rest) = rest.split_at_checked(bounds)?;
        let [log, grid, origin @ .., givens] = rest else { return None };
        let (log, stratum) = match &self.shares {
            None => (number_of(log), 0),
            Some(shares) => {
                let share = shares.of_givens(number_of(givens).unwrap_or(0.0) as i64)?;
                (Some(number_of(log).unwrap_or(0.0) + share.log_factor), share.stratum)
            }
        };
        // Rows of one grid are not independent: errors are computed from blocks of grids.
        Some(Row { figures, group, bounds, origin, log, place: Place { grid: hash_of_row(grid, number), stratum } })
    }

    /// The weight of a row, as a multiple of a unit with this logarithm; 1 without weights.
    pub(super) fn weight(&self, log: Option<f64>, unit: f64) -> f64 {
        log.map_or(1.0, |log| (log - unit).exp())
    }
}

/// Refuses a query without figures, aggregates, chance and the clock, and a condition that is not about one row.
fn check(query: &FiguresQuery, figures: &[Expression], by: &[Expression]) -> Result<(), CorpusError> {
    if figures.is_empty() {
        let reason = "nothing to compute: name columns or SQL expressions, separated by commas";
        return Err(CorpusError::Query(reason.to_owned()));
    }
    for (place, Expression { name, .. }) in figures.iter().enumerate() {
        if figures[..place].iter().any(|earlier| earlier.name == *name) {
            return Err(CorpusError::Query(format!("two figures are called '{name}': name one with AS")));
        }
    }
    for Expression { sql: expression, .. } in figures.iter().chain(by) {
        let refusal = check_condition(expression).err().unwrap_or_default();
        if refusal.contains(CHANGES) {
            return Err(CorpusError::Query(format!("'{expression}': {refusal}")));
        }
        if refusal.starts_with("an aggregate ") {
            return Err(CorpusError::Query(format!(
                "'{expression}' is computed from several rows: name a column, or an expression of one row; its mean and its other \
                 figures are computed here"
            )));
        }
    }
    if let Some(text) = &query.condition {
        check_condition(text).map_err(|reason| CorpusError::Query(format!("--where '{text}': {reason}")))?;
    }
    Ok(())
}

/// The condition in SQL under which the value of an expression is only a bound. None if none of its columns can be one.
fn bound(table: &Table, expression: &str) -> Option<String> {
    let used = columns_of_condition(expression);
    let mut conditions = BTreeSet::new();
    for Bounded { column, needed, condition } in BOUNDED {
        if used.iter().any(|name| name == column) && table.has(needed) {
            conditions.insert(condition);
        }
    }
    (!conditions.is_empty()).then(|| Vec::from_iter(conditions).join(" OR "))
}

/// An origin in words.
pub(super) fn readable(origin: &str) -> String {
    origin.split([END_OF_VALUE, NO_VALUE]).filter(|value| !value.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The refusal of rows of different plans, methods or shapes, whose weights cannot be compared.
pub(super) fn one_scale(group: &[String], first: &str, second: &str) -> CorpusError {
    let place = if group.is_empty() { String::new() } else { format!(" (in {})", group.join(", ")) };
    let lacks_source = first.strip_suffix(END_OF_VALUE).is_some_and(|values| values.ends_with(NO_VALUE));
    let by = if lacks_source { "" } else { ",source" };
    CorpusError::Query(format!(
        "weights of '{}' and of '{}' cannot be compared{place}: separate them with --by shape,method,plan{by}, select with \
         --where, or ignore the weights with --unweighted",
        readable(first),
        readable(second)
    ))
}

/// An expression of a query.
struct Expression {
    sql: String,
    /// The text after `AS`, or the expression itself.
    name: String,
}

/// The expressions of a list: commas inside parentheses and texts do not count.
fn expressions(list: &str) -> Vec<Expression> {
    // How many parentheses are open, and which quote.
    let mut depth = 0i32;
    let mut quote = None;
    let mut parts = Vec::new();
    let mut start = 0;
    for (place, letter) in list.char_indices() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(&list[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).map(named).collect()
}

/// The expression of a part of a list.
fn named(part: &str) -> Expression {
    const AS: &str = " as ";
    let lower = part.to_ascii_lowercase();
    if let Some(end) = lower.rfind(AS) {
        let name = part[end + AS.len()..].trim().trim_matches('"');
        // In `CAST(givens AS REAL)` the text after AS ends with a parenthesis, so it is no name.
        if !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
            return Expression { sql: part[..end].trim().to_owned(), name: name.to_owned() };
        }
    }
    Expression { sql: part.to_owned(), name: part.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_expressions_are_split_at_their_own_commas() {
        let names = |list: &str| -> Vec<String> {
            expressions(list).into_iter().map(|expression| format!("{}|{}", expression.sql, expression.name)).collect()
        };
        assert_eq!(names("givens, round(score, 2) AS s"), ["givens|givens", "round(score, 2)|s"]);
        assert_eq!(
            names("level = 'a, b', CAST(w AS real)"),
            ["level = 'a, b'|level = 'a, b'", "CAST(w AS real)|CAST(w AS real)"]
        );
        assert!(names(" , ").is_empty());
    }
}
