//! Any file of puzzles, grids or records, as records one by one.
//!
//! ```text
//!   name, or - for the standard input
//!     first bytes:  28 B5 2F FD  zstd -> look inside        "PAR1"  Parquet
//!                   1F 8B        gzip -> look inside        else    text
//!     first line of a text:  names of columns, one of them for puzzles -> CSV (comma, semicolon or tab)
//!                            else                                     -> lines and blocks
//! ```
//!
//! A row that cannot be used is an error of its own, with file, line and reason, and reading goes on behind it; a file
//! that is damaged ends. Memory is bounded by a line or a row group, however long the file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek as _};
use std::path::{Path, PathBuf};

use super::csv_rows::CsvRows;
use super::error::{CorpusError, Result, RowError};
use super::frame::{FrameReader, Rows};
use super::mapping::{Mapping, Want};
use super::record::Record;
use crate::board::text::{Entry, PuzzleReader, TextError, TextProblem};
use crate::board::{Puzzle, Shape, Solution};

/// A file of puzzles being read: an iterator over its rows.
pub struct Input {
    path: PathBuf,
    shape: Option<Shape>,
    rows: Source,
    next_index: u64,
    ended: bool,
}

/// Text, whatever it is packed in.
pub(super) type Text = Box<dyn BufRead + Send>;

/// Where rows come from.
enum Source {
    Lines(Box<PuzzleReader<Text>>),
    Csv(Box<CsvRows<Text>>),
    Frame(Box<FrameRows>),
}

/// Rows of a Parquet file.
struct FrameRows {
    reader: FrameReader,
    mapping: Mapping,
    rows: Option<Rows>,
    at: usize,
    row: u64,
}

/// What the first bytes of a file say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Parquet,
    Zstd,
    Gzip,
    Text,
}

impl Packing {
    fn of(head: &[u8]) -> Packing {
        match head {
            [b'P', b'A', b'R', b'1', ..] => Packing::Parquet,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Packing::Zstd,
            [0x1f, 0x8b, ..] => Packing::Gzip,
            _ => Packing::Text,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Packing::Parquet => "Parquet",
            Packing::Zstd => "zstd",
            Packing::Gzip => "gzip",
            Packing::Text => "text",
        }
    }

    /// What a file name promises, if anything.
    fn of_name(name: &str) -> Option<Packing> {
        match name.to_ascii_lowercase().rsplit_once('.')?.1 {
            "parquet" => Some(Packing::Parquet),
            "zst" => Some(Packing::Zstd),
            "gz" => Some(Packing::Gzip),
            "txt" | "sdm" | "sdk" | "csv" | "tsv" => Some(Packing::Text),
            _ => None,
        }
    }
}

impl Input {
    /// Opens a file of boards; `-` is the standard input. Boards of other shapes than `shape`, when it is given, are
    /// errors of their rows.
    ///
    /// # Errors
    /// A file that cannot be opened, is not what its name says, or has no column of puzzles.
    pub fn open(path: &Path, shape: Option<Shape>) -> Result<Input> {
        Input::open_for(path, shape, Want::Boards)
    }

    /// Opens a file with the whole schema of this program, and reads every column.
    ///
    /// # Errors
    /// As [`Input::open`]; columns that are missing, unknown or of another type.
    pub fn open_records(path: &Path) -> Result<Input> {
        Input::open_for(path, None, Want::Everything)
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

    /// A board that is not in a file: on the command line, say.
    pub fn of_puzzle(text: &str, shape: Option<Shape>) -> Input {
        let text: Text = Box::new(Cursor::new(text.as_bytes().to_vec()));
        Input::new(Path::new("-"), shape, Source::Lines(Box::new(PuzzleReader::new(text, shape))))
    }

    fn of_frame(path: &Path, shape: Option<Shape>, want: Want, file: File) -> Result<Input> {
        let wrong = |reason: String| CorpusError::file(path, reason);
        let mut reader = FrameReader::open(file).map_err(wrong)?;
        if want == Want::Everything {
            let types = reader.types().map_err(wrong)?;
            super::mapping::check_types(&types, FrameReader::type_name).map_err(wrong)?;
        }
        let mapping = Mapping::new(reader.names(), want).map_err(wrong)?;
        let names = mapping.places().map(|place| reader.names()[place].clone()).collect();
        reader.select(names);
        // The rows hold the chosen columns only, in the order in which they were chosen.
        let frame = FrameRows { reader, mapping: mapping.packed(), rows: None, at: 0, row: 0 };
        Ok(Input::new(path, shape, Source::Frame(Box::new(frame))))
    }

    fn of_text(path: &Path, shape: Option<Shape>, want: Want, mut text: Text) -> Result<Input> {
        let head = first_lines(&mut text).map_err(|error| CorpusError::file(path, damaged(&error)))?;
        if head.contains(&0) {
            return Err(CorpusError::file(path, "neither text nor Parquet, zstd or gzip"));
        }
        let text: Text = Box::new(BufReader::with_capacity(1 << 16, Cursor::new(head.clone()).chain(text)));
        let named_csv = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| {
            let name = name.to_ascii_lowercase();
            [".csv", ".tsv"].iter().any(|end| name.contains(end))
        });
        let source = match CsvRows::<Text>::header(&head, want) {
            Some(Ok(header)) => Source::Csv(Box::new(CsvRows::new(text, header))),
            Some(Err(reason)) if want == Want::Everything => return Err(CorpusError::file(path, reason)),
            Some(Err(reason)) if named_csv && !begins_with_board(&head) => {
                return Err(CorpusError::file(path, reason));
            }
            _ => Source::Lines(Box::new(PuzzleReader::new(text, shape))),
        };
        Ok(Input::new(path, shape, source))
    }

    fn new(path: &Path, shape: Option<Shape>, rows: Source) -> Input {
        Input { path: path.to_owned(), shape, rows, next_index: 0, ended: false }
    }

    fn row_error(&self, line: u64, column: Option<usize>, reason: String) -> CorpusError {
        CorpusError::Row(RowError { file: self.path.clone(), line, column, reason })
    }

    /// The next row, or why it cannot be used; none at the end.
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

impl FrameRows {
    /// The next row; the outer error is one of the whole file.
    fn next(&mut self, index: u64, shape: Option<Shape>) -> Result<Option<Result<Record, String>>, String> {
        while self.rows.as_ref().is_none_or(|rows| self.at >= rows.len()) {
            self.at = 0;
            self.rows = self.reader.next()?;
            if self.rows.is_none() {
                return Ok(None);
            }
        }
        let (Some(rows), at) = (&self.rows, self.at) else { return Ok(None) };
        self.at += 1;
        self.row += 1;
        Ok(Some(self.mapping.record(index, shape, |column| rows.get(at, column))))
    }
}

/// The record of a board in a text: a full grid or a puzzle.
fn of_entry(index: u64, entry: &Entry) -> Result<Record, String> {
    let grid = entry.grid.clone();
    if grid.holes() == 0 {
        let solution = Solution::try_from(grid).map_err(|error| error.to_string())?;
        return Ok(Record::of_solution(index, solution));
    }
    Puzzle::try_from(grid).map(|puzzle| Record::of_puzzle(index, puzzle)).map_err(|error| error.to_string())
}

/// The first bytes of a stream, fewer only if it is shorter. They are taken from it.
fn peek(input: &mut impl Read, bytes: u64) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    input.take(bytes).read_to_end(&mut head)?;
    Ok(head)
}

/// Everything to the end of the first line that is neither blank nor a comment. It is taken from the stream.
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

/// Does the last of the first lines begin with a board?
fn begins_with_board(head: &[u8]) -> bool {
    PuzzleReader::new(head, None).last().is_some_and(|last| last.is_ok())
}

/// Refuses a file whose first bytes are not those that its name promises.
fn check_name(path: &Path, packing: Packing, head: &[u8]) -> Result<()> {
    let promised = path.file_name().and_then(|name| name.to_str()).and_then(Packing::of_name);
    match promised {
        Some(promised) if promised != packing => {
            let found = match packing {
                Packing::Text if head.is_empty() => "it is empty".to_owned(),
                Packing::Text => format!("it does not begin as such a file does (first bytes: {})", shown(head)),
                _ => format!("it is {}", packing.name()),
            };
            Err(CorpusError::file(path, format!("its name says {}, but {found}", promised.name())))
        }
        _ => Ok(()),
    }
}

fn shown(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// What to say when reading fails in the middle.
fn damaged(error: &impl ToString) -> String {
    format!("damaged or cut short: {}", error.to_string())
}

/// A Parquet file that comes through a pipe, in a temporary file: its index stands at the end.
fn spooled(mut input: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut input, &mut file)?;
    file.rewind()?;
    Ok(file)
}
