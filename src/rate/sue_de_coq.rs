//! Sue de Coq: cells that a box and a line share, bound by a few cells of each.
//!
//! ```text
//!   123 . 234 | .  14 . | .  .  .        shared I (2 or more cells), of the line L, of the box B:
//!   .   .  23 |                          each digit stands at most once in I and L, at most once in I and B
//! ```
//!
//! I has at least two more candidates than cells. A digit that both L and B have can stand in both of them, but then not
//! in I; any other digit of the pattern stands in it at most once. When these limits add up to exactly the number of
//! cells, every limit is reached: a digit with limit one stands in the pattern, and is ruled out where all its places in
//! the pattern are seen; a digit with limit two stands in L and in B, and is ruled out where all its places in L, or all
//! its places in B, are seen; in the line and in the box only.
//!
//! Reference: Sudopedia, "Sue de Coq"; HoDoKu, Miscellaneous: Sue de Coq.

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House};

use super::links::all_see;
use super::sink::{Pattern, Sink};

/// At most this many cells of the line, and of the box.
const MOST_CELLS: usize = 6;

/// Cells with their candidates.
type Part<S> = (S, Digits);

/// Every Sue de Coq.
pub fn sue_de_coqs<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let order = marks.order();
    for of_box in (2 * order..3 * order).map(House::new) {
        for line in (0..2 * order).map(House::new).filter(|&line| marks.house(line).meets(marks.house(of_box))) {
            in_houses(marks, line, of_box, sink);
        }
    }
}

fn in_houses<S: CellSet>(marks: &Candidates<S>, line: House, of_box: House, sink: &mut impl Sink<S>) {
    let both = marks.house(line) & marks.house(of_box);
    let (of_line, of_box_alone) = (marks.house(line) - both, marks.house(of_box) - both);
    let mut cores = Vec::new();
    parts(marks, both, both.len(), &mut |core: Part<S>| {
        if core.0.len() > 1 && core.1.len() >= core.0.len() + 2 {
            cores.push(core);
        }
    });
    if cores.is_empty() {
        return;
    }
    let [lines, boxes] = [of_line, of_box_alone].map(|area| {
        let mut all = Vec::new();
        parts(marks, area, MOST_CELLS, &mut |part| all.push(part));
        all
    });
    for &core in &cores {
        // A part with as many digits of its own as cells takes nothing from the core: the rest is a naked subset.
        let takes = |part: &&Part<S>| (part.1 - core.1).len() < part.0.len();
        for &part in lines.iter().filter(takes) {
            for &other in boxes.iter().filter(takes) {
                if is_full(core, part, other) {
                    let area = marks.house(line) | marks.house(of_box);
                    offer(marks, core, part, other, area, sink);
                }
            }
        }
    }
}

/// Calls `visit` with every choice of one up to `most` open cells of an area.
fn parts<S: CellSet>(marks: &Candidates<S>, area: S, most: usize, visit: &mut impl FnMut(Part<S>)) {
    let cells: Vec<Cell> = (area & marks.open()).cells().collect();
    extend(marks, &cells, most, (S::empty(), Digits::EMPTY), visit);
}

fn extend<S: CellSet>(
    marks: &Candidates<S>,
    rest: &[Cell],
    most: usize,
    part: Part<S>,
    visit: &mut impl FnMut(Part<S>),
) {
    if most == 0 {
        return;
    }
    for (at, &cell) in rest.iter().enumerate() {
        let longer = (part.0 | S::only(cell), part.1 | marks.of_cell(cell));
        visit(longer);
        extend(marks, &rest[at + 1..], most - 1, longer, visit);
    }
}

/// True when the digits can fill the cells only if each reaches its limit.
fn is_full<S: CellSet>(core: Part<S>, line: Part<S>, of_box: Part<S>) -> bool {
    let cells = core.0.len() + line.0.len() + of_box.0.len();
    (core.1 | line.1 | of_box.1).len() + (line.1 & of_box.1).len() == cells
}

/// `area`: the line and the box; elsewhere HoDoKu rules nothing out.
fn offer<S: CellSet>(
    marks: &Candidates<S>,
    core: Part<S>,
    line: Part<S>,
    of_box: Part<S>,
    area: S,
    sink: &mut impl Sink<S>,
) {
    let cells = core.0 | line.0 | of_box.0;
    let seen = |digit: Digit, cells: S| marks.of_digit(digit) & all_see(marks, marks.of_digit(digit) & cells) & area;
    let twice = line.1 & of_box.1;
    let digits = core.1 | line.1 | of_box.1;
    let out = |digit: Digit| match twice.contains(digit) {
        true => (digit, seen(digit, line.0) | seen(digit, of_box.0)),
        false => (digit, seen(digit, cells)),
    };
    let out: Vec<(Digit, S)> = digits.map(out).filter(|(_, out)| !out.is_empty()).collect();
    let pattern = || Pattern {
        digits: core.1,
        cells: core.0.cells().chain(line.0.cells()).chain(of_box.0.cells()).collect(),
        ..Pattern::default()
    };
    sink.eliminate(&out, pattern);
}
