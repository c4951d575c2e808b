//! A row that was found in a source, and the record that it is: one way for the rows of all formats. Readers only find
//! rows; any thread can decode them while the source goes on.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::{Copied, Reading};
use crate::corpus::files::frame::RowBatch;
use crate::corpus::values::guess::Guess;
use crate::corpus::values::json::{copied_value, value_of};
use crate::corpus::values::mapping::{self, CopiedColumn, Mapping};
use crate::corpus::values::record::Record;
use crate::corpus::values::value::{ColumnType, Value};
use sudoku_corpus_core::board::text::{self, Entry, TextError};
use sudoku_corpus_core::board::{Grid, Puzzle, Solution};
use sudoku_corpus_core::page::numbers::counted;

/// Rows of a table that are looked at to find the column of the puzzles.
pub(super) const SAMPLE: usize = 20;

/// A row that was found, and its line, from 1.
pub(crate) struct Found {
    pub line: u64,
    pub content: Content,
}

impl Found {
    /// A row at a line, or the reason why there is none.
    pub(super) fn new(line: u64, content: Result<Content, String>) -> Found {
        Found { line, content: content.unwrap_or_else(|reason| Content::Bad(reason.into())) }
    }
}

pub(crate) type Rows = Box<dyn RowReader>;

/// The rows of a file in one of the formats.
pub(crate) trait RowReader: Send {
    /// The next row. None at the end. The error is about the complete file.
    fn next(&mut self) -> Result<Option<Found>, String>;

    /// True if words stood in the file that are no rows. The names of a table are none.
    fn has_words(&self) -> bool {
        false
    }

    /// True if the file carries checksums of this program, which are compared while it is read: its rows are those that
    /// the program wrote.
    fn has_checksums(&self) -> bool {
        false
    }

    /// The columns of the file, if they have names: CSV and Parquet; of JSON, those that are copied.
    fn table(&self) -> Option<&ColumnTable> {
        None
    }

    /// Reads also what another mapping of the columns says.
    fn set_table(&mut self, _table: ColumnTable) {}
}

/// What stands in a row.
#[expect(clippy::large_enum_variant, reason = "a row is not copied")]
pub(crate) enum Content {
    /// A board with what stood beside it.
    Board(Entry),
    Text(String),
    /// The values of a row of a table.
    Values(Values, Arc<ColumnTable>),
    /// A row that was decoded already.
    Record(Record),
    /// Nothing that can be used.
    Bad(BadRow),
}

/// The values of a row as they stand in a file.
pub(crate) enum Values {
    Line {
        text: String,
        delimiter: char,
    },
    Object(Map<String, Json>),
    /// A row of those that were read together.
    Batch {
        rows: Arc<RowBatch>,
        row: usize,
    },
}

/// Why a row cannot be used, and the column of the sign, if it is known.
pub(crate) struct BadRow {
    pub column: Option<usize>,
    pub reason: String,
}

impl<T: Into<String>> From<T> for BadRow {
    fn from(reason: T) -> BadRow {
        BadRow { column: None, reason: reason.into() }
    }
}

/// The columns of a file, and what they mean.
#[derive(Clone)]
pub(crate) struct ColumnTable {
    pub names: Vec<String>,
    /// The types of the columns, if the file says them; None for those that we cannot read.
    pub kinds: Option<Vec<Option<ColumnType>>>,
    pub mapping: Mapping,
    /// Notes about columns that are copied otherwise than they stand in the file, or not at all.
    pub notes: Vec<String>,
}

impl ColumnTable {
    pub(super) fn new(names: Vec<String>, kinds: Option<Vec<Option<ColumnType>>>, mapping: Mapping) -> ColumnTable {
        ColumnTable { names, kinds, mapping, notes: Vec::new() }
    }

    /// Also copies columns of other programs, of the types that the file says, or that were guessed; else as texts.
    /// Columns of types that we cannot read, such as lists and dates, are left out, and a note names them.
    pub(super) fn with_outside(self, copy: Copied, guesses: &[Guess]) -> ColumnTable {
        let is_read = |place: usize| self.mapping.has(place);
        let kind = |place: usize| match &self.kinds {
            Some(kinds) => kinds[place],
            None => Some(guesses.get(place).map_or(ColumnType::Text, |guess| guess.kind())),
        };
        let outside = Mapping::outside_of(&self.names, is_read, |name| copy.has_ours(name), kind);
        let mapping = self.mapping.copying(outside);
        let mut notes = notes_on_copied(mapping.outside(), &self.names, guesses);
        notes.extend(left_out(&self.names, self.kinds.as_deref().unwrap_or_default(), &mapping));
        ColumnTable { notes, mapping, ..self }
    }
}

/// Notes about columns that are copied otherwise than they stand in the file. `guesses` are those of their types; none if
/// they were not guessed.
pub(super) fn notes_on_copied(outside: &[CopiedColumn], names: &[String], guesses: &[Guess]) -> Vec<String> {
    let mut notes = Vec::new();
    for CopiedColumn { place, column } in outside {
        notes.extend(column.note(&names[*place]));
        let reason = guesses.get(*place).and_then(|guess| guess.why_texts());
        notes.extend(reason.map(|reason| reason.note(&names[*place])));
    }
    notes
}

/// A note that names the columns of a file whose types rows cannot have. None if there are none.
pub(super) fn left_out(names: &[String], kinds: &[Option<ColumnType>], mapping: &Mapping) -> Option<String> {
    let mut left_out = Vec::new();
    for (place, (name, kind)) in names.iter().zip(kinds).enumerate() {
        if kind.is_none() && !mapping.has(place) {
            left_out.push(name.as_str());
        }
    }
    if left_out.is_empty() {
        return None;
    }
    let what = "columns of dates, times, lists and other types that rows do not have are left out";
    Some(format!("{what}: {}", mapping::listed(&left_out)))
}

impl Content {
    /// The record of the row with this number.
    pub(super) fn read(self, index: u64, how: &Reading) -> Result<Record, BadRow> {
        let record = match self {
            Content::Board(entry) => record_of(index, entry, how),
            Content::Text(text) => text::parse_entry(&text, how.shape, &how.signs)
                .map_err(|error| error.reason.to_string())
                .and_then(|entry| record_of(index, entry, how)),
            Content::Values(values, table) => values.record(&table, index, how),
            Content::Record(record) => Ok(record),
            Content::Bad(bad) => return Err(bad),
        };
        let record = record.and_then(|record| if how.wrong_solutions { Ok(record) } else { record.without_fault() });
        record.map_err(BadRow::from)
    }
}

impl From<TextError> for Content {
    fn from(error: TextError) -> Content {
        Content::Bad(BadRow { column: Some(error.column), reason: error.reason.to_string() })
    }
}

impl Values {
    fn record(self, table: &ColumnTable, index: u64, how: &Reading) -> Result<Record, String> {
        let (mapping, names) = (&table.mapping, &table.names);
        match self {
            Values::Line { text, delimiter } => {
                let fields = fields(&text, delimiter);
                if fields.len() != names.len() {
                    return Err(format!("{}, but the header has {}", counted(fields.len(), "field"), names.len()));
                }
                mapping.record(index, how.shape, &how.signs, |place| {
                    let field: &str = &fields[place];
                    Ok(if field.is_empty() { Value::Null } else { Value::Text(field.into()) })
                })
            }
            Values::Object(object) => mapping.record(index, how.shape, &how.signs, |place| {
                let name = &names[place];
                let is_copied = mapping.is_rule(place) || mapping.outside().iter().any(|copied| copied.place == place);
                object.get(name).map_or(Ok(Value::Null), |value| match is_copied {
                    true => Ok(copied_value(value)),
                    false => value_of(name, value),
                })
            }),
            Values::Batch { rows, row } => mapping.record(index, how.shape, &how.signs, |column| rows.get(row, column)),
        }
    }
}

/// The record of a board, a full grid or a puzzle, and what stood beside it.
fn record_of(index: u64, entry: Entry, how: &Reading) -> Result<Record, String> {
    if entry.candidates.is_some() && !how.positions {
        return Err("a position with candidates, which only `check`, `solve` and `hint` take".to_owned());
    }
    if entry.grid.holes() == 0 {
        let solution = Solution::try_from(entry.grid).map_err(|error| error.to_string())?;
        return Ok(Record::of_solution(index, solution));
    }
    let advice = other_boxes(&entry.grid);
    let puzzle = Puzzle::try_from(entry.grid).map_err(|error| format!("{error}{advice}"))?;
    let mut record = Record::of_puzzle(index, puzzle);
    record.set_solution(Ok(entry.solution))?;
    record.candidates = entry.candidates.map(Vec::into_boxed_slice);
    Ok(record)
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

/// What a sign of a row of a table is.
#[derive(PartialEq)]
enum RowSign {
    /// It begins or ends quotes, or is the first of two in quotes.
    Quote,
    Delimiter,
    Content,
}

/// Where the reader of a row stands. A quote counts as one at the beginning of a field; then the next one ends it. In
/// quotes, two quotes are one sign. Other quotes, such as that of an inch, are signs as any.
#[derive(Default)]
pub(super) struct QuoteState {
    is_open: bool,
    /// The last sign ended quotes.
    has_ended: bool,
    /// The field has signs.
    has_content: bool,
}

impl QuoteState {
    /// Reads on, and tells whether the text ends in quotes.
    pub(super) fn is_open_after(&mut self, text: &str, delimiter: char) -> bool {
        for sign in text.chars() {
            self.read(sign, delimiter);
        }
        self.is_open
    }

    fn read(&mut self, sign: char, delimiter: char) -> RowSign {
        let is_doubled = std::mem::take(&mut self.has_ended);
        if sign == '"' && (self.is_open || is_doubled || !self.has_content) {
            self.has_ended = self.is_open;
            self.is_open = !self.is_open;
            self.has_content |= is_doubled;
            return if is_doubled { RowSign::Content } else { RowSign::Quote };
        }
        self.has_content = self.is_open || sign != delimiter;
        if self.has_content { RowSign::Content } else { RowSign::Delimiter }
    }
}

/// The fields of a line, without their quotes.
pub(super) fn fields(line: &str, delimiter: char) -> Vec<Cow<'_, str>> {
    if !line.contains('"') {
        return line.split(delimiter).map(Cow::Borrowed).collect();
    }
    let (mut fields, mut field) = (Vec::new(), String::new());
    let mut quotes = QuoteState::default();
    for sign in line.chars() {
        match quotes.read(sign, delimiter) {
            RowSign::Quote => {}
            RowSign::Delimiter => fields.push(Cow::Owned(std::mem::take(&mut field))),
            RowSign::Content => field.push(sign),
        }
    }
    fields.push(Cow::Owned(field));
    fields
}
