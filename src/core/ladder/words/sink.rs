//! Defines the sink, into which the techniques put what they find.
//!
//! Each family enumerates every instance of a technique and offers it to a [`Sink`]. The sink decides what to keep: the
//! ladder keeps the instances with the smallest label, a check keeps all, a hint keeps the simplest. The pattern of an
//! instance is passed as a closure, so that nothing is built where only counts are needed.

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House};

use super::table::Technique;

/// The part of a position in which a technique was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The digits of the pattern.
    pub digits: Digits,
    /// Its cells. In a wing the pivot comes first.
    pub cells: Vec<Cell>,
    /// The houses that define it: base lines of a fish, the house of a subset, the houses of strong links.
    pub base: Vec<House>,
    /// The houses in which it removes candidates: cover lines of a fish, the line of a pointing.
    pub cover: Vec<House>,
    /// Length of a chain in inferences; 0 where there is no chain.
    pub links: u32,
}

impl Pattern {
    /// A pattern of some digits in some cells, in the order of the cells.
    pub fn of(digits: Digits, cells: impl IntoIterator<Item = Cell>) -> Pattern {
        Pattern { digits, cells: cells.into_iter().collect(), ..Pattern::default() }
    }

    /// The same pattern, defined by these houses.
    pub(crate) fn in_houses(self, base: impl IntoIterator<Item = House>) -> Pattern {
        Pattern { base: base.into_iter().collect(), ..self }
    }

    /// The same pattern, which removes candidates in these houses.
    pub(crate) fn removing_in(self, cover: impl IntoIterator<Item = House>) -> Pattern {
        Pattern { cover: cover.into_iter().collect(), ..self }
    }
}

/// The candidates of some digits in the cells that `cells_of` gives for each, without digits that have none.
pub(crate) fn removals<S: CellSet>(
    marks: &Candidates<S>,
    digits: Digits,
    cells_of: impl Fn(Digit) -> S,
) -> Vec<(Digit, S)> {
    let candidates = digits.iter().map(|digit| (digit, marks.of_digit(digit) & cells_of(digit)));
    candidates.filter(|(_, cells)| !cells.is_empty()).collect()
}

/// Takes the instances of a technique, one after another. An instance either places one digit or removes candidates.
/// The candidates come digit by digit, in ascending order, each with a set of cells that is not empty.
pub trait Sink<S> {
    /// Announces the technique of the next instances.
    fn search_for(&mut self, _technique: Technique) {}

    /// Takes an instance that places a digit. A ladder takes instances of the lowest `priority` first, except for
    /// chains, colorings and almost locked sets (see [`crate::ladder`]). Searches without an order of their own pass 0.
    fn place(&mut self, cell: Cell, digit: Digit, priority: u32, pattern: impl FnOnce() -> Pattern);

    /// Takes an instance that removes candidates. An empty list is ignored. For `priority` see [`Sink::place`].
    fn eliminate_at(&mut self, priority: u32, candidates: &[(Digit, S)], pattern: impl FnOnce() -> Pattern);

    /// Takes an instance that removes candidates, from a search without an order of its own.
    #[inline]
    fn eliminate(&mut self, candidates: &[(Digit, S)], pattern: impl FnOnce() -> Pattern) {
        self.eliminate_at(0, candidates, pattern);
    }

    /// Takes an instance that removes one digit. An empty set of cells is ignored.
    #[inline]
    fn eliminate_one(&mut self, digit: Digit, cells: S, pattern: impl FnOnce() -> Pattern)
    where
        S: CellSet,
    {
        if !cells.is_empty() {
            self.eliminate_at(0, &[(digit, cells)], pattern);
        }
    }

    /// The highest priority value that is still wanted. A search may leave out instances with a higher one.
    #[inline]
    fn last_priority(&self) -> u32 {
        u32::MAX
    }

    /// False if an instance of this priority that removes this number of candidates, or fewer, would be ignored.
    #[inline]
    fn wants(&self, priority: u32, _removed: u32) -> bool {
        priority <= self.last_priority()
    }

    /// False if an instance is ignored whose conclusion an earlier one of the same search had.
    #[inline]
    fn wants_repeats(&self) -> bool {
        true
    }
}

/// What an instance concludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion<S> {
    /// This digit is placed in this cell.
    Place(Cell, Digit),
    /// These digits are removed from these cells.
    Eliminate(Vec<(Digit, S)>),
}

impl<S: CellSet> Conclusion<S> {
    /// Changes a position as the conclusion says.
    pub(crate) fn take(&self, marks: &mut Candidates<S>) {
        match self {
            Conclusion::Place(cell, digit) => marks.place(*cell, *digit),
            Conclusion::Eliminate(candidates) => {
                candidates
                    .iter()
                    .for_each(|&(digit, cells)| cells.cells().for_each(|cell| marks.eliminate(cell, digit)));
            }
        }
    }
}
