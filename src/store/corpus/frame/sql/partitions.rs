//! Computes windows: sorts rows by partition and order, then makes one pass for each function.
//!
//! ```text
//!   partition  order           | marks the frame of row >: RANGE UNBOUNDED PRECEDING .. CURRENT ROW
//!   easy       20   |
//!   easy       21   |  >       rows that tie with the current row belong to its frame
//!   easy       21   |
//!   easy       23
//! ```
//!
//! If a frame only grows at its end or only shrinks at its start, one pass is enough. Any other frame is computed anew
//! if it differs from the frame of the row before. Its width is limited.

use polars::prelude::{DataFrame, IdxSize, PlSmallStr, PolarsError, SortMultipleOptions};

use super::aggregate::{order, owned};
use super::value::{Reader, Type, Value, column, failed};

/// Functions with the same partition and order.
#[derive(Default)]
pub(super) struct Window {
    pub partition: Vec<PlSmallStr>,
    /// For each key: its column, whether it is descending, and whether NULLs are last.
    pub order: Vec<(PlSmallStr, bool, bool)>,
    pub tasks: Vec<Task>,
}

/// A function, its column, and the column of its results.
pub(super) struct Task {
    pub what: What,
    pub input: Option<PlSmallStr>,
    pub frame: Frame,
    pub output: PlSmallStr,
    pub kind: Type,
}

/// The rows of an aggregate, relative to the current row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub from: Bound,
    pub to: Bound,
}

/// The start or the end of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Start,
    /// The first row with the same place in the order.
    PeerStart,
    /// This number of rows after the current one.
    Offset(i64),
    /// The last row with the same place in the order.
    PeerEnd,
    End,
}

/// A window function.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    RowNumber,
    Rank,
    DenseRank,
    PercentRank,
    CumeDist,
    Ntile(u64),
    /// The value this number of rows after the current row (before it if negative), or else the default.
    Shift(i64, Value<'static>),
    /// The value at this place of the frame, from 1.
    Nth(u64),
    Last,
    Count,
    Sum,
    Mean,
    /// The largest value if true, the smallest if false.
    Extreme(bool),
    Spread {
        sample: bool,
        root: bool,
    },
    Median,
}

impl What {
    /// The type of an aggregate of values of a type.
    pub fn kind(&self, of: Type) -> Type {
        match self {
            What::Mean | What::Spread { .. } | What::Median => Type::Real,
            What::Sum | What::Extreme(_) => of,
            _ => Type::Integer,
        }
    }
}

/// The largest number of rows of a frame whose start and end both move with the current row. Ties may be more.
const WIDEST: usize = 10_000;

/// Adds the columns of windows to rows.
///
/// # Errors
/// polars reports an error; a sum does not fit into 64 bits; a frame is too wide.
pub(super) fn work(mut rows: DataFrame, windows: &[Window]) -> Result<DataFrame, PolarsError> {
    for window in windows {
        let sorted = permutation(&rows, window)?;
        let keys = |names: Vec<&PlSmallStr>| -> Result<Vec<Reader>, PolarsError> {
            names.into_iter().map(|name| Reader::of(rows.column(name)?)).collect()
        };
        let partition = keys(window.partition.iter().collect())?;
        let ordered = keys(window.order.iter().map(|(name, ..)| name).collect())?;
        let differ = |keys: &[Reader], at: usize| {
            let (a, b) = (sorted[at - 1] as usize, sorted[at] as usize);
            keys.iter().any(|key| {
                let (a, b) = (key.get(a), key.get(b));
                (a == Value::Null) != (b == Value::Null) || !order(&a, &b).is_eq()
            })
        };
        let mut parts = Vec::new();
        let mut start = 0;
        for at in 1..=sorted.len() {
            if at == sorted.len() || differ(&partition, at) {
                parts.push(Part::new(start, at, |at| differ(&ordered, at)));
                start = at;
            }
        }
        let mut made = Vec::new();
        for task in &window.tasks {
            let input = task.input.as_ref().map(|name| rows.column(name).and_then(Reader::of)).transpose()?;
            let mut values = vec![Value::Null; sorted.len()];
            let value = |at: usize| input.as_ref().map_or(Value::Null, |input| input.get(sorted[at] as usize));
            for part in parts.iter().filter(|part| part.end > part.start) {
                part.run(task, &value, &mut |at, value| values[sorted[at] as usize] = value)?;
            }
            made.push(column(task.output.clone(), task.kind, values.into_iter()));
        }
        for column in made {
            rows.with_column(column)?;
        }
    }
    Ok(rows)
}

/// The row numbers in the order of a window.
fn permutation(rows: &DataFrame, window: &Window) -> Result<Vec<IdxSize>, PolarsError> {
    let names: Vec<PlSmallStr> =
        window.partition.iter().chain(window.order.iter().map(|(name, ..)| name)).cloned().collect();
    if names.is_empty() {
        return Ok((0..rows.height() as IdxSize).collect());
    }
    let plain = window.partition.iter().map(|_| (false, true));
    let how: Vec<(bool, bool)> = plain.chain(window.order.iter().map(|(_, down, last)| (*down, *last))).collect();
    let options = SortMultipleOptions {
        descending: how.iter().map(|(descending, _)| *descending).collect(),
        nulls_last: how.iter().map(|(_, last)| *last).collect(),
        multithreaded: true,
        maintain_order: true,
        limit: None,
    };
    let mut unique = names.clone();
    unique.sort();
    unique.dedup();
    let keys = rows.select(unique)?.with_row_index("#row".into(), None)?.sort(names, options)?;
    Ok(keys.column("#row")?.idx()?.iter().flatten().collect())
}

/// The rows of a partition, in sorted order.
struct Part {
    start: usize,
    end: usize,
    /// For each row: the first row with the same place in the order, and the row after the last such row.
    peers: Vec<(usize, usize)>,
}

impl Part {
    fn new(start: usize, end: usize, differ: impl Fn(usize) -> bool) -> Part {
        let mut peers = Vec::with_capacity(end - start);
        let mut first = start;
        for at in start + 1..=end {
            if at == end || differ(at) {
                peers.extend(std::iter::repeat_n((first, at), at - first));
                first = at;
            }
        }
        Part { start, end, peers }
    }

    /// The frame of a row: its first row, and the row after its last one.
    fn frame(&self, frame: Frame, at: usize) -> (usize, usize) {
        let peers = self.peers[at - self.start];
        let moved = |steps: i64| (at as i64 + steps).clamp(self.start as i64, self.end as i64) as usize;
        let from = match frame.from {
            Bound::Start => self.start,
            Bound::PeerStart => peers.0,
            Bound::Offset(steps) => moved(steps),
            Bound::PeerEnd => peers.1,
            Bound::End => self.end,
        };
        let to = match frame.to {
            Bound::Start => self.start,
            Bound::PeerStart => peers.0,
            Bound::Offset(steps) => moved(steps + 1),
            Bound::PeerEnd => peers.1,
            Bound::End => self.end,
        };
        (from, to.max(from))
    }

    fn run<'v>(
        &self,
        task: &Task,
        value: &impl Fn(usize) -> Value<'v>,
        put: &mut impl FnMut(usize, Value<'v>),
    ) -> Result<(), PolarsError> {
        let rows = (self.end - self.start) as u64;
        let mut dense = 0;
        for at in self.start..self.end {
            let place = (at - self.start) as u64;
            let (first, last) = self.peers[place as usize];
            dense += i64::from(first == at);
            let (before, through) = ((first - self.start) as u64, (last - self.start) as u64);
            let found = match &task.what {
                What::RowNumber => Value::Integer(place as i64 + 1),
                What::Rank => Value::Integer(before as i64 + 1),
                What::DenseRank => Value::Integer(dense),
                What::PercentRank => Value::Real(if rows > 1 { before as f64 / (rows - 1) as f64 } else { 0.0 }),
                What::CumeDist => Value::Real(through as f64 / rows as f64),
                What::Ntile(buckets) => {
                    // If there is a remainder, the first buckets have one row more.
                    let (size, rest) = (rows / buckets, rows % buckets);
                    let large = rest * (size + 1);
                    let bucket = if place < large { place / (size + 1) } else { rest + (place - large) / size.max(1) };
                    Value::Integer(bucket as i64 + 1)
                }
                What::Shift(steps, other) => match (at as i64).checked_add(*steps) {
                    Some(to) if (self.start as i64..self.end as i64).contains(&to) => value(to as usize),
                    _ => owned(other),
                },
                What::Nth(place) => {
                    let (from, to) = self.frame(task.frame, at);
                    let wanted = (from as u64).saturating_add(place - 1);
                    if wanted < to as u64 { value(wanted as usize) } else { Value::Null }
                }
                What::Last => match self.frame(task.frame, at) {
                    (from, to) if from < to => value(to - 1),
                    _ => Value::Null,
                },
                _ => return self.accumulate(task, value, put),
            };
            put(at, found);
        }
        Ok(())
    }

    /// Aggregates over the frames of all rows.
    fn accumulate<'v>(
        &self,
        task: &Task,
        value: &impl Fn(usize) -> Value<'v>,
        put: &mut impl FnMut(usize, Value<'v>),
    ) -> Result<(), PolarsError> {
        let mut so_far = Total::default();
        if task.frame.from == Bound::Start {
            let mut next = self.start;
            if task.frame.to == Bound::End {
                (self.start..self.end).for_each(|row| so_far.add(&task.what, value(row)));
                let found = so_far.result(&task.what, task.kind)?;
                (self.start..self.end).for_each(|at| put(at, found.clone()));
                return Ok(());
            }
            for at in self.start..self.end {
                let to = self.frame(task.frame, at).1;
                while next < to {
                    so_far.add(&task.what, value(next));
                    next += 1;
                }
                put(at, so_far.result(&task.what, task.kind)?);
            }
        } else if task.frame.to == Bound::End {
            let mut next = self.end;
            for at in (self.start..self.end).rev() {
                let from = self.frame(task.frame, at).0;
                while next > from {
                    next -= 1;
                    so_far.add(&task.what, value(next));
                }
                put(at, so_far.result(&task.what, task.kind)?);
            }
        } else {
            let mut known: Option<((usize, usize), Value<'v>)> = None;
            for at in self.start..self.end {
                let frame = self.frame(task.frame, at);
                if let Some((_, found)) = known.as_ref().filter(|(known, _)| *known == frame) {
                    put(at, found.clone());
                    continue;
                }
                let ties = task.frame == (Frame { from: Bound::PeerStart, to: Bound::PeerEnd });
                if frame.1 - frame.0 > WIDEST && !ties {
                    return Err(failed(format!("a window frame of more than {WIDEST} rows around the current one")));
                }
                let mut total = Total::default();
                (frame.0..frame.1).for_each(|row| total.add(&task.what, value(row)));
                let found = total.result(&task.what, task.kind)?;
                known = Some((frame, found.clone()));
                put(at, found);
            }
        }
        Ok(())
    }
}

/// The running values of a frame.
#[derive(Default)]
struct Total<'v> {
    count: u64,
    integers: i128,
    /// A sum of real numbers, and its compensation.
    real: (f64, f64),
    /// Mean, and sum of squared differences from it.
    moments: (f64, f64),
    extreme: Option<Value<'v>>,
    all: Vec<f64>,
}

impl<'v> Total<'v> {
    fn add(&mut self, what: &What, value: Value<'v>) {
        let number = match &value {
            Value::Null => return,
            Value::Integer(number) => *number as f64,
            Value::Real(number) => *number,
            _ => 0.0,
        };
        self.count += 1;
        match what {
            What::Sum | What::Mean => {
                if let Value::Integer(number) = value {
                    self.integers += i128::from(number);
                }
                // Neumaier's sum.
                let sum = self.real.0 + number;
                let lost = if self.real.0.abs() >= number.abs() {
                    self.real.0 - sum + number
                } else {
                    number - sum + self.real.0
                };
                self.real = (sum, if lost.is_finite() { self.real.1 + lost } else { 0.0 });
            }
            What::Spread { .. } => {
                let difference = number - self.moments.0;
                self.moments.0 += difference / self.count as f64;
                self.moments.1 += difference * (number - self.moments.0);
            }
            What::Extreme(largest) => {
                let better = self.extreme.as_ref().is_none_or(|best| {
                    let order = order(&value, best);
                    if *largest { order.is_gt() } else { order.is_lt() }
                });
                if better {
                    self.extreme = Some(value);
                }
            }
            What::Median => self.all.push(number),
            _ => {}
        }
    }

    fn result(&mut self, what: &What, kind: Type) -> Result<Value<'v>, PolarsError> {
        let sum = self.real.0 + self.real.1;
        Ok(match what {
            What::Count => Value::Integer(self.count as i64),
            _ if self.count == 0 => Value::Null,
            What::Sum if kind == Type::Integer => match i64::try_from(self.integers) {
                Ok(sum) => Value::Integer(sum),
                Err(_) => return Err(failed(super::calculate::too_large())),
            },
            What::Sum => Value::Real(sum),
            What::Mean if self.integers != 0 => Value::Real(self.integers as f64 / self.count as f64),
            What::Mean => Value::Real(sum / self.count as f64),
            What::Extreme(_) => self.extreme.clone().unwrap_or(Value::Null),
            What::Spread { sample, root } => {
                let less = u64::from(*sample);
                if self.count <= less {
                    return Ok(Value::Null);
                }
                let variance = self.moments.1 / (self.count - less) as f64;
                Value::Real(if *root { variance.sqrt() } else { variance })
            }
            What::Median => {
                self.all.sort_by(f64::total_cmp);
                let (below, above) = (self.all[(self.all.len() - 1) / 2], self.all[self.all.len() / 2]);
                Value::Real(below + (above - below) / 2.0)
            }
            _ => Value::Null,
        })
    }
}
