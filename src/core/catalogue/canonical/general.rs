//! Canonical form of puzzles on plain boards of any size (boxes, no variants): colours are refined until every row,
//! column and digit has its own colour.
//!
//! ```text
//!   row      <- its band, and the (column, digit) of each of its givens       Colours are hashes that do not depend on
//!   column   <- its stack, and the (row, digit) of each of its givens         the order of rows, columns and digits.
//!   digit    <- the (row, column) of each of its givens                       Each round computes new colours from
//!   band     <- its rows;   stack <- its columns                              the old ones.
//! ```
//!
//! If two rows (or columns, or digits) still have the same colour, the algorithm tries each of them: it gives this one
//! a new colour and refines again. This gives several boards; the smallest is the canonical form. Rows, columns and
//! digits without givens are never separated, because they can be exchanged. Reference: McKay & Piperno, "Practical
//! graph isomorphism, II" (2014). Their pruning by automorphisms is left out: sparse puzzles have hardly any
//! automorphisms, and for nearly all of them a dozen positions are enough.
//!
//! *Tried and lost*: building rows from the top for all shapes, as [`super::puzzle`] does for 9x9. On a 16x16 board
//! there are 24 orders of four stacks, times the orders of new digits in the first row: thousands of partial maps.

use crate::board::maps::count_different;
use crate::board::{Puzzle, Shape};
use crate::random::finalise;
use crate::stop;

/// The largest number of positions to visit. If more are needed, the class is a hash of the board itself. A random full
/// 16x16 grid needs some thousands.
const BUDGET: usize = 20_000;

/// Is mixed into the colours of bands and stacks in each round.
const ROUND: u64 = 7;
/// Makes the colour of a row, column or digit that is separated from others.
const SEPARATED: u64 = 0x5851_f42d_4c95_7f2d;

/// The kinds of objects that have colours.
const ROWS: usize = 0;
const COLUMNS: usize = 1;
const DIGITS: usize = 2;

/// The class of a puzzle: a hash of its form. If the form would take too long, a hash of the board itself.
pub(super) fn class(puzzle: &Puzzle) -> u128 {
    // A board with 3x2 boxes and its transpose are essentially the same, so boxes higher than wide are turned.
    let upright = OrientedGivens::of(puzzle, puzzle.shape().box_rows() > puzzle.shape().box_columns());
    form(&upright).map_or_else(|| class_of_board(&upright), |form| hash(upright.shape, Hashed::Form, &form))
}

fn class_of_board(upright: &OrientedGivens) -> u128 {
    hash(upright.shape, Hashed::Board, &values_of(upright.shape, upright.list.iter().copied()))
}

/// The smallest of the resulting boards. None if the budget is used up.
fn form(upright: &OrientedGivens) -> Option<Vec<u16>> {
    let mut trials = Trials { left: BUDGET, best: None };
    trials.run(upright, Colours::new(upright.shape))?;
    if upright.shape.is_square() {
        let transposed = upright.transposed();
        trials.run(&transposed, Colours::new(transposed.shape))?;
    }
    trials.best
}

/// What a class is a hash of. Both are hashed in different ways, so that a board is never taken for a form.
#[derive(Clone, Copy)]
enum Hashed {
    Form = 0,
    Board = 1,
}

/// The hash of a form, or of a board.
fn hash(shape: Shape, hashed: Hashed, values: &[u16]) -> u128 {
    let first = (hashed as u64) << 32 | (shape.box_rows() << 16 | shape.box_columns()) as u64;
    let parts = values.chunks(4).map(|part| part.iter().rev().fold(0, |word, &cell| word << 16 | u64::from(cell)));
    super::form::hash(std::iter::once(first).chain(parts))
}

/// The givens of a board in one orientation.
struct OrientedGivens {
    shape: Shape,
    /// Row, column and digit, all from 0.
    list: Vec<[usize; 3]>,
    /// How many givens each row, column and digit has.
    counts: [Vec<u32>; 3],
}

impl OrientedGivens {
    /// The givens of a puzzle, or of the puzzle turned over.
    fn of(puzzle: &Puzzle, transpose: bool) -> OrientedGivens {
        let shape = puzzle.shape();
        let n = shape.order();
        let values = puzzle.grid().values().iter().enumerate().filter(|(_, value)| **value > 0);
        let list = values.map(|(cell, &value)| [cell / n, cell % n, usize::from(value) - 1]).collect();
        let upright = OrientedGivens::new(shape, list);
        if transpose { upright.transposed() } else { upright }
    }

    /// With the number of givens in each row, in each column and of each digit.
    fn new(shape: Shape, list: Vec<[usize; 3]>) -> OrientedGivens {
        let mut counts = std::array::from_fn(|_| vec![0; shape.order()]);
        for given in &list {
            (0..3).for_each(|kind| counts[kind][given[kind]] += 1);
        }
        OrientedGivens { shape, list, counts }
    }

    /// The givens of the board turned over, whose boxes are turned over too.
    fn transposed(&self) -> OrientedGivens {
        let list = self.list.iter().map(|&[row, column, digit]| [column, row, digit]).collect();
        OrientedGivens::new(self.shape.transposed(), list)
    }
}

/// A colour for each row, column and digit, and for each band and stack.
#[derive(Clone)]
struct Colours {
    /// `[kind][number]`: rows, columns, digits.
    kinds: [Vec<u64>; 3],
    /// Bands, then stacks.
    groups: [Vec<u64>; 2],
}

/// Rows, columns or digits that have givens and share a colour. Fields are compared in this order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Tie {
    size: usize,
    kind: usize,
    colour: u64,
    /// The numbers of the rows, columns or digits.
    numbers: Vec<usize>,
}

/// Mixes a colour into another; the order matters.
#[inline]
fn mix(colour: u64, other: u64) -> u64 {
    finalise(colour.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.rotate_left(23))
}

impl Colours {
    /// One colour for all rows, one for all columns, and so on.
    fn new(shape: Shape) -> Colours {
        let n = shape.order();
        let [row, column, digit, band, stack] = [1, 2, 3, 4, 5].map(finalise);
        let kinds = [row, column, digit].map(|colour| vec![colour; n]);
        Colours { kinds, groups: [vec![band; shape.bands()], vec![stack; shape.stacks()]] }
    }

    /// Refines until the number of colours no longer grows.
    fn refine(&mut self, givens: &OrientedGivens) {
        let mut before = 0;
        loop {
            self.round(givens);
            let now = self.count();
            if now == before {
                return;
            }
            before = now;
        }
    }

    /// Makes one round: every colour is mixed with the colours next to it.
    fn round(&mut self, givens: &OrientedGivens) {
        let sizes = [givens.shape.box_rows(), givens.shape.box_columns()];
        let mut sums = self.kinds.clone();
        for (kind, sums) in sums.iter_mut().enumerate() {
            for (line, sum) in sums.iter_mut().enumerate() {
                let group = if kind == DIGITS { 0 } else { self.groups[kind][line / sizes[kind]] };
                *sum = mix(*sum, group);
            }
        }
        for &[row, column, digit] in &givens.list {
            let [r, c, d] = [self.kinds[ROWS][row], self.kinds[COLUMNS][column], self.kinds[DIGITS][digit]];
            // A sum does not depend on the order of the givens.
            sums[ROWS][row] = sums[ROWS][row].wrapping_add(mix(c, d));
            sums[COLUMNS][column] = sums[COLUMNS][column].wrapping_add(mix(r, d));
            sums[DIGITS][digit] = sums[DIGITS][digit].wrapping_add(mix(r, c));
        }
        self.kinds = sums.map(|sums| sums.into_iter().map(finalise).collect());
        for (kind, groups) in self.groups.iter_mut().enumerate() {
            for (group, lines) in groups.iter_mut().zip(self.kinds[kind].chunks(sizes[kind])) {
                *group = lines.iter().fold(mix(*group, ROUND), |sum, &line| sum.wrapping_add(finalise(line)));
            }
        }
    }

    fn count(&self) -> usize {
        self.kinds.iter().chain(&self.groups).map(|colours| count_different(colours)).sum()
    }

    /// The rows, columns or digits to separate next.
    fn smallest_tie(&self, givens: &OrientedGivens) -> Option<Tie> {
        let mut ties = Vec::new();
        for (kind, colours) in self.kinds.iter().enumerate() {
            let mut places: Vec<usize> = (0..colours.len()).filter(|&place| givens.counts[kind][place] > 0).collect();
            places.sort_unstable_by_key(|&place| colours[place]);
            for tied in places.chunk_by(|&a, &b| colours[a] == colours[b]).filter(|tied| tied.len() > 1) {
                ties.push(Tie { size: tied.len(), kind, colour: colours[tied[0]], numbers: tied.to_vec() });
            }
        }
        ties.into_iter().min()
    }

    /// The board with bands, rows, stacks, columns and digits in the order of their colours.
    fn board(&self, givens: &OrientedGivens) -> Vec<u16> {
        let n = givens.shape.order();
        let sizes = [givens.shape.box_rows(), givens.shape.box_columns()];
        let [rows, columns, digits] = [ROWS, COLUMNS, DIGITS].map(|kind| {
            let mut order: Vec<usize> = (0..n).collect();
            order.sort_by_key(|&number| {
                let colour = self.kinds[kind][number];
                if kind == DIGITS {
                    return (0, 0, colour);
                }
                // Groups with the same colour are empty. The second key keeps the lines of each group together.
                let group = number / sizes[kind];
                (self.groups[kind][group], group, colour)
            });
            let mut places = vec![0; n];
            order.into_iter().enumerate().for_each(|(place, number)| places[number] = place);
            places
        });
        let placed = givens.list.iter().map(|&[row, column, digit]| [rows[row], columns[column], digits[digit]]);
        values_of(givens.shape, placed)
    }
}

/// The values of a board, row by row, by the row, column and digit of each given.
fn values_of(shape: Shape, givens: impl Iterator<Item = [usize; 3]>) -> Vec<u16> {
    let mut values = vec![0; shape.cells()];
    for [row, column, digit] in givens {
        values[row * shape.order() + column] = digit as u16 + 1;
    }
    values
}

/// The number of trials that are left, and the smallest board so far.
struct Trials {
    left: usize,
    best: Option<Vec<u16>>,
}

impl Trials {
    /// Separates rows, columns and digits of the same colour in all ways. None if the budget is used up.
    fn run(&mut self, givens: &OrientedGivens, mut colours: Colours) -> Option<()> {
        stop::ask();
        self.left = self.left.checked_sub(1)?;
        colours.refine(givens);
        let Some(Tie { kind, numbers, .. }) = colours.smallest_tie(givens) else {
            let board = colours.board(givens);
            if self.best.as_ref().is_none_or(|best| board < *best) {
                self.best = Some(board);
            }
            return Some(());
        };
        for number in numbers {
            let mut separated = colours.clone();
            separated.kinds[kind][number] = finalise(separated.kinds[kind][number] ^ SEPARATED);
            self.run(givens, separated)?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::board::{Freedom, Grid, Isomorphism, Solution};
    use crate::catalogue::Canonical;
    use crate::random::{Rng, Stage};

    fn image(shape: Shape, rng: &mut Rng) -> Solution {
        Isomorphism::random(shape, Freedom::ALL, rng).apply(&Solution::template(shape))
    }

    #[test]
    fn isomorphs_have_the_same_class() {
        for shape in Shape::all(36) {
            for index in 0..6 {
                let mut rng = Rng::new(11, index, Stage::Bench, shape.order() as u64);
                let keep = 1 + rng.below(3);
                let puzzle = image(shape, &mut rng).masked(|_| rng.below(4) < keep);
                let map = Isomorphism::random(shape, Freedom::ALL, &mut rng);
                let map = if index % 2 == 0 { map.then(&Isomorphism::transposition(shape)) } else { map };
                let of_form = form(&OrientedGivens::of(&puzzle, false)).is_some();
                let same = class(&puzzle) == class(&map.apply_to_puzzle(&puzzle));
                assert!(same || !of_form, "{shape} {puzzle}");
                assert!(of_form || keep > 1, "{shape}: no form of a sparse puzzle {puzzle}");
            }
        }
    }

    #[test]
    fn boards_without_a_form_are_turned_with_their_values() {
        let [tall, wide] = ["3x2", "2x3"].map(|shape| shape.parse::<Shape>().unwrap());
        let puzzle = image(tall, &mut Rng::new(14, 0, Stage::Bench, 0)).masked(|cell| cell.index() < 3);
        let same_values = Grid::new(wide, puzzle.grid().values().to_vec()).unwrap().try_into().unwrap();
        let turned = Isomorphism::transposition(tall).apply_to_puzzle(&puzzle);
        let class_of = |puzzle: &Puzzle, transpose| class_of_board(&OrientedGivens::of(puzzle, transpose));
        assert_eq!(class_of(&puzzle, true), class_of(&turned, false));
        assert_ne!(class_of(&puzzle, true), class_of(&same_values, false));
    }

    /// The smallest of all equivalent 4x4 boards, by trying all maps.
    fn smallest(puzzle: &Puzzle) -> Vec<u16> {
        let shape = puzzle.shape();
        // The bands exchanged or not, and the lines of either band.
        let order = |way: u32| (0..4).map(|at| at ^ ((way & 4) / 2) ^ ((way >> (at / 2)) & 1)).collect();
        let lines: Vec<Vec<u32>> = (0..8).map(order).collect();
        let mut best: Option<Vec<u16>> = None;
        for transpose in [false, true] {
            for rows in &lines {
                for columns in &lines {
                    let crossed = |row: u32, column: u32| if transpose { column * 4 + row } else { row * 4 + column };
                    let cells = rows.iter().flat_map(|&row| columns.iter().map(move |&column| crossed(row, column)));
                    let map = Isomorphism::new(shape, shape, cells.collect(), (0..=4).collect()).unwrap();
                    let mut values = map.apply_to_puzzle(puzzle).into_grid().values().to_vec();
                    // Digits in the order of their first appearance.
                    let mut labels = HashMap::new();
                    for value in values.iter_mut().filter(|value| **value > 0) {
                        let next = labels.len() as u16 + 1;
                        *value = *labels.entry(*value).or_insert(next);
                    }
                    if best.as_ref().is_none_or(|best| values < *best) {
                        best = Some(values);
                    }
                }
            }
        }
        best.unwrap()
    }

    #[test]
    fn classes_of_small_boards_agree_with_trying_all_maps() {
        let four: Shape = "2x2".parse().unwrap();
        let mut of_class: HashMap<u128, Vec<u16>> = HashMap::new();
        let mut of_smallest: HashMap<Vec<u16>, u128> = HashMap::new();
        for index in 0..3_000 {
            let mut rng = Rng::new(12, index, Stage::Bench, 0);
            let keep = rng.below(17);
            let puzzle = image(four, &mut rng).masked(|_| rng.below(16) < keep);
            let (class, smallest) = (class(&puzzle), smallest(&puzzle));
            assert_eq!(*of_class.entry(class).or_insert_with(|| smallest.clone()), smallest, "{puzzle}");
            assert_eq!(*of_smallest.entry(smallest).or_insert(class), class, "{puzzle}");
        }
        assert!(of_class.len() > 100, "{}", of_class.len());
    }

    /// Compares with the other algorithm, on boards with so few givens that many are equivalent.
    #[test]
    fn classes_of_ordinary_boards_are_those_of_the_minlex_form() {
        let mut pairs: HashMap<u128, u128> = HashMap::new();
        for index in 0..4_000 {
            let mut rng = Rng::new(13, index, Stage::Bench, 0);
            let keep = 2 + rng.below(6);
            let puzzle = image(Shape::NINE, &mut rng).masked(|_| rng.below(81) < keep);
            let minlex = Canonical::of(&puzzle).unwrap().class();
            assert_eq!(*pairs.entry(minlex).or_insert_with(|| class(&puzzle)), class(&puzzle), "{puzzle}");
        }
        let classes: HashSet<u128> = pairs.values().copied().collect();
        assert_eq!(classes.len(), pairs.len());
        assert!(pairs.len() < 3_500, "hardly any are equivalent: {}", pairs.len());
    }
}
