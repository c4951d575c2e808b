//! Writes and reads Parquet files. This is the only module that uses polars.
//!
//! ```text
//!   records -> values of each column -> row group of ROW_GROUP rows -> file       bounded memory both ways
//!   file -> row group -> at most READ_ROWS rows -> values -> records
//! ```
//!
//! All threads make columns of a row group, each its own, and one writes them. The zstd level is 1. With these columns,
//! level 3 gives larger files and takes twice as long.
//!
//! Every file has checksums, which are compared when a column is read ([`sums`]).
//!
//! polars may panic on a damaged file, and a damaged footer may ask for more memory than there is. So sizes in the
//! footer are checked first, and panics become errors.

mod pages;
mod quotes;
mod reader;
mod step_pages;
mod step_rows;
mod sums;
mod table;
#[cfg(test)]
pub(crate) mod testing;
mod values;

use std::cell::Cell;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use polars::prelude::{ArrowDataType, ArrowField, ArrowSchema, PlSmallStr, PolarsError};
use polars_arrow::array::{
    Array, DictionaryArray, MutableBinaryViewArray, MutableBooleanArray, MutablePrimitiveArray, PrimitiveArray,
    new_empty_array, new_null_array,
};
use polars_arrow::datatypes::IntegerType;
use polars_arrow::io::ipc::write::{default_ipc_fields, schema_to_bytes};
use polars_parquet::write::{
    CompressedPage, CompressionOptions, DynIter, DynStreamingIterator, Encoding, FileWriter, KeyValue, ParquetType,
    StatisticsOptions, Version, WriteOptions, ZstdLevel, array_to_columns, compress, fallible_streaming_iterator,
    get_dtype_encoding,
};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator as _, ParallelIterator as _};

use crate::corpus::files::durable::output::Out;
use crate::corpus::files::parallel::locked;
use crate::corpus::values::outside::Outside;
use crate::corpus::values::record::{COLUMNS, Record};
use crate::corpus::values::value::{ColumnType, Value};

pub(crate) use reader::{FrameReader, RowBatch};
pub(crate) use step_rows::StepFrameWriter;
pub use table::write_table;
pub(crate) use table::{TableWriter, write_csv_as_parquet};
pub(crate) use values::ColumnValues;

use sums::WrittenSums;

/// The key of this program's metadata in a Parquet file.
pub(crate) const METADATA_KEY: &str = "sudoku-corpus";

const ARROW_SCHEMA: &str = "ARROW:schema";

/// Rows of a row group of 9x9 boards. Larger boards have fewer, so that a group stays below 10 MB of text.
const ROW_GROUP: usize = 32_768;

/// Records of which all threads put values into columns together. More would not stay in the caches of a processor.
const WAITING: usize = 256;

fn data_type(kind: ColumnType) -> ArrowDataType {
    match kind {
        ColumnType::Flag => ArrowDataType::Boolean,
        ColumnType::Unsigned32 => ArrowDataType::UInt32,
        ColumnType::Unsigned64 => ArrowDataType::UInt64,
        ColumnType::Signed => ArrowDataType::Int64,
        ColumnType::Real => ArrowDataType::Float64,
        ColumnType::Text => ArrowDataType::Utf8View,
    }
}

/// A schema of columns that may be empty.
fn schema(columns: impl Iterator<Item = (PlSmallStr, ArrowDataType)>) -> ArrowSchema {
    columns.map(|(name, kind)| (name.clone(), ArrowField::new(name, kind, true))).collect()
}

pub(crate) struct FrameWriter {
    columns: Vec<NumberedColumn>,
    file: RowGroups<'static>,
    /// Records whose values are not in the columns yet.
    waiting: Vec<Record>,
    rows: usize,
    /// The number of rows of the next row group.
    group_rows: usize,
}

/// A column that is written.
struct NumberedColumn {
    /// Its place among our columns, followed by those of other programs.
    number: usize,
    column: Column,
}

/// A Parquet file that is written row group by row group.
struct RowGroups<'o> {
    writer: FileWriter<Watched<'o>>,
    encodings: Vec<Vec<Encoding>>,
    pairs: Vec<KeyValue>,
    failure: Failure,
    sums: WrittenSums,
}

/// The last error of the writer below polars. polars itself returns only the text of this error.
type Failure = Arc<Mutex<Option<io::Error>>>;

/// A writer that keeps its last error, and sums what it writes.
struct Watched<'o> {
    out: Out<'o>,
    failure: Failure,
    sums: WrittenSums,
}

impl Watched<'_> {
    /// Keeps the error of an outcome, unless it was only interrupted.
    fn watch<T>(&self, outcome: io::Result<T>) -> io::Result<T> {
        outcome.map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                *locked(&self.failure) = Some(error);
            }
            kind.into()
        })
    }
}

impl Write for Watched<'_> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        if self.sums.keeps(data) {
            return Ok(data.len());
        }
        let outcome = self.out.write(data);
        let written = self.watch(outcome)?;
        self.sums.add(&data[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let outcome = self.out.flush();
        self.watch(outcome)
    }
}

/// A column of a row group, its type in the file, and how its parts are encoded.
type ToCompress<'a> = ((Box<dyn Array>, &'a ParquetType), &'a Vec<Encoding>);

impl<'o> RowGroups<'o> {
    /// Begins a file with these columns, and with the metadata of this program if there are any.
    fn begin(
        out: Out<'o>,
        schema: ArrowSchema,
        metadata: Option<&str>,
        statistics: StatisticsOptions,
    ) -> io::Result<RowGroups<'o>> {
        let pairs = footer(metadata, &schema);
        let (failure, sums) = (Failure::default(), WrittenSums::default());
        let watched = Watched { out, failure: failure.clone(), sums: sums.clone() };
        let encodings = schema.iter_values().map(|field| get_dtype_encoding(&field.dtype)).collect();
        let begin = || {
            let compression = CompressionOptions::Zstd(Some(ZstdLevel::try_new(1)?));
            let options = WriteOptions { statistics, version: Version::V1, compression, data_page_size: None };
            FileWriter::try_new(watched, schema, options)
        };
        let writer = begin().map_err(|error| io_error(&failure, &error))?;
        Ok(RowGroups { writer, encodings, pairs, failure, sums })
    }

    /// Writes a row group, unless it has no rows. All threads make columns of it.
    fn write(&mut self, rows: usize, columns: impl IndexedParallelIterator<Item = Box<dyn Array>>) -> io::Result<()> {
        if rows == 0 {
            return Ok(());
        }
        let options = self.writer.options();
        let types = self.writer.parquet_schema().fields();
        let pages_of = |((array, kind), encoding): ToCompress<'_>| {
            let pages = array_to_columns(array, kind.clone(), options, encoding)?.into_iter().flatten();
            pages.map(|page| Ok(compress(page?, Vec::new(), options.compression)?)).collect()
        };
        let columns = columns.zip(types).zip(&self.encodings).with_max_len(1).map(pages_of);
        let columns = columns.collect::<Result<Vec<_>, PolarsError>>();
        let columns = columns.map_err(|error| io_error(&self.failure, &error))?;
        self.write_pages(rows, &columns)
    }

    /// Writes a row group of these pages, unless it has no rows.
    fn write_pages(&mut self, rows: usize, columns: &[Vec<CompressedPage>]) -> io::Result<()> {
        if rows == 0 {
            return Ok(());
        }
        let sums = self.sums.clone();
        // polars asks for a column when the one before is written.
        let columns = columns.iter().map(move |pages| {
            sums.begin_chunk();
            Ok(DynStreamingIterator::new(fallible_streaming_iterator::convert(pages.iter().map(Ok))))
        });
        let written = self.writer.write(rows as u64, DynIter::new(columns));
        self.sums.end_chunk();
        written.map_err(|error| io_error(&self.failure, &error))
    }

    /// Writes the footer, with the metadata.
    fn finish(mut self) -> io::Result<()> {
        self.pairs.extend(self.sums.begin_tail());
        self.writer.end(Some(self.pairs)).map_err(|error| io_error(&self.failure, &error))?;
        let Watched { mut out, .. } = self.writer.into_inner();
        out.write_all(&self.sums.tail())?;
        out.flush()
    }
}

impl FrameWriter {
    /// Begins a file with our columns and those of other programs. `metadata` is stored as it is. The Arrow schema in
    /// the footer describes every column of ours, and gives its unit.
    pub(crate) fn new(out: Out<'static>, metadata: &str, outside: &[Outside]) -> io::Result<FrameWriter> {
        FrameWriter::only(out, metadata, outside, &|_| true)
    }

    /// Like [`FrameWriter::new`], without the columns whose names are not kept.
    pub(crate) fn only(
        out: Out<'static>,
        metadata: &str,
        outside: &[Outside],
        keep: &dyn Fn(&str) -> bool,
    ) -> io::Result<FrameWriter> {
        let ours = COLUMNS.iter().map(|column| (column.name.as_ref(), column.kind));
        let others = outside.iter().map(|column| (column.name.as_str(), column.kind));
        let mut columns = Vec::new();
        let mut fields = Vec::new();
        for (number, (name, kind)) in ours.chain(others).enumerate() {
            if keep(name) {
                columns.push(NumberedColumn { number, column: Column::new(kind) });
                fields.push((PlSmallStr::from(name), data_type(kind)));
            }
        }
        let mut schema = schema(fields.into_iter());
        for column in COLUMNS.iter() {
            if let Some(field) = schema.get_mut(&column.name) {
                let about = [("description", column.about.as_ref()), ("unit", column.unit)];
                let texts = about.into_iter().filter(|(_, text)| !text.is_empty());
                field.metadata = Some(Arc::new(texts.map(|(key, text)| (key.into(), text.into())).collect()));
            }
        }
        let file = RowGroups::begin(out, schema, Some(metadata), StatisticsOptions::default())?;
        Ok(FrameWriter { columns, file, waiting: Vec::new(), rows: 0, group_rows: 0 })
    }

    /// Adds a record. Writes a row group when there are enough records.
    pub(crate) fn write(&mut self, record: Record) -> io::Result<()> {
        if self.rows == 0 && self.waiting.is_empty() {
            self.group_rows = row_group(&record);
        }
        self.waiting.push(record);
        if self.rows + self.waiting.len() >= self.group_rows {
            return self.flush();
        }
        if self.waiting.len() >= WAITING {
            self.push();
        }
        Ok(())
    }

    /// Puts the values of the records that wait into the columns.
    fn push(&mut self) {
        let (ours, first, records) = (COLUMNS.as_slice(), self.rows, &self.waiting);
        self.columns.par_iter_mut().with_min_len(ours.len() / 8).for_each(|written| match ours.get(written.number) {
            Some(ours) => written.column.extend(first, records, |record| ours.get(record)),
            None => {
                let number = written.number - ours.len();
                written.column.extend(first, records, |record| record.outside_value(number));
            }
        });
        self.rows += self.waiting.len();
        self.waiting.clear();
    }

    /// The numbers of the columns that have a value in any record.
    pub(crate) fn filled(&mut self) -> Vec<usize> {
        self.push();
        self.columns.iter().filter(|written| written.column.is_filled).map(|written| written.number).collect()
    }

    /// Copies the rows of a file that this program wrote, and ends the file. Pages are copied as they are, so the bytes
    /// are those that the rows give.
    pub(crate) fn copy(mut self, from: &FrameReader) -> io::Result<()> {
        let fields = self.file.writer.parquet_schema().fields();
        let names: Vec<String> = fields.iter().map(|field| field.name().to_owned()).collect();
        for (group, rows) in from.groups().into_iter().enumerate() {
            let pages = names.iter().map(|name| from.pages(group, name)).collect::<Result<Vec<_>, String>>();
            self.file.write_pages(rows, &pages.map_err(io::Error::other)?)?;
        }
        self.file.finish()
    }

    /// Writes the last row group and the footer.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.file.finish()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.push();
        let rows = std::mem::take(&mut self.rows);
        self.file.write(rows, self.columns.par_iter_mut().map(|written| written.column.array(rows)))
    }
}

/// What a footer says: the metadata of this program, and the Arrow schema. The schema holds the metadata too, because
/// Arrow's readers show those of the schema alone. polars' own function loses them if a column has lists, and declares
/// texts as views, which pyarrow, R's arrow and pandas can neither filter nor sort. The bytes of the columns are the
/// same.
fn footer(metadata: Option<&str>, columns: &ArrowSchema) -> Vec<KeyValue> {
    let fields = columns.iter_values().map(|field| ArrowField { dtype: plain_texts(&field.dtype), ..field.clone() });
    let mut schema: ArrowSchema = fields.map(|field| (field.name.clone(), field)).collect();
    let ours = metadata.map(|json| (METADATA_KEY, json.to_owned()));
    schema.metadata_mut().extend(ours.iter().map(|(key, json)| ((*key).into(), json.as_str().into())));
    let message = schema_to_bytes(&schema, &default_ipc_fields(schema.iter_values()), None);
    // A message of Arrow: a mark, its length, its bytes.
    let framed = [&[0xff; 4], &(message.len() as u32).to_le_bytes()[..], &message].concat();
    let schema = (ARROW_SCHEMA, base64::engine::general_purpose::STANDARD.encode(framed));
    ours.into_iter().chain([schema]).map(|(key, value)| KeyValue { key: key.to_owned(), value: Some(value) }).collect()
}

/// A type with plain texts instead of views, also in lists.
fn plain_texts(kind: &ArrowDataType) -> ArrowDataType {
    match kind {
        ArrowDataType::Utf8View => ArrowDataType::Utf8,
        ArrowDataType::LargeList(inner) => ArrowDataType::LargeList(Box::new(ArrowField {
            dtype: plain_texts(&inner.dtype),
            ..ArrowField::clone(inner)
        })),
        other => other.clone(),
    }
}

/// The number of rows of a row group, by its first record: five million cells, and at least 16 rows.
fn row_group(record: &Record) -> usize {
    (5_000_000 / record.shape.cells()).clamp(16, ROW_GROUP)
}

/// The values of a column of the next row group.
enum Cells {
    Flags(MutableBooleanArray),
    Unsigned32(MutablePrimitiveArray<u32>),
    Unsigned64(MutablePrimitiveArray<u64>),
    Signed(MutablePrimitiveArray<i64>),
    Reals(MutablePrimitiveArray<f64>),
    Texts(MutableBinaryViewArray<str>),
}

impl Cells {
    fn new(kind: ColumnType) -> Cells {
        match kind {
            ColumnType::Flag => Cells::Flags(MutableBooleanArray::new()),
            ColumnType::Unsigned32 => Cells::Unsigned32(MutablePrimitiveArray::new()),
            ColumnType::Unsigned64 => Cells::Unsigned64(MutablePrimitiveArray::new()),
            ColumnType::Signed => Cells::Signed(MutablePrimitiveArray::new()),
            ColumnType::Real => Cells::Reals(MutablePrimitiveArray::new()),
            ColumnType::Text => Cells::Texts(MutableBinaryViewArray::new()),
        }
    }

    fn push(&mut self, value: Value<'_>) {
        match (self, value) {
            (Cells::Flags(flags), Value::Flag(flag)) => flags.push_value(flag),
            (Cells::Unsigned32(numbers), Value::Unsigned(number)) => numbers.push_value(number as u32),
            (Cells::Unsigned64(numbers), Value::Unsigned(number)) => numbers.push_value(number),
            (Cells::Signed(numbers), Value::Signed(number)) => numbers.push_value(number),
            (Cells::Reals(numbers), Value::Real(number)) => numbers.push_value(number),
            (Cells::Texts(texts), Value::Text(text)) => texts.push_value(text),
            (cells, _) => cells.push_null(),
        }
    }

    fn push_null(&mut self) {
        match self {
            Cells::Flags(flags) => flags.push_null(),
            Cells::Unsigned32(numbers) => numbers.push(None),
            Cells::Unsigned64(numbers) => numbers.push(None),
            Cells::Signed(numbers) => numbers.push(None),
            Cells::Reals(numbers) => numbers.push(None),
            Cells::Texts(texts) => texts.push_null(),
        }
    }

    fn array(self) -> Box<dyn Array> {
        match self {
            Cells::Flags(flags) => flags.freeze().boxed(),
            Cells::Unsigned32(numbers) => numbers.freeze().boxed(),
            Cells::Unsigned64(numbers) => numbers.freeze().boxed(),
            Cells::Signed(numbers) => numbers.freeze().boxed(),
            Cells::Reals(numbers) => numbers.freeze().boxed(),
            Cells::Texts(texts) => texts.freeze().boxed(),
        }
    }
}

/// A column of the next row group. Many columns have no value in any row.
struct Column {
    kind: ColumnType,
    cells: Option<Cells>,
    /// True if it had a value in any row group.
    is_filled: bool,
}

impl Column {
    fn new(kind: ColumnType) -> Column {
        Column { kind, cells: None, is_filled: false }
    }

    /// Adds the values of records. The first record has this number in the row group.
    fn extend<'r>(&mut self, first: usize, records: &'r [Record], value: impl Fn(&'r Record) -> Value<'r>) {
        for (row, record) in records.iter().enumerate() {
            let value = value(record);
            if self.cells.is_some() || !matches!(value, Value::Null) {
                self.push(first + row, value);
            }
        }
    }

    /// Adds the value of a row, by its number in the row group.
    fn push(&mut self, row: usize, value: Value<'_>) {
        match &mut self.cells {
            None if matches!(value, Value::Null) => {}
            None => {
                let cells = self.cells.insert(Cells::new(self.kind));
                self.is_filled = true;
                (0..row).for_each(|_| cells.push_null());
                cells.push(value);
            }
            Some(cells) => cells.push(value),
        }
    }

    /// The values of this number of rows. They are gone then.
    fn array(&mut self, rows: usize) -> Box<dyn Array> {
        self.cells.take().map_or_else(|| empty(data_type(self.kind), rows), Cells::array)
    }
}

/// A column without values. Integers and texts get the dictionary without words that polars would find, row by row. It
/// makes no dictionaries of flags and real numbers.
fn empty(kind: ArrowDataType, rows: usize) -> Box<dyn Array> {
    if matches!(kind, ArrowDataType::Boolean | ArrowDataType::Float64) {
        return new_null_array(kind, rows);
    }
    let keys = PrimitiveArray::<u32>::new_null(ArrowDataType::UInt32, rows);
    let words = new_empty_array(kind.clone());
    let kind = ArrowDataType::Dictionary(IntegerType::UInt32, Box::new(kind), false);
    match DictionaryArray::try_new(kind, keys, words) {
        Ok(array) => array.boxed(),
        Err(error) => unreachable!("no key is used: {error}"),
    }
}

thread_local! {
    /// The number of calls of this thread, one in the other, whose panics must not be printed.
    static QUIET: Cell<u32> = const { Cell::new(0) };
}

/// True while a damaged file may make polars panic on this thread. Such a panic becomes an error; a program that has a
/// panic hook can leave its message out.
pub fn expects_panics() -> bool {
    QUIET.get() > 0
}

/// Calls polars. A panic becomes an error.
fn guarded<T>(call: impl FnOnce() -> Result<T, PolarsError>) -> Result<T, String> {
    QUIET.set(QUIET.get() + 1);
    let outcome = catch_unwind(AssertUnwindSafe(call));
    QUIET.set(QUIET.get() - 1);
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
    let below = locked(failure).take();
    below.unwrap_or_else(|| io::Error::other(first_line(&error.to_string())))
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use polars_parquet::read::read_metadata;

    use super::*;

    /// The bytes of the Arrow schema in the footer of a file.
    fn schema_of(path: &std::path::Path) -> Vec<u8> {
        let footer = read_metadata(&mut File::open(path).unwrap()).unwrap();
        let pairs = footer.key_value_metadata.unwrap();
        let schema = pairs.into_iter().find(|pair| pair.key == ARROW_SCHEMA).unwrap().value.unwrap();
        base64::engine::general_purpose::STANDARD.decode(schema).unwrap()
    }

    #[test]
    fn the_arrow_schema_carries_the_metadata_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let [rows, steps] = ["a.parquet", "s.parquet"].map(|name| folder.path().join(name));
        FrameWriter::new(Box::new(File::create(&rows).unwrap()), "{\"a\":1}", &[]).unwrap().finish().unwrap();
        StepFrameWriter::new(Box::new(File::create(&steps).unwrap()), "{\"b\":2}").unwrap().finish().unwrap();
        for (path, json) in [(&rows, "{\"a\":1}"), (&steps, "{\"b\":2}")] {
            let schema = schema_of(path);
            assert!(
                [METADATA_KEY, json]
                    .iter()
                    .all(|text| schema.windows(text.len()).any(|bytes| bytes == text.as_bytes()))
            );
        }
        assert_eq!(FrameReader::open(&steps).unwrap().metadata(), Some("{\"b\":2}"));
    }

    /// What a reader of Arrow is told about texts, in files of rows, of steps and of any table.
    #[test]
    fn texts_are_declared_plain() {
        let folder = tempfile::tempdir().unwrap();
        let [rows, steps, table] = ["a.parquet", "s.parquet", "t.parquet"].map(|name| folder.path().join(name));
        let outside = [Outside { name: "person".to_owned(), kind: ColumnType::Text }];
        FrameWriter::new(Box::new(File::create(&rows).unwrap()), "{}", &outside).unwrap().finish().unwrap();
        StepFrameWriter::new(Box::new(File::create(&steps).unwrap()), "{}").unwrap().finish().unwrap();
        write_table(&table, [("name", ColumnType::Text)], 1, |_, _| Value::from("one")).unwrap();
        for path in [&rows, &steps, &table] {
            let schema = polars_arrow::io::ipc::read::deserialize_schema(&schema_of(path)[8..]).unwrap().0;
            let kinds: Vec<String> = schema.iter_values().map(|field| format!("{:?}", field.dtype)).collect();
            assert!(kinds.iter().any(|kind| kind == "Utf8"), "{kinds:?}");
            assert!(kinds.iter().all(|kind| !kind.contains("View") && !kind.contains("LargeUtf8")), "{kinds:?}");
        }
    }

    #[test]
    fn copied_columns_have_the_bytes_of_written_ones() {
        let folder = tempfile::tempdir().unwrap();
        let outside = [Outside { name: "id".to_owned(), kind: ColumnType::Signed }];
        // Three row groups. One column has values in the last alone, one has few values, one many.
        let record = |row: u64| Record {
            name: Some(format!("{row}")),
            plan: Some(["minimal", "maximal"][row as usize % 2].into()),
            hodoku_score: (row > 8_000).then_some(row as u32),
            minimal: row.is_multiple_of(3).then_some(true),
            log_weight: Some(row as f64 / 7.0),
            outside: vec![Value::Signed(-(row as i64))],
            ..Record::new(row, sudoku_corpus_core::board::Shape::new(6, 6).unwrap())
        };
        let path = |name: &str| folder.path().join(name);
        let begin = |name: &str, keep| {
            FrameWriter::only(Box::new(File::create(path(name)).unwrap()), "{}", &outside, keep).unwrap()
        };
        let written = |name: &str, keep| {
            let mut writer = begin(name, keep);
            (0..9_000).for_each(|row| writer.write(record(row)).unwrap());
            writer.finish().unwrap();
            FrameReader::open(&path(name)).unwrap()
        };
        let kept = |name: &str| {
            ["row", "shape", "name", "plan", "hodoku_score", "minimal", "log_weight", "id"].contains(&name)
        };
        let (whole, some) = (written("whole", &|_| true), written("some", &kept));
        assert_eq!((whole.groups().len(), some.names().len()), (3, 8));
        begin("copied", &kept).copy(&whole).unwrap();
        assert!(std::fs::read(path("copied")).unwrap() == std::fs::read(path("some")).unwrap());
        assert_eq!(begin("more", &|_| true).copy(&some).unwrap_err().to_string(), "no column 'method'");
    }

    #[test]
    fn fields_carry_the_descriptions_of_their_columns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let outside = [Outside { name: "id".to_owned(), kind: ColumnType::Signed }];
        let mut writer = FrameWriter::new(Box::new(File::create(&path).unwrap()), "{}", &outside).unwrap();
        let record = Record::new(0, sudoku_corpus_core::board::Shape::NINE);
        writer.write(Record { outside: vec![Value::Signed(-3)], ..record }).unwrap();
        writer.finish().unwrap();
        let mut reader = FrameReader::open(&path).unwrap();
        assert_eq!(reader.metadata(), Some("{}"));
        let schema = testing::schema_of(&path);
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
