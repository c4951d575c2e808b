//! Sources of rows, and the tables that queries see.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::types::Value as Sql;

use super::answer::Answer;
use super::session::{AskLimits, Session};
use super::walk::family;
use super::words::quoted;
use crate::corpus::files::frame::FrameReader;
use crate::corpus::folder::layout::{keys_of, value_of_key};
use crate::corpus::values::error::CorpusError;
use crate::corpus::values::guess::{Guess, integer_of, real_of};
use crate::corpus::values::value::ColumnType;

/// The name of the table of all corpora in queries.
pub const TABLE: &str = "puzzles";

/// The column with the name of the source of a row. `*` does not include it.
pub const SOURCE: &str = "source";

/// The name of the column of row numbers in a numbered scan.
pub const ROW_NUMBER: &str = "row_number";

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
    tables: Vec<Arc<SqlTable>>,
}

#[derive(Default)]
pub(super) struct SqlTable {
    pub name: String,
    pub columns: Vec<SqlColumn>,
    pub sources: Vec<Source>,
    /// The numbers of the first row to read and of the row after the last; None reads all rows.
    pub rows: Option<(u64, u64)>,
    /// About how many rows there are.
    pub estimate: i64,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct SqlColumn {
    pub name: String,
    /// The type. None for types that our own columns cannot have, such as dates: their values are read as texts.
    pub kind: Option<ColumnType>,
    pub role: Role,
}

/// Where the values of a column come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    File,
    /// The name of the source. `*` does not include it.
    Source,
    /// The folder `key=value`, counted from the top among the keys.
    Key(usize),
    /// The number of the row.
    Number,
}

/// Some files of a table, with the same columns.
#[derive(Clone)]
pub(super) struct Source {
    pub label: String,
    pub files: Vec<PathBuf>,
    /// Whether they have each column of the table.
    pub has: Vec<bool>,
}

impl SqlTable {
    pub fn declaration(&self) -> String {
        let column = |column: &SqlColumn| {
            let hidden = if column.role == Role::Source { " HIDDEN" } else { "" };
            format!("{} {}{hidden}", quoted(&column.name), declared(column.kind))
        };
        format!("CREATE TABLE x({})", self.columns.iter().map(column).collect::<Vec<_>>().join(", "))
    }

    /// The values of the keys in the path of a file.
    pub fn keys_of(&self, path: &Path) -> Vec<Sql> {
        let count = self.columns.iter().filter(|column| matches!(column.role, Role::Key(_))).count();
        let value = |at: usize| {
            let Some(column) = self.columns.iter().find(|column| column.role == Role::Key(at)) else {
                return Sql::Null;
            };
            let text = value_of_key(path, at).unwrap_or_default();
            let number = match column.kind {
                Some(ColumnType::Signed) => integer_of(&text).map(Sql::Integer),
                Some(ColumnType::Real) => real_of(&text).map(Sql::Real),
                _ => None,
            };
            number.unwrap_or(Sql::Text(text))
        };
        (0..count).map(value).collect()
    }
}

/// The names of types in SQL. Their letters decide how SQLite compares values; an answer gets its types back from them.
const DECLARED: [(&str, ColumnType); 6] = [
    ("BOOLEAN", ColumnType::Flag),
    ("UINT32", ColumnType::Unsigned32),
    ("UINT64", ColumnType::Unsigned64),
    ("INTEGER", ColumnType::Signed),
    ("REAL", ColumnType::Real),
    ("TEXT", ColumnType::Text),
];

/// The name of a type in SQL.
pub(super) fn declared(kind: Option<ColumnType>) -> &'static str {
    DECLARED.iter().find(|(_, known)| Some(*known) == kind).map_or("TEXT", |(name, _)| name)
}

/// The type with a name in SQL.
pub(super) fn kind_of(declared: &str) -> Option<ColumnType> {
    DECLARED.iter().find(|(name, _)| *name == declared).map(|(_, kind)| *kind)
}

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
            CorpusError::File { reason, .. } if files.len() == 1 => reason,
            error => error.to_string(),
        })
    }

    /// Opens several sources. All corpora together are the table [`TABLE`], and each source with a name is a table too.
    ///
    /// # Errors
    /// A file is damaged; columns of the same name have different types.
    pub fn of(sources: Vec<SourceFiles>) -> Result<Scan, CorpusError> {
        let corpora = sources.iter().filter(|source| !source.outside);
        let hive = same_keys(&corpora.flat_map(|source| source.files.iter().cloned()).collect::<Vec<_>>());
        let mut tables = Vec::new();
        let mut together: Vec<(Source, Vec<SqlColumn>, i64)> = Vec::new();
        for source in sources {
            let (mut columns, estimate) = opened(&source.files, hive && !source.outside)?;
            if columns.iter().all(|column| column.name != SOURCE) {
                let (name, kind) = (SOURCE.to_owned(), Some(ColumnType::Text));
                columns.push(SqlColumn { name, kind, role: Role::Source });
            }
            let has = vec![true; columns.len()];
            let files = Source { label: source.label, files: source.files, has };
            if let Some(name) = source.name {
                let (columns, sources) = (columns.clone(), vec![files.clone()]);
                tables.push(Arc::new(SqlTable { name, columns, sources, rows: None, estimate }));
            }
            if !source.outside {
                together.push((files, columns, estimate));
            }
        }
        if !together.is_empty() {
            tables.insert(0, Arc::new(united(together)?));
        }
        Ok(Scan { tables })
    }

    /// Opens Parquet files that have the same columns, and adds the column [`ROW_NUMBER`]. It numbers the rows of all
    /// files from 0. `rows` is the first row and the number of rows to open; None opens all rows.
    pub fn numbered(files: &[PathBuf], rows: Option<(u64, u64)>) -> Result<Scan, String> {
        let (mut columns, estimate) = opened(files, false).map_err(|error| match error {
            CorpusError::File { reason, .. } => reason,
            error => error.to_string(),
        })?;
        columns.insert(
            0,
            SqlColumn { name: ROW_NUMBER.to_owned(), kind: Some(ColumnType::Unsigned64), role: Role::Number },
        );
        let has = vec![true; columns.len()];
        let sources = vec![Source { label: String::new(), files: files.to_vec(), has }];
        let rows = rows.map(|(first, count)| (first, first.saturating_add(count)));
        Ok(Scan { tables: vec![Arc::new(SqlTable { name: TABLE.to_owned(), columns, sources, rows, estimate })] })
    }

    /// The names of the columns of the first table.
    pub fn columns(&self) -> Vec<String> {
        let columns = self.tables.first().map(|table| table.columns.as_slice()).unwrap_or_default();
        columns.iter().map(|column| column.name.clone()).filter(|name| name != SOURCE).collect()
    }

    /// Answers a query about the tables.
    ///
    /// # Errors
    /// The query is wrong; a column or a table does not exist (with the nearest names); a file is damaged.
    pub fn ask(&self, sql: &str) -> Result<Answer, CorpusError> {
        let mut whole: Option<Answer> = None;
        let taken = self.ask_in_batches(sql, &AskLimits::default(), |batch| {
            match &mut whole {
                None => whole = Some(batch),
                Some(whole) => whole.append(batch),
            }
            Ok::<(), std::convert::Infallible>(())
        })?;
        let Ok(()) = taken;
        whole.ok_or_else(|| CorpusError::Query("the query has no answer".to_owned()))
    }

    /// Answers a query and passes the rows to `take` in order, in batches. The first call has no rows and gives the
    /// columns. The inner result is that of `take`.
    pub fn ask_in_batches<E>(
        &self,
        sql: &str,
        limits: &AskLimits,
        take: impl FnMut(Answer) -> Result<(), E>,
    ) -> Result<Result<(), E>, CorpusError> {
        Session::open(&self.tables, limits)?.run(sql, take)
    }
}

/// The columns of files, from the first file and the folders, and about how many rows there are.
fn opened(files: &[PathBuf], hive: bool) -> Result<(Vec<SqlColumn>, i64), CorpusError> {
    let Some(first) = files.first() else { return Ok((Vec::new(), 0)) };
    let failed = |reason: String| CorpusError::File { path: first.clone(), reason };
    let reader = FrameReader::open(first)?;
    let kinds = reader.kinds().map_err(failed)?;
    let columns = reader.names().iter().zip(kinds);
    let mut columns: Vec<SqlColumn> =
        columns.map(|(name, kind)| SqlColumn { name: name.clone(), kind, role: Role::File }).collect();
    let keys = if hive { keys_of(first) } else { Vec::new() };
    for (at, key) in keys.iter().enumerate() {
        let mut guess = Guess::default();
        files.iter().for_each(|file| guess.see(&value_of_key(file, at).unwrap_or_default()));
        // A flag in the name of a folder is a text, as in other engines.
        let kind = Some(guess.kind()).filter(|kind| *kind != ColumnType::Flag).or(Some(ColumnType::Text));
        let column = SqlColumn { name: (*key).to_owned(), kind, role: Role::Key(at) };
        match columns.iter_mut().find(|known| known.name == *key) {
            Some(known) => *known = column,
            None => columns.push(column),
        }
    }
    let twice = columns
        .iter()
        .enumerate()
        .find(|(at, column)| columns[..*at].iter().any(|other| other.name.eq_ignore_ascii_case(&column.name)));
    if let Some((_, SqlColumn { name, .. })) = twice {
        return Err(failed(format!("two columns are called '{name}'")));
    }
    let rows = reader.len().saturating_mul(files.len());
    Ok((columns, i64::try_from(rows).unwrap_or(i64::MAX)))
}

/// Makes one table of several corpora. Columns that a corpus does not have are NULL.
fn united(corpora: Vec<(Source, Vec<SqlColumn>, i64)>) -> Result<SqlTable, CorpusError> {
    let mut columns: Vec<SqlColumn> = Vec::new();
    for column in corpora.iter().flat_map(|(_, columns, _)| columns) {
        match columns.iter().find(|known| known.name.eq_ignore_ascii_case(&column.name)) {
            None => columns.push(column.clone()),
            Some(known) if known.kind.map(family) == column.kind.map(family) && known.role == column.role => {}
            Some(known) => {
                let name = |kind: Option<ColumnType>| kind.map_or("another type", ColumnType::name);
                return Err(CorpusError::Query(format!(
                    "column '{}' holds values of type {} in one corpus and {} in another",
                    column.name,
                    name(known.kind),
                    name(column.kind)
                )));
            }
        }
    }
    let estimate = corpora.iter().fold(0i64, |sum, (_, _, rows)| sum.saturating_add(*rows));
    let source = |(files, own, _): (Source, Vec<SqlColumn>, i64)| {
        let has = |column: &SqlColumn| own.iter().any(|known| known.name.eq_ignore_ascii_case(&column.name));
        Source { has: columns.iter().map(has).collect(), ..files }
    };
    let sources = corpora.into_iter().map(source).collect();
    Ok(SqlTable { name: TABLE.to_owned(), columns, sources, rows: None, estimate })
}

/// True if the folders of all files have the same keys, each once.
fn same_keys(files: &[PathBuf]) -> bool {
    let Some(keys) = files.first().map(|file| keys_of(file)) else { return false };
    let once = keys.iter().enumerate().all(|(at, key)| !keys[..at].contains(key));
    once && !keys.is_empty() && files.iter().all(|file| keys_of(file) == keys)
}
