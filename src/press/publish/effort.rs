//! How a selection is computed: threads, treatment of bad rows, progress, and the flag to stop.

use sudoku_corpus_store::corpus::{OnError, Progress, Silent, StopFlag};

/// How a selection is computed.
pub struct Effort<'a> {
    /// Threads; None for one per core.
    pub threads: Option<usize>,
    /// What to do with rows of the input that are not puzzles.
    pub on_error: OnError,
    /// Receives the progress.
    pub progress: &'a dyn Progress,
    /// Checked regularly; ends the work when it is set.
    pub stop: StopFlag,
}

impl Default for Effort<'_> {
    fn default() -> Effort<'static> {
        Effort { threads: None, on_error: OnError::Skip, progress: &Silent, stop: StopFlag::new() }
    }
}
