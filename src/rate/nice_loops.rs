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

use super::Technique;
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

/// The grade of the chains of a technique of this family.
pub fn grade(technique: Technique) -> Option<Grade> {
    match technique {
        Technique::XyChain => Some(Grade::Pairs),
        Technique::ContinuousNiceLoop | Technique::DiscontinuousNiceLoop | Technique::Aic => Some(Grade::Plain),
        Technique::GroupedContinuousNiceLoop | Technique::GroupedDiscontinuousNiceLoop | Technique::GroupedAic => {
            Some(Grade::Grouped)
        }
        Technique::AlsContinuousNiceLoop | Technique::AlsDiscontinuousNiceLoop | Technique::AlsAic => {
            Some(Grade::AlmostLocked)
        }
        _ => None,
    }
}

/// Which chains are looked for, and as which techniques what they rule out is offered. An XY-chain is an AIC of
/// [`Grade::Pairs`].
#[derive(Clone, Copy, Debug, Default)]
struct Wanted {
    continuous: Option<Technique>,
    discontinuous: Option<Technique>,
    aics: Option<Technique>,
}

impl Wanted {
    fn of(techniques: &[Technique]) -> Wanted {
        let mut wanted = Wanted::default();
        for &technique in techniques {
            let kind = match technique {
                Technique::ContinuousNiceLoop
                | Technique::GroupedContinuousNiceLoop
                | Technique::AlsContinuousNiceLoop => &mut wanted.continuous,
                Technique::DiscontinuousNiceLoop
                | Technique::GroupedDiscontinuousNiceLoop
                | Technique::AlsDiscontinuousNiceLoop => &mut wanted.discontinuous,
                _ => &mut wanted.aics,
            };
            *kind = Some(technique);
        }
        wanted
    }
}

/// The searches that the wanted chains need, each until it reaches nothing new.
struct Searches<'p, S: 'static> {
    /// From falsehood, on links for loops where these are others.
    loops: Option<Reach<'p, S>>,
    /// From falsehood.
    proofs: Option<Reach<'p, S>>,
    /// From truth.
    refutations: Option<Reach<'p, S>>,
    shares: bool,
}

impl<'p, S: CellSet> Searches<'p, S> {
    fn new(position: &'p Position<'_, S>, grade: Grade, wanted: Wanted) -> Searches<'p, S> {
        let from_off = |links: &'p Links<S>| Reach::new(links, (0..links.singles).map(off));
        let from_on = |links: &'p Links<S>| Reach::new(links, (0..links.singles).map(on));
        let closes = wanted.continuous.is_some();
        let ends = wanted.discontinuous.or(wanted.aics).is_some();
        let shares = grade != Grade::AlmostLocked;
        Searches {
            loops: (closes && !shares).then(|| from_off(position.links_for_loops(grade))),
            proofs: (ends || closes && shares).then(|| from_off(position.links(grade))),
            refutations: wanted.discontinuous.map(|_| from_on(position.links(grade))),
            shares,
        }
    }

    /// One level further; false when nothing new was reached.
    fn advance(&mut self) -> bool {
        let mut goes_on = false;
        for search in [&mut self.loops, &mut self.proofs, &mut self.refutations] {
            search.take_if(|reach| !reach.advance());
            goes_on |= search.is_some();
        }
        goes_on
    }

    fn closing(&self) -> Option<&Reach<'p, S>> {
        if self.shares { self.proofs.as_ref() } else { self.loops.as_ref() }
    }
}

/// Every chain of some techniques of one grade, length by length: what one kind finds keeps the others from going on to
/// longer chains, and most of them go the same ways.
pub fn chains<S: CellSet>(position: &Position<'_, S>, grade: Grade, techniques: &[Technique], sink: &mut impl Sink<S>) {
    let (wanted, marks) = (Wanted::of(techniques), position.marks);
    let mut searches = Searches::new(position, grade, wanted);
    for level in 1.. {
        if !searches.advance() || turn(level, true) > sink.last_turn() {
            return;
        }
        if level < SHORTEST {
            continue;
        }
        if let (Some(technique), Some(reach)) = (wanted.continuous, searches.closing()) {
            sink.search_for(technique);
            close(marks, position.links_for_loops(grade), reach, sink);
        }
        if turn(level, false) > sink.last_turn() {
            return;
        }
        let links = position.links(grade);
        if let Some(technique) = wanted.discontinuous {
            sink.search_for(technique);
            searches.proofs.iter().for_each(|reach| prove(marks, links, reach, sink));
            searches.refutations.iter().for_each(|reach| refute(marks, links, reach, sink));
        }
        if let (Some(technique), Some(reach)) = (wanted.aics, &searches.proofs) {
            sink.search_for(technique);
            for end in new_ends(links, reach) {
                same_digit(marks, links, reach, end, sink);
                if grade != Grade::Pairs {
                    two_digits(marks, links, reach, end, sink);
                }
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

/// The continuous loops that close on this level.
fn close<S: CellSet>(marks: &Candidates<S>, links: &Links<S>, reach: &Reach<'_, S>, sink: &mut impl Sink<S>) {
    let mut closed: Vec<(usize, usize)> = Vec::new();
    for end in new_ends(links, reach).into_iter().filter(|&end| end < links.singles) {
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
