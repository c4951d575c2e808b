//! Reads rows of JSON.
//!
//! ```text
//!   a value in each line    if the first line is one: then a line that is none spoils no other
//!   values on any lines     one after the other, or in one list. What is cut or has a wrong comma is a damaged file
//!
//!   an object    a row: the names say which value is the puzzle. Objects of f-puzzles, SudokuPad, ipuz: their board
//!   a list       cells, rows of cells, rows as texts: a board
//!   a text       a board
//! ```

use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead as _, Seek as _};
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::encoding::{Head, Numbered, Text, buffered, damaged, has_content, next_line};
use super::rows::{ColumnTable, Content, Found, RowReader, Rows, Values, notes_on_copied};
use super::{Copied, Reading};
use crate::corpus::values::error::in_words;
use crate::corpus::values::guess::Guess;
use crate::corpus::values::json::{holds_objects, objects_inside, rule_inside, value_of};
use crate::corpus::values::mapping::{self, CopiedColumn, Mapping, NoMapping, Want};
use crate::corpus::values::value::{ColumnType, Value};
use sudoku_corpus_core::board::text::{Lines, board_text, of_object};

pub(super) struct JsonRows {
    source: Source,
    how: Reading,
    /// The names of the last object whose names say what it holds. Most objects have the same names.
    known: Option<KnownNames>,
    copied: Option<ColumnTable>,
    /// Why the text ends too early.
    cut: Option<String>,
}

/// The names of an object, and what they mean.
struct KnownNames {
    /// The number of names of the object. Those of copied columns that it lacks follow in the table.
    count: usize,
    table: Arc<ColumnTable>,
}

enum Source {
    Lines(Lines<Text>),
    Values(ValueReader),
}

/// The longest value in bytes.
const LONGEST: usize = 1 << 23;

impl JsonRows {
    /// The rows of a text; `head` begins it.
    pub(super) fn new(text: Text, head: &Head<'_>, how: &Reading) -> JsonRows {
        let first = first_line(head.content());
        let source = match !begins_list(first) && serde_json::from_slice::<Json>(first).is_ok() {
            true => Source::Lines(Lines::new(text)),
            false => {
                let state = if begins_list(head.bytes) { ListState::BeforeList } else { ListState::NoList };
                Source::Values(ValueReader { text, line: 1, state })
            }
        };
        JsonRows { source, how: how.clone(), known: None, copied: None, cut: None }
    }

    fn content(&mut self, value: Json) -> Result<Content, String> {
        let Json::Object(object) = value else {
            return match self.how.column {
                None => board_text(&value).map(Content::Text).map_err(|reason| reason.to_string()),
                Some(_) => Err("a board without a name; leave out --column".to_owned()),
            };
        };
        match of_object(&object, self.how.shape, &self.how.signs) {
            None => {
                let table = self.table(&object)?;
                let puzzle = table.mapping.puzzle().and_then(|place| object.get_key_value(&table.names[place]));
                match puzzle.filter(|(_, puzzle)| holds_objects(puzzle) && board_text(puzzle).is_err()) {
                    Some((name, _)) => Err(self.objects_inside(name, &object)),
                    None => match rule_inside(&object).filter(|_| self.how.shape.is_none()) {
                        Some(rule) => Err(mapping::lost(&rule)),
                        None => Ok(Content::Values(Values::Object(object), table)),
                    },
                }
            }
            // ipuz has a key for its board.
            Some(_) if self.how.column.as_ref().is_some_and(|column| !is_board_of(&object, column)) => {
                Err("a puzzle of f-puzzles, SudokuPad or ipuz; leave out --column".to_owned())
            }
            Some(entry) => entry.map(Content::Board).map_err(|reason| reason.to_string()),
        }
    }

    /// The meaning of the names of an object.
    fn table(&mut self, object: &Map<String, Json>) -> Result<Arc<ColumnTable>, String> {
        if let Some(KnownNames { count, table }) = &self.known
            && table.names[..*count].iter().eq(object.keys())
        {
            return Ok(table.clone());
        }
        let mut names: Vec<String> = object.keys().cloned().collect();
        let mut by_name = true;
        let mapping = Mapping::of_table(&names, None, &self.how.asked(), || {
            by_name = false;
            vec![object.iter().map(|(name, value)| sample_text(name, value)).collect()]
        });
        let has_puzzle = match &mapping {
            Ok(mapping) => mapping.puzzle().is_some(),
            Err(reason) => matches!(reason, NoMapping::Refused(_)),
        };
        if !has_puzzle && let Some((name, _)) = object.iter().find(|(_, value)| holds_objects(value)) {
            return Err(self.objects_inside(name, object));
        }
        let mapping = mapping.map_err(NoMapping::reason)?;
        let mapping = mapping.copying(self.copied_in_object(&mut names));
        let table = Arc::new(ColumnTable::new(names, None, mapping));
        // If only its values say what they mean, this says nothing about other objects.
        self.known = if by_name { Some(KnownNames { count: object.len(), table: table.clone() }) } else { None };
        Ok(table)
    }

    /// The message about objects in a column where a board should be.
    fn objects_inside(&self, name: &str, object: &Map<String, Json>) -> String {
        let is_list = matches!(&self.source, Source::Values(values) if values.state != ListState::NoList);
        objects_inside(name, object, is_list, &self.how.asked())
    }

    /// The columns that are copied, with their places among the names of an object. Those that it lacks are added.
    fn copied_in_object(&self, names: &mut Vec<String>) -> Vec<CopiedColumn> {
        let Some(table) = &self.copied else { return Vec::new() };
        let places: HashMap<String, usize> = names.iter().cloned().zip(0..).collect();
        let mut copied = Vec::new();
        for CopiedColumn { place, column } in table.mapping.outside() {
            let name = &table.names[*place];
            let place = places.get(name).copied().unwrap_or(names.len());
            if place == names.len() {
                names.push(name.clone());
            }
            copied.push(CopiedColumn { place, column: column.clone() });
        }
        copied
    }
}

/// A value as a text, from which the meaning of its name is guessed. Empty for values that say nothing.
fn sample_text(name: &str, value: &Json) -> String {
    match value_of(name, value) {
        Ok(Value::Text(text)) => text.into_owned(),
        // It may say how many solutions there are.
        Ok(Value::Unsigned(number @ ..1_000_000)) => number.to_string(),
        _ => String::new(),
    }
}

/// Opens a text of JSON. If columns are copied, all objects are read twice, because each may have other names: the text
/// is kept in a temporary file meanwhile.
///
/// # Errors
/// There is no room for the file.
pub(super) fn json_rows(mut text: Text, head: &Head<'_>, how: &Reading) -> Result<Rows, String> {
    if how.copy == Copied::Nothing || how.want == Want::Most {
        return Ok(Box::new(JsonRows::new(text, head, how)));
    }
    let refused = |error: io::Error| format!("a temporary file for it: {}", in_words(&error));
    let mut file = tempfile::tempfile().map_err(refused)?;
    let cut = io::copy(&mut text, &mut file).err().map(|error| in_words(&error));
    file.rewind().map_err(refused)?;
    let again = file.try_clone().map_err(refused)?;
    let copied = copied_columns(JsonRows::new(buffered(again), head, how), how);
    file.rewind().map_err(refused)?;
    let rows = JsonRows::new(buffered(file), head, how);
    Ok(Box::new(JsonRows { copied: Some(copied), cut, ..rows }))
}

/// The most names of columns that are copied.
const MOST_NAMES: usize = 1_000;

/// The columns that no object names as its boards, with their types.
fn copied_columns(mut rows: JsonRows, how: &Reading) -> ColumnTable {
    let mut columns = NamesOfObjects::default();
    // What is wrong is told when the rows are read again.
    while let Ok(Some(found)) = rows.next() {
        if let Content::Values(Values::Object(object), table) = found.content {
            columns.add(&object, &table);
        }
    }
    columns.copied(how)
}

/// The names in all objects, and what their values can be.
#[derive(Default)]
struct NamesOfObjects {
    /// In the order in which they first occur; at most [`MOST_NAMES`].
    names: Vec<String>,
    /// The place of each name.
    places: HashMap<String, usize>,
    /// The possible types of the values of each name.
    guesses: Vec<Guess>,
    /// Names that are read as columns of this program in some object.
    read: HashSet<String>,
    is_full: bool,
}

impl NamesOfObjects {
    /// Adds the names of an object, whose meaning `table` says.
    fn add(&mut self, object: &Map<String, Json>, table: &ColumnTable) {
        for place in table.mapping.places() {
            let name = &table.names[place];
            if !self.read.contains(name) {
                self.read.insert(name.clone());
            }
        }
        for (name, value) in object {
            let place = match self.places.get(name) {
                Some(&place) => place,
                None if self.names.len() == MOST_NAMES => {
                    self.is_full = true;
                    continue;
                }
                None => {
                    self.places.insert(name.clone(), self.names.len());
                    self.names.push(name.clone());
                    self.guesses.push(Guess::default());
                    self.names.len() - 1
                }
            };
            see(&mut self.guesses[place], value);
        }
    }

    /// The columns that are copied: all but those that are read.
    fn copied(self, how: &Reading) -> ColumnTable {
        let NamesOfObjects { names, guesses, read, is_full, .. } = self;
        let is_typed = how.copy == Copied::Typed;
        let kind_of = |guess: &Guess| if is_typed { guess.kind() } else { ColumnType::Text };
        let kinds: Vec<Option<ColumnType>> = guesses.iter().map(|guess| Some(kind_of(guess))).collect();
        let outside = Mapping::outside_of(
            &names,
            |place| read.contains(&names[place]),
            |name| how.copy.has_ours(name),
            |place| kinds[place],
        );
        let mut notes = notes_on_copied(&outside, &names, if is_typed { &guesses } else { &[] });
        if is_full {
            notes.push(format!("of more than {MOST_NAMES} names of columns, only these are copied"));
        }
        let mapping = Mapping::of_boards(how.want, None, None).copying(outside);
        ColumnTable { names, kinds: Some(kinds), mapping, notes }
    }
}

/// Takes a value into account. Texts stay texts, and so do lists and objects.
fn see(guess: &mut Guess, value: &Json) {
    match value {
        Json::Null => {}
        Json::String(text) => guess.see_text(text),
        Json::Bool(_) | Json::Number(_) => guess.see(&value.to_string()),
        Json::Array(_) | Json::Object(_) => guess.see_text("{}"),
    }
}

/// True for a text that begins with an object or a list of JSON. Cells in braces, and lists of cells that are rows, are
/// those of other languages: a text.
pub(super) fn begins_with_json(head: &Head<'_>) -> bool {
    let text = head.content().trim_ascii_start();
    if !matches!(text, [b'{' | b'[', ..]) {
        return text.starts_with(b"ipuz(");
    }
    let is_open = first_line(text) == b"[";
    match serde_json::Deserializer::from_slice(text).into_iter::<Json>().next() {
        Some(Ok(Json::Array(list))) => is_open || !list.iter().all(|cell| cell.is_number() || cell.is_null()),
        Some(Ok(_)) | None => true,
        // A value that is longer than the head, or one with a fault.
        Some(Err(error)) => {
            let first = text.iter().find(|byte| !b"[{".contains(byte) && !byte.is_ascii_whitespace());
            error.is_eof() || matches!(first, None | Some(b'"' | b'}' | b']'))
        }
    }
}

/// True if a column that was asked for is the board of an object of ipuz.
fn is_board_of(object: &Map<String, Json>, column: &str) -> bool {
    column.trim().eq_ignore_ascii_case("puzzle") && object.contains_key("puzzle")
}

fn first_line(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii()
}

/// True for a list of values that are not one board together: objects, boards as lists or as texts, or nothing at all.
/// The first value that is not an empty cell of a board decides.
fn begins_list(head: &[u8]) -> bool {
    let Some(mut rest) = head.trim_ascii_start().strip_prefix(b"[") else { return false };
    let mut is_first = true;
    loop {
        rest = rest.trim_ascii_start();
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<Json>();
        let value = values.next();
        match value {
            Some(Ok(cell)) if cell.is_null() || cell.as_object().is_some_and(Map::is_empty) => {
                let behind = rest[values.byte_offset()..].trim_ascii_start();
                let Some(behind) = behind.strip_prefix(b",") else { return false };
                (rest, is_first) = (behind, false);
            }
            // Behind empty cells, an object with a digit is a cell.
            Some(Ok(cell @ Json::Object(_))) => return is_first || board_text(&Json::Array(vec![cell])).is_err(),
            Some(Ok(Json::Array(list))) => return list.first().is_some_and(Json::is_array),
            Some(Ok(Json::String(text))) => return text.len() >= 64,
            Some(Ok(_)) => return false,
            // A value that is longer than the head, or the end of the list.
            Some(Err(_)) | None => {
                return rest.starts_with(b"{") || rest.starts_with(b"[[") || is_first && rest.starts_with(b"]");
            }
        }
    }
}

impl RowReader for JsonRows {
    fn next(&mut self) -> Result<Option<Found>, String> {
        let value = match &mut self.source {
            Source::Lines(lines) => value_of_line(lines),
            Source::Values(values) => values.next(),
        };
        let Some(Numbered { line, content: value }) = value.map_err(damaged)? else {
            return self.cut.take().map_or(Ok(None), |reason| Err(damaged(reason)));
        };
        Ok(Some(Found::new(line, value.and_then(|value| self.content(value)))))
    }

    fn table(&self) -> Option<&ColumnTable> {
        self.copied.as_ref()
    }
}

fn parsed(json: &[u8]) -> Result<Json, String> {
    serde_json::from_slice(json).map_err(|error| format!("this is no JSON: see its column {}", error.column()))
}

/// The value in the next line that is neither blank nor a comment.
fn value_of_line(lines: &mut Lines<Text>) -> io::Result<Option<Numbered<Json>>> {
    loop {
        let Some(Numbered { line, content }) = next_line(lines)? else { return Ok(None) };
        match content {
            Ok(text) if !has_content(text.as_bytes()) => {}
            content => return Ok(Some(Numbered { line, content: content.and_then(|text| parsed(text.as_bytes())) })),
        }
    }
}

/// Values one after the other, or in a list that holds all of them.
struct ValueReader {
    text: Text,
    /// The line of the next byte, from 1.
    line: u64,
    state: ListState,
}

/// Where in the list of all values a reader stands between two values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ListState {
    /// The text has no such list.
    NoList,
    BeforeList,
    /// Behind the bracket that begins the list.
    BeforeFirst,
    BehindValue,
    BehindComma,
    BehindList,
}

impl ListState {
    /// The state after a byte that is no space; None if a value begins with the byte.
    ///
    /// # Errors
    /// The byte cannot stand here.
    fn after(self, byte: u8) -> Result<Option<ListState>, &'static str> {
        match (self, byte) {
            (ListState::NoList, b']') => Err("the end of a list that has no beginning"),
            // The call of ipuz.
            (ListState::NoList, _) => Ok(b",)ipuz(".contains(&byte).then_some(self)),
            (ListState::BeforeList, _) => Ok(Some(ListState::BeforeFirst)),
            (ListState::BeforeFirst | ListState::BehindValue, b']') => Ok(Some(ListState::BehindList)),
            (ListState::BehindValue, b',') => Ok(Some(ListState::BehindComma)),
            (ListState::BehindValue, _) => Err("a comma is missing in the list"),
            (ListState::BeforeFirst | ListState::BehindComma, b',' | b']') => {
                Err("a value is missing at a comma of the list")
            }
            (ListState::BeforeFirst | ListState::BehindComma, _) => Ok(None),
            (ListState::BehindList, _) => Err("other text stands behind the end of the list"),
        }
    }
}

/// Finds the end of a value by its brackets and quotes.
#[derive(Default)]
struct Scan {
    /// The brackets that are open.
    depth: usize,
    /// True inside quotes.
    quoted: bool,
    /// True after a backslash in quotes.
    escaped: bool,
}

impl Scan {
    /// True if a byte ends the value.
    fn ends_with(&mut self, byte: u8) -> bool {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = self.quoted,
            b'"' => self.quoted = !self.quoted,
            _ if self.quoted => {}
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => return false,
        }
        self.depth == 0 && !self.quoted
    }

    /// True if the value, a number or a word in a list, has ended before a byte.
    fn ends_before(&self, byte: u8) -> bool {
        self.depth == 0 && !self.quoted && matches!(byte, b',' | b']')
    }
}

impl ValueReader {
    /// The next value, and the line on which it begins. None at the end.
    ///
    /// # Errors
    /// The text cannot be read; a value or the list of all values has no end, or wrong signs stand between values.
    fn next(&mut self) -> io::Result<Option<Numbered<Json>>> {
        let damage = |line: u64, reason: &str| io::Error::other(format!("line {line}: {reason}"));
        let (mut value, mut scan, mut line_of_value) = (Vec::new(), Scan::default(), self.line);
        while value.len() < LONGEST {
            let bytes = self.text.fill_buf()?;
            if bytes.is_empty() {
                break;
            }
            let (mut taken, mut is_whole) = (0, false);
            for &byte in bytes {
                if value.is_empty() {
                    let is_space = byte.is_ascii_whitespace();
                    let state = if is_space { Ok(Some(self.state)) } else { self.state.after(byte) };
                    if let Some(state) = state.map_err(|reason| damage(self.line, reason))? {
                        self.state = state;
                        taken += 1;
                        self.line += u64::from(byte == b'\n');
                        line_of_value = self.line;
                        continue;
                    }
                } else if self.state != ListState::NoList && scan.ends_before(byte) {
                    is_whole = true;
                    break;
                }
                taken += 1;
                self.line += u64::from(byte == b'\n');
                value.push(byte);
                is_whole = scan.ends_with(byte);
                if is_whole {
                    break;
                }
            }
            self.text.consume(taken);
            if is_whole {
                if self.state != ListState::NoList {
                    self.state = ListState::BehindValue;
                }
                return Ok(Some(Numbered { line: line_of_value, content: parsed(&value) }));
            }
        }
        match (value.len(), self.state) {
            (0, ListState::NoList | ListState::BehindList) => Ok(None),
            (0, _) => Err(damage(line_of_value, "the list has no end")),
            (LONGEST.., _) => Err(damage(line_of_value, "an object or a list of more than 8,000,000 bytes")),
            _ => Err(damage(line_of_value, "an object or a list without an end")),
        }
    }
}
