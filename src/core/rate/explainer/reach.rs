//! Static chains from the falsehood of each candidate, for all candidates at once.
//!
//! ```text
//!   off(x) ==strong== on(b) --weak-- off(c) ==strong== on(y)       the row of y is the set of these x
//! ```
//! Only candidates with strong links, called **linked**, are starts and have rows. One step of the search makes the
//! chains longer by a weak and a strong link. Chains are symmetric: x is in the row of y when y is in the row of x.
//!
//! A chain that refutes a candidate leads from the falsehood of one linked candidate that it excludes to the truth of
//! another. A chain that proves one leads from its falsehood to its truth.

use super::graph::{Set, partners};
use super::state::{Removals, State};
use super::tables::{HOUSE, PEERS, bits, cells, count};
use crate::rate::bits::{has, insert, intersect, is_empty, meet, members, subtract, unite};

/// The linked candidates of a position.
pub(super) struct Linked {
    /// The cells of each digit.
    cells: Removals,
    /// The cells whose candidates have weak links.
    within: u128,
    /// With strong links along digits, not only inside cells.
    along_digits: bool,
}

impl Linked {
    /// With all links.
    pub(super) fn of(state: &State) -> Linked {
        let mut linked = Linked::in_pairs(state, state.cells_with(2));
        (linked.within, linked.along_digits) = (u128::MAX, true);
        for (house, places) in state.places.iter().enumerate() {
            for (digit, &places) in places.iter().enumerate().filter(|&(_, &places)| count(places) == 2) {
                bits(places).for_each(|place| linked.cells[digit] |= 1 << HOUSE[house][place]);
            }
        }
        linked
    }

    /// With the links among some cells with two candidates, without strong links along digits.
    pub(super) fn in_pairs(state: &State, pairs: u128) -> Linked {
        Linked { cells: state.cells.map(|cells| cells & pairs), within: pairs, along_digits: false }
    }

    pub(super) fn count(&self) -> u32 {
        self.cells.iter().map(|cells| cells.count_ones()).sum()
    }
}

/// A candidate as the end of chains.
struct End {
    candidate: u16,
    /// Where the list of the linked candidates that it excludes ends.
    last: u32,
}

/// The search.
pub(super) struct Reach<const W: usize> {
    /// The candidates in the order of cell and digit.
    ends: Vec<End>,
    /// The numbers of the linked candidates that each candidate excludes.
    weak: Vec<u16>,
    /// [candidate]: the same as a set.
    excluded: Vec<Set<W>>,
    /// The linked candidates in the order of their numbers.
    linked: Vec<u16>,
    /// For each linked candidate those with which it has strong links. A row of four has some of them several times.
    strong: Vec<[u16; 4]>,
    /// The same as sets.
    links: Vec<Set<W>>,
    /// For each digit its linked candidates.
    of_digit: [Set<W>; 9],
    /// [number]: the starts that make a candidate true in the last step, but in no earlier one; and in the step before.
    new: Vec<Set<W>>,
    before: Vec<Set<W>>,
    /// [number]: the starts that make a candidate true in any step.
    reached: Vec<Set<W>>,
    /// [candidate]: the starts that made a candidate false in the weak half of the last step.
    fallen: Vec<Set<W>>,
}

impl<const W: usize> Reach<W> {
    /// The chains of one strong link.
    pub(super) fn new(state: &State, links: &Linked) -> Reach<W> {
        let (mut linked, mut number) = (Vec::with_capacity(64 * W), [0u16; 729]);
        let mut of_digit = [[0; W]; 9];
        for (digit, &own) in links.cells.iter().enumerate() {
            for candidate in cells(own).map(|cell| 9 * cell + digit) {
                number[candidate] = linked.len() as u16;
                insert(&mut of_digit[digit], linked.len());
                linked.push(candidate as u16);
            }
        }
        let (mut ends, mut weak, mut excluded) = (Vec::with_capacity(256), Vec::with_capacity(2048), vec![[0; W]; 729]);
        for (cell, &digits) in state.digits.iter().enumerate().filter(|(cell, _)| links.within >> cell & 1 != 0) {
            for digit in bits(digits) {
                let candidate = 9 * cell + digit;
                let inside = bits(digits & !(1 << digit)).filter(|&other| links.cells[other] >> cell & 1 != 0);
                let along = cells(PEERS[cell] & links.cells[digit]).map(|peer| 9 * peer + digit);
                for other in inside.map(|other| 9 * cell + other).chain(along) {
                    weak.push(number[other]);
                    insert(&mut excluded[candidate], number[other].into());
                }
                ends.push(End { candidate: candidate as u16, last: weak.len() as u32 });
            }
        }
        let mut new = vec![[0; W]; linked.len()];
        let strong = linked.iter().zip(&mut new).map(|(&candidate, row)| {
            let (cell, digit) = (candidate as usize / 9, candidate as usize % 9);
            let other = state.digits[cell] & !(1 << digit);
            let inside = other.is_power_of_two().then(|| 9 * cell + other.trailing_zeros() as usize);
            let along = partners(state, cell, digit).filter(|_| links.along_digits).map(|peer| 9 * peer + digit);
            let (mut all, mut count) = ([0; 4], 0);
            for other in inside.into_iter().chain(along) {
                insert(row, number[other].into());
                all[count..].fill(other as u16);
                count += 1;
            }
            all
        });
        let strong = strong.collect();
        let (links, before, reached, fallen) = (new.clone(), new.clone(), new.clone(), vec![[0; W]; 729]);
        Reach { ends, weak, excluded, linked, strong, links, of_digit, new, before, reached, fallen }
    }

    /// Makes the chains longer by two links. False when no chain can continue.
    fn advance(&mut self) -> bool {
        if self.new.iter().all(|row| is_empty(row)) {
            return false;
        }
        let mut first = 0;
        for &End { candidate, last } in &self.ends {
            let mut all = [0; W];
            self.weak[first..last as usize].iter().for_each(|&rival| unite(&mut all, &self.new[rival as usize]));
            self.fallen[candidate as usize] = all;
            first = last as usize;
        }
        std::mem::swap(&mut self.new, &mut self.before);
        for ((new, reached), strong) in self.new.iter_mut().zip(&mut self.reached).zip(&self.strong) {
            *new = [0; W];
            strong.iter().for_each(|&other| unite(new, &self.fallen[other as usize]));
            subtract(new, reached);
            unite(reached, new);
        }
        true
    }

    /// The shortest chain with fewer than `limit` candidates that refutes or proves its start: length, start, whether it
    /// proves. Among equally short ones the first by start, refutations first.
    pub(super) fn shortest(&mut self, state: &State, limit: u32) -> Option<(u32, usize, bool)> {
        let mut length = 4;
        while length < limit && self.advance() {
            let is_open = |candidate: usize| count(state.digits[candidate / 9]) > 1;
            let all = self.ends.iter().map(|end| end.candidate as usize);
            let refuted = |&at: &usize| meet(&self.fallen[at], &self.excluded[at]) && is_open(at);
            let refutation = all.clone().find(refuted).map(|start| (start, false));
            let proves = |&(number, start): &(usize, usize)| has(&self.new[number], number) && is_open(start);
            let linked = self.linked.iter().map(|&start| start as usize).enumerate();
            let proof = linked.filter(proves).map(|(_, start)| (start, true)).min();
            if let Some((start, proves)) = refutation.into_iter().chain(proof).min() {
                return Some((length, start, proves));
            }
            length += 2;
        }
        None
    }

    /// The candidates that lie on a cycle that may remove something, and others, if cycles have at most as many
    /// candidates as the chain that [`Reach::shortest`] has found: see [`super::forcing`].
    ///
    /// Such a cycle has two rivals: candidates of a digit that have a peer candidate in common. A chain from the
    /// falsehood of one leads to the other. This chain, and what it leads to, has every candidate that is true while the
    /// first is false. The other candidates come with the second.
    pub(super) fn near_cycles(&self, state: &State) -> Removals {
        self.starts(|start| {
            self.closes(state, start, &self.before, Some(&self.links)) || self.closes(state, start, &self.new, None)
        })
    }

    /// The same for cycles of any length.
    pub(super) fn on_cycles(&mut self, state: &State) -> Removals {
        while self.advance() {}
        self.starts(|start| self.closes(state, start, &self.reached, Some(&self.reached)))
    }

    /// True when chains of some rows lead from the falsehood of a linked candidate to a rival whose truth refutes it: by
    /// a weak link, or by chains of `further` rows between two weak links.
    fn closes(&self, state: &State, start: usize, rows: &[Set<W>], further: Option<&[Set<W>]>) -> bool {
        let candidate = self.linked[start] as usize;
        let (own, mut rivals) = (&self.excluded[candidate], rows[start]);
        intersect(&mut rivals, &self.of_digit[candidate % 9]);
        members(&rivals).filter(|&rival| rival != start).any(|rival| {
            let other = self.linked[rival] as usize;
            let leads = |rows: &[Set<W>]| members(&self.excluded[other]).any(|next| meet(&rows[next], own));
            PEERS[candidate / 9] & PEERS[other / 9] & state.cells[candidate % 9] != 0
                && (has(own, rival) || further.is_some_and(leads))
        })
    }

    /// What is reached from the linked candidates for which `closes` is true.
    fn starts(&self, closes: impl Fn(usize) -> bool) -> Removals {
        let mut near = [0; W];
        (0..self.linked.len()).filter(|&start| closes(start)).for_each(|start| unite(&mut near, &self.reached[start]));
        let mut all = [0; 9];
        for candidate in members(&near).map(|number| self.linked[number] as usize) {
            all[candidate % 9] |= 1 << (candidate / 9);
        }
        all
    }
}
