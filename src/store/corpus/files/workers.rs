//! Processes many items in parallel and passes on the results in order, in bounded memory.
//!
//! ```text
//!   the caller     takes items, piece by piece           passes on the results of the next piece, if they are there
//!                            |                                         ^
//!   all threads              +--> pieces that wait --> work on each ---+
//! ```
//!
//! The caller alone takes items and passes on results, and works on a piece when it has nothing else to do. So neither
//! must be safe for threads, one thread needs no other, and no thread waits at the end of a piece. What the caller does
//! for an item is the only part that more threads do not make faster: readers pass on what others decode
//! ([`Input::unread`]), and writers take what others have encoded.
//!
//! The size of a piece follows from the time of the last ones, so that progress is reported many times a second. It
//! does not influence the results. Threads take pieces in order, so that nearly all items before the last finished one
//! are finished when the work is stopped. Each item asks for the stop inside ([`stop::until`]); what is finished is
//! kept.
//!
//! [`Input::unread`]: super::input::Input::unread

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::progress::StopFlag;
use crate::corpus::values::error::{CorpusError, Result};
use sudoku_corpus_core::stop;

/// Threads that process items. They are started for each call and end with it.
pub struct Workers {
    /// The number of threads, with that of the caller.
    threads: usize,
    /// The number of items in the first piece of the next call: what the last call ended with.
    piece: usize,
    /// The most items that are in work, or done and not yet passed on. They are in memory.
    most: usize,
}

/// The usual limit of the number of items that are in work, or done and not yet passed on.
pub(crate) const MOST: usize = 4_096;

/// Pieces in work, or done and not yet passed on, for each thread: while the caller works on one, the others have
/// enough to do.
const PIECES: usize = 8;

/// The time that a piece should take.
const SECONDS: f64 = 0.01;

/// How often a caller that waits for others looks at the stop.
const LOOK: Duration = Duration::from_millis(20);

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
    let builder = match try_threads(number_of(threads)) {
        Ok(()) => ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)),
        Err(_) => ThreadPoolBuilder::new().num_threads(1).use_current_thread(),
    };
    // An error means that there are threads already.
    drop(builder.build_global());
}

/// Starts this number of threads at the same time, and ends them. Rayon asks the system once: if it gets no threads
/// then, it cannot be asked again, and parallel work panics. So the system is asked here first.
///
/// # Errors
/// The system refuses them.
fn try_threads(number: usize) -> Result<()> {
    let (hold, held) = mpsc::channel::<()>();
    let held = Arc::new(Mutex::new(held));
    let wait = || {
        let held = held.clone();
        thread::Builder::new().spawn(move || drop(held.lock().map(|held| held.recv())))
    };
    let (mut started, mut refusal) = (Vec::new(), Ok(()));
    while started.len() < number && refusal.is_ok() {
        refusal = wait().map(|thread| started.push(thread));
    }
    drop(hold);
    started.into_iter().for_each(|thread| drop(thread.join()));
    refusal.map_err(refused)
}

/// None means one thread for each core.
fn number_of(threads: Option<usize>) -> usize {
    threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
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

thread_local! {
    /// True while this thread works on an item.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// What the threads of one call share: items `T`, results `U`.
struct Shared<T, U> {
    pieces: Mutex<Pieces<T, U>>,
    /// Something waits, or the end has come.
    more: Condvar,
    /// A piece is done.
    done: Condvar,
    /// Ends what the other threads work on.
    end: Arc<AtomicBool>,
}

/// The pieces of the items.
struct Pieces<T, U> {
    /// Pieces that nobody has taken, by their numbers.
    waiting: VecDeque<(usize, Vec<T>)>,
    /// Pieces that are done and not passed on. A panic is one of the results.
    done: BTreeMap<usize, thread::Result<Vec<Option<U>>>>,
    /// The number of items in the next piece.
    size: usize,
}

/// Ends the other threads when the caller is done, however it ends.
struct Ending<'a, T, U>(&'a Shared<T, U>);

impl<T, U> Drop for Ending<'_, T, U> {
    fn drop(&mut self) {
        self.0.end.store(true, Ordering::Relaxed);
        // After this, a thread has seen the end, or waits and is woken.
        drop(self.0.lock());
        self.0.more.notify_all();
    }
}

impl<T, U> Shared<T, U> {
    fn lock(&self) -> MutexGuard<'_, Pieces<T, U>> {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on the items of a piece until the flag is set, and puts the results among those that are done. An item
    /// that the flag ended has none. `most` is the largest size of a piece.
    fn work(&self, number: usize, piece: Vec<T>, flag: &Arc<AtomicBool>, work: &impl Fn(T) -> U, most: usize) {
        let (began, items) = (Instant::now(), piece.len());
        let all = || piece.into_iter().map(|item| stop::until(flag, || work(item))).collect();
        let outer = INSIDE.replace(true);
        let done = catch_unwind(AssertUnwindSafe(all));
        INSIDE.set(outer);
        let wanted = (items as f64 * SECONDS / began.elapsed().as_secs_f64().max(1e-9)) as usize;
        let mut pieces = self.lock();
        // The size changes by at most a factor of two at a time.
        pieces.size = wanted.clamp(pieces.size.div_ceil(2), pieces.size * 2).clamp(1, most);
        pieces.done.insert(number, done);
        drop(pieces);
        self.done.notify_one();
    }

    /// Works on pieces until the end, in a thread that the caller started.
    fn help(&self, work: &impl Fn(T) -> U, most: usize) {
        loop {
            let mut pieces = self.lock();
            let (number, piece) = loop {
                if self.end.load(Ordering::Relaxed) {
                    return;
                }
                match pieces.waiting.pop_front() {
                    Some(piece) => break piece,
                    None => pieces = self.more.wait(pieces).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(pieces);
            self.work(number, piece, &self.end, work, most);
        }
    }
}

impl Workers {
    /// Workers of this number of threads, with that of the caller. None means one thread for each core.
    ///
    /// # Errors
    /// The system refuses the threads.
    pub fn new(threads: Option<usize>) -> Result<Workers> {
        let threads = number_of(threads);
        try_threads(threads - 1)?;
        Ok(Workers { threads, ..Workers::here() })
    }

    /// As many threads as the pool has in which the caller runs; inside of an item, which is one of many, the caller
    /// alone.
    pub fn here() -> Workers {
        Workers { threads: if INSIDE.get() { 1 } else { rayon::current_num_threads() }, piece: 1, most: MOST }
    }

    /// For items whose results take megabytes: fewer of them are in memory.
    pub fn of_large(self) -> Workers {
        Workers { most: 2 * self.threads, ..self }
    }

    /// Processes all items. `take` gets the results of one piece after the other, in order. False if it was stopped;
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
        let mut ended = true;
        self.each(items, stop, work, |piece| {
            let wanted = piece.len();
            let done: Vec<U> = piece.into_iter().map_while(|done| done.filter(|_| ended)).collect();
            ended &= done.len() == wanted;
            if done.is_empty() { Ok(()) } else { take(done) }
        })?;
        Ok(ended && !stop.is_set())
    }

    /// Processes items. The results have the order of the items; there is none for an item that was not finished
    /// because the work was stopped.
    pub(crate) fn work<T: Send, U: Send>(
        &mut self,
        items: Vec<T>,
        stop: &StopFlag,
        work: impl Fn(T) -> U + Sync + Send,
    ) -> Vec<Option<U>> {
        let (wanted, mut all) = (items.len(), Vec::new());
        let Ok(()) = self.each(items, stop, work, |done| {
            all.extend(done);
            Ok::<(), Infallible>(())
        });
        all.resize_with(wanted, || None);
        all
    }

    /// Like [`Workers::run`], but after a stop, `take` still gets a result, which may be None, for every item that was
    /// taken from `items`.
    ///
    /// Pieces are numbered from 0 in the order of their items. In the loop, those before `passed` have been passed on,
    /// and those before `taken` have been made. The caller does the first of these that it can: pass on the next piece,
    /// make another one, end, work on a piece, wait.
    ///
    /// # Errors
    /// The first error of `take`.
    pub(crate) fn each<T: Send, U: Send, E>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        stop: &StopFlag,
        work: impl Fn(T) -> U + Sync + Send,
        mut take: impl FnMut(Vec<Option<U>>) -> Result<(), E>,
    ) -> Result<(), E> {
        // `room`: the most pieces that are made and not passed on. `most`: the most items of a piece.
        let pieces = (PIECES * self.threads).min(self.most);
        let (room, most) = (if self.threads > 1 { pieces } else { 1 }, self.most / pieces);
        let pieces = Pieces { waiting: VecDeque::new(), done: BTreeMap::new(), size: self.piece.min(most) };
        let (more, done, end) = (Condvar::new(), Condvar::new(), Arc::new(AtomicBool::new(false)));
        let shared = Shared { pieces: Mutex::new(pieces), more, done, end };
        let (shared, work) = (&shared, &work);
        let ended = thread::scope(|scope| {
            let _ending = Ending(shared);
            let mut items = items.into_iter().fuse();
            // `seen` counts the items of all pieces.
            let (mut seen, mut taken, mut passed, mut all_taken, flag) = (0, 0, 0, false, stop.shared());
            let mut helpers = 1..self.threads;
            loop {
                let mut pieces = shared.lock();
                if let Some(done) = pieces.done.remove(&passed) {
                    drop(pieces);
                    passed += 1;
                    take(done.unwrap_or_else(|panic| resume_unwind(panic)))?;
                    continue;
                }
                // Pieces that were made go through all the same: their items end at once, without results.
                if stop.is_set() {
                    shared.end.store(true, Ordering::Relaxed);
                    all_taken = true;
                }
                if !all_taken && taken - passed < room {
                    // The first pieces are small, so that a slow source need not give many items before work begins.
                    let size = pieces.size.min(1 + seen / 4);
                    drop(pieces);
                    let piece: Vec<T> = items.by_ref().take(size).collect();
                    seen += piece.len();
                    all_taken = piece.len() < size;
                    if !piece.is_empty() {
                        shared.lock().waiting.push_back((taken, piece));
                        shared.more.notify_one();
                        taken += 1;
                        // One thread more for each piece but the first, for which the caller is enough. A thread that
                        // the system refuses now is one helper less.
                        if taken > 1 && helpers.next().is_some() {
                            drop(spawn_in(scope, || shared.help(work, most)));
                        }
                    }
                } else if passed == taken {
                    return Ok(());
                } else if let Some((number, piece)) = pieces.waiting.pop_front() {
                    drop(pieces);
                    shared.work(number, piece, &flag, work, most);
                } else {
                    drop(shared.done.wait_timeout(pieces, LOOK));
                }
            }
        });
        self.piece = shared.lock().size;
        ended
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
