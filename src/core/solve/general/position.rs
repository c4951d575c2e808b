//! Defines a position of the search: the candidates in four redundant views, and the rules that reduce them. Used by
//! every search of this folder.
//!
//! ```text
//!   domains: 4 n n words                    the candidate (r, c, d) is one bit in each of four words:
//!   +------------------+ 0
//!   | digits of a cell |  r n + c           bit d
//!   +------------------+ n n
//!   | columns of d     |  n n + r n + d     bit c     "in row r, digit d can stand in these columns"
//!   +------------------+ 2 n n
//!   | rows of d        |  2 n n + c n + d   bit r
//!   +------------------+ 3 n n
//!   | places of d      |  3 n n + b n + d   bit p     the places of box b are numbered row by row
//!   +------------------+ 4 n n                and then the places of d in each further house of the board
//! ```
//!
//! A word with one bit is a single: naked in the first quarter, hidden in the others. A word that becomes empty is a
//! contradiction. Placing a digit sets its four words to 0 and removes the excluded candidates from all other words.
//!
//! `reports/tried.md` says what lost against this: branches on small words, locked candidates at every node, an undo
//! trail.

use super::givens::{Givens, span};
use super::tables::{FurtherRules, Memberships, Tables};
use crate::board::Digits;
pub(super) use crate::board::digit::bits;
use crate::solve::Candidate;

/// Kinds of houses, for [`SearchPosition::lose`].
const ROW: u8 = 0;
const COLUMN: u8 = 1;
const BLOCK: u8 = 2;
const NO_KIND: u8 = 3;
/// No word of a house.
const NO_WORD: usize = usize::MAX;

/// A list of words to which a word is added without a branch.
#[derive(Clone, Debug, Default)]
struct WordList {
    /// One more than the number of words, so that there is always a free place after the last item.
    items: Vec<u16>,
    len: usize,
}

impl WordList {
    /// Empties the list and makes room for a number of words.
    fn clear(&mut self, words: usize) {
        self.items.resize(words + 1, 0);
        self.len = 0;
    }

    /// Becomes equal to another list, without new memory.
    fn copy(&mut self, other: &WordList) {
        self.items.resize(other.items.len(), 0);
        self.items[..other.len].copy_from_slice(&other.items[..other.len]);
        self.len = other.len;
    }

    #[inline(always)]
    fn push_if(&mut self, word: usize, condition: bool) {
        self.items[self.len] = word as u16;
        self.len += usize::from(condition);
    }

    #[inline]
    fn pop(&mut self) -> Option<usize> {
        self.len = self.len.checked_sub(1)?;
        Some(self.items[self.len].into())
    }

    #[inline]
    fn retain(&mut self, mut keep: impl FnMut(u16) -> bool) {
        let mut len = 0;
        for place in 0..self.len {
            let item = self.items[place];
            self.items[len] = item;
            len += usize::from(keep(item));
        }
        self.len = len;
    }
}

/// The candidates in four views. See the drawing above.
#[derive(Clone, Debug, Default)]
pub(in crate::solve) struct SearchPosition {
    /// The words of the drawing.
    pub(super) domains: Vec<u64>,
    /// The number of bits of each word.
    pub(super) sizes: Vec<u8>,
    /// 0 or the digit from 1, cell by cell.
    pub(in crate::solve) values: Vec<u8>,
    /// Cells without a digit.
    pub(in crate::solve) open: usize,
    /// Words that became singles and are not processed yet.
    singles: WordList,
    /// Every word that has two bits, and some that had two bits before.
    pairs: WordList,
    /// The last word that became empty: a contradiction.
    wiped: Option<u16>,
}

impl SearchPosition {
    /// The position of some givens, before any propagation. Like all changes, None at a contradiction.
    pub(in crate::solve) fn start(&mut self, givens: &Givens) -> Option<()> {
        let cells = givens.values.len();
        let words = givens.tables.words;
        self.domains.clear();
        self.domains.resize(words, 0);
        self.values.clone_from(&givens.values);
        self.open = cells - givens.count;
        self.wiped = None;
        self.open_cells(givens);
        match &givens.tables.beyond {
            None => {
                self.open_lines(givens);
                self.open_blocks(givens.tables);
            }
            Some(beyond) => self.open_houses(beyond),
        }
        self.singles.clear(words);
        self.pairs.clear(words);
        self.sizes.clear();
        self.sizes.extend(self.domains.iter().map(|word| word.count_ones() as u8));
        let mut empty = 0;
        for (word, &size) in self.sizes.iter().enumerate() {
            empty += usize::from(size == 0);
            self.singles.push_if(word, size == 1);
            self.pairs.push_if(word, size == 2);
        }
        // Each given empties its own word and one in each of its houses; any other empty word is a contradiction.
        (empty == givens.closed).then_some(())
    }

    /// Computes the candidates of each empty cell.
    fn open_cells(&mut self, givens: &Givens) {
        for (cell, word) in self.domains[..givens.values.len()].iter_mut().enumerate() {
            let is_blank = u64::from(givens.values[cell] == 0);
            // -1 has all bits.
            *word = givens.candidates(cell) & is_blank.wrapping_neg();
        }
    }

    /// Computes the columns for a digit in a row: the free cells whose column and box do not have the digit. The rows
    /// for a digit in a column are computed in the same way.
    fn open_lines(&mut self, givens: &Givens) {
        let (n, shape) = (givens.tables.order, givens.tables.shape);
        // Side 0 are the rows, side 1 the columns. A chute is a band or a stack.
        for (side, chute_size) in [(0, shape.box_rows()), (1, shape.box_columns())] {
            let given = &givens.lines[side * n..][..n];
            for chute in 0..n / chute_size {
                let blocked = givens.across_boxes(side, chute);
                for line in chute * chute_size..(chute + 1) * chute_size {
                    let free = span(0, n) & !givens.filled[side * n + line];
                    let used = givens.digits[side * n + line];
                    let words = &mut self.domains[((1 + side) * n + line) * n..][..n];
                    for (digit, word) in words.iter_mut().enumerate() {
                        // All bits if the row does not have the digit, else none.
                        let is_missing = (used >> digit & 1).wrapping_sub(1);
                        *word = free & is_missing & !given[digit] & !blocked[digit];
                    }
                }
            }
        }
    }

    /// Collects the places of a digit in a box from the rows of the box.
    fn open_blocks(&mut self, tables: &Tables) {
        let (n, shape) = (tables.order, tables.shape);
        let (height, width) = (shape.box_rows(), shape.box_columns());
        let (lines, blocks) = self.domains[n * n..].split_at_mut(2 * n * n);
        for (block, words) in blocks.chunks_exact_mut(n).enumerate() {
            let (top, left) = (block / shape.stacks() * height, block % shape.stacks() * width);
            for inside in 0..height {
                let row = &lines[(top + inside) * n..][..n];
                for (word, &columns) in words.iter_mut().zip(row) {
                    *word |= (columns >> left & span(0, width)) << (inside * width);
                }
            }
        }
    }

    /// Collects the places of each digit in each house from the candidates of the cells.
    fn open_houses(&mut self, beyond: &FurtherRules) {
        let (cells, words) = self.domains.split_at_mut(self.values.len());
        for (&candidates, houses) in cells.iter().zip(&beyond.houses) {
            for house in houses.all() {
                let first = usize::from(house.first_word) - cells.len();
                bits(candidates).for_each(|digit| words[first + digit] |= 1 << house.bit);
            }
        }
    }

    /// Copies another position, which must be fully propagated.
    pub(in crate::solve) fn copy(&mut self, other: &SearchPosition) {
        self.domains.clone_from(&other.domains);
        self.sizes.clone_from(&other.sizes);
        self.values.clone_from(&other.values);
        self.open = other.open;
        self.singles.clear(other.domains.len());
        self.pairs.copy(&other.pairs);
        self.wiped = None;
    }

    /// The candidates of each cell, 0 where a digit is placed.
    #[inline]
    pub(in crate::solve) fn cells(&self) -> &[u64] {
        &self.domains[..self.values.len()]
    }

    /// The words with two bits, in the order in which they reached two.
    #[inline]
    pub(super) fn pairs(&mut self) -> &[u16] {
        let sizes = &self.sizes;
        self.pairs.retain(|word| sizes[usize::from(word)] == 2);
        &self.pairs.items[..self.pairs.len]
    }

    /// Removes a bit from a word that has it.
    #[inline(always)]
    fn strike(&mut self, word: usize, bit: u32) {
        self.domains[word] &= !(1 << bit);
        let size = self.sizes[word] - 1;
        self.sizes[word] = size;
        self.wiped = if size == 0 { Some(word as u16) } else { self.wiped };
        self.singles.push_if(word, size == 1);
        self.pairs.push_if(word, size == 2);
    }

    /// None at a contradiction.
    #[inline]
    fn sound(&self) -> Option<()> {
        self.wiped.is_none().then_some(())
    }

    /// Removes a candidate; digit from 0.
    pub(super) fn remove(&mut self, tables: &Tables, cell: usize, digit: usize) -> Option<()> {
        match &tables.beyond {
            None => self.lose::<false, NO_KIND>(tables, &[], cell, digit, NO_WORD),
            Some(beyond) => self.lose::<true, NO_KIND>(tables, &beyond.houses, cell, digit, NO_WORD),
        }
        self.sound()
    }

    /// Removes all candidates of an empty board but these: a set of digits for each cell.
    pub(super) fn keep(&mut self, tables: &Tables, candidates: &[Digits]) -> Option<()> {
        for (cell, kept) in candidates.iter().enumerate() {
            for digit in Digits::all(tables.order) - *kept {
                self.remove(tables, cell, digit.index())?;
            }
        }
        Some(())
    }

    /// Strikes a candidate from its cell and from the houses of the cell, except the house of a kind (`EXCEPT`: row,
    /// column or box), and except a house beyond these whose word is `except`.
    #[inline(always)]
    fn lose<const BEYOND: bool, const EXCEPT: u8>(
        &mut self,
        tables: &Tables,
        houses: &[Memberships],
        cell: usize,
        digit: usize,
        except: usize,
    ) {
        let spot = tables.spots[cell];
        self.strike(cell, digit as u32);
        if EXCEPT != ROW {
            self.strike(usize::from(spot.row) + digit, spot.row_bit.into());
        }
        if EXCEPT != COLUMN {
            self.strike(usize::from(spot.column) + digit, spot.column_bit.into());
        }
        if EXCEPT != BLOCK {
            self.strike(usize::from(spot.block) + digit, spot.block_bit.into());
        }
        self.lose_extras::<BEYOND>(houses, cell, digit, except);
    }

    /// Strikes a candidate from the houses of its cell beyond row, column and box, except the word `except`.
    #[inline(always)]
    fn lose_extras<const BEYOND: bool>(&mut self, houses: &[Memberships], cell: usize, digit: usize, except: usize) {
        if BEYOND {
            for house in houses[cell].extras() {
                let word = usize::from(house.first_word) + digit;
                if word != except {
                    self.strike(word, house.bit.into());
                }
            }
        }
    }

    /// Empties the word of a placed digit and returns the bits it had.
    #[inline(always)]
    fn close(&mut self, word: usize) -> u64 {
        self.sizes[word] = 0;
        std::mem::take(&mut self.domains[word])
    }

    /// Places a candidate; digit from 0.
    pub(in crate::solve) fn place(&mut self, tables: &Tables, cell: usize, digit: usize) -> Option<()> {
        match &tables.beyond {
            None => self.place_with::<false>(tables, &[], cell, digit),
            Some(beyond) => {
                self.place_with::<true>(tables, &beyond.houses, cell, digit);
                // The cells that see this one by a move.
                for &peer in &beyond.moves[cell] {
                    if self.domains[usize::from(peer)] >> digit & 1 != 0 {
                        self.lose::<true, NO_KIND>(tables, &beyond.houses, peer.into(), digit, NO_WORD);
                    }
                }
            }
        }
        self.values[cell] = digit as u8 + 1;
        self.open -= 1;
        self.sound()
    }

    /// Removes what a digit in a cell excludes in its houses. `BEYOND` boards have further houses.
    #[inline]
    fn place_with<const BEYOND: bool>(&mut self, tables: &Tables, houses: &[Memberships], cell: usize, digit: usize) {
        let spot = tables.spots[cell];
        let (row, column, block) = (usize::from(spot.row), usize::from(spot.column), usize::from(spot.block));
        for other in bits(self.close(cell) & !(1 << digit)) {
            self.strike(row + other, spot.row_bit.into());
            self.strike(column + other, spot.column_bit.into());
            self.strike(block + other, spot.block_bit.into());
            self.lose_extras::<BEYOND>(houses, cell, other, NO_WORD);
        }
        // A place that two of these houses share is removed with the first house, so the second does not visit it.
        for bit in bits(self.close(row + digit) & !(1 << spot.row_bit)) {
            self.lose::<BEYOND, ROW>(tables, houses, tables.cell(row, bit), digit, NO_WORD);
        }
        for bit in bits(self.close(column + digit) & !(1 << spot.column_bit)) {
            self.lose::<BEYOND, COLUMN>(tables, houses, tables.cell(column, bit), digit, NO_WORD);
        }
        for bit in bits(self.close(block + digit) & !(1 << spot.block_bit)) {
            self.lose::<BEYOND, BLOCK>(tables, houses, tables.cell(block, bit), digit, NO_WORD);
        }
        if BEYOND {
            for house in houses[cell].extras() {
                let word = usize::from(house.first_word) + digit;
                for bit in bits(self.close(word) & !(1 << house.bit)) {
                    self.lose::<BEYOND, NO_KIND>(tables, houses, tables.cell(word, bit), digit, word);
                }
            }
        }
    }

    /// Places the single that was found last; `Some(false)` if there is none.
    #[inline]
    fn place_single(&mut self, tables: &Tables) -> Option<bool> {
        let Some(word) = self.singles.pop() else { return Some(false) };
        let bits = self.domains[word];
        // The word may have been closed since it became a single.
        if bits != 0 {
            let Candidate { cell, digit } = tables.candidate(word, bits.trailing_zeros() as usize);
            self.place(tables, cell, digit)?;
        }
        Some(true)
    }

    /// Places naked and hidden singles until there is none.
    pub(in crate::solve) fn settle(&mut self, tables: &Tables) -> Option<()> {
        while self.place_single(tables)? {}
        Some(())
    }

    /// Settles after a change; false at a contradiction, and then the weight of the word that became empty grows.
    pub(super) fn settles(&mut self, tables: &Tables, change: Option<()>, weights: &mut [u32]) -> bool {
        let sound = change.and_then(|()| self.settle(tables)).is_some();
        if !sound && let Some(word) = self.wiped {
            let weight = &mut weights[usize::from(word)];
            *weight = weight.saturating_add(1);
        }
        sound
    }

    /// Like [`SearchPosition::settle`], but ends as soon as a cell has its digit.
    pub(super) fn settle_for(&mut self, tables: &Tables, cell: usize) -> Option<()> {
        while self.values[cell] == 0 && self.place_single(tables)? {}
        Some(())
    }
}
