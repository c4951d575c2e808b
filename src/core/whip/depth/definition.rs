//! Computes T&E depth and BxB ([`super`]) directly from their definitions, for tests. Those of whips use its sets too.
//!
//! A *variable* is a cell, or a digit in a house: exactly one of its candidates is true. A *single* is the last
//! candidate of a variable. A candidate *excludes* another if they share a variable. A braid of length n removes a
//! candidate, its target, if n steps after the assumption of the target end in a contradiction. Each of the first n - 1
//! steps places a single, and the last step finds a variable without a candidate.

use crate::bits::{has, insert, meet, members, remove, unite};

/// A set of the 729 candidates, one bit each: number `9 * cell + digit - 1`, with digits from 1.
pub(crate) type CandidateSet = [u64; 12];

pub(crate) fn minus(set: &CandidateSet, taken: &CandidateSet) -> CandidateSet {
    std::array::from_fn(|word| set[word] & !taken[word])
}

pub(crate) fn both(a: &CandidateSet, b: &CandidateSet) -> CandidateSet {
    std::array::from_fn(|word| a[word] & b[word])
}

pub(crate) fn size(set: &CandidateSet) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// The variables of a candidate: its cell, and its digit in its row, column and box.
fn variables_of(candidate: usize) -> [usize; 4] {
    let (row, column, digit) = (candidate / 81, candidate / 9 % 9, candidate % 9);
    let of_box = row / 3 * 3 + column / 3;
    [9 * row + column, 81 + 9 * row + digit, 162 + 9 * column + digit, 243 + 9 * of_box + digit]
}

/// The tables that the definitions need.
pub(crate) struct Definition {
    /// The candidates of each variable.
    pub(crate) variables: Vec<CandidateSet>,
    /// The candidates that each candidate excludes.
    pub(crate) links: Vec<CandidateSet>,
}

impl Definition {
    pub(crate) fn new() -> Definition {
        let mut variables = vec![[0; 12]; 324];
        for candidate in 0..729 {
            variables_of(candidate).iter().for_each(|&variable| insert(&mut variables[variable], candidate));
        }
        let links = (0..729).map(|candidate| {
            let mut links = [0; 12];
            variables_of(candidate).iter().for_each(|&variable| unite(&mut links, &variables[variable]));
            remove(&mut links, candidate);
            links
        });
        Definition { links: links.collect(), variables }
    }

    /// The candidates that the values of 81 cells leave, 0 for an empty cell; of a filled cell its value alone.
    pub(crate) fn open(&self, values: &[u16]) -> CandidateSet {
        let mut open = [u64::MAX; 12];
        open[11] = (1 << (729 % 64)) - 1;
        for (cell, &value) in values.iter().enumerate().filter(|(_, value)| **value > 0) {
            open = minus(&open, &self.links[9 * cell + usize::from(value) - 1]);
        }
        open
    }

    /// True if T&E(1) with braids up to a length solves a puzzle.
    pub(super) fn solves(&self, values: &[u16], length: u32) -> bool {
        let mut open = self.open(values);
        assert!(self.place_singles(&mut open));
        self.remove_while(&mut open, |open, assumed| self.is_refuted(minus(open, &self.links[assumed]), length));
        size(&open) == 81
    }

    /// Removes from `open` what T&E(`depth`) refutes, until it refutes nothing more. False after a contradiction.
    pub(super) fn exhaust(&self, open: &mut CandidateSet, depth: u8) -> bool {
        let is_refuted =
            |open: &CandidateSet, assumed| !self.exhaust(&mut minus(open, &self.links[assumed]), depth - 1);
        self.place_singles(open) && (depth == 0 || self.remove_while(open, is_refuted))
    }

    /// Removes each candidate that `is_refuted`, and places singles, until none is left. False after a contradiction.
    fn remove_while(&self, open: &mut CandidateSet, is_refuted: impl Fn(&CandidateSet, usize) -> bool) -> bool {
        loop {
            let before = *open;
            for candidate in members(&before) {
                // A candidate is placed when none that it excludes is left.
                let is_open = has(open, candidate) && meet(open, &self.links[candidate]);
                if is_open && is_refuted(open, candidate) {
                    remove(open, candidate);
                    if !self.place_singles(open) {
                        return false;
                    }
                }
            }
            if *open == before {
                return true;
            }
        }
    }

    /// True if singles and braids up to a length lead to a contradiction.
    fn is_refuted(&self, mut open: CandidateSet, length: u32) -> bool {
        let braids = |open: &CandidateSet, target: usize| self.ends_within(open, target, length);
        !self.place_singles(&mut open) || !self.remove_while(&mut open, braids)
    }

    /// True if a candidate, once placed, leads to a variable without a candidate within this number of steps.
    fn ends_within(&self, open: &CandidateSet, placed: usize, steps: u32) -> bool {
        let (left, gone) = (minus(open, &self.links[placed]), both(open, &self.links[placed]));
        let is_empty = |&variable: &usize| !meet(&left, &self.variables[variable]);
        if members(&gone).any(|candidate| variables_of(candidate).iter().any(is_empty)) {
            return true;
        }
        let last = self.variables.iter().map(|variable| both(&left, variable)).filter(|left| size(left) == 1);
        let mut last = last.filter_map(|last| members(&last).next()).filter(|&last| meet(&left, &self.links[last]));
        steps > 1 && last.any(|last| self.ends_within(&left, last, steps - 1))
    }

    /// Places singles until there are no more: removes what they exclude. False after a contradiction.
    pub(crate) fn place_singles(&self, open: &mut CandidateSet) -> bool {
        loop {
            let before = *open;
            for variable in &self.variables {
                let left = both(open, variable);
                match size(&left) {
                    0 => return false,
                    1 => members(&left).for_each(|single| *open = minus(open, &self.links[single])),
                    _ => {}
                }
            }
            if *open == before {
                return true;
            }
        }
    }
}
