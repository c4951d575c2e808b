//! The result of the functions: a table of columns. Every package that reads Arrow data can use it without copying.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int64Builder, LargeStringBuilder, ListBuilder, StringBuilder, UInt32Builder,
    UInt64Builder,
};
use arrow_array::cast::AsArray as _;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, StructArray};
use arrow_schema::{DataType, Field, Schema};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};

/// A table of columns. pyarrow, polars, pandas and DuckDB accept it directly: `polars.DataFrame(table)`,
/// `pyarrow.table(table)`, `duckdb.sql("FROM table")`. `to_pandas()` and similar methods do the same.
#[pyclass(frozen, module = "sudoku_corpus")]
pub(crate) struct Table {
    batch: RecordBatch,
}

impl Table {
    /// A table of named columns of equal length.
    pub(crate) fn new(columns: Vec<(&str, ArrayRef)>) -> PyResult<Table> {
        let fields = columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<Field>>()));
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let batch = RecordBatch::try_new(schema, arrays).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Table { batch })
    }
}

#[pymethods]
impl Table {
    /// The rows as an Arrow stream.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The Arrow interface allows a producer to ignore the requested schema.
        drop(requested_schema);
        let rows = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(rows)), c"arrow_array_stream")
    }

    /// The rows as an Arrow array of structures.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        drop(requested_schema);
        let array = FFI_ArrowArray::new(&StructArray::from(self.batch.clone()).into_data());
        let array = PyCapsule::new_with_value(py, array, c"arrow_array")?;
        PyTuple::new(py, [self.__arrow_c_schema__(py)?, array])
    }

    /// The columns as an Arrow schema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema().as_ref());
        let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// The values of a column by its name, or a row as a dict by its number.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(name) = key.extract::<&str>() {
            let column = self.batch.column_by_name(name);
            let column = column.ok_or_else(|| PyKeyError::new_err(format!("no column '{name}'")))?;
            let values = (0..column.len()).map(|row| value(py, column, row)).collect::<PyResult<Vec<_>>>()?;
            return Ok(PyList::new(py, values)?.into_any());
        }
        let (row, rows) = (key.extract::<isize>()?, self.batch.num_rows());
        let at = if row < 0 { row + rows as isize } else { row };
        if at < 0 || at as usize >= rows {
            return Err(PyIndexError::new_err(format!("row {row} of a table of {rows} rows")));
        }
        let dict = PyDict::new(py);
        for (name, column) in self.column_names().iter().zip(self.batch.columns()) {
            dict.set_item(name, value(py, column, at as usize)?)?;
        }
        Ok(dict.into_any())
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.batch.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The table as a dict of lists. This needs no other package.
    fn to_pydict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for name in self.column_names() {
            let values = self.__getitem__(py, pyo3::types::PyString::new(py, &name).as_any())?;
            dict.set_item(name, values)?;
        }
        Ok(dict)
    }

    /// The table as a `pyarrow.Table`.
    fn to_pyarrow<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// The table as a `pandas.DataFrame`. This needs pyarrow too.
    fn to_pandas<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Table::to_pyarrow(slf)?.call_method0("to_pandas")
    }

    /// The table as a `polars.DataFrame`.
    fn to_polars<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    fn __repr__(&self) -> String {
        let names = self.column_names();
        format!("<sudoku_corpus.Table: {} rows; columns: {}>", self.batch.num_rows(), names.join(", "))
    }
}

/// A value for Python. The tables of this package hold only these types.
fn value<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    match column.data_type() {
        DataType::LargeUtf8 => column.as_string::<i64>().value(row).into_bound_py_any(py),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into_bound_py_any(py),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into_bound_py_any(py),
        DataType::Utf8 => column.as_string::<i32>().value(row).into_bound_py_any(py),
        DataType::Boolean => column.as_boolean().value(row).into_bound_py_any(py),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(row).into_bound_py_any(py),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).into_bound_py_any(py),
        DataType::List(_) => {
            let items = column.as_list::<i32>().value(row);
            let items = (0..items.len()).map(|at| value(py, &items, at)).collect::<PyResult<Vec<_>>>()?;
            items.into_bound_py_any(py)
        }
        other => Err(PyValueError::new_err(format!("no Python value for {other}"))),
    }
}

/// A column of texts. Their offsets have 64 bits: the texts of many puzzles' steps have more than 2 GiB.
pub(crate) fn texts<T: AsRef<str>>(values: impl Iterator<Item = Option<T>>) -> ArrayRef {
    let mut column = LargeStringBuilder::new();
    values.for_each(|value| column.append_option(value));
    Arc::new(column.finish())
}

/// A column of integers below 2^32.
pub(crate) fn small(values: impl Iterator<Item = Option<u32>>) -> ArrayRef {
    let mut column = UInt32Builder::new();
    values.for_each(|value| column.append_option(value));
    Arc::new(column.finish())
}

/// A column of integers below 2^64.
pub(crate) fn large(values: impl Iterator<Item = Option<u64>>) -> ArrayRef {
    let mut column = UInt64Builder::new();
    values.for_each(|value| column.append_option(value));
    Arc::new(column.finish())
}

/// A column of signed integers.
pub(crate) fn large_signed(values: impl Iterator<Item = Option<i64>>) -> ArrayRef {
    let mut column = Int64Builder::new();
    values.for_each(|value| column.append_option(value));
    Arc::new(column.finish())
}

/// A column of real numbers.
pub(crate) fn reals(values: impl Iterator<Item = Option<f64>>) -> ArrayRef {
    let mut column = Float64Builder::new();
    values.for_each(|value| column.append_option(value));
    Arc::new(column.finish())
}

/// A column of flags.
pub(crate) fn flags(values: impl Iterator<Item = Option<bool>>) -> ArrayRef {
    let mut column = BooleanBuilder::new();
    values.for_each(|value| column.append_option(value));
    Arc::new(column.finish())
}

/// A column of lists of integers below 2^32.
pub(crate) fn small_lists<I: IntoIterator<Item = u32>>(values: impl Iterator<Item = I>) -> ArrayRef {
    let mut column = ListBuilder::new(UInt32Builder::new());
    values.for_each(|list| column.append_value(list.into_iter().map(Some)));
    Arc::new(column.finish())
}

/// A column of lists of texts.
pub(crate) fn text_lists<I: IntoIterator<Item = String>>(values: impl Iterator<Item = I>) -> ArrayRef {
    let mut column = ListBuilder::new(StringBuilder::new());
    for list in values {
        column.append_value(list.into_iter().map(Some));
    }
    Arc::new(column.finish())
}
