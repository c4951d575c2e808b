//! The minlex form of full grids.
//!
//! The first row of a minlex grid is always 123456789. The second row begins with 456 (a pure pair of rows) or with 457
//! (a mixed pair):
//!
//! ```text
//!   pure   a b c | d e f | g h i     mixed   a b c | d e f | g h i     Mixed: each box takes two digits from one box
//!          d e f | g h i | a b c             d e g | h i a | b c f     of the row above and one digit from another.
//! ```
//!
//! So of the 1,296 orders of the columns, at most 18 (pure) or 6 (mixed) are left for each of the 36 ordered pairs of
//! rows in a band or stack. Most are rejected at the fourth cell of the second row. The others are compared by the
//! third row. The few that are still equal are compared by the remaining rows, where bands and rows are sorted by their
//! first cell.

use super::{Canonical, ORDERS, both_ways};

/// A choice of the two top rows and an order of the columns.
#[derive(Clone, Copy)]
struct TopRows {
    /// 1 if the board is transposed.
    transposed: usize,
    /// First and second row.
    top: [usize; 2],
    /// Columns from the left.
    order: [u8; 9],
    /// The inverse: place of each column.
    place: [u8; 9],
}

fn columns_of(row: &[u8; 9]) -> [u8; 10] {
    let mut columns = [0; 10];
    for (column, &digit) in row.iter().enumerate() {
        columns[usize::from(digit)] = column as u8;
    }
    columns
}

/// The choices so far that give the smallest second row.
struct Best {
    second: u64,
    frames: Vec<TopRows>,
}

impl Best {
    fn offer(&mut self, transposed: usize, top: [usize; 2], order: [u8; 9], above: &[u8; 9]) {
        let mut place = [0; 9];
        for (at, &column) in order.iter().enumerate() {
            place[usize::from(column)] = at as u8;
        }
        let mut second = 0;
        for &column in &order {
            second = second << 4 | u64::from(place[usize::from(above[usize::from(column)])]);
        }
        if second < self.second {
            self.second = second;
            self.frames.clear();
        }
        if second == self.second {
            self.frames.push(TopRows { transposed, top, order, place });
        }
    }
}

/// The third column of a stack, if two are given.
fn third(stack: u8, one: u8, two: u8) -> u8 {
    9 * stack + 3 - one - two
}

/// Offers the orders of the columns for one pair of rows, from each of the three stacks. `above[c]` is the column
/// in which the first row has the digit that the second row has in column c.
fn offer_pair(best: &mut Best, transposed: usize, top: [usize; 2], above: &[u8; 9]) {
    for stack in 0..3u8 {
        let columns = [0, 1, 2].map(|i| 3 * stack + i);
        let targets = columns.map(|column| above[usize::from(column)] / 3);
        if targets[0] == targets[1] && targets[1] == targets[2] {
            offer_pure(best, transposed, top, above, columns);
        } else {
            let odd = if targets[0] == targets[1] { 2 } else { usize::from(targets[0] == targets[2]) };
            let pair = [columns[(odd + 1) % 3], columns[(odd + 2) % 3]];
            offer_mixed(best, transposed, top, above, (pair, columns[odd]));
        }
    }
}

fn offer_pure(best: &mut Best, transposed: usize, top: [usize; 2], above: &[u8; 9], columns: [u8; 3]) {
    let up = |column: u8| above[usize::from(column)];
    for order in ORDERS {
        let [a, b, c] = order.map(|i| columns[i]);
        let [d, e, f] = [up(a), up(b), up(c)];
        best.offer(transposed, top, [a, b, c, d, e, f, up(d), up(e), up(f)], above);
    }
}

fn offer_mixed(best: &mut Best, transposed: usize, top: [usize; 2], above: &[u8; 9], (pair, odd): ([u8; 2], u8)) {
    if best.second >> 24 < 0x346 {
        return; // A pure pair is known, and 456 comes before 457.
    }
    let up = |column: u8| above[usize::from(column)];
    for [a, b] in [pair, [pair[1], pair[0]]] {
        let d = up(a);
        let above_d = up(d);
        // In most cases the fourth cell of the second row is enough to reject the order.
        let fourth = [a, b, odd].iter().position(|&column| column == above_d).unwrap_or(7) as u64;
        if fourth > best.second >> 20 & 15 && best.second >> 24 == 0x346 {
            continue;
        }
        let (e, last) = (up(b), up(odd));
        let f = third(d / 3, d, e);
        // The second box takes one digit from the first box above and two from the third: they are 8 and 9 in this order.
        let [h, i] = if fourth == 7 { [above_d, third(last / 3, last, above_d)] } else { [up(e), up(f)] };
        best.offer(transposed, top, [a, b, odd, d, e, f, last, h, i], above);
    }
}

/// A choice of the top rows, and the labels that it gives the digits.
struct Labelled<'a> {
    rows: &'a [[u8; 9]; 9],
    frame: &'a TopRows,
    labels: [u8; 10],
}

impl Labelled<'_> {
    fn new<'a>(boards: &'a [[[u8; 9]; 9]; 2], frame: &'a TopRows) -> Labelled<'a> {
        let rows = &boards[frame.transposed];
        let mut labels = [0; 10];
        for (column, &digit) in rows[frame.top[0]].iter().enumerate() {
            labels[usize::from(digit)] = frame.place[column] + 1;
        }
        Labelled { rows, frame, labels }
    }

    fn cell(&self, row: usize, at: usize) -> u8 {
        self.labels[usize::from(self.rows[row][usize::from(self.frame.order[at])])]
    }

    /// Nine labels, the first one highest.
    fn row(&self, row: usize) -> u64 {
        (0..9).fold(0, |word, at| word << 4 | u64::from(self.cell(row, at)))
    }

    /// The row of the top band that is neither first nor second.
    fn third_row(&self) -> usize {
        let [first, second] = self.frame.top;
        first / 3 * 9 + 3 - first - second
    }

    /// The rows below the top band, from the top.
    fn lower_rows(&self) -> [usize; 6] {
        let band = self.frame.top[0] / 3;
        let sorted = |band: usize| {
            let mut rows = [3 * band, 3 * band + 1, 3 * band + 2];
            rows.sort_unstable_by_key(|&row| self.cell(row, 0));
            rows
        };
        let [one, two] = [sorted((band + 1) % 3), sorted((band + 2) % 3)];
        let swap = self.cell(two[0], 0) < self.cell(one[0], 0);
        let ([a, b, c], [d, e, f]) = if swap { (two, one) } else { (one, two) };
        [a, b, c, d, e, f]
    }
}

fn keep_smallest<T>(items: Vec<T>, key: impl Fn(&T) -> u64) -> Vec<T> {
    let mut smallest = u64::MAX;
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        let key = key(&item);
        if key < smallest {
            smallest = key;
            kept.clear();
        }
        if key == smallest {
            kept.push(item);
        }
    }
    kept
}

/// The canonical form of a solution.
pub(super) fn canonical(values: &[u8; 81]) -> Canonical {
    let boards = both_ways(values);
    let mut best = Best { second: u64::MAX, frames: Vec::with_capacity(64) };
    for (transposed, rows) in boards.iter().enumerate() {
        for first in 0..9 {
            let columns = columns_of(&rows[first]);
            for step in 1..3 {
                let second = first / 3 * 3 + (first + step) % 3;
                let above = rows[second].map(|digit| columns[usize::from(digit)]);
                offer_pair(&mut best, transposed, [first, second], &above);
            }
        }
    }
    let frames = best.frames.iter().map(|frame| Labelled::new(&boards, frame)).collect();
    let frames = keep_smallest(frames, |frame: &Labelled| frame.row(frame.third_row()));
    let mut forms: Vec<([usize; 6], Labelled)> = frames.into_iter().map(|frame| (frame.lower_rows(), frame)).collect();
    for at in 0..6 {
        if forms.len() > 1 {
            forms = keep_smallest(forms, |(rows, frame)| frame.row(rows[at]));
        }
    }
    let (lower, frame) = &forms[0];
    let mut cells = [0; 81];
    let top = [frame.frame.top[0], frame.frame.top[1], frame.third_row()];
    for (target, &row) in cells.chunks_exact_mut(9).zip(top.iter().chain(lower)) {
        target.iter_mut().enumerate().for_each(|(at, cell)| *cell = frame.cell(row, at));
    }
    Canonical { cells, automorphisms: forms.len() as u32 }
}
