//! Almost locked sets as parts of chains: doors, and the cells that a locked set forces.

use crate::board::{Candidates, CellSet, Digit, Digits};

use super::{Links, State, on};

/// A door: a set with the digit that it loses. It is two states: the digit is gone; the others are there.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Door {
    pub(in super::super) set: usize,
    pub(in super::super) lost: Digit,
    pub(super) entry: bool,
}

/// A cell to which the locked set behind a door leaves one candidate, of several.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Forced {
    pub(in super::super) door: Door,
    pub(in super::super) node: usize,
    /// The state of the door in which its set is locked.
    behind: State,
}

impl<S: CellSet> Links<S> {
    pub(super) fn add_doors(&mut self, marks: &Candidates<S>) {
        for (at, set) in self.sets.all.iter().enumerate().filter(|(_, set)| set.cells.len() > 1) {
            for lost in set.digits {
                if marks.of_digit(lost).meets(self.sets.seen(at, lost)) {
                    self.doors.extend([true, false].map(|entry| Door { set: at, lost, entry }));
                }
            }
        }
    }

    /// The cells that a locked set leaves one candidate where it takes two or more.
    pub(super) fn add_forced(&mut self, marks: &Candidates<S>) {
        for (at, &door) in self.doors.iter().enumerate().filter(|(_, door)| !door.entry) {
            let set = &self.sets.all[door.set];
            for cell in (marks.open() - set.cells).cells() {
                let takes = |digit: &Digit| *digit != door.lost && self.sets.seen(door.set, *digit).contains(cell);
                let taken: Digits = (set.digits & marks.of_cell(cell)).iter().filter(takes).collect();
                if let (true, Some(digit)) = (taken.len() > 1, (marks.of_cell(cell) - taken).single()) {
                    let node = self.node(cell, digit);
                    self.forced.push(Forced { door, node, behind: (2 * self.nodes.len() + at) as State });
                }
            }
        }
    }

    pub(super) fn push_exits(&mut self, marks: &Candidates<S>, door: usize, groups_of: &[Vec<u32>]) {
        let Door { set, lost, .. } = self.doors[door];
        for digit in self.sets.all[set].digits - Digits::only(lost) {
            let seen = self.sets.seen(set, digit);
            self.push_nodes_in(marks.of_digit(digit) & seen, seen, digit, groups_of);
        }
        let (behind, first) =
            ((2 * self.nodes.len() + door) as State, (2 * self.nodes.len() + self.doors.len()) as State);
        let from = self.forced.partition_point(|forced| forced.behind < behind);
        let count = self.forced[from..].iter().take_while(|forced| forced.behind == behind).count();
        self.next.extend((from..from + count).map(|forced| first + forced as State));
    }

    /// The truth of the candidates of a locked set that are the only ones of their digit in it.
    pub(super) fn push_last_places(&mut self, marks: &Candidates<S>, door: usize) {
        let Door { set, lost, .. } = self.doors[door];
        for digit in self.sets.all[set].digits - Digits::only(lost) {
            let places = self.places_in(marks, set, digit);
            if let (1, Some(cell)) = (places.len(), places.first()) {
                self.next.push(on(self.node(cell, digit)));
            }
        }
    }

    pub(super) fn places_in(&self, marks: &Candidates<S>, set: usize, digit: Digit) -> S {
        marks.of_digit(digit) & self.sets.all[set].cells
    }

    pub(super) fn doors_by_digit(&self, order: usize) -> Vec<Vec<u32>> {
        let mut by_digit = vec![Vec::new(); order];
        for (at, door) in self.doors.iter().enumerate().filter(|(_, door)| door.entry) {
            by_digit[door.lost.index()].push(at as u32);
        }
        by_digit
    }
}
