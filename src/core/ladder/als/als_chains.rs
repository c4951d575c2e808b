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
//! A state is a set with a digit that it loses, or that it takes from the next one. One search finds the shortest
//! chains from all starts: each state carries a bit set of the starts that reach it. What chains of any length can
//! remove is known before, and only sets that can remove some of it are starts. Often there are none.
//!
//! Reference: Sudopedia, "ALS-XY-Wing", "ALS-XY-Chain"; HoDoKu, Almost Locked Sets.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use crate::board::{CellSet, Digits};

use super::xz::{common, pattern};
use crate::bits::{members, row};
use crate::ladder::position::Position;
use crate::ladder::position::restricted_commons::{Holder, RestrictedCommons};
use crate::ladder::position::wave::Wave;
use crate::ladder::words::sink::Sink;

/// The most sets of a chain.
const MOST_SETS: usize = 12;

pub(crate) fn als_xy_wings<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    chains(position, 3..=3, sink);
}

/// Offers every pair of ends of an ALS chain of four or more sets, each with a shortest chain.
pub(crate) fn als_chains<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    chains(position, 4..=MOST_SETS, sink);
}

/// Offers what chains remove, length by length. Longer chains continue from the wings that a ladder searched before.
fn chains<S: CellSet>(position: &Position<'_, S>, lengths: RangeInclusive<usize>, sink: &mut impl Sink<S>) {
    let commons = position.restricted_commons();
    let mut last_wave = position.wave().borrow_mut();
    for length in 3..=*lengths.end() {
        if length as u32 > sink.last_priority() {
            return;
        }
        // A wave only gets longer, so one that is too long begins again.
        last_wave.take_if(|wave| wave.length > length);
        let wave = last_wave.get_or_insert_with(|| Wave::new(commons));
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

/// Offers the chains that end at the sets of this step.
fn offer<S: CellSet>(position: &Position<'_, S>, wave: &Wave, sink: &mut impl Sink<S>) {
    let (marks, commons, is_wing) = (position.marks, position.restricted_commons(), wave.length == 3);
    for &end in &wave.active {
        for last in commons.states(end) {
            let lost = commons.holders[last].digit;
            for from in members(row(&wave.front, last, wave.words)).map(|from| wave.starts[from]) {
                let Holder { set: start, digit: first } = commons.holders[from];
                // A chain is found from both ends; one of them is enough.
                let is_worth = start < end && commons.remove_together(from, last);
                if is_worth && !(is_wing && commons.overlap(start, end)) {
                    let out = common(marks, commons, start, end, Digits::only(first) | Digits::only(lost));
                    sink.eliminate_at(wave.length as u32, &out, || pattern(commons, &path(commons, from, last)));
                }
            }
        }
    }
}

/// The sets of a shortest chain.
fn path<S: CellSet>(commons: &RestrictedCommons<S>, start: usize, end: usize) -> Vec<usize> {
    let first_set = commons.holders[start].set;
    let mut from = vec![None; commons.holders.len()];
    let mut queue = VecDeque::from([start]);
    while let Some(reached) = queue.pop_front() {
        // The first link is by the digit of the start; the others are by a digit that the set has not lost.
        let states = commons.states(commons.holders[reached].set);
        for leaving in states.filter(|&state| (state == reached) == (reached == start)) {
            for next in commons.linked(leaving).filter(|&next| commons.holders[next].set != first_set) {
                if from[next].is_none() {
                    from[next] = Some(reached);
                    queue.push_back(next);
                }
            }
        }
    }
    let mut states = vec![end];
    while let Some(before) = from[states[states.len() - 1]] {
        states.push(before);
    }
    states.iter().rev().map(|&state| commons.holders[state].set).collect()
}
