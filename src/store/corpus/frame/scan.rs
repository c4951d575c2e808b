//! Runs SQL over Parquet files, lazily: reads only the columns that a query needs, in batches.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use polars::prelude::{
    AnyValue, DataFrame, DataType, Engine, HiveOptions, LazyFrame, Null, PlRefPath, ScanArgsParquet, SchemaRef,
    UnionArgs, col, concat, lit,
};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde_json::Value as Json;

use super::super::atomic::TempFolder;
use super::super::layout::keys_of;
use super::{FrameReader, guarded, sql};

/// The name of the table of all corpora in queries.
pub const TABLE: &str = "puzzles";

/// The column with the name of the source of a row. `*` does not include it.
pub const SOURCE: &str = "source";

/// The stack of the thread that plans queries. Expressions may nest deeply.
const STACK: usize = 64 << 20;

/// The files of a source.
#[derive(Clone, Debug)]
pub struct SourceFiles {
    /// The value of the column `source` of their rows.
    pub label: String,
    /// The name of their own table, if they have one.
    pub name: Option<String>,
    /// Parquet files with the same columns.
    pub files: Vec<PathBuf>,
    /// True if they are not a corpus and not a part of the table `puzzles`.
    pub outside: bool,
}

/// Files that can be queried.
pub struct Scan {
    pub(super) tables: Vec<Held>,
    /// Files whose pages are checked before a query reads them.
    doubtful: Vec<PathBuf>,
    /// The names of the columns whose pages were checked.
    checked: Mutex<HashSet<String>>,
    /// The folder with plain copies of files that have dictionary columns. Dropping it removes them.
    _copies: Option<TempFolder>,
}

/// A table.
pub(super) struct Held {
    name: String,
    rows: LazyFrame,
    columns: Vec<(String, DataType)>,
    /// True if the column `source` was added.
    labelled: bool,
}

/// Why a query has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// The query is wrong.
    #[error("{0}")]
    Query(String),
    /// A file cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

/// The rows that answer a query.
pub struct Answer(pub(super) DataFrame);

impl Scan {
    /// Opens Parquet files that have the same columns. If all files are in folders `key=value` with the same keys, the
    /// keys are columns too, and files that a query does not need are skipped.
    ///
    /// # Errors
    /// A file is damaged: the reason, with the name of the file if there are several.
    pub fn open(files: &[PathBuf]) -> Result<Scan, String> {
        let label = files.first().map(|file| file.display().to_string()).unwrap_or_default();
        let source = SourceFiles { label, name: None, files: files.to_vec(), outside: false };
        Scan::of(vec![source]).map_err(|error| match error {
            AskError::File { reason, .. } if files.len() == 1 => reason,
            error => error.to_string(),
        })
    }

    /// Opens several sources. All corpora together are the table [`TABLE`], and each source with a name is a table too.
    ///
    /// # Errors
    /// A file is damaged; columns of the same name have different types.
    pub fn of(mut sources: Vec<SourceFiles>) -> Result<Scan, AskError> {
        let copies = without_dictionaries(&mut sources)?;
        let mut tables = Vec::new();
        let mut corpora = Vec::new();
        let of_corpora =
            sources.iter().filter(|source| !source.outside).flat_map(|source| source.files.iter().cloned());
        let hive = same_keys(&of_corpora.collect::<Vec<_>>());
        for source in &sources {
            let (rows, columns) = opened(&source.files, hive && !source.outside)?;
            let labelled = columns.iter().all(|(name, _)| name != SOURCE);
            let rows = if labelled { rows.with_column(lit(source.label.as_str()).alias(SOURCE)) } else { rows };
            let mut columns = columns;
            if labelled {
                columns.push((SOURCE.to_owned(), DataType::String));
            }
            if let Some(name) = &source.name {
                tables.push(Held { name: name.clone(), rows: rows.clone(), columns: columns.clone(), labelled });
            }
            if !source.outside {
                corpora.push((rows, columns));
            }
        }
        if let Some(puzzles) = together(corpora)? {
            tables.insert(0, puzzles);
        }
        let doubtful = sources.into_iter().flat_map(|source| source.files).collect();
        Ok(Scan { tables, doubtful, checked: Mutex::default(), _copies: copies })
    }

    /// Statements that create views of the same tables in DuckDB, with the same names and types.
    pub fn views(&self, sources: &[SourceFiles]) -> String {
        let text = |text: &str| format!("'{}'", text.replace('\'', "''"));
        let rows = |source: &SourceFiles| {
            let files: Vec<String> = source.files.iter().map(|file| text(&file.to_string_lossy())).collect();
            let hive = same_keys(&source.files);
            let table =
                self.tables.iter().find(|table| source.name.as_ref() == Some(&table.name)).or(self.tables.first());
            let columns = table.iter().flat_map(|table| &table.columns);
            let wide = columns.filter(|(_, data)| data.is_unsigned_integer());
            let wide: Vec<String> = wide.map(|(name, _)| format!("CAST(\"{name}\" AS BIGINT) AS \"{name}\"")).collect();
            let replaced = if wide.is_empty() { String::new() } else { format!(" REPLACE ({})", wide.join(", ")) };
            format!(
                "SELECT *{replaced}, {} AS source FROM read_parquet([{}], hive_partitioning = {hive})",
                text(&source.label),
                files.join(", ")
            )
        };
        let mut views = String::new();
        let corpora: Vec<String> = sources.iter().filter(|source| !source.outside).map(rows).collect();
        if !corpora.is_empty() {
            views += &format!("CREATE VIEW {TABLE} AS {};\n", corpora.join(" UNION ALL BY NAME "));
        }
        for source in sources {
            if let Some(name) = &source.name {
                views += &format!("CREATE VIEW \"{name}\" AS {};\n", rows(source));
            }
        }
        views
    }

    /// A table of rows that polars already has, and their files.
    pub(super) fn of_rows(rows: LazyFrame, schema: &SchemaRef, files: &[PathBuf]) -> Scan {
        let columns = schema.iter().map(|(name, data)| (name.to_string(), data.clone())).collect();
        let tables = vec![Held { name: TABLE.to_owned(), rows, columns, labelled: false }];
        Scan { tables, doubtful: files.to_vec(), checked: Mutex::default(), _copies: None }
    }

    /// The names of the columns of the first table.
    pub fn columns(&self) -> Vec<String> {
        let columns = self.tables.first().map(|table| table.columns.as_slice()).unwrap_or_default();
        columns.iter().map(|(name, _)| name.clone()).filter(|name| name != SOURCE).collect()
    }

    /// Answers a query about the tables.
    ///
    /// # Errors
    /// The query is wrong or not supported; a column does not exist (with the nearest name); a file is damaged.
    pub fn ask(&self, sql: &str) -> Result<Answer, AskError> {
        let (rows, _) = self.planned(sql)?;
        // One SELECT has one result, so taking the only one cannot fail.
        let answer = guarded(|| rows.collect_with_engine(Engine::Streaming));
        answer.map(|answer| Answer(answer.unwrap_single())).map_err(|reason| self.blamed(sql, reason))
    }

    /// A planned query, and the columns of its answer.
    pub(super) fn planned(&self, sql: &str) -> Result<(LazyFrame, SchemaRef), AskError> {
        let stored: Vec<sql::Stored<'_>> = self
            .tables
            .iter()
            .map(|table| sql::Stored {
                name: table.name.clone(),
                rows: &table.rows,
                columns: &table.columns,
                hidden: if table.labelled { &[SOURCE] } else { &[] },
            })
            .collect();
        let run =
            |rows: LazyFrame| guarded(|| rows.collect_with_engine(Engine::Streaming)).map(|rows| rows.unwrap_single());
        let understood = || {
            self.check_columns(sql)?;
            let mut rows = sql::plan(sql, &stored, &run).map_err(AskError::Query)?;
            let schema = guarded(|| rows.collect_schema()).map_err(AskError::Query)?;
            Ok((rows, schema))
        };
        let failed = |reason: String| AskError::Query(reason);
        thread::scope(|scope| {
            let started = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, understood);
            let joined = started.map_err(|error| failed(error.to_string()))?.join();
            joined.unwrap_or_else(|_| Err(failed("the query could not be understood".to_owned())))
        })
    }

    /// Checks the pages of the columns that a query may use.
    fn check_columns(&self, sql: &str) -> Result<(), AskError> {
        let names = sql::names_of(sql).map_err(AskError::Query)?;
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = |name: &str| match &names {
            Some(names) => names.contains(&name.to_ascii_lowercase()),
            None => true,
        };
        let columns = self.tables.iter().flat_map(|table| &table.columns).map(|(name, _)| name);
        let columns: HashSet<String> =
            columns.filter(|name| wanted(name) && !checked.contains(*name)).cloned().collect();
        let wrong = |file: &PathBuf| {
            let reason = check_file(file, &columns).err()?;
            Some(AskError::File { path: file.clone(), reason })
        };
        if let Some(error) = self.doubtful.par_iter().find_map_first(wrong) {
            return Err(error);
        }
        checked.extend(columns);
        Ok(())
    }

    /// The reason why a planned query has no answer: a file whose columns cannot be read, or the query itself.
    pub(super) fn blamed(&self, sql: &str, reason: String) -> AskError {
        let names = sql::names_of(sql).unwrap_or_default();
        let columns = self.tables.iter().flat_map(|table| &table.columns).map(|(name, _)| name.clone());
        let named =
            columns.filter(|name| names.as_ref().is_none_or(|names| names.contains(&name.to_ascii_lowercase())));
        match damage(&self.doubtful, &named.collect::<Vec<_>>()) {
            Some((path, reason)) => AskError::File { path: path.to_owned(), reason },
            None => AskError::Query(reason.trim_start_matches("damaged: ").to_owned()),
        }
    }
}

/// Replaces files with dictionary columns by plain copies. Parts of corpora never have such columns.
fn without_dictionaries(sources: &mut [SourceFiles]) -> Result<Option<TempFolder>, AskError> {
    let mut copies = None;
    for file in sources.iter_mut().flat_map(|source| &mut source.files) {
        let part = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("part-"));
        // Errors of a file are reported when it is read.
        let reader = File::open(&*file).ok().filter(|_| !part).and_then(|opened| FrameReader::open(opened).ok());
        let Some(reader) = reader.filter(FrameReader::had_dictionaries) else { continue };
        let wrong = |reason: String| AskError::File { path: file.clone(), reason };
        let copied = copy_into(&mut copies, file, &reader);
        *file = copied.map_err(wrong)?;
    }
    Ok(copies)
}

/// A plain copy of a file in a temporary folder. It is below folders with the same names `key=value`.
fn copy_into(copies: &mut Option<TempFolder>, file: &Path, reader: &FrameReader) -> Result<PathBuf, String> {
    let wrong = |error: std::io::Error| format!("cannot make a temporary copy: {error}");
    let folder = match copies.take() {
        Some(folder) => folder,
        None => TempFolder::new().map_err(wrong)?,
    };
    let place = tempfile::Builder::new().disable_cleanup(true).tempdir_in(folder.path()).map_err(wrong)?;
    let keys = file.parent().into_iter().flat_map(Path::iter).filter(|name| name.to_string_lossy().contains('='));
    let place = place.path().join(keys.collect::<PathBuf>());
    *copies = Some(folder);
    fs::create_dir_all(&place).map_err(wrong)?;
    let path = place.join(file.file_name().unwrap_or_default());
    reader.copy_to(File::create(&path).map_err(wrong)?)?;
    Ok(path)
}

/// The rows of files, and their columns.
fn opened(files: &[PathBuf], hive: bool) -> Result<(LazyFrame, Vec<(String, DataType)>), AskError> {
    let paths: Vec<PlRefPath> = files.iter().map(|file| PlRefPath::new(file.to_string_lossy())).collect();
    let hive_options = hive_options(hive);
    let arguments = ScanArgsParquet { glob: false, cache: false, hive_options, ..ScanArgsParquet::default() };
    let opened = guarded(|| {
        let mut rows = LazyFrame::scan_parquet_files(paths.into(), arguments)?;
        let schema = rows.collect_schema()?;
        Ok((rows, schema))
    });
    let (rows, schema) = opened.map_err(|reason| {
        let first = files.first().cloned().unwrap_or_default();
        let (path, reason) = damage(files, &[]).map_or((first, reason), |(path, reason)| (path.to_owned(), reason));
        AskError::File { path, reason }
    })?;
    Ok((rows, schema.iter().map(|(name, data)| (name.to_string(), data.clone())).collect()))
}

/// Makes one table of several corpora. Columns that a corpus does not have are NULL.
fn together(mut corpora: Vec<(LazyFrame, Vec<(String, DataType)>)>) -> Result<Option<Held>, AskError> {
    let mut columns: Vec<(String, DataType)> = Vec::new();
    for (name, data) in corpora.iter().flat_map(|(_, columns)| columns) {
        match columns.iter().find(|(known, _)| known == name) {
            None => columns.push((name.clone(), data.clone())),
            Some((_, known)) if known == data => {}
            Some((_, known)) => {
                let reason =
                    format!("column '{name}' holds values of type {known} in one corpus and {data} in another");
                return Err(AskError::Query(reason));
            }
        }
    }
    let name = TABLE.to_owned();
    if corpora.len() == 1 {
        return Ok(corpora.pop().map(|(rows, columns)| Held { name, rows, columns, labelled: true }));
    }
    let alike = corpora.into_iter().map(|(rows, own)| {
        let chosen = columns.iter().map(|(name, data)| match own.iter().any(|(known, _)| known == name) {
            true => col(name.as_str()),
            false => lit(Null {}).cast(data.clone()).alias(name.as_str()),
        });
        rows.select(chosen.collect::<Vec<_>>())
    });
    let alike: Vec<LazyFrame> = alike.collect();
    if alike.is_empty() {
        return Ok(None);
    }
    let rows = guarded(|| concat(alike, UnionArgs::default())).map_err(AskError::Query)?;
    Ok(Some(Held { name, rows, columns, labelled: true }))
}

/// Checks the footer of a file, and the pages of some columns.
fn check_file(path: &Path, columns: &HashSet<String>) -> Result<(), String> {
    let mut reader = FrameReader::open(File::open(path).map_err(|error| error.to_string())?)?;
    let there: Vec<String> = reader.names().iter().filter(|name| columns.contains(*name)).cloned().collect();
    reader.select(there);
    reader.check()
}

/// The first file whose footer or given columns cannot be read, and the reason.
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

impl Answer {
    /// The names of the columns.
    pub fn names(&self) -> Vec<String> {
        self.0.get_column_names().iter().map(ToString::to_string).collect()
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.0.height()
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.0.height() == 0
    }

    /// A row, column by column.
    ///
    /// # Errors
    /// polars reports an error about a row that does not exist.
    pub fn row(&self, row: usize) -> Result<Vec<Json>, String> {
        let value = |column: &polars::prelude::Column| column.get(row).map(json).map_err(|error| error.to_string());
        self.0.columns().iter().map(value).collect()
    }
}

/// Whether the folders of files are columns.
pub(super) fn hive_options(hive: bool) -> HiveOptions {
    HiveOptions { enabled: Some(hive), try_parse_dates: false, ..HiveOptions::default() }
}

/// True if the folders of all files have the same keys, each once.
pub(super) fn same_keys(files: &[PathBuf]) -> bool {
    let Some(keys) = files.first().map(|file| keys_of(file)) else { return false };
    let once = keys.iter().enumerate().all(|(at, key)| !keys[..at].contains(key));
    once && !keys.is_empty() && files.iter().all(|file| keys_of(file) == keys)
}

/// A value as JSON. Types that JSON does not have become texts.
fn json(value: AnyValue<'_>) -> Json {
    match value {
        AnyValue::Null => Json::Null,
        AnyValue::Boolean(flag) => flag.into(),
        AnyValue::String(text) => text.into(),
        AnyValue::StringOwned(text) => text.as_str().into(),
        AnyValue::Float64(number) => real(number),
        AnyValue::Float32(number) => real(number.into()),
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

/// A real number. One that JSON does not have becomes a text.
fn real(number: f64) -> Json {
    match number {
        _ if number.is_finite() => number.into(),
        _ if number.is_nan() => "NaN".into(),
        _ if number > 0.0 => "inf".into(),
        _ => "-inf".into(),
    }
}
