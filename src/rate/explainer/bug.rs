//! Bivalue universal grave, types 1 to 4.
//!
//! A grid in which every empty cell has two candidates and every digit two places in each house has no or two solutions. If
//! only the *bug values* of a few *bug cells* keep the grid from that, one of them is true.
//!
//! | type | rating | bug cells | what goes |
//! |---|---|---|---|
//! | 1 | 5.6 | one | its other candidates |
//! | 2 | 5.7 | all with the same bug value | that value from the cells that see them all |
//! | 4 | 5.7 | two in a house, one more digit in common | their digits besides bug values and the common one |
//! | 3 | 5.7 + 0.1 (n - 1) | in a house, with a naked set of n | the set from the rest of the house |
//!
//! **Finding the bug cells.** For every house (block, row, column) and digit with neither none nor two places: the
//! cells among them with three or more candidates. Exactly one: it is a bug cell with this bug value. More: nothing is
//! decided here. None: no grave. Two bug cells or more with different values must have a common peer that is not
//! itself a bug cell, at every moment of the scan. Then the grid without the bug values must be a grave.
//!
//! Order of hints: 1; or 2, then 4; or 4, then 3 by house kind, size, and cells in the peer order of the first bug cell.

use super::found::{Found, Taker};
use super::kind::Kind;
use super::state::State;
use super::tables::{HOUSE, OF, PEER_LIST, PEERS, bits, count, subsets_of};

struct Grave {
    /// In the order in which they were found.
    cells: [u8; 81],
    count: usize,
    /// Bug values of each cell.
    values: [u16; 81],
    all_values: u16,
    /// Cells that see all bug cells and are none.
    common: u128,
}

/// Offers the hints of a bivalue universal grave.
pub(super) fn bug(state: &State, take: &mut impl Taker) -> bool {
    let Some(grave) = bug_cells(state) else { return false };
    if grave.count == 0 || !is_grave(state, &grave) {
        return false;
    }
    if grave.count == 1 {
        return type_1(state, &grave, take);
    }
    if grave.all_values.count_ones() == 1 {
        return type_2(state, &grave, take) || grave.count == 2 && type_4(state, &grave, take);
    }
    grave.common != 0 && (grave.count == 2 && type_4(state, &grave, take) || type_3(state, &grave, take))
}

fn bug_cells(state: &State) -> Option<Grave> {
    let mut grave = Grave { cells: [0; 81], count: 0, values: [0; 81], all_values: 0, common: u128::MAX };
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
                grave.cells[grave.count] = cell as u8;
                grave.count += 1;
            }
            grave.values[cell] |= 1 << digit;
            grave.all_values |= 1 << digit;
            grave.common &= PEERS[cell] & !known;
            if grave.count > 1 && grave.all_values.count_ones() > 1 && grave.common == 0 {
                return None;
            }
        }
    }
    Some(grave)
}

fn is_grave(state: &State, grave: &Grave) -> bool {
    let mut rest = state.clone();
    for &cell in &grave.cells[..grave.count] {
        bits(grave.values[cell as usize]).for_each(|digit| rest.eliminate(cell as usize, digit));
    }
    (0..81).all(|cell| rest.value[cell] != 0 || rest.digits[cell].count_ones() == 2)
        && rest.places.iter().flatten().all(|&places| matches!(count(places), 0 | 2))
}

fn found(grave: &Grave, kind: u8) -> Found {
    let set = grave.cells[..grave.count].iter().fold(0, |set, &cell| set | 1 << cell);
    Found { cells: set, digits: grave.all_values, ..Found::new(Kind::Bug { kind }) }
}

fn type_1(state: &State, grave: &Grave, take: &mut impl Taker) -> bool {
    let mut found = found(grave, 1);
    let cell = grave.cells[0] as usize;
    bits(state.digits[cell] & !grave.all_values).for_each(|digit| found.remove[digit] = 1 << cell);
    take(&found)
}

fn type_2(state: &State, grave: &Grave, take: &mut impl Taker) -> bool {
    let mut found = found(grave, 2);
    let digit = grave.all_values.trailing_zeros() as usize;
    found.remove[digit] = grave.common & state.cells[digit];
    found.is_worth() && take(&found)
}

fn type_4(state: &State, grave: &Grave, take: &mut impl Taker) -> bool {
    let [one, two] = [grave.cells[0] as usize, grave.cells[1] as usize];
    let common = state.digits[one] & state.digits[two] & !grave.all_values;
    let share = (0..3).any(|kind| OF[one][kind].0 == OF[two][kind].0);
    if common.count_ones() != 1 || !share {
        return false;
    }
    let mut found = found(grave, 4);
    for cell in [one, two] {
        bits(state.digits[cell] & !grave.values[cell] & !common).for_each(|digit| found.remove[digit] |= 1 << cell);
    }
    take(&found)
}

fn type_3(state: &State, grave: &Grave, take: &mut impl Taker) -> bool {
    let first = grave.cells[0] as usize;
    for (kind, &(house, _)) in OF[first].iter().enumerate() {
        if grave.cells[..grave.count].iter().any(|&cell| OF[cell as usize][kind].0 != house) {
            continue;
        }
        let in_house = |cell: &u8| grave.common >> cell & 1 != 0 && OF[*cell as usize][kind].0 == house;
        let rest: Vec<usize> = PEER_LIST[first].iter().filter(|cell| in_house(cell)).map(|&cell| cell.into()).collect();
        for size in (2..=6).filter(|&size| rest.len() >= size) {
            for choice in subsets_of(rest.len(), size - 1) {
                if naked_set(state, grave, &rest, choice, size, house).is_some_and(|found| take(&found)) {
                    return true;
                }
            }
        }
    }
    false
}

/// The chosen cells and one bug cell as a naked set; all digits of the set must stand in the chosen cells.
fn naked_set(state: &State, grave: &Grave, rest: &[usize], choice: u16, size: usize, house: u8) -> Option<Found> {
    let digits = |at: usize| state.digits[rest[at]];
    let union = bits(choice).fold(0, |set, at| set | digits(at));
    if count(union) as usize != size
        || (union | grave.all_values).count_ones() as usize != size
        || grave.all_values.count_ones() <= 1
        || bits(choice).any(|at| digits(at).count_ones() <= 1)
    {
        return None;
    }
    let mut found = found(grave, 3);
    found.rating = 5.7 + (size - 1) as f64 * 0.1;
    found.base = 1 << house;
    for (at, &cell) in rest.iter().enumerate().filter(|(at, _)| choice >> at & 1 == 0) {
        bits(digits(at) & union).for_each(|digit| found.remove[digit] |= 1 << cell);
    }
    found.is_worth().then_some(found)
}
