//! The work of each plan, one file for each.

mod controlled_bias;
mod minimal;
mod needed;
mod random_holes;
mod reveal;
mod walk;
mod weight;
mod within;

pub use minimal::is_minimal;
pub use needed::{Nearness, dig_needed};
pub use walk::dig_walk;
pub use within::{Bound, dig_within};

use super::job::{Job, ProverWork, with_prover};
use super::{DigError, DigOptions, Dug, Plan};
use crate::board::{CellSet, Solution, Symmetry};
use crate::random::Rng;
use crate::solve::general::ProverOf;
use crate::solve::nine::Prover9;
use crate::solve::{Budget, Prover};

impl Plan {
    /// Digs a puzzle out of a solution. The result depends only on the arguments.
    ///
    /// # Errors
    /// [`DigError::Refused`] if [`Plan::accepts`] refuses. [`DigError::OutOfReach`] and [`DigError::Ambiguous`] if this
    /// solution failed: try another one.
    pub fn dig(
        &self,
        solution: &Solution,
        symmetry: Symmetry,
        options: &DigOptions,
        rng: &mut Rng,
    ) -> Result<Dug, DigError> {
        self.accepts(solution.shape(), symmetry)?;
        if *self == Plan::ControlledBias {
            return match Prover9::new(solution) {
                Some(mut prover) => controlled_bias::dig(solution, &mut prover, rng),
                None => controlled_bias::dig(solution, &mut ProverOf::new(solution, Budget::UNLIMITED), rng),
            };
        }
        with_prover(solution, options.budget, DigByPlan { plan: self, solution, symmetry, options, rng })
    }
}

/// A dig by any plan but `controlled-bias`.
struct DigByPlan<'a> {
    plan: &'a Plan,
    solution: &'a Solution,
    symmetry: Symmetry,
    options: &'a DigOptions,
    rng: &'a mut Rng,
}

impl ProverWork for DigByPlan<'_> {
    type Output = Result<Dug, DigError>;

    fn run<S: CellSet, R: Prover<S>>(self, prover: R, logic: impl FnOnce() -> Option<R>) -> Result<Dug, DigError> {
        let DigByPlan { plan, solution, symmetry, options, rng } = self;
        let job = Job { solution, symmetry, options, prover, logic: logic() };
        match plan {
            Plan::Reveal => Ok(reveal::dig(job, rng)),
            Plan::Givens(range) => minimal::dig(job, Some(range), rng),
            Plan::RandomHoles(holes) => Ok(random_holes::dig(job, *holes, rng)),
            // [`dig_within`], [`dig_needed`] and [`dig_walk`] take the bound or the goal. Without it, these plans work
            // as `minimal` does. [`Plan::dig`] handles controlled bias.
            Plan::Minimal | Plan::Within | Plan::Needed | Plan::Walk | Plan::ControlledBias => {
                minimal::dig(job, None, rng)
            }
        }
    }
}
