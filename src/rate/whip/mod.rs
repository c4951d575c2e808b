//! W and B ratings: the longest whip, or braid, that a puzzle needs.
//!
//! ```text
//!   Z --- L1 [V1] R1 --- L2 [V2] R2 --- L3 [V3] .          a whip of length 3 on the target Z
//! ```
//! A *variable* is a cell, or a digit in a row, column or box; its candidates are the ways to fill it. Two candidates
//! are *linked* when they share a variable. Suppose Z: in V1 all candidates are linked to Z but R1, so R1; in V2 all
//! are linked to Z or R1 but R2, so R2; ... in Vn all are linked to Z or an earlier R: a contradiction, Z goes. In a whip
//! each variable must have a candidate L linked to the R just before it (to Z, for the first); in a braid any earlier R or
//! Z will do. A whip of length 1 is a pointing or claiming.
//!
//! **The rating** is the smallest n such that singles and whips (braids) of length up to n solve the puzzle; 0: singles
//! alone. Puzzles that "try a candidate, follow singles" cannot solve have neither rating. Whips and braids of length 1
//! and 2 are the same things, therefore W = B up to there; beyond, a whip is a braid, and W >= B. B does not depend on the
//! order of the eliminations: what a braid eliminates, a braid no longer than it eliminates later as well. **W does**, in
//! a few puzzles in 100,000: an elimination can take away the link between two variables of a whip, and with it the whip.
//!
//! **As published.** The published values of W come from rules (SudoRules) that differ from the definition in three ways:
//!
//! * targets go one at a time, and shorter whips have their turn after each; the last candidate goes first here, which
//!   stands for "the whip that was found last goes first";
//! * no candidate is used twice as L of a whip;
//! * each sequence R1 R2 .. is known with one sequence of Ls only: at each step the first L in the order box, column, row,
//!   cell, each from the last one backwards. It makes a few whips (one puzzle in some thousands) longer than they need be.
//!
//! The last rule is exact as long as all the Ls became possible at the same time. SudoRules remembers a sequence once it has
//! been found, so that an L that becomes possible later does not replace one that comes after it in this order; one
//! known puzzle of 106,573 has another W for that reason (7, not 8).
//!
//! Reference: Denis Berthier, "Pattern-Based Constraint Satisfaction and Logic Puzzles".
//!
//! **The search** is depth first with increasing length for each target. A target is skipped while even all consequences
//! at once, round by round, need more rounds than the length: a chain needs at least one variable a round. The same bound
//! cuts branches further down. *Tried and lost:* keeping all partial whips of a length and extending them; most are
//! never needed, and storing them costs more than finding them again.

mod chain;
mod search;
mod tables;

use crate::board::Puzzle;
use chain::Chain;
use search::Search;
use tables::{CANDIDATES, Position};

/// The longest chains that are searched: no puzzle is known that comes near.
const LONGEST: u8 = 36;

/// Longest whip and braid needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WhipRating {
    /// Longest whip. None when whips cannot solve the puzzle.
    pub w: Option<u8>,
    /// Longest braid; as `w`.
    pub b: Option<u8>,
    /// False when the budget was used up: `w`, and perhaps `b`, are lower bounds.
    pub exact: bool,
}

/// How the search for the longest chain ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// Chains up to this length, and no shorter ones, solve the puzzle.
    Solved(u8),
    /// At least this length is needed; the budget was used up.
    AtLeast(u8),
    /// No chains do.
    Never,
}

/// W and B of a 9x9 puzzle with one solution; none for other boards. The budget is a number of assumptions; ten million
/// take about a second.
pub fn whip_rating(puzzle: &Puzzle, budget: u64) -> Option<WhipRating> {
    let position = Position::new(puzzle)?;
    let mut search = Box::new(Search::new(budget));
    let b = longest(position.clone(), &mut search, Removal::Together, Search::braid);
    let w = match b {
        // Whips and braids of these lengths are the same.
        End::Solved(0..=2) => b,
        End::Solved(_) => {
            let mut chain = Box::new(Chain::new());
            let exists = |search: &mut Search, target, length| chain.whip(search, target, length);
            longest(position, &mut search, Removal::OneByOne, exists)
        }
        // A whip is a braid.
        End::AtLeast(_) | End::Never => b,
    };
    let length = |end| match end {
        End::Solved(length) | End::AtLeast(length) => Some(length),
        End::Never => None,
    };
    Some(WhipRating { w: length(w), b: length(b), exact: !matches!(w, End::AtLeast(_)) })
}

/// Which of the targets of the shortest chains go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Removal {
    /// All of them.
    Together,
    /// The last one (by row, column, digit); then shorter chains have their turn again.
    OneByOne,
}

/// The smallest length of chains, of a kind that `exists` finds, that solves the position.
fn longest(
    mut position: Position,
    search: &mut Search,
    removal: Removal,
    mut exists: impl FnMut(&mut Search, u16, u8) -> bool,
) -> End {
    let mut needed = 0;
    loop {
        position.singles();
        if position.open == 0 {
            return End::Solved(needed);
        }
        if position.broken {
            return End::Never;
        }
        search.load(&position);
        let mut targets: Vec<u16> = position.candidates().collect();
        let mut gone = Vec::new();
        for length in 1..=LONGEST {
            if length == 3 {
                // What all consequences at once do not refute, no chain does.
                targets.retain(|&target| search.refutable(target, u8::MAX));
            }
            let found = |target: &u16| search.refutable(*target, length) && exists(search, *target, length);
            let one = length > 1 && removal == Removal::OneByOne;
            gone = targets.iter().rev().copied().filter(found).take(if one { 1 } else { CANDIDATES }).collect();
            if !gone.is_empty() || targets.is_empty() || search.spent() {
                needed = needed.max(length);
                break;
            }
        }
        match (gone.is_empty(), search.spent()) {
            (true, true) => return End::AtLeast(needed),
            (true, false) => return End::Never,
            _ => gone.iter().for_each(|&target| position.eliminate(target.into())),
        }
    }
}

#[cfg(test)]
mod tests;
