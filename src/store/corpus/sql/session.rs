//! Runs one query: a connection with its limits, copies of tables, and the rows of the answer.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use rusqlite::config::DbConfig;
use rusqlite::hooks::AuthContext;
use rusqlite::limits::Limit;
use rusqlite::types::Value as Sql;
use rusqlite::{Column, Connection, Statement};

use super::answer::{Answer, AnswerColumn, named};
use super::refusal::message;
use super::shared::{Shared, locked};
use super::tables::{Role, SOURCE, SqlColumn, SqlTable, declared, kind_of};
use super::tokens::{
    TokenKind, check_query, is_compound, looked_up, quoted, read_again, tokens, with_index, without_quotes,
};
use super::{functions, module};
use crate::corpus::files::progress::StopFlag;
use crate::corpus::values::error::CorpusError;

/// The number of rows of a batch.
const BATCH: usize = 32_768;

/// The number of instructions of SQLite between two looks at the clock.
const STEPS: i32 = 10_000;

/// When a query ends although it is not answered.
#[derive(Clone, Debug, Default)]
pub struct AskLimits {
    /// The time at which it ends.
    pub until: Option<Instant>,
    /// Ends it when set.
    pub stop: Option<StopFlag>,
}

/// Limits of length, depth and memory. Texts in double quotes are names.
pub(super) fn set_limits(base: &mut Connection) -> rusqlite::Result<()> {
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, 1 << 27),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
        (Limit::SQLITE_LIMIT_VDBE_OP, 1 << 22),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 0),
    ] {
        base.set_limit(limit, value)?;
    }
    for (config, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    ] {
        base.set_db_config(config, value)?;
    }
    // Sizes in KiB are negative. What does not fit goes into temporary files. The limit of memory is that of all
    // connections together. Rows are sorted in pieces of the size of the first cache, and 2 MiB stay in the cache of a
    // processor: the window over a million rows takes 1.9 s of CPU, and with 64 MiB 3.1 s.
    base.execute_batch(
        "PRAGMA hard_heap_limit = 2147483648; PRAGMA temp_store = FILE; PRAGMA cache_size = -2048; \
         PRAGMA temp.cache_size = -262144; PRAGMA cell_size_check = OFF;",
    )
}

/// A connection that can be asked about some tables.
pub(super) struct Session<'a> {
    base: Connection,
    tables: &'a [Arc<SqlTable>],
    shared: Arc<Shared>,
}

impl Session<'_> {
    /// Opens a connection with these tables.
    ///
    /// # Errors
    /// SQLite reports an error.
    pub(super) fn open<'a>(tables: &'a [Arc<SqlTable>], limits: &AskLimits) -> Result<Session<'a>, CorpusError> {
        let shared = Arc::new(Shared::default());
        let (watched, timed, limits) = (shared.clone(), shared.clone(), limits.clone());
        let prepared = || -> rusqlite::Result<Connection> {
            let mut base = Connection::open_in_memory()?;
            functions::add(&base)?;
            for (at, table) in tables.iter().enumerate() {
                module::add(&base, at, table.clone(), shared.clone())?;
            }
            set_limits(&mut base)?;
            base.authorizer(Some(move |context: AuthContext<'_>| watched.allows(context.action)))?;
            let over = move || {
                let late = limits.until.is_some_and(|until| Instant::now() >= until);
                timed.late.fetch_or(late, Ordering::Relaxed);
                late || limits.stop.as_ref().is_some_and(StopFlag::is_set)
            };
            base.progress_handler(STEPS, Some(over))?;
            Ok(base)
        };
        let base = prepared().map_err(|error| CorpusError::Query(message(&error, &[], &[])))?;
        Ok(Session { base, tables, shared })
    }

    /// Asks a query. `take` gets the answer in batches; the first has no rows, but the columns. The inner error is the
    /// first one of `take`.
    ///
    /// # Errors
    /// The query is not understood or changes something, the limits are reached, or a file cannot be read.
    pub(super) fn run<E>(
        &self,
        sql: &str,
        mut take: impl FnMut(Answer) -> Result<(), E>,
    ) -> Result<Result<(), E>, CorpusError> {
        check_query(sql).map_err(CorpusError::Query)?;
        let sql = with_index(sql);
        let mut statement = self.prepared(&sql)?;
        let names: Vec<&str> = self.tables.iter().map(|table| table.name.as_str()).collect();
        let again = read_again(&sql, &names);
        if !again.is_empty() {
            again.into_iter().try_for_each(|at| self.copy(&self.tables[at], &sql))?;
            statement = self.prepared(&sql)?;
        }
        // SQLite gives the columns of a compound the types of its first SELECT, but the others may have other values.
        let compound = is_compound(&sql);
        let kind = |column: Column<'_>| column.decl_type().filter(|_| !compound).and_then(kind_of);
        let kinds: Vec<_> = statement.columns().map(kind).collect();
        let names = named(statement.column_names().map(without_quotes));
        let columns: Arc<[AnswerColumn]> =
            names.into_iter().zip(kinds).map(|(name, kind)| AnswerColumn { name, kind }).collect();
        let mut outcome = take(Answer::new(columns.clone()));
        let mut batch = Answer::new(columns.clone());
        let mut rows = statement.raw_query();
        while outcome.is_ok() {
            let Some(row) = rows.next().map_err(|error| self.blamed(&error))? else { break };
            for at in 0..columns.len() {
                batch.push(row.get::<_, Sql>(at).map_err(|error| self.blamed(&error))?);
            }
            if batch.len() >= BATCH {
                outcome = take(std::mem::replace(&mut batch, Answer::new(columns.clone())));
            }
        }
        Ok(if outcome.is_ok() && !batch.is_empty() { take(batch) } else { outcome })
    }

    /// A statement that only reads.
    fn prepared(&self, sql: &str) -> Result<Statement<'_>, CorpusError> {
        let statement = self.base.prepare(sql).map_err(|error| self.blamed(&error))?;
        if statement.readonly() {
            Ok(statement)
        } else {
            Err(CorpusError::Query("a query cannot change anything".into()))
        }
    }

    /// Copies a table into a temporary one of the same name, which is found first. Only the columns that are used.
    fn copy(&self, table: &SqlTable, sql: &str) -> Result<(), CorpusError> {
        let words = tokens(sql);
        let has =
            |kind: TokenKind, text: &str| words.iter().any(|(of, word)| *of == kind && word.eq_ignore_ascii_case(text));
        let natural = has(TokenKind::Word, "natural");
        let read = locked(&self.shared.read).get(&table.name).cloned().unwrap_or_default();
        // SQLite does not report the columns of USING and NATURAL.
        let named = |name: &str| {
            has(TokenKind::Word, name)
                || has(TokenKind::Name, &quoted(name))
                || has(TokenKind::Name, &format!("[{name}]"))
        };
        let is_used = |column: &&SqlColumn| match column.role {
            Role::Source => read.contains(&column.name),
            _ => natural || read.contains(&column.name) || named(&column.name),
        };
        let mut used: Vec<&SqlColumn> = table.columns.iter().filter(is_used).collect();
        let all = natural || used.len() == table.columns.len() && has(TokenKind::Symbol, "*");
        if all && used.iter().any(|column| column.role == Role::Source) {
            return Err(CorpusError::Query(format!(
                "'*' or NATURAL beside '{}' in a query that joins '{}' or names it twice: name the columns",
                SOURCE, table.name
            )));
        }
        if used.is_empty() {
            used.extend(table.columns.first());
        }
        let list =
            |of: &dyn Fn(&SqlColumn) -> String| used.iter().map(|column| of(column)).collect::<Vec<_>>().join(", ");
        let name = quoted(&table.name);
        let made = format!(
            "CREATE TABLE temp.{name}({}); INSERT INTO temp.{name} SELECT {} FROM main.{name}",
            list(&|column| format!("{} {}", quoted(&column.name), declared(column.kind))),
            list(&|column| quoted(&column.name))
        );
        let indexed = looked_up(sql);
        let by = used.iter().filter(|column| natural || indexed.contains(&column.name.to_ascii_lowercase()));
        let index = |column: &&&SqlColumn| {
            let own = quoted(&format!("{} by {}", table.name, column.name));
            format!("; CREATE INDEX temp.{own} ON {name}({})", quoted(&column.name))
        };
        let made = made + &by.map(|column| index(&column)).collect::<String>();
        self.shared.copying.store(true, Ordering::Relaxed);
        let copied = self.base.execute_batch(&made);
        self.shared.copying.store(false, Ordering::Relaxed);
        copied.map_err(|error| self.blamed(&error))
    }

    /// Why a query failed: a file, the time, or the query itself.
    fn blamed(&self, error: &rusqlite::Error) -> CorpusError {
        if let Some(failure) = locked(&self.shared.failure).take() {
            return failure;
        }
        if self.shared.late.load(Ordering::Relaxed) {
            return CorpusError::Query("the time for the query is over".to_owned());
        }
        let tables: Vec<&str> = self.tables.iter().map(|table| table.name.as_str()).collect();
        let columns = self.tables.iter().flat_map(|table| &table.columns).map(|column| column.name.as_str());
        CorpusError::Query(message(error, &columns.collect::<Vec<_>>(), &tables))
    }
}
