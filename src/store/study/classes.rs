//! How many puzzles are essentially the same: how often each canonical form occurred, in bounded memory.
//!
//! ```text
//!   keys     first 64 bits of the classes seen, ascending     each with its count
//!   recent   keys since the last tidying, with their counts   sorted in when they are many
//!   too many keys: the share of classes that is counted is halved; their keys must begin with one more 0
//! ```
//!
//! Classes are hashes, so the classes whose keys begin with `halvings` zeros are a random sample of all. The sample does not
//! depend on the order of the rows or on how they are divided into parts. Up to [`ROOM`] classes everything is exact, with one
//! exception: two classes with the same 64 bits count as one, which has a probability of 3e-6 among ten million.

/// The number of classes that are kept; the memory is at most 400 MB, while they are sorted in.
const ROOM: usize = 1 << 24;
/// Keys that are sorted in at once.
const RECENT: usize = 1 << 16;

/// How often each class of puzzles occurred.
#[derive(Clone, Debug)]
pub struct Classes {
    keys: Vec<u64>,
    counts: Vec<u32>,
    recent: Vec<(u64, u32)>,
    halvings: u32,
    room: usize,
}

impl Default for Classes {
    fn default() -> Classes {
        Classes::with_room(ROOM)
    }
}

impl Classes {
    /// At most `room` classes are kept.
    pub(super) fn with_room(room: usize) -> Classes {
        Classes { keys: Vec::new(), counts: Vec::new(), recent: Vec::new(), halvings: 0, room }
    }

    pub fn add(&mut self, class: u128) {
        let key = (class >> 64) as u64;
        self.add_many(key, 1);
    }

    /// Adds a class by the first 64 bits of its hash.
    pub(super) fn add_many(&mut self, key: u64, count: u32) {
        if key.leading_zeros() >= self.halvings {
            self.recent.push((key, count));
            // An eighth of the known keys: then sorting in takes little time for each key.
            if self.recent.len() >= RECENT.max(self.keys.len() / 8) {
                self.tidy();
            }
        }
    }

    pub fn merge(&mut self, other: Classes) {
        self.halvings = self.halvings.max(other.halvings);
        let known = other.keys.into_iter().zip(other.counts);
        known.chain(other.recent).for_each(|(key, count)| self.add_many(key, count));
    }

    /// Sorts the recent keys in.
    fn tidy(&mut self) {
        let mut recent = std::mem::take(&mut self.recent);
        recent.sort_unstable();
        let (mut keys, mut counts): (Vec<u64>, Vec<u32>) = (Vec::new(), Vec::new());
        for (key, count) in recent {
            if keys.last() == Some(&key) {
                let last = counts.len() - 1;
                counts[last] = counts[last].saturating_add(count);
            } else {
                keys.push(key);
                counts.push(count);
            }
        }
        self.sort_in(&keys, &counts);
    }

    /// Merges ascending keys with their counts. Halves the share of classes that is kept until there is room.
    fn sort_in(&mut self, keys: &[u64], counts: &[u32]) {
        let (old_keys, old_counts) = (std::mem::take(&mut self.keys), std::mem::take(&mut self.counts));
        let length = old_keys.len() + keys.len();
        (self.keys, self.counts) = (Vec::with_capacity(length), Vec::with_capacity(length));
        let (mut a, mut b) = (0, 0);
        while a < old_keys.len() || b < keys.len() {
            let (old, new) = (old_keys.get(a), keys.get(b));
            let key = old.into_iter().chain(new).copied().min().unwrap_or_default();
            let mut count = 0u32;
            if old == Some(&key) {
                (count, a) = (old_counts[a], a + 1);
            }
            if new == Some(&key) {
                (count, b) = (count.saturating_add(counts[b]), b + 1);
            }
            self.keys.push(key);
            self.counts.push(count);
        }
        loop {
            let end = self.keys.partition_point(|key| key.leading_zeros() >= self.halvings);
            self.keys.truncate(end);
            self.counts.truncate(end);
            if end <= self.room || self.halvings == 64 {
                return;
            }
            self.halvings += 1;
        }
    }

    pub fn found(mut self) -> Copies {
        self.tidy();
        let mut sizes = super::stats::Tally::default();
        self.counts.iter().for_each(|&count| sizes.add(count.into()));
        Copies { sizes, one_in: 1u64.checked_shl(self.halvings).unwrap_or(u64::MAX) }
    }
}

/// How many classes occurred once, twice, ...
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copies {
    /// For each number of occurrences, how many classes have it.
    pub sizes: super::stats::Tally,
    /// 1 if all classes were counted; otherwise one class of this number was.
    pub one_in: u64,
}

impl Copies {
    pub fn puzzles(&self) -> u64 {
        u64::try_from(self.sizes.sum()).unwrap_or(u64::MAX)
    }

    pub fn classes(&self) -> u64 {
        self.sizes.total()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use sudoku_corpus_core::random::{Rng, Stage};

    /// Classes as hashes give them: the number of the class, mixed.
    fn hash(class: u64) -> u128 {
        let mut rng = Rng::new(class, 0, Stage::Bench, 0);
        u128::from(rng.word()) << 64 | u128::from(rng.word())
    }

    fn counted(classes: &[u64], room: usize) -> Classes {
        let mut counted = Classes::with_room(room);
        classes.iter().for_each(|&class| counted.add(hash(class)));
        counted
    }

    #[test]
    fn copies_are_counted_as_a_map_counts_them() {
        let classes: Vec<u64> = (0..100_000).map(|at| at * at % 70_001).collect();
        let mut map: HashMap<u64, u64> = HashMap::new();
        classes.iter().for_each(|&class| *map.entry(class).or_default() += 1);
        let copies = counted(&classes, ROOM).found();
        assert_eq!((copies.puzzles(), copies.classes(), copies.one_in), (100_000, map.len() as u64, 1));
        for (size, number) in copies.sizes.iter() {
            assert_eq!(map.values().filter(|&&count| count == size).count() as u64, number, "{size}");
        }
    }

    #[test]
    fn with_little_room_a_random_sample_is_counted_in_any_order() {
        let classes: Vec<u64> = (0..200_000).map(|at| at % 150_000).collect();
        let whole = counted(&classes, 5_000).found();
        assert!(whole.one_in == 32 && whole.classes() <= 5_000, "{} {}", whole.one_in, whole.classes());
        let estimate = (whole.classes() * whole.one_in) as f64;
        assert!((estimate / 150_000.0 - 1.0).abs() < 0.1, "{estimate}");
        let twice = whole.sizes.count(2) as f64 / whole.classes() as f64;
        assert!((twice - 1.0 / 3.0).abs() < 0.05, "{twice}");
        let (left, right) = classes.split_at(70_000);
        let mut parts = counted(right, 5_000);
        parts.merge(counted(left, 5_000));
        assert_eq!(parts.found(), whole);
        let mut many = Classes::with_room(5_000);
        classes.chunks(777).for_each(|part| many.merge(counted(part, 5_000)));
        assert_eq!(many.found(), whole);
    }

    #[test]
    fn no_class_and_one_class_need_no_room() {
        assert_eq!(Classes::default().found().classes(), 0);
        let copies = counted(&vec![7; 300_000], 10).found();
        assert_eq!((copies.puzzles(), copies.classes(), copies.one_in), (300_000, 1, 1));
    }
}
