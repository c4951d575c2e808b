//! How a selection is worked out: threads, what to do about bad rows, whom to tell, when to stop.

use crate::corpus::{OnError, Progress, Silent, StopFlag};

/// How the work is done.
pub struct Effort<'a> {
    /// Threads; none for one a core.
    pub threads: Option<usize>,
    /// What to do about rows of the input that are no puzzles.
    pub on_error: OnError,
    /// Told how far it is.
    pub progress: &'a dyn Progress,
    /// Looked at now and then.
    pub stop: StopFlag,
}

impl Default for Effort<'_> {
    fn default() -> Effort<'static> {
        Effort { threads: None, on_error: OnError::Skip, progress: &Silent, stop: StopFlag::new() }
    }
}
