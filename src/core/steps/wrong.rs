//! Makes rows that are wrong on purpose, to train or test checkers of reasoning.
//!
//! | kind | content |
//! |---|---|
//! | `wrong_step` | a naked single that places a wrong candidate, or a step that removes the right digit of a cell |
//! | `state`, `solutions` 0 | a position of the solution in which one wrong candidate is placed: no solution is left |
//! | `state`, `solutions` 2 | the puzzle without one of its givens: several solutions |
//!
//! The choice depends only on the generator that is passed in.

use super::{PlainBoard, RowKind, StepRow, row_of};
use crate::board::{Cell, Digit, Digits, Puzzle, Solution};
use crate::ladder::words::sink::Pattern;
use crate::ladder::{Step, Technique};
use crate::random::Rng;
use crate::solve::{Budget, count};

/// The budget for counting the solutions of a state. States that it does not settle are left out.
const BUDGET: Budget = Budget(100_000);

/// At most `number` wrong rows, made from the rows of a solution. The kinds alternate.
pub fn wrong_rows(
    puzzle: &Puzzle,
    solution: &Solution,
    rows: &[StepRow],
    number: usize,
    rng: &mut Rng,
) -> Vec<StepRow> {
    let steps: Vec<&StepRow> = rows.iter().filter(|row| row.kind == RowKind::Step).collect();
    if steps.is_empty() {
        return Vec::new();
    }
    let mut wrong_rows = Vec::new();
    // A solution gives no more different rows, whatever is asked for.
    for index in 0..number.min(rows.len() * puzzle.shape().cells()) {
        let row = rng.choose(&steps);
        wrong_rows.extend(match index % 4 {
            0 => wrong_placement(row, solution, rng),
            1 => wrong_elimination(row, solution, rng),
            2 => unsolvable(puzzle, row, solution, rng),
            _ => ambiguous(puzzle, rng),
        });
    }
    wrong_rows
}

/// The candidates of empty cells that the solution does not have.
fn wrong_candidates(row: &StepRow, solution: &Solution) -> Vec<(Cell, Digit)> {
    let mut wrong = Vec::new();
    for (cell, &candidates) in row.candidates.iter().enumerate().filter(|(_, mask)| mask.count_ones() > 1) {
        let cell = Cell::new(cell);
        let wrong_digits = Digits(candidates) - Digits::only(solution.digit(cell));
        wrong.extend(wrong_digits.iter().map(|digit| (cell, digit)));
    }
    wrong
}

/// A row that places a wrong candidate of the position of `row`. None if there is none.
fn wrong_placement(row: &StepRow, solution: &Solution, rng: &mut Rng) -> Option<StepRow> {
    let wrong = wrong_candidates(row, solution);
    let (cell, digit) = (!wrong.is_empty()).then(|| rng.choose(&wrong))?;
    let (round, technique) = (row.step.as_ref()?.round, Technique::NakedSingle);
    let pattern = Pattern::of(Digits::only(digit), [cell]);
    let step = Step { round, technique, pattern, placements: vec![(cell, digit)], eliminations: Vec::new() };
    Some(StepRow { kind: RowKind::WrongStep, step: Some(step), ..row.clone() })
}

/// The step of the row, but it removes the right digit of an empty cell.
fn wrong_elimination(row: &StepRow, solution: &Solution, rng: &mut Rng) -> Option<StepRow> {
    let open: Vec<usize> = (0..row.values.len()).filter(|&cell| row.values[cell] == 0).collect();
    let cell = Cell::new(if open.is_empty() { return None } else { rng.choose(&open) });
    let step = row.step.clone()?;
    // A technique that places a digit never removes one. Another one is named, or the form alone would show the error.
    let technique = if step.placements.is_empty() { step.technique } else { Technique::Pointing };
    let eliminations = vec![(cell, solution.digit(cell))];
    let step = Step { technique, placements: Vec::new(), eliminations, ..step };
    Some(StepRow { kind: RowKind::WrongStep, step: Some(step), ..row.clone() })
}

/// The position of `row` with one wrong candidate placed. None if there is none.
fn unsolvable(puzzle: &Puzzle, row: &StepRow, solution: &Solution, rng: &mut Rng) -> Option<StepRow> {
    let wrong = wrong_candidates(row, solution);
    let (cell, digit) = (!wrong.is_empty()).then(|| rng.choose(&wrong))?;
    let mut position = PlainBoard::new(puzzle);
    position.values.clone_from(&row.values);
    position.candidates.clone_from(&row.candidates);
    position.place(cell, digit);
    // The puzzle has one solution, and this digit is not in it.
    Some(StepRow { solutions: 0, ..row_of(&position, RowKind::State, 0, None) })
}

/// The puzzle without one of its givens. None if it still has one solution.
fn ambiguous(puzzle: &Puzzle, rng: &mut Rng) -> Option<StepRow> {
    let givens: Vec<Cell> = puzzle.grid().given_cells().map(|(cell, _)| cell).collect();
    let mut grid = puzzle.grid().clone();
    grid.set(if givens.is_empty() { return None } else { rng.choose(&givens) }, None);
    let fewer = Puzzle::try_from(grid).ok()?;
    let several = count(&fewer, 2, BUDGET).found > 1;
    several.then(|| StepRow { solutions: 2, ..row_of(&PlainBoard::new(&fewer), RowKind::State, 0, None) })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{LINES, puzzle, rated};
    use super::*;
    use crate::board::{Grid, Shape};
    use crate::random::Stage;
    use crate::solve::{Verdict, verdict};

    #[test]
    fn wrong_rows_are_wrong_and_the_same_again() {
        for (index, line) in LINES.into_iter().enumerate() {
            let puzzle = puzzle(line);
            let Verdict::Unique(solution) = verdict(&puzzle, Budget::UNLIMITED) else { panic!("{line}") };
            let (_, rows) = rated(&puzzle);
            let draw = || {
                let mut rng = Rng::new(7, index as u64, Stage::Sample, 0);
                wrong_rows(&puzzle, &solution, &rows, 40, &mut rng)
            };
            let wrong = draw();
            assert_eq!(wrong, draw());
            let mut seen = [0; 4];
            for row in wrong {
                let right = |&(cell, digit): &(Cell, Digit)| solution.digit(cell) == digit;
                match &row.step {
                    Some(step) => {
                        assert_eq!(row.kind, RowKind::WrongStep);
                        assert!(!step.placements.iter().all(right) || step.eliminations.iter().any(right));
                        seen[usize::from(step.placements.is_empty())] += 1;
                    }
                    None => {
                        let board = Puzzle::try_from(Grid::new(Shape::NINE, row.values.clone()).unwrap()).unwrap();
                        let solutions = count(&board, 2, Budget::UNLIMITED).found;
                        assert_eq!((row.kind, solutions as u32), (RowKind::State, row.solutions));
                        seen[2 + row.solutions as usize / 2] += 1;
                    }
                }
            }
            assert!(seen.iter().all(|&times| times > 0), "{line}: {seen:?}");
        }
    }
}
