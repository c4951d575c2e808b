//! Rows of JSON lines: one object a line, its puzzle under any of the names that tables use.

use std::io::{self, BufRead, Read as _};

use serde_json::{Map, Value as Json};

use crate::board::Shape;
use crate::corpus::columns::Value;
use crate::corpus::mapping::{Mapping, Want};
use crate::corpus::record::Record;

/// Rows of JSON lines being read.
pub(super) struct JsonRows<R> {
    input: R,
    line: u64,
    buffer: Vec<u8>,
    /// The names of the last object, and what they mean: most objects have the same.
    known: Option<(Vec<String>, Mapping)>,
}

/// A row: a record, or its line and why it is none.
type Row = Result<Record, (u64, String)>;

/// No line is longer.
const LONGEST: u64 = 1 << 22;

impl<R: BufRead> JsonRows<R> {
    /// Reads from the beginning of a text.
    pub fn new(input: R) -> JsonRows<R> {
        JsonRows { input, line: 0, buffer: Vec::new(), known: None }
    }

    /// The next row; none at the end.
    ///
    /// # Errors
    /// What the system says; data that cannot be unpacked.
    pub fn next(&mut self, index: u64, shape: Option<Shape>) -> io::Result<Option<Row>> {
        loop {
            self.buffer.clear();
            self.line += 1;
            if self.input.by_ref().take(LONGEST).read_until(b'\n', &mut self.buffer)? == 0 {
                return Ok(None);
            }
            if self.buffer.len() as u64 == LONGEST && self.buffer.last() != Some(&b'\n') {
                self.input.skip_until(b'\n')?;
                return Ok(Some(Err((self.line, "longer than any row".to_owned()))));
            }
            let line = self.buffer.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.buffer).trim_ascii();
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            let parsed = serde_json::from_slice::<Map<String, Json>>(line).map_err(|error| error.to_string());
            let row = parsed.and_then(|object| self.record(&object, index, shape));
            return Ok(Some(row.map_err(|reason| (self.line, reason))));
        }
    }

    fn record(&mut self, object: &Map<String, Json>, index: u64, shape: Option<Shape>) -> Result<Record, String> {
        let same = |(names, _): &&mut (Vec<String>, Mapping)| names.iter().eq(object.keys());
        let known = match self.known.as_mut().filter(same) {
            Some(known) => known,
            None => {
                let names: Vec<String> = object.keys().cloned().collect();
                let mapping = Mapping::new(&names, Want::Boards)?;
                self.known.insert((names, mapping))
            }
        };
        let (names, mapping) = &*known;
        mapping.record(index, shape, |place| value(&names[place], &object[&names[place]]))
    }
}

/// A value of an object as that of a column.
fn value<'a>(name: &str, json: &'a Json) -> Result<Value<'a>, String> {
    match json {
        Json::Null => Ok(Value::Null),
        Json::Bool(flag) => Ok(Value::Flag(*flag)),
        Json::String(text) => Ok(Value::Text(text.as_str().into())),
        Json::Number(number) => match (number.as_u64(), number.as_f64()) {
            (Some(whole), _) => Ok(Value::Whole(whole)),
            (None, Some(real)) => Ok(Value::Real(real)),
            (None, None) => Err(format!("{name}: {number} is too large")),
        },
        Json::Array(_) | Json::Object(_) => Err(format!("{name}: a list or an object, not a text")),
    }
}
