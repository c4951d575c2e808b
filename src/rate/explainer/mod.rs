//! Sudoku Explainer

mod advanced;
mod aligned;
mod bug;
mod cycles;
mod fish;
mod forcing;
mod found;
mod graph;
mod kind;
mod length;
mod locking;
mod loops;
mod multiple;
mod run;
mod singles;
mod state;
mod subsets;
mod tables;
mod wings;

use crate::board::Puzzle;
use found::{Found, Taker};
pub use kind::Kind;
use run::Mode;
use state::State;

/// x
pub fn quick(
    puzzle: &Puzzle,
    mut each: impl FnMut(u16, &str, Option<(u8, u8)>, &[u128; 9], u32),
) -> (u16, u16, u16, bool) {
    let Some(mut state) = State::new(puzzle) else { return (0, 0, 0, false) };
    let (mut er, mut ep, mut ed) = (0, 0, 0);
    while state.holes > 0 {
        let mut hint: Option<Found> = None;
        find(&state, &mut |found: &Found| {
            hint = Some(found.clone());
            true
        });
        let Some(hint) = hint else { return (er, ep, ed, false) };
        er = er.max(hint.tenths());
        each(hint.tenths(), &hint.kind.name(), hint.place, &hint.remove, hint.complexity);
        state.remove(&hint.remove);
        if let Some((cell, digit)) = hint.place {
            state.place(cell.into(), digit.into());
        }
        if ed == 0 {
            ed = er
        }
        if ep == 0 && hint.place.is_some() {
            ep = er
        }
    }
    (er, ep, ed, true)
}

fn find(state: &State, take: &mut impl Taker) -> bool {
    singles::hidden_singles(state, take)
        || locking::locking(state, true, take)
        || subsets::direct_hidden_sets(state, 2, take)
        || singles::naked_singles(state, take)
        || subsets::direct_hidden_sets(state, 3, take)
        || locking::locking(state, false, take)
        || subsets::naked_sets(state, 2, take)
        || fish::fish(state, 2, take)
        || subsets::hidden_sets(state, 2, take)
        || subsets::naked_sets(state, 3, take)
        || fish::fish(state, 3, take)
        || subsets::hidden_sets(state, 3, take)
        || wings::wings(state, false, take)
        || wings::wings(state, true, take)
        || loops::unique_loops(state, take)
        || subsets::naked_sets(state, 4, take)
        || fish::fish(state, 4, take)
        || subsets::hidden_sets(state, 4, take)
        || bug::bug(state, take)
        || aligned::aligned_pairs(state, take)
        || forcing::forcing(state, take)
        || aligned::aligned_triplets(state, take)
        || multiple::multiple(state, Mode { dynamic: true, nishio: true, level: 0 }, take)
        || multiple::multiple(state, Mode { dynamic: false, nishio: false, level: 0 }, take)
        || multiple::multiple(state, Mode { dynamic: true, nishio: false, level: 0 }, take)
        || multiple::multiple(state, Mode { dynamic: true, nishio: false, level: 1 }, take)
}
