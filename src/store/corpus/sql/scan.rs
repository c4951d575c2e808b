//! Sources of rows, and questions about them.

use std::path::PathBuf;
use std::sync::Arc;

use super::answer::Answer;
use super::session::{AskLimits, Session};
use super::tables::{ROW_NUMBER, Role, SOURCE, SourceFiles, SqlColumn, SqlTable, TABLE, united};
use crate::corpus::values::error::CorpusError;
use crate::corpus::values::value::ColumnType;

/// Files that can be queried.
pub struct Scan {
    tables: Vec<Arc<SqlTable>>,
}

impl Scan {
    /// Opens Parquet files that have the same columns.
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
        let mut opened = Vec::new();
        for source in &sources {
            opened.push(SqlTable::of_files(source)?);
        }
        // A column of the files with this name is that of all of them.
        let is_of_files = sources.iter().zip(&opened).any(|(source, table)| !source.outside && table.has_source());
        let mut tables = Vec::new();
        let mut together = Vec::new();
        for (source, of_files) in sources.into_iter().zip(opened) {
            let mut table = of_files.clone();
            if !table.has_source() {
                let (name, kind) = (SOURCE.to_owned(), Some(ColumnType::Text));
                table.insert(table.columns.len(), SqlColumn { name, kind, role: Role::Source });
            }
            if !source.outside {
                together.push(if is_of_files { of_files } else { table.clone() });
            }
            if let Some(name) = source.name {
                tables.push(Arc::new(SqlTable { name, ..table }));
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
        let source = SourceFiles { label: String::new(), name: None, files: files.to_vec(), outside: false };
        let mut table = SqlTable::of_files(&source).map_err(|error| match error {
            CorpusError::File { reason, .. } => reason,
            error => error.to_string(),
        })?;
        let (name, kind) = (ROW_NUMBER.to_owned(), Some(ColumnType::Unsigned64));
        table.insert(0, SqlColumn { name, kind, role: Role::Number });
        table.name = TABLE.to_owned();
        table.rows = rows.map(|(first, count)| (first, first.saturating_add(count)));
        Ok(Scan { tables: vec![Arc::new(table)] })
    }

    /// The names of the columns of the first table.
    pub fn columns(&self) -> Vec<String> {
        let columns = self.tables.first().map(|table| table.columns.as_slice()).unwrap_or_default();
        columns.iter().map(|column| column.name.clone()).filter(|name| name != SOURCE).collect()
    }

    /// The type of a column of some table.
    pub(crate) fn kind_of(&self, name: &str) -> Option<ColumnType> {
        let mut columns = self.tables.iter().flat_map(|table| &table.columns);
        columns.find(|column| column.name.eq_ignore_ascii_case(name))?.kind
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
