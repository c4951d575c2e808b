//! Where the techniques put what they find.
//!
//! Each family enumerates every instance of a technique and offers it to a [`Sink`]. The sink decides what to keep: the
//! ladder keeps the instances with the smallest label, a check keeps all, a hint keeps the simplest. The pattern of an
//! instance is passed as a closure, so that nothing is built where only counts are needed.

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House};

use super::choice::Choice;
use crate::rate::{Step, Technique};

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
    pub fn in_houses(self, base: impl IntoIterator<Item = House>) -> Pattern {
        Pattern { base: base.into_iter().collect(), ..self }
    }

    /// The same pattern, which removes candidates in these houses.
    pub fn removing_in(self, cover: impl IntoIterator<Item = House>) -> Pattern {
        Pattern { cover: cover.into_iter().collect(), ..self }
    }
}

/// The candidates of some digits in the cells that `of` names for each, without digits that have none.
pub(crate) fn removals<S: CellSet>(marks: &Candidates<S>, digits: Digits, of: impl Fn(Digit) -> S) -> Vec<(Digit, S)> {
    let each = digits.iter().map(|digit| (digit, marks.of_digit(digit) & of(digit)));
    each.filter(|(_, cells)| !cells.is_empty()).collect()
}

/// Takes the instances of a technique, one after another. An instance either places one digit or removes candidates.
/// The candidates come digit by digit, in ascending order, each with a set of cells that is not empty.
pub trait Sink<S> {
    /// Announces the technique of the next instances.
    fn search_for(&mut self, _technique: Technique) {}

    /// Takes an instance that places a digit. A ladder takes instances of the lowest `priority` first, except for
    /// chains, colorings and almost locked sets (see [`super`]). Searches whose instances have no order of their own
    /// pass 0.
    fn place(&mut self, cell: Cell, digit: Digit, priority: u32, pattern: impl FnOnce() -> Pattern);

    /// Takes an instance that removes candidates. An empty list is not an instance and is ignored. For `priority` see
    /// [`Sink::place`].
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

    /// False if an instance that removes this number of candidates, or fewer, would be ignored.
    #[inline]
    fn wants(&self, _removed: u32) -> bool {
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
    pub(crate) fn take(&self, marks: &mut Candidates<S>) {
        match self {
            Conclusion::Place(cell, digit) => marks.place(*cell, *digit),
            Conclusion::Eliminate(out) => {
                out.iter().for_each(|&(digit, cells)| cells.cells().for_each(|cell| marks.eliminate(cell, digit)));
            }
        }
    }
}

/// A list of instances: all of them, only the simplest, or those of the best priority without patterns.
#[derive(Debug)]
pub struct StepList<S> {
    /// The instances in the order of the search.
    pub steps: Vec<(Conclusion<S>, Pattern)>,
    keep: Keep,
}

#[derive(Debug)]
pub(crate) enum Keep {
    All,
    /// All of them, without patterns.
    Conclusions,
    /// The instance of this rank, the lowest so far.
    Simplest(Rank),
    /// Those of this priority, the best so far, without patterns.
    Best(u32),
}

impl Keep {
    pub(crate) const SIMPLEST: Keep = Keep::Simplest((u32::MAX, true, u32::MAX, usize::MAX));
    pub(crate) const BEST: Keep = Keep::Best(u32::MAX);
}

/// How simple an instance is among those of its technique, the lowest first: its priority; whether it only removes
/// candidates; the length of its chain; the number of its cells.
pub(crate) type Rank = (u32, bool, u32, usize);

impl<S> StepList<S> {
    /// An empty list that keeps all instances.
    pub fn all() -> Self {
        StepList::new(Keep::All)
    }

    pub(crate) fn new(keep: Keep) -> Self {
        StepList { steps: Vec::new(), keep }
    }

    /// The simplest instance with its rank. None where nothing was found, and for other lists.
    pub(crate) fn into_simplest(mut self) -> Option<(Rank, Conclusion<S>, Pattern)> {
        let Keep::Simplest(rank) = self.keep else { return None };
        self.steps.pop().map(|(conclusion, pattern)| (rank, conclusion, pattern))
    }

    pub(crate) fn into_steps(self, technique: Technique) -> Vec<Step>
    where
        S: CellSet,
    {
        let step = |(conclusion, pattern)| Step::new(0, technique, &conclusion, pattern);
        self.steps.into_iter().map(step).collect()
    }

    fn add(&mut self, priority: u32, conclusion: Conclusion<S>, pattern: impl FnOnce() -> Pattern) {
        match &mut self.keep {
            Keep::All => self.steps.push((conclusion, pattern())),
            Keep::Conclusions => self.steps.push((conclusion, Pattern::default())),
            Keep::Best(best) => {
                if priority < *best {
                    *best = priority;
                    self.steps.clear();
                }
                self.steps.push((conclusion, Pattern::default()));
            }
            Keep::Simplest(lowest) => {
                let pattern = pattern();
                let removes = matches!(conclusion, Conclusion::Eliminate(_));
                let rank = (priority, removes, pattern.links, pattern.cells.len());
                if rank < *lowest {
                    *lowest = rank;
                    self.steps = vec![(conclusion, pattern)];
                }
            }
        }
    }
}

impl<S: CellSet> Sink<S> for StepList<S> {
    fn place(&mut self, cell: Cell, digit: Digit, priority: u32, pattern: impl FnOnce() -> Pattern) {
        if priority <= self.last_priority() {
            self.add(priority, Conclusion::Place(cell, digit), pattern);
        }
    }

    fn eliminate_at(&mut self, priority: u32, candidates: &[(Digit, S)], pattern: impl FnOnce() -> Pattern) {
        if !candidates.is_empty() && priority <= self.last_priority() {
            self.add(priority, Conclusion::Eliminate(candidates.to_vec()), pattern);
        }
    }

    fn last_priority(&self) -> u32 {
        match self.keep {
            Keep::All | Keep::Conclusions => u32::MAX,
            Keep::Best(best) => best,
            Keep::Simplest((priority, ..)) => priority,
        }
    }
}

/// Either sink. The compiler makes a copy of every family for each type of sink; with this type there is only one copy.
#[derive(Debug)]
pub enum AnySink<'g, 'a, S: 'static> {
    /// Chooses what the ladder takes next in a position.
    Choice(&'g mut Choice<'a, S>, &'g Candidates<S>),
    /// Keeps everything, or the simplest instance.
    List(&'g mut StepList<S>),
}

impl<S: CellSet> Sink<S> for AnySink<'_, '_, S> {
    #[inline]
    fn search_for(&mut self, technique: Technique) {
        if let AnySink::Choice(choice, _) = self {
            choice.search_for(technique);
        }
    }

    #[inline]
    fn place(&mut self, cell: Cell, digit: Digit, priority: u32, pattern: impl FnOnce() -> Pattern) {
        match self {
            AnySink::Choice(choice, _) => choice.place(cell, digit, priority, pattern),
            AnySink::List(found) => found.place(cell, digit, priority, pattern),
        }
    }

    #[inline]
    fn eliminate_at(&mut self, priority: u32, candidates: &[(Digit, S)], pattern: impl FnOnce() -> Pattern) {
        match self {
            AnySink::Choice(choice, marks) => choice.eliminate(marks, priority, candidates, pattern),
            AnySink::List(found) => found.eliminate_at(priority, candidates, pattern),
        }
    }

    #[inline]
    fn last_priority(&self) -> u32 {
        match self {
            AnySink::Choice(choice, _) => choice.last_priority(),
            AnySink::List(found) => found.last_priority(),
        }
    }

    #[inline]
    fn wants(&self, removed: u32) -> bool {
        match self {
            AnySink::Choice(choice, _) => choice.wants(removed),
            AnySink::List(_) => true,
        }
    }
}
