//! Every essentially different 9x9 grid equally often: a random rank in the catalogue, then a random isomorph.
//!
//! A class with k automorphisms has 1/k as many grids as one without, so its grids come k times as often as under `uniform`.
//! A mean over grids drawn here becomes one over all grids with the weight 1/k for each; a mean over grids of `uniform`
//! becomes one over all classes with the weight k.

use super::Refusal;
use crate::board::{Freedom, Isomorph, Shape, Solution};
use crate::catalogue::{CLASSES, class_of_rank};
use crate::random::Rng;

/// Only the classes of 9x9 grids are numbered.
pub(super) fn accepts(shape: Shape) -> Result<(), Refusal> {
    if shape == Shape::NINE {
        return Ok(());
    }
    Err(Refusal::new("uniform-classes", shape, "only the essentially different grids of 9x9 are numbered"))
}

/// A random grid of a random class.
pub(super) fn fill(rng: &mut Rng) -> Solution {
    let rank = 1 + rng.below(CLASSES as usize) as u64;
    let grid = class_of_rank(rank).unwrap_or_else(|| unreachable!("a rank above the number of classes"));
    Isomorph::random(Shape::NINE, Freedom::ALL, rng).apply(&grid)
}
