//! Searching, filling and reading on machines for which [`super::lanes`] has no vector instructions.

use super::fill::complete_with;
use super::lanes::{Instructions, Portable};
use super::search::{OnSolution, Start, explore_with};
use super::words::Places;
use crate::random::Rng;

pub(super) fn explore(_: Instructions, start: Start, own: Option<&[u8; 81]>, found: OnSolution) {
    explore_with::<Portable>(start, own, found);
}

pub(super) fn read(_: Instructions, values: &[u8; 81]) -> Option<Places> {
    Places::of(values)
}

pub(super) fn complete(_: Instructions, start: &Places, rng: &mut Rng) -> Option<Places> {
    complete_with::<Portable>(start, rng)
}
