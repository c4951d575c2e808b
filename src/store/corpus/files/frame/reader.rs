//! Reads Parquet files, some rows at a time.

use std::fs::File;
use std::io::{self, Cursor};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use polars::polars_utils::mmap::{MMapSemaphore, UNMAP_POOL};
use polars::prelude::{ArrowDataType, ArrowField, ArrowSchema, PolarsError};
use polars_arrow::array::Array;
use polars_parquet::parquet::schema::types::{PrimitiveConvertedType, PrimitiveLogicalType};
use polars_parquet::parquet::statistics::{PrimitiveStatistics, Statistics};
use polars_parquet::parquet::types::NativeType;
use polars_parquet::read::{
    BasicDecompressor, ColumnChunkMetadata, FileMetadata, Filter, PageReader, column_iter_to_arrays, infer_schema,
    read_metadata,
};
use polars_parquet::write::CompressedPage;
use rayon::iter::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

use super::pages::check_pages;
use super::sums::FileSums;
use super::values::{ColumnValues, check_type, decimal_kind};
use super::{ARROW_SCHEMA, METADATA_KEY, guarded};
use crate::corpus::values::error::{CorpusError, Result as CorpusResult, in_words};
use crate::corpus::values::value::{ColumnType, Value};

/// The largest number of rows that are decoded together.
const READ_ROWS: usize = 32_768;

/// A Parquet file being read, some rows at a time. The file is in memory as the system maps it, so what is wrong after
/// it was opened is wrong with its contents.
pub(crate) struct FrameReader {
    bytes: Mapped,
    metadata: Arc<FileMetadata>,
    schema: ArrowSchema,
    /// None for files of other programs and of older versions.
    sums: Option<FileSums>,
    /// The columns to read, in this order.
    names: Vec<String>,
    /// The number of rows that are left to read in each unfinished row group, the next group last.
    rows_left: Vec<usize>,
    /// The row group whose page headers were checked last.
    checked_group: Option<usize>,
}

/// Some rows of a Parquet file, column by column.
pub(crate) struct RowBatch {
    columns: Vec<ColumnValues>,
    rows: usize,
}

impl RowBatch {
    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    /// The value in a row and a column, both counted from 0.
    pub(crate) fn get(&self, row: usize, column: usize) -> Result<Value<'_>, String> {
        self.columns[column].get(row)
    }
}

#[derive(Clone)]
pub(super) struct Mapped(Arc<MMapSemaphore>);

impl Mapped {
    /// Maps an open file into memory. Errors have the path.
    fn of(file: &File, path: &Path) -> CorpusResult<Mapped> {
        let length = file.metadata().map_err(CorpusError::io("read", path))?.len();
        if length < 12 {
            return Err(CorpusError::file(path, "not a Parquet file: too short"));
        }
        start_unmapping()?;
        let mapped = MMapSemaphore::new_from_file(file).map_err(of_system).map_err(CorpusError::io("read", path))?;
        Ok(Mapped(Arc::new(mapped)))
    }

    /// The bytes of a column chunk. The sizes in the footer were checked, so they are there.
    fn chunk(&self, chunk: &ColumnChunkMetadata) -> &[u8] {
        let range = chunk.byte_range();
        &self.as_ref()[range.start as usize..range.end as usize]
    }
}

/// The message about a file without the end that every Parquet file has.
const NO_FOOTER: &str = "not a Parquet file, or its end is missing or damaged";

/// The footer of a file, whose sizes and checksum are right, and the other checksums in it.
fn checked_footer(bytes: &Mapped) -> Result<(Arc<FileMetadata>, Option<FileSums>), String> {
    let metadata = guarded(|| read_metadata(&mut Cursor::new(bytes))).map(Arc::new).map_err(|_| NO_FOOTER)?;
    guarded(|| Ok(check_sizes(&metadata, bytes.as_ref().len() as u64)))??;
    let sums = guarded(|| Ok(FileSums::of(bytes.as_ref(), &metadata)))??;
    Ok((metadata, sums))
}

/// The metadata of this program in a footer.
fn ours(metadata: &FileMetadata) -> Option<&str> {
    let pairs = metadata.key_value_metadata().as_ref()?;
    pairs.iter().find(|pair| pair.key == METADATA_KEY)?.value.as_deref()
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

impl FrameReader {
    /// Opens a file and checks the sizes in its footer.
    ///
    /// # Errors
    /// The system cannot read the file or start a thread of polars; the file is not Parquet, or is damaged.
    pub(crate) fn open(path: &Path) -> CorpusResult<FrameReader> {
        FrameReader::of(&File::open(path).map_err(CorpusError::io("open", path))?, path)
    }

    /// The metadata of this program in a file, if it has any. The schema is not looked at, which takes most of the time.
    pub(crate) fn metadata_of(path: &Path) -> CorpusResult<Option<String>> {
        let bytes = Mapped::of(&File::open(path).map_err(CorpusError::io("open", path))?, path)?;
        let (metadata, _) = checked_footer(&bytes).map_err(|reason| CorpusError::file(path, reason))?;
        Ok(ours(&metadata).map(str::to_owned))
    }

    /// Like [`FrameReader::open`], for a file that is open. Errors have the path.
    pub(crate) fn of(file: &File, path: &Path) -> CorpusResult<FrameReader> {
        FrameReader::of_bytes(Mapped::of(file, path)?).map_err(|reason| CorpusError::file(path, reason))
    }

    /// Opens a file by its bytes. An error if its footer cannot be trusted.
    fn of_bytes(bytes: Mapped) -> Result<FrameReader, String> {
        let (metadata, sums) = checked_footer(&bytes)?;
        let plain = guarded(|| plain(&metadata))?;
        let metadata = plain.unwrap_or(metadata);
        let rows_left = metadata.row_groups.iter().rev().map(|group| group.num_rows()).collect();
        let schema = guarded(|| infer_schema(&metadata))?;
        let names = schema.iter_names().map(ToString::to_string).collect();
        Ok(FrameReader { bytes, metadata, schema, sums, names, rows_left, checked_group: None })
    }

    /// The columns to read: all of the file, or those of [`FrameReader::select`].
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The types of all columns of the file. None for types that rows cannot have.
    pub(crate) fn kinds(&self) -> Vec<Option<ColumnType>> {
        self.schema.iter_values().map(kind_of).collect()
    }

    pub(crate) fn select(&mut self, names: Vec<String>) {
        self.names = names;
        self.checked_group = None;
    }

    /// The metadata of this program, if the file has any.
    pub(crate) fn metadata(&self) -> Option<&str> {
        ours(&self.metadata)
    }

    pub(crate) fn len(&self) -> usize {
        self.metadata.num_rows
    }

    /// The number of rows that [`FrameReader::next`] will return. None at the end.
    pub(crate) fn peek(&mut self) -> Option<usize> {
        while self.rows_left.last() == Some(&0) {
            self.rows_left.pop();
        }
        self.rows_left.last().map(|left| (*left).min(READ_ROWS))
    }

    /// Skips the rows that [`FrameReader::next`] would return.
    pub(crate) fn skip(&mut self) {
        if let (Some(rows), Some(left)) = (self.peek(), self.rows_left.last_mut()) {
            *left -= rows;
        }
    }

    pub(crate) fn groups(&self) -> Vec<usize> {
        self.metadata.row_groups.iter().map(|group| group.num_rows()).collect()
    }

    /// All values of a column in a row group.
    pub(crate) fn column(&self, group: usize, name: &str) -> Result<ColumnValues, String> {
        let names = [name.to_owned()];
        if !self.names.contains(&names[0]) {
            return Err(format!("no column '{name}'"));
        }
        self.check_group(group, &names)?;
        self.decoded(group, 0..self.metadata.row_groups[group].num_rows(), name)
    }

    /// The pages of a column in a row group, as they are in the file.
    pub(super) fn pages(&self, group: usize, name: &str) -> Result<Vec<CompressedPage>, String> {
        let chunk = self.chunks(group, name).next().ok_or_else(|| format!("no column '{name}'"))?;
        self.check_sums(group, &[name.to_owned()])?;
        let bytes = self.bytes.chunk(chunk).to_vec();
        let most = bytes.len();
        let counted = |page| -> Result<CompressedPage, PolarsError> {
            let mut page = page?;
            if let CompressedPage::Data(data) = &mut page {
                data.num_rows = Some(data.num_values());
            }
            Ok(page)
        };
        guarded(|| PageReader::new(Cursor::new(bytes.into()), chunk, Vec::new(), most).map(counted).collect())
    }

    /// What the statistics of a row group say about the numbers of a column. `unsigned` says that it holds unsigned
    /// integers: the statistics have them as signed integers of the same bits.
    pub(crate) fn bounds(&self, group: usize, name: &str, unsigned: bool) -> Bounds {
        // A damaged footer may make polars panic.
        let statistics = guarded(|| Ok(self.statistics(group, name))).ok().flatten();
        let missing = statistics.as_ref().and_then(Statistics::null_count).and_then(|count| u64::try_from(count).ok());
        let range = match &statistics {
            Some(Statistics::Int32(ends)) if unsigned => range_of(ends, |number| f64::from(number as u32)),
            Some(Statistics::Int64(ends)) if unsigned => range_of(ends, |number| number as u64 as f64),
            Some(Statistics::Int32(ends)) => range_of(ends, f64::from),
            Some(Statistics::Int64(ends)) => range_of(ends, |number| number as f64),
            Some(Statistics::Float(ends)) => range_of(ends, f64::from),
            Some(Statistics::Double(ends)) => range_of(ends, |number| number),
            _ => None,
        };
        // Beyond this, an integer may have been rounded.
        Bounds { range: range.filter(|(least, most)| least.abs() < EXACT && most.abs() < EXACT), missing }
    }

    /// The statistics of a column in a row group.
    fn statistics(&self, group: usize, name: &str) -> Option<Statistics> {
        let mut chunks = self.metadata.row_groups.get(group)?.columns_under_root_iter(name)?;
        let chunk = chunks.next().filter(|_| chunks.next().is_none())?;
        // Those of decimals leave out the point.
        let primitive = &chunk.descriptor().descriptor.primitive_type;
        let is_decimal = matches!(primitive.logical_type, Some(PrimitiveLogicalType::Decimal(..)))
            || matches!(primitive.converted_type, Some(PrimitiveConvertedType::Decimal(..)));
        if is_decimal {
            return None;
        }
        chunk.statistics(&self.metadata.footer_buf)?.ok()
    }

    /// The next rows. None at the end.
    ///
    /// # Errors
    /// The file is damaged: the reason, without the path.
    pub(crate) fn next(&mut self) -> Result<Option<RowBatch>, String> {
        let Some(rows) = self.peek() else { return Ok(None) };
        let group = self.metadata.row_groups.len() - self.rows_left.len();
        if self.checked_group != Some(group) {
            self.check_group(group, &self.names)?;
            self.checked_group = Some(group);
        }
        let start = self.metadata.row_groups[group].num_rows() - self.rows_left.last().copied().unwrap_or_default();
        self.skip();
        let columns = self.names.par_iter().map(|name| self.decoded(group, start..start + rows, name));
        Ok(Some(RowBatch { columns: columns.collect::<Result<_, _>>()?, rows }))
    }

    /// The chunks of a column in a row group: one, or several if it has lists or structures.
    fn chunks<'a>(&'a self, group: usize, name: &'a str) -> impl Iterator<Item = &'a ColumnChunkMetadata> {
        self.metadata.row_groups[group].columns_under_root_iter(name).into_iter().flatten()
    }

    /// Checks the bytes and the page headers of some columns in a row group.
    fn check_group(&self, group: usize, names: &[String]) -> Result<(), String> {
        self.check_sums(group, names)?;
        let rows = self.metadata.row_groups[group].num_rows() as u64;
        for name in names {
            for chunk in guarded(|| Ok(self.chunks(group, name).collect::<Vec<_>>()))? {
                let descriptor = &chunk.descriptor().descriptor;
                if descriptor.max_rep_level > 0 || chunk.descriptor().path_in_schema.len() > 1 {
                    return Err(format!("column '{name}' holds lists or structures"));
                }
                guarded(|| Ok(check_pages(self.bytes.chunk(chunk), rows)))??;
            }
        }
        Ok(())
    }

    /// Compares the bytes of some columns in a row group with their checksums.
    fn check_sums(&self, group: usize, names: &[String]) -> Result<(), String> {
        let Some(sums) = &self.sums else { return Ok(()) };
        for (column, chunk) in self.metadata.row_groups[group].parquet_columns().iter().enumerate() {
            let root = chunk.descriptor().path_in_schema.first().map(|root| root.as_str());
            if names.iter().any(|name| Some(name.as_str()) == root) {
                sums.check(self.bytes.as_ref(), &self.metadata, group, column)?;
            }
        }
        Ok(())
    }

    /// True if the file has the metadata and the checksums of this program, so that its rows are those that the program
    /// wrote. Answers of queries have no metadata.
    pub(crate) fn has_own_rows(&self) -> bool {
        self.has_sums() && self.metadata().is_some()
    }

    pub(crate) fn has_sums(&self) -> bool {
        self.sums.is_some()
    }

    /// Compares all bytes of the file with their checksums.
    ///
    /// # Errors
    /// The file is damaged: the reason, without the path.
    pub(crate) fn check_all(&self) -> Result<(), String> {
        (0..self.metadata.row_groups.len()).into_par_iter().try_for_each(|group| self.check_sums(group, &self.names))
    }

    /// The values of a column in some rows of a row group, whose page headers were checked. They are decoded on this
    /// thread: while it waited for threads of polars, it would begin another item of its own pool.
    fn decoded(&self, group: usize, rows: Range<usize>, name: &str) -> Result<ColumnValues, String> {
        self.schema.get(name).map_or(Ok(()), |field| check_type(name, &field.dtype))?;
        let arrays = guarded(|| self.arrays(group, rows.clone(), name))?;
        let values = ColumnValues::of(name, &arrays)?;
        if arrays.iter().map(|array| array.len()).sum::<usize>() == rows.len() {
            return Ok(values);
        }
        Err("damaged: its columns have different lengths".to_owned())
    }

    /// The values of a column in some rows of a row group, in one piece or several.
    pub(super) fn arrays(
        &self,
        group: usize,
        rows: Range<usize>,
        name: &str,
    ) -> Result<Vec<Box<dyn Array>>, PolarsError> {
        let chunk = self.chunks(group, name).next();
        let (Some(field), Some(chunk)) = (self.schema.get(name), chunk) else { return Ok(Vec::new()) };
        let bytes = self.bytes.chunk(chunk).to_vec();
        let pages = PageReader::new(Cursor::new(bytes.into()), chunk, Vec::new(), usize::MAX);
        let pages = Vec::from_iter([BasicDecompressor::new(pages, Vec::new())]);
        let stored = Vec::from_iter([&chunk.descriptor().descriptor.primitive_type]);
        let (arrays, _) = column_iter_to_arrays(pages, stored, field.clone(), Some(Filter::Range(rows)))?;
        Ok(arrays)
    }
}

/// What is known about the numbers of a column in a row group.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bounds {
    /// The least and the largest value. None if they are not known, or may have been rounded.
    pub range: Option<(f64, f64)>,
    /// The number of missing values, if it is known.
    pub missing: Option<u64>,
}

/// All integers below this are exact as real numbers.
const EXACT: f64 = 9e15;

/// The least and the largest number, if both are known.
fn range_of<T: NativeType>(ends: &PrimitiveStatistics<T>, number: impl Fn(T) -> f64) -> Option<(f64, f64)> {
    Some((number(ends.min_value?), number(ends.max_value?)))
}

/// Starts the thread on which polars gives up what was mapped. polars panics where the system refuses it.
fn start_unmapping() -> CorpusResult<()> {
    static STARTED: OnceLock<bool> = OnceLock::new();
    let start = || guarded(|| Ok(UNMAP_POOL.current_num_threads())).is_ok();
    if *STARTED.get_or_init(start) {
        return Ok(());
    }
    Err(CorpusError::Threads { reason: "the system refuses them".to_owned() })
}

/// The error of the system in an error of polars.
fn of_system(error: PolarsError) -> io::Error {
    match error {
        PolarsError::IO { error, .. } => match error.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::new(error.kind(), in_words(&*error)),
        },
        other => io::Error::other(other.to_string()),
    }
}

/// The footer without the Arrow schema, which polars would decode again for every column of every row group. It stays
/// where Parquet alone gives other types, unless it has dictionaries: Parquet stores categories of pandas as texts, so
/// they can be read as texts. None if nothing has to change.
fn plain(metadata: &Arc<FileMetadata>) -> Result<Option<Arc<FileMetadata>>, PolarsError> {
    let mut plain = FileMetadata::clone(metadata);
    match &mut plain.key_value_metadata {
        Some(pairs) if pairs.iter().any(|pair| pair.key == ARROW_SCHEMA) => {
            pairs.retain(|pair| pair.key != ARROW_SCHEMA)
        }
        _ => return Ok(None),
    }
    let arrow_schema = infer_schema(metadata)?;
    if arrow_schema.iter_values().any(|field| matches!(field.dtype, ArrowDataType::Dictionary(..))) {
        return Ok(Some(Arc::new(plain)));
    }
    let parquet_schema = infer_schema(&plain)?;
    for (arrow_field, parquet_field) in arrow_schema.iter_values().zip(parquet_schema.iter_values()) {
        let kind = simple_kind(arrow_field);
        if kind.is_none() || kind != simple_kind(parquet_field) {
            return Ok(None);
        }
    }
    Ok(Some(Arc::new(plain)))
}

/// The type of a field, if our own columns have it.
fn simple_kind(field: &ArrowField) -> Option<ColumnType> {
    match &field.dtype {
        ArrowDataType::Boolean => Some(ColumnType::Flag),
        ArrowDataType::UInt32 => Some(ColumnType::Unsigned32),
        ArrowDataType::UInt64 => Some(ColumnType::Unsigned64),
        ArrowDataType::Int64 => Some(ColumnType::Signed),
        ArrowDataType::Float64 => Some(ColumnType::Real),
        ArrowDataType::Utf8 | ArrowDataType::LargeUtf8 | ArrowDataType::Utf8View => Some(ColumnType::Text),
        _ => None,
    }
}

/// The type of a column with the values of a field. None for types that rows cannot have.
fn kind_of(field: &ArrowField) -> Option<ColumnType> {
    match field.dtype.to_storage() {
        ArrowDataType::Boolean => Some(ColumnType::Flag),
        ArrowDataType::UInt32 => Some(ColumnType::Unsigned32),
        ArrowDataType::UInt8 | ArrowDataType::UInt16 | ArrowDataType::UInt64 => Some(ColumnType::Unsigned64),
        ArrowDataType::Int8 | ArrowDataType::Int16 | ArrowDataType::Int32 | ArrowDataType::Int64 => {
            Some(ColumnType::Signed)
        }
        ArrowDataType::Float32 | ArrowDataType::Float64 => Some(ColumnType::Real),
        ArrowDataType::Utf8 | ArrowDataType::LargeUtf8 | ArrowDataType::Utf8View => Some(ColumnType::Text),
        ArrowDataType::Decimal(_, places) => Some(decimal_kind(*places)),
        _ => None,
    }
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
