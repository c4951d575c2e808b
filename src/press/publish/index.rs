//! Indexes of classes.
//!
//! ```text
//!   "sudoku-classes 1" | class | class | ...       ascending, 16 bytes each, the highest byte first
//!    16 bytes
//! ```
//!
//! An index may be larger than memory. It is read as a stream and compared with sorted classes; ranges that cannot contain
//! any of them are skipped. An empty file is an index without classes.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::PublishError;
use sudoku_corpus_store::corpus::{Output, has_no_locks};

/// The first bytes of an index.
pub const MAGIC: &[u8; 16] = b"sudoku-classes 1";
/// Bytes of a class.
const WIDTH: usize = 16;
/// Classes that are read at once.
const BLOCK: usize = 4096;

/// Adds classes to an index, which is created if needed. The new index appears complete, or the old one stays. Other
/// processes that add to it wait. Returns the number of classes that were new.
///
/// # Errors
/// A file that is not an index, or that cannot be written.
pub fn remember(path: &Path, classes: impl IntoIterator<Item = u128>) -> Result<u64, PublishError> {
    let _lock = lock(path)?;
    remember_locked(path, classes)
}

/// [`remember`] for a caller that holds the lock of the index.
pub(super) fn remember_locked(path: &Path, classes: impl IntoIterator<Item = u128>) -> Result<u64, PublishError> {
    let new: BTreeSet<u128> = classes.into_iter().collect();
    let there = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        _ => Some(Index::open(path)?),
    };
    let before = there.as_ref().map_or(0, |index| index.length);
    let merged = Merged { old: there, next_old: None, new: new.into_iter().peekable() };
    Ok(write_index(path, merged)? - before)
}

/// Fails if [`remember`] would fail: for a file that is not an index, or a folder that cannot be written.
///
/// # Errors
/// The same as for [`remember`].
pub fn check_index(path: &Path) -> Result<(), PublishError> {
    drop(lock(path)?);
    if path.exists() {
        drop(Index::open(path)?);
    }
    Ok(Output::probe(path)?)
}

/// Locks an index, so that other processes wait before they change it.
pub(super) fn lock(path: &Path) -> Result<File, PublishError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.lock"));
    let wrong = |error: io::Error| PublishError::Index { path: path.to_owned(), reason: error.to_string() };
    let mut options = OpenOptions::new();
    // NFS requires a file that is open for writing.
    let file = options.create(true).truncate(false).read(true).write(true).open(&beside).map_err(wrong)?;
    match file.lock() {
        // Some network file systems have no locks.
        Err(error) if !has_no_locks(&error) => Err(wrong(error)),
        _ => Ok(file),
    }
}

/// Writes ascending classes as an index. Returns their number.
pub(super) fn write_index(
    path: &Path,
    classes: impl Iterator<Item = Result<u128, PublishError>>,
) -> Result<u64, PublishError> {
    let wrong = |error: io::Error| PublishError::Index { path: path.to_owned(), reason: error.to_string() };
    let mut out = Output::create(path)?;
    out.write_all(MAGIC).map_err(wrong)?;
    let mut count = 0;
    for class in classes {
        out.write_all(&class?.to_be_bytes()).map_err(wrong)?;
        count += 1;
    }
    out.finish()?;
    Ok(count)
}

/// True if a file begins like an index, or is empty.
pub(super) fn is_index(path: &Path) -> Result<bool, PublishError> {
    let wrong = |error: io::Error| PublishError::Index { path: path.to_owned(), reason: error.to_string() };
    if path == Path::new("-") || fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return Ok(false);
    }
    let mut head = Vec::new();
    File::open(path).map_err(wrong)?.take(MAGIC.len() as u64).read_to_end(&mut head).map_err(wrong)?;
    Ok(head.is_empty() || head == MAGIC)
}

/// An index being read from its beginning.
pub(super) struct Index {
    path: PathBuf,
    input: BufReader<File>,
    /// Classes in the file.
    pub length: u64,
    /// Classes read so far.
    at: u64,
    last: Option<u128>,
}

impl Index {
    /// Opens an index; an empty file is one without classes.
    pub fn open(path: &Path) -> Result<Index, PublishError> {
        let wrong = |reason: String| PublishError::Index { path: path.to_owned(), reason };
        let mut file = File::open(path).map_err(|error| wrong(error.to_string()))?;
        let size = file.metadata().map_err(|error| wrong(error.to_string()))?.len();
        let mut head = Vec::new();
        Read::by_ref(&mut file)
            .take(MAGIC.len() as u64)
            .read_to_end(&mut head)
            .map_err(|error| wrong(error.to_string()))?;
        if !head.is_empty() && (head != MAGIC || !size.is_multiple_of(WIDTH as u64)) {
            return Err(wrong("not an index of classes, or cut short".to_owned()));
        }
        let length = (size / WIDTH as u64).saturating_sub(1);
        let input = BufReader::with_capacity(BLOCK * WIDTH, file);
        Ok(Index { path: path.to_owned(), input, length, at: 0, last: None })
    }

    fn wrong(&self, reason: impl Into<String>) -> PublishError {
        PublishError::Index { path: self.path.clone(), reason: reason.into() }
    }

    /// The next class; None at the end.
    fn next(&mut self) -> Result<Option<u128>, PublishError> {
        if self.at >= self.length {
            return Ok(None);
        }
        let mut bytes = [0; WIDTH];
        self.input.read_exact(&mut bytes).map_err(|error| self.wrong(error.to_string()))?;
        let class = u128::from_be_bytes(bytes);
        if self.last.is_some_and(|last| last >= class) {
            return Err(self.wrong("damaged: its classes do not ascend"));
        }
        self.at += 1;
        self.last = Some(class);
        Ok(Some(class))
    }

    /// Moves to a position: the next class that is read is the one at this position.
    fn seek(&mut self, at: u64) -> Result<(), PublishError> {
        let place = SeekFrom::Start((at + 1) * WIDTH as u64);
        self.input.seek(place).map_err(|error| self.wrong(error.to_string()))?;
        self.at = at;
        self.last = None;
        Ok(())
    }

    /// Moves to a position at or before the first class that is not below `class`. The search makes steps of whole
    /// blocks, which are first doubled and then halved.
    fn jump(&mut self, class: u128) -> Result<(), PublishError> {
        let mut low = self.at;
        let mut step = BLOCK as u64;
        let below = |index: &mut Index, at: u64| -> Result<bool, PublishError> {
            index.seek(at)?;
            Ok(index.next()?.is_some_and(|found| found < class))
        };
        while low + step < self.length && below(self, low + step)? {
            low += step;
            step *= 2;
        }
        while step > BLOCK as u64 {
            step /= 2;
            if low + step < self.length && below(self, low + step)? {
                low += step;
            }
        }
        self.seek(low)
    }

    /// Marks the sorted classes that are in the index.
    pub fn mark(mut self, sorted: &[u128], marks: &mut [bool]) -> Result<(), PublishError> {
        // If the classes are far apart, jumping is faster than reading on.
        let apart = self.length / (sorted.len() as u64).max(1);
        let sparse = apart > 16 * BLOCK as u64;
        let mut found = self.next()?;
        for (&class, mark) in sorted.iter().zip(marks) {
            if sparse && found.is_some_and(|found| found < class) {
                self.jump(class)?;
                found = self.next()?;
            }
            while found.is_some_and(|found| found < class) {
                found = self.next()?;
            }
            *mark |= found == Some(class);
        }
        Ok(())
    }
}

/// The classes of an index and new ones, in order, each once.
struct Merged<I: Iterator<Item = u128>> {
    old: Option<Index>,
    next_old: Option<u128>,
    new: std::iter::Peekable<I>,
}

impl<I: Iterator<Item = u128>> Iterator for Merged<I> {
    type Item = Result<u128, PublishError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next_old.is_none()
            && let Some(old) = &mut self.old
        {
            match old.next() {
                Err(error) => return Some(Err(error)),
                Ok(class) => self.next_old = class,
            }
        }
        match (self.next_old, self.new.peek().copied()) {
            (None, None) => None,
            (Some(old), Some(new)) if new < old => self.new.next().map(Ok),
            (None, Some(_)) => self.new.next().map(Ok),
            (Some(old), new) => {
                self.next_old = None;
                if new == Some(old) {
                    self.new.next();
                }
                Some(Ok(old))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};

    use super::*;
    use crate::publish::Seen;
    use sudoku_corpus_store::corpus::OnError;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn an_index_has_exactly_what_was_added(
            batches in proptest::collection::vec(proptest::collection::vec(0u128..60, 0..20), 0..4),
            asked in proptest::collection::btree_set(0u128..60, 0..30),
            spread in any::<bool>(),
        ) {
            let folder = folder();
            let path = folder.path().join("index");
            let wide = |class: u128| if spread { class << 121 | 7 } else { class };
            let mut all = BTreeSet::new();
            for batch in &batches {
                let before = all.len();
                all.extend(batch.iter().map(|&class| wide(class)));
                let added = remember(&path, batch.iter().map(|&class| wide(class))).unwrap();
                prop_assert_eq!(added as usize, all.len() - before);
            }
            let mut seen = Seen::new();
            if !batches.is_empty() {
                prop_assert_eq!(seen.add_file(&path, OnError::Skip, &mut |_| {}).unwrap() as usize, all.len());
            }
            let asked: Vec<u128> = asked.into_iter().map(wide).collect();
            let expected: Vec<bool> = asked.iter().map(|class| all.contains(class)).collect();
            prop_assert_eq!(seen.mark(&asked).unwrap(), expected);
        }
    }

    #[test]
    fn a_large_index_is_jumped_through() {
        let folder = folder();
        let path = folder.path().join("index");
        let class = |n: u64| u128::from(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)) << 64 | u128::from(n);
        remember(&path, (0..200_000).map(class)).unwrap();
        let mut seen = Seen::new();
        seen.add_file(&path, OnError::Skip, &mut |_| {}).unwrap();
        let mut asked: Vec<(u128, bool)> =
            [5, 77_777, 199_999, 200_000, 1 << 40].map(|n| (class(n), n < 200_000)).to_vec();
        asked.extend([(0, true), (1, false), (u128::MAX, false)]);
        asked.sort_unstable();
        for pair in asked.chunks(2) {
            let classes: Vec<u128> = pair.iter().map(|&(class, _)| class).collect();
            let expected: Vec<bool> = pair.iter().map(|&(_, there)| there).collect();
            assert_eq!(seen.mark(&classes).unwrap(), expected);
        }
    }

    #[test]
    fn files_that_are_no_index_are_refused_and_stay_as_they_are() {
        let folder = folder();
        let path = folder.path().join("index");
        for bytes in [&b"something else, and long enough"[..], b"sudoku-classes 1 and", &[MAGIC, &[9; 32][..]].concat()]
        {
            fs::write(&path, bytes).unwrap();
            assert!(remember(&path, [u128::MAX]).is_err());
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        let mut seen = Seen::new();
        fs::write(&path, b"sudoku-classes 1 and").unwrap();
        assert!(seen.add_file(&path, OnError::Skip, &mut |_| {}).is_err());
        // An index that cannot be written is refused before anything is published.
        assert!(check_index(&path).is_err() && check_index(&folder.path().join("no/index")).is_err());
        assert!(check_index(&folder.path().join("new")).is_ok() && !folder.path().join("new").exists());
        fs::write(&path, b"").unwrap();
        assert_eq!(seen.add_file(&path, OnError::Skip, &mut |_| {}).unwrap(), 0);
        assert!(seen.add_file(&folder.path().join("nowhere"), OnError::Skip, &mut |_| {}).is_err());
    }
}
