//! Values of JSON as values of columns. A column that holds objects with boards inside of them is refused. The message
//! names the command of jq, a program for JSON, that takes all of them out.

use serde_json::{Map, Value as Json};

use super::mapping::{Asked, lost};
use crate::corpus::values::value::Value;
use sudoku_corpus_core::board::text::{self, board_text, is_rule_name, is_set, is_usual_rule, of_object, rule_named};

/// A value of JSON as the value of a column. An error for what no column can hold.
pub(crate) fn value_of<'a>(name: &str, json: &'a Json) -> Result<Value<'a>, String> {
    match json {
        Json::Null | Json::Bool(_) | Json::String(_) => Ok(copied_value(json)),
        Json::Number(number) => match (number.as_u64(), number.as_f64()) {
            (Some(integer), _) => Ok(Value::Unsigned(integer)),
            (None, Some(real)) => Ok(Value::Real(real)),
            (None, None) => Err(format!("{name}: {number} is too large")),
        },
        Json::Array(_) => match board_text(json) {
            Ok(text) => Ok(Value::Text(text.into())),
            Err(_) if holds_objects(json) => Err(format!("{name}: no board but objects")),
            Err(reason) => Err(format!("{name}: {reason}")),
        },
        Json::Object(object) if object.is_empty() => Err(format!("{name}: an object instead of a board")),
        Json::Object(_) => Err(format!("{name}: no board but objects")),
    }
}

/// A value of JSON that is copied: lists and objects become their text.
pub(crate) fn copied_value(json: &Json) -> Value<'_> {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Flag(*flag),
        Json::String(text) => Value::Text(text.as_str().into()),
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(integer), ..) => Value::Signed(integer),
            (None, Some(integer), _) => Value::Unsigned(integer),
            (None, None, Some(real)) => Value::Real(real),
            (None, None, None) => Value::Text(number.to_string().into()),
        },
        Json::Array(_) | Json::Object(_) => Value::Text(json.to_string().into()),
    }
}

/// True for an object with keys, and for a list with an object.
pub(crate) fn holds_objects(value: &Json) -> bool {
    match value {
        Json::Array(list) => list.iter().any(Json::is_object),
        Json::Object(object) => !object.is_empty(),
        _ => false,
    }
}

/// The message about objects in a column where a board should be. `is_list`: the object stands in a list of all rows.
pub(crate) fn objects_inside(name: &str, object: &Map<String, Json>, is_list: bool, asked: &Asked<'_>) -> String {
    // The command would leave the rule behind, and the boards would be other puzzles.
    if asked.shape.is_none()
        && let Some((rule, _)) = object.iter().find(|(key, value)| is_rule_name(key) && says_rule(value))
    {
        return lost(rule);
    }
    let list = if is_list { "[]" } else { "" };
    match path_inside(object, asked) {
        Some(path) => format!("{name}: no board but objects; this takes them out: jq -c '.{list}{path}' FILE"),
        None => format!("{name}: no board but objects"),
    }
}

/// A rule that an object tells besides its boards, in the objects and lists inside of it. None without one.
pub(crate) fn rule_inside(object: &Map<String, Json>) -> Option<String> {
    let mut inside = object.values().filter(|value| matches!(value, Json::Object(_) | Json::Array(_)));
    inside.find_map(rule_in)
}

/// A rule that a value tells: a key that is set, or a short text that names one.
fn rule_in(value: &Json) -> Option<String> {
    match value {
        Json::Object(object) => {
            let key = object.iter().find(|(name, value)| is_rule_name(name) && says_rule(value));
            key.map(|(name, _)| name.clone()).or_else(|| object.values().find_map(rule_in))
        }
        Json::Array(list) => list.iter().find_map(rule_in),
        Json::String(text) if text.len() <= LONGEST_NAME => rule_named(text),
        _ => None,
    }
}

/// A longer text is prose, in which any word may stand.
const LONGEST_NAME: usize = 40;

/// False for values that say that there is no rule.
fn says_rule(value: &Json) -> bool {
    is_set(value) && !value.as_str().is_some_and(is_usual_rule)
}

/// The path, as jq writes it, from an object to all rows inside of it: objects with one puzzle, or puzzles alone. For
/// `{"easy": [PUZZLE, PUZZLE]}` it is `["easy"][]`. None if they have no common path.
fn path_inside(object: &Map<String, Json>, asked: &Asked<'_>) -> Option<String> {
    let paths: Vec<Option<String>> = object.values().map(|value| path_to_rows(value, asked)).collect();
    let path = paths.iter().flatten().next()?;
    let keys: Vec<&String> = object.keys().zip(&paths).filter(|(_, rows)| rows.is_some()).map(|(key, _)| key).collect();
    match keys[..] {
        // A quote would end the command of the message.
        [key] if !key.contains('\'') => Some(format!("[{}]{path}", Json::from(key.as_str()))),
        _ if paths.iter().all(|other| other.as_ref() == Some(path)) => Some(format!("[]{path}")),
        _ => None,
    }
}

/// The path from a value to the rows inside of it. It is empty if the value is a row.
fn path_to_rows(value: &Json, asked: &Asked<'_>) -> Option<String> {
    if is_puzzle(value, asked) {
        return Some(String::new());
    }
    match value {
        Json::Object(object) => {
            let is_row = of_object(object, asked.shape, asked.signs).is_some()
                || object.values().filter(|value| is_puzzle(value, asked)).count() == 1;
            if is_row { Some(String::new()) } else { path_inside(object, asked) }
        }
        Json::Array(list) => {
            let path = path_to_rows(list.first()?, asked)?;
            let mut others = list.iter().skip(1);
            others.all(|row| path_to_rows(row, asked).as_ref() == Some(&path)).then(|| format!("[]{path}"))
        }
        _ => None,
    }
}

/// True for a board with empty cells.
fn is_puzzle(value: &Json, asked: &Asked<'_>) -> bool {
    let text = board_text(value).unwrap_or_default();
    text::parse(&text, asked.shape, asked.signs).is_ok_and(|grid| grid.holes() > 0)
}
