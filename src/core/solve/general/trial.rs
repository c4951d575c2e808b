//! Trial and error of a given depth on boards of every shape. It assumes a candidate, places singles (at a depth above
//! 1, it tries further assumptions), and removes the candidate after a contradiction, until nothing more is found.
//!
//! The 9x9 board has a faster way of its own, in `whip/depth`, where the depth of a puzzle is defined. Singles are
//! those of all houses of the board, so houses of the rules count like rows, columns and boxes.

use super::givens::Givens;
use super::position::{SearchPosition, bits};
use super::tables::Tables;
use crate::board::{Puzzle, Solution};
use crate::stop;

/// How a position ends to which a depth was applied until it found nothing more.
#[derive(PartialEq)]
enum TrialEnd {
    Solved,
    Contradiction,
    Stuck,
}

/// How a pass over all candidates ended.
enum PassEnd {
    Changed,
    Unchanged,
    Contradiction,
}

struct Trial {
    tables: &'static Tables,
    /// Positions whose memory is reused.
    spare: Vec<SearchPosition>,
}

/// The least depth up to `deepest` that solves a puzzle with one solution; 0 if singles do. None above order 36.
pub fn te_depth(puzzle: &Puzzle, solution: &Solution, deepest: u8) -> Option<u8> {
    if !puzzle.shape().is_solvable() {
        return None;
    }
    let tables = Tables::of(puzzle.shape());
    let mut position = SearchPosition::default();
    position.start(&Givens::of(tables, puzzle))?;
    position.settle(tables)?;
    let mut trial = Trial { tables, spare: Vec::new() };
    // Each depth goes on from the position that the last one left.
    (0..=deepest).find(|&depth| trial.exhaust(&mut position, depth, solution.values()) == TrialEnd::Solved)
}

impl Trial {
    /// Applies a depth to a settled position until it finds nothing more. Candidates of a solution, which no depth
    /// removes, are not assumed; inside an assumption the solution is empty.
    fn exhaust(&mut self, position: &mut SearchPosition, depth: u8, solution: &[u16]) -> TrialEnd {
        loop {
            if position.open == 0 {
                return TrialEnd::Solved;
            }
            if depth == 0 {
                return TrialEnd::Stuck;
            }
            match self.exhaust(position, depth - 1, solution) {
                TrialEnd::Stuck => {}
                end => return end,
            }
            match self.pass(position, depth, solution) {
                PassEnd::Changed => {}
                PassEnd::Unchanged => return TrialEnd::Stuck,
                PassEnd::Contradiction => return TrialEnd::Contradiction,
            }
        }
    }

    /// Assumes each candidate once, and removes those that are refuted; at a depth above 1 only the first of them.
    fn pass(&mut self, position: &mut SearchPosition, depth: u8, solution: &[u16]) -> PassEnd {
        let mut end = PassEnd::Unchanged;
        for cell in 0..position.values.len() {
            for digit in bits(position.cells()[cell]) {
                let is_true = solution.get(cell).is_some_and(|&value| usize::from(value) == digit + 1);
                if is_true || position.cells()[cell] >> digit & 1 == 0 {
                    continue;
                }
                stop::ask();
                let mut inner = self.spare.pop().unwrap_or_default();
                inner.copy(position);
                let assumed = inner.place(self.tables, cell, digit).and_then(|()| inner.settle(self.tables));
                let is_refuted =
                    assumed.is_none() || self.exhaust(&mut inner, depth - 1, &[]) == TrialEnd::Contradiction;
                self.spare.push(inner);
                if !is_refuted {
                    continue;
                }
                let removed = position.remove(self.tables, cell, digit);
                if removed.and_then(|()| position.settle(self.tables)).is_none() {
                    return PassEnd::Contradiction;
                }
                end = PassEnd::Changed;
                if depth > 1 {
                    return end;
                }
            }
        }
        end
    }
}
