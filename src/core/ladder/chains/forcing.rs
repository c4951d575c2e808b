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
//! Reference: Sudopedia, "Forcing Chain", "Forcing Net"; HoDoKu, Last Resort.

use crate::board::CellSet;

use crate::bits::{exceeds, has, intersect, members, row, subtract, unite};
use crate::ladder::position::Position;
use crate::ladder::position::closure::{Closure, Implications};
use crate::ladder::position::links::Links;
use crate::ladder::words::sink::{Pattern, Sink};

/// The priorities: placements come first.
const PLACEMENT: u32 = 0;
const ELIMINATION: u32 = 1;

/// Offers the opposite of every premise that leads to a contradiction.
pub(crate) fn contradictions<S: CellSet>(
    position: &Position<'_, S>,
    implications: Implications,
    sink: &mut impl Sink<S>,
) {
    let (links, refuted) = (position.links(implications.link_type()), position.refuted(implications));
    for node in 0..links.singles {
        // Premise `singles + node`: the node is false.
        if has(refuted, links.singles + node) {
            conclude(links, node, true, &[node as u32], sink);
        }
        if has(refuted, node) {
            conclude(links, node, false, &[node as u32], sink);
        }
    }
}

/// Offers every result that follows from each choice: of a cell, of a house, or between truth and falsehood.
pub(crate) fn verities<S: CellSet>(position: &Position<'_, S>, implications: Implications, sink: &mut impl Sink<S>) {
    let closure = position.closure(implications);
    let words = closure.words;
    let mut verities =
        Verities { closure, results: Vec::new(), seen: vec![0; words], wants_repeats: sink.wants_repeats() };
    // What follows from each candidate of a choice.
    let mut common = vec![0; words];
    for number in 0..closure.groups.count() {
        common.fill(u64::MAX);
        for premise in closure.groups.indices(number) {
            intersect(&mut common, row(&closure.of_truth, premise, words));
        }
        verities.note(&mut common, Choice::Group(number));
    }
    for premise in 0..closure.links.singles {
        common.copy_from_slice(row(&closure.of_truth, premise, words));
        intersect(&mut common, row(&closure.of_falsehood, premise, words));
        verities.note(&mut common, Choice::Sides(premise));
    }
    verities.results.sort_unstable();
    for Verity { node, is_false, choice } in verities.results {
        // Once there is a placement, eliminations are not wanted.
        if is_false && sink.last_priority() < ELIMINATION {
            continue;
        }
        let premises = match &choice {
            Choice::Group(number) => closure.groups.list(*number),
            Choice::Sides(premise) => &[*premise as u32],
        };
        conclude(&closure.links, node, !is_false, premises, sink);
    }
}

/// Facts of which at least one is true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Choice {
    /// The candidates of a group of the closure, by its number.
    Group(usize),
    /// The truth and the falsehood of a candidate.
    Sides(usize),
}

/// A result, and the choice from which it follows in any case. Ordered candidate by candidate, true before false.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Verity {
    node: usize,
    is_false: bool,
    choice: Choice,
}

/// The results so far.
struct Verities<'c, S: 'static> {
    closure: &'c Closure<S>,
    results: Vec<Verity>,
    /// The results as a set of literals.
    seen: Vec<u64>,
    /// True if a result is noted with each of its choices, not with the first alone.
    wants_repeats: bool,
}

impl<S: CellSet> Verities<'_, S> {
    /// Notes what all facts of a choice have in common.
    fn note(&mut self, common: &mut [u64], choice: Choice) {
        if !self.wants_repeats {
            if !exceeds(common, &self.seen) {
                return;
            }
            subtract(common, &self.seen);
            unite(&mut self.seen, common);
        }
        for literal in members(common) {
            let (node, truth) = self.closure.conclusion(literal);
            self.results.push(Verity { node, is_false: !truth, choice });
        }
    }
}

/// Offers the conclusion that a node is true (false). `premises` are the nodes of the choice, for the pattern.
fn conclude<S: CellSet>(links: &Links<S>, node: usize, truth: bool, premises: &[u32], sink: &mut impl Sink<S>) {
    let Some(cell) = links.cell(node) else { return };
    let digit = links.nodes[node].digit;
    let pattern = || {
        let premises = premises.iter().map(|&premise| premise as usize);
        let digits = premises.clone().map(|premise| links.nodes[premise].digit).collect();
        let mut cells: Vec<_> = premises.filter_map(|premise| links.cell(premise)).collect();
        cells.dedup();
        Pattern::of(digits, cells)
    };
    if truth {
        sink.place(cell, digit, PLACEMENT, pattern);
    } else {
        sink.eliminate_at(ELIMINATION, &[(digit, S::only(cell))], pattern);
    }
}
