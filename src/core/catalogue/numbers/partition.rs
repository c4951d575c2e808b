//! The 280 ways to split nine digits into three triples. Counting and drawing 9x9 grids are based on them.
//!
//! ```text
//!   box     1 2 3     its columns split the digits into 1 4 7 | 2 5 8 | 3 6 9,
//!           4 5 6     its rows into                     1 2 3 | 4 5 6 | 7 8 9.
//!           7 8 9
//! ```
//!
//! Two facts are used:
//! * A box with given row sets and column sets can be filled if and only if every row set and every column set share
//!   exactly one digit, and then in one way. Such partitions *cross*. Each crosses 36 of the 280.
//! * If box 1 of a band has the row sets A, the row sets of boxes 2 and 3 are one of 56 *splits* of A: ordered
//!   partitions B and C so that A, B and C have different digits in every row. The same holds for columns.
//!
//! Digits are counted from 0 here, and sets of digits are words of 9 bits.

use std::sync::LazyLock;

pub(crate) use crate::board::digit::bits;

/// The set of all digits.
pub(crate) const ALL_DIGITS: u16 = 0x1ff;
/// Number of partitions.
pub(crate) const PARTITIONS: usize = 280;
/// Number of splits of a partition: the sum of C(3, k)^3 for k from 0 to 3.
pub(crate) const SPLITS: usize = 56;
/// Number of partitions that cross a given one.
pub(crate) const CROSSING: usize = 36;

/// Three triples. In a partition they are in the order of their lowest digits, in a split in the order of the lines.
pub(crate) type Triples = [u16; 3];
/// The number of a partition, 0..280; 0 is 0 1 2 | 3 4 5 | 6 7 8.
pub(crate) type Id = u16;
/// Nine digits from 0: a row, or the new names of the digits.
pub(crate) type DigitRow = [u8; 9];

/// One way to give the lines of two further boxes their digits, in the order of the triples of the partition that is
/// split; and the partitions of these boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    pub second: Triples,
    pub third: Triples,
    pub second_id: Id,
    pub third_id: Id,
}

/// All partitions and tables about them. Computed in a few milliseconds.
pub(crate) struct Partitions {
    /// The triples of each partition, by lowest digit.
    pub triples: Vec<Triples>,
    /// The 36 partitions that cross each partition, ascending.
    pub crossing: Vec<[Id; CROSSING]>,
    /// The 56 splits of each partition.
    pub splits: Vec<[Split; SPLITS]>,
    /// The image of every partition when the digits are renamed so that a given one becomes partition 0.
    renamed: Vec<[Id; PARTITIONS]>,
    /// `second[q][p]`: the splits of p, one bit each, whose second box crosses q. Callers ask about all p of one q.
    second: Vec<[u64; PARTITIONS]>,
    /// `third[q][p]`: the splits of p, one bit each, whose third box crosses q.
    third: Vec<[u64; PARTITIONS]>,
    /// The number of each partition, by its [`key`].
    ids: Vec<Id>,
}

pub(crate) fn partitions() -> &'static Partitions {
    static PARTITIONS: LazyLock<Partitions> = LazyLock::new(Partitions::compute);
    &PARTITIONS
}

/// The digits of a set, ascending.
pub(crate) fn digits(set: u16) -> impl Iterator<Item = u8> {
    bits(set.into()).map(|digit| digit as u8)
}

pub(crate) fn set_of(line: &[u8]) -> u16 {
    line.iter().fold(0, |set, &digit| set | 1 << digit)
}

/// A set of digits under new names.
#[inline]
pub(crate) fn renamed(set: u16, names: &DigitRow) -> u16 {
    bits(set.into()).fold(0, |image, digit| image | 1 << names[digit])
}

#[inline]
pub(crate) fn inverse<const N: usize>(permutation: &[u8; N]) -> [u8; N] {
    let mut inverse = [0; N];
    (0..N).for_each(|place| inverse[usize::from(permutation[place])] = place as u8);
    inverse
}

/// The items that stand at these places.
#[inline]
pub(crate) fn chosen<const N: usize>(items: &[u8; N], places: &[u8; N]) -> [u8; N] {
    places.map(|place| items[usize::from(place)])
}

/// The triples in a set of digits, ascending.
fn triples_within(set: u16) -> Vec<u16> {
    let mut triples = Vec::new();
    let mut subset = 0u16;
    loop {
        // The next larger subset: the bits outside the set are filled, so that a carry runs through them.
        subset = subset.wrapping_sub(set) & set;
        if subset == 0 {
            return triples;
        }
        if subset.count_ones() == 3 {
            triples.push(subset);
        }
    }
}

/// True if every triple of one shares exactly one digit with every triple of the other.
fn cross(a: &Triples, b: &Triples) -> bool {
    a.iter().all(|x| b.iter().all(|y| (x & y).count_ones() == 1))
}

/// The two triples with the lowest digits, in order.
fn key(triples: &Triples) -> usize {
    let mut sorted = *triples;
    sorted.sort_unstable_by_key(|triple| triple.trailing_zeros());
    usize::from(sorted[0]) << 9 | usize::from(sorted[1])
}

/// The renaming that makes a partition partition 0: its digits in order of triples, ascending in each.
pub(crate) fn names_of(partition: &Triples) -> DigitRow {
    let mut names = [0; 9];
    let in_order = partition.iter().flat_map(|&triple| digits(triple));
    in_order.zip(0..).for_each(|(digit, name)| names[usize::from(digit)] = name);
    names
}

/// `[q][p]`: the splits of p, one bit each, in which a partition of the split crosses q.
fn splits_that_cross(
    splits: &[[Split; SPLITS]],
    crossing: &[[Id; CROSSING]],
    id_of: fn(&Split) -> Id,
) -> Vec<[u64; PARTITIONS]> {
    let mut masks = vec![[0; PARTITIONS]; PARTITIONS];
    for (p, splits) in splits.iter().enumerate() {
        for (number, split) in splits.iter().enumerate() {
            crossing[usize::from(id_of(split))].iter().for_each(|&q| masks[usize::from(q)][p] |= 1 << number);
        }
    }
    masks
}

impl Partitions {
    fn compute() -> Partitions {
        let mut triples: Vec<Triples> = Vec::new();
        for first in triples_within(ALL_DIGITS).into_iter().filter(|first| first & 1 != 0) {
            let rest = ALL_DIGITS & !first;
            let lowest = rest & rest.wrapping_neg();
            for second in triples_within(rest).into_iter().filter(|second| second & lowest != 0) {
                triples.push([first, second, rest & !second]);
            }
        }
        let mut ids = vec![0; 1 << 18];
        (0..).zip(&triples).for_each(|(id, triples)| ids[key(triples)] = id);
        let mut crossing = vec![[0; CROSSING]; PARTITIONS];
        for (a, crossing) in triples.iter().zip(&mut crossing) {
            let ids = (0..).zip(&triples).filter(|(_, b)| cross(a, b)).map(|(id, _)| id);
            crossing.iter_mut().zip(ids).for_each(|(place, id)| *place = id);
        }
        let splits: Vec<[Split; SPLITS]> = triples.iter().map(|a| splits_of(a, &ids)).collect();
        let second = splits_that_cross(&splits, &crossing, |split| split.second_id);
        let third = splits_that_cross(&splits, &crossing, |split| split.third_id);
        let mut partitions = Partitions { triples, crossing, splits, renamed: Vec::new(), second, third, ids };
        partitions.renamed = partitions.triples.iter().map(|p| partitions.images(&names_of(p))).collect();
        partitions
    }

    /// The splits of p, one bit each, whose second box crosses q and whose third box crosses r.
    #[inline]
    pub(crate) fn fitting(&self, p: Id, q: Id, r: Id) -> u64 {
        self.second[usize::from(q)][usize::from(p)] & self.third[usize::from(r)][usize::from(p)]
    }

    /// The image of every partition when the digits are renamed so that p becomes partition 0.
    #[inline]
    pub(crate) fn renaming(&self, p: Id) -> &[Id; PARTITIONS] {
        &self.renamed[usize::from(p)]
    }

    /// The number of a partition, by its triples in any order.
    #[inline]
    pub(crate) fn id(&self, triples: &Triples) -> Id {
        self.ids[key(triples)]
    }

    /// The image of every partition when digit d becomes `names[d]`.
    pub(crate) fn images(&self, names: &DigitRow) -> [Id; PARTITIONS] {
        std::array::from_fn(|id| self.id(&self.triples[id].map(|set| renamed(set, names))))
    }
}

/// The splits of a partition, ascending by their second box.
fn splits_of(a: &Triples, ids: &[Id]) -> [Split; SPLITS] {
    let mut splits = Vec::with_capacity(SPLITS);
    for x in triples_within(ALL_DIGITS & !a[0]) {
        for y in triples_within(ALL_DIGITS & !a[1] & !x) {
            let second = [x, y, ALL_DIGITS & !x & !y];
            if second[2] & a[2] == 0 {
                let third = [0, 1, 2].map(|line| ALL_DIGITS & !a[line] & !second[line]);
                splits.push(Split { second, third, second_id: ids[key(&second)], third_id: ids[key(&third)] });
            }
        }
    }
    splits.try_into().unwrap_or_else(|splits: Vec<Split>| unreachable!("{} splits of {a:?}", splits.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_280_partitions_each_with_36_crossing_ones_and_56_splits() {
        let partitions = partitions();
        assert_eq!(partitions.triples.len(), PARTITIONS);
        assert_eq!(partitions.triples[0], [0b111, 0b111_000, 0b111_000_000]);
        for (a, (crossing, splits)) in partitions.triples.iter().zip(partitions.crossing.iter().zip(&partitions.splits))
        {
            assert_eq!(partitions.triples.iter().filter(|b| cross(a, b)).count(), CROSSING);
            assert!(
                crossing.iter().all(|&id| cross(a, &partitions.triples[usize::from(id)]))
                    && crossing.is_sorted_by(|a, b| a < b)
            );
            for split in splits {
                assert!((0..3).all(|line| a[line] ^ split.second[line] ^ split.third[line] == ALL_DIGITS));
                for (mut triples, id) in [(split.second, split.second_id), (split.third, split.third_id)] {
                    triples.sort_unstable_by_key(|triple| triple.trailing_zeros());
                    assert_eq!(partitions.triples[usize::from(id)], triples);
                }
            }
        }
    }

    #[test]
    fn renaming_makes_a_partition_the_first_and_keeps_crossing() {
        let partitions = partitions();
        for (p, crossing) in partitions.crossing.iter().enumerate().step_by(7) {
            let renaming = partitions.renaming(p as Id);
            assert_eq!(renaming[p], 0);
            assert!(crossing.iter().all(|&q| partitions.crossing[0].contains(&renaming[usize::from(q)])));
        }
    }
}
