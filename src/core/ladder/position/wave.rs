//! Follows chains of almost locked sets from all starts at once, length by length.
//!
//! A *state* is a set with a digit that links it to other sets: see [`RestrictedCommons`]. For example, {2 3 5} in two
//! cells with its 3, if all places of 3 in it see all places of 3 in some other set. Two states are *linked* if their
//! digit is the same and their places see each other, so that at most one of the sets has the digit. A chain that
//! reaches a state takes this digit from the set. So the set has all its other digits, and takes each of them from the
//! sets that are linked by it: these are the next states. Each state carries a bit set of the starts that reach it.
//!
//! Before the search it is computed which candidates chains of any length can remove. Only states whose sets can remove
//! one of them are starts; often there are none. A position keeps the wave, so that longer chains go on where wings
//! have ended.

use std::array::from_fn;

use crate::board::CellSet;

use super::restricted_commons::{CandidatePart, NOTHING, RestrictedCommons};
use crate::bits::{exceeds, insert, is_empty, meet, row, row_mut, unite};

/// The candidates of a part that chains may remove. A *part* is 256 of all candidates, which are searched
/// part by part. `removals[state]` are the candidates that the set of the state removes by its other digits, not by
/// that of the state.
///
/// A candidate that is true takes its digit from the sets that would remove it. Each of them keeps its other digits and
/// takes them from the sets that they link. If such a set is one of the first sets itself, it loses a second digit, so
/// the candidate may be false. One search follows all candidates, without regard to lengths.
fn removable<S: CellSet>(commons: &RestrictedCommons<S>, removals: &[CandidatePart]) -> CandidatePart {
    // [state]: the candidates that, if true, take the digit of the state from the set; and those that take another
    // digit from it, so that it keeps this one.
    let (mut lost, mut kept) = (vec![NOTHING; removals.len()], removals.to_vec());
    let mut removable = NOTHING;
    let (mut is_pending, mut has_pending) = (vec![true; commons.sets.all.len()], true);
    while std::mem::take(&mut has_pending) {
        for set in 0..is_pending.len() {
            if !std::mem::take(&mut is_pending[set]) {
                continue;
            }
            // The candidates that take at least one digit from the set through other sets, and at least two.
            let (mut once, mut twice) = (NOTHING, NOTHING);
            for state in commons.states(set) {
                let mut takers = NOTHING;
                commons.linked(state).for_each(|partner| unite(&mut takers, &kept[partner]));
                for (word, &takers) in takers.iter().enumerate() {
                    // They also take another digit from the set directly.
                    removable[word] |= takers & removals[state][word];
                    twice[word] |= once[word] & takers;
                    once[word] |= takers;
                }
                lost[state] = takers;
            }
            for state in commons.states(set) {
                let (lost, kept) = (&lost[state], &mut kept[state]);
                // Those that take another digit than this one.
                let takers: CandidatePart = from_fn(|word| (once[word] & !lost[word] | twice[word]) & !removable[word]);
                if exceeds(&takers, kept) {
                    unite(kept, &takers);
                    commons.linked(state).for_each(|partner| is_pending[commons.holders[partner].set] = true);
                    has_pending = true;
                }
            }
        }
    }
    removable
}

/// The chains of one length from all starts.
#[derive(Debug)]
pub(crate) struct Wave {
    /// The number of sets of a chain.
    pub(crate) length: usize,
    /// The words of a set of starts.
    pub(crate) words: usize,
    /// The states from which chains start, and at which they end.
    pub(crate) starts: Vec<usize>,
    /// [state][word]: the starts that have reached the state, and those of its own set, to which no chain returns.
    reached: Vec<u64>,
    /// [state][word]: the starts that reached the state with chains of this length.
    pub(crate) front: Vec<u64>,
    /// [state][word]: the starts that reach the state in the step that is being made; empty between steps.
    next: Vec<u64>,
    /// The sets with a state that was reached by chains of this length.
    pub(crate) active: Vec<usize>,
}

impl Wave {
    /// The chains of two sets: one link. Only states from which something can be removed are starts.
    pub(crate) fn new<S: CellSet>(commons: &RestrictedCommons<S>) -> Wave {
        let states = commons.holders.len();
        let mut is_start = vec![false; states];
        for part in 0..commons.parts {
            let removals: Vec<CandidatePart> = commons.removals(part).copied().collect();
            let removable = removable(commons, &removals);
            for (is_start, removals) in is_start.iter_mut().zip(removals) {
                *is_start |= meet(&removals, &removable);
            }
        }
        let starts: Vec<usize> = (0..states).filter(|&state| is_start[state]).collect();
        let words = starts.len().div_ceil(64);
        let none = || vec![0; states * words];
        let mut wave =
            Wave { length: 2, words, starts, reached: none(), front: none(), next: none(), active: Vec::new() };
        for (number, &start) in wave.starts.iter().enumerate() {
            commons.linked(start).for_each(|state| insert(row_mut(&mut wave.next, state, words), number));
            let states_of_set = commons.states(commons.holders[start].set);
            states_of_set.for_each(|state| insert(row_mut(&mut wave.reached, state, words), number));
        }
        wave.settle(commons);
        wave
    }

    /// Goes on from the states that were reached last.
    pub(crate) fn advance<S: CellSet>(&mut self, commons: &RestrictedCommons<S>) {
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
            let mut new_starts = 0;
            for state in commons.states(set) {
                let [reached, front, next] =
                    [&mut self.reached, &mut self.front, &mut self.next].map(|rows| row_mut(rows, state, self.words));
                for ((reached, front), next) in reached.iter_mut().zip(front).zip(next) {
                    *front = *next & !*reached;
                    *reached |= *front;
                    *next = 0;
                    new_starts |= *front;
                }
            }
            if new_starts != 0 {
                self.active.push(set);
            }
        }
    }
}
