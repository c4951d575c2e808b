//! Defines a step and a solution in steps, and checks solutions without the techniques.
//!
//! ```text
//!   Locked Candidates 1 (Pointing): 4 in r1c1 r1c3 (box 1; row 1) => r1c5<>4 r1c8<>4
//!   X-Wing: 7 in r2c3 r2c8 r6c3 r6c8 (row 2, row 6; column 3, column 8) => r5c3<>7 r9c8<>7
//! ```

use crate::board::house::names;
use crate::board::text::symbol;
use crate::board::{Candidates, Cell, CellSet, Digit, Digits, Grid, Layout, Puzzle, Reason, Shape};

use super::rating::End;
use super::sink::{Conclusion, Pattern};
use super::table::Technique;
use crate::page::numbers::counted;

/// One use of a technique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The round, from 0. Steps of one round are found in the same position and taken together.
    pub round: u32,
    /// The technique.
    pub technique: Technique,
    /// Where the technique was found.
    pub pattern: Pattern,
    /// Digits that are placed.
    pub placements: Vec<(Cell, Digit)>,
    /// Candidates that are removed, digit by digit.
    pub eliminations: Vec<(Cell, Digit)>,
}

impl Step {
    pub(crate) fn new<S: CellSet>(
        round: u32,
        technique: Technique,
        conclusion: &Conclusion<S>,
        pattern: Pattern,
    ) -> Step {
        let (mut placements, mut eliminations) = (Vec::new(), Vec::new());
        match conclusion {
            Conclusion::Place(cell, digit) => placements.push((*cell, *digit)),
            Conclusion::Eliminate(out) => {
                eliminations.reserve_exact(out.iter().map(|(_, cells)| cells.len()).sum());
                for &(digit, cells) in out {
                    eliminations.extend(cells.cells().map(|cell| (cell, digit)));
                }
            }
        }
        Step { round, technique, pattern, placements, eliminations }
    }

    pub(crate) fn take<S: CellSet>(&self, marks: &mut Candidates<S>) {
        self.eliminations.iter().for_each(|&(cell, digit)| marks.eliminate(cell, digit));
        self.placements.iter().for_each(|&(cell, digit)| marks.place(cell, digit));
    }

    /// The name of a special case, to be written after that of the technique.
    fn special_name(&self) -> &'static str {
        let (cells, removed) = (&self.pattern.cells, &self.eliminations);
        // Four cells, none in both sets, with four digits, of which one is removed.
        let is_wxyz = self.technique == Technique::AlsXz
            && (cells.len(), self.pattern.digits.len()) == (4, 4)
            && cells.iter().all(|cell| cells.iter().filter(|other| *other == cell).count() == 1)
            && removed.iter().all(|(_, digit)| *digit == removed[0].1);
        if is_wxyz { " (WXYZ-Wing)" } else { "" }
    }

    /// The step in words, one line without a newline.
    pub fn words(&self, shape: Shape) -> String {
        let symbol = |digit: Digit| symbol(digit.value(), shape.order()).to_string();
        let digits: Vec<String> = self.pattern.digits.iter().map(symbol).collect();
        let cells: String = self.pattern.cells.iter().map(|cell| format!(" {}", cell.name(shape))).collect();
        let houses = [&self.pattern.base, &self.pattern.cover].map(|houses| names(houses, shape));
        let houses: Vec<String> = houses.into_iter().filter(|names| !names.is_empty()).collect();
        let houses = if houses.is_empty() { String::new() } else { format!(" ({})", houses.join("; ")) };
        let placed = self.placements.iter().map(|step| (step, "="));
        let ruled_out = self.eliminations.iter().map(|step| (step, "<>"));
        let mut conclusions = String::new();
        for (&(cell, digit), sign) in placed.chain(ruled_out) {
            conclusions.extend([" ", &cell.name(shape), sign, &symbol(digit)]);
        }
        let (name, special, digits) = (self.technique.name(), self.special_name(), digits.join("/"));
        format!("{name}{special}: {digits} in{cells}{houses} =>{conclusions}")
    }
}

/// How a ladder solves a puzzle, step by step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The steps in order.
    pub steps: Vec<Step>,
    /// How it ended.
    pub end: End,
    /// Open cells at the end.
    pub open_cells: usize,
}

impl Trace {
    /// Uses of each technique.
    pub fn counts(&self) -> [u32; Technique::COUNT] {
        let mut counts = [0; Technique::COUNT];
        self.steps.iter().for_each(|step| counts[step.technique as usize] += 1);
        counts
    }
}

/// Takes the steps of a trace one after another. Checks that each conclusion was still open in its round, that the
/// placed digits do not conflict, and that as many cells are open at the end as the trace says; [`Trace::end`] is not
/// checked. Returns the last position. Its candidates are kept in the simplest way, to share no error with the search.
///
/// # Errors
/// The first step that does not fit, by its number from 1, and why; another number of open cells; an order above 36.
pub fn replay(puzzle: &Puzzle, trace: &Trace) -> Result<Grid, Reason> {
    let shape = puzzle.shape();
    if !shape.is_solvable() {
        return Err(Reason(format!("a board of order {} is too large for candidates", shape.order())));
    }
    let mut board = PlainBoard::new(puzzle);
    let mut number = 0;
    for round in trace.steps.chunk_by(|a, b| a.round == b.round) {
        for (step, number) in round.iter().zip(number + 1..) {
            check_open(step, number, shape, &board.candidates)?;
        }
        for step in round {
            number += 1;
            board.take(step);
            if let Some(error) = board.grid()?.conflict() {
                return Err(Reason(format!("after step {number}: {error}")));
            }
        }
    }
    let (grid, claimed) = (board.grid()?, trace.open_cells);
    match grid.holes() {
        holes if holes == claimed => Ok(grid),
        holes => Err(Reason(format!("the end has {}, but the trace says {claimed}", counted(holes, "empty cell")))),
    }
}

/// A board with its candidates, kept in the simplest way.
#[derive(Clone)]
pub(crate) struct PlainBoard {
    pub(crate) layout: &'static Layout,
    pub(crate) values: Vec<u16>,
    /// Bit 0 for the lowest digit; 0 where a digit stands.
    pub(crate) candidates: Vec<u64>,
}

impl PlainBoard {
    pub(crate) fn new(puzzle: &Puzzle) -> PlainBoard {
        let (layout, cells) = (Layout::of(puzzle.shape()), puzzle.shape().cells());
        let all = Digits::all(puzzle.shape().order()).0;
        let mut board = PlainBoard { layout, values: vec![0; cells], candidates: vec![all; cells] };
        puzzle.grid().given_cells().for_each(|(cell, digit)| board.place(cell, digit));
        board
    }

    fn grid(&self) -> Result<Grid, Reason> {
        Grid::new(self.layout.shape(), self.values.clone())
    }

    pub(crate) fn take(&mut self, step: &Step) {
        for &(cell, digit) in &step.eliminations {
            self.candidates[cell.index()] &= !(1 << digit.index());
        }
        step.placements.iter().for_each(|&(cell, digit)| self.place(cell, digit));
    }

    /// Places a digit, and removes it from the cells that see the cell.
    pub(crate) fn place(&mut self, cell: Cell, digit: Digit) {
        self.values[cell.index()] = digit.value();
        self.candidates[cell.index()] = 0;
        for peer in self.layout.peers(cell) {
            self.candidates[peer.index()] &= !(1 << digit.index());
        }
    }
}

/// The digits of each cell that no other cell of its houses has. None where a digit stands.
pub(crate) fn plain_candidates(puzzle: &Puzzle) -> Vec<Digits> {
    PlainBoard::new(puzzle).candidates.into_iter().map(Digits).collect()
}

/// Refuses a step whose candidates are not among those `left`. `number` is its number, for the message.
fn check_open(step: &Step, number: usize, shape: Shape, left: &[u64]) -> Result<(), Reason> {
    if step.placements.is_empty() && step.eliminations.is_empty() {
        return Err(Reason(format!("step {number} places nothing and removes nothing")));
    }
    for &(cell, digit) in step.placements.iter().chain(&step.eliminations) {
        if cell.index() >= left.len() || digit.index() >= shape.order() {
            return Err(Reason(format!("step {number}: no such cell or digit on the board")));
        }
        if left[cell.index()] >> digit.index() & 1 == 0 {
            return Err(Reason(format!("step {number}: {digit:?} is not a candidate of {}", cell.name(shape))));
        }
    }
    Ok(())
}
