//! Keeps the givens of a puzzle as sets for each house. Word operations turn them into the first position of a search.

use super::tables::{Membership, Tables};
use crate::board::{Puzzle, Shape};

/// The places of the givens. A given is added or removed in constant time: when digging, the next question differs
/// from the last one by one or two givens.
#[derive(Clone, Debug)]
pub(in crate::solve) struct Givens {
    pub(super) tables: &'static Tables,
    /// For each cell 0 or the digit, from 1.
    pub(super) values: Vec<u8>,
    /// The number of givens.
    pub(super) count: usize,
    /// The words that the givens leave without a bit: of their cells, and of their digits in their houses.
    pub(super) closed: usize,
    /// The digits of each house.
    pub(super) digits: Vec<u64>,
    /// The columns with a given of each row, then the rows with a given of each column.
    pub(super) filled: Vec<u64>,
    /// The columns that have each digit, then the rows that have it.
    pub(super) lines: Vec<u64>,
}

impl Givens {
    /// An empty board.
    pub(super) fn none(tables: &'static Tables) -> Givens {
        let n = tables.order;
        Givens {
            tables,
            values: vec![0; n * n],
            count: 0,
            closed: 0,
            digits: vec![0; tables.words / n - n],
            filled: vec![0; 2 * n],
            lines: vec![0; 2 * n],
        }
    }

    pub(in crate::solve) fn of(tables: &'static Tables, puzzle: &Puzzle) -> Givens {
        let mut givens = Givens::none(tables);
        puzzle.grid().given_cells().for_each(|(cell, digit)| givens.toggle(cell.index(), digit.index()));
        givens
    }

    /// Adds a given (digit from 0) to an empty cell, or removes it. No house may get a digit twice.
    #[inline]
    pub(super) fn toggle(&mut self, cell: usize, digit: usize) {
        let (n, spot) = (self.tables.order, self.tables.spots[cell]);
        // The bit of a column is the number of its row, and the bit of a row that of its column.
        let (row, column) = (usize::from(spot.column_bit), usize::from(spot.row_bit));
        let is_new = self.values[cell] == 0;
        self.values[cell] = if is_new { digit as u8 + 1 } else { 0 };
        // The words of the cell, and of the digit in its row, column and box.
        let mut closed = 4;
        for house in [row, n + column, 2 * n + usize::from(spot.number)] {
            self.digits[house] ^= 1 << digit;
        }
        if let Some(beyond) = &self.tables.beyond {
            for extra in beyond.houses[cell].extras() {
                self.digits[extra.house(n)] ^= 1 << digit;
                closed += 1;
            }
        }
        (self.count, self.closed) =
            if is_new { (self.count + 1, self.closed + closed) } else { (self.count - 1, self.closed - closed) };
        self.filled[row] ^= 1 << column;
        self.filled[n + column] ^= 1 << row;
        self.lines[digit] ^= 1 << column;
        self.lines[n + digit] ^= 1 << row;
    }

    /// The digits, as bits, that no given excludes from a cell.
    #[inline]
    pub(super) fn candidates(&self, cell: usize) -> u64 {
        let (n, spot) = (self.tables.order, self.tables.spots[cell]);
        let houses = [usize::from(spot.column_bit), n + usize::from(spot.row_bit), 2 * n + usize::from(spot.number)];
        let mut used = houses.iter().fold(0, |used, &house| used | self.digits[house]);
        if let Some(beyond) = &self.tables.beyond {
            used |= beyond.houses[cell].extras().iter().fold(0, |used, extra| used | self.digits[extra.house(n)]);
            for &peer in &beyond.moves[cell] {
                let value = self.values[usize::from(peer)];
                used |= if value == 0 { 0 } else { 1 << (value - 1) };
            }
        }
        span(0, n) & !used
    }

    /// True if the givens alone leave a digit (a candidate of a blank cell) no other cell in its row, column or box, as
    /// far as rows, columns and boxes tell.
    pub(super) fn is_hidden_single(&self, cell: usize, digit: usize) -> bool {
        let (n, shape, spot) = (self.tables.order, self.tables.shape, self.tables.spots[cell]);
        // The bit operations below are for boxes. The cells of regions are looked at one by one.
        if let (Some(_), Some(beyond)) = (shape.regions(), &self.tables.beyond) {
            return beyond.houses[cell].all()[..3].iter().any(|house| self.has_one_place(house, digit));
        }
        let (row, column) = (usize::from(spot.column_bit), usize::from(spot.row_bit));
        let (height, width) = (shape.box_rows(), shape.box_columns());
        let (band, stack) = (row / height, column / width);
        // The free places of a line whose crossing line and box do not have the digit.
        let in_row = (0..n / width).fold(!self.filled[row] & !self.lines[digit], |places, stack| {
            places & !(self.used_in(band * shape.stacks() + stack, digit) & span(stack * width, width))
        });
        let in_column = (0..n / height).fold(!self.filled[n + column] & !self.lines[n + digit], |places, band| {
            places & !(self.used_in(band * shape.stacks() + stack, digit) & span(band * height, height))
        });
        let in_block = (band * height..(band + 1) * height).fold(0, |count, line| {
            // All bits if the row does not have the digit, else none.
            let is_missing = (self.lines[n + digit] >> line & 1).wrapping_sub(1);
            let places = !self.filled[line] & !self.lines[digit] & span(stack * width, width) & is_missing;
            count + places.count_ones()
        });
        let all = span(0, n);
        (in_row & all).is_power_of_two() || (in_column & all).is_power_of_two() || in_block == 1
    }

    /// All bits if a box has a digit, else none.
    #[inline]
    fn used_in(&self, block: usize, digit: usize) -> u64 {
        (self.digits[2 * self.tables.order + block] >> digit & 1).wrapping_neg()
    }

    /// True if at most one blank cell of a house has a digit as a candidate.
    fn has_one_place(&self, house: &Membership, digit: usize) -> bool {
        let cells = self.tables.cells_of(house.first_word.into());
        cells.filter(|&cell| self.values[cell] == 0 && self.candidates(cell) >> digit & 1 == 1).nth(1).is_none()
    }

    /// For each digit, the lines that pass through the boxes in which the digit is given: columns, for the boxes of a
    /// band (side 0), or rows, for the boxes of a stack (side 1).
    pub(super) fn across_boxes(&self, side: usize, chute: usize) -> [u64; Shape::MAX_SOLVABLE_ORDER] {
        let (n, shape) = (self.tables.order, self.tables.shape);
        let size = if side == 0 { shape.box_columns() } else { shape.box_rows() };
        let mut blocked = [0; Shape::MAX_SOLVABLE_ORDER];
        for place in 0..n / size {
            let block = if side == 0 { chute * shape.stacks() + place } else { place * shape.stacks() + chute };
            let lines = span(place * size, size);
            let used = self.digits[2 * n + block];
            for (digit, word) in blocked[..n].iter_mut().enumerate() {
                *word |= (used >> digit & 1).wrapping_neg() & lines;
            }
        }
        blocked
    }
}

/// The word with `count` bits from `first` on; `count` is not 0.
#[inline(always)]
pub(super) const fn span(first: usize, count: usize) -> u64 {
    (u64::MAX >> (64 - count)) << first
}

#[cfg(test)]
mod tests {
    use super::super::position::SearchPosition;
    use super::*;
    use crate::board::Cell;
    use crate::random::{Rng, Stage};
    use crate::solve::{Budget, general::random_fill};

    /// Compares the hidden singles found from the givens alone with the words of the position of these givens.
    #[test]
    fn hidden_singles_are_those_of_the_position() {
        let mut seen = [0; 2];
        for (index, shape) in Shape::all(20).into_iter().enumerate() {
            let rng = &mut Rng::new(19, index as u64, Stage::Bench, 0);
            let solution = random_fill(shape, rng, Budget::UNLIMITED).unwrap();
            let tables = Tables::of(shape);
            let givens = Givens::of(tables, &solution.masked(|_| rng.below(2) == 0));
            let mut position = SearchPosition::default();
            position.start(&givens).unwrap();
            for cell in (0..shape.cells()).filter(|&cell| givens.values[cell] == 0) {
                let (digit, spot) = (solution.digit(Cell::new(cell)).index(), tables.spots[cell]);
                let is_single = [spot.row, spot.column, spot.block]
                    .iter()
                    .any(|&first| position.domains[usize::from(first) + digit].is_power_of_two());
                assert_eq!(givens.is_hidden_single(cell, digit), is_single, "{shape} cell {cell}");
                seen[usize::from(is_single)] += 1;
            }
        }
        assert!(seen.iter().all(|&times| times > 100), "{seen:?}");
    }
}
