//! Functions that SQLite does not have, or only if it is compiled with them. `guide queries` describes them.

mod aggregates;
mod sums;

use std::cmp::Ordering;

use regex::Regex;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Error, Result};

/// A function of one number, by its name.
type OfOne = (&'static str, fn(f64) -> f64);
/// A function of two numbers, by its name.
type OfTwo = (&'static str, fn(f64, f64) -> f64);

/// Functions of a real number. A result that is not a number is NULL, as in SQLite's own build.
const REAL: [OfOne; 21] = [
    ("acos", f64::acos),
    ("acosh", f64::acosh),
    ("asin", f64::asin),
    ("asinh", f64::asinh),
    ("atan", f64::atan),
    ("atanh", f64::atanh),
    ("cos", f64::cos),
    ("cosh", f64::cosh),
    ("degrees", f64::to_degrees),
    ("exp", f64::exp),
    ("ln", |x| if x > 0.0 { x.ln() } else { f64::NAN }),
    ("log", |x| if x > 0.0 { x.log10() } else { f64::NAN }),
    ("log10", |x| if x > 0.0 { x.log10() } else { f64::NAN }),
    ("log2", |x| if x > 0.0 { x.log2() } else { f64::NAN }),
    ("radians", f64::to_radians),
    ("sin", f64::sin),
    ("sinh", f64::sinh),
    ("sqrt", f64::sqrt),
    ("tan", f64::tan),
    ("tanh", f64::tanh),
    ("cbrt", f64::cbrt),
];

/// Functions of two numbers.
const REALS: [OfTwo; 5] = [
    ("atan2", f64::atan2),
    ("log", |base, x| if base > 0.0 && x > 0.0 { x.ln() / base.ln() } else { f64::NAN }),
    ("mod", |x, y| x % y),
    ("pow", f64::powf),
    ("power", f64::powf),
];

/// Functions that leave integers as they are.
const ROUNDED: [OfOne; 4] = [("ceil", f64::ceil), ("ceiling", f64::ceil), ("floor", f64::floor), ("trunc", f64::trunc)];

/// What SQLite may assume of every function: its value depends on its arguments alone, and it does no harm.
const PURE: FunctionFlags =
    FunctionFlags::SQLITE_UTF8.union(FunctionFlags::SQLITE_DETERMINISTIC).union(FunctionFlags::SQLITE_INNOCUOUS);

/// Adds all functions to a connection.
pub(super) fn add(base: &Connection) -> Result<()> {
    add_mathematics(base)?;
    add_regular_expressions(base)?;
    for (name, wins) in [("greatest", Ordering::Greater), ("least", Ordering::Less)] {
        base.create_scalar_function(name, -1, PURE, move |context| extreme(context, wins))?;
    }
    aggregates::add(base)
}

/// Adds the functions of numbers.
fn add_mathematics(base: &Connection) -> Result<()> {
    for (name, function) in REAL {
        base.create_scalar_function(name, 1, PURE, move |context| Ok(real(context, 0).map(function)))?;
    }
    for (name, function) in REALS {
        base.create_scalar_function(name, 2, PURE, move |context| {
            Ok(real(context, 0).zip(real(context, 1)).map(|(x, y)| function(x, y)))
        })?;
    }
    for (name, function) in ROUNDED {
        base.create_scalar_function(name, 1, PURE, move |context| {
            Ok(match context.get_raw(0) {
                ValueRef::Integer(number) => Value::Integer(number),
                _ => real(context, 0).map_or(Value::Null, |x| Value::Real(function(x))),
            })
        })?;
    }
    base.create_scalar_function("pi", 0, PURE, |_| Ok(std::f64::consts::PI))
}

/// Adds `regexp_matches(text, pattern)` and `regexp(pattern, text)`, which `text REGEXP pattern` calls.
fn add_regular_expressions(base: &Connection) -> Result<()> {
    for (name, pattern) in [("regexp", 0), ("regexp_matches", 1)] {
        base.create_scalar_function(name, 2, PURE, move |context| {
            let (ValueRef::Text(_), Some(text)) = (context.get_raw(pattern), text(context, 1 - pattern)) else {
                return Ok(None);
            };
            let parsed = context.get_or_create_aux(pattern as i32, |value| {
                let text = value.as_str().map_err(|error| error.to_string())?;
                Regex::new(text).map_err(|_| format!("'{text}' is not a regular expression"))
            })?;
            Ok(Some(parsed.is_match(&text)))
        })?;
    }
    Ok(())
}

/// The first argument that wins against all others. NULL does not count.
fn extreme(context: &Context<'_>, wins: Ordering) -> Result<Option<Value>> {
    let mut best: Option<Value> = None;
    for place in 0..context.len() {
        let value = context.get(place)?;
        if value != Value::Null && best.as_ref().is_none_or(|best| order(&value, best) == wins) {
            best = Some(value);
        }
    }
    Ok(best)
}

/// The error that a query ends with, for a reason.
fn wrong(reason: impl Into<String>) -> Error {
    Error::UserFunctionError(reason.into().into())
}

/// An argument as a real number. None for NULL and for what is not a number.
fn real(context: &Context<'_>, argument: usize) -> Option<f64> {
    match context.get_raw(argument) {
        ValueRef::Integer(number) => Some(number as f64),
        ValueRef::Real(number) => Some(number),
        ValueRef::Text(text) => std::str::from_utf8(text).ok()?.trim().parse().ok(),
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

/// An argument as text. None for what is no text or number.
fn text<'a>(context: &'a Context<'_>, argument: usize) -> Option<std::borrow::Cow<'a, str>> {
    match context.get_raw(argument) {
        ValueRef::Integer(number) => Some(number.to_string().into()),
        ValueRef::Real(number) => Some(number.to_string().into()),
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text)),
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

/// A number of an aggregate: a text is an error there, because SQLite would take it for 0.
fn number(context: &Context<'_>, argument: usize) -> Result<Option<f64>> {
    match context.get_raw(argument) {
        ValueRef::Text(_) | ValueRef::Blob(_) => Err(wrong("the function needs numbers, not texts")),
        _ => Ok(real(context, argument)),
    }
}

/// The order of SQLite: numbers before texts, texts by their bytes.
fn order(left: &Value, right: &Value) -> Ordering {
    let class = |value: &Value| match value {
        Value::Null => 0,
        Value::Integer(_) | Value::Real(_) => 1,
        Value::Text(_) => 2,
        Value::Blob(_) => 3,
    };
    let of_reals = |left: f64, right: f64| left.partial_cmp(&right).unwrap_or(Ordering::Equal);
    // An integer that rounds to the real number may still differ from it; that number is then an integer.
    let mixed = |left: i64, right: f64| of_reals(left as f64, right).then(i128::from(left).cmp(&(right as i128)));
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => left.cmp(right),
        (Value::Real(left), Value::Real(right)) => of_reals(*left, *right),
        (Value::Integer(left), Value::Real(right)) => mixed(*left, *right),
        (Value::Real(left), Value::Integer(right)) => mixed(*right, *left).reverse(),
        (Value::Text(left), Value::Text(right)) => left.cmp(right),
        (Value::Blob(left), Value::Blob(right)) => left.cmp(right),
        _ => class(left).cmp(&class(right)),
    }
}
