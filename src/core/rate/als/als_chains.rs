//! Chains of almost locked sets, each linked to the next by a restricted common digit: ALS-XY-Wing, ALS chain.
//!
//! ```text
//!   A --x-- C --y-- B      C lacks at most one of x and y. So A lacks x or B lacks y: A or B is locked,
//!                          and a digit z that both have is in A or in B.
//! ```
//!
//! * **ALS-XY-Wing**: A and B are linked to a third set C by different digits x and y. Cells that see all places of z
//!   in A and B lose it.
//! * **ALS chain**: the same with more sets between. Neighbouring links differ, and z is neither the first nor the
//!   last.
//!
//! Neighbours do not overlap, nor do A and B of a wing, as in HoDoKu, except in some cases of its library.
//!
//! A state is a set with a digit that it loses, or that it takes from the next one. One search finds the shortest chains
//! from all starts: each state carries a bit set of the starts that reach it. What chains of any length can remove is
//! known before, and only sets that can remove some of it are starts. Often there are none.
//!
//! Reference: Sudopedia, "ALS-XY-Wing", "ALS-XY-Chain"; HoDoKu, Almost Locked Sets.

use std::array::from_fn;
use std::collections::VecDeque;
use std::ops::RangeInclusive;

use crate::board::{CellSet, Digits};

use super::xz::{common, pattern};
use crate::rate::bits::{exceeds, insert, is_empty, meet, members, row, row_mut, unite};
use crate::rate::ladder::sink::Sink;
use crate::rate::position::Position;
use crate::rate::position::restricted_commons::{NOTHING, Part, RestrictedCommons};

const MOST_SETS: usize = 12;

pub fn als_xy_wings<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    chains(position, 3..=3, sink);
}

/// Every pair of ends of an ALS chain of four or more sets, each with a shortest chain.
pub fn als_chains<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    chains(position, 4..=MOST_SETS, sink);
}

/// Offers what chains remove, length by length. Longer chains continue from the wings that a ladder searched before.
fn chains<S: CellSet>(position: &Position<'_, S>, lengths: RangeInclusive<usize>, sink: &mut impl Sink<S>) {
    let commons = position.restricted_commons();
    let mut kept = position.wave().borrow_mut();
    for length in 3..=*lengths.end() {
        if length as u32 > sink.last_priority() {
            return;
        }
        kept.take_if(|wave| wave.length > length);
        let wave = kept.get_or_insert_with(|| Wave::new(commons));
        if wave.length < length {
            wave.advance(commons);
        }
        if lengths.contains(&length) {
            offer(position, wave, sink);
        }
        if wave.active.is_empty() {
            return;
        }
    }
}

fn offer<S: CellSet>(position: &Position<'_, S>, wave: &Wave, sink: &mut impl Sink<S>) {
    let (marks, commons, is_wing) = (position.marks, position.restricted_commons(), wave.length == 3);
    for &end in &wave.active {
        for last in commons.states(end) {
            let (_, lost) = commons.owner[last];
            for from in members(row(&wave.front, last, wave.words)).map(|from| wave.starts[from]) {
                let (start, first) = commons.owner[from];
                let is_worth = start < end && commons.remove_together(from, last);
                if is_worth && !(is_wing && commons.overlap(start, end)) {
                    let out = common(marks, commons, start, end, Digits::only(first) | Digits::only(lost));
                    sink.eliminate_at(wave.length as u32, &out, || pattern(commons, &path(commons, from, last)));
                }
            }
        }
    }
}

/// The candidates of a part that chains may remove, given those that the set of each state removes itself.
///
/// A candidate that is true takes its digit from the sets that would remove it. Each of them keeps its other digits and
/// takes them from the sets that they link. If such a set is one of the first sets itself, it loses a second digit, so the
/// candidate may be false. One search follows all candidates, without regard to lengths.
fn removable<S: CellSet>(commons: &RestrictedCommons<S>, own: &[Part]) -> Part {
    // [state]: the candidates that take the digit from the set, and those that take another one, so that it keeps this.
    let (mut lost, mut kept) = (vec![NOTHING; own.len()], own.to_vec());
    let mut removable = NOTHING;
    let (mut is_pending, mut any) = (vec![true; commons.sets.all.len()], true);
    while std::mem::take(&mut any) {
        for set in 0..is_pending.len() {
            if !std::mem::take(&mut is_pending[set]) {
                continue;
            }
            let (mut once, mut twice) = (NOTHING, NOTHING);
            for state in commons.states(set) {
                let mut now = NOTHING;
                commons.linked(state).for_each(|other| unite(&mut now, &kept[other]));
                for (at, &now) in now.iter().enumerate() {
                    removable[at] |= now & own[state][at];
                    twice[at] |= once[at] & now;
                    once[at] |= now;
                }
                lost[state] = now;
            }
            for state in commons.states(set) {
                let (lost, kept) = (&lost[state], &mut kept[state]);
                let more: Part = from_fn(|at| (once[at] & !lost[at] | twice[at]) & !removable[at]);
                if exceeds(&more, kept) {
                    unite(kept, &more);
                    commons.linked(state).for_each(|other| is_pending[commons.owner[other].0] = true);
                    any = true;
                }
            }
        }
    }
    removable
}

/// The chains of one length from all starts.
#[derive(Debug)]
pub(crate) struct Wave {
    length: usize,
    words: usize,
    /// The states from which chains start, and at which they end.
    starts: Vec<usize>,
    /// [state][word]: the starts that have reached the state, and those of its own set, to which no chain returns.
    known: Vec<u64>,
    /// [state][word]: the starts that reached the state with chains of this length.
    front: Vec<u64>,
    next: Vec<u64>,
    /// The sets with a state that was reached by chains of this length.
    active: Vec<usize>,
}

impl Wave {
    fn new<S: CellSet>(commons: &RestrictedCommons<S>) -> Wave {
        let states = commons.owner.len();
        let mut is_start = vec![false; states];
        for part in 0..commons.parts {
            let own: Vec<Part> = commons.own(part).copied().collect();
            let removable = removable(commons, &own);
            is_start.iter_mut().zip(own).for_each(|(is_start, own)| *is_start |= meet(&own, &removable));
        }
        let starts: Vec<usize> = (0..states).filter(|&state| is_start[state]).collect();
        let words = starts.len().div_ceil(64);
        let none = || vec![0; states * words];
        let mut wave =
            Wave { length: 2, words, starts, known: none(), front: none(), next: none(), active: Vec::new() };
        for (number, &start) in wave.starts.iter().enumerate() {
            commons.linked(start).for_each(|other| insert(row_mut(&mut wave.next, other, words), number));
            let own = commons.states(commons.owner[start].0);
            own.for_each(|own| insert(row_mut(&mut wave.known, own, words), number));
        }
        wave.settle(commons);
        wave
    }

    /// Goes on from the states that were reached last.
    fn advance<S: CellSet>(&mut self, commons: &RestrictedCommons<S>) {
        self.length += 1;
        let mut leaving = vec![0; self.words];
        for set in std::mem::take(&mut self.active) {
            for state in commons.states(set) {
                leaving.fill(0);
                for lost in commons.states(set).filter(|&lost| lost != state) {
                    unite(&mut leaving, row(&self.front, lost, self.words));
                }
                if !is_empty(&leaving) {
                    commons.linked(state).for_each(|to| unite(row_mut(&mut self.next, to, self.words), &leaving));
                }
            }
        }
        self.settle(commons);
    }

    /// Keeps the new starts among those that reached each state.
    fn settle<S: CellSet>(&mut self, commons: &RestrictedCommons<S>) {
        for set in 0..commons.sets.all.len() {
            let mut any = 0;
            for state in commons.states(set) {
                let [known, front, next] =
                    [&mut self.known, &mut self.front, &mut self.next].map(|rows| row_mut(rows, state, self.words));
                for ((known, front), next) in known.iter_mut().zip(front).zip(next) {
                    *front = *next & !*known;
                    *known |= *front;
                    *next = 0;
                    any |= *front;
                }
            }
            if any != 0 {
                self.active.push(set);
            }
        }
    }
}

/// The sets of a shortest chain.
fn path<S: CellSet>(commons: &RestrictedCommons<S>, start: usize, end: usize) -> Vec<usize> {
    let first_set = commons.owner[start].0;
    let mut from = vec![None; commons.owner.len()];
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        // The first link is by the digit of the start; the others are by a digit that the set has not lost.
        let states = commons.states(commons.owner[at].0);
        for by in states.filter(|&by| (by == at) == (at == start)) {
            for next in commons.linked(by).filter(|&next| commons.owner[next].0 != first_set) {
                if from[next].is_none() {
                    from[next] = Some(at);
                    queue.push_back(next);
                }
            }
        }
    }
    let mut states = vec![end];
    while let Some(before) = from[states[states.len() - 1]] {
        states.push(before);
    }
    states.iter().rev().map(|&state| commons.owner[state].0).collect()
}
