//! The minlex form of a full 9x9 grid, with every map that leads to it.
//!
//! The first band of the form is that of the chute with the smallest class. Each pair of a chute of that class and a
//! symmetry of its minlex form gives one map to try. The first band determines the columns and the relabelling, and the
//! other rows are sorted. The number of maps that give the smallest grid is the number of automorphisms.

use super::chutes::{Band, band_classes};
use super::images::{Row, Rows};
use crate::board::Solution;

/// A map of grids: row i of the image is row `rows[i]` of the (transposed) source, and so for columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridMap {
    /// The source is transposed first.
    pub transpose: bool,
    /// Where the rows come from.
    pub rows: [u8; 9],
    /// Where the columns come from.
    pub columns: [u8; 9],
}

impl GridMap {
    /// The cell of the source that becomes cell `at` of the image.
    pub fn origin(&self, at: usize) -> usize {
        let (row, column) = (usize::from(self.rows[at / 9]), usize::from(self.columns[at % 9]));
        if self.transpose { 9 * column + row } else { 9 * row + column }
    }
}

/// The minlex form of a grid.
#[derive(Clone, Debug)]
pub struct Minlex {
    /// The digits 1..=9 of the form.
    pub cells: [u8; 81],
    /// The class of its first band, an index into the 416.
    pub band: usize,
    /// All maps that make the form, up to the names of the digits.
    pub maps: Vec<GridMap>,
}

/// The class of the first band of the minlex form of a grid, an index into the 416; None if it is not 9x9.
pub fn first_band(grid: &Solution) -> Option<usize> {
    band_classes().chutes(&grid.grid().nine()?).into_iter().min()
}

/// The minlex form of a full grid of digits 1..=9. The grid must be valid.
pub fn minlex(values: &[u8; 81]) -> Minlex {
    let classes = band_classes();
    let mut boards = [[[0; 9]; 9]; 2];
    for (at, &value) in values.iter().enumerate() {
        boards[0][at / 9][at % 9] = value - 1;
        boards[1][at % 9][at / 9] = value - 1;
    }
    let forms: [_; 6] = std::array::from_fn(|chute| {
        let rows = &boards[chute / 3][3 * (chute % 3)..][..3];
        let band: Band = std::array::from_fn(|at| rows[at / 9][at % 9] + 1);
        classes.form_of(&band)
    });
    let band = forms.iter().map(|form| form.0).min().unwrap_or_default();
    let mut best: Rows = [[9; 9]; 9];
    let mut maps = Vec::new();
    for (chute, (_, map)) in forms.iter().enumerate().filter(|(_, form)| form.0 == band) {
        for symmetry in &classes.classes()[band].symmetries {
            let map = map.then(symmetry);
            let (image, rows) = image(&boards[chute / 3], chute % 3, map.rows, &map.columns);
            if image < best {
                best = image;
                maps.clear();
            }
            if image == best {
                maps.push(GridMap { transpose: chute > 2, rows, columns: map.columns });
            }
        }
    }
    Minlex { cells: std::array::from_fn(|at| best[at / 9][at % 9] + 1), band, maps }
}

/// The image of a board whose band `band` becomes the first one, and where its rows come from.
fn image(board: &Rows, band: usize, top: [u8; 3], columns: &[u8; 9]) -> (Rows, [u8; 9]) {
    let first = &board[3 * band + usize::from(top[0])];
    let mut names = [0; 9];
    columns.iter().zip(0..).for_each(|(&column, name)| names[usize::from(first[usize::from(column)])] = name);
    let row = |row: usize| -> Row { columns.map(|column| names[usize::from(board[row][usize::from(column)])]) };
    let lower = |band: usize| {
        let mut rows = [0, 1, 2].map(|at| (row(3 * band + at), (3 * band + at) as u8));
        rows.sort_unstable();
        rows
    };
    let mut bands = [lower((band + 1) % 3), lower((band + 2) % 3)];
    bands.sort_unstable();
    let upper = top.map(|at| (row(3 * band + usize::from(at)), 3 * band as u8 + at));
    let all = [upper, bands[0], bands[1]];
    (std::array::from_fn(|at| all[at / 3][at % 3].0), std::array::from_fn(|at| all[at / 3][at % 3].1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Freedom, Isomorphism, Shape, canonical};
    use crate::catalogue::{GRIDS, grid_of_number};
    use crate::random::{Rng, Stage};

    /// Compares with [`canonical`], an algorithm that does not use classes of bands.
    #[test]
    fn forms_agree_with_the_other_algorithm() {
        let symmetric = [
            "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
            "123456789457893612986217354274538196531964827698721435342685971715349268869172543",
        ];
        let symmetric = symmetric.map(|line| crate::board::text::parse_line(line, None).unwrap().values().to_vec());
        let random = (0..1_000).map(|index| {
            let mut rng = Rng::new(31, index, Stage::Bench, 0);
            let number = (u128::from(rng.word()) << 64 | u128::from(rng.word())) % GRIDS;
            grid_of_number(Shape::NINE, number).unwrap().values().to_vec()
        });
        for (index, values) in random.chain(symmetric).enumerate() {
            let solution = crate::board::Solution::trusted(Shape::NINE, values);
            let mut rng = Rng::new(32, index as u64, Stage::Bench, 0);
            let solution = Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng).apply(&solution);
            let values = solution.grid().nine().unwrap();
            let (one, other) = (minlex(&values), canonical::canonical(&values));
            assert_eq!((one.cells, one.maps.len()), (other.cells, other.automorphisms as usize), "{solution:?}");
            assert_eq!(first_band(&solution), Some(one.band));
            for map in &one.maps {
                let mut names = [0; 10];
                (0..81).for_each(|at| names[usize::from(values[map.origin(at)])] = one.cells[at]);
                assert!((0..81).all(|at| names[usize::from(values[map.origin(at)])] == one.cells[at]));
            }
        }
    }
}
