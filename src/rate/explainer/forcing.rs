//! Forcing chains and bidirectional cycles (the first chain producer, 6.5 to 7.6).
//!
//! Three passes collect hints: links along one digit (X), strong links inside cells (Y), both (XY).
//!
//! | | X | Y | XY |
//! |---|---|---|---|
//! | cycle | 6.5 + L | 6.5 + L | 7.0 + L |
//! | chain that refutes (proves) its own start | 6.6 + L | - | 7.0 + L |
//!
//! The easiest hint counts: by rating as a floating point sum, then complexity, then kind (X before Y before XY), then
//! the order in which they were collected: pass, cell row by row, digit; for each start its cycles, then the chain that
//! removes it, then the chain that places it. Both chains are found breadth first, so the shortest one counts, and it
//! does not matter which of the shortest. For a cycle it matters, as what it removes depends on its path.
//!
//! **What is not searched.** Whatever an X-cycle (any cycle) removes, would refute itself in the X (XY) links: from it,
//! once round the cycle. So cycles are looked for only where such a chain exists, and only up to the rating of the best
//! hint so far. Nor does an XY chain matter when the X pass has found a rating below 7.0.

use super::cycles::{Links, Queue, from_start, linked};
use super::found::{Found, Taker};
use super::graph::{Graph, Numbering, of_digit};
use super::kind::Kind;
use super::length::added;
use super::state::State;
use super::tables::bits;

/// Offers the easiest forcing chain or cycle.
pub(super) fn forcing(state: &State, take: &mut impl Taker) -> bool {
    let mut search = Search { state, best: None, queue: Queue::new() };
    search.x_chains();
    if search.best.is_some() {
        search.cycles(Links { x: true, y: false });
    }
    search.cycles(Links { x: false, y: true });
    let easy = search.best.as_ref().is_some_and(|best| best.found.rating < 7.0);
    if !easy {
        let numbering = Numbering::of(state);
        let found = match numbering.candidate.len() {
            0..=256 => search.chains(&numbering, &numbering.graph::<4>(state)),
            257..=384 => search.chains(&numbering, &numbering.graph::<6>(state)),
            _ => search.chains(&numbering, &numbering.graph::<12>(state)),
        };
        if found {
            search.cycles(Links { x: true, y: true });
        }
    }
    search.best.is_some_and(|best| take(&best.found))
}

struct Best {
    found: Found,
    /// Decides between hints of the same rating: complexity, kind, pass and start, place within the start.
    rank: (u32, u8, usize, u8),
}

struct Search<'a> {
    state: &'a State,
    best: Option<Best>,
    queue: Queue,
}

impl Search<'_> {
    /// True when a hint of this rating and rank would be taken.
    fn wins(&self, rating: f64, rank: (u32, u8, usize, u8)) -> bool {
        self.best.as_ref().is_none_or(|best| (rating, rank) < (best.found.rating, best.rank))
    }

    fn offer_chain(&mut self, kind: Kind, start: usize, proves: bool, complexity: u32) {
        let (key, pass) = if kind == Kind::ForcingXChain { (2, 0) } else { (4, 2) };
        let rating = f64::from(kind.tenths()) / 10.0 + added(complexity);
        let rank = (complexity, key, 729 * pass + start, if proves { 2 } else { 1 });
        if !self.wins(rating, rank) {
            return;
        }
        let (cell, digit) = (start / 9, start % 9);
        let mut found = Found { rating, complexity, cells: 1 << cell, digits: 1 << digit, ..Found::new(kind) };
        if proves {
            found.place = Some((cell as u8, digit as u8));
            bits(self.state.digits[cell] & !(1 << digit)).for_each(|other| found.remove[other] |= 1 << cell);
        } else {
            found.remove[digit] = 1 << cell;
        }
        self.best = Some(Best { found, rank });
    }

    /// One more than the longest chain of this base rating that could still win.
    fn limit(&self, base: f64) -> u32 {
        let Some(best) = &self.best else { return u32::MAX };
        let mut length = 4;
        while (base + added(length), length) <= (best.found.rating, best.rank.0) {
            length += 2;
        }
        length
    }

    /// Chains along one digit.
    fn x_chains(&mut self) {
        let mut graph = Graph::new(81);
        for digit in 0..9 {
            if linked(self.state, Links { x: true, y: false })[digit] == 0 {
                continue;
            }
            of_digit(self.state, digit, &mut graph);
            for cell in super::tables::cells(self.state.cells[digit]) {
                if self.state.digits[cell].count_ones() > 1 {
                    self.chains_from(&graph, Kind::ForcingXChain, cell, 9 * cell + digit);
                }
            }
        }
    }

    /// Chains with all links; true if there is any.
    fn chains<const W: usize>(&mut self, numbering: &Numbering, graph: &Graph<W>) -> bool {
        let mut any = false;
        for (at, &candidate) in numbering.candidate.iter().enumerate() {
            if self.state.digits[candidate as usize / 9].count_ones() > 1 {
                any |= self.chains_from(graph, Kind::ForcingChain, at, candidate as usize);
            }
        }
        // A Y-cycle can have become the best hint; then the bound for the cycles is not the shortest chain.
        let shortest = match &self.best {
            Some(Best { found: Found { kind: Kind::ForcingChain, complexity, .. }, .. }) => *complexity,
            _ => return any,
        };
        any && graph.may_have_cycle(&numbering.rivals(self.state), shortest)
    }

    fn chains_from<const W: usize>(&mut self, graph: &Graph<W>, kind: Kind, at: usize, start: usize) -> bool {
        let base = f64::from(kind.tenths()) / 10.0;
        let refutation = graph.refutes_itself(at, self.limit(base));
        refutation.into_iter().for_each(|length| self.offer_chain(kind, start, false, length));
        let proof = graph.proves_itself(at, self.limit(base));
        proof.into_iter().for_each(|length| self.offer_chain(kind, start, true, length));
        refutation.is_some() || proof.is_some()
    }

    fn cycles(&mut self, links: Links) {
        let kind = Kind::BidirectionalCycle { x: links.x, y: links.y };
        let base = f64::from(kind.tenths()) / 10.0;
        let (key, pass) = match (links.x, links.y) {
            (true, false) => (2, 0),
            (false, _) => (3, 1),
            _ => (4, 2),
        };
        let linked = linked(self.state, links);
        let mut queue = std::mem::replace(&mut self.queue, Queue::new());
        for cell in 0..81 {
            let digits = self.state.digits[cell];
            if digits.count_ones() < 2 || !links.x && digits.count_ones() > 2 {
                continue;
            }
            for digit in bits(digits).filter(|&digit| linked[digit] >> cell & 1 != 0) {
                let (start, limit) = (9 * cell + digit, self.limit(base));
                from_start(self.state, links, &linked, start, limit, &mut queue, |complexity, remove, cells, _| {
                    let rating = base + added(complexity);
                    let rank = (complexity, key, 729 * pass + start, 0);
                    if self.wins(rating, rank) {
                        let found = Found { rating, complexity, remove, cells, ..Found::new(kind) };
                        self.best = Some(Best { found, rank });
                    }
                    self.limit(base)
                });
            }
        }
        self.queue = queue;
    }
}
