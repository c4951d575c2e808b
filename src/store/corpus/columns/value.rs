//! The value of a column in a row, and its conversions.

use std::borrow::Cow;
use std::str::FromStr;

use sudoku_corpus_core::board::{Grid, Shape, text};

/// The value of a column in a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Missing.
    Null,
    /// True or false.
    Flag(bool),
    /// An unsigned integer.
    Unsigned(u64),
    /// A signed integer. Only columns of other programs have these.
    Signed(i64),
    /// A real number.
    Real(f64),
    /// A text.
    Text(Cow<'a, str>),
}

/// The value for messages: long texts are cut.
impl std::fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Null => f.write_str("nothing"),
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Unsigned(number) => write!(f, "{number}"),
            Value::Signed(number) => write!(f, "{number}"),
            Value::Real(number) => write!(f, "{number}"),
            Value::Text(text) => write!(f, "'{}'", text.chars().take(100).collect::<String>()),
        }
    }
}

/// An integer or null.
pub(super) fn unsigned(value: Option<u32>) -> Value<'static> {
    value.map_or(Value::Null, |value| Value::Unsigned(value.into()))
}

/// A flag or null.
pub(super) fn flag_of(value: Option<bool>) -> Value<'static> {
    value.map_or(Value::Null, Value::Flag)
}

/// A text or null.
pub(super) fn text_of(value: Option<&str>) -> Value<'_> {
    value.map_or(Value::Null, |text| Value::Text(text.into()))
}

/// The line of a board or null.
pub(super) fn board_text(grid: Option<&Grid>) -> Value<'static> {
    grid.map_or(Value::Null, |grid| Value::Text(text::line(grid).into()))
}

/// Reads an integer from 0 to 2^64-1.
pub(super) fn large(value: Value<'_>) -> Result<u64, String> {
    match &value {
        Value::Unsigned(number) => Ok(*number),
        Value::Real(number) if number.fract() == 0.0 && (0.0..=9e15).contains(number) => Ok(*number as u64),
        Value::Text(text) => text.trim().parse().map_err(|_| format!("{value} is not an integer")),
        _ => Err(format!("{value} is not an integer")),
    }
}

/// Reads an integer from 0 to 2^32-1.
pub(super) fn small(value: Value<'_>) -> Result<u32, String> {
    let number = large(value)?;
    u32::try_from(number).map_err(|_| format!("{number} is too large"))
}

/// Reads a real number.
pub(super) fn real(value: Value<'_>) -> Result<f64, String> {
    match &value {
        Value::Real(number) => Ok(*number),
        Value::Unsigned(number) => Ok(*number as f64),
        Value::Text(text) => text.trim().parse().map_err(|_| format!("{value} is not a number")),
        _ => Err(format!("{value} is not a number")),
    }
}

/// Reads true or false.
pub(super) fn flag(value: Value<'_>) -> Result<bool, String> {
    match &value {
        Value::Flag(flag) => Ok(*flag),
        Value::Text(text) if text.eq_ignore_ascii_case("true") => Ok(true),
        Value::Text(text) if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err(format!("{value} is neither true nor false")),
    }
}

/// Reads a text.
pub(super) fn words(value: Value<'_>) -> Result<Cow<'static, str>, String> {
    word(&value).map(|text| text.to_owned().into())
}

fn word<'a>(value: &'a Value<'_>) -> Result<&'a str, String> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(format!("{other} is not a text")),
    }
}

/// Reads a 128-bit number in decimal digits. A reader of CSV may have read a small one as an integer.
pub(super) fn decimal(value: Value<'_>) -> Result<u128, String> {
    match &value {
        Value::Text(text) => text.trim().parse().map_err(|_| format!("{value} is not an integer")),
        _ => large(value).map(u128::from),
    }
}

/// Reads a 128-bit number in 32 hexadecimal digits.
pub(super) fn hexadecimal(value: Value<'_>) -> Result<u128, String> {
    let text = word(&value)?;
    let number = u128::from_str_radix(text, 16).ok().filter(|_| text.len() == 32 && !text.starts_with('+'));
    number.ok_or_else(|| format!("'{text}' is not 32 hexadecimal digits"))
}

/// Parses a text.
pub(super) fn parsed<T: FromStr<Err: std::fmt::Display>>(value: Value<'_>) -> Result<T, String> {
    word(&value)?.parse().map_err(|error: T::Err| error.to_string())
}

/// Reads a board of a known shape. Nearly all boards are lines of symbols, so these are read without trying other
/// forms.
pub(super) fn board(shape: Shape, value: Value<'_>) -> Result<Grid, String> {
    let Value::Text(line) = &value else { return Err(format!("{value} is not a text")) };
    let order = shape.order();
    if order <= Shape::MAX_SOLVABLE_ORDER && line.len() == shape.cells() {
        let values: Option<Vec<u16>> = line.chars().map(|symbol| text::value_of(symbol, order)).collect();
        if let Some(grid) = values.and_then(|values| Grid::new(shape, values).ok()) {
            return Ok(grid);
        }
    }
    text::parse_line(line, Some(shape)).map_err(|error| error.to_string())
}
