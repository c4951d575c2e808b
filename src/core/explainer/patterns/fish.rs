//! X-Wing, Swordfish, Jellyfish.
//!
//! Scan order: columns as base, then rows; tuples of lines by bit masks, and *within a tuple* the digits upwards. A
//! digit takes part while the number of its unplaced copies is at least twice the size of the fish. Every base line
//! must have two places or more.

use super::subsets::closed_tuples;
use crate::explainer::found::{FoundHint, Taken, Taker};
use crate::explainer::kind::HintKind;
use crate::explainer::state::State;
use crate::explainer::tables::{HOUSE_SET, HouseType, bits};

pub(crate) fn fish(state: &State, size: usize, take: &mut Taker) -> Taken {
    along(state, size, HouseType::Column, HouseType::Row, take)?;
    along(state, size, HouseType::Row, HouseType::Column, take)
}

/// A fish. The order of its fields is that of the scan.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Fish {
    base_lines: u16,
    digit: usize,
    cover_lines: u16,
}

/// Offers the fish with base lines of one type and cover lines of the other.
fn along(state: &State, size: usize, base: HouseType, cover: HouseType, take: &mut Taker) -> Taken {
    let (base, cover) = (base.first_house(), cover.first_house());
    let kind = [HintKind::XWing, HintKind::Swordfish, HintKind::Jellyfish][size - 2];
    let mut school = Vec::new();
    for digit in (0..9).filter(|&digit| state.news.houses[digit] != 0) {
        if usize::from(state.placed[digit]) + 2 * size <= 9 {
            let lines = std::array::from_fn(|line| state.places[base + line][digit]);
            closed_tuples(&lines, size, |base_lines, cover_lines| {
                school.push(Fish { base_lines, digit, cover_lines });
                Ok(())
            })?;
        }
    }
    school.sort_unstable();
    for Fish { base_lines, digit, cover_lines } in school {
        let body = cells_of(base, base_lines);
        let removed = state.cells[digit] & cells_of(cover, cover_lines) & !body;
        if removed != 0 {
            let mut hint = FoundHint {
                cells: state.cells[digit] & body,
                digits: 1 << digit,
                base: u32::from(base_lines) << base,
                cover: u32::from(cover_lines) << cover,
                ..FoundHint::new(kind)
            };
            hint.remove[digit] = removed;
            take(&hint)?;
        }
    }
    Ok(())
}

/// The cells of some lines, which are counted from house `first`.
fn cells_of(first: usize, lines: u16) -> u128 {
    bits(lines).fold(0, |set, line| set | HOUSE_SET[first + line])
}
