//! SQL over Parquet files, lazily: only the columns that a question needs are read, in batches.

use std::io::Write;
use std::path::PathBuf;

use polars::polars_utils::compression::ZstdLevel;
use polars::prelude::{
    AnyValue, DataFrame, Engine, LazyFrame, ParquetCompression, ParquetWriter, PlRefPath, PolarsError, ScanArgsParquet,
};
use polars::sql::SQLContext;
use serde_json::Value as Json;

use super::guarded;
use crate::rate::nearest;

/// The name of the table in questions.
pub const TABLE: &str = "puzzles";

/// Files that can be asked.
pub struct Scan {
    rows: LazyFrame,
    columns: Vec<String>,
}

/// The rows that answer a question.
pub struct Answer(DataFrame);

impl Scan {
    /// Opens Parquet files that have the same columns.
    ///
    /// # Errors
    /// Files that are damaged, or whose columns differ: the reason.
    pub fn open(files: &[PathBuf]) -> Result<Scan, String> {
        let paths: Vec<PlRefPath> = files.iter().map(|file| PlRefPath::new(file.to_string_lossy())).collect();
        let arguments = ScanArgsParquet { glob: false, cache: false, ..ScanArgsParquet::default() };
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
        let mut unknown = None;
        let answer = guarded(|| {
            let mut context = SQLContext::new();
            context.register(TABLE, self.rows.clone());
            // One SELECT has one result, so that taking the single one below cannot fail.
            let answer = context.execute(sql).and_then(|rows| rows.collect_with_engine(Engine::Streaming));
            if let Err(PolarsError::ColumnNotFound(name)) = &answer {
                unknown = Some(name.to_string());
            }
            answer
        });
        match answer {
            Ok(result) => Ok(Answer(result.unwrap_single())),
            Err(reason) => Err(unknown.map_or(reason, |name| self.unknown_column(&name))),
        }
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

    /// Writes the rows as Parquet.
    ///
    /// # Errors
    /// What polars says, mostly a disk that is full.
    pub fn write_parquet(&mut self, out: impl Write) -> Result<(), String> {
        guarded(|| {
            let level = ZstdLevel::try_new(1)?;
            ParquetWriter::new(out).with_compression(ParquetCompression::Zstd(Some(level))).finish(&mut self.0)
        })?;
        Ok(())
    }
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
