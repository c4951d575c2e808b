//! Assumes a target and further candidates, follows what they force, and searches for braids ([`super`] draws one).
//!
//! An assumed candidate takes its linked candidates from their variables. What is then the last of a variable is
//! *forced*. A *clash* is a variable that has lost all its candidates. A *round* assumes all that is forced so far,
//! together. Braids and whips choose one forced candidate after the other (`right`, R), on a stack of *levels*.

use super::chain::{Link, Whip};
use super::lanes::{self, NO_VARIABLES, VariableLanes, Variables};
use super::tables::{CANDIDATE_AT, CANDIDATES, CspState, LINKED, VARIABLES_OF, VariableBit};
use crate::solve::nine::Instructions;
use crate::stop;

/// The candidates of a variable with a value. Assumptions never clear the upper seven bits: it is never single.
const SETTLED: u16 = 0xffff;

/// Where the links of a candidate stand among all that were listed.
#[derive(Clone, Copy, PartialEq, Eq)]
struct LinkList {
    start: u32,
    end: u32,
}

/// The links of a candidate that nobody asked for.
const UNLISTED: LinkList = LinkList { start: 0, end: 0 };

/// The longest chains that are searched. No known puzzle comes near this length.
pub(crate) const LONGEST: u8 = 36;

/// Assumptions on a position, kept on a stack.
pub(crate) struct Assumptions {
    /// For each level of assumptions, the candidates of each variable that are linked to nothing assumed. A new level
    /// is written while the one below is read. This costs less than recording what has to be undone.
    levels: Vec<VariableLanes>,
    /// The level of the present position in `levels`.
    pub(crate) level: usize,
    /// For each candidate, what is left of each variable when the candidate is assumed.
    keep: &'static [VariableLanes],
    /// The candidates that may link.
    linking: [bool; CANDIDATES],
    /// The links of each listed candidate, one list after the other: the candidates linked to it that may link.
    links: Vec<u16>,
    links_of: [LinkList; CANDIDATES],
    /// The candidates whose links were asked for.
    listed: Vec<u16>,
    /// Candidates that were removed after the links were made.
    gone: [bool; CANDIDATES],
    /// Candidates that are the last of a variable, in the order in which they were found.
    forced: Box<[u16; CANDIDATES + 1]>,
    /// The number of candidates in `forced`.
    forced_count: usize,
    /// `forced[newest..forced_count]` came in the last round that was followed. None of these was assumed yet.
    newest: usize,
    /// True for those in `forced`, and for the target.
    is_forced: [bool; CANDIDATES],
    /// The number of assumptions that may still be made, as a measure of work.
    pub(crate) budget: u64,
}

/// The result of following all consequences at once, round by round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rounds {
    /// A variable lost all its candidates.
    Clash,
    /// More consequences follow.
    Open,
    /// Nothing more follows: no chain refutes the target.
    Dead,
}

/// A state to which assumptions can be taken back.
#[derive(Clone, Copy)]
pub(crate) struct Savepoint {
    level: usize,
    forced_count: usize,
}

impl Assumptions {
    /// Without a position; `budget` is the number of assumptions that may be made.
    pub(crate) fn new(budget: u64) -> Assumptions {
        Assumptions {
            // One for the position, one for the target, one for each variable, and some to spare.
            levels: vec![VariableLanes::of(SETTLED); usize::from(LONGEST) + 4],
            level: 0,
            keep: lanes::keep(),
            linking: [false; CANDIDATES],
            links: Vec::new(),
            links_of: [UNLISTED; CANDIDATES],
            listed: Vec::new(),
            gone: [false; CANDIDATES],
            forced: Box::new([0; CANDIDATES + 1]),
            forced_count: 0,
            newest: 0,
            is_forced: [false; CANDIDATES],
            budget,
        }
    }

    /// Starts on a position in which there are no singles. Variables that have got a value since an earlier position
    /// take part, with this value as their only candidate. Whips also need [`Assumptions::link`].
    pub(crate) fn load(&mut self, position: &CspState, earlier: &CspState) {
        for (variable, &remaining) in position.remaining.iter().enumerate() {
            *self.levels[0].at_mut(variable) = match (earlier.settled[variable], position.settled[variable]) {
                (true, _) => SETTLED,
                (false, true) => position.value[variable],
                (false, false) => remaining,
            };
        }
    }

    /// Says which candidates may link, and forgets the links of earlier candidates.
    pub(crate) fn link(&mut self, linking: &[bool; CANDIDATES]) {
        self.gone = [false; CANDIDATES];
        self.linking = *linking;
        self.links.clear();
        self.listed.drain(..).for_each(|candidate| self.links_of[usize::from(candidate)] = UNLISTED);
    }

    /// Lists the links of a candidate. Whips need those of few candidates.
    pub(crate) fn list_links(&mut self, candidate: u16) {
        let index = usize::from(candidate);
        if self.links_of[index] == UNLISTED {
            let start = self.links.len() as u32;
            self.links.extend(LINKED[index].iter().filter(|&&linked| self.linking[usize::from(linked)]));
            self.links_of[index] = LinkList { start, end: self.links.len() as u32 };
            self.listed.push(candidate);
        }
    }

    /// Removes a candidate from the position. It no longer counts as a candidate nor as a link.
    pub(crate) fn eliminate(&mut self, candidate: u16) {
        self.gone[candidate as usize] = true;
        for VariableBit { variable, bit } in VARIABLES_OF[candidate as usize] {
            let rest = self.levels[0].at_mut(variable.into());
            *rest = if *rest == SETTLED { SETTLED } else { *rest & !bit };
        }
    }

    /// True when a whip that was found in another position eliminates its target in `position`, too. Like a generous
    /// whip, it may use what was there in an `earlier` position. It may be shorter now.
    pub(super) fn allows(&self, whip: &Whip, position: &CspState, earlier: &CspState) -> bool {
        if !position.alive[usize::from(whip.target)] {
            return false;
        }
        let mut assumed = vec![whip.target];
        for &Link { left, variable, right } in &whip.links {
            let index = usize::from(variable);
            if !earlier.alive[usize::from(left)] || earlier.settled[index] {
                return false;
            }
            let mut rest = if position.settled[index] { position.value[index] } else { position.remaining[index] };
            for &candidate in &assumed {
                rest &= self.keep[usize::from(candidate)].at(index);
            }
            match right {
                _ if rest == 0 => return true,
                // Only R is left of the variable.
                Some(right) if VARIABLES_OF[usize::from(right)].contains(&VariableBit { variable, bit: rest }) => {
                    assumed.push(right);
                }
                _ => return false,
            }
        }
        false
    }

    /// True when the budget is used up. Searches then find nothing.
    pub(crate) fn spent(&self) -> bool {
        self.budget == 0
    }

    /// Counts a step, and asks now and then if the work is to stop.
    fn spend(&mut self) {
        self.budget = self.budget.saturating_sub(1);
        if self.budget.is_multiple_of(1024) {
            stop::ask();
        }
    }

    /// Candidates of a variable that are linked to nothing assumed on an open level.
    pub(crate) fn rest(&self, level: usize, variable: u16) -> u16 {
        self.levels[level].at(variable.into())
    }

    /// True if assuming a candidate leaves a variable without candidates.
    pub(crate) fn clashes(&mut self, candidate: u16) -> bool {
        self.spend();
        lanes::clashes(Instructions::Avx512, &self.levels[self.level], self.keep, &[candidate])
    }

    /// Opens a level in which a candidate is assumed, until [`Assumptions::back_to`]. True if this empties a variable.
    pub(crate) fn open(&mut self, candidate: u16) -> (Savepoint, bool) {
        let (savepoint, narrowed) = self.open_bare(candidate);
        (savepoint, self.note_forced(&narrowed))
    }

    /// Like [`Assumptions::open`], for the last two variables of a whip: it does not note which candidates are forced.
    pub(crate) fn open_last(&mut self, candidate: u16) -> (Savepoint, bool) {
        let (savepoint, narrowed) = self.open_bare(candidate);
        (savepoint, self.has_empty(&narrowed))
    }

    /// Assumes a candidate on a new level. Returns the state before it, and the variables that lost candidates and have
    /// one or none left.
    fn open_bare(&mut self, candidate: u16) -> (Savepoint, Variables) {
        let savepoint = self.savepoint();
        self.spend();
        self.level += 1;
        let from_to = [savepoint.level, self.level];
        (savepoint, lanes::assume(Instructions::Avx512, &mut self.levels, from_to, self.keep, &[candidate]))
    }

    fn has_empty(&self, narrowed: &Variables) -> bool {
        let mut has_empty = false;
        lanes::each(narrowed, |variable| has_empty |= self.levels[self.level].at(variable) == 0);
        has_empty
    }

    fn savepoint(&self) -> Savepoint {
        Savepoint { level: self.level, forced_count: self.forced_count }
    }

    /// Takes back all that was assumed since a savepoint.
    pub(crate) fn back_to(&mut self, savepoint: Savepoint) {
        self.level = savepoint.level;
        for &candidate in &self.forced[savepoint.forced_count..self.forced_count] {
            self.is_forced[candidate as usize] = false;
        }
        self.forced_count = savepoint.forced_count;
    }

    /// Notes the candidates that became the last of their variables. True if a variable has none left.
    fn note_forced(&mut self, narrowed: &Variables) -> bool {
        let (mut clash, mut forced_count) = (false, self.forced_count);
        let Assumptions { levels, level, forced, is_forced, .. } = self;
        let row = &levels[*level];
        lanes::each(narrowed, |variable| {
            let rest = row.at(variable);
            if rest == 0 {
                clash = true;
                return;
            }
            let candidate = CANDIDATE_AT[variable][rest.trailing_zeros() as usize];
            // Half of them are known already; the next one overwrites these. Without a branch nothing is mispredicted.
            let is_new = !std::mem::replace(&mut is_forced[usize::from(candidate)], true);
            forced[forced_count] = candidate;
            forced_count += usize::from(is_new);
        });
        self.forced_count = forced_count;
        clash
    }

    /// Runs a search under the assumption of a target; `search` is told whether that alone is a contradiction.
    pub(crate) fn with_target(&mut self, target: u16, search: impl FnOnce(&mut Assumptions, bool) -> bool) -> bool {
        self.is_forced[target as usize] = true;
        let (savepoint, clash) = self.open(target);
        let result = search(self, clash);
        self.back_to(savepoint);
        self.is_forced[target as usize] = false;
        result
    }

    /// True when assuming a target leads to a clash within this many rounds of all consequences.
    pub(crate) fn refutable(&mut self, target: u16, rounds: u8) -> bool {
        self.rounds(target, rounds) == Rounds::Clash
    }

    /// The result of at most `most` rounds of all consequences of a target.
    pub(crate) fn rounds(&mut self, target: u16, most: u8) -> Rounds {
        // After one round nobody asks what is forced.
        if most == 1 {
            let (savepoint, narrowed) = self.open_bare(target);
            let clash = self.has_empty(&narrowed);
            (self.level, self.newest) = (savepoint.level, 0);
            return match clash {
                true => Rounds::Clash,
                false if narrowed == NO_VARIABLES => Rounds::Dead,
                false => Rounds::Open,
            };
        }
        let mut end = Rounds::Clash;
        self.with_target(target, |search, clash| {
            if !clash {
                end = search.follow(search.level, 0, most);
            }
            clash
        });
        end
    }

    /// All that a target forces, if its rounds ended dead: none of it can be refuted. `back_to` leaves it in `forced`.
    pub(crate) fn forced_by_dead(&self) -> &[u16] {
        &self.forced[..self.newest]
    }

    /// True when the consequences of the forced candidates from `first` on lead to a clash by round `rounds`. Round 1 is
    /// the assumption that was made last.
    pub(crate) fn clashes_within(&mut self, first: usize, rounds: u8) -> bool {
        if rounds < 2 {
            return false;
        }
        let savepoint = self.savepoint();
        self.level += 1;
        let clash = match self.follow(savepoint.level, first, rounds - 1) {
            Rounds::Open => {
                // The last round only looks for a clash. If `rounds` is 2, no round was followed, no level written.
                let below = if rounds > 2 { self.level } else { savepoint.level };
                let last = &self.forced[self.newest..self.forced_count];
                self.budget = self.budget.saturating_sub(last.len() as u64);
                lanes::clashes(Instructions::Avx512, &self.levels[below], self.keep, last)
            }
            Rounds::Clash => true,
            Rounds::Dead => false,
        };
        self.back_to(savepoint);
        clash
    }

    /// Follows the consequences of the forced candidates from `first` on, round by round. The first round reads the
    /// level `below`. Every round writes the current level. The candidates of a round are assumed together.
    fn follow(&mut self, mut below: usize, first: usize, rounds: u8) -> Rounds {
        let mut newest = first;
        for _ in 2..=rounds {
            let end = self.forced_count;
            if newest == end {
                break;
            }
            self.budget = self.budget.saturating_sub((end - newest) as u64);
            let from_to = [below, self.level];
            let candidates = &self.forced[newest..end];
            let narrowed = lanes::assume(Instructions::Avx512, &mut self.levels, from_to, self.keep, candidates);
            if self.note_forced(&narrowed) {
                return Rounds::Clash;
            }
            (below, newest) = (self.level, end);
        }
        self.newest = newest;
        if newest == self.forced_count { Rounds::Dead } else { Rounds::Open }
    }

    /// True when there is a braid on the target of this length or shorter.
    pub(crate) fn braid(&mut self, target: u16, length: u8) -> bool {
        self.with_target(target, |search, clash| clash || length > 1 && search.longer_braid(0, length - 1))
    }

    /// True when `more` variables complete the braid, with the next R among the forced candidates from `first` on. Every
    /// set of them is tried once, in one order.
    fn longer_braid(&mut self, first: usize, more: u8) -> bool {
        let end = self.forced_count;
        if more == 1 {
            // Mostly they do not clash together, and then none clashes alone.
            let last = &self.forced[first..end];
            if last.len() > 2 && !lanes::clashes(Instructions::Avx512, &self.levels[self.level], self.keep, last) {
                self.budget = self.budget.saturating_sub(last.len() as u64);
                return false;
            }
            return (first..end).any(|right| !self.spent() && self.clashes(self.forced[right]));
        }
        for right in first..end {
            if self.spent() {
                return false;
            }
            let (savepoint, clash) = self.open(self.forced[right]);
            // If all further candidates together do not clash in time, no choice does. A last R is tried anyway.
            let may_clash = clash || more == 2 || self.clashes_within(right + 1, more);
            let is_refuted = clash || may_clash && self.longer_braid(right + 1, more - 1);
            self.back_to(savepoint);
            if is_refuted {
                return true;
            }
        }
        false
    }

    /// The candidates that are linked to a candidate and may link a chain, as [`Assumptions::list_links`] listed them.
    pub(crate) fn links(&self, candidate: u16) -> impl Iterator<Item = u16> + '_ {
        let LinkList { start, end } = self.links_of[candidate as usize];
        self.links[start as usize..end as usize].iter().copied().filter(|&link| !self.gone[link as usize])
    }
}
