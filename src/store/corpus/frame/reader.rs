//! Reads Parquet files, some rows at a time.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use polars::io::mmap::MmapBytesReader;
use polars::io::parquet::metadata::{FileMetadata, FileMetadataRef};
use polars::prelude::{
    ArrowDataType, DataType, Field, ParallelStrategy, ParquetReader, ParquetWriter, PolarsError, Schema, SerReader,
    infer_schema,
};

use super::pages::check_pages;
use super::values::Values;
use super::{METADATA_KEY, data_type, guarded, zstd};
use crate::corpus::columns::ColumnType;

/// The largest number of rows that are decoded together.
const READ_ROWS: usize = 32_768;

/// A Parquet file being read, some rows at a time.
pub struct FrameReader {
    file: File,
    metadata: FileMetadataRef,
    /// The columns to read, in this order.
    names: Vec<String>,
    /// The number of rows that are left to read in each unfinished row group. The last entry is the next group.
    groups: Vec<usize>,
    next_row: usize,
    /// The row group whose page headers were checked last.
    checked: Option<usize>,
    had_dictionaries: bool,
}

/// Some rows of a Parquet file, column by column.
pub struct Rows {
    pub(super) columns: Vec<Values>,
    pub(super) rows: usize,
}

impl FrameReader {
    /// Opens a file and checks the sizes in its footer.
    ///
    /// # Errors
    /// The file is not Parquet, is damaged, or cannot be read: the reason, without the path.
    pub fn open(file: File) -> Result<FrameReader, String> {
        let length = file.metadata().map_err(|error| error.to_string())?.len();
        if length < 12 {
            return Err("not a Parquet file: too short".to_owned());
        }
        let metadata = guarded(|| reader(&file)?.get_metadata().cloned())?;
        guarded(|| Ok(check_sizes(&metadata, length)))??;
        let plain = guarded(|| plain(&metadata))?;
        let (metadata, had_dictionaries) = plain.map_or((metadata, false), |plain| (plain, true));
        let groups = metadata.row_groups.iter().rev().map(|group| group.num_rows()).collect();
        let mut frame =
            FrameReader { file, metadata, names: Vec::new(), groups, next_row: 0, checked: None, had_dictionaries };
        frame.names = guarded(|| Ok(frame.reader()?.schema()?.iter_names().map(|name| name.to_string()).collect()))?;
        Ok(frame)
    }

    /// A polars reader of the file that uses the checked footer.
    pub(super) fn reader(&self) -> Result<ParquetReader<Box<dyn MmapBytesReader>>, PolarsError> {
        let mut reader = reader(&self.file)?;
        reader.set_metadata(self.metadata.clone());
        Ok(reader)
    }

    /// True if the file has dictionary columns, such as categories of pandas. They are read as plain columns.
    pub fn had_dictionaries(&self) -> bool {
        self.had_dictionaries
    }

    /// Copies all rows into a file without dictionary columns, one row group at a time.
    ///
    /// # Errors
    /// The same as for [`FrameReader::next`]; the disk is full.
    pub fn copy_to(&self, out: File) -> Result<(), String> {
        guarded(|| {
            let schema = self.reader()?.schema()?;
            let schema: Schema = schema
                .iter_values()
                .map(|field| Field::new(field.name.clone(), DataType::from_arrow_field(field)))
                .collect();
            let mut writer = ParquetWriter::new(out).with_compression(zstd()?).set_parallel(false).batched(&schema)?;
            let mut start = 0;
            for group in &self.metadata.row_groups {
                let slice = Some((start, group.num_rows()));
                let mut frame = self.reader()?.with_slice(slice).read_parallel(ParallelStrategy::None).finish()?;
                start += group.num_rows();
                writer.write_batch(frame.align_chunks())?;
            }
            writer.finish().map(drop)
        })
    }

    /// The names of the columns that are read.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of each column of the file, and the name of its type in polars.
    ///
    /// # Errors
    /// The same as for [`FrameReader::open`].
    pub fn types(&self) -> Result<Vec<(String, String)>, String> {
        guarded(|| {
            let schema = self.reader()?.schema()?;
            let typed = |field: &polars::prelude::ArrowField| {
                (field.name.to_string(), DataType::from_arrow_field(field).to_string())
            };
            Ok(schema.iter_values().map(typed).collect())
        })
    }

    /// The types of all columns of the file. None for types that we cannot read.
    ///
    /// # Errors
    /// The same as for [`FrameReader::open`].
    pub fn kinds(&self) -> Result<Vec<Option<ColumnType>>, String> {
        guarded(|| {
            let kind = |field: &polars::prelude::ArrowField| match DataType::from_arrow_field(field) {
                DataType::Boolean => Some(ColumnType::Flag),
                DataType::UInt32 => Some(ColumnType::Unsigned32),
                DataType::UInt8 | DataType::UInt16 | DataType::UInt64 => Some(ColumnType::Unsigned64),
                DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => Some(ColumnType::Signed),
                DataType::Float32 | DataType::Float64 => Some(ColumnType::Real),
                DataType::String => Some(ColumnType::Text),
                _ => None,
            };
            let schema = self.reader()?.schema()?;
            // polars panics at types that it was compiled without.
            let known = |field| catch_unwind(AssertUnwindSafe(|| kind(field))).unwrap_or(None);
            Ok(schema.iter_values().map(known).collect())
        })
    }

    /// The name of a column type, as [`FrameReader::types`] gives it.
    pub fn type_name(kind: ColumnType) -> String {
        data_type(kind).to_string()
    }

    /// Reads only these columns.
    pub fn select(&mut self, names: Vec<String>) {
        self.names = names;
        self.checked = None;
    }

    /// The metadata of this program, if the file has any.
    pub fn metadata(&self) -> Option<&str> {
        let pairs = self.metadata.key_value_metadata().as_ref()?;
        pairs.iter().find(|pair| pair.key == METADATA_KEY)?.value.as_deref()
    }

    /// Number of rows of the file.
    pub fn len(&self) -> usize {
        self.metadata.num_rows
    }

    /// The number of rows that [`FrameReader::next`] will return. None at the end.
    pub fn peek(&mut self) -> Option<usize> {
        while self.groups.last() == Some(&0) {
            self.groups.pop();
        }
        self.groups.last().map(|left| (*left).min(READ_ROWS))
    }

    /// Skips the rows that [`FrameReader::next`] would return.
    pub fn skip(&mut self) {
        if let (Some(rows), Some(left)) = (self.peek(), self.groups.last_mut()) {
            *left -= rows;
            self.next_row += rows;
        }
    }

    /// Checks the page headers of all columns to read.
    ///
    /// # Errors
    /// The same as for [`FrameReader::next`].
    pub fn check(&self) -> Result<(), String> {
        (0..self.metadata.row_groups.len())
            .try_for_each(|group| check_group(&self.file, &self.metadata, group, &self.names))
    }

    /// The next rows. None at the end.
    ///
    /// # Errors
    /// The file is damaged: the reason, without the path.
    pub fn next(&mut self) -> Result<Option<Rows>, String> {
        let Some(rows) = self.peek() else { return Ok(None) };
        let group = self.metadata.row_groups.len() - self.groups.len();
        if self.checked != Some(group) {
            check_group(&self.file, &self.metadata, group, &self.names)?;
            self.checked = Some(group);
        }
        let start = self.next_row;
        self.skip();
        let frame = guarded(|| {
            let reader = self.reader()?;
            reader
                .with_slice(Some((start, rows)))
                .with_columns(Some(self.names.clone()))
                .read_parallel(ParallelStrategy::None)
                .set_rechunk(true)
                .finish()
        })?;
        if frame.columns().iter().any(|column| column.len() != rows) {
            return Err("damaged: its columns have different lengths".to_owned());
        }
        let columns = guarded(|| frame.columns().iter().map(Values::of).collect())?;
        Ok(Some(Rows { columns, rows }))
    }
}

/// A polars reader of an open file.
fn reader(file: &File) -> Result<ParquetReader<Box<dyn MmapBytesReader>>, PolarsError> {
    let file: Box<dyn MmapBytesReader> = Box::new(file.try_clone()?);
    Ok(ParquetReader::new(file))
}

/// The footer without the Arrow schema, if that schema has dictionaries: Parquet stores categories of pandas as texts,
/// so they can be read as texts. None if nothing has to change.
fn plain(metadata: &FileMetadataRef) -> Result<Option<FileMetadataRef>, PolarsError> {
    const ARROW_SCHEMA: &str = "ARROW:schema";
    let schema = infer_schema(metadata)?;
    if !schema.iter_values().any(|field| matches!(field.dtype, ArrowDataType::Dictionary(..))) {
        return Ok(None);
    }
    let mut plain = FileMetadata::clone(metadata);
    if let Some(pairs) = &mut plain.key_value_metadata {
        pairs.retain(|pair| pair.key != ARROW_SCHEMA);
    }
    Ok(Some(Arc::new(plain)))
}

/// Refuses footers whose sizes the file cannot have.
fn check_sizes(metadata: &FileMetadata, length: u64) -> Result<(), String> {
    let damaged = |what: &str| Err(format!("damaged: its footer {what}"));
    let mut rows = 0usize;
    for group in &metadata.row_groups {
        rows = rows.saturating_add(group.num_rows());
        if group.num_rows() >= 1 << 28 {
            return damaged("counts more rows than a row group can have");
        }
        for chunk in group.parquet_columns() {
            let range = chunk.byte_range();
            if range.start > range.end || range.end > length {
                return damaged("points outside of the file");
            }
            if chunk.num_values() < 0 || (chunk.num_values() as u64) >= 1 << 32 {
                return damaged("counts more values than a column can have");
            }
        }
    }
    if rows == metadata.num_rows { Ok(()) } else { damaged("counts more or fewer rows than its row groups") }
}

/// Checks the page headers of the columns to read in a row group.
fn check_group(file: &File, metadata: &FileMetadata, group: usize, names: &[String]) -> Result<(), String> {
    let group = &metadata.row_groups[group];
    for name in names {
        for chunk in guarded(|| Ok(group.columns_under_root_iter(name).into_iter().flatten().collect::<Vec<_>>()))? {
            let descriptor = &chunk.descriptor().descriptor;
            if descriptor.max_rep_level > 0 || chunk.descriptor().path_in_schema.len() > 1 {
                return Err(format!("column '{name}' holds lists or structures"));
            }
            check_pages(file, chunk.byte_range(), group.num_rows() as u64)?;
        }
    }
    Ok(())
}
