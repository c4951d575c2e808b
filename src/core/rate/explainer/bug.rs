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
//! must have a common peer that is not itself a bug cell, at every moment of the scan. In the end, the grid without the
//! bug values must be a BUG.
//!
//! Order of hints: type 1; or 2, then 4; or 4, then 3 by house kind, size, and cells in the peer order of the first bug
//! cell.

use super::found::{FoundHint, Taker};
use super::kind::HintKind;
use super::state::State;
use super::tables::{HOUSE, OF, PEER_LIST, PEERS, bits, count, subsets_of};

struct BugPattern {
    /// In the order in which they were found.
    cells: [u8; 81],
    count: usize,
    values: [u16; 81],
    all_values: u16,
    /// Cells that see all bug cells and are not bug cells.
    common: u128,
}

pub(super) fn bug(state: &State, take: &mut Taker) -> bool {
    let Some(pattern) = bug_cells(state) else { return false };
    if pattern.count == 0 || !is_bug(state, &pattern) {
        return false;
    }
    if pattern.count == 1 {
        return type_1(state, &pattern, take);
    }
    if pattern.all_values.count_ones() == 1 {
        return type_2(state, &pattern, take) || pattern.count == 2 && type_4(state, &pattern, take);
    }
    pattern.common != 0 && (pattern.count == 2 && type_4(state, &pattern, take) || type_3(state, &pattern, take))
}

fn bug_cells(state: &State) -> Option<BugPattern> {
    let mut pattern = BugPattern { cells: [0; 81], count: 0, values: [0; 81], all_values: 0, common: u128::MAX };
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
                pattern.cells[pattern.count] = cell as u8;
                pattern.count += 1;
            }
            pattern.values[cell] |= 1 << digit;
            pattern.all_values |= 1 << digit;
            pattern.common &= PEERS[cell] & !known;
            if pattern.count > 1 && pattern.all_values.count_ones() > 1 && pattern.common == 0 {
                return None;
            }
        }
    }
    Some(pattern)
}

fn is_bug(state: &State, pattern: &BugPattern) -> bool {
    let mut rest = state.clone();
    for &cell in &pattern.cells[..pattern.count] {
        bits(pattern.values[cell as usize]).for_each(|digit| rest.eliminate(cell as usize, digit));
    }
    (0..81).all(|cell| rest.value[cell] != 0 || rest.digits[cell].count_ones() == 2)
        && rest.places.iter().flatten().all(|&places| matches!(count(places), 0 | 2))
}

fn found(pattern: &BugPattern, kind: u8) -> FoundHint {
    let set = pattern.cells[..pattern.count].iter().fold(0, |set, &cell| set | 1 << cell);
    FoundHint { cells: set, digits: pattern.all_values, ..FoundHint::new(HintKind::Bug { kind }) }
}

fn type_1(state: &State, pattern: &BugPattern, take: &mut Taker) -> bool {
    let mut found = found(pattern, 1);
    let cell = pattern.cells[0] as usize;
    bits(state.digits[cell] & !pattern.all_values).for_each(|digit| found.remove[digit] = 1 << cell);
    take(&found)
}

fn type_2(state: &State, pattern: &BugPattern, take: &mut Taker) -> bool {
    let mut found = found(pattern, 2);
    let digit = pattern.all_values.trailing_zeros() as usize;
    found.remove[digit] = pattern.common & state.cells[digit];
    found.is_worth() && take(&found)
}

fn type_4(state: &State, pattern: &BugPattern, take: &mut Taker) -> bool {
    let [one, two] = [pattern.cells[0] as usize, pattern.cells[1] as usize];
    let common = state.digits[one] & state.digits[two] & !pattern.all_values;
    let share = (0..3).any(|kind| OF[one][kind].0 == OF[two][kind].0);
    if common.count_ones() != 1 || !share {
        return false;
    }
    let mut found = found(pattern, 4);
    for cell in [one, two] {
        bits(state.digits[cell] & !pattern.values[cell] & !common).for_each(|digit| found.remove[digit] |= 1 << cell);
    }
    take(&found)
}

fn type_3(state: &State, pattern: &BugPattern, take: &mut Taker) -> bool {
    let first = pattern.cells[0] as usize;
    for (kind, &(house, _)) in OF[first].iter().enumerate() {
        if pattern.cells[..pattern.count].iter().any(|&cell| OF[cell as usize][kind].0 != house) {
            continue;
        }
        let in_house = |cell: &u8| pattern.common >> cell & 1 != 0 && OF[*cell as usize][kind].0 == house;
        let rest: Vec<usize> = PEER_LIST[first].iter().filter(|cell| in_house(cell)).map(|&cell| cell.into()).collect();
        for size in (2..=6).filter(|&size| rest.len() >= size) {
            for choice in subsets_of(rest.len(), size - 1) {
                if naked_set(state, pattern, &rest, choice, size, house).is_some_and(|found| take(&found)) {
                    return true;
                }
            }
        }
    }
    false
}

/// The chosen cells and the bug cells, which count as one cell, as a naked set. The chosen cells must have all digits
/// of the set.
fn naked_set(
    state: &State,
    pattern: &BugPattern,
    rest: &[usize],
    choice: u16,
    size: usize,
    house: u8,
) -> Option<FoundHint> {
    let digits = |at: usize| state.digits[rest[at]];
    let union = bits(choice).fold(0, |set, at| set | digits(at));
    if count(union) as usize != size
        || (union | pattern.all_values).count_ones() as usize != size
        || pattern.all_values.count_ones() <= 1
        || bits(choice).any(|at| digits(at).count_ones() <= 1)
    {
        return None;
    }
    let mut found = found(pattern, 3);
    found.rating = 5.7 + (size - 1) as f64 * 0.1;
    found.base = 1 << house;
    for (at, &cell) in rest.iter().enumerate().filter(|(at, _)| choice >> at & 1 == 0) {
        bits(digits(at) & union).for_each(|digit| found.remove[digit] |= 1 << cell);
    }
    found.is_worth().then_some(found)
}
