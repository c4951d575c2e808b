//! What follows from each premise, for all at once. A premise is a candidate that is true, or one that is false.
//!
//! **Chains** follow single implications ([`super::links`], with groups). **Nets** also combine facts: a candidate is
//! true when all others of its cell, or all other places of its digit in a house, are false.
//!
//! A *literal* is a candidate with a truth value. Candidates are nodes 0 to N - 1, and literals are numbered:
//!
//! ```text
//!   number    as a premise        as a conclusion
//!   i         node i is true      node i is false
//!   N + i     node i is false     node i is true
//! ```
//!
//! Where p implies c, not c implies not p. So the premises that make a node false, read as conclusions, are what
//! follows from its truth: the two numberings are opposites, and no bit has to move.
//!
//! Each literal carries the bit set of the premises that imply it. A net is the fixed point of two rules, for the
//! candidates of every cell and for the places of every digit in every house. A true one makes the others false, and if
//! all but one are false, the last is true.

use crate::board::{Candidates, Cell, CellSet, Digit, Digits};

use super::links::Links;
use crate::rate::bits::{Lists, extend, has, insert, members, row, row_mut};
use crate::rate::ladder::technique::LinkType;

/// Which implications are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Implications {
    /// Those that follow from one fact each.
    Chain,
    /// Also those that follow from several facts together.
    Net,
}

impl Implications {
    pub(crate) const COUNT: usize = 2;
}

/// What follows from each premise.
#[derive(Debug)]
pub(crate) struct Closure<S: 'static> {
    pub(crate) links: Links<S>,
    /// The candidates of each cell, and the places of each digit in each house, as nodes.
    pub(crate) groups: Vec<Vec<usize>>,
    /// Nodes of which at least one is true, from a pattern. Empty when there is none.
    choice: Vec<usize>,
    /// The words of a set of premises.
    pub(crate) words: usize,
    /// [node][word]: the premises that make the node true.
    pub(crate) truth: Vec<u64>,
    /// [node][word]: the premises that make the node false.
    pub(crate) falsehood: Vec<u64>,
}

impl<S: CellSet> Closure<S> {
    pub(crate) fn new(marks: &Candidates<S>, implications: Implications) -> Closure<S> {
        Closure::with_choice(marks, implications, &[])
    }

    /// The closure with a further fact for nets: at least one of these candidates is true.
    pub(crate) fn with_choice(
        marks: &Candidates<S>,
        implications: Implications,
        choice: &[(Cell, Digit)],
    ) -> Closure<S> {
        let link_type = if implications == Implications::Chain { LinkType::Grouped } else { LinkType::Plain };
        let links = Links::new(marks, link_type, None, false, false);
        let words = (2 * links.singles).div_ceil(64).max(1);
        let none = || vec![0; links.singles * words];
        let (truth, falsehood) = (none(), none());
        let groups = groups(marks, &links);
        let choice = choice.iter().map(|&(cell, digit)| links.node(cell, digit)).collect();
        let mut closure = Closure { groups, choice, words, truth, falsehood, links };
        match implications {
            Implications::Chain => closure.follow_chains(),
            Implications::Net => closure.follow_nets(),
        }
        closure
    }

    /// Applies two rules until nothing new follows: a node is false when one that excludes it is true, and true when
    /// one that it has a strong link with is false. Only nodes with strong links pass anything on but their own truth.
    fn follow_chains(&mut self) {
        self.assume_premises();
        let Closure { links, words, truth, falsehood, .. } = self;
        let (words, nodes) = (*words, links.nodes.len());
        // Groups take part in chains, but they are no premises.
        truth.resize(nodes * words, 0);
        falsehood.resize(nodes * words, 0);
        let (mut linked, others): (Vec<usize>, Vec<usize>) =
            (0..nodes).partition(|&node| links.strong(node).next().is_some());
        let [among, candidates] = [links.node_set(linked.iter().copied()), links.node_set(0..links.singles)];
        let mut rivals = Lists::with_capacity(nodes, 8 * nodes);
        for node in 0..nodes {
            links.each_excluded(node, &among, |rival| rivals.push(rival as u32));
            rivals.end_row();
            // Each candidate, if true, makes those false that it excludes.
            links.each_excluded(node, &candidates, |rival| insert(row_mut(falsehood, node, words), rival));
        }
        let fall = |node: usize, truth: &[u64], falsehood: &mut [u64]| {
            let add =
                |new, &rival: &u32| new | extend(row_mut(falsehood, node, words), row(truth, rival as usize, words));
            rivals.row(node).iter().fold(0, add)
        };
        loop {
            let mut new = 0;
            for &node in &linked {
                for before in links.strong(node) {
                    new |= extend(row_mut(truth, node, words), row(falsehood, before, words));
                }
                new |= fall(node, truth, falsehood);
            }
            if new == 0 {
                break;
            }
            // There and back again: chains run in both directions.
            linked.reverse();
        }
        for node in others {
            fall(node, truth, falsehood);
        }
        truth.truncate(links.singles * words);
        falsehood.truncate(links.singles * words);
    }

    /// Notes that each candidate follows from itself, true and false.
    fn assume_premises(&mut self) {
        let count = self.links.singles;
        for node in 0..count {
            insert(row_mut(&mut self.truth, node, self.words), node);
            insert(row_mut(&mut self.falsehood, node, self.words), count + node);
        }
    }

    /// Sweeps over the links until nothing new follows.
    fn follow_nets(&mut self) {
        self.assume_premises();
        let mut after = Vec::new();
        while self.sweep(&mut after) {}
    }

    /// Applies both rules once to every group. False when nothing changes.
    fn sweep(&mut self, after: &mut Vec<(u64, u64)>) -> bool {
        let mut changed = 0;
        for group in &self.groups {
            for word in 0..self.words {
                // After each member: the premises that make some later ones true, and those that make all false.
                after.clear();
                after.push((0, u64::MAX));
                for &node in group.iter().rev() {
                    let (some, all) = after[after.len() - 1];
                    let at = node * self.words + word;
                    after.push((some | self.truth[at], all & self.falsehood[at]));
                }
                let (mut some, mut all) = (0, u64::MAX);
                for (&node, &(some_after, all_after)) in group.iter().zip(after.iter().rev().skip(1)) {
                    let at = node * self.words + word;
                    let (truth, falsehood) = (self.truth[at], self.falsehood[at]);
                    self.truth[at] |= all & all_after;
                    self.falsehood[at] |= some | some_after;
                    changed |= (self.truth[at] ^ truth) | (self.falsehood[at] ^ falsehood);
                    (some, all) = (some | truth, all & falsehood);
                }
            }
        }
        for (at, &node) in self.choice.iter().enumerate() {
            for word in 0..self.words {
                let others = self.choice.iter().enumerate().filter(|&(other, _)| other != at);
                let all = others.fold(u64::MAX, |all, (_, &other)| all & self.falsehood[other * self.words + word]);
                let truth = &mut self.truth[node * self.words + word];
                changed |= all & !*truth;
                *truth |= all;
            }
        }
        changed != 0
    }

    pub(crate) fn node(&self, cell: Cell, digit: Digit) -> usize {
        self.links.node(cell, digit)
    }

    /// True when the truth of a node makes another one false.
    pub(crate) fn refutes(&self, node: usize, other: usize) -> bool {
        has(row(&self.falsehood, other, self.words), node)
    }

    /// The conclusions from the truth of each node, and those from its falsehood.
    pub(crate) fn conclusions(&self, implications: Implications) -> [Vec<u64>; 2] {
        if implications == Implications::Chain {
            return [self.falsehood.clone(), self.truth.clone()];
        }
        let (count, words) = (self.links.singles, self.words);
        let mut of = [vec![0; count * words], vec![0; count * words]];
        for (rows, first) in [(&self.falsehood, 0), (&self.truth, count)] {
            for node in 0..count {
                for premise in members(row(rows, node, words)) {
                    insert(row_mut(&mut of[premise / count], premise % count, words), first + node);
                }
            }
        }
        of
    }

    /// The node of a conclusion, and its truth.
    pub(crate) fn conclusion(&self, number: usize) -> (usize, bool) {
        (number % self.links.singles, number >= self.links.singles)
    }

    /// The premises that make a candidate both true and false, or leave a cell or a house without a choice.
    pub(crate) fn contradictions(&self) -> Vec<u64> {
        let mut bad = vec![0; self.words];
        for node in 0..self.links.singles {
            for (word, bad) in bad.iter_mut().enumerate() {
                *bad |= self.truth[node * self.words + word] & self.falsehood[node * self.words + word];
            }
        }
        for group in &self.groups {
            for (word, bad) in bad.iter_mut().enumerate() {
                *bad |= group.iter().fold(u64::MAX, |all, &node| all & self.falsehood[node * self.words + word]);
            }
        }
        bad
    }
}

/// The groups of nodes of which exactly one is true.
fn groups<S: CellSet>(marks: &Candidates<S>, links: &Links<S>) -> Vec<Vec<usize>> {
    let of_cell = |cell| marks.of_cell(cell).iter().map(|digit| links.node(cell, digit)).collect();
    let mut groups: Vec<Vec<usize>> = marks.open().cells().map(of_cell).collect();
    for house in marks.sets().layout().houses() {
        for digit in Digits::all(marks.order()) {
            let places = marks.of_digit(digit) & marks.house(house);
            if !places.is_empty() {
                groups.push(places.cells().map(|cell| links.node(cell, digit)).collect());
            }
        }
    }
    groups
}
