//! Searches that look at one house at a time, and skip the houses in which they have found nothing.

use crate::board::{Candidates, CellSet, House};

/// Numbers of the searches that look at one house at a time. Once such a search has found nothing in the whole
/// position, it skips each house until the house changes.
#[derive(Clone, Copy)]
pub(crate) enum Quiet {
    Pointing,
    Claiming,
    /// The next number is that of locked triples.
    LockedPair,
    /// The next two numbers are those of naked triples and quadruples.
    NakedPair = 4,
    /// The next two numbers are those of hidden triples and quadruples.
    HiddenPair = 7,
    SueDeCoq = 10,
}

impl Quiet {
    /// From the search for pairs: the number of the search for subsets of this size.
    pub(crate) fn of_size(self, size: usize) -> usize {
        self as usize + size - 2
    }
}

/// Searches the houses that have changed since this search last found nothing anywhere. `search`: true if it found any.
pub(crate) fn each_changed<S: CellSet>(
    marks: &Candidates<S>,
    number: usize,
    houses: impl Iterator<Item = House>,
    mut search: impl FnMut(House) -> bool,
) {
    let mut is_quiet = true;
    for house in houses.filter(|&house| marks.is_news(number, house)) {
        is_quiet &= !search(house);
    }
    if is_quiet {
        marks.found_nothing(number);
    }
}
