//! Branches at cells: the choice of the cell.
//!
//! The choice of the cell decides how many positions a hard puzzle takes. The search chooses among the cells with two
//! candidates that share a row and a digit with another cell with two candidates. While a search is short, it takes the
//! first of these cells. When a search has become long and the position has few of these cells, it takes the best one:
//! the cell whose digits are candidates of the most peers, where a peer that is another of these cells counts four
//! times. On the hardest known puzzles this more than halves the number of positions, compared with the first cell with
//! two candidates. But it takes as long as a sweep, which does not pay on easy puzzles or with several solutions.

use super::changes::{ONLY, PEERS, candidates, put};
use super::stack::{Stack, Tried};
use super::store;
use crate::solve::nine::rules::lanes::Lanes;
use crate::solve::nine::rules::sweep::{NarrowCells, cells_of_both, clear_peers, fewest, linked, narrowest};
use crate::solve::nine::rules::words::{DigitWords, NO_CELLS, PackedCandidates, cell_at, gather};

/// After this number of guesses, cells are compared. Values from 8 to 24 were measured to be equally good.
const GUESSES_BEFORE_COMPARING: u32 = 12;

/// No more cells than this are compared. Values from 6 to 14 were measured to be equally good.
const MOST_COMPARED: u32 = 8;

/// The search branches in three cells at once only if at least this number of cells have equally few candidates. Hard
/// puzzles have fewer of them.
const MANY_CELLS: u32 = 9;

/// In the search for a second solution, the number of digits of the known solution that are placed before the next
/// sweep. These digits are consistent with each other, and most of them are in the second solution too. Three digits
/// are a quarter faster than one; more digits gain nothing.
const NEAR_AT_ONCE: u32 = 3;

/// A cell to branch at, and its candidates: digits from 0, as bits.
#[derive(Clone, Copy)]
struct BranchCell {
    cell: usize,
    digits: u32,
}

/// The first cell of a set.
#[inline(always)]
pub(in crate::solve::nine) fn first_of(words: &DigitWords) -> Option<usize> {
    let filled = u32::from(words[0] != 0) | u32::from(words[1] != 0) << 1 | u32::from(words[2] != 0) << 2;
    if filled == 0 {
        return None;
    }
    let lane = filled.trailing_zeros() as usize;
    Some(cell_at(lane, words[lane].trailing_zeros()))
}

/// The four words of a digit as two words of 64 bits.
#[inline(always)]
fn halves([a, b, c, padding]: &DigitWords) -> [u64; 2] {
    [u64::from(*a) | u64::from(*b) << 32, u64::from(*c) | u64::from(*padding) << 32]
}

/// Of some cells with equally few candidates, the one to branch at; None if there is no cell.
#[inline(always)]
fn choose<L: Lanes>(words: &[L; 3], cells: &DigitWords, guesses: u32) -> Option<BranchCell> {
    let first = first_of(cells)?;
    let digits = candidates(words, first);
    let count: u32 = cells.iter().map(|word| word.count_ones()).sum();
    if guesses <= GUESSES_BEFORE_COMPARING || count == 1 || count > MOST_COMPARED || digits.count_ones() > 2 {
        return Some(BranchCell { cell: first, digits });
    }
    let mut position = PackedCandidates::BLANK;
    store(*words, &mut position);
    let open = halves(cells);
    // The cell stands in the lowest 7 bits, so ties go to the last cell.
    let mut best = 0;
    for (lane, &word) in cells.iter().enumerate().take(3) {
        let mut rest = word;
        while rest != 0 {
            let cell = cell_at(lane, rest.trailing_zeros());
            rest &= rest - 1;
            best = best.max((binding(&position, open, cell, candidates(words, cell)) as usize) << 7 | cell);
        }
    }
    let cell = best & 0x7f;
    Some(BranchCell { cell, digits: candidates(words, cell) })
}

/// The number of peers with a digit of this cell, added up over its two digits. Peers in `open` count four times.
#[inline(always)]
fn binding(position: &PackedCandidates, open: [u64; 2], cell: usize, digits: u32) -> u32 {
    let peers = halves(&PEERS[cell]);
    let mut bound_peers = 0;
    for digit in [digits.trailing_zeros(), 31 - digits.leading_zeros()] {
        let places = halves(position.digit(digit as usize));
        let [low, high] = [places[0] & peers[0], places[1] & peers[1]];
        let pairs = (low & open[0]).count_ones() + (high & open[1]).count_ones();
        bound_peers += low.count_ones() + high.count_ones() + 3 * pairs;
    }
    bound_peers
}

/// Goes on with a digit in a cell and leaves the other candidates of the cell on the stack.
#[inline(always)]
fn split<L: Lanes>(words: &mut [L; 3], stack: &mut Stack, branch: BranchCell, digit: usize) {
    stack.push(words, NO_CELLS, Some(Tried { cell: branch.cell, digits: branch.digits, digit }));
    put(words, digit, branch.cell);
}

/// Branches at up to `most` cells with equally few candidates that do not see each other; `most` becomes two if there are
/// few such cells. False if there is no cell to branch at.
#[inline(always)]
pub(super) fn guess<L: Lanes>(words: &mut [L; 3], stack: &mut Stack, guesses: u32, most: &mut u32) -> bool {
    let NarrowCells { cells: narrow, are_pairs } = narrowest(words);
    let mut cells = narrow.group();
    if *most > 2 && cells.iter().map(|word| word.count_ones()).sum::<u32>() < MANY_CELLS {
        *most = 2;
    }
    if are_pairs && *most <= 2 {
        cells = linked(words, narrow).group();
    }
    let Some(mut branch) = choose(words, &cells, guesses) else { return false };
    let mut left = *most;
    loop {
        split(words, stack, branch, branch.digits.trailing_zeros() as usize);
        left -= 1;
        if left == 0 {
            return true;
        }
        for (lane, word) in cells.iter_mut().enumerate() {
            *word &= !(PEERS[branch.cell][lane] | ONLY[branch.cell][lane]);
        }
        let Some(cell) = first_of(&cells) else { return true };
        branch = BranchCell { cell, digits: candidates(words, cell) };
    }
}

/// Branches at up to [`NEAR_AT_ONCE`] cells in a row, with the known solution's digits where they are candidates. False
/// if there is no cell to branch at.
#[inline(always)]
pub(super) fn guess_near<L: Lanes>(words: &mut [L; 3], stack: &mut Stack, solution: &[u8; 81]) -> bool {
    let mut cells = gather(fewest(words).group());
    let mut guesses = 0;
    while cells != 0 && guesses < NEAR_AT_ONCE {
        let cell = cells.trailing_zeros() as usize;
        cells &= cells - 1;
        let digits = candidates(words, cell);
        let known_digit = digits & 1 << solution[cell];
        // The search must branch somewhere, so the first cell need not have the known solution's digit.
        if guesses == 0 || (known_digit != 0 && digits != known_digit) {
            let digit = if known_digit != 0 { known_digit } else { digits }.trailing_zeros();
            split(words, stack, BranchCell { cell, digits }, digit as usize);
            guesses += 1;
        }
    }
    guesses > 0
}

/// Branches at up to three cells at once: in each band at the first of the cells with fewest candidates that may have
/// the known solution's digit. False if there is none.
#[inline(always)]
pub(super) fn guess_around<L: Lanes>(words: &mut [L; 3], stack: &mut Stack, solution: &[L; 3]) -> bool {
    let cells = fewest(words).and(cells_of_both(words, solution));
    // x & -x is the lowest bit of each word: the first cell of each band.
    let first = cells.and(L::splat(0).minus(cells));
    if first.same(L::splat(0)) {
        return false;
    }
    stack.push(words, first.group(), None);
    for (word, digits) in words.iter_mut().zip(solution) {
        *word = word.without(first.without(*digits));
    }
    clear_peers(words, [solution[0].and(first), solution[1].and(first), solution[2].and(first)]);
    true
}
