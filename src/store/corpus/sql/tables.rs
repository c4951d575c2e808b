//! Defines the tables that queries see: their columns, and the files of their rows.

use std::path::PathBuf;

use super::tokens::quoted;
use crate::corpus::files::frame::FrameReader;
use crate::corpus::values::column_names::{first_repeated, is_same_column};
use crate::corpus::values::error::CorpusError;
use crate::corpus::values::value::ColumnType;

/// The name of the table of all corpora in queries.
pub(crate) const TABLE: &str = "puzzles";

/// The column with the name of the source of a row. `*` does not include it.
pub(super) const SOURCE: &str = "source";

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

/// A table that queries can name.
#[derive(Clone, Default)]
pub(super) struct SqlTable {
    pub name: String,
    pub columns: Vec<SqlColumn>,
    pub sources: Vec<TableFiles>,
    /// The numbers of the first row to read and of the row after the last; None reads all rows.
    pub rows: Option<(u64, u64)>,
    /// About how many rows there are.
    pub estimate: i64,
}

/// A column of a table.
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
    /// The number of the row.
    Number,
}

/// Some files of a table, with the same columns.
#[derive(Clone)]
pub(super) struct TableFiles {
    pub label: String,
    pub files: Vec<PathBuf>,
    /// Whether they have each column of the table.
    pub has: Vec<bool>,
}

impl SqlTable {
    /// A table of files with the same columns, which are those of the first file. It has no name yet.
    pub(super) fn of_files(source: &SourceFiles) -> Result<SqlTable, CorpusError> {
        let SourceFiles { label, files, .. } = source;
        let mut table = SqlTable::default();
        if let Some(first) = files.first() {
            let reader = FrameReader::open(first)?;
            for (name, kind) in reader.names().iter().zip(reader.kinds()) {
                table.columns.push(SqlColumn { name: name.clone(), kind, role: Role::File });
            }
            if let Some(name) = first_repeated(table.columns.iter().map(|column| &*column.name)) {
                return Err(CorpusError::file(first, format!("two columns are called '{name}'")));
            }
            table.estimate = i64::try_from(reader.len().saturating_mul(files.len())).unwrap_or(i64::MAX);
        }
        let has = vec![true; table.columns.len()];
        table.sources.push(TableFiles { label: label.clone(), files: files.clone(), has });
        Ok(table)
    }

    /// Adds a column that each of its files gets.
    pub(super) fn insert(&mut self, place: usize, column: SqlColumn) {
        self.columns.insert(place, column);
        self.sources.iter_mut().for_each(|files| files.has.insert(place, true));
    }

    /// True if it has a column for the name of the source.
    pub(super) fn has_source(&self) -> bool {
        self.columns.iter().any(|column| is_same_column(&column.name, SOURCE))
    }

    /// True if it has a column. Only rows of this program have the column `shape`.
    pub(super) fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }

    /// The table as SQL declares it.
    pub(super) fn declaration(&self) -> String {
        let column = |column: &SqlColumn| {
            let hidden = if column.role == Role::Source { " HIDDEN" } else { "" };
            format!("{} {}{hidden}", quoted(&column.name), column.declared())
        };
        format!("CREATE TABLE x({})", self.columns.iter().map(column).collect::<Vec<_>>().join(", "))
    }
}

impl SqlColumn {
    /// The name of its type in SQL.
    pub(super) fn declared(&self) -> &'static str {
        let is_level = self.name == "level" && self.kind == Some(ColumnType::Text);
        if is_level { LEVEL } else { declared(self.kind) }
    }
}

/// The type of the column `level`, by which an answer knows it under any name.
pub(super) const LEVEL: &str = "LEVEL TEXT";

/// The names of types in SQL. Their letters decide how SQLite compares values; an answer gets its types back from them.
const DECLARED: [(&str, ColumnType); 7] = [
    ("BOOLEAN", ColumnType::Flag),
    ("UINT32", ColumnType::Unsigned32),
    ("UINT64", ColumnType::Unsigned64),
    ("INTEGER", ColumnType::Signed),
    ("REAL", ColumnType::Real),
    ("TEXT", ColumnType::Text),
    (LEVEL, ColumnType::Text),
];

/// The name of a type in SQL.
pub(super) fn declared(kind: Option<ColumnType>) -> &'static str {
    DECLARED.iter().find(|(_, known)| Some(*known) == kind).map_or("TEXT", |(name, _)| name)
}

/// The type with a name in SQL.
pub(super) fn kind_of(declared: &str) -> Option<ColumnType> {
    DECLARED.iter().find(|(name, _)| *name == declared).map(|(_, kind)| *kind)
}

/// Makes one table of the tables of several corpora. Columns that a corpus does not have are NULL.
pub(super) fn united(corpora: Vec<SqlTable>) -> Result<SqlTable, CorpusError> {
    let mut columns: Vec<SqlColumn> = Vec::new();
    for column in corpora.iter().flat_map(|corpus| &corpus.columns) {
        match columns.iter_mut().find(|same_name| is_same_column(&same_name.name, &column.name)) {
            None => columns.push(column.clone()),
            Some(same_name)
                if same_name.kind.map(family) == column.kind.map(family) && same_name.role == column.role =>
            {
                same_name.kind = same_name.kind.zip(column.kind).map(|(left, right)| common_kind(left, right));
            }
            Some(same_name) => {
                let name = |kind: Option<ColumnType>| kind.map_or("another type", ColumnType::name);
                return Err(CorpusError::Query(format!(
                    "column '{}' holds values of type {} in one corpus and {} in another; `--table NAME=FILE` opens a file \
                     as a table of its own",
                    column.name,
                    name(same_name.kind),
                    name(column.kind)
                )));
            }
        }
    }
    let mut estimate = 0i64;
    let mut sources = Vec::new();
    for corpus in corpora {
        estimate = estimate.saturating_add(corpus.estimate);
        let has_column = |column: &SqlColumn| corpus.columns.iter().any(|own| is_same_column(&own.name, &column.name));
        let has: Vec<bool> = columns.iter().map(has_column).collect();
        for files in corpus.sources {
            sources.push(TableFiles { has: has.clone(), ..files });
        }
    }
    Ok(SqlTable { name: TABLE.to_owned(), columns, sources, rows: None, estimate })
}

/// The type of a column whose values have these types in two corpora. Integers get the type that holds both.
fn common_kind(left: ColumnType, right: ColumnType) -> ColumnType {
    match (left, right) {
        _ if left == right => left,
        (ColumnType::Signed, _) | (_, ColumnType::Signed) => ColumnType::Signed,
        _ => ColumnType::Unsigned64,
    }
}

/// A number for each set of types whose values can stand in one column.
pub(super) fn family(kind: ColumnType) -> u8 {
    match kind {
        ColumnType::Flag => 0,
        ColumnType::Unsigned32 | ColumnType::Unsigned64 | ColumnType::Signed => 1,
        ColumnType::Real => 2,
        ColumnType::Text => 3,
    }
}
