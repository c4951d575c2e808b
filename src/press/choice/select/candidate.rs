//! Defines the rows that may be chosen, and their records in files that are sorted.
//!
//! These words have one meaning in all files of the choice:
//!
//! | word | meaning |
//! |---|---|
//! | class | a number that isomorphic puzzles share; at most one puzzle of a class is chosen |
//! | copies | rows of the same class |
//! | category | the set of quotas that a row fits: bit q is set if it fits quota q |
//! | pick keys | say which rows are taken first if there are more than are wanted |
//! | sort keys | say in which order the chosen rows stand in the result |

use crate::choice::order::Keys;
use sudoku_corpus_store::corpus::sorter::{bytes_of, words_of};

/// A row that may be chosen.
#[derive(Clone, Copy, Default)]
pub(super) struct Candidate {
    pub class: u128,
    pub category: u64,
    /// Candidates with smaller keys are picked first. Those with the same keys are picked in the order of their classes.
    pub pick: Keys,
    /// Number of the row in the pool.
    pub row: u64,
    pub sort: Keys,
    /// A copy of the same category has the same pick keys. Then the texts of the cells decide which of them is taken.
    pub is_tied: bool,
    /// A copy has another category.
    pub is_shared: bool,
}

/// A candidate in a file that is sorted. Numbers begin with their highest byte, so records sort as numbers.
///
/// ```text
///   word      0 1 2    3 4 5         6    7 8 9   10
///   by class  C C K    P P P         row  S S S   flags     C class, K category
///   by order  P P P    C C K         row  S S S   flags     P pick keys, S sort keys
/// ```
type CandidateRecord = [u64; 11];

/// Bytes of pick keys, class and category, with which a record by order begins. Tied copies agree in them.
const ORDER_BYTES: usize = 6 * 8;

/// Bytes of row and sort keys, which follow.
const ROW_BYTES: usize = 4 * 8;

/// The flags of a record.
const TIED: u64 = 1;
const SHARED: u64 = 2;

impl Candidate {
    /// As a record that sorts by class.
    pub(super) fn by_class(&self) -> [[u8; 8]; 11] {
        let Candidate { class, category, pick: [p0, p1, p2], row, sort: [s0, s1, s2], is_tied, is_shared } = *self;
        let flags = u64::from(is_tied) * TIED + u64::from(is_shared) * SHARED;
        let record: CandidateRecord =
            [(class >> 64) as u64, class as u64, category, p0, p1, p2, row, s0, s1, s2, flags];
        bytes_of(record)
    }

    /// As a record that sorts in the order in which puzzles are picked.
    pub(super) fn by_order(&self) -> [[u8; 8]; 11] {
        let mut record = self.by_class();
        record[..6].rotate_left(3);
        record
    }

    pub(super) fn of_class_record(record: &[u8]) -> Candidate {
        Candidate::of(words_of(record))
    }

    pub(super) fn of_order_record(record: &[u8]) -> Candidate {
        let mut words: CandidateRecord = words_of(record);
        words[..6].rotate_right(3);
        Candidate::of(words)
    }

    /// The candidate of the words of a record by class.
    fn of([high, low, category, p0, p1, p2, row, s0, s1, s2, flags]: CandidateRecord) -> Candidate {
        Candidate {
            class: u128::from(high) << 64 | u128::from(low),
            category,
            pick: [p0, p1, p2],
            row,
            sort: [s0, s1, s2],
            is_tied: flags & TIED != 0,
            is_shared: flags & SHARED != 0,
        }
    }

    /// As a record of a tied copy. It sorts in the order of picking, and tied copies sort by the texts of their cells.
    ///
    /// ```text
    ///   P P P C C K | text | a zero byte | row S S S
    /// ```
    pub(super) fn tied_record(&self, text: &str) -> Vec<u8> {
        let record = self.by_order();
        let (order, rest) = record.as_flattened().split_at(ORDER_BYTES);
        [order, text.as_bytes(), &[0], &rest[..ROW_BYTES]].concat()
    }

    /// Takes the row and the sort keys from the record of a tied copy, if it is one of this candidate.
    pub(super) fn take_row(&mut self, tied_record: &[u8]) -> bool {
        let is_copy = tied_record.starts_with(&self.by_order().as_flattened()[..ORDER_BYTES]);
        if is_copy {
            let [row, sort @ ..]: [u64; 4] = words_of(&tied_record[tied_record.len() - ROW_BYTES..]);
            (self.row, self.sort) = (row, sort);
        }
        is_copy
    }

    /// True if it is picked later than another candidate that is no copy, whatever their categories.
    pub(super) fn is_after(&self, other: &Candidate) -> bool {
        (self.pick, self.class) > (other.pick, other.class)
    }
}
