//! Digit by digit, box by box: where does digit x go in box y?
//!
//! ```text
//!   . 1 . | . . . | . . .
//!   . . . | 1 . . | . . .      Digit 1 has its places in boxes 1 and 2. In box 3 it can only go to row 3, which has
//!   . . . | . . . | x x x      three free positions: one is drawn. Then come box 4, ..., box 9; then digit 2 in box 1.
//! ```
//!
//! The method is from "How to generate a valid and fast Sudoku board from scratch?" (Yagiz). For each digit x and each
//! box y, collect the free positions of the box that share no row and no column with the places already chosen for x,
//! drop those in the forbidden list of (x, y), and draw one. If none is left, the place of x in the previous box is
//! undone and goes on the forbidden list of that box. If the first box of a digit has no position left, the search goes
//! back to the previous digit. A list is emptied when the search goes back past its box, so that no grid is lost.
//!
//! The positions of a box are one word, bit r*C + c for row r and column c inside the box. The rows and columns that x
//! has already used are words of the same kind, one for each band and each stack.
//!
//! **Bias.** Every grid can be the result. Its probability is the product over the (digit, box) pairs of 1/e, where e
//! is the number of positions that can still be extended to a full grid. Early digits are placed nearly freely, late
//! ones are forced. The formula is exact up to order 9. On larger boards a search that takes too long restarts.

use super::pick::random_bit;
use crate::board::{Shape, Solution};
use crate::generate::attempts::{FillError, StepLimit, retry};
use crate::random::Rng;

/// A random grid, digit by digit and box by box. Above order 9, [`FillError::Exhausted`] if no search finished.
pub(crate) fn fill(shape: Shape, rng: &mut Rng) -> Result<Solution, FillError> {
    let mut boxes = BoxSearch::new(shape);
    retry("digit-by-box", shape, StepLimit::backtracking(shape), |nodes| boxes.search(nodes, rng))?;
    Ok(boxes.into_solution())
}

/// The state of a search. A step is a digit x and a box y; steps are numbered x*n + y.
struct BoxSearch {
    shape: Shape,
    /// Free positions of each box.
    free: Vec<u64>,
    /// Positions in the rows that digit x has used in band b: `rows[x * bands + b]`.
    rows: Vec<u64>,
    /// Positions in the columns that digit x has used in stack s: `columns[x * stacks + s]`.
    columns: Vec<u64>,
    /// Positions that led to a dead end, for each step.
    forbidden: Vec<u64>,
    /// Position chosen at each step.
    places: Vec<u8>,
    /// The lines of each position of a box.
    lines: Vec<BoxLines>,
}

/// The positions of a box that share a line with one of them.
struct BoxLines {
    row: u64,
    column: u64,
}

impl BoxSearch {
    /// Before the first digit.
    fn new(shape: Shape) -> BoxSearch {
        let n = shape.order();
        let width = shape.box_columns();
        let lines = (0..n).map(|position| {
            let row = ((1 << width) - 1) << (position / width * width);
            let column = (position % width..n).step_by(width).fold(0, |column, position| column | 1 << position);
            BoxLines { row, column }
        });
        BoxSearch {
            shape,
            free: vec![0; n],
            rows: vec![0; n * shape.bands()],
            columns: vec![0; n * shape.stacks()],
            forbidden: vec![0; n * n],
            places: vec![0; n * n],
            lines: lines.collect(),
        }
    }

    /// The indices of the words for the band and the stack of a step.
    #[inline]
    fn chutes(&self, step: usize) -> [usize; 2] {
        let (digit, square) = (step / self.shape.order(), step % self.shape.order());
        let stacks = self.shape.stacks();
        [digit * self.shape.bands() + square / stacks, digit * stacks + square % stacks]
    }

    /// The free positions of the step's box in no row and column that its digit has used, without the forbidden ones.
    #[inline]
    fn candidates(&self, step: usize) -> u64 {
        let [band, stack] = self.chutes(step);
        self.free[step % self.shape.order()] & !(self.rows[band] | self.columns[stack] | self.forbidden[step])
    }

    /// Places the digit of a step, or removes it again.
    #[inline]
    fn flip(&mut self, step: usize) {
        let [band, stack] = self.chutes(step);
        let place = usize::from(self.places[step]);
        self.free[step % self.shape.order()] ^= 1 << place;
        self.rows[band] ^= self.lines[place].row;
        self.columns[stack] ^= self.lines[place].column;
    }

    /// One search from the empty board; true if the board is full.
    fn search(&mut self, nodes: u64, rng: &mut Rng) -> bool {
        self.free.fill(u64::MAX >> (64 - self.shape.order()));
        [&mut self.rows, &mut self.columns, &mut self.forbidden].into_iter().for_each(|words| words.fill(0));
        let mut step = 0;
        for _ in 0..nodes {
            if step == self.places.len() {
                return true;
            }
            match self.candidates(step) {
                0 => {
                    self.forbidden[step] = 0;
                    // Step 0 never runs out: each of its places can be extended to a full grid.
                    step -= 1;
                    self.flip(step);
                    self.forbidden[step] |= 1 << self.places[step];
                }
                candidates => {
                    self.places[step] = random_bit(candidates, rng) as u8;
                    self.flip(step);
                    step += 1;
                }
            }
        }
        false
    }

    fn into_solution(self) -> Solution {
        let (n, width) = (self.shape.order(), self.shape.box_columns());
        let mut values = vec![0; n * n];
        for (step, &place) in self.places.iter().enumerate() {
            let (digit, square, place) = (step / n, step % n, usize::from(place));
            let row = square / self.shape.stacks() * self.shape.box_rows() + place / width;
            let column = square % self.shape.stacks() * width + place % width;
            values[row * n + column] = digit as u16 + 1;
        }
        Solution::trusted(self.shape, values)
    }
}
