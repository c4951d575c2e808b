//! Reads the values of rows of a Parquet file. The type of a column is found once, not for each value: a row has more
//! than a hundred.

use polars_arrow::array::{
    Array, BinaryViewArray, BooleanArray, FixedSizeBinaryArray, MutableBinaryViewArray, PrimitiveArray,
    StaticArray as _, Utf8ViewArray,
};
use polars_arrow::compute::concatenate::concatenate;
use polars_arrow::datatypes::{ArrowDataType, TimeUnit};
use polars_arrow::temporal_conversions::{
    date32_to_date_opt, time64ns_to_time_opt, timestamp_ms_to_datetime_opt, timestamp_ns_to_datetime_opt,
    timestamp_s_to_datetime_opt, timestamp_us_to_datetime_opt,
};
use polars_arrow::types::NativeType;

use super::guarded;
use crate::corpus::values::value::{ColumnType, Value};

pub(crate) struct ColumnValues {
    name: String,
    values: TypedValues,
}

enum TypedValues {
    /// All values are missing.
    None,
    Flags(BooleanArray),
    Unsigned32(PrimitiveArray<u32>),
    Unsigned64(PrimitiveArray<u64>),
    /// Signed integers, which only columns of other programs have.
    Signed(PrimitiveArray<i64>),
    Real(PrimitiveArray<f64>),
    Text(Utf8ViewArray),
    /// Texts that their file does not mark as texts, or other bytes.
    Bytes(BinaryViewArray),
    /// Numbers with a fixed number of decimal places.
    Decimals {
        digits: PrimitiveArray<i128>,
        places: usize,
    },
    /// Dates and times, which rows cannot have. SQL reads them as texts.
    Times {
        times: PrimitiveArray<i64>,
        kind: TimeKind,
    },
}

/// What the numbers of a column of times count.
#[derive(Clone, Copy)]
enum TimeKind {
    Date,
    TimeOfDay(TimeUnit),
    /// Units since the beginning of 1970, in UTC if the column has a time zone.
    Moment(TimeUnit),
}

/// Makes values from the array of a type. None if the array has another type.
type Maker = fn(&dyn Array) -> Option<TypedValues>;

/// How the values of a type are read. None for types that cannot be read.
fn maker(kind: &ArrowDataType) -> Option<Maker> {
    Some(match kind {
        ArrowDataType::Null => |_| Some(TypedValues::None),
        ArrowDataType::Boolean => |array| typed(array).map(TypedValues::Flags),
        ArrowDataType::UInt8 => |array| widened::<u8, u32>(array).map(TypedValues::Unsigned32),
        ArrowDataType::UInt16 => |array| widened::<u16, u32>(array).map(TypedValues::Unsigned32),
        ArrowDataType::UInt32 => |array| typed(array).map(TypedValues::Unsigned32),
        ArrowDataType::UInt64 => |array| typed(array).map(TypedValues::Unsigned64),
        ArrowDataType::Int8 => |array| widened::<i8, i64>(array).map(TypedValues::Signed),
        ArrowDataType::Int16 => |array| widened::<i16, i64>(array).map(TypedValues::Signed),
        ArrowDataType::Int32 => |array| widened::<i32, i64>(array).map(TypedValues::Signed),
        ArrowDataType::Int64 => |array| typed(array).map(TypedValues::Signed),
        ArrowDataType::Float32 => |array| widened::<f32, f64>(array).map(TypedValues::Real),
        ArrowDataType::Float64 => |array| typed(array).map(TypedValues::Real),
        ArrowDataType::Utf8View => |array| typed(array).map(TypedValues::Text),
        ArrowDataType::BinaryView => |array| typed(array).map(TypedValues::Bytes),
        ArrowDataType::FixedSizeBinary(_) => bytes_of_one_length,
        ArrowDataType::Decimal(..) => decimals,
        ArrowDataType::Date32 | ArrowDataType::Time32(_) | ArrowDataType::Time64(_) | ArrowDataType::Timestamp(..) => {
            times
        }
        _ => return None,
    })
}

fn typed<A: Array + Clone>(array: &dyn Array) -> Option<A> {
    array.as_any().downcast_ref::<A>().cloned()
}

/// Numbers of a type as those of a wider type.
fn widened<T: NativeType, W: NativeType + From<T>>(array: &dyn Array) -> Option<PrimitiveArray<W>> {
    let narrow = array.as_any().downcast_ref::<PrimitiveArray<T>>()?;
    let values: Vec<W> = narrow.values_iter().map(|&value| W::from(value)).collect();
    Some(PrimitiveArray::new(W::PRIMITIVE.into(), values.into(), narrow.validity().cloned()))
}

/// Bytes, of which all values have the same number.
fn bytes_of_one_length(array: &dyn Array) -> Option<TypedValues> {
    let array = array.as_any().downcast_ref::<FixedSizeBinaryArray>()?;
    let bytes: MutableBinaryViewArray<[u8]> = array.iter().collect();
    Some(TypedValues::Bytes(bytes.into()))
}

fn decimals(array: &dyn Array) -> Option<TypedValues> {
    let ArrowDataType::Decimal(_, places) = array.dtype().to_storage() else { return None };
    Some(TypedValues::Decimals { digits: typed(array)?, places: *places })
}

fn times(array: &dyn Array) -> Option<TypedValues> {
    let kind = match array.dtype().to_storage() {
        ArrowDataType::Date32 => TimeKind::Date,
        ArrowDataType::Time32(unit) | ArrowDataType::Time64(unit) => TimeKind::TimeOfDay(*unit),
        ArrowDataType::Timestamp(unit, _) => TimeKind::Moment(*unit),
        _ => return None,
    };
    Some(TypedValues::Times { times: typed(array).or_else(|| widened::<i32, i64>(array))?, kind })
}

impl TimeKind {
    /// What its values are.
    fn name(self) -> &'static str {
        match self {
            TimeKind::Date => "date",
            TimeKind::TimeOfDay(_) => "time",
            TimeKind::Moment(_) => "date and time",
        }
    }

    /// A value as a text: "2026-11-28", "23:59:59.5", "2026-11-28 23:59:59.5". None beyond the end of the calendar.
    fn text(self, time: i64) -> Option<String> {
        let moment = match self {
            TimeKind::Date => return Some(date32_to_date_opt(i32::try_from(time).ok()?)?.to_string()),
            TimeKind::TimeOfDay(unit) => {
                let nanoseconds = time.checked_mul(1_000_000_000 / in_a_second(unit))?;
                return Some(time64ns_to_time_opt(nanoseconds)?.to_string());
            }
            TimeKind::Moment(TimeUnit::Second) => timestamp_s_to_datetime_opt(time),
            TimeKind::Moment(TimeUnit::Millisecond) => timestamp_ms_to_datetime_opt(time),
            TimeKind::Moment(TimeUnit::Microsecond) => timestamp_us_to_datetime_opt(time),
            TimeKind::Moment(TimeUnit::Nanosecond) => timestamp_ns_to_datetime_opt(time),
        };
        Some(moment?.to_string())
    }
}

/// How many of a unit make a second.
fn in_a_second(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    }
}

/// Refuses a column of a type that cannot be read.
pub(super) fn check_type(name: &str, kind: &ArrowDataType) -> Result<(), String> {
    match maker(kind.to_storage()) {
        Some(_) => Ok(()),
        None if matches!(kind.to_storage(), ArrowDataType::List(_) | ArrowDataType::LargeList(_)) => {
            Err(format!("column '{name}' has lists, which are not read here: write each as a text, a board as 53..7.."))
        }
        None => Err(format!("column '{name}' is of a type that cannot be read, {kind:?}")),
    }
}

impl ColumnValues {
    /// The values of a column, which may consist of several pieces.
    pub(super) fn of(name: &str, pieces: &[Box<dyn Array>]) -> Result<ColumnValues, String> {
        let named = |values| ColumnValues { name: name.to_owned(), values };
        let whole;
        let array: &dyn Array = match pieces {
            [] => return Ok(named(TypedValues::None)),
            [piece] => &**piece,
            _ => {
                let pieces: Vec<&dyn Array> = pieces.iter().map(|piece| &**piece).collect();
                whole = guarded(|| concatenate(&pieces))?;
                &*whole
            }
        };
        if array.null_count() == array.len() {
            return Ok(named(TypedValues::None));
        }
        check_type(name, array.dtype())?;
        let values = maker(array.dtype().to_storage()).and_then(|make| make(array));
        values.map(named).ok_or_else(|| format!("damaged: column '{name}' is not of its type"))
    }

    /// The value in a row. An integer that is not negative is unsigned, as in our own columns.
    pub(crate) fn get(&self, row: usize) -> Result<Value<'_>, String> {
        let name = &self.name;
        let value = match &self.values {
            TypedValues::None => None,
            TypedValues::Flags(flags) => flags.get(row).map(Value::Flag),
            TypedValues::Unsigned32(numbers) => numbers.get(row).map(|number| Value::Unsigned(number.into())),
            TypedValues::Unsigned64(numbers) => numbers.get(row).map(Value::Unsigned),
            TypedValues::Signed(numbers) => numbers.get(row).map(integer),
            TypedValues::Real(numbers) => numbers.get(row).map(Value::Real),
            TypedValues::Text(texts) => texts.get(row).map(|text| Value::Text(text.into())),
            TypedValues::Bytes(bytes) => bytes.get(row).map(|bytes| text_of(name, bytes)).transpose()?,
            TypedValues::Decimals { digits, places } => {
                digits.get(row).map(|digits| decimal(name, digits, *places)).transpose()?
            }
            TypedValues::Times { kind, .. } => {
                return Err(format!("{name}: cannot read {} values here", kind.name()));
            }
        };
        Ok(value.unwrap_or(Value::Null))
    }

    /// The value in a row as SQL sees it: a type that rows cannot have becomes a text.
    pub(crate) fn get_any(&self, row: usize) -> Result<Value<'_>, String> {
        let TypedValues::Times { times, kind } = &self.values else { return self.get(row) };
        let Some(time) = times.get(row) else { return Ok(Value::Null) };
        let (name, kind_name) = (&self.name, kind.name());
        let text = kind.text(time).ok_or_else(|| format!("column '{name}' holds {time}, which is no {kind_name}"))?;
        Ok(Value::from(text))
    }

    /// The type of the values. None if all values are missing, or for a type that rows cannot have.
    pub(crate) fn kind(&self) -> Option<ColumnType> {
        match &self.values {
            TypedValues::None | TypedValues::Times { .. } => None,
            TypedValues::Flags(_) => Some(ColumnType::Flag),
            TypedValues::Unsigned32(_) => Some(ColumnType::Unsigned32),
            TypedValues::Unsigned64(_) => Some(ColumnType::Unsigned64),
            TypedValues::Signed(_) => Some(ColumnType::Signed),
            TypedValues::Real(_) => Some(ColumnType::Real),
            TypedValues::Text(_) | TypedValues::Bytes(_) => Some(ColumnType::Text),
            TypedValues::Decimals { places, .. } => Some(decimal_kind(*places)),
        }
    }
}

/// An integer, unsigned if it can be.
fn integer(number: i64) -> Value<'static> {
    u64::try_from(number).map_or(Value::Signed(number), Value::Unsigned)
}

/// The type of numbers with so many decimal places.
pub(super) fn decimal_kind(places: usize) -> ColumnType {
    if places == 0 { ColumnType::Signed } else { ColumnType::Real }
}

/// A number with decimal places from its digits: an integer if it has none, else the nearest real number.
fn decimal(name: &str, digits: i128, places: usize) -> Result<Value<'static>, String> {
    if places == 0 {
        let number = i64::try_from(digits);
        return number
            .map(integer)
            .map_err(|_| format!("column '{name}': {digits} does not fit into an integer of 64 bits"));
    }
    let number = format!("{digits}e-{places}").parse();
    number.map(Value::Real).map_err(|_| format!("column '{name}': {digits} is not a number"))
}

/// Bytes as the text that they are.
fn text_of<'a>(name: &str, bytes: &'a [u8]) -> Result<Value<'a>, String> {
    let text = std::str::from_utf8(bytes);
    text.map(Value::from).map_err(|_| format!("column '{name}' holds bytes that are no text in UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(array: impl Array + 'static) -> ColumnValues {
        ColumnValues::of("x", &[Box::new(array)]).unwrap()
    }

    #[test]
    fn bytes_are_the_texts_that_they_are() {
        let long = "5".repeat(81);
        let texts: [&[u8]; 2] = [long.as_bytes(), b"\xff\xfe"];
        let several = values(BinaryViewArray::from_slice_values(texts));
        assert_eq!(several.get_any(0).unwrap(), Value::from(long));
        let reason = several.get_any(1).unwrap_err();
        assert_eq!(reason, "column 'x' holds bytes that are no text in UTF-8");
        let three = ArrowDataType::FixedSizeBinary(3);
        let of_one_length = values(FixedSizeBinaryArray::new(three, b"abcdef".to_vec().into(), None));
        assert_eq!([0, 1].map(|row| of_one_length.get(row).unwrap()), ["abc", "def"].map(Value::from));
    }

    #[test]
    fn decimals_are_numbers() {
        let digits = [Some(300), Some(-30_025), None, Some(10i128.pow(30) + 1)];
        let numbers = |places| values(PrimitiveArray::from(digits).to(ArrowDataType::Decimal(38, places)));
        fn read(values: &ColumnValues) -> Vec<Result<Value<'_>, String>> {
            (0..4).map(|row| values.get_any(row)).collect()
        }
        let [real, whole] = [2, 0].map(numbers);
        let expected = [Value::Real(3.0), Value::Real(-300.25), Value::Null, Value::Real(1e28)];
        assert_eq!(read(&real).into_iter().collect::<Result<Vec<_>, _>>().unwrap(), expected);
        assert_eq!((real.kind(), whole.kind()), (Some(ColumnType::Real), Some(ColumnType::Signed)));
        assert_eq!(read(&whole)[..2], [Ok(Value::Unsigned(300)), Ok(Value::Signed(-30_025))]);
        assert!(read(&whole)[3].as_ref().is_err_and(|reason| reason.contains("64 bits")));
    }

    /// Texts as pandas and DuckDB print them. Times with a zone are in UTC.
    #[test]
    fn dates_and_times_are_texts() {
        let text = |kind: ArrowDataType, time: i64| {
            let array = match kind {
                ArrowDataType::Date32 | ArrowDataType::Time32(_) => {
                    PrimitiveArray::from_vec(Vec::from_iter([time as i32])).to(kind).boxed()
                }
                _ => PrimitiveArray::from_vec(Vec::from_iter([time])).to(kind).boxed(),
            };
            let values = ColumnValues::of("x", &[array]).unwrap();
            assert!(values.get(0).unwrap_err().starts_with("x: cannot read "));
            values.get_any(0).map(|value| format!("{value:?}"))
        };
        let moment = |unit, zone: Option<&str>| ArrowDataType::Timestamp(unit, zone.map(Into::into));
        for (kind, time, expected) in [
            (ArrowDataType::Date32, 18_262, "2020-01-01"),
            (ArrowDataType::Time32(TimeUnit::Second), 3_601, "01:00:01"),
            (ArrowDataType::Time32(TimeUnit::Millisecond), 3_600_500, "01:00:00.500"),
            (ArrowDataType::Time64(TimeUnit::Microsecond), 1, "00:00:00.000001"),
            (ArrowDataType::Time64(TimeUnit::Nanosecond), 1, "00:00:00.000000001"),
            (moment(TimeUnit::Second, None), -1, "1969-12-31 23:59:59"),
            (moment(TimeUnit::Millisecond, None), 1_577_836_800_001, "2020-01-01 00:00:00.001"),
            (moment(TimeUnit::Microsecond, Some("Europe/Berlin")), 1_577_836_800_000_000, "2020-01-01 00:00:00"),
            (moment(TimeUnit::Nanosecond, None), 1_577_836_800_000_000_000, "2020-01-01 00:00:00"),
        ] {
            assert_eq!(text(kind, time), Ok(format!("Text({expected:?})")));
        }
        for (kind, time) in [
            (ArrowDataType::Time64(TimeUnit::Microsecond), i64::MAX),
            (moment(TimeUnit::Second, None), i64::MAX),
            (ArrowDataType::Time32(TimeUnit::Second), 90_000),
        ] {
            assert!(text(kind, time).unwrap_err().starts_with(&format!("column 'x' holds {time}, which is no ")));
        }
    }

    #[test]
    fn a_type_that_cannot_be_read_is_refused_by_its_name() {
        let pieces = [PrimitiveArray::from_vec(Vec::from_iter([1i64])).to(ArrowDataType::Duration(TimeUnit::Second))];
        let refused = ColumnValues::of("x", &pieces.map(|array| array.boxed())).err();
        assert_eq!(refused.as_deref(), Some("column 'x' is of a type that cannot be read, Duration(Second)"));
        for kind in [ArrowDataType::Float16, ArrowDataType::Interval(polars_arrow::datatypes::IntervalUnit::DayTime)] {
            assert!(check_type("x", &kind).is_err_and(|reason| reason.contains(&format!("{kind:?}"))));
        }
        let pieces = [[1i64, 2], [3, 4]].map(|piece| PrimitiveArray::from_slice(piece).boxed());
        let joined = ColumnValues::of("x", &pieces).unwrap();
        assert_eq!((0..4).map(|row| joined.get(row).unwrap()).collect::<Vec<_>>(), [1, 2, 3, 4].map(Value::Unsigned));
    }
}
