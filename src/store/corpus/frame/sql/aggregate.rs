//! Aggregates: functions over all rows, or over those of a group.

use polars::prelude::{
    Column as Series, DataType, Expr, Field, PlSmallStr, QuantileMethod, Scalar, Schema, apply_multiple, col, cov, len,
    lit, map_multiple, pearson_corr,
};
use sqlparser::ast::{self, DuplicateTreatment, Function, FunctionArg, FunctionArgExpr, FunctionArguments};

use super::functions::name_of;
use super::scope::Scope;
use super::value::{ANY, Reader, Type, Typed, Value, column, failed};
use super::{Planner, calculate, not_here, text};
use crate::corpus::frame::digest::digests;

/// The aggregates.
pub(super) const AGGREGATES: [&str; 28] = [
    "count",
    "sum",
    "avg",
    "mean",
    "min",
    "max",
    "stddev",
    "stddev_samp",
    "stddev_pop",
    "variance",
    "var_samp",
    "var_pop",
    "median",
    "quantile_cont",
    "quantile_disc",
    "quantile",
    "mode",
    "corr",
    "covar_samp",
    "covar_pop",
    "bool_and",
    "bool_or",
    "arg_max",
    "arg_min",
    "max_by",
    "min_by",
    "std",
    "var",
];

/// Aggregates of other engines. A condition about one row cannot contain them either.
const ELSEWHERE: [&str; 18] = [
    "total",
    "string_agg",
    "group_concat",
    "listagg",
    "first",
    "last",
    "any_value",
    "list",
    "array_agg",
    "product",
    "kurtosis",
    "skewness",
    "approx_count_distinct",
    "regr_slope",
    "histogram",
    "covar",
    "entropy",
    "count_if",
];

/// An upper bound for the number of rows of a corpus.
const MOST_ROWS: i128 = 1 << 48;

/// The largest absolute value of a small integer. A sum of fewer than 2^31 small integers fits into 64 bits.
const SMALL: i128 = 1 << 32;

/// True for the name of an aggregate, in lower case.
pub fn is_aggregate(name: &str) -> bool {
    AGGREGATES.contains(&name) || ELSEWHERE.contains(&name)
}

/// A call of an aggregate in a query.
pub(super) struct Call<'q> {
    pub name: String,
    pub arguments: Vec<&'q ast::Expr>,
    pub distinct: bool,
    pub filter: Option<&'q ast::Expr>,
}

impl<'q> Call<'q> {
    /// Parses a call.
    ///
    /// # Errors
    /// The call is not supported.
    pub fn of(function: &'q Function) -> Result<Call<'q>, String> {
        let name = name_of(function);
        let whole = || format!("'{}'", text(&ast::Expr::Function(function.clone())));
        if !AGGREGATES.contains(&name.as_str()) {
            return Err(not_here(&format!("the aggregate {name}(..)")));
        }
        let FunctionArguments::List(list) = &function.args else { return Err(not_here(&whole())) };
        let plain = function.within_group.is_empty()
            && function.null_treatment.is_none()
            && matches!(function.parameters, FunctionArguments::None)
            && list.clauses.is_empty();
        if !plain {
            return Err(not_here(&whole()));
        }
        let mut arguments = Vec::new();
        for argument in &list.args {
            match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => arguments.push(expr),
                FunctionArg::Unnamed(FunctionArgExpr::Wildcard) if name == "count" => {}
                _ => return Err(not_here(&whole())),
            }
        }
        let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
        if distinct && !["count", "sum", "avg", "mean", "min", "max"].contains(&name.as_str()) {
            return Err(not_here(&format!("DISTINCT in {name}(..)")));
        }
        if distinct && arguments.is_empty() {
            return Err("count(DISTINCT ..) takes a column".to_owned());
        }
        Ok(Call { name, arguments, distinct, filter: function.filter.as_deref() })
    }
}

/// An aggregate: the columns that are needed before grouping, and the expression over a group.
pub(super) struct Aggregate {
    pub columns: Vec<(PlSmallStr, Expr)>,
    pub result: Typed,
}

impl Planner<'_> {
    /// The expression of an aggregate.
    pub(super) fn aggregate(&mut self, call: &Call<'_>, scope: &mut Scope) -> Result<Aggregate, String> {
        let filter = call.filter.map(|filter| self.flag(filter, scope, "FILTER")).transpose()?;
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            arguments.push(self.expr(argument, scope)?);
        }
        let masked = |typed: Typed| match &filter {
            Some(filter) => calculate::unless(typed, filter.clone().fill_null(lit(false)).not()),
            None => typed,
        };
        let mut columns = Vec::new();
        let mut input = |typed: Typed| {
            let id = self.fresh();
            columns.push((id.clone(), typed.expr));
            Typed { expr: col(id), constant: None, ..typed }
        };
        let name = call.name.as_str();
        let result = match (name, arguments.len()) {
            ("count", 0) => match &filter {
                None => counted(len()),
                Some(filter) => {
                    let filter = input(Typed::new(filter.clone().fill_null(lit(false)), Type::Flag));
                    counted(filter.expr.sum())
                }
            },
            ("count", 1) if call.distinct => {
                let value = masked(arguments.remove(0));
                let value = if value.kind == Type::Text { Typed { expr: digest(value.expr), ..value } } else { value };
                counted(input(value).expr.drop_nulls().n_unique())
            }
            ("count", 1) => counted(input(masked(arguments.remove(0))).expr.count()),
            ("corr" | "covar_samp" | "covar_pop", 2) => {
                let (a, b) = (arguments.remove(0), arguments.remove(0));
                let (a, b) = (masked(a).expect(Type::Real, name)?, masked(b).expect(Type::Real, name)?);
                let missing = a.expr.clone().is_null().or(b.expr.clone().is_null());
                let both = missing.clone();
                let (a, b) = (input(calculate::unless(a, missing)), input(calculate::unless(b, both)));
                let rows = a.expr.clone().count();
                let (a, b) = (a.expr.drop_nulls(), b.expr.drop_nulls());
                let (expr, least) = match name {
                    "corr" => (pearson_corr(a, b), 1u32),
                    "covar_samp" => (cov(a, b, 1), 2),
                    _ => (cov(a, b, 0), 1),
                };
                calculate::unless(Typed::new(expr, Type::Real), rows.lt(lit(least)))
            }
            ("arg_max" | "arg_min" | "max_by" | "min_by", 2) => {
                let (value, by) = (input(masked(arguments.remove(0))), input(masked(arguments.remove(0))));
                let largest = name.contains("max");
                Typed { bounds: value.bounds, ..over(value.kind, vec![value.expr, by.expr], best(largest)) }
            }
            ("quantile_cont" | "quantile_disc" | "quantile", 2) => {
                let share = match arguments.remove(1).constant {
                    Some(Value::Real(share)) if (0.0..=1.0).contains(&share) => share,
                    Some(Value::Integer(share @ (0 | 1))) => share as f64,
                    _ => return Err(format!("{name} takes a literal number between 0 and 1")),
                };
                let value = masked(arguments.remove(0));
                if name == "quantile_cont" {
                    let value = input(value.expect(Type::Real, name)?);
                    Typed::new(value.expr.quantile(lit(share), QuantileMethod::Linear), Type::Real)
                } else {
                    let value = input(value);
                    Typed { bounds: value.bounds, ..over(value.kind, vec![value.expr], discrete(share)) }
                }
            }
            ("mode", 1) => {
                let value = input(masked(arguments.remove(0)));
                Typed { bounds: value.bounds, ..over(value.kind, vec![value.expr], most_frequent) }
            }
            (_, 1) => {
                let value = input(masked(arguments.remove(0)));
                of_one(name, call.distinct, value)?
            }
            (_, count) => return Err(format!("{name} does not take {count} arguments")),
        };
        Ok(Aggregate { columns, result })
    }
}

fn counted(expr: Expr) -> Typed {
    Typed::integer(expr.cast(DataType::Int64), (0, MOST_ROWS))
}

/// The digests of an expression of texts. They replace the texts where only equality matters.
fn digest(texts: Expr) -> Expr {
    map_multiple(digests, [texts], |_: &Schema, fields: &[Field]| {
        Ok(Field::new(fields[0].name().clone(), DataType::Int128))
    })
}

/// Aggregates of one column. They are NULL if there are no values.
fn of_one(name: &str, distinct: bool, value: Typed) -> Result<Typed, String> {
    let none = value.expr.clone().count().eq(lit(0u32));
    let number = |value: Typed| match value.kind {
        Type::Flag | Type::Null => Typed::integer(value.expr.cast(DataType::Int64), (0, 1)),
        _ => value,
    };
    let values = |value: &Typed| {
        let values = value.expr.clone().drop_nulls();
        if distinct { values.unique() } else { values }
    };
    let real = |value: Typed, expr: fn(Expr) -> Expr| {
        let value = number(value).expect(Type::Real, name)?;
        Ok(Typed::new(expr(value.expr), Type::Real))
    };
    match name {
        "min" | "max" if value.kind == Type::Null => Ok(value),
        "min" => Ok(Typed { expr: value.expr.min(), ..value }),
        "max" => Ok(Typed { expr: value.expr.max(), ..value }),
        "sum" => {
            let value = number(value);
            let sum = match value.kind {
                Type::Real => Typed::new(values(&value).sum(), Type::Real),
                Type::Integer => {
                    let small = value.bounds.0 >= -SMALL && value.bounds.1 <= SMALL;
                    let values = values(&value);
                    if small {
                        Typed::new(values.sum(), Type::Integer)
                    } else {
                        Typed::new(values.cast(DataType::Int128).sum().strict_cast(DataType::Int64), Type::Integer)
                    }
                }
                other => return Err(format!("sum takes numbers, not {}", other.name())),
            };
            Ok(calculate::unless(Typed { bounds: ANY, ..sum }, none))
        }
        "avg" | "mean" => {
            let value = number(value);
            let value = Typed { expr: values(&value), ..value }.expect(Type::Real, name)?;
            Ok(Typed::new(value.expr.mean(), Type::Real))
        }
        "stddev" | "stddev_samp" | "std" => real(value, |expr| expr.std(1)),
        "stddev_pop" => real(value, |expr| expr.std(0)),
        "variance" | "var_samp" | "var" => real(value, |expr| expr.var(1)),
        "var_pop" => real(value, |expr| expr.var(0)),
        "median" => real(value, Expr::median),
        "bool_and" | "bool_or" => {
            let value = value.expect(Type::Flag, name)?.expr.cast(DataType::Int64);
            let all = if name == "bool_and" { value.min() } else { value.max() };
            Ok(Typed::new(all.cast(DataType::Boolean), Type::Flag))
        }
        _ => Err(format!("{name} does not take 1 argument")),
    }
}

/// An aggregate that is computed here, from the values of a group.
fn over(kind: Type, columns: Vec<Expr>, work: impl Fn(&[Reader]) -> Value<'static> + Send + Sync + 'static) -> Typed {
    let output = move |_: &Schema, fields: &[Field]| Ok(Field::new(fields[0].name().clone(), kind.data_type()));
    let work = move |columns: &mut [Series]| {
        let name = columns.first().ok_or_else(|| failed("an aggregate without columns"))?.name().clone();
        let readers = columns.iter().map(Reader::of).collect::<Result<Vec<_>, _>>()?;
        let one = column(name.clone(), kind, std::iter::once(work(&readers)));
        let value = one.get(0)?.into_static();
        Ok(Series::new_scalar(name, Scalar::new(kind.data_type(), value), 1))
    };
    Typed::new(apply_multiple(work, columns, output, true), kind)
}

/// The values of a column in ascending order; NaN is last.
fn sorted(reader: &Reader) -> Vec<Value<'_>> {
    let mut values: Vec<Value<'_>> =
        (0..reader.len()).map(|row| reader.get(row)).filter(|v| *v != Value::Null).collect();
    values.sort_by(order);
    values
}

/// The order of values of one type.
pub(super) fn order(a: &Value<'_>, b: &Value<'_>) -> std::cmp::Ordering {
    match (a, b) {
        (Value::Flag(a), Value::Flag(b)) => a.cmp(b),
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        (Value::Real(a), Value::Real(b)) if a == b => std::cmp::Ordering::Equal,
        (Value::Real(a), Value::Real(b)) => a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        _ => std::cmp::Ordering::Equal,
    }
}

/// A value that does not borrow.
pub(super) fn owned(value: &Value<'_>) -> Value<'static> {
    match value {
        Value::Null => Value::Null,
        Value::Flag(flag) => Value::Flag(*flag),
        Value::Integer(number) => Value::Integer(*number),
        Value::Real(number) => Value::Real(*number),
        Value::Text(text) => Value::Text(text.to_string().into()),
    }
}

/// The smallest value that at least this share of the values does not exceed.
fn discrete(share: f64) -> impl Fn(&[Reader]) -> Value<'static> {
    move |readers| {
        let values = sorted(&readers[0]);
        let place = ((values.len() as f64 * share).ceil() as usize).saturating_sub(1);
        values.get(place).map_or(Value::Null, owned)
    }
}

/// The most frequent value. Of several, the smallest.
fn most_frequent(readers: &[Reader]) -> Value<'static> {
    let values = sorted(&readers[0]);
    let mut best: Option<(&Value<'_>, usize)> = None;
    for run in values.chunk_by(|a, b| order(a, b).is_eq()) {
        if best.is_none_or(|(_, count)| run.len() > count) {
            best = Some((&run[0], run.len()));
        }
    }
    best.map_or(Value::Null, |(value, _)| owned(value))
}

/// The value of the row whose other value is the largest or the smallest. Of several rows, the first.
fn best(largest: bool) -> impl Fn(&[Reader]) -> Value<'static> {
    move |readers| {
        let [values, by] = readers else { return Value::Null };
        let mut found: Option<usize> = None;
        for row in 0..values.len() {
            if values.get(row) == Value::Null || by.get(row) == Value::Null {
                continue;
            }
            let better = |best: usize| {
                let order = order(&by.get(row), &by.get(best));
                if largest { order.is_gt() } else { order.is_lt() }
            };
            if found.is_none_or(better) {
                found = Some(row);
            }
        }
        found.map_or(Value::Null, |row| owned(&values.get(row)))
    }
}
