//! The text of an index: lines, their checks, and the chain that ties them together.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::publish::error::PublishError;

/// The first line of an index.
pub(crate) const HEAD: &[u8] = b"sudoku-corpus index 3\n";
/// The first line of an index of version 0.3.0, of the same length.
const HEAD_2: &[u8] = b"sudoku-corpus index 2\n";
/// The first bytes of an index of version 0.2.0.
const HEAD_1: &[u8] = b"sudoku-classes 1";

/// A line of an index, without its check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Line {
    /// The chain before this line. Lines of version 0.3.0 do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The file of the puzzles, as an absolute path.
    pub output: String,
    /// Digest of everything that determines which puzzles are chosen and how they are written.
    pub request: String,
    /// BLAKE3 of the file that got its name. None for several files, pipes and devices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blake3: Option<String>,
    /// Classes of the puzzles; none in the line that says that the files have their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty", serialize_with = "to_hex", deserialize_with = "of_hex")]
    pub classes: Vec<u128>,
}

/// Writes classes as 32 hexadecimal digits each.
fn to_hex<S: Serializer>(classes: &[u128], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&classes.iter().map(|class| format!("{class:032x}")).collect::<String>())
}

/// Reads classes from 32 hexadecimal digits each.
fn of_hex<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u128>, D::Error> {
    let text = <std::borrow::Cow<'_, str>>::deserialize(from)?;
    let class = |digits: &[u8]| u128::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    let classes: Option<Vec<u128>> = text.as_bytes().chunks(32).map(class).collect();
    classes.filter(|classes| classes.len() * 32 == text.len()).ok_or_else(|| D::Error::custom("no classes"))
}

/// Length of a check value.
const CHECK: usize = 16;

impl Line {
    /// A line without its end. None if its checksum or its JSON is wrong.
    fn parse(text: &[u8]) -> Option<Line> {
        let (check, rest) = text.split_at_checked(CHECK + 1)?;
        (check == format!("{} ", check_of(rest)).as_bytes()).then(|| serde_json::from_slice(rest).ok())?
    }

    /// The line with its checksum and its end.
    pub(crate) fn text(&self) -> String {
        let rest = serde_json::to_string(self).unwrap_or_default();
        format!("{} {rest}\n", check_of(rest.as_bytes()))
    }
}

/// The check value of a line.
fn check_of(rest: &[u8]) -> String {
    blake3::hash(rest).to_hex()[..CHECK].to_owned()
}

/// What stands in the file of an index.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// The number of lines after the first.
    pub lines: u64,
    /// A digest of the checks of these lines, in their order. The next line names it.
    pub chain: String,
    /// Length of the whole lines; behind them is at most a torn one.
    pub whole_bytes: u64,
    /// The length of the file.
    pub bytes: u64,
    /// The last line is whole, but its end is missing.
    pub lacks_end: bool,
}

impl Contents {
    /// What a user has to know about a torn line.
    pub(crate) fn warning(&self, path: &Path) -> Option<String> {
        let torn = self.bytes - self.whole_bytes;
        (torn > 0).then(|| {
            format!("{}: the last line is torn ({torn} bytes); nothing of it was published: left out", path.display())
        })
    }

    /// Takes a line into account.
    pub(crate) fn extend(&mut self, text: &[u8]) {
        self.lines += 1;
        self.chain = check_of(&[self.chain.as_bytes(), &text[..CHECK]].concat());
    }
}

/// Reads an index and passes on its lines. None if a file begins like something else. An empty file is an empty index.
pub(crate) fn read(path: &Path, mut each: impl FnMut(Line)) -> Result<Option<Contents>, PublishError> {
    let wrong = wrong(path);
    // Before the file: a command that adds to it now counts afterwards.
    let expected = counted(path);
    let file = File::open(path).map_err(&wrong)?;
    let bytes = file.metadata().map_err(&wrong)?.len();
    let mut contents = Contents { bytes, ..Contents::default() };
    let mut input = BufReader::with_capacity(1 << 16, file);
    let mut head = Vec::new();
    (&mut input).take(HEAD.len() as u64).read_to_end(&mut head).map_err(&wrong)?;
    let is_torn = head.len() < HEAD.len() && HEAD.starts_with(&head);
    match &head[..] {
        HEAD | HEAD_2 => contents.whole_bytes = HEAD.len() as u64,
        // Nothing behind the beginning of its first line.
        _ if is_torn => return unless_shorter(path, expected, contents),
        _ if head.starts_with(HEAD_1) => {
            let reason = "an index of version 0.2.0. Version 0.3.0 makes a text of it when it adds puzzles; or make a new \
                          one of what was published: `export FILE ... --all --out - --remember NEW-INDEX`";
            return Err(PublishError::file(path, reason));
        }
        _ => return Ok(None),
    }
    let mut text = Vec::new();
    loop {
        text.clear();
        input.read_until(b'\n', &mut text).map_err(&wrong)?;
        let lacks_end = text.last() != Some(&b'\n');
        let content = if lacks_end { &text[..] } else { &text[..text.len() - 1] };
        let number = contents.lines + 2;
        match Line::parse(content) {
            _ if text.is_empty() => break,
            Some(line) => {
                // Version 0.3.0 may have added lines to its own indexes.
                let (is_old, is_first) = (head == HEAD_2, contents.lines == 0);
                let follows = match &line.after {
                    Some(after) => *after == contents.chain && !(is_old && is_first),
                    None => is_old,
                };
                if !follows {
                    return Err(damaged(
                        path,
                        &format!("line {number} does not follow the line before: lines are missing"),
                    ));
                }
                each(line);
            }
            // If the line is whole without its last byte, this byte was its end.
            None if lacks_end && Line::parse(&text[..text.len() - 1]).is_none() => break,
            None => return Err(damaged(path, &format!("line {number}: its check value does not fit"))),
        }
        contents.whole_bytes += text.len() as u64;
        contents.extend(&text);
        contents.lacks_end = lacks_end;
        if lacks_end {
            break;
        }
    }
    // Without a line, its first line is written again.
    if contents.lines == 0 && head == HEAD_2 {
        contents.whole_bytes = 0;
    }
    unless_shorter(path, expected, contents)
}

/// True for a file that is an index of published puzzles.
pub fn holds_index(path: &Path) -> bool {
    let long = |data: fs::Metadata| data.is_file() && data.len() >= HEAD.len() as u64;
    fs::metadata(path).is_ok_and(long) && is_index(path)
}

/// True for a file that begins like an index, or is empty.
pub(crate) fn is_index(path: &Path) -> bool {
    let mut head = Vec::new();
    // Opening a pipe would take its contents from who reads it afterwards.
    let file = path.is_file().then(|| File::open(path).ok()).flatten();
    let read = file.and_then(|file| file.take(HEAD.len() as u64).read_to_end(&mut head).ok());
    read.is_some() && (head == HEAD_2 || HEAD.starts_with(&head))
}

/// The file beside an index that has the number of its lines.
pub(crate) fn count_file(path: &Path) -> PathBuf {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.count"))
}

/// The number of lines that an index had when a command added to it. None if this is not known.
fn counted(path: &Path) -> Option<u64> {
    fs::read_to_string(count_file(path)).ok()?.trim().parse().ok()
}

/// The contents of an index, unless it has fewer lines than it had.
fn unless_shorter(path: &Path, expected: Option<u64>, contents: Contents) -> Result<Option<Contents>, PublishError> {
    let lines = contents.lines;
    let Some(expected) = expected.filter(|expected| *expected > lines) else { return Ok(Some(contents)) };
    let count = count_file(path);
    let reason = format!(
        "the index has lost lines: it had {expected} and has {lines}. Put the newest copy back. To go on without what is \
         lost, remove {}",
        count.display()
    );
    Err(PublishError::file(path, reason))
}

/// The error of an index that cannot be used.
fn damaged(path: &Path, what: &str) -> PublishError {
    let reason = format!(
        "a damaged index, {what}. What was published makes a new one: `export FILE ... --all --out - --remember NEW-INDEX`"
    );
    PublishError::file(path, reason)
}

/// An error of the system about a file, for `map_err`.
pub(crate) fn wrong(path: &Path) -> impl Fn(std::io::Error) -> PublishError {
    move |error| PublishError::file(path, error)
}
