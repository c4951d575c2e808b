//! The 280 ways to split nine digits into three triples. Counting and drawing 9x9 grids are based on them.
//!
//! ```text
//!   box     1 2 3     its columns split the digits into 1 4 7 | 2 5 8 | 3 6 9,
//!           4 5 6     its rows into                     1 2 3 | 4 5 6 | 7 8 9.
//!           7 8 9
//! ```
//!
//! Two facts are used:
//! * A box with given row sets and column sets can be filled if and only if every row set and every column set share exactly one
//!   digit, and then in one way. Such partitions *cross*. Each crosses 36 of the 280.
//! * If box 1 of a band has the row sets A, the row sets of boxes 2 and 3 are one of 56 *splits* of A: ordered partitions B
//!   and C so that A, B and C have different digits in every row. The same holds for columns.
//!
//! Digits are counted from 0 here, and sets of digits are words of 9 bits.

use std::sync::LazyLock;

/// Number of partitions of nine digits into three triples.
pub(super) const PARTITIONS: usize = 280;
/// Number of splits of a partition: the sum of C(3, k)^3 for k from 0 to 3.
pub(super) const SPLITS: usize = 56;
/// Number of partitions that cross a given one.
pub(super) const CROSSING: usize = 36;

/// Three triples. In a partition they are in the order of their lowest digits, in a split in the order of the lines.
pub(super) type Triples = [u16; 3];
/// The number of a partition, 0..280; 0 is 0 1 2 | 3 4 5 | 6 7 8.
pub(super) type Id = u16;

/// One way to give the lines of two further boxes their digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    /// Digits of the lines of the second box, in the order of the triples of the partition that was split.
    pub second: Triples,
    /// The same for the third box.
    pub third: Triples,
    /// The partition of the second box.
    pub second_id: Id,
    /// The partition of the third box.
    pub third_id: Id,
}

/// All partitions and tables about them. Computed in a few milliseconds.
pub(super) struct Partitions {
    /// The triples of each partition, by lowest digit.
    pub triples: Vec<Triples>,
    /// The 36 partitions that cross each partition, ascending.
    pub crossing: Vec<[Id; CROSSING]>,
    /// The 56 splits of each partition.
    pub splits: Vec<[Split; SPLITS]>,
    /// `renamed[p * 280 + q]`: the image of q when the digits are renamed so that p becomes partition 0.
    renamed: Vec<Id>,
    /// `second[p * 280 + q]`: the splits of p, one bit each, whose second box crosses q.
    second: Vec<u64>,
    /// The same for the third box.
    third: Vec<u64>,
    index: Index,
}

/// The partitions; computed at the first call.
pub(super) fn partitions() -> &'static Partitions {
    static PARTITIONS: LazyLock<Partitions> = LazyLock::new(Partitions::compute);
    &PARTITIONS
}

/// The triples in a set of digits, ascending.
fn triples_within(set: u16) -> impl Iterator<Item = u16> {
    let next = move |subset: &u16| Some(subset.wrapping_sub(set) & set).filter(|&next| next > 0);
    std::iter::successors(Some(0), next).filter(|subset: &u16| subset.count_ones() == 3)
}

/// All partitions in ascending order of their first, then second triple.
fn all_partitions() -> Vec<Triples> {
    let first = triples_within(0x1ff).filter(|first| first & 1 != 0);
    let pairs = first.flat_map(|first| {
        let rest = 0x1ff & !first;
        let second = triples_within(rest).filter(move |second| second & (rest & rest.wrapping_neg()) != 0);
        second.map(move |second| [first, second, rest & !second])
    });
    pairs.collect()
}

fn cross(a: &Triples, b: &Triples) -> bool {
    a.iter().all(|x| b.iter().all(|y| (x & y).count_ones() == 1))
}

/// Numbers of partitions by their triples, in any order.
struct Index(Vec<Id>);

impl Index {
    fn new(triples: &[Triples]) -> Index {
        let mut index = Index(vec![0; 1 << 18]);
        triples.iter().enumerate().for_each(|(id, triples)| index.0[Index::key(triples)] = id as Id);
        index
    }

    /// The two triples with the lowest digits, in order.
    fn key(triples: &Triples) -> usize {
        let mut sorted = *triples;
        sorted.sort_unstable_by_key(|triple| triple.trailing_zeros());
        usize::from(sorted[0]) << 9 | usize::from(sorted[1])
    }

    fn id(&self, triples: &Triples) -> Id {
        self.0[Index::key(triples)]
    }
}

/// The 56 splits of a partition.
fn splits_of(a: &Triples, index: &Index) -> [Split; SPLITS] {
    let mut splits = Vec::with_capacity(SPLITS);
    for x in triples_within(0x1ff & !a[0]) {
        for y in triples_within(0x1ff & !a[1] & !x) {
            let z = 0x1ff & !x & !y;
            if z & a[2] == 0 {
                let second = [x, y, z];
                let third = [0, 1, 2].map(|line| 0x1ff & !a[line] & !second[line]);
                splits.push(Split { second, third, second_id: index.id(&second), third_id: index.id(&third) });
            }
        }
    }
    splits.try_into().unwrap_or_else(|splits: Vec<Split>| unreachable!("{} splits of {a:?}", splits.len()))
}

/// Renames digits: digit d becomes `names[d]`.
pub(super) fn rename(triples: &Triples, names: &[usize; 9]) -> Triples {
    triples.map(|triple| (0..9).filter(|digit| triple >> digit & 1 != 0).fold(0, |set, digit| set | 1 << names[digit]))
}

/// The image of every set of digits when digit d becomes `names[d]`.
fn renamed_sets(names: &[usize; 9]) -> [u16; 512] {
    let mut images = [0; 512];
    for set in 1..512usize {
        images[set] = images[set & (set - 1)] | 1 << names[set.trailing_zeros() as usize];
    }
    images
}

/// The renaming that makes a partition partition 0: its digits in order of triples, ascending in each.
pub(super) fn names_of(partition: &Triples) -> [usize; 9] {
    let digits = partition.iter().flat_map(|triple| (0..9).filter(move |digit| triple >> digit & 1 != 0));
    let mut names = [0; 9];
    digits.enumerate().for_each(|(name, digit)| names[digit] = name);
    names
}

impl Partitions {
    fn compute() -> Partitions {
        let triples = all_partitions();
        let index = Index::new(&triples);
        let splits: Vec<[Split; SPLITS]> = triples.iter().map(|a| splits_of(a, &index)).collect();
        let crossing = triples.iter().map(|a| {
            let mut crossing = (0..).zip(&triples).filter(|(_, b)| cross(a, b));
            std::array::from_fn(|_| crossing.next().map_or(0, |(id, _)| id))
        });
        let crossing: Vec<[Id; CROSSING]> = crossing.collect();
        let masks = |box_of: fn(&Split) -> Id| {
            let mut masks = vec![0; PARTITIONS * PARTITIONS];
            for (splits, masks) in splits.iter().zip(masks.chunks_exact_mut(PARTITIONS)) {
                for (at, split) in splits.iter().enumerate() {
                    crossing[usize::from(box_of(split))].iter().for_each(|&q| masks[usize::from(q)] |= 1 << at);
                }
            }
            masks
        };
        let (second, third) = (masks(|split| split.second_id), masks(|split| split.third_id));
        let mut all = Partitions { triples, crossing, splits, renamed: Vec::new(), second, third, index };
        all.renamed = all.triples.iter().flat_map(|p| all.images(&names_of(p))).collect();
        all
    }

    /// The splits of p, one bit each, whose second box crosses q and whose third box crosses r.
    #[inline]
    pub(super) fn fitting(&self, p: Id, q: Id, r: Id) -> u64 {
        let row = usize::from(p) * PARTITIONS;
        self.second[row + usize::from(q)] & self.third[row + usize::from(r)]
    }

    /// The image of q when the digits are renamed so that p becomes partition 0.
    #[inline]
    pub(super) fn renamed(&self, p: Id, q: Id) -> Id {
        self.renaming(p)[usize::from(q)]
    }

    /// The image of every partition when the digits are renamed so that p becomes partition 0.
    #[inline]
    pub(super) fn renaming(&self, p: Id) -> &[Id] {
        &self.renamed[usize::from(p) * PARTITIONS..][..PARTITIONS]
    }

    /// The number of a partition, by its triples in any order.
    #[inline]
    pub(super) fn id(&self, triples: &Triples) -> Id {
        self.index.id(triples)
    }

    /// The image of every partition when digit d becomes `names[d]`.
    pub(super) fn images(&self, names: &[usize; 9]) -> Vec<Id> {
        let images = renamed_sets(names);
        self.triples.iter().map(|triples| self.index.id(&triples.map(|set| images[usize::from(set)]))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(triples: &Triples) -> Triples {
        let mut sorted = *triples;
        sorted.sort_unstable_by_key(|triple| triple.trailing_zeros());
        sorted
    }

    #[test]
    fn there_are_280_partitions_each_with_36_crossing_ones_and_56_splits() {
        let all = partitions();
        assert_eq!(all.triples.len(), PARTITIONS);
        assert_eq!(all.triples[0], [0b111, 0b111_000, 0b111_000_000]);
        for (a, (crossing, splits)) in all.triples.iter().zip(all.crossing.iter().zip(&all.splits)) {
            assert_eq!(all.triples.iter().filter(|b| cross(a, b)).count(), CROSSING);
            assert!(crossing.iter().all(|&id| cross(a, &all.triples[usize::from(id)])));
            assert!(crossing.windows(2).all(|pair| pair[0] < pair[1]));
            for split in splits {
                assert!((0..3).all(|line| a[line] ^ split.second[line] ^ split.third[line] == 0x1ff));
                assert_eq!(all.triples[usize::from(split.second_id)], sorted(&split.second));
                assert_eq!(all.triples[usize::from(split.third_id)], sorted(&split.third));
            }
        }
    }

    #[test]
    fn renaming_makes_a_partition_the_first_and_keeps_crossing() {
        let all = partitions();
        for p in (0..PARTITIONS as Id).step_by(7) {
            assert_eq!(all.renamed(p, p), 0);
            let images: Vec<Id> = all.crossing[usize::from(p)].iter().map(|&q| all.renamed(p, q)).collect();
            assert!(images.iter().all(|image| all.crossing[0].contains(image)));
        }
    }
}
