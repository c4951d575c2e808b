//! Parquet files. This is the only module that uses polars.
//!
//! ```text
//!   records -> one column at a time -> row group of ROW_GROUP rows -> file        bounded memory both ways
//!   file -> row group -> at most READ_ROWS rows -> values -> records
//! ```
//!
//! Every row group is written by one call of polars' batched writer on one thread. Several threads give the same bytes,
//! but compression takes only 2 % of the time of making the rows, and runs beside it anyway. The zstd level is 1: level
//! 3 gives larger files of such columns and takes twice as long.
//!
//! polars may panic on a damaged file, and a damaged footer may ask for more memory than there is. So sizes in the
//! footer are checked first, and panics become errors.

mod batches;
mod digest;
mod numbered;
mod pages;
mod scan;
mod sql;
mod step_rows;
mod table;
mod values;

use std::fs::File;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};

use polars::io::mmap::MmapBytesReader;
use polars::io::parquet::metadata::{FileMetadata, FileMetadataRef};
use polars::io::parquet::write::BatchedWriter;
use polars::polars_utils::compression::ZstdLevel;
use polars::prelude::{
    ArrowDataType, BooleanChunked, Column as Series, CompatLevel, DataFrame, DataType, Field, Float64Chunked,
    Int64Chunked, IntoColumn, KeyValueMetadata, NewChunkedArray, ParallelStrategy, ParquetCompression, ParquetReader,
    ParquetWriter, PolarsError, Schema, SchemaExt as _, SerReader, StringChunked, UInt32Chunked, UInt64Chunked,
    infer_schema,
};

use polars_parquet::write::{KeyValue, schema_to_metadata_key};

use super::columns::{COLUMNS, ColumnType, Outside, Value};
use super::record::Record;
use pages::check_pages;
use values::Values;

pub use batches::AnswerWriter;
pub use numbered::ROW_NUMBER;
pub use scan::{Answer, AskError, SOURCE, Scan, SourceFiles, TABLE};
pub use sql::{check_condition, columns_of_condition};
pub use step_rows::StepFrameWriter;
pub use table::{Cells, write_csv_as_parquet, write_table};

/// The key of this program's metadata in a Parquet file.
pub const METADATA_KEY: &str = "sudoku-corpus";

/// Rows of a row group of 9x9 boards. Larger boards have fewer, so that a group stays below 10 MB of text.
const ROW_GROUP: usize = 32_768;

/// The largest number of rows that are decoded together.
const READ_ROWS: usize = 32_768;

/// The type of a column in polars.
fn data_type(kind: ColumnType) -> DataType {
    match kind {
        ColumnType::Flag => DataType::Boolean,
        ColumnType::Unsigned32 => DataType::UInt32,
        ColumnType::Unsigned64 => DataType::UInt64,
        ColumnType::Signed => DataType::Int64,
        ColumnType::Real => DataType::Float64,
        ColumnType::Text => DataType::String,
    }
}

/// Writes records as Parquet.
pub struct FrameWriter<W: Write> {
    outside: Vec<Outside>,
    writer: BatchedWriter<Watched<W>>,
    failure: Failure,
    waiting: Vec<Record>,
}

/// The last error of the writer below polars. polars returns it as a text.
type Failure = Arc<Mutex<Option<io::Error>>>;

/// A writer that keeps its last error.
struct Watched<W> {
    out: W,
    failure: Failure,
}

impl<W> Watched<W> {
    fn watch<T>(&self, outcome: io::Result<T>) -> io::Result<T> {
        outcome.map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
            kind.into()
        })
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let outcome = self.out.write(data);
        self.watch(outcome)
    }

    fn flush(&mut self) -> io::Result<()> {
        let outcome = self.out.flush();
        self.watch(outcome)
    }
}

impl<W: Write> FrameWriter<W> {
    /// Begins a file with our columns and those of other programs. `metadata` is stored as it is.
    ///
    /// # Errors
    /// polars reports an error about the writer.
    pub fn new(out: W, metadata: &str, outside: &[Outside]) -> io::Result<FrameWriter<W>> {
        let failure = Failure::default();
        let writer = begin(Watched { out, failure: failure.clone() }, metadata, outside);
        let writer = writer.map_err(|error| io_error(&failure, &error))?;
        Ok(FrameWriter { outside: outside.to_vec(), writer, failure, waiting: Vec::new() })
    }

    /// Adds a record. Writes a row group when there are enough records.
    ///
    /// # Errors
    /// polars reports an error; usually the disk is full.
    pub fn write(&mut self, record: Record) -> io::Result<()> {
        self.waiting.push(record);
        if self.waiting.len() >= row_group(&self.waiting[0]) { self.flush() } else { Ok(()) }
    }

    /// Writes the last row group and the footer.
    ///
    /// # Errors
    /// The same as for [`FrameWriter::write`].
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.writer.finish().map(|_| ()).map_err(|error| io_error(&self.failure, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let rows = &self.waiting;
        let ours = COLUMNS.iter().map(|column| {
            let values = rows.iter().map(|record| column.get(record));
            series(&column.name, column.kind, values)
        });
        let others = self.outside.iter().enumerate().map(|(at, column)| {
            let values = rows.iter().map(|record| record.outside.get(at).cloned().unwrap_or(Value::Null));
            series(&column.name, column.kind, values)
        });
        let columns = ours.chain(others).collect();
        let frame = DataFrame::new(self.waiting.len(), columns).map_err(|error| io_error(&self.failure, &error))?;
        self.waiting.clear();
        self.writer.write_batch(&frame).map_err(|error| io_error(&self.failure, &error))
    }
}

/// A polars writer with our schema. The Arrow schema in the footer describes every column of ours, and gives its unit.
fn begin<W: Write>(out: W, metadata: &str, outside: &[Outside]) -> Result<BatchedWriter<W>, PolarsError> {
    let field = |name: &str, kind: ColumnType| Field::new(name.into(), data_type(kind));
    let ours = COLUMNS.iter().map(|column| field(&column.name, column.kind));
    let schema = Schema::from_iter(ours.chain(outside.iter().map(|column| field(&column.name, column.kind))));
    let mut described = schema.to_arrow(CompatLevel::newest());
    for column in COLUMNS.iter() {
        if let Some(field) = described.get_mut(&column.name) {
            let about = [("description", column.about.as_ref()), ("unit", column.unit)];
            let known = about.into_iter().filter(|(_, text)| !text.is_empty());
            field.metadata = Some(Arc::new(known.map(|(key, text)| (key.into(), text.into())).collect()));
        }
    }
    let ours = KeyValue { key: METADATA_KEY.to_owned(), value: Some(metadata.to_owned()) };
    ParquetWriter::new(out)
        .with_compression(zstd()?)
        .with_key_value_metadata(Some(KeyValueMetadata::Static(vec![ours, schema_to_metadata_key(&described)])))
        .set_parallel(false)
        .batched(&schema)
}

/// The compression of everything that is written.
fn zstd() -> Result<ParquetCompression, PolarsError> {
    Ok(ParquetCompression::Zstd(Some(ZstdLevel::try_new(1)?)))
}

/// The number of rows of a row group, by its first record.
fn row_group(record: &Record) -> usize {
    (5_000_000 / record.shape.cells()).clamp(16, ROW_GROUP)
}

/// One column of some records.
fn series<'a>(name: &str, kind: ColumnType, values: impl Iterator<Item = Value<'a>>) -> Series {
    let name = name.into();
    let unsigned = |value| if let Value::Unsigned(number) = value { Some(number) } else { None };
    match kind {
        ColumnType::Flag => {
            let flags = values.map(|value| if let Value::Flag(flag) = value { Some(flag) } else { None });
            BooleanChunked::from_iter_options(name, flags).into_column()
        }
        ColumnType::Unsigned32 => {
            let numbers = values.map(|value| unsigned(value).map(|number| number as u32));
            UInt32Chunked::from_iter_options(name, numbers).into_column()
        }
        ColumnType::Unsigned64 => UInt64Chunked::from_iter_options(name, values.map(unsigned)).into_column(),
        ColumnType::Signed => {
            let numbers = values.map(|value| if let Value::Signed(number) = value { Some(number) } else { None });
            Int64Chunked::from_iter_options(name, numbers).into_column()
        }
        ColumnType::Real => {
            let numbers = values.map(|value| if let Value::Real(number) = value { Some(number) } else { None });
            Float64Chunked::from_iter_options(name, numbers).into_column()
        }
        ColumnType::Text => {
            let texts = values.map(|value| if let Value::Text(text) = value { Some(text) } else { None });
            StringChunked::from_iter_options(name, texts).into_column()
        }
    }
}

/// A Parquet file being read, some rows at a time.
pub struct FrameReader {
    file: File,
    metadata: FileMetadataRef,
    /// The columns to read, in this order.
    names: Vec<String>,
    /// The numbers of rows of the row groups that were not read yet; the next group is the last.
    groups: Vec<usize>,
    next_row: usize,
    /// The row group whose page headers were checked last.
    checked: Option<usize>,
    had_dictionaries: bool,
}

/// Some rows of a Parquet file, column by column.
pub struct Rows {
    columns: Vec<Values>,
    rows: usize,
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

    /// A polars reader of the file, by the footer that was checked.
    fn reader(&self) -> Result<ParquetReader<Box<dyn MmapBytesReader>>, PolarsError> {
        let mut reader = reader(&self.file)?;
        reader.set_metadata(self.metadata.clone());
        Ok(reader)
    }

    /// True if columns of the file are dictionaries, such as categories of pandas. They are read as plain columns.
    pub fn had_dictionaries(&self) -> bool {
        self.had_dictionaries
    }

    /// Copies all rows into a file without dictionaries, one row group at a time.
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

    /// The types of all columns of the file, in words.
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
    if rows == metadata.num_rows { Ok(()) } else { damaged("counts other rows than its row groups") }
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

/// The number of running calls whose panics must not be printed. polars has threads of its own.
static QUIET: AtomicUsize = AtomicUsize::new(0);

/// Calls polars. A panic becomes an error, and its message is not printed.
fn guarded<T>(call: impl FnOnce() -> Result<T, PolarsError>) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if QUIET.load(Ordering::Relaxed) == 0 {
                usual(info);
            }
        }));
    });
    QUIET.fetch_add(1, Ordering::Relaxed);
    let outcome = catch_unwind(AssertUnwindSafe(call));
    QUIET.fetch_sub(1, Ordering::Relaxed);
    match outcome {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(first_line(&error.to_string())),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            Err(format!("damaged: {}", first_line(text.unwrap_or("it cannot be decoded"))))
        }
    }
}

/// The first line of a message. polars appends hints for its own users.
fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().chars().take(200).collect()
}

/// An error of writing: that of the writer below, or else that of polars.
fn io_error(failure: &Failure, error: &PolarsError) -> io::Error {
    let below = failure.lock().unwrap_or_else(PoisonError::into_inner).take();
    below.unwrap_or_else(|| io::Error::other(first_line(&error.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_carry_the_descriptions_of_their_columns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let outside = [Outside { name: "id".to_owned(), kind: ColumnType::Signed }];
        let mut writer = FrameWriter::new(File::create(&path).unwrap(), "{}", &outside).unwrap();
        let record = Record::new(0, crate::board::Shape::NINE);
        writer.write(Record { outside: vec![Value::Signed(-3)], ..record }).unwrap();
        writer.finish().unwrap();
        let mut reader = FrameReader::open(File::open(&path).unwrap()).unwrap();
        assert_eq!(reader.metadata(), Some("{}"));
        let schema = reader.reader().unwrap().schema().unwrap();
        for column in COLUMNS.iter() {
            let metadata = schema.get(&column.name).unwrap().metadata.as_ref().unwrap();
            assert_eq!(
                metadata.get("description").map(|text| text.as_str()),
                Some(column.about.as_ref()),
                "{}",
                column.name
            );
            assert_eq!(metadata.get("unit").map_or("", |text| text.as_str()), column.unit, "{}", column.name);
        }
        assert!(schema.get("id").unwrap().metadata.is_none());
        let rows = reader.next().unwrap().unwrap();
        assert_eq!(rows.get(0, COLUMNS.len()), Ok(Value::Signed(-3)));
    }
}
