//! Looks up the class of a band by its boxes, for enumerating grids: a band need not be built for that.
//!
//! ```text
//!   1 2 3 | . . . | . . .    The first box is renamed to 1..9. One of 56 splits then gives the rows of boxes 2 and 3.
//!   4 5 6 | . . . | . . .    The columns of each of these boxes are one of the 36 partitions that cross its rows. They
//!   7 8 9 | . . . | . . .    say the orders of rows 2 and 3, so split and partitions give the number of a plain band.
//!                            The same is true of stacks, with rows and columns exchanged.
//! ```
//!
//! Digits are counted from 0 in this file, and sets of digits are words of 9 bits.

use std::sync::LazyLock;

use super::chutes::{BandClasses, band_classes};
use super::plain::{box_orders, plain_number};
use crate::catalogue::numbers::partition::{
    DigitRow, Id, PARTITIONS, Partitions, SPLITS, inverse, partitions, renamed,
};

/// Tables that do not depend on the grids that are enumerated.
pub(crate) struct Boxes {
    pub partitions: &'static Partitions,
    pub bands: &'static BandClasses,
    /// `orders[split][box - 2][p]`: the [`box_orders`] of box 2 or 3 of a band, when its rows are as in this split of
    /// partition 0 and its columns are partition p, which crosses them.
    pub orders: Vec<[[u8; PARTITIONS]; 2]>,
    /// `original[p][q]`: the partition that becomes q when p is renamed to partition 0.
    pub original: Vec<[Id; PARTITIONS]>,
    /// For each of the 36 partitions that cross partition 0: a box with these rows and with columns in partition 0.
    pub corners: Vec<Corner>,
}

/// A box whose columns are in partition 0 and whose rows are in a partition that crosses it.
pub(crate) struct Corner {
    pub rows: Id,
    /// The image of each split of the rows when the box is renamed to 1..9.
    pub splits: [u8; SPLITS],
    /// The image of each partition under this renaming.
    pub images: [Id; PARTITIONS],
}

impl Corner {
    fn new(partitions: &Partitions, bands: &BandClasses, rows: Id) -> Corner {
        let lines =
            partitions.triples[usize::from(rows)].map(|line| partitions.triples[0].map(|column| common(line, column)));
        let names: DigitRow = inverse(&std::array::from_fn(|place| lines[place / 3][place % 3]));
        let splits = partitions.splits[usize::from(rows)].each_ref().map(|split| {
            let image = split.second.map(|set| renamed(set, &names));
            bands.splits.of(&image) as u8
        });
        Corner { rows, splits, images: partitions.images(&names) }
    }
}

pub(crate) fn boxes() -> &'static Boxes {
    static BOXES: LazyLock<Boxes> = LazyLock::new(Boxes::compute);
    &BOXES
}

/// The digit that two sets share.
#[inline]
pub(crate) fn common(row: u16, column: u16) -> u8 {
    (row & column).trailing_zeros() as u8
}

impl Boxes {
    fn compute() -> Boxes {
        let (partitions, bands) = (partitions(), band_classes());
        let orders = partitions.splits[0].iter().map(|split| {
            [(&split.second, split.second_id), (&split.third, split.third_id)].map(|(rows, id)| {
                let mut orders = [0; PARTITIONS];
                for p in partitions.crossing[usize::from(id)].map(usize::from) {
                    let square = rows.map(|row| partitions.triples[p].map(|column| common(row, column)));
                    orders[p] = box_orders(&square) as u8;
                }
                orders
            })
        });
        let original = (0..PARTITIONS as Id).map(|p| {
            let mut original = [0; PARTITIONS];
            (0..).zip(partitions.renaming(p)).for_each(|(q, &image)| original[usize::from(image)] = q);
            original
        });
        let corners = partitions.crossing[0].iter().map(|&rows| Corner::new(partitions, bands, rows)).collect();
        Boxes { partitions, bands, orders: orders.collect(), original: original.collect(), corners }
    }

    /// The class of a band. It is given by the split of the rows of its first box and by the partitions of the columns
    /// of boxes 2 and 3, all renamed so that the first box reads 1..9.
    #[inline]
    pub(crate) fn class(&self, split: u8, second: Id, third: Id) -> u16 {
        let [orders_2, orders_3] = &self.orders[usize::from(split)];
        let (a, b) = (orders_2[usize::from(second)], orders_3[usize::from(third)]);
        self.bands.of_plain[plain_number(split.into(), a.into(), b.into())]
    }
}
