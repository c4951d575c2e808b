//! Jump back: fill row by row; at a dead end empty many cells at once and go on. What was tried is not remembered.
//!
//! ```text
//!   5 3 4 | 6 7 8 | 9 1 2
//!   6 7 2 | 1 9 5 | 3 4 8      r3c6 has no candidate: empty the n-2 = 7 cells before it and continue at r2c8.
//!   1 9 8 | 3 4 X | . . .      After n+1 such jumps, the next one goes back 2n-2 = 16 cells.
//! ```
//!
//! The method is that of the jump-back generator in VB.NET, version 1.3 (2009-03-12). At cell i it marks the digits
//! found in the row, column and box and chooses one of the others at random. If there is none and this happened more
//! than n times for this grid, it resets this counter and goes back 2n-2 cells (to the start, if i <= 2n). Otherwise it
//! adds one to the counter and goes back n-2 cells.
//!
//! **Jump lengths.** The author found 7 and 16 best for 9x9. By the measurements in `reports/tried.md`, 8 and 30 take a
//! fifteenth of the steps on 16x16. If the long jump is too short, the search can stay for ever between two rows that
//! leave no grid for a third one. Every search therefore has a budget, and restarts when it is used up.
//!
//! **Bias.** Every grid can be the result, but not with equal probability. The probabilities have no closed form and
//! are measured by sampling.

use std::fmt;
use std::num::NonZeroU16;

use super::filling::{FilledStretch, Filling};
use crate::board::{Shape, Solution};
use crate::generate::attempts::{FillError, StepLimit, retry};
use crate::random::Rng;

/// How far to go back at a dead end, in cells. The default is the author's: n-2, and 2n-2 after more than n of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jumps {
    /// The ordinary jump; None stands for n-2.
    pub short: Option<NonZeroU16>,
    /// The jump after more than n ordinary ones; None stands for 2n-2.
    pub long: Option<NonZeroU16>,
}

impl Jumps {
    /// Jumps of `short` and `long` cells; None if one of them is 0.
    pub fn new(short: u16, long: u16) -> Option<Jumps> {
        Some(Jumps { short: Some(NonZeroU16::new(short)?), long: Some(NonZeroU16::new(long)?) })
    }

    /// The short jump on boards of an order, in cells.
    pub fn short_jump(self, order: usize) -> usize {
        self.short.map_or(order - 2, |cells| cells.get().into())
    }

    /// The long jump on boards of an order, in cells.
    pub fn long_jump(self, order: usize) -> usize {
        self.long.map_or(2 * order - 2, |cells| cells.get().into())
    }
}

impl fmt::Display for Jumps {
    /// "7,16"; nothing for the author's jumps.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.short, self.long) {
            (Some(short), Some(long)) => write!(f, "{short},{long}"),
            (Some(short), None) => write!(f, "{short}"),
            (None, Some(long)) => write!(f, ",{long}"),
            (None, None) => Ok(()),
        }
    }
}

/// A random grid by jumping back at dead ends. [`FillError::Exhausted`] if no search finished, with unusual jumps.
pub(crate) fn fill(shape: Shape, jumps: Jumps, rng: &mut Rng) -> Result<Solution, FillError> {
    let mut filling = Filling::new(shape);
    // Most shapes need far fewer steps. Some, such as 3x6, need more. There a restart loses little: the search has no
    // memory, so it is not nearer to its end after many steps than at the start.
    let limit = StepLimit::within(4 * (shape.cells() * shape.cells()) as u64);
    retry("jump-back", shape, limit, |nodes| search(&mut filling, jumps, shape.order(), nodes, rng))?;
    Ok(filling.into_solution())
}

/// One search from the empty board; true if the board is full.
fn search(filling: &mut Filling, jumps: Jumps, order: usize, nodes: u64, rng: &mut Rng) -> bool {
    let (short, long) = (jumps.short_jump(order), jumps.long_jump(order));
    filling.clear();
    let (mut next, mut dead_ends) = (0, 0);
    let mut spent = 0;
    while next < filling.cells() {
        let FilledStretch { filled, is_dead_end } = filling.fill_stretch(next, rng);
        next += filled;
        spent += filled as u64;
        if is_dead_end {
            let back = if dead_ends > order {
                dead_ends = 0;
                // As in the original, which goes to the start if i <= 2n: that is its long jump and 2.
                if next > long + 2 { next - long } else { 0 }
            } else {
                dead_ends += 1;
                next.saturating_sub(short)
            };
            filling.empty(back, next);
            next = back;
            spent += 1;
            if spent > nodes {
                return false;
            }
        }
    }
    true
}
