//! SQL functions of many rows: statistics of numbers and pairs, quantiles, `mode`, `arg_max` and so on.
//!
//! Each function is made of two parts by `fold`: one adds a row to a state or takes it away, the other computes the
//! value of a state. `add` registers all functions; below it stand the parts, group by group.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::panic::{RefUnwindSafe, UnwindSafe};

use rusqlite::functions::{Aggregate, Context, WindowAggregate};
use rusqlite::types::{ToSql, Value};
use rusqlite::{Connection, Result};

use super::sums::Sums;
use super::{PURE, number, order, wrong};

/// The most values that a median or quantile keeps in memory.
const MOST_VALUES: usize = 1 << 27;

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

/// Adds all aggregates to a connection.
pub(super) fn add(base: &Connection) -> Result<()> {
    add_statistics(base)?;
    for (name, wins) in [("arg_max", Ordering::Greater), ("arg_min", Ordering::Less)] {
        base.create_aggregate_function(name, 2, PURE, first_where(wins))?;
    }
    let is_any = |&mut Flags { no, yes }: &mut Flags| (no + yes > 0.0).then_some(yes > 0.0);
    let are_all = |&mut Flags { no, yes }: &mut Flags| (no + yes > 0.0).then_some(no == 0.0);
    base.create_window_function("bool_or", 1, PURE, fold(count_flag, is_any))?;
    base.create_window_function("bool_and", 1, PURE, fold(count_flag, are_all))?;
    base.create_window_function("median", 1, PURE, fold(collect_numbers, interpolated))?;
    base.create_window_function("quantile_cont", 2, PURE, fold(collect_numbers, interpolated))?;
    base.create_aggregate_function("quantile_disc", 2, PURE, fold(collect_values, discrete))?;
    base.create_aggregate_function("mode", 1, PURE, fold(tally, most_frequent))
}

/// Adds the figures of numbers and of pairs.
fn add_statistics(base: &Connection) -> Result<()> {
    for (name, arguments, least, figure) in STATISTICS {
        let step = move |context: &Context<'_>, sums: &mut Sums, sign| {
            // A pair with a NULL does not count. Of a single number, both are this number.
            if let (Some(y), Some(x)) = (number(context, 0)?, number(context, arguments as usize - 1)?) {
                sums.add(x, y, sign);
            }
            Ok(())
        };
        let value =
            move |sums: &mut Sums| if sums.count >= least && sums.extremes == 0.0 { figure(sums) } else { None };
        base.create_window_function(name, arguments, PURE, fold(step, value))?;
    }
    let count_pair = |context: &Context<'_>, pairs: &mut i64, sign: f64| {
        *pairs += number(context, 0)?.and(number(context, 1)?).map_or(0, |_| sign as i64);
        Ok(())
    };
    base.create_window_function("regr_count", 2, PURE, fold(count_pair, |pairs: &mut i64| Some(*pairs)))
}

/// The value of the first argument in the first row where the second is largest or smallest.
fn first_where(wins: Ordering) -> impl Aggregate<Option<Extreme>, Option<Value>> {
    let step = move |context: &Context<'_>, best: &mut Option<Extreme>, _| {
        let row = Extreme { value: context.get(0)?, by: context.get(1)? };
        let is_better = best.as_ref().is_none_or(|best| order(&row.by, &best.by) == wins);
        if is_better && row.value != Value::Null && row.by != Value::Null {
            *best = Some(row);
        }
        Ok(())
    };
    fold(step, |best: &mut Option<Extreme>| best.take().map(|row| row.value))
}

/// A value, and what makes its row the first or the last.
struct Extreme {
    value: Value,
    by: Value,
}

/// Numbers of rows whose flag is false, and true.
#[derive(Default)]
struct Flags {
    no: f64,
    yes: f64,
}

/// Counts the flag of a row, or takes it away.
fn count_flag(context: &Context<'_>, flags: &mut Flags, sign: f64) -> Result<()> {
    match number(context, 0)? {
        Some(0.0) => flags.no += sign,
        Some(_) => flags.yes += sign,
        None => {}
    }
    Ok(())
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

/// An aggregate. `step` adds a row to a state, or takes it away when it leaves a window: the sign is then -1. `value_of`
/// computes the value of a state.
struct Fold<Step, ValueOf> {
    step: Step,
    value_of: ValueOf,
}

/// An aggregate of two functions.
fn fold<S, T, Step, ValueOf>(step: Step, value_of: ValueOf) -> Fold<Step, ValueOf>
where
    Step: Fn(&Context<'_>, &mut S, f64) -> Result<()>,
    ValueOf: Fn(&mut S) -> Option<T>,
{
    Fold { step, value_of }
}

impl<S, T, Step, ValueOf> Aggregate<S, Option<T>> for Fold<Step, ValueOf>
where
    S: Default + RefUnwindSafe + UnwindSafe,
    T: ToSql,
    Step: Fn(&Context<'_>, &mut S, f64) -> Result<()>,
    ValueOf: Fn(&mut S) -> Option<T>,
{
    fn init(&self, _: &mut Context<'_>) -> Result<S> {
        Ok(S::default())
    }

    fn step(&self, context: &mut Context<'_>, state: &mut S) -> Result<()> {
        (self.step)(context, state, 1.0)
    }

    fn finalize(&self, _: &mut Context<'_>, state: Option<S>) -> Result<Option<T>> {
        Ok((self.value_of)(&mut state.unwrap_or_default()))
    }
}

impl<S, T, Step, ValueOf> WindowAggregate<S, Option<T>> for Fold<Step, ValueOf>
where
    S: Default + RefUnwindSafe + UnwindSafe,
    T: ToSql,
    Step: Fn(&Context<'_>, &mut S, f64) -> Result<()>,
    ValueOf: Fn(&mut S) -> Option<T>,
{
    fn value(&self, state: Option<&mut S>) -> Result<Option<T>> {
        Ok((self.value_of)(state.unwrap_or(&mut S::default())))
    }

    fn inverse(&self, context: &mut Context<'_>, state: &mut S) -> Result<()> {
        (self.step)(context, state, -1.0)
    }
}

/// A quantile of values.
struct Quantile<T> {
    /// As a fraction of two integers, from the first row on.
    fraction: Option<Fraction>,
    values: Vec<T>,
}

impl<T> Default for Quantile<T> {
    fn default() -> Quantile<T> {
        Quantile { fraction: None, values: Vec::new() }
    }
}

/// The exact value of a decimal fraction.
#[derive(Clone, Copy)]
struct Fraction {
    above: u128,
    below: u128,
}

/// Adds a value. The fraction is the second argument, or one half. Its shortest decimal digits count: 0.55 is 55 of
/// 100, not a double near it.
fn collect<T>(context: &Context<'_>, quantile: &mut Quantile<T>, value: Option<T>) -> Result<()> {
    if quantile.fraction.is_none() {
        let q = if context.len() < 2 { Some(0.5) } else { number(context, 1)? };
        let fraction = q.and_then(Fraction::of).ok_or_else(|| wrong("a quantile is a number from 0 to 1"))?;
        quantile.fraction = Some(fraction);
    }
    if quantile.values.len() >= MOST_VALUES {
        return Err(wrong(format!("a median or quantile takes at most {MOST_VALUES} values")));
    }
    quantile.values.extend(value);
    Ok(())
}

impl Fraction {
    /// The fraction of the shortest decimal digits of a number from 0 to 1.
    fn of(q: f64) -> Option<Fraction> {
        if !(0.0..=1.0).contains(&q) {
            return None;
        }
        let text = q.to_string();
        let (whole, places) = text.split_once('.').unwrap_or((&text, ""));
        // 18 digits are more than a double has.
        let places = &places[..places.len().min(18)];
        let above = format!("{whole}{places}").parse().ok()?;
        Some(Fraction { above, below: 10u128.pow(places.len() as u32) })
    }
}

/// Adds the number of a row to the values of a quantile, or takes it away.
fn collect_numbers(context: &Context<'_>, quantile: &mut Quantile<f64>, sign: f64) -> Result<()> {
    let number = number(context, 0)?;
    if sign > 0.0 {
        return collect(context, quantile, number);
    }
    let values = &mut quantile.values;
    let place = number.and_then(|number| values.iter().position(|value| value.total_cmp(&number).is_eq()));
    if let Some(place) = place {
        values.remove(place);
    }
    Ok(())
}

/// The quantile, with linear interpolation between the two values around it.
fn interpolated(Quantile { fraction, values }: &mut Quantile<f64>) -> Option<f64> {
    let Fraction { above, below } = (*fraction)?;
    values.sort_unstable_by(f64::total_cmp);
    let scaled = above * values.len().checked_sub(1)? as u128;
    let (place, part) = ((scaled / below) as usize, (scaled % below) as f64 / below as f64);
    let low = values[place];
    match values.get(place + 1) {
        Some(high) if part > 0.0 => Some(low + (high - low) * part),
        _ => Some(low),
    }
}

/// Adds the value of a row, of any type, to the values of a quantile.
fn collect_values(context: &Context<'_>, quantile: &mut Quantile<Value>, _: f64) -> Result<()> {
    let value = context.get(0)?;
    collect(context, quantile, Some(value).filter(|value| *value != Value::Null))
}

/// The first value up to which at least this share of the values lies.
fn discrete(Quantile { fraction, values }: &mut Quantile<Value>) -> Option<Value> {
    let Fraction { above, below } = (*fraction)?;
    values.sort_unstable_by(order);
    let rank = (above * values.len() as u128).div_ceil(below).max(1) - 1;
    values.get(rank as usize).cloned()
}

/// How often each value stands there.
type Frequencies = BTreeMap<Ordered, u64>;

/// Counts the value of a row.
fn tally(context: &Context<'_>, frequencies: &mut Frequencies, _: f64) -> Result<()> {
    let value = context.get(0)?;
    if value == Value::Null {
        return Ok(());
    }
    if frequencies.len() >= MOST_VALUES {
        return Err(wrong(format!("a mode takes at most {MOST_VALUES} different values")));
    }
    *frequencies.entry(Ordered(value)).or_default() += 1;
    Ok(())
}

/// The most frequent value, the smallest of several.
fn most_frequent(frequencies: &mut Frequencies) -> Option<Value> {
    // Of equals, `max_by_key` takes the last one, which is the smallest value here.
    let (Ordered(value), _) = frequencies.iter().rev().max_by_key(|(_, count)| **count)?;
    Some(value.clone())
}
