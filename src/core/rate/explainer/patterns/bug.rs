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

use crate::rate::explainer::found::{FoundHint, Search, Taker};
use crate::rate::explainer::kind::HintKind;
use crate::rate::explainer::state::State;
use crate::rate::explainer::tables::{CELLS, HOUSE, HOUSE_SET, OF, PEERS, bits, count, peers_in, subsets_of};

/// The bug cells of a position.
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

/// Offers the hints of a BUG, if there is one.
pub(crate) fn bug(state: &State, take: &mut Taker) -> Search {
    let Some(pattern) = bug_cells(state) else { return Ok(()) };
    let set = pattern.cells.iter().fold(0, |set, &cell| set | 1 << cell);
    let found = |kind| FoundHint { cells: set, digits: pattern.all_values, ..FoundHint::new(HintKind::Bug(kind)) };
    let one_value = pattern.all_values.count_ones() == 1;
    match pattern.cells[..] {
        [] => return Ok(()),
        _ if !is_bug(state, &pattern) => return Ok(()),
        [cell] => {
            let mut found = found(1);
            bits(state.digits[cell] & !pattern.all_values).for_each(|digit| found.remove[digit] = 1 << cell);
            return take(&found);
        }
        _ if one_value => {
            let mut found = found(2);
            let digit = pattern.all_values.trailing_zeros() as usize;
            found.remove[digit] = pattern.common & state.cells[digit];
            found.offer(take)?;
        }
        _ if pattern.common == 0 => return Ok(()),
        _ => {}
    }
    if let [one, two] = pattern.cells[..] {
        let common = state.digits[one] & state.digits[two] & !pattern.all_values;
        if common.count_ones() == 1 && OF[one].iter().zip(OF[two]).any(|(one, two)| one.0 == two.0) {
            let mut found = found(4);
            for cell in [one, two] {
                let gone = state.digits[cell] & !pattern.values[cell] & !common;
                bits(gone).for_each(|digit| found.remove[digit] |= 1 << cell);
            }
            take(&found)?;
        }
    }
    if one_value { Ok(()) } else { type_3(state, &pattern, &found(3), take) }
}

/// The bug cells with their bug values, as the header says. None if there is no BUG; whether the grid without them is
/// one is not tested yet.
fn bug_cells(state: &State) -> Option<BugPattern> {
    let mut pattern = BugPattern { cells: Vec::new(), values: [0; 81], all_values: 0, common: u128::MAX };
    let mut known = 0u128;
    for (house, of_digits) in state.places.iter().enumerate() {
        for (digit, &places) in of_digits.iter().enumerate() {
            if matches!(count(places), 0 | 2) {
                continue;
            }
            let mut wide =
                bits(places).map(|place| HOUSE[house][place] as usize).filter(|&cell| count(state.digits[cell]) >= 3);
            let cell = wide.next()?;
            if wide.next().is_some() {
                continue;
            }
            if known >> cell & 1 == 0 {
                known |= 1 << cell;
                pattern.cells.push(cell);
            }
            pattern.values[cell] |= 1 << digit;
            pattern.all_values |= 1 << digit;
            pattern.common &= PEERS[cell] & !known;
            if pattern.cells.len() > 1 && pattern.all_values.count_ones() > 1 && pattern.common == 0 {
                return None;
            }
        }
    }
    Some(pattern)
}

/// True if the grid without the bug values is a BUG.
fn is_bug(state: &State, pattern: &BugPattern) -> bool {
    let mut rest = state.clone();
    for &cell in &pattern.cells {
        bits(pattern.values[cell]).for_each(|digit| rest.eliminate(cell, digit));
    }
    rest.cells_with(2) | rest.filled.iter().fold(0, |all, set| all | set) == (1 << CELLS) - 1
        && rest.places.iter().flatten().all(|&places| matches!(count(places), 0 | 2))
}

/// The bug cells, which count as one cell, and others of their house as a naked set. The others must have all digits of
/// the set. `empty` is the hint without what it removes.
fn type_3(state: &State, pattern: &BugPattern, empty: &FoundHint, take: &mut Taker) -> Search {
    let first = pattern.cells[0];
    for house in OF[first].map(|(house, _)| house as usize) {
        if empty.cells & !HOUSE_SET[house] != 0 {
            continue;
        }
        let rest: Vec<usize> = peers_in(first, pattern.common & HOUSE_SET[house]).collect();
        for size in (2..=6).filter(|&size| rest.len() >= size) {
            for choice in subsets_of(rest.len(), size - 1) {
                let digits = |at: usize| state.digits[rest[at]];
                let union = bits(choice).fold(0, |set, at| set | digits(at));
                // A filled cell, or one with a single candidate, takes no part in the set.
                if count(union) as usize != size
                    || count(union | pattern.all_values) as usize != size
                    || bits(choice).any(|at| count(digits(at)) <= 1)
                {
                    continue;
                }
                let mut found = FoundHint { base: 1 << house, ..empty.clone() };
                found.rating = 5.7 + (size - 1) as f64 * 0.1;
                for (at, &cell) in rest.iter().enumerate().filter(|(at, _)| choice >> at & 1 == 0) {
                    bits(digits(at) & union).for_each(|digit| found.remove[digit] |= 1 << cell);
                }
                found.offer(take)?;
            }
        }
    }
    Ok(())
}
