//! Reads any file of puzzles, grids or records, one record at a time.
//!
//! ```text
//!   name, or - for the standard input
//!     first bytes:  28 B5 2F FD  zstd -> look inside        "PAR1"  Parquet
//!                   1F 8B        gzip -> look inside        else    text
//!     first line of a text:  begins with {  -> JSON lines           begins with <  -> OpenSudoku
//!                            names of columns, one of them for puzzles -> CSV (comma, semicolon or tab)
//!                            else -> lines and blocks, in any dialect of [`sudoku_corpus_core::board::text`]
//! ```
//!
//! A row that cannot be used gives an error with file, line and reason, and reading continues after it. If the file is
//! damaged, it gives an error and reading ends. Memory is bounded by a line or a row group, however long the file is.

mod csv_rows;
mod frame_rows;
mod json_lines;
mod lines;
mod open_sudoku;
mod packing;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use csv_rows::CsvRows;
use frame_rows::FrameRows;
use json_lines::JsonRows;
use open_sudoku::GameRows;
use packing::{Packing, check_name, peek, spooled};

use crate::corpus::columns::{ColumnType, Outside};
use crate::corpus::error::{CorpusError, Result, RowError};
use crate::corpus::mapping::Want;
use crate::corpus::record::Record;
use sudoku_corpus_core::board::text::{Entry, PuzzleReader, TextError, TextProblem};
use sudoku_corpus_core::board::{Grid, Puzzle, Shape, Solution};

/// A file of puzzles being read: an iterator over its rows.
pub struct Input {
    path: PathBuf,
    shape: Option<Shape>,
    rows: Source,
    next_index: u64,
    ended: bool,
}

/// A text stream that is already unpacked.
pub(super) type Text = Box<dyn BufRead + Send>;

/// The source of the rows.
enum Source {
    Lines(Box<PuzzleReader<Text>>),
    Csv(Box<CsvRows<Text>>),
    Frame(Box<FrameRows>),
    Json(Box<JsonRows<Text>>),
    Games(Box<GameRows<Text>>),
}

impl Input {
    /// Opens a file of boards; `-` is standard input. If `shape` is given, boards of other shapes are bad rows.
    ///
    /// # Errors
    /// The file cannot be opened, does not agree with its name, or has no column of puzzles.
    pub fn open(path: &Path, shape: Option<Shape>) -> Result<Input> {
        Input::open_for(path, shape, Want::Boards)
    }

    /// Opens a file with the complete schema of this program, and reads every column.
    ///
    /// # Errors
    /// The same as for [`Input::open`]; columns that are missing, unknown or of another type.
    pub fn open_records(path: &Path) -> Result<Input> {
        Input::open_for(path, None, Want::Everything)
    }

    /// Opens a file with the complete schema of this program, and reads every column, also those of other programs.
    ///
    /// # Errors
    /// The same as for [`Input::open`]; columns that are missing or of another type.
    pub fn open_rows(path: &Path) -> Result<Input> {
        Input::open_for(path, None, Want::Rows)?.with_outside(true)
    }

    /// Also copies the columns of other programs. With `typed`, a CSV file is read twice, and its columns get the types
    /// of their fields. Without it, and for standard input, they are texts.
    ///
    /// # Errors
    /// The file cannot be read again.
    pub fn with_outside(mut self, typed: bool) -> Result<Input> {
        let again = self.path != Path::new("-") && std::fs::metadata(&self.path).is_ok_and(|data| data.is_file());
        match &mut self.rows {
            Source::Csv(rows) => {
                let kinds = if typed && again { Input::open(&self.path, None)?.guessed()? } else { Vec::new() };
                rows.keep_outside(&kinds);
            }
            Source::Frame(frame) => frame.keep_outside(),
            _ => {}
        }
        Ok(self)
    }

    /// The columns that are copied, in the order of the values in [`Record::outside`].
    pub fn outside(&self) -> Vec<Outside> {
        let mapping = match &self.rows {
            Source::Csv(rows) => rows.mapping(),
            Source::Frame(frame) => frame.mapping(),
            _ => return Vec::new(),
        };
        mapping.outside().iter().map(|(_, column)| column.clone()).collect()
    }

    /// The types of the columns of a CSV file, from all of its fields.
    fn guessed(self) -> Result<Vec<ColumnType>> {
        let Source::Csv(rows) = self.rows else { return Ok(Vec::new()) };
        rows.guessed().map_err(|error| CorpusError::file(&self.path, damaged(&error)))
    }

    /// Opens any file of puzzles, grids or rows. Reads every column of the schema except `solution` from a file of this
    /// program, and only the boards from other files.
    ///
    /// # Errors
    /// The same as for [`Input::open`].
    pub fn open_known(path: &Path) -> Result<Input> {
        Input::open_for(path, None, Want::Known)
    }

    fn open_for(path: &Path, shape: Option<Shape>, want: Want) -> Result<Input> {
        let unreadable = |error| CorpusError::io("read", path)(error);
        let (mut raw, file): (Text, Option<File>) = if path == Path::new("-") {
            (Box::new(BufReader::new(io::stdin())), None)
        } else {
            let file = File::open(path).map_err(CorpusError::io("open", path))?;
            if file.metadata().is_ok_and(|data| data.is_dir()) {
                return Err(CorpusError::file(path, "a folder, not a file"));
            }
            let copy = file.try_clone().map_err(unreadable)?;
            (Box::new(BufReader::with_capacity(1 << 16, file)), Some(copy))
        };
        let head = peek(&mut raw, 4).map_err(unreadable)?;
        let packing = Packing::of(&head);
        check_name(path, packing, &head)?;
        let text: Text = match packing {
            Packing::Parquet => {
                let file = match file.filter(|file| file.metadata().is_ok_and(|data| data.is_file())) {
                    Some(file) => file,
                    None => spooled(Cursor::new(head).chain(raw)).map_err(unreadable)?,
                };
                return Input::of_frame(path, shape, want, file);
            }
            Packing::Zstd => {
                let inside = zstd::Decoder::with_buffer(Cursor::new(head).chain(raw)).map_err(unreadable)?;
                Box::new(BufReader::with_capacity(1 << 16, inside))
            }
            Packing::Gzip => {
                let inside = flate2::bufread::MultiGzDecoder::new(Cursor::new(head).chain(raw));
                Box::new(BufReader::with_capacity(1 << 16, inside))
            }
            Packing::Text => Box::new(Cursor::new(head).chain(raw)),
        };
        Input::of_text(path, shape, want, text)
    }

    /// A board that is not in a file, for example on the command line.
    pub fn of_puzzle(text: &str, shape: Option<Shape>) -> Input {
        let text: Text = Box::new(Cursor::new(text.as_bytes().to_vec()));
        Input::new(Path::new("-"), shape, Source::Lines(Box::new(PuzzleReader::new(text, shape))))
    }

    fn of_frame(path: &Path, shape: Option<Shape>, want: Want, file: File) -> Result<Input> {
        let wrong = |reason: String| CorpusError::file(path, reason);
        let frame = FrameRows::open(file, want).map_err(wrong)?;
        Ok(Input::new(path, shape, Source::Frame(Box::new(frame))))
    }

    fn of_text(path: &Path, shape: Option<Shape>, want: Want, mut text: Text) -> Result<Input> {
        let mut head = first_lines(&mut text).map_err(|error| CorpusError::file(path, damaged(&error)))?;
        if head.contains(&b'\r') {
            let all = LineEnds { input: Cursor::new(head).chain(text), after_return: false };
            text = Box::new(BufReader::with_capacity(1 << 16, all));
            head = first_lines(&mut text).map_err(|error| CorpusError::file(path, damaged(&error)))?;
        }
        if head.contains(&0) {
            return Err(CorpusError::file(path, "the file is neither text nor Parquet, zstd or gzip"));
        }
        let text: Text = Box::new(BufReader::with_capacity(1 << 16, Cursor::new(head.clone()).chain(text)));
        let source = match first_character(&head) {
            Some(b'{') if !matches!(want, Want::Everything | Want::Rows) => Source::Json(Box::new(JsonRows::new(text))),
            Some(b'<') if !matches!(want, Want::Everything | Want::Rows) => {
                Source::Games(Box::new(GameRows::new(text)))
            }
            _ => Input::rows_of_text(path, shape, want, text, &head)?,
        };
        Ok(Input::new(path, shape, source))
    }

    /// Lines, blocks or CSV, decided by the first lines of a text.
    fn rows_of_text(path: &Path, shape: Option<Shape>, want: Want, text: Text, head: &[u8]) -> Result<Source> {
        let named_csv = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| {
            let name = name.to_ascii_lowercase();
            [".csv", ".tsv"].iter().any(|end| name.contains(end))
        });
        Ok(match CsvRows::<Text>::header(head, want) {
            Some(Ok(header)) => Source::Csv(Box::new(CsvRows::new(text, header))),
            Some(Err(reason)) if matches!(want, Want::Everything | Want::Rows) => {
                return Err(CorpusError::file(path, reason));
            }
            Some(Err(reason)) if named_csv && !begins_with_board(head) => {
                return Err(CorpusError::file(path, reason));
            }
            _ => Source::Lines(Box::new(PuzzleReader::new(text, shape))),
        })
    }

    fn new(path: &Path, shape: Option<Shape>, rows: Source) -> Input {
        Input { path: path.to_owned(), shape, rows, next_index: 0, ended: false }
    }

    /// True for CSV and Parquet, whose columns have names. False for all other formats.
    pub fn has_columns(&self) -> bool {
        matches!(self.rows, Source::Csv(_) | Source::Frame(_))
    }

    /// True after the last row, or if the file is damaged.
    pub fn is_at_end(&self) -> bool {
        self.ended
    }

    fn row_error(&self, line: u64, column: Option<usize>, reason: String) -> CorpusError {
        CorpusError::Row(RowError { file: self.path.clone(), line, column, reason })
    }

    /// The next row, or its error. None at the end.
    fn step(&mut self) -> Option<Result<Record>> {
        let (index, shape) = (self.next_index, self.shape);
        let outcome = match &mut self.rows {
            Source::Lines(reader) => match reader.next()? {
                Ok(entry) => of_entry(index, &entry).map_err(|reason| (entry.line as u64, None, reason)),
                Err(TextError { problem: TextProblem::Read(reason), .. }) => {
                    return Some(Err(CorpusError::file(&self.path, damaged(&reason))));
                }
                Err(TextError { line, column, problem }) => Err((line as u64, Some(column), problem.to_string())),
            },
            Source::Csv(rows) => match rows.next(index, shape) {
                Err(error) => return Some(Err(CorpusError::file(&self.path, damaged(&error)))),
                Ok(next) => next?.map_err(|(line, reason)| (line, None, reason)),
            },
            Source::Json(rows) => match rows.next(index, shape) {
                Err(error) => return Some(Err(CorpusError::file(&self.path, damaged(&error)))),
                Ok(next) => next?.map_err(|(line, reason)| (line, None, reason)),
            },
            Source::Games(games) => match games.next(shape) {
                Err(reason) => return Some(Err(CorpusError::file(&self.path, damaged(&reason)))),
                Ok(next) => next?
                    .and_then(|(line, grid)| of_grid(index, grid).map_err(|reason| (line, reason)))
                    .map_err(|(line, reason)| (line, None, reason)),
            },
            Source::Frame(frame) => match frame.next(index, shape) {
                Err(reason) => return Some(Err(CorpusError::file(&self.path, reason))),
                Ok(next) => next?.map_err(|reason| (frame.row, None, reason)),
            },
        };
        self.next_index += 1;
        Some(outcome.map_err(|(line, column, reason)| self.row_error(line, column, reason)))
    }
}

impl Iterator for Input {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Result<Record>> {
        if self.ended {
            return None;
        }
        let step = self.step();
        self.ended = match &step {
            None => true,
            Some(Ok(_) | Err(CorpusError::Row(_))) => false,
            Some(Err(_)) => true,
        };
        step
    }
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

/// The record of a board in a text.
fn of_entry(index: u64, entry: &Entry) -> Result<Record, String> {
    of_grid(index, entry.grid.clone())
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

/// True if the last of the first lines begins with a board.
fn begins_with_board(head: &[u8]) -> bool {
    PuzzleReader::new(head, None).last().is_some_and(|last| last.is_ok())
}

/// The message when reading fails in the middle.
fn damaged(error: &impl ToString) -> String {
    format!("damaged or cut short: {}", error.to_string())
}

#[cfg(test)]
mod tests;
