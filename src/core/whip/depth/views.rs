//! A 9x9 position as sets of variables, so that a few operations on words find all its singles.
//!
//! ```text
//!   view 0: cells           view 1: row x digit       view 2: column x digit     view 3: box x digit
//!   left[d], cells that     left[c], rows and         left[r]                    left[p]: boxes and digits
//!   may hold d              digits possible in c                                 possible in place p
//! ```
//! Each view has 81 variables, one bit each, with nine values. In every view a candidate is one value of one variable.
//! The four views stand side by side, so that one pass over nine rows finds the singles of all.

use std::sync::LazyLock;

use crate::board::Puzzle;
use crate::solve::nine::Instructions;
use crate::whip::lanes::{Work, with_vectors};
use crate::whip::tables::{CANDIDATE_AT, CANDIDATES, CspState, LINKED, VARIABLES_OF, VariableBit};

/// The 81 variables of each view, 128 bits for a view.
type Row = [u64; 8];

/// All variables of every view.
const ALL: Row = {
    let (low, high) = (u64::MAX, (1 << (81 - 64)) - 1);
    [low, high, low, high, low, high, low, high]
};

/// The word of a variable in a row, and its bit there.
const fn word_and_bit(variable: usize) -> (usize, u64) {
    let (view, bit) = (variable / 81, variable % 81);
    (2 * view + bit / 64, 1 << (bit % 64))
}

/// A position, in the four views.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct Views {
    /// The variables for which each value is still possible.
    left: [Row; 9],
    /// Variables with a value whose consequences have been drawn.
    settled: Row,
}

/// What each candidate implies on an empty board.
pub(super) static PLACED: LazyLock<Vec<Views>> = LazyLock::new(|| (0..CANDIDATES).map(Views::placed).collect());

impl Views {
    /// A copy of a position, without placing its singles.
    pub(super) fn of(position: &CspState) -> Views {
        let mut views = Views { left: [ALL; 9], settled: [0; 8] };
        (0..CANDIDATES).filter(|&candidate| !position.alive[candidate]).for_each(|gone| views.remove(gone));
        // The value of a settled variable is not alive in `position`, but here it is what remains.
        for (variable, _) in position.settled.iter().enumerate().filter(|(_, settled)| **settled) {
            let (word, bit) = word_and_bit(variable);
            views.left[position.value[variable].trailing_zeros() as usize][word] |= bit;
            views.settled[word] |= bit;
        }
        views
    }

    /// The position of a 9x9 puzzle, without placing its singles.
    pub(super) fn of_givens(puzzle: &Puzzle) -> Views {
        let mut views = Views { left: [ALL; 9], settled: [0; 8] };
        for (cell, digit) in puzzle.grid().given_cells() {
            views.meet(&PLACED[9 * cell.index() + digit.index()]);
        }
        views
    }

    /// The empty board after a candidate was placed, without singles that follow.
    fn placed(candidate: usize) -> Views {
        let mut views = Views { left: [ALL; 9], settled: [0; 8] };
        LINKED[candidate].iter().for_each(|&linked| views.remove(linked.into()));
        for VariableBit { variable, .. } in VARIABLES_OF[candidate] {
            let (word, bit) = word_and_bit(variable.into());
            views.settled[word] |= bit;
        }
        views
    }

    pub(super) fn remove(&mut self, candidate: usize) {
        for VariableBit { variable, bit: value } in VARIABLES_OF[candidate] {
            let (word, bit) = word_and_bit(variable.into());
            self.left[value.trailing_zeros() as usize][word] &= !bit;
        }
    }

    /// True when a candidate is possible and its cell has no value.
    pub(super) fn is_open(&self, candidate: usize) -> bool {
        let (word, bit) = word_and_bit(candidate / 9);
        self.left[candidate % 9][word] & !self.settled[word] & bit != 0
    }

    pub(super) fn settled_cells(&self) -> u32 {
        self.settled[0].count_ones() + self.settled[1].count_ones()
    }

    pub(super) fn is_solved(&self) -> bool {
        self.settled[..2] == ALL[..2]
    }

    /// Keeps what is possible in both positions, and draws the consequences that either has drawn.
    #[inline(always)]
    pub(super) fn meet(&mut self, other: &Views) {
        for (left, other_left) in self.left.as_flattened_mut().iter_mut().zip(other.left.as_flattened()) {
            *left &= other_left;
        }
        for (settled, other_settled) in self.settled.iter_mut().zip(other.settled) {
            *settled |= other_settled;
        }
    }

    /// Assumes a candidate and places all singles. `implied`: what each candidate implies. False on a contradiction.
    #[inline]
    pub(super) fn assume(&mut self, candidate: usize, implied: &[Views]) -> bool {
        with_vectors(Instructions::Avx512, PlaceSingles { views: self, assumed: Some(candidate), implied })
    }

    /// Places all singles. `implied` holds what each candidate implies. False on a contradiction.
    #[inline]
    pub(super) fn place_singles(&mut self, implied: &[Views]) -> bool {
        with_vectors(Instructions::Avx512, PlaceSingles { views: self, assumed: None, implied })
    }

    /// The variables that have one value left and are not settled. None if a variable has no value left.
    #[inline(always)]
    fn singles(&self) -> Option<Row> {
        let (mut any, mut several) = ([0; 8], [0; 8]);
        for row in &self.left {
            for word in 0..8 {
                several[word] |= any[word] & row[word];
                any[word] |= row[word];
            }
        }
        (any == ALL).then(|| std::array::from_fn(|word| any[word] & !several[word] & !self.settled[word]))
    }

    /// Places singles, except where one has lost its value meanwhile: false if there are such.
    #[inline(always)]
    fn place_all(&mut self, singles: Row, implied: &[Views]) -> bool {
        let mut holds = true;
        for (word, singles) in singles.into_iter().enumerate() {
            let mut bits = singles & !self.settled[word];
            while bits != 0 {
                let bit = bits.trailing_zeros() as usize;
                let variable = 81 * (word / 2) + 64 * (word % 2) + bit;
                match self.left.iter().position(|row| row[word] >> bit & 1 == 1) {
                    Some(value) => self.meet(&implied[usize::from(CANDIDATE_AT[variable][value])]),
                    None => holds = false,
                }
                // Singles that are settled by now need not be placed.
                bits &= (bits - 1) & !self.settled[word];
            }
        }
        holds
    }
}

/// [`Views::assume`] and [`Views::place_singles`], for the instructions of the machine.
struct PlaceSingles<'v> {
    views: &'v mut Views,
    assumed: Option<usize>,
    implied: &'v [Views],
}

impl Work for PlaceSingles<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let PlaceSingles { views, assumed, implied } = self;
        if let Some(candidate) = assumed {
            views.meet(&implied[candidate]);
        }
        while let Some(singles) = views.singles() {
            if singles == [0; 8] {
                return true;
            }
            if !views.place_all(singles, implied) {
                return false;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Rng, Stage};

    /// With each kind of vectors the same position remains, or each finds the contradiction.
    #[test]
    fn all_instructions_give_the_same_singles() {
        let mut rng = Rng::new(8, 0, Stage::Sample, 0);
        let mut ends = [0; 2];
        for _ in 0..300 {
            let mut start = Views { left: [ALL; 9], settled: [0; 8] };
            for _ in 0..1 + rng.below(30) {
                let candidate = rng.below(CANDIDATES);
                let mut next = start.clone();
                if start.is_open(candidate) && next.assume(candidate, &PLACED) {
                    start = next;
                }
            }
            let open: Vec<usize> = (0..CANDIDATES).filter(|&candidate| start.is_open(candidate)).collect();
            for &candidate in &open {
                let run = |most: Instructions| {
                    let mut views = start.clone();
                    let assumed = Some(candidate);
                    let holds = with_vectors(most, PlaceSingles { views: &mut views, assumed, implied: &PLACED });
                    holds.then_some(views)
                };
                let portable = run(Instructions::Portable);
                ends[usize::from(portable.is_some())] += 1;
                assert_eq!(run(Instructions::Avx2), portable);
                assert_eq!(run(Instructions::Avx512), portable);
            }
        }
        assert!(ends.iter().all(|&count| count > 100), "{ends:?}");
    }
}
