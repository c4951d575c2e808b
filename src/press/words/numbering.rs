//! The number, the day and the level of each puzzle of an output, as they stand in captions and in names of files.

use std::path::PathBuf;

use crate::calendar::series::Day;
use crate::error::PublishError;
use crate::words::language::{Language, LevelTexts, capitalized, check_names, fill, placeholders};
use crate::words::levels::texts;
use sudoku_corpus_core::board::Reason;
use sudoku_corpus_store::corpus::{Levels, Record};

/// A text in the name of a file: `-` stands for characters that names of files should not have.
pub fn file_word(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect()
}

/// The level, in names of files, of a puzzle that has none.
pub const NO_LEVEL: &str = "none";

/// What captions and names of files may name in braces.
const NAMES: [&str; 4] = ["number", "date", "weekday", "level"];

/// A text with the values of [`NAMES`], in their order, in place of the names in braces.
fn filled_in(text: &str, values: [&str; 4]) -> String {
    let [number, date, weekday, level] = values;
    fill(text, &[(NAMES[0], number), (NAMES[1], date), (NAMES[2], weekday), (NAMES[3], level)])
}

/// The numbers, the days and the levels of puzzles.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbering {
    /// Number of the first puzzle.
    pub first: u32,
    /// The day before the first puzzle, and the day of each puzzle. Empty if puzzles have no days.
    pub days: Vec<Day>,
    /// The scale of the levels.
    pub levels: Levels,
    /// The name of each level in print.
    texts: Vec<LevelTexts>,
    /// The language of levels and days.
    pub language: Language,
}

impl Default for Numbering {
    fn default() -> Numbering {
        Numbering::new(1, Vec::new(), Levels::default(), Language::default())
    }
}

impl Numbering {
    /// Numbers from `first` on; [`Numbering::days`]; levels with their names in a language.
    pub fn new(first: u32, days: Vec<Day>, levels: Levels, language: Language) -> Numbering {
        let texts = texts(&levels, &language);
        Numbering { first, days, levels, texts, language }
    }

    /// The number of the puzzle at a place among the chosen, from 0.
    pub fn number(&self, place: usize) -> u32 {
        self.first.saturating_add(place as u32)
    }

    /// The day of the puzzle at a place. None if puzzles have no days.
    pub fn day(&self, place: usize) -> Option<Day> {
        self.days.get(place + 1).copied()
    }

    /// The name of the level of a row in print.
    pub fn level(&self, record: &Record) -> String {
        let level = self.levels.of(record).and_then(|level| self.texts.get(level));
        level.map_or(String::new(), |level| level.name.clone())
    }

    /// A caption of the puzzle at a place; -1 for the one before the first.
    pub fn caption(&self, text: &str, place: isize, record: &Record) -> String {
        // The first of the days is that of place -1.
        let day = usize::try_from(place + 1).ok().and_then(|index| self.days.get(index)).copied();
        let number = i64::from(self.first) + place as i64;
        let (date, weekday) = day.map(|day| (self.language.date(day), self.language.weekday(day))).unwrap_or_default();
        let filled = filled_in(text, [&number.to_string(), &date, weekday, &self.level(record)]);
        // Some languages write days of the week with small letters.
        if text.starts_with('{') { capitalized(&filled) } else { filled }
    }

    /// The usual caption of a solution: "Solution {number}".
    pub fn solution_caption(&self) -> String {
        fill(self.language.text("book.solution"), &[("first", "{number}")])
    }

    /// The name of the file of the puzzle at a place, one of `count`. Numbers have the same number of digits, days are
    /// as 2027-01-31, and the key of a level has `-` for characters that names of files should not have.
    pub fn file(&self, name: &str, place: usize, count: usize, record: &Record) -> PathBuf {
        let last_number = self.number(count.saturating_sub(1));
        let width = last_number.max(count as u32).to_string().len();
        let day = self.day(place);
        let (date, weekday) = day.map(|day| (day.to_string(), self.language.weekday(day))).unwrap_or_default();
        let level = self.levels.of(record).map_or(NO_LEVEL, |level| &self.levels.ranges()[level].key);
        let number = format!("{:0width$}", self.number(place));
        filled_in(name, [&number, &date, &file_word(weekday), &file_word(level)]).into()
    }

    /// Refuses names in braces that are not known, and those of days if puzzles have none.
    ///
    /// # Errors
    /// [`PublishError::Request`] has the name, and those that are known.
    pub fn check(&self, option: &str, text: &str) -> Result<(), PublishError> {
        let mut names = NAMES.to_vec();
        if self.days.is_empty() {
            names.retain(|name| !["date", "weekday"].contains(name));
        }
        let refused_name = placeholders(text).find(|name| !names.contains(name));
        if let Some(name) = refused_name.filter(|name| NAMES.contains(name)) {
            return Err(PublishError::Request(format!("{option}: {{{name}}} needs --dates")));
        }
        check_names(option, &names, text).map_err(|Reason(reason)| PublishError::Request(reason))
    }
}
