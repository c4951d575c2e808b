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
//! rows in a band or stack. A grid with a pure pair needs no mixed pair. Most orders are rejected at the fourth or the
//! seventh cell of the second row. The others are compared by the third row. The few that are still equal are compared by the
//! remaining rows, where bands and rows are sorted by their first cell.

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

/// Two rows of a band.
struct Pair {
    transposed: usize,
    rows: [usize; 2],
    /// For each column, the column in which the first row has the digit that the second row has here.
    above: [u8; 9],
}

impl Pair {
    /// The three pairs of each band.
    fn all(boards: &[[[u8; 9]; 9]; 2]) -> [Pair; 18] {
        let mut pairs = [const { Pair { transposed: 0, rows: [0; 2], above: [0; 9] } }; 18];
        for (transposed, pairs) in pairs.chunks_exact_mut(9).enumerate() {
            for (band, pairs) in pairs.chunks_exact_mut(3).enumerate() {
                for (pair, rows) in pairs.iter_mut().zip([[0, 1], [0, 2], [1, 2]]) {
                    let rows = rows.map(|row| 3 * band + row);
                    let [first, second] = rows.map(|row| &boards[transposed][row]);
                    let columns = columns_of(first);
                    *pair = Pair { transposed, rows, above: second.map(|digit| columns[usize::from(digit)]) };
                }
            }
        }
        pairs
    }

    fn is_pure(&self) -> bool {
        self.above[0] / 3 == self.above[1] / 3 && self.above[1] / 3 == self.above[2] / 3
    }

    /// Offers the orders of the columns, with either row on top.
    fn offer(&self, best: &mut Best, pure: bool) {
        let mut below = [0; 9];
        for (column, &at) in self.above.iter().enumerate() {
            below[usize::from(at)] = column as u8;
        }
        // A second row that begins with 4571 starts in one of two columns in which the rows have the same two digits.
        let swaps = (0..9).fold(0u16, |all, at| all | u16::from(self.above[at] == below[at]) << at);
        let [one, other] = self.rows;
        for (top, above) in [([one, other], &self.above), ([other, one], &below)] {
            if pure {
                for stack in 0..3 {
                    offer_pure(best, self.transposed, top, above, [0, 1, 2].map(|i| 3 * stack + i));
                }
                continue;
            }
            let mut columns = if best.second >> 20 == SMALLEST_MIXED { swaps } else { 0x1ff };
            while columns != 0 {
                offer_mixed(best, self.transposed, top, above, columns.trailing_zeros() as u8);
                columns &= columns - 1;
            }
        }
    }
}

/// The other columns of the stack of each column.
const OTHERS: [[u8; 2]; 9] = [[1, 2], [2, 0], [0, 1], [4, 5], [5, 3], [3, 4], [7, 8], [8, 6], [6, 7]];

/// The start of the smallest second row of a mixed pair, 4571, as labels from 0.
const SMALLEST_MIXED: u64 = 0x3460;

fn offer_pure(best: &mut Best, transposed: usize, top: [usize; 2], above: &[u8; 9], columns: [u8; 3]) {
    let up = |column: u8| above[usize::from(column)];
    for order in ORDERS {
        let [a, b, c] = order.map(|i| columns[i]);
        let [d, e, f] = [up(a), up(b), up(c)];
        let last = [up(d), up(e), up(f)];
        // The second row begins with 456789, and in most cases the seventh cell is enough to reject the order.
        let seventh = [a, b, c].iter().position(|&column| column == up(last[0])).unwrap_or(0);
        if seventh as u64 <= best.second >> 8 & 15 {
            best.offer(transposed, top, [a, b, c, d, e, f, last[0], last[1], last[2]], above);
        }
    }
}

/// Offers the order of the columns of a mixed pair that starts with a column, if there is one.
#[inline]
fn offer_mixed(best: &mut Best, transposed: usize, top: [usize; 2], above: &[u8; 9], a: u8) {
    let up = |column: u8| above[usize::from(column)];
    let d = up(a);
    let [next, after] = OTHERS[usize::from(a)];
    // The second row has 4 and 5 in the first two columns, from one box above, and 7 in the third.
    let [b, odd] = if up(next) / 3 == d / 3 { [next, after] } else { [after, next] };
    if up(b) / 3 != d / 3 {
        return;
    }
    let above_d = up(d);
    let (e, last) = (up(b), up(odd));
    let f = third(d / 3, d, e);
    let label = |column: u8| match column {
        _ if column == a => 0,
        _ if column == b => 1,
        _ if column == odd => 2,
        _ => 7,
    };
    // The second box takes one digit from the first box above and two from the third: they are 8 and 9 in this order.
    let fourth = label(above_d);
    let [h, i] = if fourth == 7 { [above_d, third(last / 3, last, above_d)] } else { [up(e), up(f)] };
    // In most cases the fourth cell of the second row, or the seventh, is enough to reject the order.
    if best.second >> 24 == 0x346 {
        let smallest = best.second >> 20 & 15;
        let seventh = label(up(last)).min(5);
        if fourth > smallest || fourth == smallest && fourth < 7 && seventh > best.second >> 8 & 15 {
            return;
        }
    }
    best.offer(transposed, top, [a, b, odd, d, e, f, last, h, i], above);
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

/// Keeps the items with the smallest key.
fn keep_smallest<T>(items: &mut Vec<T>, key: impl Fn(&T) -> u64) {
    let mut smallest = u64::MAX;
    let mut kept = 0;
    for at in 0..items.len() {
        let key = key(&items[at]);
        if key < smallest {
            smallest = key;
            kept = 0;
        }
        if key == smallest {
            items.swap(kept, at);
            kept += 1;
        }
    }
    items.truncate(kept);
}

/// The canonical form of a solution.
pub(super) fn canonical(values: &[u8; 81]) -> Canonical {
    let boards = both_ways(values);
    let mut best = Best { second: u64::MAX, frames: Vec::with_capacity(64) };
    // 456 comes before 457, so pure pairs come first.
    let pairs = Pair::all(&boards);
    let pure = pairs.iter().any(Pair::is_pure);
    pairs.iter().filter(|pair| pair.is_pure() == pure).for_each(|pair| pair.offer(&mut best, pure));
    keep_smallest(&mut best.frames, |frame| {
        let frame = Labelled::new(&boards, frame);
        frame.row(frame.third_row())
    });
    let forms = best.frames.iter().map(|frame| Labelled::new(&boards, frame));
    let mut forms: Vec<([usize; 6], Labelled)> = forms.map(|frame| (frame.lower_rows(), frame)).collect();
    for at in 0..6 {
        if forms.len() > 1 {
            keep_smallest(&mut forms, |(rows, frame)| frame.row(rows[at]));
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
