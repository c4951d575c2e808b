//! Small tables of texts and numbers as Parquet: data beside a report, and tables for joins.

use std::io::{self, Write};
use std::path::Path;

use polars::prelude::{Field, Schema};

use super::{RowGroups, data_type, series};
use crate::corpus::atomic::AtomicFile;
use crate::corpus::columns::{ColumnType, Guess, Value, integer_of, real_of};

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Texts.
    Text(Vec<Option<String>>),
    /// Real numbers.
    Real(Vec<Option<f64>>),
    /// Integers.
    Integer(Vec<Option<i64>>),
}

impl Cells {
    fn len(&self) -> usize {
        match self {
            Cells::Text(texts) => texts.len(),
            Cells::Real(numbers) => numbers.len(),
            Cells::Integer(numbers) => numbers.len(),
        }
    }

    fn kind(&self) -> ColumnType {
        match self {
            Cells::Text(_) => ColumnType::Text,
            Cells::Real(_) => ColumnType::Real,
            Cells::Integer(_) => ColumnType::Signed,
        }
    }

    fn get(&self, row: usize) -> Value<'_> {
        let value = match self {
            Cells::Text(texts) => texts.get(row).and_then(|text| Some(Value::Text(text.as_deref()?.into()))),
            Cells::Real(numbers) => numbers.get(row).and_then(|number| number.map(Value::Real)),
            Cells::Integer(numbers) => numbers.get(row).and_then(|number| number.map(Value::Signed)),
        };
        value.unwrap_or(Value::Null)
    }
}

/// The number of rows of a row group of a table.
const ROW_GROUP: usize = 1 << 18;

/// Writes named columns of equal length atomically into a file.
pub fn write_table<N: AsRef<str>>(path: &Path, columns: Vec<(N, Cells)>) -> io::Result<()> {
    let rows = columns.first().map_or(0, |(_, cells)| cells.len());
    if columns.iter().any(|(_, cells)| cells.len() != rows) {
        return Err(io::Error::other("the columns have different lengths"));
    }
    let named = columns.iter().map(|(name, cells)| (name.as_ref().to_owned(), cells.kind())).collect();
    let file = AtomicFile::create(path)?;
    let mut table = TableWriter::new(file.writer(), named)?;
    for first in (0..rows).step_by(ROW_GROUP) {
        table.write(ROW_GROUP.min(rows - first), |row, column| columns[column].1.get(first + row))?;
    }
    table.finish()?;
    file.finish().map(drop)
}

/// Writes rows of any columns as Parquet, one row group for each call.
pub struct TableWriter<W: Write> {
    file: RowGroups<W>,
    columns: Vec<(String, ColumnType)>,
}

impl<W: Write> TableWriter<W> {
    /// Begins a file with these columns.
    pub fn new(out: W, columns: Vec<(String, ColumnType)>) -> io::Result<TableWriter<W>> {
        let field = |(name, kind): &(String, ColumnType)| Field::new(name.as_str().into(), data_type(*kind));
        let file = RowGroups::begin(out, &Schema::from_iter(columns.iter().map(field)), Vec::new())?;
        Ok(TableWriter { file, columns })
    }

    /// Writes rows, whose values `value` gives by row and column.
    pub fn write<'v>(&mut self, rows: usize, value: impl Fn(usize, usize) -> Value<'v>) -> io::Result<()> {
        let column = |(at, (name, kind)): (usize, &(String, ColumnType))| {
            series(name, *kind, (0..rows).map(|row| value(row, at)))
        };
        self.file.write(rows, self.columns.iter().enumerate().map(column))
    }

    /// Writes the end of the file.
    pub fn finish(self) -> io::Result<()> {
        self.file.finish()
    }
}

/// The largest number of values of a CSV file with any columns. They are all in memory.
const MOST_CELLS: usize = 50_000_000;

/// Makes Parquet from a CSV file with any columns. If all fields of a column are integers or empty, it becomes a column
/// of integers. If they are numbers or empty, it becomes a column of real numbers. Otherwise it becomes a column of
/// texts. An empty field is NULL.
///
/// # Errors
/// The reason, without the path of the file.
pub fn write_csv_as_parquet(csv: &Path, parquet: &Path) -> Result<(), String> {
    let mut reader = csv::Reader::from_path(csv).map_err(|error| error.to_string())?;
    let names: Vec<String> = reader.headers().map_err(|error| error.to_string())?.iter().map(str::to_owned).collect();
    let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
    if let Some((_, name)) = twice {
        return Err(format!("two columns are called '{name}'"));
    }
    let mut columns: Vec<Vec<Option<String>>> = vec![Vec::new(); names.len()];
    for row in reader.records() {
        let row = row.map_err(|error| error.to_string())?;
        for (column, field) in columns.iter_mut().zip(&row) {
            column.push(Some(field).filter(|field| !field.is_empty()).map(str::to_owned));
        }
        if columns.len() * columns[0].len() > MOST_CELLS {
            return Err(format!("more than {MOST_CELLS} cells; convert the file to Parquet"));
        }
    }
    let columns = names.into_iter().zip(columns.into_iter().map(typed)).collect();
    write_table(parquet, columns).map_err(|error| error.to_string())
}

/// Converts texts to numbers if all of them are numbers.
fn typed(texts: Vec<Option<String>>) -> Cells {
    let mut guess = Guess::default();
    texts.iter().flatten().for_each(|text| guess.see(text));
    match guess.kind() {
        ColumnType::Signed => Cells::Integer(texts.iter().map(|text| integer_of(text.as_deref()?)).collect()),
        ColumnType::Real => Cells::Real(texts.iter().map(|text| real_of(text.as_deref()?)).collect()),
        _ => Cells::Text(texts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Scan;

    #[test]
    fn a_table_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.parquet");
        let texts = Cells::Text(vec![Some("one".to_owned()), None]);
        write_table(&path, vec![("name", texts), ("value", Cells::Real(vec![Some(1.5), None]))]).unwrap();
        let answer = Scan::open(&[path]).unwrap().ask("SELECT * FROM puzzles").unwrap();
        let rows: Vec<_> = (0..answer.len()).map(|row| answer.row(row).unwrap()).collect();
        assert_eq!(serde_json::to_string(&rows).unwrap(), "[[\"one\",1.5],[null,null]]");
        let uneven = vec![("a", Cells::Real(vec![None])), ("b", Cells::Real(vec![None; 2]))];
        assert!(write_table(&folder.path().join("uneven.parquet"), uneven).is_err());
        assert!(!folder.path().join("uneven.parquet").exists());
    }
}
