//! Puzzles.
//!
//! The rows of the smallest string are found from the top, all ways that tie kept side by side. A way knows which rows
//! it has placed, how far the columns are ordered, and which digits have a label:
//!
//! ```text
//!   columns   [ 4 ] [ 3 5 ]  |  [ 0 1 2 ]  |  [ 7 6 ] [ 8 ]      columns in brackets look the same so far
//! ```
//!
//! A new row orders the columns in each bracket: blanks first (they stay together), then digits with a label, the smallest first, then
//! new digits, which get the next labels; only when there are several new ones in a bracket does a way split. So the string of
//! a row is known before any split, and most rows are dropped for their string. Columns that look the same
//! to the end, rows without givens and chutes without givens are never permuted, but counted.

use super::{Canonical, both_ways};

/// A way to the smallest string so far.
#[derive(Clone, Copy)]
struct Way {
    /// 1 when the board is transposed.
    way: usize,
    /// Rows placed so far, from the top.
    rows: [u8; 9],
    /// The same as a set.
    placed: u16,
    /// Columns from the left.
    order: [u8; 9],
    /// Bit i: column `order[i]` is known to come after column `order[i - 1]`, or is the first of its stack.
    starts: u16,
    /// Label of each digit, 0 for none yet.
    labels: [u8; 10],
    /// Number of labels given.
    last: u8,
    /// Maps that this way stands for.
    weight: u32,
}

/// Sorts before all labels that are given: a new digit.
const NEW: u8 = 16;

/// Sorting key of a value: blanks, labels, new digits.
#[inline]
fn key(way: &Way, value: u8) -> u8 {
    match (value, way.labels[usize::from(value)]) {
        (0, _) => 0,
        (_, 0) => NEW,
        (_, label) => label,
    }
}

/// Ends of the bracket that begins at a place.
#[inline]
fn bracket_end(starts: u16, begin: usize) -> usize {
    begin + 1 + ((starts >> (begin + 1) | 1 << (8 - begin)).trailing_zeros() as usize)
}

/// The string of a row, nine characters of four bits, the first one highest.
fn string(way: &Way, row: &[u8; 9]) -> u64 {
    let mut keys = way.order.map(|column| key(way, row[usize::from(column)]));
    let mut begin = 0;
    while begin < 9 {
        let end = bracket_end(way.starts, begin);
        match end - begin {
            1 => {}
            2 => sort_two(&mut keys, begin),
            _ => {
                sort_two(&mut keys, begin);
                sort_two(&mut keys, begin + 1);
                sort_two(&mut keys, begin);
            }
        }
        begin = end;
    }
    let mut last = u64::from(way.last);
    let mut word = 0;
    for key in keys {
        let new = u64::from(key == NEW);
        last += new;
        word = word << 4 | if key == NEW { last } else { u64::from(key) };
    }
    word
}

#[inline]
fn sort_two(keys: &mut [u8; 9], at: usize) {
    let (one, two) = (keys[at], keys[at + 1]);
    keys[at] = one.min(two);
    keys[at + 1] = one.max(two);
}

/// Places a row: orders the columns and gives labels, from `begin` on. A way that splits is put on the list several times.
fn place(mut way: Way, row: &[u8; 9], mut begin: usize, list: &mut Vec<Way>) {
    while begin < 9 {
        let end = bracket_end(way.starts, begin);
        let columns = &mut way.order[begin..end];
        let labels = &way.labels;
        let key = |column: u8| match (row[usize::from(column)], labels[usize::from(row[usize::from(column)])]) {
            (0, _) => 0,
            (_, 0) => NEW,
            (_, label) => label,
        };
        if columns.len() > 1 {
            columns.sort_by_key(|&column| key(column));
        }
        let blanks = columns.iter().filter(|&&column| key(column) == 0).count();
        let new = columns.iter().filter(|&&column| key(column) == NEW).count();
        (begin + blanks.max(1)..end).for_each(|at| way.starts |= 1 << at);
        if new > 0 {
            split(way, row, (end - new, end), list);
            return;
        }
        begin = end;
    }
    list.push(way);
}

/// Gives labels to the new digits in columns `from..end` in every order, and goes on behind them.
fn split(way: Way, row: &[u8; 9], (from, end): (usize, usize), list: &mut Vec<Way>) {
    if from == end {
        return place(way, row, end, list);
    }
    for choice in from..end {
        let mut next = way;
        next.order.swap(from, choice);
        let digit = usize::from(row[usize::from(next.order[from])]);
        if next.labels[digit] == 0 {
            next.last += 1;
            next.labels[digit] = next.last;
        }
        split(next, row, (from + 1, end), list);
    }
}

/// A board one way round, with what is blank in it.
struct Board {
    rows: [[u8; 9]; 9],
    /// Rows without givens.
    blank: u16,
    /// Givens of each row in each stack.
    counts: [[u8; 3]; 9],
}

impl Board {
    fn new(rows: [[u8; 9]; 9]) -> Board {
        let given = |cells: &[u8]| cells.iter().filter(|&&cell| cell != 0).count() as u8;
        let counts = rows.map(|row| [given(&row[..3]), given(&row[3..6]), given(&row[6..])]);
        let blank = (0..9).filter(|&row| counts[row] == [0; 3]).fold(0, |set, row| set | 1 << row);
        Board { rows, blank, counts }
    }

    fn blank_band(&self, band: usize) -> bool {
        self.blank >> (3 * band) & 7 == 7
    }

    /// The rows that can come next, each with the number of rows that it stands for.
    fn next_rows(&self, placed: u16, depth: usize, mut each: impl FnMut(usize, u32)) {
        let bands = (0..3).filter(|&band| match (placed >> (3 * band) & 7).count_ones() {
            0 => depth.is_multiple_of(3),
            3 => false,
            _ => !depth.is_multiple_of(3),
        });
        let mut seen_blank_band = false;
        let blank_bands = (0..3).filter(|&band| self.blank_band(band) && placed >> (3 * band) & 7 == 0).count() as u32;
        for band in bands {
            let mut factor = 1;
            if depth.is_multiple_of(3) && self.blank_band(band) {
                if seen_blank_band {
                    continue;
                }
                seen_blank_band = true;
                factor = blank_bands;
            }
            let open = 7 << (3 * band) & !placed;
            let blanks = (open & self.blank).count_ones();
            if blanks > 0 {
                each((open & self.blank).trailing_zeros() as usize, factor * blanks);
            }
            let mut rest = open & !self.blank;
            while rest != 0 {
                each(rest.trailing_zeros() as usize, 1);
                rest &= rest - 1;
            }
        }
    }
}

/// The ways in which the stacks can be ordered so that a first row has its stacks in ascending numbers of givens.
fn stack_orders(counts: [u8; 3], blank_stacks: [bool; 3]) -> impl Iterator<Item = [usize; 3]> {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    ORDERS.into_iter().filter(move |&[a, b, c]| {
        let sorted = counts[a] <= counts[b] && counts[b] <= counts[c];
        // Stacks without givens stay in their order.
        let fixed = |x: usize, y: usize| !(blank_stacks[x] && blank_stacks[y] && x > y);
        sorted && fixed(a, b) && fixed(b, c) && fixed(a, c)
    })
}

/// The ways to the smallest first row.
fn first_rows(boards: &[Board; 2]) -> Vec<Way> {
    let sorted = |mut counts: [u8; 3]| {
        counts.sort_unstable();
        counts
    };
    let all = || boards.iter().flat_map(|board| board.counts);
    let smallest = all().map(sorted).min().unwrap_or([0; 3]);
    let mut list = Vec::with_capacity(64);
    for (way, board) in boards.iter().enumerate() {
        let blank_stacks = [0, 1, 2].map(|stack| board.counts.iter().all(|counts| counts[stack] == 0));
        let blanks: u32 = blank_stacks.into_iter().map(u32::from).sum();
        let weight = (1..=blanks).product::<u32>();
        board.next_rows(0, 0, |row, factor| {
            if sorted(board.counts[row]) != smallest {
                return;
            }
            for stacks in stack_orders(board.counts[row], blank_stacks) {
                let mut order = [0; 9];
                order.iter_mut().enumerate().for_each(|(at, column)| *column = (3 * stacks[at / 3] + at % 3) as u8);
                let start = Way {
                    way,
                    rows: [row as u8; 9],
                    placed: 1 << row,
                    order,
                    starts: 0b001_001_001,
                    labels: [0; 10],
                    last: 0,
                    weight: weight * factor,
                };
                place(start, &board.rows[row], 0, &mut list);
            }
        });
    }
    list
}

/// All ways with one more row, those with the smallest string.
fn extend(boards: &[Board; 2], ways: &[Way], depth: usize) -> (u64, Vec<Way>) {
    let mut smallest = u64::MAX;
    let mut list = Vec::with_capacity(ways.len() + 8);
    for way in ways {
        let board = &boards[way.way];
        board.next_rows(way.placed, depth, |row, factor| {
            let string = string(way, &board.rows[row]);
            if string < smallest {
                smallest = string;
                list.clear();
            }
            if string == smallest {
                let mut next = *way;
                next.rows[depth] = row as u8;
                next.placed |= 1 << row;
                next.weight *= factor;
                place(next, &board.rows[row], 0, &mut list);
            }
        });
    }
    (smallest, list)
}

/// Maps that differ only in columns that look the same in every row.
fn alike(starts: u16) -> u32 {
    let mut maps = 1;
    let mut begin = 0;
    while begin < 9 {
        let end = bracket_end(starts, begin);
        maps *= (1..=(end - begin) as u32).product::<u32>();
        begin = end;
    }
    maps
}

/// The canonical form of a puzzle.
pub(super) fn canonical(values: &[u8; 81]) -> Canonical {
    let boards = both_ways(values).map(Board::new);
    let mut ways = first_rows(&boards);
    for depth in 1..9 {
        ways = extend(&boards, &ways, depth).1;
    }
    // Columns in a bracket are blank in every row, except where givens contradict each other.
    let way = &ways[0];
    let mut cells = [0; 81];
    for (target, &row) in cells.chunks_exact_mut(9).zip(&way.rows) {
        for (cell, &column) in target.iter_mut().zip(&way.order) {
            *cell = way.labels[usize::from(boards[way.way].rows[usize::from(row)][usize::from(column)])];
        }
    }
    Canonical { cells, automorphisms: ways.iter().map(|way| way.weight * alike(way.starts)).sum() }
}
