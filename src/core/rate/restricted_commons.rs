//! Restricted common digits of almost locked sets.
//!
//! A common digit of two sets is *restricted* when every place of it in one set sees every place of it in the other.
//! Then at most one of them has the digit, and they are linked by it. For each candidate the sets of which it sees all
//! places of its digit are a bit set. The sets that are linked to a set by a digit are in those of all its places. They
//! share no cell with the set, unless sets may overlap.
//!
//! Reference: Sudopedia, "Restricted common candidate".

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use crate::board::{Candidates, CellSet, Digit, Digits};

use super::bits::{Lists, has, insert, intersect, is_empty, members, row, row_mut, subtract, unite};
use super::locked_sets::LockedSets;

#[derive(Debug)]
pub(super) struct RestrictedCommons<S> {
    pub(super) sets: Rc<LockedSets<S>>,
    pub(super) words: usize,
    /// Where the digits of each set begin in `to`.
    first: Vec<usize>,
    /// For each set the digits by which it is linked to any other.
    linked: Vec<Digits>,
    /// [set and digit][word]: the sets that are linked by the digit. A row of zeros is at the end.
    to: Vec<u64>,
    /// [set and digit]: the set and the digit, in ascending order.
    pub(super) owner: Vec<(usize, Digit)>,
    /// [set][word]: the sets that share a cell with the set. None if sets may overlap.
    overlaps: Vec<u64>,
    /// The number of candidates.
    pub(super) candidates: usize,
    /// For each set and each of its digits the numbers of the candidates that the set removes if it has the digit.
    rivals: Lists,
    /// [set][word]: see [`RestrictedCommons::earlier_mates`].
    mates: OnceCell<Vec<u64>>,
}

impl<S: CellSet> RestrictedCommons<S> {
    /// Sets that share a cell are linked only if they `may_overlap`.
    pub(super) fn new(marks: &Candidates<S>, sets: Rc<LockedSets<S>>, may_overlap: bool) -> RestrictedCommons<S> {
        let words = sets.all.len().div_ceil(64);
        let (with_digit, with_cell) = holders(marks, &sets, words);
        let cells = marks.shape().cells();
        let (mut candidates, mut numbers) = (0, vec![u32::MAX; marks.order() * cells]);
        // [digit][cell]: the number of each candidate. [candidate][word]: the sets of which it sees all places of its digit.
        let mut seeing: Vec<u64> = Vec::new();
        for digit in Digits::all(marks.order()) {
            for cell in marks.of_digit(digit).cells() {
                numbers[digit.index() * cells + cell.index()] = candidates as u32;
                seeing.extend_from_slice(row(&with_digit, digit.index(), words));
                for far in (marks.of_digit(digit) - marks.peers(cell)).cells() {
                    subtract(row_mut(&mut seeing, candidates, words), row(&with_cell, far.index(), words));
                }
                candidates += 1;
            }
        }
        let mut commons = RestrictedCommons {
            words,
            first: Vec::with_capacity(sets.all.len()),
            linked: vec![Digits::EMPTY; sets.all.len()],
            to: Vec::new(),
            owner: Vec::new(),
            overlaps: vec![0; sets.all.len() * words],
            candidates,
            rivals: Lists::with_capacity(8 * sets.all.len(), 32 * sets.all.len()),
            mates: OnceCell::new(),
            sets,
        };
        for (at, set) in commons.sets.all.iter().enumerate() {
            commons.first.push(commons.owner.len());
            let overlaps = row_mut(&mut commons.overlaps, at, words);
            for cell in set.cells.cells().filter(|_| !may_overlap) {
                unite(overlaps, row(&with_cell, cell.index(), words));
            }
            for digit in set.digits {
                let numbers = &numbers[digit.index() * cells..];
                let rivals = marks.of_digit(digit) & commons.sets.seen(at, digit);
                rivals.cells().for_each(|cell| commons.rivals.push(numbers[cell.index()]));
                commons.rivals.end_row();
                // Nothing is linked by a digit that nothing outside the set can lose.
                if rivals.is_empty() {
                    continue;
                }
                let from = commons.to.len();
                commons.to.extend(overlaps.iter().map(|overlaps| !overlaps));
                let linked = &mut commons.to[from..];
                for cell in (marks.of_digit(digit) & set.cells).cells() {
                    intersect(linked, row(&seeing, numbers[cell.index()] as usize, words));
                }
                if is_empty(linked) {
                    commons.to.truncate(from);
                } else {
                    commons.linked[at].insert(digit);
                    commons.owner.push((at, digit));
                }
            }
        }
        commons.to.resize(commons.to.len() + words, 0);
        commons
    }

    /// The number of a set with one of the digits by which it is linked.
    pub(super) fn at(&self, set: usize, digit: Digit) -> usize {
        self.first[set] + (self.linked[set].0 & ((1 << digit.index()) - 1)).count_ones() as usize
    }

    /// The numbers of a set with each of its linking digits.
    pub(super) fn states(&self, set: usize) -> Range<usize> {
        self.first[set]..self.first[set] + self.linked[set].len()
    }

    /// The sets that are linked to a set by one of its digits, as words.
    pub(super) fn row(&self, set: usize, digit: Digit) -> &[u64] {
        let at = if self.linked[set].contains(digit) { self.at(set, digit) } else { self.owner.len() };
        row(&self.to, at, self.words)
    }

    pub(super) fn linked(&self, set: usize, digit: Digit) -> impl Iterator<Item = usize> + '_ {
        members(self.row(set, digit))
    }

    pub(super) fn are_linked(&self, set: usize, digit: Digit, other: usize) -> bool {
        has(self.row(set, digit), other)
    }

    /// The sets that share a cell with a set, itself included, as words.
    pub(super) fn overlaps(&self, set: usize) -> &[u64] {
        row(&self.overlaps, set, self.words)
    }

    pub(super) fn overlap(&self, a: usize, b: usize) -> bool {
        has(self.overlaps(a), b)
    }

    /// The earlier sets with which a set would remove something if one of the two were locked, each with the linking
    /// digits besides which they do. The words are a bit set of sets and digits.
    pub(super) fn earlier_mates(&self, set: usize) -> &[u64] {
        row(self.mates.get_or_init(|| self.all_mates()), set, self.owner.len().div_ceil(64))
    }

    fn all_mates(&self) -> Vec<u64> {
        let words = self.owner.len().div_ceil(64);
        // [candidate][word]: the sets of which the candidate sees all places of its digit.
        let mut near = vec![0; self.candidates * words];
        let mut mates = vec![0; self.sets.all.len() * words];
        for set in 0..self.sets.all.len() {
            for (rank, digit) in self.sets.all[set].digits.iter().enumerate() {
                for &candidate in self.rivals(set, rank) {
                    let near = row_mut(&mut near, candidate as usize, words);
                    unite(row_mut(&mut mates, set, words), near);
                    self.states(set).filter(|&own| self.owner[own].1 != digit).for_each(|own| insert(near, own));
                }
            }
        }
        mates
    }

    /// The numbers of the candidates that a set removes if it has a digit, given by its rank among the digits of the set.
    pub(super) fn rivals(&self, set: usize, rank: usize) -> &[u32] {
        self.rivals.row(self.sets.all[set].first_seen + rank)
    }
}

/// [digit][word] and [cell][word]: the sets that have a digit, and the sets that have a cell.
fn holders<S: CellSet>(marks: &Candidates<S>, sets: &LockedSets<S>, words: usize) -> (Vec<u64>, Vec<u64>) {
    let (mut with_digit, mut with_cell) = (vec![0; marks.order() * words], vec![0; marks.shape().cells() * words]);
    for (at, set) in sets.all.iter().enumerate() {
        let (word, bit) = (at / 64, 1 << (at % 64));
        set.digits.iter().for_each(|digit| with_digit[digit.index() * words + word] |= bit);
        set.cells.cells().for_each(|cell| with_cell[cell.index() * words + word] |= bit);
    }
    (with_digit, with_cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Narrow;
    use crate::rate::published::puzzle;

    #[test]
    fn links_overlaps_and_mates_match_their_definitions() {
        let line = ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...";
        let marks = Candidates::<Narrow>::new(&puzzle(line));
        let sets = Rc::new(LockedSets::new(&marks));
        let commons = RestrictedCommons::new(&marks, Rc::clone(&sets), false);
        let (mut linked, mut mates) = (0, 0);
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
                let rules_out = |digit| {
                    let places = || places(first.cells | second.cells, digit);
                    marks.of_digit(digit).cells().any(|cell| places().all(|place| marks.peers(cell).contains(place)))
                };
                for state in commons.states(b) {
                    let others = (first.digits & second.digits) - Digits::only(commons.owner[state].1);
                    let is_mate = others.iter().any(rules_out);
                    assert_eq!(has(commons.earlier_mates(a), state), is_mate && b < a);
                    mates += usize::from(is_mate);
                }
            }
        }
        assert!(linked > 100 && mates > 1_000, "{linked} {mates}");
    }
}
