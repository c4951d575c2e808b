//! Reads boards of JSON: the objects of f-puzzles, SudokuPad and ipuz, and lists of cells.
//!
//! ```text
//! {"size":9,"grid":[[{"value":5,"given":true},{},..],..],"diagonal+":true}       f_puzzles
//! {"cells":[[{"value":5},{},..],..],"regions":[[[0,0],..],..],"metadata":{..}}   sudoku_pad; also short: "ce", "v", "re"
//! {"kind":["http://ipuz.org/sudoku#1"],"puzzle":[[5,3,0,..],..],"zones":[..]}    ipuz
//! [[5,3,null,..],..]   ["53..7....",..]   [5,3,0,..]                             lists
//! ```
//!
//! A key that is set and not known is a rule that would be lost: it is refused by its name, on every level.

mod f_puzzles;
mod ipuz;
mod lists;
mod sudoku_pad;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::board::text::cells::Signs;
use crate::board::text::rules_named::{advice, rule_named};
use crate::board::text::symbols::plain_line;
use crate::board::text::wanted::{Entry, Wanted};
use crate::board::{Grid, Reason, Shape};

pub use lists::board_text;

/// Keys of texts about the puzzle. Those that may name a rule are read by [`rule_in_texts`].
const METADATA: &str = "title t author source rules ruleset date msgcorrect own_level";

/// Why an object is no board.
pub(super) fn wrong(reason: impl Into<String>) -> Reason {
    Reason(reason.into())
}

/// An object whose keys are taken one by one. What is left in the end must say nothing.
struct Object(Map<String, Value>);

impl Object {
    /// The value of a key, or the usual one if it says nothing.
    fn take<T: DeserializeOwned + Default>(&mut self, key: &str) -> Result<T, Reason> {
        let Some(value) = self.0.remove(key) else { return Ok(T::default()) };
        match serde_json::from_value(value.clone()) {
            Ok(value) => Ok(value),
            Err(_) if !is_set(&value) => Ok(T::default()),
            Err(_) => Err(wrong(format!("the key '{key}' holds {value}, which is not known here"))),
        }
    }

    fn take_objects(&mut self, key: &str) -> Result<Vec<Object>, Reason> {
        let objects: Vec<Map<String, Value>> = self.take(key)?;
        Ok(objects.into_iter().map(Object).collect())
    }

    /// The digit of a cell, which may be a text; 0 if it has none.
    fn take_digit(&mut self, key: &str) -> Result<u16, Reason> {
        match self.0.get(key) {
            Some(Value::String(text)) if !text.is_empty() => {
                let digit = text.parse().map_err(|_| wrong(format!("a cell holds {text:?}")));
                self.0.remove(key);
                digit
            }
            _ => self.take(key),
        }
    }

    /// The cells of a square board, row by row.
    fn take_cells(&mut self, key: &str, order: usize) -> Result<Vec<Object>, Reason> {
        if !(4..=Shape::MAX_SOLVABLE_ORDER).contains(&order) {
            return Err(wrong("no board has this size"));
        }
        let rows: Vec<Vec<Option<Map<String, Value>>>> = self.take(key)?;
        if rows.len() != order || rows.iter().any(|row| row.len() != order) {
            return Err(wrong("its grid is not square"));
        }
        Ok(rows.into_iter().flatten().map(|cell| Object(cell.unwrap_or_default())).collect())
    }

    /// Takes the texts about a puzzle, and gives the solution among them.
    fn take_metadata(&mut self, key: &str) -> Result<Option<Value>, Reason> {
        let mut metadata = Object(self.take(key)?);
        let solution = metadata.0.remove("solution");
        metadata.end(METADATA)?;
        Ok(solution)
    }

    /// Refuses a key that is set, was not taken and is not among the harmless ones.
    fn end(&self, harmless: &str) -> Result<(), Reason> {
        for (name, value) in &self.0 {
            if is_set(value) && !harmless.split(' ').any(|key| key == name) {
                return Err(wrong(format!("it is a variant with the rule '{name}', which is not known here")));
            }
        }
        Ok(())
    }
}

/// True for a value that says something: no null, false, 0, or empty text, list or object.
pub fn is_set(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(object) => !object.is_empty(),
        Value::Bool(true) => true,
    }
}

/// The board of an object of f-puzzles, SudokuPad or ipuz, in this shape if one is given; None for other objects. They
/// say their digits themselves.
pub fn of_object(object: &Map<String, Value>, shape: Option<Shape>, signs: &Signs) -> Option<Result<Entry, Reason>> {
    let wanted = Wanted { shape, signs: signs.clone() };
    let entry = read_object(object, &wanted)?;
    Some(entry.and_then(|entry| wanted.check_shape(entry.grid.shape()).map(|()| entry)))
}

/// The same in any shape.
pub(in crate::board::text::forms) fn read_object(
    object: &Map<String, Value>,
    wanted: &Wanted,
) -> Option<Result<Entry, Reason>> {
    let has_rows =
        |key: &str| object.get(key).and_then(Value::as_array).is_some_and(|rows| rows.iter().all(Value::is_array));
    let is_ipuz = |key: &str| object.get(key).is_some_and(|value| value.to_string().contains("ipuz"));
    let entry = if object.contains_key("size") && has_rows("grid") {
        f_puzzles::read(Object(object.clone()))
    } else if has_rows("cells") || has_rows("ce") {
        sudoku_pad::read(Object(object.clone()))
    } else if is_ipuz("version") || is_ipuz("kind") {
        ipuz::read(object, wanted)
    } else {
        return None;
    };
    Some(entry.and_then(|entry| {
        wanted.refuse_named_signs()?;
        let may_lose_rule = entry.grid.shape().is_plain() && wanted.shape.is_none();
        match rule_in_texts(object) {
            Some(rule) if may_lose_rule => Err(wrong(advice(&rule))),
            _ => Ok(entry),
        }
    }))
}

/// A rule that the title or the text of the rules tells, and no key.
fn rule_in_texts(object: &Map<String, Value>) -> Option<String> {
    let metadata = ["metadata", "md"].iter().filter_map(|key| object.get(*key)?.as_object());
    for texts in std::iter::once(object).chain(metadata) {
        for key in ["title", "t", "rules", "ruleset"] {
            if let Some(rule) = texts.get(key).and_then(Value::as_str).and_then(rule_named) {
                return Some(rule);
            }
        }
    }
    None
}

/// The region of each cell of a square board, from the rows and columns of the cells of each region. None if one leaves
/// the board.
fn regions_of_cells(order: usize, regions: &[Vec<[usize; 2]>]) -> Option<Vec<Option<usize>>> {
    let mut region_of_cell = vec![None; order * order];
    for (region, cells) in regions.iter().enumerate() {
        for &[row, column] in cells {
            if row.max(column) >= order {
                return None;
            }
            region_of_cell[row * order + column] = Some(region);
        }
    }
    Some(region_of_cell)
}

/// The shape whose boxes are the regions of the cells; the usual shape of the order if no cell names a region.
fn shape_of_regions(order: usize, regions: &[Option<usize>]) -> Result<Shape, Reason> {
    let named: Vec<usize> = regions.iter().copied().flatten().collect();
    let shape = if named.is_empty() {
        Shape::of_order(order).ok()
    } else if named.len() == regions.len() {
        Shape::of_region_signs(&named).ok()
    } else {
        None
    };
    shape.ok_or_else(|| wrong("its regions are neither boxes nor a jigsaw"))
}

/// The full grid in a list of digits, or in one text with a sign for each; None if it is no full grid.
fn full_grid(shape: Shape, digits: &[Value]) -> Option<Grid> {
    let text: String = digits.iter().map(|digit| digit.as_str().map_or(digit.to_string(), str::to_owned)).collect();
    plain_line(&text, shape).filter(|grid| grid.holes() == 0)
}
