//! Compares unique loops with their definition: sets of cells that hold two digits and that one closed walk visits.
//!
//! [`crate::explainer::patterns::loops`] has the definition. Here *extra* digits are those besides the two of the loop.
//! Type 3, and type 2 with more than two cells with extra digits, are not defined a second time.

use std::collections::HashSet;

use super::positions;
use crate::explainer::HintKind;
use crate::explainer::found::FoundHint;
use crate::explainer::patterns::loops::unique_loops;
use crate::explainer::state::State;
use crate::explainer::tables::{HOUSE_SET, HOUSES, PEERS, cell_set, cells, count};

/// What decides between loops: the rating, then the type. An easier loop is less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct LoopRank {
    tenths: u16,
    loop_type: u8,
}

/// Extends a set by cells of `open` in all ways until every house has two of its cells or none. Adds these sets to
/// `closed`. No house ever has three.
fn close(open: u128, set: u128, closed: &mut HashSet<u128>) {
    let Some(house) = (0..HOUSES).find(|&house| (set & HOUSE_SET[house]).count_ones() == 1) else {
        closed.insert(set);
        return;
    };
    for cell in cells(open & HOUSE_SET[house] & !set) {
        let longer = set | 1 << cell;
        if HOUSE_SET.iter().all(|&house| (longer & house).count_ones() <= 2) {
            close(open, longer, closed);
        }
    }
}

/// True if one walk from house to house visits each cell once, closes, and has one cell of each house at an even step.
/// `path` is the beginning of the walk.
fn is_loop(set: u128, path: &mut Vec<usize>) -> bool {
    let (first, last) = (path[0], path[path.len() - 1]);
    if path.len() == set.count_ones() as usize {
        let even = cell_set(path.iter().step_by(2).copied());
        let alternates = HOUSE_SET.iter().all(|&house| set & house == 0 || (even & house).count_ones() == 1);
        return alternates && PEERS[last] >> first & 1 != 0;
    }
    cells(set & PEERS[last]).any(|next| {
        if path.contains(&next) {
            return false;
        }
        path.push(next);
        let closes = is_loop(set, path);
        path.pop();
        closes
    })
}

/// The easiest unique loop of type 1, 2 or 4 with at most two cells with extra digits.
fn plain_loop(state: &State) -> Option<LoopRank> {
    let bivalue = cell_set((0..81).filter(|&cell| count(state.digits[cell]) == 2));
    let mut ranks = Vec::new();
    for pair in (0..9).flat_map(|one| (one + 1..9).map(move |two| [one, two])) {
        let open = state.cells[pair[0]] & state.cells[pair[1]];
        let mut closed = HashSet::new();
        cells(open & bivalue).for_each(|start| close(open, 1 << start, &mut closed));
        for set in closed {
            let extra_cells: Vec<usize> = cells(set & !bivalue).collect();
            let start = (set & bivalue).trailing_zeros() as usize;
            if !(1..=2).contains(&extra_cells.len()) || !is_loop(set, &mut vec![start]) {
                continue;
            }
            let tenths = match set.count_ones() {
                4 => 45,
                6 => 46,
                8 => 47,
                _ => 50,
            };
            let types = plain_types(state, pair, set, &extra_cells);
            ranks.extend(types.into_iter().map(|loop_type| LoopRank { tenths, loop_type }));
        }
    }
    ranks.into_iter().min()
}

/// The types 1, 2 and 4 of a loop with one or two cells with extra digits.
fn plain_types(state: &State, pair: [usize; 2], set: u128, extra_cells: &[usize]) -> Vec<u8> {
    let &[one, two] = extra_cells else { return vec![1] };
    let extra_digits = (state.digits[one] | state.digits[two]) & !(1 << pair[0] | 1 << pair[1]);
    let mut types = Vec::new();
    if count(extra_digits) == 1 {
        let places = state.cells[extra_digits.trailing_zeros() as usize];
        types.extend((PEERS[one] & PEERS[two] & places & !set != 0).then_some(2));
    }
    // A digit is locked if a house has it in both cells and nowhere else.
    let mut shared_houses = HOUSE_SET.iter().filter(|&house| house >> one & house >> two & 1 != 0);
    let is_locked = shared_houses.any(|house| pair.iter().any(|&digit| (house & state.cells[digit]).count_ones() == 2));
    types.extend(is_locked.then_some(4));
    types
}

/// The first unique loop must be the easiest by the definition. Adds to the number of loops of each type.
pub(super) fn check_loops(states: &[State], counts_by_type: &mut [usize; 5]) {
    for state in states {
        let mut first = None;
        _ = unique_loops(state, true, &mut |hint: &FoundHint| {
            first = Some(hint.clone());
            Ok(())
        });
        let plain = plain_loop(state);
        let Some(hint) = first else {
            assert_eq!(plain, None);
            continue;
        };
        let HintKind::UniqueLoop(loop_type, _) = hint.kind else { unreachable!("loops give hints of loops") };
        counts_by_type[usize::from(loop_type)] += 1;
        let extra_cells = cells(hint.cells).filter(|&cell| count(state.digits[cell]) > 2).count();
        let rank = LoopRank { tenths: hint.tenths(), loop_type };
        if loop_type == 3 || extra_cells > 2 {
            assert!(plain.is_none_or(|plain| rank < plain), "{plain:?}");
        } else {
            assert_eq!(plain, Some(rank));
        }
    }
}

#[test]
fn the_first_unique_loop_is_the_easiest_by_the_definitions() {
    let mut counts_by_type = [0; 5];
    check_loops(&positions(3_000), &mut counts_by_type);
    assert!(counts_by_type[1..].iter().all(|&count| count > 0), "{counts_by_type:?}");
}
