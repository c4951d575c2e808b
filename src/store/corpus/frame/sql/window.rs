//! Window functions: OVER (..).
//!
//! polars' own SQL gives some wrong answers without an error: it counts rows where standard SQL counts ties, and it
//! computes an aggregate of a window where the query has a window over aggregates. So windows are computed here, see
//! [`super::partitions`], and polars only sorts.

use std::collections::HashSet;
use std::ops::ControlFlow;

use polars::prelude::{AllowedOptimizations, DataFrame, Expr, PlSmallStr, PolarsError, Schema, SchemaRef, col};
use sqlparser::ast::{
    self, Function, NamedWindowDefinition, NamedWindowExpr, NullTreatment, OrderByExpr, Visit, Visitor, WindowFrame,
    WindowFrameBound, WindowFrameUnits, WindowSpec, WindowType,
};

use super::aggregate::{AGGREGATES, Call};
use super::expr::number;
use super::functions::name_of;
use super::partitions::{Bound, Frame, Task, What, Window, work};
use super::scope::{Col, Scope};
use super::tree::{arguments, key, same};
use super::value::{Type, Typed, Value};
use super::{Planner, calculate, chosen, not_here, text};

/// Functions that need OVER.
const WINDOWS: [&str; 11] = [
    "row_number",
    "rank",
    "dense_rank",
    "percent_rank",
    "cume_dist",
    "ntile",
    "lag",
    "lead",
    "first_value",
    "last_value",
    "nth_value",
];

/// True for the name of a function that needs OVER, in lower case.
pub(super) fn is_window(name: &str) -> bool {
    WINDOWS.contains(&name)
}

/// Shows every expression of some part of a query to `look`, and every `SELECT` in it to `select`.
///
/// This is the only visitor of the program: each further type of visitor would compile sqlparser's walk over the whole
/// syntax tree once more, about 400 KB of code.
pub(super) struct Walk<'a> {
    pub(super) look: &'a mut dyn FnMut(&ast::Expr) -> ControlFlow<String>,
    pub(super) select: &'a mut dyn FnMut(&ast::Select),
}

impl Visitor for Walk<'_> {
    type Break = String;

    fn pre_visit_expr(&mut self, expr: &ast::Expr) -> ControlFlow<String> {
        (self.look)(expr)
    }

    fn pre_visit_select(&mut self, select: &ast::Select) -> ControlFlow<String> {
        (self.select)(select);
        ControlFlow::Continue(())
    }
}

/// The names of columns in some part of a query, in lower case.
pub(super) fn names_in(part: &impl Visit) -> HashSet<String> {
    let mut names = HashSet::new();
    let mut look = |expr: &ast::Expr| {
        match expr {
            ast::Expr::Identifier(name) => drop(names.insert(name.value.to_ascii_lowercase())),
            ast::Expr::CompoundIdentifier(parts) => {
                names.extend(parts.last().map(|name| name.value.to_ascii_lowercase()));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    };
    let _ = part.visit(&mut Walk { look: &mut look, select: &mut |_| {} });
    names
}

impl Planner<'_> {
    /// Computes windows, so that expressions can refer to them by their text. Keeps only the `needed` columns, or all
    /// of them if `needed` is none.
    pub(super) fn windows(
        &mut self,
        calls: &[&Function],
        named: &[NamedWindowDefinition],
        needed: Option<&HashSet<String>>,
        scope: &mut Scope,
    ) -> Result<(), String> {
        let (mut columns, mut windows, mut found) = (Vec::new(), Vec::<Window>::new(), Vec::new());
        for call in calls {
            let expr = ast::Expr::Function((*call).clone());
            let key = key(&expr);
            if found.iter().any(|(known, _)| *known == key) {
                continue;
            }
            let spec = spec_of(call, named)?;
            let mut window = Window::default();
            for expr in &spec.partition_by {
                window.partition.push(self.input(expr, scope, &mut columns)?.0);
            }
            for order in &spec.order_by {
                let id = self.input(&order.expr, scope, &mut columns)?.0;
                let (descending, nulls_last) = direction(order)?;
                window.order.push((id, descending, nulls_last));
            }
            let (task, typed) = self.task(call, &spec, scope, &mut columns)?;
            found.push((key, typed));
            match windows.iter_mut().find(|known| known.partition == window.partition && known.order == window.order) {
                Some(known) => known.tasks.push(task),
                None => windows.push(Window { tasks: vec![task], ..window }),
            }
        }
        let outputs: Vec<(PlSmallStr, Type)> =
            windows.iter().flat_map(|window| &window.tasks).map(|task| (task.output.clone(), task.kind)).collect();
        let mut frame = scope.relation.frame.clone();
        if let (None, Some(needed)) = (&scope.keys, needed) {
            // One column is needed to give the number of rows.
            let first = scope.relation.columns.first().map(|column| column.id.clone());
            let is_needed = |column: &Col| needed.contains(&column.name.to_ascii_lowercase());
            scope.relation.columns.retain(|column| is_needed(column) || Some(&column.id) == first.as_ref());
            columns.extend(scope.relation.columns.iter().map(|column| (column.id.clone(), col(column.id.clone()))));
            frame = chosen(frame, columns);
        } else {
            frame = frame.with_columns(columns.into_iter().map(|(id, expr)| expr.alias(id)).collect::<Vec<_>>());
        }
        let schema = move |schema: &Schema| {
            let mut schema = schema.clone();
            outputs.iter().for_each(|(name, kind)| drop(schema.insert(name.clone(), kind.data_type())));
            Ok::<SchemaRef, PolarsError>(schema.into())
        };
        let run = move |rows: DataFrame| work(rows, &windows);
        scope.relation.frame =
            frame.map(run, AllowedOptimizations::empty(), Some(std::sync::Arc::new(schema)), Some("windows"));
        scope.computed.extend(found);
        Ok(())
    }

    /// An expression as a column of its own.
    fn input(
        &mut self,
        expr: &ast::Expr,
        scope: &mut Scope,
        columns: &mut Vec<(PlSmallStr, Expr)>,
    ) -> Result<(PlSmallStr, Typed), String> {
        let typed = self.expr(expr, scope)?;
        Ok((self.made(typed.clone(), columns), typed))
    }

    fn made(&mut self, typed: Typed, columns: &mut Vec<(PlSmallStr, Expr)>) -> PlSmallStr {
        let id = self.fresh();
        columns.push((id.clone(), typed.expr));
        id
    }

    /// A window function and the column of its results.
    fn task(
        &mut self,
        call: &Function,
        spec: &WindowSpec,
        scope: &mut Scope,
        columns: &mut Vec<(PlSmallStr, Expr)>,
    ) -> Result<(Task, Typed), String> {
        let name = name_of(call);
        let ordered = !spec.order_by.is_empty();
        let frame = frame_of(spec.window_frame.as_ref(), ordered)?;
        let written = || format!("'{}'", text(&ast::Expr::Function(call.clone())));
        if !is_window(&name) && !AGGREGATES.contains(&name.as_str()) {
            return Err(not_here(&format!("the window function {name}(..)")));
        }
        if call.null_treatment.as_ref().is_some_and(|how| *how == NullTreatment::IgnoreNulls) {
            return Err(not_here(&written()));
        }
        let list = arguments(call);
        let needs_order = is_window(&name) && !["row_number", "rank", "dense_rank"].contains(&name.as_str());
        if needs_order && !ordered {
            return Err(format!("{name}(..) OVER needs ORDER BY; without it, rows have no order"));
        }
        let mut task = Task { what: What::RowNumber, input: None, frame, output: self.fresh(), kind: Type::Integer };
        let mut bounds = super::value::ANY;
        if is_window(&name) {
            if call.filter.is_some() {
                return Err(not_here(&written()));
            }
            task.what = match (name.as_str(), list.len()) {
                ("row_number", 0) => What::RowNumber,
                ("rank", 0) => What::Rank,
                ("dense_rank", 0) => What::DenseRank,
                ("percent_rank", 0) => What::PercentRank,
                ("cume_dist", 0) => What::CumeDist,
                ("ntile", 1) => match number(list[0], "ntile")? {
                    0 => return Err("ntile takes a number of buckets from 1 on".to_owned()),
                    buckets => What::Ntile(buckets),
                },
                ("lag" | "lead", 1..=3) => {
                    let steps = if list.len() > 1 { number(list[1], &name)? } else { 1 };
                    let steps = i64::try_from(steps).map_err(|_| format!("{name} takes a smaller number of rows"))?;
                    let other = list.get(2).map(|other| self.expr(other, scope)).transpose()?;
                    let other = match other.map(|other| other.constant) {
                        None => Value::Null,
                        Some(Some(value)) => value,
                        Some(None) => return Err(not_here(&format!("{name} with a default that is not a literal"))),
                    };
                    What::Shift(if name == "lag" { -steps } else { steps }, other)
                }
                ("first_value", 1) => What::Nth(1),
                ("last_value", 1) => What::Last,
                ("nth_value", 2) => match number(list[1], "nth_value")? {
                    0 => return Err("nth_value counts from 1 on".to_owned()),
                    place => What::Nth(place),
                },
                (_, count) => return Err(format!("{name} does not take {count} arguments")),
            };
            match task.what {
                What::Shift(..) | What::Nth(_) | What::Last => {
                    let typed = self.expr(list[0], scope)?;
                    let typed = self.with_default(typed, &mut task.what, &name)?;
                    (task.kind, bounds) = (typed.kind, typed.bounds);
                    task.input = Some(self.made(typed, columns));
                }
                What::PercentRank | What::CumeDist => task.kind = Type::Real,
                _ => bounds = (0, 1 << 48),
            }
        } else {
            let call = Call::of(call)?;
            if call.distinct {
                return Err(not_here(&written()));
            }
            let filter = call.filter.map(|filter| self.flag(filter, scope, "FILTER")).transpose()?;
            let typed = match call.arguments.as_slice() {
                [] => Typed::of(Value::Flag(true)),
                [argument] => self.expr(argument, scope)?,
                _ => return Err(not_here(&written())),
            };
            let typed = match filter {
                Some(filter) => calculate::unless(typed, filter.fill_null(polars::prelude::lit(false)).not()),
                None => typed,
            };
            task.what = aggregate(&name, &typed, task.frame).ok_or_else(|| not_here(&written()))??;
            task.kind = task.what.kind(typed.kind);
            task.input = Some(self.made(typed, columns));
        }
        let typed = Typed { bounds, ..Typed::new(col(task.output.clone()), task.kind) };
        Ok((task, typed))
    }

    /// The value of `lag` or `lead`, in the common type with its default.
    fn with_default(&self, typed: Typed, what: &mut What, name: &str) -> Result<Typed, String> {
        let What::Shift(_, other) = what else { return Ok(typed) };
        let default = Typed::of(other.clone());
        let (low, high) = default.bounds;
        let Some(kind) = typed.kind.common(default.kind) else {
            return Err(format!("{name}: {} and {} do not go together", typed.kind.name(), default.kind.name()));
        };
        if let (Type::Real, Value::Integer(number)) = (kind, &other) {
            *other = Value::Real(*number as f64);
        }
        let typed = typed.expect(kind, name)?;
        let bounds = (typed.bounds.0.min(low), typed.bounds.1.max(high));
        Ok(if *other == Value::Null { typed } else { Typed { bounds, ..typed } })
    }
}

/// An aggregate over a frame. None for those that are not supported.
fn aggregate(name: &str, value: &Typed, frame: Frame) -> Option<Result<What, String>> {
    let number = matches!(value.kind, Type::Integer | Type::Real | Type::Null);
    let what = match name {
        "count" => What::Count,
        "sum" => What::Sum,
        "avg" | "mean" => What::Mean,
        "min" => return Some(Ok(What::Extreme(false))),
        "max" => return Some(Ok(What::Extreme(true))),
        "stddev" | "stddev_samp" | "std" => What::Spread { sample: true, root: true },
        "stddev_pop" => What::Spread { sample: false, root: true },
        "variance" | "var_samp" | "var" => What::Spread { sample: true, root: false },
        "var_pop" => What::Spread { sample: false, root: false },
        "median" if frame == (Frame { from: Bound::Start, to: Bound::End }) => What::Median,
        _ => return None,
    };
    if what != What::Count && !number {
        return Some(Err(format!("{name} takes numbers, not {}", value.kind.name())));
    }
    Some(Ok(what))
}

/// The window of a function: its own, a named one, or one that extends a named one.
fn spec_of(call: &Function, named: &[NamedWindowDefinition]) -> Result<WindowSpec, String> {
    let find = |name: &ast::Ident| {
        let found = named.iter().find(|NamedWindowDefinition(known, _)| same(&known.value, &name.value));
        match found {
            Some(NamedWindowDefinition(_, NamedWindowExpr::WindowSpec(spec))) if spec.window_name.is_none() => {
                Ok(spec.clone())
            }
            Some(_) => Err(not_here(&format!("the window {name}, which is made of another"))),
            None => Err(format!("no window {name} in a WINDOW clause")),
        }
    };
    match &call.over {
        Some(WindowType::NamedWindow(name)) => find(name),
        Some(WindowType::WindowSpec(spec)) => match &spec.window_name {
            None => Ok(spec.clone()),
            Some(name) => {
                let base = find(name)?;
                if !spec.partition_by.is_empty()
                    || (!base.order_by.is_empty() && !spec.order_by.is_empty())
                    || base.window_frame.is_some()
                {
                    return Err(not_here(&format!("OVER ({name} ..) that changes its window")));
                }
                let order_by = if spec.order_by.is_empty() { base.order_by } else { spec.order_by.clone() };
                Ok(WindowSpec { order_by, window_frame: spec.window_frame.clone(), window_name: None, ..base })
            }
        },
        None => Err("a window function needs OVER (..)".to_owned()),
    }
}

/// Whether an order is descending, and whether NULLs are last. NULLs are last by default.
pub(super) fn direction(order: &OrderByExpr) -> Result<(bool, bool), String> {
    if order.with_fill.is_some() {
        return Err(not_here("WITH FILL"));
    }
    Ok((order.options.asc == Some(false), order.options.nulls_first != Some(true)))
}

fn frame_of(frame: Option<&WindowFrame>, ordered: bool) -> Result<Frame, String> {
    let usual = if ordered { Bound::PeerEnd } else { Bound::End };
    let Some(frame) = frame else { return Ok(Frame { from: Bound::Start, to: usual }) };
    let rows = match frame.units {
        WindowFrameUnits::Rows => true,
        WindowFrameUnits::Range => false,
        WindowFrameUnits::Groups => return Err(not_here("a window frame of GROUPS")),
    };
    let offset = |steps: &ast::Expr, sign: i64| {
        if !rows {
            return Err(not_here("RANGE with a distance"));
        }
        let steps = i64::try_from(number(steps, "ROWS")?).ok().filter(|steps| *steps <= 1 << 40);
        Ok(Bound::Offset(sign * steps.ok_or("ROWS takes a smaller number")?))
    };
    let bound = |bound: &WindowFrameBound, start: bool| match bound {
        WindowFrameBound::CurrentRow if rows => Ok(Bound::Offset(0)),
        WindowFrameBound::CurrentRow if start => Ok(if ordered { Bound::PeerStart } else { Bound::Start }),
        WindowFrameBound::CurrentRow => Ok(usual),
        WindowFrameBound::Preceding(None) if start => Ok(Bound::Start),
        WindowFrameBound::Following(None) if !start => Ok(Bound::End),
        WindowFrameBound::Preceding(Some(steps)) => offset(steps, -1),
        WindowFrameBound::Following(Some(steps)) => offset(steps, 1),
        _ => Err("a window frame begins at its end".to_owned()),
    };
    let from = bound(&frame.start_bound, true)?;
    let to = bound(frame.end_bound.as_ref().unwrap_or(&WindowFrameBound::CurrentRow), false)?;
    if !ordered && (matches!(from, Bound::Offset(_)) || matches!(to, Bound::Offset(_))) {
        return Err("a window frame of ROWS needs ORDER BY; without it, rows have no order".to_owned());
    }
    Ok(Frame { from, to })
}
