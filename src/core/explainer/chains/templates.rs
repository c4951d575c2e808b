//! What chains along one digit may refute or prove, by its templates (see [`crate::ladder::position::template_places`]).
//!
//! Chains along one digit only know that each house holds it once. So what they refute is in no template, and what they
//! prove is in all. This test takes a twentieth of a microsecond for a candidate; a chain takes much more.

use crate::board::templates;
use crate::explainer::state::State;

/// What chains along one digit may refute, and may prove: candidates of each digit that has news.
pub(crate) struct Limits {
    pub(crate) refutable: [u128; 9],
    pub(crate) provable: [u128; 9],
}

impl Limits {
    pub(crate) fn of(state: &State) -> Limits {
        let mut limits = Limits { refutable: [0; 9], provable: [0; 9] };
        for (digit, &places) in state.cells.iter().enumerate() {
            if places == 0 || state.news.houses[digit] == 0 {
                continue;
            }
            let possible = templates::possible(places | state.filled[digit]);
            limits.refutable[digit] = places & !possible;
            limits.provable[digit] = match possible {
                // No template: the digit cannot be placed, so chains may prove anything.
                0 => places,
                _ => alone_in_row(possible) & places,
            };
        }
        limits
    }
}

/// The cells of a set that are the only ones of their row.
fn alone_in_row(set: u128) -> u128 {
    let rows = (0..9).map(|row| set & 0x1ff << (9 * row));
    // Without its lowest bit nothing is left: the row has one cell of the set, or none.
    rows.filter(|row| row & row.wrapping_sub(1) == 0).fold(0, |all, row| all | row)
}
