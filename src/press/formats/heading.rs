//! Defines what all formats share: the texts above the puzzles, and the files of an output with their puzzles.

use std::io;
use std::path::PathBuf;

use crate::choice::rows::puzzles::Rows;
use crate::formats::picture_options::PictureOptions;
use crate::words::numbering::Numbering;
use sudoku_corpus_core::board::{Grid, Puzzle, text};
use sudoku_corpus_store::corpus::{ColumnType, Outside, Record, Value};

/// The text above the puzzles, in formats that have a place for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heading {
    /// Title of the collection.
    pub title: Option<String>,
    /// Who made it.
    pub author: Option<String>,
    /// The source of the puzzles.
    pub source: Option<String>,
    /// The day of publication, as text, if puzzles have no days of their own. It is never the day of the export.
    pub date: Option<String>,
    /// The numbers, the days and the levels of the puzzles.
    pub numbering: Numbering,
    /// How pictures are made.
    pub pictures: PictureOptions,
}

/// A file of an output.
#[derive(Debug)]
pub struct OutFile<'a> {
    /// Its name.
    pub path: PathBuf,
    pub(crate) rows: Rows<'a>,
    /// True for a picture of the solution.
    pub(crate) solved: bool,
    /// The solutions of its puzzles are in another file.
    pub(crate) has_solutions_apart: bool,
}

impl<'a> OutFile<'a> {
    pub(crate) fn new(path: PathBuf, rows: Rows<'a>) -> OutFile<'a> {
        OutFile { path, rows, solved: false, has_solutions_apart: false }
    }
}

impl Heading {
    pub(crate) fn date(&self, place: usize) -> Option<String> {
        self.numbering.day(place).map(|day| day.to_string()).or_else(|| self.date.clone())
    }

    /// The columns of the publisher in tables with every column: number and day of puzzles that have them. Each with its
    /// meaning.
    pub(crate) fn own_columns(&self) -> Vec<(Outside, &'static str)> {
        let mut columns = Vec::new();
        if self.is_numbered() {
            let number = Outside { name: "number".to_owned(), kind: ColumnType::Unsigned32 };
            columns.push((number, "the number of the puzzle"));
        }
        if self.is_dated() {
            let date = Outside { name: "date".to_owned(), kind: ColumnType::Text };
            columns.push((date, "the day of the puzzle"));
        }
        columns
    }

    /// The values of these columns for the puzzle at a place.
    pub(crate) fn own_values(&self, place: usize) -> Vec<Value<'static>> {
        let mut values = Vec::new();
        if self.is_numbered() {
            values.push(Value::Unsigned(self.numbering.number(place).into()));
        }
        if self.is_dated() {
            let day = self.numbering.day(place);
            values.push(day.map_or(Value::Null, |day| Value::Text(day.to_string().into())));
        }
        values
    }

    /// The day of a file as text: that of its puzzles if all have the same, or else that of the heading. None if there
    /// is neither, or no puzzle.
    pub(crate) fn date_of_all(&self, rows: &Rows<'_>) -> Option<String> {
        let mut days = rows.positions().map(|place| self.numbering.day(place));
        let first = days.next()?.filter(|first| days.all(|day| day == Some(*first)));
        first.map(|day| day.to_string()).or_else(|| self.date.clone())
    }

    fn is_dated(&self) -> bool {
        !self.numbering.days.is_empty()
    }

    /// True if tables have a column of numbers: if the puzzles have days, or if the first number is not 1.
    fn is_numbered(&self) -> bool {
        self.is_dated() || self.numbering.first > 1
    }

    /// The level of a row for people. In English it is shown by its name, or by its key if it has none. In other
    /// languages it is the name that the numbering has for it. None if the row has no level of the scale.
    pub(crate) fn level(&self, record: &Record) -> Option<String> {
        let numbering = &self.numbering;
        let level = &numbering.levels.ranges()[numbering.levels.of(record)?];
        let name = || level.texts.as_ref().map_or(&level.key, |(name, _)| name).clone();
        Some(if numbering.language.is_english() { name() } else { numbering.level(record) })
    }
}

/// The puzzles of some rows. Rows without a puzzle are left out.
pub(crate) fn puzzles(rows: &Rows<'_>) -> impl Iterator<Item = io::Result<Puzzle>> {
    rows.iter().filter_map(|row| row.map(|(_, chosen)| chosen.puzzle()).transpose())
}

/// A board in a line with `0` for blank cells.
pub(crate) fn with_zeros(grid: &Grid) -> String {
    text::line(grid).replace('.', "0")
}
