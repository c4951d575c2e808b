//! Writes databases of SQLite.
//!
//! ```text
//!   puzzles    the rows                                     many users open exactly this
//!   columns    name, type, unit, description: a row for each column of the rows
//! ```

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use rusqlite::types::Value as Sql;
use rusqlite::{Connection, params_from_iter};

use super::tables::declared;
use super::tokens::quoted;
use crate::corpus::TempFolder;
use crate::corpus::values::record::COLUMNS;
use crate::corpus::values::value::{ColumnType, Value};

/// The number of rows of a transaction.
const TRANSACTION: u64 = 100_000;

/// The number of rows that wait to be written together.
const TOGETHER: usize = 1000;

/// The name of the file while it is made.
const FILE: &str = "rows.sqlite";

/// A column of a database.
#[derive(Clone, Debug)]
pub struct DatabaseColumn {
    /// The name.
    pub name: String,
    /// The type; None if the values may have several.
    pub kind: Option<ColumnType>,
    /// The unit, or an empty text.
    pub unit: String,
    /// The meaning, or an empty text.
    pub about: String,
}

impl DatabaseColumn {
    /// Its type in the declaration of a table; empty if the values may have several.
    fn declared_type(&self) -> &'static str {
        self.kind.map_or("", |kind| declared(Some(kind)))
    }
}

/// An error of SQLite as one of the system.
fn failed(error: rusqlite::Error) -> io::Error {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => io::ErrorKind::StorageFull.into(),
        _ => io::Error::other(error.to_string()),
    }
}

/// A table of rows in a database.
pub(super) struct RowTable {
    base: Connection,
    insert: String,
    /// The number of rows that are not yet committed.
    open: u64,
}

impl RowTable {
    /// Begins a table in a database that is not complete until the end.
    fn begun(base: Connection, table: &str, columns: usize, list: &str) -> rusqlite::Result<RowTable> {
        let table = quoted(table);
        // The file is moved to its place when it is complete, so a journal would protect nothing.
        base.execute_batch(&format!(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; CREATE TABLE {table}({list})"
        ))?;
        let places = vec!["?"; columns].join(", ");
        Ok(RowTable { base, insert: format!("INSERT INTO {table} VALUES ({places})"), open: 0 })
    }

    /// A table in a temporary file of SQLite, which vanishes with it.
    pub(super) fn temporary(columns: usize) -> io::Result<RowTable> {
        let list = (0..columns).map(|column| format!("c{column}")).collect::<Vec<_>>().join(", ");
        let begun = Connection::open("").and_then(|base| RowTable::begun(base, "answer", columns, &list));
        begun.map_err(failed)
    }

    /// Adds rows.
    pub(super) fn write<'r>(&mut self, rows: impl IntoIterator<Item = &'r [Sql]>) -> io::Result<()> {
        let mut insert = self.base.prepare(&self.insert).map_err(failed)?;
        for row in rows {
            insert.execute(params_from_iter(row)).map_err(failed)?;
            self.open += 1;
        }
        if self.open >= TRANSACTION {
            self.open = 0;
            self.base.execute_batch("COMMIT; BEGIN").map_err(failed)?;
        }
        Ok(())
    }

    /// Calls `each` with all rows of a temporary table, in order.
    pub(super) fn read_back(self, mut each: impl FnMut(Vec<Sql>) -> io::Result<()>) -> io::Result<()> {
        let mut statement = self.base.prepare("SELECT * FROM answer ORDER BY rowid").map_err(failed)?;
        let width = statement.column_count();
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(failed)? {
            let values: Result<Vec<Sql>, _> = (0..width).map(|column| row.get(column)).collect();
            each(values.map_err(failed)?)?;
        }
        Ok(())
    }
}

/// Begins a table of rows in a new file, and writes the table `columns` beside it.
fn begun_with_columns(file: &Path, table: &str, columns: &[DatabaseColumn]) -> rusqlite::Result<RowTable> {
    let mut declarations = Vec::with_capacity(columns.len());
    for column in columns {
        declarations.push(format!("{} {}", quoted(&column.name), column.declared_type()));
    }
    let rows = RowTable::begun(Connection::open(file)?, table, columns.len(), &declarations.join(", "))?;
    rows.base.execute_batch(
        "CREATE TABLE columns(name TEXT PRIMARY KEY, type TEXT, unit TEXT, description TEXT) WITHOUT ROWID",
    )?;
    for column in columns {
        let values = [column.name.as_str(), column.declared_type(), &column.unit, &column.about];
        rows.base.execute("INSERT INTO columns VALUES (?1, ?2, ?3, ?4)", values)?;
    }
    Ok(rows)
}

/// A value as SQLite has it. A number that is too large for it becomes a text.
fn sql_value(value: Value<'_>) -> Sql {
    match value {
        Value::Null => Sql::Null,
        Value::Flag(flag) => Sql::Integer(flag.into()),
        Value::Signed(number) => Sql::Integer(number),
        Value::Unsigned(number) => i64::try_from(number).map_or_else(|_| Sql::Text(number.to_string()), Sql::Integer),
        Value::Real(number) => Sql::Real(number),
        Value::Text(text) => Sql::Text(text.into_owned()),
    }
}

/// Writes a database. It is made in a temporary folder, because SQLite writes only into files of its own.
pub struct DatabaseWriter<'o> {
    out: &'o mut dyn Write,
    folder: TempFolder,
    rows: RowTable,
    waiting: Vec<Vec<Sql>>,
}

impl<'o> DatabaseWriter<'o> {
    /// Begins a database with a table of rows, and the table `columns` that describes its columns.
    pub fn new(out: &'o mut dyn Write, table: &str, columns: &[DatabaseColumn]) -> io::Result<DatabaseWriter<'o>> {
        let folder = TempFolder::new()?;
        let rows = begun_with_columns(&folder.path().join(FILE), table, columns).map_err(failed)?;
        Ok(DatabaseWriter { out, folder, rows, waiting: Vec::new() })
    }

    /// Writes rows of an answer.
    pub(super) fn write_rows<'r>(&mut self, rows: impl IntoIterator<Item = &'r [Sql]>) -> io::Result<()> {
        self.rows.write(rows)
    }

    /// Writes a row.
    pub fn write<'v>(&mut self, values: impl IntoIterator<Item = Value<'v>>) -> io::Result<()> {
        self.waiting.push(values.into_iter().map(sql_value).collect());
        if self.waiting.len() < TOGETHER { Ok(()) } else { self.flush() }
    }

    /// Writes the rows that wait.
    fn flush(&mut self) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        self.rows.write(waiting.iter().map(Vec::as_slice))
    }

    /// Ends the database and copies it to its place.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.rows.base.execute_batch("COMMIT").map_err(failed)?;
        self.rows.base.close().map_err(|(_, error)| failed(error))?;
        io::copy(&mut File::open(self.folder.path().join(FILE))?, self.out)?;
        self.out.flush()
    }
}

/// The columns of a corpus, for a database.
pub fn corpus_columns() -> Vec<DatabaseColumn> {
    let mut columns = Vec::with_capacity(COLUMNS.len());
    for column in COLUMNS.iter() {
        columns.push(DatabaseColumn {
            name: column.name.to_string(),
            kind: Some(column.kind),
            unit: column.unit.to_owned(),
            about: column.about.to_string(),
        });
    }
    columns
}
