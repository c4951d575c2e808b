//! Reads indexes of 0.3.0 and 0.4.0, which were texts.
//!
//! ```text
//!   sudoku-corpus index 3
//!   9f86d081884c7d65 {"output":"/books/one.pdf","request":"4e07..","classes":"00ab..ff3c..",..}   the puzzles of a file
//!   60303ae22b998861 {"output":"/books/one.pdf","request":"4e07..","blake3":"6b23..",..}          the file has its name
//! ```
//!
//! A line begins with a check value of its rest. In 0.4.0, the file `.NAME.count` beside an index says how many lines it
//! has.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::entry::{Entry, damaged};
use crate::corpus::values::error::{CorpusError, Result};
use sudoku_corpus_core::page::numbers::counted;

/// The first lines of indexes of 0.4.0 and 0.3.0.
pub(super) const HEADS: [&[u8]; 2] = [b"sudoku-corpus index 3\n", b"sudoku-corpus index 2\n"];

/// The first bytes of an index of 0.2.0.
pub(super) const HEAD_OF_0_2_0: &[u8] = b"sudoku-classes 1";

/// Length of a check value.
const CHECK: usize = 16;

#[derive(Deserialize)]
struct Line {
    output: String,
    request: String,
    blake3: Option<String>,
    /// Classes of 32 hexadecimal digits; none in the line that says that the files have their names.
    #[serde(default)]
    classes: String,
}

fn check_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..CHECK].to_owned()
}

/// The file beside an index that has the number of its lines.
pub(super) fn count_file(path: &Path) -> PathBuf {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.count"))
}

/// Reads an index that is a text.
///
/// # Errors
/// An index that is damaged or has lost lines; an error of the operating system.
pub(super) fn read(path: &Path) -> Result<Vec<Entry>> {
    // Before the text: a command that adds to it now counts afterwards.
    let count = match fs::read_to_string(count_file(path)) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        count => count.map_err(CorpusError::io("read", &count_file(path)))?.trim().parse::<usize>().ok(),
    };
    let text = fs::read(path).map_err(CorpusError::io("read", path))?;
    let mut entries: Vec<Entry> = Vec::new();
    let mut lines = 0;
    for text in text[HEADS[0].len()..].split_inclusive(|byte| *byte == b'\n') {
        lines += 1;
        let wrong = |what: &str| damaged(path, &format!("line {} {what}", lines + 1));
        let whole = text.strip_suffix(b"\n").ok_or_else(|| wrong("is cut off"))?;
        let (check, rest) = whole.split_at_checked(CHECK + 1).ok_or_else(|| wrong("is cut off"))?;
        let is_right = check == format!("{} ", check_of(rest)).as_bytes();
        let line: Option<Line> = is_right.then(|| serde_json::from_slice(rest).ok()).flatten();
        let Line { output, request, blake3, classes } = line.ok_or_else(|| wrong("has a wrong check value"))?;
        let digits = classes.as_bytes().chunks(32).map(|digits| std::str::from_utf8(digits).unwrap_or_default());
        let classes = digits.map(|digits| u128::from_str_radix(digits, 16)).collect::<Result<Vec<_>, _>>();
        let classes = classes.map_err(|_| wrong("has a wrong class"))?;
        match entries.iter_mut().rev().find(|entry| entry.output == output && entry.request == request) {
            Some(entry) if classes.is_empty() => (entry.is_done, entry.blake3) = (true, blake3),
            // A call that was killed ran again.
            Some(entry) if !entry.is_done && !request.is_empty() => {
                let listed: BTreeSet<u128> = entry.classes.iter().copied().collect();
                entry.classes.extend(classes.into_iter().filter(|class| !listed.contains(class)));
            }
            _ => entries.push(Entry { output, request, classes, ..Entry::default() }),
        }
    }
    match count {
        Some(count) if count > lines => {
            Err(damaged(path, &format!("it had {} and has {lines}", counted(count, "line"))))
        }
        _ => Ok(entries),
    }
}
