//! Natural numbers of any size: the few operations that exact counts need.
//!
//! ```text
//!   limbs    least significant first, 32 bits each; no leading zero, so 0 has none
//! ```
//!
//! The number of 12x12 grids does not fit into 128 bits, and 36x36 boards have orbits of about 10^79 grids. Products of
//! small factors, a division by a small number, decimal digits and a logarithm are enough here, so no library is
//! needed.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul};
use std::str::FromStr;

use crate::page::numbers::group;

/// A text that is not a natural number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a natural number")]
pub struct NotNatural;

/// A natural number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Natural(Vec<u32>);

impl Natural {
    /// The product of all numbers from 1 to `n`.
    pub fn factorial(n: usize) -> Natural {
        (2..=n as u64).fold(Natural::from(1u64), |product, factor| product.times(factor))
    }

    /// Times a small number.
    pub fn times(&self, factor: u64) -> Natural {
        self * &Natural::from(factor)
    }

    /// To a small power.
    pub fn power(&self, exponent: usize) -> Natural {
        (0..exponent).fold(Natural::from(1u64), |product, _| &product * self)
    }

    /// Quotient and remainder of the division by a small number, which must not be 0.
    pub fn divided(&self, divisor: u64) -> (Natural, u64) {
        let (mut limbs, mut rest) = (self.0.clone(), 0u128);
        for limb in limbs.iter_mut().rev() {
            rest = rest << 32 | u128::from(*limb);
            *limb = (rest / u128::from(divisor)) as u32;
            rest %= u128::from(divisor);
        }
        (Natural(limbs).trimmed(), rest as u64)
    }

    /// The number, if it fits into 128 bits.
    pub fn to_u128(&self) -> Option<u128> {
        (self.0.len() <= 4).then(|| self.0.iter().rev().fold(0, |value, &limb| value << 32 | u128::from(limb)))
    }

    /// The nearest floating-point number; infinite above 1.8e308.
    pub fn to_f64(&self) -> f64 {
        self.to_string().parse().unwrap_or(f64::INFINITY)
    }

    /// The logarithm to base 2, to about 15 digits; minus infinity of 0.
    pub fn log2(&self) -> f64 {
        let top = self.0.iter().rev().take(3).fold(0.0, |value, &limb| value * 4_294_967_296.0 + f64::from(limb));
        top.log2() + 32.0 * self.0.len().saturating_sub(3) as f64
    }

    /// Decimal digits in groups of three: 6,670,903.
    pub fn grouped(&self) -> String {
        group(&self.to_string())
    }

    fn trimmed(mut self) -> Natural {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }
}

impl From<u64> for Natural {
    fn from(value: u64) -> Natural {
        Natural::from(u128::from(value))
    }
}

impl From<u128> for Natural {
    fn from(value: u128) -> Natural {
        Natural((0..4).map(|limb| (value >> (32 * limb)) as u32).collect()).trimmed()
    }
}

impl FromStr for Natural {
    type Err = NotNatural;

    /// Reads decimal digits only.
    fn from_str(text: &str) -> Result<Natural, NotNatural> {
        let digit = |byte: u8| byte.is_ascii_digit().then(|| u64::from(byte - b'0')).ok_or(NotNatural);
        let value = text
            .bytes()
            .try_fold(Natural::default(), |value, byte| Ok(&value.times(10) + &Natural::from(digit(byte)?)))?;
        if text.is_empty() { Err(NotNatural) } else { Ok(value) }
    }
}

impl Add for &Natural {
    type Output = Natural;

    fn add(self, other: &Natural) -> Natural {
        let length = self.0.len().max(other.0.len()) + 1;
        let mut carry = 0u64;
        let limb = |number: &Natural, at: usize| u64::from(number.0.get(at).copied().unwrap_or(0));
        let limbs = (0..length).map(|at| {
            carry += limb(self, at) + limb(other, at);
            let low = carry as u32;
            carry = u64::from((carry > u64::from(u32::MAX)) as u32);
            low
        });
        Natural(limbs.collect()).trimmed()
    }
}

impl Mul for &Natural {
    type Output = Natural;

    fn mul(self, other: &Natural) -> Natural {
        let mut limbs = vec![0u32; self.0.len() + other.0.len()];
        for (low, &a) in self.0.iter().enumerate() {
            let mut carry = 0u64;
            for (limb, b) in limbs[low..].iter_mut().zip(other.0.iter().chain([&0])) {
                carry += u64::from(*limb) + u64::from(a) * u64::from(*b);
                *limb = carry as u32;
                carry >>= 32;
            }
        }
        Natural(limbs).trimmed()
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Natural) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Natural) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl fmt::Display for Natural {
    /// Decimal digits without separators.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CHUNK: u64 = 1_000_000_000_000_000_000;
        let (mut chunks, mut rest) = (Vec::new(), self.clone());
        while !rest.0.is_empty() {
            let (quotient, chunk) = rest.divided(CHUNK);
            chunks.push(chunk);
            rest = quotient;
        }
        let mut digits = chunks.pop().unwrap_or(0).to_string();
        chunks.iter().rev().for_each(|chunk| digits.push_str(&format!("{chunk:018}")));
        f.pad_integral(true, "", &digits)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, proptest};

    use super::*;

    #[test]
    fn factorials_are_known() {
        assert_eq!(Natural::factorial(0).to_string(), "1");
        assert_eq!(Natural::factorial(25).to_string(), "15511210043330985984000000");
        assert_eq!(Natural::factorial(36).to_string(), "371993326789901217467999448150835200000000");
        assert_eq!(Natural::default().to_string(), "0");
        assert!(Natural::factorial(21) > Natural::factorial(20));
        assert_eq!(Natural::factorial(20).to_f64(), 2_432_902_008_176_640_000.0);
        assert_eq!(Natural::factorial(200).to_f64(), f64::INFINITY);
        let log = (1..=36).map(|n| f64::from(n).log2()).sum::<f64>();
        assert!((Natural::factorial(36).log2() - log).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn arithmetic_agrees_with_machine_words(a in any::<u64>(), b in any::<u64>(), d in 1..u64::MAX) {
            let product = u128::from(a) * u128::from(b);
            let exact = Natural::from(a).times(b);
            assert_eq!(exact.to_u128(), Some(product));
            assert_eq!(exact.to_string(), product.to_string());
            assert_eq!(product.to_string().parse(), Ok(exact.clone()));
            let (quotient, rest) = exact.divided(d);
            assert_eq!((quotient.to_u128(), rest), (Some(product / u128::from(d)), (product % u128::from(d)) as u64));
            assert_eq!(&quotient.times(d) + &Natural::from(rest), exact);
        }
    }
}
