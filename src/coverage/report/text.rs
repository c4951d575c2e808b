//! Numbers as readers like them: grouped digits, powers of ten, percent, means with their errors.

use std::f64::consts::LOG10_2;

use crate::coverage::exact::{Basis, Size};
use crate::coverage::natural::Natural;

/// A count with its digits in groups of three.
pub fn grouped(count: u128) -> String {
    Natural::from(count).grouped()
}

/// A whole number, grouped; from 2^90 on as a power of ten.
pub fn natural(number: &Natural) -> String {
    if number.log2() < 90.0 { number.grouped() } else { scientific(number.log2()) }
}

/// A number that may be known by its logarithm alone.
pub fn size(size: &Size) -> String {
    let text = size.exact.as_ref().map_or_else(|| scientific(size.log2), natural);
    if size.basis == Basis::Estimate { format!("about {text}") } else { text }
}

/// 2 to a power as a power of ten: 3.384e-12.
pub fn scientific(log2: f64) -> String {
    if log2 == f64::NEG_INFINITY {
        return "0".to_owned();
    }
    let log10 = log2 * LOG10_2;
    let (mut exponent, mut digits) = (log10.floor(), format!("{:.3}", 10f64.powf(log10 - log10.floor())));
    if digits.starts_with("10") {
        (exponent, digits) = (exponent + 1.0, "1.000".to_owned());
    }
    format!("{digits}e{exponent:.0}")
}

/// A share, given by its logarithm to base 2: in percent, or as a power of ten when it is small.
pub fn share(log2: f64) -> String {
    match log2 {
        _ if log2 > -14.0 => format!("{} %", rounded(100.0 * log2.exp2())),
        _ => scientific(log2),
    }
}

/// A number with about four digits.
pub fn rounded(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-4..1e7).contains(&size) => scientific_value(value),
        size if size >= 1e4 => grouped(size.round() as u128),
        size => {
            let digits = (3.0 - size.log10().floor()).clamp(0.0, 8.0) as usize;
            format!("{value:.digits$}")
        }
    }
}

fn scientific_value(value: f64) -> String {
    if value.is_finite() { format!("{value:.3e}") } else { value.to_string() }
}

/// A mean and its standard error, with two digits of the error.
pub fn with_error(mean: f64, error: f64) -> String {
    if error.is_nan() || error <= 0.0 {
        return rounded(mean);
    }
    if mean.abs() >= 1e6 {
        return format!("{mean:.3e} ± {error:.0e}");
    }
    let digits = (1.0 - error.log10().floor()).clamp(0.0, 8.0) as usize;
    format!("{mean:.digits$} ± {error:.digits$}")
}

/// A p-value.
pub fn p_value(p: f64) -> String {
    match p {
        _ if p >= 1e-3 => format!("{p:.3}"),
        _ if p > 1e-300 => format!("{p:.0e}"),
        _ => "< 1e-300".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_expected() {
        assert_eq!(grouped(6_670_903_752_021_072_936_960), "6,670,903,752,021,072,936,960");
        assert_eq!(grouped(12), "12");
        assert_eq!(natural(&Natural::factorial(36)), "3.720e41");
        assert_eq!(scientific((9.9999f64).log2()), "1.000e1");
        assert_eq!(share(-1.0), "50.00 %");
        assert_eq!(share((3.384e-12f64).log2()), "3.384e-12");
        assert_eq!(
            [rounded(0.25), rounded(12_345.6), rounded(0.0), rounded(1.5e9)],
            ["0.2500", "12,346", "0", "1.500e9"]
        );
        assert_eq!(with_error(0.856_53, 0.0127), "0.857 ± 0.013");
        assert_eq!(with_error(4.0, 0.0), "4.000");
        assert_eq!([p_value(0.5), p_value(1e-20), p_value(0.0)], ["0.500", "1e-20", "< 1e-300"]);
    }
}
