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

use crate::bits::{has, insert, intersect, is_empty, meet, members, members_of_word, remove, subtract, unite};
use crate::explainer::state::{CellsByDigit, State};
use crate::explainer::tables::{CELLS, HOUSE, HOUSES, OF, PEERS, bits, cells, count};

/// A set of up to 64 * W numbers.
pub(crate) type Set<const W: usize> = [u64; W];

/// Some links of a position.
pub(crate) struct LinkScope {
    /// Pairs of candidates with a strong link. Some come twice.
    strong: Vec<(u16, u16)>,
    /// The linked cells of each digit.
    pub(crate) linked: CellsByDigit,
    /// The cells of the candidates that have links.
    cells: u128,
    /// The digits of these candidates.
    digits: u16,
    /// With weak links inside cells.
    inside: bool,
}

impl LinkScope {
    /// All links.
    pub(crate) fn all(state: &State) -> LinkScope {
        let pairs = LinkScope::pairs(state, state.cells_with(2));
        let mut scope = LinkScope { cells: (1 << CELLS) - 1, inside: true, ..pairs };
        (0..9).for_each(|digit| scope.link_along(state, digit));
        scope
    }

    /// The links along a digit.
    pub(crate) fn digit(state: &State, digit: usize) -> LinkScope {
        let mut scope = LinkScope {
            strong: Vec::new(),
            linked: [0; 9],
            cells: state.cells[digit],
            digits: 1 << digit,
            inside: false,
        };
        scope.link_along(state, digit);
        scope
    }

    /// The links among some cells with two candidates: strong ones inside cells, weak ones along digits.
    pub(crate) fn pairs(state: &State, pairs: u128) -> LinkScope {
        let linked = state.cells.map(|cells| cells & pairs);
        let mut scope =
            LinkScope { strong: Vec::with_capacity(128), linked, cells: pairs, digits: 0x1ff, inside: false };
        for cell in cells(pairs) {
            let mut digits = bits(state.digits[cell]);
            if let (Some(low), Some(high)) = (digits.next(), digits.next()) {
                scope.strong.push(((9 * cell + low) as u16, (9 * cell + high) as u16));
            }
        }
        scope
    }

    fn link_along(&mut self, state: &State, digit: usize) {
        for (house, places) in state.places.iter().enumerate() {
            let places = places[digit];
            if count(places) == 2 {
                let [one, two] = [places.trailing_zeros(), places.ilog2()].map(|place| HOUSE[house][place as usize]);
                self.linked[digit] |= 1 << one | 1 << two;
                self.strong.push((9 * u16::from(one) + digit as u16, 9 * u16::from(two) + digit as u16));
            }
        }
    }

    pub(crate) fn links<const W: usize>(&self, number: &[u16], count: usize) -> Vec<Set<W>> {
        let mut links = vec![[0; W]; count];
        for &(one, two) in &self.strong {
            let [one, two] = [one, two].map(|candidate| number[candidate as usize] as usize);
            insert(&mut links[one], two);
            insert(&mut links[two], one);
        }
        links
    }

    pub(crate) fn count(&self) -> u32 {
        self.linked.iter().map(|cells| cells.count_ones()).sum()
    }
}

/// The weak links of a scope to numbered candidates.
pub(crate) struct Rivals<const W: usize> {
    /// The number of each candidate that has one.
    pub(crate) number: Vec<u16>,
    /// [number]: the candidate. They have numbers in the order of digit and cell.
    pub(crate) numbered: Vec<u16>,
    /// [number]: the numbers of the candidates that it excludes.
    pub(crate) excluded: Vec<Set<W>>,
    /// Every other candidate of the scope, in this order.
    others: Vec<Unnumbered<W>>,
}

/// A candidate without a number, and the numbers of those that it excludes.
struct Unnumbered<const W: usize> {
    candidate: u16,
    excluded: Set<W>,
}

impl<const W: usize> Rivals<W> {
    /// Numbers the candidates in some cells of each digit.
    pub(crate) fn of(state: &State, scope: &LinkScope, to_number: &CellsByDigit) -> Rivals<W> {
        let (mut number, mut numbered, mut in_cell) = (vec![0; 729], Vec::with_capacity(64 * W), [[0; W]; CELLS]);
        for digit in bits(scope.digits) {
            for cell in cells(state.cells[digit] & scope.cells & to_number[digit]) {
                number[9 * cell + digit] = numbered.len() as u16;
                if scope.inside {
                    insert(&mut in_cell[cell], numbered.len());
                }
                numbered.push((9 * cell + digit) as u16);
            }
        }
        let (mut excluded, mut others) = (Vec::with_capacity(numbered.len()), Vec::with_capacity(128));
        for digit in bits(scope.digits) {
            let places = state.cells[digit] & scope.cells;
            // The numbered candidates of the digit in each house.
            let mut in_house = [[0; W]; HOUSES];
            for (cell, number) in cells(places & to_number[digit]).zip(excluded.len()..) {
                OF[cell].iter().for_each(|&(house, _)| insert(&mut in_house[house as usize], number));
            }
            for cell in cells(places) {
                let mut rivals = in_cell[cell];
                OF[cell].iter().for_each(|&(house, _)| unite(&mut rivals, &in_house[house as usize]));
                if to_number[digit] >> cell & 1 != 0 {
                    remove(&mut rivals, excluded.len());
                    excluded.push(rivals);
                } else {
                    others.push(Unnumbered { candidate: (9 * cell + digit) as u16, excluded: rivals });
                }
            }
        }
        Rivals { number, numbered, excluded, others }
    }
}

/// A chain that decides its start. Fields are compared in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ShortestChain {
    /// The number of its candidates.
    pub(crate) length: u32,
    pub(crate) start: usize,
    /// True if it proves its start, false if it refutes it.
    pub(crate) proves: bool,
}

/// What chains of some lengths decide.
#[derive(Clone, Copy, Default)]
pub(crate) struct Decided {
    pub(crate) refuted: CellsByDigit,
    pub(crate) proved: CellsByDigit,
}

/// The search. Linked candidates have numbers in the order of digit and cell.
pub(crate) struct Reach<const W: usize> {
    /// [number]: a linked candidate.
    linked: Vec<u16>,
    /// [number]: the linked candidates that it excludes.
    excluded: Vec<Set<W>>,
    /// Every other candidate, in order.
    others: Vec<Unnumbered<W>>,
    /// [number]: those with which it has strong links.
    links: Vec<Set<W>>,
    /// For each digit its linked candidates.
    of_digit: [Set<W>; 9],
    /// [number]: the starts that make a candidate true in the last step, but in no earlier one.
    new: Vec<Set<W>>,
    /// [number]: the starts that made a candidate true in the step before the last, but in no earlier one.
    before: Vec<Set<W>>,
    /// The numbers whose rows in `new` are not empty.
    active: Set<W>,
    /// [number]: the starts that make a candidate true in any step.
    reached: Vec<Set<W>>,
    /// [number]: the starts that made a candidate false in the weak half of the last step.
    fallen: Vec<Set<W>>,
}

impl<const W: usize> Reach<W> {
    /// The chains of one strong link.
    pub(crate) fn new(state: &State, scope: &LinkScope) -> Reach<W> {
        let Rivals { number, numbered: linked, excluded, others } = Rivals::of(state, scope, &scope.linked);
        let mut of_digit = [[0; W]; 9];
        linked.iter().enumerate().for_each(|(number, &linked)| insert(&mut of_digit[linked as usize % 9], number));
        let links = scope.links(&number, linked.len());
        // `before` and `fallen` get their values in the first step.
        let (new, before, reached, fallen) = (links.clone(), links.clone(), links.clone(), links.clone());
        let mut active = [0; W];
        (0..linked.len()).for_each(|number| insert(&mut active, number));
        Reach { linked, excluded, others, links, of_digit, new, before, active, reached, fallen }
    }

    /// Makes the chains longer by two links. False when no chain can continue.
    fn advance(&mut self) -> bool {
        if is_empty(&self.active) {
            return false;
        }
        for (fallen, excluded) in self.fallen.iter_mut().zip(&self.excluded) {
            *fallen = union(excluded, &self.active, &self.new);
        }
        std::mem::swap(&mut self.new, &mut self.before);
        self.active = [0; W];
        for (number, (new, reached)) in self.new.iter_mut().zip(&mut self.reached).enumerate() {
            *new = union(&self.links[number], &[u64::MAX; W], &self.fallen);
            subtract(new, reached);
            unite(reached, new);
            if !is_empty(new) {
                insert(&mut self.active, number);
            }
        }
        true
    }

    fn candidate(&self, number: usize) -> usize {
        self.linked[number].into()
    }

    /// The shortest chain with fewer than `limit` candidates that refutes or proves its start. A chain of four
    /// candidates would be a locked candidate, which was found before. Among equally short ones the first by start,
    /// refutations first.
    pub(crate) fn shortest(&mut self, limit: u32) -> Option<ShortestChain> {
        // Chains of four candidates.
        self.advance();
        for length in (6..limit).step_by(2) {
            let Decided { refuted, proved } = self.step()?;
            let refutation = first_candidate(&refuted).map(|start| ShortestChain { length, start, proves: false });
            let proof = first_candidate(&proved).map(|start| ShortestChain { length, start, proves: true });
            if let Some(chain) = refutation.into_iter().chain(proof).min() {
                return Some(chain);
            }
        }
        None
    }

    /// What chains of up to this number of candidates decide.
    pub(crate) fn decided(&mut self, longest: u32) -> Decided {
        let mut all = Decided::default();
        self.advance();
        for decided in (6..=longest).step_by(2).map_while(|_| self.step()) {
            for digit in 0..9 {
                all.refuted[digit] |= decided.refuted[digit];
                all.proved[digit] |= decided.proved[digit];
            }
        }
        all
    }

    /// Makes the chains longer by two links: what those of this length decide. None when no chain can continue.
    fn step(&mut self) -> Option<Decided> {
        let active = self.active;
        if !self.advance() {
            return None;
        }
        let mut decided = Decided::default();
        for (number, &start) in self.linked.iter().enumerate() {
            if meet(&self.fallen[number], &self.excluded[number]) {
                decided.refuted[start as usize % 9] |= 1 << (start / 9);
            }
            if has(&self.new[number], number) {
                decided.proved[start as usize % 9] |= 1 << (start / 9);
            }
        }
        // Other candidates have no rows in `fallen`.
        for Unnumbered { candidate, excluded } in &self.others {
            if meet(&union(excluded, &active, &self.before), excluded) {
                decided.refuted[*candidate as usize % 9] |= 1 << (candidate / 9);
            }
        }
        Some(decided)
    }

    /// The candidates that lie on a cycle that may remove something, and others, if cycles have at most as many
    /// candidates as the chain that [`Reach::shortest`] has found: see [`super::forcing`].
    ///
    /// Such a cycle has two rivals: candidates of a digit that have a peer candidate in common. A chain from the
    /// falsehood of one leads to the other. This chain, and what it leads to, has every candidate that is true while
    /// the first is false. The other candidates come with the second.
    pub(crate) fn near_cycles(&self, state: &State) -> CellsByDigit {
        self.starts(|start| {
            self.closes(state, start, &self.before, Some(&self.links)) || self.closes(state, start, &self.new, None)
        })
    }

    /// The candidates that lie on such a cycle of any length, and others.
    pub(crate) fn on_cycles(&mut self, state: &State) -> CellsByDigit {
        while self.advance() {}
        self.starts(|start| self.closes(state, start, &self.reached, Some(&self.reached)))
    }

    /// The cells of linked candidates from which chains come back. Without weak links in cells, no others have cycles.
    pub(crate) fn returning(&self) -> u128 {
        let mut returning = 0;
        for ((reached, excluded), candidate) in self.reached.iter().zip(&self.excluded).zip(&self.linked) {
            returning |= u128::from(meet(reached, excluded)) << (candidate / 9);
        }
        returning
    }

    pub(crate) fn outcomes(mut self) -> TrueRows {
        while self.advance() {}
        let every_number = [u64::MAX; W];
        let mut rows = Vec::with_capacity(self.linked.len() + self.others.len());
        let mut others = self.others.iter().peekable();
        for (number, (&linked, excluded)) in self.linked.iter().zip(&self.excluded).enumerate() {
            // In the order of digit and cell.
            let order = |candidate: u16| (candidate % 9, candidate / 9);
            while let Some(unlinked) = others.next_if(|unlinked| order(unlinked.candidate) < order(linked)) {
                rows.push(union(&unlinked.excluded, &every_number, &self.reached));
            }
            let mut row = union(excluded, &every_number, &self.reached);
            insert(&mut row, number);
            rows.push(row);
        }
        rows.extend(others.map(|unlinked| union(&unlinked.excluded, &every_number, &self.reached)));
        TrueRows { linked: self.linked, words: W, rows: rows.into_flattened() }
    }

    /// True when chains of some rows lead from the falsehood of a linked candidate to a rival whose truth refutes it:
    /// by a weak link, or by chains of `further` rows between two weak links.
    #[inline(always)]
    fn closes(&self, state: &State, start: usize, rows: &[Set<W>], further: Option<&[Set<W>]>) -> bool {
        let (cell, digit) = (self.candidate(start) / 9, self.candidate(start) % 9);
        let excluded = &self.excluded[start];
        let mut rivals = rows[start];
        intersect(&mut rivals, &self.of_digit[digit]);
        members(&rivals).filter(|&rival| rival != start).any(|rival| {
            PEERS[cell] & PEERS[self.candidate(rival) / 9] & state.cells[digit] != 0
                && (has(excluded, rival)
                    || further
                        .is_some_and(|rows| members(&self.excluded[rival]).any(|next| meet(&rows[next], excluded))))
        })
    }

    /// What is reached from the linked candidates for which `closes` is true.
    fn starts(&self, closes: impl Fn(usize) -> bool) -> CellsByDigit {
        let mut near = [0; W];
        (0..self.linked.len()).filter(|&start| closes(start)).for_each(|start| unite(&mut near, &self.reached[start]));
        let mut places = [0; 9];
        for candidate in members(&near).map(|number| self.candidate(number)) {
            places[candidate % 9] |= 1 << (candidate / 9);
        }
        places
    }
}

pub(crate) struct TrueRows {
    /// [number]: the linked candidate.
    pub(crate) linked: Vec<u16>,
    /// The number of words of a row.
    pub(crate) words: usize,
    /// A row of numbers for each candidate.
    pub(crate) rows: Vec<u64>,
}

/// The first candidate, by cell and digit.
fn first_candidate(places: &CellsByDigit) -> Option<usize> {
    let places = places.iter().enumerate().filter(|(_, cells)| **cells != 0);
    places.map(|(digit, cells)| 9 * cells.trailing_zeros() as usize + digit).min()
}

/// The union of the rows whose numbers are in both sets.
#[inline(always)]
pub(crate) fn union<const W: usize>(set: &Set<W>, active: &Set<W>, rows: &[Set<W>]) -> Set<W> {
    let mut union = [0; W];
    for (word, (set, active)) in set.iter().zip(active).enumerate() {
        members_of_word(word, set & active).for_each(|number| unite(&mut union, &rows[number]));
    }
    union
}
