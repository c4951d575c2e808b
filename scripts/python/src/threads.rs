//! Work on many rows: on the threads of this process, interruptible by Ctrl-C.
//!
//! ```text
//!   one thread, or one row      the calling thread does the rows. Between them, and where the work asks, it looks for signals
//!   several threads             a pool does the rows; the calling thread waits and looks for signals
//! ```
//!
//! **After a fork** a process has the memory of its parent, but none of its threads. So a pool belongs to the process that started
//! it, and a child starts its own. The list of pools is only locked by a thread that holds the interpreter's lock. A fork needs that
//! lock too, so a child never inherits a locked list. Nothing here uses the global pool of rayon.

use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use rayon::ThreadPool;
use rayon::prelude::*;
use sudoku_corpus::corpus::{StopFlag, thread_pool};
use sudoku_corpus::stop;

use super::refused;

/// How often signals are looked for.
const PAUSE: Duration = Duration::from_millis(50);

/// The pools of a process, each with the number of threads that was asked for.
struct Pools {
    process: u32,
    started: Vec<(Option<usize>, Arc<ThreadPool>)>,
}

static POOLS: Mutex<Pools> = Mutex::new(Pools { process: 0, started: Vec::new() });

/// The pool of this process with a number of threads; None means one for each core.
fn pool(_lock: Python<'_>, threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if pools.process != std::process::id() {
        // The threads of these pools are in the parent. Ending a pool would wait for them.
        std::mem::forget(std::mem::take(&mut pools.started));
        pools.process = std::process::id();
    }
    if let Some((_, pool)) = pools.started.iter().find(|(of, _)| *of == threads) {
        return Ok(pool.clone());
    }
    let pool = Arc::new(thread_pool(threads).map_err(refused)?);
    pools.started.push((threads, pool.clone()));
    Ok(pool)
}

/// Signals that arrive while rows are worked on.
pub(crate) struct Signals {
    stop: StopFlag,
    raised: Mutex<Option<PyErr>>,
}

thread_local! {
    /// When this thread last looked for signals; None if it is a thread of a pool, which cannot.
    static LOOKED: Cell<Option<Instant>> = const { Cell::new(None) };
}

impl Signals {
    fn new() -> Signals {
        Signals { stop: StopFlag::new(), raised: Mutex::new(None) }
    }

    /// Set when a signal ends the work.
    pub(crate) fn stop(&self) -> &StopFlag {
        &self.stop
    }

    /// Looks for signals if this is the calling thread and it has not looked for a while. For work that takes long for one row.
    pub(crate) fn look(&self) {
        if LOOKED.get().is_some_and(|last| last.elapsed() > PAUSE) {
            LOOKED.set(Some(Instant::now()));
            self.check();
        }
    }

    fn check(&self) {
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.stop.set();
        }
    }

    /// The results, or what a signal raised.
    fn results<T>(self, rows: Vec<Option<T>>) -> PyResult<Vec<T>> {
        match self.raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(rows.into_iter().flatten().collect()),
        }
    }
}

/// The results of rows, in order. The interpreter's lock is released.
///
/// # Errors
/// A number of threads that is not 1 to 1024, threads that the system refuses, rows that do not fit in memory, and what a
/// signal raises.
pub(crate) fn each<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    rows: usize,
    work: impl Fn(usize, &Signals) -> T + Sync,
) -> PyResult<Vec<T>> {
    if let Some(threads) = threads.filter(|threads| !(1..=1024).contains(threads)) {
        return Err(refused(format!("threads must be 1 to 1024, not {threads}")));
    }
    // A number from outside: a vector that does not fit would end the interpreter.
    let mut done = Vec::new();
    let fits = done.try_reserve_exact(rows);
    fits.map_err(|_| PyMemoryError::new_err(format!("{rows} rows do not fit in memory")))?;
    let signals = Signals::new();
    if rows <= 1 || threads == Some(1) {
        let done = py.detach(|| {
            let outer = LOOKED.replace(Some(Instant::now()));
            let one = |row| {
                signals.look();
                (!signals.stop.is_set()).then(|| work(row, &signals))
            };
            done.extend((0..rows).map(one));
            LOOKED.set(outer);
            done
        });
        return signals.results(done);
    }
    let pool = pool(py, threads)?;
    let done = py.detach(|| {
        let flag = signals.stop.shared();
        let (ended, end) = mpsc::channel::<()>();
        pool.in_place_scope(|scope| {
            let (done, flag, signals, work) = (&mut done, &flag, &signals, &work);
            scope.spawn(move |_| {
                let one = |row| stop::until(flag, || work(row, signals));
                (0..rows).into_par_iter().map(one).collect_into_vec(done);
                drop(ended);
            });
            while end.recv_timeout(PAUSE) == Err(mpsc::RecvTimeoutError::Timeout) {
                signals.check();
            }
        });
        done
    });
    signals.results(done)
}
