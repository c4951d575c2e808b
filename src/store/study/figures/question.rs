//! What a query asks of each row of a table: one SQL query, and the meaning of its columns.

use std::collections::BTreeSet;

use super::shares::{Shares, TargetShares};
use crate::corpus::{CorpusError, SqlValue, check_condition, columns_of_condition, is_condition};
use crate::study::Table;
use crate::study::estimates::{Place, hash_of_row, number_of};

/// A column whose values may be lower bounds of what they stand for.
struct BoundedColumn {
    name: &'static str,
    /// A column without which nothing tells which values are bounds.
    needed: &'static str,
    /// The condition under which a value is only a bound.
    condition: &'static str,
}

const BOUNDED: [BoundedColumn; 4] = [
    BoundedColumn { name: "se_er_tenths", needed: "se_exact", condition: "se_exact IS FALSE" },
    BoundedColumn { name: "w", needed: "wb_exact", condition: "wb_exact IS FALSE" },
    // B is open only if no order of whips is known.
    BoundedColumn { name: "b", needed: "w_upper", condition: "(wb_exact IS FALSE AND w_upper IS NULL)" },
    BoundedColumn { name: "solutions", needed: "solutions_exact", condition: "solutions_exact IS FALSE" },
];

/// A query for figures of a table.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct FiguresQuery {
    /// Columns or SQL expressions, separated by commas; each may have a name: `se_er_tenths / 10.0 AS er`.
    pub figures: String,
    /// Columns or SQL expressions by which to group: the figures are computed for each of their values.
    #[cfg_attr(feature = "cli", arg(long, value_name = "EXPRESSIONS"))]
    pub by: Option<String>,
    /// Take only rows that satisfy an SQL condition.
    #[cfg_attr(feature = "cli", arg(long = "where", value_name = "SQL"))]
    pub condition: Option<String>,
    /// Ignore weights: every row counts once.
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "log_weight"))]
    pub unweighted: bool,
    /// The natural logarithm of the weight, as an SQL expression; the column log_weight by default.
    #[cfg_attr(feature = "cli", arg(long, value_name = "EXPRESSION", allow_hyphen_values = true))]
    pub log_weight: Option<String>,
    /// Give each number of givens its published share of all minimal 9x9 puzzles. So puzzles of any plan that digs
    /// minimal puzzles stand for all of them.
    #[cfg_attr(feature = "cli", arg(long, value_name = "published", value_parser = published, conflicts_with = "log_weight"))]
    pub shares: Option<TargetShares>,
    /// An SQL expression that is equal for rows of the same grid. The default is the column solution, or the column
    /// puzzle.
    #[cfg_attr(feature = "cli", arg(long, value_name = "EXPRESSION"))]
    pub grid: Option<String>,
    /// Quantiles to compute, in per cent.
    #[cfg_attr(feature = "cli", arg(long, value_name = "PER CENT", value_delimiter = ',', default_value = "25,50,75"))]
    pub quantiles: Vec<f64>,
    /// Also estimate the shares of intervals of this width of each number: 0.5 gives 4 to 4.5, 4.5 to 5, and so on.
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

    /// The SQL of all that it asks for.
    pub(super) fn sql(&self) -> String {
        let others = [&self.by, &self.condition, &self.log_weight].into_iter().flatten();
        std::iter::once(&self.figures).chain(others).map(String::as_str).collect::<Vec<_>>().join("; ")
    }
}

/// The value of --shares.
#[cfg(feature = "cli")]
fn published(text: &str) -> Result<TargetShares, String> {
    if text == "published" { Ok(TargetShares::Published) } else { Err("the only value is: published".to_owned()) }
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
        let log = match &query.log_weight {
            _ if query.unweighted => "NULL",
            Some(expression) => expression,
            None => column_or_null(table, "log_weight"),
        };
        let grid = match &query.grid {
            Some(expression) => expression,
            None if !table.has("puzzle") => column_or_null(table, "solution"),
            None if table.has("solution") => "coalesce(solution, puzzle)",
            None => "puzzle",
        };
        let shares = query.shares.map(|_| Shares::of(table, log, grid)).transpose()?;
        let source = if table.differences(&query.sql()).is_empty() { "NULL" } else { "source" };
        let givens = if shares.is_some() { "givens" } else { "NULL" };
        let bounds: Vec<Option<String>> = figures.iter().map(|figure| bound(table, &figure.sql)).collect();
        // `row` takes the values apart in this order.
        let mut columns: Vec<&str> = figures.iter().chain(&by).map(|expression| expression.sql.as_str()).collect();
        columns.extend(bounds.iter().flatten().map(String::as_str));
        columns.extend([log, grid]);
        columns.extend(["shape", "method", "plan"].map(|name| column_or_null(table, name)));
        columns.extend([source, givens]);
        let mut list = Vec::with_capacity(columns.len());
        for (index, column) in columns.iter().enumerate() {
            list.push(format!("{column} AS stats_{index}"));
        }
        let condition = query.condition.as_ref().map_or(String::new(), |text| format!(" WHERE {text}"));
        Ok(Question {
            table,
            query,
            sql: format!("SELECT {} FROM puzzles{condition}", list.join(", ")),
            conditions: figures.iter().chain(&by).map(|expression| is_condition(&expression.sql)).collect(),
            bounded: bounds.iter().map(Option::is_some).collect(),
            by: query.by_names(),
            names: figures.into_iter().map(|figure| figure.name).collect(),
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
                let (stratum, factor) = shares.stratum(number_of(givens).unwrap_or(0.0) as i64)?;
                (Some(number_of(log).unwrap_or(0.0) + factor), stratum)
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

/// A column that the table has, or NULL.
fn column_or_null<'n>(table: &Table, column: &'n str) -> &'n str {
    if table.has(column) { column } else { "NULL" }
}

/// Refuses a query without figures, aggregates, and a condition that is not about one row.
fn check(query: &FiguresQuery, figures: &[Expression], by: &[Expression]) -> Result<(), CorpusError> {
    if figures.is_empty() {
        let reason = "nothing to compute: name columns or SQL expressions, separated by commas";
        return Err(CorpusError::Query(reason.to_owned()));
    }
    for Expression { sql, .. } in figures.iter().chain(by) {
        if check_condition(sql).is_err_and(|reason| reason.contains("misuse of aggregate")) {
            return Err(CorpusError::Query(format!(
                "'{sql}' is computed from several rows: name a column, or an expression of one row; its mean and its other \
                 figures are computed here"
            )));
        }
    }
    let Some(condition) = &query.condition else { return Ok(()) };
    check_condition(condition).map_err(|reason| CorpusError::Query(format!("--where '{condition}': {reason}")))
}

/// The condition under which the value of an expression is only a bound. None if none of its columns can be one.
fn bound(table: &Table, expression: &str) -> Option<String> {
    let used_columns = columns_of_condition(expression);
    let mut conditions = BTreeSet::new();
    for bounded in &BOUNDED {
        if used_columns.iter().any(|name| name == bounded.name) && table.has(bounded.needed) {
            conditions.insert(bounded.condition);
        }
    }
    if conditions.is_empty() { None } else { Some(conditions.into_iter().collect::<Vec<_>>().join(" OR ")) }
}

/// An origin in words.
pub(super) fn readable(origin: &str) -> String {
    origin.split('\0').filter(|part| !part.is_empty() && *part != "\u{1}").collect::<Vec<_>>().join(" ")
}

/// The refusal of rows of different plans, methods or shapes, whose weights cannot be compared.
pub(super) fn one_scale(group: &[String], first: &str, second: &str) -> CorpusError {
    let place = if group.is_empty() { String::new() } else { format!(" (in {})", group.join(", ")) };
    let by = if first.ends_with("\u{1}\0") { "" } else { ",source" };
    CorpusError::Query(format!(
        "weights of '{}' and of '{}' cannot be compared{place}: separate them with --by shape,method,plan{by}, select with \
         --where, or ignore the weights with --unweighted",
        readable(first),
        readable(second)
    ))
}

/// An SQL expression. Its name is the expression itself if the user gave none.
struct Expression {
    sql: String,
    name: String,
}

/// The expressions of a list. Commas inside parentheses and texts do not divide it.
fn expressions(list: &str) -> Vec<Expression> {
    let (mut depth, mut open_quote) = (0i32, None);
    let (mut parts, mut start) = (Vec::new(), 0);
    for (index, letter) in list.char_indices() {
        match (open_quote, letter) {
            (Some(quote), letter) if letter == quote => open_quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => open_quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(&list[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).map(named).collect()
}

/// An expression of a list; its name may stand after `AS`.
fn named(part: &str) -> Expression {
    let lower = part.to_ascii_lowercase();
    if let Some(end) = lower.rfind(" as ") {
        let name = part[end + " as ".len()..].trim().trim_matches('"');
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
        let described =
            |list: &str| expressions(list).iter().map(|item| format!("{}|{}", item.sql, item.name)).collect::<Vec<_>>();
        assert_eq!(described("givens, round(score, 2) AS s"), ["givens|givens", "round(score, 2)|s"]);
        assert_eq!(
            described("level = 'a, b', CAST(w AS real)"),
            ["level = 'a, b'|level = 'a, b'", "CAST(w AS real)|CAST(w AS real)"]
        );
        assert!(described(" , ").is_empty());
    }
}
