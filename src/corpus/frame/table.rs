//! Small tables of texts and numbers as Parquet: the data beside a report.

use std::io;
use std::path::Path;

use polars::prelude::{DataFrame, Float64Chunked, IntoColumn, NewChunkedArray, ParquetWriter, StringChunked};

use super::{guarded, zstd};
use crate::corpus::atomic::AtomicFile;

/// The values of a column; none is null.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Texts.
    Text(Vec<Option<String>>),
    /// Real numbers.
    Real(Vec<Option<f64>>),
}

impl Cells {
    fn len(&self) -> usize {
        match self {
            Cells::Text(texts) => texts.len(),
            Cells::Real(numbers) => numbers.len(),
        }
    }
}

/// Writes named columns of equal length into a file, which appears under its name when it is whole.
///
/// # Errors
/// What the system says; columns of different lengths.
pub fn write_table(path: &Path, columns: Vec<(&'static str, Cells)>) -> io::Result<()> {
    let rows = columns.first().map_or(0, |(_, cells)| cells.len());
    let columns = columns.into_iter().map(|(name, cells)| match cells {
        Cells::Text(texts) => StringChunked::from_iter_options(name.into(), texts.into_iter()).into_column(),
        Cells::Real(numbers) => Float64Chunked::from_iter_options(name.into(), numbers.into_iter()).into_column(),
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
