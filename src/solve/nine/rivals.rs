//! Rivals of one known 9x9 solution: what digging asks.

use super::BEST;
use super::search;
use super::words::{CELLS, Digit, GUARDS, Position, gather, place, spread};
use crate::board::{Cell, Narrow, Solution};
use crate::solve::{Answer, Rivals};

/// Answers about the rivals of one 9x9 solution.
///
/// A question costs no start-up: the candidates that a set of givens leaves are one operation a digit on the known
/// solution's words. The search tries the known solution's own digits first, so that a rival differs in few cells and
/// the unavoidable set in [`Answer::Differs`] is small.
#[derive(Clone, Debug)]
pub struct Rivals9 {
    digits: [u8; 81],
    /// Where the known solution has each digit.
    own: [Digit; 9],
}

impl Rivals9 {
    /// For a 9x9 solution; None when the board has another shape.
    pub fn new(solution: &Solution) -> Option<Rivals9> {
        let values = <&[u16; 81]>::try_from(solution.values()).ok()?;
        Some(Rivals9::of(&values.map(|value| value as u8)))
    }

    /// For the 81 digits 1..=9 of a solution, row by row. Cells without a digit are treated as blank, always.
    pub fn of(values: &[u8; 81]) -> Rivals9 {
        let mut places = [0u128; 9];
        for (cell, &value) in values.iter().enumerate() {
            if let Some(places) = places.get_mut(usize::from(value).wrapping_sub(1)) {
                *places |= 1 << cell;
            }
        }
        Rivals9 { digits: values.map(|value| value.wrapping_sub(1).min(9)), own: places.map(spread) }
    }

    /// The candidates that the givens leave.
    fn start(&self, givens: Narrow) -> Position {
        let givens = spread(givens.0);
        let mut position = Position::BLANK;
        for (words, own) in position.0.iter_mut().zip(&self.own) {
            for lane in 0..3 {
                words[lane] = GUARDS | CELLS & !givens[lane] | own[lane] & givens[lane];
            }
        }
        position
    }

    /// The cells in which a solution differs from the known one.
    fn difference(own: &[Digit; 9], rival: &Position) -> Narrow {
        let mut words = [0; 4];
        for (own, rival) in own.iter().zip(&rival.0) {
            for lane in 0..3 {
                words[lane] |= own[lane] ^ rival[lane] & CELLS;
            }
        }
        Narrow(gather(words))
    }

    fn ask(&self, start: Position) -> Answer<Narrow> {
        let mut answer = Answer::None;
        let own = &self.own;
        search::explore(BEST, &start, &self.digits, &mut |solution| {
            let cells = Rivals9::difference(own, solution);
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
        self.ask(self.start(givens))
    }

    fn rival_at(&mut self, givens: Narrow, cell: Cell) -> Answer<Narrow> {
        let Some(&digit) = self.digits.get(cell.index()).filter(|&&digit| digit < 9) else { return Answer::None };
        let mut start = self.start(givens);
        let (lane, bit) = place(cell.index());
        start.remove(usize::from(digit), lane, bit);
        self.ask(start)
    }
}
