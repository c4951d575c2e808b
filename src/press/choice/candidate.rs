//! Defines the rows that may be chosen, and their records in files that are sorted.

use crate::choice::order::MOST_COLUMNS;
use sudoku_corpus_store::corpus::sorter::words_of;

/// A row that may be chosen.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub class: u128,
    /// The set of quotas that it fits, one bit per quota.
    pub category: u64,
    /// Its place in the order in which puzzles are picked: smaller numbers come first, then smaller classes.
    pub pick: [u64; MOST_COLUMNS],
    /// Number of the row in the pool.
    pub row: u64,
    /// Its place in the order of the result.
    pub sort: [u64; MOST_COLUMNS],
    /// Copies with the same place in the order were left out.
    pub is_tied: bool,
    /// The class has candidates of several categories.
    pub is_shared: bool,
}

/// The place of a candidate in the order of all candidates, whatever their categories.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PickPlace {
    pick: [u64; MOST_COLUMNS],
    class: u128,
}

/// A candidate in a file that is sorted. Numbers begin with their highest byte, so records sort as numbers.
///
/// ```text
///   slot      0 1 2    3 4 5         6    7 8 9   10
///   by class  C C K    P P P         row  S S S   flags     C class, K category
///   by order  P P P    C C K         row  S S S   flags     P pick, S sort
/// ```
pub(super) type CandidateRecord = [u64; 11];

/// Bytes of pick, class and category at the beginning of a record by order.
pub(super) const ORDER_BYTES: usize = 6 * 8;

/// Bytes of row and sort, which follow.
pub(super) const COPY_BYTES: usize = 4 * 8;

impl Candidate {
    /// As a record that sorts by class.
    pub(super) fn by_class(&self) -> CandidateRecord {
        let Candidate { class, category, pick: [a, b, c], row, sort: [x, y, z], is_tied, is_shared } = *self;
        let flags = u64::from(is_tied) | u64::from(is_shared) << 1;
        [(class >> 64) as u64, class as u64, category, a, b, c, row, x, y, z, flags]
    }

    /// As a record that sorts in the order in which puzzles are picked.
    pub(super) fn by_order(&self) -> CandidateRecord {
        let [high, low, category, a, b, c, rest @ ..] = self.by_class();
        let [row, x, y, z, flags]: [u64; 5] = rest;
        [a, b, c, high, low, category, row, x, y, z, flags]
    }

    /// The candidate of the words of a record by class.
    pub(super) fn of([high, low, category, a, b, c, row, x, y, z, flags]: CandidateRecord) -> Candidate {
        let class = u128::from(high) << 64 | u128::from(low);
        let (is_tied, is_shared) = (flags & 1 != 0, flags & 2 != 0);
        Candidate { class, category, pick: [a, b, c], row, sort: [x, y, z], is_tied, is_shared }
    }

    /// The candidate of a record by order.
    pub(super) fn of_order(record: &[u8]) -> Candidate {
        let [a, b, c, high, low, category, row, x, y, z, flags]: CandidateRecord = words_of(record);
        Candidate::of([high, low, category, a, b, c, row, x, y, z, flags])
    }

    pub(super) fn place(&self) -> PickPlace {
        PickPlace { pick: self.pick, class: self.class }
    }
}
