//! W and B ratings: the longest whip, or braid, that a puzzle needs.
//!
//! ```text
//!   Z --- L1 [V1] R1 --- L2 [V2] R2 --- L3 [V3] .          a whip of length 3 on the target Z
//! ```
//! A *variable* is a cell, or a digit in a row, column or box. Its candidates are the ways to fill it. Two candidates
//! are *linked* when they share a variable. Suppose that Z is true. In V1 all candidates except R1 are linked to Z, so
//! R1 is true. In V2 all except R2 are linked to Z or R1, so R2 is true. In Vn all are linked to Z or an earlier R: a
//! contradiction, so Z is false. In a whip each variable must have a candidate L that is linked to the previous R (the
//! first one to Z). In a braid L may be linked to any earlier R or to Z. No candidate is used twice as L. A whip of
//! length 1 is a pointing or claiming.
//!
//! **The ratings.** B is the smallest n for which singles and braids of length up to n solve the puzzle. W is the
//! smallest n for which some order of whips of length up to n does. Singles are placed as soon as there are any. A
//! rating of 0 means that singles alone are enough. Puzzles of a T&E depth above 1 (see [`depth`]) have neither
//! rating. Up to length 2 whips and braids are the same, so W = B there. A longer whip is also a braid, so W >= B.
//!
//! **B does not depend on the order of the eliminations**: a braid that is possible stays possible, or a shorter one
//! replaces it. **W depends on the order** in a few puzzles in 100,000: an elimination can remove the link between two
//! variables of a whip. So W is found in four steps, and isomorphs get the same W:
//!
//! 1. The search for B uses whips wherever one is as short as the shortest braid. If there always is one, W = B.
//! 2. A *generous* whip may be linked by every candidate that was there at the start, and may use variables that
//!    already have a value. Every whip of every order is a generous whip, and what a generous whip eliminates, another
//!    one can still eliminate later. So the smallest n with which generous whips solve the puzzle is a lower bound of
//!    W.
//! 3. An order of whips up to this bound is looked for on the canonical form of the puzzle: with the shortest whips
//!    first, then depth first, where any whip up to the bound may come next. A position from which generous whips no
//!    longer solve the puzzle is a dead end. After some dead ends the search starts again, with another order of the
//!    candidates. If every way is a dead end, the bound rises.
//! 4. If the search was stopped, generous whips are tried with one more condition: a candidate that is gone may link a
//!    whip only if generous whips can eliminate the target while that candidate is still there. Every whip of every
//!    order meets it. If they do not solve the puzzle, the bound rises. Otherwise W is the bound, marked as not exact;
//!    the length of the first order that is found with longer whips is returned beside it.
//!
//! Published values (SudoRules) come from one order, and its rules keep only one sequence of Ls for each sequence R1 R2
//! ... So a few of them are higher than W. The rule that no candidate is used twice as L is part of SudoRules, and of W
//! here. Reference: Denis Berthier, "Pattern-Based Constraint Satisfaction and Logic Puzzles".
//!
//! **The search** is depth first with increasing length for each target. The solution is known, and its candidates are
//! no targets. First all consequences of a target are followed at once, round by round. The target is skipped while a
//! contradiction needs more rounds than the length: a chain needs at least one variable for each round. The same bound
//! cuts branches deeper in the search.

mod chain;
pub mod depth;
pub(crate) mod lanes;
mod rater;
pub(crate) mod search;
pub(crate) mod tables;
mod whips;

use crate::board::Puzzle;
use crate::catalogue::Canonical;
use crate::solve::nine;
use rater::{Rater, WhipEnd};
use tables::{CANDIDATES, CspState};

pub use chain::Link;
use chain::Whip;

/// W is searched for twice: at first quickly, with this part of the budget. If that is too little, every assumption is
/// made again, because the bounds at the end of a budget depend on all of them.
const QUICK: u64 = 8;

/// The lengths of the longest whip and braid that a puzzle needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WhipRating {
    /// Longest whip. None when whips cannot solve the puzzle.
    pub w: Option<u8>,
    /// The longest whip of the best order that was found: `w` when it is exact. None when no order was found.
    pub w_upper: Option<u8>,
    /// Longest braid; like `w`.
    pub b: Option<u8>,
    /// False when `w`, and perhaps `b`, are only lower bounds: the budget was used up, or it remained open whether an
    /// order of whips up to length `w` solves the puzzle.
    pub exact: bool,
}

/// W and B of a 9x9 puzzle with one solution; none for other boards. The budget is a number of assumptions: for the
/// search for B, and for each search and each bound of W where B does not decide it. Thirty million take about 1 s.
pub fn whip_rating(puzzle: &Puzzle, budget: u64) -> Option<WhipRating> {
    Some(rate(puzzle, budget, false)?.rating)
}

/// A rating, with a proof of [`WhipRating::w_upper`].
struct ProvenRating {
    rating: WhipRating,
    /// The puzzle, or its canonical form.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests replay the proof"))]
    board: Vec<u16>,
    /// Whips that solve the board one after the other, with singles placed as soon as there are any. If no order of
    /// whips was found, those of the last attempt. None if no proof was asked for.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests replay the proof"))]
    whips: Vec<Whip>,
}

fn rate(puzzle: &Puzzle, budget: u64, prove: bool) -> Option<ProvenRating> {
    let position = CspState::new(puzzle.grid().values(), puzzle.shape())?;
    let mut rater = Rater::new(budget, Some(truth(&puzzle.grid().nine()?)), prove);
    let braids = rater.braids(position);
    let mut board = puzzle.grid().values().to_vec();
    let mut whips = braids;
    if let WhipEnd::Solved(least) = braids
        && !rater.by_whips
    {
        let canonical = Canonical::of(puzzle)?.cells;
        board = canonical.map(u16::from).to_vec();
        let position = CspState::new(&board, puzzle.shape())?;
        rater = Rater::new(budget / QUICK, Some(truth(&canonical)), prove);
        whips = rater.whips(position.clone(), least);
        if !whips.is_solved() {
            rater = Rater::new(budget, None, prove);
            whips = rater.whips(position, least);
        }
    }
    let exact = !matches!(whips, WhipEnd::Between { .. });
    let rating = WhipRating { w: whips.least(), w_upper: whips.enough(), b: braids.least(), exact };
    Some(ProvenRating { rating, board, whips: rater.proof.unwrap_or_default() })
}

/// The candidates of the solution; none if there are several.
fn truth(values: &[u8; 81]) -> [bool; CANDIDATES] {
    let (mut truth, mut solutions) = ([false; CANDIDATES], Vec::new());
    nine::solutions(values, 2, &mut solutions);
    if let [solution] = &solutions[..] {
        solution.iter().enumerate().for_each(|(cell, &value)| truth[9 * cell + usize::from(value) - 1] = true);
    }
    truth
}

#[cfg(test)]
mod tests;
