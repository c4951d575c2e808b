//! Copies the columns of other programs, such as an id or the times that people took.
//!
//! ```text
//!   id  puzzle  human_time   ->   index shape .. puzzle .. log_class_weight  id  human_time
//! ```
//!
//! Parquet gives the types of its columns. In text files, the columns are texts; if the file can be read twice, the
//! type follows from all fields of the column.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::guess::integer_of;
use super::record::COLUMNS;
use super::value::{ColumnType, Field, Value};
use sudoku_corpus_core::board::Shape;

/// A column that is copied through.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Outside {
    pub name: String,
    pub kind: ColumnType,
}

impl Outside {
    /// The names of these columns in the output. A name that is one of ours gets the prefix `input_`, an empty name
    /// becomes a number, and a name that exists already gets a number at its end.
    pub fn names<'a>(found: impl Iterator<Item = (usize, &'a str)>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut taken: HashSet<String> = HashSet::new();
        // The number that is tried first for another column of a name: thousands may have the same.
        let mut next: HashMap<String, u64> = HashMap::new();
        for (place, name) in found {
            let mut name = name.trim().to_owned();
            if name.is_empty() {
                name = format!("column_{}", place + 1);
            }
            if COLUMNS.iter().any(|column| column.name == name) {
                name.insert_str(0, "input_");
            }
            let numbers = next.entry(name.clone()).or_insert(2);
            let mut free = name.clone();
            while !taken.insert(free.clone()) {
                free = format!("{name}_{numbers}");
                *numbers += 1;
            }
            names.push(free);
        }
        names
    }

    /// Converts a value to the type of the column.
    pub fn value(&self, value: Value<'_>) -> Result<Value<'static>, String> {
        let kept = match (self.kind, value) {
            (_, Value::Null) => Ok(Value::Null),
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
            (ColumnType::Real, value) => f64::read(&value, Shape::NINE).map(Value::Real),
            (ColumnType::Unsigned32 | ColumnType::Unsigned64, value) => {
                u64::read(&value, Shape::NINE).map(Value::Unsigned)
            }
        };
        kept.map_err(|reason| format!("{}: {reason}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_unless_they_clash_with_ours() {
        let found = ["id", " score", "", "id", "human_time"];
        let names = Outside::names(found.into_iter().enumerate());
        assert_eq!(names, ["id", "input_score", "column_3", "id_2", "human_time"]);
        // In linear time.
        let names = Outside::names(["id_3"].into_iter().chain(std::iter::repeat_n("id", 50_000)).enumerate());
        assert_eq!((&*names[1], &*names[2], &*names[3], &*names[50_000]), ("id", "id_2", "id_4", "id_50001"));
    }
}
