//! The states that a search for chains passes through, and their successors.
//!
//! A **literal** is a node with a truth value.
//!
//! An **almost locked set** (n cells of a house with n + 1 candidates) is part of a chain as an ALS node. A node that
//! sees all places of its digit in the set, if true, takes that digit from the set. The set is then locked, and nodes
//! that see all its places of another digit are false. These are three arrows. If this leaves a cell with one
//! candidate, that candidate is true: four arrows. Only a loop may not begin and end inside a set, at its only place of
//! a digit.
//!
//! Almost hidden sets need no nodes of their own. If n digits have n + 1 places in a house with k open cells, the other
//! k - n - 1 cells have the other k - n digits: an almost locked set. If one of the n + 1 cells takes another digit,
//! this set loses it, removes its remaining digits from the rest of the n + 1 cells, and so locks them.
//!
//! An **almost unique rectangle** links two nodes that together are its extra candidates: in a puzzle with one
//! solution, one of the two is true (see [`rectangles`](crate::ladder::position::rectangles)). With one extra digit,
//! one of its cells and the rest are the two nodes. The link counts as two arrows.
//!
//! ```text
//!   state                      2i       2i+1       2N ..                      ..             ..
//!   what it stands for         node i   node i     ALS nodes, two states      forced cells   bridges
//!                              true     false      each: entry, locked
//! ```
//!
//! One search finds the shortest chains from *all* starts: each state carries the bit set of the starts that reach it,
//! and a step passes these sets along every link ([`crate::ladder::chains::reach`]). The shortest chains are a property
//! of the position, so what is found does not depend on labels.
//!
//! Where a chain must contain a group, a set or a rectangle, an upper copy of the graph is for what comes after one.
//! Its states have the same numbers, plus a stride.
//!
//! Reference: Sudopedia, "Almost Unique Rectangles"; M. Then et al., "The more the merrier: efficient multi-source
//! graph traversal", 2014.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use crate::board::{Candidates, CellSet, Digit, Digits};

use super::{Links, Node, NodeSet};
use crate::bits::Lists;
use crate::ladder::position::locked_sets::LockedSets;
use crate::ladder::position::rectangles::almost_unique_rectangles;
use crate::ladder::words::technique::LinkType;

/// What chains may do.
#[derive(Debug, Default)]
pub(crate) struct LinkOptions<S: 'static> {
    /// The almost locked sets, for [`LinkType::AlmostLocked`].
    pub(crate) sets: Option<Rc<LockedSets<S>>>,
    /// True when chains must contain a group, a set or a rectangle.
    pub(crate) is_layered: bool,
    /// True when chains may begin and end inside an almost locked set.
    pub(crate) ends_in_sets: bool,
}

/// An almost locked set and a digit that it loses, in one of two states: the digit is gone, then the others are locked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AlsNode {
    /// The set, by its number in the locked sets of the position.
    pub(crate) set: usize,
    pub(crate) lost: Digit,
    /// True for the first of the two states.
    is_entry: bool,
}

/// The state after an entry: the set is locked. Both are numbers in [`States::als_nodes`].
fn locked_state(entry: usize) -> usize {
    entry + 1
}

/// A cell with three or more candidates that the locked set of an ALS node leaves with one of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForcedCell {
    pub(crate) als_node: AlsNode,
    /// The candidate that is left.
    pub(crate) node: usize,
    /// The number of the ALS node.
    locked: usize,
}

/// The link "if node `from` is false, node `to` is true" that the rectangle of these cells gives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bridge<S> {
    from: usize,
    to: usize,
    pub(crate) cells: S,
}

/// What a state of the search stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SearchState<S> {
    Literal(usize, bool),
    Set(AlsNode),
    Forced(ForcedCell),
    Bridge(Bridge<S>),
}

/// The number of a state, without the copy of the graph.
pub(crate) type LinkState = u32;

/// The literal "node is true".
pub(crate) const fn on(node: usize) -> LinkState {
    2 * node as LinkState
}

/// The literal "node is false".
pub(crate) const fn off(node: usize) -> LinkState {
    2 * node as LinkState + 1
}

/// The states of the search.
#[derive(Debug)]
pub(crate) struct States<S: 'static> {
    pub(crate) sets: Rc<LockedSets<S>>,
    /// Each with its two states side by side.
    pub(crate) als_nodes: Vec<AlsNode>,
    /// Ordered by `locked`.
    forced_cells: Vec<ForcedCell>,
    /// Ordered by `from`.
    bridges: Vec<Bridge<S>>,
    /// See [`LinkOptions::ends_in_sets`].
    ends_in_sets: bool,
    /// The successors of every state. Chains that alternate do without them.
    successors: OnceCell<Lists>,
    /// States from this one on lead to the upper copy.
    first_special: usize,
    /// The number of states of one copy of the graph.
    pub(crate) stride: usize,
    /// The number of copies of the graph: 2 where a chain must contain a group, a set or a rectangle, else 1.
    pub(crate) copies: usize,
}

impl<S: CellSet> States<S> {
    /// No states yet.
    pub(super) fn new(options: LinkOptions<S>) -> States<S> {
        States {
            sets: options.sets.unwrap_or_else(|| Rc::new(LockedSets::none())),
            als_nodes: Vec::new(),
            forced_cells: Vec::new(),
            bridges: Vec::new(),
            ends_in_sets: options.ends_in_sets,
            successors: OnceCell::new(),
            first_special: 0,
            stride: 0,
            copies: 1 + usize::from(options.is_layered),
        }
    }
}

impl<S: CellSet> Links<S> {
    /// Adds almost locked sets, and the cells from which a locked set removes two or more candidates, all but one.
    pub(super) fn add_als_nodes(&mut self, marks: &Candidates<S>) {
        let sets = Rc::clone(&self.states.sets);
        // A set of one cell is a cell with two candidates, which has a strong link already.
        for (set, locked_set) in sets.all.iter().enumerate().filter(|(_, set)| set.cells.len() > 1) {
            for lost in locked_set.digits {
                if !marks.of_digit(lost).meets(sets.seen(set, lost)) {
                    continue;
                }
                let locked = locked_state(self.states.als_nodes.len());
                let [entry, als_node] = [true, false].map(|is_entry| AlsNode { set, lost, is_entry });
                self.states.als_nodes.extend([entry, als_node]);
                for cell in (marks.open() - locked_set.cells).cells() {
                    let common = (locked_set.digits & marks.of_cell(cell)) - Digits::only(lost);
                    let taken: Digits = common.iter().filter(|&digit| sets.seen(set, digit).contains(cell)).collect();
                    if taken.len() > 1
                        && let Some(digit) = (marks.of_cell(cell) - taken).single()
                    {
                        let node = self.node(cell, digit);
                        self.states.forced_cells.push(ForcedCell { als_node, node, locked });
                    }
                }
            }
        }
    }

    /// Adds the links of rectangles, in both directions, and the nodes that they need.
    pub(super) fn add_bridges(&mut self, marks: &Candidates<S>) {
        almost_unique_rectangles(marks, |cells, extras| {
            let [a, b] = extras.map(|(digit, cells)| {
                self.node_of(digit, cells).unwrap_or_else(|| self.add_group(marks, digit, cells))
            });
            self.states.bridges.extend([(a, b), (b, a)].map(|(from, to)| Bridge { from, to, cells }));
        });
        self.states.bridges.sort_unstable_by_key(|bridge| (bridge.from, bridge.to));
        self.states.bridges.dedup_by_key(|bridge| (bridge.from, bridge.to));
    }

    /// Counts the states, after all are there.
    pub(super) fn number_states(&mut self) {
        // Where chains must contain a group, groups lead to the upper copy. Otherwise it is what comes after all
        // literals.
        let is_grouped = self.link_type == LinkType::Grouped;
        self.states.first_special = 2 * if is_grouped { self.singles } else { self.nodes.len() };
        self.states.stride = self.first_bridge() + self.states.bridges.len();
    }

    /// The number of the state of the first ALS node. The literals come before it.
    fn first_als_node(&self) -> usize {
        2 * self.nodes.len()
    }

    fn first_forced_cell(&self) -> usize {
        self.first_als_node() + self.states.als_nodes.len()
    }

    fn first_bridge(&self) -> usize {
        self.first_forced_cell() + self.states.forced_cells.len()
    }

    /// A literal in the copy in which chains end.
    #[inline]
    pub(crate) fn at_end(&self, state: LinkState) -> usize {
        state as usize + (self.states.copies - 1) * self.states.stride
    }

    /// What a state stands for.
    pub(crate) fn state(&self, state: LinkState) -> SearchState<S> {
        let state = state as usize;
        if state >= self.first_bridge() {
            SearchState::Bridge(self.states.bridges[state - self.first_bridge()])
        } else if state >= self.first_forced_cell() {
            SearchState::Forced(self.states.forced_cells[state - self.first_forced_cell()])
        } else if state >= self.first_als_node() {
            SearchState::Set(self.states.als_nodes[state - self.first_als_node()])
        } else {
            SearchState::Literal(state / 2, state.is_multiple_of(2))
        }
    }

    /// Calls `visit` with each successor of a state. The number of a state includes its copy of the graph.
    #[inline]
    pub(crate) fn each_next(&self, state: usize, mut visit: impl FnMut(usize)) {
        let States { ref successors, first_special, stride, copies, .. } = self.states;
        let is_upper = state >= stride;
        let state = if is_upper { state - stride } else { state };
        for next in successors.get_or_init(|| self.join()).indices(state) {
            let leads_up = copies > 1 && (is_upper || next >= first_special);
            visit(next + if leads_up { stride } else { 0 });
        }
    }

    /// The successors of every state, one row each.
    fn join(&self) -> Lists {
        let mut next = Lists::with_capacity(1024, 4096);
        let nodes = self.node_set(0..self.nodes.len());
        let mut entries = vec![Vec::new(); nodes.places.len()];
        for (number, als_node) in self.states.als_nodes.iter().enumerate() {
            if als_node.is_entry {
                entries[als_node.lost.index()].push(number);
            }
        }
        for (node, Node { digit, .. }) in self.nodes.iter().enumerate() {
            self.join_true_node(node, &nodes, &entries[digit.index()], &mut next);
            self.join_false_node(node, &nodes, &entries[digit.index()], &mut next);
        }
        for (number, als_node) in self.states.als_nodes.iter().enumerate() {
            if als_node.is_entry {
                self.join_entry(number, &nodes, &mut next);
            } else {
                self.join_locked_set(number, &nodes, &mut next);
            }
        }
        for forced in &self.states.forced_cells {
            next.push(on(forced.node));
            next.end_list();
        }
        for bridge in &self.states.bridges {
            next.push(on(bridge.to));
            next.end_list();
        }
        next
    }

    /// The row of a node that is true. `entries`: the ALS nodes in their first state that lose its digit.
    fn join_true_node(&self, node: usize, nodes: &NodeSet<S>, entries: &[usize], next: &mut Lists) {
        let Node { digit, cells, .. } = self.nodes[node];
        self.each_excluded(node, nodes, |rival| next.push(off(rival)));
        for &entry in entries {
            if cells.within(self.states.sets.seen(self.states.als_nodes[entry].set, digit)) {
                next.push((self.first_als_node() + entry) as LinkState);
            }
        }
        next.end_list();
    }

    /// The row of a node that is false. `entries`: the ALS nodes in their first state that lose its digit.
    fn join_false_node(&self, node: usize, nodes: &NodeSet<S>, entries: &[usize], next: &mut Lists) {
        let Node { digit, cells, .. } = self.nodes[node];
        self.strong(node).for_each(|partner| next.push(on(partner)));
        if self.states.ends_in_sets {
            for &entry in entries {
                let set = &self.states.sets.all[self.states.als_nodes[entry].set];
                // The node is all places of the digit in the set, so the set loses it.
                if nodes.places[digit.index()] & set.cells == cells {
                    next.push((self.first_als_node() + locked_state(entry)) as LinkState);
                }
            }
        }
        for bridge in equal_range(&self.states.bridges, node, |bridge| bridge.from) {
            next.push((self.first_bridge() + bridge) as LinkState);
        }
        next.end_list();
    }

    /// The row of an ALS node whose digit is gone.
    fn join_entry(&self, entry: usize, nodes: &NodeSet<S>, next: &mut Lists) {
        next.push((self.first_als_node() + locked_state(entry)) as LinkState);
        if self.states.ends_in_sets {
            let AlsNode { set, lost, .. } = self.states.als_nodes[entry];
            let set = &self.states.sets.all[set];
            // The only places of their digits in the set.
            for digit in set.digits - Digits::only(lost) {
                let places = nodes.places[digit.index()] & set.cells;
                if let (1, Some(cell)) = (places.len(), places.first()) {
                    next.push(on(self.node(cell, digit)));
                }
            }
        }
        next.end_list();
    }

    /// The row of an ALS node whose set is locked: nodes that see all places of another digit, and the cells that the
    /// set forces.
    fn join_locked_set(&self, locked: usize, nodes: &NodeSet<S>, next: &mut Lists) {
        let AlsNode { set, lost, .. } = self.states.als_nodes[locked];
        for digit in self.states.sets.all[set].digits - Digits::only(lost) {
            let seen = self.states.sets.seen(set, digit);
            for cell in (nodes.places[digit.index()] & seen).cells() {
                next.push(off(self.node(cell, digit)));
            }
            self.each_group_in(seen, digit, nodes, |group| next.push(off(group)));
        }
        for forced in equal_range(&self.states.forced_cells, locked, |forced| forced.locked) {
            next.push((self.first_forced_cell() + forced) as LinkState);
        }
        next.end_list();
    }
}

/// The places of the items with a key, in a list that is ordered by its keys.
fn equal_range<T>(sorted: &[T], key: usize, key_of: impl Fn(&T) -> usize) -> Range<usize> {
    let start = sorted.partition_point(|item| key_of(item) < key);
    let end = sorted.partition_point(|item| key_of(item) <= key);
    start..end
}
