//! What follows when a target and some candidates are assumed, and the search for braids.

use super::tables::{CANDIDATE_AT, CANDIDATES, LINKED, Position, VARIABLES, VARIABLES_OF};

/// Candidates of a variable that has a value: never none, never one.
const SETTLED: u16 = 0xffff;

/// The longest chains that are searched: no puzzle is known that comes near.
pub(in crate::rate) const LONGEST: u8 = 36;

/// Assumptions on a position, made and taken back like a stack.
pub(in crate::rate) struct Assumptions {
    /// For each level of assumptions the candidates of each variable that are linked to nothing assumed. A level starts as
    /// a copy of the one below: cheaper than to note what is to be taken back.
    levels: Vec<[u16; VARIABLES]>,
    level: usize,
    /// For each candidate, what it takes from variables of which it is no member: the variable, and what it leaves.
    effects: Vec<(u16, u16)>,
    effects_of: [(u32, u32); CANDIDATES],
    /// The candidates that may link a chain, for each candidate to which they are linked.
    links: Vec<u16>,
    links_of: [(u32, u32); CANDIDATES],
    /// Candidates that were removed since the links were made.
    gone: [bool; CANDIDATES],
    /// Candidates that are the only ones left in a variable, in the order in which they were found.
    pub(in crate::rate) forced: Vec<u16>,
    /// True for those in `forced`, and for the target.
    known: [bool; CANDIDATES],
    /// Assumptions that may still be made: the measure of work.
    budget: u64,
}

/// Where rounds of all consequences at once lead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rate) enum Rounds {
    /// To a clash, in this round. No chain on the target is shorter.
    Clash(u8),
    /// To more that follows.
    Open,
    /// Nothing more follows: no chain refutes the target.
    Dead,
}

/// A place in the stack to which it can be taken back.
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

    /// The same, but chains may be linked by every candidate of an earlier position, and a variable with a value still
    /// takes part, with that value as its one candidate.
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

    /// Notes links and effects of all candidates among `linking`.
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

    /// Takes a candidate out of the position: it neither holds nor links anything any more.
    pub(in crate::rate) fn eliminate(&mut self, candidate: u16) {
        self.gone[candidate as usize] = true;
        for (variable, bit) in VARIABLES_OF[candidate as usize] {
            let rest = &mut self.levels[0][variable as usize];
            *rest = if *rest == SETTLED { SETTLED } else { *rest & !bit };
        }
    }

    /// True when the budget is used up: searches then say that there is nothing.
    pub(in crate::rate) fn spent(&self) -> bool {
        self.budget == 0
    }

    /// Candidates of a variable that are linked to nothing assumed.
    pub(in crate::rate) fn rest(&self, variable: u16) -> u16 {
        self.levels[self.level][variable as usize]
    }

    /// The same on one of the levels that are open.
    pub(in crate::rate) fn rest_at(&self, level: usize, variable: u16) -> u16 {
        self.levels[level][variable as usize]
    }

    /// Opens a level, to be closed by [`Assumptions::back_to`].
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

    /// Assumes a candidate. True when a variable is left without any.
    pub(in crate::rate) fn assume(&mut self, candidate: u16) -> bool {
        self.budget = self.budget.saturating_sub(1);
        let (start, end) = self.effects_of[candidate as usize];
        let rests = &mut self.levels[self.level];
        let mut clash = false;
        for &(variable, keep) in &self.effects[start as usize..end as usize] {
            let before = rests[variable as usize];
            let rest = before & keep;
            rests[variable as usize] = rest;
            // Now none or one: rare, and nothing else needs a branch.
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

    /// True when assuming a target leads to a clash within so many rounds of all consequences at once.
    pub(in crate::rate) fn refutable(&mut self, target: u16, rounds: u8) -> bool {
        matches!(self.rounds(target, rounds), Rounds::Clash(_))
    }

    /// Where so many rounds of all consequences of a target at once lead.
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

    /// True when the consequences of the forced candidates from `first` on lead to a clash in the `rounds`-th variable or
    /// before.
    pub(in crate::rate) fn clashes_within(&mut self, first: usize, rounds: u8) -> bool {
        let mark = self.open();
        let end = self.follow(first, rounds);
        self.back_to(mark);
        matches!(end, Rounds::Clash(_))
    }

    /// Follows the forced candidates from `first` on, round by round.
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

    /// True when there is a braid of this length or shorter on the target.
    pub(in crate::rate) fn braid(&mut self, target: u16, length: u8) -> bool {
        self.with_target(target, |search, clash| clash || length > 1 && search.longer_braid(0, length - 1))
    }

    /// Chooses the next R among the forced ones from `first` on; every set of them is tried once, in one order.
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

    /// The candidates linked to a candidate that may link a chain.
    pub(in crate::rate) fn links(&self, candidate: u16) -> impl Iterator<Item = u16> + '_ {
        let (start, end) = self.links_of[candidate as usize];
        self.links[start as usize..end as usize].iter().copied().filter(|&link| !self.gone[link as usize])
    }
}
