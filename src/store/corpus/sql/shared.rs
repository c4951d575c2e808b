//! Holds what a connection, its tables and its watchers know together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::hooks::{AuthAction, Authorization};

use crate::corpus::values::error::CorpusError;

/// What the connection, its tables and its watchers know together.
#[derive(Default)]
pub(super) struct Shared {
    /// The first error of a file: SQLite passes on only a text.
    pub failure: Mutex<Option<CorpusError>>,
    /// The columns of each table that the query reads.
    pub read: Mutex<BTreeMap<String, BTreeSet<String>>>,
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

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
