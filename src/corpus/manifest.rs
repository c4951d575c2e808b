//! The manifest: which parts a corpus has, with their sizes and checksums.
//!
//! ```text
//!   {"format_version":1,"program_version":"0.1.0","fingerprint":"9c..","count":100000,"part_rows":10000,"format":"parquet"}
//!   {"part":0,"first_row":0,"rows":10000,"bytes":812345,"blake3":"41.."}
//!   {"part":1,...
//! ```
//!
//! One JSON object a line. While a run goes on, lines are appended and made durable one by one, in any order; whatever
//! a crash leaves of the last line is passed over. When a run ends, the file is written anew, sorted, each part once:
//! the bytes of a finished manifest depend on the recipe alone.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::atomic::write_whole;
use super::error::{CorpusError, Result};
use super::metadata::{FORMAT_VERSION, PROGRAM_VERSION};
use super::recipe::Recipe;

/// The name of the manifest in a corpus folder.
pub const MANIFEST_FILE: &str = "manifest.jsonl";

/// The file whose lock guards changes of the manifest.
const LOCK_FILE: &str = ".manifest.lock";

/// The first line: which corpus this is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the file format.
    pub format_version: u32,
    /// Version of the program that made the parts.
    pub program_version: String,
    /// BLAKE3 of the recipe's canonical text, in hexadecimal.
    pub fingerprint: String,
    /// Rows of the whole corpus.
    pub count: u64,
    /// Rows of a part.
    pub part_rows: u64,
    /// Format of the parts: `parquet` or `csv.zst`.
    pub format: String,
}

/// A line for a part that is whole and in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Number of the part, from 0.
    pub part: u64,
    /// Its first row.
    pub first_row: u64,
    /// How many rows it has.
    pub rows: u64,
    /// Size of its file.
    pub bytes: u64,
    /// BLAKE3 of its file, in hexadecimal.
    pub blake3: String,
}

/// A manifest that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// Which corpus.
    pub header: Header,
    /// Its parts by number.
    pub parts: BTreeMap<u64, Entry>,
}

impl Header {
    /// The header for the corpus of a recipe made by this program.
    pub fn of(recipe: &Recipe) -> Header {
        Header {
            format_version: FORMAT_VERSION,
            program_version: PROGRAM_VERSION.to_owned(),
            fingerprint: recipe.fingerprint(),
            count: recipe.count,
            part_rows: recipe.part_rows,
            format: recipe.format.name().to_owned(),
        }
    }
}

impl Manifest {
    /// A manifest without parts.
    pub fn new(recipe: &Recipe) -> Manifest {
        Manifest { header: Header::of(recipe), parts: BTreeMap::new() }
    }

    /// The path of the manifest of a folder.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(MANIFEST_FILE)
    }

    /// Reads the manifest of a folder; none when there is none, or when a crash left no whole first line.
    ///
    /// # Errors
    /// A file that cannot be read, or lines before the last that are not of this form.
    pub fn read(folder: &Path) -> Result<Option<Manifest>> {
        let path = Manifest::path(folder);
        let file = match File::open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => file.map_err(CorpusError::io("open", &path))?,
        };
        let mut lines = Lines { input: BufReader::new(file), path: &path, number: 0, line: Vec::new() };
        let Some(header) = lines.next_whole()? else { return Ok(None) };
        let header = parsed(&path, 1, header)?;
        let mut parts = BTreeMap::new();
        while let Some(line) = lines.next_whole()? {
            let line = line.to_owned();
            let entry: Entry = parsed(&path, lines.number, &line)?;
            parts.insert(entry.part, entry);
        }
        Ok(Some(Manifest { header, parts }))
    }

    /// The whole text, sorted.
    pub fn text(&self) -> String {
        let entries = self.parts.values().map(line_of);
        std::iter::once(line_of(&self.header)).chain(entries).collect()
    }

    /// Writes the manifest anew if that changes it.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let path = Manifest::path(folder);
        let text = self.text();
        if std::fs::read(&path).is_ok_and(|now| now == text.as_bytes()) {
            return Ok(());
        }
        write_whole(&path, text.as_bytes()).map(|_| ()).map_err(CorpusError::io("write", &path))
    }
}

/// Appends the line of a part to the manifest of a folder, durably.
///
/// # Errors
/// What the system says.
pub fn append(folder: &Path, entry: &Entry) -> Result<()> {
    let path = Manifest::path(folder);
    let _guard = guard(folder)?;
    let io = || CorpusError::io("append to", &path);
    let mut file = OpenOptions::new().append(true).read(true).open(&path).map_err(io())?;
    let torn = ends_torn(&mut file).map_err(io())?;
    // What a crash left of a line ends here, and becomes a line that is passed over.
    let line = if torn { format!("\n{}", line_of(entry)) } else { line_of(entry) };
    file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).map_err(io())
}

/// Holds off other processes that would change the manifest of this folder.
pub(super) fn guard(folder: &Path) -> Result<File> {
    let path = folder.join(LOCK_FILE);
    let file = OpenOptions::new().create(true).append(true).open(&path).map_err(CorpusError::io("open", &path))?;
    match file.lock() {
        // Some network file systems have no locks; appending whole lines is safe enough there.
        Err(error) if error.kind() != ErrorKind::Unsupported => Err(CorpusError::io("lock", &path)(error)),
        _ => Ok(file),
    }
}

/// Does the file end in the middle of a line?
fn ends_torn(file: &mut File) -> std::io::Result<bool> {
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    Ok(last[0] != b'\n')
}

fn line_of(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}

fn parsed<T: for<'a> Deserialize<'a>>(path: &Path, number: u64, line: &str) -> Result<T> {
    let wrong = |error| CorpusError::file(path, format!("line {number}: {error}"));
    serde_json::from_str(line).map_err(wrong)
}

/// Lines of a manifest.
struct Lines<'a> {
    input: BufReader<File>,
    path: &'a Path,
    number: u64,
    line: Vec<u8>,
}

/// No line of a manifest is longer.
const LONGEST: u64 = 1 << 16;

impl Lines<'_> {
    /// The next line that is whole JSON: pieces that a crash left are passed over.
    fn next_whole(&mut self) -> Result<Option<&str>> {
        loop {
            self.line.clear();
            self.number += 1;
            let read = self.input.by_ref().take(LONGEST).read_until(b'\n', &mut self.line);
            if read.map_err(CorpusError::io("read", self.path))? == 0 {
                return Ok(None);
            }
            if is_whole(&self.line) {
                break;
            }
        }
        Ok(std::str::from_utf8(&self.line).ok())
    }
}

/// A line as it was appended: begins and ends as an object does, and is text. A torn one lacks its end.
fn is_whole(line: &[u8]) -> bool {
    line.starts_with(b"{") && line.ends_with(b"}\n") && std::str::from_utf8(line).is_ok()
}
