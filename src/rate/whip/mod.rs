//! W and B ratings: the longest whip, or braid, that a puzzle needs.
//!
//! ```text
//!   Z --- L1 [V1] R1 --- L2 [V2] R2 --- L3 [V3] .          a whip of length 3 on the target Z
//! ```
//! A *variable* is a cell, or a digit in a row, column or box; its candidates are the ways to fill it. Two candidates
//! are *linked* when they share a variable. Suppose Z: in V1 all candidates are linked to Z but R1, so R1; in V2 all
//! are linked to Z or R1 but R2, so R2; ... in Vn all are linked to Z or an earlier R: a contradiction, Z goes. In a whip
//! each variable must have a candidate L linked to the R just before it (to Z, for the first); in a braid any earlier R or
//! Z will do. No candidate is used twice as L. A whip of length 1 is a pointing or claiming.
//!
//! **The ratings.** B is the smallest n such that singles and braids of length up to n solve the puzzle, W the smallest n such
//! that some order of whips of length up to n does; singles are placed as soon as there are any. 0: singles alone.
//! Puzzles that "try a candidate, follow singles" cannot solve have neither rating. Whips and braids of length 1 and 2 are
//! the same things, therefore W = B up to there; beyond, a whip is a braid, and W >= B.
//!
//! **B does not depend on the order of the eliminations**: what a braid eliminates, a braid no longer than it eliminates later
//! as well. **For W the order matters**, in a few puzzles in 100,000: an elimination can take away the link between two
//! variables of a whip, and with it the whip. So W is found in three steps, none of which depends on the labelling:
//!
//! 1. B is found with whips wherever there is one as short as the shortest braid. If there always is, W = B is proven.
//! 2. A *generous* whip may be linked by every candidate that was there at the start, and run through variables that have a
//!    value by now. Every whip of every order is one, and what a generous whip eliminates another one no longer
//!    eliminates later as well: the smallest n with which they solve the puzzle is a lower bound.
//! 3. Orders of whips up to this bound are tried, on the canonical form of the puzzle: a fixed number, by chance. One that
//!    solves the puzzle proves the bound to be W; otherwise W is given as the bound, and as not exact.
//!
//! Published values (SudoRules) come from one order, and from rules that know each sequence R1 R2 .. with one sequence of Ls
//! only: a few of them are higher than W. That no candidate is used twice as L is part of these rules, and of W here: without
//! it one puzzle in a thousand would have a shorter whip.
//!
//! Reference: Denis Berthier, "Pattern-Based Constraint Satisfaction and Logic Puzzles".
//!
//! **The search** is depth first with increasing length for each target. A target is skipped while even all consequences
//! at once, round by round, need more rounds than the length: a chain needs at least one variable a round. The same bound
//! cuts branches further down. *Tried and lost:* keeping all partial whips of a length and extending them; most are
//! never needed, and storing them costs more than finding them again.

mod chain;
mod rater;
pub(in crate::rate) mod search;
pub(in crate::rate) mod tables;

use super::profile::{Meter, Off, Profile};
use crate::board::Puzzle;
use crate::board::canonical::Canonical;
use rater::{End, Rater};
use tables::Position;

pub use chain::{Link, Whip};

/// Longest whip and braid needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WhipRating {
    /// Longest whip. None when whips cannot solve the puzzle.
    pub w: Option<u8>,
    /// Longest braid; as `w`.
    pub b: Option<u8>,
    /// False when `w`, and perhaps `b`, are only known to be lower bounds: the budget was used up, or no order of whips was
    /// found that solves the puzzle with `w`.
    pub exact: bool,
}

/// W and B of a 9x9 puzzle with one solution; none for other boards. The budget is a number of assumptions; thirty million
/// take about a second.
pub fn whip_rating(puzzle: &Puzzle, budget: u64) -> Option<WhipRating> {
    rate(puzzle, budget, None, &mut Off)
}

/// Rates a puzzle as [`whip_rating`] does, and measures the search for B and, where B does not settle it, that for W.
pub fn profile(puzzle: &Puzzle, budget: u64, profile: &mut Profile) -> Option<WhipRating> {
    rate(puzzle, budget, None, profile)
}

/// Rates a puzzle. `proof` gets the whips that solve it, with the board that they solve: the puzzle or its canonical form.
fn rate(puzzle: &Puzzle, budget: u64, proof: Option<&mut Proof>, meter: &mut impl Meter) -> Option<WhipRating> {
    let position = Position::new(puzzle.grid().values(), puzzle.shape())?;
    let mut rater = Rater::new(budget, proof.is_some());
    let b = meter.search("whips_and_braids", || rater.braids(position), |end| matches!(end, End::Solved(_)));
    let mut board = puzzle.grid().values().to_vec();
    let w = match b {
        End::Solved(least) if !rater.by_whips => {
            board = Canonical::of(puzzle)?.cells.map(u16::from).to_vec();
            let position = Position::new(&board, puzzle.shape())?;
            meter.search("whips", || rater.whips(position, least), |end| matches!(end, End::Solved(_)))
        }
        _ => b,
    };
    if let (Some(proof), Some(whips)) = (proof, rater.proof) {
        *proof = Proof { board, whips };
    }
    let length = |end| match end {
        End::Solved(length) | End::AtLeast(length) => Some(length),
        End::Never => None,
    };
    Some(WhipRating { w: length(w), b: length(b), exact: !matches!(w, End::AtLeast(_)) })
}

/// The rating with a proof that W is no higher: whips that solve the puzzle one after the other.
pub fn whip_proof(puzzle: &Puzzle, budget: u64) -> Option<(WhipRating, Proof)> {
    let mut proof = Proof::default();
    Some((rate(puzzle, budget, Some(&mut proof), &mut Off)?, proof))
}

/// Whips that solve a board one after the other, with singles as soon as there are any. When [`WhipRating::exact`] is
/// false, they are those of the last try.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// The board that they solve, row by row, 0 for a blank: the puzzle or its canonical form.
    pub board: Vec<u16>,
    /// The whips in their order.
    pub whips: Vec<Whip>,
}

#[cfg(test)]
mod tests;
