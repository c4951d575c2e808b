//! Finds the restricted common digits of almost locked sets.
//!
//! A common digit of two sets is *restricted* when every place of it in one set sees every place of it in the other.
//! Then at most one of them has the digit, and they are linked by it. So the other set has its places among the few
//! cells that lose the digit if the first set has it. Linked sets share no cell, unless sets may overlap.
//!
//! Reference: Sudopedia, "Restricted common candidate".

use std::ops::Range;
use std::rc::Rc;

use crate::board::{Candidates, CellSet, Digit, Digits};

use super::locked_sets::LockedSets;
use crate::rate::bits::{Lists, insert, meet, remove};

/// A set of candidates: a part of all of them, so that the compiler knows its width.
pub(crate) type Part = [u64; 4];

/// Candidates in a part.
const PART: usize = 256;

/// No candidate.
pub(crate) const NOTHING: Part = [0; 4];

#[derive(Debug)]
pub(crate) struct RestrictedCommons<S> {
    pub(crate) sets: Rc<LockedSets<S>>,
    may_overlap: bool,
    /// [state]: a set and a digit by which it is linked to any other, in ascending order.
    pub(crate) owner: Vec<(usize, Digit)>,
    /// Where the states of each set begin; at the end their number.
    first: Vec<usize>,
    /// [state]: the states of the other sets that are linked by the digit, in ascending order.
    links: Lists,
    /// The number of parts of all candidates.
    pub(crate) parts: usize,
    /// [state][part]: the candidates of other digits that the set removes if it has their digit.
    own: Vec<Part>,
}

/// A set with one of its digits, if it removes candidates of the digit where it has it.
struct Holder<S> {
    set: usize,
    digit: Digit,
    /// Its places of the digit.
    places: S,
    /// The places that it removes.
    rivals: S,
    /// The holder before with the same first place.
    before: u32,
}

/// Stands for no number.
const NONE: u32 = u32::MAX;

impl<S: CellSet> RestrictedCommons<S> {
    /// Sets that share a cell are linked only if they `may_overlap`.
    pub(crate) fn new(marks: &Candidates<S>, sets: Rc<LockedSets<S>>, may_overlap: bool) -> RestrictedCommons<S> {
        let (count, cells) = (sets.all.len(), marks.shape().cells());
        // [digit][cell]: the number of each candidate.
        let (mut candidates, mut numbers) = (0_usize, vec![NONE; marks.order() * cells]);
        for digit in Digits::all(marks.order()) {
            for cell in marks.of_digit(digit).cells() {
                numbers[digit.index() * cells + cell.index()] = candidates as u32;
                candidates += 1;
            }
        }
        let numbers_of = |digit: Digit, of: S| {
            let numbers = &numbers[digit.index() * cells..];
            of.cells().map(|cell| numbers[cell.index()] as usize)
        };
        let parts = candidates.div_ceil(PART);
        // What each set removes, and for each candidate the last holder with this first place.
        let (mut all, mut last) = (vec![NOTHING; count * parts], vec![NONE; candidates]);
        let mut holders: Vec<Holder<S>> = Vec::with_capacity(8 * count);
        for (set, of_set) in sets.all.iter().enumerate() {
            let all = all[set * parts..(set + 1) * parts].as_flattened_mut();
            for (digit, rivals) in sets.rivals(set).filter(|(_, rivals)| !rivals.is_empty()) {
                numbers_of(digit, rivals).for_each(|number| insert(all, number));
                let places = marks.of_digit(digit) & of_set.cells;
                if let Some(first) = numbers_of(digit, places).next() {
                    let before = std::mem::replace(&mut last[first], holders.len() as u32);
                    holders.push(Holder { set, digit, places, rivals, before });
                }
            }
        }
        let mut owner = Vec::with_capacity(holders.len());
        let mut links = Lists::with_capacity(holders.len(), 4 * holders.len());
        // The state of each holder that has links.
        let mut states = Vec::with_capacity(holders.len());
        let mut linked = Vec::new();
        for &Holder { set, digit, rivals, .. } in &holders {
            linked.clear();
            for number in numbers_of(digit, rivals) {
                let mut at = last[number];
                while at != NONE {
                    let other = &holders[at as usize];
                    let is_apart = || may_overlap || !sets.all[other.set].cells.meets(sets.all[set].cells);
                    if other.places.within(rivals) && is_apart() {
                        linked.push(at);
                    }
                    at = other.before;
                }
            }
            states.push(owner.len() as u32);
            if !linked.is_empty() {
                owner.push((set, digit));
                linked.sort_unstable();
                linked.iter().for_each(|&other| links.push(other));
                links.end_row();
            }
        }
        links.renumber(|holder| states[holder as usize]);
        let mut first = vec![0; count + 1];
        owner.iter().for_each(|&(set, _)| first[set + 1] += 1);
        (0..count).for_each(|set| first[set + 1] += first[set]);
        let mut own = Vec::with_capacity(owner.len() * parts);
        for &(set, digit) in &owner {
            let from = own.len();
            own.extend_from_slice(&all[set * parts..(set + 1) * parts]);
            let own = own[from..].as_flattened_mut();
            numbers_of(digit, sets.seen(set, digit)).for_each(|number| remove(own, number));
        }
        RestrictedCommons { sets, may_overlap, owner, first, links, parts, own }
    }

    /// The states of a set.
    #[inline]
    pub(crate) fn states(&self, set: usize) -> Range<usize> {
        self.first[set]..self.first[set + 1]
    }

    /// The states of the sets that are linked to the set of a state by its digit.
    #[inline]
    pub(crate) fn linked(&self, state: usize) -> impl Iterator<Item = usize> {
        self.links.row(state).iter().map(|&other| other as usize)
    }

    /// True if a digit links two sets.
    pub(crate) fn are_linked(&self, set: usize, digit: Digit, other: usize) -> bool {
        let mut states = self.states(set).filter(|&state| self.owner[state].1 == digit);
        states.any(|state| self.linked(state).any(|linked| self.owner[linked].0 == other))
    }

    /// The candidates of a part that the set of each state removes if it has their digit, without those of the state's
    /// digit.
    pub(crate) fn own(&self, part: usize) -> impl Iterator<Item = &Part> {
        self.own.iter().skip(part).step_by(self.parts)
    }

    /// True if the sets of two states remove some candidate if either set has its digit, besides those of the states.
    pub(crate) fn remove_together(&self, a: usize, b: usize) -> bool {
        (0..self.parts).any(|part| meet(&self.own[a * self.parts + part], &self.own[b * self.parts + part]))
    }

    /// True if two sets share a cell, and must not.
    pub(crate) fn overlap(&self, a: usize, b: usize) -> bool {
        !self.may_overlap && self.sets.all[a].cells.meets(self.sets.all[b].cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Narrow;
    use crate::rate::tests::published::puzzle;

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
