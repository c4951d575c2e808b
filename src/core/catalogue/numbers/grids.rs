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

use super::bands::{BandRows, Bands, Content, bands};
use super::partition::{DigitRow, Id, PARTITIONS, Triples, chosen, digits, inverse, names_of, set_of};
use super::two_rows::TwoRows;
use crate::board::{Shape, Solution};
use crate::catalogue::orders::{ORDERS, order_number};

/// Number of 9x9 grids.
pub const GRIDS: u128 = 6_670_903_752_021_072_936_960;

/// Orders of the columns of three stacks.
const COLUMN_ORDERS: u128 = 216;

/// Number of grids of a shape; None if its grids are not numbered (the plain boards 3x3, 2x2, 2x3, 3x2, 2x4 and 4x2
/// are).
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
    rank(bands(), values)
}

/// The grid of a number below [`grids`]; None for other numbers, and for shapes whose grids are not numbered.
pub fn grid_of_number(shape: Shape, number: u128) -> Option<Solution> {
    if number >= grids(shape)? {
        return None;
    }
    let values = match (shape.box_rows(), shape.box_columns()) {
        (3, 3) => unrank(bands(), number).to_vec(),
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
fn transposed(values: &[u8], order: usize) -> Vec<u8> {
    (0..order).flat_map(|row| values[row..].iter().step_by(order).copied()).collect()
}

/// The digits of three columns, or of three rows, as sets.
fn sets(lines: [[u8; 3]; 3]) -> Triples {
    lines.map(|line| set_of(&line))
}

/// Sets in the order of their lowest digits, and the number of the order that they were in.
fn sorted(sets: Triples) -> (Triples, usize) {
    let number = order_number(sets.map(u16::trailing_zeros));
    let mut in_order = [0; 3];
    (0..3).for_each(|place| in_order[ORDERS[number][place]] = sets[place]);
    (in_order, number)
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
    /// For a content of columns; `first` is the partition of the columns of its first stack.
    fn new(bands: &Bands, content: &Content, first: Id) -> Renaming {
        let class = &bands.classes()[usize::from(content.class)];
        // The partition of stack 1 becomes partition 0; then the content becomes the first of its class.
        let names = chosen(&content.names, &names_of(&bands.partitions.triples[usize::from(first)]));
        Renaming { stacks: content.stacks.map(usize::from), names, ids: [0, class.stacks[0], class.stacks[1]] }
    }
}

/// The number of a grid, given by its digits 1..=9. First comes what the columns of band 1 say. Then the grid is
/// brought to the names and columns of the first content of its class (`rows`), and the rest of the number is read off
/// there.
fn rank(bands: &Bands, values: &[u8; 81]) -> u128 {
    let all = bands.partitions;
    let columns = [0, 3, 6].map(|left| {
        let columns = [left, left + 1, left + 2];
        sets(columns.map(|column| [0, 9, 18].map(|row_start| values[row_start + column] - 1)))
    });
    let ids = columns.map(|columns| all.id(&columns));
    let orders = columns.iter().fold(0, |orders, &columns| 6 * orders + sorted(columns).1);
    let content = bands.content(ids);
    let class = &bands.classes()[usize::from(content.class)];
    let frame = Renaming::new(bands, content, ids[0]);
    // [new column]: the column of the grid. The columns of a stack are ordered by their lowest new digits.
    let mut places = [0; 9];
    for (stack, &from) in frame.stacks.iter().enumerate() {
        let renamed = columns[from].map(|set| digits(set).map(|digit| frame.names[usize::from(digit)]).min());
        let ranks = ORDERS[order_number(renamed)];
        (0..3).for_each(|place| places[3 * stack + ranks[place]] = 3 * from + place);
    }
    let rows: [BandRows; 3] = std::array::from_fn(|band| {
        std::array::from_fn(|row| {
            places.map(|column| frame.names[usize::from(values[9 * (3 * band + row) + column] - 1)])
        })
    });
    // The splits of the columns, which bands 2 and 3 share, and the numbers of the three bands.
    let chosen: [usize; 3] = std::array::from_fn(|stack| {
        let columns = sets([0, 1, 2].map(|column| rows[1].map(|row| row[3 * stack + column])));
        split_number(bands, frame.ids[stack], columns)
    });
    let splits: [_; 3] = std::array::from_fn(|stack| &all.splits[usize::from(frame.ids[stack])][chosen[stack]]);
    let (first, order1) = band_number(bands, frame.ids, &rows[0]);
    let (second, order2) = band_number(bands, splits.map(|split| split.second_id), &rows[1]);
    let (third, order3) = band_number(bands, splits.map(|split| split.third_id), &rows[2]);
    // From the most significant part to the least; see the head of this file.
    let below = u128::from(bands.rank_below(class, chosen, second, third));
    let mut number = u128::from(content.number) * PARTITIONS as u128 + u128::from(ids[0]);
    number = number * COLUMN_ORDERS + orders as u128;
    number = (number * 6 + order1 as u128) * u128::from(class.fillings) + u128::from(first);
    class.grids_before + number * u128::from(class.completions()) + below * 36 + (6 * order2 + order3) as u128
}

/// The number of a band among those with its contents of columns and sorted rows, and the order of its rows.
fn band_number(bands: &Bands, ids: [Id; 3], band: &BandRows) -> (u64, usize) {
    let all = bands.partitions;
    let (lines, order) = sorted(row_sets(band, 0));
    let unsorted = row_sets(band, 1);
    let mut second = [0; 3];
    (0..3).for_each(|row| second[ORDERS[order][row]] = unsorted[row]);
    let rows = all.id(&lines);
    // Bands with an earlier partition of the rows of box 1; then those with this one and an earlier split.
    let mut number = 0;
    for &earlier in all.crossing[usize::from(ids[0])].iter().take_while(|&&id| id != rows) {
        number += u64::from(all.fitting(earlier, ids[1], ids[2]).count_ones());
    }
    let before = all.fitting(rows, ids[1], ids[2]) & ((1 << split_number(bands, rows, second)) - 1);
    (number + u64::from(before.count_ones()), order)
}

/// The digits of the rows of a band in one stack.
fn row_sets(band: &BandRows, stack: usize) -> Triples {
    sets(band.map(|row| [row[3 * stack], row[3 * stack + 1], row[3 * stack + 2]]))
}

/// The number of the split of a partition whose second box has these lines.
fn split_number(bands: &Bands, id: Id, second: Triples) -> usize {
    let splits = &bands.partitions.splits[usize::from(id)];
    splits.iter().position(|split| split.second == second).unwrap_or_default()
}

/// Removes the last digit of a mixed-radix number and returns it; `base` is its base.
fn last(number: &mut u128, base: u128) -> usize {
    let digit = *number % base;
    *number /= base;
    digit as usize
}

/// The digits 1..=9 of the grid of a number below N: takes the parts off the number, from the least significant one,
/// and does what [`rank`] does backwards.
fn unrank(bands: &Bands, number: u128) -> [u8; 81] {
    let classes = bands.classes();
    let class = &classes[classes.partition_point(|class| class.grids_before <= number) - 1];
    let number = number - class.grids_before;
    let completions = u128::from(class.completions());
    let (mut below, mut number) = (number % completions, number / completions);
    let (order3, order2) = (last(&mut below, 6), last(&mut below, 6));
    let first = last(&mut number, class.fillings.into());
    let order1 = last(&mut number, 6);
    let mut orders = [0; 3];
    (0..3).rev().for_each(|stack| orders[stack] = last(&mut number, 6));
    let partition = last(&mut number, PARTITIONS as u128) as Id;
    let [q, r] = class.members[number as usize].map(usize::from);
    let content = &bands.contents[q * PARTITIONS + r];
    let frame = Renaming::new(bands, content, partition);
    let (chosen, fillings) = bands.unrank_below(class, below as u64);
    let rows = bands.fill(frame.ids, chosen, [first as u64, fillings[0], fillings[1]]);
    // Back to the names and stacks of the grid; the columns of a stack are sorted by their lowest digits first.
    let digits = inverse(&frame.names);
    let mut columns = [0; 9];
    for (stack, &to) in frame.stacks.iter().enumerate() {
        let lowest =
            [0, 1, 2].map(|place| rows[0].map(|row| digits[usize::from(row[3 * stack + place])]).into_iter().min());
        let ranks = ORDERS[order_number(lowest)];
        let order = ORDERS[orders[to]];
        for (column, rank) in ranks.into_iter().enumerate() {
            let place = order.iter().position(|&other| other == rank).unwrap_or_default();
            columns[3 * to + place] = 3 * stack + column;
        }
    }
    let mut values = [0; 81];
    for (band, order) in [order1, order2, order3].into_iter().enumerate() {
        // The rows of a listed band are in the order of the lowest digits of their first boxes.
        for row in 0..3 {
            let source = &rows[band][ORDERS[order][row]];
            for (column, &from) in columns.iter().enumerate() {
                values[27 * band + 9 * row + column] = digits[usize::from(source[from])] + 1;
            }
        }
    }
    values
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
