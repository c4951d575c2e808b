//! Finds the restricted common digits of almost locked sets.
//!
//! A common digit of two sets is *restricted* when every place of it in one set sees every place of it in the other.
//! Then at most one of them has the digit, and they are linked by it. So the other set has its places among the few
//! cells that lose the digit if the first set has it. Linked sets share no cell, unless sets may overlap.
//!
//! Reference: Sudopedia, "Restricted common candidate".

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use crate::board::{Candidates, CellSet, Digit, Digits};

use super::locked_sets::LockedSets;
use crate::bits::{Lists, insert, intersect, meet};

/// A set of candidates: a part of all of them, so that the compiler knows its width.
pub(crate) type CandidatePart = [u64; 4];

/// Candidates in a part.
const PART: usize = 256;

/// No candidate.
pub(crate) const NOTHING: CandidatePart = [0; 4];

/// A set and one of its digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Holder {
    pub(crate) set: usize,
    pub(crate) digit: Digit,
}

#[derive(Debug)]
pub(crate) struct RestrictedCommons<S> {
    pub(crate) sets: Rc<LockedSets<S>>,
    may_overlap: bool,
    /// Those of an earlier position as long as they have no part too many: then removals can be copied.
    numbers: Rc<CandidateNumbers>,
    /// [state]: a set and a digit by which it is linked to any other, in ascending order.
    pub(crate) holders: Vec<Holder>,
    /// Where the states of each set begin; at the end their number.
    first_states: Vec<usize>,
    /// [state]: the states of the other sets that are linked by the digit, in ascending order.
    links: Lists,
    /// The number of parts of all candidates.
    pub(crate) parts: usize,
    /// [state][part]: the candidates of other digits that the set removes if it has their digit.
    removals: Vec<CandidatePart>,
    /// True if a search for two sets found nothing in the earlier position.
    are_old_fruitless: bool,
    /// True once a search for two sets has found nothing here.
    pub(crate) is_fruitless: Cell<bool>,
}

/// A holder that may be linked: it removes candidates of the digit where it has it.
///
/// ```text
///   last_holders[place] ---> 7 ---> previous: 4 ---> previous: 1 ---> NONE      all holders with this first place
/// ```
struct Linkable<S> {
    holder: Holder,
    /// Its places of the digit.
    places: S,
    /// The places that it removes.
    rivals: S,
    /// True if its set was not in the earlier position, or not with the same candidates.
    is_new: bool,
    /// Its state in the earlier position, if it was linked there.
    earlier: Option<usize>,
    /// The one before with the same first place. New ones come before all others.
    previous: u32,
}

/// Stands for no number.
const NONE: u32 = u32::MAX;

/// The numbers of all candidates: digit by digit, in ascending order of the cells.
#[derive(Debug)]
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

/// The holders that may be linked, set by set.
fn linkable<S: CellSet>(
    marks: &Candidates<S>,
    sets: &LockedSets<S>,
    earlier: Option<&RestrictedCommons<S>>,
) -> Vec<Linkable<S>> {
    let mut linkable = Vec::with_capacity(8 * sets.all.len());
    for (set, locked_set) in sets.all.iter().enumerate() {
        let earlier = earlier.zip(locked_set.earlier);
        for (digit, rivals) in sets.rivals(set).filter(|(_, rivals)| !rivals.is_empty()) {
            linkable.push(Linkable {
                holder: Holder { set, digit },
                places: marks.of_digit(digit) & locked_set.cells,
                rivals,
                is_new: earlier.is_none(),
                earlier: earlier.and_then(|(commons, set)| commons.state(set as usize, digit)),
                previous: NONE,
            });
        }
    }
    linkable
}

/// For each candidate, the last holder with this first place.
fn last_holders<S: CellSet>(linkable: &mut [Linkable<S>], numbers: &CandidateNumbers) -> Vec<u32> {
    let mut last_holders = vec![NONE; numbers.count];
    for is_new in [false, true] {
        for (number, linkable) in (0..).zip(&mut *linkable).filter(|(_, linkable)| linkable.is_new == is_new) {
            if let Some(first) = numbers.of(linkable.holder.digit, linkable.places).next() {
                linkable.previous = std::mem::replace(&mut last_holders[first], number);
            }
        }
    }
    last_holders
}

/// [digit]: the first places of the holders that are new.
fn first_places_of_new<S: CellSet>(marks: &Candidates<S>, linkable: &[Linkable<S>]) -> Vec<S> {
    let mut first_places = vec![S::empty(); marks.order()];
    for Linkable { holder, places, .. } in linkable.iter().filter(|linkable| linkable.is_new) {
        places.first().into_iter().for_each(|first| first_places[holder.digit.index()].insert(first));
    }
    first_places
}

impl<S: CellSet> RestrictedCommons<S> {
    /// Sets that share a cell are linked only if they `may_overlap`. `earlier`: those of the position in which the sets
    /// have their earlier numbers.
    pub(crate) fn new(
        marks: &Candidates<S>,
        sets: Rc<LockedSets<S>>,
        may_overlap: bool,
        earlier: Option<&RestrictedCommons<S>>,
    ) -> RestrictedCommons<S> {
        let candidates: usize = marks.of_digits().iter().map(|places| places.len()).sum();
        let parts = candidates.div_ceil(PART).max(1);
        let earlier_numbers =
            earlier.filter(|earlier| earlier.parts == parts).map(|earlier| Rc::clone(&earlier.numbers));
        let numbers = earlier_numbers.unwrap_or_else(|| Rc::new(CandidateNumbers::new(marks)));
        let mut linkable = linkable(marks, &sets, earlier);
        let last_holders = last_holders(&mut linkable, &numbers);
        let mut commons = RestrictedCommons {
            sets,
            may_overlap,
            numbers,
            holders: Vec::with_capacity(linkable.len()),
            first_states: Vec::new(),
            links: Lists::with_capacity(linkable.len(), 4 * linkable.len()),
            parts,
            removals: Vec::new(),
            are_old_fruitless: earlier.is_some_and(|earlier| earlier.is_fruitless.get()),
            is_fruitless: Cell::new(false),
        };
        let earlier_states = commons.link(marks, &linkable, &last_holders, earlier);
        commons.first_states = commons.first_states();
        commons.removals = commons.removals_without_digit(marks, earlier, &earlier_states);
        commons
    }

    /// Makes a state of each holder that is linked to others, and notes these. `last_holders`: see [`Linkable`].
    /// Between sets that are not new nothing has changed, so their links are those of the earlier position. Returns for
    /// each state the number that it had there.
    fn link(
        &mut self,
        marks: &Candidates<S>,
        linkable: &[Linkable<S>],
        last_holders: &[u32],
        earlier: Option<&RestrictedCommons<S>>,
    ) -> Vec<Option<usize>> {
        // [state of the earlier position]: its number now.
        let mut numbers_now = vec![NONE; earlier.map_or(0, |earlier| earlier.holders.len())];
        for (number, holder) in (0..).zip(linkable) {
            holder.earlier.into_iter().for_each(|state| numbers_now[state] = number);
        }
        let new_places = first_places_of_new(marks, linkable);
        let mut states = Vec::with_capacity(linkable.len());
        let mut earlier_states = Vec::with_capacity(linkable.len());
        let mut linked = Vec::new();
        for &Linkable { holder, rivals, is_new, earlier: earlier_state, .. } in linkable {
            linked.clear();
            if let (Some(earlier), Some(state)) = (earlier, earlier_state) {
                linked.extend(earlier.linked(state).map(|partner| numbers_now[partner]).filter(|&now| now != NONE));
            }
            let unchanged = linked.len();
            let first_places = if is_new { rivals } else { rivals & new_places[holder.digit.index()] };
            for first in self.numbers.of(holder.digit, first_places) {
                let mut number = last_holders[first];
                while number != NONE && (is_new || linkable[number as usize].is_new) {
                    let partner = &linkable[number as usize];
                    if partner.places.within(rivals) && !self.overlap(partner.holder.set, holder.set) {
                        linked.push(number);
                    }
                    number = partner.previous;
                }
            }
            states.push(self.holders.len() as u32);
            if !linked.is_empty() {
                self.holders.push(holder);
                earlier_states.push(earlier_state);
                // The sets of the earlier position stand in the same order.
                if linked.len() > unchanged {
                    linked.sort_unstable();
                }
                linked.iter().for_each(|&partner| self.links.push(partner));
                self.links.end_list();
            }
        }
        self.links.renumber(|holder| states[holder as usize]);
        earlier_states
    }

    /// Where the states of each set begin; at the end their number.
    fn first_states(&self) -> Vec<usize> {
        let sets = self.sets.all.len();
        let mut first_states = vec![0; sets + 1];
        for holder in &self.holders {
            first_states[holder.set + 1] += 1;
        }
        for set in 0..sets {
            first_states[set + 1] += first_states[set];
        }
        first_states
    }

    /// What the set of each state removes, without the state's own digit. `earlier_states`: see [`Self::link`].
    fn removals_without_digit(
        &self,
        marks: &Candidates<S>,
        earlier: Option<&RestrictedCommons<S>>,
        earlier_states: &[Option<usize>],
    ) -> Vec<CandidatePart> {
        let earlier = earlier.filter(|earlier| Rc::ptr_eq(&earlier.numbers, &self.numbers));
        let mut present = vec![NOTHING; self.parts];
        let insert_all = |removals: &mut [CandidatePart], digit: Digit, places: S| {
            self.numbers.of(digit, places).for_each(|number| insert(removals.as_flattened_mut(), number));
        };
        Digits::all(marks.order()).iter().for_each(|digit| insert_all(&mut present, digit, marks.of_digit(digit)));
        let mut removals = vec![NOTHING; self.holders.len() * self.parts];
        let rows = removals.chunks_exact_mut(self.parts);
        for ((row, holder), earlier_state) in rows.zip(&self.holders).zip(earlier_states) {
            if let Some((earlier, state)) = earlier.zip(*earlier_state) {
                row.copy_from_slice(&earlier.removals[state * self.parts..(state + 1) * self.parts]);
                intersect(row.as_flattened_mut(), present.as_flattened());
                continue;
            }
            let others = self.sets.rivals(holder.set).filter(|(digit, _)| *digit != holder.digit);
            others.for_each(|(digit, rivals)| insert_all(row, digit, rivals));
        }
        removals
    }

    /// True if two sets may give what the search for two sets did not find in the earlier position.
    pub(crate) fn are_news(&self, a: usize, b: usize) -> bool {
        !self.are_old_fruitless || [a, b].iter().any(|&set| self.sets.all[set].earlier.is_none())
    }

    /// The states of a set.
    #[inline]
    pub(crate) fn states(&self, set: usize) -> Range<usize> {
        self.first_states[set]..self.first_states[set + 1]
    }

    /// The states of the sets that are linked to the set of a state by its digit.
    #[inline]
    pub(crate) fn linked(&self, state: usize) -> impl Iterator<Item = usize> {
        self.links.indices(state)
    }

    /// The state of a set and a digit, if there is one.
    fn state(&self, set: usize, digit: Digit) -> Option<usize> {
        self.states(set).find(|&state| self.holders[state].digit == digit)
    }

    /// True if a digit links two sets.
    pub(crate) fn are_linked(&self, set: usize, digit: Digit, partner: usize) -> bool {
        let mut linked = self.state(set, digit).into_iter().flat_map(|state| self.linked(state));
        linked.any(|linked| self.holders[linked].set == partner)
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
        let sets = Rc::new(LockedSets::new(&marks, None));
        let commons = RestrictedCommons::new(&marks, Rc::clone(&sets), false, None);
        let mut linked = 0;
        for (a, first) in sets.all.iter().enumerate() {
            for (b, second) in sets.all.iter().enumerate() {
                assert_eq!(commons.overlap(a, b), first.cells.meets(second.cells));
                let places = |set: Narrow, digit| (marks.of_digit(digit) & set).cells();
                for digit in first.digits {
                    let sees_all = |cell| places(second.cells, digit).all(|place| marks.peers(cell).contains(place));
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
