//! Rows that are kept as soon as each is made, beside an output that is not complete, so that `kill -9` loses none.
//!
//! ```text
//!   # options 3f9a..                     a digest of what determines the rows
//!   index,shape,puzzle,...,position      CSV
//!   0,3x3,53..7....,...,4                the fifth item of the work; threads do not finish items in order
//!   # c04e..                             after each row: the checksum of all before
//! ```
//!
//! What follows the last checksum that is right was cut off or damaged, and is left out. A process locks its journal.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, ErrorKind, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::encode::{csv_header, csv_row};
use super::input::Input;
use super::workers::MOST;
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::mapping::Want;
use crate::corpus::values::outside::Outside;
use crate::corpus::values::record::Record;
use crate::corpus::values::value::{ColumnType, Value};

const OPTIONS: &str = "# options ";
const SUM: &str = "# ";

/// A journal that is being written. Its lock ends with it.
pub struct Journal {
    path: PathBuf,
    state: Mutex<State>,
}

/// The file of a journal, and the checksum of what was written.
struct State {
    file: File,
    hash: blake3::Hasher,
    rows: u64,
}

impl State {
    /// Writes lines and their checksum at once.
    fn write(&mut self, mut lines: Vec<u8>) -> io::Result<()> {
        self.hash.update(&lines);
        let end = lines.len();
        for part in [SUM, &self.hash.finalize().to_hex(), "\n"] {
            lines.extend_from_slice(part.as_bytes());
        }
        self.hash.update(&lines[end..]);
        self.file.write_all(&lines)
    }
}

impl Journal {
    /// Begins a journal. None if another process writes it.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn create(path: &Path, options: &str, outside: &[Outside]) -> Result<Option<Journal>> {
        let create = || -> io::Result<Option<Journal>> {
            let Some(file) = held(path, true)? else { return Ok(None) };
            file.set_len(0)?;
            let position = Outside { name: "position".to_owned(), kind: ColumnType::Unsigned64 };
            let outside: Vec<Outside> = outside.iter().cloned().chain([position]).collect();
            let mut state = State { file, hash: blake3::Hasher::new(), rows: 0 };
            state.write([format!("{OPTIONS}{options}\n").into_bytes(), csv_header(&outside)].concat())?;
            Ok(Some(Journal { path: path.to_owned(), state: Mutex::new(state) }))
        };
        create().map_err(CorpusError::io("write", path))
    }

    /// Keeps the row of the item at a position.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn write(&self, position: u64, record: &Record) -> Result<()> {
        let mut row = csv_row(record, |text| text.into());
        // The position is one field more.
        row.pop();
        row.extend_from_slice(format!(",{position}\n").as_bytes());
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.rows += 1;
        state.write(row).map_err(CorpusError::io("write", &self.path))
    }

    /// Removes the journal: its rows are in another file.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn remove(self) -> Result<()> {
        fs::remove_file(&self.path).map_err(CorpusError::io("remove", &self.path))
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).rows
    }
}

/// The rows of a journal that no process writes any more.
pub struct LeftRows {
    /// The digest of what determined them.
    pub options: String,
    path: PathBuf,
    rows: Input,
    /// The next rows by position: one more than items are in work at a time, so no later row comes before the first.
    next: BTreeMap<u64, Record>,
    _lock: File,
}

impl LeftRows {
    /// Opens a journal, and cuts it after its last right checksum. None if there is none, or a process writes it; one
    /// without a row that is certain is removed.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn open(path: &Path) -> Result<Option<LeftRows>> {
        let cut = || -> io::Result<Option<(File, String)>> {
            let Some(mut file) = held(path, false)? else { return Ok(None) };
            let (mut hash, mut line, mut at, mut certain, mut sums) = (blake3::Hasher::new(), Vec::new(), 0, 0, 0_u64);
            let (mut options, mut input) = (String::new(), BufReader::new(&mut file));
            while input.read_until(b'\n', &mut line)? > 0 {
                let text = std::str::from_utf8(&line).ok().and_then(|text| text.strip_suffix('\n')).unwrap_or_default();
                let right = text.strip_prefix(SUM).is_some_and(|sum| *sum == *hash.finalize().to_hex());
                if let Some(text) = text.strip_prefix(OPTIONS).filter(|_| at == 0) {
                    options = text.to_owned();
                }
                hash.update(&line);
                at += line.len() as u64;
                (certain, sums) = if right { (at, sums + 1) } else { (certain, sums) };
                line.clear();
            }
            // The first checksum is that of the header.
            if sums < 2 {
                fs::remove_file(path)?;
                return Ok(None);
            }
            file.set_len(certain)?;
            Ok(Some((file, options)))
        };
        let Some((lock, options)) = cut().map_err(CorpusError::io("read", path))? else { return Ok(None) };
        let rows = Input::of_files(vec![path.to_owned()], Want::Rows)?;
        Ok(Some(LeftRows { options, path: path.to_owned(), rows, next: BTreeMap::new(), _lock: lock }))
    }

    /// The columns of other programs.
    pub fn outside(&self) -> Vec<Outside> {
        let mut outside = self.rows.outside();
        outside.pop();
        outside
    }
}

impl Iterator for LeftRows {
    /// A position, and the row of its item.
    type Item = Result<(u64, Record)>;

    fn next(&mut self) -> Option<Result<(u64, Record)>> {
        while self.next.len() <= MOST {
            match self.rows.next() {
                None => break,
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(mut record)) => match record.outside.pop() {
                    Some(Value::Unsigned(position)) => drop(self.next.insert(position, record)),
                    Some(Value::Signed(position)) => drop(self.next.insert(position.unsigned_abs(), record)),
                    _ => return Some(Err(CorpusError::file(&self.path, "a row has no position"))),
                },
            }
        }
        self.next.pop_first().map(Ok)
    }
}

/// Opens a journal and takes its lock. None if a process has it, or if it is not there and is not to be made.
fn held(path: &Path, create: bool) -> io::Result<Option<File>> {
    let mut file = match OpenOptions::new().create(create).truncate(false).read(true).write(true).open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound && !create => return Ok(None),
        file => file?,
    };
    file.seek(SeekFrom::Start(0))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // Without locks, two commands with one output would write one journal, and its checksums would be wrong.
        _ => Ok(Some(file)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::board::{Shape, Solution};

    #[test]
    fn rows_before_the_last_right_checksum_come_back_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.partial.csv.rows");
        assert!(LeftRows::open(&path).unwrap().is_none());
        let id = Outside { name: "id".to_owned(), kind: ColumnType::Text };
        let journal = Journal::create(&path, "digest", std::slice::from_ref(&id)).unwrap().unwrap();
        assert!(Journal::create(&path, "other", &[]).unwrap().is_none() && LeftRows::open(&path).unwrap().is_none());
        // Two chunks, each from its last item on; the third item was not finished.
        let order: Vec<u64> = (0..100).rev().chain((100..300).rev()).filter(|position| *position != 3).collect();
        for &position in &order {
            let mut record = Record::of_solution(7 * position, Solution::template(Shape::NINE));
            record.outside = vec![Value::Text(format!("=\"{position}\"\n# x").into())];
            journal.write(position, &record).unwrap();
        }
        assert_eq!(journal.rows(), 299);
        drop(journal);
        let whole = fs::read(&path).unwrap();
        let left = |bytes: &[u8]| {
            let copy = folder.path().join("copy.rows");
            fs::write(&copy, bytes).unwrap();
            let rows = LeftRows::open(&copy).unwrap()?;
            assert_eq!((&*rows.options, &*rows.outside()), ("digest", std::slice::from_ref(&id)));
            let position = |row: Result<(u64, Record)>| {
                let (position, row) = row.unwrap();
                let id = Value::Text(format!("=\"{position}\"\n# x").into());
                assert_eq!((row.index, &*row.outside), (7 * position, &[id][..]));
                position
            };
            Some(rows.map(position).collect::<Vec<_>>())
        };
        let first = |rows: usize| {
            let mut rows = order[..rows].to_vec();
            rows.sort_unstable();
            (!rows.is_empty()).then_some(rows)
        };
        assert_eq!(left(&whole), first(299));
        // Cut anywhere, or with one bit changed: the rows before that place.
        let ends: Vec<usize> = whole.windows(3).enumerate().filter(|(_, at)| at == b"\n# ").map(|(at, _)| at).collect();
        let sums: Vec<usize> =
            ends.into_iter().filter(|at| whole[at + 3..].iter().take(64).all(u8::is_ascii_hexdigit)).collect();
        assert_eq!(sums.len(), 300);
        for (rows, at) in [(0, 20), (0, sums[1] + 60), (5, sums[5] + 69), (41, sums[42] + 30), (298, whole.len() - 1)] {
            assert_eq!(left(&whole[..at]), first(rows), "cut at {at}");
            let mut flipped = whole.clone();
            flipped[at - 1] ^= 1;
            assert_eq!(left(&flipped), first(rows), "flipped at {at}");
        }
    }
}
