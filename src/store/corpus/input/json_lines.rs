//! Rows of JSON lines: one object per line. Its puzzle may have any of the common names.

use std::io::BufRead;

use serde_json::{Map, Value as Json};

use super::lines::Lines;
use super::{Row, Rows, damaged};
use crate::corpus::columns::Value;
use crate::corpus::mapping::{Mapping, Want};
use crate::corpus::record::Record;
use sudoku_corpus_core::board::Shape;

pub(super) struct JsonRows<R> {
    lines: Lines<R>,
    known: Known,
}

/// The names of the last object, and their meaning. Most objects have the same names.
#[derive(Default)]
struct Known(Option<(Vec<String>, Mapping)>);

impl<R: BufRead> JsonRows<R> {
    pub fn new(input: R) -> JsonRows<R> {
        JsonRows { lines: Lines::new(input), known: Known::default() }
    }
}

impl<R: BufRead + Send> Rows for JsonRows<R> {
    fn next(&mut self, index: u64, shape: Option<Shape>) -> Result<Option<Row>, String> {
        let Some((number, line)) = self.lines.next().map_err(damaged)? else { return Ok(None) };
        let object = line.and_then(|line| serde_json::from_slice(line).map_err(|error| error.to_string()));
        let row = object.and_then(|object| self.known.record(&object, index, shape));
        Ok(Some(row.map_err(|reason| (number, None, reason))))
    }
}

impl Known {
    fn record(&mut self, object: &Map<String, Json>, index: u64, shape: Option<Shape>) -> Result<Record, String> {
        let same = |(names, _): &&mut (Vec<String>, Mapping)| names.iter().eq(object.keys());
        let known = match self.0.as_mut().filter(same) {
            Some(known) => known,
            None => {
                let names: Vec<String> = object.keys().cloned().collect();
                let mapping = Mapping::new(&names, Want::Boards)?;
                self.0.insert((names, mapping))
            }
        };
        let (names, mapping) = &*known;
        mapping.record(index, shape, |place| value(&names[place], &object[&names[place]]))
    }
}

/// A value of an object as the value of a column.
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
        Json::Array(_) | Json::Object(_) => Err(format!("{name}: a list or an object instead of a text")),
    }
}
