//! Defines the captions and the other options of pictures of puzzles.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use crate::publish::error::PublishError;
use crate::publish::picture::drawing::Style;
use crate::publish::words::numbering::Numbering;
use sudoku_corpus_store::corpus::Record;

/// The texts over a picture, on the left and on the right, with names in braces ([`Numbering::caption`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption(String, String);

impl FromStr for Caption {
    type Err = Infallible;

    /// `none`, `number`, `level` (the number, and the level on the right), or a text, where `|` begins the right side.
    fn from_str(text: &str) -> Result<Caption, Infallible> {
        let (left, right) = match text {
            "none" => ("", ""),
            "number" => ("{number}", ""),
            "level" => ("{number}", "{level}"),
            text => text.split_once('|').unwrap_or((text, "")),
        };
        Ok(Caption(left.trim().to_owned(), right.trim().to_owned()))
    }
}

impl Caption {
    pub(crate) fn of(&self, at: isize, record: &Record, numbering: &Numbering) -> (String, String) {
        (numbering.caption(&self.0, at, record), numbering.caption(&self.1, at, record))
    }

    /// True if it names the level of a puzzle.
    pub fn names_level(&self) -> bool {
        format!("{}{}", self.0, self.1).contains("{level}")
    }

    /// Refuses names in braces that are not known.
    ///
    /// # Errors
    /// [`PublishError::Request`] names the first that is not known.
    pub fn check(&self, option: &str, numbering: &Numbering) -> Result<(), PublishError> {
        [&self.0, &self.1].into_iter().try_for_each(|text| numbering.check(option, text))
    }
}

/// How pictures are made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The style of the boards.
    pub style: Style,
    /// Candidates in open cells.
    pub candidates: bool,
    /// The text over the board of a puzzle.
    pub caption: Caption,
    /// The text over the board of a solution.
    pub solution_caption: Caption,
    /// A second picture with the solution: `-solution` in its name.
    pub with_solutions: bool,
    /// Beside each puzzle the solution of the one before. The inner value is the puzzle before the first, with its
    /// solution; without one, its place is blank.
    pub previous: Option<Option<Box<Record>>>,
    /// Texts of SVG are texts instead of outlines.
    pub live_text: bool,
    /// A table of all pictures.
    pub merge: Option<PathBuf>,
}
