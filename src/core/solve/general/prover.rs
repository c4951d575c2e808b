//! Answers the question of digging on boards of every shape: does a puzzle have a solution besides the known one?
//!
//! ```text
//!   1. the cell alone   its digit is a naked or hidden single     a third of the questions of a dig end here
//!                       of the givens
//!   2. logic alone      naked and hidden singles to a fixed       another third
//!                       point, or until the cell has its digit
//!   3. search           without the known digit in the cell,      the rest
//!                       the known digits tried first elsewhere
//! ```
//!
//! Large boards are best dug in two rounds: the first with a budget of 1 (logic alone), the second with a larger
//! budget. The reason: if a given is removed that only a search proves redundant, all later proofs become harder.
//! On 25x25 two rounds with budgets of 1 and 30 leave 259 givens, one round 265 or 282 (`reports/tried.md`).

use super::givens::Givens;
use super::search::Search;
use super::tables::Tables;
use super::{SolutionQuery, sat};
use crate::board::{Cell, CellSet, Solution};
use crate::solve::{Answer, Budget, Prover};

/// Looks for second solutions besides one known solution, for any shape of order at most 36.
///
/// The budget is the number of positions that each question may visit. A budget of 1 is logic alone: naked and hidden
/// singles. A budget of 2 adds the singles that follow after the known digit is excluded from the cell. The search
/// tries the known digits first, so that a second solution differs in few cells.
///
/// The weights of the search are kept from question to question. Every answer except [`Answer::Unknown`] is certain.
/// Whether a question is answered within the budget, and which second solution is found, depends only on it and on
/// earlier ones.
#[derive(Clone, Debug)]
pub(crate) struct ProverOf<S> {
    /// The digit of each cell, from 1.
    known: Vec<u8>,
    /// The givens of the last question.
    givens: Givens,
    /// The cells of the same givens.
    cells: S,
    search: Search,
    /// The positions that each question may visit.
    budget: Budget,
}

impl<S: CellSet> ProverOf<S> {
    /// A prover for a solution whose cells fit into the set, with a budget for each question.
    ///
    /// # Panics
    /// If the order is above [`crate::board::Shape::MAX_SOLVABLE_ORDER`].
    pub(crate) fn new(solution: &Solution, budget: Budget) -> ProverOf<S> {
        let tables = Tables::of(solution.shape());
        ProverOf {
            known: solution.values().iter().map(|&value| value as u8).collect(),
            givens: Givens::none(tables),
            cells: S::empty(),
            search: Search::new(tables),
            budget,
        }
    }

    fn ask(&mut self, givens: S) {
        self.search.allow(self.budget.0, sat::gate(self.givens.tables.order, self.budget));
        for cell in ((givens - self.cells) | (self.cells - givens)).cells() {
            self.givens.toggle(cell.index(), usize::from(self.known[cell.index()]) - 1);
        }
        self.cells = givens;
    }

    /// Looks for a solution other than the known one from the root, which is settled.
    fn search_from_root(&mut self) -> Answer<S> {
        let (known, mut answer) = (self.known.as_slice(), Answer::Unknown);
        let mut query = SolutionQuery {
            givens: None,
            known,
            limit: 1,
            count: 0,
            met: None,
            on_solution: |values: &[u8]| {
                let differing = (0..values.len()).filter(|&cell| values[cell] != known[cell]);
                answer = Answer::Differs(S::of(differing.map(Cell::new)));
            },
        };
        let is_exhausted = query.answer(self.givens.tables, &mut self.search);
        if is_exhausted { Answer::None } else { answer }
    }
}

impl<S: CellSet> Prover<S> for ProverOf<S> {
    fn second(&mut self, givens: S) -> Answer<S> {
        self.ask(givens);
        if !self.search.visit() {
            return Answer::Unknown;
        }
        let root = self.search.root();
        if root.start(&self.givens).and_then(|()| root.settle(self.givens.tables)).is_none() {
            return Answer::None;
        }
        self.search_from_root()
    }

    fn second_without(&mut self, givens: S, cell: Cell) -> Answer<S> {
        self.ask(givens);
        let (tables, cell) = (self.givens.tables, cell.index());
        let digit = usize::from(self.known[cell]) - 1;
        if self.givens.candidates(cell) == 1 << digit || self.givens.is_hidden_single(cell, digit) {
            return Answer::None;
        }
        if !self.search.visit() {
            return Answer::Unknown;
        }
        let root = self.search.root();
        let settled = root.start(&self.givens).and_then(|()| root.settle_for(tables, cell));
        if settled.is_none() || root.values[cell] != 0 {
            return Answer::None;
        }
        if !self.search.visit() {
            return Answer::Unknown;
        }
        let root = self.search.root();
        if root.remove(tables, cell, digit).and_then(|()| root.settle(tables)).is_none() {
            return Answer::None;
        }
        self.search_from_root()
    }
}
