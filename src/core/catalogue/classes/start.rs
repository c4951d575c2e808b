//! Enumerates all minlex grids with a given first band and fourth row.
//!
//! ```text
//!   1 2 3 4 5 6 7 8 9     A minlex grid begins with the minlex form of a band: 416 of them. Its fourth row begins with
//!   4 5 6 7 8 9 1 2 3     the smallest digit that the first column still needs. A first band and such a row are a
//!   7 8 9 1 2 3 4 5 6     *start*.
//!   ------------------
//!   2 . . | . . . | . . .     rows 5 and 6: a filling for each box; together, row 5 must get all nine digits
//!   ------------------
//!   . . .                     rows 7 to 9: the columns need three digits each, and the row sets must cross them
//! ```
//!
//! A full grid is minlex if and only if
//! * none of its six chutes is of a class below that of the first band;
//! * no map that brings a chute of the same class to the minlex form gives a smaller grid. Such a chute is the first
//!   band itself, if this band has symmetries, or, in one grid of fifty, one of the other five chutes.
//!
//! So nearly all of the work is enumerating grids and looking up classes of chutes. A grid whose other chutes are all
//! above the first band needs no more tests. A stack is looked up by its three boxes: if the upper box is renamed to
//! 1..9, it is one of 56 splits of its columns and two partitions of the rows of the other boxes. Band 3 is looked up
//! in the same way. The tables for that do not depend on the start ([`super::boxes`]), or only on its first band
//! ([`FirstBand`]).
//!
//! Digits are counted from 0 in this file, and sets of digits are words of 9 bits.

use super::automorphisms::{FirstBandMap, automorphisms};
use super::boxes::common;
use super::frame::{Filling, FirstBand};
use super::minlex::Rows;
use super::plain::box_orders;
use crate::catalogue::numbers::partition::{Id, Row, bits, inverse, renamed, set_of};

/// A first band and a fourth row.
pub(crate) struct Start<'a> {
    frame: &'a FirstBand,
    fourth: Row,
    /// The possible fillings of the three boxes of band 2.
    boxes: [Vec<Filling>; 3],
    /// Symmetries of the first band that may still give a smaller or equal grid.
    symmetries: Vec<FirstBandMap>,
}

/// A second band: a filling for each box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Middle {
    fillings: [u16; 3],
    /// The band is of the same class as the first one.
    tie: bool,
}

/// A third band, up to the order of its rows and given the columns of its boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lower {
    /// The rows of box 7, an index into the corners of [`super::boxes`].
    corner: u8,
    /// The split of these rows that gives the rows of boxes 8 and 9.
    split: u8,
}

impl FirstBand {
    /// The start with a fourth row; None if a symmetry of the first band makes that row smaller.
    pub(crate) fn start(&self, fourth: &Row) -> Option<Start<'_>> {
        let symmetries = self.undecided(&self.symmetries, fourth, std::slice::from_ref(fourth))?;
        let boxes = [0, 1, 2].map(|stack| self.fillings(stack, fourth));
        Some(Start { frame: self, fourth: *fourth, boxes, symmetries })
    }
}

impl Start<'_> {
    /// All second bands whose class is not below that of the first one, in no particular order.
    pub(crate) fn middles(&self) -> Vec<Middle> {
        let (bands, number) = (self.frame.boxes.bands, self.frame.number);
        let mut found = Vec::new();
        // The fillings of the third box, by their digits in row 5.
        let mut thirds = vec![Vec::new(); 512];
        self.boxes[2].iter().zip(0..).for_each(|(filling, at)| thirds[usize::from(filling.set)].push(at));
        for (first, one) in self.boxes[0].iter().enumerate() {
            let names = inverse(&std::array::from_fn(|at| one.rows[at / 3][at % 3]));
            let lasts = self.boxes[2].iter().map(|filling| box_orders(&renamed_box(&filling.rows, &names)));
            let lasts: Vec<usize> = lasts.collect();
            for (second, two) in self.boxes[1].iter().enumerate().filter(|(_, two)| one.set & two.set == 0) {
                let thirds = &thirds[usize::from(0x1ff & !one.set & !two.set)];
                if thirds.is_empty() {
                    continue;
                }
                let rows = renamed_box(&two.rows, &names);
                let before = bands.splits.of(&rows.map(|row| set_of(&row))) * 1296 + 36 * box_orders(&rows);
                for &third in thirds {
                    let class = bands.of_plain[before + lasts[usize::from(third)]];
                    if class >= number {
                        found.push(Middle { fillings: [first as u16, second as u16, third], tie: class == number });
                    }
                }
            }
        }
        found
    }

    /// Rows 4 to 6.
    pub(crate) fn middle_rows(&self, middle: &Middle) -> [Row; 3] {
        let fillings = self.fillings(middle);
        std::array::from_fn(|row| std::array::from_fn(|column| fillings[column / 3].rows[row][column % 3]))
    }

    #[inline]
    fn fillings(&self, middle: &Middle) -> [&Filling; 3] {
        std::array::from_fn(|stack| &self.boxes[stack][usize::from(middle.fillings[stack])])
    }

    /// Calls back with every third band that makes a minlex grid, and the number of automorphisms of that grid.
    pub(crate) fn lowers(&self, middle: &Middle, mut found: impl FnMut(Lower, u32)) {
        let (frame, boxes) = (self.frame, self.frame.boxes);
        let symmetries = match self.symmetries[..] {
            [] => Vec::new(),
            ref all => match frame.undecided(all, &self.fourth, &self.middle_rows(middle)[1..]) {
                Some(undecided) => undecided,
                None => return,
            },
        };
        let [one, two, three] = self.fillings(middle);
        let allowed = [one, two, three].map(|filling| &frame.allowed[usize::from(filling.allowed)]);
        let stacks = &frame.stacks[usize::from(one.split)];
        // Is a stack with these rows in its lowest box above the first band? See `Allowed::test`.
        let test = |stack: usize, rows: Id| allowed[stack].test(stacks[stack][usize::from(rows)]);
        // The columns of boxes 8 and 9, renamed so that those of box 7 are partition 0.
        let renaming = boxes.partitions.renaming(one.columns);
        let [second, third] = [two, three].map(|filling| renaming[usize::from(filling.columns)]);
        for at in bits(one.lower) {
            let corner = &boxes.corners[at];
            let fitting = boxes.partitions.fitting(corner.rows, second, third);
            if fitting == 0 {
                continue;
            }
            let splits = &boxes.partitions.splits[usize::from(corner.rows)];
            // The same columns, renamed so that box 7 reads 1..9.
            let [eight, nine] = [second, third].map(|id| corner.images[usize::from(id)]);
            let stack_1 = test(0, corner.rows);
            for split in bits(fitting) {
                let (stack_2, stack_3) = (test(1, splits[split].second_id), test(2, splits[split].third_id));
                if stack_1 & stack_2 & stack_3 & 1 == 0 {
                    continue;
                }
                let class = boxes.class(corner.splits[split], eight, nine);
                if class < frame.number {
                    continue;
                }
                // The chutes of the class of the first band, one bit each, as `automorphisms` takes them.
                // A stack that is not below and not above the first band is of its class: bit 1 of its test is 0.
                let bands = u64::from(middle.tie) << 1 | u64::from(class == frame.number) << 2;
                let ties = bands | (!stack_1 & 2) << 2 | (!stack_2 & 2) << 3 | (!stack_3 & 2) << 4;
                let lower = Lower { corner: at as u8, split: split as u8 };
                if ties == 0 && symmetries.is_empty() {
                    found(lower, 1);
                    continue;
                }
                let automorphisms = automorphisms(frame.class, &self.grid(middle, &lower), &symmetries, ties);
                if automorphisms > 0 {
                    found(lower, automorphisms);
                }
            }
        }
    }

    /// Rows 7 to 9.
    pub(crate) fn lower_rows(&self, middle: &Middle, lower: &Lower) -> [Row; 3] {
        let fillings = self.fillings(middle);
        let names = &self.frame.originals[usize::from(fillings[0].split)];
        let all = self.frame.boxes.partitions;
        let corner = usize::from(self.frame.boxes.corners[usize::from(lower.corner)].rows);
        let split = &all.splits[corner][usize::from(lower.split)];
        let lines =
            [&all.triples[corner], &split.second, &split.third].map(|lines| lines.map(|set| renamed(set, names)));
        let mut rows: [Row; 3] = std::array::from_fn(|row| {
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

/// The digits of a box with new names.
fn renamed_box(rows: &[[u8; 3]; 3], names: &Row) -> [[u8; 3]; 3] {
    rows.map(|row| row.map(|digit| names[usize::from(digit)]))
}
