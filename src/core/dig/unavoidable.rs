//! Unavoidable sets: every unique puzzle of a solution has a given in each of them.
//!
//! ```text
//!   . 4 . | . 7 .      4 and 7 can be exchanged in these four cells, and every
//!   . . . | . . .      row, column and box stays valid. So a puzzle that has
//!   . 7 . | . 4 .      none of these cells as a given has two solutions.
//! ```
//!
//! Two kinds are read off the solution. In the first, two digits are exchanged (components of their 2n cells, linked
//! through rows, columns and boxes). In the second, two rows of a band or two columns of a stack are exchanged in some
//! of their cells (cycles of a permutation of the digits). Of 24 cells that stay in a dig on 9x9, ten stay because of
//! the first kind and two more because of the second. Searches find others: the cells in which a second solution
//! differs from the known solution. McGuire, Tugemann & Civario, arXiv:1201.0749, explain their use.
//!
//! [`Demands`] finds out with a few bit operations whether a set keeps a cell. Cells are dug in a known order, so a set
//! matters only when its last cell is tried. By then every other cell has been kept or has gone; if all have gone, the
//! last one must stay. So a set is filed under its last cell and looked at only when this cell is tried.

use crate::board::digit::bits;
use crate::board::{Cell, CellSet, Layout, Solution};

/// No further set.
const NONE: u32 = u32::MAX;
/// No unit: the cell has gone before the dig begins. All units have larger numbers.
const GONE: i32 = -1;

/// Unavoidable sets of one solution, filed by the unit of digging that comes last in each.
///
/// A unit is a set of cells that are dug together: one cell, or an orbit of a symmetry.
#[derive(Clone, Debug)]
pub(super) struct Demands<S> {
    /// The sets, in the order in which they were filed.
    pub sets: Vec<S>,
    /// For each set the previous one under the same unit.
    before: Vec<u32>,
    /// For each unit the set that was filed last.
    newest: Vec<u32>,
    /// For each cell the number of its unit, or [`GONE`].
    pub unit_of: Vec<i32>,
}

impl<S: CellSet> Demands<S> {
    /// No sets yet, for a board with a number of cells, and for units in the order in which they will be dug. The units
    /// are disjoint; cells in no unit have already gone.
    pub(super) fn new(cells: usize, units: &[S]) -> Demands<S> {
        let mut unit_of = vec![GONE; cells];
        for (number, unit) in units.iter().enumerate() {
            unit.cells().for_each(|cell| unit_of[cell.index()] = number as i32);
        }
        Demands {
            // A 9x9 grid has about 40, and a dig finds 12 more. Allocations up to a kilobyte are cheap.
            sets: Vec::with_capacity(64),
            before: Vec::with_capacity(64),
            newest: vec![NONE; units.len()],
            unit_of,
        }
    }

    /// Files an unavoidable set. A set without a cell in any unit is ignored.
    #[inline]
    pub(super) fn insert(&mut self, set: S) {
        let last = set.cells().map(|cell| self.unit_of[cell.index()]).max().unwrap_or(GONE);
        if last != GONE {
            let newest = &mut self.newest[last as usize];
            self.before.push(std::mem::replace(newest, self.sets.len() as u32));
            self.sets.push(set);
        }
    }

    /// True if some set has its last cells in this unit and none of its cells among the kept ones: then it must stay.
    #[inline]
    pub(super) fn hold(&self, unit: usize, kept: S) -> bool {
        let mut set = self.newest[unit];
        while set != NONE {
            if !self.sets[set as usize].meets(kept) {
                return true;
            }
            set = self.before[set as usize];
        }
        false
    }
}

/// One number for each line or box; the places from the order of the board on are not used. With a power of two, an
/// index of six bits needs no check.
type Numbers = [u8; 64];

/// Where a digit stands.
#[derive(Clone, Copy)]
struct DigitPlaces {
    column_of_row: Numbers,
    row_of_column: Numbers,
    box_of_row: Numbers,
    row_of_box: Numbers,
}

fn places_of(solution: &Solution) -> Vec<DigitPlaces> {
    let (shape, n) = (solution.shape(), solution.shape().order());
    let mut places =
        vec![
            DigitPlaces { column_of_row: [0; 64], row_of_column: [0; 64], box_of_row: [0; 64], row_of_box: [0; 64] };
            n
        ];
    for (row, line) in solution.values().chunks_exact(n).enumerate() {
        // One division for each row: it takes as long as the work on a cell.
        let first = shape.box_of(row, 0);
        for (stack, part) in line.chunks_exact(shape.box_columns()).enumerate() {
            for (column, &value) in (stack * shape.box_columns()..).zip(part) {
                let (digit, block) = (&mut places[usize::from(value - 1)], first + stack);
                digit.column_of_row[row & 63] = column as u8;
                digit.row_of_column[column & 63] = row as u8;
                digit.box_of_row[row & 63] = block as u8;
                digit.row_of_box[block & 63] = row as u8;
            }
        }
    }
    places
}

/// The unavoidable sets of two digits and of two lines that have at most `max_cells` cells. No set comes twice, and no
/// part of a set is unavoidable.
pub(super) fn plain_sets<S: CellSet>(solution: &Solution, max_cells: usize, visit: &mut dyn FnMut(S)) {
    if !solution.shape().is_plain() {
        return two_digits_that_see(solution, max_cells, visit);
    }
    let places = places_of(solution);
    two_digits(&places, max_cells, visit);
    two_lines(solution, &places, max_cells, visit);
}

/// The sets in which two digits can be exchanged on a board with any rules that treat digits alike: the cells of the
/// two digits that are joined by seeing each other. Two lines can be exchanged on plain boards only.
fn two_digits_that_see<S: CellSet>(solution: &Solution, max_cells: usize, visit: &mut dyn FnMut(S)) {
    let layout = Layout::of(solution.shape());
    let n = solution.shape().order();
    let mut of_digit = vec![Vec::with_capacity(n); n];
    // The place of each cell among those of its digit.
    let mut place = vec![0; n * n];
    for cell in layout.cells() {
        let cells = &mut of_digit[solution.digit(cell).index()];
        place[cell.index()] = cells.len();
        cells.push(cell);
    }
    // For each cell and digit the places of the cells with this digit that it sees.
    let mut seen = vec![0u64; n * n * n];
    for cell in layout.cells() {
        for &peer in layout.peers(cell) {
            seen[cell.index() * n + solution.digit(peer).index()] |= 1 << place[peer.index()];
        }
    }
    let mut next = [0; 64];
    for a in 0..n {
        for b in a + 1..n {
            // The cells of a, then those of b. Cells with the same digit never see each other.
            let cell = |place: usize| if place < n { of_digit[a][place] } else { of_digit[b][place - n] };
            for (place, next) in next[..2 * n].iter_mut().enumerate() {
                let seen = &seen[cell(place).index() * n..][..n];
                *next = if place < n { seen[b] << n } else { seen[a] };
            }
            closed_sets(&next, 2 * n, |set| {
                if set.count_ones() as usize <= max_cells {
                    visit(S::of(bits(set).map(cell)));
                }
            });
        }
    }
}

/// The sets in which two digits can be exchanged.
///
/// The `a` and the `b` of a row belong together, so a set is a set of rows: an orbit of the two permutations that
/// lead from a row through its `a` to the `b` in the same column, and to the `b` in the same box.
fn two_digits<S: CellSet>(places: &[DigitPlaces], max_cells: usize, visit: &mut dyn FnMut(S)) {
    let n = places.len();
    let mut next = [0; 64];
    for (number, a) in places.iter().enumerate() {
        for b in &places[number + 1..] {
            for (row, next) in next[..n].iter_mut().enumerate() {
                let (column, block) = (usize::from(a.column_of_row[row & 63]), usize::from(a.box_of_row[row & 63]));
                *next = 1 << b.row_of_column[column & 63] | 1 << b.row_of_box[block & 63];
            }
            closed_sets(&next, n, |rows| {
                if 2 * rows.count_ones() as usize <= max_cells {
                    let mut set = S::empty();
                    for row in bits(rows) {
                        for digit in [a, b] {
                            set.insert(Cell::new(row * n + usize::from(digit.column_of_row[row & 63])));
                        }
                    }
                    visit(set);
                }
            });
        }
    }
}

/// The orbits of permutations of `n` places. `next` has a word for each place, with a bit for each of its images.
#[inline]
fn closed_sets(next: &[u64; 64], n: usize, mut visit: impl FnMut(u64)) {
    let mut left = u64::MAX >> (64 - n);
    while left != 0 {
        // The places that are not reached from the first one, and those that are reached but were not followed.
        let first = left & left.wrapping_neg();
        let (mut rest, mut open) = (left ^ first, first);
        while open != 0 {
            let step = next[open.trailing_zeros() as usize & 63] & rest;
            rest ^= step;
            open = open & (open - 1) | step;
        }
        visit(left ^ rest);
        left = rest;
    }
}

/// The sets of at least 6 cells in which two rows of a band, or two columns of a stack, can be exchanged. (Those of 4
/// cells are sets of two digits.) The next place in a cycle is where the first line has the digit of the second line.
fn two_lines<S: CellSet>(solution: &Solution, places: &[DigitPlaces], max_cells: usize, visit: &mut dyn FnMut(S)) {
    let (shape, n, values) = (solution.shape(), places.len(), solution.values());
    let mut step = [0; 64];
    for (are_columns, chute_size) in [(false, shape.box_rows()), (true, shape.box_columns())] {
        let cell = |line: usize, place: usize| if are_columns { place * n + line } else { line * n + place };
        for first in 0..n {
            for second in first + 1..(first / chute_size + 1) * chute_size {
                for (place, step) in step[..n].iter_mut().enumerate() {
                    let digit = &places[usize::from(values[cell(second, place)] - 1)];
                    *step = if are_columns { digit.row_of_column[first & 63] } else { digit.column_of_row[first & 63] };
                }
                cycles(&step, n, |cycle| {
                    if (3..=max_cells / 2).contains(&(cycle.count_ones() as usize)) {
                        let cells = bits(cycle).flat_map(|place| [cell(first, place), cell(second, place)]);
                        visit(S::of(cells.map(Cell::new)));
                    }
                });
            }
        }
    }
}

/// Calls back with each cycle of a permutation of `n` places, as bits: `step` has the image of each place.
#[inline]
fn cycles(step: &Numbers, n: usize, mut visit: impl FnMut(u64)) {
    let mut left = u64::MAX >> (64 - n);
    while left != 0 {
        let before = left;
        let mut place = left.trailing_zeros();
        while left >> place & 1 != 0 {
            left ^= 1 << place;
            place = u32::from(step[place as usize & 63]);
        }
        visit(before ^ left);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_cells, is_unique, rng, shapes, solution, variants};
    use super::*;
    use crate::board::{Narrow, Shape};

    fn minimal_unavoidable(solution: &Solution, set: Narrow) -> bool {
        let rest = all_cells::<Narrow>(solution.shape()) - set;
        !is_unique(solution, rest) && set.cells().all(|cell| is_unique(solution, rest | Narrow::only(cell)))
    }

    #[test]
    fn every_set_that_is_read_off_a_solution_is_unavoidable_and_minimal() {
        for shape in shapes().chain(variants(9)) {
            for index in 0..4 {
                let solution = solution(shape, &mut rng(index));
                let (mut sets, most): (Vec<Narrow>, _) = (Vec::new(), shape.order() + 1);
                plain_sets(&solution, most, &mut |set| sets.push(set));
                let different: std::collections::HashSet<Narrow> = sets.iter().copied().collect();
                assert_eq!(different.len(), sets.len());
                for set in sets {
                    assert!((4..=most).contains(&set.len()));
                    assert!(minimal_unavoidable(&solution, set), "{solution:?} {set:?}");
                }
            }
        }
    }

    /// The slow way to the sets of 4 cells: all rectangles in two boxes.
    #[test]
    fn no_set_of_four_cells_is_missed() {
        for index in 0..10 {
            let solution = solution(Shape::NINE, &mut rng(index));
            let at = |row: usize, column: usize| solution.values()[9 * row + column];
            let mut slow = Vec::new();
            for (r, s) in (0..9).flat_map(|r| (r + 1..9).map(move |s| (r, s))) {
                for (c, d) in (0..9).flat_map(|c| (c + 1..9).map(move |d| (c, d))) {
                    let boxes = (r / 3 == s / 3) != (c / 3 == d / 3);
                    if boxes && at(r, c) == at(s, d) && at(r, d) == at(s, c) {
                        slow.push(Narrow::of([9 * r + c, 9 * r + d, 9 * s + c, 9 * s + d].map(Cell::new)));
                    }
                }
            }
            let mut fast: Vec<Narrow> = Vec::new();
            plain_sets(&solution, 4, &mut |set| fast.push(set));
            fast.sort_unstable();
            slow.sort_unstable();
            assert_eq!(fast, slow);
        }
    }

    #[test]
    fn a_set_keeps_its_last_unit_if_no_other_is_kept() {
        let units: Vec<Narrow> = [3, 1, 2, 0].map(|at| Narrow::only(Cell::new(at))).to_vec();
        let mut demands = Demands::new(5, &units);
        demands.insert(Narrow::of([3, 2, 4].map(Cell::new)));
        demands.insert(Narrow::of([1, 2].map(Cell::new)));
        demands.insert(Narrow::empty());
        demands.insert(Narrow::only(Cell::new(4)));
        assert_eq!(demands.sets.len(), 2);
        assert!(demands.hold(2, Narrow::empty()) && !demands.hold(0, Narrow::empty()));
        assert!(demands.hold(2, units[0]) && demands.hold(2, units[1]));
        assert!(!demands.hold(2, units[0] | units[1]) && !demands.hold(3, Narrow::empty()));
    }
}
