//! Defines the value of a column in a row, its type, and how the fields of a row become values.

use std::borrow::Cow;
use std::str::FromStr;

use sudoku_corpus_core::board::{Grid, Puzzle, Shape, Solution, Symmetry, text};
use sudoku_corpus_core::ladder::{Level, Technique};

/// The type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ColumnType {
    Flag,
    Unsigned32,
    Unsigned64,
    /// A signed 64-bit integer. Only columns of other programs have this type.
    Signed,
    Real,
    Text,
}

impl ColumnType {
    /// The name of the type in Parquet readers.
    pub const fn name(self) -> &'static str {
        match self {
            ColumnType::Flag => "Boolean",
            ColumnType::Unsigned32 => "UInt32",
            ColumnType::Unsigned64 => "UInt64",
            ColumnType::Signed => "Int64",
            ColumnType::Real => "Float64",
            ColumnType::Text => "String",
        }
    }
}

/// The value of a column in a row.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Value<'a> {
    Null,
    Flag(bool),
    Unsigned(u64),
    /// A signed integer. Only columns of other programs have these.
    Signed(i64),
    Real(f64),
    Text(Cow<'a, str>),
}

impl<'a, T: Into<Cow<'a, str>>> From<T> for Value<'a> {
    fn from(text: T) -> Value<'a> {
        Value::Text(text.into())
    }
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

impl Value<'_> {
    /// The text; an error for other values.
    fn text(&self) -> Result<&str, String> {
        match self {
            Value::Text(text) => Ok(text),
            other => Err(format!("{other} is not a text")),
        }
    }
}

/// A type that a field of a row can have: its value in files, and how it is read.
pub(crate) trait Field: Sized {
    const KIND: ColumnType;

    fn value(&self) -> Value<'_>;

    /// Reads a value in a row of this shape.
    fn read(value: &Value<'_>, shape: Shape) -> Result<Self, String>;
}

/// A field that may be missing. Missing values are not read.
impl<T: Field> Field for Option<T> {
    const KIND: ColumnType = T::KIND;

    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, T::value)
    }

    fn read(value: &Value<'_>, shape: Shape) -> Result<Option<T>, String> {
        T::read(value, shape).map(Some)
    }
}

/// Types of fields: the type in files, the value, and how it is read.
macro_rules! fields {
    ($($type:ty, $kind:ident: |$this:ident| $to:expr, |$value:ident, $shape:pat_param| $read:expr;)+) => {$(
        impl Field for $type {
            const KIND: ColumnType = ColumnType::$kind;

            fn value(&self) -> Value<'_> {
                let $this = self;
                $to.into()
            }

            fn read($value: &Value<'_>, $shape: Shape) -> Result<$type, String> {
                $read
            }
        }
    )+};
}

fields! {
    bool, Flag: |flag| Value::Flag(*flag), |value, _| match value {
        Value::Flag(flag) => Ok(*flag),
        // SQL has no flags, but numbers.
        Value::Unsigned(0) | Value::Signed(0) => Ok(false),
        Value::Unsigned(1) | Value::Signed(1) => Ok(true),
        Value::Text(text) if text.eq_ignore_ascii_case("true") => Ok(true),
        Value::Text(text) if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err(format!("{value} is neither true nor false")),
    };
    u64, Unsigned64: |number| Value::Unsigned(*number), |value, _| match value {
        Value::Unsigned(number) => Ok(*number),
        Value::Signed(number) => u64::try_from(*number).map_err(|_| format!("{value} is below 0")),
        Value::Real(number) if number.fract() == 0.0 && (0.0..=9e15).contains(number) => Ok(*number as u64),
        Value::Text(text) => text.trim().parse().map_err(|_| format!("{value} is not an integer")),
        _ => Err(format!("{value} is not an integer")),
    };
    u32, Unsigned32: |number| Value::Unsigned((*number).into()), |value, shape| {
        let number = u64::read(value, shape)?;
        u32::try_from(number).map_err(|_| format!("{number} is too large"))
    };
    f64, Real: |number| Value::Real(*number), |value, _| match value {
        Value::Real(number) => Ok(*number),
        Value::Unsigned(number) => Ok(*number as f64),
        Value::Signed(number) => Ok(*number as f64),
        Value::Text(text) => text.trim().parse().map_err(|_| format!("{value} is not a number")),
        _ => Err(format!("{value} is not a number")),
    };
    Cow<'static, str>, Text: |text| text.as_ref(), |value, _| value.text().map(|text| text.to_owned().into());
    String, Text: |text| text.as_str(), |value, _| value.text().map(str::to_owned);
    Shape, Text: |shape| shape.to_string(), |value, _| parsed(value);
    Symmetry, Text: |symmetry| symmetry.name(), |value, _| parsed(value);
    Level, Text: |level| level.name(), |value, _| parsed(value);
    Technique, Text: |technique| technique.code(), |value, _| parsed(value);
    u128, Text: |number| format!("{number:032x}"), |value, _| hexadecimal(value);
    Decimal, Text: |number| number.0.to_string(), |value, shape| decimal(value, shape);
    Puzzle, Text: |puzzle| text::line(puzzle.grid()), |value, shape| board(value, shape);
    Solution, Text: |solution| text::line(solution.grid()), |value, shape| board(value, shape);
}

/// A 128-bit number that files have in decimal digits. They have others in 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal(pub u128);

/// A reader of CSV may have read a small number as an integer.
fn decimal(value: &Value<'_>, shape: Shape) -> Result<Decimal, String> {
    match value {
        Value::Text(text) => text.trim().parse().map(Decimal).map_err(|_| format!("{value} is not an integer")),
        _ => u64::read(value, shape).map(|number| Decimal(number.into())),
    }
}

fn hexadecimal(value: &Value<'_>) -> Result<u128, String> {
    let text = value.text()?;
    let number = u128::from_str_radix(text, 16).ok().filter(|_| text.len() == 32 && !text.starts_with('+'));
    number.ok_or_else(|| format!("'{text}' is not 32 hexadecimal digits"))
}

fn parsed<T: FromStr<Err: std::fmt::Display>>(value: &Value<'_>) -> Result<T, String> {
    value.text()?.parse().map_err(|error: T::Err| error.to_string())
}

/// Reads a board of a known shape.
fn board<T: TryFrom<Grid, Error: std::fmt::Display>>(value: &Value<'_>, shape: Shape) -> Result<T, String> {
    let grid = text::parse_line(value.text()?, Some(shape)).map_err(|error| error.to_string())?;
    T::try_from(grid).map_err(|error| error.to_string())
}
