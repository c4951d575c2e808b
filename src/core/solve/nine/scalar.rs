//! Searching, filling and reading on machines for which [`super::lanes`] has no vector instructions.

use super::fill::complete_with;
use super::instructions::Instructions;
use super::lanes::Portable;
use super::search::{OnSolution, SolutionOrder, Start, State, explore_with, narrow_cells_with, rest_with};
use super::singles::{SinglesPlaced, place_singles_with, settled_with};
use super::words::{DigitWords, Places};
use crate::random::Rng;

pub(super) fn explore(_: Instructions, start: Start, order: SolutionOrder, found: OnSolution) {
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

pub(super) fn rest(_: Instructions, places: &mut Places, boxes: bool) -> (State, DigitWords) {
    rest_with::<Portable>(places, boxes)
}

pub(super) fn narrow_cells(_: Instructions, places: &Places) -> DigitWords {
    narrow_cells_with::<Portable>(places)
}

pub(super) fn settled(_: Instructions, start: &Places) -> Option<Places> {
    settled_with::<Portable>(start)
}
