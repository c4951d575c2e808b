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
//! are a word of 27 bits, one for each triple. A triple is *live* if it fits triples of the other bands. A cell is
//! possible if a live triple uses it in some order of the rows. This takes a fraction of a microsecond; a search for
//! templates takes about ten microseconds.

/// `[stack][set of columns]`: the triples whose column in the stack, `triple / 3^stack % 3`, is in the set.
const TRIPLES: [[u32; 8]; 3] = {
    let mut triples = [[0; 8]; 3];
    let mut entry = 0;
    while entry < 3 * 8 * 27 {
        let (stack, set, triple) = (entry / (8 * 27), entry / 27 % 8, entry % 27);
        let column = [triple % 3, triple / 3 % 3, triple / 9][stack];
        if set >> column & 1 != 0 {
            triples[stack][set] |= 1 << triple;
        }
        entry += 1;
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

/// Six orders of the three rows of a band: for each stack, the row in which the template has its cell.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The cells that belong to some template of a digit that may only be in the given cells.
pub(crate) fn possible(cells: u128) -> u128 {
    let bands = [0, 1, 2].map(|band| (cells >> (27 * band)) as u32);
    let allowed = bands.map(|band| ORDERS.map(|order| allowed_in_order(band, order)));
    let live = live(allowed.map(|by_order| by_order.iter().fold(0, |union, triples| union | triples)));
    let mut possible = 0;
    for band in 0..3 {
        // [row][stack]: the live triples with an order in which they use the row in the stack.
        let (mut used, mut cells_of_band) = ([[0; 3]; 3], 0);
        for (order, triples) in ORDERS.iter().zip(allowed[band]) {
            order.iter().enumerate().for_each(|(stack, &row)| used[row][stack] |= triples & live[band]);
        }
        // A mini-row is the three cells of a row in a stack, with the number 3 * row + stack.
        for (mini_row, triples) in used.into_iter().flatten().enumerate() {
            for column in 0..3 {
                let is_used = triples & TRIPLES[mini_row % 3][1 << column] != 0;
                cells_of_band |= u32::from(is_used) << (3 * mini_row + column);
            }
        }
        possible |= u128::from(cells_of_band) << (27 * band);
    }
    possible
}

/// The triples that a band allows in one order of its rows.
fn allowed_in_order(band: u32, order: [usize; 3]) -> u32 {
    let columns = |stack: usize| (band >> (9 * order[stack] + 3 * stack) & 7) as usize;
    TRIPLES[0][columns(0)] & TRIPLES[1][columns(1)] & TRIPLES[2][columns(2)]
}

/// The triples of each band that fit triples of the other two. The columns of three triples that differ in every stack
/// add up to 3 in each stack. So two of these triples give the third: the sum of their numbers is 39.
fn live(allowed: [u32; 3]) -> [u32; 3] {
    // `reverse` gives triple n the bit 39 - n. The third triple that goes with `first` and a second triple n is
    // 39 - first - n. So it has the bit first + n, and the bit n after a shift by `first`.
    let reverse = |triples: u64| (triples << 24).reverse_bits();
    let thirds = reverse(allowed[2].into());
    let (mut live, mut live_thirds, mut firsts) = ([0; 3], 0, allowed[0]);
    while firsts != 0 {
        let first = firsts.trailing_zeros();
        firsts &= firsts - 1;
        let seconds = allowed[1] & APART[first as usize] & (thirds >> first) as u32;
        live[0] |= u32::from(seconds != 0) << first;
        live[1] |= seconds;
        live_thirds |= u64::from(seconds) << first;
    }
    live[2] = reverse(live_thirds) as u32;
    live
}
