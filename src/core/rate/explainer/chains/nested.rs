//! Chains nested in a dynamic run (levels 2 to 5, from 9.5 up).
//!
//! When the easier rules of [`super::advanced`] find nothing, other producers run on the grid of that moment:
//!
//! | level | rating | producers, in order |
//! |---|---|---|
//! | 2 | 9.5 + L | forcing chains and cycles |
//! | 3 | 10.0 + L | those of level 2, then static multiple chains |
//! | 4 | 10.5 + L | dynamic chains |
//! | 5 | 11.0 + L | those of level 4, then dynamic chains of level 2 |
//!
//! All their hints are used, sorted as always (rating, complexity, kind, scan order). Of several hints that remove the
//! same candidates only the first counts. The parents of a removed candidate are the candidates that had to be removed
//! before the chain was possible. They come from each `on` candidate of the chain that is on as the last of its cell
//! (house): they are the candidates that the cell (house) has lost since the start of the outer run. The start of a
//! chain over a cell (house) counts as one of these `on` candidates, the start of other chains does not. A cycle is
//! followed in both directions. Backwards, each candidate has the cause of its forward link.

use std::collections::HashSet;

use super::cycles::{Links, Path, Queue, from_start};
use super::graph::{Graph, pairs_in_cycles, partner_set};
use super::multiple::{ChainHint, ChainScan};
use super::reach::Scope;
use super::run::{Nested, Nesting, Rules, START, STATIC};
use super::templates::Limits;
use crate::rate::explainer::found::{FoundHint, added};
use crate::rate::explainer::kind::HintKind;
use crate::rate::explainer::state::{Removals, State};
use crate::rate::explainer::tables::{HOUSE, OF, bits, cells, count, peers_in};

/// A hint of a nested producer.
pub(crate) struct Inner {
    pub(crate) remove: Removals,
    pub(crate) nested: Nested,
    /// Candidates (on) with their causes, for the parents.
    causes: Vec<(u16, u8)>,
}

impl Inner {
    /// Calls `add` with each parent, a cell and a digit: see the header.
    pub(crate) fn parents(&self, source: &State, state: &State, mut add: impl FnMut(usize, usize)) {
        for &(candidate, cause) in &self.causes {
            let (cell, digit) = (candidate as usize / 9, candidate as usize % 9);
            match cause {
                0 => bits(source.digits[cell] & !state.digits[cell]).for_each(|digit| add(cell, digit)),
                START => {}
                kind => {
                    let house = OF[cell][kind as usize - 1].0 as usize;
                    let gone = source.places[house][digit] & !state.places[house][digit];
                    bits(gone).for_each(|place| add(HOUSE[house][place] as usize, digit));
                }
            }
        }
    }
}

/// Calls `each` with the hints of the nested producers of one level, producer after producer. Stops after the first
/// producer that has a hint for which `each` returned true.
pub(crate) fn producers(state: &State, level: Nesting, rules: Rules, mut each: impl FnMut(Inner) -> bool) -> bool {
    let mut all = |inner: Vec<Inner>| inner.into_iter().fold(false, |any, inner| each(inner) | any);
    match level {
        ..=1 => false,
        2 => all(forcing(state)),
        3 => all(forcing(state)) || all(multiple(state, STATIC, rules)),
        4 => all(multiple(state, 0, rules)),
        _ => all(multiple(state, 0, rules)) || all(multiple(state, level - 3, rules)),
    }
}

/// The hints of multiple chains of a level, sorted.
fn multiple(state: &State, level: Nesting, rules: Rules) -> Vec<Inner> {
    let mut search = ChainScan::new(state, level, rules, true);
    search.scan();
    let mut hints = std::mem::take(&mut search.hints);
    hints.sort_by_key(|hint| hint.rank);
    let mut known = HashSet::new();
    hints.retain(|hint| known.insert(hint.found(state).remove));
    hints.iter().map(|hint| of_runs(state, &mut search, hint)).collect()
}

/// A hint as a chain with its causes, from the runs of its branches.
fn of_runs(state: &State, search: &mut ChainScan, hint: &ChainHint) -> Inner {
    let (mut nodes, mut causes) = (Vec::new(), Vec::new());
    for &(run, node) in hint.branches() {
        let run = &search.runs[run as usize];
        for &node in search.walker.chain(run, node) {
            let code = run.code(node);
            nodes.push(code);
            if code & 1 != 0 {
                let cause = run.nodes[node as usize].cause;
                causes.push((code / 2, if cause == START { hint.start } else { cause }));
            }
        }
        // The end of a branch.
        nodes.push(u16::MAX);
    }
    let nested = Nested { nodes: nodes.into(), complexity: hint.rank.0 };
    Inner { remove: hint.found(state).remove, nested, causes }
}

/// A hint of forcing chains and cycles, with its place: rating, complexity, kind.
struct Simple {
    order: (f64, u32, u8),
    inner: Inner,
}

impl Simple {
    fn new(
        kind: HintKind,
        links: Links,
        length: u32,
        remove: Removals,
        nodes: Vec<u16>,
        causes: Vec<(u16, u8)>,
    ) -> Simple {
        let order = (f64::from(kind.tenths()) / 10.0 + added(length), length, links.key());
        Simple { order, inner: Inner { remove, nested: Nested { nodes: nodes.into(), complexity: length }, causes } }
    }
}

/// The hints of forcing chains and cycles, sorted.
fn forcing(state: &State) -> Vec<Inner> {
    let all = Scope::all(state);
    let mut hints = match state.candidates() {
        0..=128 => passes(state, &Graph::<2>::of(state, &all)),
        129..=192 => passes(state, &Graph::<3>::of(state, &all)),
        193..=256 => passes(state, &Graph::<4>::of(state, &all)),
        257..=384 => passes(state, &Graph::<6>::of(state, &all)),
        _ => passes(state, &Graph::<12>::of(state, &all)),
    };
    hints.sort_by(|a, b| a.order.0.total_cmp(&b.order.0).then((a.order.1, a.order.2).cmp(&(b.order.1, b.order.2))));
    let mut known = HashSet::new();
    hints.retain(|hint| known.insert(hint.inner.remove));
    hints.into_iter().map(|hint| hint.inner).collect()
}

/// The three passes. Bit sets show which starts have a chain, and only from these a chain is searched. What a cycle
/// removes is also refuted by a chain, along one digit if the cycle is. Where there can be no such chain, no cycle is
/// searched.
fn passes<const W: usize>(state: &State, graph: &Graph<W>) -> Vec<Simple> {
    let (mut hints, mut scan) = (Vec::new(), Scan { queue: Queue::default(), chain: ChainSearch::new() });
    let limits = Limits::of(state);
    let mut of_digits: [Option<Graph<2>>; 9] = Default::default();
    for digit in (0..9).filter(|&digit| limits.refutable[digit] | limits.provable[digit] != 0) {
        of_digits[digit] = Some(Graph::of(state, &Scope::digit(state, digit)));
    }
    let along_digit = |cell: usize, digit: usize| {
        let graph = of_digits[digit].as_ref()?;
        let at = graph.number[9 * cell + digit].into();
        let refuted = limits.refutable[digit] >> cell & 1 != 0 && graph.refutes_itself(at, u32::MAX).is_some();
        let proved = limits.provable[digit] >> cell & 1 != 0 && graph.proves_itself(at, u32::MAX).is_some();
        Some((Some(graph).filter(|_| limits.refutable[digit] != 0), refuted, proved))
    };
    scan.pass(state, Links::X, along_digit, &mut hints);
    let ends = |at: usize| (graph.refutes_itself(at, u32::MAX).is_some(), graph.proves_itself(at, u32::MAX).is_some());
    let ends: Vec<(bool, bool)> = (0..graph.candidate.len()).map(ends).collect();
    if ends.iter().all(|end| !end.0 && !end.1) {
        return hints;
    }
    let cycles = Some(graph).filter(|_| ends.iter().any(|end| end.0));
    if cycles.is_some() {
        // At most 81 cells have two candidates. So three words hold all numbers.
        let within = pairs_in_cycles(state);
        let graph = Graph::<3>::of(state, &Scope::pairs(state, within));
        let in_pairs = |cell: usize, _| (within >> cell & 1 != 0).then_some((Some(&graph), false, false));
        scan.pass(state, Links::Y, in_pairs, &mut hints);
    }
    let with_all_links = |cell: usize, digit: usize| {
        let (refuted, proved) = ends[graph.number[9 * cell + digit] as usize];
        Some((cycles, refuted, proved))
    };
    scan.pass(state, Links::All, with_all_links, &mut hints);
    hints
}

/// What the passes share, so that no memory is allocated again for each start.
struct Scan {
    queue: Queue,
    chain: ChainSearch,
}

impl Scan {
    /// Makes one pass over all candidates. For each candidate with anything to find, `of` returns the graph in which
    /// cycles are searched, and whether a chain refutes it, and proves it.
    fn pass<'g, const W: usize>(
        &mut self,
        state: &State,
        links: Links,
        of: impl Fn(usize, usize) -> Option<(Option<&'g Graph<W>>, bool, bool)>,
        hints: &mut Vec<Simple>,
    ) {
        for cell in 0..81 {
            let digits = state.digits[cell];
            if count(digits) < 2 || !links.x() && count(digits) > 2 {
                continue;
            }
            for digit in bits(digits) {
                let (start, Some((graph, refuted, proved))) = (9 * cell + digit, of(cell, digit)) else { continue };
                if let Some(graph) = graph {
                    from_start(state, links, graph, start, u32::MAX, &mut self.queue, |length, remove, _, path| {
                        hints.push(cycle(state, links, length, remove, path));
                        u32::MAX
                    });
                }
                for (exists, on) in [(refuted, true), (proved, false)] {
                    if exists {
                        self.chain.add(state, links, start, on, hints);
                    }
                }
            }
        }
    }
}

/// A cycle as two chains, forwards and backwards.
fn cycle(state: &State, links: Links, length: u32, remove: Removals, path: Path) -> Simple {
    // From the end: on start, off, on, ..., on start again.
    let forwards = path.candidates();
    let (mut nodes, mut causes) = (Vec::new(), Vec::new());
    for pair in forwards[..forwards.len() - 1].chunks(2) {
        let (on, off) = (pair[0], pair[1]);
        causes.push((on, strong_cause(state, links, off, on)));
        nodes.extend([2 * on + 1, 2 * off]);
    }
    nodes.push(u16::MAX);
    let mut backwards = forwards.clone();
    backwards.reverse();
    for pair in backwards[..backwards.len() - 1].chunks(2) {
        let (off, on) = (pair[0], pair[1]);
        causes.push((on, weak_cause(off, on)));
        nodes.extend([2 * off, 2 * on + 1]);
    }
    nodes.push(u16::MAX);
    Simple::new(links.cycle(), links, length, remove, nodes, causes)
}

/// Why the second candidate is on when the first is off: inside the cell, else the first house with two places.
fn strong_cause(state: &State, links: Links, off: u16, on: u16) -> u8 {
    let (cell, other) = (off as usize / 9, on as usize / 9);
    if cell == other && links.y() {
        return 0;
    }
    let digit = off as usize % 9;
    let two = |kind: &usize| {
        let house = OF[cell][*kind].0;
        house == OF[other][*kind].0 && count(state.places[house as usize][digit]) == 2
    };
    (0..3).find(two).map_or(START, |kind| kind as u8 + 1)
}

/// Why the second candidate is off when the first is on: inside the cell, else the first house that they share.
fn weak_cause(on: u16, off: u16) -> u8 {
    let (cell, other) = (on as usize / 9, off as usize / 9);
    if cell == other {
        return 0;
    }
    (0..3).find(|&kind| OF[cell][kind].0 == OF[other][kind].0).map_or(START, |kind| kind as u8 + 1)
}

/// The search for one forcing chain, breadth first in the order of the original.
struct ChainSearch {
    /// Candidate, on, number of the parent.
    nodes: Vec<(u16, bool, u16)>,
    /// The candidates that are nodes as off, and as on.
    seen: [[bool; 729]; 2],
}

impl ChainSearch {
    /// A search with empty memory, for any number of calls.
    fn new() -> ChainSearch {
        ChainSearch { nodes: Vec::new(), seen: [[false; 729]; 2] }
    }

    /// The candidates of the chain from its end back to the start; none when there is no chain.
    fn search(&mut self, state: &State, links: Links, start: usize, on: bool) -> Option<Vec<u16>> {
        self.nodes.clear();
        self.seen = [[false; 729]; 2];
        self.push(start, on, 0);
        let mut at = 0;
        while at < self.nodes.len() {
            let (candidate, side, _) = self.nodes[at];
            let mut closed = false;
            let mut next = |other: usize, chain: &mut ChainSearch| {
                closed |= other == start && side == on;
                chain.push(other, !side, at as u16);
            };
            let (cell, digit) = (candidate as usize / 9, candidate as usize % 9);
            let own = state.digits[cell] & !(1 << digit);
            if links.y() && (side || own.is_power_of_two()) {
                bits(own).for_each(|other| next(9 * cell + other, self));
            }
            let linked = if side { state.cells[digit] } else { partner_set(state, cell, digit) };
            peers_in(cell, linked).for_each(|peer| next(9 * peer + digit, self));
            if closed {
                return Some(self.back_from(start as u16, at));
            }
            at += 1;
        }
        None
    }

    /// Adds a candidate, unless it is there.
    fn push(&mut self, candidate: usize, on: bool, parent: u16) {
        if !std::mem::replace(&mut self.seen[usize::from(on)][candidate], true) {
            self.nodes.push((candidate as u16, on, parent));
        }
    }

    /// The chain from its end back to its start, through the candidate at `at`.
    fn back_from(&self, end: u16, mut at: usize) -> Vec<u16> {
        let mut path = vec![end];
        loop {
            path.push(self.nodes[at].0);
            if at == 0 {
                return path;
            }
            at = self.nodes[at].2 as usize;
        }
    }

    /// Adds the hint of the chain that refutes a start that is on, or proves one that is off, if there is one.
    fn add(&mut self, state: &State, links: Links, start: usize, on: bool, hints: &mut Vec<Simple>) {
        let Some(path) = self.search(state, links, start, on) else { return };
        let (kind, length) = (links.chain(), path.len() as u32);
        let remove = FoundHint::of_chain(kind, state, start, !on, length).remove;
        let (mut nodes, mut causes) = (Vec::with_capacity(path.len() + 1), Vec::new());
        for (at, &candidate) in path.iter().enumerate() {
            // The end is the opposite of the start; the sides alternate.
            let is_on = (at % 2 == 0) != on;
            nodes.push(2 * candidate + u16::from(is_on));
            if is_on && at + 1 < path.len() {
                causes.push((candidate, strong_cause(state, links, path[at + 1], candidate)));
            }
        }
        nodes.push(u16::MAX);
        hints.push(Simple::new(kind, links, length, remove, nodes, causes));
    }
}

/// The removals of a hint as cells and digits, row by row, digits upwards.
pub(crate) fn removed(remove: &Removals) -> impl Iterator<Item = (usize, usize)> + '_ {
    let union = remove.iter().fold(0, |union, set| union | set);
    cells(union).flat_map(move |cell| {
        let digits = (0..9).fold(0u16, |digits, digit| digits | ((remove[digit] >> cell & 1) as u16) << digit);
        bits(digits).map(move |digit| (cell, digit))
    })
}
