//! All minlex grids with a given first band and fourth row.
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
//! So nearly all of the work is enumerating grids and looking up classes of chutes. A grid whose other chutes are all above
//! the first band needs no more tests. A stack is looked up by its three boxes: if the upper box is renamed to 1..9, it is
//! one of 56 splits of its columns and two partitions of the rows of the other boxes. Band 3 is looked up in the same way.
//! The tables for that do not depend on the start ([`super::boxes`]), or only on its first band ([`FirstBand`]).
//!
//! Digits are counted from 0 in this file, and sets of digits are words of 9 bits.

use super::boxes::{Corner, common, renamed_set};
use super::chutes::band_classes;
use super::frame::{Allowed, Filling, FirstBand};
use super::images::{Row, Rows, Symmetry};
use super::partition::{Id, PARTITIONS, SPLITS, Split};
use super::plain::box_orders;

/// A first band and a fourth row.
pub struct Start<'a> {
    frame: &'a FirstBand,
    fourth: Row,
    boxes: [Vec<Filling>; 3],
    /// Symmetries of the first band that may still give a smaller or equal grid.
    symmetries: Vec<Symmetry>,
}

/// A second band: a filling for each box.
#[derive(Clone, Copy, Debug)]
pub struct Middle {
    fillings: [u16; 3],
    /// The band is of the same class as the first one.
    tie: bool,
}

/// A third band, up to the order of its rows and given the columns of its boxes.
#[derive(Clone, Copy, Debug)]
pub struct Lower {
    /// The rows of box 7, an index into the corners of [`super::boxes`].
    corner: u8,
    /// The split of these rows that gives the rows of boxes 8 and 9.
    split: u8,
}

impl<'a> Start<'a> {
    /// A start with the possible fillings of the three boxes of band 2.
    pub(super) fn new(
        frame: &'a FirstBand,
        fourth: Row,
        boxes: [Vec<Filling>; 3],
        symmetries: Vec<Symmetry>,
    ) -> Start<'a> {
        Start { frame, fourth, boxes, symmetries }
    }

    /// All second bands whose class is not below that of the first one, in no particular order.
    pub fn middles(&self) -> Vec<Middle> {
        let mut found = Vec::new();
        // The fillings of the third box, sorted by their digits in row 5.
        let mut thirds: Vec<(u16, u16)> =
            self.boxes[2].iter().zip(0..).map(|(filling, at)| (filling.set, at)).collect();
        thirds.sort_unstable();
        let mut begins = [(0u16, 0u16); 512];
        for (at, &(set, _)) in thirds.iter().enumerate() {
            let begin = &mut begins[usize::from(set)];
            *begin = if begin.1 == 0 { (at as u16, at as u16 + 1) } else { (begin.0, at as u16 + 1) };
        }
        for (first, one) in self.boxes[0].iter().enumerate() {
            let mut names = [0; 9];
            (0..9).for_each(|at| names[usize::from(one.rows[at / 3][at % 3])] = at as u8);
            let lasts: Vec<usize> = self.boxes[2].iter().map(|filling| filling.orders(&names)).collect();
            for (second, two) in self.boxes[1].iter().enumerate() {
                if one.set & two.set != 0 {
                    continue;
                }
                let (begin, end) = begins[usize::from(0x1ff & !one.set & !two.set)];
                if begin == end {
                    continue;
                }
                let (split, orders) = two.as_second(&names);
                for &(_, third) in &thirds[usize::from(begin)..usize::from(end)] {
                    let class = band_classes().class_of_plain(split, 36 * orders + lasts[usize::from(third)]);
                    if class >= self.frame.number {
                        let tie = class == self.frame.number;
                        found.push(Middle { fillings: [first as u16, second as u16, third], tie });
                    }
                }
            }
        }
        found
    }

    /// Rows 4 to 6.
    pub fn middle_rows(&self, middle: &Middle) -> [Row; 3] {
        let fillings = self.fillings(middle);
        std::array::from_fn(|row| std::array::from_fn(|column| fillings[column / 3].rows[row][column % 3]))
    }

    #[inline]
    fn fillings(&self, middle: &Middle) -> [&Filling; 3] {
        std::array::from_fn(|stack| &self.boxes[stack][usize::from(middle.fillings[stack])])
    }

    /// Calls back with every third band that makes a minlex grid, and the number of automorphisms of that grid.
    pub fn lowers(&self, middle: &Middle, mut found: impl FnMut(Lower, u32)) {
        let frame = self.frame;
        let Some(symmetries) = self.symmetries_of(middle) else { return };
        let mut below = Below::new(frame, self.fillings(middle));
        while let Some((corner, mut fitting)) = below.next_corner() {
            while fitting != 0 {
                let split = fitting.trailing_zeros() as usize;
                fitting &= fitting - 1;
                let Some(ties) = below.ties(&corner, split) else { continue };
                let (lower, ties) =
                    (Lower { corner: corner.at, split: split as u8 }, ties | u64::from(middle.tie) << 1);
                if ties == 0 && symmetries.is_empty() {
                    found(lower, 1);
                    continue;
                }
                let automorphisms = frame.automorphisms(&self.grid(middle, &lower), &symmetries, ties);
                if automorphisms > 0 {
                    found(lower, automorphisms);
                }
            }
        }
    }

    /// The symmetries of the first band that may still give a smaller or equal grid, given a second band. None if one
    /// of them gives a smaller grid.
    fn symmetries_of(&self, middle: &Middle) -> Option<Vec<Symmetry>> {
        if self.symmetries.is_empty() {
            return Some(Vec::new());
        }
        self.frame.undecided(&self.symmetries, &self.fourth, &self.middle_rows(middle)[1..])
    }

    /// Rows 7 to 9.
    pub fn lower_rows(&self, middle: &Middle, lower: &Lower) -> [Row; 3] {
        let fillings = self.fillings(middle);
        let names = &self.frame.originals[usize::from(fillings[0].split)];
        let all = self.frame.boxes.partitions;
        let corner = usize::from(self.frame.boxes.corners[usize::from(lower.corner)].rows);
        let split = &all.splits[corner][usize::from(lower.split)];
        let lines =
            [&all.triples[corner], &split.second, &split.third].map(|lines| lines.map(|set| renamed_set(set, names)));
        let mut rows: [Row; 3] = std::array::from_fn(|row| {
            std::array::from_fn(|column| common(lines[column / 3][row], fillings[column / 3].needed[column % 3]))
        });
        rows.sort_unstable_by_key(|row| row[0]);
        rows
    }

    pub fn grid(&self, middle: &Middle, lower: &Lower) -> Rows {
        let [a, b, c] = self.frame.top;
        let [d, e, f] = self.middle_rows(middle);
        let [g, h, i] = self.lower_rows(middle, lower);
        [a, b, c, d, e, f, g, h, i]
    }
}

/// Tries the third bands below two given bands, up to the order of the last three rows. The class of each stack is
/// looked up from the filling of its box in the second band and the rows of its lowest box.
struct Below<'a> {
    frame: &'a FirstBand,
    /// The fillings of band 2: which stacks are allowed, and the columns of boxes 8 and 9 as partitions, renamed so that
    /// those of box 7 are partition 0.
    allowed: [&'a Allowed; 3],
    columns: [Id; 2],
    /// For each stack: from a partition with these names to the partition in the names of the stack.
    stacks: &'a [[Id; PARTITIONS]],
    /// Rows of box 7 that have not been tried, one bit for each of 36.
    corners: u64,
}

/// Rows of box 7.
struct Seventh<'a> {
    at: u8,
    corner: &'a Corner,
    splits: &'a [Split; SPLITS],
    /// The columns of boxes 8 and 9, renamed so that box 7 reads 1..9.
    columns: [Id; 2],
    /// The class of stack 1, compared with that of the first band: see [`Allowed::test`].
    above: u64,
}

impl<'a> Below<'a> {
    fn new(frame: &'a FirstBand, [one, two, three]: [&Filling; 3]) -> Below<'a> {
        let all = frame.boxes.partitions;
        Below {
            frame,
            allowed: [one, two, three].map(|filling| &frame.allowed[usize::from(filling.allowed)]),
            columns: [two, three].map(|filling| all.renamed(one.columns, filling.columns)),
            stacks: &frame.stacks[usize::from(one.split) * 3..][..3],
            corners: one.lower,
        }
    }

    /// The next rows of box 7 with which boxes 8 and 9 can be filled, and the splits of the rows that do it.
    #[inline]
    fn next_corner(&mut self) -> Option<(Seventh<'a>, u64)> {
        let (boxes, [second, third]) = (self.frame.boxes, self.columns);
        while self.corners != 0 {
            let at = self.corners.trailing_zeros();
            self.corners &= self.corners - 1;
            let corner = &boxes.corners[at as usize];
            let fitting = boxes.partitions.fitting(corner.rows, second, third);
            if fitting != 0 {
                let above = self.allowed[0].test(self.stacks[0][usize::from(corner.rows)]);
                let columns = [second, third].map(|id| corner.images[usize::from(id)]);
                let splits = &boxes.partitions.splits[usize::from(corner.rows)];
                return Some((Seventh { at: at as u8, corner, splits, columns, above }, fitting));
            }
        }
        None
    }

    /// Which of band 3 and the stacks are of the class of the first band: bit 2 for band 3, bits 3 to 5 for the stacks.
    /// None if the class of one of them is below that of the first band.
    #[inline]
    fn ties(&self, seventh: &Seventh<'_>, split: usize) -> Option<u64> {
        let lines = &seventh.splits[split];
        let second = self.allowed[1].test(self.stacks[1][usize::from(lines.second_id)]);
        let third = self.allowed[2].test(self.stacks[2][usize::from(lines.third_id)]);
        if seventh.above & second & third & 1 == 0 {
            return None;
        }
        let class = self.frame.boxes.class(seventh.corner.splits[split], seventh.columns[0], seventh.columns[1]);
        let tie = u64::from(class == self.frame.number);
        let stacks = (!seventh.above & 2) << 2 | (!second & 2) << 3 | (!third & 2) << 4;
        (class >= self.frame.number).then_some(tie << 2 | stacks)
    }
}

impl Filling {
    /// The split and the orders of the columns, when this is box 2 of a band whose first box has these names.
    fn as_second(&self, names: &Row) -> (usize, usize) {
        let rows = self.rows.map(|row| row.map(|digit| names[usize::from(digit)]));
        (band_classes().split_number(&rows), box_orders(&rows))
    }

    fn orders(&self, names: &Row) -> usize {
        box_orders(&self.rows.map(|row| row.map(|digit| names[usize::from(digit)])))
    }
}
