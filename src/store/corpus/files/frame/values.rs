//! Reads the values of rows of a Parquet file. The type of a column is found once, not for each value: a row has more
//! than a hundred.

use polars::prelude::{
    AnyValue, BooleanChunked, Column as Series, DataType, Float64Chunked, Int64Chunked, PolarsError, StringChunked,
    UInt32Chunked, UInt64Chunked,
};

use crate::corpus::values::value::{ColumnType, Value};

/// The values of one column.
pub(crate) enum Values {
    /// All values are missing.
    None,
    Flags(BooleanChunked),
    Unsigned32(UInt32Chunked),
    Unsigned64(UInt64Chunked),
    /// Signed integers, which only columns of other programs have.
    Signed(Int64Chunked),
    Real(Float64Chunked),
    Text(StringChunked),
    /// A type that rows cannot have, such as dates. SQL reads these values as texts.
    Other(Series),
}

impl Values {
    /// The values of a series, which may consist of several pieces.
    pub(super) fn of(series: &Series) -> Result<Values, PolarsError> {
        let series = series.rechunk();
        Ok(match series.dtype() {
            _ if series.null_count() == series.len() => Values::None,
            DataType::Boolean => Values::Flags(series.bool()?.clone()),
            DataType::UInt8 | DataType::UInt16 | DataType::UInt32 => {
                Values::Unsigned32(series.cast(&DataType::UInt32)?.u32()?.clone())
            }
            DataType::UInt64 => Values::Unsigned64(series.u64()?.clone()),
            DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
                Values::Signed(series.cast(&DataType::Int64)?.i64()?.clone())
            }
            DataType::Float32 | DataType::Float64 => Values::Real(series.cast(&DataType::Float64)?.f64()?.clone()),
            DataType::String => Values::Text(series.str()?.clone()),
            _ => Values::Other(series),
        })
    }

    /// The value in a row. An integer that is not negative is unsigned, as in our own columns.
    pub(crate) fn get(&self, row: usize) -> Result<Value<'_>, String> {
        let signed = |number: i64| u64::try_from(number).map_or(Value::Signed(number), Value::Unsigned);
        let value = match self {
            Values::None => None,
            Values::Flags(flags) => flags.get(row).map(Value::Flag),
            Values::Unsigned32(numbers) => numbers.get(row).map(|number| Value::Unsigned(number.into())),
            Values::Unsigned64(numbers) => numbers.get(row).map(Value::Unsigned),
            Values::Signed(numbers) => numbers.get(row).map(signed),
            Values::Real(numbers) => numbers.get(row).map(Value::Real),
            Values::Text(texts) => texts.get(row).map(|text| Value::Text(text.into())),
            Values::Other(series) => {
                return Err(format!("{}: cannot read {} values here", series.name(), series.dtype()));
            }
        };
        Ok(value.unwrap_or(Value::Null))
    }

    /// The value in a row as SQL sees it: a type that rows cannot have becomes a text.
    pub(crate) fn get_any(&self, row: usize) -> Value<'_> {
        let Values::Other(series) = self else { return self.get(row).unwrap_or(Value::Null) };
        match series.get(row) {
            Ok(AnyValue::Null) | Err(_) => Value::Null,
            Ok(AnyValue::String(text)) => Value::Text(text.into()),
            Ok(other) => Value::Text(other.to_string().into()),
        }
    }

    /// The type of the values. None if all values are missing, or for a type that rows cannot have.
    pub(crate) fn kind(&self) -> Option<ColumnType> {
        match self {
            Values::None | Values::Other(_) => None,
            Values::Flags(_) => Some(ColumnType::Flag),
            Values::Unsigned32(_) => Some(ColumnType::Unsigned32),
            Values::Unsigned64(_) => Some(ColumnType::Unsigned64),
            Values::Signed(_) => Some(ColumnType::Signed),
            Values::Real(_) => Some(ColumnType::Real),
            Values::Text(_) => Some(ColumnType::Text),
        }
    }
}
