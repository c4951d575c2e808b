//! Forcing chains and nets: every choice leads to the same result, or one choice leads to a contradiction.
//!
//! ```text
//!   contradiction    r4c5=3 -> ... r1c1 has no candidate      r4c5 is not 3
//!   verity           r4c5=3 -> ... r9c9=1
//!                    r4c5=8 -> ... r9c9=1                      r9c9 is 1, r4c5 has no third candidate
//! ```
//!
//! A premise says that one candidate is true, or that it is false; [`crate::rate::position::closure`] draws how
//! premises and conclusions are numbered. A chain follows single implications. A net also follows implications that
//! need several facts.
//!
//! * **Contradiction**: the premise makes a candidate both true and false, leaves a cell without candidates, or leaves
//!   a house without a place for a digit. So the opposite of the premise is true.
//! * **Verity**: the same result follows from each candidate of a cell, from each place of a digit in a house, or from
//!   both the truth and the falsehood of a candidate. So the result is true.
//!
//! Placements come first. Reference: Sudopedia, "Forcing Chain", "Forcing Net"; HoDoKu, Last Resort.

use crate::board::CellSet;

use crate::rate::bits::{has, intersect, members, row};
use crate::rate::ladder::sink::{Pattern, Sink};
use crate::rate::position::Position;
use crate::rate::position::closure::{Closure, Implications};

/// Offers the opposite of every premise that leads to a contradiction.
pub(crate) fn contradictions<S: CellSet>(
    position: &Position<'_, S>,
    implications: Implications,
    sink: &mut impl Sink<S>,
) {
    let closure = position.closure(implications);
    let bad = closure.contradictions();
    let count = closure.links.singles;
    for node in 0..count {
        // Premise `count + node`: the node is false.
        if has(&bad, count + node) {
            conclude(closure, node, true, &[node], sink);
        }
        if has(&bad, node) {
            conclude(closure, node, false, &[node], sink);
        }
    }
}

/// Offers every result that follows from each choice: of a cell, of a house, or between truth and falsehood.
pub(crate) fn verities<S: CellSet>(position: &Position<'_, S>, implications: Implications, sink: &mut impl Sink<S>) {
    let closure = position.closure(implications);
    let (count, groups) = (closure.links.singles, &closure.groups);
    let [of_truth, of_falsehood] = closure.conclusions(implications);
    let mut found = Vec::new();
    let mut note = |all: &[u64], number: usize| {
        // The priority of eliminations is 1. Once there is a placement, they are not wanted.
        let conclusions = members(all).map(|literal| closure.conclusion(literal));
        let wanted = conclusions.filter(|&(_, truth)| truth || sink.last_priority() > 0);
        found.extend(wanted.map(|(node, truth)| (node, !truth, number)));
    };
    let mut all = vec![0; closure.words];
    for (number, group) in groups.iter().enumerate() {
        all.fill(u64::MAX);
        group.iter().for_each(|&premise| intersect(&mut all, row(&of_truth, premise, closure.words)));
        note(&all, number);
    }
    for premise in 0..count {
        all.copy_from_slice(row(&of_truth, premise, closure.words));
        intersect(&mut all, row(&of_falsehood, premise, closure.words));
        note(&all, groups.len() + premise);
    }
    found.sort_unstable();
    // Each with the number of its choice. The groups come first, then the two sides of each candidate.
    for (node, is_false, number) in found {
        let premise = [number.saturating_sub(groups.len())];
        conclude(closure, node, !is_false, groups.get(number).map_or(&premise[..], |group| &group[..]), sink);
    }
}

/// Offers the conclusion that a node is true (false). `premises` are the nodes of the choice, for the pattern.
fn conclude<S: CellSet>(closure: &Closure<S>, node: usize, truth: bool, premises: &[usize], sink: &mut impl Sink<S>) {
    let (links, digit) = (&closure.links, closure.links.nodes[node].digit);
    let Some(cell) = links.cell(node) else { return };
    let pattern = || {
        let digits = premises.iter().map(|&premise| links.nodes[premise].digit).collect();
        let mut cells: Vec<_> = premises.iter().filter_map(|&premise| links.cell(premise)).collect();
        cells.dedup();
        Pattern::of(digits, cells)
    };
    if truth { sink.place(cell, digit, 0, pattern) } else { sink.eliminate_at(1, &[(digit, S::only(cell))], pattern) }
}
