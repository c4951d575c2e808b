//! Making rows: a row depends on the recipe and its number alone.
//!
//! ```text
//!   index, attempt -> grid -> puzzle --out of reach--> attempt + 1
//!                               |
//!                            analysis -> row
//! ```
//!
//! Every attempt has its own generators, one for the grid and one for digging: `(seed, index, stage, attempt)`.

use super::progress::StageTimes;
use super::recipe::Recipe;
use super::record::Record;
use crate::board::Solution;
use crate::dig::{DigError, DigOptions, Dug};
use crate::generate::FillError;
use crate::random::{Rng, Stage};

/// Why a row cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MakeError {
    /// No grid was found.
    #[error("row {index}: {error}")]
    Fill {
        /// The row.
        index: u64,
        /// What the method says.
        error: FillError,
    },
    /// The plan does not work.
    #[error("row {index}: {error}")]
    Dig {
        /// The row.
        index: u64,
        /// What the plan says.
        error: DigError,
    },
    /// Nothing that was tried came down to so few givens.
    #[error(
        "row {index}: {plan} is out of reach: the best of {tries} tries came down to {best} givens; \
         ask for more givens, or raise retries"
    )]
    OutOfReach {
        /// The row.
        index: u64,
        /// The plan.
        plan: String,
        /// How many grids or orders were tried.
        tries: u64,
        /// The fewest givens that one of them reached.
        best: usize,
    },
    /// A row without a full grid cannot be dug.
    #[error("row {index}: not a full grid, so there is nothing to dig")]
    NotFull {
        /// The row.
        index: u64,
    },
}

/// How often a method may fail for one row: on large boards a search may be unlucky, and goes on elsewhere.
const FILLS: u64 = 8;

impl Recipe {
    /// Makes a row with everything that the recipe asks for.
    ///
    /// # Errors
    /// [`MakeError`] when the row is out of reach.
    pub fn make(&self, index: u64) -> Result<Record, MakeError> {
        self.make_timed(index, &StageTimes::default())
    }

    /// [`Recipe::make`], with the time that each stage took added up.
    pub(super) fn make_timed(&self, index: u64, times: &StageTimes) -> Result<Record, MakeError> {
        let mut best = usize::MAX;
        for attempt in 0..=self.retries {
            let solution = times.of(0, || self.fill(index, attempt))?;
            match times.of(1, || self.try_dig(&solution, index, attempt)) {
                Ok(dug) => {
                    let record = self.dug_record(self.grid_record(index, solution), dug);
                    return Ok(times.of(2, || self.analysis.analyze(record)));
                }
                Err(DigError::OutOfReach { best: reached, .. }) => best = best.min(reached),
                Err(error) => return Err(MakeError::Dig { index, error }),
            }
        }
        Err(MakeError::OutOfReach { index, plan: self.plan.to_string(), tries: self.retries + 1, best })
    }

    /// The first stage alone: a row with a full grid, the one that [`Recipe::make`] tries first.
    ///
    /// # Errors
    /// [`MakeError::Fill`].
    pub fn generate(&self, index: u64) -> Result<Record, MakeError> {
        Ok(self.grid_record(index, self.fill(index, 0)?))
    }

    /// The second stage alone: digs the full grid of a row. There is only this one grid, so that a number of givens
    /// may be out of reach: other orders are tried as often as the recipe allows.
    ///
    /// # Errors
    /// [`MakeError`] when the row has no full grid or is out of reach.
    pub fn dig(&self, record: Record) -> Result<Record, MakeError> {
        let index = record.index;
        let full = record.solution.clone().filter(|_| record.puzzle.as_ref().is_none_or(|p| p.grid().holes() == 0));
        let solution = full.ok_or(MakeError::NotFull { index })?;
        let mut best = usize::MAX;
        for attempt in 0..=self.retries {
            match self.try_dig(&solution, index, attempt) {
                Ok(dug) => return Ok(self.dug_record(record, dug)),
                Err(DigError::OutOfReach { best: reached, .. }) => best = best.min(reached),
                Err(error) => return Err(MakeError::Dig { index, error }),
            }
        }
        Err(MakeError::OutOfReach { index, plan: self.plan.to_string(), tries: self.retries + 1, best })
    }

    fn fill(&self, index: u64, attempt: u64) -> Result<Solution, MakeError> {
        let mut try_number = 0;
        loop {
            let mut rng = Rng::new(self.seed, index, Stage::Generate, attempt + (try_number << 48));
            match self.method.fill(self.shape, &mut rng) {
                Ok(solution) => return Ok(solution),
                Err(FillError::Exhausted { .. }) if try_number + 1 < FILLS => try_number += 1,
                Err(error) => return Err(MakeError::Fill { index, error }),
            }
        }
    }

    fn try_dig(&self, solution: &Solution, index: u64, attempt: u64) -> Result<Dug, DigError> {
        let mut rng = Rng::new(self.seed, index, Stage::Dig, attempt);
        // Grids from a file may have another shape, and its own usual budget.
        let usual = DigOptions { budget: DigOptions::of(solution.shape()).budget, ..self.dig };
        let options = if solution.shape() == self.shape { &self.dig } else { &usual };
        self.plan.dig(solution, self.symmetry, options, &mut rng)
    }

    fn grid_record(&self, index: u64, solution: Solution) -> Record {
        Record { method: Some(self.method.to_string().into()), ..Record::of_solution(index, solution) }
    }

    fn dug_record(&self, record: Record, dug: Dug) -> Record {
        let record = record.with_puzzle(dug.puzzle);
        Record {
            plan: Some(self.plan.to_string().into()),
            symmetry: Some(self.symmetry),
            minimal: dug.minimal,
            solutions: Some(dug.solutions.found),
            solutions_exact: Some(dug.solutions.exact),
            log_weight: dug.log_weight,
            ..record
        }
    }
}
