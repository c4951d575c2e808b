//! What all formats share: the texts above the puzzles, and the files of an output with their puzzles.

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
    /// It is a picture of the solution.
    pub(crate) solved: bool,
    /// The solutions of its puzzles are in another file.
    pub(crate) has_solutions_apart: bool,
}

impl Heading {
    /// The day of a puzzle as text.
    pub(crate) fn date(&self, at: usize) -> Option<String> {
        self.numbering.day(at).map(|day| day.to_string()).or_else(|| self.date.clone())
    }

    /// The name and the rank, from 1, of the publisher's own level of a row.
    pub(crate) fn own_level(&self, record: &Record) -> Option<(String, u32)> {
        let levels = self.levels.as_ref()?;
        let at = levels.of(record)?;
        let level = &levels.bands()[at];
        Some((level.texts.as_ref().map_or(&level.key, |(name, _)| name).clone(), at as u32 + 1))
    }

    /// The columns for the publisher's own levels in tables with every column.
    pub(crate) fn own_columns(&self) -> Vec<Outside> {
        let column = |(name, kind): (&str, ColumnType)| Outside { name: name.to_owned(), kind };
        let columns = [("own_level", ColumnType::Text), ("own_level_rank", ColumnType::Unsigned32)];
        columns.map(column).into_iter().filter(|_| self.levels.is_some()).collect()
    }

    /// The values of these columns.
    pub(crate) fn own_values(&self, record: &Record) -> Vec<Value<'static>> {
        let (name, rank) = self.own_level(record).unzip();
        let name = name.map_or(Value::Null, |name| Value::Text(name.into()));
        let rank = rank.map_or(Value::Null, |rank| Value::Unsigned(rank.into()));
        [name, rank].into_iter().filter(|_| self.levels.is_some()).collect()
    }

    /// The level of a row, by its name: the publisher's own, or HoDoKu's if there are no others.
    pub(crate) fn level(&self, record: &Record) -> Option<String> {
        match self.levels {
            Some(_) => self.own_level(record).map(|(name, _)| name),
            None => record.level.map(|level| level.name().to_owned()),
        }
    }
}

pub(crate) fn puzzles(rows: &Rows<'_>) -> impl Iterator<Item = io::Result<Puzzle>> {
    rows.iter().filter_map(|row| row.map(|(_, chosen)| chosen.puzzle()).transpose())
}

/// A board in a line with `0` for blank cells.
pub(crate) fn with_zeros(grid: &Grid) -> String {
    text::line(grid).replace('.', "0")
}
