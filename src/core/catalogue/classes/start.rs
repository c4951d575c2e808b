//! Enumerates all minlex grids with a given first band and fourth row.
//!
//! A full grid is minlex if and only if
//! * none of its six chutes (bands and stacks) is of a class below that of the first band;
//! * no map that brings a chute of the same class to the minlex form gives a smaller grid. Such a chute is the first
//!   band itself, if this band has symmetries, or, in one grid of fifty, one of the other five chutes.
//!
//! So nearly all of the work is filling boxes and looking up the classes of chutes in tables. Digits are counted from 0
//! in the code, and sets of digits are words of 9 bits. The example, the grid of rank 1,000,000,000, has digits from 1.
//!
//! ```text
//!   1 2 3 | 4 5 6 | 7 8 9     1. A minlex grid begins with the minlex form of a band: 416 of them. Its fourth row
//!   4 5 6 | 7 8 9 | 1 3 2        begins with the smallest digit that column 1 still needs, here 2. A first band and
//!   8 7 9 | 2 3 1 | 5 6 4        a fourth row are a *start*.
//!   ------+-------+------     2. Rows 5 and 6: a *filling* for each box ([`FirstBand::fillings`]). Together, row 5
//!   2 6 5 | 3 7 8 | 9 4 1        must get all nine digits. The class of band 2 follows from its three boxes, renamed
//!   3 1 4 | 9 2 5 | 8 7 6        so that box 4 reads 1..9 ([`GridStart::middles`]).
//!   7 9 8 | 6 1 4 | 2 5 3     3. Now the digits of each column of band 3 are known: 5 6 9 | 3 4 8 | 1 2 7 in box 7.
//!   ------+-------+------        Its rows are one of the 36 partitions that cross these columns, here
//!   5 8 2 | 1 4 3 | 6 9 7        2 5 8 | 3 6 7 | 1 4 9. The rows of boxes 8 and 9 are one of the 56 splits of that
//!   6 3 7 | 5 9 2 | 4 1 8        partition, and must cross the columns of their boxes ([`GridStart::lowers`]).
//!   9 4 1 | 8 6 7 | 3 2 5     4. The classes of band 3 and of the stacks are looked up. Equal ones are compared.
//! ```
//!
//! The tables of steps 3 and 4 hold the digits under other names, so that one table serves all grids. If 1 2 7 become
//! 1 2 3, 3 4 8 become 4 5 6, and 5 6 9 become 7 8 9, the columns of box 7 are 1 2 3 | 4 5 6 | 7 8 9, which is
//! partition 0. Its rows are now 2 6 7 | 3 4 8 | 1 5 9: one of the 36 that cross partition 0, called *corners*.
//!
//! `numbers/partition.rs` defines partitions, crossing and splits. [`super::boxes`] has the tables that do not depend
//! on the start, [`FirstBand`] those that depend on the first band only.

use super::automorphisms::{ChuteSet, FirstBandMap, automorphisms};
use super::boxes::common;
use super::frame::{BoxFilling, FirstBand};
use super::minlex::Rows;
use super::plain::{box_orders, plain_number};
use crate::catalogue::numbers::partition::{ALL_DIGITS, DigitRow, bits, inverse, renamed, set_of};

/// A first band and a fourth row.
pub(crate) struct GridStart<'a> {
    frame: &'a FirstBand,
    fourth: DigitRow,
    /// The possible fillings of boxes 4, 5 and 6.
    boxes: [Vec<BoxFilling>; 3],
    /// Symmetries of the first band that may still give a smaller or equal grid.
    symmetries: Vec<FirstBandMap>,
}

/// A second band: a filling for each box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Middle {
    /// Indices into the fillings of the start, box by box.
    fillings: [u16; 3],
    /// The band is of the same class as the first one.
    tie: bool,
}

/// A third band, up to the order of its rows. The columns of its boxes follow from the bands above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lower {
    /// The rows of box 7, an index into the corners of [`super::boxes`].
    corner: u8,
    /// The split of these rows, 0..56, that gives the rows of boxes 8 and 9.
    split: u8,
}

impl FirstBand {
    /// The start with a fourth row; None if a symmetry of the first band makes that row smaller.
    pub(crate) fn start(&self, fourth: &DigitRow) -> Option<GridStart<'_>> {
        let symmetries = self.undecided(&self.symmetries, fourth, std::slice::from_ref(fourth))?;
        let boxes = [0, 1, 2].map(|stack| self.fillings(stack, fourth));
        Some(GridStart { frame: self, fourth: *fourth, boxes, symmetries })
    }
}

impl GridStart<'_> {
    /// All second bands whose class is not below that of the first one, in no particular order.
    pub(crate) fn middles(&self) -> Vec<Middle> {
        let (bands, number) = (self.frame.boxes.bands, self.frame.number);
        let mut middles = Vec::new();
        // The fillings of box 6, by their digits in row 5.
        let mut thirds = vec![Vec::new(); 512];
        self.boxes[2].iter().zip(0..).for_each(|(filling, number)| thirds[usize::from(filling.set)].push(number));
        for (first, box_4) in self.boxes[0].iter().enumerate() {
            // The names that make box 4 read 1..9; then the orders of rows 5 and 6 in each filling of box 6.
            let names = inverse(&std::array::from_fn(|place| box_4.rows[place / 3][place % 3]));
            let lasts = self.boxes[2].iter().map(|filling| box_orders(&renamed_box(&filling.rows, &names)));
            let lasts: Vec<usize> = lasts.collect();
            for (second, box_5) in self.boxes[1].iter().enumerate() {
                let thirds = &thirds[usize::from(ALL_DIGITS & !box_4.set & !box_5.set)];
                if box_4.set & box_5.set != 0 || thirds.is_empty() {
                    continue;
                }
                // The number of a plain band, as `plain.rs` defines it, without the orders of its last box.
                let rows = renamed_box(&box_5.rows, &names);
                let split = bands.splits.of(&rows.map(|row| set_of(&row)));
                let before = plain_number(split, box_orders(&rows), 0);
                for &third in thirds {
                    let class = bands.of_plain[before + lasts[usize::from(third)]];
                    if class >= number {
                        middles.push(Middle { fillings: [first as u16, second as u16, third], tie: class == number });
                    }
                }
            }
        }
        middles
    }

    /// Rows 4 to 6.
    pub(crate) fn middle_rows(&self, middle: &Middle) -> [DigitRow; 3] {
        let fillings = self.fillings(middle);
        std::array::from_fn(|row| std::array::from_fn(|column| fillings[column / 3].rows[row][column % 3]))
    }

    #[inline]
    fn fillings(&self, middle: &Middle) -> [&BoxFilling; 3] {
        std::array::from_fn(|stack| &self.boxes[stack][usize::from(middle.fillings[stack])])
    }

    /// Calls `each` with every third band that makes a minlex grid, and the number of automorphisms of that grid.
    pub(crate) fn lowers(&self, middle: &Middle, mut each: impl FnMut(Lower, u32)) {
        let (frame, boxes) = (self.frame, self.frame.boxes);
        // A symmetry of the first band may bring row 5 or 6 to the place of row 4: it ends here if that row is smaller.
        let symmetries = match self.symmetries[..] {
            [] => Vec::new(),
            ref symmetries => match frame.undecided(symmetries, &self.fourth, &self.middle_rows(middle)[1..]) {
                Some(undecided) => undecided,
                None => return,
            },
        };
        let fillings = self.fillings(middle);
        // For each stack: which rows of its lowest box are allowed below its upper and middle box, and the numbers of
        // these rows in the names of the stack.
        let allowed = fillings.map(|filling| &frame.allowed[usize::from(filling.allowed)]);
        let stacks = &frame.stacks[usize::from(fillings[0].split)];
        // The columns of boxes 8 and 9, in the names in which those of box 7 are partition 0.
        let renaming = boxes.partitions.renaming(fillings[0].columns);
        let [second, third] = [fillings[1], fillings[2]].map(|filling| renaming[usize::from(filling.columns)]);
        // The corners with which stack 1 is not below the first band.
        for number in bits(fillings[0].lower) {
            let corner = &boxes.corners[number];
            // The splits of the rows of box 7 that can be the rows of boxes 8 and 9.
            let fitting = boxes.partitions.fitting(corner.rows, second, third);
            if fitting == 0 {
                continue;
            }
            let splits = &boxes.partitions.splits[usize::from(corner.rows)];
            // The columns of boxes 8 and 9, renamed once more so that box 7 reads 1..9.
            let [eight, nine] = [second, third].map(|id| corner.images[usize::from(id)]);
            // Bit 0: a stack with these rows in its lowest box is not below the first band. Bit 1: it is above.
            let stack_1 = allowed[0].test(stacks[0][usize::from(corner.rows)]);
            for split in bits(fitting) {
                let stack_2 = allowed[1].test(stacks[1][usize::from(splits[split].second_id)]);
                let stack_3 = allowed[2].test(stacks[2][usize::from(splits[split].third_id)]);
                if stack_1 & stack_2 & stack_3 & 1 == 0 {
                    continue;
                }
                let class = boxes.class(corner.splits[split], eight, nine);
                if class < frame.number {
                    continue;
                }
                // The chutes of the class of the first band. A stack that is neither below nor above the first band is of
                // its class: bit 1 of its test is 0.
                let bands = u64::from(middle.tie) << 1 | u64::from(class == frame.number) << 2;
                let ties = ChuteSet(bands | (!stack_1 & 2) << 2 | (!stack_2 & 2) << 3 | (!stack_3 & 2) << 4);
                let lower = Lower { corner: number as u8, split: split as u8 };
                if ties == ChuteSet::EMPTY && symmetries.is_empty() {
                    each(lower, 1);
                    continue;
                }
                let automorphisms = automorphisms(frame.class, &self.grid(middle, &lower), &symmetries, ties);
                if automorphisms > 0 {
                    each(lower, automorphisms);
                }
            }
        }
    }

    /// Rows 7 to 9. Each cell has the digit that the set of its row in the box shares with the set of its column. The
    /// sets of rows get the names of the grid first; the rows are in the order of their first digits.
    pub(crate) fn lower_rows(&self, middle: &Middle, lower: &Lower) -> [DigitRow; 3] {
        let fillings = self.fillings(middle);
        let names = &self.frame.originals[usize::from(fillings[0].split)];
        let partitions = self.frame.boxes.partitions;
        let corner = usize::from(self.frame.boxes.corners[usize::from(lower.corner)].rows);
        let split = &partitions.splits[corner][usize::from(lower.split)];
        let lines = [&partitions.triples[corner], &split.second, &split.third]
            .map(|lines| lines.map(|set| renamed(set, names)));
        let mut rows: [DigitRow; 3] = std::array::from_fn(|row| {
            std::array::from_fn(|column| common(lines[column / 3][row], fillings[column / 3].needed[column % 3]))
        });
        rows.sort_unstable_by_key(|row| row[0]);
        rows
    }

    pub(crate) fn grid(&self, middle: &Middle, lower: &Lower) -> Rows {
        let bands = [self.frame.top, self.middle_rows(middle), self.lower_rows(middle, lower)];
        std::array::from_fn(|row| bands[row / 3][row % 3])
    }
}

fn renamed_box(rows: &[[u8; 3]; 3], names: &DigitRow) -> [[u8; 3]; 3] {
    rows.map(|row| row.map(|digit| names[usize::from(digit)]))
}
