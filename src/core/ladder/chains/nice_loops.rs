//! Nice loops and alternating inference chains (AIC): three kinds of chains of links between candidates.
//!
//! A weak link `a - b` says: if a is true, b is false. A strong link `a = b` says: if a is false, b is true.
//! [`crate::ladder::position::links`] says where a position has links.
//!
//! ```text
//!   AIC                  a = b - c = d          a false -> b true -> c false -> d true: a or d is true
//!   discontinuous loop   a - b = c - a          a true -> a false: a is false
//!                        a = b - c = a          a false -> a true: a is true
//!   continuous loop      a = b - c = d - (a)    an AIC, and d excludes a: each weak link has exactly one true end
//! ```
//!
//! * **AIC**: a candidate that both ends exclude is removed. Type 1: both ends have the same digit, which is removed
//!   from the cells that see both. Type 2: the ends are different digits in cells that see each other. Each digit is
//!   removed from the cell of the other.
//! * **Discontinuous nice loop**: a candidate is removed if its truth makes itself false, or makes another candidate of
//!   its cell true. If the falsehood of a candidate makes it true, the other candidates of its cell are removed.
//! * **Continuous nice loop**: an AIC whose ends exclude each other. One end of every weak link is true. So a digit is
//!   removed from the cells that see both ends, and in a cell with both ends all other candidates are removed. An
//!   almost locked set in the loop has lost one of its two linking digits. So each of its other digits is removed from
//!   the cells that see all its places in the set.
//!
//! The length of a chain is its number of arrows. The link that closes a continuous loop is not counted.
//!
//! Each kind is a technique of its own for each type of links: plain, grouped, or with almost locked sets. XY-Chains
//! are the AICs through cells with two candidates. Chains through almost unique rectangles are one technique. Of all
//! chains with the same conclusion, only the shortest are offered. Shorter chains come first, and at the same length
//! continuous loops. Only hints and chains through rectangles follow this order (see [`crate::ladder::words::choice`]).
//!
//! Reference: Sudopedia, "Nice Loop", "Alternating Inference Chain"; HoDoKu, Chains and Loops.

use std::ops::Range;

use crate::board::{Candidates, Cell, CellSet, Digit, Digits};

use super::alternating::{Alternating, pairs_remove_something};
use super::reach::{Paths, ReachFromStarts, shortest_path};
use crate::ladder::position::Position;
use crate::ladder::position::links::reached::{Masks, Numbers};
use crate::ladder::position::links::{LinkState, Links, Node, NodeSet, SearchState, off, on};
use crate::ladder::words::sink::{Pattern, Sink, removals};
use crate::ladder::words::table::Technique;
use crate::ladder::words::technique::{ChainKinds, LinkType};

/// If more shortest loops than this pass through one weak link, none of them is offered.
const MOST_LOOPS: usize = 1_000;

/// Chains of fewer arrows are singles and intersections. A chain through a rectangle may have two.
const SHORTEST: u32 = 3;

/// The priority value of a chain: shorter chains come first, and at the same length continuous loops come first.
const fn priority(level: u32, continuous: bool) -> u32 {
    2 * level + !continuous as u32
}

/// The kinds of chains that are wanted, each with the technique of its instances. None: this kind is not wanted.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    continuous: Option<Technique>,
    discontinuous: Option<Technique>,
    aics: Option<Technique>,
}

impl Wanted {
    /// For each kind of chain, that one of some techniques that consists of such chains.
    fn of(techniques: &[Technique]) -> Wanted {
        let first_with = |has_kind: fn(ChainKinds) -> bool| {
            techniques.iter().copied().find(|technique| technique.chain_kinds().is_some_and(has_kind))
        };
        Wanted {
            continuous: first_with(|kinds| kinds.continuous),
            discontinuous: first_with(|kinds| kinds.discontinuous),
            aics: first_with(|kinds| kinds.aics),
        }
    }
}

/// Offers the chains of some techniques to a sink, length by length. All techniques have the same type of links, so one
/// search serves them all. It ends when the sink wants no longer chains.
pub(crate) fn chains<S: CellSet>(
    position: &Position<'_, S>,
    link_type: LinkType,
    techniques: &[Technique],
    sink: &mut impl Sink<S>,
) {
    match link_type {
        LinkType::Pairs if !pairs_remove_something(position.marks) => return,
        LinkType::AlmostLocked | LinkType::Rectangles => {
            return chains_of_any_links(position, link_type, techniques, sink);
        }
        _ => {}
    }
    let (wanted, marks, links) = (Wanted::of(techniques), position.marks, position.links(link_type));
    let Some(mut search) = Alternating::new(marks, links) else { return };
    let mut pairs = None;
    // The search finds chains that begin and end with a strong link: they have odd lengths. A chain of even length has
    // one more weak link before them: it leads from the truth of a candidate to that of another one of its cell.
    for level in 2.. {
        let is_odd = level % 2 == 1;
        let last = priority(level, false);
        if is_odd && !search.advance(sink.wants(last, 1)) || priority(level, true) > sink.last_priority() {
            return;
        }
        if is_odd && let Some(technique) = wanted.continuous {
            sink.search_for(technique);
            close(marks, links, &search, sink);
        }
        if last > sink.last_priority() {
            return;
        }
        let mut ends = Chains { marks, links, level, distant_starts: Vec::new() };
        if level >= SHORTEST
            && let Some(technique) = wanted.discontinuous
        {
            sink.search_for(technique);
            ends.discontinuous(&mut search, sink);
        }
        if is_odd && let Some(technique) = wanted.aics {
            sink.search_for(technique);
            let pairs =
                pairs.get_or_insert_with(|| pairs_of(marks, links, link_type, &search.numbers, &search.linked_nodes));
            for end in search.made_true() {
                search.each_start(end, pairs, |start| ends.verity(start, end, sink));
                if !ends.distant_starts.is_empty() {
                    ends.verities_of_two_digits(end, sink);
                }
            }
        }
    }
}

/// For each node `end` with a number (see [`Numbers`]), the numbers of the candidates `start` with which it may be the
/// ends of a chain that removes something. Both have the same digit, or they are different digits of cells that see
/// each other. A chain can be read in both directions, so only candidates before `end` are listed. But a chain through
/// the forced cell of an almost locked set has one direction only. With such sets, candidates after `end` are listed
/// too.
fn pairs_of<S: CellSet>(
    marks: &Candidates<S>,
    links: &Links<S>,
    link_type: LinkType,
    numbers: &Numbers,
    among: &NodeSet<S>,
) -> Masks {
    let mut pairs = Masks::none(links.nodes.len(), numbers);
    let of_both_directions = link_type == LinkType::AlmostLocked;
    for end in numbers.nodes() {
        let digit = links.nodes[end].digit;
        let Range { start: first, end: last } = links.candidates_of(digit);
        pairs.insert_all(end, numbers.range(first..last.min(end)));
        if of_both_directions && end < last {
            pairs.insert_all(end, numbers.range(end + 1..last));
        }
    }
    if link_type == LinkType::Pairs {
        return pairs;
    }
    for end in numbers.nodes() {
        // Groups come last, and have no cell.
        let (Some(cell), high) = (links.cell(end), links.nodes[end].digit) else { break };
        let near = marks.peers(cell) & marks.of_digit(high);
        for low in marks.of_cell(cell).iter().take_while(|&low| low < high) {
            for peer in (near & among.places[low.index()]).cells() {
                let start = links.node(peer, low);
                // `range(start..start)` is empty, and begins with the number of `start`.
                pairs.insert(end, numbers.range(start..start).start);
                if of_both_directions {
                    pairs.insert(start, numbers.range(end..end).start);
                }
            }
        }
    }
    pairs
}

/// Like [`chains`], for chains through almost locked sets or rectangles, in which weak and strong links need not
/// alternate. There is one search for each technique. Continuous loops do not begin inside a set, so they have links of
/// their own.
pub(crate) fn chains_of_any_links<S: CellSet>(
    position: &Position<'_, S>,
    link_type: LinkType,
    techniques: &[Technique],
    sink: &mut impl Sink<S>,
) {
    let (wanted, marks, links) = (Wanted::of(techniques), position.marks, position.links(link_type));
    let from_off = |links| ReachFromStarts::new(links, (0..links.singles).map(off));
    let mut loops = wanted.continuous.map(|_| from_off(position.links_for_loops(link_type)));
    let mut proofs = wanted.discontinuous.or(wanted.aics).map(|_| from_off(links));
    let mut pairs = None;
    let mut refutations = wanted.discontinuous.map(|_| ReachFromStarts::new(links, (0..links.singles).map(on)));
    for level in 1.. {
        for search in [&mut loops, &mut proofs, &mut refutations] {
            search.take_if(|reach| !reach.advance());
        }
        let is_over = loops.is_none() && proofs.is_none() && refutations.is_none();
        if is_over || priority(level, true) > sink.last_priority() {
            return;
        }
        if level < if link_type == LinkType::Rectangles { 2 } else { SHORTEST } {
            continue;
        }
        if let (Some(technique), Some(reach)) = (wanted.continuous, &loops) {
            sink.search_for(technique);
            close_sets(marks, position.links_for_loops(link_type), reach, sink);
        }
        if priority(level, false) > sink.last_priority() {
            return;
        }
        let mut ends = Chains { marks, links, level, distant_starts: Vec::new() };
        if let Some(technique) = wanted.discontinuous {
            sink.search_for(technique);
            ends.discontinuous_of_any_links(proofs.as_ref(), refutations.as_ref(), sink);
        }
        if let (Some(technique), Some(reach)) = (wanted.aics, &proofs) {
            sink.search_for(technique);
            let pairs = pairs.get_or_insert_with(|| {
                let numbers = Numbers::of(links.nodes.len(), |_| true);
                pairs_of(marks, links, link_type, &numbers, &links.node_set(0..links.nodes.len()))
            });
            for end in 0..links.nodes.len() {
                let starts = reach.starts(links.at_end(on(end))).filter(|&start| pairs.has(end, start));
                starts.for_each(|start| ends.verity(start, end, sink));
                ends.verities_of_two_digits(end, sink);
            }
        }
    }
}

/// The other candidates of the cell of a candidate.
fn mates<'c, S: CellSet>(
    marks: &'c Candidates<S>,
    links: &'c Links<S>,
    node: usize,
) -> impl Iterator<Item = usize> + use<'c, S> {
    let digit = Digits::only(links.nodes[node].digit);
    let cell = links.cell(node).into_iter();
    cell.flat_map(move |cell| (marks.of_cell(cell) - digit).iter().map(move |mate| links.node(cell, mate)))
}

/// The first and the last node of a chain.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Ends {
    start: usize,
    end: usize,
}

/// Offers what the AICs and discontinuous loops of one length remove.
struct Chains<'c, S: 'static> {
    marks: &'c Candidates<S>,
    links: &'c Links<S>,
    /// The number of arrows of the chains.
    level: u32,
    /// The starts of AICs to one end that have another digit than the end: cell and digit.
    distant_starts: Vec<(Cell, Digit)>,
}

impl<'c, S: CellSet> Chains<'c, S> {
    /// Offers the discontinuous loops of this length.
    fn discontinuous(&self, search: &mut Alternating<'_, S>, sink: &mut impl Sink<S>) {
        let (links, is_odd) = (self.links, self.level % 2 == 1);
        if is_odd {
            let candidates = search.made_true().take_while(|&node| node < links.singles);
            candidates.filter(|&node| search.proves(node)).for_each(|node| self.prove(node, sink));
        }
        // A refutation removes one candidate only.
        if !sink.wants(priority(self.level, false), 1) {
            return;
        }
        if is_odd {
            let refuted = (0..links.singles).filter(|&node| search.refutes(node));
            return refuted.for_each(|node| self.refute(node, off(node), sink));
        }
        let mut implied: Vec<Ends> = Vec::new();
        for end in search.made_true() {
            let starts = mates(self.marks, links, end).filter(|&start| search.is_removable[start]);
            implied.extend(starts.filter(|&start| search.implies(start, end)).map(|start| Ends { start, end }));
        }
        implied.sort_unstable();
        implied.into_iter().for_each(|Ends { start, end }| self.refute(start, on(end), sink));
    }

    /// Offers the discontinuous loops of this length for [`chains_of_any_links`].
    fn discontinuous_of_any_links(
        &self,
        proofs: Option<&ReachFromStarts<'_, S>>,
        refutations: Option<&ReachFromStarts<'_, S>>,
        sink: &mut impl Sink<S>,
    ) {
        let links = self.links;
        if let Some(reach) = proofs {
            let proved = (0..links.singles).filter(|&node| reach.has(links.at_end(on(node)), node));
            proved.for_each(|node| self.prove(node, sink));
        }
        if let Some(reach) = refutations.filter(|_| sink.wants(priority(self.level, false), 1)) {
            for node in 0..links.singles {
                let conclusions = std::iter::once(off(node)).chain(mates(self.marks, links, node).map(on));
                let reached = conclusions.filter(|&end| reach.has(links.at_end(end), node));
                reached.for_each(|end| self.refute(node, end, sink));
            }
        }
    }

    /// Offers to remove `out`. The pattern is one shortest chain from `start` to `end`.
    fn offer(&self, out: &[(Digit, S)], start: LinkState, end: LinkState, sink: &mut impl Sink<S>) {
        let links = self.links;
        let chain = || as_pattern(links, &shortest_path(links, start, links.at_end(end)), self.level);
        sink.eliminate_at(priority(self.level, false), out, chain);
    }

    /// Offers a candidate whose falsehood makes it true: the others of its cell are removed.
    fn prove(&self, node: usize, sink: &mut impl Sink<S>) {
        let cells = self.links.nodes[node].cells;
        let out: Vec<(Digit, S)> =
            mates(self.marks, self.links, node).map(|mate| (self.links.nodes[mate].digit, cells)).collect();
        self.offer(&out, off(node), on(node), sink);
    }

    /// Offers to remove a candidate. Its truth leads to `end`: that it is false, or that another of its cell is true.
    fn refute(&self, node: usize, end: LinkState, sink: &mut impl Sink<S>) {
        let Node { digit, cells, .. } = self.links.nodes[node];
        self.offer(&[(digit, cells)], on(node), end, sink);
    }

    /// Offers what an AIC removes: one of its ends, a pair of [`pairs_of`], is true. If the ends have different digits,
    /// the start is kept for [`Chains::verities_of_two_digits`].
    fn verity(&mut self, start: usize, end: usize, sink: &mut impl Sink<S>) {
        let (from, to) = (self.links.nodes[start], self.links.nodes[end]);
        if from.digit == to.digit {
            let out = self.marks.of_digit(to.digit) & from.seen & to.seen;
            if !out.is_empty() {
                self.offer(&[(to.digit, out)], off(start), on(end), sink);
            }
        } else if let Some(cell) = from.cells.first().filter(|_| sink.wants(priority(self.level, false), 2)) {
            self.distant_starts.push((cell, from.digit));
        }
    }

    /// Offers what the kept starts and this end remove, in ascending order of the starts.
    fn verities_of_two_digits(&mut self, end: usize, sink: &mut impl Sink<S>) {
        let (links, mut starts) = (self.links, std::mem::take(&mut self.distant_starts));
        starts.sort_unstable();
        for (cell, start_digit) in starts.drain(..) {
            let mut out = [(start_digit, links.nodes[end].cells), (links.nodes[end].digit, S::only(cell))];
            out.sort_unstable_by_key(|&(digit, _)| digit);
            self.offer(&out, off(links.node(cell, start_digit)), on(end), sink);
        }
        self.distant_starts = starts;
    }
}

/// Offers the continuous loops of this length. Two nodes that exclude each other are the ends of a weak link, which
/// closes the chains between them.
fn close<S: CellSet>(marks: &Candidates<S>, links: &Links<S>, search: &Alternating<'_, S>, sink: &mut impl Sink<S>) {
    let mut closed: Vec<Ends> = Vec::new();
    for end in search.made_true().take_while(|&node| node < links.singles) {
        search.each_start(end, search.rivals(), |start| closed.extend((start < end).then_some(Ends { start, end })));
    }
    closed.sort_unstable();
    let mut loops = Vec::new();
    for Ends { start, end } in closed {
        loops.clear();
        if search.chains(start, end, MOST_LOOPS, &mut loops) {
            loops.chunks_exact(search.level as usize + 1).for_each(|path| offer_loop(marks, links, path, sink));
        }
    }
}

/// Like [`close`], for the chains of [`chains_of_any_links`]. With almost locked sets, each weak link is tried in both
/// directions, because a chain through a forced cell has one direction only.
fn close_sets<S: CellSet>(
    marks: &Candidates<S>,
    links: &Links<S>,
    reach: &ReachFromStarts<'_, S>,
    sink: &mut impl Sink<S>,
) {
    let both_directions = !links.states.als_nodes.is_empty();
    for start in 0..links.singles {
        let ends = rivals(marks, links, start).filter(|&end| both_directions || end > start);
        let mut ends: Vec<usize> = ends.filter(|&end| reach.has(links.at_end(on(end)), start)).collect();
        ends.sort_unstable();
        if !ends.is_empty() {
            let paths = Paths::new(links, off(start));
            for end in ends {
                paths.each(links.at_end(on(end)), MOST_LOOPS, |path| offer_loop(marks, links, path, sink));
            }
        }
    }
}

/// The candidates that a candidate excludes: the same digit in cells that it sees, and the others of its cell.
fn rivals<'c, S: CellSet>(marks: &'c Candidates<S>, links: &'c Links<S>, node: usize) -> impl Iterator<Item = usize> {
    let Node { digit, seen, .. } = links.nodes[node];
    let same_digit = (marks.of_digit(digit) & seen).cells().map(move |cell| links.node(cell, digit));
    same_digit.chain(mates(marks, links, node))
}

/// Offers what the weak links and almost locked sets of a continuous loop remove. `path` has the states of the loop,
/// each once, in order.
fn offer_loop<S: CellSet>(marks: &Candidates<S>, links: &Links<S>, path: &[LinkState], sink: &mut impl Sink<S>) {
    let mut out = vec![S::empty(); marks.order()];
    let mut remove = |digit: Digit, cells: S| out[digit.index()] = out[digit.index()] | (marks.of_digit(digit) & cells);
    let passed = path.iter().map(|&state| match links.state(state) {
        SearchState::Literal(node, _) => links.nodes[node].cells,
        SearchState::Set(als_node) => links.states.sets.all[als_node.set].cells,
        _ => S::empty(),
    });
    let free = marks.open() - passed.fold(S::empty(), |all, cells| all | cells);
    for (index, &state) in path.iter().enumerate() {
        // After the last state comes the first: the closing link.
        let next = path[(index + 1) % path.len()];
        let SearchState::Literal(second, truth) = links.state(next) else { continue };
        let b = links.nodes[second];
        let (als_node, forced) = match links.state(state) {
            // A weak link.
            SearchState::Literal(first, true) if !truth => {
                let a = links.nodes[first];
                if a.digit == b.digit {
                    remove(a.digit, a.seen & b.seen & free);
                } else {
                    let extras = Digits::all(marks.order()) - Digits::only(a.digit) - Digits::only(b.digit);
                    extras.iter().for_each(|digit| remove(digit, a.cells));
                }
                continue;
            }
            SearchState::Set(als_node) => (als_node, None),
            SearchState::Forced(forced) => (forced.als_node, links.cell(forced.node)),
            _ => continue,
        };
        // The state `state` is an almost locked set, or a cell that the set forces. The set has lost one digit: the one
        // by which the loop enters it, the one by which the loop leaves it, or one that it takes from the forced cell.
        let entry = path[..index].iter().rev().find_map(|&state| match links.state(state) {
            SearchState::Literal(node, _) => Some(node),
            _ => None,
        });
        let Some(entry) = entry else { continue };
        for digit in links.states.sets.all[als_node.set].digits {
            let seen = links.states.sets.seen(als_node.set, digit);
            let seen_by_taker = match forced {
                _ if digit == als_node.lost => links.nodes[entry].seen,
                Some(cell) if marks.of_cell(cell).contains(digit) && seen.contains(cell) => marks.peers(cell),
                None if digit == b.digit => b.seen,
                _ => seen,
            };
            remove(digit, seen & seen_by_taker);
        }
    }
    let out = removals(marks, Digits::all(marks.order()), |digit| out[digit.index()]);
    let level = path.len() as u32 - 1;
    sink.eliminate_at(priority(level, true), &out, || as_pattern(links, path, level));
}

/// The digits and cells of a chain; `level` is its number of arrows.
fn as_pattern<S: CellSet>(links: &Links<S>, path: &[LinkState], level: u32) -> Pattern {
    let (mut digits, mut cells) = (Digits::EMPTY, Vec::new());
    for &state in path {
        let passed = match links.state(state) {
            SearchState::Literal(node, _) => {
                digits.insert(links.nodes[node].digit);
                links.nodes[node].cells
            }
            SearchState::Set(als_node) => links.states.sets.all[als_node.set].cells,
            SearchState::Forced(_) => S::empty(),
            SearchState::Bridge(bridge) => bridge.cells,
        };
        cells.extend(passed.cells());
    }
    cells.dedup();
    Pattern { links: level, ..Pattern::of(digits, cells) }
}
