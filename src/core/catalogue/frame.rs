//! What the first band of a minlex grid determines: the possible fourth rows, the fillings of boxes below it, and the partitions
//! of stacks whose class is not below that of the band.
//!
//! Digits are counted from 0 in this file, and sets of digits are words of 9 bits.

use std::cmp::Ordering;

use super::boxes::{Boxes, boxes, split_key};
use super::chutes::{BandClass, band_classes};
use super::images::{Row, Symmetry};
use super::partition::{CROSSING, Id, PARTITIONS, SPLITS, Triples, names_of, rename};
use super::start::Start;

/// Sets of partitions: those whose stack is not below the first band, and those whose stack is above it.
#[derive(Clone, Copy, Default)]
pub(super) struct Allowed {
    not_below: [u64; 5],
    above: [u64; 5],
}

impl Allowed {
    /// Bit 0: not below; bit 1: above.
    #[inline]
    pub fn test(&self, id: Id) -> u64 {
        let (word, bit) = (usize::from(id >> 6), id & 63);
        self.not_below[word] >> bit & 1 | (self.above[word] >> bit & 1) << 1
    }
}

/// What depends only on the first band.
pub struct FirstBand {
    pub(super) boxes: &'static Boxes,
    pub(super) class: &'static BandClass,
    /// The index of the class.
    pub(super) number: u16,
    pub(super) top: [Row; 3],
    /// For each box of the first band the names that make it 1 4 7 / 2 5 8 / 3 6 9: the box of a stack, transposed.
    names: [Row; 3],
    /// `split * 36 + a`, for a split of the columns of the upper box and the place a of the rows of the middle box: the
    /// partitions of the rows of the lowest box with which a stack is allowed.
    pub(super) allowed: Vec<Allowed>,
    /// `split * 3 + stack`: from a partition, renamed so that the columns of box 7 are partition 0, to the partition
    /// in the names of a stack. The split is that of the columns of stack 1.
    pub(super) stacks: Vec<[Id; PARTITIONS]>,
    /// For each split of the columns of stack 1: the original names of the digits.
    pub(super) originals: Vec<Row>,
    /// The symmetries of the first band, without the identity.
    symmetries: Vec<Symmetry>,
}

impl FirstBand {
    /// The frame of a class of bands, by its index.
    pub fn new(number: usize) -> FirstBand {
        let boxes = boxes();
        let class = &band_classes().classes()[number];
        let top: [Row; 3] = std::array::from_fn(|row| std::array::from_fn(|column| class.minlex[9 * row + column] - 1));
        let names = [0, 1, 2].map(|stack| {
            let mut names = [0; 9];
            (0..9).for_each(|at| names[usize::from(top[at % 3][3 * stack + at / 3])] = at as u8);
            names
        });
        let number = number as u16;
        let mut frame = FirstBand {
            boxes,
            class,
            number,
            top,
            names,
            allowed: allowed(boxes, number),
            stacks: Vec::with_capacity(3 * SPLITS),
            originals: Vec::with_capacity(SPLITS),
            symmetries: Vec::new(),
        };
        frame.symmetries = class.symmetries[1..].iter().map(|map| Symmetry::new(&frame.top, map)).collect();
        frame.rename_stacks();
        frame
    }

    /// Fills `stacks` and `originals`.
    fn rename_stacks(&mut self) {
        let all = self.boxes.partitions;
        let images = self.names.map(|names| all.images(&names.map(usize::from)));
        let mut original: Row = [0; 9];
        (0..9).for_each(|digit| original[usize::from(self.names[0][digit])] = digit as u8);
        for split in &all.splits[0] {
            // The columns of box 7 in the names of the grid, then the partitions by their renaming.
            let columns = rename(&split.third, &original.map(usize::from));
            let id = all.id(&columns);
            let row = &self.boxes.original[usize::from(id) * PARTITIONS..][..PARTITIONS];
            for images in &images {
                self.stacks.push(std::array::from_fn(|at| images[usize::from(row[at])]));
            }
            let mut names = [0; 9];
            let renaming = names_of(&all.triples[usize::from(id)]);
            renaming.iter().enumerate().for_each(|(digit, &name)| names[name] = digit as u8);
            self.originals.push(names);
        }
    }

    /// The smallest digit that the first column needs below the first band.
    fn least(&self) -> u8 {
        (0..9).find(|&digit| self.top.iter().all(|row| row[0] != digit)).unwrap_or_default()
    }

    /// The digits that a column needs below the first band.
    fn needed(&self, column: usize) -> u16 {
        self.top.iter().fold(0x1ff, |set, row| set & !(1 << row[column]))
    }

    /// All fourth rows, in lexicographic order. They begin with the smallest digit that column 1 needs, and no digit is in
    /// its column already.
    pub fn fourth_rows(&self) -> Vec<Row> {
        let [firsts, seconds, thirds] = [0, 3, 6].map(|left| {
            let first = if left == 0 { 1 << self.least() } else { self.needed(left) };
            triples([first, self.needed(left + 1), self.needed(left + 2)])
        });
        // The possible orders of the last three digits, by the set of these digits.
        let mut lasts = vec![Vec::new(); 512];
        thirds.iter().for_each(|last| lasts[usize::from(set_of(last))].push(*last));
        let mut found = Vec::new();
        for first in &firsts {
            for second in seconds.iter().filter(|second| set_of(first) & set_of(second) == 0) {
                let left = 0x1ff & !set_of(first) & !set_of(second);
                let row = |last: &[u8; 3]| std::array::from_fn(|at| [first, second, last][at / 3][at % 3]);
                found.extend(lasts[usize::from(left)].iter().map(row));
            }
        }
        found
    }

    /// The start with a fourth row; None if a symmetry of the first band makes that row smaller.
    pub fn start(&self, fourth: &Row) -> Option<Start<'_>> {
        let symmetries = self.undecided(&self.symmetries, fourth, std::slice::from_ref(fourth))?;
        let boxes = [0, 1, 2].map(|stack| self.fillings(stack, fourth));
        Some(Start::new(self, *fourth, boxes, symmetries))
    }

    /// The symmetries of a list that may still give a smaller or equal grid, given the rows that they can bring to the
    /// fourth place. None if one of them gives a smaller fourth row.
    pub(super) fn undecided(&self, symmetries: &[Symmetry], fourth: &Row, rows: &[Row]) -> Option<Vec<Symmetry>> {
        let mut kept = Vec::new();
        for symmetry in symmetries {
            match rows.iter().find_map(|row| symmetry.compare(row, fourth)) {
                Some(Ordering::Less) => return None,
                Some(Ordering::Greater) => {}
                Some(Ordering::Equal) | None => kept.push(*symmetry),
            }
        }
        Some(kept)
    }

    /// The ways to fill rows 5 and 6 of a box of band 2, under a fourth row. In stack 1, row 5 must begin with a
    /// smaller digit than row 6. Fillings with which no stack is allowed are left out.
    fn fillings(&self, stack: usize, fourth: &Row) -> Vec<Filling> {
        let columns = [0, 1, 2].map(|at| 3 * stack + at);
        let above = columns.map(|column| fourth[column]);
        let used = set_of(&above);
        let free = columns.map(|column| self.needed(column) & !used);
        let mut found = Vec::new();
        for row in triples(free) {
            let taken = set_of(&row);
            for last in triples(free.map(|set| set & !taken)) {
                if stack > 0 || row[0] < last[0] {
                    found.extend(self.filling(stack, [above, row, last], taken));
                }
            }
        }
        found
    }

    fn filling(&self, stack: usize, rows: [[u8; 3]; 3], set: u16) -> Option<Filling> {
        let (boxes, names) = (self.boxes, &self.names[stack]);
        let name = |row: usize, column: usize| names[usize::from(rows[row][column])];
        let lines = [0, 1, 2].map(|column| (0..3).fold(0, |set, row| set | 1 << name(row, column)));
        let split = boxes.splits[split_key(&lines)];
        let across = [0, 1, 2].map(|row| (0..3).fold(0, |set, column| set | 1 << name(row, column)));
        let id = boxes.partitions.id(&across);
        let line = boxes.partitions.splits[0][usize::from(split)].second_id;
        let place = boxes.places[usize::from(line) * PARTITIONS + usize::from(id)];
        let allowed = usize::from(split) * CROSSING + usize::from(place);
        let needed = [0, 1, 2]
            .map(|column| (0..3).fold(self.needed(3 * stack + column), |set, row| set & !(1 << rows[row][column])));
        let mut lower = 0;
        if stack == 0 {
            let (renamed, allowed) = (&self.stacks[usize::from(split) * 3], &self.allowed[allowed]);
            for (at, corner) in boxes.corners.iter().enumerate() {
                lower |= (allowed.test(renamed[usize::from(corner.rows)]) & 1) << at;
            }
        }
        let none = if stack == 0 { lower == 0 } else { self.allowed[allowed].not_below == [0; 5] };
        let columns = boxes.partitions.id(&needed);
        (!none).then_some(Filling { rows, set, split, allowed: allowed as u16, needed, columns, lower })
    }
}

/// For each split and partition of the middle box, which partitions of the lowest box give a stack that is allowed.
fn allowed(boxes: &Boxes, number: u16) -> Vec<Allowed> {
    let mut found = Vec::with_capacity(SPLITS * CROSSING);
    for (split, classes) in boxes.partitions.splits[0].iter().zip(boxes.classes.chunks_exact(1296)) {
        let crossing = &boxes.partitions.crossing[usize::from(split.third_id)];
        for classes in classes.chunks_exact(CROSSING) {
            let mut allowed = Allowed::default();
            for (&id, &class) in crossing.iter().zip(classes) {
                let (word, bit) = (usize::from(id >> 6), id & 63);
                allowed.not_below[word] |= u64::from(class >= number) << bit;
                allowed.above[word] |= u64::from(class > number) << bit;
            }
            found.push(allowed);
        }
    }
    found
}

fn set_of(line: &[u8; 3]) -> u16 {
    line.iter().fold(0, |set, &digit| set | 1 << digit)
}

/// All choices of three different digits, one from each of three sets, in lexicographic order.
fn triples(sets: [u16; 3]) -> Vec<[u8; 3]> {
    let digits = |set: u16| (0..9u8).filter(move |digit| set >> digit & 1 != 0);
    let mut found = Vec::new();
    for a in digits(sets[0]) {
        for b in digits(sets[1] & !(1 << a)) {
            found.extend(digits(sets[2] & !(1 << a | 1 << b)).map(|c| [a, b, c]));
        }
    }
    found
}

/// One way to fill a box of band 2.
#[derive(Clone, Copy)]
pub(super) struct Filling {
    pub rows: [[u8; 3]; 3],
    /// The digits of row 5.
    pub set: u16,
    /// The split of the columns of the upper box, in the names of the stack.
    pub split: u8,
    /// Index into [`FirstBand::allowed`].
    pub allowed: u16,
    /// The digits that the columns need below.
    pub needed: Triples,
    /// The same as a partition.
    pub columns: Id,
    /// Stack 1 only: which of the 36 partitions of the rows of box 7 are allowed.
    pub lower: u64,
}
