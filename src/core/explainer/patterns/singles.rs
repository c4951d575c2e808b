//! Last value of a house 1.0, Hidden Single in a block 1.2, in a line 1.5, Naked Single 2.3.
//!
//! Scan order: first all houses with one empty cell (blocks, columns, rows), then hidden singles of all other houses in
//! the same order, digits upwards within a house. A house with one empty cell is never offered as 1.2 or 1.5. Naked
//! singles are searched after direct locking and direct hidden pairs, before direct hidden triplets, row by row.

use crate::explainer::found::{FoundHint, Taken, Taker};
use crate::explainer::kind::HintKind;
use crate::explainer::state::State;
use crate::explainer::tables::{BLOCKS_COLUMNS_ROWS, HOUSE, HOUSES, bits};

/// Offers the hidden singles: first those of houses with one open cell.
pub(crate) fn hidden_singles(state: &State, take: &mut Taker) -> Taken {
    if state.single == [0; HOUSES] {
        return Ok(());
    }
    for last in [true, false] {
        for house in BLOCKS_COLUMNS_ROWS {
            if state.single[house] == 0 || state.open[house].is_power_of_two() != last {
                continue;
            }
            let kind = match house {
                _ if last => HintKind::LastValue,
                ..9 => HintKind::HiddenSingleBlock,
                _ => HintKind::HiddenSingleLine,
            };
            for digit in bits(state.single[house]) {
                let places = state.places[house][digit];
                // A broken puzzle can lose the last place.
                if places != 0 {
                    let placed = Some((HOUSE[house][places.trailing_zeros() as usize], digit as u8));
                    take(&FoundHint { placed, base: 1 << house, ..FoundHint::new(kind) })?;
                }
            }
        }
    }
    Ok(())
}

/// Offers the cells with one candidate, row by row.
pub(crate) fn naked_singles(state: &State, take: &mut Taker) -> Taken {
    for (cell, digits) in state.digits.iter().enumerate().filter(|(_, digits)| digits.is_power_of_two()) {
        let placed = Some((cell as u8, digits.trailing_zeros() as u8));
        take(&FoundHint { placed, ..FoundHint::new(HintKind::NakedSingle) })?;
    }
    Ok(())
}
