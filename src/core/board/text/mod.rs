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
//! cells are numbers separated by spaces. Lines of HoDoKu's library, of Sudoku Exchange's bank and links of f-puzzles
//! and SudokuPad are read, too. Readers take `.` `0` `_` `*` `-` `X` as empty cells where they are not digits.

mod dialects;
mod lines;
mod links;
mod reader;
mod rows;
mod signs;
mod symbols;

pub use dialects::game_of;
pub use lines::Lines;
pub use links::of_object;
pub use reader::{Entry, Item, PuzzleReader};
pub use signs::{Alphabet, Cell as CellText, Signs, decide};
pub(crate) use symbols::push_ascii;
pub(crate) use symbols::push_values;
pub use symbols::{TextError, TextProblem, block, line, plain_line, push_line, symbol, value_of};

use super::{Grid, Reason, Shape};
use symbols::no_board;

/// Reads one board: a line, or a block of lines. Comments and a note after the board are passed over.
///
/// # Errors
/// [`TextError`] with the line: a wrong character, a wrong number, or a length that fits no board or not the shape.
pub fn parse_line(text: &str, shape: Option<Shape>) -> Result<Grid, TextError> {
    parse(text, shape, &Signs::default(), None).map(|(grid, _)| grid)
}

/// Reads one board as [`parse_line`] does, with the signs that were asked for. `known` are the signs of digits of
/// boards that belong to it.
///
/// # Errors
/// Those of [`parse_line`].
pub fn parse(
    text: &str,
    shape: Option<Shape>,
    signs: &Signs,
    known: Option<&Alphabet>,
) -> Result<(Grid, Option<Alphabet>), TextError> {
    let mut items = PuzzleReader::with(text.as_bytes(), shape, signs.clone()).knowing(known);
    let item = items.next().ok_or_else(|| TextError::new(1, 1, no_board(0)))?;
    let words = |line| TextError::new(line, 1, Reason("words instead of a board".to_owned()));
    let entry = match item {
        Item::Board(entry) => entry,
        Item::Heading { line, .. } => return Err(words(line)),
        Item::Bad(error) => return Err(error),
    };
    let cells = entry.grid.values().len();
    match items.next() {
        None if entry.solution.is_some() => Err(TextError::new(entry.line, 1, no_board(2 * cells))),
        None => Ok((entry.grid, items.alphabet())),
        Some(Item::Bad(error)) => Err(error),
        Some(Item::Heading { line, .. }) => Err(words(line)),
        Some(Item::Board(second)) => Err(TextError::new(second.line, 1, no_board(cells + second.grid.values().len()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Rng, Stage};

    pub(super) fn random_grid(shape: Shape, rng: &mut Rng) -> Grid {
        let n = shape.order();
        let values = (0..n * n).map(|_| if rng.below(2) == 0 { 0 } else { rng.below(n) as u16 + 1 }).collect();
        Grid::new(shape, values).unwrap()
    }

    #[test]
    fn lines_and_blocks_of_every_shape_are_read_back() {
        for shape in Shape::all(36).into_iter().chain(["6x7".parse().unwrap()]) {
            let mut rng = Rng::new(1, shape.order() as u64, Stage::Bench, 0);
            for _ in 0..10 {
                let grid = random_grid(shape, &mut rng);
                assert_eq!(parse_line(&line(&grid), Some(shape)), Ok(grid.clone()), "{shape}");
                assert_eq!(parse_line(&block(&grid), Some(shape)), Ok(grid.clone()), "{shape}\n{}", block(&grid));
                let guessed = parse_line(&block(&grid), None).map(|read| read.values().to_vec());
                assert_eq!(guessed, Ok(grid.values().to_vec()), "{shape}\n{}", block(&grid));
            }
        }
    }

    #[test]
    fn every_symbol_is_its_own_value() {
        for order in Shape::all(36).into_iter().map(Shape::order) {
            for value in 0..=order as u16 {
                assert_eq!(value_of(symbol(value, order), order), Some(value), "{value} of {order}");
            }
        }
        assert_eq!(value_of('0', 9), Some(0));
        assert_eq!(value_of('0', 36), Some(1));
        assert_eq!(value_of('X', 9), Some(0));
        assert_eq!(value_of('X', 35), Some(33));
        assert_eq!(value_of('A', 9), None);
    }

    #[test]
    fn errors_say_where() {
        let bad = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....41?..5....8..79";
        assert_eq!(
            parse_line(bad, None).unwrap_err().to_string(),
            "line 1, column 69: '?' is neither a digit of a 9x9 board nor an empty cell ('.' stands for empty cells)"
        );
        let message = |text, shape| parse_line(text, shape).unwrap_err().to_string();
        assert!(message(&bad[1..60], None).starts_with("line 1, column 1: 59 cells are neither a board"));
        let other = message("1234341221434321", Some(Shape::NINE));
        assert_eq!(other, "line 1, column 1: 16 cells, but the board has 81 (9x9 board, 3x3 boxes)");
        assert!(parse_line("", None).is_err());
    }
}
