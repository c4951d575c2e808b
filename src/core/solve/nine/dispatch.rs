//! Search, filling and reading with the best instructions of this machine, chosen at run time.

use super::fill::complete_with;
use super::lanes::{Instructions, Portable};
use super::search::{OnSolution, Start, explore_with};
#[cfg(target_arch = "x86_64")]
use super::vector;
use super::words::Position;
use crate::random::Rng;

/// [`explore_with`] with the best instructions of this machine up to a level.
#[inline]
pub(super) fn explore(most: Instructions, start: Start, own: Option<&[u8; 81]>, found: OnSolution) {
    #[cfg(target_arch = "x86_64")]
    if vector::explore(most, start, own, found) {
        return;
    }
    let _ = most;
    explore_with::<Portable>(start, own, found);
}

/// The candidates that the givens of a puzzle leave, before any rule is applied. None if a value is not a digit.
#[inline]
pub(super) fn read(most: Instructions, values: &[u8; 81]) -> Option<Position> {
    #[cfg(target_arch = "x86_64")]
    if let Some(position) = vector::read(most, values) {
        return position;
    }
    let _ = most;
    Position::of(values)
}

/// [`complete_with`] with the best instructions of this machine up to a level.
pub(super) fn complete(most: Instructions, start: &Position, rng: &mut Rng) -> Option<Position> {
    #[cfg(target_arch = "x86_64")]
    if let Some(result) = vector::complete(most, start, rng) {
        return result;
    }
    let _ = most;
    complete_with::<Portable>(start, rng)
}
