//! Tables for one shape: the place of each cell in its houses, and the meaning of each word of a position.

use crate::board::shape::Kept;
use crate::board::{House, Layout, Shape};

/// The words of digit 0 in the three houses of a cell, and the cell's bit in the words of these houses.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellWords {
    pub(super) row: u16,
    pub(super) column: u16,
    pub(super) block: u16,
    pub(super) row_bit: u8,
    pub(super) column_bit: u8,
    pub(super) block_bit: u8,
    pub(super) number: u8,
}

/// The meaning of a word: a cell, whose bits are digits; or a digit in a house, whose bits are cells.
#[derive(Clone, Copy, Debug)]
struct Owner {
    is_cell: bool,
    digit: u8,
    /// The cell, or where the cells of the house begin in [`Tables::cells`].
    start: u16,
}

/// Everything that depends on the shape alone.
#[derive(Debug)]
pub(in crate::solve) struct Tables {
    pub(super) shape: Shape,
    pub(super) order: usize,
    pub(super) spots: Vec<CellWords>,
    owners: Vec<Owner>,
    /// The n cells of each row, then of each column, then of each box.
    cells: Vec<u16>,
}

impl Tables {
    /// The tables of a shape of order at most 36. They are computed at the first call and live as long as the program.
    pub(in crate::solve) fn of(shape: Shape) -> &'static Tables {
        static KNOWN: Kept<Shape, Tables> = Kept::new();
        KNOWN.get(shape, || Box::new(Tables::compute(shape)))
    }

    fn compute(shape: Shape) -> Tables {
        let layout = Layout::of(shape);
        let n = shape.order();
        let spots = layout.cells().map(|cell| {
            let [row, column, block] = layout.houses_of(cell);
            let first_word = |house: House| ((n + house.index()) * n) as u16;
            let in_block = layout.house(block).iter().take_while(|&&other| other != cell).count();
            CellWords {
                row: first_word(row),
                column: first_word(column),
                block: first_word(block),
                row_bit: cell.column(shape) as u8,
                column_bit: cell.row(shape) as u8,
                block_bit: in_block as u8,
                number: block.number(shape) as u8,
            }
        });
        let of_cells = (0..n * n).map(|cell| Owner { is_cell: true, digit: 0, start: cell as u16 });
        let of_houses = layout.houses().flat_map(|house| {
            let start = (house.index() * n) as u16;
            (0..n).map(move |digit| Owner { is_cell: false, digit: digit as u8, start })
        });
        Tables {
            shape,
            order: n,
            spots: spots.collect(),
            owners: of_cells.chain(of_houses).collect(),
            cells: layout.houses().flat_map(|house| layout.house(house)).map(|cell| cell.index() as u16).collect(),
        }
    }

    /// The candidate that a bit of a word stands for: the cell, and the digit from 0.
    #[inline]
    pub(super) fn candidate(&self, word: usize, bit: usize) -> (usize, usize) {
        let owner = self.owners[word];
        if owner.is_cell { (owner.start.into(), bit) } else { (self.cell(word, bit), owner.digit.into()) }
    }

    /// The cell that a bit of a word of a house stands for.
    #[inline]
    pub(super) fn cell(&self, word: usize, bit: usize) -> usize {
        self.cells[usize::from(self.owners[word].start) + bit].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_candidate_is_one_bit_in_each_of_its_four_words() {
        for shape in Shape::all(Shape::MAX_SOLVABLE_ORDER) {
            let (tables, n) = (Tables::of(shape), shape.order());
            for (cell, spot) in tables.spots.iter().enumerate() {
                for digit in 0..n {
                    let houses =
                        [(spot.row, spot.row_bit), (spot.column, spot.column_bit), (spot.block, spot.block_bit)];
                    assert_eq!(tables.candidate(cell, digit), (cell, digit));
                    for (first, bit) in houses {
                        let word = usize::from(first) + digit;
                        assert_eq!(tables.candidate(word, bit.into()), (cell, digit), "{shape} word {word}");
                    }
                }
            }
        }
    }
}
