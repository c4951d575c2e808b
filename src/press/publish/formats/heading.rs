//! Defines what all formats share: the texts above the puzzles, and the files of an output with their puzzles.

use std::io;
use std::path::PathBuf;

use crate::publish::choice::puzzles::Rows;
use crate::publish::formats::picture_options::Options;
use crate::publish::words::numbering::Numbering;
use sudoku_corpus_core::board::{Grid, Puzzle, text};
use sudoku_corpus_store::corpus::{ColumnType, Levels, Outside, Record, Value};

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
    pub pictures: Options,
    /// The publisher's own levels, which are written beside HoDoKu's, or in their place where there is room for one.
    pub levels: Option<Levels>,
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

impl Heading {
    /// The day of a puzzle as text.
    pub(crate) fn date(&self, at: usize) -> Option<String> {
        self.numbering.day(at).map(|day| day.to_string()).or_else(|| self.date.clone())
    }

    /// The name (or key) and the rank, from 1, of the publisher's own level of a row.
    pub(crate) fn own_level(&self, record: &Record) -> Option<(String, u32)> {
        let levels = self.levels.as_ref()?;
        let at = levels.of(record)?;
        let level = &levels.ranges()[at];
        Some((level.texts.as_ref().map_or(&level.key, |(name, _)| name).clone(), at as u32 + 1))
    }

    /// The columns of the publisher in tables with every column: number and day of puzzles that have them, own levels.
    /// Each with its meaning.
    pub(crate) fn own_columns(&self) -> Vec<(Outside, &'static str)> {
        let columns = [
            ("number", ColumnType::Unsigned32, "the number of the puzzle", self.is_numbered()),
            ("date", ColumnType::Text, "the day of the puzzle", self.is_dated()),
            ("own_level", ColumnType::Text, "the publisher's own level of the puzzle, by name", self.levels.is_some()),
            ("own_level_rank", ColumnType::Unsigned32, "the same, by rank from 1", self.levels.is_some()),
        ];
        let wanted = columns.into_iter().filter(|(.., is_wanted)| *is_wanted);
        wanted.map(|(name, kind, about, _)| (Outside { name: name.to_owned(), kind }, about)).collect()
    }

    /// The values of these columns for the puzzle at a position.
    pub(crate) fn own_values(&self, at: usize, record: &Record) -> Vec<Value<'static>> {
        let (name, rank) = self.own_level(record).unzip();
        let text = |text: Option<String>| text.map_or(Value::Null, |text| Value::Text(text.into()));
        let number = |number: u32| Value::Unsigned(number.into());
        let values = [
            (number(self.numbering.number(at)), self.is_numbered()),
            (text(self.numbering.day(at).map(|day| day.to_string())), self.is_dated()),
            (text(name), self.levels.is_some()),
            (rank.map_or(Value::Null, number), self.levels.is_some()),
        ];
        values.into_iter().filter(|(_, is_wanted)| *is_wanted).map(|(value, _)| value).collect()
    }

    /// The day of a file as text: that of its puzzles if all have the same, or else that of the heading. None if there
    /// is neither, or no puzzle.
    pub(crate) fn date_of_all(&self, rows: &Rows<'_>) -> Option<String> {
        let mut days = rows.places().map(|at| self.numbering.day(at));
        let first = days.next()?.filter(|first| days.all(|day| day == Some(*first)));
        first.map(|day| day.to_string()).or_else(|| self.date.clone())
    }

    /// True if puzzles have days.
    fn is_dated(&self) -> bool {
        !self.numbering.days.is_empty()
    }

    /// True if tables have a column of numbers: if the puzzles have days, or if the first number is not 1.
    fn is_numbered(&self) -> bool {
        self.is_dated() || self.numbering.first > 1
    }

    /// The level of a row for people: the publisher's own, or HoDoKu's if there are no others. In English, an own level
    /// is shown by its name, or by its key if it has none, and HoDoKu's by its name. In other languages it is the name
    /// that the numbering has for it. None if the row has no such level.
    pub(crate) fn level(&self, record: &Record) -> Option<String> {
        let key = match self.levels {
            Some(_) => self.own_level(record).map(|(name, _)| name),
            None => record.level.map(|level| level.name().to_owned()),
        };
        if self.numbering.language.is_english() { key } else { key.map(|_| self.numbering.level(record)) }
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
