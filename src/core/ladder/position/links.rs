//! Finds the implications between candidates: the links that chains consist of.
//!
//! ```text
//!   weak link     a true  -> b false    same cell, or same digit and a sees b
//!   strong link   a false -> b true     a cell with two candidates, or a house with two places for a digit
//!   chain         a false -> b true -> c false -> d true ...           its length counts the arrows
//! ```
//!
//! A **node** is a candidate or a group: two or more places of a digit in a box and a line, true when one of them is.
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
//! solution, one of the two is true (see [`super::rectangles`]). All cells of an extra digit are a node, whether or not
//! they share a house. With one extra digit, one of its cells and the rest are the two nodes. The link counts as two
//! arrows.
//!
//! A literal is a node with a truth value. One search finds the shortest chains from *all* starts: each literal carries
//! the bit set of the starts that reach it, and a step passes these sets along every link
//! ([`crate::ladder::chains::reach`]). The shortest chains are a property of the position, so what is found does not
//! depend on labels.
//!
//! Where a chain must contain a group, a set or a rectangle, an upper copy of the graph is for what comes after one.
//!
//! Reference: Sudopedia, "Alternating Inference Chain", "Grouped AIC", "Almost Unique Rectangles"; M. Then et al., "The
//! more the merrier: efficient multi-source graph traversal", 2014.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, rules};

use super::common::{all_see, ends, shared_houses};
use super::locked_sets::LockedSets;
use super::rectangles::almost_unique_rectangles;
use crate::bits::Lists;
use crate::ladder::words::technique::LinkType;

/// A candidate, or a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<S> {
    pub(crate) digit: Digit,
    /// Its places: one, or those of the group.
    pub(crate) cells: S,
    /// The cells that see all its cells.
    pub(crate) seen: S,
}

/// An almost locked set and a digit that it loses, in one of two states: the digit is gone, then the others are locked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AlsNode {
    /// The set, by its number in the locked sets of the position.
    pub(crate) set: usize,
    pub(crate) lost: Digit,
    /// True for the first of the two states.
    entry: bool,
}

/// A cell with three or more candidates that the locked set of an ALS node leaves with one of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForcedCell {
    pub(crate) als_node: AlsNode,
    /// The candidate that is left.
    pub(crate) node: usize,
    /// The ALS node in the state in which its set is locked.
    after: usize,
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

/// The number of a state: literals, ALS nodes, forced cells, bridges; without the copy of the graph.
pub(crate) type LinkState = u32;

/// The literal "node is true".
pub(crate) const fn on(node: usize) -> LinkState {
    2 * node as LinkState
}

/// The literal "node is false".
pub(crate) const fn off(node: usize) -> LinkState {
    2 * node as LinkState + 1
}

/// The nodes of a position and the links between them.
#[derive(Debug)]
pub(crate) struct Links<S: 'static> {
    /// Candidates digit by digit, then groups, then extra candidates of rectangles.
    pub(crate) nodes: Vec<Node<S>>,
    /// The number of candidates; nodes from here on are groups.
    pub(crate) singles: usize,
    /// The first candidate of each digit, and the number of candidates.
    firsts: Vec<usize>,
    /// The other nodes of each digit.
    groups: Vec<Vec<u32>>,
    pub(crate) als_nodes: Vec<AlsNode>,
    /// Ordered by `after`.
    forced: Vec<ForcedCell>,
    /// Ordered by `from`.
    bridges: Vec<Bridge<S>>,
    pub(crate) sets: Rc<LockedSets<S>>,
    /// [digit][cell]: the node of a candidate.
    index: Vec<u32>,
    cells: usize,
    pub(crate) link_type: LinkType,
    /// True when chains may begin and end inside an almost locked set.
    inside: bool,
    /// The strong links of each node.
    strong: Vec<Partners>,
    /// The successors of every state. Chains that alternate do without them.
    successors: OnceCell<Lists>,
    /// States from this one on lead to the upper copy.
    first_special: usize,
    /// The number of states of one copy of the graph.
    pub(crate) stride: usize,
    /// The number of copies of the graph: 2 where a chain must contain a group, a set or a rectangle, else 1.
    pub(crate) copies: usize,
}

/// Some of the nodes, by digit and by cell.
#[derive(Debug)]
pub(crate) struct NodeSet<S> {
    /// The cells of each digit whose candidates are in the set.
    pub(crate) places: Vec<S>,
    /// The digits of each cell whose candidates are in the set.
    pub(crate) digits: Vec<Digits>,
    groups: Vec<Vec<u32>>,
}

/// Stands in `index` for no candidate.
const NONE: u32 = u32::MAX;

/// The nodes that a node has strong links with, ascending: at most one in its cell and in each of its houses; see
/// [`rules::MOST_EXTRAS`].
#[derive(Clone, Copy, Debug, Default)]
struct Partners {
    all: [u32; 4 + rules::MOST_EXTRAS],
    count: usize,
}

impl Partners {
    /// Adds a node, unless it is there.
    fn insert(&mut self, node: u32) {
        let place = self.nodes().partition_point(|&partner| partner < node);
        if self.nodes().get(place) != Some(&node) {
            self.all.copy_within(place..self.count, place + 1);
            self.all[place] = node;
            self.count += 1;
        }
    }

    fn nodes(&self) -> &[u32] {
        &self.all[..self.count]
    }
}

impl<S: CellSet> Links<S> {
    /// The links of a position; in a layered graph chains must use a group, a set or a rectangle. `sets` are for
    /// [`LinkType::AlmostLocked`]; chains may begin and end `inside` them.
    pub(crate) fn new(
        marks: &Candidates<S>,
        link_type: LinkType,
        sets: Option<Rc<LockedSets<S>>>,
        is_layered: bool,
        inside: bool,
    ) -> Links<S> {
        let order = marks.order();
        let mut links = Links {
            nodes: Vec::with_capacity(256),
            singles: 0,
            firsts: Vec::with_capacity(order + 1),
            groups: vec![Vec::new(); order],
            als_nodes: Vec::new(),
            forced: Vec::new(),
            bridges: Vec::new(),
            sets: sets.unwrap_or_else(|| Rc::new(LockedSets::none())),
            index: vec![NONE; order * order * order],
            cells: order * order,
            link_type,
            inside,
            strong: Vec::new(),
            successors: OnceCell::new(),
            first_special: 0,
            stride: 0,
            copies: 1 + usize::from(is_layered),
        };
        links.add_candidates(marks);
        if link_type.has_groups() {
            links.add_groups(marks);
        }
        if link_type == LinkType::AlmostLocked {
            links.add_als_nodes(marks);
        }
        if link_type == LinkType::Rectangles {
            links.add_bridges(marks);
        }
        links.strong = links.strong_links(marks, link_type);
        let nodes = links.nodes.len();
        // Where chains must contain a group, groups lead to the upper copy. Otherwise it is what comes after all
        // literals.
        links.first_special = 2 * if link_type == LinkType::Grouped { links.singles } else { nodes };
        links.stride = links.first_bridge() + links.bridges.len();
        links
    }

    /// Adds a node for each candidate.
    fn add_candidates(&mut self, marks: &Candidates<S>) {
        for digit in Digits::all(marks.order()) {
            self.firsts.push(self.nodes.len());
            for cell in self.places(marks, digit).cells() {
                self.index[digit.index() * self.cells + cell.index()] = self.nodes.len() as u32;
                self.nodes.push(Node { digit, cells: S::only(cell), seen: marks.peers(cell) });
            }
        }
        self.singles = self.nodes.len();
        self.firsts.push(self.singles);
    }

    /// Adds a node for each group: two or more places of a digit in a box and a line. Rows and columns come first among
    /// the houses, then boxes.
    fn add_groups(&mut self, marks: &Candidates<S>) {
        let order = marks.order();
        let houses: Vec<S> = marks.sets().layout().houses().map(|house| marks.house(house)).collect();
        let (lines, boxes) = houses.split_at(2 * order);
        for &of_box in boxes {
            for &line in lines.iter().filter(|line| line.meets(of_box)) {
                for digit in Digits::all(order) {
                    let cells = marks.of_digit(digit) & line & of_box;
                    if cells.len() > 1 {
                        self.add_group(marks, digit, cells);
                    }
                }
            }
        }
    }

    /// Adds a node for some places of a digit, and returns its number.
    fn add_group(&mut self, marks: &Candidates<S>, digit: Digit, cells: S) -> usize {
        self.groups[digit.index()].push(self.nodes.len() as u32);
        self.nodes.push(Node { digit, cells, seen: all_see(marks, cells) });
        self.nodes.len() - 1
    }

    /// Adds almost locked sets, and the cells from which a locked set removes two or more candidates, all but one.
    fn add_als_nodes(&mut self, marks: &Candidates<S>) {
        // A set of one cell is a cell with two candidates, which has a strong link already.
        for (number, set) in self.sets.all.iter().enumerate().filter(|(_, set)| set.cells.len() > 1) {
            for lost in set.digits.iter().filter(|&lost| marks.of_digit(lost).meets(self.sets.seen(number, lost))) {
                let after = self.als_nodes.len() + 1;
                self.als_nodes.extend([true, false].map(|entry| AlsNode { set: number, lost, entry }));
                let als_node = self.als_nodes[after];
                for cell in (marks.open() - set.cells).cells() {
                    let common = (set.digits & marks.of_cell(cell)) - Digits::only(lost);
                    let taken: Digits =
                        common.iter().filter(|&digit| self.sets.seen(number, digit).contains(cell)).collect();
                    if taken.len() > 1
                        && let Some(digit) = (marks.of_cell(cell) - taken).single()
                    {
                        self.forced.push(ForcedCell { als_node, node: self.node(cell, digit), after });
                    }
                }
            }
        }
    }

    /// Adds the links of rectangles, in both directions, and the nodes that they need.
    fn add_bridges(&mut self, marks: &Candidates<S>) {
        almost_unique_rectangles(marks, |cells, extras| {
            let [a, b] = extras.map(|(digit, cells)| {
                self.node_of(digit, cells).unwrap_or_else(|| self.add_group(marks, digit, cells))
            });
            self.bridges.extend([(a, b), (b, a)].map(|(from, to)| Bridge { from, to, cells }));
        });
        self.bridges.sort_unstable_by_key(|bridge| (bridge.from, bridge.to));
        self.bridges.dedup_by_key(|bridge| (bridge.from, bridge.to));
    }

    /// The places of a digit whose candidates are nodes.
    pub(crate) fn places(&self, marks: &Candidates<S>, digit: Digit) -> S {
        let places = marks.of_digit(digit);
        if self.link_type == LinkType::Pairs { places & marks.with_candidates(2) } else { places }
    }

    /// The nodes of the candidates of a digit.
    pub(crate) fn candidates_of(&self, digit: Digit) -> Range<usize> {
        self.firsts[digit.index()]..self.firsts[digit.index() + 1]
    }

    /// The other nodes of a digit.
    pub(crate) fn groups_of(&self, digit: Digit) -> impl Iterator<Item = usize> {
        self.groups[digit.index()].iter().map(|&group| group as usize)
    }

    /// The node of some places of a digit, if there is one.
    fn node_of(&self, digit: Digit, cells: S) -> Option<usize> {
        if cells.len() == 1 {
            return cells.first().map(|cell| self.node(cell, digit));
        }
        self.groups_of(digit).find(|&group| self.nodes[group].cells == cells)
    }

    /// Some nodes as a set.
    pub(crate) fn node_set(&self, nodes: impl Iterator<Item = usize>) -> NodeSet<S> {
        let order = self.index.len() / self.cells;
        let mut set = NodeSet {
            places: vec![S::empty(); order],
            digits: vec![Digits::EMPTY; self.cells],
            groups: vec![Vec::new(); order],
        };
        for node in nodes {
            let digit = self.nodes[node].digit;
            match self.cell(node) {
                Some(cell) => {
                    set.places[digit.index()].insert(cell);
                    set.digits[cell.index()].insert(digit);
                }
                None => set.groups[digit.index()].push(node as u32),
            }
        }
        set
    }

    /// Calls `visit` with the nodes of a set that a node excludes: candidates in ascending order, then groups.
    #[inline]
    pub(crate) fn each_excluded(&self, node: usize, among: &NodeSet<S>, mut visit: impl FnMut(usize)) {
        let Node { digit, cells, seen } = self.nodes[node];
        let cell = self.cell(node).filter(|_| self.link_type != LinkType::Pairs);
        let digits_of_cell = cell.map_or(Digits::EMPTY, |cell| among.digits[cell.index()]);
        for rival_digit in digits_of_cell | Digits::only(digit) {
            let row = &self.index[rival_digit.index() * self.cells..(rival_digit.index() + 1) * self.cells];
            let cells = if rival_digit == digit { among.places[digit.index()] & seen } else { cells };
            cells.cells().for_each(|cell| visit(row[cell.index()] as usize));
        }
        self.each_group_in(seen, digit, among, visit);
    }

    /// Calls `visit` with the groups of a set that have a digit and lie in an area.
    fn each_group_in(&self, area: S, digit: Digit, among: &NodeSet<S>, visit: impl FnMut(usize)) {
        let groups = among.groups[digit.index()].iter().map(|&group| group as usize);
        groups.filter(|&group| self.nodes[group].cells.within(area)).for_each(visit);
    }

    /// The successors of every state, one row each, in the order of [`LinkState`]: two literals for each node, ALS
    /// nodes, forced cells, bridges.
    fn join(&self) -> Lists {
        let mut next = Lists::with_capacity(1024, 4096);
        let nodes = self.node_set(0..self.nodes.len());
        let mut entries = vec![Vec::new(); nodes.places.len()];
        for (index, als_node) in self.als_nodes.iter().enumerate().filter(|(_, als_node)| als_node.entry) {
            entries[als_node.lost.index()].push(index);
        }
        for (node, Node { digit, .. }) in self.nodes.iter().enumerate() {
            self.join_node(node, &nodes, &entries[digit.index()], &mut next);
        }
        for als_node in 0..self.als_nodes.len() {
            self.join_set(als_node, &nodes, &mut next);
        }
        for node in self.forced.iter().map(|forced| forced.node).chain(self.bridges.iter().map(|bridge| bridge.to)) {
            next.push(on(node));
            next.end_row();
        }
        next
    }

    /// The rows of a node: when it is true, when it is false. `entries` are the ALS nodes in their first state that lose
    /// its digit.
    fn join_node(&self, node: usize, nodes: &NodeSet<S>, entries: &[usize], next: &mut Lists) {
        let Node { digit, cells, .. } = self.nodes[node];
        self.each_excluded(node, nodes, |rival| next.push(off(rival)));
        for &entry in entries {
            if cells.within(self.sets.seen(self.als_nodes[entry].set, digit)) {
                next.push((self.first_als_node() + entry) as u32);
            }
        }
        next.end_row();
        self.strong(node).for_each(|partner| next.push(on(partner)));
        for &entry in entries.iter().filter(|_| self.inside) {
            // The node is all places of the digit in the set, so the set loses it. Its second state follows the entry.
            if nodes.places[digit.index()] & self.sets.all[self.als_nodes[entry].set].cells == cells {
                next.push((self.first_als_node() + entry + 1) as u32);
            }
        }
        let from = self.bridges.partition_point(|bridge| bridge.from < node);
        let to = self.bridges.partition_point(|bridge| bridge.from <= node);
        (from..to).for_each(|bridge| next.push((self.first_bridge() + bridge) as u32));
        next.end_row();
    }

    /// The row of an ALS node.
    fn join_set(&self, als_node: usize, nodes: &NodeSet<S>, next: &mut Lists) {
        let AlsNode { set, lost, entry } = self.als_nodes[als_node];
        let digits_left = self.sets.all[set].digits - Digits::only(lost);
        if entry {
            next.push((self.first_als_node() + als_node) as u32 + 1);
            // The only places of their digits in the set.
            for digit in digits_left.iter().filter(|_| self.inside) {
                let places = nodes.places[digit.index()] & self.sets.all[set].cells;
                if let (1, Some(cell)) = (places.len(), places.first()) {
                    next.push(on(self.node(cell, digit)));
                }
            }
        } else {
            // Nodes that see all places of another digit, and the cells that the locked set forces.
            for digit in digits_left {
                let seen = self.sets.seen(set, digit);
                let places = (nodes.places[digit.index()] & seen).cells();
                places.for_each(|cell| next.push(off(self.node(cell, digit))));
                self.each_group_in(seen, digit, nodes, |group| next.push(off(group)));
            }
            let from = self.forced.partition_point(|forced| forced.after < als_node);
            let to = self.forced.partition_point(|forced| forced.after <= als_node);
            (from..to).for_each(|forced| next.push((self.first_forced() + forced) as u32));
        }
        next.end_row();
    }

    /// The number of the state of the first ALS node. The literals come before it.
    fn first_als_node(&self) -> usize {
        2 * self.nodes.len()
    }

    fn first_forced(&self) -> usize {
        self.first_als_node() + self.als_nodes.len()
    }

    fn first_bridge(&self) -> usize {
        self.first_forced() + self.forced.len()
    }

    /// The strong links of each node: cells with two candidates, houses with two places, and groups with all other
    /// places of a house. With [`LinkType::Pairs`] only those of cells.
    fn strong_links(&self, marks: &Candidates<S>, link_type: LinkType) -> Vec<Partners> {
        let mut strong = vec![Partners::default(); self.nodes.len()];
        let mut tie = |a: u32, b: u32| {
            strong[a as usize].insert(b);
            strong[b as usize].insert(a);
        };
        for cell in marks.with_candidates(2).cells() {
            let mut nodes = marks.of_cell(cell).iter().map(|digit| self.node(cell, digit) as u32);
            if let (Some(a), Some(b)) = (nodes.next(), nodes.next()) {
                tie(a, b);
            }
        }
        if link_type == LinkType::Pairs {
            return strong;
        }
        for digit in Digits::all(marks.order()) {
            for house in marks.with_places(digit, 2).iter() {
                if let Some([a, b]) = ends(marks, digit, house) {
                    tie(self.node(a, digit) as u32, self.node(b, digit) as u32);
                }
            }
        }
        // Groups with the rest of each of their houses, if the rest is a node.
        for (group, &Node { digit, cells, .. }) in self.nodes.iter().enumerate().skip(self.singles) {
            for house in shared_houses(marks, cells) {
                let rest = (marks.of_digit(digit) & marks.house(house)) - cells;
                if let Some(rest) = self.node_of(digit, rest) {
                    tie(group as u32, rest as u32);
                }
            }
        }
        strong
    }

    /// The node of a candidate, which must be there.
    #[inline]
    pub(crate) fn node(&self, cell: Cell, digit: Digit) -> usize {
        self.index[digit.index() * self.cells + cell.index()] as usize
    }

    /// The cell of a node, unless it is a group.
    #[inline]
    pub(crate) fn cell(&self, node: usize) -> Option<Cell> {
        if node < self.singles { self.nodes[node].cells.first() } else { None }
    }

    /// A literal in the copy in which chains end.
    #[inline]
    pub(crate) fn at_end(&self, state: LinkState) -> usize {
        state as usize + (self.copies - 1) * self.stride
    }

    /// What a state stands for.
    pub(crate) fn state(&self, state: LinkState) -> SearchState<S> {
        let state = state as usize;
        if state >= self.first_bridge() {
            SearchState::Bridge(self.bridges[state - self.first_bridge()])
        } else if state >= self.first_forced() {
            SearchState::Forced(self.forced[state - self.first_forced()])
        } else if state >= self.first_als_node() {
            SearchState::Set(self.als_nodes[state - self.first_als_node()])
        } else {
            SearchState::Literal(state / 2, state.is_multiple_of(2))
        }
    }

    /// The nodes that are true when a node is false, in ascending order, without almost locked sets.
    #[inline(always)]
    pub(crate) fn strong(&self, node: usize) -> impl Iterator<Item = usize> + use<'_, S> {
        self.strong[node].nodes().iter().map(|&node| node as usize)
    }

    /// Calls `visit` with each successor of a state. The number of a state includes its copy of the graph.
    #[inline]
    pub(crate) fn each_next(&self, state: usize, mut visit: impl FnMut(usize)) {
        let is_upper = state >= self.stride;
        let state = if is_upper { state - self.stride } else { state };
        for &next in self.successors.get_or_init(|| self.join()).row(state) {
            let leads_up = self.copies > 1 && (is_upper || next as usize >= self.first_special);
            visit(next as usize + if leads_up { self.stride } else { 0 });
        }
    }
}
