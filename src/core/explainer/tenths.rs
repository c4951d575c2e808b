//! Reads and writes ratings with one decimal, as people write them, stored in tenths.

use std::fmt;
use std::str::FromStr;

/// A rating in tenths: 45 is "4.5".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tenths(pub u16);

/// Reads digits, and at most one decimal.
impl FromStr for Tenths {
    type Err = String;

    fn from_str(text: &str) -> Result<Tenths, String> {
        let (whole, decimal) = text.trim().split_once('.').unwrap_or((text.trim(), "0"));
        let tenths = number(whole, 2).zip(number(decimal, 1)).map(|(whole, decimal)| 10 * whole + decimal);
        tenths.filter(|&tenths| tenths <= 200).map(Tenths).ok_or_else(|| {
            if text.trim().is_empty() {
                return "a rating is missing; a range has both ends, such as 1.5..4.5".to_owned();
            }
            let range = if text.contains([',', '-']) { ", or a range, such as 1.5..4.5" } else { "" };
            format!("'{text}' is not a rating; write a number up to 20 with at most one decimal, such as 4.5{range}")
        })
    }
}

/// Reads a number of one to `most` digits, and nothing else.
fn number(text: &str, most: usize) -> Option<u16> {
    let is_plain = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_written_with_one_decimal() {
        for tenths in 0..=200 {
            assert_eq!(Tenths(tenths).to_string().parse(), Ok(Tenths(tenths)));
        }
        assert_eq!("9".parse(), Ok(Tenths(90)));
        for wrong in ["", ".5", "4.", "4.55", "-1", "+4.5", "20.1", "four", "4,5", "1e1", "99999999999"] {
            assert!(wrong.parse::<Tenths>().is_err(), "{wrong}");
        }
    }
}
