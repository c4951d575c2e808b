//! T&E depth: how deeply assumptions must be nested to solve a puzzle, and BxB, which divides depth 2 more finely.
//!
//! *Trial and error of depth 1*, T&E(1): assume a candidate, place singles; if that ends in a contradiction, the
//! candidate is false. Eliminate it and go on until nothing more is found. T&E(d) does the same, but uses T&E(d - 1)
//! after each assumption. The depth `te` of a puzzle is the smallest d for which T&E(d) solves it; 0 means that singles
//! alone do. The eliminations do not depend on the order: more eliminations only lead to contradictions earlier.
//!
//! Another scale, BxB, divides the puzzles of depth 2. It applies T&E(1), but after each assumption it uses singles and
//! braids of length up to p. The smallest p that solves the puzzle is `bxb`. Braids of unlimited length do what T&E(1)
//! does, so every puzzle of depth 2 has a `bxb`. Other puzzles get none.
//!
//! All known 9x9 puzzles have a depth of 3 or less. On boards with rules, houses of the rules count like rows, columns
//! and boxes, and BxB is not computed.
//!
//! Reference: Denis Berthier, "Pattern-Based Constraint Satisfaction and Logic Puzzles", and his "Sudoku-Classif".

mod braids;
mod trial;
mod views;

use super::tables::{CANDIDATES, CspState};
use crate::board::{Puzzle, Shape};
use crate::solve::{self, Budget, Verdict};
use trial::{Trial, TrialEnd};
use views::Views;

pub(crate) const DEEPEST: u8 = 3;

/// How deeply assumptions must be nested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depth {
    /// T&E depth. None when [`DEEPEST`] does not solve the puzzle.
    pub te: Option<u8>,
    /// BxB of a puzzle of depth 2. None for other puzzles, when it was not asked for, or when the budget was used up.
    pub bxb: Option<u8>,
}

/// T&E depth of a puzzle with one solution, 9x9 or of a board with rules; none for other puzzles and boards.
pub fn te_depth(puzzle: &Puzzle) -> Option<Depth> {
    if !puzzle.shape().is_plain() {
        let Verdict::Unique(solution) = solve::verdict(puzzle, Budget::UNLIMITED) else { return None };
        return Some(Depth { te: solve::general::te_depth(puzzle, &solution, DEEPEST), bxb: None });
    }
    Some(Depth { te: SolvedDepth::of(puzzle)?.te, bxb: None })
}

/// T&E depth and BxB of a 9x9 puzzle with one solution; T&E depth alone on boards with rules; none for other puzzles
/// and boards. The budget is a number of assumptions in the search for braids.
pub fn te_depth_and_bxb(puzzle: &Puzzle, budget: u64) -> Option<Depth> {
    if !puzzle.shape().is_plain() {
        return te_depth(puzzle);
    }
    let SolvedDepth { te, truth } = SolvedDepth::of(puzzle)?;
    let mut bxb = None;
    if te == Some(2) {
        bxb = braids::bxb(CspState::new(puzzle.grid().values(), puzzle.shape())?, &truth, budget);
    }
    Some(Depth { te, bxb })
}

/// The T&E depth of a 9x9 puzzle whose solution is known.
struct SolvedDepth {
    te: Option<u8>,
    /// For each candidate whether it is in the solution.
    truth: [bool; CANDIDATES],
}

impl SolvedDepth {
    /// None for other boards, and for puzzles without a single solution.
    fn of(puzzle: &Puzzle) -> Option<SolvedDepth> {
        if puzzle.shape() != Shape::NINE {
            return None;
        }
        let Verdict::Unique(solution) = solve::verdict(puzzle, Budget::UNLIMITED) else { return None };
        let mut truth = [false; CANDIDATES];
        for (cell, &value) in solution.values().iter().enumerate() {
            truth[9 * cell + usize::from(value) - 1] = true;
        }
        let mut views = Views::of_givens(puzzle);
        // A candidate of the solution cannot be refuted, so it need not be assumed.
        let order: Vec<usize> = (0..CANDIDATES).filter(|&candidate| !truth[candidate]).collect();
        let mut trial = Trial::default();
        let te = (0..=DEEPEST).find(|&depth| trial.exhaust_among(&mut views, depth, &order) == TrialEnd::Solved);
        Some(SolvedDepth { te, truth })
    }
}

#[cfg(test)]
pub(super) mod definition;
#[cfg(test)]
mod tests;
