//! `reveal`: removes most cells at once and brings back cells in which solutions differ.
//!
//! The idea is from the discussion of "Sudoku Algorithm: Generates a Valid Sudoku in 0.018 seconds" (The ANZAC,
//! CodeProject): remove cells in random order; if there is more than one solution, reveal cells in which they differ,
//! in random order, until there is only one solution. Here three cells of four are removed before the first question,
//! because almost no puzzle with so few givens is unique. The last step is our addition: givens that have become
//! redundant are removed in random order. Unavoidable sets of the grid are used first: they need no search.
//!
//! Bias: a given is often the one cell that distinguishes two solutions, so givens gather in unavoidable sets that
//! other plans rarely hit. The weight of `minimal` does not apply.

use crate::board::CellSet;
use crate::dig::job::{Dug, Job};
use crate::dig::orbits;
use crate::dig::unavoidable::plain_sets;
use crate::random::Rng;
use crate::solve::{Answer, Prover};

/// One of every `SHARE` orbits (without symmetry: cells) remains when the revealing begins.
const SHARE: usize = 4;

pub(super) fn dig<S: CellSet, R: Prover<S>>(mut job: Job<'_, R>, rng: &mut Rng) -> Dug {
    let shape = job.solution.shape();
    let mut dropped: Vec<S> = orbits::shuffled(shape, job.symmetry, rng);
    let mut shown = dropped.split_off(dropped.len() - dropped.len() / SHARE);
    let mut sets = Vec::new();
    plain_sets(job.solution, shape.order() + 1, &mut |set| sets.push(set));
    reveal(&mut job.prover, &mut dropped, &mut shown, &mut sets, rng);
    rng.shuffle(&mut shown);
    let mut digging = job.digging(shown, &sets, 1, 0);
    let (givens, minimal) = (digging.givens, digging.is_minimal());
    Dug::unique(job.solution, givens, minimal)
}

/// Moves orbits from `dropped` to `shown` until the puzzle of the shown orbits is unique. `sets` are unavoidable sets
/// of the solution: a set without a given shows that there is a second solution. The sets of new second solutions are
/// added. If the budget does not settle a question, any orbit may come back.
fn reveal<S: CellSet, R: Prover<S>>(
    prover: &mut R,
    dropped: &mut Vec<S>,
    shown: &mut Vec<S>,
    sets: &mut Vec<S>,
    rng: &mut Rng,
) {
    let mut givens = shown.iter().fold(S::empty(), |all, &unit| all | unit);
    let mut hit = 0; // the first sets, which are known to have a given
    while !dropped.is_empty() {
        hit += sets[hit..].iter().take_while(|set| set.meets(givens)).count();
        let answer = sets.get(hit).map_or_else(|| prover.second(givens), |&set| Answer::Differs(set));
        let candidates: Vec<usize> = match answer {
            Answer::None => break,
            Answer::Differs(set) => {
                if hit == sets.len() {
                    sets.push(set);
                }
                (0..dropped.len()).filter(|&cell| dropped[cell].meets(set)).collect()
            }
            Answer::Unknown => (0..dropped.len()).collect(),
        };
        let unit = dropped.swap_remove(rng.choose(&candidates));
        givens = givens | unit;
        shown.push(unit);
    }
}

#[cfg(test)]
mod tests {
    use crate::board::{Shape, Symmetry, Wide};
    use crate::dig::testing::{givens_of, is_unique, rng, solution};
    use crate::dig::{DigOptions, Plan};
    use crate::solve::Budget;

    #[test]
    fn without_any_budget_everything_is_revealed() {
        let shape = Shape::new(4, 4).unwrap();
        let mut rng = rng(3);
        let solution = solution(shape, &mut rng);
        let options = DigOptions { budget: Budget(0), ..DigOptions::of(shape) };
        let dug = Plan::Reveal.dig(&solution, Symmetry::None, &options, &mut rng).unwrap();
        assert!(is_unique::<Wide<4>>(&solution, givens_of(&dug.puzzle)));
        assert_eq!(dug.minimal, None);
    }
}
