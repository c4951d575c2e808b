//! Last value of a house 1.0, Hidden Single in a block 1.2, in a line 1.5, Naked Single 2.3.
//!
//! Scan order: first all houses with one empty cell (blocks, columns, rows), then hidden singles of all other houses in
//! the same order, digits upwards within a house. A house with one empty cell is never offered as 1.2 or 1.5. Naked
//! singles are searched much later, after the direct rules, row by row.

use super::found::{FoundHint, Taker};
use super::kind::HintKind;
use super::state::State;
use super::tables::{BLOCKS_COLUMNS_ROWS, HOUSE};

/// Last values, then hidden singles.
pub(super) fn hidden_singles(state: &State, take: &mut Taker) -> bool {
    let houses = || BLOCKS_COLUMNS_ROWS.iter().map(|&house| usize::from(house));
    for house in houses().filter(|&house| state.open[house].is_power_of_two()) {
        if in_house(state, house, HintKind::LastValue, take) {
            return true;
        }
    }
    for house in houses().filter(|&house| !state.open[house].is_power_of_two()) {
        let kind = if house < 9 { HintKind::HiddenSingleBlock } else { HintKind::HiddenSingleLine };
        if in_house(state, house, kind, take) {
            return true;
        }
    }
    false
}

fn in_house(state: &State, house: usize, kind: HintKind, take: &mut Taker) -> bool {
    for (digit, places) in state.places[house].iter().enumerate() {
        if places.is_power_of_two() {
            let cell = HOUSE[house][places.trailing_zeros() as usize];
            let base = 1 << house;
            if take(&FoundHint { place: Some((cell, digit as u8)), base, ..FoundHint::new(kind) }) {
                return true;
            }
        }
    }
    false
}

pub(super) fn naked_singles(state: &State, take: &mut Taker) -> bool {
    for (cell, digits) in state.digits.iter().enumerate() {
        if digits.is_power_of_two() {
            let digit = digits.trailing_zeros() as u8;
            if take(&FoundHint { place: Some((cell as u8, digit)), ..FoundHint::new(HintKind::NakedSingle) }) {
                return true;
            }
        }
    }
    false
}
