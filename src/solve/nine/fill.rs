//! Full grids by randomised search: the cell with fewest candidates first, its digits in random order.

use super::lanes::Lanes;
use super::search::{State, fewest, settle};
use super::words::Position;
use crate::random::Rng;

/// Completes a position: depth first, the first cell with fewest candidates, its digits in uniformly random order.
/// False when there is no solution.
///
/// The cell depends on the digits placed so far alone, so the law of the result is the product over the branches of
/// 1 / (number of candidates that can be completed).
pub(super) fn complete<L: Lanes<Words = [u32; 4]>>(position: &mut Position, rng: &mut Rng) -> bool {
    match settle::<L>(position) {
        State::Dead => return false,
        State::Solved => return true,
        State::Open => {}
    }
    let Some(branch) = fewest(position) else { return false };
    let mut rest = branch.digits;
    while rest != 0 {
        let skip = rng.below(rest.count_ones() as usize);
        let digit = (0..skip).fold(rest, |digits, _| digits & (digits - 1)).trailing_zeros();
        rest &= !(1 << digit);
        let mut child = *position;
        child.place(digit as usize, branch.lane, branch.bit);
        if complete::<L>(&mut child, rng) {
            *position = child;
            return true;
        }
    }
    false
}
