//! Values of recipes that are read from their text and written as text, for `#[serde(with = "text")]`.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Unexpected};
use serde::ser::Serializer;
use toml::Value;

pub(super) fn serialize<T: Display, S: Serializer>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

/// Reads a value from a text, a number, or a list of texts, which are joined by commas.
pub(super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    let text = text::<D::Error>(Value::deserialize(from)?)?;
    text.parse().map(Some).map_err(D::Error::custom)
}

/// A value of TOML as the text that an option would have.
fn text<E: Error>(value: Value) -> Result<String, E> {
    let unexpected = match &value {
        Value::Boolean(value) => Unexpected::Bool(*value),
        Value::Datetime(_) => Unexpected::Other("datetime"),
        Value::Table(_) => Unexpected::Map,
        Value::String(text) => return Ok(text.clone()),
        Value::Array(list) => return Ok(list.iter().cloned().map(text::<E>).collect::<Result<Vec<_>, _>>()?.join(",")),
        number => return Ok(number.to_string()),
    };
    Err(E::invalid_type(unexpected, &"a text in quotes"))
}
