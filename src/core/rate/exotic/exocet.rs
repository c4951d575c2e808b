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
use crate::rate::ladder::sink::{Pattern, removals};

/// A target with the line of its object across the band, and its companion.
#[derive(Clone, Copy)]
struct Object {
    target: Cell,
    companion: Cell,
    cross_line: House,
}

/// The base of a pattern.
struct BaseCells {
    cells: [Cell; 2],
    digits: Digits,
    /// The line through the third cell of the box, across the band.
    cross_line: House,
    /// The cells of the three boxes of the band (or stack) of the base.
    band: Narrow,
}

/// Offers what every Junior Exocet removes: for each two base cells every choice of an object in each of the two other
/// boxes.
pub(crate) fn junior_exocets(marks: &Candidates<Narrow>, offer: Offer<'_>) {
    let layout = marks.sets().layout();
    // Houses 0 to 17 are rows and columns, 18 to 26 boxes.
    for of_box in (18..27).map(House::new) {
        for line in (0..18).map(House::new) {
            let mini: Vec<Cell> = (marks.house(line) & marks.house(of_box)).cells().collect();
            for &third in &mini {
                let mut two = mini.iter().copied().filter(|&cell| cell != third && marks.open().contains(cell));
                let (Some(a), Some(b)) = (two.next(), two.next()) else { continue };
                let digits = marks.of_cell(a) | marks.of_cell(b);
                if !(3..=4).contains(&digits.len()) {
                    continue;
                }
                let in_line = marks.house(line) - marks.house(of_box);
                let mut boxes: Vec<House> = in_line.cells().map(|cell| layout.plain_houses_of(cell)[2]).collect();
                boxes.dedup();
                let band = boxes.iter().fold(marks.house(of_box), |all, &other| all | marks.house(other));
                let cross_line = across(marks, third, line);
                let base = BaseCells { cells: [a, b], digits, cross_line, band };
                let [first, second] = [0, 1].map(|at| objects(marks, &base, line, boxes[at]));
                for &one in &first {
                    second.iter().for_each(|&other| conclude(marks, &base, [one, other], offer));
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
            let in_companion = |digit| (marks.of_digit(digit) | marks.stands(digit)).contains(companion);
            if !(marks.of_cell(target) & base.digits).is_empty() && !base.digits.iter().any(in_companion) {
                objects.push(Object { target, companion, cross_line });
            }
        }
    }
    objects
}

/// Offers what follows if the S-cells of every base digit are in two lines.
fn conclude(marks: &Candidates<Narrow>, base: &BaseCells, objects: [Object; 2], offer: Offer<'_>) {
    let cross_lines = [base.cross_line, objects[0].cross_line, objects[1].cross_line];
    let s_cells = cross_lines.iter().fold(Narrow::empty(), |all, &line| all | marks.house(line)) - base.band;
    let in_lines = |digit: Digit| {
        let places = (marks.of_digit(digit) | marks.stands(digit)) & s_cells;
        covers(marks, places, 2, &|house| house.index() < 18)
    };
    if base.digits.iter().any(|digit| in_lines(digit).is_empty()) {
        return;
    }
    let mirrors = [0, 1].map(|at| mirror(marks, objects[at], objects[1 - at]));
    let is_in = |digit, at: usize| {
        let has = |cells: Narrow| (marks.of_digit(digit) | marks.stands(digit)).meets(cells);
        marks.of_digit(digit).contains(objects[at].target) && has(mirrors[at])
    };
    let [a, b] = base.cells.map(|cell| marks.of_cell(cell));
    let cells = [base.cells[0], base.cells[1], objects[0].target, objects[1].target];
    // What the choices use in each cell, and what all of them have.
    let (mut used, mut common) = ([Digits::EMPTY; 4], base.digits);
    for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (x, y))).filter(|(x, y)| x != y) {
        for (t, u) in [(x, y), (y, x)] {
            if is_in(t, 0) && is_in(u, 1) {
                used.iter_mut().zip([x, y, t, u]).for_each(|(used, digit)| used.insert(digit));
                common = common & (Digits::only(x) | Digits::only(y));
            }
        }
    }
    if used[0].is_empty() {
        return;
    }
    let gone = |digit: Digit| {
        let unused = cells.iter().zip(used).filter(|(_, used)| !used.contains(digit)).map(|(&cell, _)| cell);
        let mut gone = Narrow::of(unused);
        if common.contains(digit) {
            let two: Vec<_> = in_lines(digit).into_iter().filter(|cover| cover.len() == 2).collect();
            let [of_base, of_targets] = [0, 2].map(|at| marks.peers(cells[at]) & marks.peers(cells[at + 1]));
            gone = gone | of_base | of_targets | locked_out(marks, digit, s_cells, &two);
        }
        gone
    };
    let out = removals(marks, Digits::all(9), gone);
    offer(0, &out, Pattern::of(base.digits, cells).in_houses(cross_lines));
}

/// The cells of the other object's box that see the companion of a target, without the object itself.
fn mirror(marks: &Candidates<Narrow>, of: Object, other: Object) -> Narrow {
    let of_box = marks.house(marks.sets().layout().plain_houses_of(other.target)[2]);
    (marks.peers(of.companion) & of_box) - marks.house(other.cross_line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rate::tests::cases::{LEVELS, PATTERNS};
    use crate::rate::tests::{puzzle, solutions};

    /// Compares with every choice of four cells that fits the definition; every two lines are tried. In the solution,
    /// the digits of the base and of the targets are the same.
    #[test]
    fn four_cells_are_found_where_the_definition_fits() {
        let mut exocets = 0;
        for line in PATTERNS.into_iter().chain(LEVELS.map(|(line, _)| line)) {
            let marks = Candidates::<Narrow>::new(&puzzle(line));
            let solution = solutions(&puzzle(line), 1).remove(0);
            let mut found: Vec<Vec<Cell>> = Vec::new();
            junior_exocets(&marks, &mut |_, _, pattern| found.push(pattern.cells));
            for cells in &found {
                let [a, b, t, u] = [0, 1, 2, 3].map(|at| solution.digit(cells[at]));
                assert!((a, b) == (t, u) || (a, b) == (u, t), "{line}");
            }
            let mut expected = Vec::new();
            for across in [false, true] {
                // Rows and columns, exchanged for bases in columns.
                let cell =
                    |row: usize, column: usize| Cell::new(if across { 9 * column + row } else { 9 * row + column });
                for at in 0..27_usize {
                    let (row, first) = (at / 3, at % 3 * 3);
                    for third in 0..3 {
                        let base: Vec<Cell> = (0..3).filter(|&x| x != third).map(|x| cell(row, first + x)).collect();
                        let digits = marks.of_cell(base[0]) | marks.of_cell(base[1]);
                        if base.iter().any(|&cell| !marks.open().contains(cell)) || !(3..=4).contains(&digits.len()) {
                            continue;
                        }
                        let has = |cell: Cell, digit| (marks.of_digit(digit) | marks.stands(digit)).contains(cell);
                        let rows: Vec<usize> = (row / 3 * 3..row / 3 * 3 + 3).filter(|&other| other != row).collect();
                        let objects: Vec<(usize, Cell)> = (0..18)
                            .map(|at| (at % 9, rows[at / 9], rows[1 - at / 9]))
                            .filter(|&(column, target, other)| {
                                column / 3 != first / 3
                                    && !(marks.of_cell(cell(target, column)) & digits).is_empty()
                                    && !digits.iter().any(|digit| has(cell(other, column), digit))
                            })
                            .map(|(column, target, _)| (column, cell(target, column)))
                            .collect();
                        for (left, target) in &objects {
                            for (right, other) in objects.iter().filter(|(right, _)| left / 3 < right / 3) {
                                let columns = [first + third, *left, *right];
                                let fits = |digit| {
                                    let s: Vec<(usize, usize)> = columns
                                        .iter()
                                        .flat_map(|&column| (0..9).map(move |row| (row, column)))
                                        .filter(|&(r, column)| r / 3 != row / 3 && has(cell(r, column), digit))
                                        .collect();
                                    let on = |line: usize, (row, column)| line == row || line == 9 + column;
                                    (0..18).any(|a| (0..18).any(|b| s.iter().all(|&at| on(a, at) || on(b, at))))
                                };
                                if digits.iter().all(fits) {
                                    expected.push(vec![base[0], base[1], *target, *other]);
                                }
                            }
                        }
                    }
                }
            }
            exocets += found.len();
            [&mut found, &mut expected].into_iter().for_each(|list| list.sort_unstable());
            assert_eq!(found, expected, "{line}");
        }
        assert!(exocets > 0);
    }
}
