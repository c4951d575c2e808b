//! Reads the rows of a table, from file to file and row group to row group.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::types::{Null, ToSqlOutput, Value as Sql};

use super::tables::{Role, SqlTable, family};
use crate::corpus::files::frame::{ColumnValues, FrameReader};
use crate::corpus::values::column_names::is_same_column;
use crate::corpus::values::error::CorpusError;
use crate::corpus::values::value::{ColumnType, Value};

/// A comparison of a column with a value, as far as it helps to skip rows. Operators are `=`, `<`, `<=`, `>`, `>=`, and
/// those for missing and known values, `null` and `known`.
pub(super) struct Comparison {
    pub column: usize,
    pub operator: String,
    pub value: Sql,
}

impl Comparison {
    /// True if a value from a range may compare so, of which both ends are compared with the value.
    fn may_hold(&self, least: Ordering, most: Ordering) -> bool {
        match self.operator.as_str() {
            "=" => least.is_le() && most.is_ge(),
            "<" => least.is_lt(),
            "<=" => least.is_le(),
            ">" => most.is_gt(),
            ">=" => most.is_ge(),
            operator => operator != "null",
        }
    }
}

/// A place in the rows of a table.
#[derive(Default)]
pub(super) struct Walk {
    table: Arc<SqlTable>,
    comparisons: Vec<Comparison>,
    /// The source that is read next.
    source: usize,
    /// The file in this source.
    file: usize,
    reader: Option<FrameReader>,
    path: PathBuf,
    /// The number of rows of each row group of the file.
    groups: Vec<usize>,
    /// The row group that is read next.
    group: usize,
    /// The row in the current row group.
    row: usize,
    /// The end of the rows to read in it.
    end: usize,
    /// The number of the first row of the current row group.
    first: u64,
    /// The number after its last row.
    next: u64,
    /// The values of each column in the current row group, from its first use on.
    values: Vec<OnceCell<ColumnValues>>,
    /// The types of the columns of the file, if rows may be skipped.
    kinds: HashMap<String, Option<ColumnType>>,
}

impl Walk {
    /// Before the first row. Row groups in which no row meets the comparisons are skipped.
    pub(super) fn new(table: Arc<SqlTable>, comparisons: Vec<Comparison>) -> Walk {
        let values = table.columns.iter().map(|_| OnceCell::new()).collect();
        Walk { table, comparisons, values, ..Walk::default() }
    }

    /// True behind the last row.
    pub(super) fn is_over(&self) -> bool {
        self.row >= self.end
    }

    /// The number of the row, from 0.
    pub(super) fn number(&self) -> u64 {
        self.first + self.row as u64
    }

    /// Goes to the next row.
    pub(super) fn step(&mut self) -> Result<(), CorpusError> {
        self.row += 1;
        if self.row < self.end { Ok(()) } else { self.next_group() }
    }

    /// Goes to the first row of the next row group that may have rows to find.
    pub(super) fn next_group(&mut self) -> Result<(), CorpusError> {
        (self.row, self.end) = (0, 0);
        self.values.iter_mut().for_each(|values| drop(values.take()));
        loop {
            let Some(&rows) = self.groups.get(self.group) else {
                if self.open()? {
                    continue;
                }
                return Ok(());
            };
            (self.first, self.next) = (self.next, self.next + rows as u64);
            self.group += 1;
            let (start, end) = self.table.rows.unwrap_or((0, u64::MAX));
            let within = |number: u64| number.clamp(self.first, self.next) - self.first;
            let (row, end) = (within(start) as usize, within(end) as usize);
            if row < end && self.may_hold() {
                (self.row, self.end) = (row, end);
                return Ok(());
            }
        }
    }

    /// Opens the next file. False if there is none.
    fn open(&mut self) -> Result<bool, CorpusError> {
        self.reader = None;
        let table = self.table.clone();
        let past = table.rows.is_some_and(|(_, end)| self.next >= end);
        while !past && let Some(source) = table.sources.get(self.source) {
            let Some(path) = source.files.get(self.file) else {
                (self.source, self.file) = (self.source + 1, 0);
                continue;
            };
            self.file += 1;
            self.path.clone_from(path);
            let reader = FrameReader::open(path)?;
            (self.groups, self.group) = (reader.groups(), 0);
            self.kinds.clear();
            if !self.comparisons.is_empty() {
                let kinds = reader.kinds();
                self.kinds.extend(reader.names().iter().cloned().zip(kinds));
            }
            self.reader = Some(reader);
            return Ok(true);
        }
        Ok(false)
    }

    /// An error about the file that is read.
    fn failed(&self, reason: String) -> CorpusError {
        CorpusError::File { path: self.path.clone(), reason }
    }

    /// False if no row of the row group whose turn it is meets all comparisons.
    fn may_hold(&self) -> bool {
        self.comparisons.iter().all(|comparison| {
            let column = &self.table.columns[comparison.column];
            match column.role {
                Role::Source => match &comparison.value {
                    Sql::Text(text) => {
                        let order = self.label().cmp(text);
                        comparison.may_hold(order, order)
                    }
                    _ => true,
                },
                Role::Number => true,
                Role::File => self.may_hold_in_file(comparison, &column.name),
            }
        })
    }

    /// False if no row of the current row group can meet a comparison of a column of the file.
    fn may_hold_in_file(&self, comparison: &Comparison, name: &str) -> bool {
        let Some(reader) = self.reader.as_ref().filter(|_| self.has(comparison.column)) else { return true };
        let name = own_name(reader, name);
        // The type of this file: the table has the type of all files together.
        let unsigned = match self.kinds.get(name).copied().flatten() {
            Some(ColumnType::Unsigned32 | ColumnType::Unsigned64) => true,
            Some(ColumnType::Signed | ColumnType::Real) => false,
            _ => return true,
        };
        let group = self.group - 1;
        let bounds = reader.bounds(group, name, unsigned);
        match comparison.operator.as_str() {
            // SQL sees a NaN as NULL, and statistics do not count it.
            "null" => bounds.missing != Some(0) || self.kinds[name] == Some(ColumnType::Real),
            "known" => bounds.missing != Some(self.groups[group] as u64),
            _ => {
                let value = match comparison.value {
                    Sql::Integer(number) if number.unsigned_abs() < 1 << 53 => number as f64,
                    Sql::Real(number) => number,
                    _ => return true,
                };
                let ends = bounds.range.map(|(least, most)| (least.partial_cmp(&value), most.partial_cmp(&value)));
                let Some((Some(least), Some(most))) = ends else { return true };
                comparison.may_hold(least, most)
            }
        }
    }

    /// The name of the source that is read.
    fn label(&self) -> &str {
        self.table.sources.get(self.source).map_or("", |source| &source.label)
    }

    /// True if the source that is read has a column.
    fn has(&self, column: usize) -> bool {
        self.table.sources.get(self.source).is_some_and(|source| source.has[column])
    }

    /// The value of a column in this row. A column is decoded, for the whole row group, when its first value is asked
    /// for.
    pub(super) fn value(&self, column: usize) -> Result<ToSqlOutput<'_>, CorpusError> {
        let sql_column = &self.table.columns[column];
        match sql_column.role {
            Role::Source => return Ok(self.label().into()),
            Role::Number => return Ok((self.number() as i64).into()),
            Role::File if !self.has(column) => return Ok(Null.into()),
            Role::File => {}
        }
        let values = match self.values[column].get() {
            Some(values) => values,
            None => {
                let values = self.decoded(&sql_column.name, sql_column.kind).map_err(|reason| self.failed(reason))?;
                self.values[column].get_or_init(|| values)
            }
        };
        Ok(match values.get_any(self.row).map_err(|reason| self.failed(reason))? {
            Value::Null => Null.into(),
            Value::Flag(flag) => flag.into(),
            Value::Signed(number) => number.into(),
            Value::Unsigned(number) => match i64::try_from(number) {
                Ok(number) => number.into(),
                Err(_) => {
                    let reason = "does not fit into a signed integer of 64 bits";
                    return Err(self.failed(format!("column '{}': {number} {reason}", sql_column.name)));
                }
            },
            Value::Real(number) => number.into(),
            Value::Text(Cow::Borrowed(text)) => text.into(),
            Value::Text(Cow::Owned(text)) => text.into(),
        })
    }

    /// The values of a column in this row group. An error if they are of another type than in the first file.
    fn decoded(&self, name: &str, kind: Option<ColumnType>) -> Result<ColumnValues, String> {
        let reader = self.reader.as_ref().ok_or("no file is open")?;
        let values = reader.column(self.group - 1, own_name(reader, name))?;
        match (kind, values.kind()) {
            (Some(earlier), Some(kind)) if family(earlier) != family(kind) => Err(format!(
                "column '{name}' holds values of type {}, but of type {} in the first file",
                kind.name(),
                earlier.name()
            )),
            _ => Ok(values),
        }
    }
}

/// The name of a column in a file, which may write it with other capital letters than the first file.
fn own_name<'a>(reader: &'a FrameReader, name: &'a str) -> &'a str {
    reader.names().iter().find(|own| is_same_column(own, name)).map_or(name, String::as_str)
}
