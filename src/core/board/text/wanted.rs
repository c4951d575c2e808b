//! What a reader of a form gets and gives: a line of the text, what was asked for, and a board with its place.

use super::cells::{CellText, Signs, decide};
use super::symbols::{TextError, no_board};
use super::words::{PlacedWord, words, words_between};
use crate::board::{Digits, Grid, Reason, Shape};

/// A board and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The board.
    pub grid: Grid,
    /// The full grid after it on its line, if it is a solution of the board.
    pub solution: Option<Grid>,
    /// The candidates of each cell, if the text lists them: the board is a position in the middle of a game.
    pub candidates: Option<Vec<Digits>>,
}

impl Entry {
    /// A board alone.
    pub(super) fn new(line: usize, grid: Grid) -> Entry {
        Entry { line, grid, solution: None, candidates: None }
    }
}

/// Boards, and what is wrong with others.
pub(super) type Boards = Vec<Result<Entry, TextError>>;

/// A line of a text.
#[derive(Debug)]
pub struct TextLine<'a> {
    /// Its number, from 1.
    pub(super) number: usize,
    pub(super) text: &'a str,
    pub(super) words: Vec<PlacedWord<'a>>,
}

impl<'a> TextLine<'a> {
    pub(super) fn new(number: usize, text: &'a str) -> TextLine<'a> {
        TextLine { number, text, words: words(text) }
    }

    /// What is wrong at a column, from 1.
    pub(super) fn error_at(&self, column: u32, reason: Reason) -> TextError {
        TextError::new(self.number, column as usize, reason)
    }

    /// The boards of a form that reads what stands between spaces. The first must have this form; further words may be
    /// notes, or boards of the same form.
    pub(super) fn boards_of_words(&self, read: impl Fn(&'a str) -> Option<Result<Grid, Reason>>) -> Option<Boards> {
        self.entries_of_words(|word| Some(read(word)?.map(|grid| Entry::new(self.number, grid))))
    }

    /// The same for forms that say more than the board.
    pub(super) fn entries_of_words(&self, read: impl Fn(&'a str) -> Option<Result<Entry, Reason>>) -> Option<Boards> {
        let mut boards = Boards::new();
        for word in words_between(self.text, char::is_whitespace) {
            match read(word.text) {
                Some(entry) => boards.push(entry.map_err(|reason| self.error_at(word.column, reason))),
                None if boards.is_empty() => return None,
                None => {}
            }
        }
        (!boards.is_empty()).then_some(boards)
    }

    /// A cell for each sign of a part of the line, which begins at a column.
    pub(super) fn cells_of_signs(&self, first_column: u32, part: &str) -> Vec<PlacedCell> {
        (first_column..).zip(part.chars()).map(|(column, sign)| self.cell(column, CellText::of_sign(sign))).collect()
    }

    pub(super) fn cell(&self, column: u32, text: CellText) -> PlacedCell {
        PlacedCell { line: self.number, column, text }
    }
}

/// A cell and its place in the text. Lines and columns are numbered from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedCell {
    pub line: usize,
    pub column: u32,
    pub text: CellText,
}

/// What a reader was asked for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The only shape that boards may have; None if the text decides.
    pub(super) shape: Option<Shape>,
    pub(super) signs: Signs,
}

impl Wanted {
    /// The shape of a board with this number of cells, if it is the requested one or none was requested.
    pub(super) fn shape_of_cells(&self, cells: usize) -> Option<Shape> {
        self.shape.map_or_else(|| Shape::of_cells(cells), |shape| (shape.cells() == cells).then_some(shape))
    }

    /// The shape of a board whose rows have this number of cells, in the same way.
    pub(super) fn shape_of_row(&self, cells: usize) -> Option<Shape> {
        self.shape.map_or_else(|| Shape::of_order(cells).ok(), |shape| (shape.order() == cells).then_some(shape))
    }

    /// True if a line of this number of cells may also be a row of a larger board.
    pub(super) fn may_be_row(&self, cells: usize) -> bool {
        self.shape.is_none() && Shape::of_order(cells).is_ok_and(Shape::is_solvable)
    }

    /// True if 9x9 boards may be read.
    pub(super) fn is_nine(&self) -> bool {
        self.shape.is_none_or(|shape| shape == Shape::NINE)
    }

    /// The board of cells, row by row.
    pub(super) fn board(&self, shape: Shape, cells: &[PlacedCell]) -> Result<Grid, TextError> {
        let texts: Vec<CellText> = cells.iter().map(|cell| cell.text).collect();
        decide(shape, &texts, &self.signs).map_err(|wrong| match cells.get(wrong.cell) {
            Some(cell) => TextError::new(cell.line, cell.column as usize, wrong.reason),
            None => TextError::new(1, 1, wrong.reason),
        })
    }

    /// Refuses a board of another shape than the one that was asked for.
    pub(super) fn check_shape(&self, shape: Shape) -> Result<(), Reason> {
        match self.shape.filter(|wanted| *wanted != shape) {
            None => Ok(()),
            Some(wanted) if wanted.cells() == shape.cells() => {
                Err(Reason(format!("it is a {}, but a {} was asked for", shape.board(), wanted.board())))
            }
            Some(wanted) => Err(wanted.other_length(shape.cells())),
        }
    }

    /// Refuses signs that were named, for forms that say their digits themselves.
    pub(super) fn refuse_named_signs(&self) -> Result<(), Reason> {
        match self.signs.are_usual() {
            true => Ok(()),
            false => Err(Reason("it says its digits itself; leave out --digits and --empty".to_owned())),
        }
    }

    /// What is wrong with a number of cells.
    pub(super) fn no_board(&self, cells: usize) -> Reason {
        self.shape.map_or_else(|| no_board(cells), |shape| shape.other_length(cells))
    }
}

/// The position with these candidates in the cells of a 9x9 board. A cell with one candidate is filled.
pub(super) fn position(line: usize, candidates: Vec<Digits>) -> Result<Entry, TextError> {
    let values = candidates.iter().map(|digits| digits.single().map_or(0, |digit| digit.value()));
    let grid = Grid::new(Shape::NINE, values.collect());
    let grid = grid.map_err(|reason| TextError::new(line, 1, reason))?;
    Ok(Entry { candidates: Some(candidates), ..Entry::new(line, grid) })
}
