//! Compares cycles and forcing chains with plain searches, which follow every link of every candidate.
//!
//! A candidate is the number 9 * cell + digit, with digits 0..9. It is *on* if it is assumed to be true, else *off*.
//! [`crate::explainer::chains::forcing`] defines chains, cycles and the three passes.

use std::collections::{HashSet, VecDeque};

use super::{of_digit, positions};
use crate::explainer::chains::cycles::{CycleLinks, Queue, from_start};
use crate::explainer::chains::forcing::{Best, ForcingRank, HintTurn, easier};
use crate::explainer::chains::graph::{Graph, NO_LIMIT, pairs_in_cycles, partner_set};
use crate::explainer::chains::reach::{LinkScope, Reach, ShortestChain};
use crate::explainer::chains::templates::Limits;
use crate::explainer::found::{FoundHint, added};
use crate::explainer::state::{CellsByDigit, State};
use crate::explainer::tables::{PEERS, bits, cells, count, peers_in};
use crate::explainer::{HintKind, Options, rate, solve};
use crate::ladder::tests::published::puzzle;

const PASSES: [CycleLinks; 3] = [CycleLinks::X, CycleLinks::Y, CycleLinks::All];

fn candidates(state: &State) -> impl Iterator<Item = usize> {
    (0..729).filter(|&candidate| state.has(candidate / 9, candidate % 9))
}

/// True if a pass starts from a candidate: Y-cycles start in cells with two candidates.
fn is_start(state: &State, links: CycleLinks, candidate: usize) -> bool {
    let size = count(state.digits[candidate / 9]);
    size == 2 || size > 2 && links.along_digits()
}

/// The candidates that are off if one is on, by the links of a pass: in the cell, then in block, row, column.
fn weak_links(state: &State, links: CycleLinks, candidate: usize) -> Vec<usize> {
    let (cell, digit) = (candidate / 9, candidate % 9);
    let rivals = if links.in_cells() { state.digits[cell] & !(1 << digit) } else { 0 };
    let rivals = bits(rivals).map(|rival| 9 * cell + rival);
    rivals.chain(peers_in(cell, state.cells[digit]).map(|peer| 9 * peer + digit)).collect()
}

/// The candidates that are on if one is off, in the same order.
fn strong_links(state: &State, links: CycleLinks, candidate: usize) -> Vec<usize> {
    let (cell, digit) = (candidate / 9, candidate % 9);
    let rivals = state.digits[cell] & !(1 << digit);
    let last_rival = if links.in_cells() && count(rivals) == 1 { rivals } else { 0 };
    let partners = if links.along_digits() { partner_set(state, cell, digit) } else { 0 };
    let last_rival = bits(last_rival).map(|rival| 9 * cell + rival);
    last_rival.chain(peers_in(cell, partners).map(|peer| 9 * peer + digit)).collect()
}

/// A cycle: the number of its candidates, and what it removes.
#[derive(PartialEq, Debug)]
struct PlainCycle {
    length: u32,
    removals: CellsByDigit,
}

/// The cycles from a start that remove something. As in the original, only the first path to a candidate turns it on.
fn plain_cycles(state: &State, links: CycleLinks, start: usize) -> Vec<PlainCycle> {
    let (mut cycles, mut reached) = (Vec::new(), vec![start]);
    // Each path from the start: on, off, on, ..., on.
    let mut paths = VecDeque::from([vec![start]]);
    while let Some(path) = paths.pop_front() {
        for off in weak_links(state, links, path[path.len() - 1]) {
            let is_on_path = path.iter().skip(1).step_by(2).any(|&earlier_off| earlier_off == off);
            if is_on_path {
                continue;
            }
            let (strong, longer) = (strong_links(state, links, off), [&path[..], &[off]].concat());
            // A path of one link only leads back along this link.
            if path.len() > 1 && strong.contains(&start) {
                let cycle = PlainCycle { length: longer.len() as u32, removals: removed_by(state, &longer) };
                cycles.extend((cycle.removals != [0; 9]).then_some(cycle));
            }
            for on in strong {
                if !reached.contains(&on) {
                    reached.push(on);
                    paths.push_back([&longer[..], &[on]].concat());
                }
            }
        }
    }
    cycles
}

/// What a cycle removes. Its candidates are on and off by turns.
fn removed_by(state: &State, cycle: &[usize]) -> CellsByDigit {
    let (mut on_sees, mut off_sees, mut cycle_cells) = ([0u128; 9], [0u128; 9], 0u128);
    for pair in cycle.chunks(2) {
        let [on, off] = [pair[0], pair[1]];
        on_sees[on % 9] |= PEERS[on / 9];
        off_sees[off % 9] |= PEERS[off / 9];
        cycle_cells |= 1 << (on / 9) | 1 << (off / 9);
    }
    std::array::from_fn(|digit| on_sees[digit] & off_sees[digit] & state.cells[digit] & !cycle_cells)
}

#[test]
fn cycles_equal_those_of_the_plain_search_and_their_removals_refute_themselves() {
    let mut counts = [0; PASSES.len()];
    for state in positions(40) {
        let (limits, pairs) = (Limits::of(&state), pairs_in_cycles(&state));
        let graph = Graph::<12>::of(&state, &LinkScope::all(&state));
        let y_graph = Graph::of(&state, &LinkScope::pairs(&state, pairs));
        let mut queue = Queue::default();
        for start in candidates(&state) {
            let x_graph = Graph::of(&state, &LinkScope::digit(&state, start % 9));
            for links in PASSES.into_iter().filter(|&links| is_start(&state, links, start)) {
                let pass_graph = [&x_graph, &y_graph, &graph][links as usize];
                let mut cycles = Vec::new();
                if links.along_digits() || pairs >> (start / 9) & 1 != 0 {
                    from_start(&state, links, pass_graph, start, NO_LIMIT, &mut queue, |cycle| {
                        cycles.push(PlainCycle { length: cycle.length(), removals: cycle.removals });
                        NO_LIMIT
                    });
                }
                assert_eq!(cycles, plain_cycles(&state, links, start));
                counts[links as usize] += cycles.len();
                for digit in 0..9 {
                    for cell in cycles.iter().flat_map(|cycle| cells(cycle.removals[digit])) {
                        let number = graph.number[9 * cell + digit] as usize;
                        assert!(graph.refutes_itself(number).is_some());
                        assert!(links.in_cells() || limits.refutable[digit] >> cell & 1 != 0);
                    }
                }
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

/// The number of candidates in the shortest chain from a start that is on (off) to the same candidate off (on).
fn plain_chain(state: &State, links: CycleLinks, start: usize, start_on: bool) -> Option<u32> {
    let mut seen = HashSet::from([(start, start_on)]);
    // All candidates of a layer are on, or all are off.
    let (mut layer, mut is_on, mut length) = (vec![start], start_on, 1);
    while !layer.is_empty() {
        let mut next_layer = Vec::new();
        for candidate in layer {
            let follow = if is_on { weak_links } else { strong_links };
            for next in follow(state, links, candidate) {
                if next == start && is_on == start_on {
                    return Some(length + 1);
                }
                if seen.insert((next, !is_on)) {
                    next_layer.push(next);
                }
            }
        }
        (layer, is_on, length) = (next_layer, !is_on, length + 1);
    }
    None
}

/// What decides between hints: the rating, then the rank.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
struct RatedRank {
    rating: f64,
    rank: ForcingRank,
}

/// The easiest hint of the producer by its definition: of every cycle and every chain of every start.
fn plain_forcing(state: &State) -> Option<RatedRank> {
    let mut hints: Vec<RatedRank> = Vec::new();
    for start in candidates(state) {
        for links in PASSES.into_iter().filter(|&links| is_start(state, links, start)) {
            let mut add = |base: f64, complexity: u32, turn: HintTurn| {
                let rank = ForcingRank { complexity, links: Some(links), start, turn };
                hints.push(RatedRank { rating: base + added(complexity), rank });
            };
            let cycle_base = f64::from(links.cycle_kind().tenths()) / 10.0;
            plain_cycles(state, links, start).iter().for_each(|cycle| add(cycle_base, cycle.length, HintTurn::Cycle));
            // The Y pass has no chains.
            for (start_on, turn) in [(true, HintTurn::Refutation), (false, HintTurn::Proof)] {
                if links.along_digits()
                    && let Some(length) = plain_chain(state, links, start, start_on)
                {
                    add(if links == CycleLinks::X { 6.6 } else { 7.0 }, length, turn);
                }
            }
        }
    }
    hints.into_iter().min_by(|a, b| a.partial_cmp(b).unwrap())
}

/// How often something was compared.
#[derive(Default, Debug)]
pub(super) struct ForcingCounts {
    /// There is a hint.
    hints: u32,
    /// A hint is easier than the one that is given.
    easier_hints: u32,
    /// This hint is a cycle.
    easier_cycles: u32,
}

/// Compares the producer, alone and with a given hint: a Y-cycle. The longer it is, the more hints are easier.
pub(super) fn check_forcing(states: &[State], counts: &mut ForcingCounts) {
    let rank_of = |best: &Best| RatedRank { rating: best.hint.rating, rank: best.rank };
    for state in states {
        let plain = plain_forcing(state);
        for length in [0, 16, 18, 20, 26, 34] {
            let given = (length > 0).then(|| {
                let rating = 6.5 + added(length);
                let (links, turn) = (Some(CycleLinks::Y), HintTurn::Cycle);
                let rank = ForcingRank { complexity: length, links, start: 728, turn };
                Best { hint: FoundHint { rating, ..FoundHint::new(HintKind::BidirectionalYCycle) }, rank }
            });
            let given_rank = given.as_ref().map(rank_of);
            let easier_plain = plain.filter(|&plain| given_rank.is_none_or(|given_rank| plain < given_rank));
            let expected = easier_plain.or(given_rank);
            assert_eq!(easier(state, given).as_ref().map(rank_of), expected, "a chain of {length}");
            counts.hints += u32::from(expected.is_some());
            if given_rank.is_some()
                && let Some(RatedRank { rank, .. }) = easier_plain
            {
                counts.easier_hints += 1;
                counts.easier_cycles += u32::from(rank.turn == HintTurn::Cycle);
            }
        }
    }
}

#[test]
fn the_first_chain_is_that_of_the_plain_search() {
    let mut counts = ForcingCounts::default();
    check_forcing(&positions(60), &mut counts);
    let ForcingCounts { hints, easier_hints, easier_cycles } = counts;
    assert!(hints > 10 && easier_hints > 10 && easier_cycles > 10, "{counts:?}");
}

/// A cycle of 6 candidates that comes with no chain below 8, beside a Y-cycle of 20 candidates.
#[test]
fn a_cycle_shorter_than_every_chain_counts() {
    let line = "...4....9.57...2.3....7.41.2617.........6.5..9...1..7.372.9.............8.9..3...";
    let mut states = Vec::new();
    let mut each = |state: &State, hint: &FoundHint| {
        if hint.tenths() >= 65 {
            states.push(state.clone());
        }
    };
    solve(&puzzle(line), &Options::default(), Some(&mut each));
    check_forcing(&states, &mut ForcingCounts::default());
    assert_eq!(rate(&puzzle(line), &Options::default()).er_tenths, Some(72));
}

/// The number of cycles with fewer than `limit` candidates. The producer only searches from `near` candidates.
fn count_cycles<const W: usize>(
    state: &State,
    links: CycleLinks,
    graph: &Graph<W>,
    near: &CellsByDigit,
    limit: u32,
) -> usize {
    let (mut queue, mut cycles) = (Queue::default(), 0);
    for start in graph.candidate.iter().map(|&start| usize::from(start)) {
        let is_near = near[start % 9] >> (start / 9) & 1 != 0;
        from_start(state, links, graph, start, limit, &mut queue, |_| {
            assert!(is_near);
            cycles += 1;
            limit
        });
    }
    cycles
}

#[test]
fn cycles_no_longer_than_the_shortest_chain_start_where_they_are_searched() {
    let mut counts = [0; PASSES.len()];
    for state in positions(60) {
        let all_links = LinkScope::all(&state);
        let mut reach = Reach::<12>::new(&state, &all_links);
        let Some(ShortestChain { length, .. }) = reach.shortest(NO_LIMIT) else { continue };
        for digit in 0..9 {
            let near = Reach::<2>::new(&state, &LinkScope::digit(&state, digit)).on_cycles(&state);
            counts[0] += count_cycles(&state, CycleLinks::X, &of_digit(&state, digit), &near, NO_LIMIT);
        }
        let pair_links = LinkScope::pairs(&state, pairs_in_cycles(&state));
        let mut pair_reach = Reach::<12>::new(&state, &pair_links);
        let (on_cycles, returning) = (pair_reach.on_cycles(&state), pair_reach.returning());
        let near = on_cycles.map(|cells| cells & returning);
        counts[1] += count_cycles(&state, CycleLinks::Y, &Graph::<12>::of(&state, &pair_links), &near, NO_LIMIT);
        let (graph, near) = (Graph::<12>::of(&state, &all_links), reach.near_cycles(&state));
        counts[2] += count_cycles(&state, CycleLinks::All, &graph, &near, length + 1);
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

#[test]
fn the_joint_search_finds_the_shortest_chain_of_each_start() {
    let mut chains = 0;
    for state in positions(120) {
        let graph = Graph::<12>::of(&state, &LinkScope::all(&state));
        let mut expected: Option<ShortestChain> = None;
        for (number, start) in graph.candidate.iter().map(|&start| usize::from(start)).enumerate() {
            if count(state.digits[start / 9]) < 2 {
                continue;
            }
            let refutation = graph.refutes_itself(number);
            let proof = graph.proves_itself(number);
            for (length, proves) in [(refutation, false), (proof, true)] {
                let chain = length.map(|length| ShortestChain { length, start, proves });
                expected = expected.into_iter().chain(chain).min();
            }
        }
        let shortest = |limit| Reach::<12>::new(&state, &LinkScope::all(&state)).shortest(limit);
        assert_eq!(shortest(NO_LIMIT), expected);
        assert_eq!(shortest(expected.map_or(10, |chain| chain.length)), None);
        chains += usize::from(expected.is_some());
    }
    assert!(chains > 20, "{chains}");
}
