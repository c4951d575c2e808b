//! Parquet files. This is the only module that uses polars.
//!
//! ```text
//!   records -> one column at a time -> row group of ROW_GROUP rows -> file        bounded memory both ways
//!   file -> row group -> at most READ_ROWS rows -> values -> records
//! ```
//!
//! Every row group is written by one call of polars' batched writer on one thread. Several threads give the same bytes,
//! but compression takes only 2 % of the time of making the rows, and runs at the same time anyway. The zstd level is
//! 1. With these columns, level 3 gives larger files and takes twice as long.
//!
//! polars may panic on a damaged file, and a damaged footer may ask for more memory than there is. So sizes in the
//! footer are checked first, and panics become errors.

mod pages;
mod reader;
mod step_rows;
mod table;
mod values;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};

use base64::Engine as _;
use polars::io::parquet::write::BatchedWriter;
use polars::polars_utils::compression::ZstdLevel;
use polars::prelude::{
    ArrowSchema, BooleanChunked, Column as Series, CompatLevel, DataFrame, DataType, Field, Float64Chunked,
    Int64Chunked, IntoColumn, KeyValueMetadata, NewChunkedArray, ParquetCompression, ParquetWriter, PlSmallStr,
    PolarsError, Schema, SchemaExt as _, StringChunked, UInt32Chunked, UInt64Chunked,
};
use polars_arrow::io::ipc::write::{default_ipc_fields, schema_to_bytes};
use polars_parquet::write::KeyValue;

use super::columns::{COLUMNS, ColumnType, Outside, Value};
use super::record::Record;

pub use reader::{FrameReader, RowBatch};
pub use step_rows::StepFrameWriter;
pub use table::{TableWriter, write_csv_as_parquet, write_table};
pub use values::Values;

/// The key of this program's metadata in a Parquet file.
pub const METADATA_KEY: &str = "sudoku-corpus";

const ARROW_SCHEMA: &str = "ARROW:schema";

/// Rows of a row group of 9x9 boards. Larger boards have fewer, so that a group stays below 10 MB of text.
const ROW_GROUP: usize = 32_768;

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
    /// Our columns, those of other programs, and which of all are written.
    columns: Vec<(PlSmallStr, ColumnType)>,
    kept: Vec<bool>,
    file: RowGroups<W>,
    waiting: Vec<Record>,
}

/// A Parquet file that is written row group by row group.
struct RowGroups<W: Write> {
    writer: BatchedWriter<Watched<W>>,
    failure: Failure,
}

/// The last error of the writer below polars. polars itself returns only the text of this error.
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

impl<W: Write> RowGroups<W> {
    /// Begins a file with these columns and key-value metadata.
    fn begin(out: W, schema: &Schema, pairs: Vec<KeyValue>) -> io::Result<RowGroups<W>> {
        let failure = Failure::default();
        let out = Watched { out, failure: failure.clone() };
        let pairs = Some(pairs).filter(|pairs| !pairs.is_empty()).map(KeyValueMetadata::Static);
        let begin = || {
            let level = ParquetCompression::Zstd(Some(ZstdLevel::try_new(1)?));
            let writer = ParquetWriter::new(out).with_compression(level).with_key_value_metadata(pairs);
            writer.set_parallel(false).batched(schema)
        };
        let writer = begin().map_err(|error| io_error(&failure, &error))?;
        Ok(RowGroups { writer, failure })
    }

    /// Writes a row group, unless it has no rows.
    fn write(&mut self, rows: usize, columns: impl Iterator<Item = Series>) -> io::Result<()> {
        if rows == 0 {
            return Ok(());
        }
        let written = DataFrame::new(rows, columns.collect()).and_then(|frame| self.writer.write_batch(&frame));
        written.map_err(|error| io_error(&self.failure, &error))
    }

    fn finish(self) -> io::Result<()> {
        self.writer.finish().map(drop).map_err(|error| io_error(&self.failure, &error))
    }
}

impl<W: Write> FrameWriter<W> {
    /// Begins a file with our columns and those of other programs. `metadata` is stored as it is. The Arrow schema in the
    /// footer describes every column of ours, and gives its unit.
    pub fn new(out: W, metadata: &str, outside: &[Outside]) -> io::Result<FrameWriter<W>> {
        FrameWriter::only(out, metadata, outside, &|_| true)
    }

    /// Like [`FrameWriter::new`], without the columns whose names are not kept.
    pub fn only(
        out: W,
        metadata: &str,
        outside: &[Outside],
        keep: &dyn Fn(&str) -> bool,
    ) -> io::Result<FrameWriter<W>> {
        let ours = COLUMNS.iter().map(|column| (column.name.as_ref().into(), column.kind));
        let columns: Vec<(PlSmallStr, ColumnType)> =
            ours.chain(outside.iter().map(|column| (column.name.as_str().into(), column.kind))).collect();
        let kept: Vec<bool> = columns.iter().map(|(name, _)| keep(name)).collect();
        let field = |(name, kind): &(PlSmallStr, ColumnType)| Field::new(name.clone(), data_type(*kind));
        let schema =
            Schema::from_iter(columns.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(column, _)| field(column)));
        let mut described = schema.to_arrow(CompatLevel::newest());
        for column in COLUMNS.iter() {
            if let Some(field) = described.get_mut(&column.name) {
                let about = [("description", column.about.as_ref()), ("unit", column.unit)];
                let known = about.into_iter().filter(|(_, text)| !text.is_empty());
                field.metadata = Some(Arc::new(known.map(|(key, text)| (key.into(), text.into())).collect()));
            }
        }
        let file = RowGroups::begin(out, &schema, footer(metadata, described))?;
        Ok(FrameWriter { columns, kept, file, waiting: Vec::new() })
    }

    /// Adds a record. Writes a row group when there are enough records.
    pub fn write(&mut self, record: Record) -> io::Result<()> {
        self.waiting.push(record);
        if self.waiting.len() >= row_group(&self.waiting[0]) { self.flush() } else { Ok(()) }
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.file.finish()
    }

    fn flush(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        let columns = self.columns.iter().enumerate().filter(|(at, _)| self.kept[*at]).map(|(at, (name, kind))| {
            let value = |record| match COLUMNS.get(at) {
                Some(column) => column.get(record),
                None => Record::outside_value(record, at - COLUMNS.len()),
            };
            series(name, *kind, rows.iter().map(value))
        });
        self.file.write(rows.len(), columns)
    }
}

/// What a footer says: the metadata of this program, and the Arrow schema. The schema holds the metadata too, because Arrow's
/// readers show those of the schema alone. polars' own function loses them if a column has lists.
fn footer(metadata: &str, mut schema: ArrowSchema) -> Vec<KeyValue> {
    schema.metadata_mut().insert(METADATA_KEY.into(), metadata.into());
    let message = schema_to_bytes(&schema, &default_ipc_fields(schema.iter_values()), None);
    // A message of Arrow: a mark, its length, its bytes.
    let framed = [&[0xff; 4], &(message.len() as u32).to_le_bytes()[..], &message].concat();
    let schema = base64::engine::general_purpose::STANDARD.encode(framed);
    let pair = |key: &str, value| KeyValue { key: key.to_owned(), value: Some(value) };
    vec![pair(METADATA_KEY, metadata.to_owned()), pair(ARROW_SCHEMA, schema)]
}

/// The number of rows of a row group, by its first record.
fn row_group(record: &Record) -> usize {
    (5_000_000 / record.shape.cells()).clamp(16, ROW_GROUP)
}

/// One column of some records. Most columns of numbers have a value in every row or in none: these are made at once.
fn series<'a>(name: &str, kind: ColumnType, values: impl ExactSizeIterator<Item = Value<'a>> + Clone) -> Series {
    let name = name.into();
    if values.clone().all(|value| matches!(value, Value::Null)) {
        return Series::full_null(name, values.len(), &data_type(kind));
    }
    let unsigned = |value| if let Value::Unsigned(number) = value { Some(number) } else { None };
    match kind {
        ColumnType::Flag => {
            let flags = values.map(|value| if let Value::Flag(flag) = value { Some(flag) } else { None });
            BooleanChunked::from_iter_options(name, flags).into_column()
        }
        ColumnType::Unsigned32 => {
            let numbers = values.map(|value| unsigned(value).map(|number| number as u32));
            match numbers.clone().collect() {
                Some(all) => UInt32Chunked::from_vec(name, all).into_column(),
                None => UInt32Chunked::from_iter_options(name, numbers).into_column(),
            }
        }
        ColumnType::Unsigned64 => match values.clone().map(unsigned).collect() {
            Some(all) => UInt64Chunked::from_vec(name, all).into_column(),
            None => UInt64Chunked::from_iter_options(name, values.map(unsigned)).into_column(),
        },
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

/// The number of running calls whose panics must not be printed. All threads share it, because polars also panics on
/// threads of its own.
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
    use std::fs::File;

    use polars::prelude::{ParquetReader, SerReader as _};

    use super::*;

    /// The bytes of the Arrow schema in the footer of a file.
    fn schema_of(path: &std::path::Path) -> Vec<u8> {
        let mut reader = ParquetReader::new(File::open(path).unwrap());
        let pairs = reader.get_metadata().unwrap().key_value_metadata.clone().unwrap();
        let schema = pairs.into_iter().find(|pair| pair.key == ARROW_SCHEMA).unwrap().value.unwrap();
        base64::engine::general_purpose::STANDARD.decode(schema).unwrap()
    }

    #[test]
    fn the_arrow_schema_carries_the_metadata_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let [rows, steps] = ["a.parquet", "s.parquet"].map(|name| folder.path().join(name));
        FrameWriter::new(File::create(&rows).unwrap(), "{\"a\":1}", &[]).unwrap().finish().unwrap();
        StepFrameWriter::new(File::create(&steps).unwrap(), "{\"b\":2}").unwrap().finish().unwrap();
        for (path, json) in [(&rows, "{\"a\":1}"), (&steps, "{\"b\":2}")] {
            let schema = schema_of(path);
            assert!([METADATA_KEY, json].iter().all(|text| schema.windows(text.len()).any(|at| at == text.as_bytes())));
        }
        assert_eq!(FrameReader::open(File::open(&steps).unwrap()).unwrap().metadata(), Some("{\"b\":2}"));
    }

    #[test]
    fn fields_carry_the_descriptions_of_their_columns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let outside = [Outside { name: "id".to_owned(), kind: ColumnType::Signed }];
        let mut writer = FrameWriter::new(File::create(&path).unwrap(), "{}", &outside).unwrap();
        let record = Record::new(0, sudoku_corpus_core::board::Shape::NINE);
        writer.write(Record { outside: vec![Value::Signed(-3)], ..record }).unwrap();
        writer.finish().unwrap();
        let mut reader = FrameReader::open(File::open(&path).unwrap()).unwrap();
        assert_eq!(reader.metadata(), Some("{}"));
        let schema = ParquetReader::new(File::open(&path).unwrap()).schema().unwrap();
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
