//! Unavoidable sets: cells of which every unique puzzle of a solution has at least one as a given.
//!
//! ```text
//!   . 4 . | . 7 .      4 and 7 can change places in these four cells without
//!   . . . | . . .      disturbing a row, a column or a box: a puzzle that has
//!   . 7 . | . 4 .      none of them as a given has two solutions.
//! ```
//!
//! Two kinds are read off the solution: two digits that change places (components of their 2n cells, linked
//! through rows, columns and boxes), and two rows of a band, or two columns of a stack, that change places on some
//! of their cells (cycles of a permutation of the digits). Others come from searches: the cells in which a rival
//! differs from the known solution. McGuire, Tugemann & Civario, arXiv:1201.0749, explain their use.
//!
//! [`Demands`] answers the question of digging with a few bit operations. Cells are dug in a known order, so a set
//! can matter only when its last cell comes up: by then every other cell has been kept or has gone, and when all have
//! gone the last one must stay. So a set is filed under its last cell and looked at once.

use crate::board::{Cell, CellSet, Shape, Solution};

/// No further set.
const NONE: u32 = u32::MAX;
/// No unit: the cell has gone before the dig begins.
const GONE: i32 = -1;

/// Unavoidable sets of one solution, filed by the unit of digging that comes last in each.
///
/// A unit is a set of cells that are dug together: one cell, or an orbit of a symmetry.
#[derive(Clone, Debug)]
pub struct Demands<S> {
    sets: Vec<S>,
    /// For each set the one that was filed before it under the same unit.
    before: Vec<u32>,
    /// For each unit the set that was filed last.
    newest: Vec<u32>,
    /// For each cell the number of its unit, or [`GONE`], which is less than any.
    unit_of: Vec<i32>,
}

impl<S: CellSet> Demands<S> {
    /// No sets yet, for a board of so many cells and units in the order in which they will be dug. The units are
    /// disjoint; cells in none of them have gone already.
    pub fn new(cells: usize, units: &[S]) -> Demands<S> {
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

    /// Files an unavoidable set. One without a cell in any unit demands nothing and is ignored.
    #[inline]
    pub fn insert(&mut self, set: S) {
        let last = set.cells().map(|cell| self.unit_of[cell.index()]).max().unwrap_or(GONE);
        if last != GONE {
            let newest = &mut self.newest[last as usize];
            self.before.push(std::mem::replace(newest, self.sets.len() as u32));
            self.sets.push(set);
        }
    }

    /// True when some set has its last cells in this unit and none of its cells among those kept so far:
    /// the unit cannot go once the other cells of the set have gone.
    #[inline]
    pub fn hold(&self, unit: usize, kept: S) -> bool {
        let mut at = self.newest[unit];
        while at != NONE {
            if !self.sets[at as usize].meets(kept) {
                return true;
            }
            at = self.before[at as usize];
        }
        false
    }

    /// The sets, in the order in which they were filed.
    pub fn sets(&self) -> &[S] {
        &self.sets
    }
}

/// Where each digit stands, by row, column and box: what the sets are read from.
struct Places {
    shape: Shape,
    /// Column of a digit in a row, row of a digit in a column, row of a digit in a box: 3 tables of n*n.
    tables: Vec<u8>,
}

impl Places {
    fn of(solution: &Solution) -> Places {
        let shape = solution.shape();
        let n = shape.order();
        let mut tables = vec![0; 3 * n * n];
        let (by_row, rest) = tables.split_at_mut(n * n);
        let (by_column, by_box) = rest.split_at_mut(n * n);
        for (row, line) in solution.values().chunks_exact(n).enumerate() {
            for (column, &value) in line.iter().enumerate() {
                let digit = usize::from(value - 1) * n;
                by_row[digit + row] = column as u8;
                by_column[digit + column] = row as u8;
                by_box[digit + shape.box_of(row, column)] = row as u8;
            }
        }
        Places { shape, tables }
    }

    /// The three tables of one digit: column by row, row by column, row by box.
    #[inline]
    fn digit(&self, index: usize) -> [&[u8]; 3] {
        let n = self.shape.order();
        [0, 1, 2].map(|table| &self.tables[(table * n + index) * n..][..n])
    }
}

/// The sets in which two digits change places, of at most `max_cells` cells, for every pair of digits.
///
/// The `a` and the `b` of a row belong together, so a component is a set of rows: an orbit of the two permutations
/// that lead from a row through its `a` to the `b` in the same column, and to the `b` in the same box.
pub fn two_digit_sets<S: CellSet>(solution: &Solution, max_cells: usize, mut found: impl FnMut(S)) {
    let places = Places::of(solution);
    let (shape, n) = (solution.shape(), solution.shape().order());
    let box_of: Vec<u8> = (0..n * n).map(|cell| Cell::new(cell).box_index(shape) as u8).collect();
    for a in 0..n {
        let [a_column, ..] = places.digit(a);
        for b in a + 1..n {
            let [b_column, b_row_in_column, b_row_in_box] = places.digit(b);
            let mut left = u64::MAX >> (64 - n);
            while left != 0 {
                let mut open = left & left.wrapping_neg();
                let mut rows = open;
                while open != 0 {
                    let row = open.trailing_zeros() as usize;
                    let column = usize::from(a_column[row]);
                    let next =
                        1u64 << b_row_in_column[column] | 1 << b_row_in_box[usize::from(box_of[row * n + column])];
                    open = (open | next & !rows) & !(1 << row);
                    rows |= next;
                }
                left &= !rows;
                if 2 * rows.count_ones() as usize <= max_cells {
                    found(cells_of_rows(n, rows, a_column, b_column));
                }
            }
        }
    }
}

/// The cells of two digits in a set of rows.
#[inline]
fn cells_of_rows<S: CellSet>(n: usize, mut rows: u64, a_column: &[u8], b_column: &[u8]) -> S {
    let mut set = S::empty();
    while rows != 0 {
        let row = rows.trailing_zeros() as usize;
        set.insert(Cell::new(row * n + usize::from(a_column[row])));
        set.insert(Cell::new(row * n + usize::from(b_column[row])));
        rows &= rows - 1;
    }
    set
}

/// The sets in which two rows of a band change places, or two columns of a stack, of 6 to `max_cells` cells.
/// Those of 4 cells are two-digit sets.
pub fn two_line_sets<S: CellSet>(solution: &Solution, max_cells: usize, mut found: impl FnMut(S)) {
    let shape = solution.shape();
    let n = shape.order();
    let values = solution.values();
    let mut place = vec![0; n + 1];
    let mut cycles = |size: usize, cell_at: &dyn Fn(usize, usize) -> usize| {
        for (first, second) in (0..n).flat_map(|first| (first + 1..(first / size + 1) * size).map(move |b| (first, b)))
        {
            (0..n).for_each(|at| place[usize::from(values[cell_at(first, at)])] = at);
            let mut left = u64::MAX >> (64 - n);
            while left != 0 {
                let mut cycle = 0u64;
                let mut at = left.trailing_zeros() as usize;
                while cycle >> at & 1 == 0 {
                    cycle |= 1 << at;
                    at = place[usize::from(values[cell_at(second, at)])];
                }
                left &= !cycle;
                let cells = 2 * cycle.count_ones() as usize;
                if (6..=max_cells).contains(&cells) {
                    let ats = (0..n).filter(|at| cycle >> at & 1 != 0);
                    found(S::of(ats.flat_map(|at| [cell_at(first, at), cell_at(second, at)]).map(Cell::new)));
                }
            }
        }
    };
    cycles(shape.box_rows(), &|row, at| row * n + at);
    cycles(shape.box_columns(), &|column, at| at * n + column);
}

#[cfg(test)]
mod tests {
    use super::super::testing::{SHAPES, all_cells, rng, solution, unique};
    use super::*;
    use crate::board::Narrow;

    fn minimal_unavoidable(solution: &Solution, set: Narrow) -> bool {
        let rest = all_cells::<Narrow>(solution.shape()) - set;
        !unique(solution, rest) && set.cells().all(|cell| unique(solution, rest | Narrow::only(cell)))
    }

    #[test]
    fn every_set_that_is_read_off_a_solution_is_unavoidable_and_minimal() {
        for (rows, columns) in SHAPES {
            let shape = Shape::new(rows, columns).unwrap();
            for index in 0..4 {
                let solution = solution(shape, &mut rng(index));
                let (mut sets, most): (Vec<Narrow>, _) = (Vec::new(), shape.order() + 1);
                two_digit_sets(&solution, most, |set| sets.push(set));
                two_line_sets(&solution, most, |set| sets.push(set));
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
            two_digit_sets(&solution, 4, |set| fast.push(set));
            fast.sort_unstable();
            slow.sort_unstable();
            assert_eq!(fast, slow);
        }
    }

    #[test]
    fn a_unit_is_held_by_a_set_of_which_it_is_the_last_and_nothing_is_kept() {
        let units: Vec<Narrow> = [3, 1, 2, 0].map(|at| Narrow::only(Cell::new(at))).to_vec();
        let mut demands = Demands::new(5, &units);
        demands.insert(Narrow::of([3, 2, 4].map(Cell::new)));
        demands.insert(Narrow::of([1, 2].map(Cell::new)));
        demands.insert(Narrow::empty());
        demands.insert(Narrow::only(Cell::new(4)));
        assert_eq!(demands.sets().len(), 2);
        assert!(demands.hold(2, Narrow::empty()) && !demands.hold(0, Narrow::empty()));
        assert!(demands.hold(2, units[0]) && demands.hold(2, units[1]));
        assert!(!demands.hold(2, units[0] | units[1]) && !demands.hold(3, Narrow::empty()));
    }
}
