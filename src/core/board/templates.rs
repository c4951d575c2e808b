//! The places of a digit that are in some template, on a board with 3x3 boxes, computed with bits. A *template* is a set
//! of nine cells with one in each row, column and box: the places that a digit can have in a full grid.
//!
//! ```text
//!   . # . | . . . | . . .       in a band a template uses one column of each stack: here 1, 2 and 0.
//!   . . . | . . # | . . .       That is one of 27 triples, in one of 6 orders of the rows.
//!   . . . | . . . | # . .
//! ```
//!
//! The triples of the three bands make up a template when they differ in every stack. The triples that a band allows
//! are a word of 27 bits, one for each triple. A triple is alive if it fits triples of the other bands. A cell is
//! possible if a live triple uses it in some order of the rows. This takes a fraction of a microsecond; a search for
//! templates takes about ten microseconds.

/// All cells.
const BOARD: u128 = (1 << 81) - 1;

/// `[stack][set of columns]`: the triples whose column in the stack, `triple / 3^stack % 3`, is in the set.
const TRIPLES: [[u32; 8]; 3] = {
    let mut triples = [[0; 8]; 3];
    let mut triple = 0;
    while triple < 27 {
        let columns = [triple % 3, triple / 3 % 3, triple / 9];
        let mut stack = 0;
        while stack < 3 {
            let mut set = 0;
            while set < 8 {
                if set >> columns[stack] & 1 != 0 {
                    triples[stack][set] |= 1 << triple;
                }
                set += 1;
            }
            stack += 1;
        }
        triple += 1;
    }
    triples
};

/// For each triple the triples that differ from it in every stack.
const APART: [u32; 27] = {
    let mut apart = [0; 27];
    let mut pair = 0;
    while pair < 27 * 27 {
        let (first, second) = (pair / 27, pair % 27);
        if first % 3 != second % 3 && first / 3 % 3 != second / 3 % 3 && first / 9 != second / 9 {
            apart[first] |= 1 << second;
        }
        pair += 1;
    }
    apart
};

/// For each order, the row of the band in which each stack has its place.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The cells that belong to some template of a digit that may only be in the given cells.
pub(crate) fn possible(cells: u128) -> u128 {
    let bands = [0, 1, 2].map(|band| (cells >> (27 * band)) as u32);
    let triples = bands.map(|band| ORDERS.map(|order| of_order(band, order)));
    let alive = alive(triples.map(|orders| orders.iter().fold(0, |union, order| union | order)));
    let mut possible = 0;
    for band in 0..3 {
        // [row][stack]: the live triples with an order in which they use the row in the stack.
        let (mut used, mut cells) = ([[0; 3]; 3], 0);
        for (order, triples) in ORDERS.iter().zip(triples[band]) {
            order.iter().enumerate().for_each(|(stack, &row)| used[row][stack] |= triples & alive[band]);
        }
        for (crossing, triples) in used.into_iter().flatten().enumerate() {
            for column in 0..3 {
                cells |= u32::from(triples & TRIPLES[crossing % 3][1 << column] != 0) << (3 * crossing + column);
            }
        }
        possible |= u128::from(cells) << (27 * band);
    }
    possible & BOARD
}

/// The triples that a band allows in one order of its rows.
fn of_order(band: u32, order: [usize; 3]) -> u32 {
    let columns = |stack: usize| (band >> (9 * order[stack] + 3 * stack) & 7) as usize;
    TRIPLES[0][columns(0)] & TRIPLES[1][columns(1)] & TRIPLES[2][columns(2)]
}

/// The triples of each band that fit triples of the other two. The columns of three triples that differ in every stack
/// add up to 3 in each stack. So two of these triples give the third: the sum of their numbers is 39.
fn alive(allowed: [u32; 3]) -> [u32; 3] {
    // `reverse` gives triple n the bit 39 - n. Moved down by the number of the first triple, bit n says if the third
    // triple that goes with the second triple n is there.
    let reverse = |triples: u64| (triples << 24).reverse_bits();
    let (mut alive, mut left, thirds) = ([0; 3], allowed[0], reverse(allowed[2].into()));
    let mut live_thirds = 0;
    while left != 0 {
        let first = left.trailing_zeros();
        left &= left - 1;
        let seconds = allowed[1] & APART[first as usize] & (thirds >> first) as u32;
        alive[0] |= u32::from(seconds != 0) << first;
        alive[1] |= seconds;
        live_thirds |= u64::from(seconds) << first;
    }
    alive[2] = reverse(live_thirds) as u32;
    alive
}
