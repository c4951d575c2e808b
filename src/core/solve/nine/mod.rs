//! The solver for 9x9 boards: counts solutions, proves uniqueness, completes grids at random, finds second solutions.
//!
//! ```text
//!   rules/words     the layout of a board in nine times three machine words: a word for each digit and band
//!   rules/lanes     the vector operations that the search needs; their portable form in rules/portable
//!   rules/sweep     the rules, for the whole board at once and without a branch
//!   search          sweep, branch, sweep
//!   fill            random full grids
//!   vector          search, fill and singles on x86-64, compiled for SSE2, SSE4.2, AVX2 and AVX-512
//!   scalar          the same on other machines
//!   instructions    which of these instructions the machine has
//!   prover          is there a second solution? For digging
//!   beyond          the same question, and singles alone, with houses and moves beyond rows, columns and boxes
//!   singles         singles alone, for the reference search
//! ```
//!
//! There are two families of fast solvers. One keeps 27 words of 27 bits, for each digit and band, and updates each
//! changed word by tables; it is best on easy puzzles. The other keeps boxes and bands in vector registers and
//! exchanges eliminations between them by byte shuffles; it is best on hard puzzles. This solver combines the 27 words
//! of the first family with the vectors of the second: three registers, with three digits in each and three bands for
//! each digit. It was faster than both on every set of puzzles that was tried, so it is the only solver for 9x9.
//!
//! Boards are `[u8; 81]`, row by row, with 0 for an empty cell and 1..=9 for digits. Every array is allowed: givens may
//! contradict each other, and a board with a value above 9 has no solution.

mod beyond;
mod fill;
mod instructions;
mod prover;
mod rules;
#[cfg(not(target_arch = "x86_64"))]
mod scalar;
mod search;
mod singles;
#[cfg(target_arch = "x86_64")]
mod vector;

pub(super) use beyond::{VariantRules, VariantSingles};
pub use prover::Prover9;
pub(super) use singles::SinglesPlaced;

use crate::board::Puzzle;
use crate::random::Rng;
use crate::solve::Candidate;
use beyond::VariantPosition;
pub(crate) use instructions::Instructions;
use rules::words::{PackedCandidates, gather};
#[cfg(not(target_arch = "x86_64"))]
use scalar as dispatch;
use search::{OnSolution, SolutionOrder, Start};
#[cfg(target_arch = "x86_64")]
use vector as dispatch;

/// Calls `on_solution` with each solution until it returns false. `most` limits the vector instructions that are used.
#[inline]
fn each_solution(most: Instructions, order: SolutionOrder, values: &[u8; 81], on_solution: OnSolution) {
    if let Some(start) = dispatch::read(most, values) {
        dispatch::explore(most, Start::At(&start), order, on_solution);
    }
}

/// [`solutions`] with the instructions up to `most`.
fn solutions_at(most: Instructions, values: &[u8; 81], limit: usize, into: &mut Vec<[u8; 81]>) {
    let end = into.len().saturating_add(limit);
    if limit > 0 {
        each_solution(most, SolutionOrder::Fixed, values, &mut |solution| {
            into.push(solution.values());
            into.len() < end
        });
    }
}

/// [`random_fill`] with the instructions up to `most`.
fn fill_at(most: Instructions, rng: &mut Rng) -> [u8; 81] {
    let filled = dispatch::complete(most, &PackedCandidates::BLANK, rng);
    debug_assert!(filled.is_some(), "the empty board has solutions");
    filled.map_or([0; 81], |position| position.values())
}

/// Number of solutions, at most `limit`.
pub fn count(values: &[u8; 81], limit: u64) -> u64 {
    let mut count = 0;
    if limit > 0 {
        each_solution(Instructions::ALL, SolutionOrder::Any, values, &mut |_| {
            count += 1;
            count < limit
        });
    }
    count
}

/// Appends the solutions, at most `limit`, in the order in which the search meets them: the same on every machine.
pub fn solutions(values: &[u8; 81], limit: usize, into: &mut Vec<[u8; 81]>) {
    solutions_at(Instructions::ALL, values, limit, into);
}

/// A random full grid. The search starts from the blank board and always branches in a cell with fewest candidates (of
/// those with two, first in one that shares them with another), with the digits in uniformly random order. It reaches
/// every grid, but not evenly.
pub fn random_fill(rng: &mut Rng) -> [u8; 81] {
    fill_at(Instructions::ALL, rng)
}

/// The position of a puzzle with every single placed. None if it contradicts itself.
pub(super) fn singles_of(puzzle: &Puzzle) -> Option<SinglesPlaced> {
    let start = dispatch::read(Instructions::ALL, &puzzle.grid().nine()?)?;
    dispatch::place_singles(Instructions::ALL, &start, None)
}

/// The position after placing a digit, from 0, in a cell, and every single that follows. None if it contradicts itself.
pub(super) fn singles_after(position: &SinglesPlaced, cell: usize, digit: usize) -> Option<SinglesPlaced> {
    dispatch::place_singles(Instructions::ALL, &position.places, Some(Candidate { cell, digit }))
}

/// As [`singles_of`], for the values of a board of order 9 with these rules.
pub(super) fn variant_singles_of(values: &[u8; 81], rules: &'static VariantRules) -> Option<VariantSingles> {
    let start = dispatch::read(Instructions::ALL, values)?;
    dispatch::place_variant_singles(Instructions::ALL, VariantPosition::of(start), rules)
}

/// As [`singles_after`], for a board of order 9 with rules.
pub(super) fn variant_singles_after(position: &VariantSingles, cell: usize, digit: usize) -> Option<VariantSingles> {
    dispatch::place_variant_singles(Instructions::ALL, position.with(cell, digit), position.rules())
}

/// The cells of each digit, from 0, after all singles and all locked candidates. None if these contradict each other.
pub(crate) fn settled(cells: &[u128; 9]) -> Option<[u128; 9]> {
    let places = dispatch::settled(Instructions::ALL, &PackedCandidates::of_cells(cells))?;
    Some(std::array::from_fn(|digit| gather(*places.digit(digit))))
}

#[cfg(test)]
mod tests;
