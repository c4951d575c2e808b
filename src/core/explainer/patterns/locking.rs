//! Finds Pointing and Claiming, as eliminations (2.6, 2.8) and as "direct" hints (1.7, 1.9). A block and a line cross,
//! and all places of a digit in one of them lie in the crossing. A block is a box, in the original's words. Used by the
//! producers [`direct_locking` and `locking`](crate::explainer::PRODUCERS).
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
use crate::explainer::tables::{HOUSE_SET, bits};

// The numbers of the first block, row and column among the 27 houses. They also name the three types of houses.
const BLOCK: usize = 0;
const ROW: usize = 9;
const COLUMN: usize = 18;

/// Offers every pointing and claiming. In the `direct` form only those that place a digit.
pub(crate) fn locking(state: &State, direct: bool, take: &mut Taker) -> Taken {
    let mut removing_digits = [0; 4];
    for digit in (0..9).filter(|&digit| state.news.houses[digit] != 0) {
        for (digits, removes) in removing_digits.iter_mut().zip(removing(state.cells[digit])) {
            *digits |= u16::from(removes) << digit;
        }
    }
    let orders = [(BLOCK, COLUMN), (BLOCK, ROW), (COLUMN, BLOCK), (ROW, BLOCK)];
    for ((first, second), digits) in orders.into_iter().zip(removing_digits) {
        if digits != 0 {
            between(state, first, second, digits, direct, take)?;
        }
    }
    Ok(())
}

/// The first cells of the crossings of blocks and rows, of blocks and columns, and of rows. Bit 9 * row + column is a
/// cell.
///
/// ```text
///   LEFT  x..|x..|x..     TOP  xxx|xxx|xxx     COLUMN_1  x..|...|...      LEFT & TOP  x..|x..|x..  first of each block
///         x..|x..|x..          ...|...|...               x..|...|...                  ...|...|...
///         x..|x..|x..          ...|...|...               x..|...|...                  ...|...|...
/// ```
// (2^81 - 1) / (2^9 - 1) has every ninth bit: the cells of column 1.
const LEFT: u128 = 0o111 * COLUMN_1;
const TOP: u128 = 0x1ff * (1 + (1 << 27) + (1 << 54));
const COLUMN_1: u128 = ((1 << 81) - 1) / 0x1ff;

/// Whether a digit with these places can be removed, for each of the four orders of houses, in scan order. It finds the
/// orders that are worth a scan, for all houses at once.
///
/// A crossing with a place of the digit is marked at its first cell. `columns` has the crossings of blocks and columns:
/// the three of a block lie 1 apart, the three of a column 27 apart. `rows` has those of blocks and rows: the three of
/// a block lie 9 apart, the three of a row 3 apart. A crossing is *alone* in the block, or in the line, if the other
/// two there are not marked. If it is alone in one of them only, the other one loses the digit elsewhere.
///
/// ```text
///   places      columns     alone in its block      alone in its column
///   x . . |     x . . |     x . . |                 . . . |                  top left: pointing, column 1 loses
///   x . . |     . . . |     . . . |                 . . . |                  the place below. Middle: claiming,
///   . . . |     . . . |     . . . |                 . . . |                  block 4 loses the same place.
///   ------+     ------+     ------+                 ------+
///   . x . |     x x . |     . . . |                 . x . |
///   x . . |     . . . |     . . . |                 . . . |
/// ```
fn removing(places: u128) -> [bool; 4] {
    let columns = (places | places >> 9 | places >> 18) & TOP;
    let rows = (places | places >> 1 | places >> 2) & LEFT;
    let [in_blocks, of_columns] = [single_crossings(columns, 1, LEFT & TOP), single_crossings(columns, 27, 0x1ff)];
    let [in_bands, of_rows] = [single_crossings(rows, 9, LEFT & TOP), single_crossings(rows, 3, COLUMN_1)];
    [in_blocks & !of_columns, in_bands & !of_rows, of_columns & !in_blocks, of_rows & !in_bands].map(|set| set != 0)
}

/// The marked crossings whose two partners are not marked. `first` has the first crossing of each three, and the other
/// two follow in steps.
#[inline]
fn single_crossings(crossings: u128, step: usize, first: u128) -> u128 {
    let [a, b, c] = [0, step, 2 * step].map(|shift| crossings >> shift & first);
    let single = (a ^ b ^ c) & !(a & b & c);
    crossings & (single | single << step | single << (2 * step))
}

/// The three houses of type `second` that cross house `number` (0..9) of type `first`: consecutive ones, or every third
/// block of a column.
fn crossing(first: usize, number: usize, second: usize) -> [usize; 3] {
    let (start, step) = match (first, second) {
        (BLOCK, ROW) => (3 * (number / 3), 1),
        (BLOCK, _) => (3 * (number % 3), 1),
        (ROW, _) => (3 * (number / 3), 1),
        _ => (number / 3, 3),
    };
    [0, 1, 2].map(|third| second + start + third * step)
}

/// Offers the hints of one order of houses: a digit of `digits` is locked in a house of type `first`, and its crossing
/// with a house of type `second` holds all its places. Houses without news are left out.
fn between(state: &State, first: usize, second: usize, digits: u16, direct: bool, take: &mut Taker) -> Taken {
    let crossing_of = if second == COLUMN { &LOCKED_EVERY_THIRD } else { &LOCKED_NEIGHBOURS };
    // A hint depends on its digit in the three houses of type `first` that cross the second house. They are a group:
    // three neighbours, or the blocks of a stack.
    let is_stack = (first, second) == (BLOCK, COLUMN);
    let mut digits_with_news = [0u16; 3];
    for digit in bits(digits) {
        for (group, group_digits) in digits_with_news.iter_mut().enumerate() {
            let houses = if is_stack { 0b1_001_001 << group } else { 0b111 << (3 * group) };
            *group_digits |= u16::from(state.news.houses[digit] >> first & houses != 0) << digit;
        }
    }
    for number in 0..9 {
        let from = first + number;
        // The digits that are locked in each of the three crossing houses. The last entry has the other digits.
        let mut locked = [0u16; 4];
        let group = if is_stack { number % 3 } else { number / 3 };
        for digit in bits(digits_with_news[group]) {
            let places = state.places[from][digit] as usize & 0x1ff;
            locked[crossing_of[places] as usize] |= 1 << digit;
        }
        if locked[..3] == [0; 3] {
            continue;
        }
        for (into, digits) in crossing(first, number, second).into_iter().zip(locked) {
            for digit in bits(digits) {
                if direct {
                    following_single(state, from, into, digit, take)?;
                } else {
                    elimination(state, from, into, digit, take)?;
                }
            }
        }
    }
    Ok(())
}

/// For the places of a digit in a house: the group of three neighbouring places, 0 to 2, in which all of them lie. 3 if
/// there is none, or if there are fewer than two places.
static LOCKED_NEIGHBOURS: [u8; 512] = locked_in([0b111, 0b111_000, 0b111_000_000]);
/// For the places of a digit in a house: the group of every third place in which all of them lie, in the same way.
static LOCKED_EVERY_THIRD: [u8; 512] = locked_in([0b1_001_001, 0b10_010_010, 0b100_100_100]);

/// The table of one kind of group: `thirds` are its three groups, as places of a house.
const fn locked_in(thirds: [u16; 3]) -> [u8; 512] {
    let (mut table, mut index) = ([3; 512], 0);
    while index < 3 * 512 {
        let (places, third) = (index as u16 / 3, index % 3);
        if places & !thirds[third] == 0 && places & places.wrapping_sub(1) != 0 {
            table[places as usize] = third as u8;
        }
        index += 1;
    }
    table
}

/// A hint without its conclusion: `digit` is locked where houses `from` and `into` (0..27) cross.
fn pattern(state: &State, kind: HintKind, from: usize, into: usize, digit: usize) -> FoundHint {
    let (base, cover, digits) = (1 << from, 1 << into, 1 << digit);
    FoundHint { cells: state.cells[digit] & HOUSE_SET[from], base, cover, digits, ..FoundHint::new(kind) }
}

/// Offers the removal of the digit from the rest of house `into`, if something is removed.
fn elimination(state: &State, from: usize, into: usize, digit: usize, take: &mut Taker) -> Taken {
    let removed = state.cells[digit] & HOUSE_SET[into] & !HOUSE_SET[from];
    if removed == 0 {
        return Ok(());
    }
    let kind = if from < ROW { HintKind::Pointing } else { HintKind::Claiming };
    let mut hint = pattern(state, kind, from, into, digit);
    hint.remove[digit] = removed;
    take(&hint)
}

/// Offers the direct form: the digit's removal from house `into` leaves one place in another house of `from`'s type.
fn following_single(state: &State, from: usize, into: usize, digit: usize, take: &mut Taker) -> Taken {
    let kind = if from < ROW { HintKind::DirectPointing } else { HintKind::DirectClaiming };
    for house in crossing(into - into % 9, into % 9, from - from % 9) {
        let places = state.cells[digit] & HOUSE_SET[house];
        let places_left = places & !HOUSE_SET[into];
        if house != from && places != places_left && places_left.is_power_of_two() {
            let placed = Some((places_left.trailing_zeros() as u8, digit as u8));
            take(&FoundHint { placed, ..pattern(state, kind, from, into, digit) })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, COLUMN, HOUSE_SET, ROW, crossing};

    #[test]
    fn crossings_agree_with_the_houses() {
        for (first, second) in [(BLOCK, COLUMN), (BLOCK, ROW), (COLUMN, BLOCK), (ROW, BLOCK)] {
            for number in 0..9 {
                let meets = |house: &usize| HOUSE_SET[*house] & HOUSE_SET[first + number] != 0;
                assert!((second..second + 9).filter(meets).eq(crossing(first, number, second)));
            }
        }
    }
}
