//! A multiset of hashes that may not fit in memory: how often did each one occur?
//!
//! ```text
//!   add    -> recent hashes, in memory -> many: sorted, and a run of a temporary file
//!   groups -> all runs side by side, the smallest hash first -> each hash, and how often it was added
//! ```
//!
//! The temporary file has no name, so nothing is left of it however the process ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use super::stats::Tally;

/// Hashes in memory before they become a run: 2 MB.
const RECENT: usize = 1 << 17;
/// Hashes of a run that are read at once.
const READ: usize = 1 << 10;
/// Bytes of a hash.
const WIDTH: usize = size_of::<u128>();

/// A multiset of hashes. Copies share the file; each appends its own runs to it.
#[derive(Clone, Debug, Default)]
pub struct Multiset {
    recent: Vec<u128>,
    runs: Vec<Run>,
    file: Option<Arc<Mutex<File>>>,
    total: u64,
    /// The first error of the temporary file; `groups` gives it back.
    failed: Option<Arc<io::Error>>,
}

/// Hashes in ascending order in a file, from byte `at`.
#[derive(Clone, Debug)]
struct Run {
    file: Arc<Mutex<File>>,
    at: u64,
    hashes: usize,
}

impl Multiset {
    /// Adds a hash once more.
    pub fn add(&mut self, hash: u128) {
        self.recent.push(hash);
        self.total += 1;
        if self.recent.len() >= RECENT {
            self.keep();
        }
    }

    pub fn merge(&mut self, other: Multiset) {
        self.total += other.total - other.recent.len() as u64;
        self.runs.extend(other.runs);
        self.failed = self.failed.take().or(other.failed);
        other.recent.into_iter().for_each(|hash| self.add(hash));
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

    /// Makes a run of the recent hashes.
    fn keep(&mut self) {
        let mut recent = std::mem::take(&mut self.recent);
        recent.sort_unstable();
        match self.append(&recent) {
            Ok(run) => self.runs.push(run),
            Err(error) => _ = self.failed.get_or_insert(Arc::new(error)),
        }
        recent.clear();
        self.recent = recent;
    }

    fn append(&mut self, hashes: &[u128]) -> io::Result<Run> {
        let file = match &self.file {
            Some(file) => file.clone(),
            None => self.file.insert(Arc::new(Mutex::new(tempfile::tempfile()?))).clone(),
        };
        let mut open = file.lock().unwrap_or_else(PoisonError::into_inner);
        let at = open.seek(SeekFrom::End(0))?;
        open.write_all(&hashes.iter().flat_map(|hash| hash.to_be_bytes()).collect::<Vec<u8>>())?;
        drop(open);
        Ok(Run { file, at, hashes: hashes.len() })
    }

    /// Each hash, ascending, and how often it was added.
    ///
    /// # Errors
    /// The temporary file cannot be written or read.
    pub fn groups(&self) -> io::Result<impl Iterator<Item = io::Result<(u128, u64)>>> {
        if let Some(error) = &self.failed {
            return Err(io::Error::new(error.kind(), format!("temporary file of hashes: {error}")));
        }
        let mut recent = self.recent.clone();
        recent.sort_unstable_by_key(|&hash| Reverse(hash));
        let mut sources = vec![Source { rest: None, ready: recent }];
        sources.extend(self.runs.iter().map(|run| Source { rest: Some(run.clone()), ready: Vec::new() }));
        let mut next = BinaryHeap::with_capacity(sources.len());
        for (at, source) in sources.iter_mut().enumerate() {
            next.extend(source.take()?.map(|hash| Reverse((hash, at))));
        }
        Ok(std::iter::from_fn(move || {
            let Reverse((hash, _)) = *next.peek()?;
            let mut times = 0;
            while let Some(mut top) = next.peek_mut().filter(|top| top.0.0 == hash) {
                times += 1;
                match sources[top.0.1].take() {
                    Ok(Some(following)) => top.0.0 = following,
                    Ok(None) => _ = std::collections::binary_heap::PeekMut::pop(top),
                    Err(error) => return Some(Err(error)),
                }
            }
            Some(Ok((hash, times)))
        }))
    }
}

/// The hashes of a run that are still to come.
struct Source {
    rest: Option<Run>,
    /// Read already, in descending order.
    ready: Vec<u128>,
}

impl Source {
    fn take(&mut self) -> io::Result<Option<u128>> {
        if let Some(run) = self.rest.as_mut().filter(|run| self.ready.is_empty() && run.hashes > 0) {
            let hashes = run.hashes.min(READ);
            let mut bytes = vec![0; hashes * WIDTH];
            let mut file = run.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(run.at))?;
            file.read_exact(&mut bytes)?;
            drop(file);
            run.at += bytes.len() as u64;
            run.hashes -= hashes;
            let (hashes, _) = bytes.as_chunks::<WIDTH>();
            self.ready.extend(hashes.iter().rev().map(|hash| u128::from_be_bytes(*hash)));
        }
        Ok(self.ready.pop())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use sudoku_corpus_core::random::{Rng, Stage};

    /// Several runs, copies and sums of multisets, against a map.
    #[test]
    fn hashes_are_counted_as_a_map_counts_them() {
        let mut rng = Rng::new(1, 0, Stage::Bench, 0);
        let mut hash = || (rng.below(200_000) as u128) << 100;
        let hashes: Vec<u128> = (0..3 * RECENT + 77).map(|_| hash()).collect();
        let (first, second) = hashes.split_at(RECENT + RECENT / 2);
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
}
