//! Where the families put what they find.
//!
//! A family enumerates every instance of a technique and offers each to a [`Sink`]; what becomes of it is the sink's
//! business: the ladder keeps those with the smallest label, a check keeps all, a hint the first. The pattern of an
//! instance (which cells, which houses) is passed as a closure, so that nothing is built where only counts are wanted,
//! and rating and trace run the same code.

use crate::board::{Cell, CellSet, Digit, Digits, House};

use super::Technique;
use super::label::Labels;

/// The part of a position in which a technique was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The digits that it is about.
    pub digits: Digits,
    /// The cells that it consists of; in a wing the pivot comes first.
    pub cells: Vec<Cell>,
    /// The houses that it is seen in (base lines of a fish, the house of a subset, the houses of links).
    pub base: Vec<House>,
    /// The houses that cover it (cover lines of a fish, the line that a box points along).
    pub cover: Vec<House>,
    /// Length of a chain in inferences; 0 where there is no chain.
    pub links: u32,
}

/// Takes the instances of a technique, one after another. An instance of a technique either places one digit or rules
/// candidates out; candidates come digit by digit, ascending, each with a set of cells that is not empty.
pub trait Sink<S> {
    /// Takes an instance that places a digit. Where people find things in an order of their own, `turn` says when it is
    /// this one's: a ladder takes the lowest turn first. 0 where there is no such order.
    fn place(&mut self, cell: Cell, digit: Digit, turn: u32, pattern: impl FnOnce() -> Pattern);

    /// Takes an instance that rules candidates out; an empty list is no instance and is ignored. `turn` as in
    /// [`Sink::place`].
    fn eliminate_in_turn(&mut self, turn: u32, candidates: &[(Digit, S)], pattern: impl FnOnce() -> Pattern);

    /// Takes an instance that rules candidates out, where there is no order.
    #[inline]
    fn eliminate(&mut self, candidates: &[(Digit, S)], pattern: impl FnOnce() -> Pattern) {
        self.eliminate_in_turn(0, candidates, pattern);
    }

    /// Instances of a higher turn may be left out by the search.
    #[inline]
    fn last_turn(&self) -> u32 {
        u32::MAX
    }

    /// True when no further instance is wanted.
    #[inline]
    fn is_satisfied(&self) -> bool {
        false
    }
}

/// What an instance concludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion<S> {
    /// This digit goes into this cell.
    Place(Cell, Digit),
    /// These digits do not go into these cells.
    Eliminate(Vec<(Digit, S)>),
}

/// Keeps every instance (`FIRST` false), or only the first (`FIRST` true).
#[derive(Debug)]
pub struct Found<S, const FIRST: bool> {
    /// What was found, in the order of the search.
    pub all: Vec<(Conclusion<S>, Pattern)>,
}

impl<S, const FIRST: bool> Default for Found<S, FIRST> {
    fn default() -> Self {
        Found { all: Vec::new() }
    }
}

impl<S: CellSet, const FIRST: bool> Sink<S> for Found<S, FIRST> {
    fn place(&mut self, cell: Cell, digit: Digit, _turn: u32, pattern: impl FnOnce() -> Pattern) {
        if !self.is_satisfied() {
            self.all.push((Conclusion::Place(cell, digit), pattern()));
        }
    }

    fn eliminate_in_turn(&mut self, _turn: u32, candidates: &[(Digit, S)], pattern: impl FnOnce() -> Pattern) {
        if !candidates.is_empty() && !self.is_satisfied() {
            self.all.push((Conclusion::Eliminate(candidates.to_vec()), pattern()));
        }
    }

    fn is_satisfied(&self) -> bool {
        FIRST && !self.all.is_empty()
    }
}

/// Keeps the instances that are to be taken next: those of the lowest turn, among them those with the smallest label,
/// each distinct conclusion once. With `RECORD` also their patterns: of several instances with one conclusion that of
/// the first.
#[derive(Debug)]
pub struct Choice<'a, S, const RECORD: bool> {
    labels: &'a Labels,
    technique: Technique,
    /// Turn and label of what is kept.
    best: (u32, u64),
    placed: Vec<(Cell, Digit)>,
    /// Eliminations of all kept instances, one after another.
    ruled_out: Vec<(Digit, S)>,
    /// Where in `ruled_out` each kept instance ends.
    ends: Vec<usize>,
    /// The technique of each kept instance: placements, then eliminations.
    techniques: Vec<Technique>,
    patterns: Vec<Pattern>,
}

impl<'a, S: CellSet, const RECORD: bool> Choice<'a, S, RECORD> {
    /// Nothing chosen yet.
    pub fn new(labels: &'a Labels) -> Self {
        Choice {
            labels,
            technique: Technique::FullHouse,
            best: (u32::MAX, u64::MAX),
            placed: Vec::new(),
            ruled_out: Vec::new(),
            ends: Vec::new(),
            techniques: Vec::new(),
            patterns: Vec::new(),
        }
    }

    /// Forgets what was chosen.
    pub fn clear(&mut self) {
        self.best = (u32::MAX, u64::MAX);
        self.placed.clear();
        self.ruled_out.clear();
        self.ends.clear();
        self.techniques.clear();
        self.patterns.clear();
    }

    /// Says which technique is searched next.
    pub fn search_for(&mut self, technique: Technique) {
        self.technique = technique;
    }

    /// True when nothing was found.
    pub fn is_empty(&self) -> bool {
        self.techniques.is_empty()
    }

    /// The technique of each instance kept, one for each distinct conclusion.
    pub fn techniques(&self) -> &[Technique] {
        &self.techniques
    }

    /// The digits to place.
    pub fn placements(&self) -> &[(Cell, Digit)] {
        &self.placed
    }

    /// The candidates to rule out, instance by instance.
    pub fn eliminations(&self) -> impl Iterator<Item = &[(Digit, S)]> {
        self.ends.iter().enumerate().map(|(at, &end)| {
            let start = if at == 0 { 0 } else { self.ends[at - 1] };
            &self.ruled_out[start..end]
        })
    }

    /// The patterns, in the order of the techniques; empty without `RECORD`.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// True when an instance with this turn and label is to be kept; drops those that it beats.
    #[inline]
    fn admit(&mut self, turn: u32, label: u64) -> bool {
        if (turn, label) < self.best {
            self.clear();
            self.best = (turn, label);
        }
        (turn, label) == self.best
    }

    #[inline]
    fn keep(&mut self, pattern: impl FnOnce() -> Pattern) {
        self.techniques.push(self.technique);
        if RECORD {
            self.patterns.push(pattern());
        }
    }
}

impl<S: CellSet, const RECORD: bool> Sink<S> for Choice<'_, S, RECORD> {
    #[inline]
    fn place(&mut self, cell: Cell, digit: Digit, turn: u32, pattern: impl FnOnce() -> Pattern) {
        if self.admit(turn, self.labels.candidate(cell, digit)) && !self.placed.contains(&(cell, digit)) {
            debug_assert!(self.ends.is_empty(), "a technique places or rules out");
            self.placed.push((cell, digit));
            self.keep(pattern);
        }
    }

    fn eliminate_in_turn(&mut self, turn: u32, candidates: &[(Digit, S)], pattern: impl FnOnce() -> Pattern) {
        if candidates.is_empty() || turn > self.best.0 {
            return;
        }
        let each = candidates.iter().flat_map(|&(digit, cells)| cells.cells().map(move |cell| (cell, digit)));
        let label = each.fold(0, |sum: u64, (cell, digit)| sum.wrapping_add(self.labels.candidate(cell, digit)));
        if self.admit(turn, label) && self.eliminations().all(|known| known != candidates) {
            debug_assert!(self.placed.is_empty(), "a technique places or rules out");
            self.ruled_out.extend_from_slice(candidates);
            self.ends.push(self.ruled_out.len());
            self.keep(pattern);
        }
    }

    fn last_turn(&self) -> u32 {
        self.best.0
    }
}
