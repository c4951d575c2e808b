//! Hints: the possible digits of a cell, as in the article "Jump-back generator", where to look, and the next step.
//!
//! [`hint`] is the hint of the article "Sudoku" (Whack! My world of hacks), after the first two steps of its solver.
//! The first finds the valid digits of every open cell. In the second, a digit with only one place in a row, column or
//! box becomes the only candidate there. Then the cells with the fewest candidates are circled: red for one, orange for
//! two, yellow for three, nothing for more. The author's program is for 9x9 only.

use crate::board::candidates::at_width;
use crate::board::{Candidates, Cell, Digit, Digits, Layout, Puzzle};

use super::find::simplest_step;
use crate::rate::ladder::rungs::Ladder;
use crate::rate::ladder::step::{Step, plain_candidates, plain_candidates_of};

/// The colour in which a cell is circled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Colour {
    /// One candidate.
    Red,
    /// Two candidates.
    Orange,
    /// Three candidates.
    Yellow,
}

impl Colour {
    /// The colour of a number of candidates. None unless it is 1 to 3.
    pub const fn of(candidates: usize) -> Option<Colour> {
        match candidates {
            1 => Some(Colour::Red),
            2 => Some(Colour::Orange),
            3 => Some(Colour::Yellow),
            _ => None,
        }
    }
}

/// Where to look next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Candidates of every cell after both steps; none in cells with a digit.
    pub candidates: Vec<Digits>,
    /// The smallest number of candidates of an open cell. 0 when a cell has no candidate, so that the puzzle has no
    /// solution. `None` when no cell is open.
    pub fewest: Option<usize>,
    /// The open cells with this number of candidates, ascending.
    pub cells: Vec<Cell>,
    /// The colour of the circles. None when the cells have more than three candidates or none.
    pub colour: Option<Colour>,
}

/// The digits that a cell can take without a conflict; none in cells with a digit. Returns `None` for a cell outside
/// the board and for boards of order above 36.
pub fn digits_at(puzzle: &Puzzle, cell: Cell) -> Option<Digits> {
    let shape = puzzle.shape();
    if !shape.is_solvable() || cell.index() >= shape.cells() {
        return None;
    }
    Some(plain_candidates_of(puzzle, cell))
}

/// The hint for a puzzle. `None` for boards of order above 36.
pub fn hint(puzzle: &Puzzle) -> Option<Hint> {
    hint_at(puzzle, None)
}

/// The hint for a position. `marks` are the candidates that are left, if more than the digits exclude were removed.
pub fn hint_at(puzzle: &Puzzle, marks: Option<&[Digits]>) -> Option<Hint> {
    if !puzzle.shape().is_solvable() {
        return None;
    }
    let mut plain = plain_candidates(puzzle);
    for (cell, mark) in plain.iter_mut().zip(marks.unwrap_or_default()) {
        *cell = *cell & *mark;
    }
    let candidates = with_exclusive_singles(puzzle, &plain);
    let open = || (0..candidates.len()).map(Cell::new).filter(|&cell| puzzle.grid().get(cell).is_none());
    let fewest = open().map(|cell| candidates[cell.index()].len()).min();
    let cells = open().filter(|cell| Some(candidates[cell.index()].len()) == fewest).collect();
    Some(Hint { fewest, cells, colour: fewest.and_then(Colour::of), candidates })
}

/// Step 2: a digit with one place in a house becomes the only candidate there. In a puzzle without a solution, two of
/// these digits can meet in one cell; then both stay.
fn with_exclusive_singles(puzzle: &Puzzle, candidates: &[Digits]) -> Vec<Digits> {
    let layout = Layout::of(puzzle.shape());
    let mut exclusive = vec![Digits::EMPTY; candidates.len()];
    for house in layout.houses() {
        let (mut once, mut twice) = (Digits::EMPTY, Digits::EMPTY);
        for cell in layout.house(house) {
            let here = candidates[cell.index()];
            twice = twice | (once & here);
            once = once | here;
        }
        let single = once - twice;
        for cell in layout.house(house) {
            exclusive[cell.index()] = exclusive[cell.index()] | (single & candidates[cell.index()]);
        }
    }
    let chosen = |(&exclusive, &all): (&Digits, &Digits)| if exclusive.is_empty() { all } else { exclusive };
    exclusive.iter().zip(candidates).map(chosen).collect()
}

/// The next step: the simplest instance of the cheapest technique that finds anything. Placements come before
/// eliminations, short chains before long ones, patterns of few cells before larger ones. `None` when nothing is found,
/// when the position is contradictory, and for boards of order above 36.
pub fn next_step(puzzle: &Puzzle, ladder: &Ladder) -> Option<Step> {
    next_step_at(puzzle, None, ladder)
}

/// The next step of a position, as [`next_step`] chooses it. `marks` are those of [`hint_at`].
pub fn next_step_at(puzzle: &Puzzle, marks: Option<&[Digits]>, ladder: &Ladder) -> Option<Step> {
    if !puzzle.shape().is_solvable() {
        return None;
    }
    let plain = plain_candidates(puzzle);
    let removed = |(at, mark): (usize, &Digits)| {
        let gone = plain[at] - *mark;
        gone.iter().map(move |digit| (Cell::new(at), digit)).collect::<Vec<_>>()
    };
    let removed: Vec<(Cell, Digit)> = marks.unwrap_or_default().iter().enumerate().flat_map(removed).collect();
    at_width!(puzzle.shape(), S => {
        let mut marks = Candidates::<S>::new(puzzle);
        removed.iter().for_each(|&(cell, digit)| marks.eliminate(cell, digit));
        if marks.is_broken() { None } else { simplest_step(&marks, ladder) }
    })
}
