//! Tables of rows and of steps. Names, types and values of their columns are those of the files of a corpus.

use arrow_array::ArrayRef;
use pyo3::prelude::*;
use sudoku_corpus::board::Shape;
use sudoku_corpus::corpus::{COLUMNS, ColumnType, Record, STEP_COLUMNS, StepLine, StepTexts, StepValue, Value};

use super::table::{Table, flags, large, large_signed, reals, small, small_lists, text_lists, texts};
use super::{Reason, errors};

/// A table with the column `error` and these columns of rows. A row without a result has null in them.
pub(crate) fn record_table(rows: &[Result<Record, Reason>], wanted: impl Fn(&str) -> bool) -> PyResult<Table> {
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
pub(crate) fn step_table(puzzles: Vec<Result<(Shape, StepTexts), Reason>>) -> PyResult<Table> {
    let mut lines: Vec<(u32, Result<StepLine<'_>, &Reason>)> = Vec::new();
    for (at, puzzle) in (0..).zip(&puzzles) {
        match puzzle {
            Ok((shape, steps)) => lines.extend(steps.lines(0, None, *shape).map(|line| (at, Ok(line)))),
            Err(reason) => lines.push((at, Err(reason))),
        }
    }
    let steps = || lines.iter().map(|(_, line)| line.as_ref().ok());
    let patterns = || steps().map(|line| line.and_then(|line| Some((line.layout, line.row.step.as_ref()?))));
    let mut columns = vec![
        ("puzzle", small(lines.iter().map(|(puzzle, _)| Some(*puzzle)))),
        ("error", texts(lines.iter().map(|(_, step)| step.as_ref().err().copied()))),
    ];
    // The number and the class of the row are those of a file.
    for column in STEP_COLUMNS.iter().filter(|column| !matches!(column.name, "row" | "class")) {
        let array = match column.value {
            StepValue::Row(value) => large(steps().map(|line| line.map(value))),
            StepValue::Number(value) => small(steps().map(|line| line.and_then(value))),
            StepValue::Text(_) | StepValue::Board | StepValue::Candidates | StepValue::Sentence(_) => {
                texts(steps().map(|line| line.and_then(|line| column.value.text(line))))
            }
            StepValue::Numbers(value) => small_lists(patterns().map(|step| {
                let mut list = Vec::new();
                step.into_iter().for_each(|(_, step)| value(step, &mut list));
                list
            })),
            StepValue::Texts(value) => text_lists(patterns().map(|step| {
                step.into_iter().flat_map(move |(layout, step)| {
                    value(step).iter().map(|&house| layout.house_name(house).to_owned())
                })
            })),
        };
        columns.push((column.name, array));
    }
    Table::new(columns)
}
