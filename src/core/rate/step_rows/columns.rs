//! Defines the columns of files of steps, and gathers their values. Parquet and cards have them from this table.
//!
//! Values are gathered as Parquet stores them: numbers and texts as places in a list of words, candidates as what
//! differs from those before. Most steps are singles that occurred before, in other puzzles. So what the step alone
//! determines is gathered once for each different step, and repeated when a column is written.
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
use super::packed::{Packed, PackedRows, push_plain, shared};
use crate::board::{Cell, Digit, House, Layout, Shape};
use crate::rate::Step;

/// A step, and the row of its puzzle.
pub struct StepLine<'a> {
    /// The index of the row.
    pub index: u64,
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
    /// The board before it, and its candidates.
    pub texts: [String; 2],
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
            Board => Some(line.texts[0].clone().into()),
            Candidates => Some(line.texts[1].clone().into()),
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
    of_row("index", Row(|line| line.index)),
    of_row("class", Text(|line| line.class.map(Cow::from))),
    of_step("shape", Text(|line| Some(line.layout.shape_name().into()))),
    of_step("kind", Text(|line| Some(line.row.kind.name().into()))),
    of_row("step", Number(|line| Some(line.number))),
    of_row("round", Number(|line| line.round)),
    of_step("technique", Text(|line| line.row.technique())),
    of_step("digits", Numbers(|step, list| list.extend(step.pattern.digits.iter().map(number)))),
    of_step("cells", Numbers(|step, list| list.extend(step.pattern.cells.iter().map(place)))),
    of_step("base", Texts(|step| &step.pattern.base)),
    of_step("cover", Texts(|step| &step.pattern.cover)),
    of_step("place_cells", Numbers(|step, list| list.extend(step.placements.iter().map(|(cell, _)| place(cell))))),
    of_step("place_digits", Numbers(|step, list| list.extend(step.placements.iter().map(|(_, digit)| number(*digit))))),
    of_step("remove_cells", Numbers(|step, list| list.extend(step.eliminations.iter().map(|(cell, _)| place(cell))))),
    of_step(
        "remove_digits",
        Numbers(|step, list| list.extend(step.eliminations.iter().map(|(_, digit)| number(*digit)))),
    ),
    of_row("board", Board),
    of_row("candidates", Candidates),
    of_step("score", Number(|line| line.row.score())),
    of_step("se_tenths", Number(|line| line.row.se_tenths().map(u32::from))),
    of_step("solutions", Number(|line| Some(line.row.solutions))),
    of_step("tokens", Sentence(StepRow::push_tokens)),
    of_step("sentence", Sentence(StepRow::push_sentence)),
];

fn place(cell: &Cell) -> u32 {
    cell.index() as u32
}

fn number(digit: Digit) -> u32 {
    digit.value().into()
}

/// The values of all columns for some rows.
pub struct StepValues {
    /// The columns, in the order of [`STEP_COLUMNS`]. Those of steps have a value for each different step.
    pub columns: Vec<Gathered>,
    /// For each row the place of its step among the different ones.
    pub places: Vec<u32>,
    /// The places of steps by what determines them.
    known: HashMap<Box<[u16]>, u32>,
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
    /// Those of each puzzle: texts after their lengths, as words.
    Boards(Vec<Vec<u8>>),
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
    /// The place of each text among the words.
    texts: HashMap<Box<str>, u32>,
    /// The last text, and its place.
    last: (String, u32),
}

/// Texts, each as what differs from the one before.
#[derive(Default)]
pub struct Differences {
    last: Vec<u8>,
    /// The number of bytes with which a text begins like the one before.
    pub shared: Vec<u64>,
    /// The number of the other bytes.
    pub rest: Vec<u64>,
    /// The other bytes, those of each puzzle.
    pub bytes: Vec<Vec<u8>>,
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
            Gathered { levels: Vec::new(), values, is_of_step: column.is_of_step }
        };
        let columns = STEP_COLUMNS.iter().map(column).collect();
        StepValues { columns, places: Vec::new(), known: HashMap::default(), different: 0 }
    }
}

impl StepValues {
    /// Adds the values of the steps of a puzzle: of the row with this index and class.
    pub fn push(&mut self, index: u64, class: Option<&str>, shape: Shape, mut rows: PackedRows) {
        if rows.is_empty() {
            return;
        }
        let layout = Layout::of(shape);
        let line = |row| StepLine { index, class, layout, number: 0, round: None, row, texts: Default::default() };
        let columns = || STEP_COLUMNS.iter().enumerate();
        for at in 0..rows.len() {
            let key = rows.key(at);
            if let Some(&known) = self.known.get(key) {
                self.places.push(known);
                continue;
            }
            self.places.push(self.different);
            let line = line(rows.row(at));
            for (number, column) in columns().filter(|(_, column)| column.is_of_step) {
                self.columns[number].push(&column.value, &line, key.is_empty());
            }
            self.known.extend((!key.is_empty()).then(|| (key.into(), self.different)));
            self.different += 1;
        }
        let mut line = line(Cow::Owned(StepRow::blank()));
        for (number, column) in columns().filter(|(_, column)| !column.is_of_step) {
            self.columns[number].push_rows(&column.value, &mut line, &rows);
        }
        for gathered in &mut self.columns {
            match &mut gathered.values {
                Values::Boards(boards) => boards.push(std::mem::take(&mut rows.boards)),
                Values::Candidates(texts) => texts.append(&mut rows),
                Values::Rows(_) | Values::Words(_) => {}
            }
        }
    }
}

impl PackedRows {
    /// The rows as lines of a table, with the index of the puzzle's row and its class, if it is known.
    pub fn lines<'a>(&'a self, index: u64, class: Option<&'a str>, shape: Shape) -> impl Iterator<Item = StepLine<'a>> {
        let (mut boards, mut candidates, mut used) = (&self.boards[..], Vec::new(), 0);
        (0..self.len()).map(move |at| {
            let (len, rest) = boards.split_first_chunk().unwrap_or((&[0; 4], &[]));
            let (board, rest) = rest.split_at(u32::from_le_bytes(*len) as usize);
            boards = rest;
            let rest = self.rows[at].rest as usize;
            candidates.truncate(self.rows[at].shared as usize);
            candidates.extend_from_slice(&self.candidates[used..used + rest]);
            used += rest;
            let texts = [board, &candidates].map(|text| String::from_utf8_lossy(text).into_owned());
            let (Packed { number, round, .. }, layout) = (self.rows[at], Layout::of(shape));
            StepLine { index, class, layout, number, round, row: self.row(at), texts }
        })
    }
}

impl Gathered {
    /// These numbers for the levels of a missing value or an empty list, of a value, and of another value of a list.
    pub fn levels(&self, of: [u32; 3]) -> Vec<u32> {
        self.levels.iter().map(|&level| of[usize::from(level)]).collect()
    }

    /// Repeats the values of different steps, if it has these, for rows whose steps are at these places.
    pub fn spread(&mut self, places: &[u32]) {
        let (true, Values::Words(words)) = (self.is_of_step, &mut self.values) else { return };
        if self.levels.iter().all(|&level| level == FIRST) {
            self.levels = vec![FIRST; places.len()];
            words.keys = places.iter().map(|&place| words.keys[place as usize]).collect();
            return;
        }
        let (mut starts, mut keys) = (Vec::with_capacity(self.levels.len() + 1), 0);
        for (at, &level) in self.levels.iter().enumerate() {
            starts.extend((level != NEXT).then_some((at, keys)));
            keys += usize::from(level != MISSING);
        }
        starts.push((self.levels.len(), keys));
        let (mut levels, mut spread) = (Vec::with_capacity(places.len()), Vec::with_capacity(places.len()));
        for &place in places {
            let ((level, key), (last_level, last_key)) = (starts[place as usize], starts[place as usize + 1]);
            // Nearly all lists are short.
            (level..last_level).for_each(|at| levels.push(self.levels[at]));
            (key..last_key).for_each(|at| spread.push(words.keys[at]));
        }
        (self.levels, words.keys) = (levels, spread);
    }

    /// Adds the values of all rows of a puzzle, or the levels of their texts. `line` has what the rows have in common.
    fn push_rows(&mut self, kind: &StepValue, line: &mut StepLine<'_>, rows: &PackedRows) {
        match (&mut self.values, kind) {
            (Values::Rows(indices), Row(of)) => indices.extend(repeat_n(of(line), rows.len())),
            (Values::Words(words), Text(of)) => {
                // The class is that of the puzzle.
                let text = of(line);
                self.levels.extend(repeat_n(if text.is_some() { FIRST } else { MISSING }, rows.len()));
                if let Some(text) = text {
                    words.push_text(&text);
                    words.keys.extend(repeat_n(words.last.1, rows.len() - 1));
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
        let mut optional = |is_some: bool| levels.push(if is_some { FIRST } else { MISSING });
        match (&mut self.values, kind) {
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
                let text = kind.text(line).unwrap_or_default();
                if is_compared { words.push_text(&text) } else { words.push_new(&text) }
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

impl Differences {
    /// Adds the candidates of a puzzle. The first text was not yet compared with the one before.
    fn append(&mut self, rows: &mut PackedRows) {
        let mut bytes = std::mem::take(&mut rows.candidates);
        let first = rows.rows[0].rest as usize;
        let shared = shared(&self.last, &bytes[..first]);
        bytes.drain(..shared);
        self.bytes.push(bytes);
        self.shared.push(shared as u64);
        self.rest.push((first - shared) as u64);
        self.shared.extend(rows.rows[1..].iter().map(|row| u64::from(row.shared)));
        self.rest.extend(rows.rows[1..].iter().map(|row| u64::from(row.rest)));
        self.last = std::mem::take(&mut rows.last);
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

    /// Adds a text. It is often the last one.
    fn push_text(&mut self, text: &str) {
        if self.count == 0 || self.last.0 != text {
            self.last.0.clear();
            self.last.0.push_str(text);
            self.last.1 = self.texts.get(text).copied().unwrap_or_else(|| {
                self.texts.insert(text.into(), self.count);
                push_plain(&mut self.bytes, text);
                self.count += 1;
                self.count - 1
            });
        }
        self.keys.push(self.last.1);
    }

    /// Adds a text that is a new word.
    fn push_new(&mut self, text: &str) {
        push_plain(&mut self.bytes, text);
        self.keys.push(self.count);
        self.count += 1;
    }
}

/// Adds the levels of a list.
fn push_list(levels: &mut Vec<u8>, len: usize) {
    levels.push(if len == 0 { MISSING } else { FIRST });
    levels.extend(repeat_n(NEXT, len.saturating_sub(1)));
}
