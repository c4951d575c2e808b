//! Reading access to the candidates of a position.

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
        self.stands.len()
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

    /// The digit placed in a cell.
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

    /// The same for each digit in turn.
    #[inline]
    pub fn of_digits(&self) -> &[S] {
        &self.of_digit
    }

    /// The number of places of a digit in a house; 128 or more if it is already placed there.
    #[inline]
    pub fn places(&self, digit: Digit, house: House) -> usize {
        usize::from(self.places[digit.index() * self.open_in.len() + house.index()])
    }

    /// Number of open cells of a house.
    #[inline]
    pub fn open_in(&self, house: House) -> usize {
        usize::from(self.open_in[house.index()])
    }

    /// Open cells with exactly one candidate.
    #[inline]
    pub fn with_one(&self) -> S {
        self.few[0]
    }

    /// Open cells with exactly two candidates.
    #[inline]
    pub fn with_two(&self) -> S {
        self.few[1]
    }

    /// Open cells with exactly three candidates.
    #[inline]
    pub fn with_three(&self) -> S {
        self.few[2]
    }

    /// Open cells with exactly four candidates.
    #[inline]
    pub fn with_four(&self) -> S {
        self.few[3]
    }

    /// The cells that hold a digit.
    #[inline]
    pub fn stands(&self, digit: Digit) -> S {
        self.stands[digit.index()]
    }

    /// Houses with exactly two places for a digit.
    #[inline]
    pub fn with_two_places(&self, digit: Digit) -> Houses {
        self.few_places[digit.index()][1]
    }

    /// Houses with exactly three places for a digit.
    #[inline]
    pub fn with_three_places(&self, digit: Digit) -> Houses {
        self.few_places[digit.index()][2]
    }

    /// Houses with exactly four places for a digit.
    #[inline]
    pub fn with_four_places(&self, digit: Digit) -> Houses {
        self.few_places[digit.index()][3]
    }

    /// Houses with exactly one open cell.
    #[inline]
    pub fn nearly_full(&self) -> Houses {
        self.last
    }

    /// Houses with exactly one place for a digit that they lack.
    #[inline]
    pub fn with_one_place(&self, digit: Digit) -> Houses {
        self.few_places[digit.index()][0]
    }

    /// True if a cell has lost its last candidate or a house its last place for a digit: there is no solution.
    #[inline]
    pub fn is_broken(&self) -> bool {
        self.broken
    }
}
