//! SQL over Parquet files, lazily: only the columns that a question needs are read, in batches.

use std::path::PathBuf;

use polars::prelude::{
    AnyValue, DataFrame, Engine, HiveOptions, LazyFrame, PlRefPath, PolarsError, ScanArgsParquet, SchemaRef,
};
use polars::sql::SQLContext;
use serde_json::Value as Json;

use super::super::layout::keys_of;
use super::guarded;
use crate::rate::nearest;

/// The name of the table in questions.
pub const TABLE: &str = "puzzles";

/// Files that can be asked.
pub struct Scan {
    pub(super) rows: LazyFrame,
    pub(super) columns: Vec<String>,
}

/// The rows that answer a question.
pub struct Answer(pub(super) DataFrame);

impl Scan {
    /// Opens Parquet files that have the same columns. Folders named `key=value`, when all files stand in folders
    /// with the same keys, are columns too, and files that a question does not ask for are passed over.
    ///
    /// # Errors
    /// Files that are damaged, or whose columns differ: the reason.
    pub fn open(files: &[PathBuf]) -> Result<Scan, String> {
        let paths: Vec<PlRefPath> = files.iter().map(|file| PlRefPath::new(file.to_string_lossy())).collect();
        let hive_options =
            HiveOptions { enabled: Some(same_keys(files)), try_parse_dates: false, ..HiveOptions::default() };
        let arguments = ScanArgsParquet { glob: false, cache: false, hive_options, ..ScanArgsParquet::default() };
        let mut rows = guarded(|| LazyFrame::scan_parquet_files(paths.into(), arguments))?;
        let schema = guarded(|| rows.collect_schema())?;
        let columns = schema.iter_names().map(ToString::to_string).collect();
        Ok(Scan { rows, columns })
    }

    /// The names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Answers a question about the table [`TABLE`].
    ///
    /// # Errors
    /// SQL that polars does not understand; a column that is not there, with the nearest that is.
    pub fn ask(&self, sql: &str) -> Result<Answer, String> {
        let (rows, _) = self.planned(sql)?;
        // One SELECT has one result, so that taking the single one cannot fail.
        let answer = guarded(|| rows.collect_with_engine(Engine::Streaming))?;
        Ok(Answer(answer.unwrap_single()))
    }

    /// A question that is understood, and the columns of its answer.
    pub(super) fn planned(&self, sql: &str) -> Result<(LazyFrame, SchemaRef), String> {
        let mut unknown = None;
        let planned = guarded(|| {
            let mut context = SQLContext::new();
            context.register(TABLE, self.rows.clone());
            let planned = context.execute(sql).and_then(|mut rows| {
                let schema = rows.collect_schema()?;
                Ok((rows, schema))
            });
            if let Err(PolarsError::ColumnNotFound(name)) = &planned {
                unknown = Some(name.to_string());
            }
            planned
        });
        planned.map_err(|reason| unknown.map_or(reason, |name| self.unknown_column(&name)))
    }

    /// What to say about a column that is not there. polars puts more than the name into its message.
    fn unknown_column(&self, message: &str) -> String {
        let quoted = message.split(['\'', '"', '`']).nth(1);
        let name = quoted.or_else(|| message.split_whitespace().next()).unwrap_or(message);
        match nearest(name, self.columns.iter().map(String::as_str)) {
            Some(near) => format!("no column '{name}'; did you mean '{near}'?"),
            None => format!("no column '{name}'"),
        }
    }
}

impl Answer {
    /// The names of the columns.
    pub fn names(&self) -> Vec<String> {
        self.0.get_column_names().iter().map(ToString::to_string).collect()
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.0.height()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.0.height() == 0
    }

    /// A row, column by column.
    ///
    /// # Errors
    /// What polars says about a row that is not there.
    pub fn row(&self, row: usize) -> Result<Vec<Json>, String> {
        let value = |column: &polars::prelude::Column| column.get(row).map(json).map_err(|error| error.to_string());
        self.0.columns().iter().map(value).collect()
    }
}

/// Do the folders of all files have the same keys, each once?
fn same_keys(files: &[PathBuf]) -> bool {
    let Some(keys) = files.first().map(|file| keys_of(file)) else { return false };
    let once = keys.iter().enumerate().all(|(at, key)| !keys[..at].contains(key));
    once && !keys.is_empty() && files.iter().all(|file| keys_of(file) == keys)
}

/// A value as JSON; kinds that JSON does not have, as text.
fn json(value: AnyValue<'_>) -> Json {
    match value {
        AnyValue::Null => Json::Null,
        AnyValue::Boolean(flag) => flag.into(),
        AnyValue::String(text) => text.into(),
        AnyValue::StringOwned(text) => text.as_str().into(),
        AnyValue::Float64(number) => number.into(),
        AnyValue::Float32(number) => f64::from(number).into(),
        AnyValue::UInt32(number) => number.into(),
        AnyValue::UInt64(number) => number.into(),
        AnyValue::Int32(number) => number.into(),
        AnyValue::Int64(number) => number.into(),
        other => match other.to_string().parse::<i64>() {
            Ok(number) => number.into(),
            Err(_) => other.to_string().into(),
        },
    }
}
