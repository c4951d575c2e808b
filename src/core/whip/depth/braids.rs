//! BxB: the length of the braids that are needed inside the assumptions of T&E.

use super::trial::Trial;
use super::views::Views;
use crate::whip::search::{Assumptions, LONGEST};
use crate::whip::tables::{CANDIDATES, CspState};

/// The smallest length p for which a position is solved by assuming one candidate after the other, each refuted by
/// singles and braids up to p. `truth` marks the candidates of the solution, which are never assumed. `budget` is the
/// number of assumptions that the search for braids may make. None if it is used up, or if the longest braids
/// ([`LONGEST`]) do not suffice.
pub(super) fn bxb(mut position: CspState, truth: &[bool], budget: u64) -> Option<u8> {
    let mut search = Box::new(Assumptions::new(budget));
    let mut trial = Trial::default();
    position.singles();
    // Whether T&E(1) refutes a candidate, as far as that is known. What it refutes, it also refutes later.
    let mut refutable = [None; CANDIDATES];
    for length in 1..=LONGEST {
        loop {
            let (views, mut is_new) = (Views::of(&position), false);
            let order: Vec<usize> = position.candidates().map(usize::from).collect();
            for &candidate in &order {
                // After an assumption, braids refute nothing that T&E(1) cannot refute: such candidates are skipped.
                if truth[candidate] || !position.alive[candidate] {
                    continue;
                }
                if !*refutable[candidate].get_or_insert_with(|| trial.refutes(&views, candidate, &order)) {
                    continue;
                }
                let mut assumed = position.clone();
                assumed.place(candidate);
                if refuted(&mut search, assumed, length) {
                    is_new = true;
                    position.eliminate(candidate);
                    position.singles();
                }
                if search.spent() {
                    return None;
                }
            }
            if position.open == 0 {
                return Some(length);
            }
            if !is_new {
                break;
            }
            // What T&E(1) has not refuted so far, it may refute in the new position.
            refutable.iter_mut().for_each(|refutable| *refutable = refutable.filter(|&refuted| refuted));
        }
    }
    None
}

/// True if singles and braids up to a length lead from a position to a contradiction. False if they lead to its
/// solution or no further, or if the budget is used up, as [`Assumptions::spent`] then says.
fn refuted(search: &mut Assumptions, mut position: CspState, length: u8) -> bool {
    loop {
        position.singles();
        if position.broken || position.open == 0 {
            return position.broken;
        }
        search.load(&position, &position);
        let targets: Vec<u16> = position.candidates().collect();
        let is_new = (1..=length).any(|longest| eliminate(search, &mut position, &targets, longest));
        if !is_new || search.spent() {
            return false;
        }
    }
}

/// Eliminates targets by braids up to a length, until there is a single. False if there are none.
fn eliminate(search: &mut Assumptions, position: &mut CspState, targets: &[u16], longest: u8) -> bool {
    let mut is_new = false;
    for &target in targets {
        if search.refutable(target, longest) && (longest <= 1 || search.braid(target, longest)) {
            is_new = true;
            position.eliminate(target.into());
            search.eliminate(target);
            if position.has_singles() {
                break;
            }
        }
    }
    is_new
}
