//! Rows of a CSV text. The delimiter is a comma, a semicolon or a tab. A line that begins with `#` is a comment. Quotes
//! work as usual.
//!
//! Every line is a row: a line break inside quotes ends the row. So a stray quote spoils one line and not the rest of
//! the file.

use std::io::BufRead;

use super::lines::Lines;
use super::{Row, RowReader, damaged};
use crate::corpus::values::guess::Guess;
use crate::corpus::values::mapping::{Mapping, Want};
use crate::corpus::values::record::Record;
use crate::corpus::values::value::{ColumnType, Value};
use sudoku_corpus_core::board::Shape;

pub(super) struct CsvHeader {
    delimiter: u8,
    mapping: Mapping,
    names: Vec<String>,
}

pub(super) struct CsvRows<R> {
    lines: Lines<R>,
    header: CsvHeader,
    header_read: bool,
}

impl<R: BufRead> CsvRows<R> {
    /// Reads the names of columns in the first line that is neither blank nor a comment, which is the last line of
    /// `head`. An error if it has names, but no name of a column of boards; None if it has no names at all.
    pub(super) fn header(head: &[u8], want: Want) -> Option<Result<CsvHeader, String>> {
        let text = std::str::from_utf8(head).ok()?;
        let line = text.lines().last()?.trim_start_matches('\u{feff}');
        let is_name = |name: &String| {
            let name = name.trim();
            name.len() < 40 && name.starts_with(|c: char| c.is_ascii_alphabetic())
        };
        let mut refused = None;
        for delimiter in [b',', b';', b'\t'] {
            let names = fields(line.as_bytes(), delimiter);
            match Mapping::new(&names, want) {
                Ok(mapping) => return Some(Ok(CsvHeader { delimiter, mapping, names })),
                Err(reason) if names.iter().any(is_name) => refused = refused.or(Some(reason)),
                Err(_) => {}
            }
        }
        refused.map(Err)
    }

    /// The rows after a header. `input` begins where the text begins.
    pub(super) fn new(input: R, header: CsvHeader) -> CsvRows<R> {
        CsvRows { lines: Lines::new(input), header, header_read: false }
    }
}

impl<R: BufRead + Send> RowReader for CsvRows<R> {
    fn next(&mut self, index: u64, shape: Option<Shape>) -> Result<Option<Row>, String> {
        if !std::mem::replace(&mut self.header_read, true) {
            self.lines.next().map_err(damaged)?;
        }
        let Some((number, line)) = self.lines.next().map_err(damaged)? else { return Ok(None) };
        let row = line.and_then(|line| self.header.row(line, index, shape));
        Ok(Some(row.map_err(|reason| (number, None, reason))))
    }

    fn mapping(&self) -> Option<&Mapping> {
        Some(&self.header.mapping)
    }

    /// Copies columns of unknown types as texts.
    fn keep_outside(&mut self, kinds: &[ColumnType]) {
        let kind = |place: usize| Some(kinds.get(place).copied().unwrap_or(ColumnType::Text));
        self.header.mapping = self.header.mapping.clone().with_outside(&self.header.names, kind);
    }

    /// The types of all columns, from all lines that have as many fields as the header.
    fn guessed(mut self: Box<Self>) -> Result<Vec<ColumnType>, String> {
        let mut guesses = vec![Guess::default(); self.header.names.len()];
        self.lines.next().map_err(damaged)?;
        while let Some((_, line)) = self.lines.next().map_err(damaged)? {
            let fields = line.map_or(Vec::new(), |line| fields(line, self.header.delimiter));
            if fields.len() == guesses.len() {
                guesses.iter_mut().zip(&fields).for_each(|(guess, field)| guess.see(field));
            }
        }
        Ok(guesses.into_iter().map(Guess::kind).collect())
    }
}

impl CsvHeader {
    fn row(&self, line: &[u8], index: u64, shape: Option<Shape>) -> Result<Record, String> {
        if std::str::from_utf8(line).is_err() {
            return Err("not a line of text".to_owned());
        }
        let fields = fields(line, self.delimiter);
        if fields.len() != self.names.len() {
            return Err(format!("{} fields, but the header has {}", fields.len(), self.names.len()));
        }
        self.mapping.record(index, shape, |place| {
            Ok(if fields[place].is_empty() { Value::Null } else { Value::Text(fields[place].as_str().into()) })
        })
    }
}

fn fields(line: &[u8], delimiter: u8) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .buffer_capacity(line.len() + 16)
        .from_reader(line);
    let mut record = csv::ByteRecord::new();
    match reader.read_byte_record(&mut record) {
        Ok(true) => record.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect(),
        _ => Vec::new(),
    }
}
