//! Junior Exocet: two base cells whose digits must also stand in two target cells.
//!
//! ```text
//!   B  B  x | .  .  . | .  .  .      base B: two open cells of a row in a box, together 3 or 4 digits
//!   .  .  . | T  m  m | c  .  .      object: the two cells of a column in another box of the band, off the row of B:
//!   .  .  . | c  .  . | T  m  m      a target T with base digits and a companion c without; one object in each box
//!   --------+---------+--------
//!         s | s       | s            cross-lines: the column of x and those of the objects; S-cells s: their cells
//!        .. | ..      | ..           outside the band. Every base digit has its S-cells in at most two lines.
//! ```
//!
//! *Proof.* A base digit that is true in B is not in another cell of its row or box. If it were in no target, each of
//! the three cross-lines would have it in an S-cell. But two lines cover its S-cells and have it only twice. So both
//! true digits are in the targets, one in each. Let d be the digit of a target. The box of this target has d in the row
//! of the target, and the box of B has d in the row of B. So the third box of the band has d in the third row. There d
//! is not in the object: the companion has no base digit, and the other target has the other digit. So d is in one of
//! the two **mirror** cells m of that row.
//!
//! The search tries every choice of two digits for the base cells, and both orders of these digits in the targets. It
//! keeps the choices that the candidates of the four cells and the mirrors allow. The four cells lose what no such
//! choice has. So a target keeps base digits only, and a base digit that is possible in no target is false. A digit of
//! all choices is removed from cells that see both base cells or both targets. Exactly two S-cells take this digit, so
//! it is also removed from the rest of two lines that cover its S-cells. Rows and columns may be exchanged.
//!
//! Left out: patterns in which only some base digits have their S-cells in two lines, rules about other digits of the
//! mirrors, incompatible pairs of base digits, double, incomplete and senior Exocets.
//!
//! Reference: D. P. Bird, "JExocet Compendium", forum of the New Sudoku Players, 2013 (after champagne's "Exocet").
//! HoDoKu does not know this technique.

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House, Narrow};

use super::multi_sector::{Offer, covers, locked_out};
use crate::ladder::words::sink::{Pattern, removals};

/// A target with the line of its object across the band, and its companion.
#[derive(Clone, Copy)]
struct Object {
    target: Cell,
    companion: Cell,
    cross_line: House,
}

struct BaseCells {
    cells: [Cell; 2],
    digits: Digits,
    /// The line through the third cell of the box, across the band.
    cross_line: House,
    /// The cells of the three boxes of the band (or stack) of the base.
    band: Narrow,
}

/// Offers what every Junior Exocet removes: for each two base cells every choice of objects in the two other boxes.
pub(crate) fn junior_exocets(marks: &Candidates<Narrow>, offer: Offer<'_>) {
    let layout = marks.sets().layout();
    // Houses 0 to 17 are rows and columns, 18 to 26 boxes.
    for of_box in (18..27).map(House::new) {
        for line in (0..18).map(House::new) {
            let mini: Vec<Cell> = (marks.house(line) & marks.house(of_box)).cells().collect();
            for &third in &mini {
                let mut open_cells = mini.iter().copied().filter(|&cell| cell != third && marks.open().contains(cell));
                let (Some(a), Some(b)) = (open_cells.next(), open_cells.next()) else { continue };
                let digits = marks.of_cell(a) | marks.of_cell(b);
                if !(3..=4).contains(&digits.len()) {
                    continue;
                }
                let in_line = marks.house(line) - marks.house(of_box);
                let mut boxes: Vec<House> = in_line.cells().map(|cell| layout.plain_houses_of(cell)[2]).collect();
                boxes.dedup();
                let band = boxes.iter().fold(marks.house(of_box), |band, &house| band | marks.house(house));
                let cross_line = across(marks, third, line);
                let base = BaseCells { cells: [a, b], digits, cross_line, band };
                let [firsts, seconds] = [boxes[0], boxes[1]].map(|in_box| objects(marks, &base, line, in_box));
                for &first in &firsts {
                    seconds.iter().for_each(|&second| conclude(marks, &base, [first, second], offer));
                }
            }
        }
    }
}

/// The line through a cell that crosses another line through it.
fn across(marks: &Candidates<Narrow>, cell: Cell, line: House) -> House {
    let [row, column, _] = marks.sets().layout().plain_houses_of(cell);
    if line == row { column } else { row }
}

/// The objects of a base in another box of its band; `line` is the line of the base.
fn objects(marks: &Candidates<Narrow>, base: &BaseCells, line: House, of_box: House) -> Vec<Object> {
    let mut objects = Vec::new();
    for top in (marks.house(line) & marks.house(of_box)).cells() {
        let cross_line = across(marks, top, line);
        let pair: Vec<Cell> = ((marks.house(cross_line) & marks.house(of_box)) - Narrow::only(top)).cells().collect();
        for (target, companion) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            let mut places = base.digits.iter().map(|digit| marks.of_digit(digit) | marks.placed(digit));
            if !(marks.of_cell(target) & base.digits).is_empty() && !places.any(|places| places.contains(companion)) {
                objects.push(Object { target, companion, cross_line });
            }
        }
    }
    objects
}

/// The one or two lines that hold all S-cells of a digit: every choice of them.
fn line_covers(marks: &Candidates<Narrow>, digit: Digit, s_cells: Narrow) -> Vec<Vec<House>> {
    let places = (marks.of_digit(digit) | marks.placed(digit)) & s_cells;
    covers(marks, places, 2, &|house| house.index() < 18)
}

/// Offers what follows if the S-cells of every base digit are in two lines.
fn conclude(marks: &Candidates<Narrow>, base: &BaseCells, objects: [Object; 2], offer: Offer<'_>) {
    let cross_lines = [base.cross_line, objects[0].cross_line, objects[1].cross_line];
    let s_cells = cross_lines.iter().fold(Narrow::empty(), |area, &line| area | marks.house(line)) - base.band;
    if base.digits.iter().any(|digit| line_covers(marks, digit, s_cells).is_empty()) {
        return;
    }
    let mirrors = [mirror(marks, objects[0], objects[1]), mirror(marks, objects[1], objects[0])];
    // True if a digit can be in a target: in the solution it is in the mirror of the target, too.
    let fits = |digit, object: usize| {
        marks.of_digit(digit).contains(objects[object].target)
            && (marks.of_digit(digit) | marks.placed(digit)).meets(mirrors[object])
    };
    let [a, b] = base.cells.map(|cell| marks.of_cell(cell));
    let cells = [base.cells[0], base.cells[1], objects[0].target, objects[1].target];
    // What the choices use in each cell, and what all have. x, y: digits of the base; t, u: those of the targets.
    let (mut used, mut common) = ([Digits::EMPTY; 4], base.digits);
    for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (x, y))).filter(|(x, y)| x != y) {
        for (t, u) in [(x, y), (y, x)] {
            if fits(t, 0) && fits(u, 1) {
                used.iter_mut().zip([x, y, t, u]).for_each(|(used, digit)| used.insert(digit));
                common = common & (Digits::only(x) | Digits::only(y));
            }
        }
    }
    if used[0].is_empty() {
        return;
    }
    let out = removals(marks, Digits::all(9), |digit| {
        let unused = cells.iter().zip(used).filter(|(_, used)| !used.contains(digit)).map(|(&cell, _)| cell);
        let mut removed = Narrow::of(unused);
        if common.contains(digit) {
            let covers: Vec<_> =
                line_covers(marks, digit, s_cells).into_iter().filter(|cover| cover.len() == 2).collect();
            let seen_by_base = marks.peers(cells[0]) & marks.peers(cells[1]);
            let seen_by_targets = marks.peers(cells[2]) & marks.peers(cells[3]);
            removed = removed | seen_by_base | seen_by_targets | locked_out(marks, digit, s_cells, &covers);
        }
        removed
    });
    offer(0, &out, Pattern::of(base.digits, cells).in_houses(cross_lines));
}

/// The cells of the other object's box that see the companion of a target, without the object itself.
fn mirror(marks: &Candidates<Narrow>, object: Object, opposite: Object) -> Narrow {
    let opposite_box = marks.house(marks.sets().layout().plain_houses_of(opposite.target)[2]);
    (marks.peers(object.companion) & opposite_box) - marks.house(opposite.cross_line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ladder::tests::cases::{LEVELS, PATTERNS};
    use crate::ladder::tests::{puzzle, solutions};

    /// A target and the cell beside it, which has none of the digits of the base.
    struct Object {
        column: usize,
        target: Cell,
    }

    /// True if two rows or columns hold all of some cells, each a row and a column.
    fn lie_on_two_lines(cells: &[[usize; 2]]) -> bool {
        let is_on = |line: usize, [row, column]: [usize; 2]| line == row || line == 9 + column;
        let hold_all = |a, b| cells.iter().all(|&cell| is_on(a, cell) || is_on(b, cell));
        (0..18).any(|a| (0..18).any(|b| hold_all(a, b)))
    }

    /// Every choice of four cells that fits the definition, for bases in rows, or in columns (`across`).
    fn defined(marks: &Candidates<Narrow>, across: bool) -> Vec<Vec<Cell>> {
        let cell = |row: usize, column: usize| Cell::new(if across { 9 * column + row } else { 9 * row + column });
        let has = |cell: Cell, digit| (marks.of_digit(digit) | marks.placed(digit)).contains(cell);
        let mut exocets = Vec::new();
        for [row, first, third] in (0..81_usize).map(|number| [number / 9, number / 3 % 3 * 3, number % 3]) {
            let base: Vec<Cell> =
                (0..3).filter(|&place| place != third).map(|place| cell(row, first + place)).collect();
            let digits = marks.of_cell(base[0]) | marks.of_cell(base[1]);
            if base.iter().any(|&cell| !marks.open().contains(cell)) || !(3..=4).contains(&digits.len()) {
                continue;
            }
            let rows: Vec<usize> = (row / 3 * 3..row / 3 * 3 + 3).filter(|&near| near != row).collect();
            let mut objects: Vec<Object> = Vec::new();
            for [target_row, row_beside] in [[rows[0], rows[1]], [rows[1], rows[0]]] {
                for column in (0..9).filter(|column| column / 3 != first / 3) {
                    let target = cell(target_row, column);
                    let is_clear = !digits.iter().any(|digit| has(cell(row_beside, column), digit));
                    if is_clear && !(marks.of_cell(target) & digits).is_empty() {
                        objects.push(Object { column, target });
                    }
                }
            }
            for left in &objects {
                for right in objects.iter().filter(|right| left.column / 3 < right.column / 3) {
                    // The S-cells of a digit, by row and column.
                    let s_cells = |digit| {
                        let columns = [first + third, left.column, right.column].into_iter();
                        let mut s_cells: Vec<[usize; 2]> =
                            columns.flat_map(|column| (0..9).map(move |row| [row, column])).collect();
                        s_cells.retain(|&[s_row, column]| s_row / 3 != row / 3 && has(cell(s_row, column), digit));
                        s_cells
                    };
                    if digits.iter().all(|digit| lie_on_two_lines(&s_cells(digit))) {
                        exocets.push(vec![base[0], base[1], left.target, right.target]);
                    }
                }
            }
        }
        exocets
    }

    /// In the solution, the digits of the base and of the targets are the same.
    #[test]
    fn four_cells_are_found_where_the_definition_fits() {
        let mut count = 0;
        for line in PATTERNS.into_iter().chain(LEVELS.map(|(line, _)| line)) {
            let marks = Candidates::<Narrow>::new(&puzzle(line));
            let solution = solutions(&puzzle(line), 1).remove(0);
            let mut exocets: Vec<Vec<Cell>> = Vec::new();
            junior_exocets(&marks, &mut |_, _, pattern| exocets.push(pattern.cells));
            for cells in &exocets {
                let [a, b, t, u] = [0, 1, 2, 3].map(|number| solution.digit(cells[number]));
                assert!((a, b) == (t, u) || (a, b) == (u, t), "{line}");
            }
            let mut expected = [false, true].map(|across| defined(&marks, across)).concat();
            count += exocets.len();
            [&mut exocets, &mut expected].into_iter().for_each(|list| list.sort_unstable());
            assert_eq!(exocets, expected, "{line}");
        }
        assert!(count > 0);
    }
}
