//! Computes what the first band of a minlex grid determines: the possible fourth rows, the fillings of boxes below it,
//! and the partitions of stacks whose class is not below that of the band.
//!
//! `numbers/partition.rs` defines partitions, splits and their numbers ([`Id`]). `boxes.rs` defines corners and orders.
//! Digits are counted from 0 in this file, and sets of digits are words of 9 bits.

use std::cmp::Ordering;

use super::automorphisms::FirstBandMap;
use super::boxes::{Boxes, boxes};
use super::chutes::BandClass;
use crate::catalogue::numbers::partition::{
    ALL_DIGITS, CROSSING, DigitRow, Id, PARTITIONS, Triples, digits, inverse, names_of, renamed, set_of,
};

/// Sets of partitions: those whose stack is not below the first band, and those whose stack is above it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Allowed {
    not_below: [u64; 5],
    above: [u64; 5],
}

impl Allowed {
    /// Bit 0: not below; bit 1: above.
    #[inline]
    pub(crate) fn test(&self, id: Id) -> u64 {
        let (word, bit) = (usize::from(id >> 6), id & 63);
        self.not_below[word] >> bit & 1 | (self.above[word] >> bit & 1) << 1
    }
}

/// A first band of minlex grids, and what it determines.
pub(crate) struct FirstBand {
    pub(crate) boxes: &'static Boxes,
    /// The class of the band.
    pub(crate) class: &'static BandClass,
    /// The index of the class among the 416.
    pub(crate) number: u16,
    /// The digits of the band, from 0.
    pub(crate) top: [DigitRow; 3],
    /// For each box of the first band the names that make it 1 4 7 / 2 5 8 / 3 6 9: the box of a stack, transposed.
    names: [DigitRow; 3],
    /// `split * 36 + a`, for a split of the columns of the upper box and the orders a of the rows of the middle box:
    /// the partitions of the rows of the lowest box with which a stack is allowed.
    pub(crate) allowed: Vec<Allowed>,
    /// `[split][stack]`: from a partition, renamed so that the columns of box 7 are partition 0, to the partition in
    /// the names of a stack. The split is that of the columns of stack 1.
    pub(crate) stacks: Vec<[[Id; PARTITIONS]; 3]>,
    /// For each split of the columns of stack 1: the original names of the digits.
    pub(crate) originals: Vec<DigitRow>,
    /// The symmetries of the first band, without the identity.
    pub(crate) symmetries: Vec<FirstBandMap>,
}

impl FirstBand {
    /// The frame of a class of bands, by its index.
    pub(crate) fn new(number: usize) -> FirstBand {
        let boxes = boxes();
        let (partitions, class) = (boxes.partitions, &boxes.bands.classes[number]);
        let top: [DigitRow; 3] =
            std::array::from_fn(|row| std::array::from_fn(|column| class.minlex[9 * row + column] - 1));
        let names = [0, 1, 2].map(|stack| inverse(&std::array::from_fn(|place| top[place % 3][3 * stack + place / 3])));
        let images = names.map(|names| partitions.images(&names));
        let original = inverse(&names[0]);
        // For each split the columns of box 7 in the names of the grid; then the partitions by their renaming.
        let lowest: Vec<Id> = partitions.splits[0]
            .iter()
            .map(|split| partitions.id(&split.third.map(|set| renamed(set, &original))))
            .collect();
        let stacks = lowest.iter().map(|&id| {
            let originals = &boxes.original[usize::from(id)];
            images.map(|images| originals.map(|original| images[usize::from(original)]))
        });
        FirstBand {
            boxes,
            class,
            number: number as u16,
            top,
            names,
            allowed: allowed(boxes, number as u16),
            stacks: stacks.collect(),
            originals: lowest.iter().map(|&id| inverse(&names_of(&partitions.triples[usize::from(id)]))).collect(),
            symmetries: class.symmetries[1..].iter().map(|map| FirstBandMap::new(&top, map)).collect(),
        }
    }

    /// The digits that a column needs below the first band.
    fn needed(&self, column: usize) -> u16 {
        ALL_DIGITS & !set_of(&self.top.map(|row| row[column]))
    }

    /// All fourth rows, in lexicographic order: the smallest digit that column 1 needs, then new digits of each column.
    pub(crate) fn fourth_rows(&self) -> Vec<DigitRow> {
        let [firsts, seconds, thirds] = [0, 3, 6].map(|left| {
            let first = self.needed(left);
            let first = if left == 0 { first & first.wrapping_neg() } else { first };
            triples([first, self.needed(left + 1), self.needed(left + 2)])
        });
        // The possible orders of the last three digits, by the set of these digits.
        let mut lasts = vec![Vec::new(); 512];
        thirds.iter().for_each(|last| lasts[usize::from(set_of(last))].push(*last));
        let mut rows = Vec::new();
        for first in &firsts {
            for second in seconds.iter().filter(|second| set_of(first) & set_of(*second) == 0) {
                let left = ALL_DIGITS & !set_of(first) & !set_of(second);
                for last in &lasts[usize::from(left)] {
                    rows.push(std::array::from_fn(|column| [first, second, last][column / 3][column % 3]));
                }
            }
        }
        rows
    }

    /// The symmetries of a list that may still give a smaller or equal grid, given the rows that they can bring to the
    /// fourth place. None if one of them gives a smaller fourth row.
    pub(crate) fn undecided(
        &self,
        symmetries: &[FirstBandMap],
        fourth: &DigitRow,
        rows: &[DigitRow],
    ) -> Option<Vec<FirstBandMap>> {
        let mut undecided = Vec::new();
        for symmetry in symmetries {
            match rows.iter().find_map(|row| symmetry.compare(row, fourth)) {
                Some(Ordering::Less) => return None,
                Some(Ordering::Greater) => {}
                Some(Ordering::Equal) | None => undecided.push(*symmetry),
            }
        }
        Some(undecided)
    }

    /// The ways to fill rows 5 and 6 of a box of band 2, under a fourth row. In stack 1, row 5 must begin with a
    /// smaller digit than row 6. Fillings with which no stack is allowed are left out.
    pub(crate) fn fillings(&self, stack: usize, fourth: &DigitRow) -> Vec<BoxFilling> {
        let columns = [0, 1, 2].map(|place| 3 * stack + place);
        let above = columns.map(|column| fourth[column]);
        let free = columns.map(|column| self.needed(column) & !set_of(&above));
        let mut fillings = Vec::new();
        for row in triples(free) {
            let taken = set_of(&row);
            for last in triples(free.map(|set| set & !taken)) {
                if stack > 0 || row[0] < last[0] {
                    fillings.extend(self.filling(stack, [above, row, last], taken));
                }
            }
        }
        fillings
    }

    /// The corners that may be box 7, one bit each: stack 1 has this split and is allowed with them.
    fn corners(&self, split: usize, fits: &Allowed) -> u64 {
        let mut corners = 0;
        for (number, corner) in self.boxes.corners.iter().enumerate() {
            corners |= (fits.test(self.stacks[split][0][usize::from(corner.rows)]) & 1) << number;
        }
        corners
    }

    /// A filling of a box of band 2 (`set`: the digits of row 5). None if no stack with it is allowed.
    fn filling(&self, stack: usize, rows: [[u8; 3]; 3], set: u16) -> Option<BoxFilling> {
        let partitions = self.boxes.partitions;
        let names = &self.names[stack];
        let columns = [0, 1, 2].map(|column| set_of(&rows.map(|row| row[column])));
        let split = self.boxes.bands.splits.of(&columns.map(|column| renamed(column, names)));
        let across = partitions.id(&rows.map(|row| renamed(set_of(&row), names)));
        let allowed = split * CROSSING + usize::from(self.boxes.orders[split][0][usize::from(across)]);
        let fits = &self.allowed[allowed];
        let lower = if stack == 0 { self.corners(split, fits) } else { u64::from(fits.not_below != [0; 5]) };
        let needed: Triples = std::array::from_fn(|column| self.needed(3 * stack + column) & !columns[column]);
        let (split, allowed, columns) = (split as u8, allowed as u16, partitions.id(&needed));
        (lower != 0).then_some(BoxFilling { rows, set, split, allowed, needed, columns, lower })
    }
}

/// For each split and orders of the middle box, which partitions of the lowest box give a stack that is allowed.
fn allowed(boxes: &Boxes, number: u16) -> Vec<Allowed> {
    let mut all = Vec::new();
    // For each split, `of_plain` has the classes by the orders of the middle box, then by those of the lowest.
    let classes_of_splits = boxes.bands.of_plain.chunks_exact(CROSSING * CROSSING);
    for (split, classes_of_split) in classes_of_splits.enumerate() {
        let lowest_columns = boxes.partitions.splits[0][split].third_id;
        let [_, orders_of_lowest] = &boxes.orders[split];
        for classes in classes_of_split.chunks_exact(CROSSING) {
            let mut allowed = Allowed::default();
            for id in boxes.partitions.crossing[usize::from(lowest_columns)].map(usize::from) {
                let class = classes[usize::from(orders_of_lowest[id])];
                allowed.not_below[id / 64] |= u64::from(class >= number) << (id % 64);
                allowed.above[id / 64] |= u64::from(class > number) << (id % 64);
            }
            all.push(allowed);
        }
    }
    all
}

/// All choices of three different digits, one from each of three sets, in lexicographic order.
fn triples(sets: [u16; 3]) -> Vec<[u8; 3]> {
    let mut triples = Vec::new();
    for a in digits(sets[0]) {
        for b in digits(sets[1] & !(1 << a)) {
            triples.extend(digits(sets[2] & !(1 << a | 1 << b)).map(|c| [a, b, c]));
        }
    }
    triples
}

/// One way to fill a box of band 2.
#[derive(Clone, Copy)]
pub(crate) struct BoxFilling {
    pub rows: [[u8; 3]; 3],
    /// The digits of row 5.
    pub set: u16,
    /// The split of the columns of the upper box, in the names of the stack.
    pub split: u8,
    /// Index into [`FirstBand::allowed`].
    pub allowed: u16,
    /// The digits that the columns need below.
    pub needed: Triples,
    /// These digits as a partition.
    pub columns: Id,
    /// Stack 1: which of the 36 partitions of the rows of box 7 are allowed. Other stacks: 1.
    pub lower: u64,
}
