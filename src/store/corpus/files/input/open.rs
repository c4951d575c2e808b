//! Opens a source by its first bytes, and keeps the errors of the system while it is read.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek as _};
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::encoding::{FileKind, Text, buffered, taken};
use super::forms::rows_of_text;
use super::frame_rows::FrameRows;
use super::gzip::Members;
use super::rows::{Found, Rows};
use super::{Copied, Reading, TextRows, csv_rows, is_whole};
use crate::corpus::files::format::FileFormat;
use crate::corpus::files::metadata::Metadata;
use crate::corpus::files::parallel::locked;
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::mapping::Want;
use crate::corpus::values::reading::Steady;

/// The last error of the system below the readers, which know only its text.
pub(super) type Failure = Arc<Mutex<Option<io::Error>>>;

pub(super) struct Opened {
    pub rows: Rows,
    /// The rows are those that this program wrote: the file carries its checksums.
    pub are_own: bool,
    failure: Failure,
}

impl Opened {
    /// The boards of a text.
    pub(super) fn of_text(text: &str, how: &Reading) -> Opened {
        let text: Text = Box::new(Cursor::new(text.as_bytes().to_vec()));
        Opened { rows: Box::new(TextRows::new(text, how)), are_own: false, failure: Failure::default() }
    }

    /// The next row of the source, whose path is given. None at the end.
    pub(super) fn next(&mut self, path: &Path) -> Result<Option<Found>> {
        self.rows.next().map_err(|reason| fault(path, &self.failure, reason))
    }
}

/// A source that keeps the last error of the system. Errors of its own have no number of the system.
pub(super) struct Watched<R> {
    pub input: R,
    pub failure: Failure,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        Steady(&mut self.input).read(out).map_err(|error| match error.raw_os_error() {
            Some(number) => {
                *locked(&self.failure) = Some(error);
                io::Error::from_raw_os_error(number)
            }
            _ => error,
        })
    }
}

/// What was wrong with a source: the error of the system, if there was one, or else this reason.
pub(super) fn fault(path: &Path, failure: &Failure, reason: String) -> CorpusError {
    let below = locked(failure).take();
    below.map_or_else(|| CorpusError::file(path, reason), CorpusError::io("read", path))
}

pub(super) fn open_file(path: &Path, how: &Reading) -> Result<Opened> {
    let failure = Failure::default();
    let rows = open_watched(path, how, &failure).map_err(|error| match error {
        CorpusError::File { reason, .. } => fault(path, &failure, reason),
        other => other,
    });
    let rows = rows?;
    let are_own = rows.has_checksums() || has_checked_text(path)?;
    Ok(Opened { rows, are_own, failure })
}

/// True for compressed CSV of this program: zstd compares its checksum, and the metadata have one of their own.
fn has_checked_text(path: &Path) -> Result<bool> {
    let is_named = FileFormat::of_name(&path.to_string_lossy()) == Some(FileFormat::CsvZst);
    let is_file = is_named && path.is_file();
    Ok(is_file && Metadata::of_file(path)?.is_some())
}

/// Opens a file by its first bytes: see the header of this room. `failure` gets faults of the system.
fn open_watched(path: &Path, how: &Reading, failure: &Failure) -> Result<Rows> {
    let unreadable = |error| CorpusError::io("read", path)(error);
    let (raw, file): (Box<dyn Read + Send>, Option<File>) = if path == Path::new("-") {
        (Box::new(io::stdin()), None)
    } else {
        let file = File::open(path).map_err(CorpusError::io("open", path))?;
        let copy = file.try_clone().map_err(unreadable)?;
        (Box::new(file), Some(copy))
    };
    let mut raw: Text = buffered(Watched { input: raw, failure: failure.clone() });
    let file = file.filter(|file| file.metadata().is_ok_and(|data| data.is_file()));
    let is_file = file.is_some();
    let head = taken(&mut raw, 4).map_err(unreadable)?;
    let kind = FileKind::of(&head);
    let all = Cursor::new(head).chain(raw);
    let mut rows: Rows = match kind {
        FileKind::Parquet => {
            let file = file.map_or_else(|| spooled(all).map_err(unreadable), Ok)?;
            Box::new(FrameRows::open(&file, path, how)?)
        }
        FileKind::Zstd => rows_of_text(path, how, buffered(zstd::Decoder::with_buffer(all).map_err(unreadable)?))?,
        FileKind::Gzip => rows_of_text(path, how, buffered(Members::new(all)))?,
        FileKind::Text => rows_of_text(path, how, Box::new(all))?,
    };
    if how.copy != Copied::Nothing
        && (how.want != Want::Most || is_whole(&*rows))
        && let Some(table) = rows.table().cloned()
    {
        let guesses = match table.kinds.is_none() && how.copy == Copied::Typed && is_file {
            true => {
                let again = open_file(path, &Reading { copy: Copied::Nothing, ..how.clone() })?.rows;
                csv_rows::guesses(again, table.names.len()).map_err(|reason| CorpusError::file(path, reason))?
            }
            false => Vec::new(),
        };
        rows.set_table(table.with_outside(how.copy, &guesses));
    }
    Ok(rows)
}

/// A pipe as a file: the index of Parquet is at its end.
fn spooled(mut pipe: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut pipe, &mut file)?;
    file.rewind().map(|()| file)
}
