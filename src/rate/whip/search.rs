//! What follows when a target and some candidates are assumed, and the search for braids.

use super::tables::{CANDIDATE_AT, CANDIDATES, LINKED, Position, VARIABLES, VARIABLES_OF};

/// Candidates of a variable that has a value: never none, never one.
const SETTLED: u16 = 0xffff;

/// Assumptions on a position, made and taken back like a stack.
pub(super) struct Search {
    /// Candidates of each variable that are linked to nothing assumed.
    pub(super) rest: [u16; VARIABLES],
    /// For each candidate, what it takes from variables of which it is no member: the variable, and what it leaves.
    effects: Vec<(u16, u16)>,
    effects_of: [(u32, u32); CANDIDATES],
    /// The alive candidates linked to each, in the order of [`LINKED`].
    links: Vec<u16>,
    links_of: [(u32, u32); CANDIDATES],
    /// Candidates that are the only ones left in a variable, in the order in which they were found.
    pub(super) forced: Vec<u16>,
    /// True for those in `forced`, and for the target.
    known: [bool; CANDIDATES],
    trail: Vec<(u16, u16)>,
    /// Assumptions that may still be made: the measure of work.
    budget: u64,
}

/// A place in the stack to which it can be taken back.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    trail: usize,
    forced: usize,
}

impl Search {
    pub(super) fn new(budget: u64) -> Search {
        Search {
            rest: [SETTLED; VARIABLES],
            effects: Vec::new(),
            effects_of: [(0, 0); CANDIDATES],
            links: Vec::new(),
            links_of: [(0, 0); CANDIDATES],
            forced: Vec::new(),
            known: [false; CANDIDATES],
            trail: Vec::new(),
            budget,
        }
    }

    /// Starts on a position in which there are no singles.
    pub(super) fn load(&mut self, position: &Position) {
        for (variable, rest) in self.rest.iter_mut().enumerate() {
            *rest = if position.settled[variable] { SETTLED } else { position.left[variable] };
        }
        self.effects.clear();
        self.links.clear();
        let mut keep = [SETTLED; VARIABLES];
        for candidate in position.candidates() {
            let start = self.links.len();
            let linked = LINKED[candidate as usize].iter().filter(|&&other| position.alive[other as usize]);
            self.links.extend(linked);
            self.links_of[candidate as usize] = (start as u32, self.links.len() as u32);
            let first = self.effects.len();
            let own = VARIABLES_OF[candidate as usize].map(|(variable, _)| variable);
            for at in start..self.links.len() {
                for (variable, bit) in VARIABLES_OF[self.links[at] as usize] {
                    if !position.settled[variable as usize] && !own.contains(&variable) {
                        if keep[variable as usize] == SETTLED {
                            self.effects.push((variable, 0));
                        }
                        keep[variable as usize] &= !bit;
                    }
                }
            }
            for (variable, left) in &mut self.effects[first..] {
                *left = std::mem::replace(&mut keep[*variable as usize], SETTLED);
            }
            self.effects_of[candidate as usize] = (first as u32, self.effects.len() as u32);
        }
    }

    /// True when the budget is used up: searches then say that there is nothing.
    pub(super) fn spent(&self) -> bool {
        self.budget == 0
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { trail: self.trail.len(), forced: self.forced.len() }
    }

    /// Assumes a candidate. True when a variable is left without any; then not everything may have been followed up.
    pub(super) fn assume(&mut self, candidate: u16) -> bool {
        self.budget = self.budget.saturating_sub(1);
        let (start, end) = self.effects_of[candidate as usize];
        let mut clash = false;
        for at in start as usize..end as usize {
            let (variable, keep) = self.effects[at];
            let old = self.rest[variable as usize];
            let rest = old & keep;
            if rest == old {
                continue;
            }
            self.trail.push((variable, old));
            self.rest[variable as usize] = rest;
            if rest & (rest - 1) == 0 {
                if rest == 0 {
                    clash = true;
                    continue;
                }
                let forced = CANDIDATE_AT[variable as usize][rest.trailing_zeros() as usize];
                if !std::mem::replace(&mut self.known[forced as usize], true) {
                    self.forced.push(forced);
                }
            }
        }
        clash
    }

    pub(super) fn back_to(&mut self, mark: Mark) {
        for (variable, old) in self.trail.drain(mark.trail..).rev() {
            self.rest[variable as usize] = old;
        }
        for candidate in self.forced.drain(mark.forced..) {
            self.known[candidate as usize] = false;
        }
    }

    /// Runs a search with the target assumed.
    pub(super) fn with_target(&mut self, target: u16, search: impl FnOnce(&mut Search, bool) -> bool) -> bool {
        let mark = self.mark();
        self.known[target as usize] = true;
        let clash = self.assume(target);
        let found = search(self, clash);
        self.back_to(mark);
        self.known[target as usize] = false;
        found
    }

    /// True when assuming a target leads to a clash within so many rounds of all consequences at once.
    pub(super) fn refutable(&mut self, target: u16, rounds: u8) -> bool {
        self.with_target(target, |search, clash| clash || rounds > 1 && search.clashes_within(0, rounds))
    }

    /// True when the consequences of the forced candidates from `first` on lead to a clash in the `rounds`-th variable or
    /// before.
    pub(super) fn clashes_within(&mut self, first: usize, rounds: u8) -> bool {
        let mark = self.mark();
        let (mut done, mut found) = (first, false);
        'rounds: for _ in 1..rounds {
            let end = self.forced.len();
            if done == end {
                break;
            }
            for at in done..end {
                if self.assume(self.forced[at]) {
                    found = true;
                    break 'rounds;
                }
            }
            done = end;
        }
        self.back_to(mark);
        found
    }

    /// True when there is a braid of this length or shorter on the target.
    pub(super) fn braid(&mut self, target: u16, length: u8) -> bool {
        self.with_target(target, |search, clash| clash || length > 1 && search.longer_braid(0, length - 1))
    }

    /// Chooses the next R among the forced ones from `first` on; every set of them is tried once, in one order.
    fn longer_braid(&mut self, first: usize, more: u8) -> bool {
        let end = self.forced.len();
        for at in first..end {
            if self.spent() {
                return false;
            }
            let mark = self.mark();
            let found = self.assume(self.forced[at])
                || more > 1 && (more <= 2 || self.clashes_within(at + 1, more)) && self.longer_braid(at + 1, more - 1);
            self.back_to(mark);
            if found {
                return true;
            }
        }
        false
    }

    /// The alive candidates linked to a candidate.
    pub(super) fn links(&self, candidate: u16) -> &[u16] {
        let (start, end) = self.links_of[candidate as usize];
        &self.links[start as usize..end as usize]
    }
}
