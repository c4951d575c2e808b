//! Gives every labelled grid a number: a bijection of the grids of a shape with 0 .. N.
//!
//! ```text
//!   9x9   class of the column contents of band 1 (44, the *gangsters* of the literature)
//!         > content in its class > partition of stack 1 (280) > orders of the columns of the three stacks (6^3)
//!         > order of the rows of band 1 (6) > band 1 with these columns and rows sorted
//!         > splits of the columns, and bands 2 and 3 with their rows sorted > orders of their rows (6^2)
//! ```
//!
//! The leftmost part is the most significant one. Each part is a number below the number of its possible values. All
//! contents of a class have the same numbers of bands and completions. So the digits are renamed and the stacks
//! exchanged in a way that makes the content the first of its class. The rest of the number describes the grid in this
//! form; see [`super::bands`]. Boards whose boxes have two rows are numbered in the same way, see [`super::two_rows`].
//! The numbers will not change.

use std::sync::LazyLock;

use super::bands::{BandRows, Bands, BandsBelow, Content, bands};
use super::partition::{DigitRow, Id, PARTITIONS, Triples, chosen, digits, inverse, names_of, set_of};
use super::two_rows::TwoRows;
use crate::board::{Shape, Solution};
use crate::catalogue::orders::{ORDERS, order_number};

/// Number of 9x9 grids.
pub(crate) const GRIDS: u128 = 6_670_903_752_021_072_936_960;

/// Number of grids of a shape; None if they are not numbered (the plain boards 3x3, 2x2, 2x3, 3x2, 2x4, 4x2 are).
pub fn grids(shape: Shape) -> Option<u128> {
    match (shape.box_rows(), shape.box_columns()) {
        _ if !shape.is_plain() => None,
        (3, 3) => Some(GRIDS),
        (2, columns @ 2..=4) | (columns @ 3..=4, 2) => Some(two_rows(columns).grids().into()),
        _ => None,
    }
}

/// The number of a grid, from 0; None if grids of its shape are not numbered.
pub fn grid_number(grid: &Solution) -> Option<u128> {
    let values: Vec<u8> = grid.values().iter().map(|&value| value as u8).collect();
    match (grid.shape().box_rows(), grid.shape().box_columns()) {
        _ if !grid.shape().is_plain() => None,
        (3, 3) => grid.grid().nine().map(|values| number_of_values(&values)),
        (2, columns @ 2..=4) => Some(two_rows(columns).rank(&values).into()),
        (columns @ 3..=4, 2) => Some(two_rows(columns).rank(&transposed(&values, 2 * columns)).into()),
        _ => None,
    }
}

/// The number of a full 9x9 grid of digits 1..=9, which must be valid.
pub(crate) fn number_of_values(values: &[u8; 81]) -> u128 {
    GridParts::of_grid(bands(), values).number(bands())
}

/// The grid of a number below [`grids`]; None for other numbers, and for shapes whose grids are not numbered.
pub fn grid_of_number(shape: Shape, number: u128) -> Option<Solution> {
    if number >= grids(shape)? {
        return None;
    }
    let values = match (shape.box_rows(), shape.box_columns()) {
        (3, 3) => GridParts::of_number(bands(), number).grid(bands()).to_vec(),
        (2, columns) => two_rows(columns).grid(number as u64),
        (columns, _) => transposed(&two_rows(columns).grid(number as u64), 2 * columns),
    };
    Some(Solution::trusted(shape, values.into_iter().map(u16::from).collect()))
}

/// The tables for boxes of two rows and 2 to 4 columns.
pub(crate) fn two_rows(box_columns: usize) -> &'static TwoRows {
    static TABLES: [LazyLock<TwoRows>; 3] =
        [LazyLock::new(|| TwoRows::new(2)), LazyLock::new(|| TwoRows::new(3)), LazyLock::new(|| TwoRows::new(4))];
    &TABLES[box_columns - 2]
}

/// The cells of a board with rows and columns exchanged, row by row. `order` is the order of the board.
pub(crate) fn transposed<T: Copy>(values: &[T], order: usize) -> Vec<T> {
    (0..order).flat_map(|row| values[row..].iter().step_by(order).copied()).collect()
}

/// The digits of three columns, or of three rows, as sets.
fn sets(lines: [[u8; 3]; 3]) -> Triples {
    lines.map(|line| set_of(&line))
}

/// The digits of the rows of a band in one stack.
fn row_sets(band: &BandRows, stack: usize) -> Triples {
    sets(band.map(|row| [row[3 * stack], row[3 * stack + 1], row[3 * stack + 2]]))
}

/// The digits of the columns of a band in one stack.
fn column_sets(band: &BandRows, stack: usize) -> Triples {
    sets([0, 1, 2].map(|column| band.map(|row| row[3 * stack + column])))
}

/// The number of the order that sets have by their lowest digits.
fn order_by_lowest(sets: Triples) -> usize {
    order_number(sets.map(u16::trailing_zeros))
}

/// The number of the split of a partition whose second box has these lines.
fn split_number(bands: &Bands, id: Id, second: Triples) -> usize {
    let splits = &bands.partitions.splits[usize::from(id)];
    splits.iter().position(|split| split.second == second).unwrap_or_default()
}

/// How the digits and stacks of a grid become those of the first content of its class.
struct Renaming {
    /// For each new stack, the stack of the grid that it comes from.
    stacks: [usize; 3],
    /// New names of the digits: digit d becomes `names[d]`.
    names: DigitRow,
    /// Partitions of the columns of band 1 in the new stacks.
    ids: [Id; 3],
}

impl Renaming {
    /// For a content of columns whose first stack has a partition.
    fn new(bands: &Bands, content: &Content, partition: Id) -> Renaming {
        let class = &bands.classes()[usize::from(content.class)];
        // The partition of stack 1 becomes partition 0; then the content becomes the first of its class.
        let names = chosen(&content.names, &names_of(&bands.partitions.triples[usize::from(partition)]));
        Renaming { stacks: content.stacks.map(usize::from), names, ids: [0, class.stacks[0], class.stacks[1]] }
    }

    /// The bands of a grid with the new digits and stacks. `columns` are the columns of its band 1, stack by stack. The
    /// new columns of a stack are in the order of their lowest new digits in band 1.
    fn renamed_bands(&self, values: &[u8; 81], columns: &[Triples; 3]) -> [BandRows; 3] {
        let new_digit = |digit: u8| self.names[usize::from(digit)];
        // [new column]: the column of the grid.
        let mut sources = [0; 9];
        for (new_stack, &stack) in self.stacks.iter().enumerate() {
            let lowest = columns[stack].map(|set| digits(set).map(new_digit).min());
            let ranks = ORDERS[order_number(lowest)];
            for (place, rank) in ranks.into_iter().enumerate() {
                sources[3 * new_stack + rank] = 3 * stack + place;
            }
        }
        std::array::from_fn(|band| {
            std::array::from_fn(|row| sources.map(|column| new_digit(values[27 * band + 9 * row + column] - 1)))
        })
    }
}

/// The parts of the number of a grid; see the head of this file.
struct GridParts {
    /// The class of the content of band 1.
    class: usize,
    /// The number of the content in its class.
    content: u64,
    /// The partition of the columns of band 1 in stack 1.
    partition: Id,
    /// The orders of the columns of the three stacks.
    column_orders: [usize; 3],
    /// The orders of the rows of the three bands.
    row_orders: [usize; 3],
    /// The number of band 1 among those with its content and sorted rows.
    first_band: u64,
    /// Bands 2 and 3.
    below: BandsBelow,
}

impl GridParts {
    /// The parts of a grid of digits 1..=9. The orders of rows and the bands are read off after the grid was brought to
    /// the names and columns of the first content of its class.
    fn of_grid(bands: &Bands, values: &[u8; 81]) -> GridParts {
        let partitions = bands.partitions;
        let top: BandRows = std::array::from_fn(|row| std::array::from_fn(|column| values[9 * row + column] - 1));
        let columns = [0, 1, 2].map(|stack| column_sets(&top, stack));
        let ids = columns.map(|columns| partitions.id(&columns));
        let content = bands.content(ids);
        let renaming = Renaming::new(bands, content, ids[0]);
        let [first, second, third] = renaming.renamed_bands(values, &columns);
        // The splits of the columns, which bands 2 and 3 share.
        let stacks = [0, 1, 2];
        let splits = stacks.map(|stack| split_number(bands, renaming.ids[stack], column_sets(&second, stack)));
        let split = stacks.map(|stack| &partitions.splits[usize::from(renaming.ids[stack])][splits[stack]]);
        let first = BandNumber::new(bands, renaming.ids, &first);
        let second = BandNumber::new(bands, split.map(|split| split.second_id), &second);
        let third = BandNumber::new(bands, split.map(|split| split.third_id), &third);
        GridParts {
            class: content.class.into(),
            content: content.number.into(),
            partition: ids[0],
            column_orders: columns.map(order_by_lowest),
            row_orders: [first.row_order, second.row_order, third.row_order],
            first_band: first.among_listed,
            below: BandsBelow { splits, second: second.among_listed, third: third.among_listed },
        }
    }

    /// Writes the parts, from the most significant one to the least.
    fn number(&self, bands: &Bands) -> u128 {
        let class = &bands.classes()[self.class];
        let [first_order, second_order, third_order] = self.row_orders.map(|order| order as u64);
        let mut number = MixedRadix(self.content.into());
        number.push(self.partition.into(), PARTITIONS as u64);
        self.column_orders.iter().for_each(|&order| number.push(order as u64, 6));
        number.push(first_order, 6);
        number.push(self.first_band, class.fillings);
        number.push(bands.rank_below(class, &self.below), class.below);
        number.push(second_order, 6);
        number.push(third_order, 6);
        class.grids_before + number.0
    }

    /// Does what [`GridParts::number`] does backwards, for a number below N.
    fn of_number(bands: &Bands, number: u128) -> GridParts {
        let class_number = bands.classes().partition_point(|class| class.grids_before <= number) - 1;
        let class = &bands.classes()[class_number];
        let mut number = MixedRadix(number - class.grids_before);
        let third_order = number.pop(6) as usize;
        let second_order = number.pop(6) as usize;
        let below = bands.unrank_below(class, number.pop(class.below));
        let first_band = number.pop(class.fillings);
        let first_order = number.pop(6) as usize;
        let mut column_orders = [0; 3];
        column_orders.iter_mut().rev().for_each(|order| *order = number.pop(6) as usize);
        let partition = number.pop(PARTITIONS as u64) as Id;
        GridParts {
            class: class_number,
            content: number.0 as u64,
            partition,
            column_orders,
            row_orders: [first_order, second_order, third_order],
            first_band,
            below,
        }
    }

    /// Does what [`GridParts::of_grid`] does backwards.
    fn grid(&self, bands: &Bands) -> [u8; 81] {
        let content = bands.content_of_pair(bands.classes()[self.class].members[self.content as usize]);
        let renaming = Renaming::new(bands, content, self.partition);
        let renamed_bands = bands.fill(renaming.ids, self.first_band, &self.below);
        let old_names = inverse(&renaming.names);
        let old_digit = |digit: u8| old_names[usize::from(digit)];
        // [column of the grid]: the new column.
        let mut sources = [0; 9];
        for (new_stack, &stack) in renaming.stacks.iter().enumerate() {
            let lowest = [0, 1, 2].map(|place| {
                let column = renamed_bands[0].map(|row| old_digit(row[3 * new_stack + place]));
                column.into_iter().min()
            });
            // The column of each rank, by lowest old digits.
            let mut new_columns = [0; 3];
            for (place, rank) in ORDERS[order_number(lowest)].into_iter().enumerate() {
                new_columns[rank] = 3 * new_stack + place;
            }
            for (place, rank) in ORDERS[self.column_orders[stack]].into_iter().enumerate() {
                sources[3 * stack + place] = new_columns[rank];
            }
        }
        let mut values = [0; 81];
        for (row, values) in values.chunks_exact_mut(9).enumerate() {
            // The rows of a listed band are in the order of the lowest digits of their first boxes.
            let row_order = ORDERS[self.row_orders[row / 3]];
            let renamed_row = &renamed_bands[row / 3][row_order[row % 3]];
            for (value, &column) in values.iter_mut().zip(&sources) {
                *value = old_digit(renamed_row[column]) + 1;
            }
        }
        values
    }
}

/// A band as one of those with its contents of columns.
struct BandNumber {
    /// Its number among the listed ones, whose rows are sorted.
    among_listed: u64,
    /// The order of its rows.
    row_order: usize,
}

impl BandNumber {
    /// The number of a band whose columns have these partitions.
    fn new(bands: &Bands, ids: [Id; 3], band: &BandRows) -> BandNumber {
        let partitions = bands.partitions;
        let [first_box, unsorted_second] = [0, 1].map(|stack| row_sets(band, stack));
        let row_order = order_by_lowest(first_box);
        let mut second_box = [0; 3];
        for (row, rank) in ORDERS[row_order].into_iter().enumerate() {
            second_box[rank] = unsorted_second[row];
        }
        let row_id = partitions.id(&first_box);
        // Bands with an earlier partition of the rows of box 1; then those with this one and an earlier split.
        let mut among_listed = 0;
        for &earlier in partitions.crossing[usize::from(ids[0])].iter().take_while(|&&id| id != row_id) {
            among_listed += u64::from(partitions.fitting(earlier, ids[1], ids[2]).count_ones());
        }
        let earlier_splits = (1 << split_number(bands, row_id, second_box)) - 1;
        let before = partitions.fitting(row_id, ids[1], ids[2]) & earlier_splits;
        BandNumber { among_listed: among_listed + u64::from(before.count_ones()), row_order }
    }
}

/// A number whose digits have different bases.
struct MixedRadix(u128);

impl MixedRadix {
    /// Appends a digit below `base`.
    fn push(&mut self, digit: u64, base: u64) {
        self.0 = self.0 * u128::from(base) + u128::from(digit);
    }

    fn pop(&mut self, base: u64) -> u64 {
        let digit = self.0 % u128::from(base);
        self.0 /= u128::from(base);
        digit as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::text::parse_line;
    use crate::random::{Rng, Stage};

    fn below(bound: u128, rng: &mut Rng) -> u128 {
        (u128::from(rng.word()) << 64 | u128::from(rng.word())) % bound
    }

    #[test]
    fn numbers_of_9x9_grids_survive_a_round_trip() {
        let mut rng = Rng::new(21, 0, Stage::Bench, 0);
        let numbers = (0..20_000).map(|_| below(GRIDS, &mut rng)).chain([0, 1, GRIDS - 1]);
        for number in numbers {
            let grid = grid_of_number(Shape::NINE, number).unwrap();
            assert!(Solution::try_from(grid.grid().clone()).is_ok(), "{number}");
            assert_eq!(grid_number(&grid), Some(number));
        }
        assert_eq!(grid_of_number(Shape::NINE, GRIDS), None);
    }

    /// Neighbouring numbers differ in their last parts only; whole blocks of them have to be different grids.
    #[test]
    fn a_block_of_numbers_is_a_block_of_grids() {
        let mut rng = Rng::new(22, 0, Stage::Bench, 0);
        for _ in 0..3 {
            let start = below(GRIDS - 5_000, &mut rng);
            let grids: std::collections::HashSet<Vec<u16>> = (start..start + 5_000)
                .filter_map(|number| grid_of_number(Shape::NINE, number))
                .map(|grid| grid.values().to_vec())
                .collect();
            assert_eq!(grids.len(), 5_000);
        }
    }

    /// Checks every `step`-th grid. The quick tests take all 4x4 grids and some 6x6 grids; an ignored test takes all
    /// 6x6 grids.
    fn all_numbers(text: &str, step: usize) {
        let shape: Shape = text.parse().unwrap();
        for number in (0..grids(shape).unwrap()).step_by(step) {
            let grid = grid_of_number(shape, number).unwrap();
            assert_eq!(grid_number(&grid), Some(number), "{text} {number}");
            if number % 64 == 0 {
                assert!(Solution::try_from(grid.grid().clone()).is_ok(), "{text} {number}");
            }
        }
    }

    #[test]
    fn numbers_of_small_grids_survive_a_round_trip() {
        all_numbers("2x2", 1);
        all_numbers("2x3", 997);
        all_numbers("3x2", 997);
        all_numbers("2x4", 1_000_000_007 * 1_021);
        all_numbers("4x2", 1_000_000_007 * 1_021);
        assert_eq!(grids("2x5".parse().unwrap()), None);
        assert_eq!(grids("4x4".parse().unwrap()), None);
    }

    /// If each of N different numbers leads to a grid that leads back to the number, then these are all grids, once
    /// each.
    #[test]
    #[ignore = "28,200,960 grids twice, a minute; run with `cargo test --release -- --ignored all_6x6_grids`"]
    fn all_6x6_grids_have_their_numbers() {
        all_numbers("2x3", 1);
        all_numbers("3x2", 1);
    }

    /// Published numbers must never change.
    #[test]
    fn numbers_are_pinned() {
        let first = "123456789456789123789123456214365897365897214897214365531642978642978531978531642";
        for (line, number) in [(first, 361_144_234_539_379_590), ("1234341221434321", 80)] {
            let grid = Solution::try_from(parse_line(line, None).unwrap()).unwrap();
            assert_eq!(grid_number(&grid), Some(number));
        }
    }
}
