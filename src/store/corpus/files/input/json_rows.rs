//! Reads rows of JSON: values one after the other, or in an array, on any number of lines.
//!
//! ```text
//!   an object    names of a puzzle and its solution -> a row          f-puzzles, SudokuPad, ipuz -> their board
//!                one list or text with empty cells -> the puzzle      else every board in it
//!   a list       cells, rows of cells, rows as texts -> a board       else every board in it
//!   a text       a board
//! ```
//!
//! A value may have about eight million bytes. If a value has no end, the lines of it are values of their own.

use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::encoding::{Numbered, next_row};
use super::{Reading, Row, RowReader, damaged, of_entry};
use crate::corpus::values::mapping::{Mapping, Want};
use crate::corpus::values::record::Record;
use crate::corpus::values::value::Value;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::board::text::{self, Entry, Item, Lines, PuzzleReader, Signs};

/// The rows of a text of JSON.
pub(super) struct JsonRows<R> {
    lines: Lines<R>,
    /// Lines that were read too early.
    waiting: VecDeque<(u64, String)>,
    /// True inside the array that holds all values.
    inside: bool,
    /// The names of the last object, and their meaning. Most objects have the same names.
    known: Option<(Vec<String>, Mapping)>,
    /// Rows of the last value.
    found: VecDeque<Row>,
}

/// The longest value in bytes.
const LONGEST: usize = 1 << 23;

/// Values inside values that are searched for boards.
const DEEPEST: usize = 16;

/// The most boards of one value.
const COLLECTION: usize = 1 << 20;

impl<R: BufRead> JsonRows<R> {
    /// The rows of a text from its first line.
    pub(super) fn new(input: R) -> JsonRows<R> {
        JsonRows {
            lines: Lines::new(input),
            waiting: VecDeque::new(),
            inside: false,
            known: None,
            found: VecDeque::new(),
        }
    }

    /// The next line, those that wait first.
    fn line(&mut self) -> Result<Option<Numbered<String>>, String> {
        match self.waiting.pop_front() {
            Some((number, line)) => Ok(Some((number, Ok(line)))),
            None => next_row(&mut self.lines).map_err(damaged),
        }
    }

    /// The next value, and the line on which it begins. None at the end.
    ///
    /// First the line on which a value begins is sought. Commas, closing brackets and the names of variables of
    /// JavaScript are passed over. So is the bracket of an array that holds all values. Then lines are added until the
    /// brackets are closed. What follows on the last line waits for the next call.
    fn value(&mut self) -> Result<Option<Numbered<Json>>, String> {
        let (first, mut text) = loop {
            let Some((mut number, line)) = self.line()? else { return Ok(None) };
            let mut line = match line {
                Ok(line) => line,
                Err(reason) => return Ok(Some((number, Err(reason)))),
            };
            // A bracket alone: the next line says if the list is one board, or holds the values.
            if line.trim() == "["
                && !self.inside
                && let Some((next, second)) = self.line()?
            {
                match second {
                    Ok(second) => line = format!("[{}", second.trim()),
                    Err(reason) => return Ok(Some((next, Err(reason)))),
                }
                number = if is_list_of_values(&line) { next } else { number };
            }
            let mut rest = line.trim_start_matches(|sign: char| sign.is_whitespace() || sign == ',').trim_end();
            for mark in ["ipuz(", "const ", "var "] {
                rest = rest.strip_prefix(mark).unwrap_or(rest);
            }
            // The bracket of the array that holds all values.
            if !self.inside && is_list_of_values(rest) {
                self.inside = true;
                rest = rest[1..].trim_start();
            }
            if !rest.is_empty() && !rest.trim_matches([']', ')', ';', ' ', ',']).is_empty() {
                break (number, rest.to_owned());
            }
        };
        let mut scan = Scan::default();
        let mut taken: Vec<(u64, String)> = Vec::new();
        loop {
            match scan.end(&text) {
                Some(Ok(end)) => {
                    let rest = text.split_off(end);
                    let rest = rest.trim_matches(|sign: char| sign.is_whitespace() || ",;)".contains(sign));
                    if !rest.is_empty() {
                        let number = taken.last().map_or(first, |last| last.0);
                        self.waiting.push_front((number, rest.to_owned()));
                    }
                    return Ok(Some((first, serde_json::from_str(&text).map_err(|error| error.to_string()))));
                }
                None if text.len() < LONGEST => {}
                _ => break,
            }
            match self.line()? {
                Some((number, Ok(line))) => {
                    text.push('\n');
                    text.push_str(&line);
                    taken.push((number, line));
                }
                Some((_, Err(_))) => {}
                None => break,
            }
        }
        // The value has no end: its lines, except the first, are read again as values of their own.
        for line in taken.into_iter().rev() {
            self.waiting.push_front(line);
        }
        let reason = if text.len() < LONGEST {
            "an object or a list without an end"
        } else {
            "an object or a list longer than 8,000,000 bytes"
        };
        Ok(Some((first, Err(reason.to_owned()))))
    }

    /// Reads the rows of a value.
    fn take(&mut self, line: u64, value: &Json, index: u64, how: &Reading) {
        if let Json::Object(object) = value
            && let Some(row) = self.record(object, index, how)
        {
            return self.found.push_back((line, row.map_err(|reason| (None, reason))));
        }
        let mut boards = Vec::new();
        boards_in(value, DEEPEST, how, &mut boards);
        if boards.is_empty() && !matches!(value, Json::Array(list) if list.is_empty()) {
            boards.push(Err("no board in this value".to_owned()));
        }
        for (index, board) in (index..).zip(boards) {
            let row = board.and_then(|board| board.record(index, how));
            self.found.push_back((line, row.map_err(|reason| (None, reason))));
        }
    }

    /// The record of an object whose names say what it holds. None for other objects.
    fn record(&mut self, object: &Map<String, Json>, index: u64, how: &Reading) -> Option<Result<Record, String>> {
        if let Some(found) = text::of_object(object) {
            return Some(found.map_err(|reason| reason.to_string()).and_then(|grid| super::of_grid(index, grid)));
        }
        if let Some((zoned, signs)) = ipuz(object) {
            let shape = match (how.shape, zoned.transpose()) {
                (_, Err(reason)) => return Some(Err(reason)),
                (Some(asked), Ok(Some(zoned))) if asked != zoned => {
                    let (zoned, asked) = (zoned.board(), asked.board());
                    return Some(Err(format!("the zones make the {zoned}, but the {asked} was asked for")));
                }
                (asked, Ok(zoned)) => asked.or(zoned),
            };
            return self.mapped(object, index, &Reading { shape, signs, ..how.clone() });
        }
        self.mapped(object, index, how)
    }

    /// The row of an object with names of a puzzle; None if it has none.
    fn mapped(&mut self, object: &Map<String, Json>, index: u64, how: &Reading) -> Option<Result<Record, String>> {
        let same = |(names, _): &&mut (Vec<String>, Mapping)| names.iter().eq(object.keys());
        let (names, mapping) = match self.known.as_mut().filter(same) {
            Some(known) => known,
            None => {
                let names: Vec<String> = object.keys().cloned().collect();
                let mapping = match &how.column {
                    Some(column) => {
                        let place = names.iter().position(|name| name == column)?;
                        let solution =
                            names.iter().position(|name| name == "solution").map(|place| ("solution", place));
                        let columns: Vec<(&str, usize)> = std::iter::once(("puzzle", place)).chain(solution).collect();
                        Mapping::of_columns(&names, Want::Boards, &columns).ok()?
                    }
                    None => Mapping::new(&names, Want::Boards).ok().filter(Mapping::has_puzzle)?,
                };
                self.known.insert((names, mapping))
            }
        };
        // An object that holds others, `{"puzzles": [..]}`.
        let nested =
            |json: &Json| json.is_object() || json.as_array().is_some_and(|list| list.iter().any(is_collection));
        if mapping.places().any(|place| nested(&object[&names[place]])) {
            return None;
        }
        Some(mapping.record(index, how.shape, &how.signs, |place| value(&names[place], &object[&names[place]])))
    }
}

/// True for an object with a value of its own, or a list of lists: more than a cell or a row.
fn is_collection(json: &Json) -> bool {
    match json {
        Json::Object(_) => cell(json).is_none(),
        Json::Array(list) => list.iter().any(|inner| inner.is_array() || is_collection(inner)),
        Json::String(text) => text.chars().count() >= 36,
        _ => false,
    }
}

/// True for the beginning of a list of values that are not one board together: objects, boards as texts, lists of
/// boards.
fn is_list_of_values(line: &str) -> bool {
    let first = line.strip_prefix("[\"").and_then(|text| text.split('"').next());
    // Shorter texts can be rows of a board.
    let is_board = |text: &str| text.len() >= 64 && text::parse_line(text, None).is_ok();
    line == "["
        || ["[{", "[[[", "[[{"].iter().any(|begin| line.starts_with(begin))
        || first.is_some_and(is_board)
        || line.starts_with("[[\"") && !line.contains("\",\"") && !line.contains("\", \"")
}

/// The shape of the zones, if it has some, and the signs of an object of ipuz; None for others.
fn ipuz(object: &Map<String, Json>) -> Option<(Option<Result<Shape, String>>, Signs)> {
    let says = |name: &str| object.get(name).is_some_and(|value| value.to_string().contains("ipuz"));
    if !(says("version") || says("kind")) {
        return None;
    }
    let text = |name: &str| object.get(name).and_then(Json::as_str);
    let usual = |digits: &&str| !"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".starts_with(*digits);
    // Only signs that are not the usual ones need to be told.
    let digits = text("charset").filter(usual).map(Arc::from);
    let empty = match object.get("empty") {
        Some(Json::String(text)) => text.chars().next(),
        Some(Json::Number(_)) => Some('0'),
        _ => None,
    };
    Some((object.get("zones").map(|zones| of_zones(zones, object.get("boxes"))), Signs { digits, empty }))
}

/// The shape whose boxes or regions are the zones of ipuz: rectangles (left, top, right, bottom) or lists of cells
/// (column, row), all from 0. Zones beside boxes are rules that no shape is read from.
fn of_zones(zones: &Json, boxes: Option<&Json>) -> Result<Shape, String> {
    let wrong = || "its zones are neither boxes nor the regions of a jigsaw".to_owned();
    let zones = zones.as_array().filter(|_| boxes.is_none_or(|boxes| *boxes == false)).ok_or_else(wrong)?;
    let n = zones.len();
    if n > Shape::MAX_SOLVABLE_ORDER {
        return Err(wrong());
    }
    let numbers = |list: &Json| -> Option<Vec<usize>> {
        list.as_array()?.iter().map(|at| at.as_u64().and_then(|at| usize::try_from(at).ok())).collect()
    };
    let mut signs = vec![None; n * n];
    let mut fill = |column: usize, row: usize, sign: char| {
        let cell = if column < n { signs.get_mut(row.checked_mul(n)? + column) } else { None };
        cell.map(|cell| *cell = Some(sign))
    };
    let mut place = |(at, zone): (usize, &Json)| {
        let sign = char::from_u32('A' as u32 + at as u32)?;
        if let Some(rect) = zone.get("rect") {
            let &[left, top, right, bottom] = numbers(rect)?.as_slice() else { return None };
            return (top..=bottom.min(n))
                .try_for_each(|row| (left..=right.min(n)).try_for_each(|column| fill(column, row, sign)));
        }
        let cells = zone.get("cells")?.as_array()?.iter();
        cells.map(numbers).try_for_each(|cell| match cell?.as_slice() {
            &[column, row] => fill(column, row, sign),
            _ => None,
        })
    };
    let placed = zones.iter().enumerate().try_for_each(|zone| place(zone).ok_or_else(wrong));
    let text = placed.map(|()| signs.into_iter().collect::<Option<String>>())?.ok_or_else(wrong)?;
    Shape::of_regions(&text).map_err(|_| wrong())
}

impl<R: BufRead + Send> RowReader for JsonRows<R> {
    fn next(&mut self, index: u64, how: &Reading) -> Result<Option<Row>, String> {
        while self.found.is_empty() {
            let Some((line, value)) = self.value()? else { return Ok(None) };
            match value {
                Ok(value) => self.take(line, &value, index, how),
                Err(reason) => self.found.push_back((line, Err((None, reason)))),
            }
        }
        // Rows of one value were numbered from its first.
        let row = self.found.pop_front();
        Ok(row.map(|(line, row)| (line, row.map(|record| Record { index, ..record }))))
    }
}

/// Finds the end of a value by its brackets and quotes.
#[derive(Default)]
struct Scan {
    /// The bytes that were looked at.
    at: usize,
    /// The brackets that are open.
    depth: usize,
    /// True inside quotes.
    quoted: bool,
    /// True after a backslash in quotes.
    escaped: bool,
    /// True after the bracket of an object.
    begins: bool,
}

impl Scan {
    /// The end of the value in a text that has grown; an error where no value can be. None if the end is not there yet.
    fn end(&mut self, text: &str) -> Option<Result<usize, ()>> {
        let bytes = text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            self.at += 1;
            if self.begins && !byte.is_ascii_whitespace() {
                self.begins = false;
                if !matches!(byte, b'"' | b'}') {
                    return Some(Err(()));
                }
            }
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.quoted => self.escaped = true,
                b'"' => {
                    self.quoted = !self.quoted;
                    if !self.quoted && self.depth == 0 {
                        return Some(Ok(self.at));
                    }
                }
                _ if self.quoted => {}
                b'{' | b'[' => {
                    self.depth += 1;
                    self.begins = byte == b'{';
                }
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(Ok(self.at));
                    }
                }
                _ if self.depth == 0 && (byte == b',' || byte.is_ascii_whitespace()) => return Some(Ok(self.at - 1)),
                _ => {}
            }
        }
        // A number or a word ends with its line.
        (self.depth == 0 && !self.quoted && self.at > 0).then_some(Ok(self.at))
    }
}

/// A board that was found in a value, and its solution.
pub(super) struct Found {
    board: Entry,
    solution: Option<Entry>,
}

impl Found {
    /// The row of the board.
    fn record(self, index: u64, how: &Reading) -> Result<Record, String> {
        let mut entry = self.board;
        entry.solution = entry.solution.or(self.solution.map(|solution| solution.grid));
        of_entry(index, entry, how)
    }
}

/// Adds every board in a value. A list or a text that may be meant as a board but is none is an error.
fn boards_in(value: &Json, depth: usize, how: &Reading, boards: &mut Vec<Result<Found, String>>) {
    if depth == 0 {
        return boards.push(Err(format!("the values are nested more than {DEEPEST} deep")));
    }
    if boards.len() >= COLLECTION {
        return boards.push(Err(format!("too many boards in one value: at most {COLLECTION}")));
    }
    match value {
        Json::Array(list) => {
            if let Some(text) = text_of(list)
                && let Ok(found) = parsed(&text, how)
                && !found.is_empty()
            {
                return boards.extend(found.into_iter().map(|board| Ok(Found { board, solution: None })));
            }
            match list.iter().all(|item| cell(item).is_some()) && !list.is_empty() {
                true => boards.push(Err(format!("a list of {} cells, but no board", list.len()))),
                false => list.iter().for_each(|item| boards_in(item, depth - 1, how, boards)),
            }
        }
        Json::String(text) => match parsed(text, how) {
            Ok(found) => boards.extend(found.into_iter().map(|board| Ok(Found { board, solution: None }))),
            Err(reason) => boards.push(Err(reason)),
        },
        Json::Object(object) => in_object(object, depth, how, boards),
        _ => {}
    }
}

/// Adds the boards of an object: see the header.
fn in_object(object: &Map<String, Json>, depth: usize, how: &Reading, boards: &mut Vec<Result<Found, String>>) {
    if let Some(found) = text::of_object(object) {
        let entry = |grid| Entry { line: 1, grid, solution: None, candidates: None, note: String::new() };
        return boards.push(match found {
            Ok(grid) => Ok(Found { board: entry(grid), solution: None }),
            Err(reason) => Err(reason.to_string()),
        });
    }
    let mut parts: Vec<(&str, Vec<Result<Found, String>>)> = Vec::new();
    for (name, value) in object {
        let mut found = Vec::new();
        boards_in(value, depth - 1, how, &mut found);
        // A text with a date or a number is none, unless its name says that it is a board.
        let named = ["puzzle", "board", "grid", "sudoku", "clue", "given", "mission", "quiz"];
        let is_board = named.iter().any(|part| name.to_ascii_lowercase().contains(part)) && !value.is_object();
        if !is_board {
            found.retain(Result::is_ok);
        }
        if !found.is_empty() {
            parts.push((name, found));
        }
    }
    // True if a part is one board without a solution, which is `full` or has empty cells.
    let single = |found: &[Result<Found, String>], full: bool| matches!(found, [Ok(found)] if found.solution.is_none() && (found.board.grid.holes() == 0) == full);
    let count = |full: bool| parts.iter().filter(|(_, found)| single(found, full)).count();
    // A puzzle and its solution.
    if parts.len() == 2 && count(true) == 1 && count(false) == 1 {
        let full = parts.iter().position(|(_, found)| single(found, true)).unwrap_or(0);
        let solution = parts.remove(full).1.pop();
        let board = parts.pop().and_then(|mut part| part.1.pop());
        if let (Some(Ok(Found { board, .. })), Some(Ok(Found { board: solution, .. }))) = (board, solution) {
            return boards.push(Ok(Found { board, solution: Some(solution) }));
        }
        return;
    }
    // Names that end in numbers are those of a collection.
    let is_numbered = parts.iter().all(|(name, _)| name.chars().any(|sign| sign.is_ascii_digit()));
    if count(false) > 1 && !is_numbered {
        let names: Vec<&str> = parts.iter().filter(|(_, found)| single(found, false)).map(|(name, _)| *name).collect();
        let reason = format!("several boards, '{}'; --column NAME chooses one", names.join("' and '"));
        return boards.push(Err(reason));
    }
    boards.extend(parts.into_iter().flat_map(|(_, found)| found));
}

/// The boards of a text; an error if anything else in it may be meant as a board.
fn parsed(text: &str, how: &Reading) -> Result<Vec<Entry>, String> {
    let items = PuzzleReader::with(text.as_bytes(), how.shape, how.signs.clone());
    let mut entries = Vec::new();
    for item in items {
        match item {
            Item::Board(entry) => entries.push(entry),
            Item::Heading { .. } => {}
            Item::Bad(error) => return Err(error.problem.to_string()),
        }
    }
    Ok(entries)
}

/// A value of JSON as the value of a column. An error for what no column can hold.
fn value<'a>(name: &str, json: &'a Json) -> Result<Value<'a>, String> {
    match json {
        Json::Null => Ok(Value::Null),
        Json::Bool(flag) => Ok(Value::Flag(*flag)),
        Json::String(text) => Ok(Value::Text(text.as_str().into())),
        Json::Number(number) => match (number.as_u64(), number.as_f64()) {
            (Some(integer), _) => Ok(Value::Unsigned(integer)),
            (None, Some(real)) => Ok(Value::Real(real)),
            (None, None) => Err(format!("{name}: {number} is too large")),
        },
        Json::Array(list) => match text_of(list) {
            Some(text) => Ok(Value::Text(text.into())),
            None => Err(format!("{name}: no board")),
        },
        Json::Object(_) => Err(format!("{name}: an object instead of a text")),
    }
}

/// Cells, rows of cells, or rows as texts, as a text: a line for each row. None for any other list.
fn text_of(list: &[Json]) -> Option<String> {
    if list.is_empty() {
        return None;
    }
    if let Some(cells) = list.iter().map(cell).collect::<Option<Vec<String>>>() {
        return Some(cells.join(" "));
    }
    let row = |row: &Json| match row {
        Json::Array(cells) => Some(cells.iter().map(cell).collect::<Option<Vec<String>>>()?.join(" ")),
        Json::String(text) if !text.contains('\n') => Some(text.clone()),
        _ => None,
    };
    Some(list.iter().map(row).collect::<Option<Vec<String>>>()?.join("\n"))
}

/// The text of a cell: a number, a sign, null, or what ipuz has for a cell with a style. None for what is no cell.
fn cell(json: &Json) -> Option<String> {
    match json {
        Json::Null => Some("null".to_owned()),
        Json::Number(number)
            if number.as_f64().is_some_and(|number| number.fract() == 0.0 && (-1.0..=999.0).contains(&number)) =>
        {
            Some(format!("{}", number.as_f64()? as i64))
        }
        Json::String(text) if text.is_empty() || text == " " => Some("null".to_owned()),
        Json::String(text) if text.chars().count() <= 3 && !text.contains(char::is_whitespace) => Some(text.clone()),
        Json::Object(object) if object.is_empty() => Some("null".to_owned()),
        Json::Object(object) => ["cell", "value"].iter().find_map(|name| object.get(*name)).and_then(cell),
        _ => None,
    }
}
