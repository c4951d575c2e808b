//! The number, the day and the level of each puzzle of an output, as they stand in captions and in names of files.

use std::path::PathBuf;

use crate::publish::calendar::series::Day;
use crate::publish::error::PublishError;
use crate::publish::words::language::{Language, LevelTexts, capitalized, check_names, fill, placeholders};
use crate::publish::words::levels::texts;
use sudoku_corpus_core::board::Reason;
use sudoku_corpus_store::corpus::Levels;
use sudoku_corpus_store::corpus::Record;

/// A text in the name of a file: `-` stands for characters that names of files should not have.
pub fn file_word(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect()
}

/// The level, in names of files, of a puzzle that has none.
pub const NO_LEVEL: &str = "none";

/// What captions and names of files may name in braces.
const NAMES: [&str; 4] = ["number", "date", "weekday", "level"];

/// The numbers, the days and the levels of puzzles.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbering {
    /// Number of the first puzzle.
    pub first: u32,
    /// The day before the first puzzle, and the day of each puzzle. Empty if puzzles have no days.
    pub days: Vec<Day>,
    /// The mapping of rows to levels.
    pub levels: Levels,
    /// The name of each level in print.
    texts: Vec<LevelTexts>,
    /// The language of levels and days.
    pub language: Language,
}

impl Default for Numbering {
    fn default() -> Numbering {
        Numbering::new(1, Vec::new(), Levels::hodoku(), Language::default())
    }
}

impl Numbering {
    /// Numbers from `first` on; [`Numbering::days`]; levels with their names in a language.
    pub fn new(first: u32, days: Vec<Day>, levels: Levels, language: Language) -> Numbering {
        let texts = texts(&levels, &language);
        Numbering { first, days, levels, texts, language }
    }

    /// The number of the puzzle at a position.
    pub fn number(&self, at: usize) -> u32 {
        self.first.saturating_add(at as u32)
    }

    /// The day of the puzzle at a position. None if puzzles have no days.
    pub fn day(&self, at: usize) -> Option<Day> {
        self.days.get(at + 1).copied()
    }

    /// The name of the level of a row in print.
    pub fn level(&self, record: &Record) -> String {
        let level = self.levels.of(record).and_then(|level| self.texts.get(level));
        level.map_or(String::new(), |level| level.name.clone())
    }

    /// A caption of the puzzle at a position; -1 for the one before the first.
    pub fn caption(&self, text: &str, at: isize, record: &Record) -> String {
        let day = usize::try_from(at + 1).ok().and_then(|at| self.days.get(at));
        let number = i64::from(self.first) + at as i64;
        let (date, weekday) =
            day.map(|day| (self.language.date(*day), self.language.weekday(*day))).unwrap_or_default();
        let values = [number.to_string(), date, weekday.to_owned(), self.level(record)];
        let filled = fill(text, &std::array::from_fn::<_, 4, _>(|at| (NAMES[at], values[at].as_str())));
        // Some languages write days of the week with small letters.
        if text.starts_with('{') { capitalized(&filled) } else { filled }
    }

    /// The usual caption of a solution: "Solution {number}".
    pub fn solution_caption(&self) -> String {
        fill(&self.language.texts().book.solution, &[("first", "{number}")])
    }

    /// The name of the file of the puzzle at a position, one of `of`. Numbers have the same number of digits, days are
    /// as 2027-01-31, and the key of a level has `-` for characters that names of files should not have.
    pub fn file(&self, name: &str, at: usize, of: usize, record: &Record) -> PathBuf {
        let width = self.number(of.saturating_sub(1)).max(of as u32).to_string().len();
        let day = self.day(at);
        let (date, weekday) = day.map(|day| (day.to_string(), self.language.weekday(day))).unwrap_or_default();
        let level = self.levels.of(record).map_or(NO_LEVEL, |level| &self.levels.ranges()[level].key);
        let values = [format!("{:0width$}", self.number(at)), date, file_word(weekday), file_word(level)];
        fill(name, &std::array::from_fn::<_, 4, _>(|at| (NAMES[at], values[at].as_str()))).into()
    }

    /// Refuses names in braces that are not known, and those of days if puzzles have none.
    ///
    /// # Errors
    /// [`PublishError::Request`] has the name, and those that are known.
    pub fn check(&self, option: &str, text: &str) -> Result<(), PublishError> {
        let known = |name: &&str| !self.days.is_empty() || !["date", "weekday"].contains(name);
        let known: Vec<&str> = NAMES.into_iter().filter(known).collect();
        let unknown = placeholders(text).find(|name| !known.contains(name));
        if let Some(name) = unknown.filter(|name| NAMES.contains(name)) {
            return Err(PublishError::Request(format!("{option}: {{{name}}} needs --dates")));
        }
        check_names(option, &known, text).map_err(|Reason(reason)| PublishError::Request(reason))
    }
}
