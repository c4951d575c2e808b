//! What a dynamic run does when its queues are empty: it applies easier rules to the grid of that moment.
//!
//! Every level from [`ChainLevel::Plus`] on applies locked candidates, hidden pairs, naked pairs and X-Wings, in this
//! order, and then what [`super::nested`] tells. The first of these families that finds something ends the round. *All*
//! its hints are used, in scan order; each candidate belongs to the first hint that removes it. The parents of the
//! removed candidate are those that had to go before the pattern could appear. A hint without parents is skipped.
//!
//! If a hint removes several candidates, the original takes the cells in the order of a hash table keyed by object
//! identity, which changes from run to run. Here they are taken row by row, digits upwards. It decides which of two
//! equally early conclusions comes first. Of 458 of the hardest puzzles, one has another ER because of it: 10.7 here
//! and in the original with rows in order, 10.8 in the original as it is.

use super::nested::{producers, removed};
use super::run::{NONE, Run};
use crate::explainer::found::FoundHint;
use crate::explainer::kind::ChainLevel;
use crate::explainer::patterns::fish::fish;
use crate::explainer::patterns::locking::locking;
use crate::explainer::patterns::subsets::{hidden_sets, naked_sets};
use crate::explainer::state::State;

/// Applies one round. True when something was added. `parents` is only memory.
pub(crate) fn extend(run: &mut Run, source: &State, state: &State, level: ChainLevel, parents: &mut Vec<u16>) -> bool {
    for family in 0..4 {
        // A family counts as soon as it has a hint with parents, even if all that it removes is already off.
        let (mut has_hint, mut added) = (false, false);
        let mut take = |hint: &FoundHint| {
            parents.clear();
            hint.parents(source, state, |cell, digit| parents.push(run.node(9 * cell + digit, false)));
            if !parents.is_empty() {
                has_hint = true;
                for (cell, digit) in removed(&hint.remove) {
                    added |= run.add_off(9 * cell + digit, parents, NONE);
                }
            }
            Ok(())
        };
        _ = match family {
            0 => locking(state, false, &mut take),
            1 => hidden_sets(state, 2, &mut take),
            2 => naked_sets(state, 2, &mut take),
            _ => fish(state, 2, &mut take),
        };
        if has_hint {
            return added;
        }
    }
    let mut added = false;
    producers(state, level, extend, |hint| {
        parents.clear();
        hint.parents(source, state, |cell, digit| {
            let parent = run.node(9 * cell + digit, false);
            if !parents.contains(&parent) {
                parents.push(parent);
            }
        });
        if parents.is_empty() {
            return false;
        }
        if removed(&hint.remove).any(|(cell, digit)| run.node(9 * cell + digit, false) == NONE) {
            let number = run.nest(hint.nested);
            for (cell, digit) in removed(&hint.remove) {
                added |= run.add_off(9 * cell + digit, parents, number);
            }
        }
        true
    });
    added
}
