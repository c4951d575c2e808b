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
use super::tables::{CELLS, HOUSE, PEERS, bits, cells, count};
use crate::rate::bits::{has, insert, intersect, is_empty, meet, members, subtract, unite};

/// Some links of a position.
pub(super) struct Scope {
    /// The linked cells of each digit.
    linked: Removals,
    /// The cells and the digits of the candidates that have links.
    cells: u128,
    digits: u16,
    /// With links inside cells.
    inside: bool,
    /// With strong links along digits.
    along: bool,
}

impl Scope {
    /// All links.
    pub(super) fn all(state: &State) -> Scope {
        let pairs = Scope::pairs(state, state.cells_with(2));
        let mut scope = Scope { cells: (1 << CELLS) - 1, along: true, ..pairs };
        (0..9).for_each(|digit| scope.link_along(state, digit));
        scope
    }

    /// The links along a digit.
    pub(super) fn digit(state: &State, digit: usize) -> Scope {
        let mut scope =
            Scope { linked: [0; 9], cells: state.cells[digit], digits: 1 << digit, inside: false, along: true };
        scope.link_along(state, digit);
        scope
    }

    /// The links among some cells with two candidates, without strong links along digits.
    pub(super) fn pairs(state: &State, pairs: u128) -> Scope {
        let linked = state.cells.map(|cells| cells & pairs);
        Scope { linked, cells: pairs, digits: 0x1ff, inside: true, along: false }
    }

    fn link_along(&mut self, state: &State, digit: usize) {
        for (house, places) in state.places.iter().enumerate() {
            if count(places[digit]) == 2 {
                bits(places[digit]).for_each(|place| self.linked[digit] |= 1 << HOUSE[house][place]);
            }
        }
    }

    /// The number of linked candidates.
    pub(super) fn count(&self) -> u32 {
        self.linked.iter().map(|cells| cells.count_ones()).sum()
    }
}

/// A candidate as the end of chains.
struct End<const W: usize> {
    candidate: u16,
    /// Where the list of the linked candidates that it excludes ends.
    last: u32,
    /// The same as a set.
    excluded: Set<W>,
}

/// The search. Linked candidates have numbers in the order of cell and digit.
pub(super) struct Reach<const W: usize> {
    /// All candidates in the order of cell and digit.
    ends: Vec<End<W>>,
    /// The numbers of the linked candidates that each end excludes.
    weak: Vec<u16>,
    /// [number]: the place of a linked candidate in `ends`.
    linked: Vec<u16>,
    /// [number]: the places of those with which it has strong links, some of them several times.
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
    /// [place]: the starts that made a candidate false in the weak half of the last step.
    fallen: Vec<Set<W>>,
}

impl<const W: usize> Reach<W> {
    /// The chains of one strong link.
    pub(super) fn new(state: &State, scope: &Scope) -> Reach<W> {
        let (mut ends, mut linked) = (Vec::with_capacity(256), Vec::with_capacity(64 * W));
        let (mut place, mut number, mut of_digit) = ([0u16; 729], [0u16; 729], [[0; W]; 9]);
        for cell in cells(scope.cells) {
            for digit in bits(state.digits[cell] & scope.digits) {
                let candidate = 9 * cell + digit;
                place[candidate] = ends.len() as u16;
                if scope.linked[digit] >> cell & 1 != 0 {
                    number[candidate] = linked.len() as u16;
                    insert(&mut of_digit[digit], linked.len());
                    linked.push(ends.len() as u16);
                }
                ends.push(End { candidate: candidate as u16, last: 0, excluded: [0; W] });
            }
        }
        let mut weak = Vec::with_capacity(8 * ends.len());
        for End { candidate, last, excluded } in &mut ends {
            let (cell, digit) = (*candidate as usize / 9, *candidate as usize % 9);
            let others = if scope.inside { state.digits[cell] & !(1 << digit) } else { 0 };
            let inside = bits(others).filter(|&other| scope.linked[other] >> cell & 1 != 0);
            let along = cells(PEERS[cell] & scope.linked[digit]).map(|peer| 9 * peer + digit);
            for other in inside.map(|other| 9 * cell + other).chain(along) {
                weak.push(number[other]);
                insert(excluded, number[other].into());
            }
            *last = weak.len() as u32;
        }
        let mut new = vec![[0; W]; linked.len()];
        let strong = linked.iter().zip(&mut new).map(|(&at, row): (&u16, &mut Set<W>)| {
            let candidate = ends[at as usize].candidate as usize;
            let (cell, digit) = (candidate / 9, candidate % 9);
            let other = state.digits[cell] & !(1 << digit);
            let inside = (scope.inside && other.is_power_of_two()).then(|| 9 * cell + other.trailing_zeros() as usize);
            let along = partners(state, cell, digit).filter(|_| scope.along).map(|peer| 9 * peer + digit);
            let (mut all, mut count) = ([0; 4], 0);
            for other in inside.into_iter().chain(along) {
                insert(row, number[other].into());
                all[count..].fill(place[other]);
                count += 1;
            }
            all
        });
        let strong = strong.collect();
        let (links, before, reached, fallen) = (new.clone(), new.clone(), new.clone(), vec![[0; W]; ends.len()]);
        Reach { ends, weak, linked, strong, links, of_digit, new, before, reached, fallen }
    }

    /// Makes the chains longer by two links. False when no chain can continue.
    fn advance(&mut self) -> bool {
        if self.new.iter().all(|row| is_empty(row)) {
            return false;
        }
        let mut first = 0;
        for (end, fallen) in self.ends.iter().zip(&mut self.fallen) {
            *fallen = [0; W];
            self.weak[first..end.last as usize].iter().for_each(|&rival| unite(fallen, &self.new[rival as usize]));
            first = end.last as usize;
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

    fn candidate(&self, number: usize) -> usize {
        self.ends[self.linked[number] as usize].candidate.into()
    }

    fn excluded(&self, number: usize) -> &Set<W> {
        &self.ends[self.linked[number] as usize].excluded
    }

    /// The shortest chain with fewer than `limit` candidates that refutes or proves its start: length, start, whether it
    /// proves. Among equally short ones the first by start, refutations first.
    pub(super) fn shortest(&mut self, state: &State, limit: u32) -> Option<(u32, usize, bool)> {
        let mut length = 4;
        while length < limit && self.advance() {
            let is_open = |&start: &usize| count(state.digits[start / 9]) > 1;
            let refuted = self.ends.iter().zip(&self.fallen).filter(|&(end, fallen)| meet(fallen, &end.excluded));
            let refuted = refuted.map(|(end, _)| end.candidate as usize).find(is_open);
            let proved = (0..self.linked.len()).filter(|&number| has(&self.new[number], number));
            let proved = proved.map(|number| self.candidate(number)).find(is_open);
            let refutation = refuted.map(|start| (start, false));
            let proof = proved.map(|start| (start, true));
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
        let candidate = self.candidate(start);
        let (own, mut rivals) = (self.excluded(start), rows[start]);
        intersect(&mut rivals, &self.of_digit[candidate % 9]);
        members(&rivals).filter(|&rival| rival != start).any(|rival| {
            let other = self.candidate(rival);
            let leads = |rows: &[Set<W>]| members(self.excluded(rival)).any(|next| meet(&rows[next], own));
            PEERS[candidate / 9] & PEERS[other / 9] & state.cells[candidate % 9] != 0
                && (has(own, rival) || further.is_some_and(leads))
        })
    }

    /// What is reached from the linked candidates for which `closes` is true.
    fn starts(&self, closes: impl Fn(usize) -> bool) -> Removals {
        let mut near = [0; W];
        (0..self.linked.len()).filter(|&start| closes(start)).for_each(|start| unite(&mut near, &self.reached[start]));
        let mut all = [0; 9];
        for candidate in members(&near).map(|number| self.candidate(number)) {
            all[candidate % 9] |= 1 << (candidate / 9);
        }
        all
    }
}
