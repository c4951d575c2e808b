//! SQL over Parquet files, lazily: only the columns that a question needs are read, in batches.

use std::fs::File;
use std::path::{Path, PathBuf};

use polars::prelude::{
    AnyValue, DataFrame, DataType, Engine, HiveOptions, LazyFrame, PlRefPath, PolarsError, ScanArgsParquet, SchemaRef,
    col,
};
use polars::sql::SQLContext;
use serde_json::Value as Json;

use super::super::layout::keys_of;
use super::digest::Digests;
use super::{FrameReader, guarded, sql};
use crate::rate::nearest;

/// The name of the table in questions.
pub const TABLE: &str = "puzzles";

/// Files that can be asked.
pub struct Scan {
    pub(super) rows: LazyFrame,
    pub(super) columns: Vec<String>,
    pub(super) files: Vec<PathBuf>,
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// Something about the question.
    #[error("{0}")]
    Question(String),
    /// A file that cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// The rows that answer a question.
pub struct Answer(pub(super) DataFrame);

impl Scan {
    /// Opens Parquet files that have the same columns. Folders named `key=value`, when all files stand in folders
    /// with the same keys, are columns too, and files that a question does not ask for are passed over.
    ///
    /// # Errors
    /// Files that are damaged: the reason, with the name of the file when there are several.
    pub fn open(files: &[PathBuf]) -> Result<Scan, String> {
        let paths: Vec<PlRefPath> = files.iter().map(|file| PlRefPath::new(file.to_string_lossy())).collect();
        let hive_options =
            HiveOptions { enabled: Some(same_keys(files)), try_parse_dates: false, ..HiveOptions::default() };
        let arguments = ScanArgsParquet { glob: false, cache: false, hive_options, ..ScanArgsParquet::default() };
        let opened = guarded(|| {
            let mut rows = LazyFrame::scan_parquet_files(paths.into(), arguments)?;
            let schema = rows.collect_schema()?;
            Ok((rows, schema))
        });
        let (rows, schema) = opened.map_err(|reason| match damage(files, &[]) {
            Some((path, reason)) if files.len() > 1 => format!("{}: {reason}", path.display()),
            Some((_, reason)) => reason,
            None => reason,
        })?;
        let columns = schema.iter_names().map(ToString::to_string).collect();
        Ok(Scan { rows, columns, files: files.to_vec() })
    }

    /// The names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Answers a question about the table [`TABLE`].
    ///
    /// # Errors
    /// SQL that polars does not understand; a column that is not there, with the nearest that is; a damaged file.
    pub fn ask(&self, sql: &str) -> Result<Answer, AskError> {
        let (rows, _) = self.planned(sql)?;
        // One SELECT has one result, so that taking the single one cannot fail.
        let answer = guarded(|| rows.collect_with_engine(Engine::Streaming));
        answer.map(|answer| Answer(answer.unwrap_single())).map_err(|reason| self.blamed(sql, reason))
    }

    /// A question that is understood, and the columns of its answer.
    pub(super) fn planned(&self, sql: &str) -> Result<(LazyFrame, SchemaRef), AskError> {
        let mut rows = self.rows.clone();
        let schema = guarded(|| rows.collect_schema()).map_err(|reason| self.blamed("", reason))?;
        let is_text = |name: &str| schema.get(name) == Some(&DataType::String);
        let meant = sql::meant(sql, &is_text).map_err(AskError::Question)?;
        if sql::calculates(sql) {
            let unsigned = |kind: &DataType| matches!(kind, DataType::UInt32 | DataType::UInt64);
            let columns = schema.iter().filter(|(_, kind)| unsigned(kind));
            rows =
                rows.with_columns(columns.map(|(name, _)| col(name.clone()).cast(DataType::Int64)).collect::<Vec<_>>());
        }
        let mut unknown = None;
        let planned = guarded(|| {
            let mut context = SQLContext::new().with_function_registry(Digests::registry());
            context.register(TABLE, rows);
            let planned = context.execute(&meant).and_then(|mut rows| {
                let schema = rows.collect_schema()?;
                Ok((rows, schema))
            });
            unknown = planned.as_ref().err().and_then(unknown_column);
            planned
        });
        planned.map_err(|reason| AskError::Question(unknown.map_or(reason, |name| self.told_of_column(&name))))
    }

    /// What to say about a column that is not there.
    fn told_of_column(&self, name: &str) -> String {
        match nearest(name, self.columns.iter().map(String::as_str)) {
            Some(near) => format!("no column '{name}'; did you mean '{near}'?"),
            None => format!("no column '{name}'"),
        }
    }

    /// Whose fault it is that a question that was understood has no answer: a file's whose columns cannot be read, or
    /// else its own.
    pub(super) fn blamed(&self, sql: &str, reason: String) -> AskError {
        let all = sql.contains('*');
        let named = self.columns.iter().filter(|column| all || sql.contains(column.as_str())).cloned();
        match damage(&self.files, &named.collect::<Vec<_>>()) {
            Some((path, reason)) => AskError::File { path: path.to_owned(), reason },
            None => AskError::Question(reason),
        }
    }
}

/// The first of some files that cannot be read, and why: by its footer, and by those of the columns that it has.
fn damage<'a>(files: &'a [PathBuf], columns: &[String]) -> Option<(&'a Path, String)> {
    let read = |path: &PathBuf| -> Result<(), String> {
        let mut reader = FrameReader::open(File::open(path).map_err(|error| error.to_string())?)?;
        let there = reader.names().iter().filter(|name| columns.contains(name)).cloned().collect::<Vec<_>>();
        if there.is_empty() {
            return Ok(());
        }
        reader.select(there);
        while reader.next()?.is_some() {}
        Ok(())
    };
    files.iter().find_map(|file| read(file).err().map(|reason| (file.as_path(), reason)))
}

/// The column that polars does not find. Messages hold more than its name, in several forms.
fn unknown_column(error: &PolarsError) -> Option<String> {
    let message = error.to_string();
    let message = message.lines().next().unwrap_or_default();
    let not_found = matches!(error, PolarsError::ColumnNotFound(_)) || message.contains("unable to find column");
    if !not_found && !message.contains("no column named") {
        return None;
    }
    let said = message.trim_start_matches("not found: ");
    let quoted = said.split(['\'', '"', '`']).nth(1);
    quoted.or_else(|| said.split_whitespace().next()).map(str::to_owned)
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
