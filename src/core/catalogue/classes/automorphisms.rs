//! Finds the automorphisms of a minlex grid, and tells whether a grid is minlex.

use std::cell::LazyCell;
use std::cmp::Ordering;

use super::chutes::{BandClass, BandMap};
use super::minlex::{Rows, map_to_form, relabelling, transposed};
use crate::catalogue::numbers::partition::DigitRow;

/// A symmetry of the first band: where the columns come from, and the new names of the digits.
#[derive(Clone, Copy)]
pub(crate) struct FirstBandMap {
    columns: DigitRow,
    names: DigitRow,
}

impl FirstBandMap {
    /// The symmetry of a band, from a map of this band onto itself.
    pub(crate) fn new(top: &[DigitRow], map: &BandMap) -> FirstBandMap {
        FirstBandMap { columns: map.columns, names: relabelling(&top[usize::from(map.rows[0])], &map.columns) }
    }

    /// Compares the image of a row with the fourth row. None if it does not come there: it begins with another digit.
    #[inline]
    pub(crate) fn compare(&self, row: &DigitRow, fourth: &DigitRow) -> Option<Ordering> {
        (self.image(row, 0) == fourth[0]).then(|| self.compare_rows(row, fourth))
    }

    /// Compares the image of a row with another row.
    #[inline]
    fn compare_rows(&self, row: &DigitRow, target: &DigitRow) -> Ordering {
        let orders = (0..9).map(|column| self.image(row, column).cmp(&target[column]));
        orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// A digit of the image of a row.
    #[inline]
    fn image(&self, row: &DigitRow, column: usize) -> u8 {
        self.names[usize::from(row[usize::from(self.columns[column])])]
    }
}

/// Chutes of a grid besides its first band: bits 1 and 2 for bands 2 and 3, bits 3 to 5 for the stacks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ChuteSet(pub(super) u64);

impl ChuteSet {
    pub(super) const EMPTY: ChuteSet = ChuteSet(0);

    fn chutes(self) -> impl Iterator<Item = usize> {
        (1..6).filter(move |chute| self.0 >> chute & 1 != 0)
    }
}

/// The number of automorphisms of a minlex grid whose first band is of a class; 0 if the grid is not minlex.
/// `symmetries` are those of this band that have to be tried; the identity, an automorphism of every grid, is not among
/// them. `ties` are the chutes of the same class.
///
/// The caller knows that no chute of the grid has a class below that of its first band. So only images that begin with
/// the first band, or with another chute of the same class, can be smaller than the grid.
pub(super) fn automorphisms(class: &BandClass, rows: &Rows, symmetries: &[FirstBandMap], ties: ChuteSet) -> u32 {
    let turned = LazyCell::new(|| transposed(rows));
    let images_by_symmetries = symmetries.iter().map(|symmetry| compare_image(rows, rows, 0, symmetry));
    let images_of_chutes = ties.chutes().flat_map(|chute| {
        let (board, band) = (if chute < 3 { rows } else { &turned }, chute % 3);
        let map = map_to_form(board, band);
        class.symmetries.iter().map(move |symmetry| {
            compare_image(rows, board, band, &FirstBandMap::new(&board[3 * band..], &map.then(symmetry)))
        })
    });
    let mut automorphisms = 1;
    for order in images_by_symmetries.chain(images_of_chutes) {
        match order {
            Ordering::Less => return 0,
            Ordering::Equal => automorphisms += 1,
            Ordering::Greater => {}
        }
    }
    automorphisms
}

/// Compares the six lower rows of an image of a board with those of the grid. `band` is the band of the board that
/// becomes the first band of the grid.
fn compare_image(grid: &Rows, board: &Rows, band: usize, map: &FirstBandMap) -> Ordering {
    let [next, last] = [(band + 1) % 3, (band + 2) % 3];
    let mut rows = (3 * next..3 * next + 3).chain(3 * last..3 * last + 3);
    // The first bands are equal, so that the same digits are left for column 1.
    let fourth = rows.find(|&row| map.image(&board[row], 0) == grid[3][0]);
    let fourth = fourth.unwrap_or_else(|| unreachable!("no row of the image begins like the fourth row"));
    let order = map.compare_rows(&board[fourth], &grid[3]);
    if order.is_ne() {
        return order;
    }
    let bands = if fourth / 3 == next { [next, last] } else { [last, next] };
    let mut rows: [usize; 6] = std::array::from_fn(|place| 3 * bands[place / 3] + place % 3);
    rows.chunks_exact_mut(3).for_each(|rows| rows.sort_unstable_by_key(|&row| map.image(&board[row], 0)));
    // The fourth row is equal; the five below it are left.
    for (&row, target) in rows[1..].iter().zip(&grid[4..]) {
        let order = map.compare_rows(&board[row], target);
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}
