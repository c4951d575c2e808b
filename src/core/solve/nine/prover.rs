//! Answers the question of digging on 9x9 boards: does a puzzle have a solution besides the known one?

use super::beyond::{Beyond, BeyondSearch};
use super::dispatch;
use super::instructions::Instructions;
use super::search::{SolutionOrder, Start};
use super::words::{CELLS, FULL, GUARDS, Places, gather, spread};
use crate::board::{Cell, Narrow, Solution};
use crate::solve::{Answer, Prover};

/// Looks for second solutions besides one known 9x9 solution.
///
/// A question needs no preparation: one operation for each vector of the known solution gives the candidates that a set
/// of givens leaves. The search tries the digits of the known solution first, so that a second solution differs in few
/// cells and the unavoidable set in [`Answer::Differs`] is small. It has no budget, so the answer is never
/// [`Answer::Unknown`].
#[derive(Clone, Debug)]
pub struct Prover9 {
    /// Digits from 0; 9 in an empty cell.
    digits: [u8; 81],
    /// The places of each digit in the known solution.
    own: Places,
    /// The cells that have a digit.
    known: u128,
    /// The best instructions that it may use.
    level: Instructions,
    /// On boards with rules.
    beyond: Option<BeyondSearch>,
}

impl Prover9 {
    /// A prover for a solution of a board of order 9 with 3x3 boxes or regions, with any rules; None for other shapes.
    pub fn new(solution: &Solution) -> Option<Prover9> {
        if let Some(values) = solution.grid().nine() {
            return Some(Prover9::of(&values));
        }
        let beyond = Beyond::of(solution.shape())?;
        let mut prover = Prover9::of(&std::array::from_fn(|cell| solution.values()[cell] as u8));
        prover.beyond = Some(BeyondSearch::new(beyond, &prover.own));
        Some(prover)
    }

    /// A prover for 81 digits 1..=9, row by row. Cells without a digit always count as empty.
    pub fn of(values: &[u8; 81]) -> Prover9 {
        Prover9::at(Instructions::ALL, values)
    }

    /// Like [`Prover9::of`], with these instructions at most.
    pub(super) fn at(level: Instructions, values: &[u8; 81]) -> Prover9 {
        let digits = values.map(|value| value.wrapping_sub(1).min(9));
        let mut places = [0u128; 10];
        for (cell, &digit) in digits.iter().enumerate() {
            places[usize::from(digit)] |= 1 << cell;
        }
        let mut own = Places::BLANK;
        for (digit, &places) in places.iter().take(9).enumerate() {
            let [a, b, c, _] = spread(places).map(|word| word | GUARDS);
            *own.digit_mut(digit) = [a, b, c, FULL];
        }
        Prover9 { digits, own, known: !places[9], level, beyond: None }
    }

    /// The cells in which a solution differs from the known one.
    fn difference(&self, second: &Places) -> Narrow {
        let mut words = [0; 4];
        for digit in 0..9 {
            let (own, second) = (self.own.digit(digit), second.digit(digit));
            for (word, (own, second)) in words.iter_mut().zip(own.iter().zip(second)) {
                *word |= (own ^ second) & CELLS;
            }
        }
        Narrow(gather(words))
    }

    /// Looks for a second solution without the digit `barred.0` (from 0) in cell `barred.1`.
    fn ask(&mut self, givens: Narrow, barred: Option<(usize, usize)>) -> Answer<Narrow> {
        let givens = spread(givens.0 & self.known);
        if let Some(search) = &mut self.beyond {
            return search.second(self.level, givens, barred).map_or(Answer::None, Answer::Differs);
        }
        let mut answer = Answer::None;
        let start = Start::Blanked { solution: &self.own, givens, barred };
        // The plan `reveal` shows what `second` finds, so its order must stay the same.
        let order = if barred.is_some() { SolutionOrder::Around(&self.own) } else { SolutionOrder::Near(&self.digits) };
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
            Some(&digit) if digit < 9 => self.ask(givens, Some((usize::from(digit), cell))),
            _ => Answer::None,
        }
    }
}
