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
//! block, row, column. Y-cycles start in bivalue cells. Their strong links are inside cells only, their weak links of
//! both kinds.

use super::graph::{Graph, contains, exceeds, insert, is_empty, meet};
use super::state::{Removals, State};
use super::tables::{HOUSE, OF, PEERS, bits, count, peers_in};

/// Which links a search uses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct LinkKinds {
    /// Strong links along a digit.
    pub(super) x: bool,
    /// Links inside a cell.
    pub(super) y: bool,
}

/// The queue of the search; reused from start to start.
pub(super) struct Queue {
    on: Vec<u16>,
    /// The `off` candidate before it.
    off: Vec<u16>,
    parent: Vec<u16>,
    layer: Vec<u8>,
}

impl Queue {
    pub(super) fn new() -> Queue {
        Queue { on: Vec::new(), off: Vec::new(), parent: Vec::new(), layer: Vec::new() }
    }

    fn push(&mut self, on: u16, off: u16, parent: u16, layer: u8) {
        self.on.push(on);
        self.off.push(off);
        self.parent.push(parent);
        self.layer.push(layer);
    }

    fn clear(&mut self) {
        self.on.clear();
        self.off.clear();
        self.parent.clear();
        self.layer.clear();
    }

    fn has_ancestor(&self, mut at: usize, off: u16) -> bool {
        while at != 0 {
            if self.off[at] == off {
                return true;
            }
            at = self.parent[at] as usize;
        }
        false
    }
}

/// A cycle that was found.
pub(super) struct Path<'a> {
    queue: &'a Queue,
    head: usize,
    last: usize,
}

impl Path<'_> {
    /// Its candidates from the end back to the start, alternately on and off. The start is first and last.
    pub(super) fn candidates(&self) -> Vec<u16> {
        let mut path = vec![self.queue.on[0], self.last as u16];
        let mut at = self.head;
        while at != 0 {
            path.extend([self.queue.on[at], self.queue.off[at]]);
            at = self.queue.parent[at] as usize;
        }
        path.push(self.queue.on[0]);
        path
    }
}

/// A graph with the number of each candidate in it, and the cells whose candidates it has.
#[derive(Clone, Copy)]
pub(super) struct Numbered<'a, const W: usize> {
    pub(super) graph: &'a Graph<W>,
    pub(super) number: &'a [u16; 729],
    pub(super) within: u128,
}

/// One search: passes all cycles through `start` that have fewer than `limit` candidates and remove something to
/// `offer`, which returns the new limit. The graph has the same links and shows at once where nothing new can be
/// reached.
pub(super) fn from_start<const W: usize>(
    state: &State,
    links: LinkKinds,
    Numbered { graph, number, within }: Numbered<W>,
    start: usize,
    mut limit: u32,
    queue: &mut Queue,
    mut offer: impl FnMut(u32, Removals, u128, Path) -> u32,
) {
    let goal = graph.strong[number[start] as usize];
    if is_empty(&goal) {
        return;
    }
    queue.clear();
    let mut seen = [0; W];
    insert(&mut seen, number[start] as usize);
    queue.push(start as u16, u16::MAX, 0, 0);
    let mut head = 0;
    while head < queue.on.len() {
        let (on, layer) = (queue.on[head] as usize, queue.layer[head]);
        let length = 2 * u32::from(layer) + 2;
        if length >= limit {
            return;
        }
        let (at, grows) = (number[on] as usize, length + 2 < limit);
        if !(grows && exceeds(&graph.step[at], &seen) || layer > 0 && meet(&graph.weak[at], &goal)) {
            head += 1;
            continue;
        }
        let (cell, digit) = (on / 9, on % 9);
        let mut reach = |off: usize, queue: &mut Queue| {
            let number_off = number[off] as usize;
            let closes = layer > 0 && contains(&goal, number_off);
            let grows = grows && exceeds(&graph.strong[number_off], &seen);
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
                    if !contains(&seen, number[on] as usize) {
                        insert(&mut seen, number[on] as usize);
                        queue.push(on as u16, off as u16, head as u16, layer + 1);
                    }
                });
            }
        };
        if links.y {
            bits(state.digits[cell] & !(1 << digit)).for_each(|other| reach(9 * cell + other, queue));
        }
        peers_in(cell, state.cells[digit] & within).for_each(|peer| reach(9 * peer + digit, queue));
        head += 1;
    }
}

fn for_each_strong(state: &State, links: LinkKinds, off: usize, mut on: impl FnMut(usize)) {
    let (cell, digit) = (off / 9, off % 9);
    if links.y && count(state.digits[cell]) == 2 {
        on(9 * cell + (state.digits[cell] & !(1 << digit)).trailing_zeros() as usize);
    }
    if links.x {
        for (house, place) in OF[cell] {
            let places = state.places[house as usize][digit];
            if count(places) == 2 {
                let other = (places & !(1 << place)).trailing_zeros() as usize;
                on(9 * HOUSE[house as usize][other] as usize + digit);
            }
        }
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
        note(&mut on_sees, queue.on[at] as usize);
        if at == 0 {
            break;
        }
        note(&mut off_sees, queue.off[at] as usize);
        at = queue.parent[at] as usize;
    }
    let removals = std::array::from_fn(|digit| on_sees[digit] & off_sees[digit] & state.cells[digit] & !cells);
    (removals, cells)
}
