//! Functions that SQLite does not have, or only if it is compiled with them. `guide queries` describes them.

use std::collections::BTreeMap;
use std::panic::{RefUnwindSafe, UnwindSafe};

use regex::Regex;
use rusqlite::functions::{Aggregate, Context, FunctionFlags, WindowAggregate};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Error, Result};

use super::sums::Sums;

/// The most values that a median or quantile keeps in memory.
const MOST_VALUES: usize = 1 << 27;

type OfOne = (&'static str, fn(f64) -> f64);
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

/// Functions of two real numbers.
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

/// Figures of one number: name, fewest rows, figure.
const OF_ONE: [(&str, f64, Statistic); 6] = [
    ("stddev", 2.0, |sums| Some((sums.sxx() / (sums.count - 1.0)).sqrt())),
    ("stddev_samp", 2.0, |sums| Some((sums.sxx() / (sums.count - 1.0)).sqrt())),
    ("stddev_pop", 1.0, |sums| Some((sums.sxx() / sums.count).sqrt())),
    ("variance", 2.0, |sums| Some(sums.sxx() / (sums.count - 1.0))),
    ("var_samp", 2.0, |sums| Some(sums.sxx() / (sums.count - 1.0))),
    ("var_pop", 1.0, |sums| Some(sums.sxx() / sums.count)),
];

/// Figures of pairs (y, x): name, fewest rows, figure.
const OF_TWO: [(&str, f64, Statistic); 7] = [
    ("covar_samp", 2.0, |sums| Some(sums.sxy() / (sums.count - 1.0))),
    ("covar_pop", 1.0, |sums| Some(sums.sxy() / sums.count)),
    ("corr", 2.0, |sums| divided(sums.sxy(), sums.sxx().sqrt() * sums.syy().sqrt()).map(|r| r.clamp(-1.0, 1.0))),
    ("regr_slope", 2.0, |sums| divided(sums.sxy(), sums.sxx())),
    ("regr_intercept", 2.0, |sums| Some(sums.mean_y() - divided(sums.sxy(), sums.sxx())? * sums.mean_x())),
    ("regr_r2", 2.0, |sums| divided(sums.sxy() * sums.sxy(), sums.sxx() * sums.syy()).map(|r| r.min(1.0))),
    ("regr_count", 0.0, |sums| Some(sums.count)),
];

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
    for (name, larger) in [("greatest", true), ("least", false)] {
        base.create_scalar_function(name, -1, pure, move |context| {
            let mut best: Option<Value> = None;
            for at in 0..context.len() {
                let value = Value::try_from(context.get_raw(at)).map_err(|error| wrong(error.to_string()))?;
                let wins =
                    |best: &Value| if larger { order(&value, best).is_gt() } else { order(&value, best).is_lt() };
                if value != Value::Null && best.as_ref().is_none_or(wins) {
                    best = Some(value);
                }
            }
            Ok(best)
        })?;
    }
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
    for (name, least, figure) in OF_ONE {
        base.create_window_function(name, 1, pure, Pairs { least, figure, two: false })?;
    }
    for (name, least, figure) in OF_TWO {
        base.create_window_function(name, 2, pure, Pairs { least, figure, two: true })?;
    }
    base.create_window_function("bool_and", 1, pure, Flags { all: true })?;
    base.create_window_function("bool_or", 1, pure, Flags { all: false })?;
    base.create_window_function("median", 1, pure, Median)?;
    base.create_window_function("quantile_cont", 2, pure, Median)?;
    base.create_aggregate_function("quantile_disc", 2, pure, Discrete)?;
    base.create_aggregate_function("mode", 1, pure, Mode)?;
    base.create_aggregate_function("arg_max", 2, pure, Argument { largest: true })?;
    base.create_aggregate_function("arg_min", 2, pure, Argument { largest: false })
}

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

/// An argument as text.
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
        ValueRef::Null => Ok(None),
        ValueRef::Integer(number) => Ok(Some(number as f64)),
        ValueRef::Real(number) => Ok(Some(number)),
        ValueRef::Text(_) | ValueRef::Blob(_) => Err(wrong("the function needs numbers, not texts")),
    }
}

/// The order of SQLite: numbers before texts, texts by their bytes.
fn order(left: &Value, right: &Value) -> std::cmp::Ordering {
    let class = |value: &Value| match value {
        Value::Null => 0,
        Value::Integer(_) | Value::Real(_) => 1,
        Value::Text(_) => 2,
        Value::Blob(_) => 3,
    };
    let mixed = |integer: i64, real: f64| {
        // Compares exactly: first the whole part, then the rest.
        let whole = real.floor();
        let of_whole = if whole >= 9_223_372_036_854_775_808.0 {
            std::cmp::Ordering::Less
        } else if whole < -9_223_372_036_854_775_808.0 {
            std::cmp::Ordering::Greater
        } else {
            integer.cmp(&(whole as i64))
        };
        of_whole.then(if real > whole { std::cmp::Ordering::Less } else { std::cmp::Ordering::Equal })
    };
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => left.cmp(right),
        (Value::Real(left), Value::Real(right)) => left.partial_cmp(right).unwrap_or(std::cmp::Ordering::Equal),
        (Value::Integer(left), Value::Real(right)) => mixed(*left, *right),
        (Value::Real(left), Value::Integer(right)) => mixed(*right, *left).reverse(),
        (Value::Text(left), Value::Text(right)) => left.cmp(right),
        (Value::Blob(left), Value::Blob(right)) => left.cmp(right),
        _ => class(left).cmp(&class(right)),
    }
}

/// Figures from sums.
#[derive(Clone, Copy)]
struct Pairs {
    least: f64,
    figure: Statistic,
    two: bool,
}

impl Pairs {
    /// Adds or takes away a row. A pair with a NULL does not count.
    fn change(self, context: &Context<'_>, sums: &mut Sums, sign: f64) -> Result<()> {
        let first = number(context, 0)?;
        let second = if self.two { number(context, 1)? } else { first };
        if let (Some(y), Some(x)) = (first, second) {
            sums.add(x, y, sign);
        }
        Ok(())
    }
}

impl Aggregate<Sums, Option<f64>> for Pairs {
    fn init(&self, _: &mut Context<'_>) -> Result<Sums> {
        Ok(Sums::default())
    }

    fn step(&self, context: &mut Context<'_>, sums: &mut Sums) -> Result<()> {
        self.change(context, sums, 1.0)
    }

    fn finalize(&self, _: &mut Context<'_>, sums: Option<Sums>) -> Result<Option<f64>> {
        Ok(sums.filter(|sums| sums.count >= self.least).and_then(|sums| (self.figure)(&sums)))
    }
}

impl WindowAggregate<Sums, Option<f64>> for Pairs {
    fn value(&self, sums: Option<&mut Sums>) -> Result<Option<f64>> {
        Ok(sums.filter(|sums| sums.count >= self.least).and_then(|sums| (self.figure)(sums)))
    }

    fn inverse(&self, context: &mut Context<'_>, sums: &mut Sums) -> Result<()> {
        self.change(context, sums, -1.0)
    }
}

/// Whether all or any of some flags are true. NULL does not count.
struct Flags {
    all: bool,
}

impl Flags {
    fn change(&self, context: &Context<'_>, counts: &mut [i64; 2], by: i64) -> Result<()> {
        if let Some(flag) = number(context, 0)? {
            counts[usize::from(flag != 0.0)] += by;
        }
        Ok(())
    }

    fn found(&self, counts: Option<&[i64; 2]>) -> Option<bool> {
        let [no, yes] = counts.filter(|counts| counts.iter().sum::<i64>() > 0)?;
        Some(if self.all { *no == 0 } else { *yes > 0 })
    }
}

impl Aggregate<[i64; 2], Option<bool>> for Flags {
    fn init(&self, _: &mut Context<'_>) -> Result<[i64; 2]> {
        Ok([0; 2])
    }

    fn step(&self, context: &mut Context<'_>, counts: &mut [i64; 2]) -> Result<()> {
        self.change(context, counts, 1)
    }

    fn finalize(&self, _: &mut Context<'_>, counts: Option<[i64; 2]>) -> Result<Option<bool>> {
        Ok(self.found(counts.as_ref()))
    }
}

impl WindowAggregate<[i64; 2], Option<bool>> for Flags {
    fn value(&self, counts: Option<&mut [i64; 2]>) -> Result<Option<bool>> {
        Ok(self.found(counts.as_deref()))
    }

    fn inverse(&self, context: &mut Context<'_>, counts: &mut [i64; 2]) -> Result<()> {
        self.change(context, counts, -1)
    }
}

/// A quantile as a fraction of two integers, from its shortest decimal digits: 0.55 is 55 of 100, not a double near it.
#[derive(Clone, Copy, Debug)]
struct Fraction {
    above: u128,
    below: u128,
}

impl Fraction {
    fn of(context: &Context<'_>) -> Result<Fraction> {
        if context.len() < 2 {
            return Ok(Fraction { above: 1, below: 2 });
        }
        let q = number(context, 1)?.filter(|q| (0.0..=1.0).contains(q));
        let text = q.ok_or_else(|| wrong("a quantile is a number from 0 to 1"))?.to_string();
        let (whole, places) = text.split_once('.').unwrap_or((&text, ""));
        // 18 digits are more than a double has.
        let places = &places[..places.len().min(18)];
        let above = format!("{whole}{places}").parse().map_err(|_| wrong("a quantile is a number from 0 to 1"))?;
        Ok(Fraction { above, below: 10u128.pow(places.len() as u32) })
    }

    /// The place of the quantile among `steps` steps: the whole steps, and the part of the next one.
    fn place(self, steps: usize) -> (usize, f64) {
        let scaled = self.above * steps as u128;
        ((scaled / self.below) as usize, (scaled % self.below) as f64 / self.below as f64)
    }

    /// The rank, from 0, of the first value up to which at least this share of the values lies.
    fn rank(self, count: usize) -> usize {
        ((self.above * count as u128).div_ceil(self.below) as usize).max(1) - 1
    }
}

/// Values, sorted when they are needed.
struct Collected<T> {
    at: Fraction,
    values: Vec<T>,
    sorted: bool,
}

impl<T> Collected<T> {
    fn push(&mut self, value: T) -> Result<()> {
        if self.values.len() >= MOST_VALUES {
            return Err(wrong(format!("a median or quantile takes at most {MOST_VALUES} values")));
        }
        self.values.push(value);
        self.sorted = false;
        Ok(())
    }
}

impl Collected<f64> {
    /// The quantile, with linear interpolation between the two values around it.
    fn interpolated(&mut self) -> Option<f64> {
        if !std::mem::replace(&mut self.sorted, true) {
            self.values.sort_unstable_by(f64::total_cmp);
        }
        let (place, part) = self.at.place(self.values.len().checked_sub(1)?);
        let low = self.values[place];
        Some(self.values.get(place + 1).filter(|_| part > 0.0).map_or(low, |high| low + (high - low) * part))
    }
}

/// The median and other quantiles between values.
struct Median;

impl Aggregate<Collected<f64>, Option<f64>> for Median {
    fn init(&self, context: &mut Context<'_>) -> Result<Collected<f64>> {
        Ok(Collected { at: Fraction::of(context)?, values: Vec::new(), sorted: false })
    }

    fn step(&self, context: &mut Context<'_>, values: &mut Collected<f64>) -> Result<()> {
        number(context, 0)?.map_or(Ok(()), |number| values.push(number))
    }

    fn finalize(&self, _: &mut Context<'_>, values: Option<Collected<f64>>) -> Result<Option<f64>> {
        Ok(values.and_then(|mut values| values.interpolated()))
    }
}

impl WindowAggregate<Collected<f64>, Option<f64>> for Median {
    fn value(&self, values: Option<&mut Collected<f64>>) -> Result<Option<f64>> {
        Ok(values.and_then(Collected::interpolated))
    }

    fn inverse(&self, context: &mut Context<'_>, values: &mut Collected<f64>) -> Result<()> {
        if let Some(gone) = number(context, 0)?
            && let Some(at) = values.values.iter().position(|value| value.total_cmp(&gone).is_eq())
        {
            values.values.remove(at);
        }
        Ok(())
    }
}

/// A quantile that is one of the values.
struct Discrete;

impl Aggregate<Collected<Value>, Option<Value>> for Discrete {
    fn init(&self, context: &mut Context<'_>) -> Result<Collected<Value>> {
        Ok(Collected { at: Fraction::of(context)?, values: Vec::new(), sorted: false })
    }

    fn step(&self, context: &mut Context<'_>, values: &mut Collected<Value>) -> Result<()> {
        match owned(context, 0)? {
            Value::Null => Ok(()),
            value => values.push(value),
        }
    }

    fn finalize(&self, _: &mut Context<'_>, values: Option<Collected<Value>>) -> Result<Option<Value>> {
        let Some(Collected { at, mut values, .. }) = values else { return Ok(None) };
        if values.is_empty() {
            return Ok(None);
        }
        values.sort_unstable_by(order);
        Ok(Some(values.swap_remove(at.rank(values.len()))))
    }
}

fn owned(context: &Context<'_>, at: usize) -> Result<Value> {
    Value::try_from(context.get_raw(at)).map_err(|error| wrong(error.to_string()))
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
    fn partial_cmp(&self, other: &Ordered) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Ordered) -> std::cmp::Ordering {
        order(&self.0, &other.0)
    }
}

/// The most frequent value, the smallest of several.
struct Mode;

impl Aggregate<BTreeMap<Ordered, u64>, Option<Value>> for Mode
where
    BTreeMap<Ordered, u64>: RefUnwindSafe + UnwindSafe,
{
    fn init(&self, _: &mut Context<'_>) -> Result<BTreeMap<Ordered, u64>> {
        Ok(BTreeMap::new())
    }

    fn step(&self, context: &mut Context<'_>, counts: &mut BTreeMap<Ordered, u64>) -> Result<()> {
        let value = owned(context, 0)?;
        if value != Value::Null {
            if counts.len() >= MOST_VALUES {
                return Err(wrong(format!("a mode takes at most {MOST_VALUES} different values")));
            }
            *counts.entry(Ordered(value)).or_default() += 1;
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, counts: Option<BTreeMap<Ordered, u64>>) -> Result<Option<Value>> {
        let counts = counts.unwrap_or_default();
        let most = counts.values().max().copied();
        Ok(counts.into_iter().find(|(_, count)| Some(*count) == most).map(|(Ordered(value), _)| value))
    }
}

/// The value of the first argument in the first row where the second is largest or smallest.
struct Argument {
    largest: bool,
}

impl Aggregate<Option<(Value, Value)>, Option<Value>> for Argument {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<(Value, Value)>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, best: &mut Option<(Value, Value)>) -> Result<()> {
        let (value, by) = (owned(context, 0)?, owned(context, 1)?);
        let wins = |known: &Value| if self.largest { order(&by, known).is_gt() } else { order(&by, known).is_lt() };
        if value != Value::Null && by != Value::Null && best.as_ref().is_none_or(|(_, known)| wins(known)) {
            *best = Some((value, by));
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, best: Option<Option<(Value, Value)>>) -> Result<Option<Value>> {
        Ok(best.flatten().map(|(value, _)| value))
    }
}
