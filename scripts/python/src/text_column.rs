//! Puzzles from Python: one text, any iterable of texts, or any Arrow data.
//!
//! Arrow data come through the PyCapsule interface (`__arrow_c_stream__`, `__arrow_c_array__`), so the memory of
//! pandas, polars, DuckDB and pyarrow is used without copying texts. For a table, the caller names the column. If the
//! table has no column of this name, its only column of texts is used.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, StringArray, StructArray, make_array};
use arrow_schema::DataType;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};

/// A column of texts in one or more chunks.
pub(crate) struct TextColumn {
    chunks: Vec<ArrayRef>,
}

impl TextColumn {
    /// Takes the texts of a Python object. `column` names the column of a table.
    pub(crate) fn new(object: &Bound<'_, PyAny>, column: &str) -> PyResult<TextColumn> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(TextColumn { chunks: vec![Arc::new(StringArray::from(vec![text.to_str()?]))] });
        }
        let chunks = match arrow_chunks(object)? {
            Some(chunks) => chunks.into_iter().map(|chunk| texts_of(chunk, column)).collect::<PyResult<_>>()?,
            None => vec![Arc::new(iterated(object)?) as ArrayRef],
        };
        Ok(TextColumn { chunks })
    }

    /// Every text; None for null.
    pub(crate) fn texts(&self) -> Vec<Option<&str>> {
        let mut texts = Vec::with_capacity(self.chunks.iter().map(|chunk| chunk.len()).sum());
        for chunk in &self.chunks {
            match chunk.data_type() {
                DataType::Utf8 => texts.extend(chunk.as_string::<i32>().iter()),
                DataType::LargeUtf8 => texts.extend(chunk.as_string::<i64>().iter()),
                DataType::Utf8View => texts.extend(chunk.as_string_view().iter()),
                // The only other columns that `texts_of` accepts are columns of nulls.
                _ => texts.extend(std::iter::repeat_n(None, chunk.len())),
            }
        }
        texts
    }
}

fn wrong(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The chunks of an object with Arrow data. None if the object has no Arrow data.
fn arrow_chunks(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
    if object.hasattr("__arrow_c_stream__")? {
        let capsule = object.call_method0("__arrow_c_stream__")?;
        let capsule = capsule.cast::<PyCapsule>()?;
        let stream = capsule.pointer_checked(Some(c"arrow_array_stream"))?.cast::<FFI_ArrowArrayStream>();
        // SAFETY: by the PyCapsule interface a capsule of this name holds a valid stream; moving it out marks it
        // released. `checked` looks at what is in the texts that are used.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
        let chunks = ArrayStreamReader::try_new(stream).map_err(wrong)?.collect::<Result<_, _>>();
        return chunks.map(Some).map_err(wrong);
    }
    if object.hasattr("__arrow_c_array__")? {
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
            object.call_method0("__arrow_c_array__")?.extract()?;
        let schema = schema.pointer_checked(Some(c"arrow_schema"))?.cast::<FFI_ArrowSchema>();
        let array = array.pointer_checked(Some(c"arrow_array"))?.cast::<FFI_ArrowArray>();
        // SAFETY: by the PyCapsule interface capsules of these names hold a valid array and its schema; the array is
        // moved out, which marks it released, and the schema stays alive while it is read. `checked` looks at what is in
        // the texts that are used.
        let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) };
        return Ok(Some(vec![make_array(data.map_err(wrong)?)]));
    }
    Ok(None)
}

/// The texts of a chunk: the chunk itself, the named field of a structure, or its only field of texts.
fn texts_of(chunk: ArrayRef, column: &str) -> PyResult<ArrayRef> {
    let is_text =
        |kind: &DataType| matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null);
    if is_text(chunk.data_type()) {
        return checked(chunk);
    }
    if let DataType::Dictionary(_, values) = chunk.data_type()
        && **values == DataType::Utf8
    {
        return Ok(unpacked(&checked(chunk)?));
    }
    let Some(table) = chunk.as_any().downcast_ref::<StructArray>() else {
        let kind = chunk.data_type();
        return Err(PyTypeError::new_err(format!("a column of texts is needed, not one of {kind}")));
    };
    if let Some(found) = table.column_by_name(column) {
        return match found.as_any().is::<StructArray>() {
            true => Err(PyTypeError::new_err(format!("column '{column}' holds structures, not texts"))),
            false => texts_of(found.clone(), column),
        };
    }
    let mut texts = table.columns().iter().filter(|column| is_text(column.data_type()));
    match (texts.next(), texts.next()) {
        (Some(only), None) => checked(only.clone()),
        _ => {
            let names = table.column_names().join(", ");
            Err(PyValueError::new_err(format!("the table has no column '{column}'; its columns are: {names}")))
        }
    }
}

/// The column, if its offsets lie in their order inside of its buffer and its texts are UTF-8. Neither the interface nor who reads a
/// file of Parquet looks at that, and a `str` with other bytes must not exist.
fn checked(column: ArrayRef) -> PyResult<ArrayRef> {
    column.to_data().validate_full().map_err(wrong)?;
    Ok(column)
}

/// A column of categories as plain texts.
fn unpacked(chunk: &ArrayRef) -> ArrayRef {
    let dictionary = chunk.as_any_dictionary();
    let (keys, values) = (dictionary.normalized_keys(), dictionary.values().as_string::<i32>());
    let text = |(row, &key): (usize, &usize)| chunk.is_valid(row).then(|| values.value(key));
    Arc::new(keys.iter().enumerate().map(text).collect::<StringArray>())
}

/// The texts of any iterable; None and NaN, which pandas writes for a missing text, are null.
fn iterated(object: &Bound<'_, PyAny>) -> PyResult<StringArray> {
    let mut texts: Vec<Option<String>> = Vec::new();
    for item in object.try_iter()? {
        let item = item?;
        if let Ok(text) = item.cast::<PyString>() {
            texts.push(Some(text.to_str()?.to_owned()));
        } else if item.is_none() || item.extract::<f64>().is_ok_and(f64::is_nan) {
            texts.push(None);
        } else {
            return Err(PyTypeError::new_err(format!("texts are needed, not {}", item.get_type().name()?)));
        }
    }
    Ok(StringArray::from(texts))
}
