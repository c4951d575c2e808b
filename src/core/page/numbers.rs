//! Formats numbers: grouped digits, powers of ten, percent, means with their errors.

use std::fmt::Display;

/// A count with its digits in groups of three.
pub fn grouped(count: u128) -> String {
    group(&count.to_string())
}

/// A number with its noun: "1 row", "2 rows". The number may be a text with grouped digits.
pub fn counted(number: impl Display, noun: &str) -> String {
    let number = number.to_string();
    match noun {
        _ if number == "1" => format!("1 {noun}"),
        _ if noun.ends_with(['s', 'x']) => format!("{number} {noun}es"),
        _ => match noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
            Some(stem) => format!("{number} {stem}ies"),
            None => format!("{number} {noun}s"),
        },
    }
}

/// Decimal digits in groups of three.
pub fn group(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A power of ten: 0.001 to 1,000,000 in full, others as 1e7.
pub(crate) fn power_of_ten(exponent: f64) -> String {
    match exponent {
        -3.0..=3.0 => format!("{}", 10f64.powf(exponent)),
        4.0..=6.0 => grouped(10f64.powf(exponent).round() as u128),
        _ => format!("1e{exponent:.0}"),
    }
}

/// A number with four significant digits: a grouped integer from 10,000 to 10 million, below 1e-4 and above as 1.234e7.
pub fn rounded(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-4..1e7).contains(&size) => format!("{value:.3e}"),
        size if size >= 1e4 => format!("{}{}", if value < 0.0 { "-" } else { "" }, grouped(size.round() as u128)),
        size => {
            let digits = (3.0 - size.log10().floor()).clamp(0.0, 8.0) as usize;
            format!("{value:.digits$}")
        }
    }
}

/// A mean and its standard error, with two digits of the error, or one digit if the mean is at least a million.
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

/// A number of tenths with its decimal: 45 is 4.5.
pub fn tenths(tenths: impl Into<u64>) -> String {
    let tenths = tenths.into();
    format!("{}.{}", tenths / 10, tenths % 10)
}

pub(crate) fn p_value(p: f64) -> String {
    match p {
        _ if p >= 1e-3 => format!("{p:.3}"),
        _ if p > 1e-300 => format!("{p:.0e}"),
        _ => "< 1e-300".to_owned(),
    }
}

/// A share in percent, with enough digits to show small ones.
pub fn percent(part: u64, whole: u64) -> String {
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    match share {
        // No share of nothing.
        _ if whole == 0 => "-".to_owned(),
        _ if part == 0 => "0 %".to_owned(),
        _ if part == whole => "100 %".to_owned(),
        // A share below 100 % is never shown as 100 %.
        99.95.. => format!("{} %", 100.0 - significant(100.0 - share, 2)),
        10.0.. => format!("{share:.1} %"),
        1.0.. => format!("{share:.2} %"),
        _ => format!("{} %", significant(share, 2)),
    }
}

/// A number rounded to a number of significant digits.
pub fn significant(value: f64, digits: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let precision = (digits - 1).clamp(0, 16) as usize;
    format!("{value:.precision$e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_its_noun() {
        let all = ["day", "guess", "copy"].map(|noun| [0, 1, 2].map(|number| counted(number, noun)));
        assert_eq!(all[0], ["0 days", "1 day", "2 days"]);
        assert_eq!(all[1], ["0 guesses", "1 guess", "2 guesses"]);
        assert_eq!(all[2], ["0 copies", "1 copy", "2 copies"]);
        assert_eq!(counted("10,000", "row"), "10,000 rows");
    }

    #[test]
    fn numbers_are_written_as_expected() {
        assert_eq!(grouped(6_670_903_752_021_072_936_960), "6,670,903,752,021,072,936,960");
        assert_eq!([grouped(0), grouped(12), grouped(999), grouped(1000)], ["0", "12", "999", "1,000"]);
        assert_eq!(
            [rounded(0.25), rounded(12_345.6), rounded(-12_345.6), rounded(0.0), rounded(1.5e9)],
            ["0.2500", "12,346", "-12,346", "0", "1.500e9"]
        );
        assert_eq!(with_error(0.856_53, 0.0127), "0.857 ± 0.013");
        assert_eq!(with_error(4.0, 0.0), "4.000");
        assert_eq!([tenths(45u16), tenths(120u32), tenths(3u64)], ["4.5", "12.0", "0.3"]);
        assert_eq!([p_value(0.5), p_value(1e-20), p_value(0.0)], ["0.500", "1e-20", "< 1e-300"]);
        assert_eq!([power_of_ten(-2.0), power_of_ten(4.0), power_of_ten(9.0)], ["0.01", "10,000", "1e9"]);
    }

    #[test]
    fn percentages_show_small_shares_and_never_round_up_to_all() {
        assert_eq!([percent(0, 10), percent(10, 10), percent(0, 0)], ["0 %", "100 %", "-"]);
        assert_eq!([percent(3404, 10_000), percent(288, 10_000), percent(24, 10_000)], ["34.0 %", "2.88 %", "0.24 %"]);
        assert_eq!(percent(2, 10_000_000), "0.00002 %");
        assert_eq!(percent(9_999_998, 10_000_000), "99.99998 %");
        assert_eq!(significant(1234.56, 3), 1230.0);
        assert_eq!(significant(0.000_123_456, 6), 0.000_123_456);
    }
}
