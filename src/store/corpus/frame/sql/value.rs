//! Typed expressions, and functions that work row by row.
//!
//! Queries have four types of values: flags, integers, real numbers and texts. Every integer is signed and has 64 bits,
//! whatever its type in the file. Every real number is a double. If an integer may not fit into 64 bits, the
//! calculation is checked, and the query fails instead of giving a wrong number.

use std::borrow::Cow;

use polars::prelude::{
    BooleanChunked, Column as Series, DataType, Expr, Field, Float64Chunked, Int64Chunked, IntoColumn, NewChunkedArray,
    Null, PlSmallStr, PolarsError, Schema, StringChunked, lit, map_multiple,
};

/// The type of a value in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// The type of `NULL`, which fits everywhere.
    Null,
    Flag,
    Integer,
    Real,
    Text,
}

impl Type {
    /// The type in polars.
    pub fn data_type(self) -> DataType {
        match self {
            Type::Null | Type::Flag => DataType::Boolean,
            Type::Integer => DataType::Int64,
            Type::Real => DataType::Float64,
            Type::Text => DataType::String,
        }
    }

    /// The type of a column of a file. None for columns that queries cannot use.
    pub fn of(kind: &DataType) -> Option<Type> {
        Some(match kind {
            DataType::Null => Type::Null,
            DataType::Boolean => Type::Flag,
            DataType::Float32 | DataType::Float64 => Type::Real,
            DataType::String => Type::Text,
            kind if kind.is_integer() && *kind != DataType::Int128 && *kind != DataType::UInt128 => Type::Integer,
            _ => return None,
        })
    }

    /// The type in messages.
    pub fn name(self) -> &'static str {
        match self {
            Type::Null => "NULL",
            Type::Flag => "a flag",
            Type::Integer => "an integer",
            Type::Real => "a real number",
            Type::Text => "a text",
        }
    }

    /// The common type of two types.
    pub fn common(self, other: Type) -> Option<Type> {
        Some(match (self, other) {
            (a, b) if a == b => a,
            (Type::Null, other) | (other, Type::Null) => other,
            (Type::Integer, Type::Real) | (Type::Real, Type::Integer) => Type::Real,
            _ => return None,
        })
    }
}

/// A value of one row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'a> {
    Null,
    Flag(bool),
    Integer(i64),
    Real(f64),
    Text(Cow<'a, str>),
}

/// The smallest and the largest integer that an expression can give.
pub(super) type Bounds = (i128, i128);

/// No bounds but the 64 bits.
pub(super) const ANY: Bounds = (i64::MIN as i128, i64::MAX as i128);

/// An expression of known type.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub expr: Expr,
    pub kind: Type,
    /// The bounds of an integer.
    pub bounds: Bounds,
    /// The value, if it is a literal.
    pub constant: Option<Value<'static>>,
}

impl Typed {
    pub fn new(expr: Expr, kind: Type) -> Typed {
        Typed { expr, kind, bounds: ANY, constant: None }
    }

    pub fn integer(expr: Expr, bounds: Bounds) -> Typed {
        Typed { bounds, ..Typed::new(expr, Type::Integer) }
    }

    /// A literal.
    pub fn of(value: Value<'static>) -> Typed {
        let (expr, kind, bounds) = match &value {
            Value::Null => (lit(Null {}).cast(DataType::Boolean), Type::Null, ANY),
            Value::Flag(flag) => (lit(*flag), Type::Flag, ANY),
            Value::Integer(number) => (lit(*number), Type::Integer, (i128::from(*number), i128::from(*number))),
            Value::Real(number) => (lit(*number), Type::Real, ANY),
            Value::Text(text) => (lit(text.as_ref()), Type::Text, ANY),
        };
        Typed { expr, kind, bounds, constant: Some(value) }
    }

    /// Converts an expression to a wider type. None if there is no such conversion.
    pub fn to(self, kind: Type) -> Option<Typed> {
        match (self.kind, kind) {
            (from, to) if from == to => Some(self),
            (Type::Null, kind) => Some(Typed::new(lit(Null {}).cast(kind.data_type()), kind)),
            (Type::Integer, Type::Real) => match self.constant {
                Some(Value::Integer(number)) => Some(Typed::of(Value::Real(number as f64))),
                _ => Some(Typed::new(self.expr.cast(DataType::Float64), Type::Real)),
            },
            _ => None,
        }
    }

    /// Like [`Typed::to`], for places that need a type.
    ///
    /// # Errors
    /// The expected type and the place.
    pub fn expect(self, kind: Type, place: &str) -> Result<Typed, String> {
        let found = self.kind;
        self.to(kind).ok_or_else(|| format!("{place} takes {}, not {}", kind.name(), found.name()))
    }
}

/// Converts two expressions to a common type.
///
/// # Errors
/// There is no common type for `place`.
pub(super) fn unified(left: Typed, right: Typed, place: &str) -> Result<(Typed, Typed), String> {
    let (a, b) = (left.kind, right.kind);
    let mixed = || format!("{place}: {} and {} do not go together; CAST one of them", a.name(), b.name());
    let kind = a.common(b).ok_or_else(mixed)?;
    Ok((left.to(kind).ok_or_else(mixed)?, right.to(kind).ok_or_else(mixed)?))
}

/// Converts several expressions to a common type.
///
/// # Errors
/// The same as for [`unified`].
pub(super) fn all_unified(items: Vec<Typed>, place: &str) -> Result<(Vec<Typed>, Type), String> {
    let mut kind = Type::Null;
    for item in &items {
        kind = kind.common(item.kind).ok_or_else(|| {
            format!("{place}: {} and {} do not go together; CAST one of them", kind.name(), item.kind.name())
        })?;
    }
    let items = items.into_iter().map(|item| item.expect(kind, place)).collect::<Result<_, _>>()?;
    Ok((items, kind))
}

/// The values of a column.
#[derive(Clone)]
pub(super) enum Reader {
    Null(usize),
    Flag(BooleanChunked),
    Integer(Int64Chunked),
    Real(Float64Chunked),
    Text(StringChunked),
}

impl Reader {
    pub fn of(column: &Series) -> Result<Reader, PolarsError> {
        let series = column.as_materialized_series().rechunk();
        Ok(match series.dtype() {
            DataType::Null => Reader::Null(series.len()),
            DataType::Boolean => Reader::Flag(series.bool()?.clone()),
            DataType::Float64 => Reader::Real(series.f64()?.clone()),
            DataType::String => Reader::Text(series.str()?.clone()),
            DataType::Int64 => Reader::Integer(series.i64()?.clone()),
            _ => Reader::Integer(series.strict_cast(&DataType::Int64)?.i64()?.clone()),
        })
    }

    pub fn len(&self) -> usize {
        match self {
            Reader::Null(length) => *length,
            Reader::Flag(values) => values.len(),
            Reader::Integer(values) => values.len(),
            Reader::Real(values) => values.len(),
            Reader::Text(values) => values.len(),
        }
    }

    pub fn get(&self, row: usize) -> Value<'_> {
        let value = match self {
            Reader::Null(_) => None,
            Reader::Flag(values) => values.get(row).map(Value::Flag),
            Reader::Integer(values) => values.get(row).map(Value::Integer),
            Reader::Real(values) => values.get(row).map(Value::Real),
            Reader::Text(values) => values.get(row).map(|text| Value::Text(text.into())),
        };
        value.unwrap_or(Value::Null)
    }
}

/// A column of values of one type.
pub(super) fn column<'a>(name: PlSmallStr, kind: Type, values: impl Iterator<Item = Value<'a>>) -> Series {
    match kind {
        Type::Null | Type::Flag => {
            let flags = values.map(|value| if let Value::Flag(flag) = value { Some(flag) } else { None });
            BooleanChunked::from_iter_options(name, flags).into_column()
        }
        Type::Integer => {
            let numbers = values.map(|value| if let Value::Integer(number) = value { Some(number) } else { None });
            Int64Chunked::from_iter_options(name, numbers).into_column()
        }
        Type::Real => {
            let numbers = values.map(|value| match value {
                Value::Real(number) => Some(number),
                Value::Integer(number) => Some(number as f64),
                _ => None,
            });
            Float64Chunked::from_iter_options(name, numbers).into_column()
        }
        Type::Text => {
            let texts = values.map(|value| if let Value::Text(text) = value { Some(text) } else { None });
            StringChunked::from_iter_options(name, texts).into_column()
        }
    }
}

/// The error of a query that fails during its execution.
pub(super) fn failed(reason: impl Into<String>) -> PolarsError {
    PolarsError::ComputeError(reason.into().into())
}

/// The result of a function for a row.
pub(super) type RowFunction = dyn Fn(&[Value<'_>]) -> Result<Value<'static>, String> + Send + Sync;

/// A scalar function as an expression, computed row by row. It is NULL if an argument is NULL.
pub(super) fn by_row(kind: Type, arguments: Vec<Typed>, function: Box<RowFunction>) -> Typed {
    let arguments: Vec<Expr> = arguments.into_iter().map(|argument| argument.expr).collect();
    let output = move |_: &Schema, fields: &[Field]| Ok(Field::new(fields[0].name().clone(), kind.data_type()));
    let work = move |columns: &mut [Series]| {
        let readers = columns.iter().map(Reader::of).collect::<Result<Vec<_>, _>>()?;
        // A literal may be one value for all rows.
        let rows = readers.iter().map(Reader::len).find(|length| *length != 1).unwrap_or(1);
        let mut values = Vec::with_capacity(rows);
        let mut row = Vec::with_capacity(readers.len());
        for at in 0..rows {
            row.clear();
            row.extend(readers.iter().map(|reader| reader.get(if reader.len() == 1 { 0 } else { at })));
            let known = !row.contains(&Value::Null);
            values.push(if known { function(&row).map_err(failed)? } else { Value::Null });
        }
        Ok(column(columns[0].name().clone(), kind, values.into_iter()))
    };
    Typed::new(map_multiple(work, arguments, output), kind)
}
