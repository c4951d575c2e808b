//! Holds answers: rows of values, and Parquet files of them.

use std::io::{self, Write};
use std::sync::Arc;

use rusqlite::types::Value as Sql;
use serde_json::Value as Json;

use super::database::{DatabaseColumn, DatabaseWriter, RowTable, corpus_columns};
use crate::corpus::files::durable::output::Out;
use crate::corpus::files::frame::TableWriter;
use crate::corpus::files::metadata::Metadata;
use crate::corpus::values::column_names::FreeNames;
use crate::corpus::values::value::{ColumnType, Value};

/// The number of rows of a row group of an answer in Parquet.
const ROW_GROUP: usize = 32_768;

/// A column of an answer.
#[derive(Clone, Debug)]
pub(super) struct AnswerColumn {
    pub name: String,
    /// The type, if the column is a column of a table.
    pub kind: Option<ColumnType>,
    /// True if all tables with a column of this name have rows of this program.
    pub is_ours: bool,
    /// True if it is the column `level` of such tables.
    pub is_level: bool,
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
    let mut free = FreeNames::numbered_from(1);
    names.map(|name| free.take(&name)).collect()
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
        let width = self.columns.len();
        let values = self.values.get(row * width..(row + 1) * width);
        let values = values.ok_or_else(|| format!("the answer has no row {}", row + 1))?;
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

    /// The columns for a database, with the descriptions of those that are columns of rows of this program.
    pub fn database_columns(&self) -> Vec<DatabaseColumn> {
        let corpus_columns = corpus_columns();
        let mut columns = Vec::with_capacity(self.columns.len());
        for AnswerColumn { name, kind, is_ours, .. } in self.columns.iter() {
            let corpus_column = corpus_columns.iter().find(|column| column.name == *name);
            columns.push(match corpus_column {
                Some(column) if *is_ours && kind.is_some() => column.clone(),
                _ => DatabaseColumn { name: name.clone(), kind: *kind, unit: String::new(), about: String::new() },
            });
        }
        columns
    }

    /// Adds its rows to a database with [`Answer::database_columns`].
    pub fn write_to(&self, database: &mut DatabaseWriter<'_>) -> io::Result<()> {
        database.write_rows(self.rows())
    }

    /// The values of a column, each converted by `value_of`.
    ///
    /// # Errors
    /// There is no such column, or `value_of` gives None for a value.
    fn column<'a, T>(&'a self, column: usize, value_of: impl Fn(&'a Sql) -> Option<T>) -> Result<Vec<T>, String> {
        let name = match self.columns.get(column) {
            Some(answer_column) => &answer_column.name,
            None => return Err(format!("the answer has no column {}", column + 1)),
        };
        let mut values = Vec::with_capacity(self.len());
        for sql_value in self.values.iter().skip(column).step_by(self.columns.len()) {
            let Some(value) = value_of(sql_value) else {
                return Err(format!("column '{name}' of the answer has other values"));
            };
            values.push(value);
        }
        Ok(values)
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

/// A value for a column of a type. None if the column cannot hold it.
fn converted(value: &Sql, kind: ColumnType) -> Option<Value<'_>> {
    Some(match (value, kind) {
        (Sql::Null, _) => Value::Null,
        (Sql::Integer(flag @ 0..=1), ColumnType::Flag) => Value::Flag(*flag == 1),
        (Sql::Integer(number), ColumnType::Signed) => Value::Signed(*number),
        (Sql::Integer(number), ColumnType::Unsigned32) => Value::Unsigned(u32::try_from(*number).ok()?.into()),
        (Sql::Integer(number), ColumnType::Unsigned64) => Value::Unsigned(u64::try_from(*number).ok()?),
        (Sql::Integer(number), ColumnType::Real) if is_exact(*number) => Value::Real(*number as f64),
        (Sql::Real(number), ColumnType::Real) => Value::Real(*number),
        (Sql::Text(text), ColumnType::Text) => Value::Text(text.into()),
        (other, ColumnType::Text) => match json(other, None) {
            Json::String(text) => Value::Text(text.into()),
            other => Value::Text(other.to_string().into()),
        },
        _ => return None,
    })
}

/// True for an integer that stays the same as a real number.
fn is_exact(number: i64) -> bool {
    number.unsigned_abs() <= 1 << 53
}

/// Writes answers as Parquet. The type of a calculated column is known only behind the last row, so an answer with such
/// columns waits in a temporary file.
pub struct AnswerWriter<'o> {
    columns: Vec<ColumnState>,
    target: RowTarget<'o>,
    /// What the file says of its levels.
    metadata: Option<String>,
}

/// A column with the type of the values so far.
struct ColumnState {
    column: AnswerColumn,
    /// A calculated column has an integer that a real number cannot be.
    has_large_integer: bool,
}

impl ColumnState {
    /// Takes a value into account. The column is `known` if it is not calculated.
    fn see(&mut self, known: &AnswerColumn, value: &Sql) {
        self.column.kind = known.kind.or(wider(self.column.kind, value));
        self.has_large_integer |= matches!(value, Sql::Integer(number) if !is_exact(*number));
    }

    /// The column after all values. Integers beside real numbers become texts if they would be rounded.
    fn finished(mut self) -> AnswerColumn {
        if self.has_large_integer && self.column.kind == Some(ColumnType::Real) {
            self.column.kind = Some(ColumnType::Text);
        }
        self.column
    }
}

/// Where rows go: into the file, or into a table until all types are known.
enum RowTarget<'o> {
    File(Box<TableWriter<'o>>),
    Waiting(Out<'o>, RowTable),
}

impl<'o> AnswerWriter<'o> {
    /// Begins a file with the columns of an answer. If it has the levels of the rows, the file names their scale, as
    /// `scales` does.
    pub fn new(
        out: impl Write + Send + 'o,
        answer: &Answer,
        scales: Option<&Metadata>,
    ) -> io::Result<AnswerWriter<'o>> {
        let out: Out<'o> = Box::new(out);
        let columns = answer.columns.to_vec();
        let metadata = scales.filter(|_| columns.iter().any(|column| column.is_level)).map(Metadata::json);
        let target = if columns.iter().all(|column| column.kind.is_some()) {
            RowTarget::File(Box::new(begin_table(out, &columns, metadata.as_deref())?))
        } else {
            RowTarget::Waiting(out, RowTable::temporary(columns.len())?)
        };
        let columns = columns.into_iter().map(|column| ColumnState { column, has_large_integer: false }).collect();
        Ok(AnswerWriter { columns, target, metadata })
    }

    /// Writes the rows of a batch.
    pub fn write(&mut self, answer: &Answer) -> io::Result<()> {
        match &mut self.target {
            RowTarget::File(file) => write(file, answer),
            RowTarget::Waiting(_, rows) => {
                for values in answer.rows() {
                    let columns = self.columns.iter_mut().zip(&*answer.columns);
                    columns.zip(values).for_each(|((column, known), value)| column.see(known, value));
                }
                rows.write(answer.rows())
            }
        }
    }

    /// Writes the end of the file.
    pub fn finish(self) -> io::Result<()> {
        let (out, rows) = match self.target {
            RowTarget::File(file) => return file.finish(),
            RowTarget::Waiting(out, rows) => (out, rows),
        };
        let columns: Vec<AnswerColumn> = self.columns.into_iter().map(ColumnState::finished).collect();
        let mut file = begin_table(out, &columns, self.metadata.as_deref())?;
        let mut batch = Answer::new(columns.into());
        rows.read_back(|values| {
            batch.values.extend(values);
            if batch.len() >= ROW_GROUP {
                write(&mut file, &batch)?;
                batch.values.clear();
            }
            Ok(())
        })?;
        write(&mut file, &batch)?;
        file.finish()
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

/// Begins a table with these columns.
fn begin_table<'o>(out: Out<'o>, columns: &[AnswerColumn], metadata: Option<&str>) -> io::Result<TableWriter<'o>> {
    let typed = columns.iter().map(|column| (column.name.clone(), column.kind.unwrap_or(ColumnType::Text)));
    TableWriter::new(out, typed.collect(), metadata)
}

/// Writes a batch. An error if a value does not have the type of its column.
fn write(file: &mut TableWriter<'_>, answer: &Answer) -> io::Result<()> {
    let width = answer.columns.len();
    let kind = |column: usize| answer.columns[column].kind.unwrap_or(ColumnType::Text);
    for (column, value) in answer.rows().flat_map(|row| row.iter().enumerate()) {
        if converted(value, kind(column)).is_none() {
            let (name, kind, value) = (&answer.columns[column].name, kind(column).name(), json(value, None));
            return Err(io::Error::other(format!("column '{name}' has the type {kind}, which does not hold {value}")));
        }
    }
    if answer.is_empty() {
        return Ok(());
    }
    file.write(answer.len(), |row, column| {
        converted(&answer.values[row * width + column], kind(column)).unwrap_or(Value::Null)
    })
}
