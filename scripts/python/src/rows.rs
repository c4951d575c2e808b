//! Tables of rows and of steps. Names, types and values of their columns are those of the files of a corpus.

use arrow_array::ArrayRef;
use pyo3::prelude::*;
use sudoku_corpus::corpus::{COLUMNS, ColumnType, Record, STEP_COLUMNS, StepLine, StepValue, Value};

use super::table::{Table, flags, large, large_signed, reals, small, small_lists, text_lists, texts};
use super::{Reason, errors};

/// A table with the column `error` and these columns of rows. A row without a result has null in them.
pub fn record_table(rows: &[Result<Record, Reason>], wanted: impl Fn(&str) -> bool) -> PyResult<Table> {
    let mut columns = vec![("error", errors(rows))];
    for column in COLUMNS.iter().filter(|column| wanted(&column.name)) {
        let values = || rows.iter().map(|row| row.as_ref().ok().map_or(Value::Null, |record| column.get(record)));
        let unsigned = || values().map(|value| if let Value::Unsigned(number) = value { Some(number) } else { None });
        let array: ArrayRef = match column.kind {
            ColumnType::Flag => {
                flags(values().map(|value| if let Value::Flag(flag) = value { Some(flag) } else { None }))
            }
            ColumnType::Unsigned32 => small(unsigned().map(|number| number.map(|number| number as u32))),
            ColumnType::Unsigned64 => large(unsigned()),
            ColumnType::Signed => {
                large_signed(values().map(|value| if let Value::Signed(number) = value { Some(number) } else { None }))
            }
            ColumnType::Real => {
                reals(values().map(|value| if let Value::Real(number) = value { Some(number) } else { None }))
            }
            ColumnType::Text => {
                texts(values().map(|value| if let Value::Text(text) = value { Some(text) } else { None }))
            }
        };
        columns.push((&column.name, array));
    }
    Table::new(columns)
}

/// The steps of all puzzles, in order. A puzzle that cannot be used has one row with its error.
pub fn step_table(puzzles: Vec<Result<Vec<StepLine>, Reason>>) -> PyResult<Table> {
    struct Line {
        puzzle: u32,
        step: Result<StepLine, Reason>,
    }
    let mut lines = Vec::new();
    for (at, puzzle) in puzzles.into_iter().enumerate() {
        let line = |step| Line { puzzle: at as u32, step };
        match puzzle {
            Ok(steps) => lines.extend(steps.into_iter().map(Ok).map(line)),
            Err(reason) => lines.push(line(Err(reason))),
        }
    }
    let steps = || lines.iter().map(|line| line.step.as_ref().ok());
    let patterns = || steps().map(|line| line.and_then(|line| Some((line.shape, line.step.row.step.as_ref()?))));
    let mut columns = vec![
        ("puzzle", small(lines.iter().map(|line| Some(line.puzzle)))),
        ("error", texts(lines.iter().map(|line| line.step.as_ref().err()))),
    ];
    // The number and the class of the row are those of a file.
    for column in STEP_COLUMNS.iter().filter(|column| !matches!(column.name, "index" | "class")) {
        let array = match column.value {
            StepValue::Row(value) => large(steps().map(|line| line.map(value))),
            StepValue::Number(value) => small(steps().map(|line| line.and_then(value))),
            StepValue::Text(value) => texts(steps().map(|line| line.and_then(value))),
            StepValue::Numbers(value) => {
                small_lists(patterns().map(|step| step.map(|(_, step)| value(step)).unwrap_or_default()))
            }
            StepValue::Texts(value) => text_lists(patterns().map(|step| {
                step.into_iter()
                    .flat_map(move |(shape, step)| value(step).iter().map(move |house| house.name(shape).to_string()))
            })),
        };
        columns.push((column.name, array));
    }
    Table::new(columns)
}
