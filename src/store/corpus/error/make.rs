//! Errors in making a row.

use sudoku_corpus_core::dig::DigError;
use sudoku_corpus_core::generate::FillError;

/// Why a row cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MakeError {
    /// No grid was found.
    #[error("row {index}: {error}")]
    Fill {
        /// The row.
        index: u64,
        /// The error of the method.
        error: FillError,
    },
    /// The plan does not work.
    #[error("row {index}: {error}")]
    Dig {
        /// The row.
        index: u64,
        /// The error of the plan.
        error: DigError,
    },
    /// No try gave a puzzle that the recipe accepts.
    #[error("row {index}: {goal} is out of reach: {found}; change the goal, or raise retries")]
    OutOfReach {
        /// The row.
        index: u64,
        /// The goal of the row.
        goal: String,
        /// What the tries gave.
        found: Tries,
    },
    /// No try gave a puzzle that differs from all other rows.
    #[error(
        "row {index}: distinct: none of {tries} tries gave a puzzle that differs from all others; ask for fewer rows, or \
         raise retries"
    )]
    Repeated {
        /// The row.
        index: u64,
        /// How many tries there were.
        tries: u64,
    },
    /// The run was stopped between two tries.
    #[error("row {index}: stopped")]
    Stopped {
        /// The row.
        index: u64,
    },
    /// A row without a full grid cannot be dug.
    #[error("row {index}: not a full grid, so it cannot be dug")]
    NotFull {
        /// The row.
        index: u64,
    },
}

/// The tries at a row that could not be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tries {
    /// The number of grids or orders that were dug.
    pub tries: u64,
    /// The fewest givens among the tries that could not remove enough givens.
    pub best: Option<usize>,
    /// Puzzles that were dug by the plan but do not meet the goal.
    pub missed: u64,
}

impl std::fmt::Display for Tries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "none of {} tries", self.tries)?;
        if let Some(best) = self.best {
            write!(f, ", the fewest givens reached are {best}")?;
        }
        if self.missed > 0 {
            write!(f, ", {} puzzles did not meet the goal", self.missed)?;
        }
        Ok(())
    }
}
