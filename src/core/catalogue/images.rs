//! Is a grid the smallest of its images? It is known that no chute of the grid has a class below that of its first
//! band. So only images that begin with the first band, or with another chute of the same class, can be smaller.
//!
//! Digits are counted from 0 in this file.

use std::cmp::Ordering;

use super::chutes::{Band, BandMap, band_classes};
use super::frame::FirstBand;

/// Nine digits from 0.
pub(super) type Row = [u8; 9];
pub(super) type Rows = [Row; 9];

/// A symmetry of the first band: where the columns come from, and the new names of the digits.
#[derive(Clone, Copy)]
pub(super) struct Symmetry {
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
        if image(0) != fourth[0] {
            return None;
        }
        let different = (1..9).map(|at| image(at).cmp(&fourth[at])).find(|order| order.is_ne());
        Some(different.unwrap_or(Ordering::Equal))
    }
}

/// The names of digits that make a row, with its columns in this order, read 0..9.
fn names(row: &Row, columns: &Row) -> Row {
    let mut names = [0; 9];
    (0..9).for_each(|at| names[usize::from(row[usize::from(columns[at])])] = at as u8);
    names
}

impl FirstBand {
    /// The number of automorphisms of a minlex grid with this first band; 0 if the grid is not minlex. The class of no
    /// chute may be below that of the first band. `symmetries` are those of the first band that have to be tried.
    /// `ties` has a bit for each chute of the same class: bits 1 and 2 for bands 2 and 3, bits 3 to 5 for the stacks.
    pub(super) fn automorphisms(&self, rows: &Rows, symmetries: &[Symmetry], mut ties: u64) -> u32 {
        let mut automorphisms = 1;
        for symmetry in symmetries {
            match compare_image(rows, rows, 0, &symmetry.columns, &symmetry.names) {
                Ordering::Less => return 0,
                Ordering::Equal => automorphisms += 1,
                Ordering::Greater => {}
            }
        }
        while ties != 0 {
            let chute = ties.trailing_zeros() as usize;
            ties &= ties - 1;
            let turned: Rows;
            let board = if chute < 3 {
                rows
            } else {
                turned = std::array::from_fn(|row| rows.map(|line| line[row]));
                &turned
            };
            match self.images_of(rows, board, chute % 3) {
                Some(equal) => automorphisms += equal,
                None => return 0,
            }
        }
        automorphisms
    }

    /// How many of the maps that bring a band of this class to the first place give the grid itself. None if one of
    /// them gives a smaller grid.
    fn images_of(&self, rows: &Rows, board: &Rows, band: usize) -> Option<u32> {
        let cells: Band = std::array::from_fn(|at| board[3 * band + at / 9][at % 9] + 1);
        let (_, map) = band_classes().form_of(&cells);
        let mut equal = 0;
        for symmetry in &self.class.symmetries {
            let map = map.then(symmetry);
            let names = names(&board[3 * band + usize::from(map.rows[0])], &map.columns);
            match compare_image(rows, board, band, &map.columns, &names) {
                Ordering::Less => return None,
                Ordering::Equal => equal += 1,
                Ordering::Greater => {}
            }
        }
        Some(equal)
    }
}

/// Compares the six lower rows of an image of a board with those of the grid. `band` is the band of the board that
/// becomes the first band of the grid.
fn compare_image(grid: &Rows, board: &Rows, band: usize, columns: &Row, names: &Row) -> Ordering {
    let first = |row: usize| names[usize::from(board[row][usize::from(columns[0])])];
    let least = grid[3][0];
    let others = [(band + 1) % 3, (band + 2) % 3];
    let fourth = others.iter().flat_map(|other| 3 * other..3 * other + 3).find(|&row| first(row) == least).unwrap_or(0);
    let (middle, lower) = if fourth / 3 == others[0] { (others[0], others[1]) } else { (others[1], others[0]) };
    let compare = |row: usize, with: usize| {
        let image = |at: usize| names[usize::from(board[row][usize::from(columns[at])])];
        (1..9).map(|at| image(at).cmp(&grid[with][at])).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    let order = compare(fourth, 3);
    if order.is_ne() {
        return order;
    }
    // The first cells of the rows are compared too, because they can differ in the lower rows.
    let sorted = |band: usize| {
        let mut rows = [3 * band, 3 * band + 1, 3 * band + 2];
        rows.sort_unstable_by_key(|&row| first(row));
        rows
    };
    let [_, b, c] = sorted(middle);
    let [d, e, f] = sorted(lower);
    [b, c, d, e, f]
        .into_iter()
        .zip(4..)
        .map(|(row, with)| first(row).cmp(&grid[with][0]).then_with(|| compare(row, with)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}
