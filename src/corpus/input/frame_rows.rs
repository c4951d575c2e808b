//! Rows of a Parquet file.

use std::fs::File;

use crate::board::Shape;
use crate::corpus::frame::{FrameReader, Rows};
use crate::corpus::mapping::{self, Mapping, Want};
use crate::corpus::record::Record;

/// Rows of a Parquet file.
pub(super) struct FrameRows {
    reader: FrameReader,
    mapping: Mapping,
    rows: Option<Rows>,
    at: usize,
    /// Number of the last row, from 1.
    pub row: u64,
}

impl FrameRows {
    /// Opens a file, of which only the columns that are wanted will be read.
    ///
    /// # Errors
    /// A damaged file, columns that are missing: the reason.
    pub fn open(file: File, want: Want) -> Result<FrameRows, String> {
        let mut reader = FrameReader::open(file)?;
        if want == Want::Everything {
            let types = reader.types()?;
            mapping::check_types(&types, FrameReader::type_name)?;
        }
        let mapping = Mapping::new(reader.names(), want)?;
        let names = mapping.places().map(|place| reader.names()[place].clone()).collect();
        reader.select(names);
        // The rows hold the chosen columns only, in the order in which they were chosen.
        Ok(FrameRows { reader, mapping: mapping.packed(), rows: None, at: 0, row: 0 })
    }

    /// The next row; the outer error is one of the whole file.
    pub fn next(&mut self, index: u64, shape: Option<Shape>) -> Result<Option<Result<Record, String>>, String> {
        while self.rows.as_ref().is_none_or(|rows| self.at >= rows.len()) {
            self.at = 0;
            self.rows = self.reader.next()?;
            if self.rows.is_none() {
                return Ok(None);
            }
        }
        let (Some(rows), at) = (&self.rows, self.at) else { return Ok(None) };
        self.at += 1;
        self.row += 1;
        Ok(Some(self.mapping.record(index, shape, |column| rows.get(at, column))))
    }
}
