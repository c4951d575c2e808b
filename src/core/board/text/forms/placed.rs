//! Reads lines of programs that also write the digits which a player has placed.
//!
//! ```text
//! :0000:x:53..7....6..195..:::                     HoDoKu: givens in the fourth field; '+' marks digits placed later
//! 53+4.7....6..195..:411 213                       Susser: '+' marks digits placed later; removed candidates follow
//! ```

use crate::board::Shape;
use crate::board::text::cells::CellText;
use crate::board::text::wanted::{Boards, Entry, PlacedCell, TextLine, Wanted};

/// A 9x9 board with digits that were placed later, those after `+`: a line of HoDoKu's library, whose fourth field it
/// is, or of Susser, where removed candidates follow.
pub(super) fn with_placed(line: &TextLine<'_>, wanted: &Wanted) -> Option<Boards> {
    let text = line.text.trim();
    let (cells, removed) = text.split_once(':').unwrap_or((text, ""));
    let is_removed = removed.chars().all(|sign| sign.is_ascii_digit() || sign.is_whitespace());
    let cells = match text.strip_prefix(':') {
        Some(fields) => fields.split(':').nth(2).unwrap_or_default(),
        None if cells.contains('+') && is_removed && givens(cells).count() == Shape::NINE.cells() => cells,
        None => return None,
    };
    let cells: Vec<PlacedCell> = givens(cells).map(|sign| line.cell(1, CellText::of_sign(sign))).collect();
    let board = match cells.len() == Shape::NINE.cells() {
        true => wanted.board(Shape::NINE, &cells),
        false => Err(line.error_at(1, Shape::NINE.other_length(cells.len()))),
    };
    Some(vec![board.map(|grid| Entry::new(line.number, grid))])
}

/// Cells without those digits that were placed, not given.
fn givens(cells: &str) -> impl Iterator<Item = char> {
    let empty = cells.chars().find(|sign| !sign.is_ascii_digit() && *sign != '+').unwrap_or('0');
    let mut placed = false;
    // A sign belongs to the `+` before it.
    cells.trim().chars().filter_map(move |symbol| match std::mem::replace(&mut placed, symbol == '+') {
        _ if symbol == '+' => None,
        true => Some(if symbol.is_ascii_digit() { empty } else { symbol }),
        false => Some(symbol),
    })
}
