//! SELECT, with WITH, UNION, ORDER BY and LIMIT.
//!
//! ```text
//!   FROM, JOIN -> WHERE -> GROUP BY, aggregates -> HAVING -> windows -> QUALIFY -> SELECT -> DISTINCT -> ORDER BY -> LIMIT
//! ```

use polars::prelude::{Expr, JoinType, PlSmallStr, UnionArgs, UniqueKeepStrategy, col, concat, len, lit};
use sqlparser::ast::{
    self, BinaryOperator, Distinct, Function, GroupByExpr, LimitClause, OrderBy, OrderByExpr, Query, Select,
    SelectFlavor, SelectItem, SelectItemQualifiedWildcardKind, SetExpr, SetOperator, SetQuantifier,
};

use super::aggregate::{Aggregate, Call, is_aggregate};
use super::expr::number;
use super::from::joined;
use super::functions::name_of;
use super::outputs::{
    Output, all_columns, limited, order_of, place_of, plain_column, same_output, sorted, sorted_by_names, unique_names,
};
use super::scope::{Col, Relation, Scope};
use super::tree::{check_size, children, column_of, key, operands, same, strip};
use super::value::{Type, Typed, unified};
use super::window::{direction, names_in};
use super::{Environment, Planner, chosen, not_here, text};

impl Planner<'_> {
    /// The rows of a query.
    pub(super) fn query(&mut self, query: &Query, around: &Environment) -> Result<Relation, String> {
        if query.fetch.is_some() || !query.locks.is_empty() || query.for_clause.is_some() || query.settings.is_some() {
            return Err(not_here("FETCH, FOR or SETTINGS"));
        }
        if query.format_clause.is_some() || !query.pipe_operators.is_empty() {
            return Err(not_here("FORMAT or |>"));
        }
        let mut environment = around.clone();
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            if query.with.as_ref().is_some_and(|with| with.recursive) {
                return Err(not_here("WITH RECURSIVE"));
            }
            environment = environment.with(&cte.alias, &cte.query)?;
        }
        let before = std::mem::replace(&mut self.environment, environment.clone());
        let rows = match query.body.as_ref() {
            SetExpr::Select(select) => self.select(select, query.order_by.as_ref(), query.limit_clause.as_ref()),
            body => self.body(body).and_then(|rows| sorted_by_names(rows, query)),
        };
        self.environment = before;
        rows
    }

    fn body(&mut self, body: &SetExpr) -> Result<Relation, String> {
        match body {
            SetExpr::Select(select) => self.select(select, None, None),
            SetExpr::Query(query) => {
                let environment = self.environment.clone();
                self.query(query, &environment)
            }
            SetExpr::SetOperation { left, op, set_quantifier, right } => {
                let (left, right) = (self.body(left)?, self.body(right)?);
                let all = match set_quantifier {
                    SetQuantifier::All => true,
                    SetQuantifier::Distinct | SetQuantifier::None => false,
                    other => return Err(not_here(&format!("{op} {other}"))),
                };
                self.set_operation(left, *op, all, right)
            }
            SetExpr::Values(_) => Err(not_here("VALUES")),
            _ => Err("a query must begin with SELECT or WITH; it cannot change anything".to_owned()),
        }
    }

    fn set_operation(
        &mut self,
        left: Relation,
        op: SetOperator,
        all: bool,
        right: Relation,
    ) -> Result<Relation, String> {
        let shown = |rows: &Relation| rows.columns.iter().filter(|column| !column.hidden).cloned().collect::<Vec<_>>();
        let (of_left, of_right) = (shown(&left), shown(&right));
        if of_left.len() != of_right.len() {
            return Err(format!("{op}: {} columns and {} columns", of_left.len(), of_right.len()));
        }
        let (mut columns, mut a, mut b) = (Vec::new(), Vec::new(), Vec::new());
        for (x, y) in of_left.iter().zip(&of_right) {
            let typed = |column: &Col| {
                column.typed().ok_or_else(|| format!("{op}: column '{}' has no usable type", column.name))
            };
            let (x_typed, y_typed) = unified(typed(x)?, typed(y)?, &op.to_string())?;
            let id = self.fresh();
            let bounds = (x.bounds.0.min(y.bounds.0), x.bounds.1.max(y.bounds.1));
            columns.push(Col { id: id.clone(), data: x_typed.kind.data_type(), bounds, table: None, ..x.clone() });
            a.push((id.clone(), x_typed.expr));
            b.push((id, y_typed.expr));
        }
        let (left, right) = (chosen(left.frame, a), chosen(right.frame, b));
        let frame = match (op, all) {
            (SetOperator::Union, _) => {
                let both = concat([left, right], UnionArgs::default()).map_err(|error| error.to_string())?;
                if all { both } else { both.unique(None, UniqueKeepStrategy::Any) }
            }
            (SetOperator::Intersect | SetOperator::Except, false) => {
                let marker = self.fresh();
                let keys = |planner: &mut Self| {
                    columns.iter().map(|column| (planner.fresh(), col(column.id.clone()))).collect::<Vec<_>>()
                };
                let (of_left, of_right) = (keys(self), keys(self));
                let right = right.unique(None, UniqueKeepStrategy::Any);
                let right =
                    right.select(of_right.iter().map(|(id, expr)| expr.clone().alias(id.clone())).collect::<Vec<_>>());
                let right = right.with_column(lit(true).alias(marker.clone()));
                let of_right = of_right.into_iter().map(|(id, _)| (self.fresh(), col(id))).collect();
                let left = left.unique(None, UniqueKeepStrategy::Any);
                let both = joined(left, right, JoinType::Left, of_left, of_right, true);
                let there = col(marker).is_not_null();
                let kept = both.filter(if op == SetOperator::Intersect { there } else { there.not() });
                kept.select(columns.iter().map(|column| col(column.id.clone())).collect::<Vec<_>>())
            }
            _ => return Err(not_here(&format!("{op} ALL"))),
        };
        Ok(Relation { frame, columns })
    }

    fn select(
        &mut self,
        select: &Select,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
    ) -> Result<Relation, String> {
        check_clauses(select)?;
        let mut conditions = select.selection.iter().flat_map(|all| operands(all, &BinaryOperator::And)).collect();
        select.selection.iter().try_for_each(check_size)?;
        let environment = self.environment.clone();
        let relation = self.from(&select.from, &mut conditions, &environment)?;
        let outer = self.outer.clone();
        let mut scope = Scope::new(relation, &outer);
        scope.place = "WHERE";
        for condition in conditions {
            let condition = self.flag(condition, &mut scope, "WHERE")?;
            scope.relation.frame = scope.relation.frame.filter(condition);
        }
        scope.aliases = aliases(select);
        let order = order_of(order)?;
        let parts: Vec<&ast::Expr> = projected(select)
            .chain(&select.having)
            .chain(&select.qualify)
            .chain(order.iter().map(|order| &order.expr))
            .collect();
        parts.iter().try_for_each(|part| check_size(part))?;
        self.grouped(select, &parts, &mut scope)?;
        if let Some(having) = &select.having {
            scope.place = "HAVING";
            let condition = self.flag(having, &mut scope, "HAVING")?;
            scope.relation.frame = scope.relation.frame.filter(condition);
        }
        scope.place = "a window";
        let mut calls = Vec::new();
        parts.iter().for_each(|part| window_calls(part, &mut calls));
        let aliased = scope.aliases.clone();
        aliased.iter().for_each(|(_, expr)| window_calls(expr, &mut calls));
        if !calls.is_empty() {
            let mut needed = names_in(&select.projection);
            needed.extend(names_in(&select.qualify));
            order.iter().for_each(|order| needed.extend(names_in(&order.expr)));
            let every = select
                .projection
                .iter()
                .any(|item| !matches!(item, SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. }));
            self.windows(&calls, &select.named_window, (!every).then_some(&needed), &mut scope)?;
        }
        if let Some(qualify) = &select.qualify {
            scope.place = "QUALIFY";
            let condition = self.flag(qualify, &mut scope, "QUALIFY")?;
            scope.relation.frame = scope.relation.frame.filter(condition);
        }
        scope.place = "SELECT";
        let outputs = self.outputs(select, &mut scope)?;
        let distinct = matches!(select.distinct, Some(Distinct::Distinct));
        self.finish(scope, outputs, distinct, &order, limit)
    }

    /// Groups rows, if the query has groups or aggregates.
    fn grouped(&mut self, select: &Select, parts: &[&ast::Expr], scope: &mut Scope) -> Result<(), String> {
        let mut written = Vec::new();
        let every = match &select.group_by {
            GroupByExpr::Expressions(keys, modifiers) if modifiers.is_empty() => {
                written.extend(keys.iter().cloned());
                false
            }
            GroupByExpr::All(modifiers) if modifiers.is_empty() => true,
            _ => return Err(not_here("GROUP BY with ROLLUP, CUBE or TOTALS")),
        };
        let mut calls: Vec<&Function> = Vec::new();
        let aliases = scope.aliases.clone();
        parts.iter().for_each(|part| aggregate_calls(part, &aliases, scope, &mut calls));
        if every {
            let plain = |expr: &&ast::Expr| {
                let mut own = Vec::new();
                aggregate_calls(expr, &[], scope, &mut own);
                own.is_empty()
            };
            written.extend(projected(select).filter(plain).cloned());
        }
        if written.is_empty() && calls.is_empty() && select.having.is_none() && !every {
            return Ok(());
        }
        scope.place = "GROUP BY";
        let (mut columns, mut keys, mut by_id, mut computed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for expr in &written {
            let meant = group_key(expr, select, scope)?;
            let typed = self.expr(&meant, scope)?;
            if typed.kind == Type::Null {
                return Err("GROUP BY NULL".to_owned());
            }
            let id = self.fresh();
            columns.push((id.clone(), typed.expr.clone()));
            keys.push(col(id.clone()));
            let made = Typed { expr: col(id), constant: None, ..typed };
            if let Some((table, name)) = column_of(strip(&meant)).filter(|_| scope.alias(&meant).is_none()) {
                by_id.push((scope.find(table, name)?.id.clone(), made.clone()));
            }
            computed.push((key(&meant), made));
        }
        scope.place = "an aggregate";
        let mut made = Vec::new();
        for call in calls {
            let text = key(&ast::Expr::Function(call.clone()));
            if computed.iter().any(|(known, _)| *known == text) {
                continue;
            }
            let Aggregate { columns: inputs, result } = self.aggregate(&Call::of(call)?, scope)?;
            let id = self.fresh();
            columns.extend(inputs);
            made.push(result.expr.alias(id.clone()));
            computed.push((text, Typed { expr: col(id), constant: None, ..result }));
        }
        let frame = scope.relation.frame.clone();
        scope.relation.frame = if keys.is_empty() {
            made.push(len().alias(self.fresh()));
            let frame = if columns.is_empty() { frame } else { chosen(frame, columns) };
            frame.select(made)
        } else {
            chosen(frame, columns).group_by(keys).agg(made)
        };
        scope.keys = Some(by_id);
        scope.computed = computed;
        Ok(())
    }

    /// The columns after SELECT.
    fn outputs(&mut self, select: &Select, scope: &mut Scope) -> Result<Vec<Output>, String> {
        let mut outputs = Vec::new();
        for item in &select.projection {
            let (expr, name) = match item {
                SelectItem::UnnamedExpr(expr) => (expr, None),
                SelectItem::ExprWithAlias { expr, alias } => (expr, Some(alias.value.clone())),
                SelectItem::Wildcard(options) => {
                    all_columns(scope, None, options, &mut outputs)?;
                    continue;
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(table), options) => {
                    let table = table.to_string();
                    all_columns(scope, Some(table.trim_matches('"')), options, &mut outputs)?;
                    continue;
                }
                other => return Err(not_here(&format!("'{other}'"))),
            };
            outputs.push(self.output(expr, name, scope)?);
        }
        unique_names(&mut outputs);
        Ok(outputs)
    }

    fn output(&mut self, expr: &ast::Expr, name: Option<String>, scope: &mut Scope) -> Result<Output, String> {
        let written = Some(expr.clone());
        let plain = column_of(strip(expr)).filter(|_| scope.alias(strip(expr)).is_none());
        if let (Some((table, column)), None) = (plain, &scope.keys) {
            let column = scope.find(table, column)?;
            let (data, bounds) = (column.data.clone(), column.bounds);
            let (expr, id) = (col(column.id.clone()), Some(column.id.clone()));
            return Ok(Output { name: name.unwrap_or_else(|| column.name.clone()), expr, data, bounds, written, id });
        }
        let typed = self.expr(expr, scope)?;
        let name = name.unwrap_or_else(|| match plain {
            Some((table, column)) => {
                scope.find(table, column).map_or(column.value.clone(), |column| column.name.clone())
            }
            None => text(expr),
        });
        let data = typed.kind.data_type();
        Ok(Output { name, expr: typed.expr, data, bounds: typed.bounds, written, id: None })
    }

    /// DISTINCT, ORDER BY and LIMIT.
    fn finish(
        &mut self,
        mut scope: Scope,
        outputs: Vec<Output>,
        distinct: bool,
        order: &[OrderByExpr],
        limit: Option<&LimitClause>,
    ) -> Result<Relation, String> {
        let ids: Vec<PlSmallStr> = outputs.iter().map(|_| self.fresh()).collect();
        let mut columns: Vec<(PlSmallStr, Expr)> =
            outputs.iter().zip(&ids).map(|(output, id)| (id.clone(), output.expr.clone())).collect();
        scope.place = "ORDER BY";
        let (mut by, mut options) = (Vec::new(), Vec::new());
        for item in order {
            options.push(direction(item)?);
            let place = place_of(&item.expr, &outputs)?;
            let place = place.or_else(|| same_output(&item.expr, &outputs, &scope));
            match place {
                Some(place) => by.push(Col { id: ids[place].clone(), ..plain_column(&outputs[place]) }.order()),
                None if distinct => {
                    return Err(format!("ORDER BY {}: with DISTINCT, it must be in SELECT", text(&item.expr)));
                }
                None => {
                    let typed = self.expr(&item.expr, &mut scope)?;
                    let id = self.fresh();
                    columns.push((id.clone(), typed.expr));
                    by.push(col(id));
                }
            }
        }
        let mut frame = chosen(scope.relation.frame.clone(), columns);
        if distinct {
            frame = frame.unique_stable(None, UniqueKeepStrategy::First);
        }
        let extra = !by.is_empty();
        frame = sorted(frame, by, &options);
        frame = limited(frame, limit)?;
        if extra {
            frame = frame.select(ids.iter().map(|id| col(id.clone())).collect::<Vec<_>>());
        }
        let columns = outputs.into_iter().zip(ids).map(|(output, id)| Col { id, ..plain_column(&output) }).collect();
        Ok(Relation { frame, columns })
    }
}

impl Col {
    /// The column in the form by which rows are sorted.
    pub(super) fn order(&self) -> Expr {
        self.typed().map_or_else(|| col(self.id.clone()), |typed| typed.expr)
    }
}

/// The expressions after SELECT.
fn projected(select: &Select) -> impl Iterator<Item = &ast::Expr> {
    select.projection.iter().filter_map(|item| match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    })
}

fn aliases(select: &Select) -> Vec<(String, ast::Expr)> {
    let named = |item: &SelectItem| match item {
        SelectItem::ExprWithAlias { expr, alias } => Some((alias.value.clone(), expr.clone())),
        _ => None,
    };
    select.projection.iter().filter_map(named).collect()
}

/// Refuses clauses that are not supported.
fn check_clauses(select: &Select) -> Result<(), String> {
    let refused = [
        (select.into.is_some(), "SELECT .. INTO"),
        (select.top.is_some(), "TOP"),
        (matches!(select.distinct, Some(Distinct::On(_))), "DISTINCT ON; number the rows with row_number() instead;"),
        (!select.lateral_views.is_empty(), "LATERAL VIEW"),
        (select.prewhere.is_some(), "PREWHERE"),
        (!select.connect_by.is_empty(), "CONNECT BY"),
        (!select.cluster_by.is_empty() || !select.distribute_by.is_empty(), "CLUSTER BY or DISTRIBUTE BY"),
        (!select.sort_by.is_empty(), "SORT BY"),
        (select.value_table_mode.is_some(), "AS STRUCT or AS VALUE"),
        (select.exclude.is_some(), "EXCLUDE here"),
        (select.select_modifiers.is_some(), "a modifier of SELECT"),
        (matches!(select.flavor, SelectFlavor::FromFirstNoSelect), "FROM without SELECT"),
    ];
    match refused.iter().find(|(found, _)| *found) {
        Some((_, "SELECT .. INTO")) => Err("SELECT .. INTO: queries cannot write; use --out FILE".to_owned()),
        Some((_, what)) => Err(not_here(what)),
        None => Ok(()),
    }
}

/// The aggregates in an expression, with those in windows and in aliases of SELECT, but without those in subqueries.
fn aggregate_calls<'e>(
    expr: &'e ast::Expr,
    aliases: &'e [(String, ast::Expr)],
    scope: &Scope,
    found: &mut Vec<&'e Function>,
) {
    match expr {
        ast::Expr::Function(function) if function.over.is_none() && is_aggregate(&name_of(function)) => {
            found.push(function);
            return;
        }
        ast::Expr::Identifier(name) if scope.alias(expr).is_some() => {
            if let Some((_, meant)) = aliases.iter().find(|(alias, _)| same(alias, &name.value)) {
                aggregate_calls(meant, &[], scope, found);
            }
        }
        _ => {}
    }
    children(expr).into_iter().for_each(|below| aggregate_calls(below, aliases, scope, found));
}

/// The window functions in an expression.
fn window_calls<'e>(expr: &'e ast::Expr, found: &mut Vec<&'e Function>) {
    match expr {
        ast::Expr::Function(function) if function.over.is_some() => found.push(function),
        _ => children(expr).into_iter().for_each(|below| window_calls(below, found)),
    }
}

/// A key of GROUP BY: a number of a column of SELECT, a column, an alias of SELECT, or an expression.
fn group_key(expr: &ast::Expr, select: &Select, scope: &Scope) -> Result<ast::Expr, String> {
    if let ast::Expr::Value(_) = strip(expr) {
        let place = number(expr, "GROUP BY")?;
        let chosen = usize::try_from(place).ok().and_then(|place| projected(select).nth(place.checked_sub(1)?));
        let all = select.projection.iter().all(|item| !matches!(item, SelectItem::Wildcard(_)));
        return chosen.filter(|_| all).cloned().ok_or_else(|| format!("GROUP BY {place}: SELECT has no such column"));
    }
    Ok(scope.alias(expr).cloned().unwrap_or_else(|| strip(expr).clone()))
}
