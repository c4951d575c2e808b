//! Bivalue Universal Grave (BUG), types 1 to 4.
//!
//! If every empty cell of a grid has two candidates, and every digit two places in each house, the grid has no solution
//! or two. If only the *bug values* of a few *bug cells* prevent this, one of these values is true.
//!
//! | type | rating | bug cells | what is removed |
//! |---|---|---|---|
//! | 1 | 5.6 | one | its other candidates |
//! | 2 | 5.7 | all with the same bug value | that value from the cells that see them all |
//! | 4 | 5.7 | two in a house, one more digit in common | their digits besides bug values and the common one |
//! | 3 | 5.7 + 0.1 (n - 1) | in a house, with a naked set of n | the digits of the set from the rest of the house |
//!
//! **Finding the bug cells.** For every house (block, row, column) and every digit that has places, but not two, look
//! at the places with three or more candidates. If there is exactly one, it is a bug cell with this bug value. If there
//! are more, nothing is decided here. If there is none, there is no BUG. Two or more bug cells with different values
//! must have a common peer that is not itself a bug cell, at every moment of the scan. The grid without the bug values
//! must be a BUG.
//!
//! Order of hints: type 1; or 2, then 4; or 4, then 3 by house kind, size, and peer order of the first bug cell.

use crate::explainer::found::{FoundHint, Taken, Taker};
use crate::explainer::kind::HintKind;
use crate::explainer::state::State;
use crate::explainer::tables::{
    CELLS, HOUSE, HOUSE_SET, HOUSES_OF, OF, PEERS, bits, cell_set, count, peers_in, subsets_of,
};

struct BugPattern {
    /// The bug cells in the order in which they are found.
    cells: Vec<usize>,
    /// The bug values of each cell, as bits.
    values: [u16; 81],
    /// The bug values of all cells.
    all_values: u16,
    /// Cells that see all bug cells and are not bug cells.
    common: u128,
}

impl BugPattern {
    /// A hint of a type, without what it removes.
    fn hint(&self, kind: u8) -> FoundHint {
        let cells = cell_set(self.cells.iter().copied());
        FoundHint { cells, digits: self.all_values, ..FoundHint::new(HintKind::Bug(kind)) }
    }
}

pub(crate) fn bug(state: &State, take: &mut Taker) -> Taken {
    let Some(pattern) = bug_cells(state) else { return Ok(()) };
    if pattern.cells.is_empty() || !is_bug(state, &pattern) {
        return Ok(());
    }
    if let [cell] = pattern.cells[..] {
        let mut hint = pattern.hint(1);
        bits(state.digits[cell] & !pattern.all_values).for_each(|digit| hint.remove[digit] = 1 << cell);
        return take(&hint);
    }
    let has_one_value = pattern.all_values.is_power_of_two();
    if has_one_value {
        let mut hint = pattern.hint(2);
        let digit = pattern.all_values.trailing_zeros() as usize;
        hint.remove[digit] = pattern.common & state.cells[digit];
        hint.offer(take)?;
    } else if pattern.common == 0 {
        return Ok(());
    }
    if let [one, two] = pattern.cells[..] {
        type_4(state, &pattern, one, two, take)?;
    }
    if has_one_value { Ok(()) } else { type_3(state, &pattern, take) }
}

/// The bug cells, found as the header says. None if there is no BUG; [`is_bug`] tests the grid without bug values.
fn bug_cells(state: &State) -> Option<BugPattern> {
    let mut pattern = BugPattern { cells: Vec::new(), values: [0; 81], all_values: 0, common: u128::MAX };
    let mut bug_set = 0u128;
    for (house, places_of_digits) in state.places.iter().enumerate() {
        for (digit, &places) in places_of_digits.iter().enumerate() {
            if matches!(count(places), 0 | 2) {
                continue;
            }
            let house_cells = bits(places).map(|place| HOUSE[house][place] as usize);
            let mut wide_cells = house_cells.filter(|&cell| count(state.digits[cell]) >= 3);
            let cell = wide_cells.next()?;
            if wide_cells.next().is_some() {
                continue;
            }
            if bug_set >> cell & 1 == 0 {
                bug_set |= 1 << cell;
                pattern.cells.push(cell);
            }
            pattern.values[cell] |= 1 << digit;
            pattern.all_values |= 1 << digit;
            pattern.common &= PEERS[cell] & !bug_set;
            if pattern.cells.len() > 1 && pattern.all_values.count_ones() > 1 && pattern.common == 0 {
                return None;
            }
        }
    }
    Some(pattern)
}

fn is_bug(state: &State, pattern: &BugPattern) -> bool {
    let mut rest = state.clone();
    for &cell in &pattern.cells {
        bits(pattern.values[cell]).for_each(|digit| rest.eliminate(cell, digit));
    }
    let filled = rest.filled.iter().fold(0, |union, set| union | set);
    let two_or_filled = rest.cells_with(2) | filled;
    let all_cells = (1 << CELLS) - 1;
    two_or_filled == all_cells && rest.places.iter().flatten().all(|&places| matches!(count(places), 0 | 2))
}

/// Two bug cells in a house with one more digit in common: each loses the digits besides this one and its bug values.
fn type_4(state: &State, pattern: &BugPattern, one: usize, two: usize, take: &mut Taker) -> Taken {
    let common = state.digits[one] & state.digits[two] & !pattern.all_values;
    if !common.is_power_of_two() || HOUSES_OF[one] & HOUSES_OF[two] == 0 {
        return Ok(());
    }
    let mut hint = pattern.hint(4);
    for cell in [one, two] {
        let removed = state.digits[cell] & !pattern.values[cell] & !common;
        bits(removed).for_each(|digit| hint.remove[digit] |= 1 << cell);
    }
    take(&hint)
}

/// The bug cells, which count as one, and others of their house as a naked set. The others have all digits of the set.
fn type_3(state: &State, pattern: &BugPattern, take: &mut Taker) -> Taken {
    let first = pattern.cells[0];
    let without_removals = pattern.hint(3);
    for (house, _) in OF[first] {
        let house = house as usize;
        if without_removals.cells & !HOUSE_SET[house] != 0 {
            continue;
        }
        let cells: Vec<usize> = peers_in(first, pattern.common & HOUSE_SET[house]).collect();
        for size in 2..=6.min(cells.len()) {
            for choice in subsets_of(cells.len(), size - 1) {
                let members = bits(choice).map(|member| state.digits[cells[member]]);
                let Some(set_digits) = naked_set(members, size, pattern.all_values) else { continue };
                let mut hint = FoundHint { base: 1 << house, ..without_removals.clone() };
                hint.rating += (size - 1) as f64 * 0.1;
                for (_, &cell) in cells.iter().enumerate().filter(|(member, _)| choice >> member & 1 == 0) {
                    bits(state.digits[cell] & set_digits).for_each(|digit| hint.remove[digit] |= 1 << cell);
                }
                hint.offer(take)?;
            }
        }
    }
    Ok(())
}

/// The digits of the cells of a naked set, if these are `size` digits and include the bug values. A filled cell, or one
/// with a single candidate, takes no part in the set.
fn naked_set(mut members: impl Iterator<Item = u16> + Clone, size: usize, bug_values: u16) -> Option<u16> {
    let set_digits = members.clone().fold(0, |union, digits| union | digits);
    let is_naked_set = count(set_digits) as usize == size
        && count(set_digits | bug_values) as usize == size
        && members.all(|digits| count(digits) > 1);
    is_naked_set.then_some(set_digits)
}
