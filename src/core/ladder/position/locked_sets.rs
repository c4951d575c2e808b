//! Finds the almost locked sets: n cells of one house that have n + 1 candidates between them.
//!
//! ```text
//!   12 . 23 | .  .  123 | . . .        3 cells of a row with 3 candidates are locked;
//!                                      with a fourth one, 1234, they are locked as soon as they lose any one digit
//! ```
//!
//! A single cell with two candidates is an almost locked set too. Reference: Sudopedia, "Almost Locked Set".

use crate::board::{Candidates, CellSet, Digit, Digits, House};

use super::common::all_see;

/// On boards above 9x9 sets have at most this many cells, because the number of sets grows with 2^n.
const CELLS_ON_LARGE_BOARDS: usize = 4;

/// An almost locked set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LockedSet<S> {
    pub(crate) cells: S,
    pub(crate) digits: Digits,
    /// Where its digits begin among those of all sets.
    pub(crate) first_seen: usize,
    /// Its number in the earlier position, if its cells have kept their candidates since.
    pub(crate) earlier: Option<u32>,
}

/// A cell, and its candidates.
struct OpenCell<S> {
    cell: S,
    candidates: Digits,
}

/// Some cells of a house, their number, and the digits that they have together.
struct Chosen<S> {
    cells: S,
    count: usize,
    digits: Digits,
}

/// The almost locked sets of a position.
#[derive(Debug)]
pub(crate) struct LockedSets<S> {
    pub(crate) all: Vec<LockedSet<S>>,
    /// For each set and each of its digits, the places of the digit that see all its places in the set.
    seen: Vec<S>,
    /// The candidates of each cell.
    candidates: Vec<Digits>,
    /// Where the sets of each house begin; at the end the number of sets.
    firsts: Vec<usize>,
}

impl<S: CellSet> LockedSets<S> {
    pub(crate) fn none() -> LockedSets<S> {
        LockedSets { all: Vec::new(), seen: Vec::new(), candidates: Vec::new(), firsts: Vec::new() }
    }

    /// The sets of a position. Houses that are as they were in an earlier position of the puzzle have the same sets:
    /// from one search to the next, mostly one candidate goes.
    pub(crate) fn new(marks: &Candidates<S>, earlier: Option<&LockedSets<S>>) -> LockedSets<S> {
        let cells = marks.sets().layout().cells();
        let mut sets = LockedSets {
            all: Vec::with_capacity(256),
            seen: Vec::with_capacity(1024),
            candidates: cells.map(|cell| marks.of_cell(cell)).collect(),
            firsts: Vec::with_capacity(32),
        };
        let changed = earlier.map(|earlier| sets.changed_since(marks, earlier));
        let order = marks.order();
        let most = if order > 9 { CELLS_ON_LARGE_BOARDS } else { order - 1 };
        marks.with_candidates(2).cells().for_each(|cell| sets.add(marks, S::only(cell), marks.of_cell(cell)));
        for house in marks.sets().layout().houses() {
            sets.firsts.push(sets.all.len());
            if let (Some(earlier), Some(changed)) = (earlier, changed)
                && !changed.meets(marks.house(house))
            {
                sets.copy(marks, earlier, house);
                continue;
            }
            let open = (marks.house(house) & marks.open()).cells();
            let open: Vec<OpenCell<S>> =
                open.map(|cell| OpenCell { cell: S::only(cell), candidates: marks.of_cell(cell) }).collect();
            let is_box = house.index() >= 2 * order;
            // All open cells of a house have no digit to spare.
            let size = most.min(open.len().saturating_sub(1));
            if size > 1 {
                sets.extend(marks, is_box, &open, size, Chosen { cells: S::empty(), count: 0, digits: Digits::EMPTY });
            }
        }
        sets.firsts.push(sets.all.len());
        if let (Some(earlier), Some(changed)) = (earlier, changed) {
            sets.find_again(earlier, changed);
        }
        sets
    }

    /// The cells that have other candidates than in an earlier position.
    fn changed_since(&self, marks: &Candidates<S>, earlier: &LockedSets<S>) -> S {
        let cells = marks.sets().layout().cells();
        S::of(cells.filter(|cell| self.candidates[cell.index()] != earlier.candidates[cell.index()]))
    }

    /// Adds the sets that a house had in an earlier position. Other houses may have lost places that the sets remove.
    fn copy(&mut self, marks: &Candidates<S>, earlier: &LockedSets<S>, house: House) {
        for set in earlier.firsts[house.index()]..earlier.firsts[house.index() + 1] {
            self.all.push(LockedSet { first_seen: self.seen.len(), ..earlier.all[set] });
            self.seen.extend(earlier.rivals(set).map(|(digit, seen)| seen & marks.of_digit(digit)));
        }
    }

    /// Finds the sets of unchanged cells in an earlier position. They stand in the same order there.
    fn find_again(&mut self, earlier: &LockedSets<S>, changed: S) {
        let mut earlier_sets = (0..).zip(&earlier.all);
        for set in &mut self.all {
            let mut find = || earlier_sets.find(|(_, earlier)| earlier.cells == set.cells).map(|(number, _)| number);
            set.earlier = if set.cells.meets(changed) { None } else { find() };
        }
    }

    /// Adds the sets that contain the chosen cells and some cells of `rest`, up to a size.
    fn extend(&mut self, marks: &Candidates<S>, is_box: bool, rest: &[OpenCell<S>], size: usize, chosen: Chosen<S>) {
        for (index, &OpenCell { cell, candidates }) in rest.iter().enumerate() {
            let count = chosen.count + 1;
            let digits = chosen.digits | candidates;
            let digit_count = digits.len();
            // Each cell that is left adds one to the digits that the set may have.
            if digit_count > (size + 1).min(count + rest.len() - index) {
                continue;
            }
            let cells = chosen.cells | cell;
            if count > 1 && digit_count == count + 1 && !(is_box && in_one_line(marks, cells)) {
                self.add(marks, cells, digits);
            }
            if count < size {
                self.extend(marks, is_box, &rest[index + 1..], size, Chosen { cells, count, digits });
            }
        }
    }

    /// Adds a set.
    fn add(&mut self, marks: &Candidates<S>, cells: S, digits: Digits) {
        self.all.push(LockedSet { cells, digits, first_seen: self.seen.len(), earlier: None });
        self.seen.extend(digits.iter().map(|digit| {
            let places = marks.of_digit(digit);
            places & all_see(marks, places & cells)
        }));
    }

    /// The places that a set removes if it has a digit, for each of its digits.
    pub(crate) fn rivals(&self, set: usize) -> impl Iterator<Item = (Digit, S)> {
        let LockedSet { digits, first_seen, .. } = self.all[set];
        digits.iter().zip(self.seen[first_seen..].iter().copied())
    }

    /// The places of a digit that see all its places in a set. The set must have the digit.
    #[inline]
    pub(crate) fn seen(&self, set: usize, digit: Digit) -> S {
        let set = &self.all[set];
        // The number of smaller digits that the set has.
        let rank = (set.digits.0 & ((1 << digit.index()) - 1)).count_ones() as usize;
        self.seen[set.first_seen + rank]
    }
}

/// True when cells of a box lie in one row or column. Then the line has the same set.
fn in_one_line<S: CellSet>(marks: &Candidates<S>, cells: S) -> bool {
    let layout = marks.sets().layout();
    cells
        .first()
        .is_some_and(|first| layout.plain_houses_of(first)[..2].iter().any(|&line| cells.within(marks.house(line))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Narrow};
    use crate::ladder::tests::gates::{choices, digits_of};
    use crate::ladder::tests::published::random_puzzle;
    use crate::random::{Rng, Stage};

    /// Chains pass through an almost hidden set as the almost locked set of the other cells.
    #[test]
    fn beside_every_almost_hidden_set_is_an_almost_locked_set() {
        let (mut rng, mut hidden) = (Rng::new(34, 0, Stage::Bench, 0), 0);
        for _ in 0..10 {
            let marks = Candidates::<Narrow>::new(&random_puzzle(&mut rng).0);
            let sets = LockedSets::new(&marks, None);
            for house in marks.sets().layout().houses().map(|house| marks.house(house) & marks.open()) {
                let cells: Vec<Cell> = house.cells().collect();
                for chosen in (1..=cells.len()).flat_map(|size| choices(&cells, size)).map(Narrow::of) {
                    let is_inside = |&digit: &Digit| {
                        let places = marks.of_digit(digit) & house;
                        !places.is_empty() && places.within(chosen)
                    };
                    let hidden_digits = Digits::all(9).iter().filter(is_inside).count();
                    let cells = house - chosen;
                    let digits = digits_of(&marks, cells);
                    // With fewer digits, the other cells would be a naked subset.
                    if hidden_digits + 1 == chosen.len() && digits.len() == cells.len() + 1 && cells.len() > 0 {
                        assert!(sets.all.iter().any(|set| set.cells == cells && set.digits == digits));
                        hidden += 1;
                    }
                }
            }
        }
        assert!(hidden > 0);
    }
}
