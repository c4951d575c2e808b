//! The one type of sink that searches are compiled for: what a ladder wants, or everything.

use crate::board::{Candidates, Cell, CellSet, Digit};

use super::Technique;
use super::choice::Choice;
use super::sink::{Found, Pattern, Sink};

/// Either of the two sinks. The families are compiled anew for every type of sink; with this there is one.
#[derive(Debug)]
pub enum Gather<'g, 'a, S: 'static> {
    /// What is to be taken next, in a position.
    Choice(&'g mut Choice<'a, S>, &'g Candidates<S>),
    /// Everything, or the first.
    Found(&'g mut Found<S>),
}

impl<S: CellSet> Sink<S> for Gather<'_, '_, S> {
    #[inline]
    fn search_for(&mut self, technique: Technique) {
        if let Gather::Choice(choice, _) = self {
            choice.search_for(technique);
        }
    }

    #[inline]
    fn place(&mut self, cell: Cell, digit: Digit, turn: u32, pattern: impl FnOnce() -> Pattern) {
        match self {
            Gather::Choice(choice, _) => choice.place(cell, digit, turn, pattern),
            Gather::Found(found) => found.place(cell, digit, turn, pattern),
        }
    }

    #[inline]
    fn eliminate_in_turn(&mut self, turn: u32, candidates: &[(Digit, S)], pattern: impl FnOnce() -> Pattern) {
        match self {
            Gather::Choice(choice, marks) => choice.eliminate(marks, turn, candidates, pattern),
            Gather::Found(found) => found.eliminate_in_turn(turn, candidates, pattern),
        }
    }

    #[inline]
    fn last_turn(&self) -> u32 {
        match self {
            Gather::Choice(choice, _) => choice.last_turn(),
            Gather::Found(found) => found.last_turn(),
        }
    }

    #[inline]
    fn is_satisfied(&self) -> bool {
        match self {
            Gather::Choice(..) => false,
            Gather::Found(found) => found.is_satisfied(),
        }
    }
}
