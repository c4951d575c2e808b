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
        let (technique, pattern, placed) = position.single()?;
        let step = Step { round, technique, pattern, placements: vec![placed], eliminations: Vec::new() };
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

    /// The houses and the digits that they lack, each with the cells that are left for it.
    pub(crate) fn places(&self) -> impl Iterator<Item = (House, Digit, Vec<Cell>)> + '_ {
        let order = self.layout.shape().order();
        let houses = self.layout.houses();
        let pairs = houses.flat_map(move |house| (0..order).map(move |index| (house, Digit::from_index(index))));
        pairs.filter_map(|(house, digit)| {
            let cells = self.layout.house(house);
            let is_there = cells.iter().any(|cell| self.values[cell.index()] == digit.value());
            let open = cells.iter().filter(|cell| self.candidates[cell.index()] >> digit.index() & 1 == 1);
            (!is_there).then(|| (house, digit, open.copied().collect()))
        })
    }

    /// True if an open cell has no candidates, or a house has no place for a digit.
    pub(crate) fn is_broken(&self) -> bool {
        let blocked = self.open_cells().any(|cell| self.candidates[cell.index()] == 0);
        blocked || self.places().any(|(_, _, cells)| cells.is_empty())
    }

    /// The first naked single, or else the first hidden single, which is called one of a line, also in a box. None if
    /// there is no single.
    fn single(&self) -> Option<(Technique, Pattern, (Cell, Digit))> {
        let naked = self.open_cells().find(|cell| self.candidates[cell.index()].is_power_of_two());
        let (technique, base, cell, digit) = match naked {
            Some(cell) => {
                let digit = Digit::from_index(self.candidates[cell.index()].trailing_zeros() as usize);
                (Technique::NakedSingle, Vec::new(), cell, digit)
            }
            None => {
                let (house, digit, cells) = self.places().find(|(_, _, cells)| cells.len() == 1)?;
                (Technique::HiddenSingleLine, vec![house], cells[0], digit)
            }
        };
        let pattern = Pattern { base, ..Pattern::of(Digits::only(digit), [cell]) };
        Some((technique, pattern, (cell, digit)))
    }
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
            for ((cell, digit), more) in givens.flat_map(|given| (1..9).map(move |more| (given, more))) {
                let mut grid: Grid = first.grid().clone();
                grid.set(cell, Some(Digit::from_index((digit.index() + more) % 9)));
                let Ok(changed) = Puzzle::try_from(grid) else { continue };
                let rows = contradiction_rows(&changed, &Ladder::default());
                let unsolvable = verdict(&changed, Budget::UNLIMITED) == Verdict::Unsolvable;
                proper += u32::from(!unsolvable);
                assert!(unsolvable || rows.is_none(), "{changed:?}");
                let Some(rows) = rows else { continue };
                proofs += 1;
                let last = rows.last().unwrap();
                assert_eq!((last.kind, last.solutions, last.number as usize), (RowKind::State, 0, rows.len()));
                let place = |digit: u16, cells: &[Cell]| {
                    let has = |cell: &Cell| {
                        let (value, candidates) = (last.values[cell.index()], last.candidates[cell.index()]);
                        value == digit + 1 || (value == 0 && candidates >> digit & 1 == 1)
                    };
                    cells.iter().any(has)
                };
                let layout = crate::board::Layout::of(changed.shape());
                let houses = layout.houses().any(|house| (0..9).any(|digit| !place(digit, layout.house(house))));
                let cells = (0..81).any(|cell| last.values[cell] == 0 && last.candidates[cell] == 0);
                assert!(houses || cells, "{changed:?}");
            }
        }
        assert!(proofs > 20 && proper > 0, "{proofs} proofs, {proper} others");
        assert!(LINES.into_iter().all(|line| contradiction_rows(&puzzle(line), &Ladder::default()).is_none()));
    }
}
