//! Writes steps as Parquet: one row for each step, with lists as nested columns.

use std::io::{self, Write};

use polars::prelude::{
    Column as Series, CompatLevel, DataType, Field, IntoColumn, ListChunked, PlSmallStr, Schema, StringChunked,
    UInt32Chunked, UInt64Chunked,
};
use polars_arrow::array::{Array, ListArray, MutableBinaryViewArray, MutablePrimitiveArray, PrimitiveArray};
use polars_arrow::offset::Offsets;

use super::{RowGroups, footer};
use crate::corpus::record::Record;
use crate::corpus::step_columns::{STEP_COLUMNS, StepColumn, StepLine, StepValue};
use crate::corpus::steps::StepTexts;

/// The number of steps in a row group. On 9x9 boards, their candidates take 4 MB.
const ROW_GROUP: usize = 16_384;

pub struct StepFrameWriter<W: Write> {
    file: RowGroups<W>,
    waiting: Vec<Values>,
    rows: usize,
}

/// The values of a column of the next row group; of lists also the end of each. They are taken from the steps one step after
/// the other: a row group of steps is larger than the caches of a processor.
enum Values {
    Rows(Vec<u64>),
    Numbers(MutablePrimitiveArray<u32>),
    Texts(MutableBinaryViewArray<str>),
    NumberLists(Vec<u32>, Vec<i64>),
    TextLists(MutableBinaryViewArray<str>, Vec<i64>),
}

impl Values {
    fn none() -> Vec<Values> {
        let values = |column: &StepColumn| match column.value {
            StepValue::Row(_) => Values::Rows(Vec::with_capacity(ROW_GROUP)),
            StepValue::Number(_) => Values::Numbers(MutablePrimitiveArray::with_capacity(ROW_GROUP)),
            StepValue::Text(_) => Values::Texts(MutableBinaryViewArray::with_capacity(ROW_GROUP)),
            StepValue::Numbers(_) => Values::NumberLists(Vec::new(), vec![0]),
            StepValue::Texts(_) => Values::TextLists(MutableBinaryViewArray::new(), vec![0]),
        };
        STEP_COLUMNS.iter().map(values).collect()
    }

    fn push(&mut self, value: &StepValue, line: &StepLine<'_>) {
        let step = line.row.step.as_ref();
        match (self, value) {
            (Values::Rows(rows), StepValue::Row(of)) => rows.push(of(line)),
            (Values::Numbers(numbers), StepValue::Number(of)) => numbers.push(of(line)),
            (Values::Texts(texts), StepValue::Text(of)) => texts.push(of(line)),
            (Values::NumberLists(numbers, ends), StepValue::Numbers(of)) => {
                step.into_iter().for_each(|step| of(step, numbers));
                ends.push(numbers.len() as i64);
            }
            (Values::TextLists(texts, ends), StepValue::Texts(of)) => {
                let houses = step.map_or(&[][..], of);
                houses.iter().for_each(|&house| texts.push_value(line.layout.house_name(house)));
                ends.push(texts.len() as i64);
            }
            _ => unreachable!("values of a column have its type"),
        }
    }

    fn series(self, name: PlSmallStr) -> io::Result<Series> {
        let list = |values: Box<dyn Array>, ends: Vec<i64>| {
            let kind = ListArray::<i64>::default_datatype(values.dtype().clone());
            let ends = Offsets::try_from(ends).map_err(io::Error::other)?;
            Ok::<_, io::Error>(ListArray::new(kind, ends.into(), values, None))
        };
        Ok(match self {
            Values::Rows(rows) => UInt64Chunked::from_vec(name, rows).into_column(),
            Values::Numbers(numbers) => UInt32Chunked::with_chunk(name, numbers.freeze()).into_column(),
            Values::Texts(texts) => StringChunked::with_chunk(name, texts.freeze()).into_column(),
            Values::NumberLists(numbers, ends) => {
                ListChunked::with_chunk(name, list(PrimitiveArray::from_vec(numbers).boxed(), ends)?).into_column()
            }
            Values::TextLists(texts, ends) => {
                ListChunked::with_chunk(name, list(texts.freeze().boxed(), ends)?).into_column()
            }
        })
    }
}

fn schema() -> Schema {
    let kind = |column: &StepColumn| match column.value {
        StepValue::Row(_) => DataType::UInt64,
        StepValue::Number(_) => DataType::UInt32,
        StepValue::Text(_) => DataType::String,
        StepValue::Numbers(_) => DataType::List(Box::new(DataType::UInt32)),
        StepValue::Texts(_) => DataType::List(Box::new(DataType::String)),
    };
    Schema::from_iter(STEP_COLUMNS.iter().map(|column| Field::new(column.name.into(), kind(column))))
}

impl<W: Write> StepFrameWriter<W> {
    /// Begins a file. `metadata` is stored as it is. By default, polars declares texts as views, and pandas cannot read
    /// lists of views. So the Arrow schema in the footer declares plain texts. The bytes of the columns are the same.
    pub fn new(out: W, metadata: &str) -> io::Result<StepFrameWriter<W>> {
        let schema = schema();
        let field = |(name, kind): (&PlSmallStr, &DataType)| {
            (name.clone(), kind.to_arrow_field(name.clone(), CompatLevel::oldest()))
        };
        let pairs = footer(metadata, schema.iter().map(field).collect());
        Ok(StepFrameWriter { file: RowGroups::begin(out, &schema, pairs)?, waiting: Values::none(), rows: 0 })
    }

    /// Adds the steps of a row. Writes a row group when there are enough.
    pub fn write(&mut self, record: &Record, steps: &StepTexts) -> io::Result<()> {
        let class = record.class.map(|class| format!("{class:032x}"));
        for line in steps.lines(record.index, class.as_deref(), record.shape) {
            let columns = self.waiting.iter_mut().zip(&STEP_COLUMNS);
            columns.for_each(|(values, column)| values.push(&column.value, &line));
            self.rows += 1;
        }
        if self.rows >= ROW_GROUP { self.flush() } else { Ok(()) }
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.file.finish()
    }

    fn flush(&mut self) -> io::Result<()> {
        let waiting = std::mem::replace(&mut self.waiting, Values::none());
        let columns = waiting.into_iter().zip(&STEP_COLUMNS).map(|(values, column)| values.series(column.name.into()));
        let columns: Vec<Series> = columns.collect::<io::Result<_>>()?;
        self.file.write(std::mem::take(&mut self.rows), columns.into_iter())
    }
}
