//! Functions that SQLite does not have, or only if it is compiled with them. `guide queries` describes them.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::panic::{RefUnwindSafe, UnwindSafe};

use regex::Regex;
use rusqlite::functions::{Aggregate, Context, FunctionFlags, WindowAggregate};
use rusqlite::types::{ToSql, Value, ValueRef};
use rusqlite::{Connection, Error, Result};

use super::sums::Sums;

/// The most values that a median or quantile keeps in memory.
const MOST_VALUES: usize = 1 << 27;

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

/// A figure of pairs of numbers; None is NULL.
type Statistic = fn(&Sums) -> Option<f64>;

/// Figures of a number, or of pairs (y, x): name, number of arguments, fewest rows, figure.
const STATISTICS: [(&str, i32, f64, Statistic); 12] = [
    ("stddev", 1, 2.0, |sums| Some((sums.sxx() / (sums.count - 1.0)).sqrt())),
    ("stddev_samp", 1, 2.0, |sums| Some((sums.sxx() / (sums.count - 1.0)).sqrt())),
    ("stddev_pop", 1, 1.0, |sums| Some((sums.sxx() / sums.count).sqrt())),
    ("variance", 1, 2.0, |sums| Some(sums.sxx() / (sums.count - 1.0))),
    ("var_samp", 1, 2.0, |sums| Some(sums.sxx() / (sums.count - 1.0))),
    ("var_pop", 1, 1.0, |sums| Some(sums.sxx() / sums.count)),
    ("covar_samp", 2, 2.0, |sums| Some(sums.sxy() / (sums.count - 1.0))),
    ("covar_pop", 2, 1.0, |sums| Some(sums.sxy() / sums.count)),
    ("corr", 2, 2.0, |sums| divided(sums.sxy(), sums.sxx().sqrt() * sums.syy().sqrt()).map(|r| r.clamp(-1.0, 1.0))),
    ("regr_slope", 2, 2.0, |sums| divided(sums.sxy(), sums.sxx())),
    ("regr_intercept", 2, 2.0, |sums| Some(sums.mean_y() - divided(sums.sxy(), sums.sxx())? * sums.mean_x())),
    ("regr_r2", 2, 2.0, |sums| divided(sums.sxy() * sums.sxy(), sums.sxx() * sums.syy()).map(|r| r.min(1.0))),
];

/// A ratio; NULL if the divisor is not above 0.
fn divided(above: f64, below: f64) -> Option<f64> {
    (below > 0.0).then(|| above / below)
}

/// Adds all functions to a connection.
pub(super) fn add(base: &Connection) -> Result<()> {
    let pure = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    for (name, function) in REAL {
        base.create_scalar_function(name, 1, pure, move |context| Ok(real(context, 0).map(function)))?;
    }
    for (name, function) in REALS {
        base.create_scalar_function(name, 2, pure, move |context| {
            Ok(real(context, 0).zip(real(context, 1)).map(|(x, y)| function(x, y)))
        })?;
    }
    for (name, function) in ROUNDED {
        base.create_scalar_function(name, 1, pure, move |context| {
            Ok(match context.get_raw(0) {
                ValueRef::Integer(number) => Value::Integer(number),
                _ => real(context, 0).map_or(Value::Null, |x| Value::Real(function(x))),
            })
        })?;
    }
    base.create_scalar_function("pi", 0, pure, |_| Ok(std::f64::consts::PI))?;
    // `text REGEXP pattern` calls regexp(pattern, text).
    for (name, pattern) in [("regexp", 0), ("regexp_matches", 1)] {
        base.create_scalar_function(name, 2, pure, move |context| {
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
    for (name, argument, wins) in [("greatest", "arg_max", Ordering::Greater), ("least", "arg_min", Ordering::Less)] {
        base.create_scalar_function(name, -1, pure, move |context| {
            let mut best: Option<Value> = None;
            for at in 0..context.len() {
                let value = context.get(at)?;
                if value != Value::Null && best.as_ref().is_none_or(|best| order(&value, best) == wins) {
                    best = Some(value);
                }
            }
            Ok(best)
        })?;
        // The value of the first argument in the first row where the second is largest or smallest.
        let step = move |context: &Context<'_>, best: &mut Option<(Value, Value)>, _| {
            let (value, by) = (context.get(0)?, context.get(1)?);
            let better = best.as_ref().is_none_or(|(_, known)| order(&by, known) == wins);
            if better && value != Value::Null && by != Value::Null {
                *best = Some((value, by));
            }
            Ok(())
        };
        base.create_aggregate_function(argument, 2, pure, fold(step, |best| best.take().map(|(value, _)| value)))?;
    }
    for (name, arguments, least, figure) in STATISTICS {
        let step = move |context: &Context<'_>, sums: &mut Sums, sign| {
            // A pair with a NULL does not count.
            // Of a single number, both are this number.
            if let (Some(y), Some(x)) = (number(context, 0)?, number(context, arguments as usize - 1)?) {
                sums.add(x, y, sign);
            }
            Ok(())
        };
        let found = move |sums: &mut Sums| Some(sums).filter(|sums| sums.count >= least).and_then(|sums| figure(sums));
        base.create_window_function(name, arguments, pure, fold(step, found))?;
    }
    let pairs = |context: &Context<'_>, count: &mut i64, sign: f64| {
        *count += number(context, 0)?.and(number(context, 1)?).map_or(0, |_| sign as i64);
        Ok(())
    };
    base.create_window_function("regr_count", 2, pure, fold(pairs, |count: &mut i64| Some(*count)))?;
    let count = |context: &Context<'_>, counts: &mut [f64; 2], sign| {
        if let Some(flag) = number(context, 0)? {
            counts[usize::from(flag != 0.0)] += sign;
        }
        Ok(())
    };
    let all = |&mut [no, yes]: &mut [f64; 2]| (no + yes > 0.0).then_some(no == 0.0);
    let any = |&mut [no, yes]: &mut [f64; 2]| (no + yes > 0.0).then_some(yes > 0.0);
    base.create_window_function("bool_and", 1, pure, fold(count, all))?;
    base.create_window_function("bool_or", 1, pure, fold(count, any))?;
    base.create_window_function("median", 1, pure, fold(collect_numbers, interpolated))?;
    base.create_window_function("quantile_cont", 2, pure, fold(collect_numbers, interpolated))?;
    let collect_values = |context: &Context<'_>, quantile: &mut Quantile<Value>, _| {
        collect(context, quantile, Some(context.get(0)?).filter(|value| *value != Value::Null))
    };
    // The first value up to which at least this share of the values lies.
    let discrete = |(fraction, values): &mut Quantile<Value>| {
        let (above, below) = (*fraction)?;
        values.sort_unstable_by(order);
        let rank = (above * values.len() as u128).div_ceil(below).max(1) - 1;
        values.get(rank as usize).cloned()
    };
    base.create_aggregate_function("quantile_disc", 2, pure, fold(collect_values, discrete))?;
    let tally = |context: &Context<'_>, counts: &mut BTreeMap<Ordered, u64>, _| {
        let value = context.get(0)?;
        if value != Value::Null {
            if counts.len() >= MOST_VALUES {
                return Err(wrong(format!("a mode takes at most {MOST_VALUES} different values")));
            }
            *counts.entry(Ordered(value)).or_default() += 1;
        }
        Ok(())
    };
    // The most frequent value, the smallest of several.
    let mode = |counts: &mut BTreeMap<Ordered, u64>| {
        // Of equals, `max_by_key` takes the last one, which is the smallest value here.
        let (Ordered(value), _) = counts.iter().rev().max_by_key(|(_, count)| **count)?;
        Some(value.clone())
    };
    base.create_aggregate_function("mode", 1, pure, fold(tally, mode))
}

/// The error that a query ends with, for a reason.
fn wrong(reason: impl Into<String>) -> Error {
    Error::UserFunctionError(reason.into().into())
}

/// An argument as a real number. None for NULL and for what is not a number.
fn real(context: &Context<'_>, at: usize) -> Option<f64> {
    match context.get_raw(at) {
        ValueRef::Integer(number) => Some(number as f64),
        ValueRef::Real(number) => Some(number),
        ValueRef::Text(text) => std::str::from_utf8(text).ok()?.trim().parse().ok(),
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

/// An argument as text. None for what is no text or number.
fn text<'a>(context: &'a Context<'_>, at: usize) -> Option<std::borrow::Cow<'a, str>> {
    match context.get_raw(at) {
        ValueRef::Integer(number) => Some(number.to_string().into()),
        ValueRef::Real(number) => Some(number.to_string().into()),
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text)),
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

/// A number of an aggregate: a text is an error there, because SQLite would take it for 0.
fn number(context: &Context<'_>, at: usize) -> Result<Option<f64>> {
    match context.get_raw(at) {
        ValueRef::Text(_) | ValueRef::Blob(_) => Err(wrong("the function needs numbers, not texts")),
        _ => Ok(real(context, at)),
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

/// A value as a key of a map.
struct Ordered(Value);

impl PartialEq for Ordered {
    fn eq(&self, other: &Ordered) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Ordered) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Ordered) -> Ordering {
        order(&self.0, &other.0)
    }
}

/// An aggregate. `step` adds a row to a state, or takes it away when it leaves a window: the sign is then -1. `found`
/// is the value of a state.
struct Fold<Step, Found> {
    step: Step,
    found: Found,
}

/// An aggregate of two functions.
fn fold<S, T, Step, Found>(step: Step, found: Found) -> Fold<Step, Found>
where
    Step: Fn(&Context<'_>, &mut S, f64) -> Result<()>,
    Found: Fn(&mut S) -> Option<T>,
{
    Fold { step, found }
}

impl<S, T, Step, Found> Aggregate<S, Option<T>> for Fold<Step, Found>
where
    S: Default + RefUnwindSafe + UnwindSafe,
    T: ToSql,
    Step: Fn(&Context<'_>, &mut S, f64) -> Result<()>,
    Found: Fn(&mut S) -> Option<T>,
{
    fn init(&self, _: &mut Context<'_>) -> Result<S> {
        Ok(S::default())
    }

    fn step(&self, context: &mut Context<'_>, state: &mut S) -> Result<()> {
        (self.step)(context, state, 1.0)
    }

    fn finalize(&self, _: &mut Context<'_>, state: Option<S>) -> Result<Option<T>> {
        Ok((self.found)(&mut state.unwrap_or_default()))
    }
}

impl<S, T, Step, Found> WindowAggregate<S, Option<T>> for Fold<Step, Found>
where
    S: Default + RefUnwindSafe + UnwindSafe,
    T: ToSql,
    Step: Fn(&Context<'_>, &mut S, f64) -> Result<()>,
    Found: Fn(&mut S) -> Option<T>,
{
    fn value(&self, state: Option<&mut S>) -> Result<Option<T>> {
        Ok((self.found)(state.unwrap_or(&mut S::default())))
    }

    fn inverse(&self, context: &mut Context<'_>, state: &mut S) -> Result<()> {
        (self.step)(context, state, -1.0)
    }
}

/// A quantile as a fraction of two integers, from the first row on, and the values.
type Quantile<T> = (Option<(u128, u128)>, Vec<T>);

/// Adds a value. The fraction is the second argument, or one half. Its shortest decimal digits count: 0.55 is 55 of
/// 100, not a double near it.
fn collect<T>(context: &Context<'_>, (fraction, values): &mut Quantile<T>, value: Option<T>) -> Result<()> {
    if fraction.is_none() {
        let q = if context.len() < 2 { Some(0.5) } else { number(context, 1)? };
        let wrong = || wrong("a quantile is a number from 0 to 1");
        let text = q.filter(|q| (0.0..=1.0).contains(q)).ok_or_else(wrong)?.to_string();
        let (whole, places) = text.split_once('.').unwrap_or((&text, ""));
        // 18 digits are more than a double has.
        let places = &places[..places.len().min(18)];
        let above = format!("{whole}{places}").parse().map_err(|_| wrong())?;
        *fraction = Some((above, 10u128.pow(places.len() as u32)));
    }
    if values.len() >= MOST_VALUES {
        return Err(wrong(format!("a median or quantile takes at most {MOST_VALUES} values")));
    }
    values.extend(value);
    Ok(())
}

/// Adds the number of a row to the values of a quantile, or takes it away.
fn collect_numbers(context: &Context<'_>, quantile: &mut Quantile<f64>, sign: f64) -> Result<()> {
    let number = number(context, 0)?;
    if sign > 0.0 {
        return collect(context, quantile, number);
    }
    let gone = number.and_then(|gone| quantile.1.iter().position(|value| value.total_cmp(&gone).is_eq()));
    gone.map(|at| quantile.1.remove(at));
    Ok(())
}

/// The quantile, with linear interpolation between the two values around it.
fn interpolated((fraction, values): &mut Quantile<f64>) -> Option<f64> {
    let (above, below) = (*fraction)?;
    values.sort_unstable_by(f64::total_cmp);
    let scaled = above * values.len().checked_sub(1)? as u128;
    let (place, part) = ((scaled / below) as usize, (scaled % below) as f64 / below as f64);
    let low = values[place];
    Some(values.get(place + 1).filter(|_| part > 0.0).map_or(low, |high| low + (high - low) * part))
}
