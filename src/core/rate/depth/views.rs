//! A 9x9 position as sets of variables, so that a few operations on words find all its singles.
//!
//! ```text
//!   view 0: cells           view 1: row x digit       view 2: column x digit     view 3: box x digit
//!   left[0][d]: the cells   left[1][c]: the rows and  left[2][r]                 left[3][p]: boxes and digits
//!   that may hold d         digits possible in c                                 possible in place p
//! ```
//! Each view has 81 variables, one bit each, with nine values. In every view a candidate is one value of one variable.
//! The position that two assumptions imply starts as the intersection of what each implies alone.

use std::sync::LazyLock;

use crate::rate::whip::tables::{CANDIDATE_AT, CANDIDATES, CspState, LINKED, VARIABLES_OF};

/// The 81 variables of a view.
const ALL: u128 = (1 << 81) - 1;

/// What is still possible.
#[derive(Clone)]
pub(super) struct Views {
    /// `left[view][value]`: the variables of the view for which the value is still possible.
    left: [[u128; 9]; 4],
    /// Variables with a value whose consequences have been drawn.
    settled: [u128; 4],
}

/// What each candidate implies on an empty board.
pub(super) static PLACED: LazyLock<Vec<Views>> = LazyLock::new(|| (0..CANDIDATES).map(Views::placed).collect());

impl Views {
    /// A copy of a position, without placing its singles.
    pub(super) fn of(position: &CspState) -> Views {
        let mut views = Views { left: [[ALL; 9]; 4], settled: [0; 4] };
        (0..CANDIDATES).filter(|&candidate| !position.alive[candidate]).for_each(|gone| views.remove(gone));
        // The candidate that is the value of a settled variable is not alive in `position`, but here it is what
        // remains.
        for (variable, _) in position.settled.iter().enumerate().filter(|(_, settled)| **settled) {
            let bit = position.value[variable];
            views.left[variable / 81][bit.trailing_zeros() as usize] |= 1 << (variable % 81);
            views.settled[variable / 81] |= 1 << (variable % 81);
        }
        views
    }

    fn placed(candidate: usize) -> Views {
        let mut views = Views { left: [[ALL; 9]; 4], settled: [0; 4] };
        LINKED[candidate].iter().for_each(|&other| views.remove(other.into()));
        for (variable, _) in VARIABLES_OF[candidate] {
            views.settled[usize::from(variable) / 81] |= 1 << (variable % 81);
        }
        views
    }

    pub(super) fn remove(&mut self, candidate: usize) {
        for (variable, bit) in VARIABLES_OF[candidate] {
            self.left[usize::from(variable) / 81][bit.trailing_zeros() as usize] &= !(1 << (variable % 81));
        }
    }

    /// True when a candidate is possible and its cell has no value.
    pub(super) fn is_open(&self, candidate: usize) -> bool {
        let (cell, digit) = (candidate / 9, candidate % 9);
        (self.left[0][digit] & !self.settled[0]) >> cell & 1 == 1
    }

    /// Cells with a value.
    pub(super) fn known(&self) -> u32 {
        self.settled[0].count_ones()
    }

    pub(super) fn is_solved(&self) -> bool {
        self.settled[0] == ALL
    }

    /// Keeps only what both positions allow.
    pub(super) fn meet(&mut self, other: &Views) {
        for (own, other) in self.left.as_flattened_mut().iter_mut().zip(other.left.as_flattened()) {
            *own &= other;
        }
        for (own, other) in self.settled.iter_mut().zip(other.settled) {
            *own |= other;
        }
    }

    /// Places all singles. `implied` holds what each candidate implies. False on a contradiction.
    pub(super) fn place_singles(&mut self, implied: &[Views]) -> bool {
        loop {
            let mut done = true;
            for view in 0..4 {
                let (mut any, mut several) = (0, 0);
                for &variables in &self.left[view] {
                    several |= any & variables;
                    any |= variables;
                }
                if any != ALL {
                    return false;
                }
                let mut singles = any & !several & !self.settled[view];
                done &= singles == 0;
                while singles != 0 {
                    let variable = singles.trailing_zeros() as usize;
                    let Some(value) = self.left[view].iter().position(|left| left >> variable & 1 == 1) else {
                        return false;
                    };
                    self.meet(&implied[usize::from(CANDIDATE_AT[81 * view + variable][value])]);
                    singles &= (singles - 1) & !self.settled[view];
                }
            }
            if done {
                return true;
            }
        }
    }
}
