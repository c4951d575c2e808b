//! Chains nested in a dynamic run (from 9.5 up).
//!
//! When the easier rules of [`super::advanced`] find nothing, other producers run on the grid of that moment:
//!
//! | [`ChainLevel`] | rating | producers, in order |
//! |---|---|---|
//! | `NestedForcing` | 9.5 + L | forcing chains and cycles |
//! | `NestedMultiple` | 10.0 + L | forcing chains and cycles, then static multiple chains |
//! | `NestedDynamic` | 10.5 + L | dynamic chains |
//! | `NestedDynamicForcing` | 11.0 + L | dynamic chains, then chains of the level `NestedForcing` |
//!
//! All their hints are used, sorted as always (rating, complexity, kind, scan order). Of several hints that remove the
//! same candidates only the first counts. The parents of a removed candidate are the candidates that had to be removed
//! before the chain was possible. They come from each `on` candidate of the chain that is on as the last of its cell
//! (house): they are the candidates that the cell (house) has lost since the start of the outer run. The start of a
//! chain over a cell (house) counts as one of these `on` candidates, the start of other chains does not. A cycle is
//! followed in both directions. Backwards, each candidate has the cause of its forward link.

use std::collections::HashSet;

use super::cycles::{Cycle, CycleLinks, Queue, from_start};
use super::graph::{Graph, NO_LIMIT, pairs_in_cycles, partner_set};
use super::multiple::{BranchEnd, ChainHint, ChainScan};
use super::reach::LinkScope;
use super::run::{END_OF_BRANCH, Nested, NestedRules, OnCause, RunNode};
use super::templates::Limits;
use crate::explainer::found::{FoundHint, added};
use crate::explainer::kind::{ChainLevel, HintKind};
use crate::explainer::state::{CellsByDigit, State};
use crate::explainer::tables::{HOUSE, HouseType, OF, bits, cells, count, peers_in};

/// A hint of a nested producer.
pub(crate) struct NestedHint {
    pub(crate) remove: CellsByDigit,
    pub(crate) nested: Nested,
    /// For the parents.
    caused: Vec<CausedCandidate>,
}

/// A candidate that is on.
struct CausedCandidate {
    candidate: u16,
    cause: OnCause,
}

impl NestedHint {
    /// Calls `add` with each parent, a cell and a digit: see the header.
    pub(crate) fn parents(&self, source: &State, state: &State, mut add: impl FnMut(usize, usize)) {
        for &CausedCandidate { candidate, cause } in &self.caused {
            let (cell, digit) = (candidate as usize / 9, candidate as usize % 9);
            match cause {
                OnCause::LastOfCell => {
                    let lost_digits = source.digits[cell] & !state.digits[cell];
                    bits(lost_digits).for_each(|lost_digit| add(cell, lost_digit));
                }
                OnCause::LastOfHouse(house_type) => {
                    let (house, _) = OF[cell][house_type as usize];
                    let house = house as usize;
                    let lost_places = source.places[house][digit] & !state.places[house][digit];
                    bits(lost_places).for_each(|place| add(HOUSE[house][place] as usize, digit));
                }
                OnCause::Start => {}
            }
        }
    }
}

/// Calls `each` with the hints of the nested producers of one level, producer after producer. Stops after the first
/// producer that has a hint for which `each` returned true.
pub(crate) fn producers(
    state: &State,
    level: ChainLevel,
    rules: NestedRules,
    mut each: impl FnMut(NestedHint) -> bool,
) -> bool {
    let mut use_all = |hints: Vec<NestedHint>| hints.into_iter().fold(false, |used, hint| each(hint) | used);
    match level {
        ChainLevel::NestedForcing => use_all(forcing(state)),
        ChainLevel::NestedMultiple => use_all(forcing(state)) || use_all(multiple(state, ChainLevel::Static, rules)),
        ChainLevel::NestedDynamic => use_all(multiple(state, ChainLevel::Dynamic, rules)),
        ChainLevel::NestedDynamicForcing => {
            use_all(multiple(state, ChainLevel::Dynamic, rules))
                || use_all(multiple(state, ChainLevel::NestedForcing, rules))
        }
        ChainLevel::Nishio | ChainLevel::Static | ChainLevel::Dynamic | ChainLevel::Plus => false,
    }
}

/// The hints of multiple chains of a level, sorted.
fn multiple(state: &State, level: ChainLevel, rules: NestedRules) -> Vec<NestedHint> {
    let mut search = ChainScan::new(state, level, rules, true);
    search.scan();
    let mut hints = std::mem::take(&mut search.hints);
    hints.sort_by_key(|hint| hint.rank);
    let mut removals = HashSet::new();
    hints.retain(|hint| removals.insert(hint.to_hint(state).remove));
    hints.iter().map(|hint| with_causes(state, &mut search, hint)).collect()
}

/// A hint as a chain with its causes, from the runs of its branches.
fn with_causes(state: &State, search: &mut ChainScan, hint: &ChainHint) -> NestedHint {
    let mut chain = Chain::default();
    for &BranchEnd { run, node } in hint.branches() {
        let run = &search.runs[run as usize];
        for &node in search.walker.chain(run, node) {
            chain.nodes.push(run.code(node));
            let RunNode { candidate, on, cause, .. } = run.nodes[node as usize];
            if on {
                chain.add_cause(candidate, if cause == OnCause::Start { hint.start } else { cause });
            }
        }
        chain.nodes.push(END_OF_BRANCH);
    }
    chain.into_hint(hint.to_hint(state).remove, hint.rank.complexity)
}

/// A hint of forcing chains and cycles, with what decides its place among them; [`Nested::complexity`] comes between.
struct ForcingHint {
    rating: f64,
    links: CycleLinks,
    nested_hint: NestedHint,
}

impl ForcingHint {
    fn new(kind: HintKind, links: CycleLinks, hint: NestedHint) -> ForcingHint {
        let rating = f64::from(kind.tenths()) / 10.0 + added(hint.nested.complexity);
        ForcingHint { rating, links, nested_hint: hint }
    }

    /// Complexity and kind: they decide among hints with the same rating.
    fn order(&self) -> (u32, CycleLinks) {
        (self.nested_hint.nested.complexity, self.links)
    }
}

/// The nodes of a chain, as in [`Nested`], and the candidates that are on.
#[derive(Default)]
struct Chain {
    nodes: Vec<u16>,
    caused: Vec<CausedCandidate>,
}

impl Chain {
    fn add_cause(&mut self, candidate: u16, cause: OnCause) {
        self.caused.push(CausedCandidate { candidate, cause });
    }

    fn into_hint(self, remove: CellsByDigit, complexity: u32) -> NestedHint {
        NestedHint { remove, nested: Nested { nodes: self.nodes.into(), complexity }, caused: self.caused }
    }
}

/// What can be found from a start.
#[derive(Clone, Copy)]
struct StartProspects<'g, const W: usize> {
    /// Where cycles through it are searched.
    cycles: Option<&'g Graph<W>>,
    /// A chain refutes it.
    refuted: bool,
    /// A chain proves it.
    proved: bool,
}

/// The hints of forcing chains and cycles, sorted.
fn forcing(state: &State) -> Vec<NestedHint> {
    let all = LinkScope::all(state);
    let mut hints = match state.candidates() {
        0..=128 => passes(state, &Graph::<2>::of(state, &all)),
        129..=192 => passes(state, &Graph::<3>::of(state, &all)),
        193..=256 => passes(state, &Graph::<4>::of(state, &all)),
        257..=384 => passes(state, &Graph::<6>::of(state, &all)),
        _ => passes(state, &Graph::<12>::of(state, &all)),
    };
    hints.sort_by(|a, b| a.rating.total_cmp(&b.rating).then(a.order().cmp(&b.order())));
    let mut removals = HashSet::new();
    hints.retain(|hint| removals.insert(hint.nested_hint.remove));
    hints.into_iter().map(|hint| hint.nested_hint).collect()
}

/// The three passes. Bit sets show which starts have a chain, and only from these a chain is searched. What a cycle
/// removes is also refuted by a chain, along one digit if the cycle is. Without such a chain no cycle is searched.
fn passes<const W: usize>(state: &State, graph: &Graph<W>) -> Vec<ForcingHint> {
    let mut hints = Vec::new();
    let mut scan = Scan { queue: Queue::default(), chain: ChainSearch::new() };
    pass_along_digits(state, &mut scan, &mut hints);
    let mut prospects: Vec<StartProspects<W>> = Vec::with_capacity(graph.candidate.len());
    for start in 0..graph.candidate.len() {
        let refuted = graph.refutes_itself(start).is_some();
        let proved = graph.proves_itself(start).is_some();
        prospects.push(StartProspects { cycles: None, refuted, proved });
    }
    if prospects.iter().all(|start| !start.refuted && !start.proved) {
        return hints;
    }
    if prospects.iter().any(|start| start.refuted) {
        prospects.iter_mut().for_each(|start| start.cycles = Some(graph));
        // At most 81 cells have two candidates. So three words hold all numbers.
        let pairs = pairs_in_cycles(state);
        let graph = Graph::<3>::of(state, &LinkScope::pairs(state, pairs));
        let in_pair = StartProspects { cycles: Some(&graph), refuted: false, proved: false };
        scan.pass(state, CycleLinks::Y, |cell, _| (pairs >> cell & 1 != 0).then_some(in_pair), &mut hints);
    }
    scan.pass(
        state,
        CycleLinks::All,
        |cell, digit| {
            let number: usize = graph.number[9 * cell + digit].into();
            Some(prospects[number])
        },
        &mut hints,
    );
    hints
}

fn pass_along_digits(state: &State, scan: &mut Scan, hints: &mut Vec<ForcingHint>) {
    let limits = Limits::of(state);
    let graphs: [Option<Graph<2>>; 9] = std::array::from_fn(|digit| {
        let may_decide = limits.refutable[digit] | limits.provable[digit] != 0;
        may_decide.then(|| Graph::of(state, &LinkScope::digit(state, digit)))
    });
    scan.pass(
        state,
        CycleLinks::X,
        |cell, digit| {
            let graph = graphs[digit].as_ref()?;
            let start = graph.number[9 * cell + digit].into();
            let [refutable, provable] = [limits.refutable[digit], limits.provable[digit]];
            Some(StartProspects {
                cycles: (refutable != 0).then_some(graph),
                refuted: refutable >> cell & 1 != 0 && graph.refutes_itself(start).is_some(),
                proved: provable >> cell & 1 != 0 && graph.proves_itself(start).is_some(),
            })
        },
        hints,
    );
}

/// What the passes share, so that no memory is allocated again for each start.
struct Scan {
    queue: Queue,
    chain: ChainSearch,
}

impl Scan {
    /// Makes one pass over all candidates, a cell and a digit each. `prospects` tells what can be found from them.
    fn pass<'g, const W: usize>(
        &mut self,
        state: &State,
        links: CycleLinks,
        prospects: impl Fn(usize, usize) -> Option<StartProspects<'g, W>>,
        hints: &mut Vec<ForcingHint>,
    ) {
        for cell in 0..81 {
            let digits = state.digits[cell];
            if count(digits) < 2 || !links.along_digits() && count(digits) > 2 {
                continue;
            }
            for digit in bits(digits) {
                let Some(prospects) = prospects(cell, digit) else { continue };
                let start = 9 * cell + digit;
                if let Some(graph) = prospects.cycles {
                    from_start(state, links, graph, start, NO_LIMIT, &mut self.queue, |cycle| {
                        hints.push(hint_of_cycle(state, links, cycle));
                        NO_LIMIT
                    });
                }
                if prospects.refuted {
                    self.chain.add(state, links, start, true, hints);
                }
                if prospects.proved {
                    self.chain.add(state, links, start, false, hints);
                }
            }
        }
    }
}

/// A cycle as two chains, forwards and backwards.
fn hint_of_cycle(state: &State, links: CycleLinks, cycle: &Cycle) -> ForcingHint {
    // From the end: on start, off, on, ..., on start again.
    let mut candidates = cycle.candidates();
    let mut chain = Chain::default();
    for pair in candidates[..candidates.len() - 1].chunks(2) {
        let (on, off) = (pair[0], pair[1]);
        chain.add_cause(on, strong_cause(state, links, off, on));
        chain.nodes.extend([2 * on + 1, 2 * off]);
    }
    chain.nodes.push(END_OF_BRANCH);
    candidates.reverse();
    for pair in candidates[..candidates.len() - 1].chunks(2) {
        let (off, on) = (pair[0], pair[1]);
        chain.add_cause(on, weak_cause(off, on));
        chain.nodes.extend([2 * off, 2 * on + 1]);
    }
    chain.nodes.push(END_OF_BRANCH);
    ForcingHint::new(links.cycle_kind(), links, chain.into_hint(cycle.removals, cycle.length()))
}

/// Why the second candidate is on when the first is off: inside the cell, else the first house with two places.
fn strong_cause(state: &State, links: CycleLinks, off: u16, on: u16) -> OnCause {
    let (off_cell, on_cell) = (off as usize / 9, on as usize / 9);
    if off_cell == on_cell && links.in_cells() {
        return OnCause::LastOfCell;
    }
    let digit = off as usize % 9;
    house_cause(off_cell, on_cell, |house| count(state.places[house][digit]) == 2)
}

/// Why the second candidate is off when the first is on: inside the cell, else the first house that they share.
fn weak_cause(on: u16, off: u16) -> OnCause {
    let (on_cell, off_cell) = (on as usize / 9, off as usize / 9);
    if on_cell == off_cell { OnCause::LastOfCell } else { house_cause(on_cell, off_cell, |_| true) }
}

/// The cause that stands for the first common house of two cells that fits.
fn house_cause(one: usize, two: usize, fits: impl Fn(usize) -> bool) -> OnCause {
    for house_type in HouseType::ALL {
        let [(house, _), (second_house, _)] = [one, two].map(|cell| OF[cell][house_type as usize]);
        if house == second_house && fits(house.into()) {
            return OnCause::LastOfHouse(house_type);
        }
    }
    OnCause::Start
}

/// The search for one forcing chain, breadth first in the order of the original.
struct ChainSearch {
    nodes: Vec<ChainNode>,
    /// The candidates that are nodes as off, and as on.
    seen: [[bool; 729]; 2],
}

/// A candidate that is on or off, and the number of the node before it.
struct ChainNode {
    candidate: u16,
    on: bool,
    parent: u16,
}

impl ChainSearch {
    fn new() -> ChainSearch {
        ChainSearch { nodes: Vec::new(), seen: [[false; 729]; 2] }
    }

    /// The candidates of the chain from its end back to the start; none when there is no chain.
    fn search(&mut self, state: &State, links: CycleLinks, start: usize, on: bool) -> Option<Vec<u16>> {
        self.nodes.clear();
        self.seen = [[false; 729]; 2];
        self.push(start, on, 0);
        let mut head = 0;
        while head < self.nodes.len() {
            let ChainNode { candidate, on: side, .. } = self.nodes[head];
            let (cell, digit) = (candidate as usize / 9, candidate as usize % 9);
            let mut closes = false;
            let mut follow = |following: usize| {
                closes |= following == start && side == on;
                self.push(following, !side, head as u16);
            };
            let rivals = state.digits[cell] & !(1 << digit);
            if links.in_cells() && (side || rivals.is_power_of_two()) {
                bits(rivals).for_each(|rival| follow(9 * cell + rival));
            }
            let linked_cells = if side { state.cells[digit] } else { partner_set(state, cell, digit) };
            peers_in(cell, linked_cells).for_each(|peer| follow(9 * peer + digit));
            if closes {
                return Some(self.back_from(start as u16, head));
            }
            head += 1;
        }
        None
    }

    /// Adds a candidate, unless it is there.
    fn push(&mut self, candidate: usize, on: bool, parent: u16) {
        if !std::mem::replace(&mut self.seen[usize::from(on)][candidate], true) {
            self.nodes.push(ChainNode { candidate: candidate as u16, on, parent });
        }
    }

    /// The chain from its end back to its start, through a node.
    fn back_from(&self, end: u16, mut node: usize) -> Vec<u16> {
        let mut path = vec![end];
        loop {
            path.push(self.nodes[node].candidate);
            if node == 0 {
                return path;
            }
            node = self.nodes[node].parent as usize;
        }
    }

    /// Adds the hint of the chain that refutes a start that is on, or proves one that is off, if there is one.
    fn add(&mut self, state: &State, links: CycleLinks, start: usize, on: bool, hints: &mut Vec<ForcingHint>) {
        let Some(path) = self.search(state, links, start, on) else { return };
        let (kind, length) = (links.chain_kind(), path.len() as u32);
        let remove = FoundHint::of_chain(kind, state, start, !on, length).remove;
        let mut chain = Chain { nodes: Vec::with_capacity(path.len() + 1), caused: Vec::new() };
        for (index, &candidate) in path.iter().enumerate() {
            // The end is the opposite of the start; the sides alternate.
            let is_on = (index % 2 == 0) != on;
            chain.nodes.push(2 * candidate + u16::from(is_on));
            if is_on && let Some(&parent) = path.get(index + 1) {
                chain.add_cause(candidate, strong_cause(state, links, parent, candidate));
            }
        }
        chain.nodes.push(END_OF_BRANCH);
        hints.push(ForcingHint::new(kind, links, chain.into_hint(remove, length)));
    }
}

/// The removals of a hint as cells and digits, row by row, digits upwards.
pub(crate) fn removed(remove: &CellsByDigit) -> impl Iterator<Item = (usize, usize)> + '_ {
    let union = remove.iter().fold(0, |union, set| union | set);
    cells(union).flat_map(move |cell| {
        let digits = (0..9).fold(0u16, |digits, digit| digits | ((remove[digit] >> cell & 1) as u16) << digit);
        bits(digits).map(move |digit| (cell, digit))
    })
}
