//! Computes and draws the axes of a plot.
//!
//! ```text
//!   linear    0.0  0.2  0.4  0.6          steps of 1, 2 or 5 times a power of ten, four to ten of them
//!   integers  21  22  23  24  25          counts: a tick is never between two integers
//!   log       0.1  1  10  100             decades; 1, 2, 5 if there are few of them
//!   names     easy  medium  hard          one place for each name
//! ```

use crate::page::numbers::{grouped, power_of_ten};

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub(super) label: String,
    pub(super) scale: Scale,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scale {
    /// Limits of real numbers.
    Linear(f64, f64),
    /// Limits of integers.
    Whole(f64, f64),
    /// Limits as powers of ten.
    Log(f64, f64),
    Names(Vec<String>),
}

/// A value that is marked on an axis.
pub(super) struct Tick {
    pub value: f64,
    pub label: String,
}

impl Axis {
    /// A linear axis from one number to another.
    pub fn linear(label: &str, from: f64, to: f64) -> Axis {
        Axis { label: label.to_owned(), scale: Scale::Linear(from, if to > from { to } else { from + 1.0 }) }
    }

    /// Integers from one number to another, with half a place on either side.
    pub fn integers(label: &str, from: f64, to: f64) -> Axis {
        Axis { label: label.to_owned(), scale: Scale::Whole(from - 0.5, to.max(from) + 0.5) }
    }

    /// A logarithmic axis from one positive number to another. The ends move out to 1, 2 or 5 times a power of ten.
    pub fn log(label: &str, from: f64, to: f64) -> Axis {
        let from = from.clamp(1e-300, 1e300);
        let to = to.clamp(from, 1e300);
        let below = round_numbers(from);
        let low = below[..3].iter().rfind(|&&round| round <= from * (1.0 + 1e-9)).unwrap_or(&below[0]).log10();
        let above = round_numbers(to);
        let high = above.iter().find(|&&round| round >= to * (1.0 - 1e-9)).unwrap_or(&above[3]).log10();
        Axis { label: label.to_owned(), scale: Scale::Log(low, if high > low { high } else { low + 1.0 }) }
    }

    /// Names at coordinates 0, 1, 2, ... The first one is at the top of a vertical axis, and on the left of another.
    pub fn names(label: &str, names: Vec<String>) -> Axis {
        Axis { label: label.to_owned(), scale: Scale::Names(names) }
    }

    /// True if each value has a place of its own.
    pub(super) fn is_stepped(&self) -> bool {
        matches!(self.scale, Scale::Whole(..) | Scale::Names(_))
    }

    /// The place of a value between the ends of the axis, 0 to 1; of a name, by its number from 0.
    pub(super) fn place(&self, value: f64) -> f64 {
        match &self.scale {
            Scale::Linear(from, to) | Scale::Whole(from, to) => (value - from) / (to - from),
            Scale::Log(low, high) => (value.max(f64::MIN_POSITIVE).log10() - low) / (high - low),
            Scale::Names(names) => (value + 0.5) / names.len().max(1) as f64,
        }
    }

    /// The values with a tick; not many more than `most`.
    pub(super) fn ticks(&self, most: usize) -> Vec<Tick> {
        match &self.scale {
            Scale::Linear(from, to) => stepped(*from, *to, nice_step(to - from, most)),
            Scale::Whole(from, to) => stepped(*from, *to, nice_step(to - from, most.max(2) * 2).max(1.0)),
            Scale::Log(low, high) => decades(*low, *high, most),
            Scale::Names(names) => {
                let ticks = (0..).zip(names).map(|(place, name)| Tick { value: f64::from(place), label: name.clone() });
                ticks.collect()
            }
        }
    }

    /// A value in words, for tables.
    pub(super) fn label_of(&self, value: f64) -> String {
        match &self.scale {
            Scale::Names(names) => names.get(value.round() as usize).cloned().unwrap_or_default(),
            _ => value.to_string(),
        }
    }
}

/// 1, 2, 5 and 10 times the power of ten that is next below a number, or equal to it.
fn round_numbers(value: f64) -> [f64; 4] {
    let unit = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit)
}

/// A step of 1, 2 or 5 times a power of ten that divides a span into not more than about `most` parts.
pub fn nice_step(span: f64, most: usize) -> f64 {
    let rough = span / most.max(1) as f64;
    let steps = round_numbers(rough);
    steps.into_iter().find(|&step| step >= rough).unwrap_or(steps[0])
}

/// The multiples of a step, with as many digits as the step needs.
fn stepped(from: f64, to: f64, step: f64) -> Vec<Tick> {
    let (first, last) = ((from / step - 1e-9).ceil() as i64, (to / step + 1e-9).floor() as i64);
    let digits = (-step.log10().floor()).max(0.0) as usize;
    let mut ticks = Vec::new();
    for value in (first..=last).map(|number| number as f64 * step) {
        let label = match digits {
            0 if value >= 10_000.0 => grouped(value.round() as u128),
            _ => format!("{value:.digits$}"),
        };
        ticks.push(Tick { value, label });
    }
    ticks
}

/// The powers of ten in a range, and 2 and 5 times these if there is room.
fn decades(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let whole = (high + 1e-9).floor() - (low - 1e-9).ceil();
    let every = (whole / most.max(1) as f64).ceil().max(1.0);
    let first = (low - 1e-9).ceil();
    let mut ticks = Vec::new();
    if 3.0 * (high - low) > most as f64 {
        let count = ((high + 1e-9 - first) / every).floor() as i32;
        for step in 0..=count {
            let power = first + f64::from(step) * every;
            ticks.push(Tick { value: 10f64.powf(power), label: power_of_ten(power) });
        }
        return ticks;
    }
    for power in low.floor() as i32..=high.ceil() as i32 {
        for value in [1.0, 2.0, 5.0].map(|factor| factor * 10f64.powi(power)) {
            if !(low - 1e-9..=high + 1e-9).contains(&value.log10()) {
                continue;
            }
            let label = match power {
                0..=3 => format!("{value:.0}"),
                4..=6 => grouped(value.round() as u128),
                -3..0 => format!("{value:.digits$}", digits = -power as usize),
                _ => format!("{value:e}"),
            };
            ticks.push(Tick { value, label });
        }
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(axis: &Axis) -> String {
        axis.ticks(7).into_iter().map(|tick| tick.label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(names(&Axis::linear("", 0.0, 1.0)), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(names(&Axis::linear("", 10.4, 11.8)), "10.5 11.0 11.5");
        assert_eq!(names(&Axis::linear("", 0.0, 60_000.0)), "0 10,000 20,000 30,000 40,000 50,000 60,000");
        assert_eq!(names(&Axis::integers("", 21.0, 25.0)), "21 22 23 24 25");
        assert_eq!(names(&Axis::integers("", 0.0, 64.0)), "0 5 10 15 20 25 30 35 40 45 50 55 60");
        assert_eq!(names(&Axis::names("", vec!["a".to_owned(), "b".to_owned()])), "a b");
    }

    #[test]
    fn logarithmic_axes_end_at_round_numbers() {
        assert_eq!(names(&Axis::log("", 0.5, 900.0)), "1 10 100 1000");
        assert_eq!(names(&Axis::log("", 190.0, 4_100.0)), "100 200 500 1000 2000 5000");
        assert_eq!(names(&Axis::log("", 3e-12, 0.9)), "1e-11 1e-9 1e-7 1e-5 0.001 0.1");
        assert_eq!(names(&Axis::log("", 5.0, 5.0)), "5 10 20 50");
    }

    #[test]
    fn no_axis_fails_on_strange_limits() {
        for limit in [0.0, -1.0, 1e-320, 1e308, f64::INFINITY] {
            for axis in [Axis::linear("", 0.0, limit), Axis::log("", limit, limit), Axis::integers("", 0.0, limit)] {
                let _ = axis.place(limit);
            }
        }
        assert!(!names(&Axis::log("", 0.0, 0.0)).is_empty());
    }
}
