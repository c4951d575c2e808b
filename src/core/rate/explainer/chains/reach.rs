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

use crate::rate::bits::{has, insert, intersect, is_empty, meet, members, members_of_word, remove, subtract, unite};
use crate::rate::explainer::state::{Removals, State};
use crate::rate::explainer::tables::{CELLS, HOUSE, HOUSES, OF, PEERS, bits, cells, count};

/// A set of up to 64 * W numbers.
pub(crate) type Set<const W: usize> = [u64; W];

/// Some links of a position.
pub(crate) struct Scope {
    /// Pairs of candidates with a strong link. Some come twice.
    strong: Vec<(u16, u16)>,
    /// The linked cells of each digit.
    pub(crate) linked: Removals,
    /// The cells of the candidates that have links.
    cells: u128,
    /// The digits of these candidates.
    digits: u16,
    /// With weak links inside cells.
    inside: bool,
}

impl Scope {
    /// All links.
    pub(crate) fn all(state: &State) -> Scope {
        let pairs = Scope::pairs(state, state.cells_with(2));
        let mut scope = Scope { cells: (1 << CELLS) - 1, inside: true, ..pairs };
        (0..9).for_each(|digit| scope.link_along(state, digit));
        scope
    }

    /// The links along a digit.
    pub(crate) fn digit(state: &State, digit: usize) -> Scope {
        let mut scope =
            Scope { strong: Vec::new(), linked: [0; 9], cells: state.cells[digit], digits: 1 << digit, inside: false };
        scope.link_along(state, digit);
        scope
    }

    /// The links among some cells with two candidates: strong ones inside cells, weak ones along digits.
    pub(crate) fn pairs(state: &State, pairs: u128) -> Scope {
        let linked = state.cells.map(|cells| cells & pairs);
        let mut scope = Scope { strong: Vec::with_capacity(128), linked, cells: pairs, digits: 0x1ff, inside: false };
        for cell in cells(pairs) {
            let mut digits = bits(state.digits[cell]);
            if let (Some(one), Some(two)) = (digits.next(), digits.next()) {
                scope.strong.push(((9 * cell + one) as u16, (9 * cell + two) as u16));
            }
        }
        scope
    }

    /// Adds the strong links of a digit.
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

    /// The strong links of each number.
    pub(crate) fn links<const W: usize>(&self, number: &[u16], count: usize) -> Vec<Set<W>> {
        let mut links = vec![[0; W]; count];
        for &(one, two) in &self.strong {
            let [one, two] = [one, two].map(|candidate| number[candidate as usize] as usize);
            insert(&mut links[one], two);
            insert(&mut links[two], one);
        }
        links
    }

    /// The number of linked candidates.
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
    /// Every other candidate of the scope in this order, with the numbers of those that it excludes.
    others: Vec<(u16, Set<W>)>,
}

impl<const W: usize> Rivals<W> {
    /// Numbers the candidates in some cells of each digit.
    pub(crate) fn of(state: &State, scope: &Scope, to_number: &Removals) -> Rivals<W> {
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
            let all = state.cells[digit] & scope.cells;
            // The numbered candidates of the digit in each house.
            let (mut in_house, mut at) = ([[0; W]; HOUSES], excluded.len());
            for cell in cells(all & to_number[digit]) {
                OF[cell].iter().for_each(|&(house, _)| insert(&mut in_house[house as usize], at));
                at += 1;
            }
            let rivals = |cell: usize| {
                let mut rivals = in_cell[cell];
                OF[cell].iter().for_each(|&(house, _)| unite(&mut rivals, &in_house[house as usize]));
                rivals
            };
            for cell in cells(all & to_number[digit]) {
                let mut rivals = rivals(cell);
                remove(&mut rivals, excluded.len());
                excluded.push(rivals);
            }
            others.extend(cells(all & !to_number[digit]).map(|cell| ((9 * cell + digit) as u16, rivals(cell))));
        }
        Rivals { number, numbered, excluded, others }
    }
}

/// The search. Linked candidates have numbers in the order of digit and cell.
pub(crate) struct Reach<const W: usize> {
    /// [number]: a linked candidate.
    linked: Vec<u16>,
    /// [number]: the linked candidates that it excludes.
    excluded: Vec<Set<W>>,
    /// Every other candidate, in order, with the linked candidates that it excludes.
    others: Vec<(u16, Set<W>)>,
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
    pub(crate) fn new(state: &State, scope: &Scope) -> Reach<W> {
        let Rivals { number, numbered: linked, excluded, others } = Rivals::of(state, scope, &scope.linked);
        let mut of_digit = [[0; W]; 9];
        linked.iter().enumerate().for_each(|(at, &candidate)| insert(&mut of_digit[candidate as usize % 9], at));
        let links = scope.links(&number, linked.len());
        // `before` and `fallen` get their values in the first step.
        let (new, before, reached, fallen) = (links.clone(), links.clone(), links.clone(), links.clone());
        let mut active = [0; W];
        (0..linked.len()).for_each(|at| insert(&mut active, at));
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
        for (at, (new, reached)) in self.new.iter_mut().zip(&mut self.reached).enumerate() {
            *new = union(&self.links[at], &[u64::MAX; W], &self.fallen);
            subtract(new, reached);
            unite(reached, new);
            if !is_empty(new) {
                insert(&mut self.active, at);
            }
        }
        true
    }

    fn candidate(&self, number: usize) -> usize {
        self.linked[number].into()
    }

    /// The shortest chain with fewer than `limit` candidates that refutes or proves its start: length, start, whether
    /// it proves. A chain of four candidates would be a locked candidate, which was found before. Among equally short
    /// ones the first by start, refutations first.
    pub(crate) fn shortest(&mut self, limit: u32) -> Option<(u32, usize, bool)> {
        let first = |starts: Removals| {
            let starts = starts.into_iter().enumerate().filter(|(_, cells)| *cells != 0);
            starts.map(|(digit, cells)| 9 * cells.trailing_zeros() as usize + digit).min()
        };
        // Chains of four candidates.
        self.advance();
        for length in (6..limit).step_by(2) {
            let [refuted, proved] = self.step()?;
            let closed = [(first(refuted), false), (first(proved), true)].into_iter();
            if let Some((start, proves)) = closed.filter_map(|(start, proves)| Some((start?, proves))).min() {
                return Some((length, start, proves));
            }
        }
        None
    }

    /// What chains of up to this number of candidates refute, and what they prove.
    pub(crate) fn decided(&mut self, longest: u32) -> [Removals; 2] {
        let mut all = [[0; 9]; 2];
        self.advance();
        for more in (6..=longest).step_by(2).map_while(|_| self.step()) {
            all.as_flattened_mut().iter_mut().zip(more.into_iter().flatten()).for_each(|(all, more)| *all |= more);
        }
        all
    }

    /// Makes the chains longer by two links: what those of this length refute, and what they prove. None when no chain
    /// can continue.
    fn step(&mut self) -> Option<[Removals; 2]> {
        let active = self.active;
        if !self.advance() {
            return None;
        }
        let mut closed = [[0; 9]; 2];
        let mut close = |side: usize, start: u16| closed[side][start as usize % 9] |= 1 << (start / 9);
        for (number, &start) in self.linked.iter().enumerate() {
            if meet(&self.fallen[number], &self.excluded[number]) {
                close(0, start);
            }
            if has(&self.new[number], number) {
                close(1, start);
            }
        }
        // Other candidates have no rows in `fallen`.
        for &(start, ref excluded) in &self.others {
            if meet(&union(excluded, &active, &self.before), excluded) {
                close(0, start);
            }
        }
        Some(closed)
    }

    /// The candidates that lie on a cycle that may remove something, and others, if cycles have at most as many
    /// candidates as the chain that [`Reach::shortest`] has found: see [`super::forcing`].
    ///
    /// Such a cycle has two rivals: candidates of a digit that have a peer candidate in common. A chain from the
    /// falsehood of one leads to the other. This chain, and what it leads to, has every candidate that is true while
    /// the first is false. The other candidates come with the second.
    pub(crate) fn near_cycles(&self, state: &State) -> Removals {
        self.starts(|start| {
            self.closes(state, start, &self.before, Some(&self.links)) || self.closes(state, start, &self.new, None)
        })
    }

    /// The candidates that lie on such a cycle of any length, and others.
    pub(crate) fn on_cycles(&mut self, state: &State) -> Removals {
        while self.advance() {}
        self.starts(|start| self.closes(state, start, &self.reached, Some(&self.reached)))
    }

    /// The cells of linked candidates from which chains come back. Only these can be on a cycle if no weak link is
    /// inside a cell.
    pub(crate) fn returning(&self) -> u128 {
        let returns = self.reached.iter().zip(&self.excluded).zip(&self.linked);
        let returns = returns.filter(|((reached, excluded), _)| meet(reached.as_slice(), excluded.as_slice()));
        returns.fold(0, |set, (_, candidate)| set | 1 << (candidate / 9))
    }

    /// What becomes true with each candidate: the linked candidates, the words of a row, and a row for each candidate.
    pub(crate) fn outcomes(mut self) -> (Vec<u16>, usize, Vec<u64>) {
        while self.advance() {}
        let on = |excluded: &Set<W>| union(excluded, &[u64::MAX; W], &self.reached);
        let place = |candidate: u16| (candidate % 9, candidate / 9);
        let mut rows = Vec::with_capacity(self.linked.len() + self.others.len());
        let mut others = self.others.iter().peekable();
        for (at, (&linked, excluded)) in self.linked.iter().zip(&self.excluded).enumerate() {
            let before = |(other, _): &&(u16, Set<W>)| place(*other) < place(linked);
            rows.extend(std::iter::from_fn(|| others.next_if(before)).map(|(_, set)| on(set)));
            let mut row = on(excluded);
            insert(&mut row, at);
            rows.push(row);
        }
        rows.extend(others.map(|(_, excluded)| on(excluded)));
        (self.linked, W, rows.into_flattened())
    }

    /// True when chains of some rows lead from the falsehood of a linked candidate to a rival whose truth refutes it:
    /// by a weak link, or by chains of `further` rows between two weak links.
    #[inline(always)]
    fn closes(&self, state: &State, start: usize, rows: &[Set<W>], further: Option<&[Set<W>]>) -> bool {
        let candidate = self.candidate(start);
        let (own, mut rivals) = (&self.excluded[start], rows[start]);
        intersect(&mut rivals, &self.of_digit[candidate % 9]);
        members(&rivals).filter(|&rival| rival != start).any(|rival| {
            let other = self.candidate(rival);
            let leads = |rows: &[Set<W>]| members(&self.excluded[rival]).any(|next| meet(&rows[next], own));
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

/// The union of the rows whose numbers are in both sets.
#[inline(always)]
pub(crate) fn union<const W: usize>(set: &Set<W>, active: &Set<W>, rows: &[Set<W>]) -> Set<W> {
    let mut all = [0; W];
    for (word, (set, active)) in set.iter().zip(active).enumerate() {
        members_of_word(word, set & active).for_each(|at| unite(&mut all, &rows[at]));
    }
    all
}
