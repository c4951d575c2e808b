//! Reads boards of lines and blocks. Headings are no rows.

use super::Reading;
use super::encoding::{Text, damaged};
use super::rows::{Content, Found, RowReader};
use sudoku_corpus_core::board::text::{PuzzleReader, TextItem};

pub(super) struct TextRows {
    items: PuzzleReader<Text>,
    /// True if there was a heading.
    has_words: bool,
}

impl TextRows {
    pub(super) fn new(text: Text, how: &Reading) -> TextRows {
        TextRows { items: PuzzleReader::with(text, how.shape, how.signs.clone()), has_words: false }
    }
}

impl RowReader for TextRows {
    fn next(&mut self) -> Result<Option<Found>, String> {
        for item in &mut self.items {
            return match item {
                TextItem::Heading(_) => {
                    self.has_words = true;
                    continue;
                }
                TextItem::Board(entry) => Ok(Some(Found { line: entry.line as u64, content: Content::Board(entry) })),
                TextItem::Bad(error) if error.line == 0 => Err(damaged(error.reason)),
                TextItem::Bad(error) => Ok(Some(Found { line: error.line as u64, content: error.into() })),
            };
        }
        Ok(None)
    }

    fn has_words(&self) -> bool {
        self.has_words
    }
}
