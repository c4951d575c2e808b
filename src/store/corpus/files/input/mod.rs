//! Reads any source of puzzles, grids or records, one record at a time: a file, a pipe, a corpus.
//!
//! ```text
//!   folder of a corpus -> its checked parts, one after the other
//!   name, or - for the standard input
//!     first bytes:  28 B5 2F FD  zstd -> look inside        "PAR1"  Parquet
//!                   1F 8B        gzip -> look inside        else    text
//!     text:         UTF-8, UTF-16 or Windows-1252; lines end with LF, CR LF or CR
//!       begins with { or a list of JSON -> JSON                     begins with <  -> OpenSudoku, KSudoku
//!       first line:  names of columns, one of them of puzzles -> CSV (comma, semicolon, tab or bar)
//!       else:        lines and blocks, in any dialect of [`sudoku_corpus_core::board::text`]
//! ```
//!
//! A row that cannot be used gives an error with file, line and reason, and reading continues after it. If the file is
//! damaged, it gives an error and reading ends. Memory is bounded by a line or a row group, however long the file is.

mod compression;
mod csv_rows;
mod encoding;
mod frame_rows;
mod json_rows;
mod open_sudoku;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use compression::{FileKind, check_name, peek, spooled};
use csv_rows::{CsvHeader, CsvRows, Head};
use frame_rows::{FrameRows, ValuesOfRows};
use json_rows::JsonRows;
use open_sudoku::GameRows;

use crate::corpus::values::error::{CorpusError, Result, RowError};
use crate::corpus::values::mapping::{self, Mapping, Want};
use crate::corpus::values::outside::Outside;
use crate::corpus::values::record::Record;
use crate::corpus::values::value::ColumnType;
use sudoku_corpus_core::board::text::{Entry, Item, PuzzleReader, Signs, TextError, TextProblem};
use sudoku_corpus_core::board::{Grid, Puzzle, Shape, Solution};

/// How a source is read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The columns to read.
    pub want: Want,
    /// Boards of other shapes are bad rows.
    pub shape: Option<Shape>,
    /// Whether columns of other programs are copied, and how.
    pub copy: Copied,
    /// The signs of boards, if they were named.
    pub signs: Signs,
    /// The column of the puzzles, if it was named.
    pub column: Option<String>,
    /// Positions with candidates are rows, too. Otherwise they are bad rows.
    pub positions: bool,
    /// What the source must have. Without it, reading ends with an error.
    pub least: Least,
}

/// The least that a source must have. A table with names of columns is complete without rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Least {
    /// A board that can be used.
    #[default]
    Board,
    /// A row, good or bad: for those who tell each bad row.
    Row,
    /// Nothing; but words without a row are a file of something else.
    Nothing,
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
        Reading { want, copy, ..Reading::default() }
    }
}

/// Rows of a source: a file, a pipe, or the checked parts of a corpus, one after the other.
pub struct Input {
    /// The files that come after the open one.
    files: std::vec::IntoIter<PathBuf>,
    path: Arc<Path>,
    how: Arc<Reading>,
    /// The rows of the open file, whose path is `path`.
    rows: Box<dyn RowReader>,
    /// The columns of other programs that rows have.
    outside: Vec<Outside>,
    next_index: u64,
    /// The line of the last row, or its number if there are several files.
    line: u64,
    is_one_file: bool,
    /// True if a row had a board.
    has_board: bool,
    /// True after the end, or after an error after which nothing can be read.
    ended: bool,
    failure: Failure,
}

/// A row that was found in a source. Any thread can decode it while the source goes on.
pub struct Unread {
    found: Result<Found>,
    index: u64,
    path: Arc<Path>,
    how: Arc<Reading>,
    /// The line that errors name.
    line: u64,
}

impl Unread {
    /// Its line in its file, from 1; or the number of the row, for Parquet and for several files.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The row.
    ///
    /// # Errors
    /// A row that cannot be used, or a damaged file: then no row follows.
    pub fn read(self) -> Result<Record> {
        let Unread { found, index, path, how, line } = self;
        let (_, row) = found?.read(index, &how);
        row.map_err(|(column, reason)| CorpusError::Row(RowError { file: path.to_path_buf(), line, column, reason }))
    }
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

/// The line of a row, from 1, and the row: a record, or the column and the reason.
pub(crate) type Row = (u64, Result<Record, (Option<usize>, String)>);

/// What a reader has found of a row.
#[expect(clippy::large_enum_variant, reason = "most are rows, and a row is not copied")]
pub(crate) enum Found {
    Read(Row),
    /// The line of a row, the values of rows that were read together, and its place among these.
    Values(u64, Arc<ValuesOfRows>, usize),
}

impl Found {
    fn read(self, index: u64, how: &Reading) -> Row {
        match self {
            Found::Read(row) => row,
            Found::Values(line, values, at) => (line, values.record(at, index, how).map_err(|reason| (None, reason))),
        }
    }
}

/// The rows of a file in one of the formats.
pub(crate) trait RowReader: Send {
    /// The next row. None at the end. The outer error is about the complete file.
    fn next(&mut self, index: u64, how: &Reading) -> Result<Option<Row>, String>;

    /// Like `next`, but leaves the decoding to others where the format allows it.
    fn find(&mut self, index: u64, how: &Reading) -> Result<Option<Found>, String> {
        Ok(self.next(index, how)?.map(Found::Read))
    }

    /// True if words stood in the file that are no rows.
    fn has_words(&self) -> bool {
        false
    }

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
    pub(crate) fn of_files(files: Vec<PathBuf>, how: impl Into<Reading>) -> Result<Input> {
        let (mut how, mut files) = (how.into(), files.into_iter());
        let Some(path) = files.next() else {
            return Ok(Input::of_puzzle("", Reading { least: Least::Nothing, ..how }));
        };
        let (rows, failure) = open_file(&path, &how)?;
        if how.want == Want::Most && is_whole(&*rows) {
            // Such rows name their shapes.
            how.shape = None;
        }
        let is_one_file = files.len() == 0;
        Ok(Input {
            files,
            path: path.into(),
            how: how.into(),
            outside: outside_of(&*rows),
            rows,
            next_index: 0,
            line: 0,
            is_one_file,
            has_board: false,
            ended: false,
            failure,
        })
    }

    /// A board that is not in a file, for example on the command line.
    pub fn of_puzzle(text: &str, how: impl Into<Reading>) -> Input {
        let how = how.into();
        let text: Text = Box::new(Cursor::new(text.as_bytes().to_vec()));
        let (files, path) = (Vec::new().into_iter(), Path::new("-").into());
        let rows = Box::new(TextRows::new(PuzzleReader::with(text, how.shape, how.signs.clone())));
        let (outside, failure) = (Vec::new(), Failure::default());
        Input {
            files,
            path,
            how: how.into(),
            rows,
            outside,
            next_index: 0,
            line: 0,
            is_one_file: true,
            has_board: false,
            ended: false,
            failure,
        }
    }

    /// The columns that are copied, in the order of the values in [`Record::outside`].
    pub fn outside(&self) -> Vec<Outside> {
        self.outside.clone()
    }

    /// The line of the last row in its file, from 1; or the number of the row, for Parquet and for several files.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// True if its rows are read as rows of this program: with all columns, or with those that the file has.
    pub fn is_whole(&self) -> bool {
        is_whole(&*self.rows)
    }

    /// Opens the next file. False after the last one.
    fn advance(&mut self) -> Result<bool> {
        let Some(path) = self.files.next() else { return Ok(false) };
        self.path = path.into();
        (self.rows, self.failure) = open_file(&self.path, &self.how)?;
        if outside_of(&*self.rows) != self.outside {
            return Err(CorpusError::file(&self.path, "its columns differ from those of the first part"));
        }
        Ok(true)
    }

    /// True if the source did not have what it must have.
    fn is_nothing(&self) -> bool {
        let no_row = self.next_index == 0 && self.rows.mapping().is_none();
        match self.how.least {
            Least::Board => no_row || self.next_index > 0 && !self.has_board,
            Least::Row => no_row,
            Least::Nothing => no_row && self.rows.has_words(),
        }
    }

    /// The rows, for others to decode.
    pub fn unread(mut self) -> impl Iterator<Item = Unread> {
        std::iter::from_fn(move || self.find())
    }

    /// The next row, not decoded. None at the end.
    fn find(&mut self) -> Option<Unread> {
        if self.ended {
            return None;
        }
        let found = self.step().transpose();
        self.ended = !matches!(found, Some(Ok(_)));
        let (path, how) = (self.path.clone(), self.how.clone());
        let mut row = Unread { found: found?, index: self.next_index.saturating_sub(1), line: self.line, path, how };
        // At the end it must be known whether there was any board.
        if !self.has_board
            && let Ok(found) = row.found
        {
            let read = found.read(row.index, &row.how);
            self.has_board = read.1.is_ok();
            row.found = Ok(Found::Read(read));
        }
        Some(row)
    }

    /// The next row of the open file, or of the next one.
    fn step(&mut self) -> Result<Option<Found>> {
        loop {
            let next = self.rows.find(self.next_index, &self.how);
            match next.map_err(|reason| fault(&self.path, &self.failure, reason))? {
                None if self.advance()? => {}
                None if self.is_nothing() => {
                    let reason = match self.next_index {
                        0 => "it has no board".to_owned(),
                        rows => format!("none of its {rows} rows is a board that can be used"),
                    };
                    return Err(CorpusError::file(&self.path, reason));
                }
                None => return Ok(None),
                Some(found) => {
                    self.next_index += 1;
                    let (Found::Read((line, _)) | Found::Values(line, ..)) = &found;
                    self.line = if self.is_one_file { *line } else { self.next_index };
                    return Ok(Some(found));
                }
            }
        }
    }
}

impl Iterator for Input {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Result<Record>> {
        self.find().map(Unread::read)
    }
}

/// Opens a file, and what reports faults of the system while it is read.
fn open_file(path: &Path, how: &Reading) -> Result<(Box<dyn RowReader>, Failure)> {
    let failure = Failure::default();
    let opened = open_watched(path, how, &failure).map_err(|error| match error {
        CorpusError::File { reason, .. } => fault(path, &failure, reason),
        other => other,
    });
    Ok((opened?, failure))
}

/// Opens a file by its first bytes: see the header. `failure` gets faults of the system.
fn open_watched(path: &Path, how: &Reading, failure: &Failure) -> Result<Box<dyn RowReader>> {
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
            Box::new(FrameRows::open(&file, path, how)?)
        }
        FileKind::Zstd => rows_of_text(path, how, buffered(zstd::Decoder::with_buffer(all).map_err(unreadable)?))?,
        FileKind::Gzip => rows_of_text(path, how, buffered(flate2::bufread::MultiGzDecoder::new(all)))?,
        FileKind::Text => rows_of_text(path, how, Box::new(all))?,
    };
    if how.copy != Copied::Nothing && (how.want != Want::Most || is_whole(&*rows)) {
        let untyped = how.copy == Copied::Typed && regular && kind != FileKind::Parquet && rows.mapping().is_some();
        let again = || open_file(path, &Reading { copy: Copied::Nothing, ..how.clone() })?.0.guessed().map_err(wrong);
        rows.keep_outside(&if untyped { again()? } else { Vec::new() });
    }
    Ok(rows)
}

/// With a buffer.
fn buffered(text: impl Read + Send + 'static) -> Text {
    Box::new(BufReader::with_capacity(1 << 16, text))
}

/// The format of a text, decided by its beginning.
fn rows_of_text(path: &Path, how: &Reading, text: Text) -> Result<Box<dyn RowReader>> {
    let wrong = |reason: String| CorpusError::file(path, reason);
    let (text, head) = encoding::decoded(text);
    if head.contains(&0) {
        return Err(CorpusError::file(path, "the file is neither text nor Parquet, zstd or gzip"));
    }
    let rows_only = matches!(how.want, Want::Everything | Want::Rows);
    match lines_of(&head).next().and_then(<[u8]>::first) {
        Some(b'{') if !rows_only && !is_array_of_c(&head) => return Ok(Box::new(JsonRows::new(text))),
        Some(b'[' | b'i' | b'"') if !rows_only && begins_with_json(&head) => return Ok(Box::new(JsonRows::new(text))),
        Some(b'<') if !rows_only => return Ok(Box::new(GameRows::new(text))),
        _ => {}
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let named_csv = [".csv", ".tsv"].iter().any(|end| name.contains(end));
    let lines = PuzzleReader::with(text, how.shape, how.signs.clone());
    match CsvHeader::of(&head, how) {
        Head::Table(header) => Ok(Box::new(CsvRows::new(lines.into_text(), header))),
        Head::Several(reason) => Err(wrong(reason)),
        Head::Names if !rows_only => Ok(Box::new(TextRows::new(lines.after_names()))),
        Head::Refused(reason) if rows_only || how.column.is_some() || named_csv && !begins_with_board(&head) => {
            Err(wrong(reason))
        }
        _ => Ok(Box::new(TextRows::new(lines))),
    }
}

/// Boards of lines and blocks. Headings are no rows.
struct TextRows {
    items: PuzzleReader<Text>,
    /// True if there was a heading.
    words: bool,
}

impl TextRows {
    fn new(lines: PuzzleReader<Text>) -> TextRows {
        TextRows { items: lines, words: false }
    }
}

impl RowReader for TextRows {
    fn next(&mut self, index: u64, how: &Reading) -> Result<Option<Row>, String> {
        for item in &mut self.items {
            return Ok(Some(match item {
                Item::Heading { .. } => {
                    self.words = true;
                    continue;
                }
                Item::Board(entry) => {
                    let line = entry.line as u64;
                    (line, of_entry(index, entry, how).map_err(|reason| (None, reason)))
                }
                Item::Bad(TextError { problem: TextProblem::Read(reason), .. }) => return Err(damaged(reason)),
                Item::Bad(TextError { line, column, problem }) => {
                    (line as u64, Err((Some(column), problem.to_string())))
                }
            }));
        }
        Ok(None)
    }

    fn has_words(&self) -> bool {
        self.words
    }
}

/// True if the file has every column of this program.
fn is_whole(rows: &dyn RowReader) -> bool {
    rows.mapping().is_some_and(Mapping::is_whole)
}

/// The columns of other programs.
fn outside_of(rows: &dyn RowReader) -> Vec<Outside> {
    rows.mapping().into_iter().flat_map(Mapping::outside).map(|(_, column)| column.clone()).collect()
}

/// The record of a board and its solution.
fn of_entry(index: u64, entry: Entry, how: &Reading) -> Result<Record, String> {
    if entry.candidates.is_some() && !how.positions {
        return Err("a position with candidates, which only `check`, `solve` and `hint` take".to_owned());
    }
    let solution = entry.solution.map(|grid| Solution::try_from(grid).map_err(|error| format!("solution: {error}")));
    let record = of_grid(index, entry.grid)?;
    let solution = solution.transpose()?.or(record.solution.clone());
    match (&record.puzzle, &solution) {
        (Some(puzzle), Some(solution)) if !puzzle.is_part_of(solution) => Err(mapping::NOT_PART.to_owned()),
        _ => Ok(Record { solution, candidates: entry.candidates.map(Vec::into_boxed_slice), ..record }),
    }
}

/// The record of a board: a full grid or a puzzle.
fn of_grid(index: u64, grid: Grid) -> Result<Record, String> {
    if grid.holes() == 0 {
        let solution = Solution::try_from(grid).map_err(|error| error.to_string())?;
        return Ok(Record::of_solution(index, solution));
    }
    let turned = other_boxes(&grid);
    let puzzle = Puzzle::try_from(grid).map_err(|error| format!("{error}{turned}"))?;
    Ok(Record::of_puzzle(index, puzzle))
}

/// A hint for boards that have no conflict if their boxes are the other way round.
fn other_boxes(grid: &Grid) -> String {
    let (shape, turned) = (grid.shape(), grid.shape().transposed());
    let fits = |shape| Grid::new(shape, grid.values().to_vec()).is_ok_and(|grid| grid.conflict().is_none());
    match shape.is_plain() && shape != turned && !fits(shape) && fits(turned) {
        true => format!("; with boxes of {turned} it does not: --shape {turned}"),
        false => String::new(),
    }
}

/// The lines of the beginning of a text that are neither blank nor comments.
fn lines_of(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty() && !line.starts_with(b"#"))
}

/// True for a text that begins with a value of JSON, not with a list of another language or a heading in brackets.
fn begins_with_json(head: &[u8]) -> bool {
    let mut text = lines_of(head).flat_map(|line| line.iter().copied().chain([b' '])).peekable();
    let mut brackets = 0;
    if head.trim_ascii_start().starts_with(b"ipuz") {
        return head.trim_ascii_start().starts_with(b"ipuz(");
    }
    while let Some(byte) = text.next_if(|byte| *byte == b'[' || byte.is_ascii_whitespace()) {
        brackets += usize::from(byte == b'[');
    }
    // The first list inside: one value or several with commas between them.
    let inner: Vec<u8> = text.take_while(|byte| !b"[]{}".contains(byte)).take(1 << 14).collect();
    let inner = String::from_utf8_lossy(&inner);
    let inner = inner.trim().trim_end_matches(',');
    let is_json = serde_json::from_str::<Vec<serde_json::Value>>(&format!("[{inner}]"));
    // Without a bracket only texts are JSON. One list of numbers on the line of its bracket is left to the dialects.
    is_json.is_ok_and(|list| brackets > 0 || list.iter().all(|item| item.is_string()) && !list.is_empty())
        && (brackets != 1
            || !inner.starts_with(|sign: char| sign.is_ascii_digit())
            || lines_of(head).next().is_none_or(|line| line.len() <= 1))
}

/// True for rows of cells between braces, as C has them.
fn is_array_of_c(head: &[u8]) -> bool {
    let mut text = lines_of(head).flatten().skip_while(|byte| **byte == b'{' || byte.is_ascii_whitespace());
    text.next().is_some_and(|byte| byte.is_ascii_digit())
}

/// True if the first thing in a text that may be meant as a board is one.
fn begins_with_board(head: &[u8]) -> bool {
    let first = PuzzleReader::new(head, None).find_map(Item::board);
    first.is_some_and(|first| first.is_ok())
}

/// The message when reading fails in the middle.
fn damaged(error: impl ToString) -> String {
    format!("damaged or cut short: {}", error.to_string())
}

#[cfg(test)]
mod tests;
