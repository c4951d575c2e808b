//! Reads chosen rows of a Parquet file, and only the columns that are needed.

use std::path::{Path, PathBuf};

use super::frame::{FrameReader, RowBatch};
use crate::corpus::values::error::{CorpusError, Result, RowError};
use crate::corpus::values::mapping::Mapping;
use crate::corpus::values::record::Record;
use sudoku_corpus_core::board::text::Signs;

const NEEDED: [&str; 2] = ["shape", "puzzle"];

/// A Parquet file from which rows are picked.
pub struct Picked {
    path: PathBuf,
    reader: FrameReader,
    mapping: Mapping,
}

/// The number of rows of a Parquet file, from its footer.
///
/// # Errors
/// A file that cannot be opened or is damaged.
pub fn count_rows(path: &Path) -> Result<u64> {
    Ok(FrameReader::open(path)?.len() as u64)
}

/// True if a Parquet file has the checksums of this program, which every reader compares, and rows that it wrote.
///
/// # Errors
/// A file that cannot be opened or is damaged.
pub fn has_own_rows(path: &Path) -> Result<bool> {
    Ok(FrameReader::open(path)?.has_own_rows())
}

impl Picked {
    /// Opens a file. Reading takes the columns for which `wanted` is true, and always those of the board.
    ///
    /// # Errors
    /// A file that cannot be opened, is damaged, or has no puzzles.
    pub fn open(path: &Path, wanted: impl Fn(&str) -> bool) -> Result<Picked> {
        let mut reader = FrameReader::open(path)?;
        if let Some(missing) = NEEDED.iter().find(|name| reader.names().iter().all(|present| present != *name)) {
            return Err(CorpusError::file(path, format!("no column '{missing}'")));
        }
        let mapping = Mapping::of_present(reader.names(), |name| NEEDED.contains(&name) || wanted(name));
        let names = mapping.places().map(|place| reader.names()[place].clone()).collect();
        reader.select(names);
        Ok(Picked { path: path.to_owned(), reader, mapping: mapping.packed() })
    }

    /// Reads the rows with these numbers, which must ascend, and returns what `keep` makes of each, in the same order.
    ///
    /// # Errors
    /// A damaged file, a row that is not a record, a number that is too large, an error of `keep`.
    pub fn rows<T, E: From<CorpusError>>(
        mut self,
        numbers: &[u64],
        mut keep: impl FnMut(Record) -> Result<T, E>,
    ) -> Result<Vec<T>, E> {
        let mut picked = Vec::with_capacity(numbers.len());
        let mut first = 0;
        while let (Some(next), Some(rows)) = (numbers.get(picked.len()), self.reader.peek()) {
            let end = first + rows as u64;
            if *next >= end {
                self.reader.skip();
            } else {
                let rows = self.reader.next().and_then(|rows| rows.ok_or_else(|| "it ends too early".to_owned()));
                let rows = rows.map_err(|reason| CorpusError::file(&self.path, reason))?;
                for &number in numbers[picked.len()..].iter().take_while(|number| **number < end) {
                    picked.push(keep(self.record(&rows, first, number)?)?);
                }
            }
            first = end;
        }
        if picked.len() < numbers.len() {
            return Err(CorpusError::file(&self.path, format!("it has no row {}", numbers[picked.len()])).into());
        }
        Ok(picked)
    }

    /// The row with a number, of rows that begin with number `first`.
    fn record(&self, rows: &RowBatch, first: u64, number: u64) -> Result<Record> {
        let place = number.checked_sub(first).map(|place| place as usize).filter(|place| *place < rows.len());
        let place = place.ok_or_else(|| CorpusError::file(&self.path, "rows out of order".to_owned()))?;
        let record = self.mapping.record(number, None, &Signs::default(), |column| rows.get(place, column));
        record.and_then(Record::without_fault).map_err(|reason| {
            CorpusError::Row(RowError { file: self.path.clone(), line: number + 1, column: None, reason })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::tests::{PUZZLE, puzzle, write_rows};

    #[test]
    fn chosen_rows_and_columns_are_read_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        let puzzle = puzzle(PUZZLE);
        let row = |index: u64| Record {
            hodoku_score: Some(index as u32),
            minimal: Some(true),
            ..Record::of_puzzle(index, puzzle.clone())
        };
        // More rows than one row group has.
        write_rows(&path, (0..70_000).map(row));
        assert_eq!(count_rows(&path).unwrap(), 70_000);
        let numbers = [0, 5, 6, 40_000, 69_999];
        let records =
            Picked::open(&path, |name| name == "hodoku_score").unwrap().rows(&numbers, Ok::<_, CorpusError>).unwrap();
        assert_eq!(records.iter().map(|record| u64::from(record.hodoku_score.unwrap())).collect::<Vec<_>>(), numbers);
        assert!(records.iter().all(|record| record.minimal.is_none() && record.puzzle.as_ref() == Some(&puzzle)));
        let beyond = Picked::open(&path, |_| false).unwrap().rows(&[3, 70_000], Ok::<_, CorpusError>);
        assert!(beyond.unwrap_err().to_string().ends_with("rows.parquet: it has no row 70000"));
        assert!(Picked::open(&path, |_| false).unwrap().rows(&[], Ok::<_, CorpusError>).unwrap().is_empty());
        assert!(Picked::open(&folder.path().join("nowhere.parquet"), |_| false).is_err());
    }
}
