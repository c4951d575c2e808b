//! Chains over all candidates of a cell or all places of a digit, contradictions, double chains: Nishio 7.5 + L,
//! Multiple 8.0 + L, Dynamic 8.5 + L, Dynamic Plus 9.0 + L.
//!
//! Each open cell in turn, row by row (static chains: cells with three candidates or more only, and so are *houses
//! whose first place lies in such a cell*), each of its digits upwards:
//!
//! 1. the candidate on: a contradiction removes it; the candidate off: a contradiction places it (not static);
//! 2. what follows from on and from off is true (dynamic, cells with three candidates or more);
//! 3. for block, row, column in which this cell is the first place of the digit: what follows from all places;
//! 4. after the last digit: what follows from all candidates of the cell.
//!
//! Nishio stops after 1. The complexity of a hint is the sum over its branches of the number of distinct candidates
//! from which the conclusion follows, itself included. The least complex hint counts; then double before cell before house
//! before contradiction; then the order above, `on` conclusions before `off`, each in the order of the first branch.

use super::advanced::Tools;
use super::found::{Found, Taker};
use super::graph::{intersect, members};
use super::kind::Kind;
use super::length::added;
use super::run::{Counter, Mode, NONE, Run};
use super::state::State;
use super::tables::{HOUSE, OF, bits};

/// Offers the easiest hint of one of the four producers.
pub(super) fn multiple(state: &State, mode: Mode, take: &mut impl Taker) -> bool {
    let mut search = Search {
        state,
        mode,
        runs: Vec::new(),
        run_of: [NONE; 729],
        counter: Counter::new(),
        tools: Tools::new(),
        best: None,
        turn: 0,
    };
    search.all();
    search.best.is_some_and(|best| take(&search.found(best)))
}

/// Decides between hints: complexity, kind, turn in the scan, off after on, place in the first branch.
type Rank = (u32, u8, u32, bool, u16);

#[derive(Clone, Copy)]
struct Best {
    rank: Rank,
    kind: Kind,
    /// The conclusion.
    candidate: u16,
    on: bool,
}

struct Search<'a> {
    state: &'a State,
    mode: Mode,
    runs: Vec<Run>,
    /// The run of each candidate as on.
    run_of: [u16; 729],
    counter: Counter,
    tools: Tools,
    best: Option<Best>,
    turn: u32,
}

const DOUBLE: u8 = 1;
const CELL: u8 = 5;
const REGION: u8 = 6;
const CONTRADICTION: u8 = 7;

impl Search<'_> {
    fn all(&mut self) {
        let mut off = Run::new();
        let fewest = if self.mode.dynamic { 2 } else { 3 };
        for cell in 0..81 {
            let digits = self.state.digits[cell];
            if digits.count_ones() < fewest {
                continue;
            }
            for digit in bits(digits) {
                self.binary(cell, digit, &mut off);
                if !self.mode.nishio {
                    self.regions(cell, digit);
                }
            }
            if !self.mode.nishio {
                let mut starts = [0; 9];
                let count = bits(digits).zip(&mut starts).map(|(digit, start)| *start = 9 * cell + digit).count();
                self.common(CELL, &starts[..count]);
            }
        }
    }

    /// The run of a candidate as on.
    fn run(&mut self, candidate: usize) -> usize {
        if self.run_of[candidate] == NONE {
            let mut run = Run::new();
            run.follow(self.state, self.mode, candidate, true, &mut self.tools);
            self.run_of[candidate] = self.runs.len() as u16;
            self.runs.push(run);
        }
        self.run_of[candidate] as usize
    }

    /// One candidate on and off.
    fn binary(&mut self, cell: usize, digit: usize, off: &mut Run) {
        let candidate = 9 * cell + digit;
        let on = self.run(candidate);
        self.turn += 1;
        if !self.mode.dynamic {
            return;
        }
        if let Some(clash) = self.runs[on].contradiction {
            let on = std::mem::replace(&mut self.runs[on], Run::new());
            self.contradiction(&on, clash, candidate, false);
            self.runs[self.run_of[candidate] as usize] = on;
        }
        self.turn += 1;
        off.follow(self.state, self.mode, candidate, false, &mut self.tools);
        if let Some(clash) = off.contradiction {
            self.contradiction(off, clash, candidate, true);
        }
        self.turn += 1;
        if !self.mode.nishio && self.state.digits[cell].count_ones() >= 3 {
            let on = std::mem::replace(&mut self.runs[on], Run::new());
            self.agreements(DOUBLE, &[&on, off]);
            self.runs[self.run_of[candidate] as usize] = on;
        }
    }

    fn contradiction(&mut self, run: &Run, (on, off): (u16, u16), candidate: usize, places: bool) {
        let bound = u32::from(run.nodes[on as usize].depth) + u32::from(run.nodes[off as usize].depth);
        if !self.wins((bound, CONTRADICTION, self.turn, false, 0)) {
            return;
        }
        let complexity = self.counter.ancestors(run, on) + self.counter.ancestors(run, off);
        let kind = match self.mode {
            Mode { nishio: true, .. } => Kind::NishioForcingChain,
            Mode { level, .. } => Kind::ContradictionForcingChain { level: level as i8 },
        };
        self.offer((complexity, CONTRADICTION, self.turn, false, 0), kind, candidate, places);
    }

    /// The houses of which this cell is the first place of the digit.
    fn regions(&mut self, cell: usize, digit: usize) {
        for (house, place) in OF[cell] {
            let house = house as usize;
            let places = self.state.places[house][digit];
            self.turn += 1;
            if places.trailing_zeros() == u32::from(place) && places.count_ones() > 1 {
                let mut starts = [0; 9];
                let at = |place: usize| 9 * HOUSE[house][place] as usize + digit;
                let count = bits(places).zip(&mut starts).map(|(place, start)| *start = at(place)).count();
                self.common(REGION, &starts[..count]);
            }
        }
    }

    /// What follows from each of the candidates.
    fn common(&mut self, key: u8, starts: &[usize]) {
        self.turn += 1;
        let mut numbers = [0; 9];
        for (number, &start) in numbers.iter_mut().zip(starts) {
            *number = self.run(start);
        }
        let runs = std::mem::take(&mut self.runs);
        let branches: [&Run; 9] = std::array::from_fn(|at| &runs[numbers[at.min(starts.len() - 1)]]);
        self.agreements(key, &branches[..starts.len()]);
        self.runs = runs;
    }

    fn agreements(&mut self, key: u8, branches: &[&Run]) {
        for side in 0..2 {
            let mut common = branches[0].sets[side];
            branches[1..].iter().for_each(|branch| intersect(&mut common, &branch.sets[side]));
            for candidate in members(&common) {
                self.agreement(key, branches, candidate, side == 0);
            }
        }
    }

    fn agreement(&mut self, key: u8, branches: &[&Run], candidate: usize, on: bool) {
        let place = branches[0].node(candidate, on);
        let depth = |run: &&Run| u32::from(run.nodes[run.node(candidate, on) as usize].depth);
        let bound = branches.iter().map(depth).sum();
        if !self.wins((bound, key, self.turn, !on, place)) {
            return;
        }
        if on && self.state.digits[candidate / 9].count_ones() < 2 {
            return;
        }
        let complexity = branches.iter().map(|run| self.counter.ancestors(run, run.node(candidate, on))).sum();
        let level = if self.mode.dynamic { self.mode.level as i8 } else { -1 };
        let kind = match key {
            DOUBLE => Kind::DoubleForcingChain { level },
            CELL => Kind::CellForcingChains { level },
            _ => Kind::RegionForcingChains { level },
        };
        self.offer((complexity, key, self.turn, !on, place), kind, candidate, on);
    }

    fn wins(&self, rank: Rank) -> bool {
        self.best.is_none_or(|best| rank < best.rank)
    }

    fn offer(&mut self, rank: Rank, kind: Kind, candidate: usize, on: bool) {
        if self.wins(rank) {
            self.best = Some(Best { rank, kind, candidate: candidate as u16, on });
        }
    }

    fn found(&self, best: Best) -> Found {
        let (cell, digit) = (best.candidate as usize / 9, best.candidate as usize % 9);
        let mut found = Found { complexity: best.rank.0, cells: 1 << cell, ..Found::new(best.kind) };
        found.digits = 1 << digit;
        found.rating += added(found.complexity);
        if best.on {
            found.place = Some((cell as u8, digit as u8));
            bits(self.state.digits[cell] & !(1 << digit)).for_each(|other| found.remove[other] |= 1 << cell);
        } else {
            found.remove[digit] = 1 << cell;
        }
        found
    }
}
