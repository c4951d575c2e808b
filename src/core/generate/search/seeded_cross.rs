//! Seeded cross: a random first row and first column, and a solver that completes the board.
//!
//! ```text
//!   4 7 1 | 9 2 6 | 5 3 8      The first row is a random order of the digits. In the first column, the cells of the
//!   9 . . | . . . | . . .      first box get digits that the row has outside this box. The cells below get the other
//!   2 . . | . . . | . . .      digits.
//!   ------+-------+------
//!   7 . . | . . . | . . .      Then the solver places naked and hidden singles as long as there are any. If there are
//!   . . .                      none, it guesses a candidate of the cell with the fewest candidates.
//! ```
//!
//! The method is from "Sudoku" (Whack! My world of hacks). Its solver finds the valid digits of every free position. If
//! a digit is possible in only one position of a row, column or box, it becomes the only one there. The solver enters
//! single candidates and repeats. Then it searches the other cells, fewest candidates first. Here candidates and
//! singles are found again after every guess, the first cell is taken on a tie, and the digits of a cell are tried in
//! random order. If digits were tried in ascending order, every cross would always get the same completion, so at most
//! 9! x 30 x 6! = 7,838,208,000 of the 6.67e21 grids could be made.
//!
//! **Bias.** Every grid can be the result. All crosses are equally likely, but they have different numbers of
//! completions. Among the completions of a cross, those in sparse parts of the search tree are more likely.

use super::pick::random_bit;
use crate::board::{Grid, Puzzle, Shape, Solution};
use crate::generate::attempts::{FillError, StepLimit, retry};
use crate::random::Rng;
use crate::solve::probe::{AnyPosition, BranchCell, Settled as _, SpareMemory};

/// Up to order 9 a search always runs to its end; on larger boards a cross is given up after n^2 guesses.
fn limit(shape: Shape) -> StepLimit {
    match shape.order() {
        ..=9 => StepLimit { nodes: u64::MAX, attempts: u32::MAX },
        order => StepLimit::within((order * order) as u64),
    }
}

/// A random grid around a random cross. Above order 9, [`FillError::Exhausted`] if no cross was completed.
pub(crate) fn fill(shape: Shape, rng: &mut Rng) -> Result<Solution, FillError> {
    let mut values = None;
    retry("seeded-cross", shape, limit(shape), |guesses| {
        values = complete(shape, &cross(shape, rng), guesses, rng);
        values.is_some()
    })?;
    Ok(Solution::trusted(shape, values.unwrap_or_default()))
}

/// A digit of a cross. Both numbers are from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CrossDigit {
    pub(crate) cell: usize,
    pub(crate) digit: usize,
}

/// A valid first row and first column, all equally likely.
pub(crate) fn cross(shape: Shape, rng: &mut Rng) -> Vec<CrossDigit> {
    let (n, inside) = (shape.order(), shape.box_rows() - 1);
    let mut row: Vec<usize> = (0..n).collect();
    rng.shuffle(&mut row);
    // The corner box gets digits that the row has outside this box; the cells below get all that are left.
    let mut column = row[shape.box_columns()..].to_vec();
    rng.shuffle(&mut column);
    let mut below: Vec<usize> = row[1..shape.box_columns()].iter().chain(&column[inside..]).copied().collect();
    rng.shuffle(&mut below);
    let mut cross: Vec<CrossDigit> =
        row.into_iter().enumerate().map(|(cell, digit)| CrossDigit { cell, digit }).collect();
    for (row, &digit) in (1..).zip(column[..inside].iter().chain(&below)) {
        cross.push(CrossDigit { cell: row * n, digit });
    }
    cross
}

struct OpenGuess<'a> {
    before: AnyPosition<'a>,
    cell: usize,
    /// The candidates of the cell that were not tried yet, as bits.
    untried: u64,
}

impl<'a> OpenGuess<'a> {
    fn in_position(before: AnyPosition<'a>) -> OpenGuess<'a> {
        let BranchCell { cell, digits: untried } = before.narrowest();
        OpenGuess { before, cell, untried }
    }
}

/// Completes a cross depth first, with the digits of a cell in random order. The digits of all cells; None if there is
/// no completion or `guesses` are used up.
fn complete(shape: Shape, cross: &[CrossDigit], guesses: u64, rng: &mut Rng) -> Option<Vec<u16>> {
    let mut values = vec![0; shape.cells()];
    cross.iter().for_each(|&CrossDigit { cell, digit }| values[cell] = digit as u16 + 1);
    let spare = SpareMemory::default();
    let start = AnyPosition::of(&Puzzle::try_from(Grid::new(shape, values).ok()?).ok()?, &spare)?;
    if start.is_full() {
        return Some(start.values());
    }
    let mut open_guesses = vec![OpenGuess::in_position(start)];
    let mut spent = 0;
    while let Some(guess) = open_guesses.last_mut() {
        if guess.untried == 0 {
            open_guesses.pop();
            continue;
        }
        if spent == guesses {
            return None;
        }
        spent += 1;
        let digit = random_bit(guess.untried, rng);
        guess.untried ^= 1 << digit;
        match guess.before.after(guess.cell, digit) {
            Some(after) if after.is_full() => return Some(after.values()),
            Some(after) => open_guesses.push(OpenGuess::in_position(after)),
            None => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::random::Stage;

    /// 4! orders of the row, 2 digits for r2c1, 2 orders below: 96 crosses; 95 degrees of freedom, 99.988 % point 154.
    #[test]
    fn crosses_are_drawn_evenly() {
        let shape: Shape = "2x2".parse().unwrap();
        let mut rng = Rng::new(1, 0, Stage::Bench, 0);
        let mut counts: HashMap<Vec<CrossDigit>, u32> = HashMap::new();
        (0..9600).for_each(|_| *counts.entry(cross(shape, &mut rng)).or_default() += 1);
        assert_eq!(counts.len(), 96);
        let chi: f64 = counts.values().map(|&seen| (f64::from(seen) - 100.0).powi(2) / 100.0).sum();
        assert!(chi < 154.0, "chi-square {chi}");
    }

    #[test]
    fn crosses_are_valid() {
        for shape in Shape::all(36) {
            let mut rng = Rng::new(2, 0, Stage::Bench, 0);
            let mut values = vec![0; shape.cells()];
            let cross = cross(shape, &mut rng);
            assert_eq!(cross.len(), 2 * shape.order() - 1);
            cross.into_iter().for_each(|CrossDigit { cell, digit }| values[cell] = digit as u16 + 1);
            let grid = crate::board::Grid::new(shape, values).unwrap();
            assert!(crate::board::Puzzle::try_from(grid).is_ok(), "{shape}");
        }
    }
}
