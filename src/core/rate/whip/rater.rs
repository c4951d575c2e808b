//! The least length with which braids, and whips in the best order, solve a position.

use super::chain::{Whip, WhipSearch};
use super::search::{Assumptions, LONGEST, Rounds};
use super::tables::CspState;
use crate::random::{Rng, Stage};

/// The number of orders of whips that are tried where B does not decide W: the order by length and candidate number,
/// and random orders.
const ORDERS: u64 = 64;

/// How the search for the longest chain ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WhipEnd {
    /// Chains up to this length solve the puzzle, shorter ones do not.
    Solved(u8),
    /// At least this length is needed.
    AtLeast(u8),
    /// No chains solve it.
    Never,
}

/// Which candidates may link the variables of a whip.
#[derive(Clone, Copy)]
enum Linking<'p> {
    /// Those that are still there.
    Alive,
    /// Those that were there in an earlier position.
    Earlier(&'p CspState),
}

pub(super) struct Rater {
    search: Box<Assumptions>,
    chain: Box<WhipSearch>,
    /// True while whips did everything that braids of the same length do.
    pub(super) by_whips: bool,
    /// The whips that were used, if they are recorded.
    pub(super) proof: Option<Vec<Whip>>,
}

impl Rater {
    pub(super) fn new(budget: u64, prove: bool) -> Rater {
        Rater {
            search: Box::new(Assumptions::new(budget)),
            chain: Box::new(WhipSearch::new()),
            by_whips: true,
            proof: prove.then(Vec::new),
        }
    }

    /// The least length of braids that solves a position. Uses whips where one is as short as the shortest braid.
    pub(super) fn braids(&mut self, mut position: CspState) -> WhipEnd {
        let mut needed = 0;
        loop {
            position.singles();
            if position.open == 0 {
                return WhipEnd::Solved(needed);
            }
            if position.broken {
                return WhipEnd::Never;
            }
            self.search.load(&position);
            match self.shortest_braids(&mut position) {
                WhipEnd::Solved(length) => needed = needed.max(length),
                WhipEnd::AtLeast(length) => return WhipEnd::AtLeast(needed.max(length)),
                WhipEnd::Never => return WhipEnd::Never,
            }
        }
    }

    /// Eliminates one or more candidates with the shortest braids. Returns the length of these braids.
    fn shortest_braids(&mut self, position: &mut CspState) -> WhipEnd {
        // The candidates that could still be refuted, and those that rounds of consequences refute. The number of
        // rounds is a lower bound for the length of a braid.
        let mut open: Vec<u16> = position.candidates().collect();
        let mut targets: Vec<(u16, u8)> = Vec::new();
        for length in 1..=LONGEST {
            if length <= 4 {
                targets.clear();
                open.retain(|&target| {
                    let end = self.search.rounds(target, if length < 4 { length } else { u8::MAX });
                    if let Rounds::Clash(rounds) = end {
                        targets.push((target, rounds));
                    }
                    end != Rounds::Dead
                });
            }
            let (mut braids, mut eliminated) = (Vec::new(), false);
            for &(target, _) in targets.iter().filter(|&&(_, rounds)| rounds <= length) {
                // Up to length 2 braids are whips. Once a whip was found, braids that are not whips do not matter.
                if eliminated || length <= 2 || self.search.braid(target, length) {
                    if (self.by_whips || length <= 2) && self.whip(position, target, length) {
                        eliminated = true;
                        if length > 2 && position.has_singles() {
                            break;
                        }
                    } else if !eliminated && length > 2 {
                        braids.push(target);
                    }
                }
            }
            if !braids.is_empty() && !eliminated {
                self.by_whips = false;
                braids.iter().for_each(|&target| position.eliminate(target.into()));
                eliminated = true;
            }
            if eliminated {
                return WhipEnd::Solved(length);
            }
            if self.search.spent() {
                return WhipEnd::AtLeast(length);
            }
            if open.is_empty() || targets.is_empty() && length > 3 {
                return WhipEnd::Never;
            }
        }
        WhipEnd::Never
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
        for length in least..=LONGEST {
            if !self.solves(&position, length, Linking::Earlier(&position), None) {
                continue;
            }
            let mut order = |order: u64| {
                let mut rng = (order > 0).then(|| Rng::new(0, order, Stage::Sample, 0));
                self.proof.iter_mut().for_each(Vec::clear);
                self.solves(&position, length, Linking::Alive, rng.as_mut()) && !self.search.spent()
            };
            return if (0..ORDERS).any(&mut order) { WhipEnd::Solved(length) } else { WhipEnd::AtLeast(length) };
        }
        WhipEnd::AtLeast(LONGEST)
    }

    /// True when whips up to a length solve a position, in the order of the targets or in a random order. Also true
    /// when the budget is used up.
    fn solves(&mut self, start: &CspState, longest: u8, linking: Linking, mut chance: Option<&mut Rng>) -> bool {
        let mut position = start.clone();
        loop {
            position.singles();
            if position.open == 0 || position.broken || self.search.spent() {
                return true;
            }
            match linking {
                Linking::Alive => self.search.load(&position),
                Linking::Earlier(earlier) => self.search.load_generous(&position, earlier),
            }
            let mut targets: Vec<u16> = position.candidates().collect();
            // A random order does not always take short whips first: they too can remove a link.
            let mut shortest = 1;
            if let Some(rng) = &mut chance {
                rng.shuffle(&mut targets);
                shortest = 1 + rng.below(longest.into()) as u8;
            }
            let mut lengths = (shortest..=longest).chain(1..shortest);
            let found = lengths.any(|length| {
                let mut any = false;
                for &target in &targets {
                    if self.search.refutable(target, length) && self.whip(&mut position, target, length) {
                        any = true;
                        if position.has_singles() {
                            break;
                        }
                    }
                }
                any
            });
            if !found {
                return self.search.spent();
            }
        }
    }
}
