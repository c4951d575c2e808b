//! The steps of a solution as data: one row for each step, with the position in which it is taken.
//!
//! A row contains every placement and every elimination of its step. Only one thing is not listed: a placed digit is
//! also removed from the candidates of the cells that see it. All steps of a round are found in the position before the
//! round, so the rows of a round show the same position.
//!
//! Some rows are wrong on purpose, see [`wrong`]; [`RowKind`] tells which. [`words`] writes rows as sentences and as
//! tokens of a fixed vocabulary, and [`StepRow::push_json`] as objects.

pub mod columns;
pub mod contradiction;
mod json;
pub mod packed;
pub mod words;
pub mod wrong;

use std::borrow::Cow;
use std::mem::take;

use crate::board::Puzzle;
use crate::explainer::{self, SeStep};
use crate::ladder::climb::rounds;
use crate::ladder::words::sink::Pattern;
use crate::ladder::words::step::{PlainBoard, Step};
use crate::ladder::{Ladder, Rating, Technique};
use crate::names;

names! { "kind of row":
    /// What a row shows.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum RowKind {
        /// A correct step of the solution.
        Step = "step",
        /// A step that is wrong on purpose: it places a wrong digit or removes the right one.
        WrongStep = "wrong_step",
        /// A position with no solution or with several. There is no step.
        State = "state",
    }
}

/// One step and the position before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepRow {
    /// The kind of row.
    pub kind: RowKind,
    /// Number of the step in the solution, from 1; of a wrong step that of the step that it replaces; 0 of a state.
    pub number: u32,
    /// The step; none for a state.
    pub step: Option<Step>,
    /// The digit of every cell before the step, row by row; 0 for an open cell.
    pub values: Vec<u16>,
    /// The candidates of every cell before the step: bit 0 for the lowest digit; 0 where a digit stands.
    pub candidates: Vec<u64>,
    /// Number of solutions of the position: 1 for steps; 0 or 2 for states, where 2 means two or more.
    pub solutions: u32,
    /// The hint, if the step is one of Sudoku Explainer.
    pub hint: Option<Box<SeStep>>,
}

impl StepRow {
    const fn blank() -> StepRow {
        StepRow {
            kind: RowKind::Step,
            number: 0,
            step: None,
            values: Vec::new(),
            candidates: Vec::new(),
            solutions: 1,
            hint: None,
        }
    }

    /// The name of the technique, or of the hint, as one word. None for rows without a step.
    pub fn technique(&self) -> Option<Cow<'static, str>> {
        match &self.hint {
            Some(hint) => Some(hint.kind.code().into()),
            None => self.step.as_ref().map(|step| step.technique.code().into()),
        }
    }

    /// The score of the technique on HoDoKu's scale; none for hints.
    pub fn score(&self) -> Option<u32> {
        self.step.as_ref().filter(|_| self.hint.is_none()).map(|step| step.technique.info().score)
    }

    /// The rating of the hint, or Sudoku Explainer's lowest rating of the technique, in tenths; none where that program
    /// has no counterpart.
    pub fn se_tenths(&self) -> Option<u16> {
        match &self.hint {
            Some(hint) => Some(hint.tenths),
            None => self.step.as_ref()?.technique.info().se_tenths,
        }
    }
}

/// Rates a puzzle and shows the rows of its solution, one after another, from the same run.
pub fn rate_with_rows(puzzle: &Puzzle, ladder: &Ladder, see: &mut dyn FnMut(&StepRow)) -> Rating {
    let mut maker = RowMaker::new(puzzle);
    rounds::rate_with_steps(puzzle, ladder, &mut |step| maker.show(step, None, see))
}

/// Shows the rows of the solution that Sudoku Explainer gives, each with its hint; none for boards that it does not
/// solve. Hints have names and ratings of their own: the technique of a row is the hardest one rated no higher.
pub fn explainer_rows(puzzle: &Puzzle, see: &mut dyn FnMut(&StepRow)) {
    let mut maker = RowMaker::new(puzzle);
    for (round, hint) in (0..).zip(explainer::trace(puzzle).steps) {
        let easier =
            Technique::all().filter(|technique| technique.info().se_tenths.is_some_and(|se| se <= hint.tenths));
        let hardest = easier.max_by_key(|technique| technique.info().se_tenths);
        let step = Step {
            round,
            technique: hardest.unwrap_or(Technique::FullHouse),
            pattern: Pattern {
                digits: hint.digits.iter().copied().collect(),
                cells: hint.cells.clone(),
                base: hint.houses[0].clone(),
                cover: hint.houses[1].clone(),
                links: hint.complexity,
            },
            placements: hint.placement.into_iter().collect(),
            eliminations: hint.eliminations.clone(),
        };
        maker.show(step, Some(Box::new(hint)), see);
    }
}

/// Shows the rows of steps, one after another.
struct RowMaker {
    /// The position before the round.
    position: PlainBoard,
    /// The steps of the round.
    round: Vec<Step>,
    number: u32,
}

impl RowMaker {
    fn new(puzzle: &Puzzle) -> RowMaker {
        RowMaker { position: PlainBoard::new(puzzle), round: Vec::new(), number: 0 }
    }

    /// Shows the row of the next step. The position is only lent to it.
    fn show(&mut self, step: Step, hint: Option<Box<SeStep>>, see: &mut dyn FnMut(&StepRow)) {
        if self.round.first().is_some_and(|first| first.round != step.round) {
            self.round.drain(..).for_each(|step| self.position.take(&step));
        }
        self.number += 1;
        let (values, candidates) = (take(&mut self.position.values), take(&mut self.position.candidates));
        let (kind, number) = (RowKind::Step, self.number);
        let row = StepRow { kind, number, step: Some(step), values, candidates, solutions: 1, hint };
        see(&row);
        (self.position.values, self.position.candidates) = (row.values, row.candidates);
        self.round.extend(row.step);
    }
}

/// A row with a copy of this position.
fn row_of(board: &PlainBoard, kind: RowKind, number: u32, step: Option<Step>) -> StepRow {
    let (values, candidates) = (board.values.clone(), board.candidates.clone());
    StepRow { kind, number, step, values, candidates, solutions: 1, hint: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Candidates, Cell, Digit, Narrow, Shape};
    pub(super) use crate::ladder::tests::published::puzzle;
    use crate::ladder::{rate, trace};

    pub(super) const LINES: [&str; 3] = [
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "1............8.2......37.45.....197..3...5.2.8.1.42..........9..64..3....7851.6..",
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    ];

    pub(super) fn rated(puzzle: &Puzzle) -> (Rating, Vec<StepRow>) {
        let mut rows = Vec::new();
        let rating = rate_with_rows(puzzle, &Ladder::default(), &mut |row| rows.push(row.clone()));
        (rating, rows)
    }

    #[test]
    fn candidates_are_a_word_for_each_cell() {
        let shown = |shape: Shape, values: &[u16], candidates: &[u64]| {
            let (values, candidates) = (values.to_vec(), candidates.to_vec());
            let board = PlainBoard { values, candidates, ..PlainBoard::new(&puzzle(LINES[0])) };
            let mut text = String::new();
            row_of(&board, RowKind::State, 0, None).push_candidates(&mut text, shape);
            text
        };
        let last = |order: u32| 1 << (order - 1) | 1;
        let shape = |side| Shape::new(side, side).unwrap();
        assert_eq!(shown(shape(3), &[0, 7, 0, 0], &[0b10010, 0, 0, last(9)]), "25 . - 19");
        assert_eq!(shown(shape(4), &[0, 0], &[last(16), 1 << 9]), "1G A");
        assert_eq!(shown(shape(6), &[0, 36], &[last(36), 0]), "0Z .");
        assert_eq!(shown(shape(7), &[0, 0, 1], &[last(49), 1 << 4, 0]), "1,49 5 .");
    }

    /// Sudoku Explainer keeps its own candidates: every hint must follow from the rows before it.
    #[test]
    fn hints_are_steps_from_the_puzzle_to_its_solution() {
        for line in LINES {
            let puzzle = puzzle(line);
            let mut rows = Vec::new();
            explainer_rows(&puzzle, &mut |row| rows.push(row.clone()));
            let mut position = PlainBoard::new(&puzzle);
            for row in &rows {
                let hint = row.hint.as_ref().unwrap();
                assert_eq!((&row.values, &row.candidates), (&position.values, &position.candidates), "{hint}");
                let step = row.step.as_ref().unwrap();
                let open = |&(cell, digit): &(Cell, Digit)| row.candidates[cell.index()] >> digit.index() & 1 == 1;
                assert!(step.placements.iter().chain(&step.eliminations).all(open), "{hint}");
                assert!(step.placements.len() + step.eliminations.len() > 0, "{hint}");
                position.take(step);
            }
            assert!(position.values.iter().all(|&value| value > 0), "{line}");
        }
    }

    /// The rater keeps its own candidates. Applying the rounds to them must give the positions of the rows.
    #[test]
    fn rows_show_the_positions_of_the_rater() {
        for line in LINES {
            let puzzle = puzzle(line);
            let ladder = Ladder::default();
            let (rating, rows) = rated(&puzzle);
            assert_eq!(rating, rate(&puzzle, &ladder));
            assert!(rows.iter().filter_map(|row| row.step.as_ref()).eq(&trace(&puzzle, &ladder).steps));
            let mut marks = Candidates::<Narrow>::new(&puzzle);
            for round in rows.chunk_by(|a, b| a.step.as_ref().unwrap().round == b.step.as_ref().unwrap().round) {
                for row in round {
                    assert_eq!(row.values, marks.values());
                    for cell in marks.sets().layout().cells().filter(|&cell| marks.value(cell).is_none()) {
                        let mask = marks.of_cell(cell).iter().fold(0, |mask, digit| mask | 1 << digit.index());
                        assert_eq!(row.candidates[cell.index()], mask, "{line} step {}", row.number);
                    }
                }
                round.iter().filter_map(|row| row.step.as_ref()).for_each(|step| step.take(&mut marks));
            }
            assert_eq!(rows.len() as u32, rating.counts.iter().sum::<u32>());
        }
    }
}
