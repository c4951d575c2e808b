//! The exact probability of a grid under each method, and figures about the method that follow from it.
//!
//! ```text
//!   P(G) = 1 / (e1 e2 e3 ...)         e: choices at each position on the way to G that lead to any full grid
//!
//!   with G drawn by the method itself, and u = N P(G), which is 1 for every grid of a uniform method:
//!     E[1/u]       share of all grids that the method can reach: 1 for plain backtracking, a self-test
//!     E[log2 u]    Kullback-Leibler divergence from uniform, in bits;  entropy = log2 N - E[log2 u]
//!     E[u]         1 + chi-square distance; its inverse is the effective support as a share of all grids (Renyi-2)
//! ```
//!
//! A solver tests each choice, so a grid takes about as many searches as it has choices. The product is an integer
//! below 2^128; nothing is rounded before the logarithm.

use std::sync::Arc;

use libm::exp2;
use rayon::prelude::{IntoParallelIterator as _, ParallelIterator as _};

use super::automorphisms;
use super::distribution::solve;
use super::exact;
use super::natural::{self, Natural};
use super::process::{Process, ProcessPosition, ProcessStart, Tree};
use crate::board::{Grid, Puzzle, Shape, Solution};
use crate::coverage::numbers::{Estimate, Extremes, Moments};
use crate::generate::{FillError, Method};
use crate::page::numbers::with_error;
use crate::progress::Progress;
use crate::random::{Rng, Stage};
use crate::solve::{self, Budget, nine};

/// A probability 1/r with an integer r, stored as r or as its logarithm to base 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chance {
    /// 1/r.
    OneIn(u128),
    /// 1 / 2^power, where r is too large for a machine word.
    OneInPower(f64),
    /// The method never makes this grid.
    Never,
}

impl Chance {
    /// The logarithm of the probability to base 2.
    pub fn log2(self) -> f64 {
        match self {
            // libm gives the same result on every processor.
            Chance::OneIn(r) => -libm::log2(r as f64),
            Chance::OneInPower(power) => -power,
            Chance::Never => f64::NEG_INFINITY,
        }
    }
}

/// The probability that a method makes a grid. None for methods whose probabilities are not known.
///
/// Under the permutation method all grids of its orbit are equally likely. Every [`Process`] has the product formula.
/// Under `uniform` all grids are equally likely.
pub fn chance(method: &Method, grid: &Solution) -> Option<Chance> {
    let shape = grid.shape();
    if let Some(process) = Process::of(method, shape) {
        return reciprocal(&Tree::new(shape), process, grid).map(Chance::OneIn);
    }
    match method {
        _ if !shape.is_plain() => None,
        Method::Permutation(strength) => {
            let orbit = exact::orbit(shape, *strength)?;
            let reached = automorphisms::is_image(&Solution::template(shape), grid, *strength);
            Some(if reached { one_in(&orbit.grids) } else { Chance::Never })
        }
        Method::Uniform => {
            let all = exact::grids(shape);
            Some(all.exact.as_ref().map_or(Chance::OneInPower(all.log2), one_in))
        }
        _ => None,
    }
}

/// The probability of one of equally likely things.
fn one_in(number: &Natural) -> Chance {
    u128::try_from(number).map_or_else(|_| Chance::OneInPower(natural::log2(number)), Chance::OneIn)
}

/// The distribution of a method: the probabilities of the grids that it makes.
#[derive(Clone, Debug)]
pub enum MethodDistribution {
    /// All grids that it makes are equally likely: the logarithm to base 2 of the probability.
    Even(f64),
    /// The product formula of a process, which takes about as many searches as there are choices.
    Product(Process, Arc<Tree>),
}

impl MethodDistribution {
    /// The distribution of a method on boards of a shape, if it is known.
    pub fn of(method: &Method, shape: Shape) -> Option<MethodDistribution> {
        if let Some(process) = Process::of(method, shape) {
            return Some(MethodDistribution::Product(process, Arc::new(Tree::new(shape))));
        }
        if !shape.is_solvable() || !shape.is_plain() {
            return None;
        }
        let chance = match method {
            Method::Uniform => chance(method, &Solution::template(shape))?,
            Method::Permutation(strength) => one_in(&exact::orbit(shape, *strength)?.grids),
            _ => return None,
        };
        Some(MethodDistribution::Even(chance.log2()))
    }

    /// The logarithm to base 2 of the probability of a grid that the method made. None if it cannot make the grid.
    pub fn log2(&self, grid: &Solution) -> Option<f64> {
        match self {
            MethodDistribution::Even(log2) => Some(*log2),
            MethodDistribution::Product(process, tree) => {
                reciprocal(tree, *process, grid).map(|r| Chance::OneIn(r).log2())
            }
        }
    }
}

/// 1 / P(G) of a process. None if the process cannot make the grid, which does not happen with valid grids.
pub(crate) fn reciprocal(tree: &Tree, process: Process, grid: &Solution) -> Option<u128> {
    let ProcessStart { mut position, one_in: mut product } = process.start(tree, grid)?;
    while let Some(choices) = tree.choices(process, &position) {
        let mut possible = 0;
        let mut next = None;
        // The only choice must be that of the grid, so it needs no search.
        let forced = choices.len() == 1;
        for choice in choices {
            if choice.allows(grid) {
                possible += 1;
                next = Some(choice);
            } else if !forced && completable(tree.shape(), &choice) {
                possible += 1;
            }
        }
        product *= possible;
        position = next?;
    }
    Some(product)
}

/// True if a position leads to a full grid.
fn completable(shape: Shape, position: &ProcessPosition) -> bool {
    if shape == Shape::NINE {
        let mut values = [0; 81];
        values.iter_mut().zip(position.values()).for_each(|(to, value)| *to = value as u8);
        return nine::count(&values, 1) > 0;
    }
    let grid = Grid::new(shape, position.values().collect()).map(Puzzle::try_from);
    matches!(grid, Ok(Ok(puzzle)) if solve::count(&puzzle, 1, Budget::UNLIMITED).found > 0)
}

/// Figures about the distribution of a method, from grids that it drew. u is N times the probability of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct DistributionSample {
    /// log2 u of each grid, ascending.
    pub log2_u: Vec<f64>,
    /// Mean of log2 u: the divergence from uniform, in bits.
    pub divergence: Moments,
    /// Mean of u: one plus the chi-square distance.
    pub concentration: Moments,
    /// Mean of 1/u: the share of all grids that the method can make.
    pub reach: Moments,
}

impl DistributionSample {
    /// The sample of grids with these values of log2 u, in any order.
    fn of(mut log2_u: Vec<f64>) -> DistributionSample {
        log2_u.sort_by(f64::total_cmp);
        DistributionSample {
            divergence: Moments::of(log2_u.iter().copied()),
            concentration: Moments::of(log2_u.iter().map(|&log| exp2(log))),
            reach: Moments::of(log2_u.iter().map(|&log| exp2(-log))),
            log2_u,
        }
    }

    /// Share of all grids seen after `draws` * N draws, on average: mean of (1 - exp(-draws u)) / u.
    pub(crate) fn seen_after(&self, draws: f64) -> Moments {
        Moments::of(self.log2_u.iter().map(|log| -libm::expm1(-draws * exp2(*log)) * exp2(-log)))
    }

    /// Average number of draws until a share of all grids has been seen, divided by N. The standard error follows from
    /// the slope of the share at this point. None if the sample is too small for this share.
    pub(crate) fn draws_until(&self, share: f64) -> Option<Estimate> {
        let value = solve(share, |draws| self.seen_after(draws).mean)?;
        let slope = Moments::of(self.log2_u.iter().map(|log| libm::exp(-value * exp2(*log)))).mean;
        Some(Estimate { value, error: self.seen_after(value).error / slope })
    }

    /// One over the mean of u, in percent.
    pub(crate) fn effective_support(&self) -> String {
        let u = self.concentration;
        format!("{} %", with_error(100.0 / u.mean, 100.0 * u.error / (u.mean * u.mean)))
    }

    /// Smallest and largest N P(G) in the sample.
    pub(crate) fn extremes(&self) -> Extremes {
        let [least, most] =
            [self.log2_u.first(), self.log2_u.last()].map(|log2_u| log2_u.map_or(f64::NAN, |&log2_u| exp2(log2_u)));
        Extremes { least, most }
    }
}

/// Computes the probabilities of drawn grids. Grid i is the one that `generate` makes with this seed at index i.
///
/// # Errors
/// [`FillError`] if the method fails.
pub fn sample(
    method: &Method,
    process: Process,
    shape: Shape,
    seed: u64,
    count: u64,
    progress: &dyn Progress,
) -> Result<DistributionSample, FillError> {
    let (tree, all) = (Tree::new(shape), exact::grids(shape).log2);
    let log2_u = (0..count).into_par_iter().map(|index| {
        let grid = method.fill(shape, &mut Rng::new(seed, index, Stage::Generate, 0))?;
        progress.rows(1);
        let one_in = reciprocal(&tree, process, &grid);
        Ok(one_in.map_or(f64::NEG_INFINITY, |one_in| all - libm::log2(one_in as f64)))
    });
    Ok(DistributionSample::of(log2_u.collect::<Result<_, FillError>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Strength;
    use crate::progress::Silent;

    fn shape(text: &str) -> Shape {
        text.parse().unwrap()
    }

    #[test]
    fn every_searching_method_reaches_all_9x9_grids() {
        for method in [Method::RowMajor, Method::DigitByBox, Method::SeededCross, Method::FewestCandidates] {
            let distribution =
                sample(&method, Process::of(&method, Shape::NINE).unwrap(), Shape::NINE, 3, 200, &Silent).unwrap();
            let reach = distribution.reach;
            assert!((reach.mean - 1.0).abs() < 5.0 * reach.error, "{method}: {reach:?}");
            assert!(distribution.divergence.mean > 0.0 && distribution.concentration.mean > 1.0, "{method}");
            assert!(distribution.seen_after(0.01).mean < 0.0101 && distribution.seen_after(1e9).mean > 0.5);
        }
    }

    #[test]
    fn permutation_never_makes_grids_outside_its_orbit() {
        let method = Method::Permutation(Strength::Lines);
        let of = |grid: &Solution| chance(&method, grid).unwrap();
        assert_eq!(of(&Solution::template(Shape::NINE)), Chance::OneIn(5_643_509_760));
        let other = Method::RowMajor.fill(Shape::NINE, &mut Rng::new(1, 0, Stage::Bench, 0)).unwrap();
        assert_eq!(of(&other), Chance::Never);
        assert_eq!(chance(&Method::JumpBack(crate::generate::Jumps::default()), &other), None);
    }

    #[test]
    fn probabilities_are_exact() {
        // 4x4, row-major: 4! for the first row; two digits each for r2c1, r2c3, r3c1 and r3c2; the rest is forced.
        let grid = Solution::template(shape("2x2"));
        assert_eq!(chance(&Method::RowMajor, &grid), Some(Chance::OneIn(24 * 2 * 2 * 2 * 2)));
    }
}
