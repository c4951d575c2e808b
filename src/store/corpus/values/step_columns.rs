//! Defines the columns of files of steps. Parquet and cards have them from this table.

use std::borrow::Cow;

use StepValue::{Number, Numbers, Row, Text, Texts};
use sudoku_corpus_core::board::{Cell, Digit, House, Layout};
use sudoku_corpus_core::rate::Step;
use sudoku_corpus_core::rate::step_rows::StepRow;

/// A step, and the row of its puzzle.
#[derive(Clone, Copy)]
pub struct StepLine<'a> {
    /// The index of the row.
    pub index: u64,
    /// The class of the puzzle, as files have it.
    pub class: Option<&'a str>,
    /// The board.
    pub layout: &'static Layout,
    /// The step, without the position before it.
    pub row: &'a StepRow,
    /// The board before it, its candidates, its tokens and its sentence.
    pub texts: [&'a str; 4],
}

/// The type of a column of steps, and its value. A list is empty where there is no step.
#[expect(missing_docs, reason = "the names say it")]
pub enum StepValue {
    Row(fn(&StepLine<'_>) -> u64),
    Number(fn(&StepLine<'_>) -> Option<u32>),
    Text(for<'a> fn(&StepLine<'a>) -> Option<Cow<'a, str>>),
    /// Appends a list of numbers.
    Numbers(fn(&Step, &mut Vec<u32>)),
    /// A list of names of houses.
    Texts(fn(&Step) -> &[House]),
}

/// A column of a file of steps.
pub struct StepColumn {
    pub name: &'static str,
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
    column("class", Text(|line| line.class.map(Cow::from))),
    column("shape", Text(|line| Some(line.layout.shape_name().into()))),
    column("kind", Text(|line| Some(line.row.kind.name().into()))),
    column("step", Number(|line| Some(line.row.number))),
    column("round", Number(|line| line.row.step.as_ref().map(|step| step.round))),
    column("technique", Text(|line| line.row.technique())),
    column("digits", Numbers(|step, list| list.extend(step.pattern.digits.iter().map(number)))),
    column("cells", Numbers(|step, list| list.extend(step.pattern.cells.iter().map(place)))),
    column("base", Texts(|step| &step.pattern.base)),
    column("cover", Texts(|step| &step.pattern.cover)),
    column("place_cells", Numbers(|step, list| list.extend(step.placements.iter().map(|(cell, _)| place(cell))))),
    column("place_digits", Numbers(|step, list| list.extend(step.placements.iter().map(|(_, digit)| number(*digit))))),
    column("remove_cells", Numbers(|step, list| list.extend(step.eliminations.iter().map(|(cell, _)| place(cell))))),
    column(
        "remove_digits",
        Numbers(|step, list| list.extend(step.eliminations.iter().map(|(_, digit)| number(*digit)))),
    ),
    column("board", Text(|line| Some(line.texts[0].into()))),
    column("candidates", Text(|line| Some(line.texts[1].into()))),
    column("score", Number(|line| line.row.score())),
    column("se_tenths", Number(|line| line.row.se_tenths().map(u32::from))),
    column("solutions", Number(|line| Some(line.row.solutions))),
    column("tokens", Text(|line| Some(line.texts[2].into()))),
    column("sentence", Text(|line| Some(line.texts[3].into()))),
];

fn place(cell: &Cell) -> u32 {
    cell.index() as u32
}

fn number(digit: Digit) -> u32 {
    digit.value().into()
}
