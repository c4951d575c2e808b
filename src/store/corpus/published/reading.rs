//! What an index of published puzzles holds, and whether it is sound.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::entry::{Entry, damaged, emptied};
use super::text;
use crate::corpus::files::frame::write_table;
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::value::{ColumnType, Value};

/// Marks the databases of this program: `sdcp`, in the head of the file.
pub(super) const APPLICATION: u32 = 0x7364_6370;

pub(super) const TABLES_VERSION: u32 = 1;

/// The bytes of the head of a database of SQLite, and where it has the version of the tables and the mark.
const HEAD_BYTES: u64 = 100;
pub(super) const VERSION_PLACE: usize = 60;
pub(super) const APPLICATION_PLACE: usize = 68;

/// The tables, and the view that users ask.
pub(super) const TABLES: [&str; 3] = [
    "CREATE TABLE publication(
        number INTEGER PRIMARY KEY,
        output TEXT NOT NULL,
        request TEXT NOT NULL,
        day TEXT,
        version TEXT,
        blake3 TEXT,
        puzzles INTEGER NOT NULL,
        digest TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('begun', 'done'))
    )",
    "CREATE TABLE puzzle(
        number INTEGER PRIMARY KEY,
        publication INTEGER NOT NULL,
        class BLOB NOT NULL CHECK (length(class) = 16)
    )",
    "CREATE VIEW published AS
        SELECT puzzle.number, lower(hex(class)) AS class, output, request, day, version, state
        FROM puzzle JOIN publication ON publication.number = puzzle.publication",
];

/// How long a reader waits for a command that is just publishing.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexKind {
    /// No file: an index without puzzles.
    Missing,
    /// A file of 0 bytes: an index, or a file of puzzles, that lost all that it had.
    Empty,
    /// An index of this version.
    Database,
    /// An index of 0.3.0 or 0.4.0.
    Text,
    /// An index of 0.2.0, or of a later version of the program.
    OtherVersion,
    Other,
}

impl IndexKind {
    /// The kind of a file. Pipes and devices are never opened: that would take what somebody else reads.
    pub(super) fn of(path: &Path) -> io::Result<IndexKind> {
        match std::fs::metadata(path) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(IndexKind::Missing);
            }
            Err(error) => return Err(error),
            Ok(data) if !data.is_file() => return Ok(IndexKind::Other),
            Ok(_) => {}
        }
        let mut head = Vec::new();
        File::open(path)?.take(HEAD_BYTES).read_to_end(&mut head)?;
        let is_at = |place: usize, number: u32| head.get(place..place + 4) == Some(&number.to_be_bytes()[..]);
        Ok(match &head[..] {
            [] => IndexKind::Empty,
            head if head.starts_with(b"SQLite format 3\0") && is_at(APPLICATION_PLACE, APPLICATION) => {
                if is_at(VERSION_PLACE, TABLES_VERSION) { IndexKind::Database } else { IndexKind::OtherVersion }
            }
            head if text::HEADS.iter().any(|first| head.starts_with(first)) => IndexKind::Text,
            head if head.starts_with(text::HEAD_OF_0_2_0) => IndexKind::OtherVersion,
            _ => IndexKind::Other,
        })
    }
}

/// True for a file that is an index of published puzzles.
///
/// # Errors
/// A file that cannot be read: it may be one.
pub fn is_published_index(path: &Path) -> Result<bool> {
    let kind = IndexKind::of(path).map_err(CorpusError::io("read", path))?;
    Ok(matches!(kind, IndexKind::Database | IndexKind::Text | IndexKind::OtherVersion))
}

/// The classes of all puzzles of an index, in the order in which they were published. None for a file of another kind.
///
/// # Errors
/// An index that is damaged, or of another version; an empty file; an error of the operating system.
pub fn published_classes(path: &Path) -> Result<Option<Vec<u128>>> {
    Ok(entries(path)?.map(|entries| entries.into_iter().flat_map(|entry| entry.classes).collect()))
}

/// The publications of an index. None for a file of another kind.
fn entries(path: &Path) -> Result<Option<Vec<Entry>>> {
    match IndexKind::of(path).map_err(CorpusError::io("read", path))? {
        IndexKind::Database => {
            let base = connection(path, OpenFlags::empty()).map_err(failed(path))?;
            // In a transaction, the publications and the puzzles are those of one moment.
            base.busy_timeout(PATIENCE).and_then(|()| base.execute_batch("BEGIN")).map_err(failed(path))?;
            checked(&base, path).map(Some)
        }
        IndexKind::Text => text::read(path).map(Some),
        IndexKind::OtherVersion => Err(other_version(path)),
        IndexKind::Empty => Err(emptied(path)),
        IndexKind::Missing | IndexKind::Other => Ok(None),
    }
}

/// Writes a Parquet file with a row for each puzzle of an index.
pub(crate) fn write_published(path: &Path, parquet: &Path) -> Result<()> {
    let entries = entries(path)?.unwrap_or_default();
    let puzzles: Vec<(&Entry, u128)> =
        entries.iter().flat_map(|entry| entry.classes.iter().map(move |class| (entry, *class))).collect();
    let columns = ["number", "class", "output", "request", "day", "version", "state"];
    let typed = columns.map(|name| (name, if name == "number" { ColumnType::Unsigned64 } else { ColumnType::Text }));
    let value = |row: usize, column: usize| {
        let (entry, class) = puzzles[row];
        let text = match columns[column] {
            "number" => return Value::Unsigned(row as u64 + 1),
            "class" => Some(format!("{class:032x}")),
            "output" => Some(entry.output.clone()),
            "request" => Some(entry.request.clone()),
            "day" => entry.day.clone(),
            "version" => entry.version.clone(),
            _ => Some(state(entry.is_done).to_owned()),
        };
        text.map_or(Value::Null, Value::from)
    };
    write_table(parquet, typed, puzzles.len(), value).map_err(CorpusError::io("write", parquet))
}

/// How a publication ended, as the database says it.
pub(super) fn state(is_done: bool) -> &'static str {
    if is_done { "done" } else { "begun" }
}

/// A connection to a database. What a killed command left half is undone.
pub(super) fn connection(path: &Path, more_flags: OpenFlags) -> rusqlite::Result<Connection> {
    // SQLite would take some names for addresses or for databases in memory.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | more_flags;
    let base = Connection::open_with_flags(path, flags)?;
    // The file may be of somebody else.
    base.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    base.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    Ok(base)
}

/// All publications of a database, in their order, if it is sound.
pub(super) fn checked(base: &Connection, path: &Path) -> Result<Vec<Entry>> {
    read(base).map_err(|fault| match fault {
        ReadFault::Sqlite(error) => failed(path)(error),
        ReadFault::Unsound(reason) => damaged(path, &reason),
    })
}

/// Why an index cannot be read.
#[derive(Debug, thiserror::Error)]
enum ReadFault {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// It was read, and its rows do not go together.
    #[error("{0}")]
    Unsound(String),
}

/// Reads the two tables side by side, both in the order of the publications. A digest says if one has lost puzzles.
fn read(base: &Connection) -> Result<Vec<Entry>, ReadFault> {
    let check: String = base.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if check != "ok" {
        return Err(ReadFault::Unsound(check));
    }
    let mut statement = base.prepare("SELECT sql FROM sqlite_schema ORDER BY rowid")?;
    let tables: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    if tables != TABLES {
        return Err(ReadFault::Unsound("it has other tables".to_owned()));
    }
    let mut statement = base.prepare("SELECT publication, class FROM puzzle ORDER BY number")?;
    let mut puzzles = statement.query([])?;
    let sql = "SELECT number, output, request, day, version, blake3, state = 'done' AS is_done, puzzles, digest \
               FROM publication ORDER BY number";
    let mut statement = base.prepare(sql)?;
    let mut rows = statement.query([])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        let number: i64 = row.get("number")?;
        let mut is_sound = number == entries.len() as i64 + 1;
        let mut classes = Vec::new();
        for _ in 0..row.get::<_, i64>("puzzles")? {
            let Some(puzzle) = puzzles.next()? else { break };
            // Columns by number, which is faster than by name: there may be millions of puzzles.
            is_sound &= puzzle.get::<_, i64>(0)? == number;
            classes.push(puzzle.get(1).map(u128::from_be_bytes)?);
        }
        if !is_sound || row.get::<_, String>("digest")? != digest_of(&classes) {
            let reason = format!("publication {number} has other puzzles than it was made with");
            return Err(ReadFault::Unsound(reason));
        }
        entries.push(Entry {
            output: row.get("output")?,
            request: row.get("request")?,
            day: row.get("day")?,
            version: row.get("version")?,
            blake3: row.get("blake3")?,
            is_done: row.get("is_done")?,
            classes,
        });
    }
    match puzzles.next()? {
        // A puzzle after those of the last publication.
        Some(_) => Err(ReadFault::Unsound("it has lost a publication".to_owned())),
        None => Ok(entries),
    }
}

/// A digest of classes in their order.
pub(super) fn digest_of(classes: &[u128]) -> String {
    let mut hash = blake3::Hasher::new();
    for class in classes {
        hash.update(&class.to_be_bytes());
    }
    hash.finalize().to_hex()[..32].to_owned()
}

/// The error of an index of another version.
pub(super) fn other_version(path: &Path) -> CorpusError {
    let reason = "an index of version 0.2.0, or of a later version of the program. Make a new one of what was \
                  published: `export FILE ... --all --out - --remember NEW-INDEX`";
    CorpusError::file(path, reason)
}

/// An error of SQLite about an index, for `map_err`.
pub(super) fn failed(path: &Path) -> impl Fn(rusqlite::Error) -> CorpusError {
    move |error| match error.sqlite_error_code() {
        // None: a value of another type than that of its column.
        None | Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => damaged(path, &error.to_string()),
        Some(ErrorCode::DiskFull) => CorpusError::io("write", path)(ErrorKind::StorageFull.into()),
        Some(ErrorCode::DatabaseBusy) => CorpusError::file(path, "another command is publishing; try again"),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) => {
            CorpusError::file(path, format!("the index cannot be written: {error}"))
        }
        Some(_) => CorpusError::file(path, error),
    }
}
