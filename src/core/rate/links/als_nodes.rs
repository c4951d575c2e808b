//! Almost locked sets as nodes of chains, and the cells that a locked set forces.

use crate::board::{Candidates, CellSet, Digit, Digits};

use super::{LinkState, Links, NodeSet, off, on};

/// An almost locked set and a digit that it loses, in one of two states: the digit is gone from the set, and then the
/// other digits are locked in it.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct AlsNode {
    pub(in super::super) set: usize,
    pub(in super::super) lost: Digit,
    /// True for the first of the two states.
    pub(super) entry: bool,
}

/// A cell with three or more candidates that the locked set of an ALS node leaves with one of them.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct ForcedCell {
    pub(in super::super) als_node: AlsNode,
    pub(in super::super) node: usize,
    /// The state of the ALS node in which its set is locked.
    after: LinkState,
}

impl<S: CellSet> Links<S> {
    pub(super) fn add_als_nodes(&mut self, marks: &Candidates<S>) {
        for (at, set) in self.sets.all.iter().enumerate().filter(|(_, set)| set.cells.len() > 1) {
            for lost in set.digits {
                if marks.of_digit(lost).meets(self.sets.seen(at, lost)) {
                    self.als_nodes.extend([true, false].map(|entry| AlsNode { set: at, lost, entry }));
                }
            }
        }
    }

    /// Adds the cells from which a locked set removes two or more candidates, so that one is left.
    pub(super) fn add_forced(&mut self, marks: &Candidates<S>) {
        for (at, &als_node) in self.als_nodes.iter().enumerate().filter(|(_, als_node)| !als_node.entry) {
            let set = &self.sets.all[als_node.set];
            for cell in (marks.open() - set.cells).cells() {
                let takes =
                    |digit: &Digit| *digit != als_node.lost && self.sets.seen(als_node.set, *digit).contains(cell);
                let taken: Digits = (set.digits & marks.of_cell(cell)).iter().filter(takes).collect();
                if let (true, Some(digit)) = (taken.len() > 1, (marks.of_cell(cell) - taken).single()) {
                    let node = self.node(cell, digit);
                    self.forced.push(ForcedCell { als_node, node, after: (2 * self.nodes.len() + at) as LinkState });
                }
            }
        }
    }

    /// Pushes what follows when the set of an ALS node is locked: "false" for nodes that see all its places of another
    /// digit, and the cells that it forces.
    pub(super) fn push_exits(&self, als_node: usize, all: &NodeSet<S>, next: &mut Vec<LinkState>) {
        let AlsNode { set, lost, .. } = self.als_nodes[als_node];
        for digit in self.sets.all[set].digits - Digits::only(lost) {
            let seen = self.sets.seen(set, digit);
            next.extend((all.places[digit.index()] & seen).cells().map(|cell| off(self.node(cell, digit))));
            self.each_group_in(seen, digit, all, |group| next.push(off(group)));
        }
        let (after, first) = (
            (2 * self.nodes.len() + als_node) as LinkState,
            (2 * self.nodes.len() + self.als_nodes.len()) as LinkState,
        );
        let from = self.forced.partition_point(|forced| forced.after < after);
        let count = self.forced[from..].iter().take_while(|forced| forced.after == after).count();
        next.extend((from..from + count).map(|forced| first + forced as LinkState));
    }

    /// Pushes "true" for the candidates of a locked set that are the only place of their digit in it.
    pub(super) fn push_last_places(&self, als_node: usize, all: &NodeSet<S>, next: &mut Vec<LinkState>) {
        let AlsNode { set, lost, .. } = self.als_nodes[als_node];
        for digit in self.sets.all[set].digits - Digits::only(lost) {
            let places = self.places_in(set, digit, all);
            if let (1, Some(cell)) = (places.len(), places.first()) {
                next.push(on(self.node(cell, digit)));
            }
        }
    }

    pub(super) fn places_in(&self, set: usize, digit: Digit, all: &NodeSet<S>) -> S {
        all.places[digit.index()] & self.sets.all[set].cells
    }

    pub(super) fn als_nodes_by_digit(&self, order: usize) -> Vec<Vec<u32>> {
        let mut by_digit = vec![Vec::new(); order];
        for (at, als_node) in self.als_nodes.iter().enumerate().filter(|(_, als_node)| als_node.entry) {
            by_digit[als_node.lost.index()].push(at as u32);
        }
        by_digit
    }
}
