//! Defines the captions and the other options of pictures of puzzles.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use crate::draw::text::typeface::{TextFault, Typeface};
use crate::error::PublishError;
use crate::picture::drawing::{Caption, Style};
use crate::words::numbering::Numbering;
use sudoku_corpus_store::corpus::Record;
use unicode_normalization::UnicodeNormalization as _;

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
        let composed = |text: &str| text.trim().nfc().collect();
        Ok(Caption { left: composed(left), right: composed(right) })
    }
}

impl Caption {
    /// The caption of a puzzle by its place: names in braces are filled in, see [`Numbering::caption`].
    pub(crate) fn filled(&self, place: isize, record: &Record, numbering: &Numbering) -> Caption {
        let [left, right] = [&self.left, &self.right].map(|text| numbering.caption(text, place, record));
        Caption { left, right }
    }

    /// True if it names the level of a puzzle.
    pub fn names_level(&self) -> bool {
        [&self.left, &self.right].iter().any(|text| text.contains("{level}"))
    }

    /// Refuses names in braces that are not known.
    ///
    /// # Errors
    /// [`PublishError::Request`] names the first of them.
    pub fn check(&self, option: &str, numbering: &Numbering) -> Result<(), PublishError> {
        [&self.left, &self.right].into_iter().try_for_each(|text| numbering.check(option, text))
    }
}

/// How pictures are made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PictureOptions {
    /// The style of the boards.
    pub style: Style,
    /// Candidates in open cells.
    pub candidates: bool,
    /// The texts over the board of a puzzle, with names in braces ([`Numbering::caption`]).
    pub caption: Caption,
    /// The same over the board of a solution.
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

impl PictureOptions {
    /// Refuses symbols and captions that the typeface of pictures cannot set, before any puzzle is chosen. What stands
    /// in captions for names in braces is checked when it is drawn.
    ///
    /// # Errors
    /// [`PublishError::Request`] has the characters, or two symbols that look the same.
    pub fn check(&self) -> Result<(), PublishError> {
        let typeface = Typeface::open().map_err(|error| PublishError::Request(error.to_string()))?;
        self.style.symbols.check(&typeface)?;
        let texts =
            [&self.caption, &self.solution_caption].into_iter().flat_map(|caption| [&caption.left, &caption.right]);
        texts.into_iter().try_for_each(|text| Ok(typeface.check(CAPTION, text)?))
    }
}

impl From<TextFault> for PublishError {
    fn from(fault: TextFault) -> PublishError {
        PublishError::Request(fault.to_string())
    }
}

/// What messages call the text over a picture.
pub(crate) const CAPTION: &str = "caption";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_and_symbols_that_cannot_be_set_are_refused() {
        let said = |caption: &str, symbols: &str| {
            let (caption, symbols) = (caption.parse().unwrap_or_default(), symbols.parse().unwrap());
            let style = Style { symbols, ..Style::default() };
            PictureOptions { caption, style, ..PictureOptions::default() }.check().map_err(|error| error.to_string())
        };
        // An accent of its own becomes one letter with its letter.
        assert_eq!(said("Cafe\u{301} {number}|{level}", "STAR"), Ok(()));
        for (caption, symbols, reason) in [
            ("数独|x", "usual", "the caption holds '数', '独'"),
            ("x|\u{1}", "usual", "the caption holds '\\u{1}'"),
            ("ספר", "usual", "the caption 'ספר' is in letters that run from right to left"),
            ("level", "火水木金", "the set of symbols holds"),
        ] {
            let error = said(caption, symbols).unwrap_err();
            assert!(error.starts_with(reason), "{error}");
        }
    }
}
