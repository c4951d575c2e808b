//! Depth-first search: sweep until nothing changes, then branch.
//!
//! ```text
//!   sweep, sweep, sweep ... --> dead: take the next position from the stack
//!                           --> solved: report it, take the next position from the stack
//!                           --> open: choose a cell, go on with one candidate, put the other candidates on the stack
//!
//!   cells    branching at cells
//!   ways     branching on the ways of a digit through a band or stack
//!   stack    what is left to try
//! ```
//!
//! Where only the number of solutions counts, a search that has met no dead end branches in two cells at once from its
//! second guess on, because such puzzles mostly have several solutions. If the givens settled few other cells and many
//! cells have equally few candidates, it branches in three cells from its first guess on. One that has met some dead
//! ends branches on ways. Before that, it applies the rule of triads, an idea of tdoku (T. Dillon).
//! [`super::rules::sweep`] defines both.
//!
//! `reports/tried.md` says what lost against this.

pub(super) mod cells;
pub(super) mod changes;
mod stack;
mod ways;

use cells::{guess, guess_around, guess_near};
use changes::remove;
use stack::{STACK, Stack};
use ways::guess_way;

use super::rules::lanes::Lanes;
use super::rules::sweep::{
    CellCounts, cell_counts, clear_peers, equal, fewest, is_solution, lock, quiet, singles, triads,
};
use super::rules::words::{DigitWords, FULL, GUARDS, PackedCandidates};
use crate::solve::Candidate;

/// Receives each solution and returns whether to go on.
pub(super) type OnSolution<'a> = &'a mut dyn FnMut(&PackedCandidates) -> bool;

/// The number of dead ends after which [`SolutionOrder::Any`] uses triads and branches on ways. With both from the
/// first guess on, the hardest puzzles are another tenth faster, but those with several solutions take a third longer.
const EASY_DEAD_ENDS: u32 = 2;

/// If the givens of a puzzle settle no more other cells than this, it mostly has several solutions, or it is hard. With
/// 1, the gain on puzzles with several solutions is lost.
const SETTLED_OF_SEVERAL: u32 = 6;

/// Where a search starts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start<'a> {
    /// From these candidates.
    At(&'a PackedCandidates),
    /// From a solution of which only the `givens` are kept, without the candidate `barred`.
    Blanked { solution: &'a PackedCandidates, givens: DigitWords, barred: Option<Candidate> },
}

impl Start<'_> {
    /// The candidates with which the search begins, in registers.
    #[inline(always)]
    fn load<L: Lanes>(self) -> [L; 3] {
        match self {
            Start::At(position) => {
                // The first sweep then finds what follows from the givens' peers.
                let mut words = load::<L>(position);
                let twice = cell_counts(words).twice.or(L::splat(GUARDS));
                let givens = words.map(|word| word.without(twice));
                clear_peers(&mut words, givens);
                words
            }
            Start::Blanked { solution, givens, barred } => {
                let blank = L::splat(FULL).without(L::repeat(&givens));
                let [a, b, c] = load::<L>(solution);
                let mut words = [a.or(blank), b.or(blank), c.or(blank)];
                if let Some(Candidate { cell, digit }) = barred {
                    clear_peers(&mut words, [a.without(blank), b.without(blank), c.without(blank)]);
                    remove(&mut words, digit, cell);
                }
                words
            }
        }
    }
}

/// In which order a search meets the solutions.
#[derive(Clone, Copy, Debug)]
pub(super) enum SolutionOrder<'a> {
    /// Always the same order, whatever becomes faster: rows hold it.
    Fixed,
    /// Any order, the fastest way.
    Any,
    /// Solutions near a known one first: its digits (from 0, 9 for none) are tried first.
    Near(&'a [u8; 81]),
    /// Solutions near a known one, in any order, the fastest way; the known one is given as places.
    Around(&'a PackedCandidates),
}

/// The state of a position to which the rules were applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SettledState {
    /// It has no solution.
    Dead,
    /// Every cell has one digit, and the board is a solution.
    Solved,
    /// Several candidates are left somewhere.
    Open,
}

/// Reads a position into registers.
#[inline(always)]
pub(super) fn load<L: Lanes>(position: &PackedCandidates) -> [L; 3] {
    let [a, b, c] = &position.0;
    [L::load(a), L::load(b), L::load(c)]
}

#[inline(always)]
pub(super) fn store<L: Lanes>(words: [L; 3], position: &mut PackedCandidates) {
    let [a, b, c] = &mut position.0;
    words[0].store(a);
    words[1].store(b);
    words[2].store(c);
}

/// When [`settle`] leaves a position open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SettleEnd {
    /// When nothing changes.
    Rest,
    /// Also when a sweep settles no further cell. It saves half a sweep or more, and few positions need it later.
    Early,
    /// When a sweep settles no further cell, or its rules 2 and 3 remove nothing.
    Quiet,
}

/// Applies the rules until the end that is asked for.
#[inline(always)]
pub(super) fn settle<L: Lanes>(words: &mut [L; 3], end: SettleEnd) -> SettledState {
    let mut settled = L::splat(0);
    loop {
        let before = *words;
        let now = singles(words);
        if !now.alive {
            return SettledState::Dead;
        }
        if now.solved {
            return if is_solution(words) { SettledState::Solved } else { SettledState::Dead };
        }
        if end != SettleEnd::Rest && now.settled.same(settled) {
            return SettledState::Open;
        }
        settled = now.settled;
        let gone = lock(words);
        let is_at_rest = if end == SettleEnd::Quiet { quiet(words, gone) } else { equal(words, &before) };
        if is_at_rest {
            return SettledState::Open;
        }
    }
}

/// Applies the rules until nothing changes, or, without `boxes`, only those of cells and rows. Also the cells with one
/// candidate; other bits mean nothing.
#[inline(always)]
pub(super) fn rest_with<L: Lanes>(places: &mut PackedCandidates, boxes: bool) -> (SettledState, DigitWords) {
    let mut words = load::<L>(places);
    let state = if boxes {
        settle(&mut words, SettleEnd::Rest)
    } else {
        loop {
            let before = words;
            match singles(&mut words) {
                now if !now.alive => break SettledState::Dead,
                now if now.solved => break SettledState::Solved,
                _ if equal(&words, &before) => break SettledState::Open,
                _ => {}
            }
        }
    };
    store(words, places);
    let CellCounts { once, twice } = cell_counts(words);
    (state, once.without(twice).group())
}

/// The cells with fewest candidates, see [`fewest`].
#[inline(always)]
pub(super) fn narrow_cells_with<L: Lanes>(places: &PackedCandidates) -> DigitWords {
    fewest(&load::<L>(places)).group()
}

/// How far a search has come, and what it does next.
struct Course<'a> {
    start: Start<'a>,
    order: SolutionOrder<'a>,
    /// The guesses of the orders [`SolutionOrder::Fixed`] and [`SolutionOrder::Any`]; the others count none.
    guesses: u32,
    dead_ends: u32,
    /// The largest number of cells to branch at in the last guess.
    most_cells: u32,
    /// True if the rules may end before nothing changes.
    is_early: bool,
}

impl<'a> Course<'a> {
    /// True unless the order of the solutions must not depend on where the rules end.
    #[inline(always)]
    fn may_be_early(&self) -> bool {
        !matches!(self.order, SolutionOrder::Fixed)
    }

    /// True if triads and ways pay.
    #[inline(always)]
    fn is_hard(&self) -> bool {
        self.dead_ends >= EASY_DEAD_ENDS && matches!(self.order, SolutionOrder::Any)
    }

    /// When the rules end. `Quiet` is for [`SolutionOrder::Any`] alone: `Near` and `Around`, whose first solutions rows
    /// hold, count no guesses, and `Fixed` is never early.
    #[inline(always)]
    fn settle_end(&self) -> SettleEnd {
        match self.is_early {
            false => SettleEnd::Rest,
            true if self.guesses > 0 => SettleEnd::Quiet,
            true => SettleEnd::Early,
        }
    }

    /// True if the rules settled few cells besides the givens.
    #[inline(always)]
    fn has_settled_few<L: Lanes>(&self, words: &[L; 3]) -> bool {
        let Start::At(givens) = self.start else { return false };
        let blank = cell_counts(load::<L>(givens)).twice;
        let settled = blank.without(cell_counts(*words).twice).group();
        settled.iter().map(|word| word.count_ones()).sum::<u32>() <= SETTLED_OF_SEVERAL
    }

    /// The largest number of cells to branch at in the next guess.
    #[inline(always)]
    fn next_most_cells<L: Lanes>(&self, words: &[L; 3]) -> u32 {
        match self.order {
            SolutionOrder::Any if self.dead_ends > 0 => 1,
            SolutionOrder::Any if self.guesses > 1 => self.most_cells.max(2),
            SolutionOrder::Any if self.has_settled_few(words) => 3,
            _ => 1,
        }
    }

    /// Branches. False if the position has no cell to branch at.
    #[inline(always)]
    fn branch<L: Lanes>(&mut self, words: &mut [L; 3], stack: &mut Stack) -> bool {
        if let SolutionOrder::Near(solution) = self.order {
            guess_near(words, stack, solution)
        } else if let SolutionOrder::Around(solution) = self.order {
            guess_around(words, stack, &load(solution)) || guess(words, stack, 0, &mut 1)
        } else {
            self.guesses += 1;
            self.most_cells = self.next_most_cells(words);
            self.is_hard() && guess_way(words, stack) || guess(words, stack, self.guesses, &mut self.most_cells)
        }
    }

    /// The known solution to which the stack refers.
    #[inline(always)]
    fn solution_around(&self) -> Option<&'a PackedCandidates> {
        if let SolutionOrder::Around(solution) = self.order { Some(solution) } else { None }
    }
}

/// Calls `on_solution` with the solutions of a position until it asks to stop.
#[inline(always)]
pub(super) fn explore_with<L: Lanes>(start: Start, order: SolutionOrder, on_solution: OnSolution) {
    let mut course = Course { start, order, guesses: 0, dead_ends: 0, most_cells: 1, is_early: false };
    course.is_early = course.may_be_early();
    let mut stack = STACK.take();
    let mut words = start.load::<L>();
    loop {
        match settle(&mut words, course.settle_end()) {
            SettledState::Dead => course.dead_ends += 1,
            SettledState::Solved => {
                let mut position = PackedCandidates::BLANK;
                store(words, &mut position);
                if !on_solution(&position) {
                    break;
                }
            }
            SettledState::Open => {
                if course.is_hard() && triads(&mut words) {
                    continue;
                }
                let has_branched = course.branch(&mut words, &mut stack);
                // A position that no rule changes has a cell with several candidates, or it has no solution at all.
                // After an early end, the rules may have more to say.
                if has_branched || course.is_early {
                    course.is_early = has_branched && course.may_be_early();
                    continue;
                }
            }
        }
        let Some(next) = stack.pop(course.solution_around()) else { break };
        words = next;
        course.is_early = course.may_be_early();
    }
    stack.give_back();
}
