//! Reads chosen rows of a Parquet file, and only the columns that are needed.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::error::{CorpusError, Result, RowError};
use super::frame::FrameReader;
use super::mapping::Mapping;
use super::record::Record;

/// The columns that every board needs.
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
    Ok(open(path)?.len() as u64)
}

fn open(path: &Path) -> Result<FrameReader> {
    let file = File::open(path).map_err(CorpusError::io("open", path))?;
    FrameReader::open(file).map_err(|reason| CorpusError::file(path, reason))
}

impl Picked {
    /// Opens a file. Reading takes the columns for which `wanted` is true, and always those of the board.
    ///
    /// # Errors
    /// A file that cannot be opened, is damaged, or has no puzzles.
    pub fn open(path: &Path, wanted: impl Fn(&str) -> bool) -> Result<Picked> {
        let mut reader = open(path)?;
        if let Some(missing) = NEEDED.iter().find(|name| reader.names().iter().all(|found| found != *name)) {
            return Err(CorpusError::file(path, format!("no column '{missing}'")));
        }
        let mapping = Mapping::known(reader.names(), |name| NEEDED.contains(&name) || wanted(name));
        let names = mapping.places().map(|place| reader.names()[place].clone()).collect();
        reader.select(names);
        Ok(Picked { path: path.to_owned(), reader, mapping: mapping.packed() })
    }

    /// Reads the rows with these numbers, which must ascend. The records have the same order.
    ///
    /// # Errors
    /// A damaged file, a row that is not a record, a number that is too large.
    pub fn rows(mut self, numbers: &[u64]) -> Result<Vec<Record>> {
        let mut records = Vec::with_capacity(numbers.len());
        let mut first = 0;
        while let (Some(next), Some(rows)) = (numbers.get(records.len()), self.reader.peek()) {
            let end = first + rows as u64;
            if *next >= end {
                self.reader.skip();
            } else {
                self.take(first, end, numbers, &mut records)?;
            }
            first = end;
        }
        if records.len() < numbers.len() {
            return Err(CorpusError::file(&self.path, format!("it has no row {}", numbers[records.len()])));
        }
        Ok(records)
    }

    /// Appends the wanted rows of `first..end`, which are the next rows of the reader.
    fn take(&mut self, first: u64, end: u64, numbers: &[u64], records: &mut Vec<Record>) -> Result<()> {
        let wrong = |reason: String| CorpusError::file(&self.path, reason);
        let rows = self.reader.next().map_err(wrong)?.ok_or_else(|| wrong("it ends too early".to_owned()))?;
        for &number in numbers[records.len()..].iter().take_while(|number| **number < end) {
            let at = number.checked_sub(first).map(|at| at as usize).filter(|at| *at < rows.len());
            let at = at.ok_or_else(|| wrong("rows out of order".to_owned()))?;
            let record = self.mapping.record(number, None, |column| rows.get(at, column));
            records.push(record.map_err(|reason| {
                CorpusError::Row(RowError { file: self.path.clone(), line: number + 1, column: None, reason })
            })?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Puzzle, text};
    use crate::corpus::RowSink;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn chosen_rows_and_columns_are_read_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        let mut sink = RowSink::create(&path, None).unwrap();
        let puzzle = Puzzle::try_from(text::parse_line(PUZZLE, None).unwrap()).unwrap();
        // More rows than one row group has.
        for index in 0..70_000 {
            let score = Some(index as u32);
            sink.write(Record { score, minimal: Some(true), ..Record::of_puzzle(index, puzzle.clone()) }).unwrap();
        }
        sink.finish().unwrap();
        assert_eq!(count_rows(&path).unwrap(), 70_000);
        let numbers = [0, 5, 6, 40_000, 69_999];
        let records = Picked::open(&path, |name| name == "score").unwrap().rows(&numbers).unwrap();
        assert_eq!(records.iter().map(|record| u64::from(record.score.unwrap())).collect::<Vec<_>>(), numbers);
        assert!(records.iter().all(|record| record.minimal.is_none() && record.puzzle.as_ref() == Some(&puzzle)));
        let beyond = Picked::open(&path, |_| false).unwrap().rows(&[3, 70_000]);
        assert!(beyond.unwrap_err().to_string().ends_with("rows.parquet: it has no row 70000"));
        assert!(Picked::open(&path, |_| false).unwrap().rows(&[]).unwrap().is_empty());
        assert!(Picked::open(&folder.path().join("nowhere.parquet"), |_| false).is_err());
    }
}
