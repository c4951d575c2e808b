//! Defines how long work reports its progress.

/// Receives reports about the progress of long work. Every method does nothing by default. Several threads call them.
pub trait Progress: Sync {
    /// The work begins. `rows` is the number of all rows, if known; `present` that of the rows that exist already.
    fn begin(&self, rows: Option<u64>, present: u64) {
        let _ = (rows, present);
    }

    /// One of several stages with a number of rows begins.
    fn stage(&self, name: &str, rows: u64) {
        let _ = name;
        self.begin(Some(rows), 0);
    }

    /// `rows` more rows are done.
    fn rows(&self, rows: u64) {
        let _ = rows;
    }
}

/// Ignores all reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}
