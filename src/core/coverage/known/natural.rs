//! Computes with numbers beyond 128 bits: 12x12 boards have about 8e46 grids, 36x36 boards orbits of about 1e79.

pub(crate) use num_bigint::BigUint as Natural;

use crate::page::numbers::group;

/// The product of all numbers from 1 to `n`.
pub(crate) fn factorial(n: usize) -> Natural {
    (1..=n).product()
}

/// The nearest floating-point number; infinite above 1.8e308.
pub(crate) fn to_f64(number: &Natural) -> f64 {
    number.to_string().parse().unwrap_or(f64::INFINITY)
}

/// The logarithm to base 2, to about 15 digits and the same on every machine; minus infinity of 0.
pub(crate) fn log2(number: &Natural) -> f64 {
    let below = number.bits().saturating_sub(64);
    let top = u64::try_from(number >> below).unwrap_or_default();
    libm::log2(top as f64) + below as f64
}

/// Decimal digits in groups of three: 6,670,903.
pub(crate) fn grouped(number: &Natural) -> String {
    group(&number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials_are_known() {
        assert_eq!(grouped(&factorial(25)), "15,511,210,043,330,985,984,000,000");
        assert_eq!(to_f64(&factorial(20)), 2_432_902_008_176_640_000.0);
        assert_eq!(to_f64(&factorial(200)), f64::INFINITY);
        let log = (1..=36).map(|n| f64::from(n).log2()).sum::<f64>();
        assert!((log2(&factorial(36)) - log).abs() < 1e-9);
        assert_eq!(log2(&Natural::default()), f64::NEG_INFINITY);
    }
}
