//! Writes exact numbers of any size as text.

use std::f64::consts::LOG10_2;

use crate::coverage::known::exact::Size;
use crate::coverage::known::natural::{Natural, grouped, log2};
use crate::page::numbers::rounded;

/// An integer with its digits in groups; from 2^90 on as a power of ten.
pub(super) fn natural(number: &Natural) -> String {
    if number.bits() <= 90 { grouped(number) } else { scientific(log2(number)) }
}

/// A number of which only the logarithm may be known.
pub(super) fn size(size: &Size) -> String {
    size.exact.as_ref().map_or_else(|| format!("about {}", scientific(size.log2)), natural)
}

/// 2 to a power as a power of ten: 3.384e-12.
pub(super) fn scientific(log2: f64) -> String {
    if log2 == f64::NEG_INFINITY {
        return "0".to_owned();
    }
    let log10 = log2 * LOG10_2;
    let (mut exponent, mut digits) = (log10.floor(), format!("{:.3}", libm::exp10(log10 - log10.floor())));
    if digits.starts_with("10") {
        (exponent, digits) = (exponent + 1.0, "1.000".to_owned());
    }
    format!("{digits}e{exponent:.0}")
}

/// A share, given by its logarithm to base 2: in percent, or as a power of ten if it is small.
pub(super) fn share(log2: f64) -> String {
    if log2 > -14.0 { format!("{} %", rounded(100.0 * libm::exp2(log2))) } else { scientific(log2) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::known::natural::factorial;

    #[test]
    fn numbers_are_written_as_expected() {
        assert_eq!(natural(&factorial(36)), "3.720e41");
        assert_eq!(scientific((9.9999f64).log2()), "1.000e1");
        assert_eq!(share(-1.0), "50.00 %");
        assert_eq!(share((3.384e-12f64).log2()), "3.384e-12");
    }
}
