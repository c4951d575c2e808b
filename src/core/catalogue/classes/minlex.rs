//! Computes the minlex form of a full 9x9 grid, with every map that leads to it.
//!
//! The first band of the form is that of the chute (band or stack) with the smallest class. Each pair of a chute of
//! that class and a symmetry of its minlex form gives one map to try. The first band determines the columns and the
//! relabelling, and the other rows are sorted. As many maps give the smallest grid as there are automorphisms.

use super::chutes::{BandMap, band_classes};
use super::plain::Band;
use crate::board::Solution;
use crate::catalogue::numbers::partition::{DigitRow, chosen, inverse};

/// The digits of a grid, from 0.
pub(crate) type Rows = [DigitRow; 9];

/// A map of grids: row i of the image is row `rows[i]` of the (transposed) source, and so for columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridMap {
    /// True if the source is transposed first.
    pub transpose: bool,
    /// For each row of the image, the row of the source.
    pub rows: DigitRow,
    /// For each column of the image, the column of the source.
    pub columns: DigitRow,
}

impl GridMap {
    /// The cell of the source that becomes a cell of the image.
    pub fn origin(&self, cell: usize) -> usize {
        let (row, column) = (usize::from(self.rows[cell / 9]), usize::from(self.columns[cell % 9]));
        if self.transpose { 9 * column + row } else { 9 * row + column }
    }
}

/// The minlex form of a grid.
#[derive(Clone, Debug)]
pub struct Minlex {
    /// The digits 1..=9 of the form.
    pub cells: [u8; 81],
    /// The class of its first band, an index into the 416.
    pub band_class: usize,
    /// All maps that make the form, up to the names of the digits.
    pub maps: Vec<GridMap>,
}

/// The class of the first band of the minlex form of a grid, an index into the 416; None if it is not 9x9.
pub fn first_band(grid: &Solution) -> Option<usize> {
    band_classes().chutes(&grid.grid().nine()?).into_iter().min()
}

/// The minlex form of a full grid of digits 1..=9. The grid must be valid.
pub fn minlex(values: &[u8; 81]) -> Minlex {
    let rows: Rows = std::array::from_fn(|row| std::array::from_fn(|column| values[9 * row + column] - 1));
    let boards = [rows, transposed(&rows)];
    let classes = band_classes().chutes(values);
    let band_class = classes.into_iter().min().unwrap_or_default();
    let mut best: Rows = [[9; 9]; 9];
    let mut maps = Vec::new();
    for chute in (0..6).filter(|&chute| classes[chute] == band_class) {
        let map = map_to_form(&boards[chute / 3], chute % 3);
        for symmetry in &band_classes().classes[band_class].symmetries {
            let map = map.then(symmetry);
            let image_rows = image(&boards[chute / 3], chute % 3, &map);
            let image = image_rows.map(|row| row.digits);
            if image < best {
                best = image;
                maps.clear();
            }
            if image == best {
                let rows = image_rows.map(|row| row.source);
                maps.push(GridMap { transpose: chute > 2, rows, columns: map.columns });
            }
        }
    }
    Minlex { cells: cells_of(&best), band_class, maps }
}

/// The digits 1..=9 of a grid.
pub(crate) fn cells_of(rows: &Rows) -> [u8; 81] {
    std::array::from_fn(|cell| rows[cell / 9][cell % 9] + 1)
}

pub(super) fn transposed(rows: &Rows) -> Rows {
    std::array::from_fn(|row| rows.map(|line| line[row]))
}

/// The map of a band of a board to its minlex form.
pub(super) fn map_to_form(board: &Rows, band: usize) -> BandMap {
    let cells: Band = std::array::from_fn(|cell| board[3 * band + cell / 9][cell % 9] + 1);
    band_classes().map_to_form(&cells)
}

/// A row of an image. Rows are sorted by their digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ImageRow {
    digits: DigitRow,
    /// The row of the board that it comes from.
    source: u8,
}

/// The image of a board whose band `band` becomes the first one.
fn image(board: &Rows, band: usize, map: &BandMap) -> [ImageRow; 9] {
    let names = relabelling(&board[3 * band + usize::from(map.rows[0])], &map.columns);
    let mut bands = [band, (band + 1) % 3, (band + 2) % 3].map(|band| {
        [3 * band, 3 * band + 1, 3 * band + 2]
            .map(|row| ImageRow { digits: chosen(&names, &chosen(&board[row], &map.columns)), source: row as u8 })
    });
    bands[0] = map.rows.map(|row| bands[0][usize::from(row)]);
    bands[1].sort_unstable();
    bands[2].sort_unstable();
    bands[1..].sort_unstable();
    std::array::from_fn(|row| bands[row / 3][row % 3])
}

/// The new name of each digit, so that a row, with its columns in this order, reads 0..9.
pub(super) fn relabelling(row: &DigitRow, columns: &DigitRow) -> DigitRow {
    inverse(&chosen(row, columns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Freedom, Isomorphism, Shape, text};
    use crate::catalogue::canonical::puzzle;
    use crate::catalogue::{GRIDS, grid_of_number};
    use crate::random::{Rng, Stage};

    /// Compares with the algorithm for puzzles, which does not use classes of bands and takes long for full grids.
    #[test]
    fn forms_agree_with_the_other_algorithm() {
        let symmetric = [
            "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
            "123456789457893612986217354274538196531964827698721435342685971715349268869172543",
        ];
        let symmetric = symmetric.map(|line| Solution::try_from(text::parse_line(line, None).unwrap()).unwrap());
        let random = (0..100).map(|index| {
            let mut rng = Rng::new(31, index, Stage::Bench, 0);
            let number = (u128::from(rng.word()) << 64 | u128::from(rng.word())) % GRIDS;
            grid_of_number(Shape::NINE, number).unwrap()
        });
        for (index, solution) in random.chain(symmetric).enumerate() {
            let mut rng = Rng::new(32, index as u64, Stage::Bench, 0);
            let solution = Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng).apply(&solution);
            let values = solution.grid().nine().unwrap();
            let (one, other) = (minlex(&values), puzzle::canonical(&values));
            assert_eq!((one.cells, one.maps.len()), (other.cells, other.automorphisms as usize), "{solution:?}");
            assert_eq!(first_band(&solution), Some(one.band_class));
            for map in &one.maps {
                let mut names = [0; 10];
                (0..81).for_each(|cell| names[usize::from(values[map.origin(cell)])] = one.cells[cell]);
                assert!((0..81).all(|cell| names[usize::from(values[map.origin(cell)])] == one.cells[cell]));
            }
        }
    }
}
