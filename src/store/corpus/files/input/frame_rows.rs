//! Reads the rows of a Parquet file.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use super::Reading;
use super::rows::{ColumnTable, Content, Found, RowReader, SAMPLE, Values};
use crate::corpus::files::frame::{FrameReader, RowBatch};
use crate::corpus::files::metadata::{FORMAT_VERSION, Metadata};
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::mapping::{KEY_COLUMNS, Mapping, Want};
use crate::corpus::values::value::{ColumnType, Value};

pub(super) struct FrameRows {
    reader: FrameReader,
    table: ColumnTable,
    /// The chosen columns alone, in the order in which they were chosen: those of `batch`.
    packed: Arc<ColumnTable>,
    /// The rows that were read together last.
    batch: Option<Arc<RowBatch>>,
    /// The next row of `batch`, from 0.
    next_in_batch: usize,
    /// The number of rows that were passed on.
    rows: u64,
}

impl FrameRows {
    /// Opens a file and reads the wanted columns only.
    pub(super) fn open(file: &File, path: &Path, how: &Reading) -> Result<FrameRows> {
        let wrong = |reason: String| CorpusError::file(path, reason);
        let reader = FrameReader::of(file, path)?;
        let names = reader.names().to_vec();
        let kinds = reader.kinds();
        let has = |wanted: &str| names.iter().any(|name| name == wanted);
        // Our own rows lack only columns that have no value in any row. Another program may have left out more.
        let is_table_of_ours = is_of_this_version(reader.metadata()) || KEY_COLUMNS.iter().all(|name| has(name));
        let ours = has("puzzle") && is_table_of_ours;
        let mapping = match ours && how.want == Want::Most && how.column.is_none() {
            true => Mapping::of_present(&names, |_| true),
            false => {
                let mut unread = None;
                let rows = || {
                    let rows = FrameReader::of(file, path).and_then(|reader| sampled(reader, &kinds).map_err(wrong));
                    rows.map_err(|error| unread = Some(error)).unwrap_or_default()
                };
                let mapping = Mapping::of_table(&names, Some(&kinds), &how.asked(), rows);
                unread.map_or(mapping.map_err(|reason| wrong(reason.reason())), Err)?
            }
        };
        let table = ColumnTable::new(names, Some(kinds), mapping);
        let packed = table.clone().into();
        let mut rows = FrameRows { reader, packed, table, batch: None, next_in_batch: 0, rows: 0 };
        rows.select();
        Ok(rows)
    }

    fn select(&mut self) {
        let ColumnTable { names, mapping, .. } = &self.table;
        let places = mapping.places().chain(mapping.places_of_rules());
        self.reader.select(places.map(|place| names[place].clone()).collect());
        self.packed = ColumnTable { mapping: mapping.packed(), ..self.table.clone() }.into();
    }
}

/// The first rows of the columns of texts.
fn sampled(mut reader: FrameReader, kinds: &[Option<ColumnType>]) -> Result<Vec<Vec<String>>, String> {
    let texts: Vec<usize> = (0..kinds.len()).filter(|&place| kinds[place] == Some(ColumnType::Text)).collect();
    reader.select(texts.iter().map(|&place| reader.names()[place].clone()).collect());
    let Some(rows) = reader.next()? else { return Ok(Vec::new()) };
    let row = |number: usize| {
        let mut row = vec![String::new(); kinds.len()];
        for (column, &place) in texts.iter().enumerate() {
            if let Value::Text(text) = rows.get(number, column)? {
                row[place] = text.into_owned();
            }
        }
        Ok(row)
    };
    (0..rows.len().min(SAMPLE)).map(row).collect()
}

/// True for the metadata of a file of this version of the format.
fn is_of_this_version(metadata: Option<&str>) -> bool {
    let read = metadata.and_then(|json| serde_json::from_str::<Metadata>(json).ok());
    read.is_some_and(|metadata| metadata.format_version == FORMAT_VERSION)
}

impl RowReader for FrameRows {
    fn next(&mut self) -> Result<Option<Found>, String> {
        loop {
            if let Some(batch) = self.batch.as_ref().filter(|batch| self.next_in_batch < batch.len()) {
                let values = Values::Batch { rows: batch.clone(), row: self.next_in_batch };
                self.next_in_batch += 1;
                self.rows += 1;
                return Ok(Some(Found { line: self.rows, content: Content::Values(values, self.packed.clone()) }));
            }
            let Some(batch) = self.reader.next()? else { return Ok(None) };
            self.batch = Some(batch.into());
            self.next_in_batch = 0;
        }
    }

    fn has_checksums(&self) -> bool {
        self.reader.has_own_rows()
    }

    fn table(&self) -> Option<&ColumnTable> {
        Some(&self.table)
    }

    fn set_table(&mut self, table: ColumnTable) {
        self.table = table;
        self.select();
    }
}
