//! SQL queries: from the syntax tree to a plan of polars.
//!
//! ```text
//!   text --sqlparser--> tree --here--> LazyFrame         every column and expression has a known type
//! ```
//!
//! The dialect is a part of DuckDB's: a query has the same answer in DuckDB. Only what is listed here is supported;
//! everything else is refused with a message that names it. polars' own SQL is not used, because it gives wrong answers
//! to some queries without an error: aggregates in windows, ties in running sums, columns that are not grouped,
//! differences of unsigned numbers.
//!
//! | file | about |
//! |---|---|
//! | `select`, `outputs`, `from`, `subquery` | the clauses |
//! | `expr`, `functions`, `calculate` | expressions about one row |
//! | `aggregate`, `window`, `partitions` | expressions about several rows |
//! | `value`, `scope`, `tree` | types and values, names, the syntax tree |
//! | `condition` | conditions of exports and books |

mod aggregate;
mod calculate;
mod condition;
mod expr;
mod from;
mod functions;
mod outputs;
mod partitions;
mod scope;
mod select;
mod subquery;
mod tree;
mod value;
mod window;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::rc::Rc;

use polars::prelude::{DataFrame, DataType, Expr, LazyFrame, PlSmallStr, col};
use sqlparser::ast::{self, Query, Select, SelectItem, Statement, TableAlias, Visit as _};
use sqlparser::dialect::DuckDbDialect;
use sqlparser::parser::Parser;

use scope::Col;
use tree::same;

pub use condition::{check_condition, columns_of_condition};

/// The longest query, in bytes.
const LONGEST: usize = 1 << 20;

/// The deepest nesting of parentheses and subqueries.
const DEEPEST: usize = 100;

/// A table of a query.
pub(super) struct Stored<'a> {
    /// Its name in queries.
    pub name: String,
    pub rows: &'a LazyFrame,
    pub columns: &'a [(String, DataType)],
    /// Columns that `*` does not include.
    pub hidden: &'a [&'a str],
}

/// The function that answers a subquery without references to the outer query.
pub(super) type Run<'a> = &'a dyn Fn(LazyFrame) -> Result<DataFrame, String>;

/// The state of planning a query.
pub(super) struct Planner<'a> {
    catalog: &'a [Stored<'a>],
    run: Run<'a>,
    /// Tables of WITH that are visible here.
    environment: Environment,
    /// Columns of the queries around a subquery.
    outer: Vec<Col>,
    /// The number of names that [`Planner::fresh`] has made.
    names: usize,
    /// The number of tables so far. It is limited.
    tables: usize,
}

/// The tables of WITH, the latest first.
#[derive(Clone, Default)]
struct Environment(Option<Rc<Named>>);

struct Named {
    name: String,
    query: Query,
    before: Environment,
}

impl Environment {
    fn with(&self, alias: &TableAlias, query: &Query) -> Result<Environment, String> {
        if !alias.columns.is_empty() {
            return Err(not_here("WITH and names of columns"));
        }
        let named = Named { name: alias.name.value.clone(), query: query.clone(), before: self.clone() };
        Ok(Environment(Some(Rc::new(named))))
    }

    /// A table of WITH, and the tables that are visible in it.
    fn find(&self, name: &str) -> Option<(Query, Environment)> {
        let named = self.0.as_ref()?;
        if same(&named.name, name) {
            Some((named.query.clone(), named.before.clone()))
        } else {
            named.before.find(name)
        }
    }
}

/// Plans a query. The columns of the result have the names of the answer.
///
/// # Errors
/// The query is wrong or not supported: one line.
pub(super) fn plan(sql: &str, catalog: &[Stored<'_>], run: Run<'_>) -> Result<LazyFrame, String> {
    let query = parsed(sql)?;
    let environment = Environment::default();
    let mut planner =
        Planner { catalog, run, environment: environment.clone(), outer: Vec::new(), names: 0, tables: 0 };
    let rows = planner.query(&query, &environment)?;
    let named = |column: &Col| col(column.id.clone()).alias(column.name.as_str());
    Ok(rows.frame.select(rows.columns.iter().filter(|column| !column.hidden).map(named).collect::<Vec<_>>()))
}

impl Planner<'_> {
    /// A name that no other column has.
    fn fresh(&mut self) -> PlSmallStr {
        self.names += 1;
        format!("#{}", self.names).into()
    }
}

/// Evaluates expressions, each under a name. polars' `select` would give one row if all of them are literals.
fn chosen(rows: LazyFrame, columns: Vec<(PlSmallStr, Expr)>) -> LazyFrame {
    let names: Vec<Expr> = columns.iter().map(|(name, _)| col(name.clone())).collect();
    let columns: Vec<Expr> = columns.into_iter().map(|(name, expr)| expr.alias(name)).collect();
    rows.with_columns(columns).select(names)
}

/// The names of columns in a query, in lower case. None if it may use all columns, by `*` or by a join with USING.
///
/// # Errors
/// The query cannot be understood.
pub(super) fn names_of(sql: &str) -> Result<Option<HashSet<String>>, String> {
    let query = parsed(sql)?;
    let mut all = false;
    let mut select = |select: &Select| {
        let plain = |item: &SelectItem| matches!(item, SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. });
        all |= !select.projection.iter().all(plain);
        let joins = select.from.iter().flat_map(|from| &from.joins);
        all |= joins.into_iter().any(|join| join.to_string().contains("USING"));
    };
    let _ = query.visit(&mut window::Walk { look: &mut |_| ControlFlow::Continue(()), select: &mut select });
    Ok((!all).then(|| window::names_in(&query)))
}

/// The one query in a text.
fn parsed(sql: &str) -> Result<Query, String> {
    if sql.len() > LONGEST {
        return Err(format!("the query is longer than {LONGEST} bytes"));
    }
    let statements = Parser::new(&DuckDbDialect {}).with_recursion_limit(DEEPEST).try_with_sql(sql);
    let statements = statements.and_then(|mut parser| parser.parse_statements()).map_err(syntax)?;
    let mut statements = statements.into_iter();
    match (statements.next(), statements.next()) {
        (Some(Statement::Query(query)), None) => Ok(*query),
        (Some(_), Some(_)) => Err("write one query at a time".to_owned()),
        (Some(other), None) => {
            let written = other.to_string();
            let first = written.split_whitespace().next().unwrap_or_default();
            Err(format!("{first}: a query must begin with SELECT or WITH; it cannot change anything"))
        }
        (None, _) => Err("the query is empty".to_owned()),
    }
}

/// The message of the parser, on one line.
fn syntax(error: sqlparser::parser::ParserError) -> String {
    use sqlparser::parser::ParserError;
    match error {
        ParserError::TokenizerError(reason) | ParserError::ParserError(reason) => {
            let reason: String = reason.lines().next().unwrap_or_default().chars().take(200).collect();
            format!("not understood: {reason}")
        }
        ParserError::RecursionLimitExceeded => "the query is nested too deeply".to_owned(),
    }
}

/// The message about something that is not supported here but may be supported by DuckDB.
fn not_here(what: &str) -> String {
    format!("{what} is not supported here; DuckDB may support it: query --engine duckdb")
}

/// An expression for a message: one line, not too long.
fn text(expr: &ast::Expr) -> String {
    let written = expr.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    if written.chars().count() <= 80 { written } else { written.chars().take(77).collect::<String>() + "..." }
}

#[cfg(test)]
mod tests;
