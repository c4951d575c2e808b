//! Fewest candidates first: the solver of this crate runs on an empty board and makes its guesses in random order.
//!
//! ```text
//!   1 2 3 | . . .      The blank cells of row 1 and of box 1 have the fewest candidates. The search takes one of these
//!   . . . | . . .      cells, draws one of its candidates, and places the singles that follow. At a dead end it tries
//!   . . . | . . .      the next candidate.
//! ```
//!
//! Most programs of today work like this. So does, with another order of cells, an older program by the author of the
//! permutation method (Jesper Niedermann's .NET blog, 2009-08-03; 16 hours for 36x36).
//!
//! **Bias.** Every grid can be the result, but not with equal probability. On 9x9 the choice of the cell depends only
//! on the digits placed so far, and no search restarts. So P(G) is the product over the guesses of 1/e, where e is the
//! number of candidates that can still be extended to a full grid. On other boards the solver draws the cell too, and a
//! search that meets many dead ends restarts, so there is no closed form.

use crate::board::{Shape, Solution};
use crate::generate::attempts::FillError;
use crate::random::Rng;
use crate::solve::{Budget, general, nine};

/// The most positions that are visited for one grid. Order 36 needs a few thousand.
const BUDGET: Budget = Budget(1 << 22);

/// A random grid by the solver. [`FillError::Exhausted`] if its budget is used up, on large boards.
pub(crate) fn fill(shape: Shape, rng: &mut Rng) -> Result<Solution, FillError> {
    if shape == Shape::NINE {
        let values = nine::random_fill(rng);
        return Ok(Solution::trusted(shape, values.into_iter().map(u16::from).collect()));
    }
    let exhausted = FillError::Exhausted { method: "fewest-candidates", shape, steps: BUDGET.0 };
    general::random_fill(shape, rng, BUDGET).ok_or(exhausted)
}
