//! Defines one dig: its options, its data, the prover that it asks, and its result.

use super::digging::Digging;
use crate::board::candidates::at_width;
use crate::board::{CellSet, Narrow, Puzzle, Reason, Shape, Solution, Symmetry};
use crate::solve::general::ProverOf;
use crate::solve::nine::Prover9;
use crate::solve::{Budget, Count, Prover};

/// Options of digging, besides the plan and the symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DigOptions {
    /// Search nodes for each question of uniqueness. On 9x9, with any rules, there is no limit. On other boards a limit
    /// also means that a dig has two rounds: the first tries all cells with logic alone (naked and hidden singles), the
    /// second tries the remaining givens again with the budget. A given that only a search proves redundant makes every
    /// later question more expensive, so one round would take longer and leave more givens. Without a limit there is
    /// one round.
    pub budget: Budget,
    /// The limit for counting the solutions of a puzzle with random holes.
    pub count_limit: u64,
    /// Compute [`Dug::log_weight`].
    pub weight: bool,
}

impl DigOptions {
    /// The default options for a shape: solutions are counted up to 1,000, and weights are not computed. A question has
    /// no limit up to order 9. The limit is 5,000 search nodes up to order 16, and 100 above.
    pub fn of(shape: Shape) -> DigOptions {
        let budget = match shape.order() {
            ..=9 => Budget::UNLIMITED,
            10..=16 => Budget(5_000),
            _ => Budget(100),
        };
        DigOptions { budget, count_limit: 1_000, weight: false }
    }
}

/// A puzzle dug out of a solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Dug {
    /// The puzzle; its givens are cells of the solution.
    pub puzzle: Puzzle,
    /// How many solutions it has: exactly one, except for `random-holes`.
    pub solutions: Count,
    /// True if removing any single given leads to a second solution, whatever the symmetry. None if the puzzle is not
    /// unique or if the budget did not settle it.
    pub minimal: Option<bool>,
    /// Natural logarithm of the weight that makes this dig an unbiased sample of the minimal puzzles of the solution.
    /// The plan `minimal` has it only if [`DigOptions::weight`] is set, without symmetry and without a limit for
    /// questions. `controlled-bias` always has it; there the sum of weights divided by the sum of [`Dug::orders`] is
    /// unbiased. Berthier, "Unbiased Statistics of a CSP - A Controlled-Bias Generator" (CISSE 2009), describes the
    /// bias that it corrects.
    pub log_weight: Option<f64>,
    /// Orders of deletion that were tried on this solution; 1 for every plan except `controlled-bias`.
    pub orders: u64,
}

/// Why a solution was not dug.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DigError {
    /// The plan does not work with this shape and symmetry, for any solution.
    #[error(transparent)]
    Refused(#[from] Reason),
    /// This solution, dug in this order, keeps more givens than allowed. Another solution or order may succeed.
    #[error("this grid kept {best} givens, but at most {most} are allowed")]
    OutOfReach {
        /// The fewest givens reached.
        best: usize,
        /// The most that are allowed.
        most: usize,
    },
    /// In every order of the plan `controlled-bias` the puzzle became ambiguous before it was minimal. This is usual.
    #[error("in each of {orders} orders of deletion the puzzle became ambiguous before it was minimal")]
    Ambiguous {
        /// Orders of deletion that were tried.
        orders: u64,
    },
}

/// Naked and hidden singles, no guess: see [`ProverOf`].
pub(super) const LOGIC: Budget = Budget(1);

/// The data of one dig, for every plan.
pub(super) struct Job<'a, R> {
    pub(super) solution: &'a Solution,
    pub(super) symmetry: Symmetry,
    pub(super) options: &'a DigOptions,
    pub(super) prover: R,
    /// If questions have a budget: answers by logic alone, for the first round.
    pub(super) logic: Option<R>,
}

/// Work that tests whether puzzles have one solution. It is written once for every width of sets of cells.
pub(super) trait ProverWork {
    type Output;

    /// Does the work. `logic` makes answers by logic alone if questions have a budget.
    fn run<S: CellSet, R: Prover<S>>(self, prover: R, logic: impl FnOnce() -> Option<R>) -> Self::Output;
}

/// Runs work with the fastest [`Prover`] for a solution of order at most 36. The 9x9 solver needs no budget.
pub(super) fn with_prover<W: ProverWork>(solution: &Solution, budget: Budget, work: W) -> W::Output {
    if let Some(prover) = Prover9::new(solution) {
        return work.run::<Narrow, _>(prover, || None);
    }
    at_width!(solution.shape(), S => {
        work.run(ProverOf::<S>::new(solution, budget), || {
            (budget != Budget::UNLIMITED).then(|| ProverOf::new(solution, budget.min(LOGIC)))
        })
    })
}

impl<R> Job<'_, R> {
    /// Digs these units in this order down to a number of givens, in two rounds if questions have a budget. `sets` are
    /// unavoidable sets that are already known.
    pub(super) fn digging<S: CellSet>(
        &mut self,
        units: Vec<S>,
        sets: &[S],
        window: usize,
        floor: usize,
    ) -> Digging<'_, S, R>
    where
        R: Prover<S>,
    {
        let solution = self.solution;
        let (first_prover, second_prover) = match &mut self.logic {
            None => (&mut self.prover, None),
            Some(logic) => (logic, Some(&mut self.prover)),
        };
        let mut round = Digging::new(solution, units, first_prover);
        sets.iter().for_each(|&set| round.demands.insert(set));
        round.run(window, floor);
        let Some(second_prover) = second_prover else { return round };
        let mut second_round = round.again(second_prover);
        second_round.run(1, floor);
        second_round
    }
}

impl Dug {
    /// The puzzle with these givens, which is known to be unique.
    pub(super) fn unique<S: CellSet>(solution: &Solution, givens: S, minimal: Option<bool>) -> Dug {
        let puzzle = solution.masked(|cell| givens.contains(cell));
        Dug { puzzle, solutions: Count { found: 1, exact: true }, minimal, log_weight: None, orders: 1 }
    }
}
