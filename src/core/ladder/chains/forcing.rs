//! Forcing chains and nets: every choice leads to the same result, or one choice leads to a contradiction.
//!
//! ```text
//!   contradiction    r4c5=3 -> ... r1c1 has no candidate      r4c5 is not 3
//!   verity           r4c5=3 -> ... r9c9=1
//!                    r4c5=8 -> ... r9c9=1                      r9c9 is 1, r4c5 has no third candidate
//! ```
//!
//! A premise says that one candidate is true, or that it is false; [`crate::ladder::position::closure`] draws how
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

use crate::bits::{has, intersect, members, row, subtract, unite};
use crate::ladder::position::Position;
use crate::ladder::position::closure::{Closure, Implications};
use crate::ladder::words::sink::{Pattern, Sink};

/// Offers the opposite of every premise that leads to a contradiction.
pub(crate) fn contradictions<S: CellSet>(
    position: &Position<'_, S>,
    implications: Implications,
    sink: &mut impl Sink<S>,
) {
    let closure = position.closure(implications);
    let count = closure.links.singles;
    for node in 0..count {
        // Premise `count + node`: the node is false.
        if has(&closure.refuted, count + node) {
            conclude(closure, node, true, &[node], sink);
        }
        if has(&closure.refuted, node) {
            conclude(closure, node, false, &[node], sink);
        }
    }
}

/// Offers every result that follows from each choice: of a cell, of a house, or between truth and falsehood.
pub(crate) fn verities<S: CellSet>(position: &Position<'_, S>, implications: Implications, sink: &mut impl Sink<S>) {
    let closure = position.closure(implications);
    let (groups, words) = (&closure.groups, closure.words);
    let mut verities = Verities { results: Vec::new(), seen: vec![0; words], wants_repeats: sink.wants_repeats() };
    // What follows from each candidate of a choice.
    let mut common = vec![0; words];
    for (choice, group) in groups.iter().enumerate() {
        common.fill(u64::MAX);
        group.iter().for_each(|&premise| intersect(&mut common, row(&closure.of_truth, premise, words)));
        verities.note(&mut common, choice);
    }
    for premise in 0..closure.links.singles {
        common.copy_from_slice(row(&closure.of_truth, premise, words));
        intersect(&mut common, row(&closure.of_falsehood, premise, words));
        verities.note(&mut common, groups.len() + premise);
    }
    let mut results = verities.results;
    // Candidate by candidate, true before false.
    results.sort_unstable_by_key(|&Verity { literal, choice }| {
        let (node, truth) = closure.conclusion(literal);
        (node, !truth, choice)
    });
    for Verity { literal, choice } in results {
        let (node, truth) = closure.conclusion(literal);
        // The priority of eliminations is 1. Once there is a placement, they are not wanted.
        if truth || sink.last_priority() > 0 {
            // The groups come first, then the two sides of each candidate.
            let premise = [choice.saturating_sub(groups.len())];
            conclude(closure, node, truth, groups.get(choice).map_or(&premise[..], |group| &group[..]), sink);
        }
    }
}

/// A result, and the number of the choice from which it follows in any case.
struct Verity {
    literal: usize,
    choice: usize,
}

/// The results so far.
struct Verities {
    results: Vec<Verity>,
    /// The results as a set.
    seen: Vec<u64>,
    /// True if a result is noted with each of its choices, not with the first alone.
    wants_repeats: bool,
}

impl Verities {
    /// Notes what all candidates of a choice have in common.
    fn note(&mut self, common: &mut [u64], choice: usize) {
        if !self.wants_repeats {
            subtract(common, &self.seen);
            unite(&mut self.seen, common);
        }
        self.results.extend(members(common).map(|literal| Verity { literal, choice }));
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
