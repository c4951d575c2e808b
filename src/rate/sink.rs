//! Where the families put what they find.
//!
//! A family enumerates every instance of a technique and offers each to a [`Sink`]; what becomes of it is the sink's
//! business: the ladder keeps those with the smallest label, a check keeps all, a hint the first. The pattern of an
//! instance (which cells, which houses) is passed as a closure, so that nothing is built where only counts are wanted,
//! and rating and trace run the same code.

use crate::board::{Cell, CellSet, Digit, Digits, House};

use super::Technique;

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
    /// Says of which technique the next instances are.
    fn search_for(&mut self, _technique: Technique) {}

    /// Takes an instance that places a digit. Where people find things in an order of their own, `turn` says when it is
    /// this one's: a ladder takes the lowest turn first. 0 where there is no such order.
    fn place(&mut self, cell: Cell, digit: Digit, priority: u32, pattern: impl FnOnce() -> Pattern);

    /// Takes an instance that rules candidates out; an empty list is no instance and is ignored. `turn` as in
    /// [`Sink::place`].
    fn eliminate_at(&mut self, priority: u32, candidates: &[(Digit, S)], pattern: impl FnOnce() -> Pattern);

    /// Takes an instance that rules candidates out, where there is no order.
    #[inline]
    fn eliminate(&mut self, candidates: &[(Digit, S)], pattern: impl FnOnce() -> Pattern) {
        self.eliminate_at(0, candidates, pattern);
    }

    /// Instances of a higher turn may be left out by the search.
    #[inline]
    fn last_priority(&self) -> u32 {
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

/// Keeps every instance, or only the first.
#[derive(Debug)]
pub struct StepList<S> {
    /// What was found, in the order of the search.
    pub steps: Vec<(Conclusion<S>, Pattern)>,
    only_first: bool,
}

impl<S> StepList<S> {
    /// Will keep all.
    pub fn all() -> Self {
        StepList { steps: Vec::new(), only_first: false }
    }

    /// Will keep the first.
    pub fn first() -> Self {
        StepList { steps: Vec::new(), only_first: true }
    }
}

impl<S: CellSet> Sink<S> for StepList<S> {
    fn place(&mut self, cell: Cell, digit: Digit, _priority: u32, pattern: impl FnOnce() -> Pattern) {
        if !self.is_satisfied() {
            self.steps.push((Conclusion::Place(cell, digit), pattern()));
        }
    }

    fn eliminate_at(&mut self, _priority: u32, candidates: &[(Digit, S)], pattern: impl FnOnce() -> Pattern) {
        if !candidates.is_empty() && !self.is_satisfied() {
            self.steps.push((Conclusion::Eliminate(candidates.to_vec()), pattern()));
        }
    }

    fn is_satisfied(&self) -> bool {
        self.only_first && !self.steps.is_empty()
    }
}
