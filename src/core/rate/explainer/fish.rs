//! X-Wing, Swordfish, Jellyfish.
//!
//! Scan order: columns as base, then rows; tuples of lines by bit masks, and *within a tuple* the digits upwards. A
//! digit takes part while the number of its unplaced copies is at least twice the size of the fish. Every base line
//! must have two places or more.

use super::found::{FoundHint, Search, Taker};
use super::kind::HintKind;
use super::state::State;
use super::tables::{HOUSE_SET, bits, count, subsets_of};

pub(super) fn fish(state: &State, size: usize, take: &mut Taker) -> Search {
    [(18, 9), (9, 18)].into_iter().try_for_each(|(base, cover)| along(state, size, base, cover, take))
}

fn along(state: &State, size: usize, base: usize, cover: usize, take: &mut Taker) -> Search {
    let mut members = [0u16; 9];
    let mut possible = 0u16;
    for (digit, members) in members.iter_mut().enumerate() {
        if state.news.houses[digit] == 0 || usize::from(state.placed[digit]) + 2 * size > 9 {
            continue;
        }
        for line in 0..9 {
            let places = count(state.places[base + line][digit]);
            *members |= u16::from((2..=size as u32).contains(&places)) << line;
        }
        possible |= u16::from(count(*members) >= size as u32) << digit;
    }
    if possible == 0 {
        return Ok(());
    }
    let of = |first: usize, lines: u16| bits(lines).fold(0, |set, line| set | HOUSE_SET[first + line]);
    for tuple in subsets_of(9, size) {
        for digit in bits(possible).filter(|&digit| tuple & !members[digit] == 0) {
            let union = bits(tuple).fold(0, |union, line| union | state.places[base + line][digit]);
            if count(union) != size as u32 {
                continue;
            }
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
    }
    Ok(())
}
