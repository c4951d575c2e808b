//! Writes steps as Parquet: one row for each step, with lists as nested columns.

use std::io::{self, Write};
use std::sync::Arc;

use polars::prelude::{
    Column as Series, CompatLevel, DataType, Field, IntoColumn, ListBuilderTrait, ListPrimitiveChunkedBuilder,
    ListStringChunkedBuilder, NewChunkedArray, PlSmallStr, Schema, StringChunked, UInt32Chunked, UInt32Type,
    UInt64Chunked,
};

use polars_parquet::write::schema_to_metadata_key;

use super::{RowGroups, own_metadata};
use crate::corpus::record::Record;
use crate::corpus::step_columns::{STEP_COLUMNS, StepColumn, StepLine, StepValue};
use crate::corpus::steps::StepText;

/// The number of steps in a row group. On 9x9 boards, their candidates take 4 MB.
const ROW_GROUP: usize = 16_384;

/// Writes steps as Parquet.
pub struct StepFrameWriter<W: Write> {
    file: RowGroups<W>,
    waiting: Vec<StepLine>,
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
        let pairs = vec![schema_to_metadata_key(&schema.iter().map(field).collect()), own_metadata(metadata)];
        Ok(StepFrameWriter { file: RowGroups::begin(out, &schema, pairs)?, waiting: Vec::new() })
    }

    /// Adds the steps of a row. Writes a row group when there are enough.
    pub fn write(&mut self, record: &Record, steps: Vec<StepText>) -> io::Result<()> {
        let (index, shape) = (record.index, record.shape);
        let class = record.class.map(|class| Arc::<str>::from(format!("{class:032x}")));
        self.waiting.extend(steps.into_iter().map(|step| StepLine { index, class: class.clone(), shape, step }));
        if self.waiting.len() >= ROW_GROUP { self.flush() } else { Ok(()) }
    }

    /// Writes the last row group and the footer.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.file.finish()
    }

    fn flush(&mut self) -> io::Result<()> {
        let lines = std::mem::take(&mut self.waiting);
        self.file.write(lines.len(), STEP_COLUMNS.iter().map(|column| series(column, &lines)))
    }
}

/// One column of some lines.
fn series(column: &StepColumn, lines: &[StepLine]) -> Series {
    let (name, rows) = (column.name.into(), lines.len());
    let steps = lines.iter().map(|line| (line.shape, line.step.row.step.as_ref()));
    match &column.value {
        StepValue::Row(of) => UInt64Chunked::from_iter_values(name, lines.iter().map(of)).into_column(),
        StepValue::Number(of) => UInt32Chunked::from_iter_options(name, lines.iter().map(of)).into_column(),
        StepValue::Text(of) => StringChunked::from_iter_options(name, lines.iter().map(of)).into_column(),
        StepValue::Numbers(of) => {
            let mut lists = ListPrimitiveChunkedBuilder::<UInt32Type>::new(name, rows, 4 * rows, DataType::UInt32);
            steps.for_each(|(_, step)| lists.append_slice(&step.map(of).unwrap_or_default()));
            lists.finish().into_column()
        }
        StepValue::Texts(of) => {
            let mut lists = ListStringChunkedBuilder::new(name, rows, 2 * rows);
            for (shape, step) in steps {
                let houses = step.map_or(&[][..], of);
                let names: Vec<String> = houses.iter().map(|house| house.name(shape).to_string()).collect();
                lists.append_values_iter(names.iter().map(String::as_str));
            }
            lists.finish().into_column()
        }
    }
}
