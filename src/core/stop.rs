//! Stops work in the middle of an item: one puzzle of a large board may take minutes.
//!
//! ```text
//!   threads of the caller   until(flag, || analyze(puzzle))
//!                             solver, ladder, Sudoku Explainer, whips, T&E: ask() at every position or search
//!   a signal sets the flag      ask() unwinds to until(), which gives None
//! ```
//!
//! Searches ask here and nowhere else, and need no flag as an argument and no result that says "stopped". Work that
//! runs outside of [`until`] is never stopped.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// The flag of the item that this thread works on.
    static FLAG: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// What unwinds. It is no panic: no hook is called and nothing is printed.
struct Stopped;

/// Does work that ends early when the flag is set. None if it was ended.
pub fn until<T>(flag: &Arc<AtomicBool>, work: impl FnOnce() -> T) -> Option<T> {
    if flag.load(Ordering::Relaxed) {
        return None;
    }
    let outer = FLAG.replace(Some(flag.clone()));
    // What the work has left half changed is either its own or scratch memory, which every search fills again.
    let done = catch_unwind(AssertUnwindSafe(work));
    FLAG.set(outer);
    done.map(Some).unwrap_or_else(|panic| if panic.is::<Stopped>() { None } else { resume_unwind(panic) })
}

/// Ends the item that this thread works on if its flag is set. This takes a nanosecond or two.
#[inline]
pub fn ask() {
    let asked = FLAG.with_borrow(|flag| flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)));
    if asked {
        resume_unwind(Box::new(Stopped));
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::board::{Puzzle, Shape, Symmetry, text};
    use crate::dig::{DigOptions, Plan};
    use crate::explainer;
    use crate::generate::Method;
    use crate::ladder::{Ladder, rate};
    use crate::random::{Rng, Stage};
    use crate::solve::probe::search_depth;
    use crate::solve::{Budget, count};

    /// Each kind of work ends soon after its flag is set, however long it would take, and works as before afterwards.
    #[test]
    fn every_search_ends_when_it_is_asked_to() {
        let large = Shape::of_order(25).unwrap();
        let mut rng = Rng::new(1, 0, Stage::Generate, 0);
        let grid = Method::FewestCandidates.fill(large, &mut rng).unwrap();
        let blank = grid.masked(|_| false);
        let sparse = grid.masked(|cell| cell.index() % 5 < 2);
        let dig = DigOptions { budget: Budget::UNLIMITED, ..DigOptions::of(large) };
        let hardest = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
        let hardest = Puzzle::try_from(text::parse_line(hardest, None).unwrap()).unwrap();
        let no_limit = explainer::Options::default();
        let few = grid.masked(|cell| cell.index() % 8 < 3);
        let works: [(&str, &(dyn Fn() + Sync)); 6] = [
            ("count", &|| _ = count(&blank, u64::MAX, Budget::UNLIMITED)),
            ("search", &|| (0..1_000_000).for_each(|_| _ = search_depth(&few, Budget::UNLIMITED))),
            ("dig", &|| _ = Plan::Minimal.dig(&grid, Symmetry::None, &dig, &mut Rng::new(2, 0, Stage::Dig, 0))),
            ("ladder", &|| (0..1_000_000).for_each(|_| _ = rate(&sparse, &Ladder::default()))),
            ("explainer", &|| (0..1_000_000).for_each(|_| _ = explainer::rate(&hardest, &no_limit))),
            ("fill", &|| {
                (0..1_000_000)
                    .for_each(|_| _ = Method::FewestCandidates.fill(large, &mut Rng::new(3, 0, Stage::Generate, 0)))
            }),
        ];
        for (name, work) in works {
            let flag = Arc::new(AtomicBool::new(false));
            let setter = flag.clone();
            let began = Instant::now();
            let ended = std::thread::scope(|scope| {
                #[expect(clippy::disallowed_methods, reason = "a test may panic")]
                scope.spawn(move || {
                    std::thread::sleep(Duration::from_millis(50));
                    setter.store(true, Ordering::Relaxed);
                });
                until(&flag, work)
            });
            assert!(ended.is_none() && began.elapsed() < Duration::from_secs(20), "{name}");
        }
        assert_eq!(until(&Arc::default(), || 7), Some(7));
        ask();
        assert!(catch_unwind(|| until(&Arc::default(), || -> u8 { panic!("its own") })).is_err());
    }
}
