//! Keeps the manifest: the list of the parts of a corpus, with sizes and checksums.
//!
//! ```text
//!   {"format_version":1,"program_version":"0.1.0","fingerprint":"9c..","count":100000,"part_rows":10000,"format":"parquet"}
//!   {"part":0,"first_row":0,"rows":10000,"bytes":812345,"blake3":"41.."}
//!   {"part":1,...
//! ```
//!
//! Each line is a JSON object. During a run, lines are appended and made durable one by one, in any order. A line that
//! a crash cut off is skipped. At the end of a run, the file is rewritten: sorted, each part once. So the bytes of a
//! finished manifest depend on the recipe alone. Damage is repaired: a run skips lines that it cannot read, and reads
//! the parts themselves.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::corpus::files::atomic::{FileSum, has_no_locks, write_atomically};
use crate::corpus::files::metadata::{FORMAT_VERSION, PROGRAM_VERSION, PartPlace};
use crate::corpus::files::names::MANIFEST_FILE;
use crate::corpus::request::recipe::Recipe;
use crate::corpus::values::error::{CorpusError, Result};

/// The file that is locked while the manifest is changed.
const LOCK_FILE: &str = ".manifest.lock";

/// The first line, which identifies the corpus.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the file format.
    pub format_version: u32,
    /// Version of the program that made the parts.
    pub program_version: String,
    /// BLAKE3 of the recipe's canonical text, in hexadecimal.
    pub fingerprint: String,
    /// Rows of the complete corpus.
    pub count: u64,
    /// Rows of a part.
    pub part_rows: u64,
    /// Format of the parts: `parquet` or `csv.zst`.
    pub format: String,
}

/// The line of a complete part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Entry {
    pub part: u64,
    pub first_row: u64,
    pub rows: u64,
    pub bytes: u64,
    /// BLAKE3 of its file, in hexadecimal.
    pub blake3: String,
    /// Its file of steps, if the recipe asks for steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<FileSum>,
}

/// Parts by number.
pub(crate) type Parts = BTreeMap<u64, Entry>;

/// A manifest that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Manifest {
    pub header: Header,
    pub parts: Parts,
    /// The number of lines that cannot be read.
    pub damaged: u64,
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

impl Entry {
    /// The line of a part with these files of rows and of steps.
    pub(crate) fn new(place: PartPlace, file: FileSum, steps: Option<FileSum>) -> Entry {
        let PartPlace { part, first_row, rows } = place;
        Entry { part, first_row, rows, bytes: file.bytes, blake3: file.blake3, steps }
    }

    /// True if the part has this place in its corpus.
    pub(crate) fn is_at(&self, place: PartPlace) -> bool {
        (self.part, self.first_row, self.rows) == (place.part, place.first_row, place.rows)
    }
}

impl Manifest {
    /// A manifest without parts.
    pub fn new(recipe: &Recipe) -> Manifest {
        Manifest { header: Header::of(recipe), parts: Parts::new(), damaged: 0 }
    }

    /// The path of the manifest of a folder.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(MANIFEST_FILE)
    }

    /// Reads the manifest of a folder. None if there is none, or if a crash left no complete first line.
    ///
    /// # Errors
    /// The file cannot be read, or its first line is damaged.
    pub fn read(folder: &Path) -> Result<Option<Manifest>> {
        let Some((header, parts, damaged)) = Manifest::salvage(folder)? else { return Ok(None) };
        let wrong = |reason| CorpusError::file(&Manifest::path(folder), format!("line 1: {reason}; `run` repairs it"));
        Ok(Some(Manifest { header: header.map_err(wrong)?, parts, damaged }))
    }

    /// Reads what can be read of a manifest: the header or its error, the lines of parts, and the number of damaged
    /// lines. None if there is no manifest or no complete line. What a crash left of a line is skipped.
    #[expect(clippy::type_complexity, reason = "the header, the parts and the number of damaged lines")]
    pub(crate) fn salvage(folder: &Path) -> Result<Option<(Result<Header, String>, Parts, u64)>> {
        let path = Manifest::path(folder);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.map_err(CorpusError::io("open", &path))?,
        };
        let whole = |line: &&[u8]| line.starts_with(b"{") && line.ends_with(b"}\n");
        let lines = text.split_inclusive(|&byte| byte == b'\n').filter(whole);
        let mut lines = lines.filter_map(|line| std::str::from_utf8(line).ok());
        let Some(first) = lines.next() else { return Ok(None) };
        let header = serde_json::from_str(first).map_err(|error| error.to_string());
        let mut damaged = u64::from(header.is_err());
        let mut parts = Parts::new();
        for line in lines {
            match serde_json::from_str::<Entry>(line) {
                Ok(entry) => drop(parts.insert(entry.part, entry)),
                Err(_) => damaged += 1,
            }
        }
        Ok(Some((header, parts, damaged)))
    }

    /// Rewrites the manifest, sorted, if that changes it.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let path = Manifest::path(folder);
        let text: String = std::iter::once(line_of(&self.header)).chain(self.parts.values().map(line_of)).collect();
        if fs::read(&path).is_ok_and(|now| now == text.as_bytes()) {
            return Ok(());
        }
        write_atomically(&path, text.as_bytes()).map(drop).map_err(CorpusError::io("write", &path))
    }
}

/// Appends the line of a part to the manifest of a folder, durably.
pub(crate) fn append(folder: &Path, entry: &Entry) -> Result<()> {
    let path = Manifest::path(folder);
    let _guard = guard(folder)?;
    let write = || {
        // Write at the current end under the lock, because network file systems do not append atomically.
        let mut file = OpenOptions::new().write(true).read(true).open(&path)?;
        let mut last = [b'\n'];
        if file.seek(SeekFrom::End(0))? > 0 {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        // End a line that a crash cut off. It is skipped later.
        let end = if last == [b'\n'] { "" } else { "\n" };
        file.write_all(format!("{end}{}", line_of(entry)).as_bytes())?;
        file.sync_data()
    };
    write().map_err(CorpusError::io("append to", &path))
}

/// Locks the manifest of this folder against changes by other processes.
pub(crate) fn guard(folder: &Path) -> Result<File> {
    let path = folder.join(LOCK_FILE);
    let file = open_lock(&path).map_err(CorpusError::io("open", &path))?;
    match file.lock() {
        // Without locks, a line may be lost or cut off. The next run then reads the part itself.
        Err(error) if !has_no_locks(&error) => Err(CorpusError::io("lock", &path)(error)),
        _ => Ok(file),
    }
}

/// Opens a lock file for reading and writing. NFS refuses a shared lock on a file that is open for writing only, and an
/// exclusive one on a file that is open for reading only.
pub(crate) fn open_lock(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)
}

fn line_of(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}
