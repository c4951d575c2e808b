//! What follows from assuming a target and further candidates, and the search for braids.

use super::tables::{CANDIDATE_AT, CANDIDATES, LINKED, Position, VARIABLES, VARIABLES_OF};

/// Stands for the candidates of a variable with a value: never none, never one.
const SETTLED: u16 = 0xffff;

/// The longest chains that are searched. No known puzzle comes near this length.
pub(in crate::rate) const LONGEST: u8 = 36;

/// Assumptions on a position, kept on a stack.
pub(in crate::rate) struct Assumptions {
    /// For each level of assumptions, the candidates of each variable that are linked to nothing assumed. A level
    /// starts as a copy of the one below. This costs less than recording what has to be undone.
    levels: Vec<[u16; VARIABLES]>,
    level: usize,
    /// For each candidate, what it removes from variables that it is not part of: the variable, and what remains in it.
    effects: Vec<(u16, u16)>,
    effects_of: [(u32, u32); CANDIDATES],
    /// The candidates that may link a chain, listed for each candidate to which they are linked.
    links: Vec<u16>,
    links_of: [(u32, u32); CANDIDATES],
    /// Candidates that were removed after the links were made.
    gone: [bool; CANDIDATES],
    /// Candidates that are the last of a variable, in the order in which they were found.
    pub(in crate::rate) forced: Vec<u16>,
    /// True for those in `forced`, and for the target.
    known: [bool; CANDIDATES],
    /// The number of assumptions that may still be made, as a measure of work.
    budget: u64,
}

/// The result of following all consequences at once, round by round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rate) enum Rounds {
    /// A variable lost all its candidates in this round. No chain on the target is shorter.
    Clash(u8),
    /// More consequences follow.
    Open,
    /// Nothing more follows: no chain refutes the target.
    Dead,
}

/// A state of the stack to which it can be restored.
#[derive(Clone, Copy)]
pub(in crate::rate) struct Mark {
    level: usize,
    forced: usize,
}

impl Assumptions {
    pub(in crate::rate) fn new(budget: u64) -> Assumptions {
        Assumptions {
            levels: vec![[SETTLED; VARIABLES]; usize::from(LONGEST) + 4],
            level: 0,
            effects: Vec::new(),
            effects_of: [(0, 0); CANDIDATES],
            links: Vec::new(),
            links_of: [(0, 0); CANDIDATES],
            gone: [false; CANDIDATES],
            forced: Vec::new(),
            known: [false; CANDIDATES],
            budget,
        }
    }

    /// Starts on a position in which there are no singles.
    pub(in crate::rate) fn load(&mut self, position: &Position) {
        for (variable, rest) in self.levels[0].iter_mut().enumerate() {
            *rest = if position.settled[variable] { SETTLED } else { position.left[variable] };
        }
        self.link(position, &position.alive, |variable| !position.settled[variable]);
    }

    /// Like [`Assumptions::load`], but every candidate of an earlier position may link a chain. A variable with a value
    /// still takes part, with this value as its only candidate.
    pub(in crate::rate) fn load_generous(&mut self, position: &Position, earlier: &Position) {
        for (variable, rest) in self.levels[0].iter_mut().enumerate() {
            *rest = match (earlier.settled[variable], position.settled[variable]) {
                (true, _) => SETTLED,
                (false, true) => position.value[variable],
                (false, false) => position.left[variable],
            };
        }
        self.link(position, &earlier.alive, |variable| !earlier.settled[variable]);
    }

    /// Records links and effects of all candidates in `linking`.
    fn link(&mut self, position: &Position, linking: &[bool; CANDIDATES], open: impl Fn(usize) -> bool) {
        self.gone = [false; CANDIDATES];
        self.effects.clear();
        self.links.clear();
        let mut keep = [SETTLED; VARIABLES];
        for candidate in (0..CANDIDATES as u16).filter(|&candidate| linking[candidate as usize]) {
            let start = self.links.len();
            let linked = LINKED[candidate as usize].iter().filter(|&&other| linking[other as usize]);
            self.links.extend(linked);
            self.links_of[candidate as usize] = (start as u32, self.links.len() as u32);
            let first = self.effects.len();
            let own = VARIABLES_OF[candidate as usize].map(|(variable, _)| variable);
            let alive = self.links[start..].iter().filter(|&&other| position.alive[other as usize]);
            for (variable, bit) in alive.flat_map(|&other| VARIABLES_OF[other as usize]) {
                if open(variable.into()) && !own.contains(&variable) {
                    if keep[variable as usize] == SETTLED {
                        self.effects.push((variable, 0));
                    }
                    keep[variable as usize] &= !bit;
                }
            }
            for (variable, left) in &mut self.effects[first..] {
                *left = std::mem::replace(&mut keep[*variable as usize], SETTLED);
            }
            self.effects_of[candidate as usize] = (first as u32, self.effects.len() as u32);
        }
    }

    /// Removes a candidate from the position. It no longer counts as a candidate nor as a link.
    pub(in crate::rate) fn eliminate(&mut self, candidate: u16) {
        self.gone[candidate as usize] = true;
        for (variable, bit) in VARIABLES_OF[candidate as usize] {
            let rest = &mut self.levels[0][variable as usize];
            *rest = if *rest == SETTLED { SETTLED } else { *rest & !bit };
        }
    }

    /// True when the budget is used up. Searches then find nothing.
    pub(in crate::rate) fn spent(&self) -> bool {
        self.budget == 0
    }

    /// Candidates of a variable that are linked to nothing assumed.
    pub(in crate::rate) fn rest(&self, variable: u16) -> u16 {
        self.levels[self.level][variable as usize]
    }

    /// Like [`Assumptions::rest`], on a given open level.
    pub(in crate::rate) fn rest_at(&self, level: usize, variable: u16) -> u16 {
        self.levels[level][variable as usize]
    }

    /// Opens a level. [`Assumptions::back_to`] closes it.
    pub(in crate::rate) fn open(&mut self) -> Mark {
        let mark = Mark { level: self.level, forced: self.forced.len() };
        let (below, above) = self.levels.split_at_mut(self.level + 1);
        above[0] = below[self.level];
        self.level += 1;
        mark
    }

    pub(in crate::rate) fn back_to(&mut self, mark: Mark) {
        self.level = mark.level;
        for candidate in self.forced.drain(mark.forced..) {
            self.known[candidate as usize] = false;
        }
    }

    /// Assumes a candidate. True when this leaves a variable without candidates.
    pub(in crate::rate) fn assume(&mut self, candidate: u16) -> bool {
        self.budget = self.budget.saturating_sub(1);
        let (start, end) = self.effects_of[candidate as usize];
        let rests = &mut self.levels[self.level];
        let mut clash = false;
        for &(variable, keep) in &self.effects[start as usize..end as usize] {
            let before = rests[variable as usize];
            let rest = before & keep;
            rests[variable as usize] = rest;
            // One or no candidate is left here. This is rare; nothing else in the loop needs a branch.
            if (rest & rest.wrapping_sub(1) == 0) & (rest != before) {
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

    /// Runs a search with the target assumed.
    pub(in crate::rate) fn with_target(
        &mut self,
        target: u16,
        search: impl FnOnce(&mut Assumptions, bool) -> bool,
    ) -> bool {
        let mark = self.open();
        self.known[target as usize] = true;
        let clash = self.assume(target);
        let found = search(self, clash);
        self.back_to(mark);
        self.known[target as usize] = false;
        found
    }

    /// True when assuming a target leads to a clash within this many rounds of all consequences.
    pub(in crate::rate) fn refutable(&mut self, target: u16, rounds: u8) -> bool {
        matches!(self.rounds(target, rounds), Rounds::Clash(_))
    }

    /// The result of at most `most` rounds of all consequences of a target.
    pub(in crate::rate) fn rounds(&mut self, target: u16, most: u8) -> Rounds {
        let mut end = Rounds::Clash(1);
        self.with_target(target, |search, clash| {
            if !clash {
                end = search.follow(0, most);
            }
            clash
        });
        end
    }

    /// True when the consequences of the forced candidates from `first` on lead to a clash within `rounds` variables.
    pub(in crate::rate) fn clashes_within(&mut self, first: usize, rounds: u8) -> bool {
        let mark = self.open();
        let end = self.follow(first, rounds);
        self.back_to(mark);
        matches!(end, Rounds::Clash(_))
    }

    /// Follows the consequences of the forced candidates from `first` on, round by round.
    fn follow(&mut self, first: usize, rounds: u8) -> Rounds {
        let mut done = first;
        for round in 2..=rounds {
            let end = self.forced.len();
            if done == end {
                return Rounds::Dead;
            }
            for at in done..end {
                if self.assume(self.forced[at]) {
                    return Rounds::Clash(round);
                }
            }
            done = end;
        }
        if done == self.forced.len() { Rounds::Dead } else { Rounds::Open }
    }

    /// True when there is a braid on the target of this length or shorter.
    pub(in crate::rate) fn braid(&mut self, target: u16, length: u8) -> bool {
        self.with_target(target, |search, clash| clash || length > 1 && search.longer_braid(0, length - 1))
    }

    /// Chooses the next R among the forced candidates from `first` on. Every set of them is tried once, in one order.
    fn longer_braid(&mut self, first: usize, more: u8) -> bool {
        let end = self.forced.len();
        for at in first..end {
            if self.spent() {
                return false;
            }
            let mark = self.open();
            let found = self.assume(self.forced[at])
                || more > 1 && (more <= 2 || self.clashes_within(at + 1, more)) && self.longer_braid(at + 1, more - 1);
            self.back_to(mark);
            if found {
                return true;
            }
        }
        false
    }

    /// The candidates that are linked to a candidate and may link a chain.
    pub(in crate::rate) fn links(&self, candidate: u16) -> impl Iterator<Item = u16> + '_ {
        let (start, end) = self.links_of[candidate as usize];
        self.links[start as usize..end as usize].iter().copied().filter(|&link| !self.gone[link as usize])
    }
}
