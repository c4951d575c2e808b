//! Reads rows of a table: CSV with commas, semicolons, tabs or bars. Outside of quotes, a line that begins with `#` is
//! a comment. Quotes work as usual.
//!
//! The puzzle is the column that is named, or has one of the common names, or is the only one whose fields are boards
//! with empty cells. A row with line ends in quotes takes at most [`MOST_LINES`] more lines. So a stray quote spoils
//! one line and not the rest of the file.

use std::collections::{HashSet, VecDeque};
use std::io::BufRead;

use super::encoding::{HEAD, Numbered, is_row, next_line};
use super::{Reading, Row, RowReader, damaged};
use crate::corpus::values::guess::Guess;
use crate::corpus::values::mapping::{Mapping, Want};
use crate::corpus::values::record::Record;
use crate::corpus::values::value::{ColumnType, Value};
use sudoku_corpus_core::board::text::{self, Lines};
use sudoku_corpus_core::board::{Grid, Shape};

/// What the first line says: the delimiter, the names, and which of our columns they are.
pub(super) struct CsvHeader {
    delimiter: u8,
    mapping: Mapping,
    names: Vec<String>,
}

/// What the first line of a text is.
pub(super) enum Head {
    /// Names of columns, one of them of boards.
    Table(CsvHeader),
    /// Names, and why none of them is the column of the puzzles.
    Refused(String),
    /// Names, of which several can be meant.
    Several(String),
    /// Names, but the rows after it are cells of boards.
    Names,
    /// No names.
    None,
}

/// The rows of a table.
pub(super) struct CsvRows<R> {
    lines: Lines<R>,
    header: CsvHeader,
    /// True once the line of names was read.
    header_read: bool,
    /// Lines that were read too early.
    waiting: VecDeque<(u64, Result<String, String>)>,
}

/// How many lines after its first one a row with line ends in quotes may take, and at how many bytes it takes no more.
const MOST_LINES: usize = 2 * Shape::MAX_SOLVABLE_ORDER;
const MOST_BYTES: usize = 1 << 16;

/// Rows of a table that are looked at to find the column of the puzzles.
const SAMPLE: usize = 20;

const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

impl CsvHeader {
    /// Reads the names of columns in the first line that is neither blank nor a comment. `head` begins the text.
    pub(super) fn of(head: &[u8], how: &Reading) -> Head {
        // The last line may be cut.
        let end = head.iter().rposition(|byte| *byte == b'\n').filter(|_| head.len() as u64 >= HEAD);
        let text = String::from_utf8_lossy(&head[..end.unwrap_or(head.len())]);
        let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
        let Some(line) = lines.next() else { return Head::None };
        let rows: Vec<&str> = lines.take(SAMPLE * MOST_LINES).collect();
        let is_name = |name: &String| {
            let name = name.trim();
            name.len() < 40 && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        };
        // For each delimiter, the column is looked for by its name, and then by what the columns hold.
        let mut refused = None;
        for delimiter in DELIMITERS {
            let names = fields(line, delimiter);
            let named = names.iter().filter(|name| is_name(name)).count();
            let found = match &how.column {
                Some(column) => Mapping::of_columns(&names, how.want, &column_of(&names, column, &rows, delimiter)),
                None => Mapping::new(&names, how.want).and_then(|mapping| match mapping.has_puzzle() {
                    true => Ok(mapping),
                    false => Ok(of_contents(&names, &rows, delimiter, how)?.unwrap_or(mapping)),
                }),
            };
            match found {
                Ok(mapping) => return Head::Table(CsvHeader { delimiter, mapping, names }),
                Err(reason) if named > 0 => {
                    let by_contents = match how.column {
                        None if matches!(how.want, Want::Boards | Want::Most | Want::Known)
                            && 2 * named >= names.len() =>
                        {
                            of_contents(&names, &rows, delimiter, how)
                        }
                        _ => Ok(None),
                    };
                    match by_contents {
                        Ok(Some(mapping)) => return Head::Table(CsvHeader { delimiter, mapping, names }),
                        // Nobody can choose between columns of one name, so the boards of a line are read one after
                        // another.
                        Err(reason) => {
                            let different: HashSet<_> = names.iter().map(|name| name.trim()).collect();
                            let can_choose = different.len() == names.len();
                            return if can_choose { Head::Several(reason) } else { Head::Refused(reason) };
                        }
                        Ok(None)
                            if names.len() > 1
                                && !are_cells(&names)
                                && rows.first().is_some_and(|row| are_cells(&fields(row, delimiter))) =>
                        {
                            return Head::Names;
                        }
                        Ok(None) => refused = refused.or(Some(reason)),
                    }
                }
                Err(_) => {}
            }
        }
        refused.map_or(Head::None, Head::Refused)
    }

    /// The row of a line. An error if it has another number of fields than the header, or a value that is none.
    fn row(&self, line: &str, index: u64, how: &Reading) -> Result<Record, String> {
        let fields = fields(line, self.delimiter);
        if fields.len() != self.names.len() {
            return Err(format!("{} fields, but the header has {}", fields.len(), self.names.len()));
        }
        self.mapping.record(index, how.shape, &how.signs, |place| {
            Ok(if fields[place].is_empty() { Value::Null } else { Value::Text(fields[place].as_str().into()) })
        })
    }
}

/// True for fields that are cells of a board or of a row.
fn are_cells(fields: &[String]) -> bool {
    let cell = |field: &String| text::CellText::of(field.trim()).is_some();
    let cells = fields.len();
    cells >= 4 && fields.iter().all(cell) && (Shape::of_order(cells).is_ok() || Shape::of_cells(cells).is_some())
}

/// The boards of a column, of those of its fields that are not empty; None if any is no board.
fn boards_of(rows: &[Vec<String>], place: usize, how: &Reading) -> Option<Vec<Grid>> {
    let fields = rows.iter().filter_map(|row| row.get(place)).filter(|field| !field.trim().is_empty());
    let boards: Vec<Grid> = fields
        .map(|field| text::parse(field, how.shape, &how.signs, None).ok().map(|found| found.0))
        .collect::<Option<_>>()?;
    (!boards.is_empty()).then_some(boards)
}

/// The fields of the first rows.
fn sampled(rows: &[&str], delimiter: u8) -> Vec<Vec<String>> {
    // Cells with line ends join lines.
    let mut joined: Vec<String> = Vec::new();
    for row in rows {
        let is_full = joined.len() == SAMPLE;
        match joined.last_mut().filter(|last| is_open(last)) {
            Some(last) => {
                last.push('\n');
                last.push_str(row);
            }
            None if is_full => break,
            None => joined.push((*row).to_owned()),
        }
    }
    joined.pop_if(|last| is_open(last));
    joined.iter().map(|row| fields(row, delimiter)).collect()
}

/// The mapping by what the columns hold: the only column of boards with empty cells is the puzzle, and the only one of
/// full grids the solution. None if no column has boards, or if most rows have more or fewer fields than the header.
fn of_contents(names: &[String], rows: &[&str], delimiter: u8, how: &Reading) -> Result<Option<Mapping>, String> {
    let rows = sampled(rows, delimiter);
    if 2 * rows.iter().filter(|row| row.len() == names.len()).count() < rows.len() {
        return Ok(None);
    }
    let (mut puzzles, mut full) = (Vec::new(), Vec::new());
    for place in 0..names.len().min(1 << 10) {
        match boards_of(&rows, place, how) {
            Some(boards) if boards.iter().any(|board| board.holes() > 0) => puzzles.push(place),
            Some(_) => full.push(place),
            None => {}
        }
    }
    let names_of =
        |places: &[usize]| places.iter().map(|&place| format!("'{}'", names[place])).collect::<Vec<_>>().join(" and ");
    match (puzzles.as_slice(), full.as_slice()) {
        ([], []) => Ok(None),
        ([], _) if Mapping::new(names, Want::Boards).is_ok() => Ok(None),
        ([], [only]) => Mapping::of_columns(names, how.want, &[("solution", *only)]).map(Some),
        ([puzzle], [only]) => {
            Mapping::of_columns(names, how.want, &[("puzzle", *puzzle), ("solution", *only)]).map(Some)
        }
        ([puzzle], full) => {
            let named = full.iter().find(|&&place| names[place].trim().to_ascii_lowercase().contains("solution"));
            let solution = named.map(|&place| ("solution", place));
            let columns: Vec<(&str, usize)> = std::iter::once(("puzzle", *puzzle)).chain(solution).collect();
            Mapping::of_columns(names, how.want, &columns).map(Some)
        }
        ([], full) => Err(format!("several columns have full grids, {}; --column NAME chooses one", names_of(full))),
        (puzzles, _) => Err(format!("several columns have puzzles, {}; --column NAME chooses one", names_of(puzzles))),
    }
}

/// The column that was asked for, and the solutions beside it.
fn column_of(names: &[String], asked: &str, rows: &[&str], delimiter: u8) -> Vec<(&'static str, usize)> {
    let place = |wanted: &str| names.iter().position(|name| name.trim().eq_ignore_ascii_case(wanted));
    let Some(puzzle) = place(asked.trim()) else { return Vec::new() };
    let solution =
        ["solution", "solutions", "answer"].iter().find_map(|name| place(name)).filter(|&place| place != puzzle);
    let rows = sampled(rows, delimiter);
    let is_board = |place: &usize| boards_of(&rows, *place, &Reading::default()).is_some();
    std::iter::once(("puzzle", puzzle)).chain(solution.filter(is_board).map(|place| ("solution", place))).collect()
}

impl<R: BufRead> CsvRows<R> {
    /// The rows after a header. `input` begins where the text begins.
    pub(super) fn new(input: R, header: CsvHeader) -> CsvRows<R> {
        CsvRows { lines: Lines::new(input), header, header_read: false, waiting: VecDeque::new() }
    }

    /// The next line, those that wait first.
    fn line(&mut self) -> std::io::Result<Option<Numbered<String>>> {
        match self.waiting.pop_front() {
            Some(line) => Ok(Some(line)),
            None => next_line(&mut self.lines),
        }
    }

    /// The next line that is neither blank nor a comment. Inside of a cell in quotes, such lines belong to the cell.
    fn row(&mut self) -> std::io::Result<Option<Numbered<String>>> {
        loop {
            match self.line()? {
                Some(line) if !is_row(&line) => {}
                line => return Ok(line),
            }
        }
    }

    /// The next row: a line, or several if a cell in quotes has line ends.
    fn joined(&mut self) -> Result<Option<Numbered<String>>, String> {
        if !std::mem::replace(&mut self.header_read, true) {
            self.row().map_err(damaged)?;
        }
        let Some((number, line)) = self.row().map_err(damaged)? else { return Ok(None) };
        let Ok(mut line) = line else { return Ok(Some((number, line))) };
        if !is_open(&line) {
            return Ok(Some((number, Ok(line))));
        }
        let first = line.clone();
        let mut taken = VecDeque::new();
        while is_open(&line) && taken.len() < MOST_LINES && line.len() < MOST_BYTES {
            let Some(next) = self.line().map_err(damaged)? else { break };
            if let Ok(text) = &next.1 {
                line.push('\n');
                line.push_str(text);
            }
            taken.push_back(next);
        }
        if !is_open(&line) && fields(&line, self.header.delimiter).len() == self.header.names.len() {
            return Ok(Some((number, Ok(line))));
        }
        taken.append(&mut self.waiting);
        self.waiting = taken;
        Ok(Some((number, Ok(first))))
    }
}

/// True if a line ends inside quotes.
fn is_open(line: &str) -> bool {
    line.bytes().filter(|byte| *byte == b'"').count() % 2 == 1
}

impl<R: BufRead + Send> RowReader for CsvRows<R> {
    fn next(&mut self, index: u64, how: &Reading) -> Result<Option<Row>, String> {
        let Some((number, line)) = self.joined()? else { return Ok(None) };
        let row = line.and_then(|line| self.header.row(&line, index, how));
        Ok(Some((number, row.map_err(|reason| (None, reason)))))
    }

    fn mapping(&self) -> Option<&Mapping> {
        Some(&self.header.mapping)
    }

    /// Copies columns of unknown types as texts.
    fn keep_outside(&mut self, kinds: &[ColumnType]) {
        let kind = |place: usize| Some(kinds.get(place).copied().unwrap_or(ColumnType::Text));
        self.header.mapping = self.header.mapping.clone().with_outside(&self.header.names, kind);
    }

    /// The types of all columns, from all lines that have as many fields as the header.
    fn guessed(mut self: Box<Self>) -> Result<Vec<ColumnType>, String> {
        let mut guesses = vec![Guess::default(); self.header.names.len()];
        while let Some((_, line)) = self.joined()? {
            let fields = line.map_or(Vec::new(), |line| fields(&line, self.header.delimiter));
            if fields.len() == guesses.len() {
                guesses.iter_mut().zip(&fields).for_each(|(guess, field)| guess.see(field));
            }
        }
        Ok(guesses.into_iter().map(Guess::kind).collect())
    }
}

/// The fields of a line, without their quotes.
fn fields(line: &str, delimiter: u8) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .buffer_capacity(line.len() + 16)
        .from_reader(line.as_bytes());
    let mut record = csv::ByteRecord::new();
    match reader.read_byte_record(&mut record) {
        Ok(true) => record.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect(),
        _ => Vec::new(),
    }
}
