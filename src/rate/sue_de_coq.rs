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

use crate::board::{Candidates, CellSet, Digit, Digits, House};

use super::locked_sets::all_see;
use super::sink::{Pattern, Sink};

/// At most this many cells of the line, and of the box.
const MOST_CELLS: usize = 6;

/// Cells with their candidates, and how many cells they are.
#[derive(Clone, Copy)]
struct Part<S> {
    cells: S,
    digits: Digits,
    size: usize,
}

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
    let mut cores = parts(marks, both, both.len());
    cores.retain(|core| core.size > 1 && core.digits.len() >= core.size + 2);
    if cores.is_empty() {
        return;
    }
    let area = marks.house(line) | marks.house(of_box);
    let mut lines = parts(marks, marks.house(line) - both, MOST_CELLS);
    let mut boxes = parts(marks, marks.house(of_box) - both, MOST_CELLS);
    // Slacks beyond those that the largest core leaves to a part lead nowhere.
    let most = cores.iter().map(|core| core.size).max().unwrap_or(0) as i32;
    let least = |parts: &[Part<S>]| parts.iter().map(Part::slack).min().unwrap_or(i32::MAX / 2);
    let (least_line, least_box) = (least(&lines), least(&boxes));
    lines.retain(|part| part.slack() + least_box <= most);
    boxes.retain(|part| part.slack() + least_line <= most);
    let mut others = Vec::with_capacity(boxes.len());
    for &core in &cores {
        // A part with as many digits of its own as cells takes nothing from the core: the rest is a naked subset.
        let takes = |part: &&Part<S>| (part.digits - core.digits).len() < part.size;
        others.clear();
        others.extend(boxes.iter().filter(takes).map(|part| (part.digits, core.size as i32 - part.slack(), *part)));
        for &part in lines.iter().filter(takes) {
            let (rest, slack) = (core.digits - part.digits, part.slack());
            for &(digits, left, other) in &others {
                // The limits add up: see `is_full`.
                if (rest - digits).len() as i32 == left - slack {
                    debug_assert!(is_full(core, part, other));
                    offer(marks, core, part, other, area, sink);
                }
            }
        }
    }
}

impl<S: CellSet> Part<S> {
    /// How many more candidates than cells it has.
    fn slack(&self) -> i32 {
        self.digits.len() as i32 - self.size as i32
    }
}

/// Every choice of one up to `most` open cells of an area.
fn parts<S: CellSet>(marks: &Candidates<S>, area: S, most: usize) -> Vec<Part<S>> {
    let nothing = Part { cells: S::empty(), digits: Digits::EMPTY, size: 0 };
    let mut parts = vec![nothing];
    for cell in (area & marks.open()).cells() {
        for at in 0..parts.len() {
            let Part { cells, digits, size } = parts[at];
            if size < most {
                parts.push(Part { cells: cells | S::only(cell), digits: digits | marks.of_cell(cell), size: size + 1 });
            }
        }
    }
    parts.swap_remove(0);
    parts
}

/// True when the digits can fill the cells only if each reaches its limit. Of the candidates C, L, B of core, line and
/// box, `|C + L + B| + |L & B|` is `|C - L - B| + |L| + |B|`: so it says that the candidates of the core alone are as many
/// as the cells of the core less the slacks of the two parts.
fn is_full<S: CellSet>(core: Part<S>, line: Part<S>, of_box: Part<S>) -> bool {
    let cells = core.size + line.size + of_box.size;
    (core.digits | line.digits | of_box.digits).len() + (line.digits & of_box.digits).len() == cells
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
    let cells = core.cells | line.cells | of_box.cells;
    let seen = |digit: Digit, cells: S| marks.of_digit(digit) & all_see(marks, marks.of_digit(digit) & cells) & area;
    let twice = line.digits & of_box.digits;
    let digits = core.digits | line.digits | of_box.digits;
    let out = |digit: Digit| match twice.contains(digit) {
        true => (digit, seen(digit, line.cells) | seen(digit, of_box.cells)),
        false => (digit, seen(digit, cells)),
    };
    let out: Vec<(Digit, S)> = digits.map(out).filter(|(_, out)| !out.is_empty()).collect();
    let pattern = || Pattern {
        digits: core.digits,
        cells: core.cells.cells().chain(line.cells.cells()).chain(of_box.cells.cells()).collect(),
        ..Pattern::default()
    };
    sink.eliminate(&out, pattern);
}
