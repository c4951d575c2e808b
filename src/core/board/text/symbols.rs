//! Defines the symbols of values, writes boards with them, and tells what can be wrong with them.

use std::fmt::Write as _;

use crate::board::{Grid, Puzzle, Reason, Shape, Solution};
use crate::page::numbers::counted;

/// Why a text is not a board, and where. Lines and columns are numbered from 1; columns count characters. The line is 0
/// if the text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct TextError {
    /// Line in the file.
    pub line: usize,
    /// Character in the line.
    pub column: usize,
    /// What is wrong at this place.
    pub reason: Reason,
}

impl TextError {
    pub(super) fn new(line: usize, column: usize, reason: Reason) -> TextError {
        TextError { line, column, reason }
    }
}

/// What is wrong with a number of cells.
pub(super) fn no_board(cells: usize) -> Reason {
    let cells = counted(cells, "cell");
    Reason(format!("{cells}: no board has so many; 9x9 has 81, 6x6 has 36, 16x16 has 256"))
}

/// What is wrong with a character that is no symbol of a board.
pub(super) fn no_symbol(character: char, order: usize) -> Reason {
    Reason(format!("{character:?} is neither a digit of a {order}x{order} board nor an empty cell"))
}

/// The symbols of digits. Order 36 needs all of them, so 0 is its first digit; smaller boards begin with 1.
pub(super) const SYMBOLS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The character of a value 1..=n on a board of order n <= 36; `.` for 0.
#[inline]
pub fn symbol(value: u16, order: usize) -> char {
    match value {
        0 => '.',
        _ => SYMBOLS.as_bytes()[usize::from(value) - usize::from(order == 36)] as char,
    }
}

/// The value of a character on a board of order n <= 36: 0 for a blank, None if it is neither.
#[inline]
pub fn value_of(symbol: char, order: usize) -> Option<u16> {
    let place = match symbol {
        '0'..='9' => Some(symbol as u16 - '0' as u16),
        'A'..='Z' => Some(symbol as u16 - 'A' as u16 + 10),
        'a'..='z' => Some(symbol as u16 - 'a' as u16 + 10),
        _ => None,
    };
    let value = place.map(|place| if order == 36 { place + 1 } else { place });
    match value {
        Some(value) if usize::from(value) <= order => Some(value),
        // X is a digit on boards with enough digits.
        _ => matches!(symbol, '.' | '_' | '*' | '-' | 'X' | 'x').then_some(0),
    }
}

/// The board of a line with one symbol for each cell, and `.` or `0` for each empty cell. None for everything else,
/// which [`super::parse_line`] may understand.
pub(crate) fn plain_line(line: &str, shape: Shape) -> Option<Grid> {
    let order = shape.order();
    if order > 36 || line.len() != shape.cells() {
        return None;
    }
    let (mut values, mut dots, mut zeros) = (vec![0; line.len()], false, false);
    for (value, symbol) in values.iter_mut().zip(line.bytes()) {
        match symbol {
            b'.' => dots = true,
            b'0' if order < 36 => zeros = true,
            b'1'..=b'9' if order < 36 => *value = u16::from(symbol - b'0'),
            _ => *value = value_of(symbol.into(), order).filter(|value| *value > 0)?,
        }
    }
    // Beside dots, 0 may be a digit.
    if dots && zeros { None } else { Grid::new(shape, values).ok() }
}

/// A board in one line: n*n symbols; above order 36, numbers separated by spaces.
pub fn line(grid: &Grid) -> String {
    let mut text = String::with_capacity(grid.values().len());
    push_line(&mut text, grid);
    text
}

/// Appends the line of a board to a string.
pub fn push_line(text: &mut String, grid: &Grid) {
    push_values(text, grid.shape(), grid.values());
}

/// Appends the line of a board given by its values, row by row, 0 for a blank cell.
pub(crate) fn push_values(text: &mut String, shape: Shape, values: &[u16]) {
    let order = shape.order();
    if order <= 36 {
        // One symbol after the other takes three times as long.
        let mut symbols = [0; 128];
        for values in values.chunks(symbols.len()) {
            let pairs = symbols.iter_mut().zip(values);
            match order {
                // Without a call for each, this is done for many symbols at once.
                ..=9 => pairs.for_each(|(byte, &value)| *byte = if value == 0 { b'.' } else { b'0' + value as u8 }),
                _ => pairs.for_each(|(byte, &value)| *byte = symbol(value, order) as u8),
            }
            push_ascii(text, &symbols[..values.len()]);
        }
        return;
    }
    for (cell, &value) in values.iter().enumerate() {
        if cell > 0 {
            text.push(' ');
        }
        push_number(text, value, 0);
    }
}

pub(crate) fn push_ascii(text: &mut String, ascii: &[u8]) {
    debug_assert!(ascii.is_ascii(), "{ascii:?}");
    text.push_str(std::str::from_utf8(ascii).unwrap_or_default());
}

/// Writes a number padded to a width, or `.` for 0.
fn push_number(text: &mut String, value: u16, width: usize) {
    let written = match value {
        0 => write!(text, "{:>width$}", '.'),
        _ => write!(text, "{value:>width$}"),
    };
    debug_assert!(written.is_ok(), "writing to a string does not fail");
}

/// A board as a block of lines: `|` and lines of `-` and `+` separate boxes, `|` alone separates regions of a jigsaw.
pub fn block(grid: &Grid) -> String {
    let shape = grid.shape();
    let n = shape.order();
    // Above order 36, values are numbers up to 400.
    let width = if n <= 36 { 1 } else { 3 };
    let mut dashes = Vec::new();
    for stack in 0..shape.stacks() {
        // A box between two others has a space on both sides.
        let is_between = stack > 0 && stack + 1 < shape.stacks();
        dashes.push("-".repeat(shape.box_columns() * (width + 1) + usize::from(is_between)));
    }
    let rule = dashes.join("+");
    let mut text = String::new();
    for (row, values) in grid.values().chunks_exact(n).enumerate() {
        if row > 0 && row % shape.box_rows() == 0 && shape.regions().is_none() {
            text.push_str(&rule);
            text.push('\n');
        }
        for (column, &value) in values.iter().enumerate() {
            if column > 0 {
                let is_next = shape.box_of(row, column) != shape.box_of(row, column - 1);
                text.push_str(match (is_next, shape.regions()) {
                    (false, _) => " ",
                    (true, None) => " | ",
                    (true, Some(_)) => "|",
                });
            }
            if n <= 36 {
                text.push(symbol(value, n));
            } else {
                push_number(&mut text, value, width);
            }
        }
        text.push('\n');
    }
    text
}

impl std::fmt::Debug for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Grid({} {})", self.shape(), line(self))
    }
}

impl std::fmt::Display for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&line(self))
    }
}

impl std::fmt::Display for Puzzle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.grid().fmt(f)
    }
}

impl std::fmt::Display for Solution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.grid().fmt(f)
    }
}
