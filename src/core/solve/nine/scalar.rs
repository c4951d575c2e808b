//! Searching, filling and reading on machines for which [`super::rules::lanes`] has no vector instructions.

use super::fill::complete_with;
use super::instructions::Instructions;
use super::rules::portable::Portable;
use super::rules::words::{DigitWords, PackedCandidates};
use super::search::{OnSolution, SettledState, SolutionOrder, Start, explore_with, narrow_cells_with, rest_with};
use super::singles::{SinglesPlaced, place_singles_with, settled_with};
use crate::random::Rng;
use crate::solve::Candidate;

pub(super) fn explore(_: Instructions, start: Start, order: SolutionOrder, on_solution: OnSolution) {
    explore_with::<Portable>(start, order, on_solution);
}

pub(super) fn read(_: Instructions, values: &[u8; 81]) -> Option<PackedCandidates> {
    PackedCandidates::of(values)
}

pub(super) fn complete(_: Instructions, start: &PackedCandidates, rng: &mut Rng) -> Option<PackedCandidates> {
    complete_with::<Portable>(start, rng)
}

pub(super) fn place_singles(
    _: Instructions,
    start: &PackedCandidates,
    first: Option<Candidate>,
) -> Option<SinglesPlaced> {
    place_singles_with::<Portable>(start, first)
}

pub(super) fn rest(_: Instructions, places: &mut PackedCandidates, boxes: bool) -> (SettledState, DigitWords) {
    rest_with::<Portable>(places, boxes)
}

pub(super) fn narrow_cells(_: Instructions, places: &PackedCandidates) -> DigitWords {
    narrow_cells_with::<Portable>(places)
}

pub(super) fn settled(_: Instructions, start: &PackedCandidates) -> Option<PackedCandidates> {
    settled_with::<Portable>(start)
}
