//! Chains of implications that end where they began, or in a verity.
//!
//! ```text
//!   AIC                  a = b - c = d          a false -> b true -> c false -> d true: a or d is true
//!   discontinuous loop   a - b = c - a          a true -> a false: a is false          (= strong, - weak link)
//!                        a = b - c = a          a false -> a true: a is true
//!   continuous loop      a = b - c = d - (a)    and d excludes a: each weak link has exactly one true end
//! ```
//!
//! * **AIC**: a candidate is false that both ends exclude. Type 1: ends of one digit, none where both are seen. Type 2:
//!   ends of two digits in cells that see each other, neither digit in the cell of the other.
//! * **Discontinuous nice loop**: a candidate whose truth would make itself false, or another candidate of its cell
//!   true, is false; the length then counts the arrows up to that. A candidate whose falsehood would make it true is
//!   true: the others of its cell are ruled out.
//! * **Continuous nice loop**: the ends of an AIC exclude each other. Of the ends of a weak link one is true, so a digit
//!   is ruled out where both are seen, and in one cell all others are. An almost locked set in the loop has lost one of
//!   its two linking digits, so its other digits are ruled out where all their places in the set are seen. The closing
//!   link is not counted.
//!
//! With groups these are grouped; see [`super::links`]. Each conclusion is found by its shortest chains: the ladder
//! takes the shortest chains of a position, loops before AIC and both before what is longer.
//!
//! Reference: Sudopedia, "Nice Loop", "Alternating Inference Chain"; HoDoKu, Chains and Loops.
//!
//! *Limit*: a pair of ends with more than [`MOST_LOOPS`] shortest continuous loops offers none of them.

use crate::board::{Candidates, Cell, CellSet, Digit, Digits};

use super::links::{Door, Forced, Grade, Links, State, off, on};
use super::position::Position;
use super::reach::{Paths, Reach};
use super::sink::{Pattern, Sink};

/// Up to this many shortest loops through one weak link are looked at.
const MOST_LOOPS: usize = 1_000;

/// Chains of fewer arrows are the business of singles and intersections.
const SHORTEST: u32 = 3;

/// Turns: shorter chains first, at the same length continuous loops first.
const fn turn(level: u32, continuous: bool) -> u32 {
    2 * level + !continuous as u32
}

/// Every XY-chain: an AIC of type 1 in which all cells have two candidates and strong links stay in a cell.
pub fn xy_chains<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    aics(position, Grade::Pairs, sink);
}

/// Every pair of ends of an AIC.
pub fn aics<S: CellSet>(position: &Position<'_, S>, grade: Grade, sink: &mut impl Sink<S>) {
    let (marks, links) = (position.marks, position.links(grade));
    let mut reach = Reach::new(links, (0..links.singles).map(off));
    while reach.advance() && turn(reach.level, false) <= sink.last_turn() {
        if reach.level < SHORTEST {
            continue;
        }
        for end in new_ends(links, &reach) {
            same_digit(marks, links, &reach, end, sink);
            if grade != Grade::Pairs {
                two_digits(marks, links, &reach, end, sink);
            }
        }
    }
}

/// The nodes that some start made true on this level.
fn new_ends<S: CellSet>(links: &Links<S>, reach: &Reach<'_, S>) -> Vec<usize> {
    let made_true = |&at: &u32| match links.literal(links.ending(at as usize)?)? {
        (node, true) => Some(node),
        _ => None,
    };
    let mut ends: Vec<usize> = reach.active().iter().filter_map(made_true).collect();
    ends.sort_unstable();
    ends
}

fn same_digit<S: CellSet>(
    marks: &Candidates<S>,
    links: &Links<S>,
    reach: &Reach<'_, S>,
    end: usize,
    sink: &mut impl Sink<S>,
) {
    let digit = links.nodes[end].digit;
    let (places, at) = (marks.of_digit(digit), links.at_end(on(end)));
    for start in places.cells().map(|cell| links.node(cell, digit)).filter(|&start| start < end) {
        if reach.has(at, start) {
            let out = places & links.nodes[start].seen & links.nodes[end].seen;
            if !out.is_empty() {
                let pattern = || pattern(links, off(start), at, reach.level);
                sink.eliminate_in_turn(turn(reach.level, false), &[(digit, out)], pattern);
            }
        }
    }
}

fn two_digits<S: CellSet>(
    marks: &Candidates<S>,
    links: &Links<S>,
    reach: &Reach<'_, S>,
    end: usize,
    sink: &mut impl Sink<S>,
) {
    let Some(cell) = links.cell(end) else { return };
    let (digit, at) = (links.nodes[end].digit, links.at_end(on(end)));
    for other_cell in (marks.of_digit(digit) & marks.peers(cell)).cells() {
        for other in (marks.of_cell(other_cell) & marks.of_cell(cell)) - Digits::only(digit) {
            let start = links.node(other_cell, other);
            if start < end && reach.has(at, start) {
                let out = [(other, S::only(cell)), (digit, S::only(other_cell))];
                let pattern = || pattern(links, off(start), at, reach.level);
                sink.eliminate_in_turn(turn(reach.level, false), &out, pattern);
            }
        }
    }
}

/// Every discontinuous nice loop.
pub fn discontinuous<S: CellSet>(position: &Position<'_, S>, grade: Grade, sink: &mut impl Sink<S>) {
    let (marks, links) = (position.marks, position.links(grade));
    let mut proofs = Reach::new(links, (0..links.singles).map(off));
    let mut refutations = Reach::new(links, (0..links.singles).map(on));
    let mut more = (true, true);
    while more != (false, false) && turn(proofs.level.min(refutations.level) + 1, false) <= sink.last_turn() {
        more = (more.0 && proofs.advance(), more.1 && refutations.advance());
        if more.0 && proofs.level >= SHORTEST {
            prove(marks, links, &proofs, sink);
        }
        if more.1 && refutations.level >= SHORTEST {
            refute(marks, links, &refutations, sink);
        }
    }
}

/// Candidates whose falsehood made them true on this level.
fn prove<S: CellSet>(marks: &Candidates<S>, links: &Links<S>, reach: &Reach<'_, S>, sink: &mut impl Sink<S>) {
    for node in new_ends(links, reach) {
        let at = links.at_end(on(node));
        let Some(cell) = links.cell(node) else { continue };
        if reach.has(at, node) {
            let others = marks.of_cell(cell) - Digits::only(links.nodes[node].digit);
            let out: Vec<(Digit, S)> = others.map(|digit| (digit, S::only(cell))).collect();
            let pattern = || pattern(links, off(node), at, reach.level);
            sink.eliminate_in_turn(turn(reach.level, false), &out, pattern);
        }
    }
}

/// Candidates whose truth made them false, or another candidate of their cell true, on this level.
fn refute<S: CellSet>(marks: &Candidates<S>, links: &Links<S>, reach: &Reach<'_, S>, sink: &mut impl Sink<S>) {
    let mut offer = |node: usize, cell: Cell, at: usize| {
        let out = [(links.nodes[node].digit, S::only(cell))];
        sink.eliminate_in_turn(turn(reach.level, false), &out, || pattern(links, on(node), at, reach.level));
    };
    for node in 0..links.singles {
        let Some(cell) = links.cell(node) else { continue };
        let at = links.at_end(off(node));
        if reach.has(at, node) {
            offer(node, cell, at);
        }
        for other in marks.of_cell(cell) - Digits::only(links.nodes[node].digit) {
            let at = links.at_end(on(links.node(cell, other)));
            if reach.has(at, node) {
                offer(node, cell, at);
            }
        }
    }
}

/// Every continuous nice loop.
pub fn continuous<S: CellSet>(position: &Position<'_, S>, grade: Grade, sink: &mut impl Sink<S>) {
    let (marks, links) = (position.marks, position.links_for_loops(grade));
    let mut reach = Reach::new(links, (0..links.singles).map(off));
    while reach.advance() && turn(reach.level, true) <= sink.last_turn() {
        if reach.level < SHORTEST {
            continue;
        }
        let mut closed: Vec<(usize, usize)> = Vec::new();
        for end in new_ends(links, &reach).into_iter().filter(|&end| end < links.singles) {
            let at = links.at_end(on(end));
            let rivals = rivals(marks, links, end).filter(|&start| start < end && reach.has(at, start));
            closed.extend(rivals.map(|start| (start, end)));
        }
        closed.sort_unstable();
        for from in closed.chunk_by(|a, b| a.0 == b.0) {
            let paths = Paths::new(links, off(from[0].0));
            for &(_, end) in from {
                paths.each(links.at_end(on(end)), MOST_LOOPS, |path| offer_loop(marks, links, path, sink));
            }
        }
    }
}

/// The candidates that exclude a candidate.
fn rivals<S: CellSet>(marks: &Candidates<S>, links: &Links<S>, node: usize) -> impl Iterator<Item = usize> {
    let digit = links.nodes[node].digit;
    let same_digit = (marks.of_digit(digit) & links.nodes[node].seen).cells().map(move |cell| links.node(cell, digit));
    let same_cell = links
        .cell(node)
        .into_iter()
        .flat_map(move |cell| (marks.of_cell(cell) - Digits::only(digit)).map(move |other| links.node(cell, other)));
    same_digit.chain(same_cell)
}

/// Offers what the weak links and sets of a continuous loop rule out.
fn offer_loop<S: CellSet>(marks: &Candidates<S>, links: &Links<S>, path: &[State], sink: &mut impl Sink<S>) {
    let mut out = vec![S::empty(); marks.order()];
    let cells = |state: State| match (links.literal(state), links.door(state)) {
        (Some((node, _)), _) => links.nodes[node].cells,
        (None, Some(door)) => links.sets.all[door.set].cells,
        (None, None) => S::empty(),
    };
    let passed = path.iter().map(|&state| cells(state));
    let free = marks.open() - passed.fold(S::empty(), |all, cells| all | cells);
    let ring: Vec<State> = path.iter().chain(path.first()).copied().collect();
    for (at, pair) in ring.windows(2).enumerate() {
        match (links.literal(pair[0]), links.literal(pair[1])) {
            (Some((first, true)), Some((second, false))) => weak_link(marks, links, first, second, free, &mut out),
            (None, Some((second, _))) => {
                let first = ring[..at].iter().rev().find_map(|&state| links.literal(state)).map(|(node, _)| node);
                match (links.door(pair[0]), links.forced(pair[0]), first) {
                    (Some(door), _, Some(first)) => locked_set(marks, links, door, [first, second], &mut out),
                    (None, Some(forced), Some(first)) => locked_with_cell(marks, links, forced, first, &mut out),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    let out: Vec<(Digit, S)> = Digits::all(marks.order())
        .map(|digit| (digit, out[digit.index()]))
        .filter(|(_, cells)| !cells.is_empty())
        .collect();
    let level = path.len() as u32 - 1;
    sink.eliminate_in_turn(turn(level, true), &out, || as_pattern(links, path, level));
}

fn weak_link<S: CellSet>(marks: &Candidates<S>, links: &Links<S>, first: usize, second: usize, free: S, out: &mut [S]) {
    let (a, b) = (links.nodes[first], links.nodes[second]);
    if a.digit == b.digit {
        out[a.digit.index()] = out[a.digit.index()] | (marks.of_digit(a.digit) & a.seen & b.seen & free);
    } else {
        for cell in a.cells.cells() {
            for digit in marks.of_cell(cell) - Digits::only(a.digit) - Digits::only(b.digit) {
                out[digit.index()].insert(cell);
            }
        }
    }
}

fn locked_set<S: CellSet>(marks: &Candidates<S>, links: &Links<S>, door: Door, ends: [usize; 2], out: &mut [S]) {
    let exit = links.nodes[ends[1]].digit;
    for digit in links.sets.all[door.set].digits {
        let end = if digit == door.lost { Some(ends[0]) } else { (digit == exit).then_some(ends[1]) };
        let seen = links.sets.seen(door.set, digit);
        let seen = end.map_or(seen, |end| seen & links.nodes[end].seen);
        out[digit.index()] = out[digit.index()] | (marks.of_digit(digit) & seen);
    }
}

/// As [`locked_set`], where the set has lost the digit at which it was entered, or one that it shares with a cell.
fn locked_with_cell<S: CellSet>(marks: &Candidates<S>, links: &Links<S>, forced: Forced, first: usize, out: &mut [S]) {
    let Some(cell) = links.cell(forced.node) else { return };
    for digit in links.sets.all[forced.door.set].digits {
        let seen = links.sets.seen(forced.door.set, digit);
        let shared = marks.of_cell(cell).contains(digit) && seen.contains(cell);
        let seen = match digit == forced.door.lost {
            true => seen & links.nodes[first].seen,
            false if shared => seen & marks.peers(cell),
            false => seen,
        };
        out[digit.index()] = out[digit.index()] | (marks.of_digit(digit) & seen);
    }
}

/// The pattern of one shortest chain.
fn pattern<S: CellSet>(links: &Links<S>, start: State, end: usize, level: u32) -> Pattern {
    as_pattern(links, &Paths::new(links, start).one(end), level)
}

fn as_pattern<S: CellSet>(links: &Links<S>, path: &[State], level: u32) -> Pattern {
    let (mut digits, mut cells) = (Digits::EMPTY, Vec::new());
    for &state in path {
        let passed = match (links.literal(state), links.door(state)) {
            (Some((node, _)), _) => {
                digits.insert(links.nodes[node].digit);
                links.nodes[node].cells
            }
            (None, Some(door)) => links.sets.all[door.set].cells,
            (None, None) => S::empty(),
        };
        for cell in passed.cells() {
            if cells.last() != Some(&cell) {
                cells.push(cell);
            }
        }
    }
    Pattern { digits, cells, links: level, ..Pattern::default() }
}
