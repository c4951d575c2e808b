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
use super::reach::Set;
use super::reach::union;
use crate::rate::bits::{exceeds, has, insert, is_empty, meet, subtract, unite};
use crate::rate::explainer::kind::HintKind;
use crate::rate::explainer::state::{Removals, State};
use crate::rate::explainer::tables::{PEERS, bits, count, peers_in};

/// The links of a pass.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// Links along one digit.
    X,
    /// Strong links inside cells only.
    Y,
    /// Both, and weak links inside cells.
    All,
}

impl Links {
    /// True with strong links along a digit.
    pub(crate) fn x(self) -> bool {
        self != Links::Y
    }

    /// True with links inside cells.
    pub(crate) fn y(self) -> bool {
        self != Links::X
    }

    /// The kind of the hint in the order of hints of equal rating and complexity.
    pub(crate) fn key(self) -> u8 {
        2 + self as u8
    }

    /// The kind of the hints of cycles.
    pub(crate) fn cycle(self) -> HintKind {
        match self {
            Links::X => HintKind::BidirectionalXCycle,
            Links::Y => HintKind::BidirectionalYCycle,
            Links::All => HintKind::BidirectionalCycle,
        }
    }

    /// The kind of the hints of chains.
    pub(crate) fn chain(self) -> HintKind {
        if self == Links::X { HintKind::ForcingXChain } else { HintKind::ForcingChain }
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

/// The visits of one search, in order. The first is the start.
#[derive(Default)]
pub(crate) struct Queue(Vec<Visit>);

impl Queue {
    /// True if a candidate is off on the way to a visit.
    fn has_ancestor(&self, mut at: usize, off: u16) -> bool {
        while at != 0 {
            if self.0[at].off == off {
                return true;
            }
            at = self.0[at].parent as usize;
        }
        false
    }
}

/// A cycle: the way to the visit `head`, then the candidate `last`, which is off, then the start again.
pub(crate) struct Path<'a> {
    queue: &'a Queue,
    head: usize,
    last: usize,
}

impl Path<'_> {
    /// Its candidates from the end back to the start, alternately on and off. The start is first and last.
    pub(crate) fn candidates(&self) -> Vec<u16> {
        let mut path = vec![self.queue.0[0].on, self.last as u16];
        let mut at = self.head;
        while at != 0 {
            let visit = &self.queue.0[at];
            path.extend([visit.on, visit.off]);
            at = visit.parent as usize;
        }
        path.push(self.queue.0[0].on);
        path
    }
}

/// Makes one search: passes all cycles through `start` that have fewer than `limit` candidates and remove something to
/// `offer`, which returns the new limit. The graph shows at once where nothing new can be reached, and from where no
/// way leads back.
pub(crate) fn from_start<const W: usize>(
    state: &State,
    links: Links,
    graph: &Graph<W>,
    start: usize,
    mut limit: u32,
    queue: &mut Queue,
    mut offer: impl FnMut(u32, Removals, u128, Path) -> u32,
) {
    let number = &graph.number;
    let goal = graph.strong[number[start] as usize];
    // back[n]: the candidates from which at most n strong links lead back to the start.
    let (mut back, mut off, mut seen_off) = (Vec::with_capacity(16), goal, goal);
    back.push([0; W]);
    while !is_empty(&off) && 2 * back.len() as u32 + 2 < limit {
        let known = back[back.len() - 1];
        let mut on = union(&off, &[u64::MAX; W], &graph.weak);
        subtract(&mut on, &known);
        off = union(&on, &[u64::MAX; W], &graph.strong);
        subtract(&mut off, &seen_off);
        unite(&mut seen_off, &off);
        unite(&mut on, &known);
        back.push(on);
    }
    queue.0.clear();
    let mut seen = [0; W];
    insert(&mut seen, number[start] as usize);
    queue.0.push(Visit { on: start as u16, off: u16::MAX, parent: 0, layer: 0 });
    let mut head = 0;
    while head < queue.0.len() {
        let (on, layer) = (queue.0[head].on as usize, queue.0[head].layer);
        let length = 2 * u32::from(layer) + 2;
        if length >= limit {
            return;
        }
        // A candidate is closed if it has been reached, or if the way back is too long.
        // `left`: the strong links that a cycle below the limit may still have.
        let left = ((limit - 1) / 2).saturating_sub(u32::from(layer) + 1) as usize;
        let home = &back[left.min(back.len() - 1)];
        let mut closed: Set<W> = std::array::from_fn(|word| seen[word] | !home[word]);
        let at = number[on] as usize;
        if !(exceeds(&graph.step[at], &closed) || layer > 0 && meet(&graph.weak[at], &goal)) {
            head += 1;
            continue;
        }
        let (cell, digit) = (on / 9, on % 9);
        let mut reach = |off: usize, queue: &mut Queue| {
            let number_off = number[off] as usize;
            let closes = layer > 0 && has(&goal, number_off);
            let grows = exceeds(&graph.strong[number_off], &closed);
            if !closes && !grows || queue.has_ancestor(head, off as u16) {
                return;
            }
            if closes {
                let (removals, cells) = outcome(state, queue, head, off);
                if removals.iter().any(|&set| set != 0) {
                    limit = offer(length, removals, cells, Path { queue, head, last: off });
                }
            }
            if grows {
                for_each_strong(state, links, off, |on| {
                    if !has(&closed, number[on] as usize) {
                        insert(&mut seen, number[on] as usize);
                        insert(&mut closed, number[on] as usize);
                        let (on, off, parent) = (on as u16, off as u16, head as u16);
                        queue.0.push(Visit { on, off, parent, layer: layer + 1 });
                    }
                });
            }
        };
        if links == Links::All {
            bits(state.digits[cell] & !(1 << digit)).for_each(|other| reach(9 * cell + other, queue));
        }
        peers_in(cell, graph.linked[digit]).for_each(|peer| reach(9 * peer + digit, queue));
        head += 1;
    }
}

/// Calls `on` with each candidate that is true if a candidate is false, in the order of the original.
fn for_each_strong(state: &State, links: Links, off: usize, mut on: impl FnMut(usize)) {
    let (cell, digit) = (off / 9, off % 9);
    if links.y() && count(state.digits[cell]) == 2 {
        on(9 * cell + (state.digits[cell] & !(1 << digit)).trailing_zeros() as usize);
    }
    if links.x() {
        partners(state, cell, digit).for_each(|peer| on(9 * peer + digit));
    }
}

/// What a cycle removes, and its cells. The cycle ends with the `on` candidate of `head`, `last_off` and the start.
fn outcome(state: &State, queue: &Queue, head: usize, last_off: usize) -> (Removals, u128) {
    let (mut on_sees, mut off_sees, mut cells) = ([0u128; 9], [0u128; 9], 0u128);
    let mut note = |sees: &mut Removals, candidate: usize| {
        sees[candidate % 9] |= PEERS[candidate / 9];
        cells |= 1 << (candidate / 9);
    };
    note(&mut off_sees, last_off);
    let mut at = head;
    loop {
        note(&mut on_sees, queue.0[at].on as usize);
        if at == 0 {
            break;
        }
        note(&mut off_sees, queue.0[at].off as usize);
        at = queue.0[at].parent as usize;
    }
    let removals = std::array::from_fn(|digit| on_sees[digit] & off_sees[digit] & state.cells[digit] & !cells);
    (removals, cells)
}
