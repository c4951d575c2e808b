//! Tables for one shape: the place of each cell in its houses, and the meaning of each word of a position.

use crate::board::kept::Kept;
use crate::board::rules::MOST_EXTRAS;
use crate::board::{Cell, House, Layout, Shape};
use crate::solve::Candidate;

/// The words of digit 0 in the three houses of a cell, and the cell's bit in the words of these houses.
///
/// A bit of a row is the number of a column, and a bit of a column the number of a row: cell r2c5 has `row_bit` 4 and
/// `column_bit` 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellWords {
    pub(super) row: u16,
    pub(super) column: u16,
    /// The box.
    pub(super) block: u16,
    pub(super) row_bit: u8,
    pub(super) column_bit: u8,
    pub(super) block_bit: u8,
    /// The number of the box.
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

/// A cell in a house: the word of digit 0 in the house, and the cell's bit in the words of the house.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Membership {
    pub(super) first_word: u16,
    pub(super) bit: u8,
}

impl Membership {
    /// The index of the house on a board of order `n`: its words follow those of the cells, n for each house.
    #[inline(always)]
    pub(super) fn house(self, n: usize) -> usize {
        usize::from(self.first_word) / n - n
    }
}

/// All houses of a cell, side by side in memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memberships {
    all: [Membership; 3 + MOST_EXTRAS],
    count: u8,
}

impl Memberships {
    /// The houses of a cell, and its places in them.
    fn of(layout: &Layout, cell: Cell) -> Memberships {
        let n = layout.shape().order();
        let mut memberships = Memberships::default();
        for (house, membership) in layout.houses_of(cell).zip(&mut memberships.all) {
            let (first_word, bit) = ((n + house.index()) * n, place_in(layout, house, cell));
            *membership = Membership { first_word: first_word as u16, bit: bit as u8 };
            memberships.count += 1;
        }
        memberships
    }

    #[inline]
    pub(super) fn all(&self) -> &[Membership] {
        &self.all[..usize::from(self.count)]
    }

    /// The houses beyond row, column and box.
    #[inline]
    pub(super) fn extras(&self) -> &[Membership] {
        &self.all[3..usize::from(self.count)]
    }
}

/// The cells and houses of a board that has houses beyond rows, columns and boxes, or moves.
#[derive(Debug)]
pub(super) struct FurtherRules {
    /// All houses of each cell.
    pub(super) houses: Vec<Memberships>,
    /// The cells that see each cell without sharing a house with it.
    pub(super) moves: Vec<Vec<u16>>,
}

/// Everything that depends on the shape alone.
#[derive(Debug)]
pub(in crate::solve) struct Tables {
    pub(super) shape: Shape,
    pub(super) order: usize,
    /// The number of words of a position.
    pub(super) words: usize,
    /// Row, column and box of each cell.
    pub(super) spots: Vec<CellWords>,
    /// None on plain boards.
    pub(super) beyond: Option<FurtherRules>,
    /// The meaning of each word.
    owners: Vec<Owner>,
    /// The n cells of each row, then of each column, of each box, and of each other house.
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
            let [row, column, block] = layout.plain_houses_of(cell);
            let [first_row_word, first_column_word, first_block_word] =
                [row, column, block].map(|house| ((n + house.index()) * n) as u16);
            let in_block = place_in(layout, block, cell);
            CellWords {
                row: first_row_word,
                column: first_column_word,
                block: first_block_word,
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
        let beyond = (!shape.is_plain()).then(|| FurtherRules {
            houses: layout.cells().map(|cell| Memberships::of(layout, cell)).collect(),
            moves: layout.cells().map(|cell| layout.moves_of(cell).map(|peer| peer.index() as u16).collect()).collect(),
        });
        Tables {
            shape,
            order: n,
            words: (n + layout.house_count()) * n,
            beyond,
            spots: spots.collect(),
            owners: of_cells.chain(of_houses).collect(),
            cells: layout.houses().flat_map(|house| layout.house(house)).map(|cell| cell.index() as u16).collect(),
        }
    }

    /// The candidate that a bit of a word stands for.
    #[inline]
    pub(super) fn candidate(&self, word: usize, bit: usize) -> Candidate {
        let owner = self.owners[word];
        if owner.is_cell {
            Candidate { cell: owner.start.into(), digit: bit }
        } else {
            Candidate { cell: self.cell(word, bit), digit: owner.digit.into() }
        }
    }

    /// The cells of the house to which a word belongs.
    pub(super) fn cells_of(&self, word: usize) -> impl Iterator<Item = usize> {
        (0..self.order).map(move |bit| self.cell(word, bit))
    }

    /// The cell that a bit of a word of a house stands for.
    #[inline]
    pub(super) fn cell(&self, word: usize, bit: usize) -> usize {
        self.cells[usize::from(self.owners[word].start) + bit].into()
    }
}

/// The number of a cell in a house, from 0.
fn place_in(layout: &Layout, house: House, cell: Cell) -> usize {
    layout.house(house).iter().take_while(|&&before| before != cell).count()
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
                    assert_eq!(tables.candidate(cell, digit), Candidate { cell, digit });
                    for (first, bit) in houses {
                        let word = usize::from(first) + digit;
                        let candidate = tables.candidate(word, bit.into());
                        assert_eq!(candidate, Candidate { cell, digit }, "{shape} word {word}");
                    }
                }
            }
        }
    }
}
