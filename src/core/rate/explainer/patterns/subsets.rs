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

use crate::rate::explainer::found::{FoundHint, Search, Taker};
use crate::rate::explainer::kind::HintKind;
use crate::rate::explainer::state::State;
use crate::rate::explainer::tables::{BLOCKS_COLUMNS_ROWS, HOUSE, HOUSE_SET, bits, count};

/// The houses with news that have at least this number of empty cells.
fn houses(state: &State, empty: usize) -> impl Iterator<Item = usize> {
    BLOCKS_COLUMNS_ROWS
        .into_iter()
        .filter(move |&house| state.is_news(house) && count(state.open[house]) >= empty as u32)
}

/// Offers the naked sets of a size, 2 to 4.
pub(crate) fn naked_sets(state: &State, size: usize, take: &mut Taker) -> Search {
    let kind = [HintKind::NakedPair, HintKind::NakedTriplet, HintKind::NakedQuad][size - 2];
    // A quick test: enough cells of the house have at most `size` candidates. Quads go without it.
    let few = if size < 4 { (2..=size as u32).fold(0, |all, count| all | state.cells_with(count)) } else { u128::MAX };
    let enough = |house: &usize| (few & HOUSE_SET[*house]).count_ones() >= size as u32;
    for house in houses(state, 2 * size).filter(enough) {
        let members = HOUSE[house].map(|cell| state.digits[cell as usize]);
        closed_tuples(&members, size, |tuple, digits| {
            let mut found = FoundHint { digits, base: 1 << house, ..FoundHint::new(kind) };
            for (place, &cell) in HOUSE[house].iter().enumerate() {
                if tuple >> place & 1 != 0 {
                    found.cells |= 1 << cell;
                } else {
                    bits(members[place] & digits).for_each(|digit| found.remove[digit] |= 1 << cell);
                }
            }
            found.offer(take)
        })?;
    }
    Ok(())
}

/// Offers the hidden sets of a size, 2 to 4.
pub(crate) fn hidden_sets(state: &State, size: usize, take: &mut Taker) -> Search {
    let kind = [HintKind::HiddenPair, HintKind::HiddenTriplet, HintKind::HiddenQuad][size - 2];
    for house in houses(state, 2 * size + 1) {
        closed_tuples(&state.places[house], size, |digits, places| {
            let mut found = FoundHint { digits, base: 1 << house, ..FoundHint::new(kind) };
            for cell in bits(places).map(|place| HOUSE[house][place] as usize) {
                found.cells |= 1 << cell;
                bits(state.digits[cell] & !digits).for_each(|digit| found.remove[digit] |= 1 << cell);
            }
            found.offer(take)
        })?;
    }
    Ok(())
}

/// Offers the direct hidden sets of a size, 2 or 3.
pub(crate) fn direct_hidden_sets(state: &State, size: usize, take: &mut Taker) -> Search {
    let kind = [HintKind::DirectHiddenPair, HintKind::DirectHiddenTriplet][size - 2];
    for house in houses(state, size + 1) {
        closed_tuples(&state.places[house], size, |digits, places| {
            let left = |digit: &usize| (state.places[house][*digit] & !places).is_power_of_two();
            let many = |digit: &usize| state.places[house][*digit].count_ones() > 1;
            let Some(digit) = bits(0x1ff & !digits).filter(many).find(left) else { return Ok(()) };
            let place = (state.places[house][digit] & !places).trailing_zeros() as usize;
            let cells = bits(places).fold(0, |set, place| set | 1 << HOUSE[house][place]);
            let place = Some((HOUSE[house][place], digit as u8));
            take(&FoundHint { place, digits, cells, base: 1 << house, ..FoundHint::new(kind) })
        })?;
    }
    Ok(())
}

/// For each mask of nine bits the sizes of tuples that it can be in, as bits: it has two to `size` bits.
static FITS: [u8; 512] = {
    let (mut all, mut mask) = ([0; 512], 0);
    while mask < 512 {
        let count = (mask as u16).count_ones();
        all[mask] = if count < 2 || count > 4 { 0 } else { 0b11100 << (count - 2) & 0b11100 };
        mask += 1;
    }
    all
};

/// Calls `found` with each tuple of `size` of the nine masks that together have `size` bits, each mask at least two, and
/// with these bits. In increasing order of the masks of the tuples.
pub(crate) fn closed_tuples(masks: &[u16; 9], size: usize, mut found: impl FnMut(u16, u16) -> Search) -> Search {
    let fits = |mask: u16| u16::from(FITS[mask as usize & 0x1ff] >> size & 1);
    let fit = masks.iter().enumerate().fold(0, |all, (at, &mask)| all | fits(mask) << at);
    if count(fit) < size as u32 { Ok(()) } else { grow(masks, size, (fit, size), (0, 0), &mut found) }
}

/// Adds `more` of the members that fit, two or more, to a tuple and its bits. The highest comes first.
fn grow(
    masks: &[u16; 9],
    size: usize,
    (fit, more): (u16, usize),
    (tuple, union): (u16, u16),
    found: &mut impl FnMut(u16, u16) -> Search,
) -> Search {
    for at in bits(fit) {
        let (tuple, union, lower) = (tuple | 1 << at, union | masks[at], fit & ((1 << at) - 1));
        if count(union) > size as u32 {
            continue;
        }
        if more > 2 {
            grow(masks, size, (lower, more - 1), (tuple, union), found)?;
            continue;
        }
        for last in bits(lower) {
            let union = union | masks[last];
            if count(union) == size as u32 {
                found(tuple | 1 << last, union)?;
            }
        }
    }
    Ok(())
}
