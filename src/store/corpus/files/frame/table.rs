//! Writes small tables of texts and numbers as Parquet: data beside a report, and tables for joins.

use std::fs::File;
use std::io;
use std::path::Path;

use polars_arrow::array::Array;
use polars_parquet::write::StatisticsOptions;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

use super::quotes::CheckedQuotes;
use super::{Column, RowGroups, data_type, schema};
use crate::corpus::files::durable::atomic::AtomicFile;
use crate::corpus::files::durable::output::Out;
use crate::corpus::values::column_names::{first_repeated, is_same_column};
use crate::corpus::values::error::in_words;
use crate::corpus::values::guess::{Guess, flag_of, integer_of, real_of};
use crate::corpus::values::reading::Steady;
use crate::corpus::values::value::{ColumnType, Value};
use sudoku_corpus_core::board::text;

const ROW_GROUP: usize = 1 << 18;

/// Writes rows of named columns atomically into a file. `value` gives the values by row and column.
pub fn write_table<'v, N: ToString>(
    path: &Path,
    columns: impl IntoIterator<Item = (N, ColumnType)>,
    rows: usize,
    value: impl Fn(usize, usize) -> Value<'v> + Sync,
) -> io::Result<()> {
    let file = AtomicFile::create(path)?.keeping_newer();
    let named = columns.into_iter().map(|(name, kind)| (name.to_string(), kind));
    let mut table = TableWriter::new(Box::new(file.writer()?), named.collect(), None)?;
    for first in (0..rows).step_by(ROW_GROUP) {
        table.write(ROW_GROUP.min(rows - first), |row, column| value(first + row, column))?;
    }
    table.finish()?;
    file.finish()
}

/// Writes rows of any columns as Parquet, one row group for each call.
pub(crate) struct TableWriter<'o> {
    file: RowGroups<'o>,
    columns: Vec<(String, ColumnType)>,
}

impl<'o> TableWriter<'o> {
    /// Begins a file with these columns, and with metadata of this program if there are any.
    pub(crate) fn new(
        out: Out<'o>,
        columns: Vec<(String, ColumnType)>,
        metadata: Option<&str>,
    ) -> io::Result<TableWriter<'o>> {
        TableWriter::begin(out, columns, metadata, StatisticsOptions::default())
    }

    /// Begins a file of many columns, without the least and the greatest value of each row group: they would stay in
    /// memory until the file ends.
    pub(crate) fn wide(out: Out<'o>, columns: Vec<(String, ColumnType)>) -> io::Result<TableWriter<'o>> {
        TableWriter::begin(out, columns, None, StatisticsOptions::empty())
    }

    fn begin(
        out: Out<'o>,
        columns: Vec<(String, ColumnType)>,
        metadata: Option<&str>,
        statistics: StatisticsOptions,
    ) -> io::Result<TableWriter<'o>> {
        let schema = schema(columns.iter().map(|(name, kind)| (name.as_str().into(), data_type(*kind))));
        let file = RowGroups::begin(out, schema, metadata, statistics)?;
        Ok(TableWriter { file, columns })
    }

    /// Writes rows, whose values `value` gives by row and column. Those of one column for each thread are in memory.
    pub(crate) fn write<'v>(
        &mut self,
        rows: usize,
        value: impl Fn(usize, usize) -> Value<'v> + Sync,
    ) -> io::Result<()> {
        let numbered = self.columns.par_iter().enumerate();
        self.file.write(rows, numbered.map(|(number, (_, kind))| array_of(*kind, rows, |row| value(row, number))))
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        self.file.finish()
    }
}

/// The values of a column of a row group.
fn array_of<'v>(kind: ColumnType, rows: usize, value: impl Fn(usize) -> Value<'v>) -> Box<dyn Array> {
    let mut column = Column::new(kind);
    (0..rows).for_each(|row| column.push(row, value(row)));
    column.array(rows)
}

/// The largest number of values of a CSV file with any columns. They are all in memory.
const MOST_CELLS: usize = 50_000_000;

/// Makes Parquet from a CSV file with any columns. If all fields of a column are flags, integers or numbers, or empty,
/// it becomes a column of these. Otherwise it becomes a column of texts. An empty field is NULL. Returns notes about the
/// columns of numbers that became texts.
///
/// # Errors
/// The reason, without the path of the file.
pub(crate) fn write_csv_as_parquet(csv: &Path, parquet: &Path) -> Result<Vec<String>, String> {
    let file = File::open(csv).map_err(|error| in_words(&error))?;
    let mut reader = csv::Reader::from_reader(CheckedQuotes::new(Steady(file)));
    let names: Vec<String> = reader.headers().map_err(|error| in_words(&error))?.iter().map(str::to_owned).collect();
    if names.is_empty() {
        return Err("it has no columns".to_owned());
    }
    if names.iter().any(|name| text::parse_line(name, None).is_ok()) {
        return Err(
            "its first line is a puzzle, not the names of columns; `analyze` makes a table of puzzles".to_owned()
        );
    }
    if let Some(name) = first_repeated(names.iter().map(String::as_str)) {
        return Err(format!("two columns are called '{name}'"));
    }
    let mut columns: Vec<Vec<Option<String>>> = vec![Vec::new(); names.len()];
    for row in reader.records() {
        let row = row.map_err(|error| in_words(&error))?;
        for (column, field) in columns.iter_mut().zip(&row) {
            column.push((!field.is_empty()).then(|| field.to_owned()));
        }
        if columns.len() * columns[0].len() > MOST_CELLS {
            return Err(format!("more than {MOST_CELLS} cells; convert the file to Parquet"));
        }
    }
    let mut kinds = Vec::new();
    let mut notes = Vec::new();
    for (name, texts) in names.iter().zip(&columns) {
        let mut guess = Guess::default();
        texts.iter().flatten().for_each(|text| guess.see(text));
        // The digits of a small board look like a number.
        let is_board = ["puzzle", "solution"].iter().any(|board| is_same_column(board, name));
        kinds.push(if is_board { ColumnType::Text } else { guess.kind() });
        notes.extend(guess.why_texts().map(|reason| reason.note(name)));
    }
    let value = |row: usize, column: usize| match (kinds[column], columns[column][row].as_deref()) {
        (_, None) => Value::Null,
        (ColumnType::Flag, Some(text)) => flag_of(text).map_or(Value::Null, Value::Flag),
        (ColumnType::Signed, Some(text)) => integer_of(text).map_or(Value::Null, Value::Signed),
        (ColumnType::Real, Some(text)) => real_of(text).map_or(Value::Null, Value::Real),
        (_, Some(text)) => text.into(),
    };
    let rows = columns.first().map_or(0, Vec::len);
    let named = names.into_iter().zip(kinds.iter().copied());
    write_table(parquet, named, rows, value).map_err(|error| error.to_string())?;
    Ok(notes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Scan;

    /// What stays in memory until the file ends is smaller without the least and greatest values, and the rows are the
    /// same.
    #[test]
    fn a_wide_table_says_less_of_its_row_groups() {
        let written = |statistics: StatisticsOptions| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("table.parquet");
            let columns = (0..50).map(|number| (format!("c{number}"), ColumnType::Real)).collect();
            let mut table =
                TableWriter::begin(Box::new(File::create(&path).unwrap()), columns, None, statistics).unwrap();
            (0..4).for_each(|_| table.write(3, |row, column| Value::Real((row * column) as f64)).unwrap());
            table.finish().unwrap();
            let answer =
                Scan::open(std::slice::from_ref(&path)).unwrap().ask("SELECT sum(c7), count(*) FROM puzzles").unwrap();
            assert_eq!(serde_json::to_string(&answer.row(0).unwrap()).unwrap(), "[84.0,12]");
            std::fs::metadata(&path).unwrap().len()
        };
        assert!(written(StatisticsOptions::empty()) * 5 < written(StatisticsOptions::default()) * 4);
    }

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
