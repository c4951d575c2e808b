//! Second solutions on boards of order 9 with houses or moves beyond rows, columns and boxes, and on jigsaws.
//!
//! ```text
//!   rest     in vector instructions, until nothing changes: the rules of plain boards; on jigsaws only those of cells
//!            and rows
//!   settle   rest; then these rules, and all again until nothing changes:
//!              a cell has one candidate                       no cell that sees it has this digit
//!              a digit has one place in another house         the place has no other digit
//!              a digit has two or three places in a house     no cell that sees all of them has this digit
//!   branch   a guess in one of the cells with fewest candidates: if possible, one that may still have the digit of the
//!            known solution; of these, the one in which most guesses failed; the digit of the known solution first
//! ```
//!
//! A set of cells is one word of 128 bits here: the words of a digit side by side. Only houses with a cell that a digit
//! lost since they were last looked at are looked at again.

use super::dispatch;
use super::instructions::Instructions;
use super::rules::words::{CELLS, DigitWords, PackedCandidates, gather, only};
use super::search::SettledState;
use crate::board::kept::Kept;
use crate::board::{Cell, Layout, Narrow, Shape};

/// The bits of a set of cells, and some between them.
const BITS: usize = 96;

/// The words of a digit side by side.
#[inline(always)]
const fn joined([a, b, c, _]: DigitWords) -> u128 {
    a as u128 | (b as u128) << 32 | (c as u128) << 64
}

/// The inverse of [`joined`], with empty padding.
#[inline(always)]
const fn parted(cells: u128) -> DigitWords {
    [cells as u32, (cells >> 32) as u32, (cells >> 64) as u32, 0]
}

/// All cells.
const ALL: u128 = joined([CELLS; 4]);

/// The numbers of the bits of a set.
#[inline(always)]
fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(bit as usize)
    })
}

/// The rules of a board.
#[derive(Debug)]
pub(super) struct Beyond {
    /// True if its boxes are boxes, so that the rules of plain boards hold; false if they are the regions of a jigsaw.
    boxes: bool,
    /// The houses that are looked at: those beyond rows, columns and boxes; all in jigsaws and where cells see each
    /// other by moves.
    houses: Vec<u128>,
    /// For each bit of a set the houses of the cell, as bits.
    houses_of: [u64; BITS],
    /// For each bit of a set the cells that see the cell.
    peers: [u128; BITS],
}

impl Beyond {
    /// The rules of a board of order 9; None for plain boards, for other orders, and for boards of more than 64 houses.
    pub(super) fn of(shape: Shape) -> Option<&'static Beyond> {
        static COMPUTED: Kept<Shape, Beyond> = Kept::new();
        let rules = shape.rules()?;
        // A word has a bit for each house.
        if shape.order() != 9 || rules.extras.len() + 27 > 64 {
            return None;
        }
        Some(COMPUTED.get(shape, || Box::new(Beyond::compute(shape, rules.pairs.is_empty()))))
    }

    /// The rules of a board; `no_moves` if no cells see each other by moves.
    fn compute(shape: Shape, no_moves: bool) -> Beyond {
        let layout = Layout::of(shape);
        let boxes = shape.regions().is_none();
        let first_house = if boxes && no_moves { 27 } else { 0 };
        let houses: Vec<u128> = layout.houses().skip(first_house).map(|house| set(layout.house(house))).collect();
        let mut houses_of = [0; BITS];
        let mut peers = [0; BITS];
        for cell in layout.cells() {
            let cell_set = set(&[cell]);
            let bit = cell_set.trailing_zeros() as usize;
            for (number, house) in houses.iter().enumerate() {
                houses_of[bit] |= u64::from(house & cell_set != 0) << number;
            }
            peers[bit] = set(layout.peers(cell));
        }
        Beyond { boxes, houses, houses_of, peers }
    }
}

/// A list of cells as a set.
fn set(cells: &[Cell]) -> u128 {
    cells.iter().fold(0, |set, cell| set | joined(only(cell.index())))
}

/// A position of the search.
#[derive(Clone, Copy, Debug)]
struct VariantPosition {
    places: PackedCandidates,
    /// The cells with one candidate that was removed from their peers.
    done: u128,
    /// The places of each digit when its houses were last looked at.
    looked_at: [u128; 9],
    /// The number of the bit of the cell of the last guess.
    guessed: usize,
}

impl VariantPosition {
    #[inline(always)]
    fn places(&self, digit: usize) -> u128 {
        joined(*self.places.digit(digit)) & ALL
    }

    /// Removes a digit from some cells.
    #[inline(always)]
    fn remove(&mut self, digit: usize, cells: u128) {
        self.places.digit_mut(digit).iter_mut().zip(parted(cells)).for_each(|(word, cells)| *word &= !cells);
    }

    /// Leaves one candidate in a cell.
    fn put(&mut self, digit: usize, cell: u128) {
        (0..9).filter(|&other| other != digit).for_each(|other| self.remove(other, cell));
    }

    /// Applies all rules until nothing changes.
    fn settle(&mut self, beyond: &Beyond, level: Instructions) -> SettledState {
        loop {
            let (state, singles) = dispatch::rest(level, &mut self.places, beyond.boxes);
            if state == SettledState::Dead {
                return state;
            }
            let new_singles = joined(singles) & ALL & !self.done;
            self.done |= new_singles;
            let mut changed = false;
            for digit in 0..9 {
                let before = self.places(digit);
                let mut seen = bits(before & new_singles).fold(0, |seen, cell| seen | beyond.peers[cell]);
                let remaining = before & !seen;
                let lost = self.looked_at[digit] & !remaining;
                self.looked_at[digit] = remaining;
                let houses = bits(lost).fold(0, |houses, cell| houses | u128::from(beyond.houses_of[cell]));
                for house in bits(houses) {
                    let places = remaining & beyond.houses[house];
                    // The places without the first one, and without the first two.
                    let second = places & places.wrapping_sub(1);
                    let third = second & second.wrapping_sub(1);
                    if second == 0 {
                        // At most one place.
                        if places == 0 {
                            return SettledState::Dead;
                        }
                        if places & self.done == 0 {
                            self.put(digit, places);
                            changed = true;
                        }
                    } else if third & third.wrapping_sub(1) == 0 {
                        // Two or three places.
                        seen |= bits(places).fold(ALL, |all, cell| all & beyond.peers[cell]);
                    }
                }
                if seen & before != 0 {
                    self.remove(digit, seen);
                    changed = true;
                }
            }
            if !changed {
                return state;
            }
        }
    }
}

/// Looks for second solutions of one board.
#[derive(Clone, Debug)]
pub(super) struct BeyondSearch {
    beyond: &'static Beyond,
    /// The places of each digit in the known solution.
    solution: [u128; 9],
    stack: Vec<VariantPosition>,
    /// For each bit of a set how often a guess in the cell failed. Later questions use it too.
    failures: [u32; BITS],
}

impl BeyondSearch {
    pub(super) fn new(beyond: &'static Beyond, solution: &PackedCandidates) -> BeyondSearch {
        let solution = std::array::from_fn(|digit| joined(*solution.digit(digit)) & ALL);
        BeyondSearch { beyond, solution, stack: Vec::new(), failures: [0; BITS] }
    }

    /// The cells in which a second solution differs from the known one. `barred` is a digit (from 0) and a cell that
    /// must not hold it.
    pub(super) fn second(
        &mut self,
        level: Instructions,
        givens: DigitWords,
        barred: Option<(usize, usize)>,
    ) -> Option<Narrow> {
        let done = joined(givens);
        let mut position = VariantPosition { places: PackedCandidates::BLANK, done, looked_at: [ALL; 9], guessed: 0 };
        for (digit, places) in self.solution.iter().enumerate() {
            let seen = bits(places & done).fold(0, |seen, cell| seen | self.beyond.peers[cell]);
            position.remove(digit, seen | done & !places);
        }
        if let Some((digit, cell)) = barred {
            position.remove(digit, joined(only(cell)));
        }
        self.stack.clear();
        loop {
            match position.settle(self.beyond, level) {
                SettledState::Open => {
                    self.branch(&mut position, level);
                    continue;
                }
                SettledState::Solved => {
                    let differing = (0..9).fold(0, |all, digit| all | self.solution[digit] ^ position.places(digit));
                    if differing != 0 {
                        return Some(Narrow(gather(parted(differing))));
                    }
                }
                SettledState::Dead => self.failures[position.guessed] += 1,
            }
            position = self.stack.pop()?;
        }
    }

    /// Goes on with a candidate of a cell and pushes the position without it.
    fn branch(&mut self, position: &mut VariantPosition, level: Instructions) {
        let cells = joined(dispatch::narrow_cells(level, &position.places)) & ALL;
        // The cells that may still have the digit of the known solution.
        let agreeing = (0..9).fold(0, |all, digit| all | self.solution[digit] & position.places(digit));
        let cells = if cells & agreeing == 0 { cells } else { cells & agreeing };
        // The first of those with most failures.
        position.guessed = bits(cells).max_by_key(|&bit| (self.failures[bit], BITS - bit)).unwrap_or_default();
        let cell = 1 << position.guessed;
        let digits = (0..9).filter(|&digit| position.places(digit) & cell != 0);
        let digit = digits.min_by_key(|&digit| self.solution[digit] & cell == 0).unwrap_or_default();
        self.stack.push(*position);
        if let Some(without) = self.stack.last_mut() {
            without.remove(digit, cell);
        }
        position.put(digit, cell);
    }
}
