//! Unique rectangles as links: one of the two nodes that their extra candidates form is true.

use crate::board::{Candidates, CellSet, Digit};

use super::{LinkState, Links, Node};
use crate::rate::locked_sets::all_see;
use crate::rate::rectangles::almost_unique_rectangles;

/// The link "if node `from` is false, node `to` is true" that the rectangle of these cells gives.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Bridge<S> {
    from: usize,
    pub(super) to: usize,
    pub(in super::super) cells: S,
}

impl<S: CellSet> Links<S> {
    /// Adds the links of rectangles, in both directions. Nodes that they need are added as well.
    pub(super) fn add_bridges(&mut self, marks: &Candidates<S>) {
        almost_unique_rectangles(marks, |cells, extras| {
            let [a, b] = extras.map(|(digit, cells)| self.node_of(marks, digit, cells));
            self.bridges.extend([(a, b), (b, a)].map(|(from, to)| Bridge { from, to, cells }));
        });
        self.bridges.sort_unstable_by_key(|bridge| (bridge.from, bridge.to));
        self.bridges.dedup_by_key(|bridge| (bridge.from, bridge.to));
    }

    /// The node of some cells of a digit. It is added if it is new.
    fn node_of(&mut self, marks: &Candidates<S>, digit: Digit, cells: S) -> usize {
        if let (1, Some(cell)) = (cells.len(), cells.first()) {
            return self.node(cell, digit);
        }
        let same = |node: &Node<S>| node.digit == digit && node.cells == cells;
        self.nodes[self.singles..].iter().position(same).map_or_else(
            || {
                self.nodes.push(Node { digit, cells, seen: all_see(marks, cells) });
                self.nodes.len() - 1
            },
            |at| self.singles + at,
        )
    }

    /// Pushes the links of rectangles that a false node has.
    pub(super) fn push_bridges(&self, node: usize, next: &mut Vec<LinkState>) {
        let first = 2 * self.nodes.len() + self.als_nodes.len() + self.forced.len();
        let from = self.bridges.partition_point(|bridge| bridge.from < node);
        let count = self.bridges[from..].iter().take_while(|bridge| bridge.from == node).count();
        next.extend((from..from + count).map(|bridge| (first + bridge) as LinkState));
    }

    pub(in super::super) fn bridge(&self, state: LinkState) -> Option<Bridge<S>> {
        let before = 2 * self.nodes.len() + self.als_nodes.len() + self.forced.len();
        (state as usize).checked_sub(before).and_then(|bridge| self.bridges.get(bridge).copied())
    }
}
