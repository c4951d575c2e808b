//! Search: sweep until nothing moves, then branch; up to four positions at the same time.
//!
//! ```text
//!   slots   [ position | position | position |    -     ]   all swept together, one register a digit
//!   stack   position position position ...                  the other branches, the latest on top
//! ```
//!
//! A slot that dies takes the top of the stack; a slot in which nothing moves any more branches, one branch stays in
//! the slot and the other goes to a free slot or to the stack. Hard puzzles spend their time in searches with hundreds of
//! positions, and four cost a machine with 512-bit registers little more than one; both branches of a guess have to be
//! looked at anyway before a solution is called the only one.
//!
//! The order of events is the same whatever the width of the registers: all live slots make one sweep, then they are
//! looked at from the last to the first. So the solutions come in the same order on every machine.

use super::lanes::{Lanes, Level, Portable};
use super::sweep::sweep;
use super::words::{CELLS, Position, Slots, cell_at};
use std::cell::Cell;

/// Is told each solution; says whether to go on.
pub(super) type Found<'a> = &'a mut dyn FnMut(&Position) -> bool;

/// No digit is to be tried first.
pub(super) const NO_FAVOURITES: [u8; 81] = [9; 81];

/// What happened to the slots in a sweep: bit 4s for slot s.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Event {
    /// Some cell or row has no candidate left.
    dead: u32,
    /// Each row has one place for each digit, each cell one digit.
    solved: u32,
    /// Nothing moved.
    still: u32,
}

impl Event {
    fn happened(self) -> bool {
        self.dead | self.solved | self.still != 0
    }

    fn shifted(self, slots: usize) -> Event {
        Event { dead: self.dead << (4 * slots), solved: self.solved << (4 * slots), still: self.still << (4 * slots) }
    }

    fn and(self, other: Event) -> Event {
        Event { dead: self.dead | other.dead, solved: self.solved | other.solved, still: self.still | other.still }
    }
}

/// How a machine sweeps the live slots.
pub(super) trait Machine {
    /// Sweeps slots 0..`live` (1 to 4) until something happens to one of them.
    fn run(slots: &mut Slots, live: usize) -> Event;
}

/// One sweep of `L::SLOTS` slots in registers, `live` of which count.
#[inline(always)]
fn step<L: Lanes>(words: &mut [L; 9], live: usize) -> Event {
    let signs = sweep(words);
    let slots = 0x1111 & ((1 << (4 * live)) - 1);
    let all = |lanes: u32| {
        let pairs = lanes & lanes >> 1;
        pairs & pairs >> 2 & slots
    };
    let solved = signs.solved & signs.solved >> 1 & signs.solved >> 2 & slots;
    Event { dead: slots & !all(signs.alive), solved, still: all(signs.still) }
}

#[inline(always)]
fn load<L: Lanes>(slots: &Slots, first: usize) -> [L; 9] {
    let [a, b, c, d, e, f, g, h, i] = &slots.0;
    [a, b, c, d, e, f, g, h, i].map(
        #[inline(always)]
        |row| L::load(&row[first..]),
    )
}

#[inline(always)]
fn store<L: Lanes>(words: &[L; 9], slots: &mut Slots, first: usize) {
    for (word, row) in words.iter().zip(&mut slots.0) {
        word.store(&mut row[first..]);
    }
}

/// [`Machine::run`] where one register holds all live slots.
#[inline(always)]
pub(super) fn run<L: Lanes>(slots: &mut Slots, live: usize) -> Event {
    let mut words = load::<L>(slots, 0);
    loop {
        let event = step(&mut words, live);
        if event.happened() {
            store(&words, slots, 0);
            return event;
        }
    }
}

/// [`Machine::run`] where it takes several registers.
#[inline(always)]
pub(super) fn run_in_parts<L: Lanes>(slots: &mut Slots, live: usize) -> Event {
    loop {
        let mut event = Event::default();
        for first in (0..live).step_by(L::SLOTS) {
            let mut words = load::<L>(slots, first);
            event = event.and(step(&mut words, L::SLOTS.min(live - first)).shifted(first));
            store(&words, slots, first);
        }
        if event.happened() {
            return event;
        }
    }
}

impl Machine for Portable {
    #[inline(always)]
    fn run(slots: &mut Slots, live: usize) -> Event {
        if live == 1 { run::<Portable>(slots, live) } else { run_in_parts::<Portable>(slots, live) }
    }
}

/// What a position is once no rule moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It has no solution.
    Dead,
    /// It is a solution.
    Solved,
    /// Several candidates are left somewhere.
    Open,
}

/// Applies the rules to the position in slot 0 until nothing moves.
#[inline(always)]
pub(super) fn settle<M: Machine>(slots: &mut Slots) -> State {
    let event = M::run(slots, 1);
    if event.dead != 0 {
        State::Dead
    } else if event.solved == 0 {
        State::Open
    } else if is_solution(&slots.get(0)) {
        State::Solved
    } else {
        State::Dead
    }
}

/// Sweeping can stop at a position whose last step emptied a box; so columns and boxes are looked at once more.
/// Each row is known to hold each digit once, and each cell one digit.
fn is_solution(position: &Position) -> bool {
    position.0.iter().all(|words| {
        let mut columns = 0;
        let mut boxes = true;
        for &word in &words[..3] {
            let band = (word | word >> 10 | word >> 20) & 0x1ff;
            columns |= band;
            boxes &= band & 0o7 != 0 && band & 0o70 != 0 && band & 0o700 != 0;
        }
        columns == 0x1ff && boxes
    })
}

/// A cell to branch on: lane, bit, candidates (digits 0..9 as bits).
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub(super) lane: usize,
    pub(super) bit: u32,
    pub(super) digits: u32,
}

/// The first cell with fewest candidates, two or more; None when every cell has one.
#[inline(always)]
pub(super) fn fewest(position: &Position) -> Option<Branch> {
    let mut counts = [[0u32; 4]; 3];
    let [once, twice, thrice] = &mut counts;
    for words in &position.0 {
        for lane in 0..3 {
            let word = words[lane] & CELLS;
            thrice[lane] |= twice[lane] & word;
            twice[lane] |= once[lane] & word;
            once[lane] |= word;
        }
    }
    for lane in 0..3 {
        let pairs = twice[lane] & !thrice[lane];
        if pairs != 0 {
            let bit = pairs.trailing_zeros();
            return Some(Branch { lane, bit, digits: position.candidates(lane, bit) });
        }
    }
    let mut best: Option<Branch> = None;
    for (lane, &cells) in thrice.iter().enumerate().take(3) {
        let mut rest = cells;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let digits = position.candidates(lane, bit);
            if best.is_none_or(|best| digits.count_ones() < best.digits.count_ones()) {
                best = Some(Branch { lane, bit, digits });
            }
        }
    }
    best
}

/// The positions of one search.
struct Search {
    slots: Slots,
    live: usize,
    stack: Vec<Position>,
}

thread_local! {
    /// A stack that was used before, so that few searches have to allocate one.
    static STACK: Cell<Vec<Position>> = const { Cell::new(Vec::new()) };
}

impl Search {
    /// The slot has nothing left to look at.
    #[inline(always)]
    fn free(&mut self, slot: usize) {
        if let Some(position) = self.stack.pop() {
            self.slots.put(slot, &position);
        } else {
            self.live -= 1;
            for row in &mut self.slots.0 {
                row[slot] = row[self.live];
            }
        }
    }

    /// Splits a slot in two by one candidate of a cell: it is the digit, or it is not.
    #[inline(always)]
    fn branch(&mut self, slot: usize, favourites: &[u8; 81]) {
        let mut position = self.slots.get(slot);
        // A position that no rule moves has a cell with several candidates, or it has no solution at all.
        let Some(Branch { lane, bit, digits }) = fewest(&position) else { return self.free(slot) };
        let favourite = digits & 1 << favourites[cell_at(lane, bit)];
        let digit = if favourite != 0 { favourite } else { digits }.trailing_zeros() as usize;
        let mut other = position;
        position.place(digit, lane, bit);
        self.slots.put(slot, &position);
        other.remove(digit, lane, bit);
        if self.live < 4 {
            self.slots.put(self.live, &other);
            self.live += 1;
        } else {
            self.stack.push(other);
        }
    }
}

/// Tells `found` the solutions of a position until it says to stop. `favourites` names the digit (from 0) to be tried
/// first in each cell, 9 for none.
#[inline(always)]
pub(super) fn explore_with<M: Machine>(start: &Position, favourites: &[u8; 81], found: Found) {
    let mut search = Search { slots: Slots::BLANK, live: 1, stack: STACK.take() };
    search.slots.put(0, start);
    'search: while search.live > 0 {
        let event = M::run(&mut search.slots, search.live);
        for slot in (0..search.live).rev() {
            let bit = 1 << (4 * slot);
            if event.dead & bit != 0 {
                search.free(slot);
            } else if event.solved & bit != 0 {
                let position = search.slots.get(slot);
                if is_solution(&position) && !found(&position) {
                    break 'search;
                }
                search.free(slot);
            } else if event.still & bit != 0 {
                search.branch(slot, favourites);
            }
        }
    }
    search.stack.clear();
    STACK.set(search.stack);
}

/// [`explore_with`] with the best instructions of this machine up to a level.
#[inline]
pub(super) fn explore(most: Level, start: &Position, favourites: &[u8; 81], found: Found) {
    #[cfg(target_arch = "x86_64")]
    if super::vector::explore(most, start, favourites, found) {
        return;
    }
    let _ = most;
    explore_with::<Portable>(start, favourites, found);
}
