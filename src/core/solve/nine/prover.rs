//! Answers the question of digging on 9x9 boards: does a puzzle have a solution besides the known one?

use super::beyond::{VariantRules, VariantSearch};
use super::dispatch;
use super::instructions::Instructions;
use super::rules::words::{CELLS, PackedCandidates, gather, spread};
use super::search::{SolutionOrder, Start};
use crate::board::{Cell, Narrow, Solution};
use crate::solve::{Answer, Candidate, Prover};

/// Looks for second solutions besides one known 9x9 solution.
///
/// A question needs no preparation: one operation for each vector of the known solution gives the candidates that a set
/// of givens leaves. The search tries the digits of the known solution first, so that a second solution differs in few
/// cells and the unavoidable set in [`Answer::Differs`] is small. Without a budget, no answer is [`Answer::Unknown`].
#[derive(Clone, Debug)]
pub struct Prover9 {
    /// Digits from 0; 9 in an empty cell.
    digits: [u8; 81],
    /// The known solution.
    solution: PackedCandidates,
    /// The cells that have a digit.
    known: u128,
    /// The best instructions that it may use.
    level: Instructions,
    /// On boards with rules, and on jigsaws.
    variant: Option<VariantSearch>,
}

impl Prover9 {
    /// A prover for a solution of a board of order 9 with 3x3 boxes or regions, with any rules; None for other shapes.
    pub fn new(solution: &Solution) -> Option<Prover9> {
        if let Some(values) = solution.grid().nine() {
            return Some(Prover9::of(&values));
        }
        let rules = VariantRules::of(solution.shape())?;
        let mut prover = Prover9::of(&std::array::from_fn(|cell| solution.values()[cell] as u8));
        prover.variant = Some(VariantSearch::new(rules, &prover.solution));
        Some(prover)
    }

    /// A prover for 81 digits 1..=9, row by row. Cells without a digit always count as empty.
    pub fn of(values: &[u8; 81]) -> Prover9 {
        Prover9::at(Instructions::ALL, values)
    }

    /// Like [`Prover9::of`], with these instructions at most.
    pub(super) fn at(level: Instructions, values: &[u8; 81]) -> Prover9 {
        let digits = values.map(|value| value.wrapping_sub(1).min(9));
        let mut places = [0u128; 9];
        let mut known_cells = 0;
        for (cell, &digit) in digits.iter().enumerate().filter(|(_, digit)| **digit < 9) {
            places[usize::from(digit)] |= 1 << cell;
            known_cells |= 1 << cell;
        }
        Prover9 { digits, solution: PackedCandidates::of_cells(&places), known: known_cells, level, variant: None }
    }

    /// The cells in which a solution differs from the known one.
    fn difference(&self, second: &PackedCandidates) -> Narrow {
        let mut words = [0; 4];
        for digit in 0..9 {
            let (known, second) = (self.solution.digit(digit), second.digit(digit));
            for (word, (known, second)) in words.iter_mut().zip(known.iter().zip(second)) {
                *word |= (known ^ second) & CELLS;
            }
        }
        Narrow(gather(words))
    }

    /// Looks for a second solution, without the candidate `barred`.
    fn ask(&mut self, givens: Narrow, barred: Option<Candidate>) -> Answer<Narrow> {
        let givens = spread(givens.0 & self.known);
        if let Some(search) = &mut self.variant {
            let second = dispatch::second(self.level, search, givens, barred);
            return second.map_or(Answer::None, Answer::Differs);
        }
        let mut answer = Answer::None;
        let start = Start::Blanked { solution: &self.solution, givens, barred };
        // The plan `reveal` shows what `second` finds, so its order must stay the same.
        let order =
            if barred.is_some() { SolutionOrder::Around(&self.solution) } else { SolutionOrder::Near(&self.digits) };
        dispatch::explore(self.level, start, order, &mut |solution| {
            let cells = self.difference(solution);
            // This is the known solution.
            if cells.0 == 0 {
                return true;
            }
            answer = Answer::Differs(cells);
            false
        });
        answer
    }
}

impl Prover<Narrow> for Prover9 {
    fn second(&mut self, givens: Narrow) -> Answer<Narrow> {
        self.ask(givens, None)
    }

    fn second_without(&mut self, givens: Narrow, cell: Cell) -> Answer<Narrow> {
        let cell = cell.index();
        match self.digits.get(cell) {
            Some(&digit) if digit < 9 => self.ask(givens, Some(Candidate { cell, digit: usize::from(digit) })),
            _ => Answer::None,
        }
    }
}
