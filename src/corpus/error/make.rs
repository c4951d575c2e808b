//! Why a row cannot be made.

use crate::dig::DigError;
use crate::generate::FillError;

/// Why a row cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
    /// Nothing that was tried came out as asked.
    #[error("row {index}: {goal} is out of reach: {found}; ask for less, or raise retries")]
    OutOfReach {
        /// The row.
        index: u64,
        /// What was asked for.
        goal: String,
        /// What the tries came to.
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
    #[error("row {index}: not a full grid, so there is nothing to dig")]
    NotFull {
        /// The row.
        index: u64,
    },
}

/// Tries at a row that did not come out as asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tries {
    /// How many grids or orders were dug.
    pub tries: u64,
    /// The fewest givens of those that came down to too few holes.
    pub best: Option<usize>,
    /// Puzzles that were dug as planned but are not like the target.
    pub missed: u64,
}

impl std::fmt::Display for Tries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "none of {} tries", self.tries)?;
        if let Some(best) = self.best {
            write!(f, ", the best of those that stopped early came down to {best} givens")?;
        }
        if self.missed > 0 {
            write!(f, ", {} were dug but are not like that", self.missed)?;
        }
        Ok(())
    }
}
