//! Rows of a Parquet file.

use std::fs::File;

use crate::board::Shape;
use crate::corpus::columns::ColumnType;
use crate::corpus::frame::{FrameReader, Rows};
use crate::corpus::mapping::{self, Mapping, Want};
use crate::corpus::record::Record;

/// Rows of a Parquet file.
pub(super) struct FrameRows {
    reader: FrameReader,
    /// All columns of the file, and their types where they are read here.
    names: Vec<String>,
    kinds: Vec<Option<ColumnType>>,
    mapping: Mapping,
    packed: Mapping,
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
        if matches!(want, Want::Everything | Want::Rows) {
            let types = reader.types()?;
            mapping::check_types(&types, FrameReader::type_name)?;
        }
        let names = reader.names().to_vec();
        let mapping = Mapping::new(&names, want)?;
        let kinds = reader.kinds()?;
        reader.select(mapping.places().map(|place| names[place].clone()).collect());
        // The rows hold the chosen columns only, in the order in which they were chosen.
        let packed = mapping.packed();
        Ok(FrameRows { reader, names, kinds, mapping, packed, rows: None, at: 0, row: 0 })
    }

    /// Which columns go where.
    pub fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// Passes on the columns of other programs, but for those of types that are not read here: lists, dates.
    pub fn keep_outside(&mut self) {
        self.mapping = self.mapping.clone().with_outside(&self.names, |place| self.kinds[place]);
        self.packed = self.mapping.packed();
        self.reader.select(self.mapping.places().map(|place| self.names[place].clone()).collect());
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
        Ok(Some(self.packed.record(index, shape, |column| rows.get(at, column))))
    }
}
