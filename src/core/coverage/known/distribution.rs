//! All probabilities of grids under a method: how many grids have which probability, and the exact figures that follow.
//!
//! ```text
//!   row-major on 2x2:    1 in 192:  96 grids       sum of grids * probability = 1
//!                        1 in 384: 192 grids       entropy, divergence, effective support, extremes,
//!                                                  draws until half of all grids were seen
//! ```

use std::collections::BTreeMap;

use libm::{exp2, expm1, log1p, log2};

#[cfg(test)]
use super::natural::Natural;
use crate::coverage::numbers::Extremes;

/// Grids that are equally likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// One over the probability of each.
    pub one_in: u128,
    /// How many they are.
    pub grids: u128,
}

/// How many grids have which probability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// Likely grids first.
    pub levels: Vec<Level>,
    /// The number of all grids of the shape.
    pub all: u128,
}

impl Distribution {
    /// From levels in any order; those of the same probability are added up. `all` is the number of grids of the shape,
    /// including those that the method never makes.
    pub fn new(levels: impl IntoIterator<Item = Level>, all: u128) -> Distribution {
        let mut grids_of = BTreeMap::<u128, u128>::new();
        levels.into_iter().for_each(|level| *grids_of.entry(level.one_in).or_default() += level.grids);
        let levels = grids_of.into_iter().map(|(one_in, grids)| Level { one_in, grids }).collect();
        Distribution { levels, all }
    }

    /// The distribution in which `reached` of all grids are equally likely.
    pub fn even(reached: u128, all: u128) -> Distribution {
        Distribution::new([Level { one_in: reached, grids: reached }], all)
    }

    pub fn reached(&self) -> u128 {
        self.levels.iter().map(|level| level.grids).sum()
    }

    /// True if the probabilities add up to exactly 1. This is checked with integers over a common denominator.
    #[cfg(test)]
    pub(super) fn is_whole(&self) -> bool {
        let denominator: Natural = self.levels.iter().map(|level| level.one_in).product();
        let shares = self.levels.iter().map(|level| &denominator / level.one_in * level.grids);
        shares.sum::<Natural>() == denominator
    }

    /// Mean of a function of u = N P(G) over the grids that the method makes.
    pub fn mean(&self, value: impl Fn(f64) -> f64) -> f64 {
        let all = self.all as f64;
        let levels = self.levels.iter().map(|level| (level.grids as f64, level.one_in as f64));
        levels.map(|(grids, one_in)| grids / one_in * value(all / one_in)).sum()
    }

    /// Kullback-Leibler divergence from the uniform distribution, in bits.
    pub(crate) fn divergence(&self) -> f64 {
        self.mean(log2)
    }

    pub(crate) fn entropy(&self) -> f64 {
        log2(self.all as f64) - self.divergence()
    }

    /// One over the probability that two draws agree, as a share of all grids (Renyi-2).
    pub(crate) fn effective_support(&self) -> f64 {
        1.0 / self.mean(|u| u)
    }

    /// Smallest and largest N P(G) among the grids that the method can make.
    pub(crate) fn extremes(&self) -> Extremes {
        let [least, most] = [self.levels.last(), self.levels.first()]
            .map(|level| level.map_or(f64::NAN, |level| self.all as f64 / level.one_in as f64));
        Extremes { least, most }
    }

    /// Share of all grids that have been seen after some draws, on average: sum of 1 - (1 - P)^draws.
    pub(crate) fn seen_after(&self, draws: f64) -> f64 {
        let seen =
            self.levels.iter().map(|level| -(level.grids as f64) * expm1(draws * log1p(-1.0 / level.one_in as f64)));
        seen.sum::<f64>() / self.all as f64
    }

    /// Draws until a share of all grids has been seen, on average. None if that share is never reached.
    pub(crate) fn draws_until(&self, share: f64) -> Option<f64> {
        let reachable = self.reached() as f64 / self.all as f64;
        if share >= reachable { None } else { solve(share, |draws| self.seen_after(draws)) }
    }
}

/// The positive number at which an increasing function takes a value, by bisection on a logarithmic scale. None if the
/// function is still smaller at 2^200.
pub(crate) fn solve(value: f64, function: impl Fn(f64) -> f64) -> Option<f64> {
    let (mut low, mut high) = (-60.0f64, 200.0f64);
    if function(exp2(high)) < value {
        return None;
    }
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if function(exp2(middle)) < value {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(exp2(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_small_distribution() {
        let [half, quarter] = [2, 4].map(|one_in| Level { one_in, grids: 1 });
        let distribution = Distribution::new([quarter, half, quarter], 3);
        assert_eq!(distribution.levels, [half, Level { one_in: 4, grids: 2 }]);
        assert!(distribution.is_whole());
        assert!((distribution.entropy() - 1.5).abs() < 1e-12);
        assert!((distribution.divergence() - (3f64.log2() - 1.5)).abs() < 1e-12);
        assert!((distribution.effective_support() - 1.0 / (3.0 * 0.375)).abs() < 1e-12);
        assert_eq!(distribution.extremes(), Extremes { least: 0.75, most: 1.5 });
        assert!((distribution.mean(|u| 1.0 / u) - 1.0).abs() < 1e-12);
        assert!((distribution.seen_after(1.0) - 1.0 / 3.0).abs() < 1e-12);
        assert!(!Distribution::new([quarter, half], 3).is_whole());
    }

    #[test]
    fn half_of_all_grids_take_ln_2_draws_per_grid() {
        let distribution = Distribution::even(1 << 40, 1 << 40);
        let half = distribution.draws_until(0.5).unwrap() / (1u64 << 40) as f64;
        assert!((half - 2f64.ln()).abs() < 1e-9);
        assert_eq!(Distribution::even(1 << 39, 1 << 40).draws_until(0.5), None);
        assert_eq!(distribution.draws_until(1.0), None);
    }
}
