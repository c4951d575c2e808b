//! Reads rows of a table: CSV with commas, semicolons, tabs or bars. Outside of quotes, a line that begins with `#` is
//! a comment, unless it has as many fields as the names. Quotes work as usual.
//!
//! Which column has the puzzles is told by [`Mapping::of_table`]. A row with line ends in quotes takes at most
//! [`MOST_LINES`] more lines. So a stray quote spoils one line and not the rest of the file.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::Arc;

use super::Reading;
use super::encoding::damaged;
use super::encoding::{Head, Numbered, has_content, next_line};
use super::rows::{ColumnTable, Content, Found, RowReader, Rows, Values, fields};
use crate::corpus::values::guess::Guess;
use crate::corpus::values::mapping::{Mapping, NoMapping};
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::board::text::{Lines, Signs, is_comment};

/// The rows of a table.
pub(super) struct CsvRows<R> {
    rows: JoinedLines<R>,
    delimiter: char,
    table: Arc<ColumnTable>,
}

/// How many lines after its first one a row with line ends in quotes may take, and at how many bytes it takes no more.
const MOST_LINES: usize = 2 * Shape::MAX_SOLVABLE_ORDER;
const MOST_BYTES: usize = 1 << 16;

/// Rows of a table that are looked at to find the column of the puzzles.
const SAMPLE: usize = 20;

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
        let mut lines = JoinedLines::new(head.whole_lines());
        let mut lines = std::iter::from_fn(|| lines.next().ok().flatten()?.1.ok());
        let names = lines.next().unwrap_or_default();
        let lines: Vec<String> = lines.take(SAMPLE).collect();
        let mut refused = None;
        for delimiter in [',', ';', '\t', '|'] {
            let names = owned_fields(&names, delimiter);
            let named = names.iter().filter(|name| is_name(name)).count();
            if 2 * named < names.len() {
                continue;
            }
            let mut rows: Vec<Vec<String>> = lines.iter().map(|line| owned_fields(line, delimiter)).collect();
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
        Err(refused.unwrap_or_else(|| NoMapping::NoBoards("its first line has no names of columns".to_owned())))
    }
}

/// True if a text can be the name of a column.
fn is_name(text: &str) -> bool {
    let name = text.trim();
    name.len() < 40 && name.starts_with(|sign: char| sign.is_alphabetic() || sign == '_')
}

impl<R: BufRead> CsvRows<R> {
    /// The rows after a header. `input` begins where the text begins.
    ///
    /// # Errors
    /// The text cannot be read.
    pub(super) fn new(input: R, header: CsvHeader) -> Result<CsvRows<R>, String> {
        let mut rows = JoinedLines::new(input);
        rows.next()?;
        rows.columns = Some(Columns { delimiter: header.delimiter, count: header.table.names.len() });
        Ok(CsvRows { rows, delimiter: header.delimiter, table: header.table.into() })
    }
}

/// The columns of a table.
struct Columns {
    delimiter: char,
    count: usize,
}

/// The rows of a table as texts: a line, or several if a cell in quotes has line ends. Blank lines and comments outside
/// of quotes are none.
struct JoinedLines<R> {
    lines: Lines<R>,
    /// The columns; None before the names.
    columns: Option<Columns>,
    /// Lines that were read too early.
    waiting: VecDeque<Numbered<String>>,
}

impl<R: BufRead> JoinedLines<R> {
    fn new(input: R) -> JoinedLines<R> {
        JoinedLines { lines: Lines::new(input), columns: None, waiting: VecDeque::new() }
    }

    /// True for a line that is no row: blank, or a comment. Behind the names, a line with a field for each column is none.
    fn is_nothing(&self, line: &str) -> bool {
        if has_content(line.as_bytes()) {
            return false;
        }
        match &self.columns {
            None => true,
            Some(_) if line.trim().is_empty() => true,
            Some(columns) if columns.count == 1 => is_comment(line, None, &Signs::default()),
            Some(columns) => fields(line, columns.delimiter).len() != columns.count,
        }
    }

    /// The next line, those that wait first.
    fn line(&mut self, in_quotes: bool) -> Result<Option<Numbered<String>>, String> {
        loop {
            let line = match self.waiting.pop_front() {
                None => next_line(&mut self.lines).map_err(damaged)?,
                line => line,
            };
            match &line {
                Some((_, Ok(text))) if !in_quotes && self.is_nothing(text) => {}
                _ => return Ok(line),
            }
        }
    }

    /// The next row.
    fn next(&mut self) -> Result<Option<Numbered<String>>, String> {
        let Some((number, line)) = self.line(false)? else { return Ok(None) };
        let Ok(mut line) = line else { return Ok(Some((number, line))) };
        let mut taken = VecDeque::new();
        while is_open(&line) {
            let next = if taken.len() < MOST_LINES && line.len() < MOST_BYTES { self.line(true)? } else { None };
            let Some(next) = next else {
                taken.append(&mut self.waiting);
                self.waiting = taken;
                let reason = format!("a field in quotes has no end within {MOST_LINES} lines");
                return Ok(Some((number, Err(reason))));
            };
            if let Ok(text) = &next.1 {
                line.push('\n');
                line.push_str(text);
            }
            taken.push_back(next);
        }
        Ok(Some((number, Ok(line))))
    }
}

/// True if a line ends inside quotes.
fn is_open(line: &str) -> bool {
    line.bytes().filter(|byte| *byte == b'"').count() % 2 == 1
}

impl<R: BufRead + Send> RowReader for CsvRows<R> {
    fn next(&mut self) -> Result<Option<Found>, String> {
        let Some((number, line)) = self.rows.next()? else { return Ok(None) };
        let values = line.map(|line| Content::Values(Values::Line(line, self.delimiter), self.table.clone()));
        Ok(Some(Found::new(number, values)))
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
        let Content::Values(Values::Line(line, delimiter), _) = row.content else { continue };
        let fields = fields(&line, delimiter);
        if fields.len() == columns {
            guesses.iter_mut().zip(&fields).for_each(|(guess, field)| guess.see(field));
        }
    }
    Ok(guesses)
}

fn owned_fields(line: &str, delimiter: char) -> Vec<String> {
    fields(line, delimiter).into_iter().map(Cow::into_owned).collect()
}
