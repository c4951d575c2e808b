//! Searching, filling and reading on machines for which [`super::rules::lanes`] has no vector instructions.

use super::beyond::{
    VariantPosition, VariantRules, VariantSearch, VariantSingles, place_variant_singles_with, second_with,
};
use super::fill::complete_with;
use super::instructions::Instructions;
use super::rules::portable::Portable;
use super::rules::words::{DigitWords, PackedCandidates};
use super::search::{OnSolution, SolutionOrder, Start, explore_with};
use super::singles::{SinglesPlaced, place_singles_with, settled_with};
use crate::board::Narrow;
use crate::random::Rng;
use crate::solve::Candidate;

/// A function in its portable form.
macro_rules! portable {
    ($name:ident: $at:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?) => {
        pub(super) fn $name(_: Instructions, $($argument: $type),*) $(-> $result)? {
            $at::<Portable>($($argument),*)
        }
    };
}

portable!(explore: explore_with(start: Start, order: SolutionOrder, on_solution: OnSolution));
portable!(complete: complete_with(start: &PackedCandidates, rng: &mut Rng) -> Option<PackedCandidates>);
portable!(
    place_singles: place_singles_with(start: &PackedCandidates, first: Option<Candidate>) -> Option<SinglesPlaced>
);
portable!(settled: settled_with(start: &PackedCandidates) -> Option<PackedCandidates>);
portable!(
    second: second_with(search: &mut VariantSearch, givens: DigitWords, barred: Option<Candidate>) -> Option<Narrow>
);
portable!(
    place_variant_singles: place_variant_singles_with(position: VariantPosition, rules: &'static VariantRules)
        -> Option<VariantSingles>
);

pub(super) fn read(_: Instructions, values: &[u8; 81]) -> Option<PackedCandidates> {
    PackedCandidates::of(values)
}
