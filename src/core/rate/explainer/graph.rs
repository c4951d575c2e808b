//! Static chains as reachability in bit sets.
//!
//! ```text
//!   on(a) --weak--> off(b) --strong--> on(c)          step[a] = all of these c
//! ```
//! A weak link joins candidates that exclude each other. A strong link joins candidates of which one must be true.
//! While the position does not change, the links are symmetric, and the shortest chain to a candidate is found layer by
//! layer. A layer is a set, and the next layer is the union of its members' steps. Lengths count candidates: `on` of
//! layer j is number 2j + 1 of its chain, and an `off` reached from it is number 2j + 2.

use std::borrow::Cow;

use super::state::State;
use super::tables::{CELLS, HOUSE, OF, PEERS, bits, cells, count};
use crate::rate::bits::{has, insert, intersect, is_empty, meet, members, row, subtract, unite};

/// A set of up to 64 * W numbers.
pub(super) type Set<const W: usize> = [u64; W];

/// Links between candidates, which are numbered in the order of cell and digit.
pub(super) struct Graph<const W: usize> {
    pub(super) candidate: Vec<u16>,
    /// The number of each candidate; in the graph of a digit, its cell.
    pub(super) number: Cow<'static, [u16]>,
    pub(super) within: u128,
    pub(super) weak: Vec<Set<W>>,
    pub(super) strong: Vec<Set<W>>,
    pub(super) step: Vec<Set<W>>,
}

impl<const W: usize> Graph<W> {
    /// No links among the candidates of some cells.
    fn new(state: &State, within: u128) -> Graph<W> {
        let (mut candidate, mut number) = (Vec::with_capacity(384), vec![0; 729]);
        for cell in cells(within) {
            for digit in bits(state.digits[cell]) {
                number[9 * cell + digit] = candidate.len() as u16;
                candidate.push((9 * cell + digit) as u16);
            }
        }
        let none = || vec![[0; W]; candidate.len()];
        Graph { number: number.into(), within, weak: none(), strong: none(), step: none(), candidate }
    }

    /// All links; with `pairs`, cells with two candidates, those among these without strong links along digits.
    pub(super) fn of(state: &State, pairs: Option<u128>) -> Graph<W> {
        let mut graph = Graph::new(state, pairs.unwrap_or((1 << CELLS) - 1));
        let Graph { candidate, number, within, weak, strong, .. } = &mut graph;
        let number = |cell: usize, digit: usize| number[9 * cell + digit] as usize;
        for ((&candidate, weak), strong) in candidate.iter().zip(weak).zip(strong) {
            let (cell, digit) = (candidate as usize / 9, candidate as usize % 9);
            let own = state.digits[cell];
            for other in bits(own & !(1 << digit)) {
                insert(weak, number(cell, other));
                if count(own) == 2 {
                    insert(strong, number(cell, other));
                }
            }
            cells(PEERS[cell] & state.cells[digit] & *within).for_each(|peer| insert(weak, number(peer, digit)));
            if pairs.is_none() {
                partners(state, cell, digit).for_each(|peer| insert(strong, number(peer, digit)));
            }
        }
        graph.close();
        graph
    }

    /// Computes the steps when the links are complete.
    fn close(&mut self) {
        let mut linked = [0; W];
        for (at, strong) in self.strong.iter().enumerate() {
            if !is_empty(strong) {
                insert(&mut linked, at);
            }
        }
        for (weak, step) in self.weak.iter().zip(&mut self.step) {
            let mut weak = *weak;
            intersect(&mut weak, &linked);
            members(&weak).for_each(|at| unite(step, &self.strong[at]));
        }
    }

    /// The number of candidates in the shortest chain from `start` true to `start` false, if it is below `limit`.
    pub(super) fn refutes_itself(&self, start: usize, limit: u32) -> Option<u32> {
        let mut front = [0; W];
        insert(&mut front, start);
        self.shortest(front, front, limit, |front| meet(front, &self.weak[start]))
    }

    /// The number of candidates in the shortest chain from `start` false to `start` true, if it is below `limit`.
    pub(super) fn proves_itself(&self, start: usize, limit: u32) -> Option<u32> {
        let front = self.strong[start];
        self.shortest(front, front, limit, |front| has(front, start))
    }

    fn shortest(
        &self,
        mut front: Set<W>,
        mut seen: Set<W>,
        limit: u32,
        closes: impl Fn(&Set<W>) -> bool,
    ) -> Option<u32> {
        let mut length = 4;
        while length < limit && !is_empty(&front) {
            let mut next = [0; W];
            members(&front).for_each(|at| unite(&mut next, &self.step[at]));
            subtract(&mut next, &seen);
            if closes(&next) {
                return Some(length);
            }
            unite(&mut seen, &next);
            front = next;
            length += 2;
        }
        None
    }
}

static CELL_OF: [u16; 729] = {
    let (mut all, mut candidate) = ([0; 729], 0);
    while candidate < 729 {
        all[candidate] = (candidate / 9) as u16;
        candidate += 1;
    }
    all
};

/// Candidates are numbered by their cells.
pub(super) fn of_digit(state: &State, digit: usize) -> Graph<2> {
    let halves = |set: u128| [set as u64, (set >> 64) as u64];
    let none = || vec![[0; 2]; CELLS];
    let (weak, strong, step) = (none(), none(), none());
    let mut graph = Graph { candidate: Vec::new(), number: CELL_OF[..].into(), within: u128::MAX, weak, strong, step };
    let own = state.cells[digit];
    for cell in cells(own) {
        graph.weak[cell] = halves(PEERS[cell] & own);
        graph.strong[cell] = halves(partner_set(state, cell, digit));
    }
    graph.close();
    graph
}

/// The cells that have the digit if `cell` does not: the other place of each house with two. It can come twice.
#[inline]
pub(super) fn partners(state: &State, cell: usize, digit: usize) -> impl Iterator<Item = usize> {
    let houses =
        OF[cell].iter().map(move |&(house, place)| (house as usize, place, state.places[house as usize][digit]));
    let others = houses.filter(|&(_, _, places)| count(places) == 2);
    others.map(|(house, place, places)| HOUSE[house][(places & !(1 << place)).trailing_zeros() as usize] as usize)
}

pub(super) fn partner_set(state: &State, cell: usize, digit: usize) -> u128 {
    partners(state, cell, digit).fold(0, |set, cell| set | 1 << cell)
}

/// The cells with two candidates that may lie on a Y-cycle: each digit has a place in another one that sees it.
pub(super) fn pairs_in_cycles(state: &State) -> u128 {
    let mut pairs = state.cells_with(2);
    loop {
        let goes_on = |cell: usize, digit: usize| PEERS[cell] & pairs & state.cells[digit] != 0;
        let ends = cells(pairs).filter(|&cell| !bits(state.digits[cell]).all(|digit| goes_on(cell, digit)));
        let ends = ends.fold(0, |set, cell| set | 1 << cell);
        if ends == 0 {
            return pairs;
        }
        pairs &= !ends;
    }
}

/// What follows from each candidate in static chains, for all candidates at once.
pub(super) struct Outcomes {
    pub(super) number: Cow<'static, [u16]>,
    words: usize,
    /// [number][word]: the candidates that become on, itself included, and those that become off.
    sides: [Vec<u64>; 2],
}

impl Outcomes {
    pub(super) fn of(state: &State) -> Outcomes {
        match state.candidates() {
            0..=192 => Outcomes::new(Graph::<3>::of(state, None)),
            193..=256 => Outcomes::new(Graph::<4>::of(state, None)),
            257..=384 => Outcomes::new(Graph::<6>::of(state, None)),
            _ => Outcomes::new(Graph::<12>::of(state, None)),
        }
    }

    fn new<const W: usize>(graph: Graph<W>) -> Outcomes {
        let Graph { weak: mut off, step, number, .. } = graph;
        let mut on = vec![[0; W]; off.len()];
        on.iter_mut().enumerate().for_each(|(at, on)| insert(on, at));
        let mut grows = true;
        while std::mem::take(&mut grows) {
            for at in 0..on.len() {
                let (mut more_on, mut more_off) = (on[at], off[at]);
                for next in members(&step[at]) {
                    unite(&mut more_on, &on[next]);
                    unite(&mut more_off, &off[next]);
                }
                grows |= more_on != on[at] || more_off != off[at];
                (on[at], off[at]) = (more_on, more_off);
            }
        }
        Outcomes { number, words: W, sides: [on.into_flattened(), off.into_flattened()] }
    }

    /// The candidates that become on (off) if a candidate is on.
    pub(super) fn side(&self, side: usize, candidate: usize) -> &[u64] {
        row(&self.sides[side], self.number[candidate] as usize, self.words)
    }

    /// False if nothing follows from all candidates. Those that meet a contradiction may agree on anything.
    pub(super) fn may_agree(&self, starts: &[usize]) -> bool {
        let agree =
            |side: usize, word: usize| starts.iter().fold(u64::MAX, |all, &start| all & self.side(side, start)[word]);
        (0..self.words).any(|word| agree(0, word) | agree(1, word) != 0)
            || starts.iter().any(|&start| meet(self.side(0, start), self.side(1, start)))
    }
}
