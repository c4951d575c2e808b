//! The values of rows that were read. polars is not called for each value, because a row has more than a hundred.

use polars::prelude::{
    AnyValue, BooleanChunked, Column as Series, DataType, Float64Chunked, PolarsError, StringChunked, UInt32Chunked,
    UInt64Chunked,
};

use super::Rows;
use crate::corpus::columns::Value;

/// The values of one column.
pub(super) enum Values {
    /// All values are missing.
    None,
    Flags(BooleanChunked),
    Unsigned32(UInt32Chunked),
    Unsigned64(UInt64Chunked),
    Real(Float64Chunked),
    Text(StringChunked),
    /// A type that our own columns do not have, such as the signed integers of a column of another program.
    Other(Series),
}

impl Values {
    /// The values of a series, which may consist of several pieces.
    pub fn of(series: &Series) -> Result<Values, PolarsError> {
        let series = series.rechunk();
        Ok(match series.dtype() {
            _ if series.null_count() == series.len() => Values::None,
            DataType::Boolean => Values::Flags(series.bool()?.clone()),
            DataType::UInt32 => Values::Unsigned32(series.u32()?.clone()),
            DataType::UInt64 => Values::Unsigned64(series.u64()?.clone()),
            DataType::Float64 => Values::Real(series.f64()?.clone()),
            DataType::String => Values::Text(series.str()?.clone()),
            _ => Values::Other(series),
        })
    }
}

impl Rows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// The value in a row and a column, both counted from 0.
    ///
    /// # Errors
    /// A value of a type that columns cannot have, such as a list.
    pub fn get(&self, row: usize, column: usize) -> Result<Value<'_>, String> {
        let value = match &self.columns[column] {
            Values::None => None,
            Values::Flags(flags) => flags.get(row).map(Value::Flag),
            Values::Unsigned32(numbers) => numbers.get(row).map(|number| Value::Unsigned(number.into())),
            Values::Unsigned64(numbers) => numbers.get(row).map(Value::Unsigned),
            Values::Real(numbers) => numbers.get(row).map(Value::Real),
            Values::Text(texts) => texts.get(row).map(|text| Value::Text(text.into())),
            Values::Other(series) => return other(series, row),
        };
        Ok(value.unwrap_or(Value::Null))
    }
}

/// A value whose type our own columns do not have.
fn other(series: &Series, row: usize) -> Result<Value<'_>, String> {
    match series.get(row).map_err(|error| error.to_string())? {
        AnyValue::Null => Ok(Value::Null),
        AnyValue::String(text) => Ok(Value::Text(text.into())),
        AnyValue::StringOwned(text) => Ok(Value::Text(text.to_string().into())),
        AnyValue::UInt8(number) => Ok(Value::Unsigned(number.into())),
        AnyValue::UInt16(number) => Ok(Value::Unsigned(number.into())),
        AnyValue::Int8(number) => Ok(signed(number.into())),
        AnyValue::Int16(number) => Ok(signed(number.into())),
        AnyValue::Int32(number) => Ok(signed(number.into())),
        AnyValue::Int64(number) => Ok(signed(number)),
        AnyValue::Float32(number) => Ok(Value::Real(number.into())),
        _ => Err(format!("{}: cannot read {} values here", series.name(), series.dtype())),
    }
}

/// An integer. It is unsigned if it is not negative, as in our own columns.
fn signed(number: i64) -> Value<'static> {
    u64::try_from(number).map_or(Value::Signed(number), Value::Unsigned)
}
