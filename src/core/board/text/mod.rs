//! Writes and reads boards as text: one line per board, a pretty block, and a reader that accepts both.
//!
//! ```text
//! 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79   a line
//!
//! 5 3 . | . 7 . | . . .
//! 6 . . | 1 9 5 | . . .                                                               a block
//! . 9 8 | . . . | . 6 .
//! ------+-------+------
//! ...
//! ```
//!
//! Symbols: `1`-`9`, then `A`-`Z`; order 36 uses `0`-`9` and `A`-`Z`, so there an empty cell is always `.`. Above 36,
//! cells are numbers separated by spaces. The table [`FORMS`] has all forms that are read.
//!
//! ```text
//!   symbols   what this program writes        cells     what signs mean        reader    boards of a stream
//!   lines     a stream, line by line          words     headings, frames       wanted    what was asked for
//!   forms     the table, and its forms by groups        rules_named   words that name rules
//! ```

mod cells;
mod forms;
mod lines;
mod reader;
mod rules_named;
mod symbols;
mod wanted;
mod words;

pub use cells::Signs;
pub use forms::{FORMS, Form, TextForm, board_text, game_of, is_set, of_object};
pub use lines::Lines;
pub use reader::{PuzzleReader, TextItem};
pub use rules_named::{is_rule_name, is_usual_rule, rule_named};
use symbols::plain_line;
pub(crate) use symbols::push_ascii;
pub(crate) use symbols::push_values;
pub use symbols::{TextError, block, line, push_line, symbol, value_of};
pub use wanted::Entry;
use wanted::Wanted;

use super::{Grid, Reason, Shape};

/// Reads one board: a line, or a block of lines. Comments and a note after the board are passed over.
///
/// # Errors
/// [`TextError`] with the line: a wrong character, a wrong number, or a length that fits no board or not the shape.
pub fn parse_line(text: &str, shape: Option<Shape>) -> Result<Grid, TextError> {
    parse(text, shape, &Signs::default())
}

/// Reads one board as [`parse_line`] does, with the signs that were asked for. Nearly all boards are lines as this
/// program writes them, so these are tried first.
///
/// # Errors
/// Those of [`parse_line`].
pub fn parse(text: &str, shape: Option<Shape>, signs: &Signs) -> Result<Grid, TextError> {
    if signs.are_usual()
        && let Some(shape) = shape.or_else(|| Shape::of_cells(text.len()))
        && let Some(grid) = plain_line(text, shape)
    {
        return Ok(grid);
    }
    let entry = parse_entry(text, shape, signs)?;
    // A link may hold the solution of its board; of words, each is a board.
    if entry.solution.is_some() && words::words(text).len() > 1 {
        return Err(several(entry.line));
    }
    Ok(entry.grid)
}

/// Reads one board, and its solution or its candidates, if the text has them.
///
/// # Errors
/// Those of [`parse_line`].
pub fn parse_entry(text: &str, shape: Option<Shape>, signs: &Signs) -> Result<Entry, TextError> {
    let no_board = |line| TextError::new(line, 1, Reason("words instead of a board".to_owned()));
    let mut items = PuzzleReader::with(text.as_bytes(), shape, signs.clone());
    let entry = match items.next() {
        None => return Err(TextError::new(1, 1, symbols::no_board(0))),
        Some(TextItem::Board(entry)) => entry,
        Some(TextItem::Heading(line)) => return Err(no_board(line)),
        Some(TextItem::Bad(error)) => return Err(error),
    };
    match items.next() {
        None => Ok(entry),
        Some(TextItem::Bad(error)) => Err(error),
        Some(TextItem::Heading(line)) => Err(no_board(line)),
        Some(TextItem::Board(second)) => Err(several(second.line)),
    }
}

/// True for a line that begins with `#` and is a comment: no board and no row, in which `#` stands for an empty cell.
pub fn is_comment(line: &str) -> bool {
    forms::oneline::is_comment(line.trim_start(), &Wanted::default(), None)
}

fn several(line: usize) -> TextError {
    TextError::new(line, 1, Reason("several boards instead of one".to_owned()))
}

#[cfg(test)]
mod tests;
