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
//! One search finds the shortest chains from all starts. A start is a set with the digit of its first link. A state is
//! a set with the digit that it loses. Each state carries a bit set of the starts that reach it.
//!
//! Reference: Sudopedia, "ALS-XY-Wing", "ALS-XY-Chain"; HoDoKu, Almost Locked Sets.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use crate::board::{CellSet, Digits};

use super::als::{common, pattern};
use super::bits::{members, members_of_word, row, row_mut, unite};
use super::position::Position;
use super::restricted_commons::RestrictedCommons;
use super::sink::Sink;
use super::whip::lanes::{Work, with_vectors};
use crate::solve::nine::Instructions;

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
        let mates = commons.earlier_mates(end);
        for last in commons.states(end) {
            let (_, lost) = commons.owner[last];
            for (word, (front, mates)) in row(&wave.front, last, wave.words).iter().zip(mates).enumerate() {
                for from in members_of_word(word, front & mates) {
                    let (start, first) = commons.owner[from];
                    if !is_wing || !commons.overlap(start, end) {
                        let out = common(marks, commons, start, end, Digits::only(first) | Digits::only(lost));
                        sink.eliminate_at(wave.length as u32, &out, || pattern(commons, &path(commons, from, last)));
                    }
                }
            }
        }
    }
}

/// The chains of one length from all starts. Starts and states share their numbers: see [`RestrictedCommons::owner`].
#[derive(Debug)]
pub(super) struct Wave {
    length: usize,
    words: usize,
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
        let words = states.div_ceil(64);
        let none = || vec![0; states * words];
        let mut wave = Wave { length: 2, words, known: none(), front: none(), next: none(), active: Vec::new() };
        for set in 0..commons.sets.all.len() {
            for state in commons.states(set) {
                let next = row_mut(&mut wave.next, state, words);
                let digit = commons.owner[state].1;
                let starts = commons.linked(set, digit).map(|other| commons.at(other, digit));
                starts.for_each(|start| next[start / 64] |= 1 << (start % 64));
                let known = row_mut(&mut wave.known, state, words);
                commons.states(set).for_each(|own| known[own / 64] |= 1 << (own % 64));
            }
        }
        wave.settle(commons, 0..commons.sets.all.len());
        wave
    }

    fn advance<S: CellSet>(&mut self, commons: &RestrictedCommons<S>) {
        self.length += 1;
        with_vectors(Instructions::Avx512, Advance { wave: self, commons });
    }

    /// Keeps the new starts among those that reached the states of some sets.
    #[inline(always)]
    fn settle<S: CellSet>(&mut self, commons: &RestrictedCommons<S>, sets: impl Iterator<Item = usize>) {
        for set in sets {
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

/// Goes on from the states that were reached last.
struct Advance<'w, S> {
    wave: &'w mut Wave,
    commons: &'w RestrictedCommons<S>,
}

impl<S: CellSet> Work for Advance<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Advance { wave, commons } = self;
        let Wave { words, front, next, active, .. } = &mut *wave;
        let words = *words;
        let mut is_touched = vec![0; commons.words];
        let mut leaving = vec![0; words];
        for &set in &*active {
            for state in commons.states(set) {
                leaving.fill(0);
                for lost in commons.states(set).filter(|&lost| lost != state) {
                    unite(&mut leaving, row(front, lost, words));
                }
                if leaving.iter().any(|&starts| starts != 0) {
                    let digit = commons.owner[state].1;
                    for to in commons.linked(set, digit) {
                        unite(row_mut(next, commons.at(to, digit), words), &leaving);
                        is_touched[to / 64] |= 1 << (to % 64);
                    }
                }
            }
        }
        for set in std::mem::take(active) {
            commons.states(set).for_each(|state| row_mut(front, state, words).fill(0));
        }
        wave.settle(commons, members(&is_touched));
    }
}

/// The sets of a shortest chain.
fn path<S: CellSet>(commons: &RestrictedCommons<S>, start: usize, end: usize) -> Vec<usize> {
    let (first_set, first) = commons.owner[start];
    let mut from = vec![None; commons.owner.len()];
    let mut queue: VecDeque<(usize, usize)> = VecDeque::from([(start, first_set)]);
    while let Some((at, set)) = queue.pop_front() {
        let leaves = |digit| if at == start { digit == first } else { digit != commons.owner[at].1 };
        for digit in commons.sets.all[set].digits.iter().filter(|&digit| leaves(digit)) {
            for next in commons.linked(set, digit).filter(|&next| next != first_set) {
                let state = commons.at(next, digit);
                if from[state].is_none() {
                    from[state] = Some(at);
                    queue.push_back((state, next));
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
