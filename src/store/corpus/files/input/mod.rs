//! Reads any source of puzzles, grids or records, one record at a time: a file, a pipe, a corpus.
//!
//! ```text
//!   folder of a corpus -> its checked parts, one after the other
//!   name, or - for the standard input
//!     first bytes:  28 B5 2F FD  zstd -> look inside        "PAR1"  Parquet
//!                   1F 8B        gzip -> look inside        else    text
//!     text:         UTF-8 or UTF-16; lines end with LF, CR LF or CR; the first form of FORMS that takes it
//! ```
//!
//! From there one way leads to a record: a reader only finds rows, and [`rows`] decodes each alone, on any thread.
//! Choices for a file come from the options and from its beginning. A row that cannot be used gives an error with file,
//! line and reason, and reading continues after it. If the file is damaged, it gives an error and reading ends. Memory
//! is bounded by a line or a row group, however long the file is.

mod bytes;
mod csv_rows;
mod forms;
mod frame_rows;
mod json_rows;
mod open;
mod open_sudoku;
mod rows;
mod text_rows;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::{encoding, gzip};
#[cfg(test)]
use forms::FORMS;
pub use forms::forms;
use open::{Opened, open_file};
use rows::{BadRow, Content, Found, RowReader};
use text_rows::TextRows;

use crate::corpus::values::claims::confirmed;
use crate::corpus::values::error::{ARGUMENT, CorpusError, Result, RowError};
use crate::corpus::values::mapping::{Asked, Want};
use crate::corpus::values::outside::Outside;
use crate::corpus::values::record::Record;
use crate::corpus::values::value::Value;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::board::text::Signs;
use sudoku_corpus_core::page::numbers::counted;

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
    /// Puzzles beside which a wrong solution stands are rows, too. Otherwise they are bad rows.
    pub wrong_solutions: bool,
    /// What the source must have. Without it, reading ends with an error.
    pub least: Least,
}

impl Reading {
    fn asked(&self) -> Asked<'_> {
        Asked { want: self.want, column: self.column.as_deref(), shape: self.shape, signs: &self.signs }
    }
}

/// The least that a source must have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Least {
    /// A board that can be used.
    #[default]
    Board,
    /// A row, good or bad: for those who tell each bad row.
    Row,
    /// Nothing; but words without a row are a file of something else. A table with names of columns is complete without
    /// rows.
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
    /// The same, and of the columns of this program those that say how hard a puzzle is.
    TextsAndRatings,
    /// All, with types. A CSV file is read twice; columns of CSV on standard input are texts.
    Typed,
}

impl Copied {
    /// True if a column of this program is copied as if it were of another.
    fn has_ours(self, name: &str) -> bool {
        const RATINGS: &str = "level hodoku_level hodoku_score hardest open_cells search_guesses search_depth search_nodes \
                               se_er_tenths se_ep_tenths se_ed_tenths se_er_canonical_tenths w b te bxb";
        let is_rating = RATINGS.split(' ').any(|rating| rating == name) || name.starts_with("effort_");
        self == Copied::TextsAndRatings && is_rating
    }
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
    /// The open file, whose path is `path`.
    opened: Opened,
    /// The columns of other programs that rows have.
    outside: Vec<Outside>,
    next_index: u64,
    /// The line of the last row, or its number if there are several files.
    line: u64,
    is_one_file: bool,
    has_board: bool,
    /// True after the end, or after an error after which nothing can be read.
    ended: bool,
}

/// A row that was found in a source. Any thread can decode it while the source goes on.
pub struct Unread {
    content: Result<Content>,
    index: u64,
    path: Arc<Path>,
    how: Arc<Reading>,
    /// The line that errors name.
    line: u64,
    /// The number of columns of other programs that every row has.
    outside: usize,
    /// What it says of its puzzle is compared with the puzzle.
    is_doubted: bool,
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
        let Unread { content, index, path, how, line, outside, is_doubted } = self;
        let refused = |bad: BadRow| {
            CorpusError::Row(RowError { file: path.to_path_buf(), line, column: bad.column, reason: bad.reason })
        };
        let mut record = content?.read(index, &how).map_err(refused)?;
        if is_doubted {
            record = confirmed(record).map_err(|reason| refused(reason.into()))?;
        }
        // A board among objects of JSON has no columns.
        let missing = outside.saturating_sub(record.outside.len());
        record.outside.extend(std::iter::repeat_n(Value::Null, missing));
        Ok(record)
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
        let opened = open_file(&path, &how)?;
        if how.want == Want::Most && is_whole(&*opened.rows) {
            // Such rows name their shapes.
            how.shape = None;
        }
        Ok(Input::new(files, &path, how, opened))
    }

    /// A board that is not in a file, for example on the command line.
    pub fn of_puzzle(text: &str, how: impl Into<Reading>) -> Input {
        let how = how.into();
        let opened = Opened::of_text(text, &how);
        Input::new(Vec::new().into_iter(), Path::new(ARGUMENT), how, opened)
    }

    fn new(files: std::vec::IntoIter<PathBuf>, path: &Path, how: Reading, opened: Opened) -> Input {
        Input {
            is_one_file: files.len() == 0,
            files,
            path: path.into(),
            how: how.into(),
            outside: outside_of(&*opened.rows),
            opened,
            next_index: 0,
            line: 0,
            has_board: false,
            ended: false,
        }
    }

    /// The columns that are copied, in the order of the values in [`Record::outside`].
    pub fn outside(&self) -> Vec<Outside> {
        self.outside.clone()
    }

    /// Notes about columns that are copied otherwise than they stand in the file, or not at all.
    pub fn notes(&self) -> &[String] {
        self.opened.rows.table().map_or(&[], |table| &table.notes)
    }

    /// True if its rows are read as rows of this program: with all columns, or with those that the file has.
    pub fn is_whole(&self) -> bool {
        is_whole(&*self.opened.rows)
    }

    /// Opens the next file. False after the last one.
    fn advance(&mut self) -> Result<bool> {
        let Some(path) = self.files.next() else { return Ok(false) };
        self.path = path.into();
        self.opened = open_file(&self.path, &self.how)?;
        if outside_of(&*self.opened.rows) != self.outside {
            return Err(CorpusError::file(&self.path, "its columns differ from those of the first part"));
        }
        Ok(true)
    }

    /// True if the source did not have what it must have.
    fn is_nothing(&self) -> bool {
        let no_row = self.next_index == 0;
        match self.how.least {
            Least::Board => !self.has_board,
            Least::Row => no_row,
            Least::Nothing => no_row && self.opened.rows.has_words(),
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
        let content = self.step().transpose();
        self.ended = !matches!(content, Some(Ok(_)));
        let (index, path, how) = (self.next_index.saturating_sub(1), self.path.clone(), self.how.clone());
        let mut content = content?;
        // At the end it must be known whether there was any board.
        if !self.has_board
            && let Ok(unread) = content
        {
            let read = unread.read(index, &how);
            self.has_board = read.is_ok();
            content = Ok(read.map_or_else(Content::Bad, Content::Record));
        }
        let is_doubted = how.want == Want::Most && self.is_whole() && !self.opened.are_own;
        Some(Unread { content, index, line: self.line, path, how, outside: self.outside.len(), is_doubted })
    }

    /// The next row of the open file, or of the next one.
    fn step(&mut self) -> Result<Option<Content>> {
        loop {
            match self.opened.next(&self.path)? {
                None if self.advance()? => {}
                None if self.is_nothing() => {
                    let reason = match self.next_index {
                        0 => "it has no board; `guide inputs` shows what is read".to_owned(),
                        rows => format!("it has {}, and no board that can be used", counted(rows, "row")),
                    };
                    return Err(CorpusError::file(&self.path, reason));
                }
                None => return Ok(None),
                Some(Found { line, content }) => {
                    self.next_index += 1;
                    self.line = if self.is_one_file { line } else { self.next_index };
                    return Ok(Some(content));
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

/// True if the file has every column of this program.
fn is_whole(rows: &dyn RowReader) -> bool {
    rows.table().is_some_and(|table| table.mapping.is_whole())
}

/// The columns of other programs.
fn outside_of(rows: &dyn RowReader) -> Vec<Outside> {
    let outside = rows.table().into_iter().flat_map(|table| table.mapping.outside());
    outside.map(|copied| copied.column.clone()).collect()
}

#[cfg(test)]
mod tests;
