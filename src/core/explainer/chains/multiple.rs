//! Chains over all candidates of a cell or all places of a digit, contradictions, and double chains: Nishio 7.5 + L,
//! Multiple 8.0 + L, Dynamic 8.5 + L, Dynamic Plus 9.0 + L, nested 9.5 + L and more.
//!
//! The scan visits each open cell, row by row, and each of its digits upwards. Static chains only use cells with three
//! or more candidates, and *houses whose first place lies in one of them*. For each digit and cell:
//!
//! 1. the candidate on: a contradiction removes it; the candidate off: a contradiction places it (not static);
//! 2. what follows both from on and from off is true (dynamic, cells with three candidates or more);
//! 3. for block, row, column in which this cell is the first place of the digit: what follows from all places;
//! 4. after the last digit: what follows from all candidates of the cell.
//!
//! Nishio stops after 1. The complexity of a hint is a sum. Each branch counts the distinct candidates from which the
//! conclusion follows, including the conclusion. The different nested chains in the branches add their complexities.
//! The least complex hint counts. Among equally complex hints the kind decides: double, cell, house, contradiction.
//! Then the order above decides, with `on` conclusions before `off`, each in the order of the first branch.
//!
//! The length of the longest path back to the assumption is a lower bound for a branch. With this bound most hints are
//! rejected before the candidates of their branches are counted. In static chains it is the number itself, so bit sets
//! find the easiest hint, and only its branches are followed.

use std::rc::Rc;

use super::graph::Outcomes;
use super::run::{Clash, NONE, Nested, NestedRules, OFF, ON, OnCause, Run, Walker};
use super::templates::Limits;
use crate::explainer::found::{FoundHint, Taken, Taker};
use crate::explainer::kind::{ChainLevel, HintKind};
use crate::explainer::state::State;
use crate::explainer::tables::{HOUSE, HouseType, OF, bits, cells, count};
use crate::stop;

/// The easiest hint of a level. `rules` are those of the levels from [`ChainLevel::Plus`] on.
pub(crate) fn multiple(state: &State, level: ChainLevel, rules: NestedRules, take: &mut Taker) -> Taken {
    let mut search = ChainScan::new(state, level, rules, false);
    search.scan();
    search.hints.first().map_or(Ok(()), |hint| take(&hint.to_hint(state)))
}

/// Decides between hints. Fields are compared in this order. It is that of the original: with another order, another
/// hint comes first where several are equally easy, and ratings may differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HintRank {
    pub(crate) complexity: u32,
    basis: Basis,
    scan_order: u32,
    /// On comes before off.
    is_off: bool,
    /// The node of the conclusion in the first branch.
    node: u16,
}

/// What the branches of a hint start from, in the order in which equally complex hints are taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Basis {
    /// A candidate that is on, and off.
    Double,
    /// The candidates of a cell.
    Cell,
    /// The places of a digit in a house.
    Region,
    /// One assumption, which leads to a contradiction.
    Contradiction,
}

/// A hint of the scan: its conclusion, and where its branches end.
pub(crate) struct ChainHint {
    pub(crate) rank: HintRank,
    pub(crate) kind: HintKind,
    /// The candidate of the conclusion, 9 * cell + digit, and whether it is on.
    candidate: u16,
    on: bool,
    /// The conclusion in each branch, or the two sides of a contradiction.
    branches: [BranchEnd; 9],
    count: usize,
    /// The cause that is recorded for the assumptions: see [`super::nested`].
    pub(crate) start: OnCause,
}

/// The end of a branch: a run, and one of its nodes.
#[derive(Clone, Copy)]
pub(crate) struct BranchEnd {
    pub(crate) run: u16,
    pub(crate) node: u16,
}

/// What a hint starts from, and the cause that is recorded for its assumptions.
#[derive(Clone, Copy)]
struct Origin {
    basis: Basis,
    start: OnCause,
}

/// The easiest static hint so far.
struct Nearest {
    complexity: u32,
    origin: Origin,
    starts: Vec<usize>,
}

impl ChainHint {
    pub(crate) fn to_hint(&self, state: &State) -> FoundHint {
        FoundHint::of_chain(self.kind, state, self.candidate.into(), self.on, self.rank.complexity)
    }

    pub(crate) fn branches(&self) -> &[BranchEnd] {
        &self.branches[..self.count]
    }
}

pub(crate) struct ChainScan<'a> {
    state: &'a State,
    level: ChainLevel,
    rules: NestedRules,
    /// What follows from each candidate, for static chains. It shows which candidates have nothing in common.
    outcomes: Option<Outcomes>,
    nearest: Option<Nearest>,
    /// Keep every hint in scan order, not only the easiest.
    keep_all: bool,
    pub(crate) hints: Vec<ChainHint>,
    pub(crate) runs: Vec<Run>,
    /// For each candidate the number of the run in which it is assumed as on, or [`NONE`].
    run_of: [u16; 729],
    pub(crate) walker: Walker,
    memory: Vec<u16>,
    /// The number of places of the scan so far, for [`HintRank`].
    scan_order: u32,
}

impl Drop for ChainScan<'_> {
    fn drop(&mut self) {
        Run::give_back(&mut self.runs);
    }
}

impl ChainScan<'_> {
    /// A scan of a position at a level. `keep_all`: all hints are kept, not only the easiest.
    pub(crate) fn new(state: &State, level: ChainLevel, rules: NestedRules, keep_all: bool) -> ChainScan<'_> {
        ChainScan {
            state,
            level,
            rules,
            outcomes: (level == ChainLevel::Static).then(|| Outcomes::of(state)),
            nearest: None,
            keep_all,
            hints: Vec::new(),
            runs: Vec::new(),
            run_of: [NONE; 729],
            walker: Walker::new(),
            memory: Vec::new(),
            scan_order: 0,
        }
    }

    /// Scans the position. The hints are in `hints`: all of them with `keep_all`, else the easiest.
    pub(crate) fn scan(&mut self) {
        if self.level == ChainLevel::Nishio {
            return self.nishio();
        }
        let fewest = if self.level == ChainLevel::Static { 3 } else { 2 };
        for cell in 0..81 {
            let digits = self.state.digits[cell];
            if count(digits) < fewest {
                continue;
            }
            for digit in bits(digits) {
                self.binary(cell, digit);
                self.regions(cell, digit);
            }
            let mut starts = [0; 9];
            bits(digits).zip(&mut starts).for_each(|(digit, start)| *start = 9 * cell + digit);
            self.common(Origin { basis: Basis::Cell, start: OnCause::LastOfCell }, &starts[..count(digits) as usize]);
        }
        if let Some(Nearest { origin, starts, .. }) = self.nearest.take() {
            self.together(origin, &starts);
        }
    }

    /// Contradictions along one digit. Only for candidates that templates allow to be refuted or proven.
    fn nishio(&mut self) {
        let limits = Limits::of(self.state);
        for cell in (0..81).filter(|&cell| count(self.state.digits[cell]) >= 2) {
            for digit in bits(self.state.digits[cell]) {
                for (on, limit) in [(true, limits.refutable[digit]), (false, limits.provable[digit])] {
                    if limit >> cell & 1 != 0 {
                        let run = self.new_run(9 * cell + digit, on);
                        self.contradiction(run, 9 * cell + digit, !on);
                        Run::give_back(&mut self.runs.split_off(run as usize));
                    }
                }
            }
        }
    }

    /// The run in which a candidate is assumed as on, made at the first call.
    fn run(&mut self, candidate: usize) -> u16 {
        if self.run_of[candidate] == NONE {
            self.run_of[candidate] = self.new_run(candidate, true);
        }
        self.run_of[candidate]
    }

    /// Follows an assumption, and returns the number of the run.
    fn new_run(&mut self, candidate: usize, on: bool) -> u16 {
        stop::ask();
        let mut run = Run::take();
        run.follow(self.state, self.level, self.rules, candidate, on, &mut self.memory);
        self.runs.push(run);
        (self.runs.len() - 1) as u16
    }

    /// Items 1 and 2 of the header, for one candidate.
    fn binary(&mut self, cell: usize, digit: usize) {
        if self.level == ChainLevel::Static {
            return;
        }
        let candidate = 9 * cell + digit;
        let on = self.run(candidate);
        self.contradiction(on, candidate, false);
        let off = self.new_run(candidate, false);
        self.contradiction(off, candidate, true);
        if count(self.state.digits[cell]) >= 3 {
            self.agreements(Origin { basis: Basis::Double, start: OnCause::Start }, &[on, off]);
        }
        // The run is needed later only if hints keep their branches.
        if !self.keep_all {
            Run::give_back(&mut self.runs.split_off(off as usize));
        }
    }

    /// Offers the opposite of the assumption of a run that ends in a contradiction: that the candidate is on (off).
    fn contradiction(&mut self, run: u16, candidate: usize, conclusion_on: bool) {
        self.scan_order += 1;
        let Some(Clash { on, off }) = self.runs[run as usize].contradiction else { return };
        let kind = match self.level {
            ChainLevel::Nishio => HintKind::NishioForcingChain,
            level => HintKind::ContradictionForcingChain(level),
        };
        let basis = Basis::Contradiction;
        let rank = HintRank { complexity: 0, basis, scan_order: self.scan_order, is_off: false, node: 0 };
        let mut branches = [BranchEnd { run, node: on }; 9];
        branches[1].node = off;
        let candidate = candidate as u16;
        self.offer(ChainHint { rank, kind, candidate, on: conclusion_on, branches, count: 2, start: OnCause::Start });
    }

    /// Does item 3 of the header, for the houses in which the cell is the first place of the digit.
    fn regions(&mut self, cell: usize, digit: usize) {
        for (house_type, (house, place)) in HouseType::ALL.into_iter().zip(OF[cell]) {
            let house = house as usize;
            let places = self.state.places[house][digit];
            if places.trailing_zeros() == u32::from(place) && count(places) > 1 {
                let mut starts = [0; 9];
                for (place, start) in bits(places).zip(&mut starts) {
                    *start = 9 * HOUSE[house][place] as usize + digit;
                }
                let origin = Origin { basis: Basis::Region, start: OnCause::LastOfHouse(house_type) };
                self.common(origin, &starts[..count(places) as usize]);
            }
        }
    }

    /// Looks for what follows from all starts. Static chains only note the lengths, unless all hints are wanted.
    fn common(&mut self, origin: Origin, starts: &[usize]) {
        let Some(outcomes) = &mut self.outcomes else { return self.together(origin, starts) };
        if !outcomes.may_agree(starts) {
            return;
        }
        if self.keep_all {
            return self.together(origin, starts);
        }
        // No start meets a contradiction: it would be a forcing chain. So chains are as long as they seem to be.
        let Some(complexity) = outcomes.nearest(starts) else { return };
        let rank = (complexity, origin.basis);
        if self.nearest.as_ref().is_none_or(|best| rank < (best.complexity, best.origin.basis)) {
            self.nearest = Some(Nearest { complexity, origin, starts: starts.to_vec() });
        }
    }

    /// Offers the conclusions that follow from each of some starts.
    fn together(&mut self, origin: Origin, starts: &[usize]) {
        let mut runs = [0; 9];
        for (run, &start) in runs.iter_mut().zip(starts) {
            *run = self.run(start);
        }
        self.agreements(origin, &runs[..starts.len()]);
    }

    /// Offers each candidate that is on, or off, in all runs.
    fn agreements(&mut self, origin: Origin, runs: &[u16]) {
        self.scan_order += 1;
        for side in [ON, OFF] {
            let mut common = self.runs[runs[0] as usize].sets[side];
            for &run in &runs[1..] {
                let sets = &self.runs[run as usize].sets[side];
                common.iter_mut().zip(sets).for_each(|(common, set)| *common &= set);
            }
            for (digit, &common) in common.iter().enumerate() {
                cells(common).for_each(|cell| self.agreement(origin, runs, 9 * cell + digit, side == ON));
            }
        }
    }

    /// Offers one conclusion that all runs share.
    fn agreement(&mut self, origin: Origin, runs: &[u16], candidate: usize, on: bool) {
        // The only candidate of a cell is no conclusion.
        if on && count(self.state.digits[candidate / 9]) < 2 {
            return;
        }
        let mut branches = [BranchEnd { run: 0, node: 0 }; 9];
        for (branch, &run) in branches.iter_mut().zip(runs) {
            *branch = BranchEnd { run, node: self.runs[run as usize].node(candidate, on) };
        }
        let kind = match origin.basis {
            Basis::Double => HintKind::DoubleForcingChain(self.level),
            Basis::Cell => HintKind::CellForcingChains(self.level),
            Basis::Region => HintKind::RegionForcingChains(self.level),
            Basis::Contradiction => HintKind::ContradictionForcingChain(self.level),
        };
        let rank = HintRank {
            complexity: 0,
            basis: origin.basis,
            scan_order: self.scan_order,
            is_off: !on,
            node: branches[0].node,
        };
        let (candidate, count) = (candidate as u16, runs.len());
        self.offer(ChainHint { rank, kind, candidate, on, branches, count, start: origin.start });
    }

    /// Keeps a hint if it is easier than the best so far, or if all are wanted.
    fn offer(&mut self, mut hint: ChainHint) {
        hint.rank.complexity = hint.branches().iter().map(|end| self.depth(end)).sum();
        if !self.wins(&hint) {
            return;
        }
        hint.rank.complexity = self.complexity(&hint);
        if self.wins(&hint) {
            if !self.keep_all {
                self.hints.clear();
            }
            self.hints.push(hint);
        }
    }

    /// A lower bound for the number of nodes of a branch.
    fn depth(&self, end: &BranchEnd) -> u32 {
        self.runs[end.run as usize].nodes[end.node as usize].depth.into()
    }

    /// True if a hint is to be kept.
    fn wins(&self, hint: &ChainHint) -> bool {
        self.keep_all || self.hints.first().is_none_or(|best| hint.rank < best.rank)
    }

    /// The complexity of a hint: see the header.
    fn complexity(&mut self, hint: &ChainHint) -> u32 {
        let mut nested_chains: Vec<Rc<Nested>> = Vec::new();
        let mut sum = 0;
        for &BranchEnd { run, node } in hint.branches() {
            let run = &self.runs[run as usize];
            let chain = self.walker.chain(run, node);
            sum += chain.len() as u32;
            if run.nested.is_empty() {
                continue;
            }
            for nested in chain.iter().map(|&node| run.nodes[node as usize].nested).filter(|&nested| nested != NONE) {
                let nested_chain = &run.nested[nested as usize];
                if !nested_chains.contains(nested_chain) {
                    sum += nested_chain.complexity;
                    nested_chains.push(Rc::clone(nested_chain));
                }
            }
        }
        sum
    }
}
