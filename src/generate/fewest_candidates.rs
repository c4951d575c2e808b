//! Fewest candidates first: the solver of this crate, run on an empty board with its guesses in random order.
//!
//! ```text
//!   1 2 3 | . . .      The cells of row 1 and box 1 that are blank have three candidates, 4 5 6, the others more: the
//!   . . . | . . .      search goes on at one of these, with one of its candidates, drawn evenly, and places the
//!   . . . | . . .      singles that follow. At a dead end the next candidate is tried.
//! ```
//!
//! What programs usually do today; and the older program of the permutation method's author (Jesper Niedermann's .NET
//! blog, 2009-08-03: random numbers, backtracking at dead ends, any size from 4x4 to 36x36, 16 hours for 36x36) with a
//! better order of cells.
//!
//! **Bias.** Reaches all grids, not evenly. On 9x9 the cell depends on the digits placed so far alone and nothing is
//! begun anew, so that P(G) = product over the guesses of 1/e, where e is the number of candidates that can still be
//! extended to a full grid. Elsewhere the solver draws the cell too, and searches that meet many dead ends are begun
//! anew: no closed form.

use super::{FillError, Refusal};
use crate::board::{Shape, Solution};
use crate::random::Rng;
use crate::solve::{Budget, general, nine};

/// Positions visited for one grid; order 36 needs some thousand.
const BUDGET: Budget = Budget(1 << 22);

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
/// [`FillError::Exhausted`] when the solver's budget is spent, on large boards.
pub(super) fn fill(shape: Shape, rng: &mut Rng) -> Result<Solution, FillError> {
    if shape == Shape::NINE {
        let values = nine::random_fill(rng);
        return Ok(Solution::trusted(shape, values.into_iter().map(u16::from).collect()));
    }
    let exhausted = FillError::Exhausted { method: "fewest-candidates", shape, steps: BUDGET.0 };
    general::random_fill(shape, rng, BUDGET).ok_or(exhausted)
}
