//! The permutation method: shuffle the rows, columns and digits of one fixed grid.
//!
//! ```text
//!   1 2 3 | 4 5 6 | 7 8 9      The template. Row i is 1..n shifted by s(i) = C (i mod R) + (i div R), where C is the
//!   4 5 6 | 7 8 9 | 1 2 3      width of a box and R its height. Inside a band the shift grows by C from row to row, so
//!   7 8 9 | 1 2 3 | 4 5 6      that a box holds every digit. From band to band it grows by one, so that a column does.
//!   ------+-------+------
//!   2 3 4 | 5 6 7 | 8 9 1      A random grid takes rows in random order inside their bands, columns in random order
//!   . . .                      inside their stacks, and digits in random order.
//! ```
//!
//! The permutation method (Jesper Niedermann's .NET blog, 2009-08-03) has the template and these three operations. The
//! article mentions a fourth one, shuffling bands and stacks, but does not use it. Transposition is our addition.
//!
//! **Bias.** All grids belong to one of the 5,472,730,538 classes of 9x9 grids. There are 5,643,509,760 different ones
//! (`lines`), 11,287,019,520 (`blocks`) or 22,574,039,040 (`transpose`), all equally likely, among 6.67e21 grids.
//!
//! A value is `digits[shift[row] + column]`. The digits are written twice in a row, so that no division is needed.
//! Applying an `Isomorphism` to the template was tried too: it is a third slower and needs the template.

use crate::board::maps::isomorph::random_lines;
use crate::board::{Shape, Solution};
use crate::random::Rng;

crate::names! { "strength":
    /// What is shuffled. Each strength includes the ones before it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Strength {
        /// Digits, rows inside their bands, columns inside their stacks: the method as published.
        #[default]
        Lines = "lines",
        /// Also whole bands and whole stacks.
        Blocks = "blocks",
        /// Also transposition; for square boxes only.
        Transpose = "transpose",
    }
}

/// A random grid: the template shuffled with the given strength.
pub(super) fn fill(shape: Shape, strength: Strength, rng: &mut Rng) -> Solution {
    let n = shape.order();
    let blocks = strength >= Strength::Blocks;
    let mut digits: Vec<u16> = (1..=n as u16).collect();
    rng.shuffle(&mut digits);
    digits.extend_from_within(..);
    let mut rows = random_lines(shape.bands(), shape.box_rows(), blocks, rng);
    let mut columns = random_lines(shape.stacks(), shape.box_columns(), blocks, rng);
    // In the transposed grid the columns are shifted.
    let shifted = if strength == Strength::Transpose && rng.below(2) == 1 { &mut columns } else { &mut rows };
    shifted.iter_mut().for_each(|line| *line = Solution::template_shift(shape, usize::from(*line)) as u16);
    let mut values = Vec::with_capacity(n * n);
    for &row in &rows {
        let digits = &digits[usize::from(row)..];
        values.extend(columns.iter().map(|&column| digits[usize::from(column)]));
    }
    Solution::trusted(shape, values)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::{Freedom, Isomorphism};
    use crate::random::Stage;

    #[test]
    fn the_template_is_the_one_of_the_article() {
        let nine = Solution::template(Shape::NINE);
        let first_column: Vec<u16> = nine.values().iter().step_by(9).copied().collect();
        assert_eq!(nine.values()[..9], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(first_column, [1, 4, 7, 2, 5, 8, 3, 6, 9]);
        for shape in Shape::all(40) {
            assert!(Solution::try_from(Solution::template(shape).into_grid()).is_ok(), "{shape}");
        }
    }

    /// Compares all images of the template with all grids that are made. The board is small enough for this.
    #[test]
    fn four_by_four_reaches_the_96_96_and_192_images_of_the_template() {
        let shape: Shape = "2x2".parse().unwrap();
        let reached = Strength::ALL.map(|strength| {
            let freedom = Freedom { blocks: strength >= Strength::Blocks, transpose: strength == Strength::Transpose };
            let mut rng = Rng::new(4, 0, Stage::Bench, 0);
            let mut image = || Isomorphism::random(shape, freedom, &mut rng).apply(&Solution::template(shape));
            let images: HashSet<Vec<u16>> = (0..5000).map(|_| image().values().to_vec()).collect();
            let made: HashSet<_> = (0..5000).map(|_| fill(shape, strength, &mut rng).values().to_vec()).collect();
            assert_eq!(images, made, "{strength}");
            made
        });
        assert_eq!(reached.each_ref().map(HashSet::len), [96, 96, 192]);
        assert!(reached[0] == reached[1] && reached[1].is_subset(&reached[2]));
    }

    /// 6! 2!^3 3!^2 = 207,360 transforms on 2x3, of which the stabiliser of the template has R = 2; with bands and
    /// stacks 2,488,320, and the stabiliser has 2nR = 24: the same number, so the same grids. With 60,000 draws, the
    /// number of different grids distinguishes 103,680 from half and from twice this number.
    #[test]
    fn six_by_six_grids_are_as_many_as_the_orbit_formula_says() {
        let (shape, orbit, draws) = ("2x3".parse().unwrap(), 103_680.0_f64, 60_000);
        let expected = orbit * (1.0 - (1.0 - 1.0 / orbit).powi(draws));
        for strength in [Strength::Lines, Strength::Blocks] {
            let mut rng = Rng::new(3, 1, Stage::Bench, 0);
            let grids = (0..draws).map(|_| fill(shape, strength, &mut rng).values().to_vec());
            let distinct = grids.collect::<HashSet<_>>().len() as f64;
            assert!((distinct - expected).abs() < 5.0 * expected.sqrt(), "{strength}: {distinct}, expected {expected}");
        }
    }

    #[test]
    fn every_order_up_to_400_gives_valid_grids() {
        let mut rng = Rng::new(5, 0, Stage::Bench, 0);
        for text in ["2x18", "18x2", "6x6", "7x8", "10x10", "2x200", "20x20"] {
            let shape: Shape = text.parse().unwrap();
            let grid = fill(shape, Strength::Blocks, &mut rng).into_grid();
            assert!(Solution::try_from(grid).is_ok(), "{shape}");
        }
    }
}
