//! Finds the open class of a puzzle in the search for a stock. The rating stops as soon as no open class is possible.

use crate::corpus::request::stock::Class;
use sudoku_corpus_core::board::Puzzle;
use sudoku_corpus_core::rate::explainer::{self, Options, Scope, Tenths};
use sudoku_corpus_core::rate::{End, Ladder, Limit, Technique, rate, rate_until};

/// The classes that still need puzzles.
pub(crate) struct Judge<'a> {
    pub ladder: &'a Ladder,
    /// Place in the stock and class, easiest first.
    pub open: Vec<(usize, Class)>,
}

/// The judgement of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placement {
    /// The puzzle belongs to the open class at this place.
    Fits(usize),
    /// The puzzle is easier than every open class. More givens would not help.
    TooEasy,
    /// The puzzle is harder than the easiest open class, but belongs to no open class.
    Other,
}

impl Judge<'_> {
    /// Where a puzzle with one solution stands.
    pub(crate) fn of(&self, puzzle: &Puzzle) -> Placement {
        match self.open.last() {
            Some(&(_, Class::Technique(most))) => self.technique(puzzle, most),
            _ => self.class(puzzle).map_or(Placement::Other, |class| self.place(class)),
        }
    }

    /// The ER or the level of a puzzle with one solution. None if it is harder than every open class.
    pub(crate) fn class(&self, puzzle: &Puzzle) -> Option<Class> {
        match self.open.last() {
            Some(&(_, Class::Er(most))) => {
                let rating = explainer::rate(puzzle, &Options { scope: Scope::Er, at_most: Some(most.0) });
                rating.er_tenths.filter(|_| rating.exact).map(|er| Class::Er(Tenths(er)))
            }
            Some(&(_, Class::Level(most))) => {
                let rating = rate_until(puzzle, self.ladder, &Limit::above(most));
                (rating.end != End::Stopped && rating.level <= most).then_some(Class::Level(rating.level))
            }
            Some((_, Class::Technique(_))) | None => None,
        }
    }

    /// Where a class stands among the open ones.
    fn place(&self, class: Class) -> Placement {
        match self.open.binary_search_by_key(&class, |&(_, class)| class) {
            Ok(at) => Placement::Fits(self.open[at].0),
            Err(0) => Placement::TooEasy,
            Err(_) => Placement::Other,
        }
    }

    /// The class of the hardest technique, if the ladder up to its rung does not solve the puzzle without it.
    fn technique(&self, puzzle: &Puzzle, most: Technique) -> Placement {
        let order = |technique: Technique| technique.info().order;
        let up_to =
            |top: u16| self.ladder.techniques().iter().copied().filter(move |&technique| order(technique) <= top);
        let rating = rate_until(puzzle, self.ladder, &Limit::outside(up_to(order(most))));
        let used = || Technique::all().filter(|&technique| rating.count(technique) > 0);
        let (true, Some(top)) = (rating.finished, used().map(order).max()) else { return Placement::Other };
        let is_needed =
            |technique: Technique| !rate(puzzle, &Ladder::of(up_to(top).filter(|&other| other != technique))).finished;
        let mut verdict = Placement::Other;
        for technique in used().filter(|&technique| order(technique) == top) {
            match self.place(Class::Technique(technique)) {
                place @ Placement::Fits(_) if is_needed(technique) => return place,
                Placement::Fits(_) => {}
                place => verdict = place,
            }
        }
        verdict
    }
}
