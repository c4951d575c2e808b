//! All minlex grids with a given first band and fourth row.
//!
//! ```text
//!   1 2 3 4 5 6 7 8 9     A minlex grid begins with the minlex form of a band: 416 of them. Its fourth row begins with
//!   4 5 6 7 8 9 1 2 3     the smallest digit that the first column still needs. A first band and such a row are a
//!   7 8 9 1 2 3 4 5 6     *start*.
//!   ------------------
//!   2 . . | . . . | . . .     rows 5 and 6: three box fillings that share out the digits of row 5
//!   ------------------
//!   . . .                     rows 7 to 9: the columns need three digits each; row sets that cross them
//! ```
//!
//! A full grid is minlex if and only if
//! * none of its six chutes is of a class below that of the first band;
//! * no map that brings a chute of the same class to the minlex form gives a smaller grid. Such a chute is the first
//!   band itself where that has symmetries, or one of the other five by chance: one grid in fifty.
//!
//! So nearly all of the work is to enumerate grids and to look up classes of chutes, and a grid whose chutes are
//! all above the first band needs no more. A stack is looked up by its three boxes: with the upper box renamed to 1..9 it
//! is one of 56 splits of its columns and two partitions of the rows of the other boxes. Band 3 is looked up in
//! the same way. The tables for that do not depend on the start, or on its first band only ([`Frame`]).
//!
//! Digits are counted from 0 in this file, and sets of digits are words of 9 bits.

use std::cmp::Ordering;
use std::sync::LazyLock;

use super::chutes::{Band, BandClass, BandMap, band_classes, box_orders};
use super::partition::{Id, PARTITIONS, Partitions, SPLITS, Triples, names_of, partitions, rename};

/// Partitions that cross a given one.
const CROSSING: usize = 36;
/// Not the place of any partition.
const NOWHERE: u8 = u8::MAX;

/// Nine digits from 0.
pub(super) type Row = [u8; 9];
/// Nine rows.
pub(super) type Rows = [Row; 9];

/// The classes of all bands whose first box reads 1..9, by splits and partitions, and the numberings behind it.
struct Boxes {
    partitions: &'static Partitions,
    /// `split * 1296 + a * 36 + b`: the class of the band whose boxes 2 and 3 have rows as in this split of partition 0
    /// and columns as in partitions a and b of those that cross them.
    classes: Vec<u16>,
    /// `p * 280 + q`: the place of q among the 36 partitions that cross p.
    places: Vec<u8>,
    /// `p * 280 + q`: what is renamed to q when p is renamed to partition 0.
    original: Vec<Id>,
    /// A split of partition 0 by the set of digits in its first and second line.
    splits: Vec<u8>,
    /// For each of the 36 partitions that cross partition 0, as rows of a box with columns in partition 0.
    corners: Vec<Corner>,
}

/// A box whose columns are in partition 0 and whose rows are in a partition that crosses it.
struct Corner {
    /// The rows.
    rows: Id,
    /// What becomes of a split of the rows when the box is renamed to 1..9.
    splits: [u8; SPLITS],
    /// What becomes of a partition.
    images: Vec<Id>,
}

fn boxes() -> &'static Boxes {
    static BOXES: LazyLock<Boxes> = LazyLock::new(Boxes::compute);
    &BOXES
}

/// The key of a split by its first two lines.
fn split_key(lines: &Triples) -> usize {
    usize::from(lines[0]) << 9 | usize::from(lines[1])
}

/// The digit that two sets share.
#[inline]
fn common(one: u16, other: u16) -> u8 {
    (one & other).trailing_zeros() as u8
}

/// A set of digits under new names.
#[inline]
fn renamed_set(set: u16, names: &Row) -> u16 {
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

    /// The class of a band: split of the rows of the first box, partitions of the columns of boxes 2 and 3; all
    /// renamed so that the first box reads 1..9.
    #[inline]
    fn class(&self, split: u8, second: Id, third: Id) -> u16 {
        let lines = &self.partitions.splits[0][usize::from(split)];
        let place = |line: Id, id: Id| usize::from(self.places[usize::from(line) * PARTITIONS + usize::from(id)]);
        let (a, b) = (place(lines.second_id, second), place(lines.third_id, third));
        self.classes[usize::from(split) * 1296 + a * CROSSING + b]
    }
}

/// Sets of partitions: those whose stack is not below the first band, and those whose stack is above it.
#[derive(Clone, Copy, Default)]
struct Allowed {
    not_below: [u64; 5],
    above: [u64; 5],
}

impl Allowed {
    /// Bit 0: not below; bit 1: above.
    #[inline]
    fn test(&self, id: Id) -> u64 {
        let (word, bit) = (usize::from(id >> 6), id & 63);
        self.not_below[word] >> bit & 1 | (self.above[word] >> bit & 1) << 1
    }
}

/// What depends on the first band alone.
pub struct Frame {
    boxes: &'static Boxes,
    class: &'static BandClass,
    /// The index of the class.
    number: u16,
    top: [Row; 3],
    /// For each box of the first band the names that make it 1 4 7 / 2 5 8 / 3 6 9: the box of a stack, transposed.
    names: [Row; 3],
    /// `split * 36 + a`: the partitions of the rows of the lowest box with which a stack is allowed.
    allowed: Vec<Allowed>,
    /// `split * 3 + stack`: from a partition, renamed so that the columns of box 7 are partition 0, to the partition
    /// in the names of a stack. The split is that of the columns of stack 1.
    stacks: Vec<[Id; PARTITIONS]>,
    /// For each split of the columns of stack 1: the original names of the digits.
    originals: Vec<Row>,
    /// The symmetries of the first band but the identity, each with the digit that it makes the first of row 4.
    symmetries: Vec<Symmetry>,
}

/// A symmetry of the first band.
#[derive(Clone, Copy)]
struct Symmetry {
    columns: Row,
    names: Row,
}

impl Frame {
    /// The frame of a class of bands, by its index.
    pub fn new(number: usize) -> Frame {
        let boxes = boxes();
        let class = &band_classes().classes()[number];
        let top: [Row; 3] = std::array::from_fn(|row| std::array::from_fn(|column| class.minlex[9 * row + column] - 1));
        let names = [0, 1, 2].map(|stack| {
            let mut names = [0; 9];
            (0..9).for_each(|at| names[usize::from(top[at % 3][3 * stack + at / 3])] = at as u8);
            names
        });
        let number = number as u16;
        let mut frame = Frame {
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
        frame.symmetries = class.symmetries[1..].iter().map(|map| frame.symmetry(map)).collect();
        frame.rename_stacks();
        frame
    }

    fn symmetry(&self, map: &BandMap) -> Symmetry {
        let mut names = [0; 9];
        let row = &self.top[usize::from(map.rows[0])];
        (0..9).for_each(|at| names[usize::from(row[usize::from(map.columns[at])])] = at as u8);
        Symmetry { columns: map.columns, names }
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

    /// All fourth rows, in lexicographic order: they begin with the smallest digit, and repeat none of a column.
    pub fn fourth_rows(&self) -> Vec<Row> {
        fn extend(needed: &[u16; 9], row: &mut Row, at: usize, used: u16, found: &mut Vec<Row>) {
            if at == 9 {
                return found.push(*row);
            }
            let mut free = needed[at] & !used;
            while free != 0 {
                row[at] = free.trailing_zeros() as u8;
                free &= free - 1;
                extend(needed, row, at + 1, used | 1 << row[at], found);
            }
        }
        let mut needed = std::array::from_fn(|column| self.needed(column));
        needed[0] = 1 << self.least();
        let mut found = Vec::new();
        extend(&needed, &mut [0; 9], 0, 0, &mut found);
        found
    }

    /// The start with a fourth row; none when a symmetry of the first band makes that row smaller.
    pub fn start(&self, fourth: &Row) -> Option<Start<'_>> {
        let symmetries = self.undecided(&self.symmetries, fourth, std::slice::from_ref(fourth))?;
        let boxes = [0, 1, 2].map(|stack| self.fillings(stack, fourth));
        Some(Start { frame: self, fourth: *fourth, boxes, symmetries })
    }

    /// Those symmetries of a list that may still give a smaller or the same grid, when they might bring one of these
    /// rows to the fourth place; none when one gives a smaller fourth row.
    fn undecided(&self, symmetries: &[Symmetry], fourth: &Row, rows: &[Row]) -> Option<Vec<Symmetry>> {
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

    /// All ways to fill rows 5 and 6 of a box of band 2, under a fourth row.
    fn fillings(&self, stack: usize, fourth: &Row) -> Vec<Filling> {
        let columns = [0, 1, 2].map(|at| 3 * stack + at);
        let above = columns.map(|column| fourth[column]);
        let used = above.iter().fold(0, |set, &digit| set | 1 << digit);
        let free = columns.map(|column| self.needed(column) & !used);
        let mut found = Vec::new();
        for row in triples(free) {
            let taken = row.iter().fold(0, |set, &digit| set | 1 << digit);
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

/// Three different digits, one from each of three sets, in lexicographic order.
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

impl Symmetry {
    /// The image of a row against the fourth row; none when the row does not come to the fourth place.
    #[inline]
    fn compare(&self, row: &Row, fourth: &Row) -> Option<Ordering> {
        let image = |at: usize| self.names[usize::from(row[usize::from(self.columns[at])])];
        if image(0) != fourth[0] {
            return None;
        }
        let different = (1..9).map(|at| image(at).cmp(&fourth[at])).find(|order| order.is_ne());
        Some(different.unwrap_or(Ordering::Equal))
    }
}

/// One way to fill a box of band 2.
#[derive(Clone, Copy)]
struct Filling {
    rows: [[u8; 3]; 3],
    /// The digits of row 5.
    set: u16,
    /// The split of the columns of the upper box, in the names of the stack.
    split: u8,
    /// Index into [`Frame::allowed`].
    allowed: u16,
    /// The digits that the columns need below.
    needed: Triples,
    /// The same as a partition.
    columns: Id,
    /// Stack 1 only: which of the 36 partitions of the rows of box 7 are allowed.
    lower: u64,
}

/// A first band and a fourth row.
pub struct Start<'a> {
    frame: &'a Frame,
    fourth: Row,
    boxes: [Vec<Filling>; 3],
    /// Symmetries of the first band that may still give a smaller grid.
    symmetries: Vec<Symmetry>,
}

/// A second band: a filling for each box.
#[derive(Clone, Copy, Debug)]
pub struct Middle {
    fillings: [u16; 3],
    /// The band is of the same class as the first one.
    tie: bool,
}

/// A third band.
#[derive(Clone, Copy, Debug)]
pub struct Lower {
    corner: u8,
    split: u8,
}

impl Start<'_> {
    /// All second bands that are not below the first one, in no particular order.
    pub fn middles(&self) -> Vec<Middle> {
        let mut found = Vec::new();
        // The third box by the digits of row 5.
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
        let rows;
        let kept;
        let symmetries = if self.symmetries.is_empty() {
            &[][..]
        } else {
            rows = self.middle_rows(middle);
            match frame.undecided(&self.symmetries, &self.fourth, &rows[1..]) {
                Some(symmetries) => kept = symmetries,
                None => return,
            }
            &kept[..]
        };
        let boxes = frame.boxes;
        let all = boxes.partitions;
        let [one, two, three] = self.fillings(middle);
        let second = all.renamed(one.columns, two.columns);
        let third = all.renamed(one.columns, three.columns);
        let [_, stack2, stack3] = {
            let at = usize::from(one.split) * 3;
            [&frame.stacks[at], &frame.stacks[at + 1], &frame.stacks[at + 2]]
        };
        let stack1 = &frame.stacks[usize::from(one.split) * 3];
        let [allowed1, allowed2, allowed3] =
            [one, two, three].map(|filling| &frame.allowed[usize::from(filling.allowed)]);
        let clean = symmetries.is_empty() && !middle.tie;
        let mut corners = one.lower;
        while corners != 0 {
            let at = corners.trailing_zeros();
            corners &= corners - 1;
            let corner = &boxes.corners[at as usize];
            let mut fitting = all.fitting(corner.rows, second, third);
            if fitting == 0 {
                continue;
            }
            let above1 = allowed1.test(stack1[usize::from(corner.rows)]);
            let splits = &all.splits[usize::from(corner.rows)];
            let (second, third) = (corner.images[usize::from(second)], corner.images[usize::from(third)]);
            while fitting != 0 {
                let split = fitting.trailing_zeros();
                fitting &= fitting - 1;
                let lines = &splits[split as usize];
                let above = above1
                    & allowed2.test(stack2[usize::from(lines.second_id)])
                    & allowed3.test(stack3[usize::from(lines.third_id)]);
                if above & 1 == 0 {
                    continue;
                }
                let class = boxes.class(corner.splits[split as usize], second, third);
                if class < frame.number {
                    continue;
                }
                let lower = Lower { corner: at as u8, split: split as u8 };
                if clean && above & 2 != 0 && class > frame.number {
                    found(lower, 1);
                    continue;
                }
                let automorphisms = frame.automorphisms(&self.grid(middle, &lower), symmetries);
                if automorphisms > 0 {
                    found(lower, automorphisms);
                }
            }
        }
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

    /// The whole grid.
    pub fn grid(&self, middle: &Middle, lower: &Lower) -> Rows {
        let [a, b, c] = self.frame.top;
        let [d, e, f] = self.middle_rows(middle);
        let [g, h, i] = self.lower_rows(middle, lower);
        [a, b, c, d, e, f, g, h, i]
    }
}

impl Filling {
    /// The split and the orders of the columns, when this is box 2 of a band whose first box has these names.
    fn as_second(&self, names: &Row) -> (usize, usize) {
        let rows = self.rows.map(|row| row.map(|digit| names[usize::from(digit)]));
        (band_classes().split_number(&rows), box_orders(&rows))
    }

    /// The orders of the columns.
    fn orders(&self, names: &Row) -> usize {
        box_orders(&self.rows.map(|row| row.map(|digit| names[usize::from(digit)])))
    }
}

impl Frame {
    /// The number of automorphisms of a grid with this first band, when it is minlex and its chutes are known not to be
    /// below it; 0 when it is not minlex. `symmetries` are those of the first band that have to be tried.
    fn automorphisms(&self, rows: &Rows, symmetries: &[Symmetry]) -> u32 {
        let mut automorphisms = 1;
        for symmetry in symmetries {
            match compare_image(rows, rows, 0, &symmetry.columns, &symmetry.names) {
                Ordering::Less => return 0,
                Ordering::Equal => automorphisms += 1,
                Ordering::Greater => {}
            }
        }
        let mut turned = [[0; 9]; 9];
        (0..81).for_each(|at| turned[at % 9][at / 9] = rows[at / 9][at % 9]);
        for chute in 1..6 {
            let (board, band) = if chute < 3 { (rows, chute) } else { (&turned, chute - 3) };
            let cells: Band = std::array::from_fn(|at| board[3 * band + at / 9][at % 9] + 1);
            let (class, map) = band_classes().form_of(&cells);
            if class != usize::from(self.number) {
                continue;
            }
            for symmetry in &self.class.symmetries {
                let map = map.then(symmetry);
                let first = &board[3 * band + usize::from(map.rows[0])];
                let mut names = [0; 9];
                (0..9).for_each(|at| names[usize::from(first[usize::from(map.columns[at])])] = at as u8);
                match compare_image(rows, board, band, &map.columns, &names) {
                    Ordering::Less => return 0,
                    Ordering::Equal => automorphisms += 1,
                    Ordering::Greater => {}
                }
            }
        }
        automorphisms
    }
}

/// The lower rows of the image of a board, when a band of it becomes the first band of the grid, against those of the grid.
fn compare_image(grid: &Rows, board: &Rows, band: usize, columns: &Row, names: &Row) -> Ordering {
    let first = |row: usize| names[usize::from(board[row][usize::from(columns[0])])];
    let least = grid[3][0];
    let others = [(band + 1) % 3, (band + 2) % 3];
    let fourth = others.iter().flat_map(|other| 3 * other..3 * other + 3).find(|&row| first(row) == least).unwrap_or(0);
    let (middle, lower) = if fourth / 3 == others[0] { (others[0], others[1]) } else { (others[1], others[0]) };
    let compare = |row: usize, with: usize| {
        let image = |at: usize| names[usize::from(board[row][usize::from(columns[at])])];
        (1..9).map(|at| image(at).cmp(&grid[with][at])).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    let order = compare(fourth, 3);
    if order.is_ne() {
        return order;
    }
    // The first cells of the rows are compared too, since they need not be the same below.
    let sorted = |band: usize| {
        let mut rows = [3 * band, 3 * band + 1, 3 * band + 2];
        rows.sort_unstable_by_key(|&row| first(row));
        rows
    };
    let [_, b, c] = sorted(middle);
    let [d, e, f] = sorted(lower);
    [b, c, d, e, f]
        .into_iter()
        .zip(4..)
        .map(|(row, with)| first(row).cmp(&grid[with][0]).then_with(|| compare(row, with)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}
