//! Basic fish: X-Wing (size 2), Swordfish (3), Jellyfish (4).
//!
//! ```text
//!            c3      c8
//!   r2  . . [x] . . . . [x] .      base rows 2 and 6: the digit is possible only in columns 3 and 8
//!            -            -        cover columns 3 and 8: removed from all other rows
//!   r6  . . [x] . . . . [x] .
//! ```
//!
//! All places of a digit on k parallel lines (the base) lie on k crossing lines (the cover). Each base line has the
//! digit once. So each cover line has it on a base line, and it is removed from the rest of the cover lines. A base
//! line with fewer than two places is a single and takes no part.
//!
//! Reference: Sudopedia, "Fish"; "X-Wing", "Swordfish", "Jellyfish". On a 9x9 board a larger fish comes with a smaller
//! one that removes the same candidates. Larger fish are not searched on larger boards either.

use crate::board::{Candidates, CellSet, Digit, Digits, House, HouseKind, Shape};

use super::sink::{Pattern, Sink};
use super::template_places::digits_worth_searching;

/// A set of parallel lines: bit i stands for line i.
type Lines = u64;

/// Every basic fish of a size, with rows and with columns as base.
pub fn basic_fish<S: CellSet>(marks: &Candidates<S>, size: usize, sink: &mut impl Sink<S>) {
    for digit in digits_worth_searching(marks) {
        for kinds in [(HouseKind::Row, HouseKind::Column), (HouseKind::Column, HouseKind::Row)] {
            search(marks, digit, kinds, size, sink);
        }
    }
}

fn search<S: CellSet>(
    marks: &Candidates<S>,
    digit: Digit,
    (base, cover): (HouseKind, HouseKind),
    size: usize,
    sink: &mut impl Sink<S>,
) {
    let mut pool = [(0, 0); Shape::MAX_SOLVABLE_ORDER];
    let mut count = 0;
    for number in 0..marks.order() {
        let line = House::of(marks.shape(), base, number);
        if (2..=size).contains(&marks.places(digit, line)) {
            pool[count] = (1 << number, crossing(marks, digit, line, cover));
            count += 1;
        }
    }
    if count >= size {
        grow(&pool[..count], size, size, (0, 0), &mut |(bases, covers)| {
            offer(marks, digit, (base, bases), (cover, covers), sink);
        });
    }
}

/// The crossing lines that hold the places of a digit on a line.
fn crossing<S: CellSet>(marks: &Candidates<S>, digit: Digit, line: House, cover: HouseKind) -> Lines {
    let shape = marks.shape();
    let number = |house: House| house.number(shape);
    (marks.of_digit(digit) & marks.house(line))
        .cells()
        .fold(0, |lines, cell| lines | 1 << number(marks.sets().layout().houses_of(cell)[cover as usize]))
}

fn grow(
    pool: &[(Lines, Lines)],
    size: usize,
    left: usize,
    fish: (Lines, Lines),
    found: &mut impl FnMut((Lines, Lines)),
) {
    if left == 0 {
        found(fish);
        return;
    }
    for (at, &(base, covers)) in pool.iter().enumerate() {
        let union = fish.1 | covers;
        if pool.len() - at >= left && union.count_ones() as usize <= size {
            grow(&pool[at + 1..], size, left - 1, (fish.0 | base, union), found);
        }
    }
}

fn offer<S: CellSet>(
    marks: &Candidates<S>,
    digit: Digit,
    base: (HouseKind, Lines),
    cover: (HouseKind, Lines),
    sink: &mut impl Sink<S>,
) {
    let area = |lines| houses(marks.shape(), lines).fold(S::empty(), |area, house| area | marks.house(house));
    let (base_area, cover_area) = (area(base), area(cover));
    let out = (marks.of_digit(digit) & cover_area) - base_area;
    if !out.is_empty() {
        sink.eliminate(&[(digit, out)], || Pattern {
            digits: Digits::only(digit),
            cells: (marks.of_digit(digit) & base_area).cells().collect(),
            base: houses(marks.shape(), base).collect(),
            cover: houses(marks.shape(), cover).collect(),
            links: 0,
        });
    }
}

/// The houses of a set of lines.
fn houses(shape: Shape, (kind, lines): (HouseKind, Lines)) -> impl Iterator<Item = House> {
    Digits(lines).iter().map(move |line| House::of(shape, kind, line.index()))
}
