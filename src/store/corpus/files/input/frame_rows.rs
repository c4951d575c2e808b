//! Reads the rows of a Parquet file.

use std::fs::File;
use std::path::Path;

use super::{Reading, Row, RowReader};
use crate::corpus::files::frame::{self, FrameReader};
use crate::corpus::files::metadata::{FORMAT_VERSION, Metadata};
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::mapping::{self, Mapping, Want};
use crate::corpus::values::value::ColumnType;

pub(super) struct FrameRows {
    reader: FrameReader,
    /// The names of all columns of the file.
    names: Vec<String>,
    /// The types of these columns. None for types that we cannot read.
    kinds: Vec<Option<ColumnType>>,
    /// The places of the chosen columns in the file.
    mapping: Mapping,
    /// The places of the chosen columns in `rows`.
    packed: Mapping,
    rows: Option<frame::RowBatch>,
    /// The next row in `rows`, from 0.
    at: usize,
    /// The number of the last row in the file, from 1.
    row: u64,
}

impl FrameRows {
    /// Opens a file and reads the wanted columns only.
    pub(super) fn open(file: &File, path: &Path, how: &Reading) -> Result<FrameRows> {
        let reader = FrameReader::of(file, path)?;
        FrameRows::of(reader, how).map_err(|reason| CorpusError::file(path, reason))
    }

    fn of(mut reader: FrameReader, how: &Reading) -> Result<FrameRows, String> {
        let want = how.want;
        let names = reader.names().to_vec();
        let mut want = want;
        // Our own rows lack only columns that have no value in any row.
        let ours = names.iter().any(|name| name == "puzzle") && is_of_this_version(reader.metadata());
        let ours = ours && want == Want::Most;
        if !ours && want != Want::Boards && want != Want::Known {
            let types = reader.types()?;
            match mapping::check_types(&types, FrameReader::type_name) {
                Err(_) if want == Want::Most => want = Want::Boards,
                checked => checked?,
            }
        }
        let mapping = match &how.column {
            _ if ours => Mapping::known(&names, |_| true),
            None => Mapping::new(&names, want)?,
            Some(column) => {
                let place = |name: &str| names.iter().position(|found| found == name);
                let columns = [("puzzle", place(column)), ("solution", place("solution"))];
                let columns: Vec<(&str, usize)> =
                    columns.into_iter().filter_map(|(name, at)| Some((name, at?))).collect();
                Mapping::of_columns(&names, want, if place(column).is_some() { &columns } else { &[] })?
            }
        };
        let kinds = reader.kinds()?;
        reader.select(mapping.places().map(|place| names[place].clone()).collect());
        // The rows have only the chosen columns, in the order in which they were chosen.
        let packed = mapping.packed();
        Ok(FrameRows { reader, names, kinds, mapping, packed, rows: None, at: 0, row: 0 })
    }
}

/// True for the metadata of a file of this version of the format.
fn is_of_this_version(metadata: Option<&str>) -> bool {
    let read = metadata.and_then(|json| serde_json::from_str::<Metadata>(json).ok());
    read.is_some_and(|metadata| metadata.format_version == FORMAT_VERSION)
}

impl RowReader for FrameRows {
    fn next(&mut self, index: u64, how: &Reading) -> Result<Option<Row>, String> {
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
        let record = self.packed.record(index, how.shape, &how.signs, |column| rows.get(at, column));
        Ok(Some((self.row, record.map_err(|reason| (None, reason)))))
    }

    fn mapping(&self) -> Option<&Mapping> {
        Some(&self.mapping)
    }

    /// Leaves out columns of types that we cannot read: lists, dates.
    fn keep_outside(&mut self, _: &[ColumnType]) {
        self.mapping = self.mapping.clone().with_outside(&self.names, |place| self.kinds[place]);
        self.packed = self.mapping.packed();
        self.reader.select(self.mapping.places().map(|place| self.names[place].clone()).collect());
    }
}
