//! Fills quotas: numbers of puzzles of different categories, with every puzzle counted once.
//!
//! ```text
//!   puzzles in order        categories that a puzzle fits        quotas
//!     p1  easy, 24 givens       easy, few givens            easy        ##......   2 of 8
//!     p2  easy                  easy                        few givens  #.....     1 of 6
//!     p3  hard, 23 givens       few givens
//! ```
//!
//! A puzzle may fit several quotas. It is taken if the puzzles taken so far and this one can be assigned to the quotas
//! together. Some of them may have to change their quota for that (an augmenting path from one of its quotas to one
//! with room). Sets that can be assigned are the independent sets of a transversal matroid (Edmonds & Fulkerson, 1965).
//! So taking puzzles greedily in order fills the quotas whenever they can be filled, and a puzzle that is refused once
//! never has to be tried again. *Tried and lost*: assigning each puzzle to the first quota that fits. It reports quotas
//! as short that can be filled.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// The most quotas that a selection can have: one bit each.
pub(crate) const MOST_QUOTAS: usize = 64;

/// A number of puzzles that fulfil a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Its name in messages and headings.
    pub name: String,
    /// An SQL condition on the columns of a row.
    pub condition: String,
    /// How many puzzles.
    pub count: u64,
}

impl Quota {
    /// Puzzles with a number of givens in a range.
    pub fn givens(range: RangeInclusive<u32>, count: u64) -> Quota {
        let (first, last) = (range.start(), range.end());
        let name = if first == last { format!("givens {first}") } else { format!("givens {first}..{last}") };
        Quota { name, condition: format!("givens BETWEEN {first} AND {last}"), count }
    }

    /// Puzzles that fulfil an SQL condition.
    pub fn condition(condition: &str, count: u64) -> Quota {
        Quota { name: condition.to_owned(), condition: condition.to_owned(), count }
    }

    /// Any puzzles.
    pub fn any(count: u64) -> Quota {
        Quota { name: "any".to_owned(), condition: "TRUE".to_owned(), count }
    }

    /// The range of a condition that [`Quota::givens`] wrote. None for other conditions.
    pub(crate) fn givens_of(condition: &str) -> Option<RangeInclusive<u32>> {
        let (first, last) = condition.strip_prefix("givens BETWEEN ")?.split_once(" AND ")?;
        Some(first.parse().ok()?..=last.parse().ok()?)
    }
}

/// A step of an augmenting path: a quota that gets a puzzle.
#[derive(Clone, Copy)]
struct PathStep {
    quota: usize,
    /// The category of the puzzle that moves on from it to the next quota. None for the last quota, which has room.
    leaving: Option<u64>,
}

/// Assigns puzzles to quotas.
#[derive(Clone, Debug)]
pub(crate) struct Filler {
    /// How many puzzles each quota asks for.
    counts: Vec<u64>,
    filled: Vec<u64>,
    /// For each category (a set of quotas, as bits), how many of its puzzles each quota has.
    handed: BTreeMap<u64, Vec<u64>>,
    /// Categories from which no more puzzles can be taken.
    closed: BTreeSet<u64>,
}

impl Filler {
    /// Quotas of these sizes, all empty; at most [`MOST_QUOTAS`].
    pub(crate) fn new(counts: Vec<u64>) -> Filler {
        debug_assert!(counts.len() <= MOST_QUOTAS);
        let filled = vec![0; counts.len()];
        Filler { counts, filled, handed: BTreeMap::new(), closed: BTreeSet::new() }
    }

    /// Takes a puzzle that fits the quotas whose bits are set, if that is possible.
    pub(crate) fn take(&mut self, category: u64) -> bool {
        if self.closed.contains(&category) {
            return false;
        }
        let Some(path) = self.path(category) else {
            self.closed.insert(category);
            return false;
        };
        let quotas = self.counts.len();
        let mut newcomer = category;
        for &PathStep { quota, leaving } in &path {
            self.handed.entry(newcomer).or_insert_with(|| vec![0; quotas])[quota] += 1;
            match leaving {
                Some(category) => {
                    if let Some(handed) = self.handed.get_mut(&category) {
                        handed[quota] -= 1;
                    }
                    newcomer = category;
                }
                None => self.filled[quota] += 1,
            }
        }
        true
    }

    /// An augmenting path for one more puzzle, by breadth-first search. None if there is none.
    fn path(&self, category: u64) -> Option<Vec<PathStep>> {
        // Mostly a quota of the puzzle itself has room.
        if let Some(quota) = self.quotas_of(category).find(|&quota| self.has_room(quota)) {
            return Some(vec![PathStep { quota, leaving: None }]);
        }
        // For each quota that was reached from another one, the step before.
        let mut previous: Vec<Option<PathStep>> = vec![None; self.counts.len()];
        let mut queue: Vec<usize> = self.quotas_of(category).collect();
        let mut reached = category;
        let mut next = 0;
        while let Some(&quota) = queue.get(next) {
            next += 1;
            if self.has_room(quota) {
                let mut path = vec![PathStep { quota, leaving: None }];
                let mut current = quota;
                while let Some(step) = previous[current] {
                    path.push(step);
                    current = step.quota;
                }
                path.reverse();
                return Some(path);
            }
            for (&category, handed) in &self.handed {
                if handed[quota] == 0 {
                    continue;
                }
                for other_quota in self.quotas_of(category & !reached) {
                    previous[other_quota] = Some(PathStep { quota, leaving: Some(category) });
                    queue.push(other_quota);
                }
                reached |= category;
            }
        }
        None
    }

    fn quotas_of(&self, category: u64) -> impl Iterator<Item = usize> + use<> {
        (0..self.counts.len()).filter(move |quota| category >> quota & 1 == 1)
    }

    fn has_room(&self, quota: usize) -> bool {
        self.filled[quota] < self.counts[quota]
    }

    pub(crate) fn is_full(&self) -> bool {
        self.filled == self.counts
    }

    pub(crate) fn filled(&self) -> &[u64] {
        &self.filled
    }

    /// Gives the quota of each puzzle for its category, if it is called for the puzzles in the order in which they were
    /// taken. Puzzles of a category fill its first quota first.
    pub(crate) fn hand_out(&self) -> impl FnMut(u64) -> usize + use<> {
        let mut left = self.handed.clone();
        move |category| {
            let Some(counts) = left.get_mut(&category) else { return 0 };
            // The first quota that still has a puzzle of this category gives it.
            let Some(quota) = counts.iter().position(|&count| count > 0) else { return 0 };
            counts[quota] -= 1;
            quota
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::random::{Rng, Stage};

    /// The largest number of puzzles that can be assigned, by trying all ways.
    fn most(categories: &[u64], counts: &mut Vec<u64>) -> usize {
        let Some((category, rest)) = categories.split_first() else { return 0 };
        let mut best = most(rest, counts);
        for quota in 0..counts.len() {
            if category >> quota & 1 == 1 && counts[quota] > 0 {
                counts[quota] -= 1;
                best = best.max(1 + most(rest, counts));
                counts[quota] += 1;
            }
        }
        best
    }

    #[test]
    fn as_many_puzzles_are_taken_as_can_be_handed_out() {
        for index in 0..3_000 {
            let mut rng = Rng::new(1, index, Stage::Bench, 0);
            let quotas = 1 + rng.below(4);
            let mut counts: Vec<u64> = (0..quotas).map(|_| rng.below(3) as u64).collect();
            let categories: Vec<u64> = (0..rng.below(8)).map(|_| rng.below(1 << quotas) as u64).collect();
            let mut filler = Filler::new(counts.clone());
            let mut taken = Vec::new();
            for (at, &category) in categories.iter().enumerate() {
                let took = filler.take(category);
                if took {
                    taken.push(category);
                }
                // The choice is greedy in order: later puzzles never displace earlier ones.
                assert_eq!(taken.len(), most(&categories[..=at], &mut counts), "{categories:?} {counts:?}");
            }
            assert_eq!(filler.is_full(), taken.len() as u64 == counts.iter().sum::<u64>());
            let mut filled = vec![0; quotas];
            for (quota, category) in taken.iter().copied().map(filler.hand_out()).zip(&taken) {
                assert_eq!(category >> quota & 1, 1, "a puzzle in a quota that it does not fit");
                filled[quota] += 1;
            }
            assert_eq!(filled, filler.filled());
        }
    }

    #[test]
    fn puzzles_change_their_quota_to_make_room() {
        let mut filler = Filler::new(vec![1, 1]);
        assert!(filler.take(0b11) && filler.take(0b01), "the first one has to move");
        assert!(!filler.take(0b11) && filler.is_full());
        assert_eq!([0b11, 0b01].map(filler.hand_out()), [1, 0]);
    }

    #[test]
    fn ranges_are_named_as_they_are_written() {
        assert_eq!(Quota::givens(24..=24, 3).name, "givens 24");
        assert_eq!(Quota::givens(5..=9, 3).condition, "givens BETWEEN 5 AND 9");
        assert_eq!(Quota::givens_of(&Quota::givens(24..=30, 3).condition), Some(24..=30));
        assert_eq!(Quota::givens_of("givens BETWEEN 24 AND 30 AND minimal"), None);
    }
}
