//! The best N candidates of a stream, one of each class, in bounded memory.
//!
//! ```text
//!   [ kept so far, at most N | newcomers up to the bound, at most N + 1024 ]
//!   full: sort, keep one per class, and of these the first N
//! ```
//!
//! The key of the last of N kept candidates is a bound: later candidates with a larger key are not needed. *Tried and
//! lost*: a heap with a map from class to key. It is four times slower, because most newcomers come while the heap is
//! being filled.

use super::order::{Key, MOST_COLUMNS};

/// A row that may be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub class: u128,
    /// Its place in the order.
    pub key: Key,
    /// The keys of its place in the result.
    pub sort: [u64; MOST_COLUMNS],
}

/// The best candidates so far.
pub(super) struct Best {
    limit: usize,
    kept: Vec<Candidate>,
    /// The key of the last kept candidate, once there are `limit` of them. Later candidates with larger sort keys, or
    /// with the same sort keys and a larger class, are not needed.
    bound: Option<Key>,
    /// Candidates left out because another one of their class was kept.
    copies: u64,
    /// True if several rows of one class have the same sort keys.
    tied: bool,
}

/// What was kept.
pub(super) struct Kept {
    /// The best candidates, in order.
    pub candidates: Vec<Candidate>,
    /// How many were copies of others. The number is exact if no more candidates came than are kept. Otherwise some copies
    /// may not have been noticed.
    pub copies: u64,
    /// Some were copies of others with the same sort keys.
    pub tied: bool,
}

impl Best {
    /// Keeps at most `limit` candidates.
    pub fn new(limit: usize) -> Best {
        Best { limit, kept: Vec::new(), bound: None, copies: 0, tied: false }
    }

    /// True if a candidate with this key would be kept.
    pub fn wants(&self, key: &Key) -> bool {
        // A copy of the last kept candidate has to be noticed, so the numbers of the rows are not compared.
        self.bound.is_none_or(|bound| (key.words, key.class) <= (bound.words, bound.class))
    }

    /// Adds a candidate if it is wanted.
    pub fn push(&mut self, candidate: Candidate) {
        if !self.wants(&candidate.key) {
            return;
        }
        self.kept.push(candidate);
        if self.kept.len() >= self.limit.saturating_mul(2).saturating_add(1024) {
            self.shrink();
        }
    }

    /// Drops all but the first candidate of each class, and all after the first `limit`.
    fn shrink(&mut self) {
        self.kept.sort_unstable_by_key(|candidate| (candidate.class, candidate.key));
        let (copies, tied) = (&mut self.copies, &mut self.tied);
        self.kept.dedup_by(|next, first| {
            let same = next.class == first.class;
            *copies += u64::from(same);
            *tied |= same && next.key.words == first.key.words;
            same
        });
        self.kept.sort_unstable_by_key(|candidate| candidate.key);
        self.kept.truncate(self.limit);
        if self.kept.len() == self.limit {
            self.bound = self.kept.last().map(|last| last.key);
        }
    }

    /// The best candidates, in order.
    pub fn finish(mut self) -> Kept {
        self.shrink();
        Kept { candidates: self.kept, copies: self.copies, tied: self.tied }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use sudoku_corpus_core::random::{Rng, Stage};

    #[test]
    fn the_first_of_each_class_are_kept() {
        for index in 0..300 {
            let mut rng = Rng::new(1, index, Stage::Bench, 0);
            let limit = rng.below(40);
            let mut best = Best::new(limit);
            let mut first: BTreeMap<u128, Key> = BTreeMap::new();
            let mut pushed = 0;
            for row in 0..rng.below(6_000) as u64 {
                let class = rng.below(500) as u128;
                let key = Key { words: [rng.below(300) as u64, 0, 0], class, row };
                best.push(Candidate { class, key, sort: [0; MOST_COLUMNS] });
                pushed += 1;
                let there = first.entry(class).or_insert(key);
                *there = key.min(*there);
            }
            let mut expected: Vec<Candidate> =
                first.into_iter().map(|(class, key)| Candidate { class, key, sort: [0; MOST_COLUMNS] }).collect();
            expected.sort_by_key(|candidate| candidate.key);
            let classes = expected.len();
            expected.truncate(limit);
            let kept = best.finish();
            assert_eq!(kept.candidates, expected, "limit {limit}");
            assert!(classes > limit || kept.copies == pushed - classes as u64, "{} copies of {pushed}", kept.copies);
        }
    }
}
