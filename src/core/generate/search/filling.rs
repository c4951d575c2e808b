//! A board that is filled cell by cell, row by row. Two methods use it: row-major and jump-back.
//!
//! ```text
//!   free[0..n]    digits not yet in row 0, 1, ...        candidates of a cell =
//!   free[n..2n]   ... in column 0, 1, ...                  free[row] & free[column] & free[box]
//!   free[2n..3n]  ... in box 0, 1, ...
//! ```
//!
//! Placing a digit and taking it back both flip the same three bits, so houses are never scanned.

use super::pick::random_bit;
use crate::board::{Cell, Layout, Shape, Solution};
use crate::random::Rng;

/// Room for the 3n houses of order 36. A power of two, so that a masked index needs no bounds check.
const HOUSES: usize = 128;

/// The digits placed so far, and the digits still free in every house. Digits are counted from 0 here.
pub(super) struct Filling {
    layout: &'static Layout,
    /// The digits that each house still lacks, as bits: see the drawing above.
    free: [u64; HOUSES],
    /// The digits, row by row. What stands in an empty cell means nothing.
    values: Vec<u8>,
}

/// What [`Filling::fill_stretch`] has done.
pub(super) struct FilledStretch {
    /// The number of cells filled.
    pub filled: usize,
    /// True if the next cell has no candidate.
    pub is_dead_end: bool,
}

impl Filling {
    /// An empty board of order at most 36.
    pub(super) fn new(shape: Shape) -> Filling {
        let mut filling = Filling { layout: Layout::of(shape), free: [0; HOUSES], values: vec![0; shape.cells()] };
        filling.clear();
        filling
    }

    pub(super) fn clear(&mut self) {
        self.free = [u64::MAX >> (64 - self.layout.shape().order()); HOUSES];
    }

    #[inline]
    pub(super) fn cells(&self) -> usize {
        self.values.len()
    }

    /// The candidates of a blank cell, one bit for each: the digits that are in none of its houses.
    #[inline]
    pub(super) fn candidates(&self, cell: usize) -> u64 {
        self.houses(cell).into_iter().fold(u64::MAX, |free, house| free & self.free[house])
    }

    #[inline]
    pub(super) fn place(&mut self, cell: usize, digit: usize) {
        self.values[cell] = digit as u8;
        self.flip(cell);
    }

    /// Empties a cell and returns its digit.
    #[inline]
    pub(super) fn take(&mut self, cell: usize) -> usize {
        self.flip(cell);
        usize::from(self.values[cell])
    }

    /// Takes the digit of a cell from the free digits of its houses, or gives it back.
    #[inline]
    fn flip(&mut self, cell: usize) {
        for house in self.houses(cell) {
            self.free[house] ^= 1 << self.values[cell];
        }
    }

    /// Row, column and box of a cell, as indices of `free`.
    #[inline]
    fn houses(&self, cell: usize) -> [usize; 3] {
        self.layout.plain_houses_of(Cell::new(cell)).map(|house| house.index() % HOUSES)
    }

    /// Fills the cells from a cell on inside one row and one box, each with a random candidate. Stops at the end of
    /// this stretch or at the first cell without a candidate.
    ///
    /// The free digits of row and box are kept in one register, because each cell takes the same digit from both.
    #[inline]
    pub(super) fn fill_stretch(&mut self, cell: usize, rng: &mut Rng) -> FilledStretch {
        let ([row, column, square], length) = (self.houses(cell), self.stretch(cell));
        let before = self.free[row] & self.free[square];
        let mut free = before;
        let mut filled = 0;
        for (below, value) in self.free[column..].iter_mut().zip(&mut self.values[cell..]).take(length) {
            let candidates = free & *below;
            if candidates == 0 {
                break;
            }
            let digit = random_bit(candidates, rng);
            free ^= 1 << digit;
            *below ^= 1 << digit;
            *value = digit as u8;
            filled += 1;
        }
        self.free[row] ^= before ^ free;
        self.free[square] ^= before ^ free;
        FilledStretch { filled, is_dead_end: filled < length }
    }

    /// Empties the cells `from..to`, all of which are filled, one stretch of a row and box at a time.
    #[inline]
    pub(super) fn empty(&mut self, from: usize, to: usize) {
        let mut cell = from;
        while cell < to {
            let ([row, column, square], length) = (self.houses(cell), self.stretch(cell).min(to - cell));
            let mut taken = 0;
            for (below, &value) in self.free[column..].iter_mut().zip(&self.values[cell..]).take(length) {
                *below ^= 1 << value;
                taken ^= 1 << value;
            }
            self.free[row] ^= taken;
            self.free[square] ^= taken;
            cell += length;
        }
    }

    /// Number of cells from a cell to the end of its row in its box.
    #[inline]
    fn stretch(&self, cell: usize) -> usize {
        let width = self.layout.shape().box_columns();
        width - cell % width
    }

    pub(super) fn into_solution(self) -> Solution {
        let values = self.values.iter().map(|&digit| u16::from(digit) + 1).collect();
        Solution::trusted(self.layout.shape(), values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stage;

    #[test]
    fn stretches_do_what_single_cells_do() {
        for shape in ["2x3", "3x3", "4x3"].map(|text| text.parse::<Shape>().unwrap()) {
            let mut rng = Rng::new(1, 0, Stage::Bench, 0);
            let mut by_stretch = Filling::new(shape);
            let mut end = 0;
            while end < by_stretch.cells() {
                let stretch = by_stretch.fill_stretch(end, &mut rng);
                end += stretch.filled;
                if stretch.is_dead_end {
                    break;
                }
            }
            let mut by_cell = Filling::new(shape);
            (0..end).for_each(|cell| by_cell.place(cell, usize::from(by_stretch.values[cell])));
            assert_eq!(by_cell.free, by_stretch.free, "{shape}");
            by_stretch.empty(3, end);
            (3..end).rev().for_each(|cell| assert_eq!(by_cell.take(cell), usize::from(by_cell.values[cell])));
            assert_eq!(by_cell.free, by_stretch.free, "{shape}");
        }
    }
}
