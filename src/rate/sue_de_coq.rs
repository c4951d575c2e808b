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
    /// How many more candidates than cells.
    slack: i16,
}

/// The slack of what is no part: more than any part has.
const NO_PART: i16 = i16::MAX / 2;

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
    let mut cores = Unions::new(marks, both).parts(NO_PART - 1);
    cores.retain(|core| core.size > 1 && core.digits.len() >= core.size + 2);
    if cores.is_empty() {
        return;
    }
    let area = marks.house(line) | marks.house(of_box);
    let [of_line, of_box] = [line, of_box].map(|house| Unions::new(marks, marks.house(house) - both));
    // Slacks beyond those that the largest core leaves to a part lead nowhere.
    let most = cores.iter().map(|core| core.size).max().unwrap_or(0) as i16;
    let (least_line, least_box) = (of_line.least_slack(), of_box.least_slack());
    if least_line + least_box > most {
        return;
    }
    let (lines, boxes) = (of_line.parts(most - least_box), of_box.parts(most - least_line));
    let mut others = Vec::with_capacity(boxes.len());
    for &core in &cores {
        // A part with as many digits of its own as cells takes nothing from the core: the rest is a naked subset.
        let takes = |part: &&Part<S>| (part.digits - core.digits).len() < part.size;
        others.clear();
        others.extend(boxes.iter().filter(takes).map(|part| (part.digits, core.size as i16 - part.slack, *part)));
        for &part in lines.iter().filter(takes) {
            let (rest, slack) = (core.digits - part.digits, part.slack);
            for &(digits, left, other) in &others {
                // The limits add up: see `is_full`.
                if left >= slack && (rest - digits).len() as i16 == left - slack {
                    debug_assert!(is_full(core, part, other));
                    offer(marks, core, part, other, area, sink);
                }
            }
        }
    }
}

/// The candidates of every choice of open cells of an area, and their slacks. Parts are made of those only that are asked
/// for. Words of 16 bits are enough for the boards that this is searched on, and are counted eight at a time.
struct Unions<S> {
    area: S,
    /// The bits of the index are cells.
    digits: Vec<u16>,
    slacks: Vec<i16>,
}

impl<S: CellSet> Unions<S> {
    fn new(marks: &Candidates<S>, area: S) -> Unions<S> {
        let area = area & marks.open();
        let count = area.cells().count();
        let (mut digits, mut slacks) = (vec![0_u16; 1 << count], vec![0_i16; 1 << count]);
        for (at, cell) in area.cells().enumerate() {
            let more = marks.of_cell(cell).0 as u16;
            let (known, new) = digits[..2 << at].split_at_mut(1 << at);
            new.iter_mut().zip(known).for_each(|(new, known)| *new = *known | more);
        }
        for (choice, (slack, digits)) in slacks.iter_mut().zip(&digits).enumerate() {
            *slack = digits.count_ones() as i16 - (choice as u16).count_ones() as i16;
        }
        slacks[0] = NO_PART;
        if count > MOST_CELLS {
            let slacks = slacks.iter_mut().enumerate();
            slacks
                .filter(|(choice, _)| choice.count_ones() as usize > MOST_CELLS)
                .for_each(|(_, slack)| *slack = NO_PART);
        }
        Unions { area, digits, slacks }
    }

    fn least_slack(&self) -> i16 {
        self.slacks.iter().fold(NO_PART, |least, &slack| least.min(slack))
    }

    /// The parts with at most so much slack: the last choice of all first, then the others in their order.
    fn parts(&self, most: i16) -> Vec<Part<S>> {
        let cells: Vec<Cell> = self.area.cells().collect();
        let last: S = S::of(cells.iter().rev().take(MOST_CELLS).copied());
        let part = |(choice, &slack): (usize, &i16)| {
            let digits = Digits(u64::from(self.digits[choice]));
            let of_choice = cells.iter().enumerate().filter(|(at, _)| choice >> at & 1 != 0);
            (slack <= most).then(|| Part {
                cells: S::of(of_choice.map(|(_, &cell)| cell)),
                digits,
                size: choice.count_ones() as usize,
                slack,
            })
        };
        let mut parts: Vec<Part<S>> = self.slacks.iter().enumerate().filter_map(part).collect();
        if parts.last().is_some_and(|part| part.cells == last) {
            parts.rotate_right(1);
        }
        parts
    }
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
    let out: Vec<(Digit, S)> = digits.iter().map(out).filter(|(_, out)| !out.is_empty()).collect();
    let pattern = || Pattern {
        digits: core.digits,
        cells: core.cells.cells().chain(line.cells.cells()).chain(of_box.cells.cells()).collect(),
        ..Pattern::default()
    };
    sink.eliminate(&out, pattern);
}

#[cfg(test)]
mod tests {
    use super::super::published::random_puzzle;
    use super::super::sink::StepList;
    use super::*;
    use crate::board::Narrow;
    use crate::random::{Rng, Stage};

    /// Every choice of core, line and box, by the definition.
    fn by_definition(marks: &Candidates<Narrow>, sink: &mut StepList<Narrow>) {
        let all = |area: Narrow| Unions::new(marks, area).parts(NO_PART - 1);
        for of_box in (18..27).map(House::new) {
            for line in (0..18).map(House::new) {
                let [of_line, of_box] = [marks.house(line), marks.house(of_box)];
                let both = of_line & of_box;
                for core in all(both).into_iter().filter(|core| core.size > 1 && core.digits.len() >= core.size + 2) {
                    for part in all(of_line - both) {
                        for other in all(of_box - both) {
                            let takes = |part: Part<Narrow>| (part.digits - core.digits).len() < part.size;
                            if is_full(core, part, other) && takes(part) && takes(other) {
                                offer(marks, core, part, other, of_line | of_box, sink);
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_slacks_pass_over_is_none() {
        let (mut rng, mut found) = (Rng::new(17, 0, Stage::Bench, 0), 0);
        for _ in 0..6 {
            let marks = Candidates::<Narrow>::new(&random_puzzle(&mut rng).0);
            let [mut bounded, mut plain] = [StepList::all(), StepList::all()];
            sue_de_coqs(&marks, &mut bounded);
            by_definition(&marks, &mut plain);
            assert_eq!(bounded.steps, plain.steps);
            found += plain.steps.len();
        }
        assert!(found > 0);
    }
}
