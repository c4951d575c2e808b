//! Static chains as reachability in bit sets.
//!
//! ```text
//!   on(a) --weak--> off(b) --strong--> on(c)          step[a] = all of these c
//! ```
//! A weak link joins candidates that exclude each other. A strong link joins candidates of which one must be true.
//! While the position does not change, the links are symmetric, and the shortest chain to a candidate is found layer by
//! layer. A layer is a set, and the next layer is the union of its members' steps. Lengths count candidates: `on` of
//! layer j is number 2j + 1 of its chain, and an `off` reached from it is number 2j + 2.

use super::reach::{LinkScope, Reach, Rivals, Set, TrueRows, union};
use super::run::{OFF, ON};
use crate::bits::{has, insert, intersect, is_empty, meet, members, row, subtract, unite};
use crate::explainer::state::{CellsByDigit, State};
use crate::explainer::tables::{HOUSE, OF, PEERS, bits, cell_set, cells, count};

/// The limit of a search for chains of any number of candidates.
pub(crate) const NO_LIMIT: u32 = u32::MAX;

/// Links between candidates, which are numbered in the order of digit and cell.
pub(crate) struct Graph<const W: usize> {
    /// The candidate of each number: 9 * cell + digit.
    pub(crate) candidate: Vec<u16>,
    /// The number of each candidate.
    pub(crate) number: Vec<u16>,
    /// The cells of each digit that have strong links.
    pub(crate) linked: CellsByDigit,
    /// `[number]`: the numbers with weak links to a candidate.
    pub(crate) weak: Vec<Set<W>>,
    /// `[number]`: those with strong links.
    pub(crate) strong: Vec<Set<W>>,
    /// `[number]`: those that a weak and then a strong link reach.
    pub(crate) step: Vec<Set<W>>,
}

impl<const W: usize> Graph<W> {
    /// The links of a scope.
    pub(crate) fn of(state: &State, scope: &LinkScope) -> Graph<W> {
        let Rivals { number, numbered: candidate, excluded: weak, .. } = Rivals::of(state, scope, &state.cells);
        let strong = scope.links(&number, candidate.len());
        let step = weak.iter().map(|weak| union(weak, &[u64::MAX; W], &strong)).collect();
        Graph { candidate, number, linked: scope.linked, weak, strong, step }
    }

    /// The number of candidates in the shortest chain from `start` true to `start` false.
    pub(crate) fn refutes_itself(&self, start: usize) -> Option<u32> {
        let mut front = [0; W];
        insert(&mut front, start);
        self.shortest(front, front, |front| meet(front, &self.weak[start]))
    }

    /// The number of candidates in the shortest chain from `start` false to `start` true.
    pub(crate) fn proves_itself(&self, start: usize) -> Option<u32> {
        let front = self.strong[start];
        self.shortest(front, front, |front| has(front, start))
    }

    /// The number of candidates when the first layer after `front` closes the chain. `seen` are not visited again.
    fn shortest(&self, mut front: Set<W>, mut seen: Set<W>, closes: impl Fn(&Set<W>) -> bool) -> Option<u32> {
        let mut length = 4;
        while !is_empty(&front) {
            let mut next = [0; W];
            members(&front).for_each(|member| unite(&mut next, &self.step[member]));
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

/// The cells that have the digit if `cell` does not: the other place of each house with two. It can come twice.
#[inline]
pub(crate) fn partners(state: &State, cell: usize, digit: usize) -> impl Iterator<Item = usize> {
    OF[cell].iter().filter_map(move |&(house, place)| {
        let places = state.places[house as usize][digit];
        let last_place = (places & !(1 << place)).trailing_zeros() as usize;
        (count(places) == 2).then(|| HOUSE[house as usize][last_place] as usize)
    })
}

/// The cells to which the strong links of a candidate along its digit lead.
pub(crate) fn partner_set(state: &State, cell: usize, digit: usize) -> u128 {
    cell_set(partners(state, cell, digit))
}

/// The cells with two candidates that may lie on a Y-cycle: each digit has a place in another one that sees it.
pub(crate) fn pairs_in_cycles(state: &State) -> u128 {
    let mut pairs = state.cells_with(2);
    loop {
        let mut dead_ends = 0;
        for cell in cells(pairs) {
            let seen_pairs = PEERS[cell] & pairs;
            let goes_on = bits(state.digits[cell]).all(|digit| seen_pairs & state.cells[digit] != 0);
            dead_ends |= u128::from(!goes_on) << cell;
        }
        if dead_ends == 0 {
            return pairs;
        }
        pairs &= !dead_ends;
    }
}

/// What follows from each candidate in static chains, for all candidates at once.
pub(crate) struct Outcomes {
    /// The row of each candidate.
    number: Vec<u16>,
    /// The words of a row of `sides[ON]`, and of all other rows.
    words: [usize; 2],
    /// `[side][row * words + word]`: the linked candidates that become on, that of the row too; those that become off.
    sides: [Vec<u64>; 2],
    /// `[side][row * words + word]`: the candidates to which weak links lead (from on), and strong ones (from off).
    links: [Vec<u64>; 2],
    /// [row]: how far other candidates are from this one, where it was asked.
    distances: Vec<Option<Distances>>,
}

/// The candidates that become on and off if one is on, and the lengths of the shortest chains to them.
struct Distances {
    /// `[side]`: the numbers of the candidates that become on, and off.
    reached: [Set<12>; 2],
    /// `[side][number]`: the length.
    lengths: [Vec<u16>; 2],
}

impl Outcomes {
    /// What follows from each candidate of a position.
    pub(crate) fn of(state: &State) -> Outcomes {
        let scope = LinkScope::all(state);
        let on = match scope.count() {
            0..=64 => Reach::<1>::new(state, &scope).outcomes(),
            65..=128 => Reach::<2>::new(state, &scope).outcomes(),
            129..=256 => Reach::<4>::new(state, &scope).outcomes(),
            _ => Reach::<12>::new(state, &scope).outcomes(),
        };
        match state.candidates() {
            0..=192 => Outcomes::new::<3>(state, &scope, on),
            193..=256 => Outcomes::new::<4>(state, &scope, on),
            257..=384 => Outcomes::new::<6>(state, &scope, on),
            _ => Outcomes::new::<12>(state, &scope, on),
        }
    }

    fn new<const W: usize>(state: &State, scope: &LinkScope, on: TrueRows) -> Outcomes {
        let Rivals::<W> { number, excluded, .. } = Rivals::of(state, scope, &state.cells);
        let mut off = excluded.clone();
        for (candidate, off) in off.iter_mut().enumerate() {
            for linked in members(row(&on.rows, candidate, on.words)) {
                unite(off, &excluded[number[on.linked[linked] as usize] as usize]);
            }
        }
        let strong = scope.links::<W>(&number, excluded.len()).into_flattened();
        let distances = excluded.iter().map(|_| None).collect();
        let (sides, links) = ([on.rows, off.into_flattened()], [excluded.into_flattened(), strong]);
        Outcomes { number, words: [on.words, W], sides, links, distances }
    }

    /// The least sum of the lengths of shortest chains that lead from all starts to the same result.
    pub(crate) fn nearest(&mut self, starts: &[usize]) -> Option<u32> {
        for start in starts.iter().map(|&start| self.number[start] as usize) {
            if self.distances[start].is_none() {
                self.distances[start] = Some(self.distances_from(start));
            }
        }
        let starts: Vec<&Distances> =
            starts.iter().filter_map(|&start| self.distances[self.number[start] as usize].as_ref()).collect();
        let mut nearest = None;
        for side in [ON, OFF] {
            let mut common = [u64::MAX; 12];
            starts.iter().for_each(|start| intersect(&mut common, &start.reached[side]));
            for result in members(&common) {
                let sum = starts.iter().map(|start| u32::from(start.lengths[side][result])).sum();
                nearest = Some(nearest.map_or(sum, |nearest: u32| nearest.min(sum)));
            }
        }
        nearest
    }

    /// The shortest chains from one candidate that is on.
    fn distances_from(&self, start: usize) -> Distances {
        let lengths = [ON, OFF].map(|_| vec![0; self.distances.len()]);
        let mut distances = Distances { reached: [[0; 12]; 2], lengths };
        // The candidates that chains of this length reach: all of them are on, or all off.
        let (mut front, mut side, mut length) = ([0; 12], ON, 1);
        insert(&mut front, start);
        while !is_empty(&front) {
            let mut next = [0; 12];
            unite(&mut distances.reached[side], &front);
            for member in members(&front) {
                distances.lengths[side][member] = length;
                unite(&mut next, row(&self.links[side], member, self.words[OFF]));
            }
            side = 1 - side;
            subtract(&mut next, &distances.reached[side]);
            (front, length) = (next, length + 1);
        }
        distances
    }

    /// The candidates that become on ([`ON`]), or off ([`OFF`]), if a candidate is on.
    pub(crate) fn side(&self, side: usize, candidate: usize) -> &[u64] {
        row(&self.sides[side], self.number[candidate] as usize, self.words[side])
    }

    /// True if a candidate meets a contradiction.
    pub(crate) fn is_refuted(&self, candidate: usize) -> bool {
        has(self.side(OFF, candidate), self.number[candidate] as usize)
    }

    /// False if nothing follows from all candidates. Those that meet a contradiction may agree on anything.
    pub(crate) fn may_agree(&self, starts: &[usize]) -> bool {
        for side in [ON, OFF] {
            let (rows, words) = (&self.sides[side], self.words[side]);
            for word in 0..words {
                let mut common = u64::MAX;
                starts.iter().for_each(|&start| common &= rows[self.number[start] as usize * words + word]);
                if common != 0 {
                    return true;
                }
            }
        }
        starts.iter().any(|&start| self.is_refuted(start))
    }
}
