//! Processes many items in parallel and passes on the results in order, in bounded memory.
//!
//! Items are taken in chunks; all threads work on a chunk. The size of a chunk follows from the time of the last one.
//! So the caller can report progress several times a second. Threads seldom wait for each other: only at the end of a
//! chunk, until the last item is done. The sizes of chunks do not influence the results.

use std::io;
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::Instant;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::progress::StopFlag;
use crate::corpus::values::error::{CorpusError, Result};

/// The threads, and the size of the next chunk.
pub struct Workers {
    pool: Option<ThreadPool>,
    chunk: usize,
}

/// The smallest and the largest number of items in a chunk. An item of a large board may take seconds, and the results
/// of a chunk are kept in memory.
const CHUNKS: (usize, usize) = (4, 4_096);

/// The time that a chunk should take.
const SECONDS: f64 = 0.4;

/// Starts threads. None means one thread for each core.
///
/// # Errors
/// The system refuses them.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn thread_pool(threads: Option<usize>) -> Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    pool.map_err(|error| CorpusError::Threads { reason: error.to_string() })
}

/// Starts the threads that parallel work uses outside of a pool of its own; rayon would start them when they are first needed,
/// and panic if the system refuses them. Then the calling thread does this work alone. Does nothing the second time.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn start_threads(threads: Option<usize>) {
    if ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build_global().is_err() {
        // An error means that there are threads already, because none is started here.
        drop(ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global());
    }
}

/// Starts a thread for work beside that of the caller.
///
/// # Errors
/// The system refuses it.
pub fn spawn(work: impl FnOnce() + Send + 'static) -> Result<()> {
    thread::Builder::new().spawn(work).map(drop).map_err(refused)
}

/// Like [`spawn`], for work that ends before a scope does.
///
/// # Errors
/// The system refuses the thread.
pub(crate) fn spawn_in<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>> {
    thread::Builder::new().spawn_scoped(scope, work).map_err(refused)
}

fn refused(error: io::Error) -> CorpusError {
    CorpusError::Threads { reason: error.to_string() }
}

impl Workers {
    /// Starts the threads. None means one thread for each core.
    pub fn new(threads: Option<usize>) -> Result<Workers> {
        Ok(Workers { pool: Some(thread_pool(threads)?), ..Workers::here() })
    }

    /// The threads of the pool in which the caller runs.
    pub fn here() -> Workers {
        Workers { pool: None, chunk: 64 }
    }

    /// The number of items to take next.
    pub(crate) fn chunk(&self) -> usize {
        self.chunk
    }

    /// Processes all items. `take` gets the results of one chunk after the other, in order. False if it was stopped;
    /// then the results of the last chunk are dropped.
    ///
    /// # Errors
    /// The first error of `take`.
    pub fn run<T: Send, U: Send, E>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        stop: &StopFlag,
        work: impl Fn(T) -> U + Sync + Send,
        mut take: impl FnMut(Vec<U>) -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut items = items.into_iter().fuse();
        loop {
            let chunk: Vec<T> = items.by_ref().take(self.chunk).collect();
            if chunk.is_empty() {
                return Ok(!stop.is_set());
            }
            let Some(done) = self.work(chunk, stop, &work) else { return Ok(false) };
            take(done)?;
        }
    }

    /// Processes a chunk. None if it was stopped; the results are then dropped.
    pub(crate) fn work<T: Send, U: Send>(
        &mut self,
        items: impl IntoParallelIterator<Item = T, Iter: Send> + Send,
        stop: &StopFlag,
        work: impl Fn(T) -> U + Sync + Send,
    ) -> Option<Vec<U>> {
        let began = Instant::now();
        let all = || items.into_par_iter().map(|item| if stop.is_set() { None } else { Some(work(item)) }).collect();
        let done: Option<Vec<U>> = match &self.pool {
            Some(pool) => pool.install(all),
            None => all(),
        };
        let wanted = self.chunk as f64 * SECONDS / began.elapsed().as_secs_f64().max(1e-6);
        self.chunk = (wanted as usize).clamp(self.chunk / 2, self.chunk * 2).clamp(CHUNKS.0, CHUNKS.1);
        done
    }
}
