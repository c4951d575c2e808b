//! Fewest candidates first: the solver of this crate, run on an empty board with its guesses in random order.
//!
//! ```text
//!   1 2 3 | . . .      r1c4, r1c5, r1c6 have the candidates 4 5 6, r2c1 has 4 5 6 too, all others have more or as
//!   . . . | . . .      many: the search goes on at one of these and tries its candidates in random order.
//! ```
//!
//! The usual way of today's programs, and the older program of the permutation method's author (Jesper Niedermann's
//! .NET blog, 2009-08-03: random numbers, backtracking at dead ends, 16 hours for 36x36) made fast by the choice of
//! the cell and by singles.
//!
//! **Bias.** Depth-first search with random order of values: P(G) = product over the guesses of 1/e, where e is the
//! number of values that can still be extended to a full grid. Reaches all grids, not evenly. On large boards searches
//! that take too long are begun anew.

use super::{FillError, Refusal};
use crate::board::{Shape, Solution};
use crate::random::Rng;
use crate::solve::{general, nine};

/// Refuses the boards that the solver does not know.
pub(super) fn accepts(shape: Shape) -> Result<(), Refusal> {
    if shape.is_solvable() {
        return Ok(());
    }
    let reason = format!("the solver knows boards to order {}", Shape::MAX_SOLVABLE_ORDER);
    Err(Refusal::new("fewest-candidates", shape, reason))
}

/// A random grid by the solver.
///
/// # Errors
/// [`FillError::Exhausted`] when the solver's budget for large boards is spent.
pub(super) fn fill(shape: Shape, rng: &mut Rng) -> Result<Solution, FillError> {
    if shape == Shape::NINE {
        let values = nine::random_fill(rng);
        return Ok(Solution::trusted(shape, values.into_iter().map(u16::from).collect()));
    }
    Ok(general::random_fill(shape, rng))
}
