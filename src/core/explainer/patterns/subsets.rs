//! Naked and hidden pairs, triplets, quads, and the direct hidden sets.
//!
//! Scan order: blocks, columns, rows; within a house the tuples of places (naked) or digits (hidden) in increasing
//! order of their bit masks. Members must have two or more candidates (places): a member with one is a single, and a
//! tuple with such a member is not found. A house takes part when it has enough empty cells:
//!
//! | set of n | empty cells |
//! |---|---|
//! | naked | 2n or more |
//! | hidden | more than 2n |
//! | direct hidden | more than n |
//!
//! A direct hidden set only places the smallest digit that its eliminations leave with one place in the house.

use crate::explainer::found::{FoundHint, Taken, Taker};
use crate::explainer::kind::HintKind;
use crate::explainer::state::State;
use crate::explainer::tables::{BLOCKS_COLUMNS_ROWS, HOUSE, HOUSE_SET, bits, cell_set, count};

const ALL_DIGITS: u16 = 0x1ff;

/// The houses with news that have at least this number of empty cells.
fn houses(state: &State, fewest: usize) -> impl Iterator<Item = usize> {
    BLOCKS_COLUMNS_ROWS
        .into_iter()
        .filter(move |&house| state.is_news(house) && count(state.open[house]) >= fewest as u32)
}

/// Offers the naked sets of a size, 2 to 4.
pub(crate) fn naked_sets(state: &State, size: usize, take: &mut Taker) -> Taken {
    let kind = [HintKind::NakedPair, HintKind::NakedTriplet, HintKind::NakedQuad][size - 2];
    // A quick test: enough cells of the house have at most `size` candidates. Quads go without it.
    let mut narrow_cells = if size < 4 { 0 } else { u128::MAX };
    if size < 4 {
        (2..=size as u32).for_each(|number| narrow_cells |= state.cells_with(number));
    }
    for house in houses(state, 2 * size) {
        if (narrow_cells & HOUSE_SET[house]).count_ones() < size as u32 {
            continue;
        }
        let candidates = HOUSE[house].map(|cell| state.digits[cell as usize]);
        closed_tuples(&candidates, size, |tuple_places, tuple_digits| {
            let mut hint = FoundHint { digits: tuple_digits, base: 1 << house, ..FoundHint::new(kind) };
            for (place, &cell) in HOUSE[house].iter().enumerate() {
                if tuple_places >> place & 1 != 0 {
                    hint.cells |= 1 << cell;
                } else {
                    bits(candidates[place] & tuple_digits).for_each(|digit| hint.remove[digit] |= 1 << cell);
                }
            }
            hint.offer(take)
        })?;
    }
    Ok(())
}

/// Offers the hidden sets of a size, 2 to 4.
pub(crate) fn hidden_sets(state: &State, size: usize, take: &mut Taker) -> Taken {
    let kind = [HintKind::HiddenPair, HintKind::HiddenTriplet, HintKind::HiddenQuad][size - 2];
    for house in houses(state, 2 * size + 1) {
        closed_tuples(&state.places[house], size, |tuple_digits, tuple_places| {
            let mut hint = FoundHint { digits: tuple_digits, base: 1 << house, ..FoundHint::new(kind) };
            for place in bits(tuple_places) {
                let cell = HOUSE[house][place] as usize;
                hint.cells |= 1 << cell;
                bits(state.digits[cell] & !tuple_digits).for_each(|digit| hint.remove[digit] |= 1 << cell);
            }
            hint.offer(take)
        })?;
    }
    Ok(())
}

/// Offers the direct hidden sets of a size, 2 or 3.
pub(crate) fn direct_hidden_sets(state: &State, size: usize, take: &mut Taker) -> Taken {
    let kind = [HintKind::DirectHiddenPair, HintKind::DirectHiddenTriplet][size - 2];
    for house in houses(state, size + 1) {
        closed_tuples(&state.places[house], size, |tuple_digits, tuple_places| {
            for digit in bits(ALL_DIGITS & !tuple_digits) {
                let places = state.places[house][digit];
                let places_left = places & !tuple_places;
                if count(places) <= 1 || !places_left.is_power_of_two() {
                    continue;
                }
                let cell = HOUSE[house][places_left.trailing_zeros() as usize];
                return take(&FoundHint {
                    placed: Some((cell, digit as u8)),
                    digits: tuple_digits,
                    cells: cell_set(bits(tuple_places).map(|place| HOUSE[house][place] as usize)),
                    base: 1 << house,
                    ..FoundHint::new(kind)
                });
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// For each mask of nine bits the sizes of tuples that it can be in, as bits: it has two to `size` bits.
static FITS: [u8; 512] = {
    let (mut sizes, mut mask) = ([0; 512], 0);
    while mask < 512 {
        let count = (mask as u16).count_ones();
        sizes[mask] = if count < 2 || count > 4 { 0 } else { 0b11100 << (count - 2) & 0b11100 };
        mask += 1;
    }
    sizes
};

/// Some of nine masks: their numbers, and the bits that they have together.
#[derive(Clone, Copy)]
struct Tuple {
    members: u16,
    bits: u16,
}

impl Tuple {
    /// The tuple with one more of the masks.
    #[inline]
    fn with(self, masks: &[u16; 9], member: usize) -> Tuple {
        Tuple { members: self.members | 1 << member, bits: self.bits | masks[member] }
    }
}

/// Calls `each` with each tuple of `size` of the nine masks that together have `size` bits, each mask at least two, and
/// with these bits. In increasing order of the masks of the tuples.
pub(crate) fn closed_tuples(masks: &[u16; 9], size: usize, mut each: impl FnMut(u16, u16) -> Taken) -> Taken {
    let mut fitting = 0;
    for (member, &mask) in masks.iter().enumerate() {
        fitting |= u16::from(FITS[mask as usize & 0x1ff] >> size & 1) << member;
    }
    if count(fitting) < size as u32 {
        return Ok(());
    }
    grow(masks, size, fitting, size, Tuple { members: 0, bits: 0 }, &mut each)
}

/// Adds members of `fitting` to a tuple, of which two or more are missing. The highest comes first.
fn grow(
    masks: &[u16; 9],
    size: usize,
    fitting: u16,
    missing: usize,
    tuple: Tuple,
    each: &mut impl FnMut(u16, u16) -> Taken,
) -> Taken {
    for member in bits(fitting) {
        let longer = tuple.with(masks, member);
        let lower = fitting & ((1 << member) - 1);
        if count(longer.bits) > size as u32 {
            continue;
        }
        if missing > 2 {
            grow(masks, size, lower, missing - 1, longer, each)?;
            continue;
        }
        for last in bits(lower) {
            let full = longer.with(masks, last);
            if count(full.bits) == size as u32 {
                each(full.members, full.bits)?;
            }
        }
    }
    Ok(())
}
