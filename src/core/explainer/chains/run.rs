//! One assumption and everything that follows from it, in exactly the order of the original.
//!
//! ```text
//!   on queue    a+ --> every other candidate of the cell, then of block, row, column, becomes off
//!   off queue   b- --> the only other candidate of the cell, the only other place in block, row, column: becomes on
//! ```
//! The `on` queue goes first: an `off` is taken only when no `on` waits. In a *dynamic* run a candidate is removed from
//! the grid when its `off` is taken from the queue, after its consequences were found. So a cell or house has only one
//! other candidate or place more and more often. The candidates that are missing by then are further parents of what
//! follows. In a static run the grid does not change. A *Nishio* run follows one digit only, and nothing inside cells.
//!
//! The run ends when both queues are empty (from [`ChainLevel::Plus`] on: and no further rule of [`super::advanced`]
//! applies), or at a contradiction: a candidate should become off (on), but is already on (off). Chains over cells and
//! houses use what was found until then, and nothing else. The candidate of the contradiction itself is not part of it.

use std::cell::RefCell;
use std::rc::Rc;

use crate::explainer::kind::ChainLevel;
use crate::explainer::state::{News, State};
use crate::explainer::tables::{HOUSE, HouseType, OF, PEERS, bits, count, peers_in};

/// The further rules of the levels from [`ChainLevel::Plus`] on, applied once to a run, its start, the grid of the
/// moment and its level. True when they added something. The last argument is only memory.
pub(crate) type NestedRules = fn(&mut Run, &State, &State, ChainLevel, &mut Vec<u16>) -> bool;

/// Where arrays of two have what is on, and what is off.
pub(crate) const ON: usize = 0;
pub(crate) const OFF: usize = 1;

/// The nodes of a candidate that became both on and off.
pub(crate) struct Clash {
    pub(crate) on: u16,
    pub(crate) off: u16,
}

/// Why a candidate is on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnCause {
    /// It is the only candidate of its cell.
    LastOfCell,
    /// It is the only place of its digit in its house of a type.
    LastOfHouse(HouseType),
    /// It was assumed. Candidates that are off have this cause, too.
    Start,
}

/// No node, no run, no nested chain.
pub(crate) const NONE: u16 = u16::MAX;

/// No code of a node.
pub(crate) const END_OF_BRANCH: u16 = u16::MAX;

/// The number of runs that a thread keeps for its next search.
const POOLED: usize = 1_000;

thread_local!(static POOL: RefCell<Vec<Run>> = const { RefCell::new(Vec::new()) });

/// A candidate that became on or off.
#[derive(Clone, Copy)]
pub(crate) struct RunNode {
    pub(crate) candidate: u16,
    pub(crate) on: bool,
    /// Its parents are `parents[first..first + count]`. The first of them is the one that caused it.
    first: u32,
    count: u16,
    /// A lower bound for the number of nodes of a chain up to here.
    pub(crate) depth: u16,
    /// The nested chain that it rests on, or [`NONE`].
    pub(crate) nested: u16,
    pub(crate) cause: OnCause,
}

/// A run: the assumption is its first node, and what follows from it comes after it, in the order of the original.
pub(crate) struct Run {
    pub(crate) nodes: Vec<RunNode>,
    parents: Vec<u16>,
    /// `[side][candidate]`: its node if it is on ([`ON`]) or off ([`OFF`]); else [`NONE`].
    index: Box<[[u16; 729]; 2]>,
    /// `[side][digit]`: the cells in which the digit is on, or off.
    pub(crate) sets: [[u128; 9]; 2],
    /// `[side]`: all nodes, in the order in which their consequences are drawn.
    queues: [Vec<u16>; 2],
    pub(crate) contradiction: Option<Clash>,
    /// The nested chains to which nodes refer.
    pub(crate) nested: Vec<Rc<Nested>>,
}

/// A chain that was found in the middle of a run.
#[derive(PartialEq, Eq)]
pub(crate) struct Nested {
    /// The codes of its nodes ([`Run::code`]), branch by branch, each branch from the conclusion backwards and then
    /// [`END_OF_BRANCH`]. Two chains with the same nodes in the same order are equal.
    pub(crate) nodes: Box<[u16]>,
    pub(crate) complexity: u32,
}

impl Run {
    fn new() -> Run {
        Run {
            nodes: Vec::new(),
            parents: Vec::new(),
            index: Box::new([[NONE; 729]; 2]),
            sets: [[0; 9]; 2],
            queues: [Vec::new(), Vec::new()],
            contradiction: None,
            nested: Vec::new(),
        }
    }

    /// A run of the pool, or a new one. What it holds is from an earlier assumption, until [`Run::follow`].
    pub(crate) fn take() -> Run {
        POOL.with_borrow_mut(Vec::pop).unwrap_or_else(Run::new)
    }

    /// Keeps runs for later searches of this thread. Making a new one takes as long as following an assumption.
    pub(crate) fn give_back(runs: &mut Vec<Run>) {
        POOL.with_borrow_mut(|pool| {
            runs.truncate(POOLED.saturating_sub(pool.len()));
            runs.iter_mut().for_each(|run| run.nested.clear());
            pool.append(runs);
        });
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.parents.clear();
        *self.index = [[NONE; 729]; 2];
        self.sets = [[0; 9]; 2];
        self.queues.iter_mut().for_each(Vec::clear);
        self.contradiction = None;
        self.nested.clear();
    }

    /// The node of a candidate that became on (off), or [`NONE`].
    #[inline]
    pub(crate) fn node(&self, candidate: usize, on: bool) -> u16 {
        self.index[if on { ON } else { OFF }][candidate]
    }

    /// The candidate of a node and its side as one number: 2 * candidate, and one more if it is on.
    pub(crate) fn code(&self, node: u16) -> u16 {
        let RunNode { candidate, on, .. } = self.nodes[node as usize];
        2 * candidate + u16::from(on)
    }

    pub(crate) fn parents_of(&self, node: u16) -> &[u16] {
        let node = &self.nodes[node as usize];
        &self.parents[node.first as usize..][..node.count as usize]
    }

    /// Adds a node whose parents are those that were pushed since `first`.
    fn create(&mut self, candidate: usize, on: bool, first: usize, cause: OnCause) -> u16 {
        let parents = &self.parents[first..];
        let depth = parents.iter().map(|&parent| self.nodes[parent as usize].depth).max().map_or(1, |depth| depth + 1);
        let count = parents.len() as u16;
        let (first, candidate) = (first as u32, candidate as u16);
        self.nodes.push(RunNode { candidate, on, first, count, depth, nested: NONE, cause });
        (self.nodes.len() - 1) as u16
    }

    /// Makes a node known: its candidate is on (off) from now on.
    fn register(&mut self, node: u16) {
        let RunNode { candidate, on, .. } = self.nodes[node as usize];
        let side = if on { ON } else { OFF };
        self.index[side][candidate as usize] = node;
        self.sets[side][candidate as usize % 9] |= 1 << (candidate / 9);
        self.queues[side].push(node);
    }

    /// Keeps a nested chain, and returns its number.
    pub(crate) fn nest(&mut self, nested: Nested) -> u16 {
        self.nested.push(Rc::new(nested));
        (self.nested.len() - 1) as u16
    }

    /// Adds a candidate that a rule makes off, with its parents, unless it is already off. True when added.
    pub(crate) fn add_off(&mut self, candidate: usize, parents: &[u16], nested: u16) -> bool {
        if self.node(candidate, false) != NONE {
            return false;
        }
        let first = self.parents.len();
        self.parents.extend_from_slice(parents);
        let node = self.create(candidate, false, first, OnCause::Start);
        self.nodes[node as usize].nested = nested;
        self.register(node);
        true
    }

    /// Assumes that a candidate is on (off) and follows the consequences.
    pub(crate) fn follow(
        &mut self,
        source: &State,
        level: ChainLevel,
        rules: NestedRules,
        candidate: usize,
        on: bool,
        memory: &mut Vec<u16>,
    ) {
        self.clear();
        let start = self.create(candidate, on, 0, OnCause::Start);
        self.register(start);
        let mut changing =
            (level != ChainLevel::Static).then(|| State { news: News::ALL, new_houses: u32::MAX, ..source.clone() });
        self.contradiction = self.consequences(source, &mut changing, level, rules, memory).err();
    }

    /// Follows the consequences. `changing` is the grid of a dynamic run.
    fn consequences(
        &mut self,
        source: &State,
        changing: &mut Option<State>,
        level: ChainLevel,
        rules: NestedRules,
        memory: &mut Vec<u16>,
    ) -> Result<(), Clash> {
        let mut heads = [0; 2];
        loop {
            let state = changing.as_ref().unwrap_or(source);
            if let Some(&node) = self.queues[ON].get(heads[ON]) {
                heads[ON] += 1;
                self.exclusions(state, level, node)?;
            } else if let Some(&node) = self.queues[OFF].get(heads[OFF]) {
                heads[OFF] += 1;
                self.conclusions(source, state, level, node)?;
                if let Some(state) = changing {
                    let candidate = self.nodes[node as usize].candidate as usize;
                    state.eliminate(candidate / 9, candidate % 9);
                }
            } else if level <= ChainLevel::Dynamic || !rules(self, source, state, level, memory) {
                return Ok(());
            }
        }
    }

    /// Everything that a candidate excludes.
    fn exclusions(&mut self, state: &State, level: ChainLevel, node: u16) -> Result<(), Clash> {
        let candidate = self.nodes[node as usize].candidate as usize;
        let (cell, digit) = (candidate / 9, candidate % 9);
        if level != ChainLevel::Nishio {
            for rival in bits(state.digits[cell] & !(1 << digit)) {
                self.draw(9 * cell + rival, false, node, OnCause::Start, std::iter::empty())?;
            }
        }
        // A candidate that is only off is known already. One that is on makes a contradiction.
        let open = PEERS[cell] & state.cells[digit] & (self.sets[ON][digit] | !self.sets[OFF][digit]);
        peers_in(cell, open)
            .try_for_each(|peer| self.draw(9 * peer + digit, false, node, OnCause::Start, std::iter::empty()))
    }

    /// What must be on when a candidate is removed.
    fn conclusions(&mut self, source: &State, state: &State, level: ChainLevel, node: u16) -> Result<(), Clash> {
        let candidate = self.nodes[node as usize].candidate as usize;
        let (cell, digit) = (candidate / 9, candidate % 9);
        let digits = state.digits[cell];
        if level != ChainLevel::Nishio && count(digits) == 2 {
            // The candidate itself is one of the two, unless a rule has put it on the queue late.
            let last_digit = partner_in(digits, digit);
            let removed = bits(source.digits[cell] & !digits).map(|digit| 9 * cell + digit);
            self.draw(9 * cell + last_digit, true, node, OnCause::LastOfCell, removed)?;
        }
        for (house_type, (house, place)) in HouseType::ALL.into_iter().zip(OF[cell]) {
            let house = house as usize;
            let places = state.places[house][digit];
            if count(places) == 2 {
                let cells = &HOUSE[house];
                let last_cell = cells[partner_in(places, place as usize)] as usize;
                let removed = bits(source.places[house][digit] & !places);
                let removed = removed.map(|place| 9 * cells[place] as usize + digit);
                self.draw(9 * last_cell + digit, true, node, OnCause::LastOfHouse(house_type), removed)?;
            }
        }
        Ok(())
    }

    /// Draws a consequence of a node unless it is known. The candidates that are `removed` are parents too.
    #[inline]
    fn draw(
        &mut self,
        candidate: usize,
        on: bool,
        node: u16,
        cause: OnCause,
        removed: impl Iterator<Item = usize>,
    ) -> Result<(), Clash> {
        let opposite = self.node(candidate, !on);
        if opposite == NONE && self.node(candidate, on) != NONE {
            return Ok(());
        }
        let first = self.parents.len();
        self.parents.push(node);
        for candidate in removed {
            let parent = self.node(candidate, false);
            debug_assert!(parent != NONE, "a candidate is missing although no step removed it");
            self.parents.push(parent);
        }
        let node = self.create(candidate, on, first, cause);
        if opposite != NONE {
            return Err(if on { Clash { on: node, off: opposite } } else { Clash { on: opposite, off: node } });
        }
        self.register(node);
        Ok(())
    }
}

/// The lowest member of a set of two that is not the given one.
fn partner_in(pair: u16, member: usize) -> usize {
    let low = pair.trailing_zeros() as usize;
    if low == member { (pair & (pair - 1)).trailing_zeros() as usize } else { low }
}

/// Walks back from conclusions to assumptions.
pub(crate) struct Walker {
    /// Stamps by candidate and side, not by node: a contradiction can repeat a candidate that is already a node.
    stamps: Box<[u32; 2 * 729]>,
    stamp: u32,
    /// The nodes that were visited, in order.
    queue: Vec<u16>,
}

impl Walker {
    pub(crate) fn new() -> Walker {
        Walker { stamps: Box::new([0; 2 * 729]), stamp: 0, queue: Vec::new() }
    }

    /// Puts a node into the queue, once.
    fn visit(&mut self, run: &Run, node: u16) {
        let stamp = &mut self.stamps[run.code(node) as usize];
        if *stamp != self.stamp {
            *stamp = self.stamp;
            self.queue.push(node);
        }
    }

    /// The nodes from which a node follows: itself, its parents in order, then theirs. Each side of a candidate once.
    pub(crate) fn chain(&mut self, run: &Run, node: u16) -> &[u16] {
        self.stamp += 1;
        self.queue.clear();
        self.visit(run, node);
        let mut head = 0;
        while head < self.queue.len() {
            for &parent in run.parents_of(self.queue[head]) {
                self.visit(run, parent);
            }
            head += 1;
        }
        &self.queue
    }
}
