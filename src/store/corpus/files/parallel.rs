//! Processes many items on the threads of rayon and passes on the results in order, in bounded memory.
//!
//! ```text
//!   the caller     passes on the results of the batch before, takes the items of the next, then works with the others
//!   all threads    work on the items of a batch
//! ```
//!
//! The caller alone takes items and passes on results, so neither must be safe for threads. What the caller does for an
//! item is the only part that more threads do not make faster: readers pass on what others decode ([`Input::unread`]),
//! and writers take what others have encoded.
//!
//! The size of a batch follows from the time of the last one, so that progress is reported several times a second. It
//! does not influence the results. Each item asks for the stop inside ([`stop::until`]); what is finished is kept.
//!
//! There is one pool. The program makes it before its work ([`start_threads`]), and the thread of the caller is one of
//! it. Whoever uses the library may make another ([`thread_pool`]) and work inside of it.
//!
//! [`Input::unread`]: super::input::Input::unread

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::progress::StopFlag;
use crate::corpus::values::error::{CorpusError, Result};
use sudoku_corpus_core::stop;

/// How much memory an item takes until its result is passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemSize {
    /// As much as a row.
    Small,
    /// Megabytes, so only a few are there at a time.
    Large,
}

impl ItemSize {
    /// The number of items of the next batch, after one that took this time.
    fn of_next_batch(self, last: usize, threads: usize, time: Duration) -> usize {
        let most = if self == ItemSize::Large { threads } else { MOST_ITEMS };
        let next = if time < BATCH_TIME { 2 * last } else { (last / 2).max(4 * threads) };
        next.min(most)
    }
}

/// The most small items of a batch.
const MOST_ITEMS: usize = 2_048;

/// The time that a batch should take.
const BATCH_TIME: Duration = Duration::from_millis(200);

/// Makes a pool of threads. None means one thread for each core.
///
/// # Errors
/// The system refuses them.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn thread_pool(threads: Option<usize>) -> Result<ThreadPool> {
    ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build().map_err(refused)
}

/// Makes the pool of the program, of which the calling thread is one; rayon would make it when it is first needed, and
/// panic if the system refuses the threads. Later calls give the result of the first.
///
/// # Errors
/// The system refuses the threads.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn start_threads(threads: Option<usize>) -> Result<()> {
    static STARTED: OnceLock<Result<(), String>> = OnceLock::new();
    let started = STARTED.get_or_init(|| {
        let builder = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).use_current_thread();
        builder.build_global().map_err(|error| error.to_string())
    });
    started.clone().map_err(refused)
}

/// Starts a thread for work beside that of the caller.
///
/// # Errors
/// The system refuses it.
pub fn spawn(work: impl FnOnce() + Send + 'static) -> Result<()> {
    thread::Builder::new().spawn(work).map(drop).map_err(refused)
}

fn refused(error: impl ToString) -> CorpusError {
    CorpusError::Threads { reason: error.to_string() }
}

/// What a lock guards, also after a panic of another thread.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

thread_local! {
    /// True while this thread works on an item.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Does work on an item, and marks the thread meanwhile.
fn inside<R>(work: impl FnOnce() -> R) -> R {
    let outer = INSIDE.replace(true);
    let result = work();
    INSIDE.set(outer);
    result
}

/// Processes all items. `take` gets the results of one batch after the other, in order. False if it was stopped; `take`
/// has then got the results of all items before the first that is not finished.
///
/// # Errors
/// The first error of `take`.
pub fn in_order<T: Send, U: Send, E>(
    size: ItemSize,
    items: impl IntoIterator<Item = T>,
    stop: &StopFlag,
    work: impl Fn(T) -> U + Sync,
    mut take: impl FnMut(Vec<U>) -> Result<(), E>,
) -> Result<bool, E> {
    let flag = stop.shared();
    let work_on = |item: T| inside(|| stop::until(&flag, || work(item)));
    // Inside of an item, which is one of many, the thread works alone.
    let threads = if INSIDE.get() { 1 } else { rayon::current_num_threads() };
    // The first batches are small, so that a slow source need not give many items before work begins.
    let mut batch_size = threads;
    let mut items = items.into_iter().fuse();
    let mut batch: Vec<T> = items.by_ref().take(batch_size).collect();
    // The results of the batch before; None for items that were stopped.
    let mut results: Vec<Option<U>> = Vec::new();
    loop {
        let began = Instant::now();
        let finished = results.iter().take_while(|result| result.is_some()).count();
        let is_whole = finished == results.len();
        let is_last = batch.is_empty();
        let finished_results: Vec<U> = results.drain(..finished).flatten().collect();
        let mut next_batch = Vec::new();
        let pass_on = || -> Result<(), E> {
            if !finished_results.is_empty() {
                take(finished_results)?;
            }
            if !stop.is_set() {
                next_batch.extend(items.by_ref().take(batch_size));
            }
            Ok(())
        };
        if threads == 1 || is_last {
            pass_on()?;
            results = batch.into_iter().map(&work_on).collect();
        } else {
            rayon::in_place_scope(|scope| {
                scope.spawn(|_| results = batch.into_par_iter().with_max_len(1).map(&work_on).collect());
                pass_on()
            })?;
        }
        if is_last || !is_whole {
            return Ok(is_whole && !stop.is_set());
        }
        batch = next_batch;
        batch_size = size.of_next_batch(batch_size, threads, began.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// The first item never ends by itself; the others are quick.
    #[test]
    fn a_stop_ends_an_item_and_keeps_those_before_it() {
        for threads in [1, 2, 4] {
            let flag = StopFlag::new();
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
            let pool = thread_pool(Some(threads)).unwrap();
            let ended = pool.install(|| {
                in_order(ItemSize::Small, 0..1000, &flag, work, |items| {
                    taken.extend(items);
                    Ok::<(), ()>(())
                })
            });
            assert_eq!((ended, taken), (Ok(false), (0..150).collect::<Vec<_>>()));
        }
    }

    /// Threads of a pool, and a caller outside of it, give all results in order, those of items inside of items too.
    #[test]
    fn results_have_the_order_of_the_items() {
        let squares = |size: ItemSize, items: u64| {
            let mut taken = Vec::new();
            let work = |item: u64| {
                let mut sum = 0;
                let take = |inner: Vec<u64>| {
                    sum += inner.iter().sum::<u64>();
                    Ok::<(), ()>(())
                };
                assert_eq!(in_order(size, 0..item % 7, &StopFlag::new(), |inner| inner, take), Ok(true));
                (item, sum)
            };
            let ended = in_order(size, 0..items, &StopFlag::new(), work, |results| {
                taken.extend(results);
                Ok::<(), ()>(())
            });
            assert_eq!(ended, Ok(true));
            assert!(taken.iter().copied().eq((0..items).map(|item| (item, (0..item % 7).sum()))));
        };
        for size in [ItemSize::Small, ItemSize::Large] {
            squares(size, 5_000);
            for threads in [1, 3] {
                thread_pool(Some(threads)).unwrap().install(|| squares(size, 5_000));
            }
        }
    }

    /// At most a few large items are in memory; an error ends the work, and a panic reaches the caller.
    #[test]
    fn items_are_bounded_and_errors_and_panics_reach_the_caller() {
        let pool = thread_pool(Some(2)).unwrap();
        let (begun, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |item: usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            if item == 300 { Err(item) } else { Ok(item) }
        };
        let failed = pool.install(|| {
            in_order(ItemSize::Large, 0..1_000_000, &StopFlag::new(), work, |results| {
                for result in results {
                    most.fetch_max(begun.load(Ordering::Relaxed).saturating_sub(result?), Ordering::Relaxed);
                }
                Ok::<(), usize>(())
            })
        });
        assert_eq!(failed, Err(300));
        assert!(most.into_inner() <= 5 && begun.into_inner() < 310);
        let work = |item: u32| assert!(item < 70, "too large");
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            pool.install(|| in_order(ItemSize::Small, 0..1000, &StopFlag::new(), work, |_| Ok::<(), ()>(())))
        }));
        assert!(outcome.is_err_and(|panic| panic.downcast_ref() == Some(&"too large")));
    }
}
