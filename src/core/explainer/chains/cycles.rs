//! Bidirectional cycles: closed chains of alternating weak and strong links.
//!
//! ```text
//!   on a --weak-- off b ==strong== on c --weak-- off d ==strong== on a
//! ```
//! Either all `on` or all `off` candidates of a cycle are true. A candidate that sees an `on` and an `off` candidate of
//! its digit is removed, unless its cell belongs to the cycle.
//!
//! **The search** is breadth first from every candidate as `on`. It visits each `on` candidate once. It visits an `off`
//! candidate as often as it is reached, unless it is already on the path. A cycle is found whenever an `off` candidate
//! has a strong link to the start; the first link back (length 2) does not count. So a cycle is only found along the
//! path by which the search first reached its last `on` candidate.
//!
//! Order of links: weak links first inside the cell, digits upwards, then block, row, column; strong links in cell,
//! block, row, column. Y-cycles start in bivalue cells. Only their weak links leave cells.

use super::graph::{Graph, partners};
use super::reach::{Set, union};
use crate::bits::{exceeds, has, insert, is_empty, meet, subtract, unite};
use crate::explainer::kind::HintKind;
use crate::explainer::state::{CellsByDigit, State};
use crate::explainer::tables::{PEERS, bits, count, peers_in};

/// The links of a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum CycleLinks {
    /// Links along one digit.
    X,
    /// Strong links inside cells only.
    Y,
    /// Both, and weak links inside cells.
    All,
}

impl CycleLinks {
    /// True with strong links along a digit.
    pub(crate) fn along_digits(self) -> bool {
        self != CycleLinks::Y
    }

    /// True with links inside cells.
    pub(crate) fn in_cells(self) -> bool {
        self != CycleLinks::X
    }

    pub(crate) fn cycle_kind(self) -> HintKind {
        match self {
            CycleLinks::X => HintKind::BidirectionalXCycle,
            CycleLinks::Y => HintKind::BidirectionalYCycle,
            CycleLinks::All => HintKind::BidirectionalCycle,
        }
    }

    pub(crate) fn chain_kind(self) -> HintKind {
        if self == CycleLinks::X { HintKind::ForcingXChain } else { HintKind::ForcingChain }
    }
}

/// A candidate that is on, and how the search came to it.
struct Visit {
    on: u16,
    /// The candidate before it, which is off. `u16::MAX` for the start.
    off: u16,
    /// The index of the visit before that.
    parent: u16,
    /// The number of strong links on the way.
    layer: u8,
}

impl Visit {
    /// The number of candidates of a cycle that goes from here over one candidate to the start.
    fn length(&self) -> u32 {
        2 * u32::from(self.layer) + 2
    }
}

/// The visits of one search, in order. The first is the start.
#[derive(Default)]
pub(crate) struct Queue {
    visits: Vec<Visit>,
}

impl Queue {
    /// True if a candidate is off on the way to a visit.
    fn has_ancestor(&self, mut visit: usize, off: u16) -> bool {
        while visit != 0 {
            if self.visits[visit].off == off {
                return true;
            }
            visit = self.visits[visit].parent as usize;
        }
        false
    }
}

/// A cycle: the way to the visit `head`, then the candidate `last`, which is off, then the start again.
pub(crate) struct Cycle<'a> {
    queue: &'a Queue,
    head: usize,
    last: usize,
    pub(crate) removals: CellsByDigit,
    pub(crate) cells: u128,
}

impl Cycle<'_> {
    /// The cycle that a search closes.
    fn new<'a>(state: &State, queue: &'a Queue, head: usize, last: usize) -> Cycle<'a> {
        let (mut on_sees, mut off_sees, mut cells) = ([0u128; 9], [0u128; 9], 0u128);
        let (mut visit, mut off) = (head, last);
        loop {
            let on = queue.visits[visit].on as usize;
            on_sees[on % 9] |= PEERS[on / 9];
            off_sees[off % 9] |= PEERS[off / 9];
            cells |= 1 << (on / 9) | 1 << (off / 9);
            if visit == 0 {
                break;
            }
            off = queue.visits[visit].off as usize;
            visit = queue.visits[visit].parent as usize;
        }
        let removals = std::array::from_fn(|digit| on_sees[digit] & off_sees[digit] & state.cells[digit] & !cells);
        Cycle { queue, head, last, removals, cells }
    }

    /// The number of its candidates.
    pub(crate) fn length(&self) -> u32 {
        self.queue.visits[self.head].length()
    }

    /// Its candidates from the end back to the start, alternately on and off. The start is first and last.
    pub(crate) fn candidates(&self) -> Vec<u16> {
        let mut path = vec![self.queue.visits[0].on, self.last as u16];
        let mut visit = self.head;
        while visit != 0 {
            let Visit { on, off, parent, .. } = self.queue.visits[visit];
            path.extend([on, off]);
            visit = parent as usize;
        }
        path.push(self.queue.visits[0].on);
        path
    }
}

/// Makes one search: passes all cycles through `start` that have fewer than `limit` candidates and remove something to
/// `offer`, which returns the new limit. The graph shows where nothing new can be reached, and no way leads back.
pub(crate) fn from_start<const W: usize>(
    state: &State,
    links: CycleLinks,
    graph: &Graph<W>,
    start: usize,
    limit: u32,
    queue: &mut Queue,
    mut offer: impl FnMut(&Cycle) -> u32,
) {
    let start_number = graph.number[start] as usize;
    let goal = graph.strong[start_number];
    let back = ways_back(graph, &goal, limit);
    let mut search = CycleSearch { state, links, graph, goal, back, reached: [0; W], limit };
    insert(&mut search.reached, start_number);
    queue.visits.clear();
    queue.visits.push(Visit { on: start as u16, off: u16::MAX, parent: 0, layer: 0 });
    let mut head = 0;
    while head < queue.visits.len() && queue.visits[head].length() < search.limit {
        search.continue_from(head, queue, &mut offer);
        head += 1;
    }
}

/// `[n]`: the candidates from which at most n strong links lead back to the start. `goal` has the candidates with
/// strong links to it.
fn ways_back<const W: usize>(graph: &Graph<W>, goal: &Set<W>, limit: u32) -> Vec<Set<W>> {
    let (mut back, mut off, mut seen_off) = (Vec::with_capacity(16), *goal, *goal);
    back.push([0; W]);
    while !is_empty(&off) && 2 * back.len() as u32 + 2 < limit {
        let nearer = back[back.len() - 1];
        let mut on = union(&off, &[u64::MAX; W], &graph.weak);
        subtract(&mut on, &nearer);
        off = union(&on, &[u64::MAX; W], &graph.strong);
        subtract(&mut off, &seen_off);
        unite(&mut seen_off, &off);
        unite(&mut on, &nearer);
        back.push(on);
    }
    back
}

struct CycleSearch<'a, const W: usize> {
    state: &'a State,
    links: CycleLinks,
    graph: &'a Graph<W>,
    /// The candidates with strong links to the start.
    goal: Set<W>,
    /// See [`ways_back`].
    back: Vec<Set<W>>,
    /// The candidates that have been reached as on.
    reached: Set<W>,
    /// Cycles have fewer candidates.
    limit: u32,
}

impl<const W: usize> CycleSearch<'_, W> {
    /// Follows the links of a visit.
    fn continue_from(&mut self, head: usize, queue: &mut Queue, offer: &mut impl FnMut(&Cycle) -> u32) {
        let Visit { on, layer, .. } = queue.visits[head];
        // A candidate is closed if it has been reached, or if the way back has more strong links than the limit allows.
        let links_left = ((self.limit - 1) / 2).saturating_sub(u32::from(layer) + 1) as usize;
        let home = &self.back[links_left.min(self.back.len() - 1)];
        let mut closed: Set<W> = std::array::from_fn(|word| self.reached[word] | !home[word]);
        let number = self.graph.number[on as usize] as usize;
        if !(exceeds(&self.graph.step[number], &closed) || layer > 0 && meet(&self.graph.weak[number], &self.goal)) {
            return;
        }
        let (cell, digit) = (on as usize / 9, on as usize % 9);
        if self.links == CycleLinks::All {
            for rival in bits(self.state.digits[cell] & !(1 << digit)) {
                self.turn_off(9 * cell + rival, head, &mut closed, queue, offer);
            }
        }
        for peer in peers_in(cell, self.graph.linked[digit]) {
            self.turn_off(9 * peer + digit, head, &mut closed, queue, offer);
        }
    }

    /// Continues with a candidate that is off: offers the cycle if it leads to the start, and adds what becomes on.
    #[inline]
    fn turn_off(
        &mut self,
        off: usize,
        head: usize,
        closed: &mut Set<W>,
        queue: &mut Queue,
        offer: &mut impl FnMut(&Cycle) -> u32,
    ) {
        let layer = queue.visits[head].layer;
        let number = &self.graph.number;
        let closes = layer > 0 && has(&self.goal, number[off] as usize);
        let grows = exceeds(&self.graph.strong[number[off] as usize], closed);
        if !closes && !grows || queue.has_ancestor(head, off as u16) {
            return;
        }
        if closes {
            let cycle = Cycle::new(self.state, queue, head, off);
            if cycle.removals != [0; 9] {
                self.limit = offer(&cycle);
            }
        }
        if grows {
            for_each_strong(self.state, self.links, off, |on| {
                if !has(closed, number[on] as usize) {
                    insert(&mut self.reached, number[on] as usize);
                    insert(closed, number[on] as usize);
                    queue.visits.push(Visit { on: on as u16, off: off as u16, parent: head as u16, layer: layer + 1 });
                }
            });
        }
    }
}

/// Calls `on` with each candidate that is true if a candidate is false, in the order of the original.
fn for_each_strong(state: &State, links: CycleLinks, off: usize, mut on: impl FnMut(usize)) {
    let (cell, digit) = (off / 9, off % 9);
    if links.in_cells() && count(state.digits[cell]) == 2 {
        on(9 * cell + (state.digits[cell] & !(1 << digit)).trailing_zeros() as usize);
    }
    if links.along_digits() {
        partners(state, cell, digit).for_each(|peer| on(9 * peer + digit));
    }
}
