//! Defines what can be asked of a solver, what the answer may cost, and the answers.

use crate::board::{Cell, CellSet, Solution};

/// The largest number of search nodes (positions visited) that an answer may cost. If the SAT solver continues a
/// search, a conflict counts as 20 nodes. On 9x9 boards nodes are not counted: there it limits the solutions that are
/// found, because each costs at least one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget(pub u64);

impl Budget {
    /// No limit.
    pub const UNLIMITED: Budget = Budget(u64::MAX);
}

/// How many solutions a puzzle has: none, one, or more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Exactly this one.
    Unique(Solution),
    /// At least these two, which differ.
    Several(Solution, Solution),
    /// None.
    Unsolvable,
    /// The budget was used up before the question was answered. Never treat this as unique.
    Unknown,
}

/// The number of solutions that were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The number of different solutions found.
    pub found: u64,
    /// True if the whole space was searched, so that there are no other solutions. False at the limit or the budget.
    pub exact: bool,
}

/// Answers the question of digging about one known solution: does the puzzle with these givens have another one?
///
/// The givens are cells of the known solution and carry its digits.
pub trait Prover<S: CellSet> {
    /// Is there any solution except the known one?
    fn second(&mut self, givens: S) -> Answer<S>;

    /// Is there a solution with another digit in `cell`? The cell is not among the givens, and the caller knows that
    /// the givens together with the cell have only the known solution.
    fn second_without(&mut self, givens: S, cell: Cell) -> Answer<S>;
}

/// An answer to a question of [`Prover`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<S> {
    /// There is no second solution.
    None,
    /// The cells in which a second solution differs from the known solution. They contain an unavoidable set: a puzzle
    /// of the known solution without a given in these cells is not unique.
    Differs(S),
    /// The budget was used up. Never treat this as [`Answer::None`].
    Unknown,
}

impl Verdict {
    /// The verdict of a search for up to two solutions.
    pub(super) fn of(solutions: Vec<Solution>, count: Count) -> Verdict {
        let mut solutions = solutions.into_iter();
        match (solutions.next(), solutions.next()) {
            (Some(first), Some(second)) => Verdict::Several(first, second),
            (Some(only), None) if count.exact => Verdict::Unique(only),
            (None, _) if count.exact => Verdict::Unsolvable,
            _ => Verdict::Unknown,
        }
    }
}
