//! Draws exactly uniform grids: every grid of the board, or every class of 9x9 grids, is equally likely.
//!
//! ```text
//!   a random number below the number of names  ->  the grid with that name (bands, two_rows)
//!                                              ->  random orders of columns, stacks, rows and digits
//! ```
//!
//! The number of all grids is a sum of products. Each factor is the length of a list, so a number, the name, says which
//! grid to take. Drawing a name takes only integers: nothing is rounded and nothing is rejected. The names do not
//! distinguish some orders of lines and digits, so these are shuffled afterwards. Every grid comes from the same number
//! of pairs of a name and a shuffle.
//!
//! This works for the 6,670,903,752,021,072,936,960 grids of 9x9, and for boxes with two rows, or two columns by
//! transposition: 4x4, 6x6 and 8x8 boards. References: DeSalvo, arXiv:1502.00235, for exact sampling of Sudoku grids;
//! the sources of [`crate::catalogue`].

use crate::board::{Freedom, Isomorphism, Shape, Solution};
use crate::catalogue::{self, BandRows, CLASSES, Column, bands, class_of_rank};
use crate::random::Rng;

/// A random isomorph of the minlex grid of a random rank. A class whose grids have k automorphisms has 1/k as many
/// grids as other classes, so each of its grids comes k times as often as under `uniform`. With the weight 1/k, a mean
/// over grids drawn here estimates the mean over all grids. With the weight k, a mean over `uniform` estimates that
/// over all classes.
pub(super) fn of_class(rng: &mut Rng) -> Solution {
    let rank = 1 + rng.below(CLASSES as usize) as u64;
    let grid = class_of_rank(rank).unwrap_or_else(|| unreachable!("a rank above the number of classes"));
    Isomorphism::random(Shape::NINE, Freedom::ALL, rng).apply(&grid)
}

/// A grid drawn uniformly from all grids of an accepted shape.
pub(super) fn fill(shape: Shape, rng: &mut Rng) -> Solution {
    let values = match (shape.box_rows(), shape.box_columns()) {
        (3, 3) => nine(rng),
        (2, columns) => two_rows(columns, rng),
        (rows, _) => catalogue::transposed(&two_rows(rows, rng), shape.order()),
    };
    Solution::trusted(shape, values)
}

/// A 9x9 grid: three bands by name; then rows inside bands, columns inside stacks, stacks and digits are shuffled.
fn nine(rng: &mut Rng) -> Vec<u16> {
    let bands = bands();
    let grid: [BandRows; 3] = bands.unrank(rng.below(bands.names() as usize) as u64);
    let digits = names(9, rng);
    let mut stacks = [0, 3, 6];
    rng.shuffle(&mut stacks);
    let columns = stacks.map(|stack| shuffled([stack, stack + 1, stack + 2], rng));
    let mut values = Vec::with_capacity(81);
    for band in &grid {
        for row in shuffled([0, 1, 2], rng) {
            let row: &[u8; 9] = &band[row];
            values.extend(columns.iter().flatten().map(|&column| digits[usize::from(row[column])]));
        }
    }
    values
}

/// A grid with boxes of two rows and 2 to 4 columns.
fn two_rows(box_columns: usize, rng: &mut Rng) -> Vec<u16> {
    let table = catalogue::two_rows(box_columns);
    let mut stacks: [Vec<Column>; 2] = table.unrank(rng.below(table.names() as usize) as u64);
    stacks.iter_mut().for_each(|stack| rng.shuffle(stack));
    let digits = names(2 * box_columns, rng);
    let mut bands: Vec<usize> = (0..box_columns).collect();
    rng.shuffle(&mut bands);
    let mut values = Vec::with_capacity(4 * box_columns * box_columns);
    for band in bands {
        for row in shuffled([2 * band, 2 * band + 1], rng) {
            values.extend(stacks.iter().flatten().map(|column| digits[usize::from(column[row])]));
        }
    }
    values
}

/// The digits 1..=n in random order.
fn names(order: usize, rng: &mut Rng) -> Vec<u16> {
    let mut names: Vec<u16> = (1..=order as u16).collect();
    rng.shuffle(&mut names);
    names
}

fn shuffled<const N: usize>(mut items: [usize; N], rng: &mut Rng) -> [usize; N] {
    rng.shuffle(&mut items);
    items
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::random::Stage;

    fn draws(shape: &str, count: u64) -> impl Iterator<Item = Vec<u16>> {
        let shape: Shape = shape.parse().unwrap();
        (0..count).map(move |index| fill(shape, &mut Rng::new(9, index, Stage::Bench, 0)).values().to_vec())
    }

    /// 287 degrees of freedom, 99.99 % point 383.
    #[test]
    fn all_grids_of_4x4_come_equally_often() {
        let mut counts: HashMap<Vec<u16>, u32> = HashMap::new();
        draws("2x2", 57_600).for_each(|grid| *counts.entry(grid).or_default() += 1);
        assert_eq!(counts.len(), 288);
        let chi: f64 = counts.values().map(|&seen| (f64::from(seen) - 200.0).powi(2) / 200.0).sum();
        assert!(chi < 383.0, "chi-square {chi}");
    }

    /// Among N grids, n uniform draws have n^2 / 2N colliding pairs, Poisson: 709 for 200,000 of 28,200,960.
    #[test]
    fn grids_of_6x6_collide_as_often_as_uniform_ones() {
        for shape in ["2x3", "3x2"] {
            let mut counts: HashMap<Vec<u16>, u32> = HashMap::new();
            draws(shape, 200_000).for_each(|grid| *counts.entry(grid).or_default() += 1);
            let pairs: u32 = counts.values().map(|&seen| seen * (seen - 1) / 2).sum();
            assert!((f64::from(pairs) - 709.2).abs() < 4.0 * 709.2_f64.sqrt(), "{shape}: {pairs} pairs");
        }
    }

    /// Counts pairs of rows and pairs of digits in one band that can be exchanged without any other change. In uniform
    /// grids, bands and stacks have the same number on average. Biased methods fail this test.
    #[test]
    fn bands_and_stacks_of_9x9_are_alike() {
        let (mut rows, mut columns) = (0.0, 0.0);
        let count = 20_000;
        for grid in draws("3x3", count) {
            rows += exchangeable(&grid);
            columns += exchangeable(&catalogue::transposed(&grid, 9));
        }
        let (rows, columns) = (rows / count as f64, columns / count as f64);
        assert!((rows - columns).abs() < 0.1, "{rows} in bands, {columns} in stacks");
    }

    /// Rectangles of two rows of a band and two columns that hold the digits a b / b a.
    fn exchangeable(values: &[u16]) -> f64 {
        let mut found = 0;
        for (top, bottom) in (0..9).flat_map(|row| (row + 1..row / 3 * 3 + 3).map(move |other| (row, other))) {
            for left in 0..9 {
                let mirrored = |right: usize| {
                    values[9 * top + left] == values[9 * bottom + right]
                        && values[9 * top + right] == values[9 * bottom + left]
                };
                found += (left / 3 * 3 + 3..9).filter(|&right| mirrored(right)).count();
            }
        }
        found as f64
    }
}
