//! Row-major backtracking: fill cell by cell with a random untried value; go back one cell when none is left.
//!
//! ```text
//!   5 3 4 | 6 . .       r1c5 is next. One of its untried values that cause no conflict is drawn and placed. If
//!   . . . | . . .       there is none, all its values count as untried again, r1c4 is emptied, and a value that
//!   . . . | . . .       r1c4 has not tried yet is drawn.
//! ```
//!
//! The method is from "Sudoku Algorithm: Generates a Valid Sudoku in 0.018 seconds" (The ANZAC, CodeProject,
//! 2008-2009). There a value is thrown away if it causes a conflict. Drawing only among the untried values without
//! conflict has the same probabilities, because a conflict stays until the list is filled again.
//!
//! **Bias.** Every grid can be the result. Its probability is the product over the cells of 1/e, where e is the number
//! of values that can still be extended to a full grid. This is exact up to order 9, where the search always runs to
//! its end. On larger boards the effort has a heavy tail (16x16: half of the searches need less than 12,000 steps, one
//! in ten more than 20 million). So a search restarts after n^4 steps, which favours grids that are found quickly.

use super::filling::Filling;
use super::pick::random_bit;
use crate::board::{Shape, Solution};
use crate::generate::attempts::{FillError, StepLimit, retry};
use crate::random::Rng;

/// A random grid by row-major backtracking. Above order 9, [`FillError::Exhausted`] if no search finished.
pub(crate) fn fill(shape: Shape, rng: &mut Rng) -> Result<Solution, FillError> {
    let mut filling = Filling::new(shape);
    retry("row-major", shape, StepLimit::backtracking(shape), |nodes| search(&mut filling, nodes, rng))?;
    Ok(filling.into_solution())
}

/// One search from the empty board; true if the board is full.
fn search(filling: &mut Filling, nodes: u64, rng: &mut Rng) -> bool {
    filling.clear();
    let mut untried = vec![u64::MAX; filling.cells()];
    let mut cell = 0;
    for _ in 0..nodes {
        if cell == filling.cells() {
            return true;
        }
        match filling.candidates(cell) & untried[cell] {
            0 => {
                untried[cell] = u64::MAX;
                // Cell 0 never runs out: each of its values can be extended to a full grid.
                cell -= 1;
                filling.take(cell);
            }
            candidates => {
                let digit = random_bit(candidates, rng);
                untried[cell] ^= 1 << digit;
                filling.place(cell, digit);
                cell += 1;
            }
        }
    }
    false
}
