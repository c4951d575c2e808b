//! Small tables of texts and numbers as Parquet: data beside a report, and tables for joins.

use std::io::{self, Write};
use std::path::Path;

use polars::prelude::{
    DataFrame, Field, Float64Chunked, Int64Chunked, IntoColumn, NewChunkedArray, ParquetWriter, Schema, StringChunked,
};

use super::{BatchedWriter, Failure, Watched, data_type, guarded, io_error, series, zstd};
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
}

/// Writes named columns of equal length atomically into a file.
///
/// # Errors
/// The system reports an error; the columns have different lengths.
pub fn write_table<N: AsRef<str>>(path: &Path, columns: Vec<(N, Cells)>) -> io::Result<()> {
    let rows = columns.first().map_or(0, |(_, cells)| cells.len());
    let columns = columns.into_iter().map(|(name, cells)| match cells {
        Cells::Text(texts) => StringChunked::from_iter_options(name.as_ref().into(), texts.into_iter()).into_column(),
        Cells::Real(numbers) => {
            Float64Chunked::from_iter_options(name.as_ref().into(), numbers.into_iter()).into_column()
        }
        Cells::Integer(numbers) => {
            Int64Chunked::from_iter_options(name.as_ref().into(), numbers.into_iter()).into_column()
        }
    });
    let columns = columns.collect();
    let file = AtomicFile::create(path)?;
    let written = guarded(|| {
        let mut frame = DataFrame::new(rows, columns)?;
        ParquetWriter::new(file.writer()).set_parallel(false).with_compression(zstd()?).finish(&mut frame)
    });
    written.map_err(io::Error::other)?;
    file.finish().map(|_| ())
}

/// Writes rows of any columns as Parquet, one row group for each call.
pub struct TableWriter<W: Write> {
    writer: BatchedWriter<Watched<W>>,
    failure: Failure,
    columns: Vec<(String, ColumnType)>,
}

impl<W: Write> TableWriter<W> {
    /// Begins a file with these columns.
    ///
    /// # Errors
    /// The system or polars reports an error.
    pub fn new(out: W, columns: Vec<(String, ColumnType)>) -> io::Result<TableWriter<W>> {
        let failure = Failure::default();
        let out = Watched { out, failure: failure.clone() };
        let field = |(name, kind): &(String, ColumnType)| Field::new(name.as_str().into(), data_type(*kind));
        let schema = Schema::from_iter(columns.iter().map(field));
        let begun =
            zstd().and_then(|zstd| ParquetWriter::new(out).with_compression(zstd).set_parallel(false).batched(&schema));
        let writer = begun.map_err(|error| io_error(&failure, &error))?;
        Ok(TableWriter { writer, failure, columns })
    }

    /// Writes rows, whose values `value` gives by row and column.
    ///
    /// # Errors
    /// The same as for [`TableWriter::new`]; usually the disk is full.
    pub fn write<'v>(&mut self, rows: usize, value: impl Fn(usize, usize) -> Value<'v>) -> io::Result<()> {
        let column = |(at, (name, kind)): (usize, &(String, ColumnType))| {
            series(name, *kind, (0..rows).map(|row| value(row, at)))
        };
        let columns = self.columns.iter().enumerate().map(column).collect();
        let written = DataFrame::new(rows, columns).and_then(|frame| self.writer.write_batch(&frame));
        written.map_err(|error| io_error(&self.failure, &error))
    }

    /// Writes the end of the file.
    ///
    /// # Errors
    /// The same as for [`TableWriter::write`].
    pub fn finish(self) -> io::Result<()> {
        self.writer.finish().map(drop).map_err(|error| io_error(&self.failure, &error))
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
