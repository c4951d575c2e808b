//! Proofs that a puzzle has no solution: steps that lead to a position which contradicts itself.
//!
//! ```text
//!   rows of the ladder, without techniques of uniqueness  ->  singles, one at a time  ->  a state with 0 solutions:
//!                                                             a cell without candidates, or a house without a place
//! ```
//!
//! The ladder stops before the round that breaks the position, because the conclusions of a round may conflict.

use super::{PlainBoard, RowKind, StepRow, rate_with_rows, row_of};
use crate::board::{Cell, Digit, Digits, House, Puzzle};
use crate::ladder::words::sink::Pattern;
use crate::ladder::{Ladder, Step, Technique};

/// The steps from a puzzle to a contradictory position, the last row. None if ladder and singles lead to none.
pub fn contradiction_rows(puzzle: &Puzzle, ladder: &Ladder) -> Option<Vec<StepRow>> {
    let mut rows = Vec::new();
    rate_with_rows(puzzle, &ladder.clone().without_uniqueness(), &mut |row| rows.push(row.clone()));
    let mut position = PlainBoard::new(puzzle);
    rows.iter().filter_map(|row| row.step.as_ref()).for_each(|step| position.take(step));
    let mut round = rows.iter().filter_map(|row| row.step.as_ref()).map(|step| step.round + 1).max().unwrap_or(0);
    while !position.is_broken() {
        let step = position.single(round)?;
        rows.push(row_of(&position, RowKind::Step, rows.len() as u32 + 1, Some(step.clone())));
        position.take(&step);
        round += 1;
    }
    let last = row_of(&position, RowKind::State, rows.len() as u32 + 1, None);
    rows.push(StepRow { solutions: 0, ..last });
    Some(rows)
}

impl PlainBoard {
    /// The cells without a digit, row by row.
    pub(crate) fn open_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.layout.cells().filter(|cell| self.values[cell.index()] == 0)
    }

    /// The places of each digit that a house lacks, house by house.
    pub(crate) fn places(&self) -> Vec<DigitPlaces> {
        let mut places = Vec::new();
        for house in self.layout.houses() {
            let house_cells = self.layout.house(house);
            for digit in Digits::all(self.layout.shape().order()) {
                if house_cells.iter().all(|cell| self.values[cell.index()] != digit.value()) {
                    let mut cells = house_cells.to_vec();
                    cells.retain(|cell| self.candidates[cell.index()] >> digit.index() & 1 == 1);
                    places.push(DigitPlaces { house, digit, cells });
                }
            }
        }
        places
    }

    /// True if an open cell has no candidates, or a house has no place for a digit.
    pub(crate) fn is_broken(&self) -> bool {
        let blocked = self.open_cells().any(|cell| self.candidates[cell.index()] == 0);
        blocked || self.places().iter().any(|places| places.cells.is_empty())
    }

    /// The step of the first naked single, or else of the first hidden single (called one of a line, also in a box).
    fn single(&self, round: u32) -> Option<Step> {
        for cell in self.open_cells() {
            if let Some(digit) = Digits(self.candidates[cell.index()]).single() {
                let pattern = Pattern::of(Digits::only(digit), [cell]);
                return Some(placing(round, Technique::NakedSingle, pattern, cell, digit));
            }
        }
        let hidden = self.places().into_iter().find(|places| places.cells.len() == 1)?;
        let (cell, digit) = (hidden.cells[0], hidden.digit);
        let pattern = Pattern { base: vec![hidden.house], ..Pattern::of(Digits::only(digit), [cell]) };
        Some(placing(round, Technique::HiddenSingleLine, pattern, cell, digit))
    }
}

fn placing(round: u32, technique: Technique, pattern: Pattern, cell: Cell, digit: Digit) -> Step {
    Step { round, technique, pattern, placements: vec![(cell, digit)], eliminations: Vec::new() }
}

/// The cells of a house that are left for a digit which it lacks.
pub(crate) struct DigitPlaces {
    pub(crate) house: House,
    pub(crate) digit: Digit,
    pub(crate) cells: Vec<Cell>,
}

#[cfg(test)]
mod tests {
    use super::super::tests::{LINES, puzzle};
    use super::*;
    use crate::board::Grid;
    use crate::solve::{Budget, Verdict, verdict};

    /// Exchanges the digit of every given for every other in turn. A proof exists only where the solver finds no
    /// solution, and its last position is a contradiction by the rules alone.
    #[test]
    fn only_puzzles_without_a_solution_have_a_proof() {
        let (mut proofs, mut proper) = (0, 0);
        for line in LINES {
            let first = puzzle(line);
            let givens = first.grid().given_cells();
            for ((cell, digit), shift) in givens.flat_map(|given| (1..9).map(move |shift| (given, shift))) {
                let mut grid: Grid = first.grid().clone();
                grid.set(cell, Some(Digit::from_index((digit.index() + shift) % 9)));
                let Ok(changed) = Puzzle::try_from(grid) else { continue };
                let rows = contradiction_rows(&changed, &Ladder::default());
                let unsolvable = verdict(&changed, Budget::UNLIMITED) == Verdict::Unsolvable;
                proper += u32::from(!unsolvable);
                assert!(unsolvable || rows.is_none(), "{changed:?}");
                let Some(rows) = rows else { continue };
                proofs += 1;
                let last = rows.last().unwrap();
                assert_eq!((last.kind, last.solutions, last.number as usize), (RowKind::State, 0, rows.len()));
                let has_place = |digit: u16, house: &[Cell]| {
                    house.iter().map(|cell| cell.index()).any(|cell| match last.values[cell] {
                        0 => last.candidates[cell] >> digit & 1 == 1,
                        value => value == digit + 1,
                    })
                };
                let layout = crate::board::Layout::of(changed.shape());
                let in_house = layout.houses().any(|house| (0..9).any(|digit| !has_place(digit, layout.house(house))));
                let in_cell = (0..81).any(|cell| last.values[cell] == 0 && last.candidates[cell] == 0);
                assert!(in_house || in_cell, "{changed:?}");
            }
        }
        assert!(proofs > 20 && proper > 0, "{proofs} proofs, {proper} others");
        assert!(LINES.into_iter().all(|line| contradiction_rows(&puzzle(line), &Ladder::default()).is_none()));
    }
}
