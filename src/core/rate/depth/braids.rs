//! BxB: the length of the braids that T&E(1) needs after its assumptions.

use super::trial::Trial;
use super::views::Views;
use crate::rate::whip::search::{Assumptions, LONGEST};
use crate::rate::whip::tables::{CANDIDATES, CspState};

/// The smallest length p for which T&E(1) with braids up to p solves a position. None when the budget is used
/// up, or when the longest braids ([`LONGEST`]) do not suffice. Only candidates outside the solution are assumed.
pub(super) fn bxb(mut position: CspState, truth: &[bool], budget: u64) -> Option<u8> {
    let mut search = Box::new(Assumptions::new(budget));
    let mut trial = Trial::default();
    position.singles();
    // Whether T&E(1) refutes a candidate, as far as that is known. What it refutes, it also refutes later.
    let mut refutable = [None; CANDIDATES];
    for length in 1..=LONGEST {
        loop {
            let (views, mut found) = (Views::of(&position), false);
            let order: Vec<usize> = position.candidates().map(usize::from).collect();
            for &candidate in &order {
                // Braids refute nothing that T&E(1) cannot refute, so candidates that it does not refute are skipped.
                if truth[candidate] || !position.alive[candidate] {
                    continue;
                }
                if !*refutable[candidate].get_or_insert_with(|| trial.refutes(&views, candidate, &order)) {
                    continue;
                }
                let mut assumed = position.clone();
                assumed.place(candidate);
                if refuted(&mut search, assumed, length) {
                    found = true;
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
            if !found {
                break;
            }
            // What T&E(1) has not refuted so far, it may refute in the new position.
            refutable.iter_mut().for_each(|known| *known = known.filter(|&refuted| refuted));
        }
    }
    None
}

/// True when singles and braids up to a length end in a contradiction.
fn refuted(search: &mut Assumptions, mut position: CspState, length: u8) -> bool {
    loop {
        position.singles();
        if position.broken || position.open == 0 {
            return position.broken;
        }
        search.load(&position, &position);
        let targets: Vec<u16> = position.candidates().collect();
        let found = (1..=length).any(|shortest| {
            let mut any = false;
            for &target in &targets {
                if search.refutable(target, shortest) && (shortest <= 1 || search.braid(target, shortest)) {
                    any = true;
                    position.eliminate(target.into());
                    search.eliminate(target);
                    if position.has_singles() {
                        break;
                    }
                }
            }
            any
        });
        if !found || search.spent() {
            return false;
        }
    }
}
