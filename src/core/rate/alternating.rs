//! The shortest chains of alternating weak and strong links, from all starts at once.
//!
//! ```text
//!   a off => b on -> c off => d on -> ...    => strong, -> weak link
//!
//!   row of d  =  starts whose falsehood makes d true
//!             =  union over strong links c => d of the union over weak links b -> c of the rows of b
//! ```
//!
//! One step follows two arrows. A row holds 256 starts, a width that the compiler knows. More starts need more blocks
//! of rows. The rows of all steps are kept: walking back from the end finds a chain without another search.
//!
//! **Conclusions from a truth** need no search of their own either. `a on -> x off => .. => y on -> a off` is a chain
//! from the falsehood of x to the truth of y, where a excludes both. This is why every node is a start, groups
//! included.
//!
//! *Tried and lost*: rows of any width, and a second search from truth; `reports/tried.md` has more. *Not tried*: also
//! keeping rows of falsehood, so that each state is visited once. The rows of truth already drop what is not new.
//!
//! See [`super::links`]. Chains through almost locked sets do not alternate; [`super::reach`] searches for them.

use std::ops::Range;

use crate::board::CellSet;

use super::bits::{has, insert, meet, members_of_word, unite};
use super::links::{LinkState, Links, off, on};

/// Starts in a row.
const BLOCK: usize = 256;

pub(super) type Starts = [u64; BLOCK / 64];

const NOBODY: Starts = [0; BLOCK / 64];

#[derive(Debug)]
pub(super) struct Masks {
    nodes: usize,
    /// [block][node].
    rows: Vec<Starts>,
}

impl Masks {
    pub(super) fn none(nodes: usize) -> Masks {
        Masks { nodes, rows: vec![NOBODY; nodes.div_ceil(BLOCK).max(1) * nodes] }
    }

    #[inline(always)]
    pub(super) fn insert(&mut self, node: usize, other: usize) {
        insert(&mut self.rows[other / BLOCK * self.nodes + node], other % BLOCK);
    }

    /// Adds consecutive nodes.
    pub(super) fn insert_all(&mut self, node: usize, others: Range<usize>) {
        let below = |end: usize| if end < 64 { (1 << end) - 1 } else { u64::MAX };
        for word in others.start / 64..others.end.div_ceil(64) {
            let [first, end] = [others.start, others.end].map(|at| below(at.saturating_sub(64 * word)));
            self.rows[64 * word / BLOCK * self.nodes + node][word % (BLOCK / 64)] |= end & !first;
        }
    }

    pub(super) fn has(&self, node: usize, other: usize) -> bool {
        has(self.row(other / BLOCK, node), other % BLOCK)
    }

    #[inline(always)]
    fn row(&self, block: usize, node: usize) -> &Starts {
        &self.rows[block * self.nodes + node]
    }
}

/// The search. One step follows two arrows.
#[derive(Debug)]
pub(super) struct Alternating<'a, S: 'static> {
    links: &'a Links<S>,
    nodes: usize,
    /// Number of rows of one step: blocks times copies of the graph times nodes.
    size: usize,
    /// [step][block][copy][node]: the starts that make the node true in this step, but in no earlier one.
    new: Vec<Starts>,
    /// [block][copy][node]: the starts that make the node true in any step.
    reached: Vec<Starts>,
    /// [block][copy][node]: the starts that made the node false in the weak half of the last step.
    fallen: Vec<Starts>,
    rivals: Masks,
    /// The nodes that exclude each node and have strong links, node by node: chains make no others true.
    linked: Vec<u32>,
    /// Where the nodes of each node end in `linked`.
    ends: Vec<u32>,
    /// Candidates whose truth makes them false.
    refuted: Vec<bool>,
    /// Length of the chains of this step.
    pub(super) level: u32,
}

impl<'a, S: CellSet> Alternating<'a, S> {
    /// The chains of one strong link.
    pub(super) fn new(links: &'a Links<S>) -> Alternating<'a, S> {
        let nodes = links.nodes.len();
        let size = nodes.div_ceil(BLOCK).max(1) * links.copies() * nodes;
        let mut new = Vec::with_capacity(4 * size);
        new.resize(size, NOBODY);
        let mut search = Alternating {
            links,
            nodes,
            size,
            new,
            reached: Vec::new(),
            fallen: vec![NOBODY; size],
            rivals: Masks::none(nodes),
            linked: Vec::with_capacity(8 * nodes),
            ends: Vec::with_capacity(nodes),
            refuted: vec![false; links.singles],
            level: 1,
        };
        let upper = links.copies() - 1;
        for node in 0..nodes {
            for end in links.strong(node) {
                let passes_group = node.max(end) >= links.singles;
                let at = search.place(node / BLOCK, if passes_group { upper } else { 0 }, end);
                insert(&mut search.new[at], node % BLOCK);
            }
            for rival in links.weak(node) {
                search.rivals.insert(node, rival);
                if links.strong(rival).next().is_some() {
                    search.linked.push(rival as u32);
                }
            }
            search.ends.push(search.linked.len() as u32);
        }
        search.reached.extend_from_slice(&search.new);
        search
    }

    #[inline(always)]
    fn place(&self, block: usize, copy: usize, node: usize) -> usize {
        (block * self.links.copies() + copy) * self.nodes + node
    }

    /// The rows of the copy in which chains end, block by block.
    fn at_end(&self, node: usize) -> impl Iterator<Item = usize> {
        (0..self.nodes.div_ceil(BLOCK)).map(move |block| self.place(block, self.links.copies() - 1, node))
    }

    fn last(&self) -> &[Starts] {
        &self.new[self.new.len() - self.size..]
    }

    /// Makes the chains two arrows longer. False when no chain can continue.
    pub(super) fn advance(&mut self) -> bool {
        if self.last().iter().all(|row| *row == NOBODY) {
            return false;
        }
        self.weak_links();
        self.strong_links();
        self.level += 2;
        true
    }

    fn weak_links(&mut self) {
        let (copies, nodes, links) = (self.links.copies(), self.nodes, self.links);
        let last = &self.new[self.new.len() - self.size..];
        for (from, to) in last.chunks_exact(copies * nodes).zip(self.fallen.chunks_exact_mut(copies * nodes)) {
            let mut first = 0;
            for (node, &end) in self.ends.iter().enumerate() {
                let linked = &self.linked[first..end as usize];
                first = end as usize;
                let united = |rows: &[Starts]| {
                    let mut all = NOBODY;
                    linked.iter().for_each(|&rival| unite(&mut all, &rows[rival as usize]));
                    all
                };
                if copies == 1 {
                    to[node] = united(from);
                    continue;
                }
                let (mut lower, mut upper) = (united(&from[..nodes]), united(&from[nodes..]));
                if node >= links.singles {
                    unite(&mut upper, &std::mem::replace(&mut lower, NOBODY));
                }
                (to[node], to[nodes + node]) = (lower, upper);
            }
        }
    }

    fn strong_links(&mut self) {
        let (copies, nodes, links) = (self.links.copies(), self.nodes, self.links);
        let from = self.new.len();
        self.new.resize(from + self.size, NOBODY);
        for first in (0..self.size).step_by(copies * nodes) {
            for node in 0..nodes {
                let mut rows = [NOBODY; 2];
                for (row, copy) in rows.iter_mut().zip(0..copies) {
                    links.strong(node).for_each(|before| unite(row, &self.fallen[first + copy * nodes + before]));
                }
                if copies > 1 && node >= links.singles {
                    let lower = std::mem::replace(&mut rows[0], NOBODY);
                    unite(&mut rows[1], &lower);
                }
                for (copy, row) in rows.iter().enumerate().take(copies) {
                    let at = first + copy * nodes + node;
                    let (new, reached) = (&mut self.new[from + at], &mut self.reached[at]);
                    for ((new, reached), row) in new.iter_mut().zip(reached).zip(row) {
                        *new = row & !*reached;
                        *reached |= row;
                    }
                }
            }
        }
    }

    /// Calls `visit` with each start of a mask whose chains of this length make a node true, in ascending order.
    #[inline]
    pub(super) fn each_start(&self, end: usize, mask: &Masks, mut visit: impl FnMut(usize)) {
        for (block, at) in self.at_end(end).enumerate() {
            let (row, mask) = (&self.new[self.new.len() - self.size + at], mask.row(block, end));
            for (word, (starts, mask)) in row.iter().zip(mask).enumerate() {
                members_of_word(word, starts & mask).for_each(|start| visit(block * BLOCK + start));
            }
        }
    }

    /// The nodes that exclude each node.
    pub(super) fn rivals(&self) -> &Masks {
        &self.rivals
    }

    /// True when a chain of this length from the falsehood of a candidate makes it true.
    pub(super) fn proves(&self, node: usize) -> bool {
        let at = self.place(node / BLOCK, self.links.copies() - 1, node);
        has(&self.last()[at], node % BLOCK)
    }

    /// True when the truth of a candidate makes it false by chains of this length, but no shorter ones.
    pub(super) fn refutes(&mut self, node: usize) -> bool {
        let meets = |(block, at): (usize, usize)| meet(&self.fallen[at], self.rivals.row(block, node));
        let falls = self.at_end(node).enumerate().any(meets);
        falls && !std::mem::replace(&mut self.refuted[node], true)
    }

    /// True when the truth of a candidate makes another true by chains that are longer by one, but no shorter ones.
    pub(super) fn implies(&self, node: usize, other: usize) -> bool {
        let last = self.last();
        let meets = |(block, at): (usize, usize)| meet(&last[at], self.rivals.row(block, node));
        let met_before = |(block, at): (usize, usize)| {
            let before: Starts = std::array::from_fn(|word| self.reached[at][word] & !last[at][word]);
            meet(&before, self.rivals.row(block, node))
        };
        self.at_end(other).enumerate().any(meets) && !self.at_end(other).enumerate().any(met_before)
    }

    /// Appends each chain of this length between two candidates to `all`, one after another. False if there are more
    /// than `limit`.
    pub(super) fn chains(&self, start: usize, end: usize, limit: usize, all: &mut Vec<LinkState>) -> bool {
        let mut chain = vec![0; self.level as usize + 1];
        chain[0] = off(start);
        let most = limit * chain.len();
        let walk = WayBack { search: self, block: start / BLOCK, start };
        walk.back(self.links.copies() - 1, end, &mut chain, &mut |chain| {
            all.extend_from_slice(chain);
            all.len() <= most
        })
    }
}

/// A walk from the end of a chain back to its start. It visits the predecessors of a state in ascending order.
struct WayBack<'w, 'a, S: 'static> {
    search: &'w Alternating<'a, S>,
    block: usize,
    start: usize,
}

impl<S: CellSet> WayBack<'_, '_, S> {
    /// True when the start makes a node true in a step, but in no earlier one.
    fn has(&self, step: usize, copy: usize, node: usize) -> bool {
        let row = &self.search.new[step * self.search.size + self.search.place(self.block, copy, node)];
        has(row, self.start % BLOCK)
    }

    /// Walks back from a node that the last arrow makes true. Stops and returns false when `visit` returns false.
    fn back(
        &self,
        copy: usize,
        end: usize,
        chain: &mut [LinkState],
        visit: &mut impl FnMut(&[LinkState]) -> bool,
    ) -> bool {
        let links = self.search.links;
        let level = (chain.len() - 1) as u32;
        self.back_from(level, copy, end, chain, links.copies(), visit)
    }

    fn back_from(
        &self,
        level: u32,
        copy: usize,
        end: usize,
        chain: &mut [LinkState],
        copies: usize,
        visit: &mut impl FnMut(&[LinkState]) -> bool,
    ) -> bool {
        chain[level as usize] = on(end);
        if level == 1 {
            return visit(chain);
        }
        let (links, step) = (self.search.links, (level as usize - 3) / 2);
        let is_group = |node: usize| node >= links.singles;
        // Groups are in the upper copy only. A chain moves from the lower to the upper copy when it enters a group.
        for through in (0..copies).filter(|&through| through == copy || copy > through && is_group(end)) {
            for fallen in links.strong(end).filter(|&fallen| through > 0 || copies == 1 || !is_group(fallen)) {
                chain[level as usize - 1] = off(fallen);
                for from in (0..copies).filter(|&from| from == through || through > from && is_group(fallen)) {
                    for before in links.weak(fallen) {
                        if self.has(step, from, before)
                            && !self.back_from(level - 2, from, before, chain, copies, visit)
                        {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }
}
