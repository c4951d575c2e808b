//! Processes many items in parallel and passes on the results in order, in bounded memory.
//!
//! Items are taken in chunks; all threads work on a chunk. The size of a chunk follows from the time of the last one.
//! So the caller can report progress several times a second. Threads seldom wait for each other: only at the end of a
//! chunk, until the last item is done. The sizes of chunks do not influence the results.
//!
//! In a chunk the threads take items in order, so that nearly all items before the last finished one are finished when
//! the work is stopped. Each item asks for the stop inside ([`stop::until`]); what is finished is kept.

use std::io;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::Instant;

use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::progress::StopFlag;
use crate::corpus::values::error::{CorpusError, Result};
use sudoku_corpus_core::stop;

/// The threads, and the size of the next chunk.
pub struct Workers {
    pool: Option<ThreadPool>,
    chunk: usize,
}

/// The smallest and the largest number of items in a chunk. An item of a large board may take seconds, and the results
/// of a chunk are kept in memory.
const CHUNKS: (usize, usize) = (4, LARGEST_CHUNK);

/// No chunk has more items.
pub(crate) const LARGEST_CHUNK: usize = 4_096;

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

/// Starts the threads that parallel work uses outside of a pool of its own; rayon would start them when they are first
/// needed, and panic if the system refuses them. Then the calling thread does this work alone. Does nothing the second
/// time.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn start_threads(threads: Option<usize>) {
    let builder = match can_start(threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))) {
        true => ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)),
        false => ThreadPoolBuilder::new().num_threads(1).use_current_thread(),
    };
    // An error means that there are threads already.
    drop(builder.build_global());
}

/// True if the system starts this number of threads at the same time. Rayon asks the system once: if it gets no threads
/// then, it cannot be asked again, and parallel work panics. So the system is asked here first.
fn can_start(number: usize) -> bool {
    let (hold, held) = mpsc::channel::<()>();
    let held = Arc::new(Mutex::new(held));
    let wait = |_| {
        let held = held.clone();
        thread::Builder::new().spawn(move || drop(held.lock().map(|held| held.recv())))
    };
    let started: Vec<_> = (0..number).map(wait).take_while(io::Result::is_ok).flatten().collect();
    let all = started.len() == number;
    drop(hold);
    started.into_iter().for_each(|thread| drop(thread.join()));
    all
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
        Workers { pool: None, chunk: CHUNKS.0 }
    }

    /// The number of items to take next: at least one for each thread.
    pub(crate) fn chunk(&self) -> usize {
        let threads = self.pool.as_ref().map_or_else(rayon::current_num_threads, ThreadPool::current_num_threads);
        self.chunk.max(threads)
    }

    /// Processes all items. `take` gets the results of one chunk after the other, in order. False if it was stopped;
    /// `take` has then got the results of all items before the first that is not finished.
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
            let chunk: Vec<T> = items.by_ref().take(self.chunk()).collect();
            if chunk.is_empty() {
                return Ok(!stop.is_set());
            }
            let wanted = chunk.len();
            let done: Vec<U> = self.work(chunk, stop, &work).into_iter().map_while(|done| done).collect();
            let ended = done.len() == wanted;
            if !done.is_empty() {
                take(done)?;
            }
            if !ended {
                return Ok(false);
            }
        }
    }

    /// Processes a chunk. The results have the order of the items; there is none for an item that was not finished
    /// because the work was stopped.
    pub(crate) fn work<T: Send, U: Send>(
        &mut self,
        items: Vec<T>,
        stop: &StopFlag,
        work: impl Fn(T) -> U + Sync + Send,
    ) -> Vec<Option<U>> {
        let began = Instant::now();
        let (wanted, flag) = (items.len(), stop.shared());
        let all = || {
            let threads = rayon::current_num_threads();
            let together = (wanted / (8 * threads)).max(1);
            let left = Mutex::new(items.into_iter().enumerate());
            let take = || -> Vec<(usize, T)> {
                left.lock().unwrap_or_else(PoisonError::into_inner).by_ref().take(together).collect()
            };
            let work_off = |_: usize| {
                let mut done = Vec::new();
                loop {
                    let items = take();
                    if items.is_empty() || stop.is_set() {
                        return done;
                    }
                    done.extend(
                        items.into_iter().filter_map(|(at, item)| Some((at, stop::until(&flag, || work(item))?))),
                    );
                }
            };
            (0..threads).into_par_iter().with_max_len(1).map(work_off).collect::<Vec<Vec<(usize, U)>>>()
        };
        let found = match &self.pool {
            Some(pool) => pool.install(all),
            None => all(),
        };
        let mut done: Vec<Option<U>> = std::iter::repeat_with(|| None).take(wanted).collect();
        found.into_iter().flatten().for_each(|(at, result)| done[at] = Some(result));
        let wanted = self.chunk as f64 * SECONDS / began.elapsed().as_secs_f64().max(1e-6);
        self.chunk = (wanted as usize).clamp(self.chunk / 2, self.chunk * 2).clamp(CHUNKS.0, CHUNKS.1);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first item never ends by itself; the others are quick.
    #[test]
    fn a_stop_ends_an_item_and_keeps_those_before_it() {
        for threads in [1, 2, 4] {
            let flag = StopFlag::new();
            let mut workers = Workers::new(Some(threads)).unwrap();
            let began = Instant::now();
            let work = |item: u32| {
                if item != 150 {
                    return item;
                }
                loop {
                    stop::ask();
                    if began.elapsed().as_millis() > 50 {
                        flag.set();
                    }
                }
            };
            let mut taken = Vec::new();
            let ended = workers.run(0..1000, &flag, work, |items| {
                taken.extend(items);
                Ok::<(), ()>(())
            });
            assert_eq!((ended, taken), (Ok(false), (0..150).collect::<Vec<_>>()));
            let done =
                Workers::new(Some(threads)).unwrap().work((0..90_usize).collect(), &StopFlag::new(), |item| 2 * item);
            assert!(done.into_iter().enumerate().all(|(at, item)| item == Some(2 * at)));
        }
    }
}
