//! Finds the automorphisms of a minlex grid, and tells whether a grid is minlex.

use std::cell::LazyCell;
use std::cmp::Ordering;

use super::chutes::{BandClass, BandMap};
use super::minlex::{Rows, form_of, relabelling, transposed};
use crate::catalogue::numbers::partition::Row;

/// A symmetry of the first band: where the columns come from, and the new names of the digits.
#[derive(Clone, Copy)]
pub(crate) struct FirstBandMap {
    columns: Row,
    names: Row,
}

impl FirstBandMap {
    /// The symmetry of a band, from a map of this band onto itself.
    pub(crate) fn new(top: &[Row; 3], map: &BandMap) -> FirstBandMap {
        FirstBandMap { columns: map.columns, names: relabelling(&top[usize::from(map.rows[0])], &map.columns) }
    }

    /// Compares the image of a row with the fourth row. None if they begin with different digits: then the row does not
    /// come to the fourth place.
    #[inline]
    pub(crate) fn compare(&self, row: &Row, fourth: &Row) -> Option<Ordering> {
        let image = |at: usize| self.names[usize::from(row[usize::from(self.columns[at])])];
        let rest = || (1..9).map(|at| image(at).cmp(&fourth[at])).find(|order| order.is_ne());
        (image(0) == fourth[0]).then(|| rest().unwrap_or(Ordering::Equal))
    }
}

/// The number of automorphisms of a minlex grid whose first band is of a class; 0 if the grid is not minlex.
/// `symmetries` are those of this band that have to be tried. `ties` has a bit for each chute of the same class: bits 1
/// and 2 for bands 2 and 3, bits 3 to 5 for the stacks.
///
/// The caller knows that no chute of the grid has a class below that of its first band. So only images that begin with
/// the first band, or with another chute of the same class, can be smaller than the grid.
pub(super) fn automorphisms(class: &BandClass, rows: &Rows, symmetries: &[FirstBandMap], ties: u64) -> u32 {
    let turned = LazyCell::new(|| transposed(rows));
    let own = symmetries.iter().map(|symmetry| compare_image(rows, rows, 0, &symmetry.columns, &symmetry.names));
    let others = (1..6).filter(|chute| ties >> chute & 1 != 0).flat_map(|chute| {
        let (board, band) = (if chute < 3 { rows } else { &turned }, chute % 3);
        let (_, map) = form_of(board, band);
        class.symmetries.iter().map(move |symmetry| {
            let map = map.then(symmetry);
            let names = relabelling(&board[3 * band + usize::from(map.rows[0])], &map.columns);
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
        // The fourth row is equal; the five below it are left.
        all.into_iter().zip(3..).skip(1).find_map(compare)
    };
    compare((fourth, 3)).or_else(below).unwrap_or(Ordering::Equal)
}
