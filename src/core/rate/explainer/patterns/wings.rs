//! XY-Wing 4.2 and XYZ-Wing 4.4.
//!
//! ```text
//!   xy . . | xz . .      z is removed from the cells that see both pincers
//!    . . . |  . . .      (and the pivot, for XYZ)
//!   yz . . |  - . .
//! ```
//! Scan order: pivots row by row; first pincer, then second pincer, both in the peer order block, row, column.

use crate::rate::explainer::found::{FoundHint, Search, Taker};
use crate::rate::explainer::kind::HintKind;
use crate::rate::explainer::state::State;
use crate::rate::explainer::tables::{PEERS, bits, cells, peers_in};

/// Offers the XY-Wings, or with `is_xyz` the XYZ-Wings.
pub(crate) fn wings(state: &State, is_xyz: bool, take: &mut Taker) -> Search {
    let pairs = state.cells_with(2);
    let pivots = if is_xyz { state.cells_with(3) } else { pairs };
    for pivot in cells(pivots) {
        let (own, seen) = (state.digits[pivot], PEERS[pivot] & pairs);
        // A wing of cells that have lost no candidates has been seen.
        if (seen | 1 << pivot) & state.news.cells == 0 {
            continue;
        }
        // A pincer has all candidates of the pivot except one.
        let add = |(once, twice), digit: usize| (once | state.cells[digit], twice | once & state.cells[digit]);
        let (once, twice) = bits(own).fold((0, 0), add);
        let set = seen & if is_xyz { twice } else { once & !twice };
        if set & set.wrapping_sub(1) == 0 {
            continue;
        }
        let (mut pincers, mut number) = ([0u8; 20], 0);
        for peer in peers_in(pivot, set) {
            pincers[number] = peer as u8;
            number += 1;
        }
        let pincers = &pincers[..number];
        for &first in pincers {
            for &second in pincers {
                let [a, b] = [first, second].map(|cell| state.digits[cell as usize]);
                // Two digits of the pivot and a third one, each twice; or different pairs of the three of the pivot.
                if if is_xyz { a != b } else { own ^ a ^ b == 0 } {
                    wing(state, is_xyz, pivot, (first as usize, second as usize), take)?;
                }
            }
        }
    }
    Ok(())
}

/// Offers what the wing of a pivot and two pincers removes.
fn wing(state: &State, is_xyz: bool, pivot: usize, (first, second): (usize, usize), take: &mut Taker) -> Search {
    let (own, a, b) = (state.digits[pivot], state.digits[first], state.digits[second]);
    let z = (a & b).trailing_zeros() as usize;
    let pattern = 1 << pivot | 1 << first | 1 << second;
    let seen = if is_xyz { PEERS[pivot] } else { u128::MAX };
    let removed = PEERS[first] & PEERS[second] & seen & state.cells[z] & !pattern;
    if removed == 0 {
        return Ok(());
    }
    let kind = if is_xyz { HintKind::XyzWing } else { HintKind::XyWing };
    let mut found = FoundHint { cells: pattern, digits: own | a | b, ..FoundHint::new(kind) };
    found.remove[z] = removed;
    take(&found)
}
