//! Writes rows with their weights and with jackknife weights, so that other programs compute regressions and tests with
//! the errors of this one.
//!
//! ```text
//!   replicate g       the rows without the grids of block g
//!   weight there      0 in block g; elsewhere times G / (G - 1), of G replicates
//!   with --shares     elsewhere so that each number of givens keeps its share
//!   variance          (G - 1) / G * sum over g of (figure of g - mean of the figures)^2     (JK1)
//! ```

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::Path;

use super::ask::{Figures, QuestionRows};
use super::question::{FiguresQuery, Question, Row};
use crate::corpus::{AskLimits, ColumnType, CorpusError, Output, SqlValue, TableWriter, Value, csv_cell};
use crate::study::Table;
use crate::study::estimates::{number_of, text_of};

/// Lines that are written together. What Parquet says of each column of each of these row groups stays in memory until
/// the file ends, and there are 1,026 columns. A row group of the most different weights has 120 MB.
const LINES: usize = 1 << 14;

/// Computes figures of a table as [`super::ask::ask`] does, and writes the rows with their weights: the figures, the
/// expressions of `by`, `weight`, and `replicate_1` and so on. The name of the file ends in .csv or .parquet. True and
/// false are 1 and 0.
///
/// # Errors
/// The same as for the figures; two columns with one name; a file that cannot be written.
pub fn ask_and_write(table: &Table, query: &FiguresQuery, path: &Path) -> Result<Figures, CorpusError> {
    let question = Question::of(table, query)?;
    let reading = QuestionRows::of(&question)?;
    let replicates = Replicates::of(&reading)?;
    let mut output = Output::create(path)?;
    let mut file = TableFile::begin(path, &mut output, &replicates).map_err(CorpusError::io("write", path))?;
    let mut number = 0;
    let mut lines: Vec<Line> = Vec::new();
    let told = table.ask_in_batches(&question.sql, &AskLimits::default(), |answer| {
        for values in answer.rows() {
            lines.extend(question.row(values, number).map(|row| replicates.line(&reading, &row)));
            number += 1;
            if lines.len() == LINES {
                file.write(&replicates, &lines)?;
                lines.clear();
            }
        }
        Ok::<(), io::Error>(())
    })?;
    told.and_then(|()| file.write(&replicates, &lines)).map_err(CorpusError::io("write", path))?;
    file.finish().map_err(CorpusError::io("write", path))?;
    output.finish()?;
    reading.figures()
}

/// The columns of the file, and the blocks that are left out.
struct Replicates {
    names: Vec<String>,
    /// The types of the figures and of the expressions of `by`.
    kinds: Vec<ColumnType>,
    blocks: Vec<usize>,
    /// For each stratum, from 1, the weight that its rows have more without each of the blocks.
    factors: Vec<Vec<f64>>,
}

struct Line {
    values: Vec<SqlValue>,
    weight: f64,
    block: usize,
    stratum: usize,
}

impl Replicates {
    fn of(reading: &QuestionRows<'_>) -> Result<Replicates, CorpusError> {
        let question = reading.question;
        let blocks = reading.weights.used();
        let names: Vec<String> = question.names.iter().chain(&question.by).cloned().collect();
        let mut kinds = Vec::new();
        for figure in 0..question.names.len() {
            let kind = reading.groups.iter().find_map(|group| group.figures.get(figure)?.value_type());
            kinds.push(kind.unwrap_or(ColumnType::Real));
        }
        kinds.extend(question.by.iter().map(|_| ColumnType::Text));
        let block_count = blocks.len() as f64;
        let factors = match &question.shares {
            None => vec![blocks.iter().map(|_| block_count / (block_count - 1.0)).collect()],
            Some(shares) => shares.strata.factors_without(&blocks),
        };
        let replicates = Replicates { names, kinds, blocks, factors };
        let mut columns: BTreeSet<String> = BTreeSet::new();
        if let Some((twice, _)) = replicates.columns().into_iter().find(|(name, _)| !columns.insert(name.clone())) {
            return Err(CorpusError::Query(format!("two columns of the file are called '{twice}': name one with AS")));
        }
        Ok(replicates)
    }

    fn line(&self, reading: &QuestionRows<'_>, row: &Row<'_>) -> Line {
        let flags_of_groups = &reading.flags[row.figures.len()..];
        let groups = row.group.iter().zip(flags_of_groups);
        let groups = groups.map(|(value, is_flag)| SqlValue::Text(text_of(value, *is_flag)));
        let values = row.figures.iter().cloned().chain(groups).collect();
        Line { values, weight: reading.weight_again(row), block: row.place.block(), stratum: row.place.stratum }
    }

    /// The weight of a row in a replicate, from 0: without a block.
    fn weight(&self, line: &Line, replicate: usize) -> f64 {
        let factor = self.factors[line.stratum.saturating_sub(1)][replicate];
        if self.blocks[replicate] == line.block { 0.0 } else { line.weight * factor }
    }

    fn value<'v>(&self, line: &'v Line, column: usize) -> Value<'v> {
        let Some(value) = line.values.get(column) else {
            // The weight of the row comes before those of the replicates.
            let replicate = (column - line.values.len()).checked_sub(1);
            return Value::Real(replicate.map_or(line.weight, |replicate| self.weight(line, replicate)));
        };
        match value {
            SqlValue::Text(text) => Value::Text(text.into()),
            value => number_of(value).map_or(Value::Null, Value::Real),
        }
    }

    fn columns(&self) -> Vec<(String, ColumnType)> {
        let kinds = self.kinds.iter().map(|kind| if *kind == ColumnType::Text { *kind } else { ColumnType::Real });
        let weights = (1..=self.blocks.len()).map(|number| format!("replicate_{number}"));
        let weights = std::iter::once("weight".to_owned()).chain(weights).map(|name| (name, ColumnType::Real));
        self.names.iter().cloned().zip(kinds).chain(weights).collect()
    }
}

enum TableFile<'o> {
    Csv(Box<csv::Writer<&'o mut Output>>),
    Parquet(Box<TableWriter<'o>>),
}

impl<'o> TableFile<'o> {
    /// Begins a file of the format that its name gives.
    fn begin(path: &Path, output: &'o mut Output, replicates: &Replicates) -> io::Result<TableFile<'o>> {
        let columns = replicates.columns();
        if path.extension() == Some(OsStr::new("parquet")) {
            return Ok(TableFile::Parquet(Box::new(TableWriter::wide(Box::new(output), columns)?)));
        }
        let mut writer = csv::Writer::from_writer(output);
        writer.write_record(columns.iter().map(|(name, _)| csv_cell(name).into_owned()))?;
        Ok(TableFile::Csv(Box::new(writer)))
    }

    fn write(&mut self, replicates: &Replicates, lines: &[Line]) -> io::Result<()> {
        let columns = replicates.names.len() + 1 + replicates.blocks.len();
        match self {
            TableFile::Parquet(_) if lines.is_empty() => Ok(()),
            TableFile::Parquet(file) => file.write(lines.len(), |row, column| replicates.value(&lines[row], column)),
            TableFile::Csv(file) => lines.iter().try_for_each(|line| {
                let cells = (0..columns).map(|column| match replicates.value(line, column) {
                    Value::Text(text) => csv_cell(&text).into_owned(),
                    Value::Real(number) => number.to_string(),
                    _ => String::new(),
                });
                Ok(file.write_record(cells)?)
            }),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            TableFile::Csv(mut file) => file.flush(),
            TableFile::Parquet(file) => file.finish(),
        }
    }
}
