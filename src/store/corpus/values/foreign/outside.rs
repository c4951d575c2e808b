//! Copies the columns of other programs, such as an id or the times that people took.
//!
//! ```text
//!   id  puzzle  human_time   ->   index shape .. puzzle .. log_class_weight  id  human_time
//! ```
//!
//! Parquet gives the types of its columns. In text files, the columns are texts; if the file can be read twice, the
//! type follows from all fields of the column.

use std::borrow::Cow;

use super::column_names::{FreeNames, is_same_column};
use super::guess::{integer_of, is_missing, real_of};
use crate::corpus::values::record::COLUMNS;
use crate::corpus::values::value::{ColumnType, Field, Value};
use sudoku_corpus_core::board::Shape;

/// A column that is copied through.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Outside {
    pub name: String,
    pub kind: ColumnType,
}

/// Names the copied columns of a file.
pub(super) struct OutsideNames(FreeNames);

impl OutsideNames {
    pub(super) fn new() -> OutsideNames {
        OutsideNames(FreeNames::numbered_from(2))
    }

    /// The name in the output of the next column, by its place and its name in the input. A name that is one of ours
    /// gets the prefix `input_`. An empty name becomes a number. A name that exists already gets a number at its end.
    pub(super) fn take(&mut self, place: usize, name: &str) -> String {
        let name = name.trim();
        let is_ours = COLUMNS.iter().any(|column| is_same_column(&column.name, name));
        match name {
            "" => self.0.take(&format!("column_{}", place + 1)),
            _ if is_ours => self.0.take(&format!("input_{name}")),
            _ => self.0.take(name),
        }
    }
}

impl Outside {
    /// A note if a column has another name in the output than `input_` and its own, because that was taken.
    pub(crate) fn note(&self, name: &str) -> Option<String> {
        let name = name.trim();
        let is_usual = name.is_empty() || self.name == name || self.name.strip_prefix("input_") == Some(name);
        (!is_usual).then(|| format!("'{name}' is copied as '{}', because another column has its name", self.name))
    }

    /// Converts a value to the type of the column.
    pub fn value(&self, value: Value<'_>) -> Result<Value<'static>, String> {
        let converted = match (self.kind, value) {
            (_, Value::Null) => Ok(Value::Null),
            // In a column of texts such a word is a text.
            (kind, Value::Text(text)) if kind != ColumnType::Text && is_missing(&text) => Ok(Value::Null),
            (ColumnType::Text, Value::Text(text)) => Ok(Value::Text(Cow::Owned(text.into_owned()))),
            (ColumnType::Text, other) => Ok(Value::Text(other.to_string().into())),
            (ColumnType::Signed, Value::Signed(number)) => Ok(Value::Signed(number)),
            (ColumnType::Signed, Value::Unsigned(number)) => {
                i64::try_from(number).map(Value::Signed).map_err(|_| format!("{number} is too large"))
            }
            (ColumnType::Signed, Value::Text(text)) => {
                integer_of(&text).map(Value::Signed).ok_or_else(|| format!("'{text}' is not an integer"))
            }
            (ColumnType::Signed, other) => Err(format!("{other} is not an integer")),
            (ColumnType::Flag, value) => bool::read(&value, Shape::NINE).map(Value::Flag),
            (ColumnType::Real, Value::Signed(number)) => Ok(Value::Real(number as f64)),
            (ColumnType::Real, Value::Text(text)) => {
                real_of(&text).map(Value::Real).ok_or_else(|| format!("'{text}' is not a number"))
            }
            (ColumnType::Real, value) => f64::read(&value, Shape::NINE).map(Value::Real),
            (ColumnType::Unsigned32 | ColumnType::Unsigned64, value) => {
                u64::read(&value, Shape::NINE).map(Value::Unsigned)
            }
        };
        converted.map_err(|reason| format!("{}: {reason}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_of<'a>(columns: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let mut names = OutsideNames::new();
        columns.into_iter().enumerate().map(|(place, name)| names.take(place, name)).collect()
    }

    #[test]
    fn names_are_kept_unless_they_clash_with_ours() {
        let names = names_of(["id", " hodoku_score", "", "id", "human_time", "Level", "ID"]);
        assert_eq!(names, ["id", "input_hodoku_score", "column_3", "id_2", "human_time", "input_Level", "ID_3"]);
        let columns = ["level", "input_level"];
        let named = names_of(columns).into_iter().zip(columns);
        let notes = named.map(|(name, column)| Outside { name, kind: ColumnType::Text }.note(column));
        let [level, input_level] = &notes.collect::<Vec<_>>()[..] else { panic!() };
        assert_eq!(level, &None);
        assert!(input_level.as_deref().is_some_and(|note| note.contains("copied as 'input_level_2'")));
        // In linear time.
        let names = names_of(["id_3"].into_iter().chain(std::iter::repeat_n("id", 50_000)));
        assert_eq!((&*names[1], &*names[2], &*names[3], &*names[50_000]), ("id", "id_2", "id_4", "id_50001"));
    }
}
