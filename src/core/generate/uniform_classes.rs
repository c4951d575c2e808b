//! Every essentially different 9x9 grid is equally likely: draw a rank in the catalogue, then a random isomorph.
//!
//! A class whose grids have k automorphisms has 1/k as many grids as other classes, so each of its grids comes k times
//! as often as under `uniform`. With the weight 1/k, a mean over grids drawn here estimates the mean over all grids.
//! With the weight k, a mean over grids of `uniform` estimates the mean over all classes.

use crate::board::{Freedom, Isomorphism, Shape, Solution};
use crate::catalogue::{CLASSES, class_of_rank};
use crate::random::Rng;

/// A random grid of a random class.
pub(super) fn fill(rng: &mut Rng) -> Solution {
    let rank = 1 + rng.below(CLASSES as usize) as u64;
    let grid = class_of_rank(rank).unwrap_or_else(|| unreachable!("a rank above the number of classes"));
    Isomorphism::random(Shape::NINE, Freedom::ALL, rng).apply(&grid)
}
