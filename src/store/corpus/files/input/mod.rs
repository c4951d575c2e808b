//! Reads any source of puzzles, grids or records, one record at a time: a file, a pipe, a corpus.
//!
//! ```text
//!   folder of a corpus -> its checked parts, one after the other
//!   name, or - for the standard input
//!     first bytes:  28 B5 2F FD  zstd -> look inside        "PAR1"  Parquet
//!                   1F 8B        gzip -> look inside        else    text
//!     first line of a text:  begins with { or [{  -> JSON           begins with <  -> OpenSudoku
//!                            names of columns, one of them for puzzles -> CSV (comma, semicolon or tab)
//!                            else -> lines and blocks, in any dialect of [`sudoku_corpus_core::board::text`]
//! ```
//!
//! A row that cannot be used gives an error with file, line and reason, and reading continues after it. If the file is
//! damaged, it gives an error and reading ends. Memory is bounded by a line or a row group, however long the file is.

mod compression;
mod csv_rows;
mod frame_rows;
mod json_lines;
mod lines;
mod open_sudoku;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use compression::{FileKind, check_name, peek, spooled};
use csv_rows::CsvRows;
use frame_rows::FrameRows;
use json_lines::JsonRows;
use open_sudoku::GameRows;

use crate::corpus::values::error::{CorpusError, Result, RowError};
use crate::corpus::values::mapping::{Mapping, Want};
use crate::corpus::values::outside::Outside;
use crate::corpus::values::record::Record;
use crate::corpus::values::value::ColumnType;
use sudoku_corpus_core::board::text::{PuzzleReader, TextError, TextProblem};
use sudoku_corpus_core::board::{Grid, Puzzle, Shape, Solution};

/// How a source is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// The columns to read.
    pub want: Want,
    /// Boards of other shapes are bad rows.
    pub shape: Option<Shape>,
    /// Whether columns of other programs are copied, and how.
    pub copy: Copied,
}

/// Which columns of other programs are copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Copied {
    /// None.
    #[default]
    Nothing,
    /// All; those of texts become texts.
    Texts,
    /// All, with types. A CSV file is read twice; columns of standard input are texts.
    Typed,
}

impl From<Option<Shape>> for Reading {
    /// Boards and their origin, from any file.
    fn from(shape: Option<Shape>) -> Reading {
        Reading { shape, ..Reading::default() }
    }
}

impl From<Want> for Reading {
    fn from(want: Want) -> Reading {
        let copy = if want == Want::Rows { Copied::Typed } else { Copied::Nothing };
        Reading { want, copy, shape: None }
    }
}

/// Rows of a source: a file, a pipe, or the checked parts of a corpus, one after the other.
pub struct Input {
    files: std::vec::IntoIter<PathBuf>,
    path: PathBuf,
    how: Reading,
    rows: Box<dyn RowReader>,
    outside: Vec<Outside>,
    next_index: u64,
    ended: bool,
    failure: Failure,
}

/// The last error of the system below the readers, which know only its text.
type Failure = Arc<Mutex<Option<io::Error>>>;

/// A source that keeps the last error of the system. Errors of its own have no number of the system.
struct Watched<R> {
    input: R,
    failure: Failure,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.input.read(out).map_err(|error| match error.raw_os_error() {
            Some(number) if error.kind() != io::ErrorKind::Interrupted => {
                *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                io::Error::from_raw_os_error(number)
            }
            _ => error,
        })
    }
}

/// What was wrong with a source: the error of the system, if there was one, or else this reason.
fn fault(path: &Path, failure: &Failure, reason: String) -> CorpusError {
    let below = failure.lock().unwrap_or_else(PoisonError::into_inner).take();
    below.map_or_else(|| CorpusError::file(path, reason), CorpusError::io("read", path))
}

/// A text stream that is already unpacked.
pub(crate) type Text = Box<dyn BufRead + Send>;

/// A row: a record, or the line, the column and the reason.
pub(crate) type Row = Result<Record, (u64, Option<usize>, String)>;

/// The rows of a file in one of the formats.
pub(crate) trait RowReader: Send {
    /// The next row. None at the end. The outer error is about the complete file.
    fn next(&mut self, index: u64, shape: Option<Shape>) -> Result<Option<Row>, String>;

    /// Where the columns of the file are, if it has columns with names: CSV and Parquet.
    fn mapping(&self) -> Option<&Mapping> {
        None
    }

    /// Also copies columns of other programs. `kinds` are the types of all columns if a file does not have types.
    fn keep_outside(&mut self, _kinds: &[ColumnType]) {}

    /// The types of all columns of a file that does not say them.
    fn guessed(self: Box<Self>) -> Result<Vec<ColumnType>, String> {
        Ok(Vec::new())
    }
}

impl Input {
    /// Opens files that have the same columns, as if they were one. `-` is standard input.
    ///
    /// # Errors
    /// The first file cannot be opened, does not agree with its name, or lacks columns.
    pub fn of_files(files: Vec<PathBuf>, how: impl Into<Reading>) -> Result<Input> {
        let (mut how, mut files) = (how.into(), files.into_iter());
        let Some(path) = files.next() else { return Ok(Input::of_puzzle("", how.shape)) };
        let (rows, failure) = open_file(&path, how)?;
        if how.want == Want::Most && is_whole(&*rows) {
            // Such rows name their shapes.
            how.shape = None;
        }
        Ok(Input { files, path, how, outside: outside_of(&*rows), rows, next_index: 0, ended: false, failure })
    }

    /// A board that is not in a file, for example on the command line.
    pub fn of_puzzle(text: &str, shape: Option<Shape>) -> Input {
        let text: Text = Box::new(Cursor::new(text.as_bytes().to_vec()));
        let (files, path) = (Vec::new().into_iter(), PathBuf::from("-"));
        let rows = Box::new(PuzzleReader::new(text, shape));
        let (how, outside, failure) = (shape.into(), Vec::new(), Failure::default());
        Input { files, path, how, rows, outside, next_index: 0, ended: false, failure }
    }

    /// The columns that are copied, in the order of the values in [`Record::outside`].
    pub fn outside(&self) -> Vec<Outside> {
        self.outside.clone()
    }

    /// True if its rows have every column of this program.
    pub fn is_whole(&self) -> bool {
        is_whole(&*self.rows)
    }

    /// Opens the next file. False after the last one.
    fn advance(&mut self) -> Result<bool> {
        let Some(path) = self.files.next() else { return Ok(false) };
        self.path = path;
        (self.rows, self.failure) = open_file(&self.path, self.how)?;
        if outside_of(&*self.rows) != self.outside {
            return Err(CorpusError::file(&self.path, "its columns differ from those of the first part"));
        }
        Ok(true)
    }

    fn step(&mut self) -> Result<Option<Record>> {
        loop {
            let next = self.rows.next(self.next_index, self.how.shape);
            match next.map_err(|reason| fault(&self.path, &self.failure, reason))? {
                None if self.advance()? => {}
                None => return Ok(None),
                Some(row) => {
                    self.next_index += 1;
                    let file = || self.path.clone();
                    return row.map(Some).map_err(|(line, column, reason)| {
                        CorpusError::Row(RowError { file: file(), line, column, reason })
                    });
                }
            }
        }
    }
}

impl Iterator for Input {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Result<Record>> {
        if self.ended {
            return None;
        }
        let step = self.step();
        self.ended = !matches!(step, Ok(Some(_)) | Err(CorpusError::Row(_)));
        step.transpose()
    }
}

fn open_file(path: &Path, how: Reading) -> Result<(Box<dyn RowReader>, Failure)> {
    let failure = Failure::default();
    let opened = open_watched(path, how, &failure).map_err(|error| match error {
        CorpusError::File { reason, .. } => fault(path, &failure, reason),
        other => other,
    });
    Ok((opened?, failure))
}

fn open_watched(path: &Path, how: Reading, failure: &Failure) -> Result<Box<dyn RowReader>> {
    let unreadable = |error| CorpusError::io("read", path)(error);
    let (raw, file): (Box<dyn Read + Send>, Option<File>) = if path == Path::new("-") {
        (Box::new(io::stdin()), None)
    } else {
        let file = File::open(path).map_err(CorpusError::io("open", path))?;
        let copy = file.try_clone().map_err(unreadable)?;
        (Box::new(file), Some(copy))
    };
    let mut raw: Text = Box::new(BufReader::with_capacity(1 << 16, Watched { input: raw, failure: failure.clone() }));
    let file = file.filter(|file| file.metadata().is_ok_and(|data| data.is_file()));
    let regular = file.is_some();
    let head = peek(&mut raw, 4).map_err(unreadable)?;
    let kind = FileKind::of(&head);
    check_name(path, kind, &head)?;
    let all = Cursor::new(head).chain(raw);
    let wrong = |reason: String| CorpusError::file(path, reason);
    let mut rows: Box<dyn RowReader> = match kind {
        FileKind::Parquet => {
            let file = file.map_or_else(|| spooled(all).map_err(unreadable), Ok)?;
            Box::new(FrameRows::open(&file, path, how.want)?)
        }
        FileKind::Zstd => rows_of_text(path, how, buffered(zstd::Decoder::with_buffer(all).map_err(unreadable)?))?,
        FileKind::Gzip => rows_of_text(path, how, buffered(flate2::bufread::MultiGzDecoder::new(all)))?,
        FileKind::Text => rows_of_text(path, how, Box::new(all))?,
    };
    if how.copy != Copied::Nothing && (how.want != Want::Most || is_whole(&*rows)) {
        let untyped = how.copy == Copied::Typed && regular && kind != FileKind::Parquet && rows.mapping().is_some();
        let again = || open_file(path, Reading { copy: Copied::Nothing, ..how })?.0.guessed().map_err(wrong);
        rows.keep_outside(&if untyped { again()? } else { Vec::new() });
    }
    Ok(rows)
}

fn buffered(text: impl Read + Send + 'static) -> Text {
    Box::new(BufReader::with_capacity(1 << 16, text))
}

/// The format of a text, decided by its first lines.
fn rows_of_text(path: &Path, how: Reading, mut text: Text) -> Result<Box<dyn RowReader>> {
    let wrong = |reason: String| CorpusError::file(path, reason);
    let mut head = first_lines(&mut text).map_err(damaged).map_err(wrong)?;
    if head.contains(&b'\r') {
        text = buffered(LineEnds { input: Cursor::new(head).chain(text), after_return: false });
        head = first_lines(&mut text).map_err(damaged).map_err(wrong)?;
    }
    if head.contains(&0) {
        return Err(CorpusError::file(path, "the file is neither text nor Parquet, zstd or gzip"));
    }
    let text = buffered(Cursor::new(head.clone()).chain(text));
    let rows_only = matches!(how.want, Want::Everything | Want::Rows);
    match first_character(&head) {
        Some(b'{') if !rows_only => return Ok(Box::new(JsonRows::new(text))),
        Some(b'[') if !rows_only && begins_with_array(&head) => return Ok(Box::new(JsonRows::of_array(text))),
        Some(b'<') if !rows_only => return Ok(Box::new(GameRows::new(text))),
        _ => {}
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let named_csv = [".csv", ".tsv"].iter().any(|end| name.contains(end));
    match CsvRows::<Text>::header(&head, how.want) {
        Some(Ok(header)) => Ok(Box::new(CsvRows::new(text, header))),
        Some(Err(reason)) if rows_only || (named_csv && !begins_with_board(&head)) => Err(wrong(reason)),
        _ => Ok(Box::new(PuzzleReader::new(text, how.shape))),
    }
}

impl RowReader for PuzzleReader<Text> {
    fn next(&mut self, index: u64, _: Option<Shape>) -> Result<Option<Row>, String> {
        Ok(match Iterator::next(self) {
            None => None,
            Some(Ok(entry)) => Some(of_grid(index, entry.grid).map_err(|reason| (entry.line as u64, None, reason))),
            Some(Err(TextError { problem: TextProblem::Read(reason), .. })) => return Err(damaged(reason)),
            Some(Err(TextError { line, column, problem })) => {
                Some(Err((line as u64, Some(column), problem.to_string())))
            }
        })
    }
}

fn is_whole(rows: &dyn RowReader) -> bool {
    rows.mapping().is_some_and(Mapping::is_whole)
}

fn outside_of(rows: &dyn RowReader) -> Vec<Outside> {
    rows.mapping().into_iter().flat_map(Mapping::outside).map(|(_, column)| column.clone()).collect()
}

/// Reads a text whose lines end with CR or with CR LF, and gives LF at the end of each line.
struct LineEnds<R> {
    input: R,
    after_return: bool,
}

impl<R: Read> Read for LineEnds<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.input.read(out)?;
            let mut kept = 0;
            for at in 0..read {
                let byte = out[at];
                // The LF of a CR LF pair does not end another line.
                if !(byte == b'\n' && self.after_return) {
                    out[kept] = if byte == b'\r' { b'\n' } else { byte };
                    kept += 1;
                }
                self.after_return = byte == b'\r';
            }
            if kept > 0 || read == 0 {
                return Ok(kept);
            }
        }
    }
}

/// The record of a board: a full grid or a puzzle.
fn of_grid(index: u64, grid: Grid) -> Result<Record, String> {
    if grid.holes() == 0 {
        let solution = Solution::try_from(grid).map_err(|error| error.to_string())?;
        return Ok(Record::of_solution(index, solution));
    }
    Puzzle::try_from(grid).map(|puzzle| Record::of_puzzle(index, puzzle)).map_err(|error| error.to_string())
}

/// Everything up to the end of the first line that is neither blank nor a comment. It is taken from the stream.
fn first_lines(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    const LONGEST: u64 = 1 << 20;
    let mut head = Vec::new();
    loop {
        let start = head.len();
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut head)?;
        let line = head[start..].trim_ascii();
        if read == 0 || head.len() as u64 > LONGEST || !(line.is_empty() || line.starts_with(b"#")) {
            return Ok(head);
        }
    }
}

/// The first character of a text that is not in a comment or blank.
fn first_character(head: &[u8]) -> Option<u8> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.into_iter().find(|line| !line.is_empty() && !line.starts_with(b"#"))?.first().copied()
}

/// True if the first line that is not blank begins an array of objects.
fn begins_with_array(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii();
    let rest = head.strip_prefix(b"[").map(<[u8]>::trim_ascii);
    rest.is_some_and(|rest| matches!(rest.first(), None | Some(b'{' | b']')))
}

/// True if the last of the first lines begins with a board.
fn begins_with_board(head: &[u8]) -> bool {
    PuzzleReader::new(head, None).last().is_some_and(|last| last.is_ok())
}

/// The message when reading fails in the middle.
fn damaged(error: impl ToString) -> String {
    format!("damaged or cut short: {}", error.to_string())
}

#[cfg(test)]
mod tests;
