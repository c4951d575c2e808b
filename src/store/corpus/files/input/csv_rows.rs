//! Reads rows of a table: CSV with commas, semicolons, tabs or bars. Outside of quotes, a line that begins with `#` is
//! a comment, unless it has as many fields as the names. What a quote is, [`QuoteState`] says.
//!
//! Which column has the puzzles is told by [`Mapping::of_table`]. A row with line ends in quotes takes at most
//! [`MOST_LINES`] more lines. So a stray quote spoils one line and not the rest of the file.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::Arc;

use super::Reading;
use super::encoding::{Head, Numbered, Text, damaged, has_content, next_line};
use super::rows::{ColumnTable, Content, Found, QuoteState, RowReader, Rows, SAMPLE, Values, fields};
use crate::corpus::values::guess::Guess;
use crate::corpus::values::mapping::{Mapping, NoMapping};
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::board::text::{Lines, PuzzleReader, Signs, is_comment};

pub(super) struct CsvRows {
    rows: JoinedLines<Text>,
    table: Arc<ColumnTable>,
}

/// How many lines after its first one a row with line ends in quotes may take, and at how many bytes it takes no more.
const MOST_LINES: usize = 2 * Shape::MAX_SOLVABLE_ORDER;
const MOST_BYTES: usize = 1 << 16;

/// The cells of a 4x4 board.
const SMALLEST_BOARD: usize = 16;

/// What the beginning of a table says: the delimiter, the names, and which of our columns they are.
pub(super) struct CsvHeader {
    delimiter: char,
    table: ColumnTable,
}

impl CsvHeader {
    /// Reads the names of columns in the first row of a text, which `head` begins.
    ///
    /// # Errors
    /// No column is the one of the puzzles. The text may be no table.
    pub(super) fn of(head: &Head<'_>, how: &Reading) -> Result<CsvHeader, NoMapping> {
        let mut refused = None;
        for delimiter in [',', ';', '\t', '|'] {
            let mut joined_lines = JoinedLines::new(head.whole_lines(), delimiter);
            let mut first_rows = std::iter::from_fn(|| joined_lines.next().ok().flatten()?.content.ok());
            let names = owned_fields(&first_rows.next().unwrap_or_default(), delimiter);
            let named = names.iter().filter(|name| is_name(name)).count();
            // A row with a board is no row of names: its puzzle would be lost.
            let has_board = names.iter().any(|name| is_meant_as_board(name, &how.signs));
            if has_board || 2 * named < names.len() {
                continue;
            }
            let mut rows: Vec<Vec<String>> =
                first_rows.take(SAMPLE).map(|line| owned_fields(&line, delimiter)).collect();
            // What the columns hold says nothing under a title, or if most rows have more or fewer fields.
            if names.len() == 1 || 2 * rows.iter().filter(|row| row.len() == names.len()).count() < rows.len() {
                rows.clear();
            }
            match Mapping::of_table(&names, None, &how.asked(), || rows) {
                Ok(mapping) => return Ok(CsvHeader { delimiter, table: ColumnTable::new(names, None, mapping) }),
                // Another delimiter may be right.
                Err(reason) => match (&refused, names.len()) {
                    (None, _) | (Some(NoMapping::NoBoards(_)), 2..) => refused = Some(reason),
                    _ => {}
                },
            }
        }
        let first_line = JoinedLines::new(head.whole_lines(), ',').next().ok().flatten();
        let unread = first_line.and_then(|line| line.content.err()).map(|reason| format!("its first line: {reason}"));
        let reason = unread.unwrap_or_else(|| "its first line has no names of columns".to_owned());
        Err(refused.unwrap_or(NoMapping::NoBoards(reason)))
    }
}

/// True if a field is a board, or one with a mistake. Shorter fields are no boards, and neither are long words.
fn is_meant_as_board(field: &str, signs: &Signs) -> bool {
    let count = field.trim().chars().count();
    // x stands for an empty cell.
    let letters = field.chars().filter(|sign| sign.is_alphabetic() && !sign.eq_ignore_ascii_case(&'x')).count();
    if count < SMALLEST_BOARD || 2 * letters > count {
        return false;
    }
    PuzzleReader::with(field.as_bytes(), None, signs.clone()).any(|item| item.board().is_some())
}

/// True if a text can be the name of a column.
fn is_name(text: &str) -> bool {
    let name = text.trim();
    name.len() < 40 && name.starts_with(|sign: char| sign.is_alphabetic() || sign == '_')
}

impl CsvRows {
    /// The rows after the header of a text.
    pub(super) fn new(text: Text, header: CsvHeader) -> Result<CsvRows, String> {
        let mut rows = JoinedLines::new(text, header.delimiter);
        rows.next()?;
        rows.columns = Some(header.table.names.len());
        Ok(CsvRows { rows, table: header.table.into() })
    }
}

/// The rows of a table as texts: a line, or several if a cell in quotes has line ends. Blank lines and comments outside
/// of quotes are none.
struct JoinedLines<R> {
    lines: Lines<R>,
    delimiter: char,
    /// The number of columns; None before the names.
    columns: Option<usize>,
    /// Lines that were read as a part of a row that has no end: each is a row again.
    pushed_back: VecDeque<Numbered<String>>,
}

impl<R: BufRead> JoinedLines<R> {
    fn new(input: R, delimiter: char) -> JoinedLines<R> {
        JoinedLines { lines: Lines::new(input), delimiter, columns: None, pushed_back: VecDeque::new() }
    }

    /// True for a line that is no row: blank, or a comment. Behind the names, a line with a field for each column is none.
    fn is_nothing(&self, line: &str) -> bool {
        if has_content(line.as_bytes()) {
            return false;
        }
        match self.columns {
            None => true,
            Some(_) if line.trim().is_empty() => true,
            Some(1) => is_comment(line),
            Some(columns) => fields(line, self.delimiter).len() != columns,
        }
    }

    /// The next line, first those that were pushed back.
    fn next_line(&mut self, in_quotes: bool) -> Result<Option<Numbered<String>>, String> {
        loop {
            let line = match self.pushed_back.pop_front() {
                None => next_line(&mut self.lines).map_err(damaged)?,
                line => line,
            };
            match &line {
                Some(Numbered { content: Ok(text), .. }) if !in_quotes && self.is_nothing(text) => {}
                _ => return Ok(line),
            }
        }
    }

    /// The next row. If one of its lines is damaged, the row is bad at that line.
    fn next(&mut self) -> Result<Option<Numbered<String>>, String> {
        let Some(Numbered { line, content }) = self.next_line(false)? else { return Ok(None) };
        let mut row = match content {
            Ok(text) if text.contains('"') => text,
            content => return Ok(Some(Numbered { line, content })),
        };
        let mut quotes = QuoteState::default();
        let mut is_open = quotes.is_open_after(&row, self.delimiter);
        let mut more_lines: VecDeque<Numbered<String>> = VecDeque::new();
        while is_open {
            let (next_line, reason) = if more_lines.len() == MOST_LINES {
                (None, format!("a field in quotes has no end within {MOST_LINES} lines"))
            } else if row.len() >= MOST_BYTES {
                (None, format!("a field in quotes has no end within {MOST_BYTES} bytes"))
            } else {
                (self.next_line(true)?, "a field in quotes has no end before that of the file".to_owned())
            };
            let Some(next_line) = next_line else {
                more_lines.append(&mut self.pushed_back);
                self.pushed_back = more_lines;
                return Ok(Some(Numbered { line, content: Err(reason) }));
            };
            if let Ok(text) = &next_line.content {
                row.push('\n');
                row.push_str(text);
                is_open = quotes.is_open_after(text, self.delimiter);
            }
            more_lines.push_back(next_line);
        }
        let damaged_line = more_lines.into_iter().find(|line| line.content.is_err());
        Ok(Some(damaged_line.unwrap_or(Numbered { line, content: Ok(row) })))
    }
}

impl RowReader for CsvRows {
    fn next(&mut self) -> Result<Option<Found>, String> {
        let Some(row) = self.rows.next()? else { return Ok(None) };
        let delimiter = self.rows.delimiter;
        let values = row.content.map(|text| Content::Values(Values::Line { text, delimiter }, self.table.clone()));
        Ok(Some(Found::new(row.line, values)))
    }

    fn table(&self) -> Option<&ColumnTable> {
        Some(&self.table)
    }

    fn set_table(&mut self, table: ColumnTable) {
        self.table = table.into();
    }
}

/// The types of all columns, from all rows of a table that have a field for each.
pub(super) fn guesses(mut rows: Rows, columns: usize) -> Result<Vec<Guess>, String> {
    let mut guesses = vec![Guess::default(); columns];
    while let Some(row) = rows.next()? {
        let Content::Values(Values::Line { text, delimiter }, _) = row.content else { continue };
        let fields = fields(&text, delimiter);
        if fields.len() == columns {
            guesses.iter_mut().zip(&fields).for_each(|(guess, field)| guess.see(field));
        }
    }
    Ok(guesses)
}

fn owned_fields(line: &str, delimiter: char) -> Vec<String> {
    fields(line, delimiter).into_iter().map(Cow::into_owned).collect()
}
