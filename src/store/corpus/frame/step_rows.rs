//! Writes steps as Parquet: one row for each step, with lists as nested columns.

use std::io::{self, Write};
use std::sync::Arc;

use polars::prelude::{
    Column as Series, CompatLevel, DataFrame, DataType, Field, IntoColumn, KeyValueMetadata, ListBuilderTrait,
    ListPrimitiveChunkedBuilder, ListStringChunkedBuilder, NewChunkedArray, ParquetWriter, PlSmallStr, PolarsError,
    Schema, StringChunked, UInt32Chunked, UInt32Type, UInt64Chunked,
};

use polars_parquet::write::schema_to_metadata_key;

use super::{BatchedWriter, Failure, METADATA_KEY, Watched, io_error, zstd};
use crate::corpus::record::Record;
use crate::corpus::steps::StepText;
use sudoku_corpus_core::board::{Cell, Digit, House};
use sudoku_corpus_core::rate::Step;

/// The number of steps in a row group. On 9x9 boards, their candidates take 4 MB.
const ROW_GROUP: usize = 16_384;

/// Writes steps as Parquet.
pub struct StepFrameWriter<W: Write> {
    writer: BatchedWriter<Watched<W>>,
    failure: Failure,
    waiting: Vec<(u64, Option<Arc<str>>, sudoku_corpus_core::board::Shape, StepText)>,
}

fn lists(kind: DataType) -> DataType {
    DataType::List(Box::new(kind))
}

/// The columns of a file of steps.
fn schema() -> Schema {
    let (number, text) = (DataType::UInt32, DataType::String);
    let fields = [
        ("index", DataType::UInt64),
        ("class", text.clone()),
        ("shape", text.clone()),
        ("kind", text.clone()),
        ("step", number.clone()),
        ("round", number.clone()),
        ("technique", text.clone()),
        ("digits", lists(number.clone())),
        ("cells", lists(number.clone())),
        ("base", lists(text.clone())),
        ("cover", lists(text.clone())),
        ("place_cells", lists(number.clone())),
        ("place_digits", lists(number.clone())),
        ("remove_cells", lists(number.clone())),
        ("remove_digits", lists(number.clone())),
        ("board", text.clone()),
        ("candidates", text.clone()),
        ("score", number.clone()),
        ("se_tenths", number.clone()),
        ("solutions", number),
        ("tokens", text.clone()),
        ("sentence", text),
    ];
    Schema::from_iter(fields.map(|(name, kind)| Field::new(name.into(), kind)))
}

/// The Arrow schema in the footer: its key and its value. By default, polars declares texts as views, and pandas cannot
/// read lists of views. So this schema declares plain texts. The bytes of the columns are the same for both.
fn arrow_schema() -> (String, String) {
    let schema = schema();
    let field = |(name, kind): (&PlSmallStr, &DataType)| {
        (name.clone(), kind.to_arrow_field(name.clone(), CompatLevel::oldest()))
    };
    let said = schema_to_metadata_key(&schema.iter().map(field).collect());
    (said.key, said.value.unwrap_or_default())
}

impl<W: Write> StepFrameWriter<W> {
    /// Begins a file. `metadata` is stored as it is.
    ///
    /// # Errors
    /// polars reports an error about the writer.
    pub fn new(out: W, metadata: &str) -> io::Result<StepFrameWriter<W>> {
        let failure = Failure::default();
        let begin = || -> Result<_, PolarsError> {
            let pairs = vec![arrow_schema(), (METADATA_KEY.to_owned(), metadata.to_owned())];
            ParquetWriter::new(Watched { out, failure: failure.clone() })
                .with_compression(zstd()?)
                .with_key_value_metadata(Some(KeyValueMetadata::from_static(pairs)))
                .set_parallel(false)
                .batched(&schema())
        };
        let writer = begin().map_err(|error| io_error(&failure, &error))?;
        Ok(StepFrameWriter { writer, failure, waiting: Vec::new() })
    }

    /// Adds the steps of a row. Writes a row group when there are enough.
    ///
    /// # Errors
    /// polars reports an error; usually the disk is full.
    pub fn write(&mut self, record: &Record, steps: Vec<StepText>) -> io::Result<()> {
        let class = record.class.map(|class| Arc::<str>::from(format!("{class:032x}")));
        self.waiting.extend(steps.into_iter().map(|step| (record.index, class.clone(), record.shape, step)));
        if self.waiting.len() >= ROW_GROUP { self.flush() } else { Ok(()) }
    }

    /// Writes the last row group and the footer.
    ///
    /// # Errors
    /// The same as for [`StepFrameWriter::write`].
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.writer.finish().map(|_| ()).map_err(|error| io_error(&self.failure, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let frame = DataFrame::new(self.waiting.len(), self.columns());
        let frame = frame.map_err(|error| io_error(&self.failure, &error))?;
        self.waiting.clear();
        self.writer.write_batch(&frame).map_err(|error| io_error(&self.failure, &error))
    }

    fn columns(&self) -> Vec<Series> {
        let rows = || self.waiting.iter().map(|(_, _, _, step)| &step.row);
        let steps = || rows().map(|row| row.step.as_ref());
        let text = |name: &str, values: Vec<Option<&str>>| {
            StringChunked::from_iter_options(name.into(), values.into_iter()).into_column()
        };
        let number = |name: &str, values: Vec<Option<u32>>| {
            UInt32Chunked::from_iter_options(name.into(), values.into_iter()).into_column()
        };
        let cell = |(cell, _): &(Cell, Digit)| cell.index() as u32;
        let digit = |(_, digit): &(Cell, Digit)| u32::from(digit.value());
        let numbers = |name: &str, of: &dyn Fn(&Step) -> Vec<u32>| self.numbers(name, of);
        vec![
            UInt64Chunked::from_iter_options("index".into(), self.waiting.iter().map(|(index, ..)| Some(*index)))
                .into_column(),
            text("class", self.waiting.iter().map(|(_, class, ..)| class.as_deref()).collect()),
            self.shapes(),
            text("kind", rows().map(|row| Some(row.kind.name())).collect()),
            number("step", rows().map(|row| Some(row.number)).collect()),
            number("round", steps().map(|step| step.map(|step| step.round)).collect()),
            text("technique", steps().map(|step| step.map(|step| step.technique.code())).collect()),
            numbers("digits", &|step| step.pattern.digits.iter().map(|digit| u32::from(digit.value())).collect()),
            numbers("cells", &|step| step.pattern.cells.iter().map(|cell| cell.index() as u32).collect()),
            self.houses("base", |step| &step.pattern.base),
            self.houses("cover", |step| &step.pattern.cover),
            numbers("place_cells", &|step| step.placements.iter().map(cell).collect()),
            numbers("place_digits", &|step| step.placements.iter().map(digit).collect()),
            numbers("remove_cells", &|step| step.eliminations.iter().map(cell).collect()),
            numbers("remove_digits", &|step| step.eliminations.iter().map(digit).collect()),
            text("board", self.waiting.iter().map(|(.., step)| Some(step.board.as_str())).collect()),
            text("candidates", self.waiting.iter().map(|(.., step)| Some(step.candidates.as_str())).collect()),
            number("score", rows().map(|row| row.score()).collect()),
            number("se_tenths", rows().map(|row| row.se_tenths().map(u32::from)).collect()),
            number("solutions", rows().map(|row| Some(row.solutions)).collect()),
            text("tokens", self.waiting.iter().map(|(.., step)| Some(step.tokens.as_str())).collect()),
            text("sentence", self.waiting.iter().map(|(.., step)| Some(step.sentence.as_str())).collect()),
        ]
    }

    fn shapes(&self) -> Series {
        let names: Vec<String> = self.waiting.iter().map(|(_, _, shape, _)| shape.to_string()).collect();
        StringChunked::from_iter_values("shape".into(), names.iter().map(String::as_str)).into_column()
    }

    /// A column of lists of numbers. Steps without numbers have empty lists.
    fn numbers(&self, name: &str, of: &dyn Fn(&Step) -> Vec<u32>) -> Series {
        let rows = self.waiting.len();
        let mut column = ListPrimitiveChunkedBuilder::<UInt32Type>::new(name.into(), rows, 4 * rows, DataType::UInt32);
        for (.., step) in &self.waiting {
            column.append_slice(&step.row.step.as_ref().map(of).unwrap_or_default());
        }
        column.finish().into_column()
    }

    /// A column of lists of names of houses.
    fn houses(&self, name: &str, of: impl Fn(&Step) -> &Vec<House>) -> Series {
        let rows = self.waiting.len();
        let mut column = ListStringChunkedBuilder::new(name.into(), rows, 2 * rows);
        for (_, _, shape, step) in &self.waiting {
            let houses = step.row.step.as_ref().map(&of).map_or(&[][..], Vec::as_slice);
            let names: Vec<String> = houses.iter().map(|house| house.name(*shape).to_string()).collect();
            column.append_values_iter(names.iter().map(String::as_str));
        }
        column.finish().into_column()
    }
}
