//! Means with standard errors, and the probabilities of chi-square, normal and Poisson tests.
//!
//! The incomplete gamma function is computed by its series below the mean and by its continued fraction above
//! (Abramowitz & Stegun 6.5.29 and 6.5.31), to about twelve digits: enough for p-values.

use libm::log;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    pub value: f64,
    pub error: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extremes {
    pub least: f64,
    pub most: f64,
}

/// A mean and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Moments {
    pub count: u64,
    pub mean: f64,
    /// Standard error of the mean: standard deviation divided by the root of the count.
    pub error: f64,
}

impl Moments {
    /// From values, summed in their order.
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> Moments {
        let count = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / count;
        let square = values.map(|value| (value - mean) * (value - mean)).sum::<f64>();
        Moments { count: count as u64, mean, error: (square / (count - 1.0).max(1.0) / count).sqrt() }
    }

    /// From the exact sum and sum of squares of integers.
    pub(crate) fn of_sums(count: u64, sum: u64, squares: u64) -> Moments {
        let n = count as f64;
        let mean = sum as f64 / n;
        let square = (squares as f64 - n * mean * mean).max(0.0);
        Moments { count, mean, error: (square / (n - 1.0).max(1.0) / n).sqrt() }
    }

    /// The distance of the mean from an expected value, in standard errors.
    pub fn distance(&self, expected: f64) -> f64 {
        if self.mean == expected { 0.0 } else { (self.mean - expected) / self.error }
    }
}

/// Logarithm of the gamma function (Lanczos, g = 7).
fn ln_gamma(x: f64) -> f64 {
    const LANCZOS: [f64; 9] = [
        0.999_999_999_999_809_9, 676.520_368_121_885_1, -1_259.139_216_722_402_8, 771.323_428_777_653_1,
        -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let terms = LANCZOS[1..].iter().zip(1..).map(|(&term, number)| term / (x + f64::from(number)));
    let t = x + 7.5;
    0.5 * log(2.0 * std::f64::consts::PI) + (x + 0.5) * log(t) - t + log(LANCZOS[0] + terms.sum::<f64>())
}

/// The upper regularised incomplete gamma function Q(a, x), for a > 0 and x >= 0.
pub(crate) fn gamma_q(a: f64, x: f64) -> f64 {
    if x.is_infinite() {
        return 0.0;
    }
    if x <= 0.0 {
        return 1.0;
    }
    let scale = libm::exp(a * log(x) - x - ln_gamma(a));
    if x < a + 1.0 {
        let (mut term, mut sum, mut k) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-16 {
            k += 1.0;
            term *= x / k;
            sum += term;
        }
        return (1.0 - scale * sum).clamp(0.0, 1.0);
    }
    let (mut b, mut c) = (x + 1.0 - a, f64::MAX);
    let mut d = 1.0 / b;
    let mut fraction = d;
    for k in 1..10_000 {
        let k = f64::from(k);
        let numerator = k * (a - k);
        b += 2.0;
        d = 1.0 / (b + numerator * d);
        c = b + numerator / c;
        fraction *= c * d;
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (scale * fraction).clamp(0.0, 1.0)
}

/// Probability that chi-square with some degrees of freedom is at least `value`.
pub fn chi_square_tail(value: f64, freedom: f64) -> f64 {
    if freedom <= 0.0 { 1.0 } else { gamma_q(freedom / 2.0, value / 2.0) }
}

/// Probability that a normal variable is at least `distance` standard deviations from its mean, on either side.
pub(crate) fn normal_tails(distance: f64) -> f64 {
    if distance.is_nan() { 0.0 } else { gamma_q(0.5, distance * distance / 2.0) }
}

/// Twice the smaller tail of a Poisson variable, at most 1: the p-value of `count` if `mean` is expected.
pub(crate) fn poisson_tails(count: u64, mean: f64) -> f64 {
    if mean <= 0.0 {
        return if count == 0 { 1.0 } else { 0.0 };
    }
    let at_most = gamma_q(count as f64 + 1.0, mean);
    let at_least = if count == 0 { 1.0 } else { 1.0 - gamma_q(count as f64, mean) };
    (2.0 * at_most.min(at_least)).min(1.0)
}

/// A sum of squares that measures how far counts are from what is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChiSquare {
    /// Sum of (seen - expected)^2 / expected.
    pub value: f64,
    /// Number of cells less one.
    pub freedom: f64,
}

impl ChiSquare {
    /// From counts and the expected share of each; the shares sum to 1. Cells with an expectation below five are
    /// combined, in their order, until five are expected. The last group is ignored if less than one is expected.
    pub(crate) fn of(cells: impl Iterator<Item = (u64, f64)>, draws: u64) -> ChiSquare {
        let (mut value, mut used) = (0.0, 0u64);
        let mut term = |seen: f64, expected: f64| {
            value += (seen - expected) * (seen - expected) / expected;
            used += 1;
        };
        let (mut rare_seen, mut rare_expected) = (0.0, 0.0);
        for (seen, share) in cells {
            let expected = share * draws as f64;
            if expected >= 5.0 {
                term(seen as f64, expected);
                continue;
            }
            rare_seen += seen as f64;
            rare_expected += expected;
            if rare_expected >= 5.0 {
                term(rare_seen, rare_expected);
                (rare_seen, rare_expected) = (0.0, 0.0);
            }
        }
        if rare_expected >= 1.0 {
            term(rare_seen, rare_expected);
        }
        ChiSquare { value, freedom: used.saturating_sub(1) as f64 }
    }

    /// The probability that an even sampler has at least this value.
    pub(crate) fn p(&self) -> f64 {
        chi_square_tail(self.value, self.freedom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-9 * expected.abs().max(1e-3), "{value}, expected {expected}");
    }

    #[test]
    fn tails_have_known_values() {
        near(chi_square_tail(3.841_458_820_694_124, 1.0), 0.05);
        near(chi_square_tail(415.0 + 4.0, 2.0), (-209.5f64).exp());
        near(chi_square_tail(10.0, 4.0), 6.0 * (-5.0f64).exp());
        near(normal_tails(1.959_963_984_540_054), 0.05);
        near(normal_tails(-1.959_963_984_540_054), 0.05);
        near(poisson_tails(0, 3.0), 2.0 * (-3.0f64).exp());
        near(poisson_tails(6, 3.0), 2.0 * (1.0 - (-3.0f64).exp() * 18.4));
        assert_eq!(poisson_tails(0, 0.0), 1.0);
        assert!(poisson_tails(400, 91.0) < 1e-12 && normal_tails(f64::INFINITY) == 0.0);
    }

    /// The median of chi-square is about k (1 - 2/(9k))^3.
    #[test]
    fn many_degrees_of_freedom_are_fine() {
        for freedom in [30.0f64, 415.0, 39_167.0] {
            let median = freedom * (1.0 - 2.0 / (9.0 * freedom)).powi(3);
            assert!((chi_square_tail(median, freedom) - 0.5).abs() < 1e-3, "{freedom}");
        }
    }

    #[test]
    fn moments_of_sums_are_moments_of_values() {
        let values = [3u64, 5, 9, 1, 1, 4];
        let whole = Moments::of_sums(6, values.iter().sum(), values.iter().map(|v| v * v).sum());
        let real = Moments::of(values.iter().map(|&value| value as f64));
        near(whole.mean, real.mean);
        near(whole.error, real.error);
        near(whole.distance(whole.mean), 0.0);
    }
}
