//! The classes of bands by their boxes, for enumerating grids: a band need not be built to look up its class.
//!
//! ```text
//!   1 2 3 | . . . | . . .    The first box is renamed to 1..9. One of 56 splits then gives the rows of boxes 2 and 3.
//!   4 5 6 | . . . | . . .    The columns of each of these boxes are one of the 36 partitions that cross its rows. So
//!   7 8 9 | . . . | . . .    there are 56 * 36 * 36 bands, up to the order of the columns. The same is true of stacks,
//!                            with rows and columns exchanged.
//! ```
//!
//! Digits are counted from 0 in this file, and sets of digits are words of 9 bits.

use std::sync::LazyLock;

use super::chutes::band_classes;
use super::images::Row;
use super::partition::{CROSSING, Id, PARTITIONS, Partitions, SPLITS, Triples, partitions};

/// The place of a partition that does not cross.
const NOWHERE: u8 = u8::MAX;

/// The classes of all bands whose first box reads 1..9, by splits and partitions, and the tables that number these.
pub(super) struct Boxes {
    pub partitions: &'static Partitions,
    /// `split * 1296 + a * 36 + b`: the class of the band whose boxes 2 and 3 have rows as in this split of partition 0
    /// and columns as in partitions a and b of those that cross them.
    pub classes: Vec<u16>,
    /// `p * 280 + q`: the place of q among the 36 partitions that cross p.
    pub places: Vec<u8>,
    /// `p * 280 + q`: the partition that becomes q when p is renamed to partition 0.
    pub original: Vec<Id>,
    /// The number of a split of partition 0, by the [`split_key`] of its second box.
    pub splits: Vec<u8>,
    /// For each of the 36 partitions that cross partition 0: a box with these rows and with columns in partition 0.
    pub corners: Vec<Corner>,
}

/// A box whose columns are in partition 0 and whose rows are in a partition that crosses it.
pub(super) struct Corner {
    pub rows: Id,
    /// The image of each split of the rows when the box is renamed to 1..9.
    pub splits: [u8; SPLITS],
    /// The image of each partition under this renaming.
    pub images: Vec<Id>,
}

pub(super) fn boxes() -> &'static Boxes {
    static BOXES: LazyLock<Boxes> = LazyLock::new(Boxes::compute);
    &BOXES
}

/// The key of a split by its first two lines.
pub(super) fn split_key(lines: &Triples) -> usize {
    usize::from(lines[0]) << 9 | usize::from(lines[1])
}

/// The digit that two sets share.
#[inline]
pub(super) fn common(one: u16, other: u16) -> u8 {
    (one & other).trailing_zeros() as u8
}

/// A set of digits under new names.
#[inline]
pub(super) fn renamed_set(set: u16, names: &Row) -> u16 {
    let (mut set, mut image) = (set, 0);
    while set != 0 {
        image |= 1 << names[set.trailing_zeros() as usize];
        set &= set - 1;
    }
    image
}

impl Boxes {
    fn compute() -> Boxes {
        let partitions = partitions();
        let mut places = vec![NOWHERE; PARTITIONS * PARTITIONS];
        for (p, crossing) in partitions.crossing.iter().enumerate() {
            crossing.iter().enumerate().for_each(|(at, &q)| places[p * PARTITIONS + usize::from(q)] = at as u8);
        }
        let mut original = vec![0; PARTITIONS * PARTITIONS];
        for p in 0..PARTITIONS {
            for q in 0..PARTITIONS {
                let image = partitions.renamed(p as Id, q as Id);
                original[p * PARTITIONS + usize::from(image)] = q as Id;
            }
        }
        let mut splits = vec![NOWHERE; 1 << 18];
        partitions.splits[0].iter().enumerate().for_each(|(at, split)| splits[split_key(&split.second)] = at as u8);
        let mut boxes = Boxes { partitions, classes: Vec::new(), places, original, splits, corners: Vec::new() };
        boxes.classes = boxes.all_classes();
        boxes.corners = partitions.crossing[0].iter().map(|&rows| boxes.corner(rows)).collect();
        boxes
    }

    fn all_classes(&self) -> Vec<u16> {
        let (all, classes) = (self.partitions, band_classes());
        let mut found = Vec::with_capacity(SPLITS * 1296);
        for split in &all.splits[0] {
            for &second in &all.crossing[usize::from(split.second_id)] {
                for &third in &all.crossing[usize::from(split.third_id)] {
                    let rows = [&all.triples[0], &split.second, &split.third];
                    // The first box reads 1..9, so its columns are 1 4 7, 2 5 8 and 3 6 9.
                    let columns =
                        [&[0o111, 0o222, 0o444], &all.triples[usize::from(second)], &all.triples[usize::from(third)]];
                    let cell = |at: usize| common(rows[at % 9 / 3][at / 9], columns[at % 9 / 3][at % 3]) + 1;
                    found.push(classes.class_of(&std::array::from_fn(cell)) as u16);
                }
            }
        }
        found
    }

    fn corner(&self, rows: Id) -> Corner {
        let all = self.partitions;
        let (lines, columns) = (&all.triples[usize::from(rows)], &all.triples[0]);
        let mut names = [0; 9];
        (0..9).for_each(|at| names[usize::from(common(lines[at / 3], columns[at % 3]))] = at as u8);
        let image = |set: u16| renamed_set(set, &names);
        let splits =
            std::array::from_fn(|at| self.splits[split_key(&all.splits[usize::from(rows)][at].second.map(image))]);
        Corner { rows, splits, images: all.images(&names.map(usize::from)) }
    }

    /// The class of a band. It is given by the split of the rows of its first box and by the partitions of the columns
    /// of boxes 2 and 3, all renamed so that the first box reads 1..9.
    #[inline]
    pub(super) fn class(&self, split: u8, second: Id, third: Id) -> u16 {
        let lines = &self.partitions.splits[0][usize::from(split)];
        let place = |line: Id, id: Id| usize::from(self.places[usize::from(line) * PARTITIONS + usize::from(id)]);
        let (a, b) = (place(lines.second_id, second), place(lines.third_id, third));
        self.classes[usize::from(split) * 1296 + a * CROSSING + b]
    }
}
