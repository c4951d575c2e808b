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
use crate::board::rules;
use crate::board::{Cell, CellSet, Layout, Shape, Solution};

/// No further set.
const NONE: u32 = u32::MAX;
/// No unit: the cell has gone before the dig begins.
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
    /// For each cell the number of its unit, or [`GONE`], which is less than any.
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
            sets: Vec::with_capacity(96),
            before: Vec::with_capacity(96),
            newest: vec![NONE; units.len()],
            unit_of,
        }
    }

    /// Files an unavoidable set. A set without a cell in any unit is ignored.
    #[inline]
    pub(super) fn insert(&mut self, set: S) {
        let last = set.cells().map(|cell| self.unit_of[cell.index()]).max().unwrap_or(GONE);
        self.file(set, last);
    }

    /// The same for a list of cells.
    #[inline]
    pub(super) fn insert_cells(&mut self, cells: &[Cell]) {
        let last = cells.iter().map(|cell| self.unit_of[cell.index()]).max().unwrap_or(GONE);
        self.file(S::of(cells.iter().copied()), last);
    }

    /// Adds a set under its last unit.
    #[inline]
    fn file(&mut self, set: S, last: i32) {
        if last != GONE {
            let newest = &mut self.newest[last as usize];
            self.before.push(std::mem::replace(newest, self.sets.len() as u32));
            self.sets.push(set);
        }
    }

    /// True if some set has its last cells in this unit and none of its cells among the kept ones: then it must stay.
    #[inline]
    pub(super) fn hold(&self, unit: usize, kept: S) -> bool {
        let mut at = self.newest[unit];
        while at != NONE {
            if !self.sets[at as usize].meets(kept) {
                return true;
            }
            at = self.before[at as usize];
        }
        false
    }
}

/// A solution in the forms from which sets are read: rows, columns, and the place of each digit in each line and box.
struct Places {
    shape: Shape,
    /// Digits from 0: the rows, then the columns.
    lines: Vec<u8>,
    /// The place of each digit in each line: n entries per digit for the rows, then n for the columns.
    in_line: Vec<u8>,
    /// The row of each digit in each box: n entries per digit.
    row_in_box: Vec<u8>,
    /// The box of each digit in each row: n entries per digit.
    box_in_row: Vec<u8>,
}

impl Places {
    fn of(solution: &Solution) -> Places {
        let shape = solution.shape();
        let n = shape.order();
        let [lines, in_line] = [(); 2].map(|()| vec![0; 2 * n * n]);
        let [row_in_box, box_in_row] = [(); 2].map(|()| vec![0; n * n]);
        let mut places = Places { shape, lines, in_line, row_in_box, box_in_row };
        for (row, line) in solution.values().chunks_exact(n).enumerate() {
            // One division for each row: it takes as long as the work on a cell.
            let first = shape.box_of(row, 0);
            for (stack, part) in line.chunks_exact(shape.box_columns()).enumerate() {
                for (column, &value) in (stack * shape.box_columns()..).zip(part) {
                    let (digit, block) = (usize::from(value - 1), first + stack);
                    places.lines[row * n + column] = digit as u8;
                    places.lines[(n + column) * n + row] = digit as u8;
                    places.in_line[digit * n + row] = column as u8;
                    places.in_line[(n + digit) * n + column] = row as u8;
                    places.row_in_box[digit * n + block] = row as u8;
                    places.box_in_row[digit * n + row] = block as u8;
                }
            }
        }
        places
    }
}

/// The unavoidable sets of two digits and of two lines that have at most `max_cells` cells. No set comes twice, and no
/// part of a set is unavoidable.
pub(super) fn plain_sets(solution: &Solution, max_cells: usize, mut found: impl FnMut(&[Cell])) {
    if !solution.shape().is_plain() {
        return two_digits_that_see(solution, max_cells, &mut found);
    }
    let places = Places::of(solution);
    two_digits(&places, max_cells, &mut found);
    two_lines(&places, max_cells, &mut found);
}

/// The sets in which two digits can be exchanged on a board with any rules that treat digits alike: the cells of the
/// two digits that are joined by seeing each other. Two lines can be exchanged on plain boards only.
fn two_digits_that_see(solution: &Solution, max_cells: usize, found: &mut impl FnMut(&[Cell])) {
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
    let mut next = [0; 2 * rules::MAX_ORDER];
    for a in 0..n {
        for b in a + 1..n {
            // The cells of a, then those of b. Cells with the same digit never see each other.
            let cell = |at: usize| if at < n { of_digit[a][at] } else { of_digit[b][at - n] };
            for (at, next) in next[..2 * n].iter_mut().enumerate() {
                let of_cell = &seen[cell(at).index() * n..][..n];
                *next = if at < n { of_cell[b] << n } else { of_cell[a] };
            }
            closed_sets(&next[..2 * n], |set| {
                if set.count_ones() as usize <= max_cells {
                    found(&bits(set).map(cell).collect::<Vec<Cell>>());
                }
            });
        }
    }
}

/// The sets in which two digits can be exchanged.
///
/// The `a` and the `b` of a row belong together, so a set is a set of rows: an orbit of the two permutations that
/// lead from a row through its `a` to the `b` in the same column, and to the `b` in the same box.
fn two_digits(places: &Places, max_cells: usize, found: &mut impl FnMut(&[Cell])) {
    let n = places.shape.order();
    let mut cells = Vec::with_capacity(2 * n);
    let mut next = [0; Shape::MAX_SOLVABLE_ORDER];
    let next = &mut next[..n];
    for a in 0..n {
        let a_column = &places.in_line[a * n..][..n];
        let a_box = &places.box_in_row[a * n..][..n];
        for b in a + 1..n {
            let b_column = &places.in_line[b * n..][..n];
            let b_row = &places.in_line[(n + b) * n..][..n];
            let b_row_in_box = &places.row_in_box[b * n..][..n];
            for ((next, &column), &at) in next.iter_mut().zip(a_column).zip(a_box) {
                *next = 1 << b_row[usize::from(column)] | 1 << b_row_in_box[usize::from(at)];
            }
            closed_sets(next, |rows| {
                if 2 * rows.count_ones() as usize <= max_cells {
                    cells.clear();
                    let cells_of =
                        |row: usize| [a_column, b_column].map(|at| Cell::new(row * n + usize::from(at[row])));
                    bits(rows).for_each(|row| cells.extend(cells_of(row)));
                    found(&cells);
                }
            });
        }
    }
}

/// The orbits of permutations. `next` has a word for each place, with a bit for each of its images.
#[inline]
fn closed_sets(next: &[u64], mut found: impl FnMut(u64)) {
    let mut left = u64::MAX >> (64 - next.len());
    while left != 0 {
        let part = reached(next, left.trailing_zeros() as usize);
        left &= !part;
        found(part);
    }
}

/// The places that are reached from `start`, itself included.
#[inline]
fn reached(next: &[u64], start: usize) -> u64 {
    let mut all = 1u64 << start;
    let mut open = all;
    while open != 0 {
        let step = next[open.trailing_zeros() as usize] & !all;
        open = open & (open - 1) | step;
        all |= step;
    }
    all
}

/// The sets of at least 6 cells in which two rows of a band, or two columns of a stack, can be exchanged. (Those of 4
/// cells are sets of two digits.)
fn two_lines(places: &Places, max_cells: usize, found: &mut impl FnMut(&[Cell])) {
    let shape = places.shape;
    for (columns, block) in [(false, shape.box_rows()), (true, shape.box_columns())] {
        for one in 0..shape.order() {
            for other in one + 1..(one / block + 1) * block {
                exchange(places, columns, [one, other], max_cells, found);
            }
        }
    }
}

/// The sets in which two rows or two columns can be exchanged.
#[inline]
fn exchange(places: &Places, columns: bool, pair: [usize; 2], max_cells: usize, found: &mut impl FnMut(&[Cell])) {
    let n = places.shape.order();
    let base = usize::from(columns) * n;
    // At each place the second line has a digit. `step` says where the first line has it.
    let mut step = [0; Shape::MAX_SOLVABLE_ORDER];
    for (to, &digit) in step.iter_mut().zip(&places.lines[(base + pair[1]) * n..][..n]) {
        *to = places.in_line[(base + usize::from(digit)) * n + pair[0]];
    }
    cycles(&step[..n], |cycle| {
        let length = cycle.count_ones() as usize;
        if (3..=max_cells / 2).contains(&length) {
            let mut cells = [Cell::new(0); 2 * Shape::MAX_SOLVABLE_ORDER];
            for (cells, at) in cells.chunks_exact_mut(2).zip(bits(cycle)) {
                let [one, other] = pair.map(|line| if columns { at * n + line } else { line * n + at });
                cells.copy_from_slice(&[Cell::new(one), Cell::new(other)]);
            }
            found(&cells[..2 * length]);
        }
    });
}

/// Calls `found` with each cycle of a permutation, as bits: `step` has the image of each place.
#[inline]
fn cycles(step: &[u8], mut found: impl FnMut(u64)) {
    let mut left = u64::MAX >> (64 - step.len());
    while left != 0 {
        let mut cycle = 0u64;
        let mut at = left.trailing_zeros() as usize;
        while cycle >> at & 1 == 0 {
            cycle |= 1 << at;
            at = usize::from(step[at]);
        }
        left &= !cycle;
        found(cycle);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_cells, rng, shapes, solution, unique, variants};
    use super::*;
    use crate::board::Narrow;

    fn minimal_unavoidable(solution: &Solution, set: Narrow) -> bool {
        let rest = all_cells::<Narrow>(solution.shape()) - set;
        !unique(solution, rest) && set.cells().all(|cell| unique(solution, rest | Narrow::only(cell)))
    }

    #[test]
    fn every_set_that_is_read_off_a_solution_is_unavoidable_and_minimal() {
        for shape in shapes().chain(variants(9)) {
            for index in 0..4 {
                let solution = solution(shape, &mut rng(index));
                let (mut sets, most): (Vec<Narrow>, _) = (Vec::new(), shape.order() + 1);
                plain_sets(&solution, most, |cells| sets.push(Narrow::of(cells.iter().copied())));
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
            plain_sets(&solution, 4, |cells| fast.push(Narrow::of(cells.iter().copied())));
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
