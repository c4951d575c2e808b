//! Computes the weight of one dig: an unbiased sample of the minimal puzzles of a solution.
//!
//! A dig that picks uniformly among the givens that can still go reaches a minimal puzzle with k givens of N cells by
//! exactly (N-k)! orders. Each order has probability 1/(d_0 d_1 ... ), where d_i is the number of givens that could go
//! at step i. With
//!
//! ```text
//!   w = d_0 d_1 ... d_(N-k-1) / (N-k)!
//! ```
//!
//! the expectation of w f(puzzle) is the sum of f over all minimal puzzles of the solution. Digging in a random order
//! of all cells is the same process: a cell that cannot go now cannot go later either, so skipping it changes nothing.
//! Berthier, "Unbiased Statistics of a CSP - A Controlled-Bias Generator" (CISSE 2009), describes the bias without
//! weights.
//!
//! Weights have heavy tails: print the effective sample size with every weighted figure.
//!
//! The d_i need few questions. A cell that goes at step j could have gone at every earlier step. A cell that stays
//! could have gone until some step and not after it. That step is searched for downwards from a bound that the known
//! unavoidable sets give. Each "no" gives a set that lowers the bound, so that on 9x9 24 questions are answered yes and
//! 11 no. *Tried and lost*: bisection, with 57 and 10.

use crate::board::{Cell, CellSet};
use crate::solve::{Answer, Prover};

/// The natural logarithm of the weight of a dig of single cells that ended in the minimal puzzle `givens`. `sets` are
/// unavoidable sets of the solution. None if the budget did not settle a question.
pub(super) fn log_weight<'s, S: CellSet, R: Prover<S>>(
    prover: &mut R,
    units: &[S],
    givens: S,
    sets: impl IntoIterator<Item = &'s S>,
) -> Option<f64> {
    let gone = gone_in_order(units, givens);
    let mut history = History::new(&gone, givens, units.len());
    sets.into_iter().for_each(|&set| history.learn(set));
    let mut last = vec![0usize; gone.len() + 1];
    for cell in givens.cells() {
        last[history.deletable_until(prover, cell)?] += 1;
    }
    // The number of kept cells that could still go at a step.
    let mut free = givens.len();
    let mut sum = 0.0;
    for (ended, left) in last.into_iter().zip((1..=gone.len()).rev()) {
        free -= ended;
        if free > 0 {
            // d_i counts cells that went later and kept ones that could still go. The product of `left` is (N-k)!.
            sum += libm::log((left + free) as f64 / left as f64);
        }
    }
    Some(sum)
}

/// The cells of single-cell units that have gone, in the order in which they went.
fn gone_in_order<S: CellSet>(units: &[S], givens: S) -> Vec<Cell> {
    units.iter().filter_map(|unit| unit.first()).filter(|&cell| !givens.contains(cell)).collect()
}

/// The cells in the order in which they went, and the steps until which each given could have gone.
struct History<S> {
    /// The givens of the minimal puzzle.
    givens: S,
    /// The cells that were left after each number of steps.
    left: Vec<S>,
    /// For each cell that went, the number of cells that had gone before it.
    step: Vec<usize>,
    /// For each given, a number of steps after which it can certainly no longer go.
    bound: Vec<usize>,
}

impl<S: CellSet> History<S> {
    fn new(gone: &[Cell], givens: S, cells: usize) -> Self {
        let (mut step, mut left) = (vec![0; cells], vec![givens; gone.len() + 1]);
        for (number, &cell) in gone.iter().enumerate().rev() {
            step[cell.index()] = number;
            left[number] = left[number + 1] | S::only(cell);
        }
        History { givens, left, step, bound: vec![gone.len(); cells] }
    }

    /// If a set has a single given, that given cannot go after the other cells have gone.
    fn learn(&mut self, set: S) {
        let hit = set & self.givens;
        if let Some(cell) = hit.first().filter(|&cell| S::only(cell) == hit) {
            let steps = (set - hit).cells().map(|other| self.step[other.index()] + 1).max().unwrap_or(0);
            let bound = &mut self.bound[cell.index()];
            *bound = steps.min(*bound);
        }
    }

    /// The fewest steps after which the given can no longer go. This number exists because the puzzle is minimal.
    fn deletable_until<R: Prover<S>>(&mut self, prover: &mut R, cell: Cell) -> Option<usize> {
        while self.bound[cell.index()] > 1 {
            let left = self.left[self.bound[cell.index()] - 1];
            match prover.second_without(left - S::only(cell), cell) {
                Answer::None => break,
                Answer::Differs(set) => self.learn(set),
                Answer::Unknown => return None,
            }
        }
        Some(self.bound[cell.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Narrow, Shape, Solution, Symmetry};
    use crate::dig::testing::{all_cells, all_minimal, grids_of_4x4, is_unique, rng, shapes, solution};
    use crate::dig::{DigOptions, Plan, digging::Digging, orbits};
    use crate::solve::{Budget, general::ProverOf};

    /// The definition: counts solutions for every given at every step.
    fn naive(solution: &Solution, gone: &[Cell]) -> f64 {
        let mut givens = all_cells::<Narrow>(solution.shape());
        let mut sum = 0.0;
        for (step, &cell) in gone.iter().enumerate() {
            let deletable = givens.cells().filter(|&cell| is_unique(solution, givens - Narrow::only(cell))).count();
            sum += (deletable as f64).ln() - ((gone.len() - step) as f64).ln();
            givens.remove(cell);
        }
        sum
    }

    /// Rows hold these logarithms to the last bit. So the logarithms of all quotients that occur on boards up to order
    /// 9 are pinned. On one processor, the standard library gave other results in 499 of the 6,561 cases, and its
    /// results differ between processors.
    #[test]
    fn logarithms_are_the_same_to_the_last_bit_everywhere() {
        let quotients = || (1..=81u32).flat_map(|a| (1..=81u32).map(move |b| f64::from(a) / f64::from(b)));
        let hash = |log: fn(f64) -> f64| {
            let step = |hash: u64, x| (hash ^ log(x).to_bits()).wrapping_mul(0x100_0000_01b3);
            quotients().fold(0xcbf2_9ce4_8422_2325u64, step)
        };
        assert_eq!(hash(libm::log), 0x69f2_a29b_5e7a_2e9a);
        assert_eq!(hash(libm::log2), 0x5e36_55c6_bf3f_b7c3);
    }

    #[test]
    fn the_weight_is_that_of_the_definition() {
        for shape in shapes() {
            for index in 0..4 {
                let mut rng = rng(index);
                let solution = solution(shape, &mut rng);
                let units: Vec<Narrow> = orbits::shuffled(shape, Symmetry::None, &mut rng);
                let mut prover = ProverOf::new(&solution, Budget::UNLIMITED);
                let mut digging = Digging::new(&solution, units.clone(), &mut prover);
                digging.run(units.len() / 2, 0);
                let (givens, demands) = (digging.givens, digging.demands);
                let slow = naive(&solution, &gone_in_order(&units, givens));
                for sets in [&demands.sets[..], &[]] {
                    let fast = log_weight(&mut prover, &units, givens, sets).unwrap();
                    assert!((fast - slow).abs() < 1e-9, "{shape}: {fast} {slow}");
                }
            }
        }
    }

    /// The mean of the weights is the number of minimal puzzles: within 4.5 standard errors, on both kinds of grids.
    #[test]
    fn the_mean_weight_is_the_number_of_minimal_puzzles() {
        for (solution, _) in grids_of_4x4() {
            let options = DigOptions { weight: true, ..DigOptions::of(solution.shape()) };
            let digs = 4000;
            let weights: Vec<f64> = (0..digs)
                .map(|index| {
                    let dug = Plan::Minimal.dig(&solution, Symmetry::None, &options, &mut rng(index)).unwrap();
                    dug.log_weight.unwrap().exp()
                })
                .collect();
            let mean = weights.iter().sum::<f64>() / digs as f64;
            let variance = weights.iter().map(|weight| (weight - mean).powi(2)).sum::<f64>() / (digs - 1) as f64;
            let error = (variance / digs as f64).sqrt();
            let exact = all_minimal(&solution).len() as f64;
            assert!((mean - exact).abs() < 4.5 * error && error < 0.1 * exact, "{mean} +- {error}, {exact}");
        }
    }

    #[test]
    fn weights_are_computed_only_on_request_and_where_they_are_valid() {
        let solution = solution(Shape::NINE, &mut rng(9));
        let options = DigOptions { weight: true, ..DigOptions::of(Shape::NINE) };
        let weight =
            |plan: Plan, symmetry, options| plan.dig(&solution, symmetry, options, &mut rng(1)).unwrap().log_weight;
        assert!(weight(Plan::Minimal, Symmetry::None, &options).is_some_and(|weight| weight > 0.0));
        assert_eq!(weight(Plan::Minimal, Symmetry::Rotate180, &options), None);
        assert_eq!(weight(Plan::Reveal, Symmetry::None, &options), None);
        assert_eq!(weight(Plan::Minimal, Symmetry::None, &DigOptions::of(Shape::NINE)), None);
    }
}
