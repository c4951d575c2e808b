//! Parquet files of any types, as other programs write them, for tests.

use std::fs::File;
use std::path::Path;

use polars_arrow::array::{Array, ListArray, PrimitiveArray, Utf8ViewArray};
use polars_arrow::datatypes::ArrowSchema;
use polars_parquet::read::{infer_schema, read_metadata};
use polars_parquet::write::StatisticsOptions;
use rayon::iter::IntoParallelIterator as _;

use super::{FrameReader, RowGroups, schema};

/// The rows of a row group.
const GROUP: usize = 4;

/// Writes named columns, with small row groups.
pub(crate) fn write_arrays(path: &Path, columns: &[(&str, Box<dyn Array>)]) {
    let kinds = columns.iter().map(|(name, array)| ((*name).into(), array.dtype().clone()));
    let out = Box::new(File::create(path).unwrap());
    let mut file = RowGroups::begin(out, schema(kinds), None, StatisticsOptions::default()).unwrap();
    let rows = columns[0].1.len();
    for first in (0..rows).step_by(GROUP) {
        let some = GROUP.min(rows - first);
        let arrays: Vec<_> = columns.iter().map(|(_, array)| array.sliced(first, some)).collect();
        file.write(some, arrays.into_par_iter()).unwrap();
    }
    file.finish().unwrap();
}

/// The schema that the footer of a file has.
pub(super) fn schema_of(path: &Path) -> ArrowSchema {
    infer_schema(&read_metadata(&mut File::open(path).unwrap()).unwrap()).unwrap()
}

/// The values of the columns of a file as texts, with their names. Lists may hold numbers and texts.
pub(super) fn texts_of(path: &Path) -> Vec<(String, Vec<String>)> {
    let reader = FrameReader::open(path).unwrap();
    let texts = |name: &String| {
        let groups = reader.groups().into_iter().enumerate();
        let arrays = groups.flat_map(|(group, rows)| reader.arrays(group, 0..rows, name).unwrap());
        let texts = arrays.flat_map(|array| (0..array.len()).map(move |row| text(&*array, row)).collect::<Vec<_>>());
        (name.clone(), texts.collect())
    };
    reader.names().iter().map(texts).collect()
}

fn text(array: &dyn Array, row: usize) -> String {
    let any = array.as_any();
    if array.is_null(row) {
        "null".to_owned()
    } else if let Some(lists) = any.downcast_ref::<ListArray<i64>>() {
        let items = lists.value(row);
        format!("[{}]", (0..items.len()).map(|item| text(&*items, item)).collect::<Vec<_>>().join(", "))
    } else if let Some(texts) = any.downcast_ref::<Utf8ViewArray>() {
        texts.value(row).to_owned()
    } else if let Some(numbers) = any.downcast_ref::<PrimitiveArray<u32>>() {
        numbers.value(row).to_string()
    } else if let Some(numbers) = any.downcast_ref::<PrimitiveArray<u64>>() {
        numbers.value(row).to_string()
    } else {
        unreachable!("{:?}", array.dtype())
    }
}
