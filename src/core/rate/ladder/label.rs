//! Labels of steps: numbers for cells and digits that are the same in every isomorph of a puzzle.
//!
//! A ladder that takes one step at a time must choose among equal steps. The rule "the first one, row by row" makes a
//! rating depend on how the board is turned: HoDoKu's score is the same for only 58 to 68 % of random isomorphs. Here
//! labels decide. They depend on the pattern of givens only and know neither row numbers nor digit names. They come
//! from colour refinement: every cell starts with one of two colours (given or open), and in each round
//!
//! ```text
//!   digit   takes the multiset of the colours of the cells in which it is given
//!   line    takes the multiset of the colours of its cells           (rows and columns alike)
//!   chute   takes the multiset of the colours of its lines           (bands and stacks alike; a jigsaw has none)
//!   box     takes the multiset of the colours of its cells
//!   cell    takes its own colour, its digit's, its box's, and the unordered pair of its two (line, chute)
//! ```
//!
//! Colours are 64-bit hashes, and a multiset is a wrapping sum. Cells that a symmetry of the puzzle exchanges always
//! have the same colour. In 10,000 random minimal 9x9 puzzles none of 452,399 rounds had two steps with the same label.
//! *Not taken*: a full canonical form. Its cost has no bound on large, nearly empty boards.
//!
//! Reference: B. Weisfeiler, A. Leman, "The reduction of a graph to canonical form", 1968.

use crate::board::{Cell, Digit, Puzzle};

/// Rounds of refinement. After two rounds every cell depends on every other. Two more separate what is still equal.
const ROUNDS: usize = 4;

/// The labels of one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepLabels {
    cells: Vec<u64>,
    /// By value. That of open cells is 0.
    digits: Vec<u64>,
}

/// A step of SplitMix64: a bijection of 64-bit words whose results look random.
#[inline]
pub const fn mix(word: u64) -> u64 {
    crate::random::finalise(word.wrapping_add(0x9E37_79B9_7F4A_7C15))
}

impl StepLabels {
    /// The labels of a puzzle of order at most 36.
    pub fn of(puzzle: &Puzzle) -> StepLabels {
        let (values, shape) = (puzzle.grid().values(), puzzle.shape());
        match shape.regions() {
            // The compiler makes a copy for boxes of this size.
            None if (shape.box_rows(), shape.box_columns()) == (3, 3) => StepLabels::refined(values, 9, Ok((3, 3))),
            None => StepLabels::refined(values, shape.order(), Ok((shape.box_rows(), shape.box_columns()))),
            Some(regions) => StepLabels::refined(values, shape.order(), Err(regions)),
        }
    }

    /// The labels of a board of order `n` with boxes of some rows and columns, or with regions.
    #[inline(always)]
    fn refined(values: &[u16], n: usize, boxes: Result<(usize, usize), &[u8]>) -> StepLabels {
        let mut labels = StepLabels {
            cells: values.iter().map(|&value| mix(u64::from(value != 0))).collect(),
            digits: vec![0; n + 1],
        };
        let mut houses = vec![0; 3 * n];
        for _ in 0..ROUNDS {
            labels.refine_digits(values);
            labels.refine_houses(n, boxes, &mut houses);
            labels.refine_cells(values, n, boxes, &houses);
        }
        labels.refine_digits(values);
        labels
    }

    /// Colours each digit by the cells that have it. Blank cells get none.
    fn refine_digits(&mut self, values: &[u16]) {
        self.digits.fill(0);
        for (&colour, &value) in self.cells.iter().zip(values) {
            let digit = &mut self.digits[usize::from(value)];
            *digit = digit.wrapping_add(colour);
        }
        self.digits.iter_mut().for_each(|colour| *colour = mix(*colour));
        self.digits[0] = 0;
    }

    /// Lines get the colour of (line, chute), boxes their own colour.
    #[inline(always)]
    fn refine_houses(&self, n: usize, boxes: Result<(usize, usize), &[u8]>, houses: &mut [u64]) {
        houses.fill(0);
        let (height, width) = match boxes {
            Ok(size) => size,
            Err(regions) => {
                for (at, (&colour, &region)) in self.cells.iter().zip(regions).enumerate() {
                    for house in [at / n, n + at % n, 2 * n + usize::from(region)] {
                        houses[house] = houses[house].wrapping_add(colour);
                    }
                }
                return houses.iter_mut().for_each(|colour| *colour = mix(*colour));
            }
        };
        let (rows, others) = houses.split_at_mut(n);
        let (columns, boxes) = others.split_at_mut(n);
        let add = |sum: &mut u64, colour: u64| *sum = sum.wrapping_add(colour);
        for (row, (colours, sum)) in self.cells.chunks_exact(n).zip(rows).enumerate() {
            columns.iter_mut().zip(colours).for_each(|(column, &colour)| add(column, colour));
            let first = row / height * height;
            for (of_box, part) in boxes[first..].iter_mut().zip(colours.chunks_exact(width)) {
                let part = part.iter().fold(0, |sum: u64, &colour| sum.wrapping_add(colour));
                add(of_box, part);
                add(sum, part);
            }
        }
        houses.iter_mut().for_each(|colour| *colour = mix(*colour));
        let (lines, _) = houses.split_at_mut(2 * n);
        let (rows, columns) = lines.split_at_mut(n);
        for chute in rows.chunks_exact_mut(height).chain(columns.chunks_exact_mut(width)) {
            let whole = mix(chute.iter().fold(0, |sum: u64, &line| sum.wrapping_add(line)));
            chute.iter_mut().for_each(|line| *line = mix(line.rotate_left(17) ^ whole));
        }
    }

    #[inline(always)]
    fn refine_cells(&mut self, values: &[u16], n: usize, boxes: Result<(usize, usize), &[u8]>, houses: &[u64]) {
        let (rows, others) = houses.split_at(n);
        let (columns, of_boxes) = others.split_at(n);
        let (height, width) = match boxes {
            Ok(size) => size,
            Err(regions) => {
                for (at, ((colour, &digit), &region)) in self.cells.iter_mut().zip(values).zip(regions).enumerate() {
                    let lines = rows[at / n].wrapping_add(columns[at % n]);
                    let (of_box, digit) = (of_boxes[usize::from(region)], self.digits[usize::from(digit)]);
                    *colour = mix(colour.rotate_left(29) ^ lines ^ of_box.rotate_left(11) ^ digit.rotate_left(43));
                }
                return;
            }
        };
        let lines = self.cells.chunks_exact_mut(n).zip(values.chunks_exact(n));
        for (row, ((colours, values), &of_row)) in lines.zip(rows).enumerate() {
            let boxes = &of_boxes[row / height * height..];
            let parts =
                colours.chunks_exact_mut(width).zip(values.chunks_exact(width)).zip(columns.chunks_exact(width));
            for (((colours, values), columns), of_box) in parts.zip(boxes) {
                for ((colour, &digit), column) in colours.iter_mut().zip(values).zip(columns) {
                    let digit = self.digits[usize::from(digit)];
                    let lines = of_row.wrapping_add(*column);
                    *colour = mix(colour.rotate_left(29) ^ lines ^ of_box.rotate_left(11) ^ digit.rotate_left(43));
                }
            }
        }
    }

    /// The label of a candidate: of a digit in a cell.
    #[inline]
    pub fn candidate(&self, cell: Cell, digit: Digit) -> u64 {
        mix(self.cells[cell.index()] ^ self.digits[usize::from(digit.value())].rotate_left(7))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::Layout;
    use crate::random::{Rng, Stage};
    use crate::rate::tests::published::{isomorphs, puzzle};

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
            let found = labels.iter().collect::<HashSet<_>>().len();
            assert!(distinct.is_none_or(|distinct| distinct == found), "{line}: {found}");
            for image in (0..20).flat_map(|_| isomorphs(&puzzle, &mut rng)) {
                assert_eq!(of_candidates(&image), labels);
            }
        }
    }
}
