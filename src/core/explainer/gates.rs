//! Tests shortcuts against searches that do not have them: a shortcut must not lose anything.

use std::collections::{HashSet, VecDeque};

use super::found::{FoundHint, Taken, added};
use super::state::{News, Removals, State};
use super::tables::{HOUSE_SET, HOUSES, PEERS, bits, cells, peers_in, subsets_of};
use super::{Bounds, ChainLevel, HintKind, NextHint, Options, PRODUCERS, first_hint, rate, solve};
use crate::bits::{is_empty, members};
use crate::explainer::chains::advanced::extend;
use crate::explainer::chains::cycles::{Cycle, CycleLinks, Queue, from_start};
use crate::explainer::chains::forcing::{Best, ForcingRank, HintTurn, easier};
use crate::explainer::chains::graph::{Graph, NO_LIMIT, Outcomes, pairs_in_cycles, partner_set};
use crate::explainer::chains::reach::{LinkScope, Reach, ShortestChain};
use crate::explainer::chains::run::{NONE, Run};
use crate::explainer::chains::templates::Limits;
use crate::explainer::patterns::aligned::triplets;
use crate::explainer::patterns::loops::unique_loops;
use crate::explainer::patterns::subsets::closed_tuples;
use crate::ladder::tests::published::{puzzle, random_puzzle};
use crate::random::{Rng, Stage};

/// Positions of random puzzles in which the next hint is rated 4.2 to 8.4; at least `count` of them.
fn positions(count: usize) -> Vec<State> {
    positions_of(0, count)
}

/// Other positions for each number of a set.
fn positions_of(set: u64, count: usize) -> Vec<State> {
    let (mut rng, mut states) = (Rng::new(11, set, Stage::Bench, 0), Vec::new());
    while states.len() < count {
        let (puzzle, _) = random_puzzle(&mut rng);
        let mut each = |state: &State, found: &FoundHint| {
            if found.tenths() >= 42 {
                states.push(State { news: News::ALL, new_houses: u32::MAX, ..state.clone() });
            }
        };
        solve(&puzzle, &Options { at_most: Some(84), ..Options::default() }, Some(&mut each));
    }
    states
}

/// The links along a digit.
fn of_digit(state: &State, digit: usize) -> Graph<2> {
    Graph::of(state, &LinkScope::digit(state, digit))
}

/// All hints of a search: the candidates that each removes, its cells, and the bits of its rating.
fn all(search: impl FnOnce(&mut dyn FnMut(&FoundHint) -> Taken) -> Taken) -> Vec<(Removals, u128, u64)> {
    let mut hints = Vec::new();
    _ = search(&mut |found: &FoundHint| {
        hints.push((found.remove, found.cells, found.rating.to_bits()));
        Ok(())
    });
    hints
}

#[test]
fn templates_decide_what_chains_along_a_digit_decide() {
    let mut decided = [0; 4];
    for state in positions(60) {
        let limits = Limits::of(&state);
        for digit in 0..9 {
            let graph = of_digit(&state, digit);
            for cell in cells(state.cells[digit]) {
                let at = graph.number[9 * cell + digit].into();
                let limits = [limits.refutable[digit], limits.provable[digit]].map(|limit| limit >> cell & 1 != 0);
                let chains = [graph.refutes_itself(at, NO_LIMIT), graph.proves_itself(at, NO_LIMIT)];
                let nishio = [true, false].map(|on| {
                    let mut run = Run::take();
                    run.follow(&state, ChainLevel::Nishio, extend, 9 * cell + digit, on, &mut Vec::new());
                    run.contradiction.is_some()
                });
                // Side 0: the candidate is assumed to be true, and refuted. Side 1: assumed to be false, and proved.
                for side in 0..2 {
                    assert!(limits[side] || chains[side].is_none() && !nishio[side], "{cell} {digit}");
                    decided[side] += u32::from(chains[side].is_some());
                    decided[2 + side] += u32::from(nishio[side]);
                }
            }
        }
    }
    assert!(decided.iter().all(|&count| count > 0), "{decided:?}");
}

#[test]
fn triplets_and_loops_are_the_same_without_bounds() {
    let mut found = [0; 2];
    for state in positions(120) {
        let bounded = all(|take| triplets(&state, true, take));
        let (mut plain, mut known) = (all(|take| triplets(&state, false, take)), HashSet::new());
        plain.retain(|&hint| known.insert(hint));
        assert_eq!(bounded, plain);
        let pruned = all(|take| unique_loops(&state, true, take));
        assert_eq!(pruned, all(|take| unique_loops(&state, false, take)));
        found = [found[0] + bounded.len(), found[1] + pruned.len()];
    }
    assert!(found.iter().all(|&count| count > 5), "{found:?}");
}

/// A producer leaves out what it has seen before. Its first hint is the same as that of a search of everything.
#[test]
fn what_is_old_has_no_first_hint() {
    let (mut rng, mut compared) = (Rng::new(14, 0, Stage::Bench, 0), 0);
    while compared < 4_000 {
        let mut each = |state: &State, found: &FoundHint| {
            let (mut all, mut first) = ([News::ALL; PRODUCERS.len()], FoundHint::new(HintKind::LastValue));
            let mut bounds = Bounds { limit: u16::MAX, free: 0, tried: 0, direct: false };
            let next = first_hint(&mut state.clone(), &mut all, &mut bounds, &mut first);
            assert!(matches!(next, NextHint::Found));
            assert_eq!((first.kind, first.placed, first.remove), (found.kind, found.placed, found.remove));
            compared += 1;
        };
        let options = Options { at_most: Some(84), ..Options::default() };
        solve(&random_puzzle(&mut rng).0, &options, Some(&mut each));
    }
}

#[test]
fn outcomes_are_those_of_static_runs() {
    let (mut compared, mut run) = (0, Run::take());
    for state in positions(40) {
        let (outcomes, graph) = (Outcomes::of(&state), Graph::<12>::of(&state, &LinkScope::all(&state)));
        let linked = graph.candidate.iter().zip(&graph.strong).filter(|(_, strong)| !is_empty(strong.as_slice()));
        let linked: Vec<u16> = linked.map(|(&candidate, _)| candidate).collect();
        // The bits of side 0 are the candidates with strong links, those of side 1 are all candidates.
        let bits = [&linked, &graph.candidate];
        for &start in &graph.candidate {
            run.follow(&state, ChainLevel::Static, extend, start.into(), true, &mut Vec::new());
            assert_eq!(outcomes.is_refuted(start.into()), run.contradiction.is_some());
            if run.contradiction.is_some() {
                continue;
            }
            for (side, of_run) in run.sets.into_iter().enumerate() {
                let mut found = [0; 9];
                for candidate in members(outcomes.side(side, start.into())).map(|at| bits[side][at]) {
                    found[candidate as usize % 9] |= 1 << (candidate / 9);
                }
                if side == 0 {
                    found[start as usize % 9] |= 1 << (start / 9);
                }
                assert_eq!(found, of_run);
                compared += members(outcomes.side(side, start.into())).count();
            }
        }
    }
    assert!(compared > 100_000, "{compared}");
}

#[test]
fn the_nearest_results_are_those_of_static_runs() {
    let (mut found, mut runs) = (0, [Run::take(), Run::take()]);
    for state in positions(20) {
        let (mut outcomes, graph) = (Outcomes::of(&state), Graph::<12>::of(&state, &LinkScope::all(&state)));
        for starts in graph.candidate.windows(2).map(|two| [two[0], two[1]].map(usize::from)) {
            for (run, start) in runs.iter_mut().zip(starts) {
                run.follow(&state, ChainLevel::Static, extend, start, true, &mut Vec::new());
            }
            if runs.iter().all(|run| run.contradiction.is_none()) {
                let depth = |run: &Run, candidate, on| {
                    Some(run.node(candidate, on))
                        .filter(|&node| node != NONE)
                        .map(|node| run.nodes[node as usize].depth)
                };
                let sum = |candidate, on| {
                    runs.iter().map(|run| depth(run, candidate, on).map(u32::from)).sum::<Option<u32>>()
                };
                let sums = (0..729).flat_map(|candidate| [true, false].map(|on| sum(candidate, on)));
                assert_eq!(outcomes.nearest(&starts), sums.flatten().min());
                found += usize::from(outcomes.nearest(&starts).is_some());
            }
        }
    }
    assert!(found > 1_000, "{found}");
}

#[test]
fn closed_tuples_are_those_of_all_tuples() {
    let mut rng = Rng::new(12, 0, Stage::Bench, 0);
    for round in 0..3_000 {
        let masks = [0; 9].map(|_: u16| (rng.word() & rng.word() & 0x1ff) as u16);
        let size = 2 + round % 3;
        let plain = subsets_of(9, size).filter_map(|tuple| {
            let union = bits(tuple).fold(0, |union, at| union | masks[at]);
            let wide = bits(tuple).all(|at| masks[at].count_ones() > 1);
            (wide && union.count_ones() as usize == size).then_some((tuple, union))
        });
        let mut closed = Vec::new();
        _ = closed_tuples(&masks, size, |tuple, union| {
            closed.push((tuple, union));
            Ok(())
        });
        assert_eq!(closed, plain.collect::<Vec<_>>());
    }
}

/// The candidates that are false if one is true, and those that are true if one is false, by some links.
fn plain_links(state: &State, links: CycleLinks, candidate: usize) -> [Vec<usize>; 2] {
    let (cell, digit) = (candidate / 9, candidate % 9);
    let others = state.digits[cell] & !(1 << digit);
    let inside = bits(others).filter(|_| links.y()).map(|other| 9 * cell + other);
    let weak = inside.chain(peers_in(cell, state.cells[digit]).map(|peer| 9 * peer + digit));
    let only = (links.y() && others.is_power_of_two()).then(|| 9 * cell + others.trailing_zeros() as usize);
    let across = if links.x() { partner_set(state, cell, digit) } else { 0 };
    let strong = only.into_iter().chain(peers_in(cell, across).map(|peer| 9 * peer + digit));
    [weak.collect(), strong.collect()]
}

/// The lengths and removals of the cycles through a start, by following every link of every candidate. As in the
/// original, a candidate is "on" only in the first path that reaches it.
fn plain_cycles(state: &State, links: CycleLinks, start: usize) -> Vec<(u32, Removals)> {
    let (mut found, mut seen) = (Vec::new(), vec![start]);
    // Each path from the start: on, off, on, ..., on.
    let mut queue = VecDeque::from([vec![start]]);
    while let Some(path) = queue.pop_front() {
        let [weak, _] = plain_links(state, links, path[path.len() - 1]);
        for off in weak {
            if path.iter().skip(1).step_by(2).any(|&other| other == off) {
                continue;
            }
            let [_, next] = plain_links(state, links, off);
            if path.len() > 1 && next.contains(&start) {
                let (mut sees, mut own) = ([[0u128; 9]; 2], 0u128);
                for (at, &candidate) in path.iter().chain([&off]).enumerate() {
                    sees[at % 2][candidate % 9] |= PEERS[candidate / 9];
                    own |= 1 << (candidate / 9);
                }
                let removals: Removals = std::array::from_fn(|d| sees[0][d] & sees[1][d] & state.cells[d] & !own);
                if removals.iter().any(|&set| set != 0) {
                    found.push((path.len() as u32 + 1, removals));
                }
            }
            for on in next {
                if !seen.contains(&on) {
                    seen.push(on);
                    queue.push_back([&path[..], &[off, on]].concat());
                }
            }
        }
    }
    found
}

#[test]
fn cycles_equal_those_of_the_plain_search_and_their_removals_refute_themselves() {
    let mut count = [0; 3];
    for state in positions(40) {
        let (limits, within) = (Limits::of(&state), pairs_in_cycles(&state));
        let (graph, y_graph) = (
            Graph::<12>::of(&state, &LinkScope::all(&state)),
            Graph::<3>::of(&state, &LinkScope::pairs(&state, within)),
        );
        let mut queue = Queue::default();
        for start in (0..729).filter(|&candidate| state.has(candidate / 9, candidate % 9)) {
            let digit = start % 9;
            for links in [CycleLinks::X, CycleLinks::Y, CycleLinks::All] {
                if !links.x() && state.digits[start / 9].count_ones() != 2 {
                    continue;
                }
                let mut found = Vec::new();
                let offer = |cycle: &Cycle| {
                    found.push((cycle.length(), cycle.removals));
                    NO_LIMIT
                };
                match links {
                    CycleLinks::X => {
                        from_start(&state, links, &of_digit(&state, digit), start, NO_LIMIT, &mut queue, offer);
                    }
                    CycleLinks::Y if within >> (start / 9) & 1 == 0 => {}
                    CycleLinks::Y => from_start(&state, links, &y_graph, start, NO_LIMIT, &mut queue, offer),
                    CycleLinks::All => from_start(&state, links, &graph, start, NO_LIMIT, &mut queue, offer),
                }
                assert_eq!(found, plain_cycles(&state, links, start));
                count[links as usize] += found.len();
                for (digit, cell) in
                    found.iter().flat_map(|(_, r)| (0..9).flat_map(|d| cells(r[d]).map(move |c| (d, c))))
                {
                    let number = graph.number[9 * cell + digit] as usize;
                    assert!(graph.refutes_itself(number, NO_LIMIT).is_some());
                    assert!(links.y() || limits.refutable[digit] >> cell & 1 != 0);
                }
            }
        }
    }
    assert!(count.iter().all(|&count| count > 0), "{count:?}");
}

/// The number of candidates in the shortest chain from a start that is true or false to the opposite, link by link.
fn plain_chain(state: &State, links: CycleLinks, start: usize, from_on: bool) -> Option<u32> {
    let (mut seen, mut queue) = (HashSet::from([(start, from_on)]), VecDeque::from([(start, from_on, 1)]));
    while let Some((candidate, on, length)) = queue.pop_front() {
        let [weak, strong] = plain_links(state, links, candidate);
        for next in if on { weak } else { strong } {
            if (next, !on) == (start, !from_on) {
                return Some(length + 1);
            }
            if seen.insert((next, !on)) {
                queue.push_back((next, !on, length + 1));
            }
        }
    }
    None
}

/// The easiest hint of the first chain producer, by its definition: every cycle and every chain of every start.
fn plain_forcing(state: &State) -> Option<(f64, ForcingRank)> {
    let mut all: Vec<(f64, ForcingRank)> = Vec::new();
    for start in (0..729).filter(|&candidate| state.has(candidate / 9, candidate % 9)) {
        let count = state.digits[start / 9].count_ones();
        for links in [CycleLinks::X, CycleLinks::Y, CycleLinks::All] {
            if count < 2 || !links.x() && count > 2 {
                continue;
            }
            let base = f64::from(links.cycle().tenths()) / 10.0;
            let cycles = plain_cycles(state, links, start).into_iter();
            let rank = |complexity: u32, turn| ForcingRank { complexity, key: links.key(), start, turn };
            all.extend(cycles.map(|(length, _)| (base + added(length), rank(length, HintTurn::Cycle))));
            let turns = [(true, HintTurn::Refutation), (false, HintTurn::Proof)];
            for (on, turn) in turns.into_iter().filter(|_| links.x()) {
                let base = if links == CycleLinks::X { 6.6 } else { 7.0 };
                let chain = plain_chain(state, links, start, on);
                all.extend(chain.map(|length| (base + added(length), rank(length, turn))));
            }
        }
    }
    all.into_iter().min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
}

/// The first chain producer, alone and with a hint that is known before: a Y-cycle of 16 to 34 candidates, which lets
/// some of the other hints win. Returns how often another hint beats the known one, how often this is a cycle, and how
/// often there is a hint at all.
fn check_forcing(states: &[State]) -> [u32; 3] {
    let mut found = [0; 3];
    for state in states {
        let plain = plain_forcing(state);
        for length in [0, 16, 18, 20, 26, 34] {
            let known = (length > 0).then(|| {
                let rating = 6.5 + added(length);
                let found = FoundHint { rating, ..FoundHint::new(HintKind::BidirectionalYCycle) };
                let (key, turn) = (CycleLinks::Y.key(), HintTurn::Cycle);
                Best { hint: found, rank: ForcingRank { complexity: length, key, start: 728, turn } }
            });
            let before = known.as_ref().map(|best| (best.hint.rating, best.rank));
            let expected = plain.filter(|plain| before.is_none_or(|before| *plain < before)).or(before);
            let best = easier(state, known).map(|best| (best.hint.rating, best.rank));
            assert_eq!(best, expected, "a hint of {length} candidates is known");
            found[0] += u32::from(length > 0 && expected != before);
            let is_cycle = expected.is_some_and(|(_, rank)| rank.turn == HintTurn::Cycle);
            found[1] += u32::from(length > 0 && expected != before && is_cycle);
            found[2] += u32::from(expected.is_some());
        }
    }
    found
}

#[test]
fn the_first_chain_is_that_of_the_plain_search() {
    let found = check_forcing(&positions(60));
    assert!(found.iter().all(|&found| found > 10), "{found:?}");
}

/// A cycle of 6 candidates that comes with no chain below 8, beside a Y-cycle of 20 candidates.
#[test]
fn a_cycle_shorter_than_every_chain_counts() {
    let line = "...4....9.57...2.3....7.41.2617.........6.5..9...1..7.372.9.............8.9..3...";
    let mut states = Vec::new();
    let mut each = |state: &State, found: &FoundHint| {
        if found.tenths() >= 65 {
            states.push(state.clone());
        }
    };
    solve(&puzzle(line), &Options::default(), Some(&mut each));
    check_forcing(&states);
    assert_eq!(rate(&puzzle(line), &Options::default()).er_tenths, Some(72));
}

/// Extends a set by cells of `open` in all ways until every house has two of its cells or none. Adds these sets to
/// `found`. No house ever has three.
fn plain_loop_sets(open: u128, set: u128, found: &mut HashSet<u128>) {
    let half = (0..HOUSES).find(|&house| (set & HOUSE_SET[house]).count_ones() == 1);
    let Some(house) = half else {
        found.insert(set);
        return;
    };
    for cell in cells(open & HOUSE_SET[house] & !set) {
        let next = set | 1 << cell;
        if HOUSE_SET.iter().all(|&house| (next & house).count_ones() <= 2) {
            plain_loop_sets(open, next, found);
        }
    }
}

/// True if one walk from house to house visits each cell once, closes, and has one cell of each house at an even step.
fn is_loop(set: u128, path: &mut Vec<usize>) -> bool {
    let (first, last) = (path[0], path[path.len() - 1]);
    if path.len() == set.count_ones() as usize {
        let even = path.iter().step_by(2).fold(0u128, |even, &cell| even | 1 << cell);
        let halves = HOUSE_SET.iter().all(|&house| set & house == 0 || (even & house).count_ones() == 1);
        return halves && PEERS[last] >> first & 1 != 0;
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

/// The lowest rating, in tenths, and type of unique loops with at most two cells with other digits, by the definitions
/// of types 1, 2 and 4.
fn plain_loop(state: &State) -> Option<(u16, u8)> {
    let mut all = Vec::new();
    for (one, two) in (0..9).flat_map(|one| (one + 1..9).map(move |two| (one, two))) {
        let both = state.cells[one] & state.cells[two];
        let is_pair = |&cell: &usize| state.digits[cell].count_ones() == 2;
        let mut sets = HashSet::new();
        cells(both).filter(is_pair).for_each(|start| plain_loop_sets(both, 1 << start, &mut sets));
        for set in sets {
            let other: Vec<usize> = cells(set).filter(|cell| !is_pair(cell)).collect();
            let start = cells(set).find(is_pair).unwrap();
            if !(1..=2).contains(&other.len()) || !is_loop(set, &mut vec![start]) {
                continue;
            }
            let rating = match set.count_ones() {
                4 => 45,
                6 => 46,
                8 => 47,
                _ => 50,
            };
            let extra = other.iter().fold(0, |extra, &cell| extra | state.digits[cell]) & !(1 << one | 1 << two);
            let seen = other.iter().fold(u128::MAX, |seen, &cell| seen & PEERS[cell]);
            if other.len() == 1 {
                all.push((rating, 1));
            } else if extra.is_power_of_two() && seen & state.cells[extra.trailing_zeros() as usize] & !set != 0 {
                all.push((rating, 2));
            }
            let locked = |digit: usize| {
                let house = |house: &&u128| other.iter().all(|&cell| **house >> cell & 1 != 0);
                HOUSE_SET.iter().filter(house).any(|house| (house & state.cells[digit]).count_ones() == 2)
            };
            if other.len() == 2 && (locked(one) || locked(two)) {
                all.push((rating, 4));
            }
        }
    }
    all.into_iter().min()
}

/// The first unique loop is the easiest by the definitions. Types 2 with more cells and 3 are not defined here.
fn check_loops(states: &[State]) -> [usize; 5] {
    let mut found = [0; 5];
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
        let HintKind::UniqueLoop(kind, _) = hint.kind else { unreachable!("loops give hints of loops") };
        found[usize::from(kind)] += 1;
        let others = cells(hint.cells).filter(|&cell| state.digits[cell].count_ones() > 2).count();
        let rank = (hint.tenths(), kind);
        if kind == 3 || others > 2 {
            assert!(plain.is_none_or(|plain| rank < plain), "{plain:?}");
        } else {
            assert_eq!(plain, Some(rank));
        }
    }
    found
}

#[test]
fn the_first_unique_loop_is_the_easiest_by_the_definitions() {
    let found = check_loops(&positions(3_000));
    assert!(found[1..].iter().all(|&found| found > 0), "{found:?}");
}

#[test]
#[ignore = "a million positions (COUNT for others) take hours; run with `cargo test --release -- --ignored a_million_positions`"]
fn a_million_positions_have_the_chains_and_loops_of_the_plain_searches() {
    let count = std::env::var("COUNT").map_or(1_000_000, |count| count.parse().unwrap());
    let (mut chains, mut loops) = ([0; 3], [0; 5]);
    for set in 0..count / 1_000 {
        let states = positions_of(set, 1_000);
        chains.iter_mut().zip(check_forcing(&states)).for_each(|(sum, found)| *sum += found);
        loops.iter_mut().zip(check_loops(&states)).for_each(|(sum, found)| *sum += found);
    }
    println!("{chains:?} {loops:?}");
}

/// The producer searches cycles only from starts that are *near*. No other start has a cycle within the limit. Counts
/// the cycles by their links.
#[test]
fn cycles_no_longer_than_the_shortest_chain_start_where_they_are_searched() {
    let mut found = [0; 3];
    for state in positions(60) {
        let (graph, mut reach) =
            (Graph::<12>::of(&state, &LinkScope::all(&state)), Reach::<12>::new(&state, &LinkScope::all(&state)));
        let Some(ShortestChain { length, .. }) = reach.shortest(NO_LIMIT) else { continue };
        let within = pairs_in_cycles(&state);
        let y_graph = Graph::<12>::of(&state, &LinkScope::pairs(&state, within));
        let mut y_reach = Reach::<12>::new(&state, &LinkScope::pairs(&state, within));
        let (y_near, returning) = (y_reach.on_cycles(&state), y_reach.returning());
        let y_near = y_near.map(|near| near & returning);
        for (links, graph, near, limit) in [
            (CycleLinks::All, graph, reach.near_cycles(&state), length + 1),
            (CycleLinks::Y, y_graph, y_near, NO_LIMIT),
        ] {
            for &start in &graph.candidate {
                let (queue, is_near) = (&mut Queue::default(), near[start as usize % 9] >> (start / 9) & 1 != 0);
                from_start(&state, links, &graph, start.into(), limit, queue, |_| {
                    assert!(is_near);
                    found[links as usize] += 1;
                    limit
                });
            }
        }
        for digit in 0..9 {
            let near = Reach::<2>::new(&state, &LinkScope::digit(&state, digit)).on_cycles(&state)[digit];
            for cell in cells(state.cells[digit]) {
                let (queue, graph) = (&mut Queue::default(), of_digit(&state, digit));
                from_start(&state, CycleLinks::X, &graph, 9 * cell + digit, NO_LIMIT, queue, |_| {
                    assert!(near >> cell & 1 != 0);
                    found[0] += 1;
                    NO_LIMIT
                });
            }
        }
    }
    assert!(found.iter().all(|&found| found > 0), "{found:?}");
}

#[test]
fn the_joint_search_finds_the_shortest_chain_of_each_start() {
    let mut found = 0;
    for state in positions(120) {
        let graph = Graph::<12>::of(&state, &LinkScope::all(&state));
        let open = |&(_, &candidate): &(usize, &u16)| state.digits[candidate as usize / 9].count_ones() > 1;
        let of_each = graph.candidate.iter().enumerate().filter(open).flat_map(|(at, &candidate)| {
            let chains = [(graph.refutes_itself(at, NO_LIMIT), false), (graph.proves_itself(at, NO_LIMIT), true)];
            let start = usize::from(candidate);
            chains
                .into_iter()
                .filter_map(move |(length, proves)| Some(ShortestChain { length: length?, start, proves }))
        });
        let expected = of_each.min();
        let shortest = |limit| Reach::<12>::new(&state, &LinkScope::all(&state)).shortest(limit);
        assert_eq!(shortest(NO_LIMIT), expected);
        assert_eq!(shortest(expected.map_or(10, |chain| chain.length)), None);
        found += usize::from(expected.is_some());
    }
    assert!(found > 20, "{found}");
}

#[test]
fn cells_are_counted_by_their_candidates() {
    for state in positions(20) {
        for count in 1..=3 {
            let plain =
                (0..81).filter(|&cell| state.digits[cell].count_ones() == count).fold(0, |set, cell| set | 1 << cell);
            assert_eq!(state.cells_with(count), plain);
        }
    }
}
