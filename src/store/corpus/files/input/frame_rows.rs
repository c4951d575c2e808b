//! Reads the rows of a Parquet file.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use super::{Found, Reading, Row, RowReader};
use crate::corpus::files::frame::{FrameReader, RowBatch};
use crate::corpus::files::metadata::{FORMAT_VERSION, Metadata};
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::mapping::{self, Mapping, Want};
use crate::corpus::values::record::Record;
use crate::corpus::values::value::ColumnType;

/// The rows of a Parquet file.
pub(super) struct FrameRows {
    reader: FrameReader,
    /// The names of all columns of the file.
    names: Vec<String>,
    /// The types of these columns. None for types that we cannot read.
    kinds: Vec<Option<ColumnType>>,
    /// The places of the chosen columns in the file.
    mapping: Mapping,
    /// The places of the chosen columns in `rows`.
    packed: Arc<Mapping>,
    /// The rows that were read together last.
    rows: Option<Arc<ValuesOfRows>>,
    /// The next row in `rows`, from 0.
    at: usize,
    /// The number of the last row in the file, from 1.
    row: u64,
}

/// The values of rows that were read together.
pub(crate) struct ValuesOfRows {
    rows: RowBatch,
    packed: Arc<Mapping>,
}

impl ValuesOfRows {
    /// The record of a row, or the reason why it has none.
    pub(super) fn record(&self, at: usize, index: u64, how: &Reading) -> Result<Record, String> {
        self.packed.record(index, how.shape, &how.signs, |column| self.rows.get(at, column))
    }
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
        let packed = mapping.packed().into();
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
        Ok(self.find(index, how)?.map(|found| found.read(index, how)))
    }

    fn find(&mut self, _: u64, _: &Reading) -> Result<Option<Found>, String> {
        loop {
            match &self.rows {
                Some(values) if self.at < values.rows.len() => {
                    self.at += 1;
                    self.row += 1;
                    return Ok(Some(Found::Values(self.row, values.clone(), self.at - 1)));
                }
                _ => {}
            }
            let Some(rows) = self.reader.next()? else { return Ok(None) };
            (self.rows, self.at) = (Some(ValuesOfRows { rows, packed: self.packed.clone() }.into()), 0);
        }
    }

    fn mapping(&self) -> Option<&Mapping> {
        Some(&self.mapping)
    }

    /// Leaves out columns of types that we cannot read: lists, dates.
    fn keep_outside(&mut self, _: &[ColumnType]) {
        self.mapping = self.mapping.clone().with_outside(&self.names, |place| self.kinds[place]);
        self.packed = self.mapping.packed().into();
        self.reader.select(self.mapping.places().map(|place| self.names[place].clone()).collect());
    }
}
