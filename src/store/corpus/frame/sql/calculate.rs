//! Arithmetic of numbers and texts, as in DuckDB: `/` gives a real number, `//` and `%` round towards zero, and a
//! result that does not fit into 64 bits is an error.

use polars::prelude::{DataType, when};

use super::value::{ANY, Bounds, Type, Typed, Value, by_row, unified};

/// The message about an integer that does not fit into 64 bits.
pub(super) fn too_large() -> String {
    "an integer does not fit into 64 bits; CAST to DOUBLE before the calculation".to_owned()
}

fn numbers(left: Typed, right: Typed, place: &str) -> Result<(Typed, Typed), String> {
    for side in [&left, &right] {
        if matches!(side.kind, Type::Flag | Type::Text) {
            return Err(format!("{place} takes numbers, not {}", side.kind.name()));
        }
    }
    let (left, right) = unified(left, right, place)?;
    // NULL if one of the two is NULL.
    if left.kind == Type::Null {
        Ok((left.expect(Type::Integer, place)?, right.expect(Type::Integer, place)?))
    } else {
        Ok((left, right))
    }
}

fn within(bounds: Bounds) -> Option<Bounds> {
    (bounds.0 >= ANY.0 && bounds.1 <= ANY.1).then_some(bounds)
}

/// The bounds of absolute values. None if they may not fit into 64 bits.
pub(super) fn absolute_bounds((low, high): Bounds) -> Option<Bounds> {
    within((0, low.abs().max(high.abs())))
}

/// A calculation with two integers that is checked row by row.
fn checked(left: Typed, right: Typed, calculate: fn(i64, i64) -> Option<i64>) -> Typed {
    by_row(
        Type::Integer,
        vec![left, right],
        Box::new(move |row| match row {
            [Value::Integer(a), Value::Integer(b)] => calculate(*a, *b).map(Value::Integer).ok_or_else(too_large),
            _ => Ok(Value::Null),
        }),
    )
}

pub(super) fn plus(left: Typed, right: Typed) -> Result<Typed, String> {
    let (a, b) = numbers(left, right, "+")?;
    if a.kind == Type::Real {
        return Ok(Typed::new(a.expr + b.expr, Type::Real));
    }
    Ok(match within((a.bounds.0 + b.bounds.0, a.bounds.1 + b.bounds.1)) {
        Some(bounds) => Typed::integer(a.expr + b.expr, bounds),
        None => checked(a, b, i64::checked_add),
    })
}

pub(super) fn minus(left: Typed, right: Typed) -> Result<Typed, String> {
    let (a, b) = numbers(left, right, "-")?;
    if a.kind == Type::Real {
        return Ok(Typed::new(a.expr - b.expr, Type::Real));
    }
    Ok(match within((a.bounds.0 - b.bounds.1, a.bounds.1 - b.bounds.0)) {
        Some(bounds) => Typed::integer(a.expr - b.expr, bounds),
        None => checked(a, b, i64::checked_sub),
    })
}

pub(super) fn times(left: Typed, right: Typed) -> Result<Typed, String> {
    let (a, b) = numbers(left, right, "*")?;
    if a.kind == Type::Real {
        return Ok(Typed::new(a.expr * b.expr, Type::Real));
    }
    let ends = [a.bounds.0 * b.bounds.0, a.bounds.0 * b.bounds.1, a.bounds.1 * b.bounds.0, a.bounds.1 * b.bounds.1];
    let bounds = ends.iter().fold((i128::MAX, i128::MIN), |(low, high), end| (low.min(*end), high.max(*end)));
    Ok(match within(bounds) {
        Some(bounds) => Typed::integer(a.expr * b.expr, bounds),
        None => checked(a, b, i64::checked_mul),
    })
}

/// `7 // 2` is 3, `-7 // 2` is -3.
pub(super) fn whole_quotient(left: Typed, right: Typed) -> Result<Typed, String> {
    let (a, b) = (left.expect(Type::Integer, "//")?, right.expect(Type::Integer, "//")?);
    Ok(by_row(Type::Integer, vec![a, b], Box::new(|row| divided(row, i64::checked_div))))
}

/// `-7 % 3` is -1, as in C.
pub(super) fn remainder(left: Typed, right: Typed) -> Result<Typed, String> {
    let (a, b) = numbers(left, right, "%")?;
    Ok(if a.kind == Type::Real {
        by_row(
            Type::Real,
            vec![a, b],
            Box::new(|row| match row {
                [Value::Real(a), Value::Real(b)] => Ok(Value::Real(a % b)),
                _ => Ok(Value::Null),
            }),
        )
    } else {
        by_row(Type::Integer, vec![a, b], Box::new(|row| divided(row, |a, b| Some(a.wrapping_rem(b)))))
    })
}

fn divided(row: &[Value<'_>], divide: fn(i64, i64) -> Option<i64>) -> Result<Value<'static>, String> {
    match row {
        [Value::Integer(_), Value::Integer(0)] => Err("a division of integers by zero".to_owned()),
        [Value::Integer(a), Value::Integer(b)] => divide(*a, *b).map(Value::Integer).ok_or_else(too_large),
        _ => Ok(Value::Null),
    }
}

/// Converts an integer or a flag to a text. A text is not changed.
pub(super) fn as_text(value: Typed) -> Result<Typed, String> {
    match value.kind {
        Type::Text => Ok(value),
        Type::Real => Err("a real number cannot be converted to text; round it and CAST it to BIGINT first".to_owned()),
        Type::Null => value.expect(Type::Text, "||"),
        _ => Ok(by_row(
            Type::Text,
            vec![value],
            Box::new(|row| {
                Ok(match row {
                    [Value::Integer(number)] => Value::Text(number.to_string().into()),
                    [Value::Flag(flag)] => Value::Text(flag.to_string().into()),
                    _ => Value::Null,
                })
            }),
        )),
    }
}

/// CAST. Real numbers are rounded to integers, halves to the even one. With `tried`, values that cannot be converted
/// become NULL.
pub(super) fn cast(value: Typed, kind: Type, bits: u32, tried: bool) -> Result<Typed, String> {
    let from = value.kind;
    let limits = if bits == 0 { ANY } else { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) };
    let fits = value.bounds.0 >= limits.0 && value.bounds.1 <= limits.1;
    match (from, kind) {
        (Type::Null, _) => return value.expect(kind, "CAST"),
        (Type::Integer, Type::Integer) if !fits => {}
        (a, b) if a == b => return Ok(Typed { constant: None, ..value }),
        (Type::Integer, Type::Real) => return value.expect(Type::Real, "CAST"),
        (Type::Integer | Type::Flag, Type::Text) => return as_text(value),
        (Type::Flag, Type::Integer) => return Ok(Typed::integer(value.expr.cast(DataType::Int64), (0, 1))),
        (Type::Flag, Type::Real) => return Ok(Typed::new(value.expr.cast(DataType::Float64), Type::Real)),
        (Type::Integer, Type::Flag) => return Ok(Typed::new(value.expr.neq(polars::prelude::lit(0i64)), Type::Flag)),
        (Type::Real, Type::Text) => return as_text(value),
        _ => {}
    }
    let converted = move |row: &[Value<'_>]| {
        let value = match (&row[0], kind) {
            (Value::Integer(number), _) => Some(Value::Integer(*number)),
            (Value::Real(number), Type::Integer) => {
                let rounded = number.round_ties_even();
                (rounded >= i64::MIN as f64 && rounded < i64::MAX as f64).then_some(Value::Integer(rounded as i64))
            }
            (Value::Text(text), Type::Integer) => text.trim().parse().ok().map(Value::Integer),
            (Value::Text(text), Type::Real) => {
                let plain = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
                text.trim().parse().ok().filter(|_| text.trim().chars().all(plain)).map(Value::Real)
            }
            (Value::Text(text), Type::Flag) => match text.to_ascii_lowercase().as_str() {
                "true" | "t" => Some(Value::Flag(true)),
                "false" | "f" => Some(Value::Flag(false)),
                _ => None,
            },
            _ => None,
        };
        let inside = |value: &Value<'_>| match value {
            Value::Integer(number) => (limits.0..=limits.1).contains(&i128::from(*number)),
            _ => true,
        };
        match value.filter(inside) {
            Some(value) => Ok(value),
            None if tried => Ok(Value::Null),
            None => Err(format!("CAST: {} is not {}", shown(&row[0]), kind.name())),
        }
    };
    if from == Type::Real && kind == Type::Flag {
        return Err("CAST of a real number to a flag; write x <> 0".to_owned());
    }
    let bounds = if kind == Type::Integer { limits } else { ANY };
    Ok(Typed { bounds, ..by_row(kind, vec![value], Box::new(converted)) })
}

fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Flag(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => format!("'{}'", text.chars().take(30).collect::<String>()),
    }
}

/// The value, or NULL if a flag is true.
pub(super) fn unless(value: Typed, null: polars::prelude::Expr) -> Typed {
    let missing = polars::prelude::lit(polars::prelude::Null {}).cast(value.kind.data_type());
    Typed { expr: when(null).then(missing).otherwise(value.expr), constant: None, ..value }
}

/// A character, escaped for a regular expression.
pub(super) fn quoted(symbol: char) -> String {
    if symbol.is_alphanumeric() || !symbol.is_ascii() {
        symbol.to_string()
    } else {
        format!("\\x{:02x}", symbol as u32)
    }
}
