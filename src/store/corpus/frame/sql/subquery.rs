//! Subqueries in expressions.
//!
//! A subquery without references to the outer query is answered first and replaced by its answer. A subquery with
//! references may have them only in conditions `inner = outer` of its WHERE. It is answered for all rows at once, and
//! joined.
//!
//! ```text
//!   SELECT puzzle FROM puzzles p WHERE score > (SELECT avg(score) FROM puzzles q WHERE q.level = p.level)
//!   ->  puzzles p LEFT JOIN (SELECT level, avg(score) AS a FROM puzzles GROUP BY level) q ON p.level = q.level
//!       WHERE score > a
//! ```

use polars::prelude::{Expr, IntoLazy, JoinType, LazyFrame, UniqueKeepStrategy, col, lit, when};
use sqlparser::ast::{self, BinaryOperator, GroupByExpr, Query, Select, SelectItem, SetExpr};

use super::aggregate::Call;
use super::from::joined;
use super::functions::name_of;
use super::scope::{Col, Scope, matches};
use super::tree::{children, column_of, operands, strip};
use super::value::{Reader, Typed, Value, unified};
use super::{Environment, Planner, chosen, not_here};

/// A correlated subquery: it is about the rows that equal the outer row in some expressions.
struct Correlated<'q> {
    select: &'q Select,
    /// The rows of FROM that satisfy all other conditions.
    inner: Scope,
    /// Pairs of an inner and an outer expression.
    keys: Vec<(Typed, Typed)>,
}

impl Planner<'_> {
    /// `(SELECT ..)` as a value.
    pub(super) fn scalar_subquery(&mut self, query: &Query, scope: &mut Scope) -> Result<Typed, String> {
        if let Some(correlated) = self.correlated(query, scope)? {
            return self.scalar_of_row(correlated, scope);
        }
        let rows = self.subquery(query, scope)?;
        let [column] = rows.columns.as_slice() else {
            return Err(format!("a subquery in an expression has one column, not {}", rows.columns.len()));
        };
        let typed = column.typed().ok_or("a subquery with values that queries cannot use")?;
        let name = self.fresh();
        let answer = (self.run)(chosen(rows.frame, vec![(name, typed.expr)]).slice(0, 2))?;
        let values = answer.columns().first().ok_or("a subquery without a column")?;
        let reader = Reader::of(values).map_err(|error| error.to_string())?;
        match reader.len() {
            0 => Typed::of(Value::Null).expect(typed.kind, "a subquery"),
            1 if reader.get(0) == Value::Null => Typed::of(Value::Null).expect(typed.kind, "a subquery"),
            1 => Ok(Typed::of(super::aggregate::owned(&reader.get(0)))),
            _ => Err("a subquery in an expression gives more than one row; write max(..) or LIMIT 1".to_owned()),
        }
    }

    /// EXISTS: true if a subquery has a row.
    pub(super) fn exists(&mut self, query: &Query, scope: &mut Scope) -> Result<Expr, String> {
        if let Some(correlated) = self.correlated(query, scope)? {
            let plain = matches!(&correlated.select.group_by, GroupByExpr::Expressions(keys, _) if keys.is_empty());
            let aggregates = correlated.select.projection.iter().any(|item| match item {
                SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => is_aggregated(expr),
                _ => false,
            });
            if !plain || aggregates || correlated.select.having.is_some() || correlated.select.qualify.is_some() {
                return Err(not_here("a correlated subquery of EXISTS with GROUP BY, HAVING or aggregates"));
            }
            let marker = self.fresh();
            let (inner, outer) = self.key_columns(&correlated.keys)?;
            let rows = chosen(correlated.inner.relation.frame, inner.clone()).unique(None, UniqueKeepStrategy::Any);
            let rows = rows.with_column(lit(true).alias(marker.clone()));
            let inner = inner.into_iter().map(|(name, _)| (self.fresh(), col(name))).collect();
            join_to(scope, rows, outer, inner);
            return Ok(col(marker).is_not_null());
        }
        let rows = self.subquery(query, scope)?;
        let one: Vec<Expr> = rows.columns.iter().take(1).map(|column| col(column.id.clone())).collect();
        let answer = (self.run)(rows.frame.select(one).slice(0, 1))?;
        Ok(lit(answer.height() > 0))
    }

    /// IN: true if a value is in the answer of a subquery. NULL if that is unknown.
    pub(super) fn in_subquery(&mut self, value: Typed, query: &Query, scope: &mut Scope) -> Result<Expr, String> {
        if self.correlated(query, scope)?.is_some() {
            return Err(not_here("IN with a correlated subquery; write EXISTS"));
        }
        let rows = self.subquery(query, scope)?;
        let [column] = rows.columns.as_slice() else {
            return Err(format!("IN takes a subquery of one column, not {}", rows.columns.len()));
        };
        let inner = column.typed().ok_or("a subquery with values that queries cannot use")?;
        let (value, inner) = unified(value, inner, "IN")?;
        let (key, marker) = (self.fresh(), self.fresh());
        let distinct = chosen(rows.frame, vec![(key.clone(), inner.expr)]).unique(None, UniqueKeepStrategy::Any);
        let answer = (self.run)(distinct)?;
        let nulls = answer.column(&key).map_err(|error| error.to_string())?.null_count() > 0;
        if answer.height() == 0 {
            return Ok(lit(false));
        }
        let known = answer.lazy().filter(col(key.clone()).is_not_null()).with_column(lit(true).alias(marker.clone()));
        let (of_outer, of_inner) = (vec![(self.fresh(), value.expr.clone())], vec![(self.fresh(), col(key))]);
        join_to(scope, known, of_outer, of_inner);
        let missing = Typed::of(Value::Null).expr;
        let unknown = value.expr.is_null().or(lit(nulls));
        Ok(when(col(marker).is_not_null()).then(lit(true)).when(unknown).then(missing).otherwise(lit(false)))
    }

    /// The rows of a subquery without references to the outer query.
    fn subquery(&mut self, query: &Query, scope: &Scope) -> Result<super::scope::Relation, String> {
        let outer: Vec<Col> = scope.relation.columns.iter().chain(&scope.outer).cloned().collect();
        let before = std::mem::replace(&mut self.outer, outer);
        let environment = self.environment.clone();
        let rows = self.query(query, &environment);
        self.outer = before;
        rows
    }

    /// A subquery with references to the outer query. None if it has no such conditions.
    fn correlated<'q>(&mut self, query: &'q Query, scope: &mut Scope) -> Result<Option<Correlated<'q>>, String> {
        let SetExpr::Select(select) = query.body.as_ref() else { return Ok(None) };
        let Some(condition) = &select.selection else { return Ok(None) };
        if query.with.is_some() {
            return Ok(None);
        }
        let plain = query.order_by.is_none() && query.limit_clause.is_none();
        let tables = self.tables;
        let environment: Environment = self.environment.clone();
        let mut rest = operands(condition, &BinaryOperator::And);
        let relation = self.from(&select.from, &mut rest, &environment)?;
        let mut inner = Scope::new(relation, &scope.relation.columns);
        inner.place = "WHERE";
        let about_outer = |expr: &ast::Expr| reaches_out(expr, &inner.relation.columns, &scope.relation.columns);
        if !rest.iter().any(|condition| about_outer(condition)) {
            self.tables = tables;
            return Ok(None);
        }
        if !plain {
            return Err(not_here("ORDER BY or LIMIT in a correlated subquery"));
        }
        let mut pairs = Vec::new();
        let mut own = Vec::new();
        for condition in rest {
            if !about_outer(condition) {
                own.push(condition);
                continue;
            }
            match strip(condition) {
                ast::Expr::BinaryOp { left, op: BinaryOperator::Eq, right }
                    if only_outer(left, &inner) && !about_outer(right) =>
                {
                    pairs.push((right.as_ref(), left.as_ref()));
                }
                ast::Expr::BinaryOp { left, op: BinaryOperator::Eq, right }
                    if only_outer(right, &inner) && !about_outer(left) =>
                {
                    pairs.push((left.as_ref(), right.as_ref()));
                }
                _ => {
                    return Err(not_here(&format!(
                        "a correlated subquery with the condition '{condition}', which is not 'inner = outer',"
                    )));
                }
            }
        }
        for condition in own {
            let condition = self.flag(condition, &mut inner, "WHERE")?;
            inner.relation.frame = inner.relation.frame.filter(condition);
        }
        let mut keys = Vec::new();
        for (inside, outside) in pairs {
            keys.push(unified(self.expr(inside, &mut inner)?, self.expr(outside, scope)?, "=")?);
        }
        Ok(Some(Correlated { select, inner, keys }))
    }

    /// A value for each row: an aggregate over the rows with equal keys.
    fn scalar_of_row(&mut self, correlated: Correlated<'_>, scope: &mut Scope) -> Result<Typed, String> {
        let Correlated { select, mut inner, keys } = correlated;
        let refused = || not_here("a correlated subquery that is not one aggregate such as avg(..)");
        let plain = matches!(&select.group_by, GroupByExpr::Expressions(keys, _) if keys.is_empty());
        let [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] = select.projection.as_slice()
        else {
            return Err(refused());
        };
        let ast::Expr::Function(function) = strip(expr) else { return Err(refused()) };
        if !plain || select.having.is_some() || select.distinct.is_some() || function.over.is_some() {
            return Err(refused());
        }
        if !super::aggregate::AGGREGATES.contains(&name_of(function).as_str()) {
            return Err(refused());
        }
        inner.place = "an aggregate";
        let aggregate = self.aggregate(&Call::of(function)?, &mut inner)?;
        let (of_inner, of_outer) = self.key_columns(&keys)?;
        let mut columns = of_inner.clone();
        columns.extend(aggregate.columns);
        let names: Vec<Expr> = of_inner.iter().map(|(name, _)| col(name.clone())).collect();
        let made = self.fresh();
        let rows =
            chosen(inner.relation.frame, columns).group_by(names).agg([aggregate.result.expr.alias(made.clone())]);
        let of_inner = of_inner.into_iter().map(|(name, _)| (self.fresh(), col(name))).collect();
        join_to(scope, rows, of_outer, of_inner);
        let counts = name_of(function) == "count";
        let value = if counts { col(made).fill_null(lit(0i64)) } else { col(made) };
        Ok(Typed { bounds: aggregate.result.bounds, ..Typed::new(value, aggregate.result.kind) })
    }

    /// The two sides of the keys, each under its own name.
    fn key_columns(&mut self, keys: &[(Typed, Typed)]) -> Result<(Named, Named), String> {
        let inner = keys.iter().map(|(inner, _)| (self.fresh(), inner.expr.clone())).collect();
        let outer = keys.iter().map(|(_, outer)| (self.fresh(), outer.expr.clone())).collect();
        Ok((inner, outer))
    }
}

/// Expressions under names.
type Named = Vec<(polars::prelude::PlSmallStr, Expr)>;

/// Joins rows with unique keys to the rows of a scope.
fn join_to(scope: &mut Scope, rows: LazyFrame, of_outer: Named, of_inner: Named) {
    scope.relation.frame = joined(scope.relation.frame.clone(), rows, JoinType::Left, of_outer, of_inner, false);
}

fn is_aggregated(expr: &ast::Expr) -> bool {
    let here = matches!(expr, ast::Expr::Function(function) if super::aggregate::is_aggregate(&name_of(function)));
    here || children(expr).into_iter().any(is_aggregated)
}

/// True if an expression has a column that exists outside and not inside.
fn reaches_out(expr: &ast::Expr, inside: &[Col], outside: &[Col]) -> bool {
    if let Some((table, name)) = column_of(expr) {
        return matches(inside, table, name).is_empty() && !matches(outside, table, name).is_empty();
    }
    children(expr).into_iter().any(|below| reaches_out(below, inside, outside))
}

/// True if an expression has columns, and none of them exists inside.
fn only_outer(expr: &ast::Expr, inner: &Scope) -> bool {
    fn all_outer(expr: &ast::Expr, inside: &[Col]) -> bool {
        match column_of(expr) {
            Some((table, name)) => matches(inside, table, name).is_empty(),
            None => children(expr).into_iter().all(|below| all_outer(below, inside)),
        }
    }
    let subquery = matches!(expr, ast::Expr::Subquery(_) | ast::Expr::Exists { .. } | ast::Expr::InSubquery { .. });
    !subquery && all_outer(expr, &inner.relation.columns) && reaches_out(expr, &inner.relation.columns, &inner.outer)
}
