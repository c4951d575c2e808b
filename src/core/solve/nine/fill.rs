//! Makes full grids by randomised search: the cell with fewest candidates first, its digits in random order.

use super::rules::lanes::Lanes;
use super::rules::sweep::fewest;
use super::rules::words::PackedCandidates;
use super::search::cells::first_of;
use super::search::changes::{candidates, put};
use super::search::{SettleEnd, SettledState, load, settle, store};
use crate::random::Rng;

/// A position in which a cell was chosen, and the digits of the cell that are still to be tried.
struct CellChoice {
    position: PackedCandidates,
    cell: usize,
    digits: u32,
}

/// Completes a position: depth first, the first cell with fewest candidates, its digits in uniformly random order.
/// None if there is no solution.
///
/// Among cells with two candidates, cells that share a row and a digit with another one come first. The choice of the
/// cell depends only on the digits placed so far. So the probability of the result is the product over the branches of
/// 1 / (number of candidates that can be completed).
#[inline(always)]
pub(super) fn complete_with<L: Lanes>(start: &PackedCandidates, rng: &mut Rng) -> Option<PackedCandidates> {
    let mut words = load::<L>(start);
    let mut choices: Vec<CellChoice> = Vec::with_capacity(40);
    loop {
        match settle(&mut words, SettleEnd::Rest) {
            SettledState::Solved => {
                let mut position = PackedCandidates::BLANK;
                store(words, &mut position);
                return Some(position);
            }
            SettledState::Open => {
                if let Some(cell) = first_of(&fewest(&words).group()) {
                    let mut choice =
                        CellChoice { position: PackedCandidates::BLANK, cell, digits: candidates(&words, cell) };
                    store(words, &mut choice.position);
                    choices.push(choice);
                }
            }
            SettledState::Dead => {}
        }
        while choices.last()?.digits == 0 {
            choices.pop();
        }
        let CellChoice { position, cell, digits } = choices.last_mut()?;
        let skip = rng.below(digits.count_ones() as usize);
        // `digits & (digits - 1)` removes the lowest digit: after `skip` of these the drawn one is the lowest.
        let digit = (0..skip).fold(*digits, |digits, _| digits & (digits - 1)).trailing_zeros();
        *digits &= !(1 << digit);
        words = load(position);
        put(&mut words, digit as usize, *cell);
    }
}
