//! Restricted common digits of almost locked sets.
//!
//! A common digit of two sets is *restricted* when every place of it in one set sees every place of it in the other.
//! Then at most one of them has the digit, and they are linked by it. So the other set has its places among the few cells
//! that lose the digit if the first set has it. Linked sets share no cell, unless sets may overlap.
//!
//! Reference: Sudopedia, "Restricted common candidate".

use std::ops::Range;
use std::rc::Rc;

use crate::board::{Candidates, CellSet, Digit, Digits};

use super::bits::{has, insert, meet, remove, row};
use super::locked_sets::{LockedSet, LockedSets};

/// A set of candidates: a part of all of them, so that the compiler knows its width.
pub(super) type Part = [u64; 4];

/// Candidates in a part.
const PART: usize = 256;

pub(super) const NOTHING: Part = [0; 4];

#[derive(Debug)]
pub(super) struct RestrictedCommons<S> {
    pub(super) sets: Rc<LockedSets<S>>,
    pub(super) words: usize,
    may_overlap: bool,
    /// [state]: a set and a digit by which it is linked to any other, in ascending order.
    pub(super) owner: Vec<(usize, Digit)>,
    /// Where the states of each set begin; at the end their number.
    first: Vec<usize>,
    /// [digit][set]: the number of the state.
    at: Vec<u32>,
    /// [state][word]: the sets that are linked by the digit.
    to: Vec<u64>,
    /// The number of parts of all candidates.
    pub(super) parts: usize,
    /// [state][part]: the candidates of other digits that the set removes if it has their digit.
    own: Vec<Part>,
}

const NONE: u32 = u32::MAX;

impl<S: CellSet> RestrictedCommons<S> {
    /// Sets that share a cell are linked only if they `may_overlap`.
    pub(super) fn new(marks: &Candidates<S>, sets: Rc<LockedSets<S>>, may_overlap: bool) -> RestrictedCommons<S> {
        let (count, cells) = (sets.all.len(), marks.shape().cells());
        // [digit][cell]: the number of each candidate.
        let (mut candidates, mut numbers) = (0, vec![NONE; marks.order() * cells]);
        for digit in Digits::all(marks.order()) {
            for cell in marks.of_digit(digit).cells() {
                numbers[digit.index() * cells + cell.index()] = candidates;
                candidates += 1;
            }
        }
        let numbers_of = |digit: Digit, of: S| {
            let numbers = &numbers[digit.index() * cells..];
            of.cells().map(|cell| numbers[cell.index()] as usize)
        };
        // Sets that can be linked by a digit, each with the places of the digit and the one before with the same first place.
        let (mut holders, mut last) = (Vec::with_capacity(8 * count), vec![NONE; candidates as usize]);
        for (set, &LockedSet { cells, .. }) in sets.all.iter().enumerate() {
            for (digit, _) in sets.rivals(set).filter(|(_, rivals)| !rivals.is_empty()) {
                let places = marks.of_digit(digit) & cells;
                for first in numbers_of(digit, places).take(1) {
                    let before = std::mem::replace(&mut last[first], holders.len() as u32);
                    holders.push((set, places, before));
                }
            }
        }
        let mut commons = RestrictedCommons {
            words: count.div_ceil(64),
            may_overlap,
            owner: Vec::with_capacity(4 * count),
            first: Vec::with_capacity(count + 1),
            at: vec![NONE; marks.order() * count],
            to: Vec::with_capacity(2 * count * count.div_ceil(64)),
            parts: (candidates as usize).div_ceil(PART),
            own: Vec::with_capacity(4 * count),
            sets,
        };
        let mut all = vec![NOTHING; commons.parts];
        for (set, of_set) in commons.sets.all.iter().enumerate() {
            commons.first.push(commons.owner.len());
            all.fill(NOTHING);
            for (digit, rivals) in commons.sets.rivals(set) {
                let row = commons.to.len();
                for number in numbers_of(digit, rivals) {
                    insert(all.as_flattened_mut(), number);
                    let mut at = last[number];
                    while at != NONE {
                        let (other, places, before) = holders[at as usize];
                        if places.within(rivals) && (may_overlap || !commons.sets.all[other].cells.meets(of_set.cells))
                        {
                            commons.to.resize(row + commons.words, 0);
                            insert(&mut commons.to[row..], other);
                        }
                        at = before;
                    }
                }
                if commons.to.len() > row {
                    commons.at[digit.index() * count + set] = commons.owner.len() as u32;
                    commons.owner.push((set, digit));
                }
            }
            for &(_, digit) in &commons.owner[commons.first[set]..] {
                let own = commons.own.len();
                commons.own.extend_from_slice(&all);
                let own = commons.own[own..].as_flattened_mut();
                numbers_of(digit, commons.sets.seen(set, digit)).for_each(|number| remove(own, number));
            }
        }
        commons.first.push(commons.owner.len());
        commons
    }

    /// The state of a set with one of the digits by which it is linked.
    #[inline]
    pub(super) fn at(&self, set: usize, digit: Digit) -> usize {
        self.at[digit.index() * self.sets.all.len() + set] as usize
    }

    /// The states of a set.
    #[inline]
    pub(super) fn states(&self, set: usize) -> Range<usize> {
        self.first[set]..self.first[set + 1]
    }

    /// The sets that are linked to the set of a state by its digit, as words.
    #[inline]
    pub(super) fn linked(&self, state: usize) -> &[u64] {
        row(&self.to, state, self.words)
    }

    /// True if a digit links two sets.
    pub(super) fn are_linked(&self, set: usize, digit: Digit, other: usize) -> bool {
        self.states(set).any(|state| self.owner[state].1 == digit && has(self.linked(state), other))
    }

    /// The candidates of a part that the set of each state removes if it has their digit, without those of the state's digit.
    pub(super) fn own(&self, part: usize) -> impl Iterator<Item = &Part> {
        self.own.iter().skip(part).step_by(self.parts)
    }

    /// True if the sets of two states remove some candidate if either set has its digit, besides those of the states.
    pub(super) fn remove_together(&self, a: usize, b: usize) -> bool {
        (0..self.parts).any(|part| meet(&self.own[a * self.parts + part], &self.own[b * self.parts + part]))
    }

    /// True if two sets share a cell, and must not.
    pub(super) fn overlap(&self, a: usize, b: usize) -> bool {
        !self.may_overlap && self.sets.all[a].cells.meets(self.sets.all[b].cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Narrow;
    use crate::rate::published::puzzle;

    #[test]
    fn links_and_overlaps_match_their_definitions() {
        let line = ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...";
        let marks = Candidates::<Narrow>::new(&puzzle(line));
        let sets = Rc::new(LockedSets::new(&marks));
        let commons = RestrictedCommons::new(&marks, Rc::clone(&sets), false);
        let mut linked = 0;
        for (a, first) in sets.all.iter().enumerate() {
            for (b, second) in sets.all.iter().enumerate() {
                assert_eq!(commons.overlap(a, b), first.cells.meets(second.cells));
                let places = |set: Narrow, digit| (marks.of_digit(digit) & set).cells();
                for digit in first.digits {
                    let sees_all = |cell| places(second.cells, digit).all(|other| marks.peers(cell).contains(other));
                    let is_common = second.digits.contains(digit) && !first.cells.meets(second.cells);
                    let is_tied = is_common && places(first.cells, digit).all(sees_all);
                    assert_eq!(commons.are_linked(a, digit, b), is_tied, "{first:?} {second:?} {digit:?}");
                    linked += usize::from(is_tied);
                }
            }
        }
        assert!(linked > 100, "{linked}");
    }
}
