//! One type for both kinds of sinks.

use crate::board::{Candidates, Cell, CellSet, Digit};

use super::Technique;
use super::choice::Choice;
use super::sink::{Pattern, Sink, StepList};

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
}
