//! The columns of files of steps. Parquet and cards have them from this table.

use std::borrow::Cow;
use std::sync::Arc;

use super::steps::StepText;
use StepValue::{Number, Numbers, Row, Text, Texts};
use sudoku_corpus_core::board::{Cell, Digit, House, Shape};
use sudoku_corpus_core::rate::Step;

/// A step, and the row of its puzzle.
pub struct StepLine {
    /// The index of the row.
    pub index: u64,
    /// The class of the puzzle, as files have it.
    pub class: Option<Arc<str>>,
    /// The shape of the board.
    pub shape: Shape,
    /// The step.
    pub step: StepText,
}

/// The type of a column of steps, and its value. A list is empty where there is no step.
pub enum StepValue {
    /// The number of the row.
    Row(fn(&StepLine) -> u64),
    /// A number.
    Number(fn(&StepLine) -> Option<u32>),
    /// A text.
    Text(fn(&StepLine) -> Option<Cow<'_, str>>),
    /// A list of numbers.
    Numbers(fn(&Step) -> Vec<u32>),
    /// A list of names of houses.
    Texts(fn(&Step) -> &[House]),
}

/// A column of a file of steps.
pub struct StepColumn {
    /// The name.
    pub name: &'static str,
    /// The type and the value.
    pub value: StepValue,
}

impl StepColumn {
    /// The type, as cards of data sets name it.
    pub const fn feature(&self) -> &'static str {
        match self.value {
            Row(_) => "dtype: uint64",
            Number(_) => "dtype: uint32",
            Text(_) => "dtype: string",
            Numbers(_) => "list: uint32",
            Texts(_) => "list: string",
        }
    }
}

const fn column(name: &'static str, value: StepValue) -> StepColumn {
    StepColumn { name, value }
}

/// Every column, in the order of the files.
pub const STEP_COLUMNS: [StepColumn; 22] = [
    column("index", Row(|line| line.index)),
    column("class", Text(|line| line.class.as_deref().map(Cow::from))),
    column("shape", Text(|line| Some(line.shape.to_string().into()))),
    column("kind", Text(|line| Some(line.step.row.kind.name().into()))),
    column("step", Number(|line| Some(line.step.row.number))),
    column("round", Number(|line| line.step.row.step.as_ref().map(|step| step.round))),
    column("technique", Text(technique)),
    column("digits", Numbers(|step| step.pattern.digits.iter().map(|digit| digit.value().into()).collect())),
    column("cells", Numbers(|step| step.pattern.cells.iter().map(|cell| cell.index() as u32).collect())),
    column("base", Texts(|step| &step.pattern.base)),
    column("cover", Texts(|step| &step.pattern.cover)),
    column("place_cells", Numbers(|step| cells(&step.placements))),
    column("place_digits", Numbers(|step| digits(&step.placements))),
    column("remove_cells", Numbers(|step| cells(&step.eliminations))),
    column("remove_digits", Numbers(|step| digits(&step.eliminations))),
    column("board", Text(|line| Some(line.step.board.as_str().into()))),
    column("candidates", Text(|line| Some(line.step.candidates.as_str().into()))),
    column("score", Number(|line| line.step.row.score().filter(|_| line.step.hint.is_none()))),
    column("se_tenths", Number(se_tenths)),
    column("solutions", Number(|line| Some(line.step.row.solutions))),
    column("tokens", Text(|line| Some(line.step.tokens.as_str().into()))),
    column("sentence", Text(|line| Some(line.step.sentence.as_str().into()))),
];

/// The name of the hint, or of the technique.
fn technique(line: &StepLine) -> Option<Cow<'_, str>> {
    let hint = line.step.hint.as_ref().map(|(name, _)| Cow::from(name));
    hint.or_else(|| line.step.row.step.as_ref().map(|step| step.technique.code().into()))
}

fn se_tenths(line: &StepLine) -> Option<u32> {
    line.step.hint.as_ref().map(|(_, tenths)| *tenths).or_else(|| line.step.row.se_tenths()).map(u32::from)
}

fn cells(list: &[(Cell, Digit)]) -> Vec<u32> {
    list.iter().map(|(cell, _)| cell.index() as u32).collect()
}

fn digits(list: &[(Cell, Digit)]) -> Vec<u32> {
    list.iter().map(|(_, digit)| digit.value().into()).collect()
}
