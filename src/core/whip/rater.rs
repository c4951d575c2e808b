//! Finds the least length with which braids, and whips in the best order, solve a position.
//!
//! [`super`] explains whips, braids and targets, and the four steps of the search: [`Rater::braids`] is step 1,
//! [`Rater::generous`] step 2, [`Rater::whips`] steps 3 and 4, and [`Rater::in_time`] the condition of step 4. Here a
//! *chain* is a whip or a braid. Every candidate that was there at the start may link a *generous* whip.

use std::collections::HashSet;

use super::chain::Whip;
use super::search::{Assumptions, LONGEST, Rounds};
use super::tables::{CANDIDATES, CspState};
use super::whips::WhipSearch;
use crate::random::{Rng, Stage};

/// The number of searches for an order of whips. Each tries the targets in another order.
const SEARCHES: u64 = 12;

/// A search for an order of whips is given up after this number of dead ends.
const DEAD_ENDS: u32 = 6;

/// The length of the chains that a puzzle needs, as far as it was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WhipEnd {
    /// Chains up to this length solve the puzzle, shorter ones do not.
    Solved(u8),
    /// Chains of the length `least` or longer are needed. Those up to `enough`, if such an order was found, suffice.
    Between { least: u8, enough: Option<u8> },
    /// No braids of up to [`LONGEST`] variables solve the puzzle, so no whips do.
    Never,
}

impl WhipEnd {
    pub(super) fn is_solved(&self) -> bool {
        matches!(self, WhipEnd::Solved(_))
    }

    pub(super) fn least(self) -> Option<u8> {
        match self {
            WhipEnd::Solved(least) | WhipEnd::Between { least, .. } => Some(least),
            WhipEnd::Never => None,
        }
    }

    pub(super) fn enough(self) -> Option<u8> {
        match self {
            WhipEnd::Solved(length) => Some(length),
            WhipEnd::Between { enough, .. } => enough,
            WhipEnd::Never => None,
        }
    }
}

/// Which candidates may be Ls of a whip. If candidates that are gone may, so may variables that have got a value.
#[derive(Clone, Copy)]
enum Linking<'a> {
    /// The candidates that are still there.
    Alive,
    /// All that were there at the start.
    Earlier,
    /// All that were there at the start. This one is never eliminated.
    Keeping(u16),
    /// All that were there at the start, with a condition: a candidate that is gone may be an L for a target only if
    /// `[candidate][target]` is false in this table.
    InTime(&'a [[bool; CANDIDATES]]),
}

/// A search for an order of whips.
struct OrderSearch {
    /// The length of the longest whips that it may use.
    longest: u8,
    /// All candidates, in the order in which they are tried as targets.
    targets: Vec<u16>,
    dead_ends_left: u32,
    /// Positions from which no order solves the puzzle.
    failed: HashSet<[bool; CANDIDATES]>,
}

/// How a search for an order ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OrderEnd {
    /// An order solves the puzzle; its longest whip.
    Found(u8),
    /// No order solves the puzzle.
    NoOrder,
    /// The search was stopped.
    Unknown,
}

/// What [`Rater::braids`] has found since the last elimination.
struct TargetNotes {
    /// The number of targets that were tried with the present length.
    tried: usize,
    /// A longer chain may refute one of them.
    may_be_longer: bool,
    /// Targets that braids refute, but no whips.
    for_braids: Vec<u16>,
    /// Targets that no chain refutes.
    dead: [bool; CANDIDATES],
}

impl TargetNotes {
    const NONE: TargetNotes =
        TargetNotes { tried: 0, may_be_longer: false, for_braids: Vec::new(), dead: [false; CANDIDATES] };
}

/// A position after all that whips up to a length can do.
struct WhipClosure {
    position: CspState,
    /// The length of the longest whip that was used; 0 if singles were enough.
    used: u8,
}

/// Rates positions by whips and braids.
pub(super) struct Rater {
    /// How many assumptions each search may make.
    budget: u64,
    /// True for the candidates of the solution, if it is known; else all false. No chain eliminates one of them.
    truth: [bool; CANDIDATES],
    /// True if the solution is known. Then searches make fewer assumptions, with the same results.
    quick: bool,
    search: Box<Assumptions>,
    whip_search: Box<WhipSearch>,
    /// True while every elimination was made by a whip as short as the shortest braid.
    pub(super) by_whips: bool,
    /// The whips that made the eliminations, one after the other. None if they are not recorded.
    pub(super) proof: Option<Vec<Whip>>,
    /// The generous whips that were found last, in an order in which they can be used.
    generous: Vec<Whip>,
}

impl Rater {
    /// `budget`: the assumptions of each search. `truth`: true for the candidates of the solution; None if every
    /// assumption is to be made. `prove`: whether whips are recorded.
    pub(super) fn new(budget: u64, truth: Option<[bool; CANDIDATES]>, prove: bool) -> Rater {
        Rater {
            budget,
            quick: truth.is_some(),
            truth: truth.unwrap_or([false; CANDIDATES]),
            search: Box::new(Assumptions::new(budget)),
            whip_search: Box::new(WhipSearch::new()),
            by_whips: true,
            proof: prove.then(Vec::new),
            generous: Vec::new(),
        }
    }

    /// The least length of braids that solves a position. Where a whip is as short as the shortest braid, it is used in
    /// its place. All targets are tried again and again. The length grows when no chain of this length refutes any.
    pub(super) fn braids(&mut self, mut position: CspState) -> WhipEnd {
        position.singles();
        let targets = self.targets(&position);
        let mut length = u8::from(position.open > 0);
        let mut notes = TargetNotes::NONE;
        // True after an elimination, and at the start.
        let mut is_new = true;
        for &target in targets.iter().cycle() {
            if is_new {
                position.singles();
                self.search.load(&position, &position);
                self.search.link(&position.alive);
                notes = TargetNotes::NONE;
                is_new = false;
            }
            if position.open == 0 || position.broken {
                break;
            }
            if position.alive[usize::from(target)] && !notes.dead[usize::from(target)] {
                is_new = self.eliminate_by_whip(&mut position, target, length, &mut notes);
            }
            notes.tried += 1;
            if self.search.spent() {
                return WhipEnd::Between { least: length, enough: None };
            }
            let is_over = notes.tried == targets.len() && !is_new;
            if !notes.for_braids.is_empty() && (is_over || !self.by_whips) {
                self.by_whips = false;
                notes.for_braids.iter().for_each(|&target| position.eliminate(target.into()));
                is_new = true;
            } else if is_over {
                if !notes.may_be_longer || length == LONGEST {
                    break;
                }
                length += 1;
                notes.tried = 0;
                notes.may_be_longer = false;
            }
        }
        if position.open == 0 { WhipEnd::Solved(length) } else { WhipEnd::Never }
    }

    /// Eliminates a target that a whip refutes. False if there is none; then `notes` has what is known of the target.
    fn eliminate_by_whip(&mut self, position: &mut CspState, target: u16, length: u8, notes: &mut TargetNotes) -> bool {
        let end = self.search.rounds(target, length);
        notes.may_be_longer |= end != Rounds::Dead;
        if end == Rounds::Dead {
            notes.dead[usize::from(target)] = true;
            self.search.forced_by_dead().iter().for_each(|&forced| notes.dead[usize::from(forced)] = true);
        }
        // Up to length 2 braids are whips.
        let has_braid = end == Rounds::Clash && (length <= 2 || self.search.braid(target, length));
        let has_whip = has_braid && (self.by_whips || length <= 2) && self.whip(position, target, length);
        if has_braid && !has_whip && length > 2 {
            notes.for_braids.push(target);
        }
        has_whip
    }

    /// The candidates of a position that chains may eliminate: all that are not known to be in the solution.
    fn targets(&self, position: &CspState) -> Vec<u16> {
        position.candidates().filter(|&candidate| !self.truth[usize::from(candidate)]).collect()
    }

    /// A quick test before the search for a whip on a target. False if there is no braid of this length or shorter.
    fn may_refute(&mut self, target: u16, length: u8) -> bool {
        self.search.refutable(target, length) && (length <= 2 || !self.quick || self.search.braid(target, length))
    }

    /// Eliminates a target if there is a whip on it of this length or shorter, and records the whip. True if there is.
    fn whip(&mut self, position: &mut CspState, target: u16, length: u8) -> bool {
        if !self.whip_search.whip(&mut self.search, target, length) {
            return false;
        }
        position.eliminate(target.into());
        self.search.eliminate(target);
        if let Some(proof) = &mut self.proof {
            proof.push(self.whip_search.last());
        }
        true
    }

    /// The least length, at least `least`, with which some order of whips solves a position.
    pub(super) fn whips(&mut self, mut position: CspState, least: u8) -> WhipEnd {
        position.singles();
        let mut bound = least;
        for longest in least..=LONGEST {
            let mut end = self.order(&position, longest);
            // If not even generous whips in time solve the position, no order does.
            if longest == bound && end == OrderEnd::Unknown && !self.in_time(&position, longest) {
                end = OrderEnd::NoOrder;
            }
            match end {
                OrderEnd::Found(_) if longest == bound => return WhipEnd::Solved(bound),
                OrderEnd::Found(used) => return WhipEnd::Between { least: bound, enough: Some(used) },
                OrderEnd::NoOrder if longest == bound => bound += 1,
                _ if longest > bound && self.search.spent() => break,
                _ => {}
            }
        }
        WhipEnd::Between { least: bound.min(LONGEST), enough: None }
    }

    /// Looks for an order of whips up to a length that solves a position. The position has no singles.
    fn order(&mut self, position: &CspState, longest: u8) -> OrderEnd {
        self.search.budget = self.budget;
        self.proof.iter_mut().for_each(Vec::clear);
        // First with the shortest whip at every step. This solves nearly all puzzles, without a search for an order.
        let end = self.closure(position, longest, Linking::Alive);
        if (end.position.open == 0 || end.position.broken) && !self.search.spent() {
            return OrderEnd::Found(end.used);
        }
        let mut orders = OrderSearch {
            longest,
            targets: position.candidates().collect(),
            dead_ends_left: 0,
            failed: HashSet::new(),
        };
        for number in 0..SEARCHES {
            if number > 0 {
                Rng::new(0, number, Stage::Sample, 0).shuffle(&mut orders.targets);
            }
            self.proof.iter_mut().for_each(Vec::clear);
            orders.dead_ends_left = DEAD_ENDS;
            let end = self.order_from(position, &mut orders);
            if end != OrderEnd::Unknown || self.search.spent() {
                return end;
            }
        }
        OrderEnd::Unknown
    }

    /// Looks for an order of whips that solves a position, depth first. The position has no singles.
    fn order_from(&mut self, position: &CspState, orders: &mut OrderSearch) -> OrderEnd {
        if position.open == 0 || position.broken {
            return OrderEnd::Found(0);
        }
        if orders.dead_ends_left == 0 || self.search.spent() {
            return OrderEnd::Unknown;
        }
        if orders.failed.contains(&position.alive) {
            return OrderEnd::NoOrder;
        }
        let mut end = OrderEnd::NoOrder;
        if self.generous(position, orders.longest) {
            for index in 0..orders.targets.len() {
                let target = orders.targets[index];
                if !position.alive[usize::from(target)] {
                    continue;
                }
                self.search.load(position, position);
                self.search.link(&position.alive);
                let mut next = position.clone();
                if !self.may_refute(target, orders.longest) || !self.whip(&mut next, target, orders.longest) {
                    continue;
                }
                let used = self.whip_search.length();
                next.singles();
                match self.order_from(&next, orders) {
                    OrderEnd::Found(longest) => return OrderEnd::Found(longest.max(used)),
                    OrderEnd::Unknown => end = OrderEnd::Unknown,
                    OrderEnd::NoOrder => {}
                }
                self.proof.iter_mut().for_each(|proof| _ = proof.pop());
                if orders.dead_ends_left == 0 {
                    end = OrderEnd::Unknown;
                    break;
                }
            }
        }
        if self.search.spent() {
            return OrderEnd::Unknown;
        }
        if end == OrderEnd::NoOrder {
            orders.failed.insert(position.alive);
            orders.dead_ends_left = orders.dead_ends_left.saturating_sub(1);
        }
        end
    }

    /// True if generous whips up to a length solve a position, or if the budget is used up.
    pub(super) fn generous(&mut self, start: &CspState, longest: u8) -> bool {
        let mut position = start.clone();
        // Most whips from an earlier start are still possible, and what they eliminate does not depend on the order.
        let mut whips = if self.quick { std::mem::take(&mut self.generous) } else { Vec::new() };
        whips.retain(|whip| {
            let holds = whip.links.len() <= longest.into() && self.search.allows(whip, &position, start);
            if holds {
                position.eliminate(whip.target.into());
                position.singles();
            }
            holds
        });
        // The search records its whips as a proof. So the generous whips take the place of the proof meanwhile.
        let proof = self.proof.replace(whips);
        let end = self.closure_from(position, start, longest, Linking::Earlier);
        self.generous = std::mem::replace(&mut self.proof, proof).unwrap_or_default();
        end.position.open == 0 || self.search.spent()
    }

    /// As [`Rater::generous`], but with a condition: a candidate that is gone may link a whip only if generous whips
    /// can eliminate the target of the whip while that candidate is still there.
    pub(super) fn in_time(&mut self, start: &CspState, longest: u8) -> bool {
        self.search.budget = self.budget;
        // The candidates that cannot be eliminated while a candidate is still there.
        let mut too_late: Vec<[bool; CANDIDATES]> = Vec::with_capacity(CANDIDATES);
        for spared in 0..CANDIDATES as u16 {
            too_late.push(match start.alive[usize::from(spared)] {
                true => self.closure(start, longest, Linking::Keeping(spared)).position.alive,
                false => [true; CANDIDATES],
            });
        }
        self.closure(start, longest, Linking::InTime(&too_late)).position.open == 0 || self.search.spent()
    }

    /// Does all that whips up to a length can do. At every step the shortest whip comes first.
    fn closure(&mut self, start: &CspState, longest: u8, linking: Linking) -> WhipClosure {
        // Whips that are linked by candidates that are gone prove nothing. So these are not recorded.
        let proof = if let Linking::Alive = linking { None } else { self.proof.take() };
        let end = self.closure_from(start.clone(), start, longest, linking);
        self.proof = proof.or(self.proof.take());
        end
    }

    /// As [`Rater::closure`], from a position that was reached from `start`. Candidates of `start` may link, unless
    /// `linking` is [`Linking::Alive`].
    fn closure_from(&mut self, mut position: CspState, start: &CspState, longest: u8, linking: Linking) -> WhipClosure {
        let mut used = 0;
        let spared = if let Linking::Keeping(spared) = linking { Some(spared) } else { None };
        loop {
            position.singles_beside(spared);
            if position.open == 0 || position.broken || self.search.spent() {
                break;
            }
            let earlier = if let Linking::Alive = linking { &position } else { start };
            self.search.load(&position, earlier);
            self.search.link(&earlier.alive);
            let mut targets = self.targets(&position);
            targets.retain(|&target| Some(target) != spared);
            let mut lengths = 1..=longest;
            match lengths.find_map(|length| self.whips_of_length(&mut position, start, &targets, length, linking)) {
                Some(longest_used) => used = used.max(longest_used),
                None => break,
            }
        }
        WhipClosure { position, used }
    }

    /// Eliminates targets by whips up to this length, until there is a single. The length of the longest whip, if any.
    fn whips_of_length(
        &mut self,
        position: &mut CspState,
        start: &CspState,
        targets: &[u16],
        length: u8,
        linking: Linking,
    ) -> Option<u8> {
        let mut used = None;
        for &target in targets {
            if !self.may_refute(target, length) {
                continue;
            }
            if let Linking::InTime(too_late) = linking {
                self.search.link(&std::array::from_fn(|link| {
                    let is_in_time = position.alive[link] || !too_late[link][usize::from(target)];
                    start.alive[link] && is_in_time
                }));
            }
            if self.whip(position, target, length) {
                used = used.max(Some(self.whip_search.length()));
                if position.has_singles() {
                    break;
                }
            }
        }
        used
    }
}
