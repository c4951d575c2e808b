//! Defines two sinks: a list of instances, and either such a list or the choice of the ladder.

use crate::board::{Candidates, Cell, CellSet, Digit};

use super::choice::Choice;
use super::sink::{Conclusion, Pattern, Sink};
#[cfg(test)]
use super::step::Step;
use super::table::Technique;

/// A list of instances: all of them, only the simplest, or those of the best priority without patterns.
#[derive(Debug)]
pub struct StepList<S> {
    /// The instances in the order of the search.
    pub steps: Vec<(Conclusion<S>, Pattern)>,
    keep: Keep,
}

/// Which instances a list keeps.
#[derive(Debug)]
pub(crate) enum Keep {
    All,
    /// All of them, without patterns.
    Conclusions,
    /// The instance of this rank, the lowest so far.
    Simplest(Rank),
    /// The instances of this priority, the best so far, without patterns.
    Best(u32),
}

impl Keep {
    pub(crate) const SIMPLEST: Keep =
        Keep::Simplest(Rank { priority: u32::MAX, removes: true, links: u32::MAX, cells: usize::MAX });
    pub(crate) const BEST: Keep = Keep::Best(u32::MAX);
}

/// How simple an instance is among those of its technique: the lowest is the simplest. The first field decides first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    priority: u32,
    /// True if it only removes candidates.
    removes: bool,
    links: u32,
    cells: usize,
}

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

    /// The instances as steps of a technique.
    #[cfg(test)]
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
                let rank = Rank { priority, removes, links: pattern.links, cells: pattern.cells.len() };
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
            Keep::Simplest(Rank { priority, .. }) => priority,
        }
    }
}

/// Either sink. The compiler makes a copy of every family for each type of sink; with this type there is only one copy.
#[derive(Debug)]
pub enum AnySink<'g, 'a, S: 'static> {
    /// Chooses what the ladder takes next in a position. A list may get the same instances.
    Choice(&'g mut Choice<'a, S>, &'g Candidates<S>, Option<&'g mut StepList<S>>),
    /// Keeps everything, or the simplest instance.
    List(&'g mut StepList<S>),
}

impl<S: CellSet> Sink<S> for AnySink<'_, '_, S> {
    #[inline]
    fn search_for(&mut self, technique: Technique) {
        if let AnySink::Choice(choice, ..) = self {
            choice.search_for(technique);
        }
    }

    #[inline]
    fn place(&mut self, cell: Cell, digit: Digit, priority: u32, pattern: impl FnOnce() -> Pattern) {
        match self {
            AnySink::Choice(choice, _, also) => {
                also.iter_mut().for_each(|list| list.place(cell, digit, priority, Pattern::default));
                choice.place(cell, digit, priority, pattern);
            }
            AnySink::List(list) => list.place(cell, digit, priority, pattern),
        }
    }

    #[inline]
    fn eliminate_at(&mut self, priority: u32, candidates: &[(Digit, S)], pattern: impl FnOnce() -> Pattern) {
        match self {
            AnySink::Choice(choice, marks, also) => {
                also.iter_mut().for_each(|list| list.eliminate_at(priority, candidates, Pattern::default));
                choice.eliminate(marks, priority, candidates, pattern);
            }
            AnySink::List(list) => list.eliminate_at(priority, candidates, pattern),
        }
    }

    #[inline]
    fn last_priority(&self) -> u32 {
        match self {
            AnySink::Choice(choice, _, None) => choice.last_priority(),
            AnySink::Choice(choice, _, Some(also)) => choice.last_priority().max(also.last_priority()),
            AnySink::List(list) => list.last_priority(),
        }
    }

    #[inline]
    fn wants(&self, priority: u32, removed: u32) -> bool {
        match self {
            AnySink::Choice(choice, _, None) => choice.wants(removed),
            AnySink::Choice(choice, _, Some(also)) => choice.wants(removed) || also.wants(priority, removed),
            AnySink::List(list) => list.wants(priority, removed),
        }
    }

    #[inline]
    fn wants_repeats(&self) -> bool {
        matches!(self, AnySink::List(StepList { keep: Keep::All | Keep::Simplest(_), .. }))
    }
}
