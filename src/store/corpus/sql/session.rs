//! Runs one query: a connection with its limits, copies of tables, and the rows of the answer.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use rusqlite::config::DbConfig;
use rusqlite::hooks::AuthContext;
use rusqlite::limits::Limit;
use rusqlite::types::Value as Sql;
use rusqlite::{Connection, Statement};

use super::answer::{Answer, AnswerColumn, named};
use super::functions;
use super::module::{self, Shared};
use super::plan::Plan;
use super::refusal::message;
use super::tables::{LEVEL, Role, SOURCE, SqlColumn, SqlTable, kind_of};
use super::tokens::{Token, TokenKind, check_query, is_compound, quoted, tokens};
use crate::corpus::files::parallel::locked;
use crate::corpus::files::progress::StopFlag;
use crate::corpus::values::error::CorpusError;
use crate::corpus::values::value::ColumnType;

/// The number of rows of a batch.
const BATCH: usize = 32_768;

/// The number of instructions of SQLite between two looks at the clock.
const STEPS: i32 = 1_000;

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
        (Limit::SQLITE_LIMIT_LENGTH, 1 << 24),
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

/// The name behind an operator that compares, from the tokens beside a value.
fn compared_name<'t>(mut side: impl Iterator<Item = &'t Token<'t>>) -> Option<String> {
    let compares =
        |token: &Token<'_>| token.is_word_of(&["is", "not", "in"]) || ["=", "<", ">", "!", "("].contains(&token.text);
    side.next().filter(|token| compares(token))?;
    side.find(|token| !compares(token))?.name()
}

/// A connection that reads the tables, and ends at the limits.
fn connection(tables: &[Arc<SqlTable>], limits: &AskLimits, shared: &Arc<Shared>) -> rusqlite::Result<Connection> {
    let mut base = Connection::open_in_memory()?;
    functions::add(&base)?;
    for (place, table) in tables.iter().enumerate() {
        module::add(&base, place, table.clone(), shared.clone())?;
    }
    set_limits(&mut base)?;
    let shared_by_authorizer = shared.clone();
    base.authorizer(Some(move |context: AuthContext<'_>| shared_by_authorizer.allows(context.action)))?;
    // SQLite calls it between steps, and ends the query if it returns true.
    let (shared_by_handler, limits) = (shared.clone(), limits.clone());
    let must_end = move || {
        let is_late = limits.until.is_some_and(|until| Instant::now() >= until);
        shared_by_handler.late.fetch_or(is_late, Ordering::Relaxed);
        is_late || limits.stop.as_ref().is_some_and(StopFlag::is_set)
    };
    base.progress_handler(STEPS, Some(must_end))?;
    Ok(base)
}

impl Session<'_> {
    /// Opens a connection with these tables.
    ///
    /// # Errors
    /// SQLite reports an error.
    pub(super) fn open<'a>(tables: &'a [Arc<SqlTable>], limits: &AskLimits) -> Result<Session<'a>, CorpusError> {
        let shared = Arc::new(Shared::default());
        let base = connection(tables, limits, &shared);
        let base = base.map_err(|error| CorpusError::Query(message(&error, &[], &[])))?;
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
        self.check_flags(sql)?;
        let mut statement = self.prepared(sql)?;
        if statement.is_explain() == 0 && self.copy_tables(sql)? {
            statement = self.prepared(sql)?;
        }
        let columns = self.answer_columns(&statement, is_compound(sql));
        let mut outcome = take(Answer::new(columns.clone()));
        let mut batch = Answer::new(columns.clone());
        let mut rows = statement.raw_query();
        while outcome.is_ok() {
            let Some(row) = rows.next().map_err(|error| self.blamed(&error))? else { break };
            for column in 0..columns.len() {
                batch.push(row.get::<_, Sql>(column).map_err(|error| self.blamed(&error))?);
            }
            if batch.len() >= BATCH {
                outcome = take(std::mem::replace(&mut batch, Answer::new(columns.clone())));
            }
        }
        Ok(if outcome.is_ok() && !batch.is_empty() { take(batch) } else { outcome })
    }

    /// Refuses a flag that is compared with a text: it would differ in every row.
    fn check_flags(&self, sql: &str) -> Result<(), CorpusError> {
        let mut tokens = tokens(sql);
        tokens.retain(|token| !matches!(token.kind, TokenKind::Space | TokenKind::Comment));
        for (place, token) in tokens.iter().enumerate() {
            if !["'true'", "'false'"].iter().any(|text| token.text.eq_ignore_ascii_case(text)) {
                continue;
            }
            let names = [compared_name(tokens[..place].iter().rev()), compared_name(tokens[place + 1..].iter())];
            for name in names.into_iter().flatten() {
                let columns = self.tables.iter().flat_map(|table| &table.columns);
                let mut kinds = columns.filter(|column| column.name == name).map(|column| column.kind).peekable();
                if kinds.peek().is_some() && kinds.all(|kind| kind == Some(ColumnType::Flag)) {
                    return Err(CorpusError::Query(format!("{name} is a flag, no text: write {name}, or NOT {name}")));
                }
            }
        }
        Ok(())
    }

    /// The columns of the answer to a statement.
    fn answer_columns(&self, statement: &Statement<'_>, is_compound: bool) -> Arc<[AnswerColumn]> {
        let names = named(statement.column_names().map(str::to_owned));
        let mut columns = Vec::with_capacity(names.len());
        for (name, sql_column) in names.into_iter().zip(statement.columns()) {
            // SQLite gives the columns of a compound the types of its first SELECT, but the others may have other values.
            let kind = if is_compound { None } else { sql_column.decl_type().and_then(kind_of) };
            // Tables of rows of this program have a column for the shape.
            let mut tables = self.tables.iter().filter(|table| table.has(&name));
            let is_ours = tables.all(|table| table.has("shape"));
            let is_level = is_ours && name == "level" && kind.is_some() && sql_column.decl_type() == Some(LEVEL);
            columns.push(AnswerColumn { name, kind, is_ours, is_level });
        }
        columns.into()
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

    /// Copies the tables that the plan of a query reads in each round of a loop. True if there are such tables.
    fn copy_tables(&self, sql: &str) -> Result<bool, CorpusError> {
        let mut copied: Vec<usize> = Vec::new();
        // The plan with a copy may read another table in a loop. A text that is nearly too long has no plan.
        while let Ok(plan) = Plan::of(&self.base, sql) {
            let tables: Vec<usize> =
                plan.tables_in_loops().into_iter().filter(|table| !copied.contains(table)).collect();
            if tables.is_empty() {
                break;
            }
            for &table in &tables {
                self.copy(&self.tables[table], sql, plan.keeps_right_rows())?;
            }
            copied.extend(tables);
        }
        Ok(!copied.is_empty())
    }

    /// Copies a table into a temporary one of the same name, which SQLite finds first. The copy has only the columns
    /// that the query uses. With `with_indexes`, it gets an index for each column by which the query looks for rows.
    fn copy(&self, table: &SqlTable, query: &str, with_indexes: bool) -> Result<(), CorpusError> {
        let columns = self.used_columns(table, query)?;
        let name = quoted(&table.name);
        let names: Vec<String> = columns.iter().map(|column| quoted(&column.name)).collect();
        let mut declarations = Vec::new();
        for (name, column) in names.iter().zip(&columns) {
            declarations.push(format!("{name} {}", column.declared()));
        }
        let (names, declarations) = (names.join(", "), declarations.join(", "));
        let mut statements = format!(
            "CREATE TABLE temp.{name}({declarations}); INSERT INTO temp.{name} SELECT {names} FROM main.{name}"
        );
        if with_indexes {
            let sought = locked(&self.shared.sought).get(&table.name).cloned().unwrap_or_default();
            for sought_name in sought.iter().filter(|name| columns.iter().any(|column| column.name == **name)) {
                let index = quoted(&format!("{} by {sought_name}", table.name));
                statements += &format!("; CREATE INDEX temp.{index} ON {name}({})", quoted(sought_name));
            }
        }
        self.shared.copying.store(true, Ordering::Relaxed);
        let outcome = self.base.execute_batch(&statements);
        self.shared.copying.store(false, Ordering::Relaxed);
        outcome.map_err(|error| self.blamed(&error))
    }

    /// The columns of a table that a query uses, or the first one if it uses none.
    ///
    /// # Errors
    /// The query takes all columns, and the one of the sources too.
    fn used_columns<'t>(&self, table: &'t SqlTable, query: &str) -> Result<Vec<&'t SqlColumn>, CorpusError> {
        let words = tokens(query);
        let names: BTreeSet<String> = words.iter().filter_map(Token::name).collect();
        let is_natural = names.contains("natural");
        let read = locked(&self.shared.read).get(&table.name).cloned().unwrap_or_default();
        let mut used = Vec::new();
        for column in &table.columns {
            let is_read = read.contains(&column.name);
            // SQLite does not report the columns of USING and NATURAL.
            let is_named = is_natural || names.contains(&column.name.to_ascii_lowercase());
            if is_read || (is_named && column.role != Role::Source) {
                used.push(column);
            }
        }
        let has_star = words.contains(&Token { kind: TokenKind::Symbol, text: "*" });
        let takes_all = is_natural || (has_star && used.len() == table.columns.len());
        if takes_all && used.iter().any(|column| column.role == Role::Source) {
            return Err(CorpusError::Query(format!(
                "'*' or NATURAL beside '{}' in a query that joins '{}': name the columns",
                SOURCE, table.name
            )));
        }
        if used.is_empty() {
            used.extend(table.columns.first());
        }
        Ok(used)
    }

    /// Why a query failed: a file, the time, or the query itself.
    fn blamed(&self, error: &rusqlite::Error) -> CorpusError {
        if let Some(failure) = locked(&self.shared.failure).take() {
            return failure;
        }
        if self.shared.late.load(Ordering::Relaxed) {
            return CorpusError::Late;
        }
        let tables: Vec<&str> = self.tables.iter().map(|table| table.name.as_str()).collect();
        let columns = self.tables.iter().flat_map(|table| &table.columns).map(|column| column.name.as_str());
        CorpusError::Query(message(error, &columns.collect::<Vec<_>>(), &tables))
    }
}
