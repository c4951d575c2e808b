//! Guesses the type of a column of texts, from all its fields.

use super::value::ColumnType;

/// The possible types of a column of texts, from the fields read so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guess {
    /// True if a field is not empty.
    any: bool,
    /// All fields can be flags.
    flag: bool,
    /// All fields can be integers.
    whole: bool,
    /// All fields can be real numbers.
    real: bool,
}

impl Default for Guess {
    fn default() -> Guess {
        Guess { any: false, flag: true, whole: true, real: true }
    }
}

impl Guess {
    /// Takes a field into account. Empty fields say nothing.
    pub(crate) fn see(&mut self, field: &str) {
        if field.is_empty() {
            return;
        }
        self.any = true;
        self.flag &= field.eq_ignore_ascii_case("true") || field.eq_ignore_ascii_case("false");
        self.whole &= integer_of(field).is_some();
        self.real &= real_of(field).is_some();
    }

    /// The narrowest type that holds all fields.
    pub(crate) fn kind(self) -> ColumnType {
        match self {
            Guess { any: false, .. } => ColumnType::Text,
            Guess { flag: true, .. } => ColumnType::Flag,
            Guess { whole: true, .. } => ColumnType::Signed,
            Guess { real: true, .. } => ColumnType::Real,
            _ => ColumnType::Text,
        }
    }
}

/// True if a text looks like a number. 007 is a name, and a puzzle has more digits than a number.
fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches('-');
    let padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    !padded && digits.len() < 20 && digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
}

pub(crate) fn integer_of(text: &str) -> Option<i64> {
    text.parse().ok().filter(|_| is_number(text))
}

/// A real number. Whole numbers that would be rounded are none.
pub(crate) fn real_of(text: &str) -> Option<f64> {
    let is_exact = |number: i64| number.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS;
    let whole = text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    let rounded = whole && !integer_of(text).is_some_and(is_exact);
    text.parse().ok().filter(|_| is_number(text) && !rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_a_column_give_its_type() {
        let kind = |fields: &[&str]| {
            let mut guess = Guess::default();
            fields.iter().for_each(|field| guess.see(field));
            guess.kind()
        };
        assert_eq!(kind(&["-3", "", "12"]), ColumnType::Signed);
        assert_eq!(kind(&["1.5", "2"]), ColumnType::Real);
        assert_eq!(kind(&["True", "false"]), ColumnType::Flag);
        for texts in [&["007"][..], &["1", "x"], &["", ""], &["12345678901234567890"], &["nan"]].into_iter().chain([
            &["9223372036854775808"][..],
            &["9223372036854775807", "9223372036854775808"],
            &["1.5", "-9223372036854775809"],
            &["1.5", "9007199254740993"],
        ]) {
            assert_eq!(kind(texts), ColumnType::Text, "{texts:?}");
        }
    }
}
