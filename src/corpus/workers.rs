//! Many items at once, results in order, in bounded memory.
//!
//! Items are taken in chunks and a chunk is worked on by all threads. The size of a chunk follows the time that the
//! last one took, so that the caller hears several times a second how far it is, and threads wait for each other
//! rarely: the time that is lost is one item a chunk. Sizes of chunks change nothing else.

use std::time::Instant;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::error::{CorpusError, Result};
use super::progress::StopFlag;

/// Threads, and the size of the next chunk.
pub(super) struct Workers {
    pool: ThreadPool,
    chunk: usize,
}

/// Bounds of a chunk: a wide board may take seconds an item, and a chunk of results is held in memory.
const CHUNKS: (usize, usize) = (4, 4_096);

/// How long a chunk should take.
const SECONDS: f64 = 0.4;

impl Workers {
    /// So many threads; none for one a core.
    ///
    /// # Errors
    /// [`CorpusError::Threads`].
    pub fn new(threads: Option<usize>) -> Result<Workers> {
        let threads = threads.unwrap_or(0);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| CorpusError::Threads { threads, reason: error.to_string() })?;
        Ok(Workers { pool, chunk: 64 })
    }

    /// How many items to take next.
    pub fn chunk(&self) -> usize {
        self.chunk
    }

    /// Works on a chunk. None when it was stopped; then what was done is dropped.
    pub fn work<T: Send, U: Send>(
        &mut self,
        items: impl IntoParallelIterator<Item = T, Iter: Send> + Send,
        stop: &StopFlag,
        work: impl Fn(T) -> U + Sync + Send,
    ) -> Option<Vec<U>> {
        let began = Instant::now();
        let done: Option<Vec<U>> = self.pool.install(|| {
            items.into_par_iter().map(|item| if stop.is_set() { None } else { Some(work(item)) }).collect()
        });
        let wanted = self.chunk as f64 * SECONDS / began.elapsed().as_secs_f64().max(1e-6);
        self.chunk = (wanted as usize).clamp(self.chunk / 2, self.chunk * 2).clamp(CHUNKS.0, CHUNKS.1);
        done
    }
}
