//! A scan with row numbers, and answers by column.
//!
//! ```text
//!   files, one after the other       a.parquet        b.parquet
//!   row_number                       0 1 2 ... 9999 | 10000 10001 ...
//! ```
//!
//! A selection reads a few columns of every row, chooses among the numbers, and then reads only the chosen rows
//! completely.

use std::path::PathBuf;

use polars::io::RowIndex;
use polars::prelude::{LazyFrame, PlRefPath, ScanArgsParquet};

use super::guarded;
use super::scan::{Answer, Scan, hive_options, same_keys};

/// The name of the column of row numbers in a numbered scan.
pub const ROW_NUMBER: &str = "row_number";

impl Scan {
    /// Opens Parquet files that have the same columns, and adds the column [`ROW_NUMBER`]. It numbers the rows of all
    /// files from 0. `rows` is the first row and the number of rows to open; None opens all rows.
    ///
    /// # Errors
    /// The same as for [`Scan::open`].
    pub fn numbered(files: &[PathBuf], rows: Option<(u64, u64)>) -> Result<Scan, String> {
        let paths: Vec<PlRefPath> = files.iter().map(|file| PlRefPath::new(file.to_string_lossy())).collect();
        let row_index = Some(RowIndex { name: ROW_NUMBER.into(), offset: 0 });
        let hive_options = hive_options(same_keys(files));
        let arguments =
            ScanArgsParquet { glob: false, cache: false, row_index, hive_options, ..ScanArgsParquet::default() };
        let mut scanned = guarded(|| LazyFrame::scan_parquet_files(paths.into(), arguments))?;
        let schema = guarded(|| scanned.collect_schema())?;
        if let Some((first, count)) = rows {
            let count = count.try_into().map_err(|_| "too many rows at once".to_owned())?;
            scanned = scanned.slice(first as i64, count);
        }
        Ok(Scan::of_rows(scanned, &schema, files))
    }
}

impl Answer {
    /// A column of integers; a missing value is 0.
    ///
    /// # Errors
    /// The column does not exist or has other values.
    pub fn integers(&self, column: usize) -> Result<Vec<u64>, String> {
        let series = self.column(column)?;
        guarded(|| {
            let wide = series.cast(&polars::prelude::DataType::UInt64)?;
            Ok(wide.u64()?.iter().map(|number| number.unwrap_or(0)).collect())
        })
    }

    /// A column of real numbers.
    ///
    /// # Errors
    /// The same as for [`Answer::integers`].
    pub fn reals(&self, column: usize) -> Result<Vec<Option<f64>>, String> {
        let series = self.column(column)?;
        guarded(|| {
            let wide = series.cast(&polars::prelude::DataType::Float64)?;
            Ok(wide.f64()?.iter().collect())
        })
    }

    /// A column of flags; a missing one is false, as in conditions of SQL.
    ///
    /// # Errors
    /// The same as for [`Answer::integers`].
    pub fn flags(&self, column: usize) -> Result<Vec<bool>, String> {
        let series = self.column(column)?;
        guarded(|| Ok(series.bool()?.iter().map(|flag| flag.unwrap_or(false)).collect()))
    }

    /// Calls `each` with the texts of a column, in order.
    ///
    /// # Errors
    /// The same as for [`Answer::integers`].
    pub fn texts(&self, column: usize, mut each: impl FnMut(Option<&str>)) -> Result<(), String> {
        let series = self.column(column)?;
        guarded(|| {
            series.str()?.iter().for_each(&mut each);
            Ok(())
        })
    }

    fn column(&self, column: usize) -> Result<&polars::prelude::Column, String> {
        self.0.columns().get(column).ok_or_else(|| format!("the answer has no column {}", column + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Record, RowSink};
    use sudoku_corpus_core::board::Shape;

    fn files(folder: &std::path::Path) -> Vec<PathBuf> {
        ["a.parquet", "b.parquet"]
            .into_iter()
            .enumerate()
            .map(|(at, name)| {
                let path = folder.join(name);
                let mut sink = RowSink::create(&path, None).unwrap();
                for index in 0..5 {
                    let score = if index == 3 { None } else { Some(index as u32 * 10) };
                    let minimal = Some(index % 2 == 0);
                    sink.write(Record { score, minimal, ..Record::new(index + 5 * at as u64, Shape::NINE) }).unwrap();
                }
                sink.finish().unwrap();
                path
            })
            .collect()
    }

    #[test]
    fn row_numbers_continue_from_file_to_file_and_conditions_keep_them() {
        let folder = tempfile::tempdir().unwrap();
        let scan = Scan::numbered(&files(folder.path()), None).unwrap();
        let answer = scan.ask("SELECT row_number, index, score, minimal, shape FROM puzzles WHERE score > 15").unwrap();
        let mut rows: Vec<_> = answer.integers(0).unwrap().into_iter().zip(answer.integers(1).unwrap()).collect();
        rows.sort_unstable();
        assert_eq!(rows, [(2, 2), (4, 4), (7, 7), (9, 9)]);
        assert!(answer.reals(2).unwrap().iter().all(|score| score.unwrap() > 15.0));
        assert_eq!(answer.flags(3).unwrap(), [true; 4]);
        let mut shapes = 0;
        answer.texts(4, |shape| shapes += usize::from(shape == Some("3x3"))).unwrap();
        assert_eq!(shapes, 4);
        assert!(answer.flags(2).is_err() && answer.reals(9).is_err());
    }

    #[test]
    fn a_part_of_a_scan_keeps_its_row_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let scan = Scan::numbered(&files(folder.path()), Some((3, 4))).unwrap();
        let answer = scan.ask("SELECT row_number, score FROM puzzles WHERE index >= 0").unwrap();
        let mut rows = answer.integers(0).unwrap();
        rows.sort_unstable();
        assert_eq!(rows, [3, 4, 5, 6]);
        assert_eq!(answer.reals(1).unwrap().iter().filter(|score| score.is_none()).count(), 1);
    }
}
