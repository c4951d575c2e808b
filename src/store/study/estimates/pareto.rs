//! Measures how heavy the tail of the weights is: the shape k of a generalized Pareto distribution fitted to the
//! largest ones.
//!
//! The mean of weights with k below 1/2 has a finite variance, so errors computed from the rows can be trusted. Above
//! 0.7 no practical number of rows gives a stable figure (Vehtari, Simpson, Gelman, Yao & Gabry, "Pareto Smoothed
//! Importance Sampling", arXiv:1507.02646). The fit is the estimator of Zhang & Stephens, "A New and Efficient
//! Estimation Method for the Generalized Pareto Distribution" (Technometrics 51, 2009), shrunk towards 1/2 with the
//! weight of ten observations.

/// The fewest weights in the tail from which a shape is estimated.
const LEAST: usize = 5;

/// The tail of some weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tail {
    /// The shape k; minus infinity when the largest weights are all the same.
    pub shape: f64,
    /// The upper end of the interval for k: two standard errors above the estimate.
    pub at_most: f64,
}

/// Number of the largest weights that are kept. It is enough for eleven million rows.
const TOP: usize = 10_000;

/// The largest of some weights, in no order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Largest(Vec<f64>);

impl Largest {
    /// Adds a weight, or its logarithm.
    pub fn add(&mut self, weight: f64) {
        self.0.push(weight);
        if self.0.len() >= 2 * TOP {
            self.0.select_nth_unstable_by(TOP, |a, b| b.total_cmp(a));
            self.0.truncate(TOP);
        }
    }

    pub(in crate::study) fn scale(&mut self, factor: f64) {
        self.0.iter_mut().for_each(|weight| *weight *= factor);
    }

    /// The weights that are kept.
    pub fn kept(&self) -> &[f64] {
        &self.0
    }

    /// The tail of `n` weights: the largest 20 %, or the largest 3 sqrt(n) when these are fewer. None if there are too
    /// few weights.
    pub fn tail(&self, n: u64) -> Option<Tail> {
        tail_of(&mut self.0.clone(), n as usize)
    }
}

/// The tail of `n` weights, of which only the largest are given, in any order. This function changes their order.
pub(crate) fn tail_of(weights: &mut [f64], n: usize) -> Option<Tail> {
    let size = (n / 5).min((3.0 * (n as f64).sqrt()) as usize);
    let size = size.min(weights.len().saturating_sub(1));
    if size < LEAST {
        return None;
    }
    let below = weights.len() - size - 1;
    let (_, &mut cut, above) = weights.select_nth_unstable_by(below, f64::total_cmp);
    let mut excess: Vec<f64> = above.iter().map(|weight| weight - cut).filter(|&excess| excess > 0.0).collect();
    excess.sort_unstable_by(f64::total_cmp);
    if excess.len() < LEAST {
        return Some(Tail { shape: f64::NEG_INFINITY, at_most: f64::NEG_INFINITY });
    }
    let shape = fitted(&excess);
    Some(Tail { shape, at_most: shape + 2.0 * (1.0 + shape).max(0.0) / (excess.len() as f64).sqrt() })
}

/// The shape of a generalized Pareto distribution of these values, ascending and above 0. Theta is -shape / scale; for
/// each theta the most likely shape is the mean of ln(1 - theta x). The fit is the mean theta, weighted by likelihood.
fn fitted(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let quartile = values[((n / 4.0 + 0.5) as usize).max(1) - 1];
    let largest = values[values.len() - 1];
    let points = 30 + n.sqrt() as usize;
    let likely_shape = |theta: f64| values.iter().map(|value| (-theta * value).ln_1p()).sum::<f64>() / n;
    let mut grid: Vec<ThetaPoint> = Vec::new();
    let mut best = f64::NEG_INFINITY;
    for j in 1..=points {
        let theta = 1.0 / largest + (1.0 - (points as f64 / (j as f64 - 0.5)).sqrt()) / (3.0 * quartile);
        let k = likely_shape(theta);
        let log_likelihood = n * ((-theta / k).ln() - k - 1.0);
        if log_likelihood.is_finite() {
            grid.push(ThetaPoint { theta, log_likelihood });
            best = best.max(log_likelihood);
        }
    }
    // Likelihoods are taken relative to the best one, because their logarithms are too large for `exp`.
    let (mut weights, mut weighted_thetas) = (0.0, 0.0);
    for ThetaPoint { theta, log_likelihood } in grid {
        let weight = (log_likelihood - best).exp();
        weights += weight;
        weighted_thetas += weight * theta;
    }
    (likely_shape(weighted_thetas / weights) * n + 10.0 * 0.5) / (n + 10.0)
}

/// A value of theta that is tried.
struct ThetaPoint {
    theta: f64,
    log_likelihood: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::random::{Rng, Stage};

    fn tail(weights: &[f64]) -> Option<Tail> {
        tail_of(&mut weights.to_vec(), weights.len())
    }

    /// Uniform numbers in 0..1.
    fn uniform(rng: &mut Rng) -> f64 {
        (rng.word() >> 11) as f64 * 2f64.powi(-53)
    }

    #[test]
    fn the_shape_of_pareto_weights_is_found() {
        let mut rng = Rng::new(1, 0, Stage::Bench, 0);
        for k in [0.2, 0.5, 0.8, 1.2] {
            let weights: Vec<f64> = (0..200_000).map(|_| (1.0 - uniform(&mut rng)).powf(-k)).collect();
            let found = tail(&weights).unwrap().shape;
            assert!((found - k).abs() < 0.12, "{k}: {found}");
        }
        let light: Vec<f64> = (0..100_000).map(|_| uniform(&mut rng)).collect();
        assert!(tail(&light).unwrap().shape < 0.0, "a bounded weight has a negative shape");
    }

    #[test]
    fn few_or_equal_weights_have_no_tail() {
        assert_eq!(tail(&[1.0; 10]), None);
        assert_eq!(tail(&[1.0; 1000]).unwrap().shape, f64::NEG_INFINITY);
        assert_eq!(tail(&[]), None);
    }
}
