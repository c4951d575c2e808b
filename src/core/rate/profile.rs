//! Where rating spends its time: calls, hits and nanoseconds of each part.
//!
//! ```text
//!   part               calls       hits   ns a call     share
//!   x_wing             4,711        212         310       1 %      a rung, a producer, a kind of chain
//! ```
//!
//! A rater runs each of its searches through a [`Meter`]. The rater is compiled twice: once with [`Off`], which
//! measures nothing and costs nothing, and once with [`Profile`], which counts and reads the clock. The cost of reading
//! the clock is subtracted. Work that several parts share, for example the links of a position, counts for the part
//! that needs it first.

use std::hint::black_box;
use std::time::Instant;

/// Measures the parts of a rater.
pub trait Meter {
    /// Runs the search of a part. `is_hit` tells from the result whether the search found anything.
    fn search<T>(&mut self, part: &'static str, search: impl FnOnce() -> T, is_hit: impl FnOnce(&T) -> bool) -> T;
}

/// Measures nothing and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Off;

impl Meter for Off {
    #[inline(always)]
    fn search<T>(&mut self, _: &'static str, search: impl FnOnce() -> T, _: impl FnOnce(&T) -> bool) -> T {
        search()
    }
}

/// The measurements of one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name: the code of a technique, or the rater's own name for the part.
    pub name: &'static str,
    /// How often the part was searched.
    pub calls: u64,
    /// How many of these searches found something.
    pub hits: u64,
    /// Nanoseconds of all calls together.
    pub nanoseconds: u64,
}

/// Keeps calls, hits and time of each part.
#[derive(Clone, Debug)]
pub struct Profile {
    parts: Vec<Part>,
    /// Nanoseconds that two readings of the clock take.
    clock: u64,
}

impl Default for Profile {
    fn default() -> Profile {
        Profile::new()
    }
}

impl Profile {
    /// An empty profile. Measures the cost of the clock.
    pub fn new() -> Profile {
        let look = |_| black_box(Instant::now()).elapsed().as_nanos() as u64;
        Profile { parts: Vec::new(), clock: (0..1_000).map(look).min().unwrap_or(0) }
    }

    /// The parts, slowest first.
    pub fn parts(&self) -> Vec<Part> {
        let mut parts = self.parts.clone();
        parts.sort_by_key(|part| std::cmp::Reverse(part.nanoseconds));
        parts
    }

    /// Nanoseconds of all parts together.
    pub fn nanoseconds(&self) -> u64 {
        self.parts.iter().map(|part| part.nanoseconds).sum()
    }
}

impl Meter for Profile {
    fn search<T>(&mut self, name: &'static str, search: impl FnOnce() -> T, is_hit: impl FnOnce(&T) -> bool) -> T {
        let start = Instant::now();
        let result = search();
        let nanoseconds = (start.elapsed().as_nanos() as u64).saturating_sub(self.clock);
        let hit = u64::from(is_hit(&result));
        match self.parts.iter_mut().find(|part| part.name == name) {
            Some(part) => {
                part.calls += 1;
                part.hits += hit;
                part.nanoseconds += nanoseconds;
            }
            None => self.parts.push(Part { name, calls: 1, hits: hit, nanoseconds }),
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_hits_are_counted_part_by_part() {
        let mut profile = Profile::new();
        for number in 0..10 {
            let name = if number % 2 == 0 { "even" } else { "odd" };
            assert_eq!(profile.search(name, || number, |number| number % 3 == 0), number);
        }
        let mut counts: Vec<_> = profile.parts().iter().map(|part| (part.name, part.calls, part.hits)).collect();
        counts.sort_unstable();
        assert_eq!(counts, [("even", 5, 2), ("odd", 5, 2)]);
    }
}
