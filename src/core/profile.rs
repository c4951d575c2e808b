//! Measures where rating spends its time: calls, hits and nanoseconds of each part.
//!
//! ```text
//!   part               calls       hits   ns a call     share
//!   x_wing             4,711        212         310       1 %      a rung, a producer, a kind of chain
//! ```
//!
//! The cost of reading the clock is subtracted. Work that parts share counts for the first.

use std::hint::black_box;
use std::time::Instant;

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
    /// An empty profile. Measures the cost of the clock.
    fn default() -> Profile {
        let readings = (0..1_000).map(|_| black_box(Instant::now()).elapsed().as_nanos() as u64);
        Profile { parts: Vec::new(), clock: readings.min().unwrap_or(0) }
    }
}

impl Profile {
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

/// Runs the search of a part and measures it if there is a profile. `is_hit`: whether the search found anything.
#[inline(always)]
pub(crate) fn measured<T>(
    profile: &mut Option<&mut Profile>,
    name: &'static str,
    search: impl FnOnce() -> T,
    is_hit: impl FnOnce(&T) -> bool,
) -> T {
    let start = profile.is_some().then(Instant::now);
    let result = search();
    if let (Some(profile), Some(start)) = (profile, start) {
        let nanoseconds = (start.elapsed().as_nanos() as u64).saturating_sub(profile.clock);
        let hits = u64::from(is_hit(&result));
        match profile.parts.iter_mut().find(|part| part.name == name) {
            Some(part) => {
                part.calls += 1;
                part.hits += hits;
                part.nanoseconds += nanoseconds;
            }
            None => profile.parts.push(Part { name, calls: 1, hits, nanoseconds }),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_hits_are_counted_part_by_part() {
        let mut profile = Profile::default();
        for number in 0..10 {
            let name = if number % 2 == 0 { "even" } else { "odd" };
            let search = measured(&mut Some(&mut profile), name, || number, |number| number % 3 == 0);
            assert_eq!(search, number);
        }
        let mut counts: Vec<_> = profile.parts().iter().map(|part| (part.name, part.calls, part.hits)).collect();
        counts.sort_unstable();
        assert_eq!(counts, [("even", 5, 2), ("odd", 5, 2)]);
    }
}
