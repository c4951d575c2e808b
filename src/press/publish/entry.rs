//! One commit for what is published and for the index that remembers it.
//!
//! ```text
//!   seen.index              classes of all puzzles that were published
//!   .seen.index.entries     one JSON object per line: output, request, and (until the file has its name) its classes
//!
//!   files complete and durable under temporary names
//!     -> entry with the classes -> index -> files get their names -> entry without classes, with the checksum
//! ```
//!
//! A process may be killed at any moment: nothing is published that is not in the index. If the same command runs
//! again, it finds its own entry. For this command alone, the puzzles of the entry count as new, so that the file gets
//! the same contents as without the kill. If the file is already there with the checksum of the entry, there is nothing
//! to do. If there are several files, there is no checksum, and the entry is removed when the files have their names.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::PublishError;
use super::index::{check_index, lock, remember_locked};
use sudoku_corpus_store::corpus::{Sealed, write_file};

/// A line of the entries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    /// The file of the puzzles, as an absolute path.
    output: PathBuf,
    /// Digest of everything that determines which puzzles are chosen and how they are written.
    request: String,
    /// BLAKE3 of the file, once it has its name. None for several files, pipes and devices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    blake3: Option<String>,
    /// Classes of the puzzles, in hexadecimal, until the files have their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    classes: Vec<String>,
}

/// A publication that is under way.
pub struct Commit {
    index: PathBuf,
    output: PathBuf,
    request: String,
    own: Vec<u128>,
}

impl Commit {
    /// Begins a publication that is recorded in an index. None if the same request was published before and its file is
    /// still there.
    ///
    /// # Errors
    /// An index that cannot be written; entries that cannot be read.
    pub fn begin(index: &Path, output: &Path, request: String) -> Result<Option<Commit>, PublishError> {
        check_index(index)?;
        let output = std::path::absolute(output).map_err(wrong(index))?;
        let entries = read(index)?;
        let mine = entries.into_iter().find(|entry| entry.output == output && entry.request == request);
        let mut own = Vec::new();
        if let Some(entry) = mine {
            if entry.blake3.is_some() && entry.blake3 == digest(&output) {
                return Ok(None);
            }
            own = entry.classes.iter().filter_map(|class| u128::from_str_radix(class, 16).ok()).collect();
        }
        Ok(Some(Commit { index: index.to_owned(), output, request, own }))
    }

    /// The index, and the classes that an earlier call with the same request added to it without publishing them.
    pub fn own(&self) -> (&Path, &[u128]) {
        (&self.index, &self.own)
    }

    /// Records the classes, gives the files their names, and calls `more`, which writes the files that are too many to
    /// be held open at once.
    ///
    /// # Errors
    /// An error of the operating system. If the same command runs again, it finishes the work.
    pub fn finish(
        self,
        classes: Vec<u128>,
        files: Vec<Sealed>,
        more: impl FnOnce() -> Result<(), PublishError>,
    ) -> Result<(), PublishError> {
        let mut entry = Entry {
            output: self.output,
            request: self.request,
            blake3: None,
            classes: classes.iter().map(|class| format!("{class:032x}")).collect(),
        };
        let blake3 = if let [file] = &files[..] { file.blake3().map(str::to_owned) } else { None };
        {
            let _lock = lock(&self.index)?;
            put(&self.index, &entry)?;
            remember_locked(&self.index, classes)?;
        }
        for file in files {
            file.publish()?;
        }
        more()?;
        entry.classes.clear();
        entry.blake3 = blake3;
        let _lock = lock(&self.index)?;
        put(&self.index, &entry)
    }
}

/// Replaces the entry of an output. An entry with neither checksum nor classes only removes the old one. Entries of
/// other files are dropped if the file is gone and the entry has no classes; their puzzles stay in the index.
fn put(index: &Path, entry: &Entry) -> Result<(), PublishError> {
    let mut entries = read(index)?;
    entries.retain(|known| known.output != entry.output && (!known.classes.is_empty() || known.output.exists()));
    if entry.blake3.is_some() || !entry.classes.is_empty() {
        entries.push(entry.clone());
    }
    let lines = entries.iter().map(|entry| serde_json::to_string(entry).unwrap_or_default() + "\n");
    write_file(&beside(index), lines.collect::<String>().as_bytes()).map_err(wrong(index))
}

fn read(index: &Path) -> Result<Vec<Entry>, PublishError> {
    let text = match fs::read_to_string(beside(index)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(wrong(index))?,
    };
    // A damaged line is ignored. At worst, the command is run again as a new request.
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

fn beside(index: &Path) -> PathBuf {
    index.with_file_name(format!(".{}.entries", index.file_name().unwrap_or_default().to_string_lossy()))
}

fn digest(path: &Path) -> Option<String> {
    let file = fs::File::open(path).ok().filter(|file| file.metadata().is_ok_and(|data| data.is_file()))?;
    let mut hash = blake3::Hasher::new();
    hash.update_reader(file).ok()?;
    Some(hash.finalize().to_hex().to_string())
}

fn wrong(index: &Path) -> impl Fn(std::io::Error) -> PublishError {
    move |error| PublishError::Index { path: index.to_owned(), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::publish::Seen;
    use sudoku_corpus_store::corpus::{OnError, Output};

    fn sealed(path: &Path, text: &str) -> Sealed {
        let mut out = Output::create(path).unwrap();
        out.write_all(text.as_bytes()).unwrap();
        out.seal().unwrap()
    }

    #[test]
    fn a_request_is_published_once_and_its_classes_are_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let (index, out) = (folder.path().join("seen"), folder.path().join("out.sdm"));
        let begin = |request: &str| Commit::begin(&index, &out, request.to_owned()).unwrap();
        begin("a").unwrap().finish(vec![7, 3], vec![sealed(&out, "two")], || Ok(())).unwrap();
        assert!(begin("a").is_none() && begin("b").is_some());
        let mut seen = Seen::new();
        seen.add_file(&index, OnError::Fail, &mut |_| {}).unwrap();
        assert_eq!(seen.mark(&[3, 5, 7]).unwrap(), [true, false, true]);
        // The file was moved away, so the next call is a new publication.
        fs::rename(&out, folder.path().join("gone")).unwrap();
        assert!(begin("a").unwrap().own().1.is_empty());
    }

    /// The process was killed after the index was written and before the file got its name.
    #[test]
    fn a_killed_publication_is_finished_with_its_own_puzzles() {
        let folder = tempfile::tempdir().unwrap();
        let (index, out) = (folder.path().join("seen"), folder.path().join("out.sdm"));
        let pending =
            Entry { output: out.clone(), request: "a".into(), blake3: None, classes: vec!["7".into(), "3".into()] };
        put(&index, &pending).unwrap();
        remember_locked(&index, vec![3, 7, 9]).unwrap();
        let mine = Commit::begin(&index, &out, "a".into()).unwrap().unwrap();
        let mut seen = Seen::new();
        seen.add_file(&index, OnError::Fail, &mut |_| {}).unwrap();
        seen.forgive(mine.own().0, mine.own().1);
        assert_eq!(seen.mark(&[3, 7, 9]).unwrap(), [false, false, true]);
        mine.finish(vec![3, 7], vec![sealed(&out, "two")], || Ok(())).unwrap();
        assert!(Commit::begin(&index, &out, "a".into()).unwrap().is_none());
        // Another request does not get these puzzles.
        put(&index, &pending).unwrap();
        assert!(Commit::begin(&index, &out, "b".into()).unwrap().unwrap().own().1.is_empty());
    }
}
