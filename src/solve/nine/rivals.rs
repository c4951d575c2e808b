//! Rivals of one known 9x9 solution: what digging asks.

use super::lanes::Level;
use super::search::Start;
use super::words::{CELLS, FULL, GUARDS, Position, gather, spread};
use super::{BEST, dispatch};
use crate::board::{Cell, Narrow, Solution};
use crate::solve::{Answer, Rivals};

/// Answers about the rivals of one 9x9 solution.
///
/// A question costs no start-up: the candidates that a set of givens leaves are one operation a vector on the known
/// solution's words. The search tries the known solution's own digits first, so that a rival differs in few cells and
/// the unavoidable set in [`Answer::Differs`] is small. It always ends, so the answer is never [`Answer::Unknown`].
#[derive(Clone, Debug)]
pub struct Rivals9 {
    /// Digits from 0; 9 where there is none.
    digits: [u8; 81],
    /// Where the known solution has each digit.
    own: Position,
    /// The cells that have a digit.
    known: u128,
    level: Level,
}

impl Rivals9 {
    /// For a 9x9 solution; None when the board has another shape.
    pub fn new(solution: &Solution) -> Option<Rivals9> {
        let values = <&[u16; 81]>::try_from(solution.values()).ok()?;
        Some(Rivals9::of(&values.map(|value| value as u8)))
    }

    /// For the 81 digits 1..=9 of a solution, row by row. Cells without a digit are treated as blank, always.
    pub fn of(values: &[u8; 81]) -> Rivals9 {
        Rivals9::at(BEST, values)
    }

    /// With instructions up to a level.
    pub(super) fn at(level: Level, values: &[u8; 81]) -> Rivals9 {
        let digits = values.map(|value| value.wrapping_sub(1).min(9));
        let mut places = [0u128; 10];
        for (cell, &digit) in digits.iter().enumerate() {
            places[usize::from(digit)] |= 1 << cell;
        }
        let mut own = Position::BLANK;
        for (digit, &places) in places.iter().take(9).enumerate() {
            let [a, b, c, _] = spread(places).map(|word| word | GUARDS);
            *own.digit_mut(digit) = [a, b, c, FULL];
        }
        Rivals9 { digits, own, known: !places[9], level }
    }

    /// The cells in which a solution differs from the known one.
    fn difference(&self, rival: &Position) -> Narrow {
        let mut words = [0; 4];
        for digit in 0..9 {
            let (own, rival) = (self.own.digit(digit), rival.digit(digit));
            for (word, (own, rival)) in words.iter_mut().zip(own.iter().zip(rival)) {
                *word |= (own ^ rival) & CELLS;
            }
        }
        Narrow(gather(words))
    }

    fn ask(&self, givens: Narrow, barred: Option<(usize, usize)>) -> Answer<Narrow> {
        let givens = spread(givens.0 & self.known);
        let mut answer = Answer::None;
        let start = Start::Blanked { solution: &self.own, givens, barred };
        dispatch::explore(self.level, start, Some(&self.digits), &mut |solution| {
            let cells = self.difference(solution);
            if cells.0 == 0 {
                return true;
            }
            answer = Answer::Differs(cells);
            false
        });
        answer
    }
}

impl Rivals<Narrow> for Rivals9 {
    fn rival(&mut self, givens: Narrow) -> Answer<Narrow> {
        self.ask(givens, None)
    }

    fn rival_at(&mut self, givens: Narrow, cell: Cell) -> Answer<Narrow> {
        let cell = cell.index();
        match self.digits.get(cell) {
            Some(&digit) if digit < 9 => self.ask(givens, Some((usize::from(digit), cell))),
            _ => Answer::None,
        }
    }
}
