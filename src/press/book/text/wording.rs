//! Holds the words of a book: title, author, imprint, and the texts of its language.

use crate::book::error::BookError;
use crate::calendar::series::Day;
use crate::draw::text::typeface::{NO_BREAK, Typeface, tidy};
use crate::words::language::{Language, LevelTexts, capitalized, fill};
use sudoku_corpus_core::ladder::Level;

/// The words of a book. [`Wording::check`] says whether a typeface can set them.
#[derive(Clone, Debug, PartialEq)]
pub struct Wording {
    pub(crate) title: String,
    pub(crate) author: Option<String>,
    /// Paragraphs; an empty one is an empty line. None for the default imprint.
    pub(crate) imprint: Option<Vec<String>>,
    /// The text below the title; by default a summary of the contents.
    pub subtitle: Option<String>,
    /// The number of the volume.
    pub volume: Option<u32>,
    /// The year of the copyright line.
    pub year: Option<String>,
    /// The language of everything that is printed.
    pub language: Language,
    /// The levels, easiest first.
    pub levels: Vec<LevelTexts>,
    /// Names in braces in title, author, subtitle and imprint, with their values.
    pub values: Vec<(String, String)>,
}

/// The most characters of a title or an author's name.
const MAX_TITLE: usize = 200;
/// The most characters of an imprint, before its lines are counted.
const MAX_IMPRINT: usize = 20_000;
/// The most characters of the name of a level.
const MAX_LEVEL: usize = 60;
/// The most characters of the description of a level.
const MAX_LEVEL_ABOUT: usize = 600;

impl Wording {
    /// Tidies the words of a book in English, with the levels of the rater. An imprint that is not given names the
    /// author and the typeface.
    ///
    /// # Errors
    /// [`BookError::NoWords`] or [`BookError::TooLong`].
    pub fn new(title: &str, author: Option<&str>, imprint: Option<&str>) -> Result<Wording, BookError> {
        let title = tidied("title", title, MAX_TITLE)?;
        let author = author.map(|author| tidied("author", author, MAX_TITLE)).transpose()?;
        let imprint = match imprint {
            Some(text) => {
                // Only checked: its lines are kept.
                tidied("imprint", text, MAX_IMPRINT)?;
                Some(text.trim_end().lines().map(tidy).collect())
            }
            None => None,
        };
        let language = Language::default();
        let levels = Level::ALL.map(|level| language.level(level.name()).unwrap_or_default()).to_vec();
        Ok(Wording {
            title,
            author,
            imprint,
            subtitle: None,
            volume: None,
            year: None,
            language,
            levels,
            values: Vec::new(),
        })
    }

    /// Checks that a typeface can set all of the words, with the names in braces filled in.
    ///
    /// # Errors
    /// [`BookError::Text`]; for a level, [`BookError::NoWords`] and [`BookError::TooLong`].
    pub fn check(&self, typeface: &Typeface) -> Result<(), BookError> {
        // The number of puzzles is not known yet. The words are checked again with it when the book is made.
        self.filled_in(0).check_filled(typeface)
    }

    /// Like [`Wording::check`], for words that are filled in.
    pub(crate) fn check_filled(&self, typeface: &Typeface) -> Result<(), BookError> {
        for LevelTexts { name, about } in &self.levels {
            tidied("name of a level", name, MAX_LEVEL)?;
            let length = about.chars().count();
            if length > MAX_LEVEL_ABOUT {
                let (what, text) = ("description of a level", about.clone());
                return Err(BookError::TooLong { what, text, found: length, most: MAX_LEVEL_ABOUT });
            }
        }
        typeface.check("title", &self.title)?;
        if let Some(author) = &self.author {
            typeface.check("author", author)?;
        }
        if let Some(subtitle) = &self.subtitle {
            typeface.check("subtitle", subtitle)?;
        }
        for line in self.imprint.iter().flatten() {
            typeface.check("imprint", line)?;
        }
        for level in &self.levels {
            typeface.check("level", &level.name)?;
            typeface.check("level", &level.about)?;
        }
        for text in self.language.all() {
            typeface.check("file of words", text)?;
        }
        Ok(())
    }

    /// A day with its weekday, as a heading: "Monday, 1 March 2027".
    pub fn day(&self, day: Day) -> String {
        let language = &self.language;
        capitalized(&fill(
            language.text("book.weekday_date"),
            &[("weekday", self.language.weekday(day)), ("date", &self.date(day))],
        ))
    }

    /// A day in words that stays on a line where it can.
    pub fn date(&self, day: Day) -> String {
        self.language.date(day).replace(' ', NO_BREAK.encode_utf8(&mut [0; 4]))
    }

    /// The same words with their names in braces filled in. Only the finished book knows {count}, the number of puzzles.
    pub(crate) fn filled_in(&self, count: usize) -> Wording {
        let count = count.to_string();
        let mut values: Vec<(&str, &str)> = vec![("count", &count)];
        values.extend(self.values.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let filled = |text: &String| fill(text, &values);
        Wording {
            title: filled(&self.title),
            author: self.author.as_ref().map(filled),
            subtitle: self.subtitle.as_ref().map(filled),
            imprint: self.imprint.as_ref().map(|lines| lines.iter().map(filled).collect()),
            ..self.clone()
        }
    }

    /// A month in words, as a heading.
    pub fn month(&self, year: u16, month: u8) -> String {
        let month = self.language.item("book.months_in_headings", usize::from(month) - 1);
        format!("{} {year}", capitalized(month))
    }
}

/// A text without needless blanks; an error if it is empty or longer than `most` characters.
fn tidied(what: &'static str, text: &str, most: usize) -> Result<String, BookError> {
    let tidied = tidy(text);
    match tidied.chars().count() {
        0 => Err(BookError::NoWords(what)),
        found if found > most => Err(BookError::TooLong { what, text: tidied, found, most }),
        _ => Ok(tidied),
    }
}
