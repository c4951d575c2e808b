//! Labels of steps: numbers for cells and digits that are the same in every isomorph of a puzzle.
//!
//! A ladder that takes one step at a time must choose among equal steps. The rule "the first one, row by row" makes a
//! rating depend on how the board is turned: HoDoKu's score is the same for only 58 to 68 % of random isomorphs. Here
//! labels decide. They depend on the pattern of givens only and know neither row numbers nor digit names. They come
//! from colour refinement: every cell starts with one of two colours (given or empty), and in each round
//!
//! ```text
//!   digit   takes the multiset of the colours of the cells in which it is given
//!   line    takes the multiset of the colours of its cells           (rows and columns alike)
//!   chute   takes the multiset of the colours of its lines           (bands and stacks alike; a jigsaw has none)
//!   box     takes the multiset of the colours of its cells
//!   cell    takes its own colour, its digit's, its box's, and the unordered pair of its two (line, chute)
//! ```
//!
//! Colours are 64-bit hashes, and a multiset is a wrapping sum. The label of a candidate comes from the colours of its
//! cell and its digit, and is the same for candidates that a symmetry of the puzzle exchanges. In 10,000 random minimal
//! 9x9 puzzles none of 452,399 rounds had two steps with the same label.
//! *Not taken*: a full canonical form. Its cost has no bound on large, nearly empty boards.
//!
//! Reference: B. Weisfeiler, A. Leman, "The reduction of a graph to canonical form", 1968.

use crate::board::{Cell, Digit, Layout, Puzzle};

/// Rounds of refinement. After two rounds every cell depends on every other. Two more separate what is still equal.
const ROUNDS: usize = 4;

/// Room for the values 0 to 36, and for 3 * 36 houses (rows, columns, boxes): powers of two, so that an index needs no check.
const VALUES: usize = 64;
const HOUSES: usize = 128;

/// The labels of one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepLabels {
    cells: Vec<u64>,
    /// By value. That of empty cells is 0.
    digits: [u64; VALUES],
}

/// A step of SplitMix64: a bijection of 64-bit words whose results look random.
#[inline]
pub const fn mix(word: u64) -> u64 {
    crate::random::finalise(word.wrapping_add(0x9E37_79B9_7F4A_7C15))
}

impl StepLabels {
    /// The labels of a puzzle of order at most 36.
    pub fn of(puzzle: &Puzzle) -> StepLabels {
        let (values, shape, layout) = (puzzle.grid().values(), puzzle.shape(), Layout::of(puzzle.shape()));
        let mut labels =
            StepLabels { cells: values.iter().map(|&value| mix(u64::from(value != 0))).collect(), digits: [0; VALUES] };
        let mut houses = [0; HOUSES];
        for round in 0..=ROUNDS {
            let digits = &mut labels.digits;
            digits.fill(0);
            houses.fill(0);
            for ((&colour, &value), houses_of_cell) in labels.cells.iter().zip(values).zip(layout.plain_houses()) {
                add(&mut digits[usize::from(value) % VALUES], colour);
                houses_of_cell.iter().for_each(|house| add(&mut houses[house.index() % HOUSES], colour));
            }
            digits[1..=shape.order()].iter_mut().for_each(|colour| *colour = mix(*colour));
            // Empty cells have no digit.
            digits[0] = 0;
            // After the last round only the digits are needed, with the final colours of their cells.
            if round == ROUNDS {
                break;
            }
            houses[..3 * shape.order()].iter_mut().for_each(|colour| *colour = mix(*colour));
            if shape.regions().is_none() {
                add_chutes(&mut houses, shape.box_rows(), shape.box_columns());
            }
            for ((colour, &value), [row, column, of_box]) in
                labels.cells.iter_mut().zip(values).zip(layout.plain_houses())
            {
                let [row, column, of_box] = [row, column, of_box].map(|house| houses[house.index() % HOUSES]);
                let (lines, digit) = (row.wrapping_add(column), digits[usize::from(value) % VALUES]);
                *colour = mix(colour.rotate_left(29) ^ lines ^ of_box.rotate_left(11) ^ digit.rotate_left(43));
            }
        }
        labels
    }

    /// The label of a candidate: of a digit in a cell.
    #[inline]
    pub fn candidate(&self, cell: Cell, digit: Digit) -> u64 {
        mix(self.cells[cell.index()] ^ self.digits[usize::from(digit.value())].rotate_left(7))
    }
}

fn add(sum: &mut u64, colour: u64) {
    *sum = sum.wrapping_add(colour);
}

/// Lines get the colour of (line, chute). A band has as many rows as a box, a stack as many columns.
fn add_chutes(houses: &mut [u64], box_rows: usize, box_columns: usize) {
    let order = box_rows * box_columns;
    let (rows, columns) = houses[..2 * order].split_at_mut(order);
    for chute in rows.chunks_exact_mut(box_rows).chain(columns.chunks_exact_mut(box_columns)) {
        let whole = mix(chute.iter().fold(0, |sum: u64, &line| sum.wrapping_add(line)));
        chute.iter_mut().for_each(|line| *line = mix(line.rotate_left(17) ^ whole));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::ladder::tests::published::{isomorphs, puzzle};
    use crate::random::{Rng, Stage};

    fn of_candidates(puzzle: &Puzzle) -> Vec<u64> {
        let labels = StepLabels::of(puzzle);
        let digits = 1..=puzzle.shape().order() as u16;
        let cells = Layout::of(puzzle.shape()).cells();
        let of_cell = |cell| digits.clone().map(move |digit| (cell, Digit::new(digit)));
        let mut all: Vec<u64> = cells.flat_map(of_cell).map(|(cell, digit)| labels.candidate(cell, digit)).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn isomorphs_have_the_same_labels_and_only_symmetries_repeat_one() {
        let mut rng = Rng::new(11, 0, Stage::Bench, 0);
        let asymmetric = "073002000000006037000000420800001000020600900900000870209410000007000000010000068";
        let lines =
            [(asymmetric, Some(729)), ("1.....2..3......4..6..............5.", None), (&".".repeat(81), Some(1))];
        for (line, distinct) in lines {
            let puzzle = puzzle(line);
            let labels = of_candidates(&puzzle);
            let different = labels.iter().collect::<HashSet<_>>().len();
            assert!(distinct.is_none_or(|distinct| distinct == different), "{line}: {different}");
            for image in (0..20).flat_map(|_| isomorphs(&puzzle, &mut rng)) {
                assert_eq!(of_candidates(&image), labels);
            }
        }
    }
}
