//! Hints: the possible digits of a cell, as in the article "Jump-back generator", where to look, and the next step.
//!
//! [`hint`] is the hint of the article "Sudoku" (Whack! My world of hacks), after the first two steps of its solver.
//! The first finds the valid digits of every open cell. In the second, a digit with only one place in a row, column or
//! box becomes the only candidate there. Then the cells with the fewest candidates are circled: red for one, orange for
//! two, yellow for three, nothing for more. The author's program is for 9x9 only.

use crate::board::candidates::at_width;
use crate::board::{Candidates, Cell, Digit, Digits, Layout, Puzzle};

use super::find::simplest_step;
use crate::ladder::words::rungs::Ladder;
use crate::ladder::words::step::{Step, plain_candidates};

/// The colour in which a cell is circled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum HintColour {
    /// One candidate.
    Red,
    /// Two candidates.
    Orange,
    /// Three candidates.
    Yellow,
}

impl HintColour {
    /// The colour of a number of candidates. None unless it is 1 to 3.
    pub const fn of(candidates: usize) -> Option<HintColour> {
        match candidates {
            1 => Some(HintColour::Red),
            2 => Some(HintColour::Orange),
            3 => Some(HintColour::Yellow),
            _ => None,
        }
    }
}

/// Where to look next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Candidates of every cell after both steps; none in cells with a digit.
    pub candidates: Vec<Digits>,
    /// The smallest number of candidates of an open cell. 0 when a cell has none. `None` when no cell is open.
    pub fewest: Option<usize>,
    /// The open cells with this number of candidates, ascending.
    pub cells: Vec<Cell>,
    /// The colour of the circles. None when the cells have more than three candidates or none.
    pub colour: Option<HintColour>,
}

/// The digits that a cell can take without a conflict; none in cells with a digit. Returns `None` for a cell outside
/// the board and for boards of order above 36.
pub fn digits_at(puzzle: &Puzzle, cell: Cell) -> Option<Digits> {
    puzzle.shape().is_solvable().then(|| plain_candidates(puzzle))?.get(cell.index()).copied()
}

/// The hint for a position. `marks` are the candidates that are left, if more than the digits exclude were removed.
/// `None` for boards of order above 36.
pub fn hint(puzzle: &Puzzle, marks: Option<&[Digits]>) -> Option<Hint> {
    if !puzzle.shape().is_solvable() {
        return None;
    }
    let mut plain = plain_candidates(puzzle);
    for (cell, mark) in plain.iter_mut().zip(marks.unwrap_or_default()) {
        *cell = *cell & *mark;
    }
    let candidates = with_exclusive_singles(puzzle, &plain);
    let open_cells = (0..candidates.len()).map(Cell::new).filter(|&cell| puzzle.grid().get(cell).is_none());
    let fewest = open_cells.clone().map(|cell| candidates[cell.index()].len()).min();
    let cells = open_cells.filter(|cell| Some(candidates[cell.index()].len()) == fewest).collect();
    Some(Hint { fewest, cells, colour: fewest.and_then(HintColour::of), candidates })
}

/// Step 2: a digit with one place in a house becomes the only candidate there. In a puzzle without a solution, two of
/// these digits can meet in one cell; then both stay.
fn with_exclusive_singles(puzzle: &Puzzle, candidates: &[Digits]) -> Vec<Digits> {
    let layout = Layout::of(puzzle.shape());
    let mut exclusive = vec![Digits::EMPTY; candidates.len()];
    for house in layout.houses() {
        let (mut once, mut twice) = (Digits::EMPTY, Digits::EMPTY);
        for cell in layout.house(house) {
            let digits = candidates[cell.index()];
            twice = twice | (once & digits);
            once = once | digits;
        }
        let single = once - twice;
        for cell in layout.house(house) {
            exclusive[cell.index()] = exclusive[cell.index()] | (single & candidates[cell.index()]);
        }
    }
    for (exclusive, &digits) in exclusive.iter_mut().zip(candidates) {
        if exclusive.is_empty() {
            *exclusive = digits;
        }
    }
    exclusive
}

/// The next step: the simplest instance of the cheapest technique that finds anything. Placements come before
/// eliminations, short chains before long ones, patterns of few cells before larger ones. `None` when nothing is found,
/// when the position is contradictory, and for boards of order above 36. `marks` are those of [`hint`].
pub fn next_step(puzzle: &Puzzle, marks: Option<&[Digits]>, ladder: &Ladder) -> Option<Step> {
    if !puzzle.shape().is_solvable() {
        return None;
    }
    let plain = plain_candidates(puzzle);
    let mut removed: Vec<(Cell, Digit)> = Vec::new();
    for (cell, mark) in marks.unwrap_or_default().iter().enumerate() {
        removed.extend((plain[cell] - *mark).iter().map(|digit| (Cell::new(cell), digit)));
    }
    at_width!(puzzle.shape(), S => {
        let mut marks = Candidates::<S>::new(puzzle);
        removed.iter().for_each(|&(cell, digit)| marks.eliminate(cell, digit));
        if marks.is_broken() { None } else { simplest_step(&marks, ladder) }
    })
}
