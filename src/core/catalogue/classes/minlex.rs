//! The minlex form of a full 9x9 grid, with every map that leads to it, and whether a grid is its own minlex form.
//!
//! The first band of the form is that of the chute with the smallest class. Each pair of a chute of that class and a
//! symmetry of its minlex form gives one map to try. The first band determines the columns and the relabelling, and the
//! other rows are sorted. The number of maps that give the smallest grid is the number of automorphisms.

use std::cell::LazyCell;
use std::cmp::Ordering;

use super::chutes::{Band, BandMap, band_classes};
use super::frame::FirstBand;
use crate::board::Solution;
use crate::catalogue::numbers::partition::{Row, chosen, inverse};

/// The digits of a grid, from 0.
pub(crate) type Rows = [Row; 9];

/// A map of grids: row i of the image is row `rows[i]` of the (transposed) source, and so for columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridMap {
    pub transpose: bool,
    pub rows: Row,
    pub columns: Row,
}

impl GridMap {
    /// The cell of the source that becomes cell `at` of the image.
    pub fn origin(&self, at: usize) -> usize {
        let (row, column) = (usize::from(self.rows[at / 9]), usize::from(self.columns[at % 9]));
        if self.transpose { 9 * column + row } else { 9 * row + column }
    }
}

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
    let rows: Rows = std::array::from_fn(|row| std::array::from_fn(|column| values[9 * row + column] - 1));
    let boards = [rows, transposed(&rows)];
    let classes = band_classes().chutes(values);
    let band = classes.into_iter().min().unwrap_or_default();
    let mut best: Rows = [[9; 9]; 9];
    let mut maps = Vec::new();
    for chute in (0..6).filter(|&chute| classes[chute] == band) {
        let (_, map) = form_of(&boards[chute / 3], chute % 3);
        for symmetry in &band_classes().classes[band].symmetries {
            let map = map.then(symmetry);
            let (image, rows) = image(&boards[chute / 3], chute % 3, &map);
            if image < best {
                best = image;
                maps.clear();
            }
            if image == best {
                maps.push(GridMap { transpose: chute > 2, rows, columns: map.columns });
            }
        }
    }
    Minlex { cells: cells_of(&best), band, maps }
}

/// The digits 1..=9 of a grid.
pub(crate) fn cells_of(rows: &Rows) -> [u8; 81] {
    std::array::from_fn(|at| rows[at / 9][at % 9] + 1)
}

fn transposed(rows: &Rows) -> Rows {
    std::array::from_fn(|row| rows.map(|line| line[row]))
}

/// The class of a band of a board, and a map to its minlex form.
fn form_of(board: &Rows, band: usize) -> (usize, BandMap) {
    let cells: Band = std::array::from_fn(|at| board[3 * band + at / 9][at % 9] + 1);
    band_classes().form_of(&cells)
}

/// The image of a board whose band `band` becomes the first one, and where its rows come from.
fn image(board: &Rows, band: usize, map: &BandMap) -> (Rows, Row) {
    let names = names(&board[3 * band + usize::from(map.rows[0])], &map.columns);
    let row = |at: usize| (chosen(&names, &chosen(&board[at], &map.columns)), at as u8);
    let lower = |band: usize| {
        let mut rows = [0, 1, 2].map(|at| row(3 * band + at));
        rows.sort_unstable();
        rows
    };
    let mut bands = [lower((band + 1) % 3), lower((band + 2) % 3)];
    bands.sort_unstable();
    let all = [map.rows.map(|at| row(3 * band + usize::from(at))), bands[0], bands[1]];
    (std::array::from_fn(|at| all[at / 3][at % 3].0), std::array::from_fn(|at| all[at / 3][at % 3].1))
}

/// The names of digits that make a row, with its columns in this order, read 0..9.
fn names(row: &Row, columns: &Row) -> Row {
    inverse(&chosen(row, columns))
}

/// A symmetry of the first band: where the columns come from, and the new names of the digits.
#[derive(Clone, Copy)]
pub(crate) struct Symmetry {
    columns: Row,
    names: Row,
}

impl Symmetry {
    /// The symmetry of a band, from a map of this band onto itself.
    pub fn new(top: &[Row; 3], map: &BandMap) -> Symmetry {
        Symmetry { columns: map.columns, names: names(&top[usize::from(map.rows[0])], &map.columns) }
    }

    /// Compares the image of a row with the fourth row. None if they begin with different digits: then the row does not
    /// come to the fourth place.
    #[inline]
    pub fn compare(&self, row: &Row, fourth: &Row) -> Option<Ordering> {
        let image = |at: usize| self.names[usize::from(row[usize::from(self.columns[at])])];
        let rest = || (1..9).map(|at| image(at).cmp(&fourth[at])).find(|order| order.is_ne());
        (image(0) == fourth[0]).then(|| rest().unwrap_or(Ordering::Equal))
    }
}

/// It is known that no chute of a grid has a class below that of its first band. So only images that begin with the first
/// band, or with another chute of the same class, can be smaller than the grid.
impl FirstBand {
    /// The number of automorphisms of a minlex grid with this first band; 0 if the grid is not minlex. `symmetries` are
    /// those of the first band that have to be tried. `ties` has a bit for each chute of the same class: bits 1 and 2
    /// for bands 2 and 3, bits 3 to 5 for the stacks.
    pub(crate) fn automorphisms(&self, rows: &Rows, symmetries: &[Symmetry], ties: u64) -> u32 {
        let turned = LazyCell::new(|| transposed(rows));
        let own = symmetries.iter().map(|symmetry| compare_image(rows, rows, 0, &symmetry.columns, &symmetry.names));
        let others = (1..6).filter(|chute| ties >> chute & 1 != 0).flat_map(|chute| {
            let (board, band) = (if chute < 3 { rows } else { &turned }, chute % 3);
            let (_, map) = form_of(board, band);
            self.class.symmetries.iter().map(move |symmetry| {
                let map = map.then(symmetry);
                let names = names(&board[3 * band + usize::from(map.rows[0])], &map.columns);
                compare_image(rows, board, band, &map.columns, &names)
            })
        });
        let mut automorphisms = 1;
        for order in own.chain(others) {
            match order {
                Ordering::Less => return 0,
                Ordering::Equal => automorphisms += 1,
                Ordering::Greater => {}
            }
        }
        automorphisms
    }
}

/// Compares the six lower rows of an image of a board with those of the grid. `band` is the band of the board that
/// becomes the first band of the grid.
fn compare_image(grid: &Rows, board: &Rows, band: usize, columns: &Row, names: &Row) -> Ordering {
    let image = |row: usize, at: usize| names[usize::from(board[row][usize::from(columns[at])])];
    let compare =
        |(row, with): (usize, usize)| (0..9).map(|at| image(row, at).cmp(&grid[with][at])).find(|order| order.is_ne());
    let rows = |band: usize| 3 * band..3 * band + 3;
    let [one, two] = [(band + 1) % 3, (band + 2) % 3];
    let fourth = rows(one).chain(rows(two)).find(|&row| image(row, 0) == grid[3][0]).unwrap_or(0);
    let below = || {
        let [middle, lower] = if fourth / 3 == one { [one, two] } else { [two, one] };
        let mut all: [usize; 6] = std::array::from_fn(|at| 3 * [middle, lower][at / 3] + at % 3);
        all.chunks_exact_mut(3).for_each(|rows| rows.sort_unstable_by_key(|&row| image(row, 0)));
        all.into_iter().zip(3..).skip(1).find_map(compare)
    };
    compare((fourth, 3)).or_else(below).unwrap_or(Ordering::Equal)
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
            assert_eq!(first_band(&solution), Some(one.band));
            for map in &one.maps {
                let mut names = [0; 10];
                (0..81).for_each(|at| names[usize::from(values[map.origin(at)])] = one.cells[at]);
                assert!((0..81).all(|at| names[usize::from(values[map.origin(at)])] == one.cells[at]));
            }
        }
    }
}
