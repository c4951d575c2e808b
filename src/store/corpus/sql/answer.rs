//! Answers: rows of values, and Parquet files of them.

use std::io::{self, Write};
use std::sync::Arc;

use rusqlite::types::Value as Sql;
use serde_json::Value as Json;

use super::database::{self, DatabaseColumn, corpus_columns};
use crate::corpus::columns::{ColumnType, Value};
use crate::corpus::frame::TableWriter;

/// The number of rows of a row group of an answer in Parquet.
const ROW_GROUP: usize = 32_768;

/// A column of an answer.
#[derive(Clone, Debug)]
pub(super) struct AnswerColumn {
    pub name: String,
    /// The type, if the column is a column of a table.
    pub kind: Option<ColumnType>,
}

/// The rows that answer a query.
#[derive(Clone, Debug)]
pub struct Answer {
    columns: Arc<[AnswerColumn]>,
    /// The values, row by row.
    values: Vec<Sql>,
}

/// Names of which no two are equal: the second gets `_1`.
pub(super) fn named(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    for name in names {
        let more = (1..).map(|number| format!("{name}_{number}"));
        let free = std::iter::once(name.clone()).chain(more).find(|name| !known.contains(name));
        known.extend(free);
    }
    known
}

impl Answer {
    pub(super) fn new(columns: Arc<[AnswerColumn]>) -> Answer {
        Answer { columns, values: Vec::new() }
    }

    pub(super) fn push(&mut self, value: Sql) {
        self.values.push(value);
    }

    pub(super) fn append(&mut self, mut other: Answer) {
        self.values.append(&mut other.values);
    }

    /// The names of the columns.
    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.values.len() / self.columns.len().max(1)
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn values(&self, row: usize) -> Option<&[Sql]> {
        let width = self.columns.len();
        self.values.get(row * width..(row + 1) * width)
    }

    /// The rows, column by column. Flags are 1 or 0.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[Sql]> {
        self.values.chunks_exact(self.columns.len().max(1))
    }

    /// True if a column is a column of flags of a table.
    pub(crate) fn is_flag(&self, column: usize) -> bool {
        self.columns.get(column).is_some_and(|column| column.kind == Some(ColumnType::Flag))
    }

    /// A row, column by column. A flag that is a column of a table is true or false; a calculated one is 1 or 0.
    pub fn row(&self, row: usize) -> Result<Vec<Json>, String> {
        let values = self.values(row).ok_or_else(|| format!("the answer has no row {}", row + 1))?;
        Ok(values.iter().zip(&*self.columns).map(|(value, column)| json(value, column.kind)).collect())
    }

    /// A column of integers; a missing value is 0.
    pub fn integers(&self, column: usize) -> Result<Vec<u64>, String> {
        self.column(column, |value| match value {
            Sql::Null => Some(0),
            Sql::Integer(number) => u64::try_from(*number).ok(),
            _ => None,
        })
    }

    /// A column of real numbers.
    pub fn reals(&self, column: usize) -> Result<Vec<Option<f64>>, String> {
        self.column(column, |value| match value {
            Sql::Null => Some(None),
            Sql::Integer(number) => Some(Some(*number as f64)),
            Sql::Real(number) => Some(Some(*number)),
            _ => None,
        })
    }

    /// A column of flags; a missing one is false, as in conditions of SQL.
    ///
    /// # Errors
    /// The same as for [`Answer::integers`]. A column of a table must be a column of flags.
    pub fn flags(&self, column: usize) -> Result<Vec<bool>, String> {
        let kind = self.columns.get(column).and_then(|column| column.kind);
        if kind.is_some_and(|kind| kind != ColumnType::Flag) {
            return Err(format!("column {} of the answer is not a condition", column + 1));
        }
        self.column(column, |value| match value {
            Sql::Null => Some(false),
            Sql::Integer(number) => Some(*number != 0),
            _ => None,
        })
    }

    /// Calls `each` with the texts of a column, in order.
    pub fn texts(&self, column: usize, mut each: impl FnMut(Option<&str>)) -> Result<(), String> {
        let texts = self.column(column, |value| match value {
            Sql::Null => Some(None),
            Sql::Text(text) => Some(Some(text.as_str())),
            _ => None,
        })?;
        texts.into_iter().for_each(&mut each);
        Ok(())
    }

    fn column<'a, T>(&'a self, column: usize, of: impl Fn(&'a Sql) -> Option<T>) -> Result<Vec<T>, String> {
        let known = self.columns.get(column).ok_or_else(|| format!("the answer has no column {}", column + 1))?;
        let values = self.values.iter().skip(column).step_by(self.columns.len());
        let wrong = || format!("column '{}' of the answer has other values", known.name);
        values.map(|value| of(value).ok_or_else(wrong)).collect()
    }
}

/// A value as JSON. Types that JSON does not have become texts.
fn json(value: &Sql, kind: Option<ColumnType>) -> Json {
    match value {
        Sql::Null => Json::Null,
        Sql::Integer(flag) if kind == Some(ColumnType::Flag) => (*flag != 0).into(),
        Sql::Integer(number) => (*number).into(),
        Sql::Real(number) => match *number {
            number if number.is_finite() => number.into(),
            number if number > 0.0 => "inf".into(),
            _ => "-inf".into(),
        },
        Sql::Text(text) => text.as_str().into(),
        Sql::Blob(bytes) => bytes.iter().map(|byte| format!("{byte:02X}")).collect::<String>().into(),
    }
}

fn converted(value: &Sql, kind: ColumnType) -> Value<'_> {
    match (value, kind) {
        (Sql::Null, _) => Value::Null,
        (Sql::Integer(flag), ColumnType::Flag) => Value::Flag(*flag != 0),
        (Sql::Integer(number), ColumnType::Signed) => Value::Signed(*number),
        (Sql::Integer(number), ColumnType::Unsigned32 | ColumnType::Unsigned64) => {
            u64::try_from(*number).map_or(Value::Null, Value::Unsigned)
        }
        (Sql::Integer(number), ColumnType::Real) => Value::Real(*number as f64),
        (Sql::Real(number), ColumnType::Real) => Value::Real(*number),
        (Sql::Text(text), ColumnType::Text) => Value::Text(text.into()),
        (other, _) => match json(other, None) {
            Json::String(text) => Value::Text(text.into()),
            other => Value::Text(other.to_string().into()),
        },
    }
}

/// Writes answers as Parquet. The type of a calculated column is known only behind the last row, so an answer with such
/// columns waits in a temporary file.
pub struct AnswerWriter<W: Write> {
    columns: Arc<[AnswerColumn]>,
    to: To<W>,
}

enum To<W: Write> {
    File(Box<TableWriter<W>>),
    Waiting { out: W, rows: database::RowTable, kinds: Vec<Option<ColumnType>> },
}

impl<W: Write> AnswerWriter<W> {
    /// Begins a file with the columns of an answer.
    pub fn new(out: W, answer: &Answer) -> io::Result<AnswerWriter<W>> {
        let columns = answer.columns.clone();
        let kinds: Vec<Option<ColumnType>> = columns.iter().map(|column| column.kind).collect();
        let to = if kinds.iter().all(Option::is_some) {
            To::File(Box::new(writer(out, &columns, &kinds)?))
        } else {
            To::Waiting { out, rows: database::RowTable::temporary(columns.len())?, kinds }
        };
        Ok(AnswerWriter { columns, to })
    }

    /// Writes the rows of a batch.
    pub fn write(&mut self, answer: &Answer) -> io::Result<()> {
        match &mut self.to {
            To::File(file) => write(file, answer, &self.columns),
            To::Waiting { rows, kinds, .. } => {
                for values in answer.rows() {
                    let columns = kinds.iter_mut().zip(&*self.columns).zip(values);
                    columns.for_each(|((kind, column), value)| *kind = column.kind.or(wider(*kind, value)));
                }
                rows.write(answer.rows())
            }
        }
    }

    /// Writes the end of the file.
    pub fn finish(self) -> io::Result<()> {
        match self.to {
            To::File(file) => file.finish(),
            To::Waiting { out, rows, kinds } => {
                let typed = self.columns.iter().zip(&kinds);
                let columns: Arc<[AnswerColumn]> = typed
                    .map(|(column, kind)| AnswerColumn { kind: kind.or(Some(ColumnType::Text)), ..column.clone() })
                    .collect();
                let mut file = writer(out, &columns, &kinds)?;
                let mut batch = Answer::new(columns.clone());
                rows.read_back(|values| {
                    batch.values.extend(values);
                    if batch.len() < ROW_GROUP {
                        return Ok(());
                    }
                    write(&mut file, &std::mem::replace(&mut batch, Answer::new(columns.clone())), &columns)
                })?;
                write(&mut file, &batch, &columns)?;
                file.finish()
            }
        }
    }
}

/// The type of a column with one more value: numbers become real, and then texts.
fn wider(kind: Option<ColumnType>, value: &Sql) -> Option<ColumnType> {
    match (kind, value) {
        (kind, Sql::Null) => kind,
        (None | Some(ColumnType::Signed), Sql::Integer(_)) => Some(ColumnType::Signed),
        (None | Some(ColumnType::Signed | ColumnType::Real), Sql::Integer(_) | Sql::Real(_)) => Some(ColumnType::Real),
        _ => Some(ColumnType::Text),
    }
}

fn writer<W: Write>(out: W, columns: &[AnswerColumn], kinds: &[Option<ColumnType>]) -> io::Result<TableWriter<W>> {
    let typed = columns.iter().zip(kinds);
    let typed = typed.map(|(column, kind)| (column.name.clone(), kind.unwrap_or(ColumnType::Text)));
    TableWriter::new(out, typed.collect())
}

fn write<W: Write>(file: &mut TableWriter<W>, answer: &Answer, columns: &[AnswerColumn]) -> io::Result<()> {
    let value = |row: usize, at: usize| match answer.values(row).and_then(|values| values.get(at)) {
        Some(value) => converted(value, columns[at].kind.unwrap_or(ColumnType::Text)),
        None => Value::Null,
    };
    if answer.is_empty() { Ok(()) } else { file.write(answer.len(), value) }
}

impl Answer {
    /// The columns for a database, with the descriptions of those that are columns of corpora.
    pub fn database_columns(&self) -> Vec<DatabaseColumn> {
        let known = corpus_columns();
        let column = |AnswerColumn { name, kind }: &AnswerColumn| {
            let plain = DatabaseColumn { name: name.clone(), kind: *kind, unit: String::new(), about: String::new() };
            known.iter().find(|known| known.name == *name && kind.is_some()).cloned().unwrap_or(plain)
        };
        self.columns.iter().map(column).collect()
    }
}
