//! Counts how often each hash occurs, for more hashes than may fit in memory.

use std::io;
use std::sync::Arc;

use super::tally::Tally;
use crate::corpus::in_words;
use crate::corpus::sorter::Sorter;

/// Bytes of hashes in memory.
const ROOM: usize = 1 << 20;

/// A multiset of hashes.
#[derive(Clone, Debug)]
pub struct Multiset {
    hashes: Sorter,
    /// The first error of the temporary file; [`Multiset::times`] gives it back.
    failed: Option<Arc<io::Error>>,
}

impl Default for Multiset {
    fn default() -> Multiset {
        Multiset { hashes: Sorter::new(&std::env::temp_dir(), ROOM), failed: None }
    }
}

impl Multiset {
    /// Adds a hash once more.
    pub fn add(&mut self, hash: u128) {
        // Where the temporary file cannot be written, every further hash would try it again.
        if self.failed.is_none() {
            self.failed = self.hashes.push(&[&hash.to_be_bytes()]).err().map(Arc::new);
        }
    }

    /// Adds the values of another one.
    pub fn merge(&mut self, other: Multiset) {
        let added = self.hashes.append(other.hashes).err().map(Arc::new);
        self.failed = self.failed.take().or(other.failed).or(added);
    }

    /// How many hashes were added once, twice, and so on.
    ///
    /// # Errors
    /// The temporary file cannot be written or read.
    pub fn times(&self) -> io::Result<Tally> {
        if let Some(error) = &self.failed {
            return Err(io::Error::new(error.kind(), in_words(error)));
        }
        let mut sorted = self.hashes.clone().finish()?;
        let (mut tally, mut last, mut times) = (Tally::default(), Vec::new(), 0);
        loop {
            let hash = sorted.advance()?;
            if times > 0 && hash != Some(&last) {
                tally.add(std::mem::take(&mut times));
            }
            let Some(hash) = hash else { return Ok(tally) };
            last.clear();
            last.extend_from_slice(hash);
            times += 1;
        }
    }
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
        let mut expected = Tally::default();
        map.values().for_each(|&times| expected.add(times));
        assert_eq!([all.times().unwrap(), all.times().unwrap()], [expected.clone(), expected]);
        assert_eq!(Multiset::default().times().unwrap().total(), 0);
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
        assert!(all.times().is_err_and(|error| error.to_string().starts_with("a temporary file in /nowhere/at/all: ")));
    }
}
