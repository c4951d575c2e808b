//! The schema of a corpus. All columns are defined here and nowhere else.
//!
//! ```text
//!     record: one entry for each column          rate: effort, techniques
//!                       \                        /
//!                      COLUMNS: name, kind, unit, about, get, set
//!                     /        |            |           \
//!      Parquet schema     CSV header    `query --schema`   reading back
//! ```
//!
//! A column is an entry of [`record`](super::record), or belongs to a group: effort (`effort_<name>`) or
//! techniques (`n_<code>`). Every value may be missing: a line of a text file has only a puzzle.
//!
//! Integers are stored as `UInt32` or `UInt64`. *Tried and lost*: `UInt8` and `UInt16`. Parquet stores both as 32-bit
//! words, which dictionaries and run lengths reduce to the same bytes, and they take minutes of compilation.

mod outside;
mod value;

use std::borrow::Cow;
use std::sync::LazyLock;

pub use outside::{Guess, Outside, integer_of, real_of};
pub use value::{Decimal, Field, Value};

use super::record::{Record, fields};
use sudoku_corpus_core::rate::effort::{EFFORTS, EffortInfo};
use sudoku_corpus_core::rate::{TECHNIQUES, TechniqueInfo};

/// The type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ColumnType {
    Flag,
    Unsigned32,
    Unsigned64,
    /// A signed 64-bit integer. Only columns of other programs have this type.
    Signed,
    Real,
    Text,
}

impl ColumnType {
    /// The name of the type in Parquet readers.
    pub const fn name(self) -> &'static str {
        match self {
            ColumnType::Flag => "Boolean",
            ColumnType::Unsigned32 => "UInt32",
            ColumnType::Unsigned64 => "UInt64",
            ColumnType::Signed => "Int64",
            ColumnType::Real => "Float64",
            ColumnType::Text => "String",
        }
    }
}

/// A column: name, type, unit, meaning, and how to get and set its value in a [`Record`].
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Column {
    pub name: Cow<'static, str>,
    pub kind: ColumnType,
    /// The unit; empty for texts and flags.
    pub unit: &'static str,
    pub about: Cow<'static, str>,
    /// The place in its group: which technique, for example.
    pub(crate) place: usize,
    pub(crate) get: fn(&Record, usize) -> Value<'_>,
    pub(crate) set: fn(&mut Record, usize, Value<'_>) -> Set,
}

/// The outcome of storing a value in a record. The error gives the reason.
type Set = Result<(), String>;

impl Column {
    /// The value of this column in a record.
    pub fn get<'a>(&self, record: &'a Record) -> Value<'a> {
        (self.get)(record, self.place)
    }

    /// Stores a value that was read from a file.
    pub fn set(&self, record: &mut Record, value: Value<'_>) -> Result<(), String> {
        match value {
            Value::Null => Ok(()),
            value => (self.set)(record, self.place, value).map_err(|reason| format!("{}: {reason}", self.name)),
        }
    }
}

/// Every column, in the order of the files.
pub static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    let mut columns = fields();
    for (next, group) in [("log_weight", efforts()), ("log_class_weight", techniques())] {
        let at = columns.iter().position(|column| column.name == next).unwrap_or(columns.len());
        columns.splice(at..at, group);
    }
    columns
});

fn efforts() -> Vec<Column> {
    let column = |(place, info): (usize, &EffortInfo)| Column {
        name: format!("effort_{}", info.name).into(),
        kind: ColumnType::Unsigned32,
        unit: info.unit,
        about: format!("{}; only with ratings effort; not calibrated with times of people", info.about).into(),
        place,
        get: |record, place| {
            (EFFORTS[place].get)(&record.effort).map_or(Value::Null, |number| Value::Unsigned(number.into()))
        },
        set: |record, place, value| {
            (EFFORTS[place].set)(&mut record.effort, Field::read(&value, record.shape)?);
            Ok(())
        },
    };
    EFFORTS.iter().enumerate().map(column).collect()
}

fn techniques() -> Vec<Column> {
    let column = |(place, info): (usize, &TechniqueInfo)| Column {
        name: format!("n_{}", info.code).into(),
        kind: ColumnType::Unsigned32,
        unit: "steps",
        about: format!("number of steps in which the ladder used {}", info.name).into(),
        place,
        get: |record, place| record.counts.as_ref().map_or(Value::Null, |counts| Value::Unsigned(counts[place].into())),
        set: |record, place, value| {
            record.counts.get_or_insert_with(|| Box::new([0; TECHNIQUES.len()]))[place] =
                Field::read(&value, record.shape)?;
            Ok(())
        },
    };
    TECHNIQUES.iter().enumerate().map(column).collect()
}
