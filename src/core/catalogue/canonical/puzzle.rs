//! Computes the minlex form of puzzles.
//!
//! The rows of the smallest string are found from the top. All partial maps that give this string are kept. A
//! [`PartialMap`] holds the rows that it has placed, the order of the columns as far as it is known, and the labels of
//! the digits:
//!
//! ```text
//!   columns   [ 4 ] [ 3 5 ]  |  [ 0 1 2 ]  |  [ 7 6 ] [ 8 ]      columns in brackets look the same so far
//! ```
//!
//! For example, the first row may be `. . 7 | . 4 . | 2 . 9`:
//!
//! ```text
//!   in order        . . 7 | . . 4 | . 2 9      blanks first; stacks with fewer givens first
//!   string          0 0 1   0 0 2   0 3 4      each new digit gets the next label
//!   partial maps    4: the first two stacks may be exchanged, and the columns of 2 and 9
//!   brackets        [ 0 1 ] [ 2 ]  |  [ 3 5 ] [ 4 ]  |  [ 7 ] [ 6 ] [ 8 ]      in the first of these maps
//! ```
//!
//! A new row orders the columns in each bracket. Blanks come first and stay together. Then come the digits that have a
//! label, in ascending order. The new digits come last and get the next labels. A partial map splits only if a bracket
//! has several new digits. So the string of a row is known before any split, and most rows are rejected by their
//! string. Rows and chutes without givens, and columns that look the same to the end, are counted, never permuted.

use super::form::Canonical;
use crate::catalogue::orders::ORDERS;

/// A partial map that gives the smallest string so far.
#[derive(Clone, Copy)]
struct PartialMap {
    /// 1 if the board is transposed.
    transposed: usize,
    /// The rows placed so far, from the top.
    rows: [u8; 9],
    /// The same rows as a set.
    placed: u16,
    /// Columns from the left.
    order: [u8; 9],
    /// Bit i: column `order[i]` is known to come after column `order[i - 1]`, or is the first of its stack.
    starts: u16,
    /// The label of each digit, [`NEW`] if it has none yet.
    labels: [u8; 16],
    /// The number of labels assigned.
    last: u8,
    /// The number of maps that this partial map represents.
    weight: u32,
}

/// A row of a board. Rows and labels have 16 places, so that four bits of an index need no check.
type Row = [u8; 16];

/// A new digit; sorts after all assigned labels.
const NEW: u8 = 16;
/// No label is assigned; an empty cell stays empty.
const NO_LABELS: [u8; 16] = [0, NEW, NEW, NEW, NEW, NEW, NEW, NEW, NEW, NEW, 0, 0, 0, 0, 0, 0];

#[inline]
fn sorted([a, b, c]: [u16; 3]) -> [u16; 3] {
    let (a, b) = (a.min(b), a.max(b));
    let (b, c) = (b.min(c), b.max(c));
    [a.min(b), a.max(b), c]
}

/// A place of a row, so that places in ascending order give the smallest string: the number of its bracket, the key of
/// its cell (5 bits: the label, or [`NEW`]), and its column (5 bits).
type PlaceItem = u16;

#[inline(always)]
fn key(item: PlaceItem) -> u16 {
    item >> 5 & 31
}

/// 1 for a new digit: of all keys, only [`NEW`] has bit 4.
#[inline(always)]
fn is_new(item: PlaceItem) -> u16 {
    item >> 9 & 1
}

impl PartialMap {
    #[inline(always)]
    fn item(&self, row: &Row, bracket: u16, place: usize) -> PlaceItem {
        let column = self.order[place];
        let key = self.labels[usize::from(row[usize::from(column & 15)] & 15)];
        bracket << 10 | u16::from(key) << 5 | u16::from(column)
    }
}

/// The three places of a stack as sorted items. Brackets come first in an item, so columns never leave their bracket.
#[inline]
fn stack_items(map: &PartialMap, row: &Row, stack: usize) -> [PlaceItem; 3] {
    let second = map.starts >> (3 * stack + 1) & 1;
    let third = second + (map.starts >> (3 * stack + 2) & 1);
    sorted([map.item(row, 0, 3 * stack), map.item(row, second, 3 * stack + 1), map.item(row, third, 3 * stack + 2)])
}

/// 1 if two items are new digits of the same bracket: they differ only in the column.
#[inline(always)]
fn are_tied(a: PlaceItem, b: PlaceItem) -> u16 {
    is_new(a) & u16::from(a >> 5 == b >> 5)
}

/// The string of a row, nine characters of four bits, the first one highest; `u64::MAX` as soon as it is above the
/// limit. `items` receives the items of the three stacks.
#[inline(always)]
fn string(map: &PartialMap, row: &Row, limit: u64, items: &mut [[PlaceItem; 3]; 3]) -> u64 {
    let mut last = u16::from(map.last);
    let mut word = 0;
    for (stack, items) in items.iter_mut().enumerate() {
        *items = stack_items(map, row, stack);
        for item in items {
            // A new digit gets the next label.
            last += is_new(*item);
            word = word << 4 | u64::from(if is_new(*item) == 1 { last } else { key(*item) });
        }
        // Compares with the beginning of the limit: 3, 6 or 9 characters.
        if word > limit >> (24 - 12 * stack) {
            return u64::MAX;
        }
    }
    word
}

/// Places a row in the last partial map of a list by its items: orders the columns and assigns labels. If a bracket has
/// several new digits, each order of them gives one more partial map.
#[inline]
fn place(list: &mut Vec<PartialMap>, row: &Row, items: &[[PlaceItem; 3]; 3]) {
    let Some(map) = list.last_mut() else { return };
    // Places with a new digit, and those of them that are not the last place of their bracket.
    let (mut new, mut tied) = (0u16, 0u16);
    for (stack, items) in items.iter().enumerate() {
        for (place, &item) in (3 * stack..).zip(items) {
            map.order[place] = (item & 31) as u8;
            map.starts |= u16::from(key(item) != 0) << place;
            new |= is_new(item) << place;
        }
        tied |= (are_tied(items[0], items[1]) | are_tied(items[1], items[2]) << 1) << (3 * stack);
    }
    if tied == 0 {
        while new != 0 {
            label(map, row, new.trailing_zeros() as usize);
            new &= new - 1;
        }
    } else if let Some(map) = list.pop() {
        split(map, row, new, tied, list);
    }
}

/// Assigns labels to the digits in the places `new`, from the left. A place in `tied` may also exchange its column with
/// the places after it, up to the first place that is not tied.
fn split(mut map: PartialMap, row: &Row, mut new: u16, tied: u16, list: &mut Vec<PartialMap>) {
    while new != 0 {
        let place = new.trailing_zeros() as usize;
        let mut last = place;
        while tied >> last & 1 == 1 {
            last += 1;
            let mut swapped = map;
            swapped.order.swap(place, last);
            label(&mut swapped, row, place);
            split(swapped, row, new & (new - 1), tied, list);
        }
        label(&mut map, row, place);
        new &= new - 1;
    }
    list.push(map);
}

/// Assigns the next label to the digit in a place.
#[inline]
fn label(map: &mut PartialMap, row: &Row, place: usize) {
    let digit = usize::from(row[usize::from(map.order[place] & 15)] & 15);
    if map.labels[digit] == NEW {
        map.last += 1;
        map.labels[digit] = map.last;
    }
}

/// A board in one orientation, with its empty rows and boxes.
#[derive(Clone, Copy, Default)]
struct Orientation {
    rows: [Row; 9],
    /// Givens of each row in each stack.
    counts: [[u16; 3]; 9],
    /// Rows without givens.
    blank: u16,
}

impl Orientation {
    /// A board and its transpose.
    fn both(values: &[u8; 81]) -> [Orientation; 2] {
        let mut boards = [Orientation::default(); 2];
        for (cell, value) in values.iter().map(|&value| if value <= 9 { value } else { 0 }).enumerate() {
            for (board, (row, column)) in boards.iter_mut().zip([(cell / 9, cell % 9), (cell % 9, cell / 9)]) {
                board.rows[row][column] = value;
                board.counts[row][column / 3] += u16::from(value != 0);
            }
        }
        for board in &mut boards {
            for (row, counts) in board.counts.iter().enumerate() {
                board.blank |= u16::from(*counts == [0; 3]) << row;
            }
        }
        boards
    }

    /// Calls `each` with the rows that can come next, each with the number of rows that it stands for.
    #[inline]
    fn next_rows(&self, map: &PartialMap, depth: usize, mut each: impl FnMut(usize, u32)) {
        if !depth.is_multiple_of(3) {
            let band = usize::from(map.rows[depth - 1]) / 3;
            return self.rows_of(7 << (3 * band) & !map.placed, 1, &mut each);
        }
        let mut seen_blank = 0;
        for band in 0..3 {
            let rows = 7 << (3 * band);
            if rows & map.placed != 0 {
                continue;
            }
            if rows & self.blank != rows {
                self.rows_of(rows, 1, &mut each);
            } else if seen_blank == 0 {
                // One band without givens stands for all of them.
                seen_blank = (0..3).filter(|band| (self.blank & !map.placed) >> (3 * band) & 7 == 7).count() as u32;
                self.rows_of(rows, seen_blank, &mut each);
            }
        }
    }

    /// Calls `each` with the open rows. All rows without givens are one, which stands for `factor` times their number.
    #[inline]
    fn rows_of(&self, open: u16, factor: u32, each: &mut impl FnMut(usize, u32)) {
        let blank = open & self.blank;
        if blank != 0 {
            each(blank.trailing_zeros() as usize, factor * blank.count_ones());
        }
        let mut rest = open & !self.blank;
        while rest != 0 {
            each(rest.trailing_zeros() as usize, factor);
            rest &= rest - 1;
        }
    }
}

/// The orders of the stacks that put the stacks of a first row into ascending numbers of givens.
#[inline]
fn stack_orders(counts: [u16; 3], blank_stacks: [bool; 3]) -> impl Iterator<Item = [usize; 3]> {
    ORDERS.into_iter().filter(move |stacks| {
        let are_ascending = stacks.is_sorted_by_key(|&stack| counts[stack]);
        // Stacks without givens stay in their order.
        are_ascending && stacks.iter().filter(|&&stack| blank_stacks[stack]).is_sorted()
    })
}

/// Lists the partial maps that give the smallest first row. This is the row with the fewest givens in its emptiest
/// stack; on a tie, in the next stack, then in the last one.
fn first_rows(boards: &[Orientation; 2], list: &mut Vec<PartialMap>) {
    let profiles = boards.each_ref().map(|board| board.counts.map(sorted));
    let smallest = profiles.as_flattened().iter().min().copied().unwrap_or_default();
    for (transposed, board) in boards.iter().enumerate() {
        let blank_stacks = [0, 1, 2].map(|stack| board.counts.iter().all(|counts| counts[stack] == 0));
        let blanks: u32 = blank_stacks.into_iter().map(u32::from).sum();
        let blank = PartialMap {
            transposed,
            rows: [0; 9],
            placed: 0,
            order: [0; 9],
            starts: 0b001_001_001,
            labels: NO_LABELS,
            last: 0,
            weight: (1..=blanks).product::<u32>(),
        };
        board.next_rows(&blank, 0, |row, factor| {
            if profiles[transposed][row] != smallest {
                return;
            }
            let mut items = [[0; 3]; 3];
            for stacks in stack_orders(board.counts[row], blank_stacks) {
                let mut start =
                    PartialMap { rows: [row as u8; 9], placed: 1 << row, weight: blank.weight * factor, ..blank };
                let order = stacks.map(|stack| [0, 1, 2].map(|i| (3 * stack + i) as u8));
                start.order.copy_from_slice(order.as_flattened());
                string(&start, &board.rows[row], u64::MAX, &mut items);
                list.push(start);
                place(list, &board.rows[row], &items);
            }
        });
    }
}

/// A way to extend a partial map.
struct Extension {
    /// The number of the partial map.
    parent: usize,
    row: usize,
    /// The number of rows that the row stands for.
    factor: u32,
    /// The items of its stacks.
    items: [[PlaceItem; 3]; 3],
}

/// Extends all partial maps by one row. Those with the smallest string are kept, and their rows placed.
fn extend(
    boards: &[Orientation; 2],
    maps: &[PartialMap],
    depth: usize,
    list: &mut Vec<PartialMap>,
    extensions: &mut Vec<Extension>,
) {
    let mut smallest = u64::MAX;
    let mut items = [[0; 3]; 3];
    for (parent, map) in maps.iter().enumerate() {
        let board = &boards[map.transposed];
        board.next_rows(map, depth, |row, factor| {
            let string = string(map, &board.rows[row], smallest, &mut items);
            if string < smallest {
                smallest = string;
                extensions.clear();
            }
            if string == smallest {
                extensions.push(Extension { parent, row, factor, items });
            }
        });
    }
    list.clear();
    for Extension { parent, row, factor, items } in extensions.drain(..) {
        let map = &maps[parent];
        list.push(PartialMap { placed: map.placed | 1 << row, weight: map.weight * factor, ..*map });
        if let Some(next) = list.last_mut() {
            next.rows[depth] = row as u8;
        }
        place(list, &boards[map.transposed].rows[row], &items);
    }
}

/// The number of maps that differ only in columns that look the same in every row.
fn orders_of_equal_columns(starts: u16) -> u32 {
    // Two bits of each stack: does its second column begin a bracket, and its third?
    (0..3).map(|stack| [6, 2, 2, 1][usize::from(starts >> (3 * stack + 1) & 3)]).product()
}

pub(in crate::catalogue) fn canonical(values: &[u8; 81]) -> Canonical {
    let boards = Orientation::both(values);
    // Allocations up to a kilobyte are cheap.
    let (mut maps, mut longer) = (Vec::with_capacity(18), Vec::with_capacity(18));
    let mut extensions = Vec::with_capacity(18);
    first_rows(&boards, &mut maps);
    for depth in 1..9 {
        extend(&boards, &maps, depth, &mut longer, &mut extensions);
        std::mem::swap(&mut maps, &mut longer);
    }
    // Columns that still share a bracket are empty in every row, unless givens contradict each other.
    let map = &maps[0];
    let mut cells = [0; 81];
    for (target, &row) in cells.chunks_exact_mut(9).zip(&map.rows) {
        for (cell, &column) in target.iter_mut().zip(&map.order) {
            *cell = map.labels[usize::from(boards[map.transposed].rows[usize::from(row)][usize::from(column)])];
        }
    }
    Canonical { cells, automorphisms: maps.iter().map(|map| map.weight * orders_of_equal_columns(map.starts)).sum() }
}
