//! XY-Wing 4.2 and XYZ-Wing 4.4.
//!
//! ```text
//!   xy . . | xz . .      z is removed from the cells that see both pincers
//!    . . . |  . . .      (and the pivot, for XYZ)
//!   yz . . |  - . .
//! ```
//! Scan order: pivots row by row; first pincer, then second pincer, both in the peer order block, row, column.

use crate::explainer::found::{FoundHint, Taken, Taker};
use crate::explainer::kind::HintKind;
use crate::explainer::state::State;
use crate::explainer::tables::{PEERS, at_least, bits, cells, peers_in};

/// Offers the XY-Wings, or with `is_xyz` the XYZ-Wings.
pub(crate) fn wings(state: &State, is_xyz: bool, take: &mut Taker) -> Taken {
    let pairs = state.cells_with(2);
    let pivots = if is_xyz { state.cells_with(3) } else { pairs };
    for pivot in cells(pivots) {
        let pivot_digits = state.digits[pivot];
        let seen_pairs = PEERS[pivot] & pairs;
        // A wing of cells that have lost no candidates has been seen.
        if (seen_pairs | 1 << pivot) & state.news.cells == 0 {
            continue;
        }
        // A pincer has all candidates of the pivot except one.
        let places = at_least(bits(pivot_digits).map(|digit| state.cells[digit]));
        let pincer_set = seen_pairs & if is_xyz { places.two } else { places.one & !places.two };
        if pincer_set & pincer_set.wrapping_sub(1) == 0 {
            continue;
        }
        let (mut pincers, mut number) = ([0; 20], 0);
        for peer in peers_in(pivot, pincer_set) {
            pincers[number] = peer;
            number += 1;
        }
        for &first in &pincers[..number] {
            for &second in &pincers[..number] {
                let (a, b) = (state.digits[first], state.digits[second]);
                // Two digits of the pivot and a third one, each twice; or different pairs of the three of the pivot.
                let is_wing = if is_xyz { a != b } else { pivot_digits ^ a ^ b == 0 };
                if is_wing {
                    wing(state, is_xyz, pivot, [first, second], take)?;
                }
            }
        }
    }
    Ok(())
}

/// Offers what the wing of a pivot and two pincers removes.
fn wing(state: &State, is_xyz: bool, pivot: usize, pincers: [usize; 2], take: &mut Taker) -> Taken {
    let [first, second] = pincers;
    let [a, b] = pincers.map(|pincer| state.digits[pincer]);
    let z = (a & b).trailing_zeros() as usize;
    let pattern = 1 << pivot | 1 << first | 1 << second;
    let seen_by_pivot = if is_xyz { PEERS[pivot] } else { u128::MAX };
    let removed = PEERS[first] & PEERS[second] & seen_by_pivot & state.cells[z] & !pattern;
    if removed == 0 {
        return Ok(());
    }
    let kind = if is_xyz { HintKind::XyzWing } else { HintKind::XyWing };
    let mut hint = FoundHint { cells: pattern, digits: state.digits[pivot] | a | b, ..FoundHint::new(kind) };
    hint.remove[z] = removed;
    take(&hint)
}
