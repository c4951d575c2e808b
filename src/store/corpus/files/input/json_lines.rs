//! Rows of JSON: one object per line, or an array of objects. The puzzle of an object may have any of the common names.

use std::io::{self, BufRead};

use serde_json::{Map, Value as Json};

use super::lines::Lines;
use super::{Row, RowReader, damaged};
use crate::corpus::values::mapping::{Mapping, Want};
use crate::corpus::values::record::Record;
use crate::corpus::values::value::Value;
use sudoku_corpus_core::board::Shape;

pub(super) struct JsonRows<R> {
    source: JsonSource<R>,
    /// The names of the last object, and their meaning. Most objects have the same names.
    known: Option<(Vec<String>, Mapping)>,
}

enum JsonSource<R> {
    Lines(Lines<R>),
    /// An array, and the number of the line.
    Array(R, u64),
}

/// The longest object of an array in bytes.
const LONGEST: usize = 1 << 22;

impl<R: BufRead> JsonRows<R> {
    pub(super) fn new(input: R) -> JsonRows<R> {
        JsonRows { source: JsonSource::Lines(Lines::new(input)), known: None }
    }

    pub(super) fn of_array(input: R) -> JsonRows<R> {
        JsonRows { source: JsonSource::Array(input, 1), known: None }
    }

    fn record(&mut self, object: &Map<String, Json>, index: u64, shape: Option<Shape>) -> Result<Record, String> {
        let same = |(names, _): &&mut (Vec<String>, Mapping)| names.iter().eq(object.keys());
        let (names, mapping) = match self.known.as_mut().filter(same) {
            Some(known) => known,
            None => {
                let names: Vec<String> = object.keys().cloned().collect();
                let mapping = Mapping::new(&names, Want::Boards)?;
                self.known.insert((names, mapping))
            }
        };
        let zoned = object.get("zones").map(|zones| of_zones(zones, object.get("boxes"))).transpose()?;
        let shape = match (shape, zoned) {
            (Some(asked), Some(zoned)) if asked != zoned => {
                return Err(format!("the zones make the {}, but the {} was asked for", zoned.board(), asked.board()));
            }
            (asked, zoned) => asked.or(zoned),
        };
        mapping.record(index, shape, |place| value(&names[place], &object[&names[place]]))
    }
}

impl<R: BufRead + Send> RowReader for JsonRows<R> {
    fn next(&mut self, index: u64, shape: Option<Shape>) -> Result<Option<Row>, String> {
        let parse = |object: &[u8]| serde_json::from_slice(object).map_err(|error| error.to_string());
        let (number, object) = match &mut self.source {
            JsonSource::Lines(lines) => match lines.next().map_err(damaged)? {
                None => return Ok(None),
                Some((number, line)) => (number, line.and_then(parse)),
            },
            JsonSource::Array(input, line) => match next_object(input, line).map_err(damaged)? {
                (_, object) if object.is_empty() => return Ok(None),
                (number, object) => (number, parse(&object)),
            },
        };
        let row = object.and_then(|object| self.record(&object, index, shape));
        Ok(Some(row.map_err(|reason| (number, None, reason))))
    }
}

/// The next object of an array, and the line in which it begins; empty at the end. Signs and blanks between objects and
/// a byte order mark are skipped; anything else there counts as an object, and is an error when it is parsed.
fn next_object(input: &mut impl BufRead, line: &mut u64) -> io::Result<(u64, Vec<u8>)> {
    let (mut first, mut object, mut depth, mut quoted, mut escaped) = (*line, Vec::new(), 0_u32, false, false);
    while let Some(&byte) = input.fill_buf()?.first() {
        if depth == 0 && !object.is_empty() && matches!(byte, b',' | b']' | b'{') {
            break;
        }
        input.consume(1);
        *line += u64::from(byte == b'\n');
        if object.is_empty() && (byte.is_ascii_whitespace() || matches!(byte, b'[' | b',' | b']' | 0xef | 0xbb | 0xbf))
        {
            continue;
        }
        if object.is_empty() {
            first = *line;
        }
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        object.push(byte);
        if object.len() > LONGEST {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("line {first}: an object without an end")));
        }
        if depth == 0 && byte == b'}' && !quoted {
            break;
        }
    }
    Ok((first, object))
}

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
        Json::Array(rows) if rows.iter().all(Json::is_array) => cells(rows).ok_or_else(|| format!("{name}: no board")),
        Json::Array(_) | Json::Object(_) => Err(format!("{name}: a list or an object instead of a text")),
    }
}

/// The shape whose boxes or regions are the zones of ipuz: rectangles (left, top, right, bottom) or lists of cells (column, row), all
/// from 0. Zones beside boxes are rules that no shape is read from.
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

/// Rows of cells, as ipuz has them, as a board in a line: digits, letters, and 0 or null for blank cells.
fn cells(rows: &[Json]) -> Option<Value<'_>> {
    let cell = |cell: &Json| match cell {
        Json::Null => Some('.'),
        Json::Number(number) => char::from_digit(u32::try_from(number.as_u64()?).ok()?, 10),
        Json::String(text) => text.parse().ok(),
        _ => None,
    };
    let line: Option<String> = rows.iter().filter_map(Json::as_array).flatten().map(cell).collect();
    line.map(|line| Value::Text(line.replace('0', ".").into()))
}
