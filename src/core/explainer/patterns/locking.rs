//! Finds Pointing and Claiming, as eliminations (2.6, 2.8) and as "direct" hints (1.7, 1.9). A block and a line cross,
//! and all places of a digit in one of them lie in the crossing. A block is a box, in the original's words. Used by
//! two [producers](crate::explainer::PRODUCERS).
//!
//! ```text
//!   block -> line (pointing)            line -> block (claiming)
//!   . . .   4 4 .   - - -               4 4 .   . . .   . . .
//!   x x x   x x x   . . .               - - -
//!   x x x   x x x   . . .               - - -
//! ```
//! `x` is a place of the digit, `.` a cell without it, `-` a place that goes; digits are filled cells.
//!
//! Scan order: (block, column), (block, row), (column, block), (row, block). For each pair of crossing houses the
//! digits go upwards. The digit must have two places or more in the first house, all of them in the second. It goes
//! from the rest of the second house.
//!
//! The direct form does not look at what is removed, but whether the removal leaves the digit one place in another
//! house. That house has the type of the first house and crosses the second. The hint places the digit there and
//! does nothing else. Only the first hint of the scan counts. So a direct claiming is taken only when there is no
//! direct pointing, and one in a row only when there is none in a column.

use crate::explainer::found::{FoundHint, Taken, Taker};
use crate::explainer::kind::HintKind;
use crate::explainer::state::State;
use crate::explainer::tables::HouseType::{self, Block, Column, Row};
use crate::explainer::tables::{HOUSE_SET, bits};

/// The types of two houses that cross: a digit is locked in the first, and goes from the rest of the second.
#[derive(Clone, Copy, PartialEq, Eq)]
struct HousePair {
    first: HouseType,
    second: HouseType,
}

const BLOCK_COLUMN: HousePair = HousePair { first: Block, second: Column };
const BLOCK_ROW: HousePair = HousePair { first: Block, second: Row };
const COLUMN_BLOCK: HousePair = HousePair { first: Column, second: Block };
const ROW_BLOCK: HousePair = HousePair { first: Row, second: Block };

impl HousePair {
    /// The second houses that cross first house `number` (0..9): consecutive ones, or every third block of a column.
    fn crossing(self, number: usize) -> [usize; 3] {
        let (start, step) = match self {
            BLOCK_COLUMN => (3 * (number % 3), 1),
            COLUMN_BLOCK => (number / 3, 3),
            _ => (3 * (number / 3), 1),
        };
        [0, 1, 2].map(|nth| self.second.first_house() + start + nth * step)
    }

    fn reversed(self) -> HousePair {
        HousePair { first: self.second, second: self.first }
    }
}

/// Offers every pointing and claiming. In the `direct` form only those that place a digit.
pub(crate) fn locking(state: &State, direct: bool, take: &mut Taker) -> Taken {
    let mut removable = RemovableDigits::default();
    for digit in (0..9).filter(|&digit| state.news.houses[digit] != 0) {
        removable.add(digit, state.cells[digit]);
    }
    for (pair, digits) in [
        (BLOCK_COLUMN, removable.block_column),
        (BLOCK_ROW, removable.block_row),
        (COLUMN_BLOCK, removable.column_block),
        (ROW_BLOCK, removable.row_block),
    ] {
        if digits != 0 {
            between(state, pair, digits, direct, take)?;
        }
    }
    Ok(())
}

// The first cells of the crossings of blocks and rows, of blocks and columns, and of rows. Bit 9 * row + column: a cell.
//
//   LEFT  x..|x..|x..     TOP  xxx|xxx|xxx     COLUMN_1  x..|...|...      LEFT & TOP  x..|x..|x..  first of each block
//         x..|x..|x..          ...|...|...               x..|...|...                  ...|...|...
//         x..|x..|x..          ...|...|...               x..|...|...                  ...|...|...
const LEFT: u128 = 0o111 * COLUMN_1;
const TOP: u128 = 0x1ff * (1 + (1 << 27) + (1 << 54));
// (2^81 - 1) / (2^9 - 1) has every ninth bit.
const COLUMN_1: u128 = ((1 << 81) - 1) / 0x1ff;

/// The digits that can be removed, for each pair of types of houses: what is worth a scan, found for all houses at once.
///
/// A crossing with a place of the digit is marked at its first cell. `by_column` has the crossings of blocks and
/// columns: the three of a block lie 1 apart, the three of a column 27 apart. `by_row` has those of blocks and rows: the
/// three of a block lie 9 apart, the three of a row 3 apart. A crossing is *alone* in the block, or in the line, if the
/// other two there are not marked. If it is alone in one of them only, the other one loses the digit elsewhere.
///
/// ```text
///   places      by_column   alone in its block      alone in its column
///   x . . |     x . . |     x . . |                 . . . |                  top left: pointing, column 1 loses
///   x . . |     . . . |     . . . |                 . . . |                  the place below. Middle: claiming,
///   . . . |     . . . |     . . . |                 . . . |                  block 4 loses the same place.
///   ------+     ------+     ------+                 ------+
///   . x . |     x x . |     . . . |                 . x . |
///   x . . |     . . . |     . . . |                 . . . |
/// ```
#[derive(Default)]
struct RemovableDigits {
    block_column: u16,
    block_row: u16,
    column_block: u16,
    row_block: u16,
}

impl RemovableDigits {
    fn add(&mut self, digit: usize, places: u128) {
        let by_column = (places | places >> 9 | places >> 18) & TOP;
        let alone_in_block_by_column = single_crossings(by_column, 1, LEFT & TOP);
        let alone_in_column = single_crossings(by_column, 27, 0x1ff);
        let by_row = (places | places >> 1 | places >> 2) & LEFT;
        let alone_in_block_by_row = single_crossings(by_row, 9, LEFT & TOP);
        let alone_in_row = single_crossings(by_row, 3, COLUMN_1);
        let digit_if_any = |crossings: u128| u16::from(crossings != 0) << digit;
        self.block_column |= digit_if_any(alone_in_block_by_column & !alone_in_column);
        self.block_row |= digit_if_any(alone_in_block_by_row & !alone_in_row);
        self.column_block |= digit_if_any(alone_in_column & !alone_in_block_by_column);
        self.row_block |= digit_if_any(alone_in_row & !alone_in_block_by_row);
    }
}

/// The marked crossings whose two partners are not marked. `first`: the first of each three; the others come in steps.
#[inline]
fn single_crossings(crossings: u128, step: usize, first: u128) -> u128 {
    let [a, b, c] = [0, step, 2 * step].map(|shift| crossings >> shift & first);
    let single = (a ^ b ^ c) & !(a & b & c);
    crossings & (single | single << step | single << (2 * step))
}

/// Offers the hints of one pair of types: a digit of `digits` is locked in a house of the first type, and its crossing
/// with a house of the second type holds all its places. Houses without news are left out.
fn between(state: &State, pair: HousePair, digits: u16, direct: bool, take: &mut Taker) -> Taken {
    let third_of = if pair.second == Column { &LOCKED_EVERY_THIRD } else { &LOCKED_NEIGHBOURS };
    let first_house = pair.first.first_house();
    // A hint depends on its digit in the three houses of the first type that cross the second house. They are a group:
    // three neighbours, or the blocks of a stack.
    let is_stack = pair == BLOCK_COLUMN;
    let mut digits_with_news = [0u16; 3];
    for digit in bits(digits) {
        for (group, group_digits) in digits_with_news.iter_mut().enumerate() {
            let houses = if is_stack { 0b1_001_001 << group } else { 0b111 << (3 * group) };
            *group_digits |= u16::from(state.news.houses[digit] >> first_house & houses != 0) << digit;
        }
    }
    for number in 0..9 {
        let from = first_house + number;
        // The digits that are locked in each of the three crossing houses. The last entry has the other digits.
        let mut locked = [0u16; 4];
        let group = if is_stack { number % 3 } else { number / 3 };
        for digit in bits(digits_with_news[group]) {
            let places = state.places[from][digit] as usize & 0x1ff;
            locked[third_of[places] as usize] |= 1 << digit;
        }
        if locked[..3] == [0; 3] {
            continue;
        }
        for (into, digits) in pair.crossing(number).into_iter().zip(locked) {
            for digit in bits(digits) {
                let locked_digit = LockedDigit { digit, pair, from, into };
                if direct {
                    locked_digit.following_single(state, take)?;
                } else {
                    locked_digit.elimination(state, take)?;
                }
            }
        }
    }
    Ok(())
}

/// For the places of a digit in a house: the third of the house, of three neighbouring places, in which all of them lie,
/// 0 to 2. 3 if there is none, or if there are fewer than two places.
static LOCKED_NEIGHBOURS: [u8; 512] = locked_in([0b111, 0b111_000, 0b111_000_000]);
/// The same for the thirds that have every third place.
static LOCKED_EVERY_THIRD: [u8; 512] = locked_in([0b1_001_001, 0b10_010_010, 0b100_100_100]);

/// The table for these thirds, as places of a house.
const fn locked_in(thirds: [u16; 3]) -> [u8; 512] {
    let (mut table, mut places) = ([3; 512], 0);
    while places < 512 {
        let mut number = 0;
        while number < 3 {
            if places & !thirds[number] == 0 && places & places.wrapping_sub(1) != 0 {
                table[places as usize] = number as u8;
            }
            number += 1;
        }
        places += 1;
    }
    table
}

/// A digit that is locked where two houses (0..27) cross: all its places in `from` lie in `into`.
struct LockedDigit {
    digit: usize,
    /// The types of the two houses.
    pair: HousePair,
    from: usize,
    into: usize,
}

impl LockedDigit {
    /// A hint without its conclusion: a pointing, or a claiming.
    fn pattern(&self, state: &State, pointing: HintKind, claiming: HintKind) -> FoundHint {
        let kind = if self.pair.first == Block { pointing } else { claiming };
        let (base, cover, digits) = (1 << self.from, 1 << self.into, 1 << self.digit);
        let cells = state.cells[self.digit] & HOUSE_SET[self.from];
        FoundHint { cells, base, cover, digits, ..FoundHint::new(kind) }
    }

    /// Offers the removal of the digit from the rest of house `into`, if something is removed.
    fn elimination(&self, state: &State, take: &mut Taker) -> Taken {
        let removed = state.cells[self.digit] & HOUSE_SET[self.into] & !HOUSE_SET[self.from];
        if removed == 0 {
            return Ok(());
        }
        let mut hint = self.pattern(state, HintKind::Pointing, HintKind::Claiming);
        hint.remove[self.digit] = removed;
        take(&hint)
    }

    /// Offers the direct form: the removal from house `into` leaves one place in another house of the type of `from`.
    fn following_single(&self, state: &State, take: &mut Taker) -> Taken {
        for house in self.pair.reversed().crossing(self.into % 9) {
            let places = state.cells[self.digit] & HOUSE_SET[house];
            let places_left = places & !HOUSE_SET[self.into];
            if house != self.from && places != places_left && places_left.is_power_of_two() {
                let placed = Some((places_left.trailing_zeros() as u8, self.digit as u8));
                let pattern = self.pattern(state, HintKind::DirectPointing, HintKind::DirectClaiming);
                take(&FoundHint { placed, ..pattern })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK_COLUMN, BLOCK_ROW, COLUMN_BLOCK, HOUSE_SET, ROW_BLOCK};

    #[test]
    fn crossings_agree_with_the_houses() {
        for pair in [BLOCK_COLUMN, BLOCK_ROW, COLUMN_BLOCK, ROW_BLOCK] {
            let [first, second] = [pair.first, pair.second].map(|house_type| house_type.first_house());
            for number in 0..9 {
                let meets = |house: &usize| HOUSE_SET[*house] & HOUSE_SET[first + number] != 0;
                assert!((second..second + 9).filter(meets).eq(pair.crossing(number)));
            }
        }
    }
}
