//! Reads Parquet files, some rows at a time.

use std::fs::File;
use std::io::{self, Cursor};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::thread;

use polars::io::parquet::metadata::{FileMetadata, FileMetadataRef};
use polars::polars_utils::mmap::{MMapSemaphore, UNMAP_POOL};
use polars::prelude::{
    ArrowDataType, ArrowField, DataFrame, DataType, ParallelStrategy, ParquetReader, PolarsError, SerReader,
    infer_schema,
};
use polars_parquet::parquet::statistics::Statistics;
use polars_parquet::read::PageReader;
use polars_parquet::write::CompressedPage;
use rayon::iter::ParallelIterator as _;
use rayon::slice::ParallelSlice as _;

use super::pages::check_pages;
use super::values::Values;
use super::{ARROW_SCHEMA, METADATA_KEY, data_type, guarded};
use crate::corpus::files::workers::spawn_in;
use crate::corpus::values::error::{CorpusError, Result as CorpusResult};
use crate::corpus::values::value::{ColumnType, Value};

/// The largest number of rows that are decoded together.
const READ_ROWS: usize = 32_768;

/// A Parquet file being read, some rows at a time. The file is in memory as the system maps it, so what is wrong after
/// it was opened is wrong with its contents.
pub(crate) struct FrameReader {
    bytes: Mapped,
    metadata: FileMetadataRef,
    /// The columns to read, in this order.
    names: Vec<String>,
    /// The number of rows that are left to read in each unfinished row group. The last entry is the next group.
    groups: Vec<usize>,
    /// The number of the next row in the file, from 0.
    next_row: usize,
    /// The row group whose page headers were checked last.
    checked: Option<usize>,
}

/// Some rows of a Parquet file, column by column.
pub(crate) struct RowBatch {
    columns: Vec<Values>,
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

/// The bytes of a file.
#[derive(Clone)]
pub(super) struct Mapped(Arc<MMapSemaphore>);

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

impl FrameReader {
    /// Opens a file and checks the sizes in its footer.
    ///
    /// # Errors
    /// The system cannot read the file or start the threads of polars; the file is not Parquet, or is damaged.
    pub(crate) fn open(path: &Path) -> CorpusResult<FrameReader> {
        FrameReader::of(&File::open(path).map_err(CorpusError::io("open", path))?, path)
    }

    /// Like [`FrameReader::open`], for a file that is open. Errors have the path.
    pub(crate) fn of(file: &File, path: &Path) -> CorpusResult<FrameReader> {
        let length = file.metadata().map_err(CorpusError::io("read", path))?.len();
        if length < 12 {
            return Err(CorpusError::file(path, "not a Parquet file: too short"));
        }
        start_threads()?;
        let mapped = MMapSemaphore::new_from_file(file).map_err(of_system).map_err(CorpusError::io("read", path))?;
        FrameReader::of_bytes(Mapped(Arc::new(mapped))).map_err(|reason| CorpusError::file(path, reason))
    }

    /// Opens a file by its bytes. An error if its footer cannot be trusted.
    fn of_bytes(bytes: Mapped) -> Result<FrameReader, String> {
        let metadata = guarded(|| reader(&bytes).get_metadata().cloned())?;
        guarded(|| Ok(check_sizes(&metadata, bytes.as_ref().len() as u64)))??;
        let plain = guarded(|| plain(&metadata))?;
        let metadata = plain.unwrap_or(metadata);
        let groups = metadata.row_groups.iter().rev().map(|group| group.num_rows()).collect();
        let mut frame = FrameReader { bytes, metadata, names: Vec::new(), groups, next_row: 0, checked: None };
        frame.names = guarded(|| Ok(frame.reader().schema()?.iter_names().map(|name| name.to_string()).collect()))?;
        Ok(frame)
    }

    /// A polars reader of the file that uses the checked footer.
    pub(super) fn reader(&self) -> ParquetReader<Cursor<Mapped>> {
        let mut reader = reader(&self.bytes);
        reader.set_metadata(self.metadata.clone());
        reader
    }

    /// The columns to read: all of the file, or those of [`FrameReader::select`].
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of each column of the file, and the name of its type in polars.
    pub(crate) fn types(&self) -> Result<Vec<(String, String)>, String> {
        guarded(|| {
            let schema = self.reader().schema()?;
            let typed = |field: &ArrowField| (field.name.to_string(), DataType::from_arrow_field(field).to_string());
            Ok(schema.iter_values().map(typed).collect())
        })
    }

    /// The types of all columns of the file. None for types that we cannot read.
    pub(crate) fn kinds(&self) -> Result<Vec<Option<ColumnType>>, String> {
        guarded(|| {
            let kind = |field: &ArrowField| match DataType::from_arrow_field(field) {
                DataType::Boolean => Some(ColumnType::Flag),
                DataType::UInt32 => Some(ColumnType::Unsigned32),
                DataType::UInt8 | DataType::UInt16 | DataType::UInt64 => Some(ColumnType::Unsigned64),
                DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => Some(ColumnType::Signed),
                DataType::Float32 | DataType::Float64 => Some(ColumnType::Real),
                DataType::String => Some(ColumnType::Text),
                _ => None,
            };
            let schema = self.reader().schema()?;
            // polars panics at types that it was compiled without.
            let known = |field| catch_unwind(AssertUnwindSafe(|| kind(field))).unwrap_or(None);
            Ok(schema.iter_values().map(known).collect())
        })
    }

    /// The name of a column type, as [`FrameReader::types`] gives it.
    pub(crate) fn type_name(kind: ColumnType) -> String {
        DataType::from_arrow_dtype(&data_type(kind)).to_string()
    }

    /// Reads only these columns.
    pub(crate) fn select(&mut self, names: Vec<String>) {
        self.names = names;
        self.checked = None;
    }

    /// The metadata of this program, if the file has any.
    pub(crate) fn metadata(&self) -> Option<&str> {
        let pairs = self.metadata.key_value_metadata().as_ref()?;
        pairs.iter().find(|pair| pair.key == METADATA_KEY)?.value.as_deref()
    }

    pub(crate) fn len(&self) -> usize {
        self.metadata.num_rows
    }

    /// The number of rows that [`FrameReader::next`] will return. None at the end.
    pub(crate) fn peek(&mut self) -> Option<usize> {
        while self.groups.last() == Some(&0) {
            self.groups.pop();
        }
        self.groups.last().map(|left| (*left).min(READ_ROWS))
    }

    /// Skips the rows that [`FrameReader::next`] would return.
    pub(crate) fn skip(&mut self) {
        if let (Some(rows), Some(left)) = (self.peek(), self.groups.last_mut()) {
            *left -= rows;
            self.next_row += rows;
        }
    }

    /// The number of rows of each row group.
    pub(crate) fn groups(&self) -> Vec<usize> {
        self.metadata.row_groups.iter().map(|group| group.num_rows()).collect()
    }

    /// All values of a column in a row group.
    pub(crate) fn column(&self, group: usize, name: &str) -> Result<Values, String> {
        let names = [name.to_owned()];
        if !self.names.contains(&names[0]) {
            return Err(format!("no column '{name}'"));
        }
        check_group(&self.bytes, &self.metadata, group, &names)?;
        let groups = &self.metadata.row_groups;
        let start = groups[..group].iter().map(|group| group.num_rows()).sum();
        let mut columns = self.decoded(start, groups[group].num_rows(), &names)?;
        columns.pop().ok_or_else(|| format!("no column '{name}'"))
    }

    /// The pages of a column in a row group, as they are in the file.
    pub(super) fn pages(&self, group: usize, name: &str) -> Result<Vec<CompressedPage>, String> {
        let mut chunks = self.metadata.row_groups[group].columns_under_root_iter(name).into_iter().flatten();
        let chunk = chunks.next().ok_or_else(|| format!("no column '{name}'"))?;
        let range = chunk.byte_range();
        let bytes = self.bytes.as_ref()[range.start as usize..range.end as usize].to_vec();
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
        let of_chunk = || {
            let mut chunks = self.metadata.row_groups.get(group)?.columns_under_root_iter(name)?;
            let chunk = chunks.next().filter(|_| chunks.next().is_none())?;
            chunk.statistics(&self.metadata.footer_buf)?.ok()
        };
        // A damaged footer may make polars panic.
        let known = guarded(|| Ok(of_chunk())).ok().flatten();
        let missing = known.as_ref().and_then(Statistics::null_count).and_then(|count| u64::try_from(count).ok());
        let range = match &known {
            Some(Statistics::Int32(known)) if unsigned => {
                ends(known.min_value.map(|least| least as u32), known.max_value.map(|most| most as u32))
            }
            Some(Statistics::Int64(known)) if unsigned => {
                let (least, most) =
                    (known.min_value.map(|least| least as u64), known.max_value.map(|most| most as u64));
                ends(least.map(|least| least as f64), most.map(|most| most as f64))
            }
            Some(Statistics::Int32(known)) => ends(known.min_value, known.max_value),
            Some(Statistics::Int64(known)) => {
                ends(known.min_value.map(|least| least as f64), known.max_value.map(|most| most as f64))
            }
            Some(Statistics::Float(known)) => ends(known.min_value, known.max_value),
            Some(Statistics::Double(known)) => ends(known.min_value, known.max_value),
            _ => None,
        };
        // Beyond this, an integer may have been rounded.
        let exact = |(least, most): &(f64, f64)| least.abs() < EXACT && most.abs() < EXACT;
        Bounds { range: range.filter(exact), missing }
    }

    /// The next rows. None at the end.
    ///
    /// # Errors
    /// The file is damaged: the reason, without the path.
    pub(crate) fn next(&mut self) -> Result<Option<RowBatch>, String> {
        let Some(rows) = self.peek() else { return Ok(None) };
        let group = self.metadata.row_groups.len() - self.groups.len();
        if self.checked != Some(group) {
            check_group(&self.bytes, &self.metadata, group, &self.names)?;
            self.checked = Some(group);
        }
        let start = self.next_row;
        self.skip();
        let columns = self.decoded(start, rows, &self.names)?;
        Ok(Some(RowBatch { columns, rows }))
    }

    /// The values of some columns in some rows, whose page headers were checked.
    fn decoded(&self, start: usize, rows: usize, names: &[String]) -> Result<Vec<Values>, String> {
        let some = |names: &[String]| -> Result<Vec<Values>, String> {
            let frame = guarded(|| {
                let reader = self.reader().with_slice(Some((start, rows))).with_columns(Some(names.to_vec()));
                // The other strategies decode the first pages of all row groups before the slice.
                reader.read_parallel(ParallelStrategy::RowGroups).set_rechunk(true).finish()
            })?;
            if frame.columns().iter().any(|column| column.len() != rows) {
                return Err("damaged: its columns have different lengths".to_owned());
            }
            guarded(|| frame.columns().iter().map(Values::of).collect())
        };
        let of_thread = names.len().div_ceil(rayon::current_num_threads()).max(1);
        let columns: Vec<Result<Vec<Values>, String>> = names.par_chunks(of_thread).map(some).collect();
        Ok(columns.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
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

/// Both ends, if both are known.
fn ends<T: Into<f64>>(least: Option<T>, most: Option<T>) -> Option<(f64, f64)> {
    Some((least?.into(), most?.into()))
}

/// A polars reader of the bytes of a file.
fn reader(bytes: &Mapped) -> ParquetReader<Cursor<Mapped>> {
    ParquetReader::new(Cursor::new(bytes.clone()))
}

/// Starts the threads of polars, which panics where it cannot start them.
fn start_threads() -> CorpusResult<()> {
    static STARTED: OnceLock<Result<(), String>> = OnceLock::new();
    let begin = || {
        DataFrame::empty().apply_columns_par(Clone::clone);
        UNMAP_POOL.current_num_threads();
        Ok(())
    };
    // A thread of a pool that waits for another pool does other work of its own, which may come here again. So a plain
    // thread waits.
    let start = || {
        let started = thread::scope(|scope| Ok(spawn_in(scope, || guarded(begin))?.join()));
        started.map_err(|error: CorpusError| error.to_string())?.unwrap_or_else(|_| Err(String::new()))
    };
    STARTED
        .get_or_init(start)
        .clone()
        .map_err(|_| CorpusError::Threads { reason: "the system refuses them".to_owned() })
}

/// The error of the system in an error of polars.
fn of_system(error: PolarsError) -> io::Error {
    match error {
        PolarsError::IO { error, .. } => match error.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::new(error.kind(), error.to_string()),
        },
        other => io::Error::other(other.to_string()),
    }
}

/// The footer without the Arrow schema, which polars would decode again for every column of every row group. It stays
/// where Parquet alone gives other types, unless it has dictionaries: Parquet stores categories of pandas as texts, so
/// they can be read as texts. None if nothing has to change.
fn plain(metadata: &FileMetadataRef) -> Result<Option<FileMetadataRef>, PolarsError> {
    let mut plain = FileMetadata::clone(metadata);
    match &mut plain.key_value_metadata {
        Some(pairs) if pairs.iter().any(|pair| pair.key == ARROW_SCHEMA) => {
            pairs.retain(|pair| pair.key != ARROW_SCHEMA)
        }
        _ => return Ok(None),
    }
    let said = infer_schema(metadata)?;
    if said.iter_values().any(|field| matches!(field.dtype, ArrowDataType::Dictionary(..))) {
        return Ok(Some(Arc::new(plain)));
    }
    let simple = |field: &ArrowField| match &field.dtype {
        ArrowDataType::Boolean => Some(DataType::Boolean),
        ArrowDataType::UInt32 => Some(DataType::UInt32),
        ArrowDataType::UInt64 => Some(DataType::UInt64),
        ArrowDataType::Int64 => Some(DataType::Int64),
        ArrowDataType::Float64 => Some(DataType::Float64),
        ArrowDataType::Utf8 | ArrowDataType::LargeUtf8 | ArrowDataType::Utf8View => Some(DataType::String),
        _ => None,
    };
    let alone = infer_schema(&plain)?;
    let same = said.iter_values().zip(alone.iter_values()).all(|(said, alone)| {
        let known = simple(said);
        known.is_some() && known == simple(alone)
    });
    Ok(same.then(|| Arc::new(plain)))
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
fn check_group(bytes: &Mapped, metadata: &FileMetadata, group: usize, names: &[String]) -> Result<(), String> {
    let group = &metadata.row_groups[group];
    for name in names {
        for chunk in guarded(|| Ok(group.columns_under_root_iter(name).into_iter().flatten().collect::<Vec<_>>()))? {
            let descriptor = &chunk.descriptor().descriptor;
            if descriptor.max_rep_level > 0 || chunk.descriptor().path_in_schema.len() > 1 {
                return Err(format!("column '{name}' holds lists or structures"));
            }
            check_pages(Cursor::new(bytes), chunk.byte_range(), group.num_rows() as u64)?;
        }
    }
    Ok(())
}
