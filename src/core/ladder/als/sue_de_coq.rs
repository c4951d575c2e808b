//! Sue de Coq: cells that a box and a line share, together with a few cells of each.
//!
//! ```text
//!   123 . 234 | .  14 . | .  .  .        core I (2 or more shared cells), line part L, box part B:
//!   .   .  23 |                          each digit is at most once in I and L, and at most once in I and B
//! ```
//!
//! The core I has at least two more candidates than cells. No digit is a candidate in I, L and B at once, as in HoDoKu.
//! A shared cell outside the core may be part of L or of B. A digit that is a candidate in both L and B can be true in
//! both of them: its limit is two. Any other digit of the pattern is true in it at most once. If these limits add up to
//! exactly the number of cells, every limit is reached. A digit with limit one is in the pattern, so it is removed from
//! the cells that see all its places in the pattern. A digit with limit two is in L and in B, so it is removed from the
//! cells that see all its places in L, or all in B. Candidates are removed from the line and the box only.
//!
//! In the drawing I is the two cells 123 and 234, L the cell 14, B the cell 23. No digit is a candidate in both L and
//! B, so the four digits have limit one: together four, for four cells. Each of 1 2 3 4 is in the pattern exactly once:
//! 1 and 4 are removed from the rest of the row, 2 and 3 from the rest of the box.
//!
//! Reference: Sudopedia, "Sue de Coq"; HoDoKu, Miscellaneous: Sue de Coq.

use crate::board::{Candidates, CellSet, Digit, Digits, House};

use crate::ladder::position::common::all_see;
use crate::ladder::position::quiet::Quiet;
use crate::ladder::words::sink::{Pattern, Sink, removals};

/// The most cells of the line part, and of the box part.
const MOST_CELLS: usize = 6;

/// The core, the line part or the box part: some cells and all their candidates.
#[derive(Clone, Copy)]
struct Part<S> {
    cells: S,
    digits: Digits,
    size: usize,
    /// The number of candidates minus the number of cells.
    slack: i16,
}

impl<S: CellSet> Part<S> {
    /// Some cells with their digits.
    fn of(marks: &Candidates<S>, cells: S) -> Part<S> {
        let digits = cells.cells().fold(Digits::EMPTY, |digits, cell| digits | marks.of_cell(cell));
        Part { cells, digits, size: cells.len(), slack: digits.len() as i16 - cells.len() as i16 }
    }
}

/// The slack of a choice of cells that is no part.
const NO_PART: i16 = i16::MAX / 2;

/// Offers every Sue de Coq, line by line and box by box; only where something has changed since the last search that
/// found nothing.
pub(crate) fn sue_de_coqs<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let (order, quiet) = (marks.order(), Quiet::SueDeCoq as usize);
    let (mut has_any, mut memory) = (false, Memory::default());
    for of_box in (2 * order..3 * order).map(House::new) {
        for line in (0..2 * order).map(House::new) {
            if marks.house(line).meets(marks.house(of_box))
                && (marks.is_news(quiet, line) || marks.is_news(quiet, of_box))
            {
                has_any |= in_houses(marks, line, of_box, &mut memory, sink);
            }
        }
    }
    if !has_any {
        marks.found_nothing(quiet);
    }
}

/// Memory that is used for each pair of houses.
#[derive(Default)]
struct Memory<S> {
    unions: [Unions<S>; 3],
    parts: [Vec<Part<S>>; 3],
    box_parts: Vec<BoxPart<S>>,
}

/// A box part for a core.
struct BoxPart<S> {
    part: Part<S>,
    /// The cells of the core minus the slack of the part.
    left: i16,
}

/// True if the two houses have an instance.
fn in_houses<S: CellSet>(
    marks: &Candidates<S>,
    line: House,
    of_box: House,
    Memory { unions: [of_both, of_line, of_rest], parts: [cores, lines, boxes], box_parts }: &mut Memory<S>,
    sink: &mut impl Sink<S>,
) -> bool {
    let mut has_any = false;
    let both = marks.house(line) & marks.house(of_box);
    let shared = Part::of(marks, both & marks.open());
    // The smallest core has two cells and four candidates.
    if shared.size < 2 || shared.digits.len() < 4 {
        return has_any;
    }
    of_both.fill(marks, both, Digits::EMPTY);
    // Any slack is allowed.
    of_both.parts(NO_PART - 1, cores);
    cores.retain(|core| core.size > 1 && core.digits.len() >= core.size + 2);
    if cores.is_empty() {
        return has_any;
    }
    let area = marks.house(line) | marks.house(of_box);
    let strange = Digits::all(marks.order()) - shared.digits;
    of_line.fill(marks, marks.house(line) - both, strange);
    of_rest.fill(marks, marks.house(of_box) - both, strange);
    // A part with more slack than the largest core allows cannot work.
    let most = cores.iter().map(|core| core.size).max().unwrap_or(0) as i16;
    let (least_line, least_box) = (of_line.least_slack(), of_rest.least_slack());
    if least_line + least_box > most {
        return has_any;
    }
    of_line.parts(most - least_box, lines);
    of_rest.parts(most - least_line, boxes);
    for &core in &*cores {
        box_parts.clear();
        for &part in boxes.iter().filter(|part| takes(part, core)) {
            box_parts.push(BoxPart { part, left: core.size as i16 - part.slack });
        }
        for &line_part in lines.iter().filter(|part| takes(part, core)) {
            let (rest, slack) = (core.digits - line_part.digits, line_part.slack);
            for &BoxPart { part: box_part, left } in &*box_parts {
                // The limits add up: see `is_full`.
                if left >= slack && (rest - box_part.digits).len() as i16 == left - slack {
                    let parts = [core, line_part, box_part];
                    debug_assert!(is_full(parts));
                    splits(marks, parts, &mut |parts| has_any |= offer(marks, parts, area, sink));
                }
            }
        }
    }
    has_any
}

/// The candidates and slack of every choice of open cells in an area. Parts are built only from the choices that are
/// needed. The processor counts the bits of eight words of 16 bits at a time.
#[derive(Default)]
struct Unions<S> {
    /// The open cells of the area.
    cells: Vec<S>,
    /// The candidates of each choice; the bits of the index are cells.
    digits: Vec<u16>,
    /// The slack of each choice.
    slacks: Vec<i16>,
}

impl<S: CellSet> Unions<S> {
    /// Lists the choices of cells. One with as many strange digits as cells is no part: see [`takes`].
    fn fill(&mut self, marks: &Candidates<S>, area: S, strange: Digits) {
        let Unions { cells, digits, slacks } = self;
        cells.clear();
        digits.clear();
        digits.push(0);
        for cell in (area & marks.open()).cells() {
            cells.push(S::only(cell));
            let (choices, candidates) = (digits.len(), marks.of_cell(cell).0 as u16);
            digits.extend_from_within(..);
            digits[choices..].iter_mut().for_each(|digits| *digits |= candidates);
        }
        slacks.clear();
        let strange = strange.0 as u16;
        slacks.extend(digits.iter().enumerate().map(|(choice, digits)| {
            let size = (choice as u16).count_ones() as i16;
            let is_part = ((digits & strange).count_ones() as i16) < size;
            if is_part { digits.count_ones() as i16 - size } else { NO_PART }
        }));
        // The choice of no cells.
        slacks[0] = NO_PART;
        if cells.len() > MOST_CELLS {
            let slacks = slacks.iter_mut().enumerate();
            slacks
                .filter(|(choice, _)| choice.count_ones() as usize > MOST_CELLS)
                .for_each(|(_, slack)| *slack = NO_PART);
        }
    }

    /// The least slack of a part of these cells; [`NO_PART`] if there is no part.
    fn least_slack(&self) -> i16 {
        self.slacks.iter().fold(NO_PART, |least, &slack| least.min(slack))
    }

    /// Lists the parts with at most this slack: the last choice first, then the others in their order.
    fn parts(&self, most: i16, parts: &mut Vec<Part<S>>) {
        let last = self.cells.iter().rev().take(MOST_CELLS).fold(S::empty(), |last, &cell| last | cell);
        parts.clear();
        for (choice, &slack) in self.slacks.iter().enumerate().filter(|&(_, &slack)| slack <= most) {
            let of_choice = self.cells.iter().enumerate().filter(|(place, _)| choice >> place & 1 != 0);
            parts.push(Part {
                cells: of_choice.fold(S::empty(), |cells, (_, &cell)| cells | cell),
                digits: Digits(u64::from(self.digits[choice])),
                size: choice.count_ones() as usize,
                slack,
            });
        }
        if parts.last().is_some_and(|part| part.cells == last) {
            parts.rotate_right(1);
        }
    }
}

/// A part with as many digits of its own as cells takes nothing from the core; the rest would be a naked subset.
fn takes<S>(part: &Part<S>, core: Part<S>) -> bool {
    (part.digits - core.digits).len() < part.size
}

/// Calls `visit` with the ways to split the cells of core, line part and box part so that no digit is in all three. A
/// cell of the core can move to one of the others.
fn splits<S: CellSet>(marks: &Candidates<S>, [core, line, of_box]: [Part<S>; 3], visit: &mut impl FnMut([Part<S>; 3])) {
    if (core.digits & line.digits & of_box.digits).is_empty() {
        return visit([core, line, of_box]);
    }
    // The core keeps at least two cells.
    for cell in core.cells.cells().filter(|_| core.size > 2) {
        let [rest, longer, larger] =
            [core.cells - S::only(cell), line.cells | S::only(cell), of_box.cells | S::only(cell)]
                .map(|cells| Part::of(marks, cells));
        for parts in [[rest, longer, of_box], [rest, line, larger]] {
            let [_, line, of_box] = &parts;
            let is_core = rest.digits.len() >= rest.size + 2 && takes(line, rest) && takes(of_box, rest);
            if is_core && (rest.digits & line.digits & of_box.digits).is_empty() && is_full(parts) {
                visit(parts);
            }
        }
    }
}

/// True when the digits can fill the cells only if each reaches its limit. Let C, L, B be the candidates of core, line
/// part and box part. Then `|C + L + B| + |L & B|` equals `|C - L - B| + |L| + |B|`. So the candidates that only the
/// core has must be as many as the cells of the core minus the slacks of the two parts.
fn is_full<S: CellSet>([core, line, of_box]: [Part<S>; 3]) -> bool {
    let cells = core.size + line.size + of_box.size;
    (core.digits | line.digits | of_box.digits).len() + (line.digits & of_box.digits).len() == cells
}

/// Offers what the parts remove in `area`, the line and the box, as HoDoKu does. True if they remove anything.
fn offer<S: CellSet>(
    marks: &Candidates<S>,
    [core, line, of_box]: [Part<S>; 3],
    area: S,
    sink: &mut impl Sink<S>,
) -> bool {
    let cells = core.cells | line.cells | of_box.cells;
    let seen = |digit: Digit, cells: S| all_see(marks, marks.of_digit(digit) & cells) & area;
    let twice = line.digits & of_box.digits;
    let digits = core.digits | line.digits | of_box.digits;
    let out = removals(marks, digits, |digit| match twice.contains(digit) {
        true => seen(digit, line.cells) | seen(digit, of_box.cells),
        false => seen(digit, cells),
    });
    let cells = [core, line, of_box].into_iter().flat_map(|part| part.cells.cells());
    sink.eliminate(&out, || Pattern::of(core.digits, cells));
    !out.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Narrow};
    use crate::ladder::Technique;
    use crate::ladder::tests::definitions::Removed;
    use crate::ladder::tests::published::random_puzzle;
    use crate::ladder::words::list::StepList;
    use crate::random::{Rng, Stage};

    fn by_definition(marks: &Candidates<Narrow>) -> StepList<Narrow> {
        let subsets = |area: Narrow| -> Vec<Part<Narrow>> {
            let cells: Vec<Cell> = (area & marks.open()).cells().collect();
            let chosen = |mask: usize| cells.iter().enumerate().filter(move |(at, _)| mask >> at & 1 != 0);
            let part = |mask| Part::of(marks, Narrow::of(chosen(mask).map(|(_, &cell)| cell)));
            (1..1 << cells.len()).map(part).filter(|part| part.size <= MOST_CELLS).collect()
        };
        let mut found = StepList::all();
        for (of_box, line) in
            (18..27).flat_map(|of_box| (0..18).map(move |line| (House::new(of_box), House::new(line))))
        {
            let [of_line, of_box] = [marks.house(line), marks.house(of_box)];
            let both = of_line & of_box;
            for core in subsets(both).into_iter().filter(|core| core.size > 1 && core.digits.len() >= core.size + 2) {
                for part in subsets(of_line - core.cells).into_iter().filter(|part| !part.cells.within(both)) {
                    let others = subsets(of_box - core.cells - part.cells).into_iter();
                    for other in others.filter(|other| !other.cells.within(both)) {
                        let parts = [core, part, other];
                        let in_all = core.digits & part.digits & other.digits;
                        if in_all.is_empty() && is_full(parts) && takes(&part, core) && takes(&other, core) {
                            offer(marks, parts, of_line | of_box, &mut found);
                        }
                    }
                }
            }
        }
        found
    }

    #[test]
    fn sue_de_coqs_are_those_of_all_choices_of_cells() {
        let (mut rng, mut count) = (Rng::new(17, 0, Stage::Bench, 0), 0);
        for _ in 0..6 {
            let marks = Candidates::<Narrow>::new(&random_puzzle(&mut rng).0);
            let mut found = StepList::all();
            sue_de_coqs(&marks, &mut found);
            count += found.steps.len();
            let removed = |found: StepList<Narrow>| Removed::by(found.into_steps(Technique::SueDeCoq));
            assert_eq!(removed(found), removed(by_definition(&marks)));
        }
        assert!(count > 0);
    }
}
