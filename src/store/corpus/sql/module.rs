//! Shows a table of files to SQLite as a virtual table.
//!
//! The only file with `unsafe` in the store: SQLite's interface is in C, and rusqlite asks its users to promise the
//! layout of two structures. Everything else is safe, in [`Walk`].
#![allow(unsafe_code)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, CString, c_int};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rusqlite::hooks::{AuthAction, Authorization};
use rusqlite::vtab::{
    Context, CreateVTab, Filters, IndexConstraintOp, IndexInfo, Module, VTab, VTabConnection, VTabCursor, VTabKind,
    sqlite3_vtab, sqlite3_vtab_cursor,
};
use rusqlite::{Connection, Error, Result};

use super::tables::SqlTable;
use super::tokens::quoted;
use super::walk::{Comparison, Walk};
use crate::corpus::files::parallel::locked;
use crate::corpus::values::error::CorpusError;

/// Makes a table of files known to a connection. `place` is its place among the tables.
pub(super) fn add(base: &Connection, place: usize, table: Arc<SqlTable>, shared: Arc<Shared>) -> Result<()> {
    const MODULE: Module<'static, FilesTable> = Module::read_only_module();
    let module = format!("files_{place}");
    let name = quoted(&table.name);
    base.create_module(module.as_str(), &MODULE, Some((place, table, shared)))?;
    base.execute(&format!("CREATE VIRTUAL TABLE main.{name} USING {module}"), []).map(drop)
}

/// The place of the table that a line of the plan of a query reads, if it is a table of files.
pub(super) fn table_of_plan(line: &str) -> Option<usize> {
    line.split_once(" VIRTUAL TABLE INDEX 0:files_")?.1.split(' ').next()?.parse().ok()
}

/// A table of files, as SQLite sees it.
#[repr(C)]
struct FilesTable {
    /// What SQLite knows of the table. Must be first.
    base: sqlite3_vtab,
    /// The place of the table among those of the connection.
    place: usize,
    table: Arc<SqlTable>,
    shared: Arc<Shared>,
}

/// A reading of the table.
#[repr(C)]
struct FilesCursor<'vtab> {
    /// What SQLite knows of the cursor. Must be first.
    base: sqlite3_vtab_cursor,
    walk: Walk,
    table: Arc<SqlTable>,
    shared: Arc<Shared>,
    phantom: PhantomData<&'vtab FilesTable>,
}

// SAFETY: `FilesTable` is `repr(C)` and begins with `sqlite3_vtab`, as the trait demands.
unsafe impl<'vtab> VTab<'vtab> for FilesTable {
    type Aux = (usize, Arc<SqlTable>, Arc<Shared>);
    type Cursor = FilesCursor<'vtab>;

    fn connect(
        _: &mut VTabConnection,
        aux: Option<&Self::Aux>,
        _: &[u8],
        _: &[u8],
        _: &[u8],
        _: &[&[u8]],
    ) -> Result<(Cow<'static, CStr>, FilesTable)> {
        let (place, table, shared) =
            aux.cloned().ok_or_else(|| Error::ModuleError("a table without files".to_owned()))?;
        let declared = CString::new(table.declaration()).map_err(|error| Error::ModuleError(error.to_string()))?;
        Ok((Cow::Owned(declared), FilesTable { base: sqlite3_vtab::default(), place, table, shared }))
    }

    /// Asks for the values of simple comparisons. Their number does not change the cost, because all rows may have to
    /// be read: a plan that reads the table once for each of several values must never look cheaper.
    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        // `table_of_plan` reads this beginning.
        let mut plan = format!("files_{} ", self.place);
        let mut wanted = Vec::new();
        for (number, constraint) in info.constraints().enumerate() {
            let operator = match constraint.operator() {
                IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ => "=",
                IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_LT => "<",
                IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_LE => "<=",
                IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_GT => ">",
                IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_GE => ">=",
                IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_ISNULL => "null",
                IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_ISNOTNULL => "known",
                _ => continue,
            };
            if operator == "="
                && let Some(column) = self.table.columns.get(constraint.column() as usize)
            {
                locked(&self.shared.sought).entry(self.table.name.clone()).or_default().insert(column.name.clone());
            }
            let usable = constraint.is_usable() && constraint.column() >= 0;
            if usable && info.collation(number)? == "BINARY" && !info.is_in_constraint(number)? {
                wanted.push(number);
                plan += &format!("{},{operator} ", constraint.column());
            }
        }
        for (argument, number) in wanted.into_iter().enumerate() {
            info.constraint_usage(number).set_argv_index(argument as c_int + 1);
        }
        info.set_idx_str(&plan);
        info.set_estimated_cost(10.0 * self.table.estimate as f64);
        info.set_estimated_rows(self.table.estimate);
        Ok(true)
    }

    fn open(&'vtab mut self) -> Result<FilesCursor<'vtab>> {
        let (table, shared) = (self.table.clone(), self.shared.clone());
        let walk = Walk::new(table.clone(), Vec::new());
        Ok(FilesCursor { base: sqlite3_vtab_cursor::default(), walk, table, shared, phantom: PhantomData })
    }
}

impl CreateVTab<'_> for FilesTable {
    const KIND: VTabKind = VTabKind::Default;
}

impl FilesCursor<'_> {
    /// Keeps an error for the caller of the query; SQLite gets its text.
    fn kept(&self, error: CorpusError) -> Error {
        Error::ModuleError(locked(&self.shared.failure).get_or_insert(error).to_string())
    }
}

// SAFETY: `FilesCursor` is `repr(C)` and begins with `sqlite3_vtab_cursor`, as the trait demands.
unsafe impl VTabCursor for FilesCursor<'_> {
    fn filter(&mut self, _: c_int, plan: Option<&str>, values: &Filters<'_>) -> Result<()> {
        let texts = plan.unwrap_or_default().split_whitespace().skip(1).enumerate();
        let comparisons = texts.filter_map(|(place, text)| {
            let (column, operator) = text.split_once(',')?;
            let value = values.get(place).ok()?;
            Some(Comparison { column: column.parse().ok()?, operator: operator.to_owned(), value })
        });
        self.walk = Walk::new(self.table.clone(), comparisons.collect());
        self.walk.next_group().map_err(|error| self.kept(error))
    }

    fn next(&mut self) -> Result<()> {
        self.walk.step().map_err(|error| self.kept(error))
    }

    fn eof(&self) -> bool {
        self.walk.is_over()
    }

    fn column(&self, context: &mut Context, column: c_int) -> Result<()> {
        context.set_result(self.walk.value(column as usize).map_err(|error| self.kept(error))?)
    }

    fn rowid(&self) -> Result<i64> {
        Ok(self.walk.number() as i64 + 1)
    }
}

/// What the connection, its tables and its watchers know together.
#[derive(Default)]
pub(super) struct Shared {
    /// The first error of a file: SQLite passes on only a text.
    pub failure: Mutex<Option<CorpusError>>,
    /// The columns of each table that the query reads.
    pub read: Mutex<BTreeMap<String, BTreeSet<String>>>,
    /// The columns of each table by which the plan could look for rows.
    pub sought: Mutex<BTreeMap<String, BTreeSet<String>>>,
    /// True while a copy is made: only then may a statement write.
    pub copying: AtomicBool,
    /// True if the time was over.
    pub late: AtomicBool,
}

impl Shared {
    /// Allows what only reads, and notes the columns that are read.
    pub(super) fn allows(&self, action: AuthAction<'_>) -> Authorization {
        if self.copying.load(Ordering::Relaxed) {
            return Authorization::Allow;
        }
        match action {
            AuthAction::Select | AuthAction::Recursive => Authorization::Allow,
            AuthAction::Function { function_name } if !function_name.eq_ignore_ascii_case("load_extension") => {
                Authorization::Allow
            }
            AuthAction::Read { table_name, column_name } => {
                locked(&self.read).entry(table_name.to_owned()).or_default().insert(column_name.to_owned());
                Authorization::Allow
            }
            _ => Authorization::Deny,
        }
    }
}
