//! CPU time of this thread, which does not depend on other programs on the machine.

use std::time::Duration;

/// CPU time that this thread has used.
pub fn now() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec, and the clock exists on every system that libc supports here.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The result of a piece of work, and its CPU seconds.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = now();
    let result = work();
    (result, (now() - start).as_secs_f64())
}
