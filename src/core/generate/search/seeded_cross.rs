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

use super::pick::{count, random_bit};
use crate::board::{Cell, Layout, Shape, Solution};
use crate::generate::attempts::{FillError, StepLimit, retry};
use crate::random::Rng;

/// Up to order 9 a search always runs to its end; on larger boards a cross is given up after n^2 guesses.
fn limit(shape: Shape) -> StepLimit {
    match shape.order() {
        ..=9 => StepLimit { nodes: u64::MAX, attempts: u32::MAX },
        order => StepLimit::within((order * order) as u64),
    }
}

/// A random grid around a random cross. Above order 9, [`FillError::Exhausted`] if no cross was completed.
pub(crate) fn fill(shape: Shape, rng: &mut Rng) -> Result<Solution, FillError> {
    let mut solver = Solver::new(shape);
    retry("seeded-cross", shape, limit(shape), |nodes| {
        solver.start(&cross(shape, rng)) && solver.complete(nodes, rng)
    })?;
    Ok(solver.into_solution())
}

/// A valid first row and first column, all equally likely, as pairs of cell and digit, both from 0.
fn cross(shape: Shape, rng: &mut Rng) -> Vec<(usize, usize)> {
    let (n, inside) = (shape.order(), shape.box_rows() - 1);
    let mut row: Vec<usize> = (0..n).collect();
    rng.shuffle(&mut row);
    // The corner box gets digits that the row has outside this box; the cells below get all that are left.
    let mut column = row[shape.box_columns()..].to_vec();
    rng.shuffle(&mut column);
    let mut below: Vec<usize> = row[1..shape.box_columns()].iter().chain(&column[inside..]).copied().collect();
    rng.shuffle(&mut below);
    let down = column[..inside].iter().chain(&below);
    let down = down.enumerate().map(|(row, &digit)| ((row + 1) * n, digit)).collect::<Vec<_>>();
    row.into_iter().enumerate().chain(down).collect()
}

/// The solver of the article. A word has the candidates of a cell. The positions of the open guesses follow each other.
struct Solver {
    layout: &'static Layout,
    /// Candidates of all cells, for each level of guessing; the last level is the current position.
    levels: Vec<u64>,
    /// Cells that have just become certain and whose digit has not yet been taken from their peers.
    fresh: Vec<usize>,
}

/// A contradiction: a cell without candidate or a digit without place.
struct DeadEnd;

impl Solver {
    fn new(shape: Shape) -> Solver {
        Solver { layout: Layout::of(shape), levels: Vec::new(), fresh: Vec::new() }
    }

    fn cells(&self) -> usize {
        self.layout.shape().cells()
    }

    /// The set of all digits.
    fn all(&self) -> u64 {
        u64::MAX >> (64 - self.layout.shape().order())
    }

    /// The candidates of all cells in the current position.
    #[inline]
    fn position(&mut self) -> &mut [u64] {
        let start = self.levels.len() - self.cells();
        &mut self.levels[start..]
    }

    /// Starts with the digits of a cross on an empty board; false if they contradict each other.
    fn start(&mut self, cross: &[(usize, usize)]) -> bool {
        self.levels.clear();
        self.levels.resize(self.cells(), self.all());
        cross.iter().try_for_each(|&(cell, digit)| self.enter(cell, 1 << digit)).is_ok() && self.singles().is_ok()
    }

    /// Makes a digit, given as its bit, the only candidate of a cell, and places the naked singles that follow.
    fn enter(&mut self, cell: usize, digit: u64) -> Result<(), DeadEnd> {
        if self.position()[cell] & digit == 0 {
            return Err(DeadEnd);
        }
        self.position()[cell] = digit;
        self.fresh.clear();
        self.fresh.push(cell);
        let layout = self.layout;
        while let Some(cell) = self.fresh.pop() {
            let start = self.levels.len() - self.cells();
            let position = &mut self.levels[start..];
            let digit = position[cell];
            for peer in layout.peers(Cell::new(cell)).iter().map(|peer| peer.index()) {
                let before = position[peer];
                let after = before & !digit;
                position[peer] = after;
                if after == 0 {
                    return Err(DeadEnd);
                }
                if after != before && after.is_power_of_two() {
                    self.fresh.push(peer);
                }
            }
        }
        Ok(())
    }

    /// Places hidden singles and the naked singles that follow, until there are none.
    fn singles(&mut self) -> Result<(), DeadEnd> {
        let (layout, all) = (self.layout, self.all());
        let mut changed = true;
        while changed {
            changed = false;
            for house in layout.houses() {
                let cells = layout.house(house);
                let position = self.position();
                let (once, twice) = cells.iter().fold((0, 0), |(once, twice), cell| {
                    let candidates = position[cell.index()];
                    (once | candidates, twice | once & candidates)
                });
                if once != all {
                    return Err(DeadEnd);
                }
                let hidden = once & !twice;
                for cell in cells.iter().map(|cell| cell.index()) {
                    let candidates = self.position()[cell];
                    let single = candidates & hidden;
                    if single != 0 && single != candidates {
                        // If this is the only place of two digits, the second digit then has none. The next pass finds
                        // this.
                        self.enter(cell, single & single.wrapping_neg())?;
                        changed = true;
                    }
                }
            }
        }
        Ok(())
    }

    /// The first of the cells with the fewest candidates, among those with several.
    fn fewest(&mut self) -> Option<usize> {
        let open = self.position().iter().enumerate().filter(|(_, mask)| !mask.is_power_of_two());
        open.map(|(cell, &mask)| (count(mask), cell)).min().map(|(_, cell)| cell)
    }

    /// Searches depth first, with the digits in random order. True if the board is complete, false if there is no
    /// completion or `guesses` are used up.
    fn complete(&mut self, guesses: u64, rng: &mut Rng) -> bool {
        // For each open guess: the cell, and the candidates not yet tried there.
        let Some(first) = self.fewest() else { return true };
        let mut open: Vec<(usize, u64)> = vec![(first, self.position()[first])];
        let mut spent = 0;
        while let Some((cell, untried)) = open.last_mut() {
            if *untried == 0 {
                open.pop();
                self.levels.truncate(self.levels.len() - self.cells());
                continue;
            }
            if spent == guesses {
                return false;
            }
            spent += 1;
            let (cell, digit) = (*cell, 1 << random_bit(*untried, rng));
            *untried ^= digit;
            let start = self.levels.len() - self.cells();
            self.levels.extend_from_within(start..);
            if self.enter(cell, digit).and_then(|()| self.singles()).is_err() {
                self.levels.truncate(self.levels.len() - self.cells());
                continue;
            }
            match self.fewest() {
                None => return true,
                Some(next) => open.push((next, self.position()[next])),
            }
        }
        false
    }

    fn into_solution(mut self) -> Solution {
        let values = self.position().iter().map(|mask| mask.trailing_zeros() as u16 + 1).collect();
        Solution::trusted(self.layout.shape(), values)
    }
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
        let mut counts: HashMap<Vec<(usize, usize)>, u32> = HashMap::new();
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
            cross.into_iter().for_each(|(cell, digit)| values[cell] = digit as u16 + 1);
            let grid = crate::board::Grid::new(shape, values).unwrap();
            assert!(crate::board::Puzzle::try_from(grid).is_ok(), "{shape}");
        }
    }

    #[test]
    fn contradictory_digits_are_found() {
        let mut solver = Solver::new(Shape::NINE);
        assert!(!solver.start(&[(0, 3), (1, 3)]));
        // Digit 9 has no place left in the first row: a 9 stands below each of its blank cells.
        let row = (0..6).map(|cell| (cell, cell));
        let nines = [(3 * 9 + 6, 8), (6 * 9 + 7, 8), (9 + 8, 8)];
        assert!(!solver.start(&row.chain(nines).collect::<Vec<_>>()));
    }
}
