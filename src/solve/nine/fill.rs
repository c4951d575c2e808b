//! Full grids by randomised search: the cell with fewest candidates first, its digits in random order.

use super::lanes::{Level, Portable};
use super::search::{Branch, Machine, State, fewest, settle};
use super::words::{Position, Slots};
use crate::random::Rng;

/// A position in which a cell was chosen, and the digits of the cell that are still to be tried.
struct Choice {
    position: Position,
    branch: Branch,
}

/// Completes a position: depth first, the first cell with fewest candidates, its digits in uniformly random order.
/// None when there is no solution.
///
/// The cell depends on the digits placed so far alone, so the law of the result is the product over the branches of
/// 1 / (number of candidates that can be completed).
#[inline(always)]
pub(super) fn complete_with<M: Machine>(start: &Position, rng: &mut Rng) -> Option<Position> {
    let mut slots = Slots::BLANK;
    slots.put(0, start);
    let mut choices: Vec<Choice> = Vec::with_capacity(40);
    loop {
        match settle::<M>(&mut slots) {
            State::Solved => return Some(slots.get(0)),
            State::Open => {
                let position = slots.get(0);
                if let Some(branch) = fewest(&position) {
                    choices.push(Choice { position, branch });
                }
            }
            State::Dead => {}
        }
        while choices.last()?.branch.digits == 0 {
            choices.pop();
        }
        let Choice { position, branch } = choices.last_mut()?;
        let skip = rng.below(branch.digits.count_ones() as usize);
        let digit = (0..skip).fold(branch.digits, |digits, _| digits & (digits - 1)).trailing_zeros();
        branch.digits &= !(1 << digit);
        let mut child = *position;
        child.place(digit as usize, branch.lane, branch.bit);
        slots.put(0, &child);
    }
}

/// [`complete_with`] with the best instructions of this machine up to a level.
pub(super) fn complete(most: Level, start: &Position, rng: &mut Rng) -> Option<Position> {
    #[cfg(target_arch = "x86_64")]
    if let Some(result) = super::vector::complete(most, start, rng) {
        return result;
    }
    let _ = most;
    complete_with::<Portable>(start, rng)
}
