//! Limits the work of a method for one grid, and defines the reasons why there is no grid.

use crate::board::{Reason, Shape};

/// Why there is no grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FillError {
    /// The method does not make boards of this shape.
    #[error(transparent)]
    Refused(#[from] Reason),
    /// No search finished within its budget. Another state of the random number generator may succeed.
    #[error("method '{method}' found no grid within {steps} search steps ({})", shape.board())]
    Exhausted {
        /// The name of the method.
        method: &'static str,
        /// The requested shape.
        shape: Shape,
        /// Steps of all searches together.
        steps: u64,
    },
}

/// The budget of a method: the number of searches, and the number of steps of each.
#[derive(Clone, Copy)]
pub(super) struct StepLimit {
    /// The steps of each search.
    pub(super) nodes: u64,
    /// The number of searches.
    pub(super) attempts: u32,
}

impl StepLimit {
    /// Up to order 9 there is one search, which runs to its end, so that the probability of a grid is known. On larger
    /// boards a search has n^4 steps.
    pub(super) fn backtracking(shape: Shape) -> StepLimit {
        match shape.order() {
            ..=9 => StepLimit { nodes: u64::MAX, attempts: 1 },
            order => StepLimit::within((order as u64).pow(4)),
        }
    }

    /// Searches of `nodes` steps each, at least one. Several searches for one grid together have at most 2^32 steps.
    pub(super) fn within(nodes: u64) -> StepLimit {
        const TOTAL: u64 = 1 << 32;
        StepLimit { nodes, attempts: (TOTAL / nodes).clamp(1, u64::from(u32::MAX)) as u32 }
    }
}

/// Repeats a search until it succeeds or the limit is reached. `search` gets the number of steps that it may take, and
/// returns true if it succeeded.
pub(super) fn retry(
    method: &'static str,
    shape: Shape,
    limit: StepLimit,
    mut search: impl FnMut(u64) -> bool,
) -> Result<(), FillError> {
    let StepLimit { nodes, attempts } = limit;
    if (0..attempts).any(|_| search(nodes)) {
        return Ok(());
    }
    Err(FillError::Exhausted { method, shape, steps: nodes.saturating_mul(attempts.into()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spent_budget_is_an_error_of_its_own() {
        let error = retry("row-major", Shape::NINE, StepLimit { nodes: 5, attempts: 3 }, |_| false).unwrap_err();
        assert_eq!(error.to_string(), "method 'row-major' found no grid within 15 search steps (9x9 board, 3x3 boxes)");
    }
}
