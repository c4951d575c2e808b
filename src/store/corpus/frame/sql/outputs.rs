//! The columns of an answer: their names, and ORDER BY and LIMIT, which use them.

use polars::prelude::{Expr, LazyFrame, PlSmallStr, SortMultipleOptions, col};
use sqlparser::ast::{self, LimitClause, OrderBy, OrderByExpr, OrderByKind, Query, WildcardAdditionalOptions};

use super::expr::number;
use super::scope::{Col, Relation, Scope};
use super::tree::{column_of, key, same, strip};
use super::window::direction;
use super::{not_here, text};

/// A column of an answer.
pub(super) struct Output {
    pub name: String,
    pub expr: Expr,
    /// Its type in polars. A column that is not changed keeps the type of its file.
    pub data: polars::prelude::DataType,
    pub bounds: super::value::Bounds,
    /// The expression in the query. None for a column of `*` and for a column of an answer.
    pub written: Option<ast::Expr>,
    /// The table column, by its name in polars, if the output is a plain column.
    pub id: Option<PlSmallStr>,
}

pub(super) fn plain_column(output: &Output) -> Col {
    Col {
        table: None,
        name: output.name.clone(),
        id: PlSmallStr::EMPTY,
        data: output.data.clone(),
        bounds: output.bounds,
        hidden: false,
    }
}

/// The output that ORDER BY names by its number or its name.
pub(super) fn place_of(expr: &ast::Expr, outputs: &[Output]) -> Result<Option<usize>, String> {
    match strip(expr) {
        ast::Expr::Value(value) if matches!(value.value, ast::Value::Number(..)) => {
            let place = number(expr, "ORDER BY")?;
            let found =
                usize::try_from(place).ok().and_then(|place| place.checked_sub(1)).filter(|at| *at < outputs.len());
            found.map(Some).ok_or_else(|| format!("ORDER BY {place}: SELECT has {} columns", outputs.len()))
        }
        ast::Expr::Value(_) => Err(format!("ORDER BY {expr} is a constant and sorts nothing")),
        ast::Expr::Identifier(name) => Ok(outputs.iter().position(|output| same(&output.name, &name.value))),
        _ => Ok(None),
    }
}

/// The output that is the same expression.
pub(super) fn same_output(expr: &ast::Expr, outputs: &[Output], scope: &Scope) -> Option<usize> {
    let id = column_of(strip(expr)).and_then(|(table, name)| scope.find(table, name).ok()).map(|column| &column.id);
    let text = key(expr);
    outputs.iter().position(|output| {
        (id.is_some() && output.id.as_ref() == id)
            || output.written.as_ref().is_some_and(|written| key(written) == text)
    })
}

/// `*` and `table.*`, with EXCLUDE.
pub(super) fn all_columns(
    scope: &Scope,
    table: Option<&str>,
    options: &WildcardAdditionalOptions,
    outputs: &mut Vec<Output>,
) -> Result<(), String> {
    if options.opt_ilike.is_some()
        || options.opt_except.is_some()
        || options.opt_replace.is_some()
        || options.opt_rename.is_some()
    {
        return Err(not_here("* with ILIKE, EXCEPT, REPLACE or RENAME"));
    }
    if scope.keys.is_some() {
        return Err("* cannot be used with GROUP BY or aggregates; name the columns".to_owned());
    }
    let excluded: Vec<String> = match &options.opt_exclude {
        None => Vec::new(),
        Some(ast::ExcludeSelectItem::Single(name)) => vec![name.to_string()],
        Some(ast::ExcludeSelectItem::Multiple(names)) => names.iter().map(ToString::to_string).collect(),
    };
    let plain = |name: &str| name.trim_matches('"').to_owned();
    let of_table =
        |column: &&Col| table.is_none_or(|table| column.table.as_deref().is_some_and(|known| same(known, table)));
    let columns: Vec<&Col> = scope.relation.columns.iter().filter(of_table).filter(|column| !column.hidden).collect();
    if columns.is_empty() {
        return Err(match table {
            Some(table) => format!("no table '{table}' here"),
            None => "* without FROM".to_owned(),
        });
    }
    if let Some(missing) = excluded.iter().find(|name| !columns.iter().any(|column| same(&column.name, &plain(name)))) {
        return Err(format!("EXCLUDE ({missing}): there is no such column"));
    }
    let kept = columns.into_iter().filter(|column| !excluded.iter().any(|name| same(&column.name, &plain(name))));
    outputs.extend(kept.map(|column| Output {
        name: column.name.clone(),
        expr: col(column.id.clone()),
        data: column.data.clone(),
        bounds: column.bounds,
        written: None,
        id: Some(column.id.clone()),
    }));
    Ok(())
}

/// Makes names unique: `index`, `index_1`.
pub(super) fn unique_names(outputs: &mut [Output]) {
    for at in 1..outputs.len() {
        let taken = |name: &str, outputs: &[Output]| outputs[..at].iter().any(|output| output.name == name);
        if !taken(&outputs[at].name, outputs) {
            continue;
        }
        let free = (1..).map(|number| format!("{}_{number}", outputs[at].name)).find(|name| !taken(name, outputs));
        outputs[at].name = free.unwrap_or_default();
    }
}

pub(super) fn order_of(order: Option<&OrderBy>) -> Result<Vec<OrderByExpr>, String> {
    match order {
        None => Ok(Vec::new()),
        Some(OrderBy { kind: OrderByKind::Expressions(list), interpolate: None }) => Ok(list.clone()),
        Some(_) => Err(not_here("ORDER BY ALL")),
    }
}

pub(super) fn sorted(frame: LazyFrame, by: Vec<Expr>, options: &[(bool, bool)]) -> LazyFrame {
    if by.is_empty() {
        return frame;
    }
    let options = SortMultipleOptions {
        descending: options.iter().map(|(descending, _)| *descending).collect(),
        nulls_last: options.iter().map(|(_, last)| *last).collect(),
        multithreaded: true,
        maintain_order: true,
        limit: None,
    };
    frame.sort_by_exprs(by, options)
}

pub(super) fn limited(frame: LazyFrame, limit: Option<&LimitClause>) -> Result<LazyFrame, String> {
    let (limit, offset) = match limit {
        None => return Ok(frame),
        Some(LimitClause::LimitOffset { limit, offset, limit_by }) if limit_by.is_empty() => {
            (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
        }
        Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset)),
        Some(_) => return Err(not_here("LIMIT BY")),
    };
    let limit = limit.map(|limit| number(limit, "LIMIT")).transpose()?.unwrap_or(u64::MAX);
    let offset = offset.map(|offset| number(offset, "OFFSET")).transpose()?.unwrap_or(0);
    let offset = i64::try_from(offset).map_err(|_| "OFFSET takes a smaller number".to_owned())?;
    Ok(frame.slice(offset, u32::try_from(limit).unwrap_or(u32::MAX)))
}

/// ORDER BY and LIMIT of a UNION, INTERSECT or EXCEPT, or of a query in parentheses. They use the columns of the
/// answer.
pub(super) fn sorted_by_names(mut rows: Relation, query: &Query) -> Result<Relation, String> {
    let (mut by, mut options) = (Vec::new(), Vec::new());
    for item in order_of(query.order_by.as_ref())? {
        options.push(direction(&item)?);
        let outputs: Vec<Output> = rows
            .columns
            .iter()
            .map(|column| Output {
                name: column.name.clone(),
                expr: col(column.id.clone()),
                data: column.data.clone(),
                bounds: column.bounds,
                written: None,
                id: None,
            })
            .collect();
        let place = place_of(&item.expr, &outputs)?;
        let place = place.ok_or_else(|| {
            format!("ORDER BY {} after UNION and the like takes a column of the answer", text(&item.expr))
        })?;
        by.push(rows.columns[place].order());
    }
    rows.frame = limited(sorted(rows.frame, by, &options), query.limit_clause.as_ref())?;
    Ok(rows)
}
