//! Writes small tables of texts and numbers as Parquet: data beside a report, and tables for joins.

use std::io::{self, Write};
use std::path::Path;

use polars_parquet::write::StatisticsOptions;
use rayon::iter::IntoParallelIterator as _;

use super::{Column, RowGroups, data_type, schema};
use crate::corpus::files::atomic::AtomicFile;
use crate::corpus::values::guess::{Guess, integer_of, real_of};
use crate::corpus::values::value::{ColumnType, Value};

const ROW_GROUP: usize = 1 << 18;

/// Writes rows of named columns atomically into a file. `value` gives the values by row and column.
pub fn write_table<'v, N: ToString>(
    path: &Path,
    columns: impl IntoIterator<Item = (N, ColumnType)>,
    rows: usize,
    value: impl Fn(usize, usize) -> Value<'v>,
) -> io::Result<()> {
    let file = AtomicFile::create(path)?;
    let named = columns.into_iter().map(|(name, kind)| (name.to_string(), kind));
    let mut table = TableWriter::new(file.writer(), named.collect())?;
    for first in (0..rows).step_by(ROW_GROUP) {
        table.write(ROW_GROUP.min(rows - first), |row, column| value(first + row, column))?;
    }
    table.finish()?;
    file.finish().map(drop)
}

/// Writes rows of any columns as Parquet, one row group for each call.
pub(crate) struct TableWriter<W: Write> {
    file: RowGroups<W>,
    columns: Vec<(String, ColumnType)>,
}

impl<W: Write> TableWriter<W> {
    /// Begins a file with these columns.
    pub(crate) fn new(out: W, columns: Vec<(String, ColumnType)>) -> io::Result<TableWriter<W>> {
        let schema = schema(columns.iter().map(|(name, kind)| (name.as_str().into(), data_type(*kind))));
        let file = RowGroups::begin(out, schema, None, StatisticsOptions::default())?;
        Ok(TableWriter { file, columns })
    }

    /// Writes rows, whose values `value` gives by row and column.
    pub(crate) fn write<'v>(&mut self, rows: usize, value: impl Fn(usize, usize) -> Value<'v>) -> io::Result<()> {
        let column = |(at, (_, kind)): (usize, &(String, ColumnType))| {
            let mut column = Column::new(*kind);
            (0..rows).for_each(|row| column.push(row, value(row, at)));
            column.array(rows)
        };
        let columns: Vec<_> = self.columns.iter().enumerate().map(column).collect();
        self.file.write(rows, columns.into_par_iter())
    }

    pub(crate) fn finish(self) -> io::Result<()> {
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
pub(crate) fn write_csv_as_parquet(csv: &Path, parquet: &Path) -> Result<(), String> {
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
    let kinds: Vec<ColumnType> = columns.iter().map(|texts| kind_of(texts)).collect();
    let value = |row: usize, column: usize| match (kinds[column], columns[column][row].as_deref()) {
        (_, None) => Value::Null,
        (ColumnType::Signed, Some(text)) => integer_of(text).map_or(Value::Null, Value::Signed),
        (ColumnType::Real, Some(text)) => real_of(text).map_or(Value::Null, Value::Real),
        (_, Some(text)) => text.into(),
    };
    let rows = columns.first().map_or(0, Vec::len);
    write_table(parquet, names.into_iter().zip(kinds.iter().copied()), rows, value).map_err(|error| error.to_string())
}

/// The type of texts: that of numbers if all of them are numbers.
fn kind_of(texts: &[Option<String>]) -> ColumnType {
    let mut guess = Guess::default();
    texts.iter().flatten().for_each(|text| guess.see(text));
    Some(guess.kind()).filter(|kind| *kind != ColumnType::Flag).unwrap_or(ColumnType::Text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Scan;

    #[test]
    fn a_table_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.parquet");
        let value = |row: usize, column: usize| {
            if row > 0 { Value::Null } else { [Value::from("one"), Value::Real(1.5)][column].clone() }
        };
        write_table(&path, [("name", ColumnType::Text), ("value", ColumnType::Real)], 2, value).unwrap();
        let answer = Scan::open(&[path]).unwrap().ask("SELECT * FROM puzzles").unwrap();
        let rows: Vec<_> = (0..answer.len()).map(|row| answer.row(row).unwrap()).collect();
        assert_eq!(serde_json::to_string(&rows).unwrap(), "[[\"one\",1.5],[null,null]]");
    }
}
