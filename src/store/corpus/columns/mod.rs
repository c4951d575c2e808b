//! The schema of a corpus. All columns are defined here and nowhere else.
//!
//! ```text
//!                      COLUMNS: name, kind, unit, about, get, set
//!                     /        |            |           \
//!      Parquet schema     CSV header    `query --schema`   reading back
//! ```
//!
//! A column is one row of `fixed`, or comes from a row of the rater's table of techniques (`n_<code>`). Every value may
//! be missing: a line of a text file has only a puzzle.
//!
//! Integers are stored as `UInt32` or `UInt64`. *Tried and lost*: `UInt8` and `UInt16`. Parquet stores both as 32-bit
//! words, which dictionaries and run lengths reduce to the same bytes, and they take minutes of compilation.

mod fixed;
mod outside;
mod value;

use std::borrow::Cow;
use std::sync::LazyLock;

use fixed::FIXED;
pub use outside::{Guess, Outside, integer_of, real_of};
pub use value::Value;
use value::{small, unsigned};

use super::record::Record;
use sudoku_corpus_core::rate::TECHNIQUES;

/// The type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// True or false.
    Flag,
    /// An integer from 0 to 2^32-1.
    Unsigned32,
    /// An integer from 0 to 2^64-1.
    Unsigned64,
    /// A signed 64-bit integer. Only columns of other programs have this type.
    Signed,
    /// A real number of 64 bits.
    Real,
    /// A text.
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
pub struct Column {
    /// The name in files.
    pub name: Cow<'static, str>,
    /// The type in files.
    pub kind: ColumnType,
    /// The unit; empty for texts and flags.
    pub unit: &'static str,
    /// The meaning.
    pub about: Cow<'static, str>,
    /// The technique, for the columns of techniques.
    technique: usize,
    get: fn(&Record, usize) -> Value<'_>,
    set: fn(&mut Record, usize, Value<'_>) -> Set,
}

/// The outcome of storing a value in a record. The error gives the reason.
type Set = Result<(), String>;

impl Column {
    /// The value of this column in a record.
    pub fn get<'a>(&self, record: &'a Record) -> Value<'a> {
        (self.get)(record, self.technique)
    }

    /// Stores a value that was read from a file.
    ///
    /// # Errors
    /// The value does not fit this column.
    pub fn set(&self, record: &mut Record, value: Value<'_>) -> Result<(), String> {
        match value {
            Value::Null => Ok(()),
            value => (self.set)(record, self.technique, value).map_err(|reason| format!("{}: {reason}", self.name)),
        }
    }
}

/// Every column, in the order of the files.
pub static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    let (before, after) = FIXED.split_at(FIXED.len() - 1);
    before.iter().cloned().chain((0..TECHNIQUES.len()).map(technique_column)).chain(after.iter().cloned()).collect()
});

/// The column of a technique.
fn technique_column(technique: usize) -> Column {
    let info = &TECHNIQUES[technique];
    Column {
        name: format!("n_{}", info.code).into(),
        kind: ColumnType::Unsigned32,
        unit: "steps",
        about: format!("number of steps in which the ladder used {}", info.name).into(),
        technique,
        get: |record, technique| unsigned(record.counts.as_ref().map(|counts| counts[technique])),
        set: |record, technique, value| {
            record.counts.get_or_insert([0; TECHNIQUES.len()])[technique] = small(value)?;
            Ok(())
        },
    }
}
