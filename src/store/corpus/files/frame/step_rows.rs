//! Writes steps as Parquet: one row for each step, with lists as nested columns.

use std::io::{self, Write};

use polars::prelude::{ArrowDataType, ArrowSchema};
use polars_arrow::array::{ListArray, MutableBinaryViewArray, MutablePrimitiveArray};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::{Cells, RowGroups, schema};
use crate::corpus::values::record::Record;
use crate::corpus::values::step_columns::{STEP_COLUMNS, StepColumn, StepLine, StepValue};
use crate::corpus::values::steps::StepTexts;

/// The number of steps in a row group. On 9x9 boards, their candidates take 4 MB.
const ROW_GROUP: usize = 16_384;

/// Writes a file of steps.
pub(crate) struct StepFrameWriter<W: Write> {
    file: RowGroups<W>,
    waiting: Vec<Cells>,
    rows: usize,
}

impl Cells {
    /// Room for the values of a column of steps.
    fn of_steps(column: &StepColumn) -> Cells {
        match column.value {
            StepValue::Row(_) => Cells::Unsigned64(MutablePrimitiveArray::with_capacity(ROW_GROUP)),
            StepValue::Number(_) => Cells::Unsigned32(MutablePrimitiveArray::with_capacity(ROW_GROUP)),
            StepValue::Text(_) => Cells::Texts(MutableBinaryViewArray::with_capacity(ROW_GROUP)),
            StepValue::Numbers(_) => Cells::NumberLists(Vec::new(), vec![0]),
            StepValue::Texts(_) => Cells::TextLists(MutableBinaryViewArray::new(), vec![0]),
        }
    }

    /// Adds the value of a column for a step.
    fn push_step(&mut self, value: &StepValue, line: &StepLine<'_>) {
        let step = line.row.step.as_ref();
        match (self, value) {
            (Cells::Unsigned64(rows), StepValue::Row(of)) => rows.push_value(of(line)),
            (Cells::Unsigned32(numbers), StepValue::Number(of)) => numbers.push(of(line)),
            (Cells::Texts(texts), StepValue::Text(of)) => texts.push(of(line)),
            (Cells::NumberLists(numbers, ends), StepValue::Numbers(of)) => {
                step.into_iter().for_each(|step| of(step, numbers));
                ends.push(numbers.len() as i64);
            }
            (Cells::TextLists(texts, ends), StepValue::Texts(of)) => {
                let houses = step.map_or(&[][..], of);
                houses.iter().for_each(|&house| texts.push_value(line.layout.house_name(house)));
                ends.push(texts.len() as i64);
            }
            _ => unreachable!("values of a column have its type"),
        }
    }
}

/// The columns of a file of steps, with their types.
fn columns() -> ArrowSchema {
    let list = ListArray::<i64>::default_datatype;
    let kind = |column: &StepColumn| match column.value {
        StepValue::Row(_) => ArrowDataType::UInt64,
        StepValue::Number(_) => ArrowDataType::UInt32,
        StepValue::Text(_) => ArrowDataType::Utf8View,
        StepValue::Numbers(_) => list(ArrowDataType::UInt32),
        StepValue::Texts(_) => list(ArrowDataType::Utf8View),
    };
    schema(STEP_COLUMNS.iter().map(|column| (column.name.into(), kind(column))))
}

/// The values of the next row group.
fn waiting() -> Vec<Cells> {
    STEP_COLUMNS.iter().map(Cells::of_steps).collect()
}

impl<W: Write> StepFrameWriter<W> {
    /// Begins a file. `metadata` is stored as it is.
    pub(crate) fn new(out: W, metadata: &str) -> io::Result<StepFrameWriter<W>> {
        let file = RowGroups::begin(out, columns(), Some(metadata))?;
        Ok(StepFrameWriter { file, waiting: waiting(), rows: 0 })
    }

    /// Adds the steps of a row. Writes a row group when there are enough.
    pub(crate) fn write(&mut self, record: &Record, steps: &StepTexts) -> io::Result<()> {
        let class = record.class.map(|class| format!("{class:032x}"));
        for line in steps.lines(record.index, class.as_deref(), record.shape) {
            let columns = self.waiting.iter_mut().zip(&STEP_COLUMNS);
            columns.for_each(|(cells, column)| cells.push_step(&column.value, &line));
            self.rows += 1;
        }
        if self.rows >= ROW_GROUP { self.flush() } else { Ok(()) }
    }

    /// Writes the last row group and the footer.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.file.finish()
    }

    /// Writes a row group.
    fn flush(&mut self) -> io::Result<()> {
        let waiting = std::mem::replace(&mut self.waiting, waiting());
        self.file.write(std::mem::take(&mut self.rows), waiting.into_par_iter().map(Cells::array))
    }
}
