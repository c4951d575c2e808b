//! Finds the least length with which braids, and whips in the best order, solve a position.
//!
//! The steps are those of [`super`]: [`Rater::braids`] is step 1, [`Rater::generous`] step 2, [`Rater::whips`] steps 3
//! and 4, and [`Rater::in_time`] the condition of step 4. A *generous* whip may be linked by every candidate that was
//! there at the start, even if it is gone.

use std::collections::HashSet;

use super::chain::Whip;
use super::search::{Assumptions, LONGEST, Rounds};
use super::tables::{CANDIDATES, CspState};
use super::whips::WhipSearch;
use crate::random::{Rng, Stage};

/// The number of searches for an order of whips, each with its own order of the candidates.
const SEARCHES: u64 = 12;

/// The number of dead ends that such a search may meet.
const DEAD_ENDS: u32 = 6;

/// How far whips solve a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WhipEnd {
    /// Chains up to this length solve the puzzle, shorter ones do not.
    Solved(u8),
    /// At least the first length is needed. The second is enough, if an order was found that solves the puzzle.
    Between(u8, Option<u8>),
    /// No whips of up to [`LONGEST`] variables solve the puzzle.
    Never,
}

/// Which candidates may link a whip.
#[derive(Clone, Copy)]
enum Linking<'a> {
    /// The candidates that are still there.
    Alive,
    /// All that were there at the start.
    Earlier,
    /// All that were there at the start; this one is not eliminated.
    Keeping(u16),
    /// All that were there at the start. A candidate that is gone links only for targets that are false in its row.
    InTime(&'a [[bool; CANDIDATES]]),
}

/// A search for an order of whips.
struct Orders {
    /// The longest whips that it uses.
    longest: u8,
    /// The candidates that may be eliminated, in the order in which they are tried.
    targets: Vec<u16>,
    /// The dead ends that may still be met.
    left: u32,
    /// Positions from which no order solves the puzzle.
    failed: HashSet<[bool; CANDIDATES]>,
}

/// How a search for an order ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OrderEnd {
    /// An order solves the puzzle; its longest whip.
    Found(u8),
    /// No order solves the puzzle.
    None,
    /// The search was stopped.
    Unknown,
}

/// Rates positions by whips and braids.
pub(super) struct Rater {
    /// How many assumptions a search may make.
    budget: u64,
    /// The candidates of the solution, as far as they are known. No chain eliminates one.
    truth: [bool; CANDIDATES],
    /// Makes fewer assumptions for the same answers.
    quick: bool,
    search: Box<Assumptions>,
    chain: Box<WhipSearch>,
    /// True while whips did everything that braids of the same length do.
    pub(super) by_whips: bool,
    /// The whips that were used, if they are recorded.
    pub(super) proof: Option<Vec<Whip>>,
    /// The generous whips that were found last, in an order in which they can be used.
    generous: Vec<Whip>,
}

impl Rater {
    /// `truth`: the candidates of the solution; without them every assumption is made.
    pub(super) fn new(budget: u64, truth: Option<[bool; CANDIDATES]>, prove: bool) -> Rater {
        Rater {
            budget,
            quick: truth.is_some(),
            truth: truth.unwrap_or([false; CANDIDATES]),
            search: Box::new(Assumptions::new(budget)),
            chain: Box::new(WhipSearch::new()),
            by_whips: true,
            proof: prove.then(Vec::new),
            generous: Vec::new(),
        }
    }

    /// The least length of braids that solves a position. Uses whips where one is as short as the shortest braid. Tries
    /// one target after the other, and longer chains when nothing shorter is left for any of them.
    pub(super) fn braids(&mut self, mut position: CspState) -> WhipEnd {
        position.singles();
        let targets = self.targets(&position);
        let mut length = u8::from(position.open > 0);
        // Since the last elimination: the number of targets, whether longer chains may refute one, and those that
        // braids refute, but no whips.
        let (mut quiet, mut longer, mut braids, mut is_new) = (0, false, Vec::new(), true);
        // Since then, those that no chain refutes.
        let mut dead = [false; CANDIDATES];
        for &target in targets.iter().cycle() {
            if is_new {
                position.singles();
                self.search.load(&position, &position);
                self.search.link(&position.alive);
                (quiet, longer, is_new) = (0, false, false);
                braids.clear();
                dead = [false; CANDIDATES];
            }
            if position.open == 0 || position.broken {
                break;
            }
            if position.alive[usize::from(target)] && !dead[usize::from(target)] {
                let end = self.search.rounds(target, length);
                if end == Rounds::Dead {
                    dead[usize::from(target)] = true;
                    self.search.forced_by_dead().iter().for_each(|&forced| dead[usize::from(forced)] = true);
                } else {
                    longer = true;
                }
                // Up to length 2 braids are whips.
                if matches!(end, Rounds::Clash(_)) && (length <= 2 || self.search.braid(target, length)) {
                    if (self.by_whips || length <= 2) && self.whip(&mut position, target, length) {
                        is_new = true;
                    } else if length > 2 {
                        braids.push(target);
                    }
                }
            }
            quiet += 1;
            if self.search.spent() {
                return WhipEnd::Between(length, None);
            }
            let is_over = quiet == targets.len() && !is_new;
            if !braids.is_empty() && (is_over || !self.by_whips) {
                self.by_whips = false;
                braids.iter().for_each(|&target| position.eliminate(target.into()));
                is_new = true;
            } else if is_over {
                if !longer || length == LONGEST {
                    break;
                }
                (quiet, longer, length) = (0, false, length + 1);
            }
        }
        if position.open == 0 { WhipEnd::Solved(length) } else { WhipEnd::Never }
    }

    /// The candidates that may be eliminated.
    fn targets(&self, position: &CspState) -> Vec<u16> {
        position.candidates().filter(|&candidate| !self.truth[usize::from(candidate)]).collect()
    }

    /// False if there is no whip on a target of this length or shorter, because there is no braid.
    fn may_refute(&mut self, target: u16, length: u8) -> bool {
        self.search.refutable(target, length) && (length <= 2 || !self.quick || self.search.braid(target, length))
    }

    /// Eliminates a target if there is a whip on it of this length or shorter.
    fn whip(&mut self, position: &mut CspState, target: u16, length: u8) -> bool {
        let found = self.chain.whip(&mut self.search, target, length);
        if found {
            position.eliminate(target.into());
            self.search.eliminate(target);
            if let Some(proof) = &mut self.proof {
                proof.push(self.chain.last());
            }
        }
        found
    }

    /// The least length, at least `least`, with which some order of whips solves a position.
    pub(super) fn whips(&mut self, mut position: CspState, least: u8) -> WhipEnd {
        position.singles();
        let mut bound = least;
        for longest in least..=LONGEST {
            let mut end = self.order(&position, longest);
            // If not even generous whips in time solve the position, no order does.
            if longest == bound && end == OrderEnd::Unknown && !self.in_time(&position, longest) {
                end = OrderEnd::None;
            }
            match end {
                OrderEnd::Found(_) if longest == bound => return WhipEnd::Solved(bound),
                OrderEnd::Found(used) => return WhipEnd::Between(bound, Some(used)),
                OrderEnd::None if longest == bound => bound += 1,
                _ if longest > bound && self.search.spent() => break,
                _ => {}
            }
        }
        WhipEnd::Between(bound.min(LONGEST), None)
    }

    /// Looks for an order of whips up to a length that solves a position without singles.
    fn order(&mut self, position: &CspState, longest: u8) -> OrderEnd {
        self.search.budget = self.budget;
        self.proof.iter_mut().for_each(Vec::clear);
        // The shortest whips first: this solves nearly all puzzles, and takes one pass.
        let (end, used) = self.closure(position, longest, Linking::Alive);
        if (end.open == 0 || end.broken) && !self.search.spent() {
            return OrderEnd::Found(used);
        }
        let mut orders = Orders { longest, targets: position.candidates().collect(), left: 0, failed: HashSet::new() };
        for number in 0..SEARCHES {
            if number > 0 {
                Rng::new(0, number, Stage::Sample, 0).shuffle(&mut orders.targets);
            }
            self.proof.iter_mut().for_each(Vec::clear);
            orders.left = DEAD_ENDS;
            let end = self.order_from(position, &mut orders);
            if end != OrderEnd::Unknown || self.search.spent() {
                return end;
            }
        }
        OrderEnd::Unknown
    }

    /// Looks for an order of whips that solves a position without singles, depth first.
    fn order_from(&mut self, position: &CspState, orders: &mut Orders) -> OrderEnd {
        if position.open == 0 || position.broken {
            return OrderEnd::Found(0);
        }
        if orders.left == 0 || self.search.spent() {
            return OrderEnd::Unknown;
        }
        if orders.failed.contains(&position.alive) {
            return OrderEnd::None;
        }
        let mut end = OrderEnd::None;
        if self.generous(position, orders.longest) {
            for at in 0..orders.targets.len() {
                let target = orders.targets[at];
                if !position.alive[usize::from(target)] {
                    continue;
                }
                self.search.load(position, position);
                self.search.link(&position.alive);
                let mut next = position.clone();
                if !self.may_refute(target, orders.longest) || !self.whip(&mut next, target, orders.longest) {
                    continue;
                }
                let used = self.chain.length();
                next.singles();
                match self.order_from(&next, orders) {
                    OrderEnd::Found(longest) => return OrderEnd::Found(longest.max(used)),
                    OrderEnd::Unknown => end = OrderEnd::Unknown,
                    OrderEnd::None => {}
                }
                self.proof.iter_mut().for_each(|proof| _ = proof.pop());
                if orders.left == 0 {
                    end = OrderEnd::Unknown;
                    break;
                }
            }
        }
        if self.search.spent() {
            return OrderEnd::Unknown;
        }
        if end == OrderEnd::None {
            orders.failed.insert(position.alive);
            orders.left = orders.left.saturating_sub(1);
        }
        end
    }

    /// True when generous whips up to a length solve a position. Also true when the budget is used up.
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
        let (end, _) = self.closure_from(position, start, longest, Linking::Earlier);
        self.generous = std::mem::replace(&mut self.proof, proof).unwrap_or_default();
        end.open == 0 || self.search.spent()
    }

    /// As [`Rater::generous`], but a candidate that is gone may link a whip only if the target of the whip can be
    /// eliminated while that candidate is still there.
    pub(super) fn in_time(&mut self, start: &CspState, longest: u8) -> bool {
        self.search.budget = self.budget;
        let before: Vec<[bool; CANDIDATES]> = (0..CANDIDATES as u16)
            .map(|kept| match start.alive[usize::from(kept)] {
                true => self.closure(start, longest, Linking::Keeping(kept)).0.alive,
                false => [true; CANDIDATES],
            })
            .collect();
        self.closure(start, longest, Linking::InTime(&before)).0.open == 0 || self.search.spent()
    }

    /// The position after all that whips up to a length can do, the shortest first, and the length of the longest.
    fn closure(&mut self, start: &CspState, longest: u8, linking: Linking) -> (CspState, u8) {
        // Only whips that are linked by what is there prove anything; others are not recorded.
        let proof = if let Linking::Alive = linking { None } else { self.proof.take() };
        let end = self.closure_from(start.clone(), start, longest, linking);
        self.proof = proof.or(self.proof.take());
        end
    }

    /// The closure from a later position.
    fn closure_from(
        &mut self,
        mut position: CspState,
        start: &CspState,
        longest: u8,
        linking: Linking,
    ) -> (CspState, u8) {
        let mut used = 0;
        let kept = if let Linking::Keeping(kept) = linking { Some(kept) } else { None };
        loop {
            position.singles_beside(kept);
            if position.open == 0 || position.broken || self.search.spent() {
                break;
            }
            let earlier = if let Linking::Alive = linking { &position } else { start };
            self.search.load(&position, earlier);
            self.search.link(&earlier.alive);
            let mut targets = self.targets(&position);
            targets.retain(|&target| Some(target) != kept);
            let found = (1..=longest).any(|length| {
                let mut any = false;
                for &target in &targets {
                    if !self.may_refute(target, length) {
                        continue;
                    }
                    if let Linking::InTime(before) = linking {
                        let may = |link: usize| position.alive[link] || !before[link][usize::from(target)];
                        self.search.link(&std::array::from_fn(|link| start.alive[link] && may(link)));
                    }
                    if self.whip(&mut position, target, length) {
                        any = true;
                        used = used.max(self.chain.length());
                        if position.has_singles() {
                            break;
                        }
                    }
                }
                any
            });
            if !found {
                break;
            }
        }
        (position, used)
    }
}
