//! Searching, filling and reading on machines for which [`super::lanes`] has no vector instructions.

use super::fill::complete_with;
use super::instructions::Instructions;
use super::lanes::Portable;
use super::search::{OnSolution, Order, Start, explore_with};
use super::singles::{SinglesPlaced, place_singles_with};
use super::words::Places;
use crate::random::Rng;

pub(super) fn explore(_: Instructions, start: Start, order: Order, found: OnSolution) {
    explore_with::<Portable>(start, order, found);
}

pub(super) fn read(_: Instructions, values: &[u8; 81]) -> Option<Places> {
    Places::of(values)
}

pub(super) fn complete(_: Instructions, start: &Places, rng: &mut Rng) -> Option<Places> {
    complete_with::<Portable>(start, rng)
}

pub(super) fn place_singles(_: Instructions, start: &Places, first: Option<(usize, usize)>) -> Option<SinglesPlaced> {
    place_singles_with::<Portable>(start, first)
}
