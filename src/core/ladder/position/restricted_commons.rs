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
use crate::bits::{Lists, insert, meet, remove};

/// A set of candidates: a part of all of them, so that the compiler knows its width.
pub(crate) type CandidatePart = [u64; 4];

/// Candidates in a part.
const PART: usize = 256;

/// No candidate.
pub(crate) const NOTHING: CandidatePart = [0; 4];

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
    removals: Vec<CandidatePart>,
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

/// The numbers of all candidates: digit by digit, in ascending order of the cells.
struct CandidateNumbers {
    count: usize,
    cells: usize,
    /// [digit][cell].
    numbers: Vec<u32>,
}

impl CandidateNumbers {
    fn new<S: CellSet>(marks: &Candidates<S>) -> CandidateNumbers {
        let cells = marks.shape().cells();
        let (mut count, mut numbers) = (0, vec![NONE; marks.order() * cells]);
        for digit in Digits::all(marks.order()) {
            for cell in marks.of_digit(digit).cells() {
                numbers[digit.index() * cells + cell.index()] = count as u32;
                count += 1;
            }
        }
        CandidateNumbers { count, cells, numbers }
    }

    /// The numbers of a digit in some of its places.
    fn of<S: CellSet>(&self, digit: Digit, places: S) -> impl Iterator<Item = usize> {
        let numbers = &self.numbers[digit.index() * self.cells..];
        places.cells().map(|cell| numbers[cell.index()] as usize)
    }
}

impl<S: CellSet> RestrictedCommons<S> {
    /// Sets that share a cell are linked only if they `may_overlap`.
    pub(crate) fn new(marks: &Candidates<S>, sets: Rc<LockedSets<S>>, may_overlap: bool) -> RestrictedCommons<S> {
        let numbers = CandidateNumbers::new(marks);
        let parts = numbers.count.div_ceil(PART);
        let set_count = sets.all.len();
        // What each set removes, and for each candidate the last holder with this first place.
        let (mut removals, mut last_holder) = (vec![NOTHING; set_count * parts], vec![NONE; numbers.count]);
        let mut holders: Vec<Holder<S>> = Vec::with_capacity(8 * set_count);
        for (set, locked_set) in sets.all.iter().enumerate() {
            let removals = removals[set * parts..(set + 1) * parts].as_flattened_mut();
            for (digit, rivals) in sets.rivals(set).filter(|(_, rivals)| !rivals.is_empty()) {
                numbers.of(digit, rivals).for_each(|number| insert(removals, number));
                let places = marks.of_digit(digit) & locked_set.cells;
                if let Some(first) = numbers.of(digit, places).next() {
                    let before = std::mem::replace(&mut last_holder[first], holders.len() as u32);
                    holders.push(Holder { set, digit, places, rivals, before });
                }
            }
        }
        let mut commons = RestrictedCommons {
            sets,
            may_overlap,
            owner: Vec::new(),
            first: Vec::new(),
            links: Lists::with_capacity(holders.len(), 4 * holders.len()),
            parts,
            removals: Vec::new(),
        };
        commons.link(&holders, &last_holder, &numbers);
        commons.first = vec![0; set_count + 1];
        commons.owner.iter().for_each(|&(set, _)| commons.first[set + 1] += 1);
        (0..set_count).for_each(|set| commons.first[set + 1] += commons.first[set]);
        commons.removals.reserve(commons.owner.len() * parts);
        for &(set, digit) in &commons.owner {
            let first_part = commons.removals.len();
            commons.removals.extend_from_slice(&removals[set * parts..(set + 1) * parts]);
            let without_digit = commons.removals[first_part..].as_flattened_mut();
            numbers.of(digit, commons.sets.seen(set, digit)).for_each(|number| remove(without_digit, number));
        }
        commons
    }

    /// Makes a state of each holder that is linked to others, and notes these. `last_holder`: see [`Holder::before`].
    fn link(&mut self, holders: &[Holder<S>], last_holder: &[u32], numbers: &CandidateNumbers) {
        let mut states = Vec::with_capacity(holders.len());
        let mut linked = Vec::new();
        self.owner.reserve(holders.len());
        for &Holder { set, digit, rivals, .. } in holders {
            linked.clear();
            for first in numbers.of(digit, rivals) {
                let mut number = last_holder[first];
                while number != NONE {
                    let partner = &holders[number as usize];
                    if partner.places.within(rivals) && !self.overlap(partner.set, set) {
                        linked.push(number);
                    }
                    number = partner.before;
                }
            }
            states.push(self.owner.len() as u32);
            if !linked.is_empty() {
                self.owner.push((set, digit));
                linked.sort_unstable();
                linked.iter().for_each(|&partner| self.links.push(partner));
                self.links.end_row();
            }
        }
        self.links.renumber(|holder| states[holder as usize]);
    }

    /// The states of a set.
    #[inline]
    pub(crate) fn states(&self, set: usize) -> Range<usize> {
        self.first[set]..self.first[set + 1]
    }

    /// The states of the sets that are linked to the set of a state by its digit.
    #[inline]
    pub(crate) fn linked(&self, state: usize) -> impl Iterator<Item = usize> {
        self.links.row(state)
    }

    /// True if a digit links two sets.
    pub(crate) fn are_linked(&self, set: usize, digit: Digit, partner: usize) -> bool {
        let mut states = self.states(set).filter(|&state| self.owner[state].1 == digit);
        states.any(|state| self.linked(state).any(|linked| self.owner[linked].0 == partner))
    }

    /// The candidates of a part that the set of each state removes if it has their digit, without those of the state's
    /// digit.
    pub(crate) fn removals(&self, part: usize) -> impl Iterator<Item = &CandidatePart> {
        self.removals.iter().skip(part).step_by(self.parts)
    }

    /// True if the sets of two states remove some candidate if either set has its digit, besides those of the states.
    pub(crate) fn remove_together(&self, a: usize, b: usize) -> bool {
        (0..self.parts).any(|part| meet(&self.removals[a * self.parts + part], &self.removals[b * self.parts + part]))
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
    use crate::ladder::tests::published::puzzle;

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
