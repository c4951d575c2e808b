//! Guesses the type of a column of texts, from all its fields. One rule: a field is a number if it comes back as itself.
//!
//! ```text
//!   3  -12  " 3"                          an integer: spaces around it are no part of it
//!   0.5  1e-05  0.012345678901234567      a real number: what Python, R and C print for a double
//!   -0  inf  -Infinity                    real numbers, too, and no integers
//!   true  False  TRUE                     a flag
//!   ""  NA  nan  null  None               no value, in a column of numbers or flags, or without any other field
//!   007  +3  1e400  2 to the power of 64  texts: as a number they would be another text, or another number
//! ```
//!
//! In a column with any other text, all fields are texts as they stand.

use crate::corpus::values::value::ColumnType;

/// The possible types of a column of texts, from the fields read so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guess {
    /// A field has a value.
    any: bool,
    /// A field has a word for no value, which is no text.
    missing: bool,
    /// All fields can be flags.
    flag: bool,
    /// All fields can be integers.
    whole: bool,
    /// All fields can be real numbers.
    real: bool,
    /// All fields are written as numbers, even if some are too long or too large for one.
    digits: bool,
    /// A field has signs before the number that would be lost: 0 or +.
    padded: bool,
}

/// Why a column of numbers has to be one of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextReason {
    /// A field begins with 0 or +, as codes and dates do.
    Padded,
    /// No number of 64 bits is this one.
    Long,
}

impl TextReason {
    /// The note about a column.
    pub(crate) fn note(self, column: &str) -> String {
        let reason = match self {
            TextReason::Padded => "begins with a 0 or + that would be lost",
            TextReason::Long => "is too long or too large",
        };
        format!("column '{column}' becomes texts: a number in it {reason}")
    }
}

impl Default for Guess {
    fn default() -> Guess {
        Guess { any: false, missing: false, flag: true, whole: true, real: true, digits: true, padded: false }
    }
}

impl Guess {
    pub(crate) fn see(&mut self, field: &str) {
        if is_missing(field) {
            self.missing |= !field.trim().is_empty();
            return;
        }
        self.any = true;
        self.flag &= flag_of(field).is_some();
        self.whole &= integer_of(field).is_some();
        self.real &= real_of(field).is_some();
        self.digits &= field.trim().parse::<f64>().is_ok();
        self.padded |= is_padded(field);
    }

    /// Takes a text into account that is meant as one, whatever it looks like.
    pub(crate) fn see_text(&mut self, text: &str) {
        if !is_missing(text) {
            *self = Guess { any: true, flag: false, whole: false, real: false, digits: false, ..*self };
        }
    }

    /// The narrowest type that holds all fields.
    pub(crate) fn kind(self) -> ColumnType {
        match self {
            Guess { any: false, missing: true, .. } => ColumnType::Real,
            Guess { any: false, .. } => ColumnType::Text,
            Guess { flag: true, .. } => ColumnType::Flag,
            Guess { whole: true, .. } => ColumnType::Signed,
            Guess { real: true, .. } => ColumnType::Real,
            _ => ColumnType::Text,
        }
    }

    /// Why a column of numbers has to be one of texts. None for other columns.
    pub(crate) fn why_texts(self) -> Option<TextReason> {
        let is_lost = self.any && self.digits && self.kind() == ColumnType::Text;
        is_lost.then_some(if self.padded { TextReason::Padded } else { TextReason::Long })
    }
}

/// True for a field that has no value: nothing, or a word for it.
pub(crate) fn is_missing(field: &str) -> bool {
    matches!(field.trim(), "" | "NA" | "N/A" | "nan" | "NaN" | "NAN" | "null" | "NULL" | "None")
}

/// True for a field of boards that has none: nothing, or a word for it in letters of any case.
pub(crate) fn is_no_board(field: &str) -> bool {
    let field = field.trim();
    field.is_empty() || ["na", "n/a", "nan", "null", "none"].iter().any(|word| field.eq_ignore_ascii_case(word))
}

/// A flag, in letters of any case: Python writes True and R TRUE.
pub(crate) fn flag_of(field: &str) -> Option<bool> {
    if field.eq_ignore_ascii_case("true") {
        return Some(true);
    }
    field.eq_ignore_ascii_case("false").then_some(false)
}

/// An integer that is written as it would be printed.
pub(crate) fn integer_of(field: &str) -> Option<i64> {
    let text = field.trim();
    text.parse().ok().filter(|_| !is_padded(text) && text != "-0")
}

/// True for a number with a sign before it that does not come back: a plus, or a 0 before another digit.
fn is_padded(field: &str) -> bool {
    let text = field.trim();
    let mut signs = text.strip_prefix('-').unwrap_or(text).chars();
    match signs.next() {
        Some('0') => signs.next().is_some_and(|sign| sign.is_ascii_digit()),
        first => first == Some('+'),
    }
}

/// A real number that 17 digits or fewer say, as they say every double. Integers that would be rounded are none.
pub(crate) fn real_of(field: &str) -> Option<f64> {
    let text = field.trim();
    let number: f64 = text.parse().ok()?;
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    if number.is_infinite() {
        let is_word = unsigned.eq_ignore_ascii_case("inf") || unsigned.eq_ignore_ascii_case("infinity");
        return is_word.then_some(number);
    }
    let (mantissa, is_whole) = match unsigned.find(['e', 'E']) {
        Some(end) => (&unsigned[..end], false),
        None => (unsigned, !unsigned.contains('.')),
    };
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let significant = digits.trim_start_matches('0');
    let is_exact = match is_whole {
        true if text == "-0" => true,
        true => integer_of(text).is_some_and(|whole| whole.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS),
        false => significant.len() <= 17 && !is_padded(text),
    };
    // A number below all doubles would become 0.
    let is_vanished = number == 0.0 && !significant.is_empty();
    (is_exact && !is_vanished && unsigned.starts_with(|sign: char| sign.is_ascii_digit() || sign == '.'))
        .then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::random::{Rng, Stage};

    fn guess(fields: &[&str]) -> Guess {
        let mut guess = Guess::default();
        fields.iter().for_each(|field| guess.see(field));
        guess
    }

    fn kind(fields: &[&str]) -> ColumnType {
        guess(fields).kind()
    }

    fn why(fields: &[&str]) -> Option<TextReason> {
        guess(fields).why_texts()
    }

    #[test]
    fn the_fields_of_a_column_give_its_type() {
        assert_eq!(kind(&["-3", "", "12", " 3", "NA"]), ColumnType::Signed);
        assert_eq!(kind(&["1.5", "2", "nan", "1E-7", ".5"]), ColumnType::Real);
        assert_eq!(kind(&["True", "false", "None"]), ColumnType::Flag);
        assert_eq!(kind(&["3", "-0"]), ColumnType::Real);
        assert_eq!(kind(&["", "NA"]), ColumnType::Real);
        assert_eq!(kind(&["inf", "-inf", "1.5", "Infinity", "-0"]), ColumnType::Real);
        let texts: [&[&str]; 15] = [
            &["007"],
            &["1", "x"],
            &["", " "],
            &["+3"],
            &["00.5"],
            &["info"],
            &["1", "true"],
            &["9223372036854775808"],
            &["9223372036854775807", "9223372036854775808"],
            &["1.5", "-9223372036854775809"],
            &["1.5", "9007199254740993"],
            &["1.5", "1e400"],
            &["1.5", "1e-400"],
            &["0.1234567890123456789"],
            &["1", "NA", "x"],
        ];
        for texts in texts {
            assert_eq!(kind(texts), ColumnType::Text, "{texts:?}");
        }
        assert_eq!(why(&["1", "12345678901234567890"]), Some(TextReason::Long));
        assert_eq!(why(&["9007199254740993", "1.5"]), Some(TextReason::Long));
        assert_eq!(why(&["007", "8"]), Some(TextReason::Padded));
        assert_eq!(why(&["+3"]), Some(TextReason::Padded));
        assert_eq!((why(&["-0", "inf"]), why(&["007", "x"])), (None, None));
    }

    /// Every double comes back as itself, in the forms of Python and Rust, of C's %.17g, and with fewer digits, as R.
    #[test]
    fn printed_doubles_come_back() {
        for index in 0..20_000 {
            let mut rng = Rng::new(3, index, Stage::Bench, 0);
            let number = f64::from_bits(rng.word());
            let small = (rng.word() >> 11) as f64 / (1u64 << 53) as f64 / 10f64.powi(rng.below(20) as i32);
            for number in [number, small] {
                if number.is_finite() {
                    for text in [format!("{number:e}"), format!("{number:.16e}"), format!("{number:?}")] {
                        assert_eq!(real_of(&text).map(f64::to_bits), Some(number.to_bits()), "{text}");
                    }
                    assert!(real_of(&format!("{number:.14e}")).is_some());
                }
            }
        }
    }
}
