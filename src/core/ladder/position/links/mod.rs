//! Finds the implications between candidates: the links that chains consist of.
//!
//! ```text
//!   weak link     a true  -> b false    same cell, or same digit and a sees b
//!   strong link   a false -> b true     a cell with two candidates, or a house with two places for a digit
//!   chain         a false -> b true -> c false -> d true ...           its length counts the arrows
//! ```
//!
//! A **node** is a candidate or a group: two or more places of a digit, true when one of them is. Most groups are the
//! places in a box and a line; extra candidates of a rectangle are one, too, whether or not they share a house.
//!
//! A chain passes through further states, for almost locked sets and for rectangles: see [`states`].
//!
//! Reference: Sudopedia, "Alternating Inference Chain", "Grouped AIC".

pub(crate) mod reached;
mod states;

use std::cell::OnceCell;
use std::ops::Range;

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, rules};

use super::common::{all_see, ends, shared_houses};
use crate::ladder::words::technique::LinkType;

use reached::ReachedNodes;
pub(crate) use states::{LinkOptions, LinkState, SearchState, States, off, on};

/// A candidate, or a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<S> {
    pub(crate) digit: Digit,
    /// Its places: one, or those of the group.
    pub(crate) cells: S,
    /// The cells that see all its cells.
    pub(crate) seen: S,
}

/// The nodes of a position and the links between them.
#[derive(Debug)]
pub(crate) struct Links<S: 'static> {
    /// Candidates digit by digit, then groups: those in a box and a line, then those of rectangles.
    pub(crate) nodes: Vec<Node<S>>,
    /// The number of candidates. The nodes from here on are groups.
    pub(crate) singles: usize,
    /// The first candidate of each digit, and the number of candidates.
    firsts: Vec<usize>,
    /// The groups of each digit.
    groups: Vec<Vec<u32>>,
    /// [digit][cell]: the node of a candidate.
    index: Vec<u32>,
    cells: usize,
    pub(crate) link_type: LinkType,
    /// The strong links of each node.
    strong: Vec<Partners>,
    pub(crate) states: States<S>,
    /// See [`Links::reached`].
    reached: OnceCell<ReachedNodes>,
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
    nodes: [u32; 4 + rules::MOST_EXTRAS],
    count: usize,
}

impl Partners {
    /// Adds a node, unless it is there.
    fn insert(&mut self, node: u32) {
        let place = self.all().partition_point(|&partner| partner < node);
        if self.all().get(place) != Some(&node) {
            self.nodes.copy_within(place..self.count, place + 1);
            self.nodes[place] = node;
            self.count += 1;
        }
    }

    fn all(&self) -> &[u32] {
        &self.nodes[..self.count]
    }
}

impl<S: CellSet> Links<S> {
    /// The links of a position.
    pub(crate) fn new(marks: &Candidates<S>, link_type: LinkType, options: LinkOptions<S>) -> Links<S> {
        let order = marks.order();
        let mut links = Links {
            nodes: Vec::with_capacity(256),
            singles: 0,
            firsts: Vec::with_capacity(order + 1),
            groups: vec![Vec::new(); order],
            index: vec![NONE; order * order * order],
            cells: order * order,
            link_type,
            strong: Vec::new(),
            states: States::new(options),
            reached: OnceCell::new(),
        };
        links.add_candidates(marks);
        if link_type.has_groups() {
            links.add_groups(marks);
        }
        match link_type {
            LinkType::AlmostLocked => links.add_als_nodes(marks),
            LinkType::Rectangles => links.add_bridges(marks),
            LinkType::Pairs | LinkType::Plain | LinkType::Grouped => {}
        }
        links.strong = links.strong_links(marks);
        links.number_states();
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

    /// The places of a digit whose candidates are nodes.
    pub(crate) fn places(&self, marks: &Candidates<S>, digit: Digit) -> S {
        let places = marks.of_digit(digit);
        if self.link_type == LinkType::Pairs { places & marks.with_candidates(2) } else { places }
    }

    /// The nodes of the candidates of a digit.
    pub(crate) fn candidates_of(&self, digit: Digit) -> Range<usize> {
        self.firsts[digit.index()]..self.firsts[digit.index() + 1]
    }

    /// The groups of a digit.
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

    /// The strong links of each node: cells with two candidates, houses with two places, and groups with all other
    /// places of a house. With [`LinkType::Pairs`] only those of cells.
    fn strong_links(&self, marks: &Candidates<S>) -> Vec<Partners> {
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
        if self.link_type == LinkType::Pairs {
            return strong;
        }
        for digit in Digits::all(marks.order()) {
            for house in marks.with_places(digit, 2).iter() {
                if let Some([a, b]) = ends(marks, digit, house) {
                    tie(self.node(a, digit) as u32, self.node(b, digit) as u32);
                }
            }
        }
        // Groups with the rest of each of their houses, if the rest is a node. A larger rest than any group is none.
        let largest = self.nodes[self.singles..].iter().map(|group| group.cells.len()).max().unwrap_or_default();
        for (group, &Node { digit, cells, .. }) in self.nodes.iter().enumerate().skip(self.singles) {
            let most = cells.len() + largest;
            for house in shared_houses(marks, cells).filter(|&house| marks.places(digit, house) <= most) {
                let rest = (marks.of_digit(digit) & marks.house(house)) - cells;
                if let Some(rest) = self.node_of(digit, rest) {
                    tie(group as u32, rest as u32);
                }
            }
        }
        strong
    }

    /// What follows from the falsehood of each node by chains of any length that alternate.
    pub(crate) fn reached(&self, marks: &Candidates<S>) -> &ReachedNodes {
        self.reached.get_or_init(|| ReachedNodes::new(marks, self))
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

    /// The nodes that are true when a node is false, in ascending order, without almost locked sets.
    #[inline(always)]
    pub(crate) fn strong(&self, node: usize) -> impl Iterator<Item = usize> + use<'_, S> {
        self.strong[node].all().iter().map(|&node| node as usize)
    }
}
