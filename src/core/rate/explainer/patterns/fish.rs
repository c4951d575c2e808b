//! X-Wing, Swordfish, Jellyfish.
//!
//! Scan order: columns as base, then rows; tuples of lines by bit masks, and *within a tuple* the digits upwards. A
//! digit takes part while the number of its unplaced copies is at least twice the size of the fish. Every base line
//! must have two places or more.

use super::subsets::closed_tuples;
use crate::rate::explainer::found::{FoundHint, Search, Taker};
use crate::rate::explainer::kind::HintKind;
use crate::rate::explainer::state::State;
use crate::rate::explainer::tables::{HOUSE_SET, bits};

pub(crate) fn fish(state: &State, size: usize, take: &mut Taker) -> Search {
    [(18, 9), (9, 18)].into_iter().try_for_each(|(base, cover)| along(state, size, base, cover, take))
}

/// Offers the fish with base lines of one kind. `base` and `cover` are the numbers of the first house of each kind.
fn along(state: &State, size: usize, base: usize, cover: usize, take: &mut Taker) -> Search {
    let mut found = Vec::new();
    for digit in (0..9).filter(|&digit| state.news.houses[digit] != 0) {
        if usize::from(state.placed[digit]) + 2 * size <= 9 {
            let lines = std::array::from_fn(|line| state.places[base + line][digit]);
            closed_tuples(&lines, size, |tuple, union| {
                found.push((tuple, digit, union));
                Ok(())
            })?;
        }
    }
    found.sort_unstable();
    let of = |first: usize, lines: u16| bits(lines).fold(0, |set, line| set | HOUSE_SET[first + line]);
    for (tuple, digit, union) in found {
        let lines = of(base, tuple);
        let removed = state.cells[digit] & of(cover, union) & !lines;
        if removed != 0 {
            let kind = [HintKind::XWing, HintKind::Swordfish, HintKind::Jellyfish][size - 2];
            let (cells, digits) = (state.cells[digit] & lines, 1 << digit);
            let (base, cover) = (u32::from(tuple) << base, u32::from(union) << cover);
            let mut found = FoundHint { cells, digits, base, cover, ..FoundHint::new(kind) };
            found.remove[digit] = removed;
            take(&found)?;
        }
    }
    Ok(())
}
