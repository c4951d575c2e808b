//! Implications between candidates: the links that chains consist of.
//!
//! ```text
//!   weak link     a true  -> b false    same cell, or same digit and a sees b
//!   strong link   a false -> b true     a cell with two candidates, or a house with two places for a digit
//!   chain         a false -> b true -> c false -> d true ...           its length counts the arrows
//! ```
//!
//! A **node** is true or false. It is a candidate or a group. A group is two or more places of a digit in both a box
//! and a line; it is true when one of them is.
//!
//! An **almost locked set** (n cells of a house with n + 1 candidates) is part of a chain as an ALS node. A node that
//! sees all places of its digit in the set, if true, takes that digit from the set. The set is then locked, and nodes
//! that see all its places of another digit are false. These are three arrows. If this leaves a cell with one
//! candidate, that candidate is true: four arrows. A chain that is not a loop may also begin and end inside a set, at
//! its only place of a digit.
//!
//! Almost hidden sets need no nodes of their own. If n digits have n + 1 places in a house with k open cells, the other
//! k - n - 1 cells have the other k - n digits: an almost locked set. If one of the n + 1 cells takes another digit,
//! this set loses that digit. The set then removes its remaining digits from the rest of the n + 1 cells. So these n
//! cells are locked.
//!
//! An **almost unique rectangle** links two nodes that together are its extra candidates: in a puzzle with one
//! solution, one of the two is true (see [`super::rectangles`]). All cells of an extra digit are a node, whether or not
//! they share a house. If there is one extra digit only, one of its cells and the rest are the two nodes. The link
//! counts as two arrows.
//!
//! The links do not change while a chain grows, so one search finds the shortest chains from *all* starts. A literal is
//! a node with a truth value. Each literal carries the bit set of the starts that reach it, and a step of the search
//! passes these sets along every link ([`super::reach`]). *Tried and lost*: one start after another, which was about
//! ten times slower. The shortest chains are a property of the position, so what is found does not depend on labels.
//!
//! Where a chain must contain a group, a set or a rectangle, there are two copies of the graph. The upper copy holds
//! what is reached after the chain has passed one.
//!
//! Reference: Sudopedia, "Alternating Inference Chain", "Grouped AIC", "Almost Unique Rectangles"; M. Then et al., "The
//! more the merrier: efficient multi-source graph traversal", 2014.

mod als_nodes;
mod bridges;

use std::cell::OnceCell;
use std::rc::Rc;

use crate::board::{Candidates, Cell, CellSet, Digit, Digits};

pub(super) use als_nodes::{AlsNode, ForcedCell};
pub(super) use bridges::Bridge;

use super::locked_sets::{LockedSets, all_see};

/// Which links chains may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkType {
    /// Links between cells with two candidates only.
    Pairs,
    Plain,
    Grouped,
    AlmostLocked,
    /// Links between candidates, groups and the extra candidates of unique rectangles.
    Rectangles,
}

impl LinkType {
    pub(super) const COUNT: usize = 5;

    const fn has_groups(self) -> bool {
        matches!(self, LinkType::Grouped | LinkType::AlmostLocked | LinkType::Rectangles)
    }
}

/// A candidate, a group, or the cells of an extra digit of a rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<S> {
    pub(super) digit: Digit,
    pub(super) cells: S,
    /// The cells that see all its cells.
    pub(super) seen: S,
}

/// A literal, an ALS node, a forced cell or a bridge, without the copy of the graph.
pub(super) type LinkState = u32;

/// The literal "node is true".
pub(super) const fn on(node: usize) -> LinkState {
    2 * node as LinkState
}

/// The literal "node is false".
pub(super) const fn off(node: usize) -> LinkState {
    2 * node as LinkState + 1
}

#[derive(Debug)]
pub(super) struct Links<S: 'static> {
    /// Candidates digit by digit, then groups, then extra candidates of rectangles.
    pub(super) nodes: Vec<Node<S>>,
    pub(super) singles: usize,
    pub(super) als_nodes: Vec<AlsNode>,
    forced: Vec<ForcedCell>,
    bridges: Vec<Bridge<S>>,
    pub(super) sets: Rc<LockedSets<S>>,
    /// [digit][cell]: the node of a candidate.
    index: Vec<u32>,
    cells: usize,
    link_type: LinkType,
    /// True when chains may begin and end inside an almost locked set.
    inside: bool,
    /// The nodes that each node makes true when it is false, without almost locked sets.
    strong: Vec<Partners>,
    /// The successors of every state. Chains that alternate do without them.
    successors: OnceCell<Successors>,
    /// States that lead to the upper copy.
    special: Vec<bool>,
    /// True when there are two copies of the graph.
    layered: bool,
}

#[derive(Debug)]
struct Successors {
    /// Where the successors of each state begin in `next`.
    starts: Vec<u32>,
    next: Vec<LinkState>,
}

/// Some of the nodes, by digit and by cell.
#[derive(Debug)]
pub(super) struct NodeSet<S> {
    /// The cells of each digit whose candidates are in the set.
    pub(super) places: Vec<S>,
    /// The digits of each cell whose candidates are in the set.
    pub(super) digits: Vec<Digits>,
    /// The groups of each digit that are in the set.
    groups: Vec<Vec<u32>>,
}

const NONE: u32 = u32::MAX;

/// The nodes that a node has strong links with, in ascending order: at most one in its cell and one in each of its
/// houses.
#[derive(Clone, Copy, Debug, Default)]
struct Partners {
    all: [u32; 4],
    count: usize,
}

impl Partners {
    fn insert(&mut self, node: u32) {
        let at = self.nodes().partition_point(|&known| known < node);
        if self.nodes().get(at) != Some(&node) {
            self.all.copy_within(at..self.count, at + 1);
            self.all[at] = node;
            self.count += 1;
        }
    }

    fn nodes(&self) -> &[u32] {
        &self.all[..self.count]
    }
}

impl<S: CellSet> Links<S> {
    /// The links of a position. A chain of a type with groups must use what lower types do not have: a group, a set or
    /// a rectangle. Chains may begin inside an almost locked set; loops may not (`inside` false). `sets` is called for
    /// [`LinkType::AlmostLocked`] only.
    pub(super) fn new(
        marks: &Candidates<S>,
        link_type: LinkType,
        sets: impl FnOnce() -> Rc<LockedSets<S>>,
        inside: bool,
    ) -> Links<S> {
        Links::build(marks, link_type, sets, link_type.has_groups(), inside)
    }

    /// The links between candidates and, for [`LinkType::Grouped`], groups, for chains that need not contain a group.
    pub(super) fn in_one_copy(marks: &Candidates<S>, link_type: LinkType) -> Links<S> {
        Links::build(marks, link_type, || Rc::new(LockedSets::none()), false, false)
    }

    fn build(
        marks: &Candidates<S>,
        link_type: LinkType,
        sets: impl FnOnce() -> Rc<LockedSets<S>>,
        layered: bool,
        inside: bool,
    ) -> Links<S> {
        let order = marks.order();
        let mut links = Links {
            nodes: Vec::with_capacity(256),
            singles: 0,
            als_nodes: Vec::new(),
            forced: Vec::new(),
            bridges: Vec::new(),
            sets: if link_type == LinkType::AlmostLocked { sets() } else { Rc::new(LockedSets::none()) },
            index: vec![NONE; order * order * order],
            cells: order * order,
            link_type,
            inside,
            strong: Vec::new(),
            successors: OnceCell::new(),
            special: Vec::new(),
            layered,
        };
        links.add_candidates(marks, link_type);
        if link_type.has_groups() {
            links.add_groups(marks);
        }
        if link_type == LinkType::AlmostLocked {
            links.add_als_nodes(marks);
            links.add_forced(marks);
        }
        if link_type == LinkType::Rectangles {
            links.add_bridges(marks);
        }
        links.strong = links.strong_links(marks, link_type);
        let literals = 2 * links.nodes.len();
        let passes_group = (0..literals).map(|state| link_type == LinkType::Grouped && state / 2 >= links.singles);
        let others = links.als_nodes.len() + links.forced.len() + links.bridges.len();
        links.special = passes_group.chain(std::iter::repeat_n(true, others)).collect();
        links
    }

    fn add_candidates(&mut self, marks: &Candidates<S>, link_type: LinkType) {
        let pairs = marks.with_two();
        for digit in Digits::all(marks.order()) {
            let places = marks.of_digit(digit);
            for cell in (if link_type == LinkType::Pairs { places & pairs } else { places }).cells() {
                self.index[digit.index() * self.cells + cell.index()] = self.nodes.len() as u32;
                self.nodes.push(Node { digit, cells: S::only(cell), seen: marks.peers(cell) });
            }
        }
        self.singles = self.nodes.len();
    }

    fn add_groups(&mut self, marks: &Candidates<S>) {
        let order = marks.order();
        let houses: Vec<S> = marks.sets().layout().houses().map(|house| marks.house(house)).collect();
        let (lines, boxes) = houses.split_at(2 * order);
        for &of_box in boxes {
            for &line in lines.iter().filter(|line| line.meets(of_box)) {
                for digit in Digits::all(order) {
                    let cells = marks.of_digit(digit) & line & of_box;
                    if cells.len() > 1 {
                        self.nodes.push(Node { digit, cells, seen: all_see(marks, cells) });
                    }
                }
            }
        }
    }

    /// Some of the nodes.
    pub(super) fn node_set(&self, nodes: impl Iterator<Item = usize>) -> NodeSet<S> {
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
    pub(super) fn each_excluded(&self, node: usize, among: &NodeSet<S>, mut visit: impl FnMut(usize)) {
        let Node { digit, cells, seen } = self.nodes[node];
        let cell = self.cell(node).filter(|_| self.link_type != LinkType::Pairs);
        let others = cell.map_or(Digits::EMPTY, |cell| among.digits[cell.index()]);
        for other in others | Digits::only(digit) {
            let row = &self.index[other.index() * self.cells..(other.index() + 1) * self.cells];
            let cells = if other == digit { among.places[digit.index()] & seen } else { cells };
            cells.cells().for_each(|cell| visit(row[cell.index()] as usize));
        }
        self.each_group_in(seen, digit, among, visit);
    }

    fn each_group_in(&self, area: S, digit: Digit, among: &NodeSet<S>, visit: impl FnMut(usize)) {
        let groups = among.groups[digit.index()].iter().map(|&group| group as usize);
        groups.filter(|&group| self.nodes[group].cells.within(area)).for_each(visit);
    }

    /// The successors of every state.
    fn join(&self) -> Successors {
        let (mut starts, mut next) = (Vec::with_capacity(1024), Vec::with_capacity(4096));
        let all = self.node_set(0..self.nodes.len());
        let als_nodes_of = self.als_nodes_by_digit(all.places.len());
        let first_als_node = 2 * self.nodes.len() as LinkState;
        for (node, &Node { digit, cells, .. }) in self.nodes.iter().enumerate() {
            starts.push(next.len() as u32);
            self.each_excluded(node, &all, |other| next.push(off(other)));
            for &als_node in &als_nodes_of[digit.index()] {
                if cells.within(self.sets.seen(self.als_nodes[als_node as usize].set, digit)) {
                    next.push(first_als_node + als_node);
                }
            }
            starts.push(next.len() as u32);
            next.extend(self.strong(node).map(on));
            if self.inside {
                for &als_node in &als_nodes_of[digit.index()] {
                    if self.places_in(self.als_nodes[als_node as usize].set, digit, &all) == cells {
                        next.push(first_als_node + als_node + 1);
                    }
                }
            }
            self.push_bridges(node, &mut next);
        }
        for als_node in 0..self.als_nodes.len() {
            starts.push(next.len() as u32);
            match self.als_nodes[als_node].entry {
                true => {
                    next.push(first_als_node + als_node as LinkState + 1);
                    if self.inside {
                        self.push_last_places(als_node, &all, &mut next);
                    }
                }
                false => self.push_exits(als_node, &all, &mut next),
            }
        }
        for &ForcedCell { node, .. } in &self.forced {
            starts.push(next.len() as u32);
            next.push(on(node));
        }
        for bridge in &self.bridges {
            starts.push(next.len() as u32);
            next.push(on(bridge.to));
        }
        starts.push(next.len() as u32);
        Successors { starts, next }
    }

    /// For each node the nodes that are true when it is false.
    fn strong_links(&self, marks: &Candidates<S>, link_type: LinkType) -> Vec<Partners> {
        let mut strong = vec![Partners::default(); self.nodes.len()];
        let mut tie = |a: u32, b: u32| {
            strong[a as usize].insert(b);
            strong[b as usize].insert(a);
        };
        for cell in marks.with_two().cells() {
            let mut digits =
                marks.of_cell(cell).iter().map(|digit| self.index[digit.index() * self.cells + cell.index()]);
            if let (Some(a), Some(b)) = (digits.next(), digits.next()) {
                tie(a, b);
            }
        }
        if link_type == LinkType::Pairs {
            return strong;
        }
        for digit in Digits::all(marks.order()) {
            for house in marks.with_two_places(digit) {
                let mut ends = (marks.of_digit(digit) & marks.house(house)).cells();
                if let (Some(a), Some(b)) = (ends.next(), ends.next()) {
                    tie(self.node(a, digit) as u32, self.node(b, digit) as u32);
                }
            }
        }
        for at in self.singles..self.nodes.len() {
            self.tie_group(marks, at, &mut tie);
        }
        strong
    }

    /// Links a group to the rest of each of its houses, if the rest is a node.
    fn tie_group(&self, marks: &Candidates<S>, group: usize, tie: &mut impl FnMut(u32, u32)) {
        let Node { digit, cells, .. } = self.nodes[group];
        for house in marks.sets().layout().houses().filter(|&house| cells.within(marks.house(house))) {
            let rest = (marks.of_digit(digit) & marks.house(house)) - cells;
            if rest.len() == 1 {
                rest.cells().for_each(|cell| tie(group as u32, self.node(cell, digit) as u32));
            } else if rest.len() > 1 {
                let same = |node: &Node<S>| node.digit == digit && node.cells == rest;
                if let Some(other) = self.nodes[self.singles..].iter().position(same) {
                    tie(group as u32, (self.singles + other) as u32);
                }
            }
        }
    }

    #[inline]
    pub(super) fn node(&self, cell: Cell, digit: Digit) -> usize {
        self.index[digit.index() * self.cells + cell.index()] as usize
    }

    #[inline]
    pub(super) fn cell(&self, node: usize) -> Option<Cell> {
        if node < self.singles { self.nodes[node].cells.first() } else { None }
    }

    /// The number of states of one copy of the graph.
    #[inline]
    pub(super) fn stride(&self) -> usize {
        self.special.len()
    }

    #[inline]
    pub(super) fn copies(&self) -> usize {
        1 + usize::from(self.layered)
    }

    /// A literal in the copy in which chains end.
    #[inline]
    pub(super) fn at_end(&self, state: LinkState) -> usize {
        state as usize + (self.copies() - 1) * self.stride()
    }

    /// The node and truth value of a literal. None for other states.
    #[inline]
    pub(super) fn literal(&self, state: LinkState) -> Option<(usize, bool)> {
        let node = state as usize / 2;
        (node < self.nodes.len()).then_some((node, state.is_multiple_of(2)))
    }

    #[inline]
    pub(super) fn als_node(&self, state: LinkState) -> Option<AlsNode> {
        (state as usize).checked_sub(2 * self.nodes.len()).and_then(|als_node| self.als_nodes.get(als_node).copied())
    }

    #[inline]
    pub(super) fn forced(&self, state: LinkState) -> Option<ForcedCell> {
        let before = 2 * self.nodes.len() + self.als_nodes.len();
        (state as usize).checked_sub(before).and_then(|forced| self.forced.get(forced).copied())
    }

    /// The nodes that are true when a node is false, in ascending order, without almost locked sets.
    #[inline(always)]
    pub(super) fn strong(&self, node: usize) -> impl Iterator<Item = usize> + use<'_, S> {
        self.strong[node].nodes().iter().map(|&node| node as usize)
    }

    /// Calls `visit` with each successor of a state. The number of a state includes its copy of the graph.
    #[inline]
    pub(super) fn each_next(&self, at: usize, mut visit: impl FnMut(usize)) {
        let stride = self.stride();
        let (state, upper) = if at < stride { (at, false) } else { (at - stride, true) };
        let Successors { starts, next } = self.successors.get_or_init(|| self.join());
        for &next in &next[starts[state] as usize..starts[state + 1] as usize] {
            let up = self.layered && (upper || self.special[next as usize]);
            visit(next as usize + if up { stride } else { 0 });
        }
    }
}
