//! Counts a multiset of hashes that may not fit in memory: how often did each one occur?

use std::io;
use std::sync::Arc;

use super::stats::Tally;
use crate::corpus::sorter::{Sorted, Sorter};

/// Bytes of hashes in memory.
const ROOM: usize = 1 << 20;

/// A multiset of hashes.
#[derive(Clone, Debug)]
pub struct Multiset {
    hashes: Sorter,
    total: u64,
    /// The first error of the temporary file; [`Multiset::groups`] gives it back.
    failed: Option<Arc<io::Error>>,
}

impl Default for Multiset {
    fn default() -> Multiset {
        Multiset { hashes: Sorter::new(&std::env::temp_dir(), ROOM), total: 0, failed: None }
    }
}

impl Multiset {
    /// Adds a hash once more.
    pub fn add(&mut self, hash: u128) {
        self.total += 1;
        // Where the temporary file cannot be written, every further hash would try it again.
        if self.failed.is_none() {
            let added = self.hashes.push(&[&hash.to_be_bytes()]);
            self.note(added);
        }
    }

    /// Adds the values of another one.
    pub fn merge(&mut self, other: Multiset) {
        self.total += other.total;
        self.failed = self.failed.take().or(other.failed);
        let added = self.hashes.append(other.hashes);
        self.note(added);
    }

    /// Keeps the first error, which is told at the end.
    fn note(&mut self, added: io::Result<()>) {
        if let Err(error) = added {
            self.failed.get_or_insert(Arc::new(error));
        }
    }

    /// How many hashes were added.
    pub fn len(&self) -> u64 {
        self.total
    }

    /// How many hashes were added once, twice, and so on.
    ///
    /// # Errors
    /// The temporary file cannot be written or read.
    pub fn times(&self) -> io::Result<Tally> {
        let mut tally = Tally::default();
        for group in self.groups()? {
            tally.add(group?.1);
        }
        Ok(tally)
    }

    /// Each hash, ascending, and how often it was added.
    ///
    /// # Errors
    /// The temporary file cannot be written or read. The same is an item of the iterator if it happens later.
    pub fn groups(&self) -> io::Result<impl Iterator<Item = io::Result<(u128, u64)>>> {
        if let Some(error) = &self.failed {
            return Err(io::Error::new(error.kind(), error.to_string()));
        }
        let mut sorted = self.hashes.clone().finish()?;
        let mut next = next(&mut sorted)?;
        Ok(std::iter::from_fn(move || {
            let hash = next?;
            let mut times = 0;
            while next == Some(hash) {
                times += 1;
                next = match self::next(&mut sorted) {
                    Ok(next) => next,
                    Err(error) => return Some(Err(error)),
                };
            }
            Some(Ok((hash, times)))
        }))
    }
}

fn next(sorted: &mut Sorted) -> io::Result<Option<u128>> {
    Ok(sorted.advance()?.and_then(|record| record.try_into().ok()).map(u128::from_be_bytes))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use super::*;
    use sudoku_corpus_core::random::{Rng, Stage};

    /// Several runs, copies and sums of multisets, against a map.
    #[test]
    fn hashes_are_counted_as_a_map_counts_them() {
        let mut rng = Rng::new(1, 0, Stage::Bench, 0);
        let mut hash = || (rng.below(200_000) as u128) << 100;
        let hashes: Vec<u128> = (0..3 * ROOM / 16 + 77).map(|_| hash()).collect();
        let (first, second) = hashes.split_at(ROOM / 10);
        let mut all = Multiset::default();
        first.iter().for_each(|&hash| all.add(hash));
        let mut other = all.clone();
        second.iter().for_each(|&hash| other.add(hash));
        all.merge(other);
        let mut map: BTreeMap<u128, u64> = BTreeMap::new();
        first.iter().chain(&hashes).for_each(|&hash| *map.entry(hash).or_default() += 1);
        assert_eq!(all.len(), map.values().sum::<u64>());
        for _ in 0..2 {
            let groups: Vec<(u128, u64)> = all.groups().unwrap().collect::<io::Result<_>>().unwrap();
            assert!(groups.iter().copied().eq(map.iter().map(|(&hash, &times)| (hash, times))));
        }
        assert_eq!(Multiset::default().groups().unwrap().count(), 0);
    }

    #[test]
    fn a_file_that_cannot_be_written_is_an_error_at_the_end() {
        let nowhere = Sorter::new(Path::new("/nowhere/at/all"), 64);
        let mut hashes = Multiset { hashes: nowhere, ..Multiset::default() };
        (0..4).for_each(|hash| hashes.add(hash));
        assert_eq!(hashes.times().unwrap().total(), 4, "there is room for four");
        (0..100).for_each(|hash| hashes.add(hash));
        let mut all = Multiset::default();
        all.merge(hashes);
        assert!(
            all.groups().is_err_and(|error| error.to_string().starts_with("a temporary file in /nowhere/at/all: "))
        );
    }
}
