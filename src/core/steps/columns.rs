//! Defines the columns of files of steps, and gathers their values. Parquet and cards have them from this table.
//!
//! Values are gathered as Parquet stores them. Each different number or text of a column is a *word*, and a value is
//! the *key* of its word: the place of the word in the list. Most steps are singles that occurred before, in other
//! puzzles. So what the step alone determines is gathered once for each different step, and spread over the rows later.
//!
//! ```text
//!   rows        a  b  a  a  c          steps of each row: places 0 1 0 0 2
//!   technique   x  y  z                a value for each different step; spread over the rows: x y x x z
//! ```

use std::borrow::Cow;
use std::collections::HashMap;
use std::iter::repeat_n;

use StepValue::{Board, Candidates, Number, Numbers, Row, Sentence, Text, Texts};

use super::StepRow;
use super::packed::{Packed, PackedRows, next_plain, push_plain};
use crate::board::{Cell, Digit, House, Layout, Shape};
use crate::ladder::Step;

/// A step, and the row of its puzzle.
pub struct StepLine<'a> {
    /// The number of the row.
    pub puzzle_row: u64,
    /// The class of the puzzle, as files have it.
    pub class: Option<&'a str>,
    /// The board.
    pub layout: &'static Layout,
    /// The number of the step in the solution.
    pub number: u32,
    /// Its round, if there is a step.
    pub round: Option<u32>,
    /// The step, without these and without the position before it.
    pub row: Cow<'a, StepRow>,
    /// The board before it.
    pub board: String,
    /// The candidates before it.
    pub candidates: String,
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
            Text(value_of) => value_of(line),
            Board => Some(line.board.clone().into()),
            Candidates => Some(line.candidates.clone().into()),
            Sentence(push) => {
                let mut text = String::new();
                push(&line.row, &mut text, line.layout.shape());
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
    /// True if the step alone determines the value.
    pub is_of_step: bool,
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

/// A column of rows: its values differ among the rows of a step.
const fn of_row(name: &'static str, value: StepValue) -> StepColumn {
    StepColumn { name, value, is_of_step: false }
}

/// A column whose values the step alone determines.
const fn of_step(name: &'static str, value: StepValue) -> StepColumn {
    StepColumn { name, value, is_of_step: true }
}

/// Every column, in the order of the files.
pub const STEP_COLUMNS: [StepColumn; 22] = [
    of_row("row", Row(|line| line.puzzle_row)),
    of_row("class", Text(|line| line.class.map(Cow::from))),
    of_step("shape", Text(|line| Some(line.layout.shape_name().into()))),
    of_step("kind", Text(|line| Some(line.row.kind.name().into()))),
    of_row("step", Number(|line| Some(line.number))),
    of_row("round", Number(|line| line.round)),
    of_step("technique", Text(|line| line.row.technique())),
    of_step("digits", Numbers(|step, list| list.extend(step.pattern.digits.iter().map(value)))),
    of_step("cells", Numbers(|step, list| list.extend(step.pattern.cells.iter().map(index)))),
    of_step("base", Texts(|step| &step.pattern.base)),
    of_step("cover", Texts(|step| &step.pattern.cover)),
    of_step("place_cells", Numbers(|step, list| list.extend(step.placements.iter().map(|(cell, _)| index(cell))))),
    of_step("place_digits", Numbers(|step, list| list.extend(step.placements.iter().map(|(_, digit)| value(*digit))))),
    of_step("remove_cells", Numbers(|step, list| list.extend(step.eliminations.iter().map(|(cell, _)| index(cell))))),
    of_step(
        "remove_digits",
        Numbers(|step, list| list.extend(step.eliminations.iter().map(|(_, digit)| value(*digit)))),
    ),
    of_row("board", Board),
    of_row("candidates", Candidates),
    of_step("score", Number(|line| line.row.score())),
    of_step("se_tenths", Number(|line| line.row.se_tenths().map(u32::from))),
    of_step("solutions", Number(|line| Some(line.row.solutions))),
    of_step("tokens", Sentence(StepRow::push_tokens)),
    of_step("sentence", Sentence(StepRow::push_sentence)),
];

fn index(cell: &Cell) -> u32 {
    cell.index() as u32
}

fn value(digit: Digit) -> u32 {
    digit.value().into()
}

/// The values of all columns for some rows.
pub struct StepValues {
    /// The columns, in the order of [`STEP_COLUMNS`]. Those of steps have a value for each different step.
    pub columns: Vec<Gathered>,
    /// For each row the place of its step among the different ones.
    pub places: Vec<u32>,
    /// The places of steps, by what [`PackedRows`] calls their keys.
    place_of_step: HashMap<Box<[u16]>, u32>,
    /// The number of different steps.
    different: u32,
}

/// The values of a column.
pub struct Gathered {
    /// The values.
    pub values: Values,
    /// True if there is a value for each different step, and not for each row.
    is_of_step: bool,
    /// A level for each value, each missing value and each empty list: `MISSING`, `FIRST` or `NEXT`.
    levels: Vec<u8>,
}

/// The level of a missing value, and of an empty list.
const MISSING: u8 = 0;
/// The level of a value, or of the first one of a list.
const FIRST: u8 = 1;
/// The level of another value of a list.
const NEXT: u8 = 2;

/// Values, without the missing ones.
#[expect(missing_docs, reason = "the names say it")]
pub enum Values {
    Rows(Vec<u64>),
    Words(Words),
    /// Those of each puzzle: texts after their lengths, as words.
    Positions(Vec<Vec<u8>>),
}

/// A list of words, and values as keys of them.
#[derive(Default)]
pub struct Words {
    /// The key of each value.
    pub keys: Vec<u32>,
    /// The number of words.
    pub count: u32,
    /// The words, each a number of four bytes or a text after its length, with the lowest byte first.
    pub bytes: Vec<u8>,
    /// `[number]`: one more than its key; 0 if it is no word yet.
    keys_of_numbers: Vec<u32>,
    keys_of_texts: HashMap<Box<str>, u32>,
    /// The last text, and its key.
    last_text: String,
    last_key: u32,
}

impl Default for StepValues {
    fn default() -> StepValues {
        let columns = STEP_COLUMNS.iter().map(|column| {
            let values = match column.value {
                Row(_) => Values::Rows(Vec::new()),
                Number(_) | Numbers(_) | Text(_) | Texts(_) | Sentence(_) => Values::Words(Words::default()),
                Board | Candidates => Values::Positions(Vec::new()),
            };
            Gathered { levels: Vec::new(), values, is_of_step: column.is_of_step }
        });
        StepValues { columns: columns.collect(), places: Vec::new(), place_of_step: HashMap::default(), different: 0 }
    }
}

impl StepValues {
    /// Adds the values of the steps of a puzzle: of the row with this number and class.
    pub fn push(&mut self, puzzle_row: u64, class: Option<&str>, shape: Shape, mut rows: PackedRows) {
        if rows.is_empty() {
            return;
        }
        let layout = Layout::of(shape);
        let (board, candidates) = (String::new(), String::new());
        let row = Cow::Owned(StepRow::blank());
        let mut line = StepLine { puzzle_row, class, layout, number: 0, round: None, row, board, candidates };
        for step in 0..rows.len() {
            let key = rows.key(step);
            if let Some(&place) = self.place_of_step.get(key) {
                self.places.push(place);
                continue;
            }
            self.places.push(self.different);
            line.row = rows.row(step);
            for (gathered, column) in self.columns.iter_mut().zip(&STEP_COLUMNS) {
                if column.is_of_step {
                    gathered.push(&column.value, &line, key.is_empty());
                }
            }
            // An empty key tells nothing of its step: the next one differs.
            if !key.is_empty() {
                self.place_of_step.insert(key.into(), self.different);
            }
            self.different += 1;
        }
        line.row = Cow::Owned(StepRow::blank());
        for (gathered, column) in self.columns.iter_mut().zip(&STEP_COLUMNS) {
            if !column.is_of_step {
                gathered.push_rows(&column.value, &mut line, &rows);
            }
        }
        for (gathered, column) in self.columns.iter_mut().zip(&STEP_COLUMNS) {
            if let Values::Positions(texts) = &mut gathered.values {
                let texts_of_rows = if matches!(column.value, Board) { &mut rows.boards } else { &mut rows.candidates };
                texts.push(std::mem::take(texts_of_rows));
            }
        }
    }
}

impl PackedRows {
    /// The rows as lines of a table, with the number of the puzzle's row and its class, if it is known.
    pub fn lines<'a>(
        &'a self,
        puzzle_row: u64,
        class: Option<&'a str>,
        shape: Shape,
    ) -> impl Iterator<Item = StepLine<'a>> {
        let mut positions = [&self.boards[..], &self.candidates[..]];
        (0..self.len()).map(move |place| {
            let texts = positions.each_mut().map(|texts| String::from_utf8_lossy(next_plain(texts)).into_owned());
            let ([board, candidates], Packed { number, round, .. }) = (texts, self.rows[place]);
            let (row, layout) = (self.row(place), Layout::of(shape));
            StepLine { puzzle_row, class, layout, number, round, row, board, candidates }
        })
    }
}

impl Gathered {
    /// One of these numbers for each level: for [`MISSING`], [`FIRST`] and [`NEXT`].
    pub fn levels(&self, numbers: [u32; 3]) -> Vec<u32> {
        self.levels.iter().map(|&level| numbers[usize::from(level)]).collect()
    }

    /// Repeats the values of different steps, if it has these, for rows whose steps are at these places.
    pub fn spread(&mut self, places: &[u32]) {
        let (true, Values::Words(words)) = (self.is_of_step, &mut self.values) else { return };
        if self.levels.iter().all(|&level| level == FIRST) {
            self.levels = vec![FIRST; places.len()];
            words.keys = places.iter().map(|&place| words.keys[place as usize]).collect();
            return;
        }
        // Where the levels and the keys of each different step begin; at last, where they end.
        let (mut first_levels, mut first_keys) = (Vec::with_capacity(self.levels.len() + 1), Vec::new());
        let mut key_count = 0;
        for (index, &level) in self.levels.iter().enumerate() {
            if level != NEXT {
                first_levels.push(index);
                first_keys.push(key_count);
            }
            key_count += usize::from(level != MISSING);
        }
        first_levels.push(self.levels.len());
        first_keys.push(key_count);
        let (mut levels, mut keys) = (Vec::with_capacity(places.len()), Vec::with_capacity(places.len()));
        for place in places.iter().map(|&place| place as usize) {
            // Nearly all lists are short.
            (first_levels[place]..first_levels[place + 1]).for_each(|index| levels.push(self.levels[index]));
            (first_keys[place]..first_keys[place + 1]).for_each(|index| keys.push(words.keys[index]));
        }
        (self.levels, words.keys) = (levels, keys);
    }

    /// Adds the values of all rows of a puzzle, or the levels of their texts. `line` has what the rows have in common.
    fn push_rows(&mut self, kind: &StepValue, line: &mut StepLine<'_>, rows: &PackedRows) {
        match (&mut self.values, kind) {
            (Values::Rows(indices), Row(value_of)) => indices.extend(repeat_n(value_of(line), rows.len())),
            (Values::Words(words), Text(value_of)) => {
                // The class is that of the puzzle.
                let text = value_of(line);
                self.levels.extend(repeat_n(if text.is_some() { FIRST } else { MISSING }, rows.len()));
                if let Some(text) = text {
                    words.push_text(&text);
                    words.keys.extend(repeat_n(words.last_key, rows.len() - 1));
                }
                return;
            }
            (Values::Words(_), _) => {
                for row in &rows.rows {
                    (line.number, line.round) = (row.number, row.round);
                    self.push(kind, line, false);
                }
                return;
            }
            // Boards and candidates are moved.
            _ => {}
        }
        self.levels.extend(repeat_n(FIRST, rows.len()));
    }

    /// Adds the value of a row or of its step. `is_compared`: sentences are compared as texts.
    fn push(&mut self, kind: &StepValue, line: &StepLine<'_>, is_compared: bool) {
        let step = line.row.step.as_ref();
        let levels = &mut self.levels;
        match (&mut self.values, kind) {
            (Values::Words(words), Number(value_of)) => {
                let number = value_of(line);
                levels.push(if number.is_some() { FIRST } else { MISSING });
                words.keys.extend(number);
                words.numbers_to_keys(words.keys.len() - usize::from(number.is_some()));
            }
            (Values::Words(words), Text(value_of)) => {
                let text = value_of(line);
                levels.push(if text.is_some() { FIRST } else { MISSING });
                text.into_iter().for_each(|text| words.push_text(&text));
            }
            (Values::Words(words), Sentence(_)) => {
                levels.push(FIRST);
                let text = kind.text(line).unwrap_or_default();
                if is_compared { words.push_text(&text) } else { words.push_new(&text) }
            }
            (Values::Words(words), Numbers(value_of)) => {
                let before = words.keys.len();
                step.into_iter().for_each(|step| value_of(step, &mut words.keys));
                words.numbers_to_keys(before);
                push_list(levels, words.keys.len() - before);
            }
            (Values::Words(words), Texts(value_of)) => {
                let houses = step.map_or(&[][..], value_of);
                houses.iter().for_each(|&house| words.push_text(line.layout.house_name(house)));
                push_list(levels, houses.len());
            }
            _ => unreachable!("values of a column have its type"),
        }
    }
}

impl Words {
    /// Replaces the numbers that stand among the keys, from place `from` on, by their keys.
    fn numbers_to_keys(&mut self, from: usize) {
        for key in &mut self.keys[from..] {
            let number = *key;
            if number as usize >= self.keys_of_numbers.len() {
                self.keys_of_numbers.resize(number as usize + 1, 0);
            }
            let next_key = &mut self.keys_of_numbers[number as usize];
            if *next_key == 0 {
                self.count += 1;
                *next_key = self.count;
                self.bytes.extend_from_slice(&number.to_le_bytes());
            }
            *key = *next_key - 1;
        }
    }

    /// Adds a text. It is often the last one.
    fn push_text(&mut self, text: &str) {
        if self.count == 0 || self.last_text != text {
            self.last_text.clear();
            self.last_text.push_str(text);
            self.last_key = self.keys_of_texts.get(text).copied().unwrap_or_else(|| {
                self.keys_of_texts.insert(text.into(), self.count);
                push_plain(&mut self.bytes, text);
                self.count += 1;
                self.count - 1
            });
        }
        self.keys.push(self.last_key);
    }

    /// Adds a text that is a new word.
    fn push_new(&mut self, text: &str) {
        push_plain(&mut self.bytes, text);
        self.keys.push(self.count);
        self.count += 1;
    }
}

fn push_list(levels: &mut Vec<u8>, len: usize) {
    levels.push(if len == 0 { MISSING } else { FIRST });
    levels.extend(repeat_n(NEXT, len.saturating_sub(1)));
}
