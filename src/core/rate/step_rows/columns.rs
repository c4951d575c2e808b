//! Defines the columns of files of steps, and gathers their values. Parquet and cards have them from this table.
//!
//! Values are gathered as Parquet stores them, while the steps are at hand: numbers and texts as places in a list of
//! words, candidates as what differs from those before.

use std::borrow::Cow;
use std::collections::HashMap;

use StepValue::{Board, Candidates, Number, Numbers, Row, Sentence, Text, Texts};

use super::{RowKind, StepRow};
use crate::board::{Cell, Digit, House, Layout, Shape};
use crate::rate::Step;

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
    /// The board before it, and its candidates.
    pub texts: [&'a str; 2],
}

/// The type of a column of steps, and its value. A list is empty where there is no step.
#[expect(missing_docs, reason = "the names say it")]
pub enum StepValue {
    Row(fn(&StepLine<'_>) -> u64),
    Number(fn(&StepLine<'_>) -> Option<u32>),
    Text(for<'a> fn(&StepLine<'a>) -> Option<Cow<'a, str>>),
    Board,
    Candidates,
    /// Appends a text that the step determines.
    Sentence(fn(&StepRow, &mut String, Shape)),
    /// Appends a list of numbers.
    Numbers(fn(&Step, &mut Vec<u32>)),
    /// A list of names of houses.
    Texts(fn(&Step) -> &[House]),
}

impl StepValue {
    /// The text of a step, in a column of texts.
    pub fn text<'a>(&self, line: &StepLine<'a>) -> Option<Cow<'a, str>> {
        match self {
            Text(of) => of(line),
            Board => Some(line.texts[0].into()),
            Candidates => Some(line.texts[1].into()),
            Sentence(push) => {
                let mut text = String::new();
                push(line.row, &mut text, line.layout.shape());
                Some(text.into())
            }
            Row(_) | Number(_) | Numbers(_) | Texts(_) => None,
        }
    }
}

/// A column of a file of steps.
#[expect(missing_docs, reason = "the names say it")]
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
            Text(_) | Board | Candidates | Sentence(_) => "dtype: string",
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
    column("board", Board),
    column("candidates", Candidates),
    column("score", Number(|line| line.row.score())),
    column("se_tenths", Number(|line| line.row.se_tenths().map(u32::from))),
    column("solutions", Number(|line| Some(line.row.solutions))),
    column("tokens", Sentence(StepRow::push_tokens)),
    column("sentence", Sentence(StepRow::push_sentence)),
];

fn place(cell: &Cell) -> u32 {
    cell.index() as u32
}

fn number(digit: Digit) -> u32 {
    digit.value().into()
}

/// The values of all columns for some steps.
pub struct StepValues {
    /// The columns, in the order of [`STEP_COLUMNS`].
    pub columns: Vec<Gathered>,
    /// The number of steps.
    pub rows: usize,
    /// The bytes of what is gathered, without words.
    pub bytes: usize,
    /// What determines the sentence of the last step.
    key: Vec<u8>,
}

/// The values of a column for some steps.
pub struct Gathered {
    /// The values.
    pub values: Values,
    /// A level for each value, each missing value and each empty list: `MISSING`, `FIRST` or `NEXT`.
    levels: Vec<u8>,
}

/// The level of a value that is missing, and of an empty list; that of a value, or of the first one of a list; and that
/// of another value of a list.
const MISSING: u8 = 0;
const FIRST: u8 = 1;
const NEXT: u8 = 2;

/// Values, without the missing ones.
#[expect(missing_docs, reason = "the names say it")]
pub enum Values {
    Rows(Vec<u64>),
    Words(Words),
    /// Each text after its length, as words.
    Boards(Vec<u8>),
    Candidates(Differences),
}

/// A list of words, and values as places in it.
#[derive(Default)]
pub struct Words {
    /// The place of each value.
    pub keys: Vec<u32>,
    /// The number of words.
    pub count: u32,
    /// The words, each a number of four bytes or a text after its length, with the lowest byte first.
    pub bytes: Vec<u8>,
    /// The place of each number among the words, from 1.
    numbers: Vec<u32>,
    /// The place of each text among the words, by the text or by what determines it.
    texts: HashMap<Box<[u8]>, u32>,
    /// The last text, and its place.
    last: (Vec<u8>, u32),
}

/// Texts, each as what differs from the one before.
#[derive(Default)]
pub struct Differences {
    last: String,
    /// The number of bytes with which a text begins like the one before.
    pub shared: Vec<u64>,
    /// The number of the other bytes.
    pub rest: Vec<u64>,
    /// The other bytes.
    pub bytes: Vec<u8>,
}

impl Default for StepValues {
    fn default() -> StepValues {
        let column = |column: &StepColumn| {
            let values = match column.value {
                Row(_) => Values::Rows(Vec::new()),
                Number(_) | Numbers(_) | Text(_) | Texts(_) | Sentence(_) => Values::Words(Words::default()),
                Board => Values::Boards(Vec::new()),
                Candidates => Values::Candidates(Differences::default()),
            };
            Gathered { levels: Vec::new(), values }
        };
        StepValues { columns: STEP_COLUMNS.iter().map(column).collect(), rows: 0, bytes: 0, key: Vec::new() }
    }
}

impl StepValues {
    /// Adds the values of a step.
    pub fn push(&mut self, line: &StepLine<'_>) {
        let key = &mut self.key;
        push_key(key, line);
        self.columns
            .iter_mut()
            .zip(&STEP_COLUMNS)
            .for_each(|(gathered, column)| gathered.push(&column.value, line, key));
        self.rows += 1;
        self.bytes += line.texts[0].len() + line.texts[1].len();
    }
}

/// Writes to `key` what determines the sentence of a step and its tokens. For a hint, and for a position without a step,
/// `key` is left empty: their sentences are compared as texts.
fn push_key(key: &mut Vec<u8>, line: &StepLine<'_>) {
    key.clear();
    let Some(step) = line.row.step.as_ref().filter(|_| line.row.hint.is_none()) else { return };
    key.extend_from_slice(line.layout.shape_name().as_bytes());
    let mut push = |number: usize| key.extend_from_slice(&(number as u16).to_le_bytes());
    push(usize::from(line.row.kind == RowKind::Step));
    push(step.technique as usize);
    // No cell, house or digit has this number.
    let end = usize::from(u16::MAX);
    step.pattern.digits.iter().for_each(|digit| push(digit.index()));
    push(end);
    step.pattern.cells.iter().for_each(|cell| push(cell.index()));
    for houses in [&step.pattern.base, &step.pattern.cover] {
        push(end);
        houses.iter().for_each(|house| push(house.index()));
    }
    for list in [&step.placements, &step.eliminations] {
        push(end);
        list.iter().for_each(|(cell, digit)| {
            push(cell.index());
            push(digit.index());
        });
    }
}

impl Gathered {
    /// These numbers for the levels of a missing value or an empty list, of a value, and of another value of a list.
    pub fn levels(&self, of: [u32; 3]) -> Vec<u32> {
        self.levels.iter().map(|&level| of[usize::from(level)]).collect()
    }

    fn push(&mut self, kind: &StepValue, line: &StepLine<'_>, key: &[u8]) {
        let step = line.row.step.as_ref();
        let levels = &mut self.levels;
        let mut optional = |is_some: bool| levels.push(if is_some { FIRST } else { MISSING });
        match (&mut self.values, kind) {
            (Values::Rows(rows), Row(of)) => {
                optional(true);
                rows.push(of(line));
            }
            (Values::Words(words), Number(of)) => {
                let number = of(line);
                optional(number.is_some());
                words.keys.extend(number);
                words.find(words.keys.len() - usize::from(number.is_some()));
            }
            (Values::Words(words), Text(of)) => {
                let text = of(line);
                optional(text.is_some());
                text.into_iter().for_each(|text| words.push_text(&text));
            }
            (Values::Words(words), Sentence(_)) => {
                optional(true);
                let make = || kind.text(line).unwrap_or_default();
                if key.is_empty() { words.push_text(&make()) } else { words.push(key, make) }
            }
            (Values::Boards(texts), Board) => {
                optional(true);
                push_plain(texts, line.texts[0]);
            }
            (Values::Candidates(texts), Candidates) => {
                optional(true);
                texts.push(line.texts[1]);
            }
            (Values::Words(words), Numbers(of)) => {
                let before = words.keys.len();
                step.into_iter().for_each(|step| of(step, &mut words.keys));
                words.find(before);
                push_list(levels, words.keys.len() - before);
            }
            (Values::Words(words), Texts(of)) => {
                let houses = step.map_or(&[][..], of);
                houses.iter().for_each(|&house| words.push_text(line.layout.house_name(house)));
                push_list(levels, houses.len());
            }
            _ => unreachable!("values of a column have its type"),
        }
    }
}

impl Words {
    /// Replaces the numbers from here on by their places.
    fn find(&mut self, from: usize) {
        for key in &mut self.keys[from..] {
            let (number, at) = (*key, *key as usize);
            if at >= self.numbers.len() {
                self.numbers.resize(at + 1, 0);
            }
            if self.numbers[at] == 0 {
                self.count += 1;
                self.numbers[at] = self.count;
                self.bytes.extend_from_slice(&number.to_le_bytes());
            }
            *key = self.numbers[at] - 1;
        }
    }

    fn push_text(&mut self, text: &str) {
        self.push(text.as_bytes(), || text);
    }

    /// Adds a text, by what determines it. It is often the last one.
    fn push<T: AsRef<str>>(&mut self, key: &[u8], text: impl FnOnce() -> T) {
        if self.count == 0 || self.last.0 != key {
            self.last.0.clear();
            self.last.0.extend_from_slice(key);
            self.last.1 = self.texts.get(key).copied().unwrap_or_else(|| {
                self.texts.insert(key.into(), self.count);
                push_plain(&mut self.bytes, text().as_ref());
                self.count += 1;
                self.count - 1
            });
        }
        self.keys.push(self.last.1);
    }
}

impl Differences {
    fn push(&mut self, text: &str) {
        let (before, bytes) = (self.last.as_bytes(), text.as_bytes());
        let words = before.chunks_exact(8).zip(bytes.chunks_exact(8)).take_while(|(a, b)| a == b).count();
        let rest = before[8 * words..].iter().zip(&bytes[8 * words..]).take_while(|(a, b)| a == b).count();
        let shared = 8 * words + rest;
        self.shared.push(shared as u64);
        self.rest.push((bytes.len() - shared) as u64);
        self.bytes.extend_from_slice(&bytes[shared..]);
        self.last.clear();
        self.last.push_str(text);
    }
}

/// Appends a text after its length.
fn push_plain(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
}

/// Adds the levels of a list.
fn push_list(levels: &mut Vec<u8>, len: usize) {
    levels.push(if len == 0 { MISSING } else { FIRST });
    levels.extend(std::iter::repeat_n(NEXT, len.saturating_sub(1)));
}
