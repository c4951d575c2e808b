//! Finds forcing chains and bidirectional cycles: the first of the producers of chains, for ratings from 6.5 to 7.6.
//!
//! A *chain* assumes that a candidate, its start, is true or false, and draws conclusions link by link: along a digit
//! in a house (X), or between the candidates of a cell (Y). If it ends with the opposite, the start is *refuted* (it
//! was assumed to be true) or *proved*. A *cycle* leads back to its start ([`super::cycles`]). The *complexity* of both
//! is the number of candidates that they rest on. L is what this number adds to the rating ([`added`]).
//!
//! Three passes collect hints: with links along one digit (X), with strong links inside cells (Y), and with both (XY).
//!
//! | | X | Y | XY |
//! |---|---|---|---|
//! | cycle | 6.5 + L | 6.5 + L | 7.0 + L |
//! | chain that refutes (proves) its own start | 6.6 + L | - | 7.0 + L |
//!
//! The easiest hint counts: by rating as a floating point sum, then complexity, then kind (X before Y before XY). On a
//! tie, the hint counts that was collected first: by pass, cell row by row, and digit. For each start its cycles come
//! first, then the chain that removes it, then the chain that places it. Of the shortest chains from a start any will
//! do, because all have one conclusion. For a cycle it matters which: its path decides what it removes.
//!
//! **What is not searched.** A candidate that a cycle removes also refutes itself: a chain leads from it once round the
//! cycle, and has at most two candidates more than the cycle. Chains are found for all starts at once, so they are
//! looked for first:
//! * XY-cycles are searched only where such a chain exists;
//! * cycles are searched only through candidates that [`Reach::on_cycles`] or [`Reach::near_cycles`] names, where these
//!   can tell, and only up to the rating of the best hint so far;
//! * the XY pass is left out when an earlier pass has found a rating below 7.0.

use super::cycles::{CycleLinks, Queue, from_start};
use super::graph::{Graph, NO_LIMIT, pairs_in_cycles};
use super::reach::{Decided, LinkScope, Reach, ShortestChain};
use super::templates::Limits;
use crate::explainer::found::{self, FoundHint, Taken, Taker, added};
use crate::explainer::kind::HintKind;
use crate::explainer::state::{CellsByDigit, State};
use crate::explainer::tables::{bits, count};

/// The producer: gives the easiest hint, if there is one.
pub(crate) fn forcing(state: &State, take: &mut Taker) -> Taken {
    easier(state, None).map_or(Ok(()), |best| take(&best.hint))
}

/// The easiest hint of a position, or `best`, if that is given and no hint is easier.
pub(crate) fn easier(state: &State, best: Option<Best>) -> Option<Best> {
    let mut search = ForcingSearch { state, best, queue: Queue::default() };
    search.along_digits(&Limits::of(state));
    if search.is_easy() {
        search.y_cycles();
    } else {
        // Sets of linked candidates get as many words of 64 bits as they need.
        let links = LinkScope::all(state);
        match links.count() {
            0..=64 => search.chains::<1>(&links),
            65..=128 => search.chains::<2>(&links),
            129..=256 => search.chains::<4>(&links),
            _ => search.chains::<12>(&links),
        }
    }
    search.best
}

/// The complexity of the longest chains with all links that are rated at most so many tenths. None if all rate higher.
pub(crate) fn longest_chain(tenths: u16) -> Option<u32> {
    (4..200).step_by(2).take_while(|&length| found::tenths(7.0 + added(length)) <= tenths).last()
}

/// What chains of a complexity up to `longest` decide.
pub(crate) fn decided(state: &State, longest: u32) -> Decided {
    let links = LinkScope::all(state);
    match links.count() {
        0..=64 => Reach::<1>::new(state, &links).decided(longest),
        65..=128 => Reach::<2>::new(state, &links).decided(longest),
        129..=256 => Reach::<4>::new(state, &links).decided(longest),
        _ => Reach::<12>::new(state, &links).decided(longest),
    }
}

/// Decides between hints of the same rating. Fields are compared in this order. It is that of the original: with another
/// order, another hint comes first, the position after it differs, and later ratings may differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ForcingRank {
    pub(crate) complexity: u32,
    /// The links of its pass. None is before all passes.
    pub(crate) links: Option<CycleLinks>,
    /// 9 * cell + digit.
    pub(crate) start: usize,
    pub(crate) turn: HintTurn,
}

/// The hints of one start, in the order in which they are collected.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum HintTurn {
    Cycle,
    /// The chain that removes the start.
    Refutation,
    /// The chain that places it.
    Proof,
}

impl ForcingRank {
    /// The first hint of a pass.
    fn first_of(links: Option<CycleLinks>) -> ForcingRank {
        ForcingRank { complexity: 0, links, start: 0, turn: HintTurn::Cycle }
    }
}

/// The easiest hint so far.
pub(crate) struct Best {
    pub(crate) hint: FoundHint,
    pub(crate) rank: ForcingRank,
}

/// The search of a position. The queue is kept from start to start.
struct ForcingSearch<'a> {
    state: &'a State,
    best: Option<Best>,
    queue: Queue,
}

impl ForcingSearch<'_> {
    fn offer(&mut self, hint: FoundHint, rank: ForcingRank) {
        if self.best.as_ref().is_none_or(|best| (hint.rating, rank) < (best.hint.rating, best.rank)) {
            self.best = Some(Best { hint, rank });
        }
    }

    /// Offers the hint of the chain that proves or refutes a start.
    fn offer_chain(&mut self, links: CycleLinks, chain: ShortestChain) {
        let ShortestChain { length: complexity, start, proves } = chain;
        let hint = FoundHint::of_chain(links.chain_kind(), self.state, start, proves, complexity);
        let turn = if proves { HintTurn::Proof } else { HintTurn::Refutation };
        self.offer(hint, ForcingRank { complexity, links: Some(links), start, turn });
    }

    /// The least complexity with which a hint of this base rating and rank can no longer be the best.
    fn limit(&self, base: f64, rank: ForcingRank) -> u32 {
        let mut rank = ForcingRank { complexity: 4, ..rank };
        let Some(best) = &self.best else { return NO_LIMIT };
        while (base + added(rank.complexity), rank) < (best.hint.rating, best.rank) {
            rank.complexity += 2;
        }
        rank.complexity
    }

    /// Makes the X pass: links along one digit, digit by digit. First chains, then cycles through `near` candidates.
    fn along_digits(&mut self, limits: &Limits) {
        let mut near = [0; 9];
        for digit in (0..9).filter(|&digit| limits.refutable[digit] | limits.provable[digit] != 0) {
            // The 27 houses have at most 54 linked candidates of a digit.
            let mut reach = Reach::<1>::new(self.state, &LinkScope::digit(self.state, digit));
            let limit = self.limit(6.6, ForcingRank::first_of(Some(CycleLinks::X)));
            if let Some(chain) = reach.shortest(limit) {
                self.offer_chain(CycleLinks::X, chain);
            }
            if limits.refutable[digit] != 0 {
                near[digit] = reach.on_cycles(self.state)[digit];
            }
        }
        if near != [0; 9] {
            let graphs: [Option<Graph<2>>; 9] = std::array::from_fn(|digit| {
                (near[digit] != 0).then(|| Graph::of(self.state, &LinkScope::digit(self.state, digit)))
            });
            self.cycles(CycleLinks::X, |candidate| {
                graphs[candidate % 9].as_ref().filter(|_| near[candidate % 9] >> (candidate / 9) & 1 != 0)
            });
        }
    }

    /// True if no hint with all links can be easier than the best so far.
    fn is_easy(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.hint.rating < 7.0)
    }

    /// Makes the Y pass: cycles through cells with two candidates. Those of three cells, which have six candidates, see
    /// each other and are a naked triplet. What it leaves, and what such a cycle removes, was found before.
    fn y_cycles(&mut self) {
        if self.limit(6.5, ForcingRank::first_of(Some(CycleLinks::Y))) <= 8 {
            return;
        }
        let pairs = pairs_in_cycles(self.state);
        match pairs.count_ones() {
            0 => {}
            1..=32 => self.cycles_in_pairs::<1>(pairs),
            33..=64 => self.cycles_in_pairs::<2>(pairs),
            _ => self.cycles_in_pairs::<3>(pairs),
        }
    }

    /// Searches for the cycles among some cells with two candidates. `W` words hold their numbers.
    fn cycles_in_pairs<const W: usize>(&mut self, pairs: u128) {
        let mut reach = Reach::<W>::new(self.state, &LinkScope::pairs(self.state, pairs));
        let on_cycles = reach.on_cycles(self.state);
        let pairs = reach.returning();
        let near = on_cycles.map(|cells| cells & pairs);
        if near != [0; 9] {
            self.cycles_through(
                CycleLinks::Y,
                &near,
                &Graph::<W>::of(self.state, &LinkScope::pairs(self.state, pairs)),
            );
        }
    }

    /// Searches for the rest, where no hint is below 7.0 so far: chains with all links, from all starts at once, layer
    /// by layer, so that the first that closes is the easiest. Then the Y- and XY-cycles that can still be easier.
    fn chains<const W: usize>(&mut self, scope: &LinkScope) {
        let mut reach = Reach::<W>::new(self.state, scope);
        // Without a hint so far, Y-cycles wait for the chains: without a chain there is no Y-cycle either.
        let waits = self.best.is_none();
        if !waits {
            self.y_cycles();
        }
        // One more than the limit: a cycle below the limit comes with a chain that has at most two candidates more.
        // Lengths are even, so that this chain is below the limit, or exactly on it.
        let limit = self.limit(7.0, ForcingRank::first_of(None)).saturating_add(1);
        let Some(chain) = reach.shortest(limit) else { return };
        self.offer_chain(CycleLinks::All, chain);
        if waits {
            self.y_cycles();
        }
        // `near_cycles` is right for cycles with at most as many candidates as the shortest chain. If another hint is
        // the best, longer ones may count, and all candidates are tried.
        let near = match &self.best {
            Some(Best { hint: FoundHint { kind: HintKind::ForcingChain, .. }, .. }) => reach.near_cycles(self.state),
            _ if self.is_easy() || chain.length > self.limit(7.0, ForcingRank::first_of(None)) => return,
            _ => [u128::MAX; 9],
        };
        match self.state.candidates() {
            _ if near == [0; 9] => {}
            0..=128 => self.cycles_through(CycleLinks::All, &near, &Graph::<2>::of(self.state, scope)),
            129..=192 => self.cycles_through(CycleLinks::All, &near, &Graph::<3>::of(self.state, scope)),
            193..=256 => self.cycles_through(CycleLinks::All, &near, &Graph::<4>::of(self.state, scope)),
            257..=384 => self.cycles_through(CycleLinks::All, &near, &Graph::<6>::of(self.state, scope)),
            _ => self.cycles_through(CycleLinks::All, &near, &Graph::<12>::of(self.state, scope)),
        }
    }

    /// Searches for the cycles with the given links that start in some candidates.
    fn cycles_through<const W: usize>(&mut self, links: CycleLinks, near: &CellsByDigit, graph: &Graph<W>) {
        self.cycles(links, |candidate| (near[candidate % 9] >> (candidate / 9) & 1 != 0).then_some(graph));
    }

    /// Searches for the cycles with some links. `graph`: the graph of a start whose cycles can remove something.
    fn cycles<'g, const W: usize>(&mut self, links: CycleLinks, graph: impl Fn(usize) -> Option<&'g Graph<W>>) {
        let kind = links.cycle_kind();
        let base = f64::from(kind.tenths()) / 10.0;
        let mut queue = std::mem::take(&mut self.queue);
        for cell in 0..81 {
            let digits = self.state.digits[cell];
            // Y-cycles start in cells with two candidates.
            if count(digits) < 2 || !links.along_digits() && count(digits) > 2 {
                continue;
            }
            for start in bits(digits).map(|digit| 9 * cell + digit) {
                let Some(graph) = graph(start) else { continue };
                let rank = ForcingRank { start, ..ForcingRank::first_of(Some(links)) };
                let limit = self.limit(base, rank);
                from_start(self.state, links, graph, start, limit, &mut queue, |cycle| {
                    let (complexity, remove, cells) = (cycle.length(), cycle.removals, cycle.cells);
                    let rating = base + added(complexity);
                    let hint = FoundHint { rating, complexity, remove, cells, ..FoundHint::new(kind) };
                    self.offer(hint, ForcingRank { complexity, ..rank });
                    self.limit(base, rank)
                });
            }
        }
        self.queue = queue;
    }
}
