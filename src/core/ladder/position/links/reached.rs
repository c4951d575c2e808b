//! What follows by chains of any length from the falsehood of each node with a strong link.
//!
//! Nice loops learn from it which candidates chains can remove, and forcing chains all that follows from each candidate
//! ([`super::super::closure`]). [`super`] defines nodes and links. The search for shortest chains has the same rows:
//!
//! ```text
//!   node       0 1 2 3 4 5 ..     candidates digit by digit, then groups
//!   number     - 0 - 1 2 - ..     nodes with a strong link, in ascending order
//!   row        [u64; 2]           bit 64 w + i is word w, bit i: the start with number 128 block + 64 w + i
//! ```

use std::ops::Range;

use crate::board::{Candidates, CellSet, Digits};

use super::Links;
use crate::bits::{exceeds, has, insert, intersect, is_empty, meet, members, members_of_word, unite};
use crate::ladder::words::technique::LinkType;

/// Starts in a row.
pub(crate) const BLOCK: usize = 128;

/// A row: a set of starts of one block.
pub(crate) type Starts = [u64; BLOCK / 64];

/// No start.
pub(crate) const NOBODY: Starts = [0; BLOCK / 64];

/// Some of the nodes, numbered in ascending order. Chains begin and end only at nodes with strong links. These are
/// fewer than half of all nodes, so their numbers make short rows.
#[derive(Debug)]
pub(crate) struct Numbers {
    /// The nodes in the order of their numbers.
    pub(crate) nodes: Vec<u32>,
    /// For each node the number of numbered nodes before it.
    before: Vec<u32>,
}

impl Numbers {
    /// Numbers those of the nodes 0..`nodes` for which `is_numbered` is true.
    pub(crate) fn of(nodes: usize, is_numbered: impl Fn(usize) -> bool) -> Numbers {
        let mut numbers = Numbers { nodes: Vec::with_capacity(nodes), before: Vec::with_capacity(nodes + 1) };
        for node in 0..nodes {
            numbers.before.push(numbers.nodes.len() as u32);
            if is_numbered(node) {
                numbers.nodes.push(node as u32);
            }
        }
        numbers.before.push(numbers.nodes.len() as u32);
        numbers
    }

    /// The number of a node, if it has one.
    #[inline(always)]
    pub(crate) fn get(&self, node: usize) -> Option<usize> {
        (self.before[node] < self.before[node + 1]).then_some(self.before[node] as usize)
    }

    /// The numbers of consecutive nodes.
    pub(crate) fn range(&self, nodes: Range<usize>) -> Range<usize> {
        self.before[nodes.start] as usize..self.before[nodes.end.max(nodes.start)] as usize
    }

    /// The nodes in the order of their numbers.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = usize> + use<'_> {
        self.nodes.iter().map(|&node| node as usize)
    }
}

/// A set of numbered nodes for each node, in one row for each block.
#[derive(Debug)]
pub(crate) struct Masks {
    nodes: usize,
    /// `[block][node]`.
    rows: Vec<Starts>,
}

impl Masks {
    /// An empty set for each of the nodes 0..`nodes`.
    pub(crate) fn none(nodes: usize, numbers: &Numbers) -> Masks {
        Masks { nodes, rows: vec![NOBODY; blocks(numbers) * nodes] }
    }

    /// Adds a number to the row of a node.
    #[inline(always)]
    pub(crate) fn insert(&mut self, node: usize, number: usize) {
        insert(&mut self.rows[number / BLOCK * self.nodes + node], number % BLOCK);
    }

    /// Adds a range of numbers to the set of a node.
    pub(crate) fn insert_all(&mut self, node: usize, numbers: Range<usize>) {
        let below = |bound: usize| if bound < 64 { (1 << bound) - 1 } else { u64::MAX };
        for word in numbers.start / 64..numbers.end.div_ceil(64) {
            // In each word: the numbers below the end, but not those below the first one.
            let [first, end] = [numbers.start, numbers.end].map(|bound| below(bound.saturating_sub(64 * word)));
            self.rows[64 * word / BLOCK * self.nodes + node][word % (BLOCK / 64)] |= end & !first;
        }
    }

    /// True if a number is in the row of a node.
    pub(crate) fn has(&self, node: usize, number: usize) -> bool {
        has(self.row(number / BLOCK, node), number % BLOCK)
    }

    /// The numbers of a block in the row of a node.
    #[inline(always)]
    pub(crate) fn row(&self, block: usize, node: usize) -> &Starts {
        &self.rows[block * self.nodes + node]
    }
}

/// The number of blocks, at least one.
pub(crate) fn blocks(numbers: &Numbers) -> usize {
    numbers.nodes.len().div_ceil(BLOCK).max(1)
}

/// What follows from each start by chains of any length, whether or not they contain a group.
#[derive(Debug)]
pub(crate) struct ReachedNodes {
    /// The nodes with strong links: the starts.
    pub(crate) numbers: Numbers,
    /// The numbered nodes that exclude each node.
    rivals: Masks,
    /// `[block][number]`: the starts that make the node true.
    truth: Vec<Starts>,
    /// `[block][number]`: the starts that make the node false, itself included.
    falsehood: Vec<Starts>,
}

impl ReachedNodes {
    /// Follows the chains of every length from all starts.
    pub(crate) fn new<S: CellSet>(marks: &Candidates<S>, links: &Links<S>) -> ReachedNodes {
        let nodes = links.nodes.len();
        let numbers = Numbers::of(nodes, |node| links.strong(node).next().is_some());
        let mut rivals = Masks::none(nodes, &numbers);
        for digit in Digits::all(marks.order()) {
            let places = links.places(marks, digit);
            for start in links.candidates_of(digit).chain(links.groups_of(digit)) {
                let Some(number) = numbers.get(start) else { continue };
                let seen = links.nodes[start].seen;
                (places & seen).cells().for_each(|cell| rivals.insert(links.node(cell, digit), number));
                let groups = links.groups_of(digit).filter(|&group| links.nodes[group].cells.within(seen));
                groups.for_each(|group| rivals.insert(group, number));
                if let Some(cell) = links.cell(start).filter(|_| links.link_type != LinkType::Pairs) {
                    for mate in marks.of_cell(cell) - Digits::only(digit) {
                        rivals.insert(links.node(cell, mate), number);
                    }
                }
            }
        }
        let none = vec![NOBODY; blocks(&numbers) * numbers.nodes.len()];
        let mut reached = ReachedNodes { numbers, rivals, truth: none.clone(), falsehood: none };
        (0..blocks(&reached.numbers)).for_each(|block| reached.follow(links, block));
        reached
    }

    /// Follows the chains from a block of starts until nothing changes.
    ///
    /// 1. A node is pending as long as a rival has been made true by starts that its own `falsehood` may lack.
    /// 2. A pending node takes over the `truth` of all its rivals. Its strong partners take over its `falsehood`.
    /// 3. A partner whose `truth` grew makes its own rivals pending.
    fn follow<S: CellSet>(&mut self, links: &Links<S>, block: usize) {
        let ReachedNodes { numbers, rivals, truth, falsehood } = self;
        let (count, blocks) = (numbers.nodes.len(), blocks(numbers));
        let [truth, falsehood] = [truth, falsehood].map(|rows| &mut rows[block * count..][..count]);
        // A set of numbers, of all blocks.
        let mut pending = vec![0; blocks * BLOCK / 64];
        for (number, fallen) in falsehood.iter_mut().enumerate() {
            insert(&mut pending, number);
            if number / BLOCK == block {
                insert(fallen, number % BLOCK);
                for partner in links.strong(numbers.nodes[number] as usize) {
                    insert(&mut truth[numbers.before[partner] as usize], number % BLOCK);
                }
            }
        }
        while !is_empty(&pending) {
            for word in 0..pending.len() {
                for number in members_of_word(word, pending[word]) {
                    pending[word] &= !(1 << (number % 64));
                    let (node, mut fallen) = (numbers.nodes[number] as usize, falsehood[number]);
                    for from in 0..blocks {
                        members(rivals.row(from, node))
                            .for_each(|rival| unite(&mut fallen, &truth[from * BLOCK + rival]));
                    }
                    if fallen == falsehood[number] {
                        continue;
                    }
                    falsehood[number] = fallen;
                    for partner in links.strong(node) {
                        let truth = &mut truth[numbers.before[partner] as usize];
                        if exceeds(&fallen, truth) {
                            unite(truth, &fallen);
                            let rows = (0..blocks).flat_map(|from| rivals.row(from, partner));
                            pending.iter_mut().zip(rows).for_each(|(pending, rivals)| *pending |= rivals);
                        }
                    }
                }
            }
        }
    }

    /// The starts that make a node false.
    fn fallen(&self, block: usize, node: usize) -> Starts {
        let first_row = block * self.numbers.nodes.len();
        if let Some(number) = self.numbers.get(node) {
            return self.falsehood[first_row + number];
        }
        let mut fallen = NOBODY;
        self.rivals_of(node).for_each(|rival| unite(&mut fallen, &self.truth[first_row + rival]));
        fallen
    }

    /// Calls `visit` with the nodes whose truth follows from the falsehood of the node with a number: those whose falsehood
    /// makes it true.
    pub(crate) fn each_true_if_false(&self, number: usize, mut visit: impl FnMut(usize)) {
        for block in 0..blocks(&self.numbers) {
            let starts = members(&self.truth[block * self.numbers.nodes.len() + number]);
            starts.for_each(|start| visit(self.numbers.nodes[block * BLOCK + start] as usize));
        }
    }

    /// The numbers of the nodes that exclude a node, in ascending order.
    pub(crate) fn rivals_of(&self, node: usize) -> impl Iterator<Item = usize> {
        (0..blocks(&self.numbers))
            .flat_map(move |block| members(self.rivals.row(block, node)).map(move |rival| block * BLOCK + rival))
    }

    /// The starts and ends of chains that remove something, block by block. Marks the candidates that these exclude in
    /// `is_removable`, except where links are cells with two candidates.
    pub(crate) fn ends<S: CellSet>(
        &self,
        marks: &Candidates<S>,
        links: &Links<S>,
        is_removable: &mut [bool],
    ) -> Vec<Starts> {
        let mut ends = vec![NOBODY; blocks(&self.numbers)];
        if links.link_type == LinkType::Pairs {
            // What is removed need not be a node. So all cells that see both ends count.
            for (index, row) in self.truth.iter().enumerate() {
                let (block, number) = (index / self.numbers.nodes.len(), index % self.numbers.nodes.len());
                let node = |number: usize| links.nodes[self.numbers.nodes[number] as usize];
                let end = node(number);
                for bit in members(row).filter(|bit| block * BLOCK + bit != number) {
                    let start = node(block * BLOCK + bit);
                    if start.digit == end.digit && (start.seen & end.seen).meets(marks.of_digit(end.digit)) {
                        insert(&mut ends[block], bit);
                    }
                }
            }
            return ends;
        }
        for (node, is_removable) in is_removable.iter_mut().enumerate() {
            for (block, ends) in ends.iter_mut().enumerate() {
                let mut both = self.fallen(block, node);
                intersect(&mut both, self.rivals.row(block, node));
                unite(ends, &both);
                *is_removable |= both != NOBODY;
            }
        }
        ends
    }

    /// True when chains between some of the ends pass through a node.
    pub(crate) fn is_between(&self, node: usize, ends: &[Starts]) -> bool {
        let Some(number) = self.numbers.get(node) else { return false };
        // One end makes the node true and another makes it false. Read backwards, the second chain leads from the truth
        // of the node to that of its start. So together they are a chain from end to end.
        ends.iter().enumerate().any(|(block, ends)| meet(ends, &self.truth[block * self.numbers.nodes.len() + number]))
            && ends.iter().enumerate().any(|(block, ends)| meet(ends, &self.fallen(block, node)))
    }
}
