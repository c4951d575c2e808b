//! Writes steps as Parquet: one row for each step, with lists as nested columns.

use std::io;

use polars::prelude::{ArrowDataType, ArrowSchema};
use polars_arrow::array::ListArray;
use polars_parquet::write::{StatisticsOptions, compress};
use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};

use super::step_pages::pages;
use super::{RowGroups, schema};
use crate::corpus::files::durable::output::Out;
use crate::corpus::values::record::Record;
use crate::corpus::values::steps::StepTexts;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::steps::columns::{STEP_COLUMNS, StepValue, StepValues};
use sudoku_corpus_core::steps::packed::PackedRows;

/// The number of steps in a row group. The more, the more sentences occur in it again.
const ROW_GROUP: usize = 65_536;

/// The bytes of boards and candidates in a row group: those of larger boards have fewer steps.
const ROW_GROUP_BYTES: usize = 1 << 25;

pub(crate) struct StepFrameWriter {
    file: RowGroups<'static>,
    /// Rows of the next row group. Their values are gathered together, because what is known of steps would not stay in
    /// the cache while other rows are rated.
    waiting: Vec<WaitingRow>,
    steps: usize,
    bytes: usize,
}

/// A row of a corpus, and its steps.
struct WaitingRow {
    index: u64,
    class: Option<String>,
    shape: Shape,
    steps: PackedRows,
}

/// The columns of a file of steps, with their types.
fn columns() -> ArrowSchema {
    let list = ListArray::<i64>::default_datatype;
    schema(STEP_COLUMNS.iter().map(|column| {
        let kind = match column.value {
            StepValue::Row(_) => ArrowDataType::UInt64,
            StepValue::Number(_) => ArrowDataType::UInt32,
            StepValue::Text(_) | StepValue::Board | StepValue::Candidates | StepValue::Sentence(_) => {
                ArrowDataType::Utf8View
            }
            StepValue::Numbers(_) => list(ArrowDataType::UInt32),
            StepValue::Texts(_) => list(ArrowDataType::Utf8View),
        };
        (column.name.into(), kind)
    }))
}

impl StepFrameWriter {
    /// Begins a file. `metadata` is stored as it is.
    pub(crate) fn new(out: Out<'static>, metadata: &str) -> io::Result<StepFrameWriter> {
        let file = RowGroups::begin(out, columns(), Some(metadata), StatisticsOptions::empty())?;
        Ok(StepFrameWriter { file, waiting: Vec::new(), steps: 0, bytes: 0 })
    }

    /// Adds the steps of a row. Writes a row group when there are enough.
    pub(crate) fn write(&mut self, record: &Record, steps: StepTexts) -> io::Result<()> {
        self.steps += steps.rows.len();
        self.bytes += steps.rows.bytes;
        let class = record.class.map(|class| format!("{class:032x}"));
        self.waiting.push(WaitingRow { index: record.row, class, shape: record.shape, steps: steps.rows });
        if self.steps >= ROW_GROUP || self.bytes >= ROW_GROUP_BYTES { self.flush() } else { Ok(()) }
    }

    /// Writes the last row group and the footer.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.file.finish()
    }

    /// Writes a row group. All threads make columns of it.
    fn flush(&mut self) -> io::Result<()> {
        let mut values = StepValues::default();
        for WaitingRow { index, class, shape, steps } in self.waiting.drain(..) {
            values.push(index, class.as_deref(), shape, steps);
        }
        (self.steps, self.bytes) = (0, 0);
        let StepValues { columns, places, .. } = values;
        let writer = &self.file.writer;
        let (compression, leaves) = (writer.options().compression, writer.parquet_schema().columns());
        let columns = columns.into_par_iter().zip(leaves).with_max_len(1).map(|(mut gathered, leaf)| {
            gathered.spread(&places);
            let pages = pages(gathered, &leaf.descriptor, places.len())?.into_iter();
            pages.map(|page| compress(page, Vec::new(), compression).map_err(io::Error::other)).collect()
        });
        let columns = columns.collect::<io::Result<Vec<_>>>()?;
        self.file.write_pages(places.len(), &columns)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use sudoku_corpus_core::board::Puzzle;
    use sudoku_corpus_core::ladder::Ladder;
    use sudoku_corpus_core::steps::columns::{StepColumn, StepLine};

    use super::super::testing::texts_of;
    use super::*;
    use crate::corpus::tests::puzzle;
    use crate::corpus::{Analysis, StepsWanted};

    /// The value of a column for a step as text, from the step alone.
    fn expected(column: &StepColumn, line: &StepLine<'_>) -> String {
        let step = line.row.step.as_ref();
        let list = |words: Vec<String>| format!("[{}]", words.join(", "));
        match column.value {
            StepValue::Row(value_of) => value_of(line).to_string(),
            StepValue::Number(value_of) => value_of(line).map_or("null".to_owned(), |number| number.to_string()),
            StepValue::Numbers(value_of) => {
                let mut numbers = Vec::new();
                step.into_iter().for_each(|step| value_of(step, &mut numbers));
                list(numbers.iter().map(u32::to_string).collect())
            }
            StepValue::Texts(value_of) => {
                let houses = step.map_or(&[][..], value_of).iter();
                list(houses.map(|&house| line.layout.house_name(house).to_owned()).collect())
            }
            _ => column.value.text(line).map_or("null".to_owned(), |text| text.to_string()),
        }
    }

    /// The rows that polars reads from a file of the steps of these rows are the steps.
    fn is_read_back(rows: &[(Record, &StepTexts)]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("steps.parquet");
        let mut writer = StepFrameWriter::new(Box::new(File::create(&path).unwrap()), "{}").unwrap();
        rows.iter().for_each(|&(ref record, steps)| writer.write(record, steps.clone()).unwrap());
        writer.finish().unwrap();
        let lines = rows.iter().map(|(_, steps)| steps.len()).sum::<usize>();
        for (column, (name, values)) in STEP_COLUMNS.iter().zip(texts_of(&path)) {
            assert_eq!((column.name.to_string(), lines), (name, values.len()));
            let mut place = 0;
            for (record, steps) in rows {
                let class = record.class.map(|class| format!("{class:032x}"));
                for line in steps.lines(record.row, class.as_deref(), record.shape) {
                    assert_eq!(values[place], expected(column, &line), "{} of {place}", column.name);
                    place += 1;
                }
            }
        }
    }

    /// Steps, wrong steps, positions without a step, hints, two shapes, and rows with and without a class.
    fn steps() -> Vec<(Record, StepTexts)> {
        let nine = puzzle("1............8.2......37.45.....197..3...5.2.8.1.42..........9..64..3....7851.6..");
        let none = puzzle(&format!("{:.<81}", "12345678.........9"));
        let four = puzzle("1234341221434..1");
        let steps = Some(StepsWanted { wrong: 4, seed: 1, ..StepsWanted::default() });
        let rated = |puzzle: &Puzzle| {
            let mut record = Analysis { steps, ..Analysis::default() }.analyze(Record::of_puzzle(0, puzzle.clone()));
            let steps = std::mem::take(&mut record.steps);
            (record, steps)
        };
        let hints = (Record::of_puzzle(0, nine.clone()), StepTexts::of_explainer(&nine));
        let proof = StepTexts::of_contradiction(&none, &Ladder::default()).unwrap();
        vec![rated(&nine), rated(&four), hints, (Record::of_puzzle(0, none), proof)]
    }

    #[test]
    fn a_board_that_is_too_large_for_the_ladder_has_no_steps() {
        is_read_back(&[(Record::new(0, Shape::new(7, 7).unwrap()), &StepTexts::default())]);
    }

    #[test]
    fn steps_are_read_back() {
        let steps = steps();
        assert!(steps.iter().all(|(_, steps)| !steps.is_empty()));
        // Every number of steps up to some; indices with all differences; more than a row group.
        let row = |number: usize| {
            let (record, texts) = &steps[number % steps.len()];
            (Record { row: (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15), ..record.clone() }, texts)
        };
        (0..=8).for_each(|number| is_read_back(&(0..number).map(row).collect::<Vec<_>>()));
        let (mut many, mut len) = (Vec::new(), 0);
        while len <= ROW_GROUP + 1000 {
            many.push(row(many.len()));
            len += many[many.len() - 1].1.len();
        }
        is_read_back(&many);
    }
}
