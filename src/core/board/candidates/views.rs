//! Reads the candidates of a position: by cell, by digit and by house.

use super::{Candidates, Houses, Sets};
use crate::board::{Cell, CellSet, Digit, Digits, House, Shape};

impl<S: CellSet> Candidates<S> {
    /// The houses and peers of the board.
    #[inline]
    pub fn sets(&self) -> &'static Sets<S> {
        self.sets
    }

    /// The shape.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.sets.shape()
    }

    /// The order n of the board.
    #[inline]
    pub fn order(&self) -> usize {
        // Each digit has an entry.
        self.placed.len()
    }

    /// The cells of a house.
    #[inline]
    pub fn house(&self, house: House) -> S {
        self.sets.house(house)
    }

    /// The cells that see a cell, without itself.
    #[inline]
    pub fn peers(&self, cell: Cell) -> S {
        self.sets.peers(cell)
    }

    /// The cells that are givens of the puzzle.
    #[inline]
    pub fn givens(&self) -> S {
        self.givens
    }

    /// The cells without a digit.
    #[inline]
    pub fn open(&self) -> S {
        self.open
    }

    /// The digit placed in a cell. None for an open cell.
    #[inline]
    pub fn value(&self, cell: Cell) -> Option<Digit> {
        match self.values[cell.index()] {
            0 => None,
            value => Some(Digit::new(value)),
        }
    }

    /// The n*n digits row by row, 0 for an open cell.
    #[inline]
    pub fn values(&self) -> &[u16] {
        &self.values
    }

    /// The candidates of an empty cell; empty if a digit is placed.
    #[inline]
    pub fn of_cell(&self, cell: Cell) -> Digits {
        self.of_cell[cell.index()]
    }

    /// The open cells in which a digit is still possible.
    #[inline]
    pub fn of_digit(&self, digit: Digit) -> S {
        self.of_digit[digit.index()]
    }

    /// For each digit, the cells in which it is possible.
    #[inline]
    pub(crate) fn of_digits(&self) -> &[S] {
        &self.of_digit
    }

    /// The number of places of a digit in a house; 128 or more if it is already placed there.
    #[inline]
    pub fn places(&self, digit: Digit, house: House) -> usize {
        usize::from(self.places[digit.index() * self.open_in.len() + house.index()])
    }

    #[inline]
    pub(crate) fn open_in(&self, house: House) -> usize {
        usize::from(self.open_in[house.index()])
    }

    /// Open cells with this number of candidates. Panics unless it is 1 to 4.
    #[inline]
    pub fn with_candidates(&self, count: usize) -> S {
        self.cells_by_count[count - 1]
    }

    /// The cells in which a digit is placed.
    #[inline]
    pub fn placed(&self, digit: Digit) -> S {
        self.placed[digit.index()]
    }

    /// Houses that lack a digit and have this number of places for it. Panics unless it is 1 to 4.
    #[inline]
    pub(crate) fn with_places(&self, digit: Digit, count: usize) -> Houses {
        self.houses_by_count[digit.index()][count - 1]
    }

    /// Houses with exactly one open cell.
    #[inline]
    pub fn nearly_full(&self) -> Houses {
        self.with_one_open
    }

    /// True if a cell has lost its last candidate or a house its last place for a digit: there is no solution.
    #[inline]
    pub fn is_broken(&self) -> bool {
        self.broken
    }
}
