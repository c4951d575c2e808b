//! Compares shortcuts with searches that do not have them: a shortcut must not lose anything.
//!
//! [`chains`] has those of cycles and forcing chains, [`loops`] those of unique loops, this file all others. A candidate
//! is the number 9 * cell + digit, with digits 0..9. A *run* follows the assumption that a candidate is on (true) or off
//! (false). Each test counts what it has compared, so that it cannot pass without a comparison.

mod chains;
mod loops;

use super::found::{FoundHint, Taken};
use super::state::{CellsByDigit, News, State};
use super::tables::{bits, cell_set, cells, count, subsets_of};
use super::{Bounds, ChainLevel, HintKind, NextHint, Options, PRODUCERS, first_hint, solve};
use crate::bits::{is_empty, members};
use crate::explainer::chains::advanced::extend;
use crate::explainer::chains::graph::{Graph, Outcomes};
use crate::explainer::chains::reach::LinkScope;
use crate::explainer::chains::run::{OFF, ON, Run};
use crate::explainer::chains::templates::Limits;
use crate::explainer::patterns::aligned::triplets;
use crate::explainer::patterns::loops::unique_loops;
use crate::explainer::patterns::subsets::closed_tuples;
use crate::ladder::tests::published::random_puzzle;
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
        let mut each = |state: &State, hint: &FoundHint| {
            if hint.tenths() >= 42 {
                states.push(State { news: News::ALL, new_houses: u32::MAX, ..state.clone() });
            }
        };
        solve(&puzzle, &Options { at_most: Some(84), ..Options::default() }, Some(&mut each));
    }
    states
}

fn of_digit(state: &State, digit: usize) -> Graph<2> {
    Graph::of(state, &LinkScope::digit(state, digit))
}

#[test]
fn templates_decide_what_chains_along_a_digit_decide() {
    // How many candidates chains and Nishio runs decide that start off, and on.
    let (mut by_chains, mut by_nishio) = ([0; 2], [0; 2]);
    let mut run = Run::take();
    for state in positions(60) {
        let limits = Limits::of(&state);
        for digit in 0..9 {
            let graph = of_digit(&state, digit);
            for cell in cells(state.cells[digit]) {
                let start = graph.number[9 * cell + digit].into();
                // A candidate that is on may be refuted, one that is off may be proved.
                for on in [false, true] {
                    let (limit, chain) = match on {
                        true => (limits.refutable[digit], graph.refutes_itself(start)),
                        false => (limits.provable[digit], graph.proves_itself(start)),
                    };
                    run.follow(&state, ChainLevel::Nishio, extend, 9 * cell + digit, on, &mut Vec::new());
                    let is_decided = chain.is_some() || run.contradiction.is_some();
                    assert!(!is_decided || limit >> cell & 1 != 0, "{cell} {digit}");
                    by_chains[usize::from(on)] += u32::from(chain.is_some());
                    by_nishio[usize::from(on)] += u32::from(run.contradiction.is_some());
                }
            }
        }
    }
    assert!([by_chains, by_nishio].concat().iter().all(|&count| count > 0), "{by_chains:?} {by_nishio:?}");
}

/// What tells the hints of a kind apart.
#[derive(Clone, PartialEq, Debug)]
struct HintData {
    removals: CellsByDigit,
    cells: u128,
    rating: f64,
}

fn hints_of(search: impl FnOnce(&mut dyn FnMut(&FoundHint) -> Taken) -> Taken) -> Vec<HintData> {
    let mut hints = Vec::new();
    _ = search(&mut |hint: &FoundHint| {
        hints.push(HintData { removals: hint.remove, cells: hint.cells, rating: hint.rating });
        Ok(())
    });
    hints
}

#[test]
fn triplets_and_loops_are_the_same_without_bounds() {
    let (mut triplet_count, mut loop_count) = (0, 0);
    for state in positions(120) {
        let bounded_triplets = hints_of(|take| triplets(&state, true, take));
        // Without bounds a triplet comes once for each of its pairs.
        let mut different: Vec<HintData> = Vec::new();
        for hint in hints_of(|take| triplets(&state, false, take)) {
            if !different.contains(&hint) {
                different.push(hint);
            }
        }
        assert_eq!(bounded_triplets, different);
        let pruned_loops = hints_of(|take| unique_loops(&state, true, take));
        assert_eq!(pruned_loops, hints_of(|take| unique_loops(&state, false, take)));
        triplet_count += bounded_triplets.len();
        loop_count += pruned_loops.len();
    }
    assert!(triplet_count > 5 && loop_count > 5, "{triplet_count} {loop_count}");
}

/// A producer leaves out what it has seen before. Its first hint is the same as that of a search of everything.
#[test]
fn what_is_old_has_no_first_hint() {
    let (mut rng, mut compared) = (Rng::new(14, 0, Stage::Bench, 0), 0);
    while compared < 4_000 {
        let mut each = |state: &State, hint: &FoundHint| {
            let (mut all_news, mut first) = ([News::ALL; PRODUCERS.len()], FoundHint::new(HintKind::LastValue));
            let mut bounds = Bounds { limit: u16::MAX, free: 0, tried: 0, direct: false };
            let next = first_hint(&mut state.clone(), &mut all_news, &mut bounds, &mut first);
            assert!(matches!(next, NextHint::Found));
            assert_eq!((first.kind, first.placed, first.remove), (hint.kind, hint.placed, hint.remove));
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
        let with_strong = graph.candidate.iter().zip(&graph.strong).filter(|(_, strong)| !is_empty(&strong[..]));
        let linked: Vec<u16> = with_strong.map(|(&candidate, _)| candidate).collect();
        // Bits of what becomes on stand for the candidates with strong links, bits of what becomes off for all.
        let candidates_of_bits = [&linked, &graph.candidate];
        for start in graph.candidate.iter().map(|&start| usize::from(start)) {
            run.follow(&state, ChainLevel::Static, extend, start, true, &mut Vec::new());
            assert_eq!(outcomes.is_refuted(start), run.contradiction.is_some());
            if run.contradiction.is_some() {
                continue;
            }
            for side in [ON, OFF] {
                let mut reached = [0; 9];
                if side == ON {
                    reached[start % 9] |= 1 << (start / 9);
                }
                for bit in members(outcomes.side(side, start)) {
                    let candidate = candidates_of_bits[side][bit];
                    reached[candidate as usize % 9] |= 1 << (candidate / 9);
                    compared += 1;
                }
                assert_eq!(reached, run.sets[side]);
            }
        }
    }
    assert!(compared > 100_000, "{compared}");
}

/// The sum of the depths of a candidate in two runs, if it becomes on (off) in both.
fn depth_in_both(runs: &[Run; 2], candidate: usize, on: bool) -> Option<u32> {
    let nodes = runs.each_ref().map(|run| run.node(candidate, on));
    let depths = [0, 1].map(|number| runs[number].nodes.get(nodes[number] as usize).map(|node| node.depth));
    Some(u32::from(depths[0]?) + u32::from(depths[1]?))
}

#[test]
fn the_nearest_results_are_those_of_static_runs() {
    let (mut results, mut runs) = (0, [Run::take(), Run::take()]);
    for state in positions(20) {
        let (mut outcomes, graph) = (Outcomes::of(&state), Graph::<12>::of(&state, &LinkScope::all(&state)));
        for starts in graph.candidate.windows(2).map(|two| [two[0], two[1]].map(usize::from)) {
            for (run, start) in runs.iter_mut().zip(starts) {
                run.follow(&state, ChainLevel::Static, extend, start, true, &mut Vec::new());
            }
            if runs.iter().all(|run| run.contradiction.is_none()) {
                let nearest = outcomes.nearest(&starts);
                let sides = (0..729).flat_map(|candidate| [(candidate, true), (candidate, false)]);
                assert_eq!(nearest, sides.filter_map(|(candidate, on)| depth_in_both(&runs, candidate, on)).min());
                results += usize::from(nearest.is_some());
            }
        }
    }
    assert!(results > 1_000, "{results}");
}

#[test]
fn closed_tuples_are_those_of_all_tuples() {
    let mut rng = Rng::new(12, 0, Stage::Bench, 0);
    for round in 0..3_000 {
        let masks = [0; 9].map(|_: u16| (rng.word() & rng.word() & 0x1ff) as u16);
        let size = 2 + round % 3;
        let mut expected = Vec::new();
        for tuple in subsets_of(9, size) {
            let union = bits(tuple).fold(0, |union, member| union | masks[member]);
            if bits(tuple).all(|member| count(masks[member]) > 1) && count(union) as usize == size {
                expected.push((tuple, union));
            }
        }
        let mut closed = Vec::new();
        _ = closed_tuples(&masks, size, |tuple, union| {
            closed.push((tuple, union));
            Ok(())
        });
        assert_eq!(closed, expected);
    }
}

#[test]
fn cells_are_counted_by_their_candidates() {
    for state in positions(20) {
        for size in 1..=3 {
            let expected = cell_set((0..81).filter(|&cell| count(state.digits[cell]) == size));
            assert_eq!(state.cells_with(size), expected);
        }
    }
}

#[test]
#[ignore = "a million positions (COUNT for others) take hours; run with `cargo test --release -- --ignored a_million_positions`"]
fn a_million_positions_have_the_chains_and_loops_of_the_plain_searches() {
    let count = std::env::var("COUNT").map_or(1_000_000, |count| count.parse().unwrap());
    let (mut forcing_counts, mut loops_by_type) = (chains::ForcingCounts::default(), [0; 5]);
    for set in 0..count / 1_000 {
        let states = positions_of(set, 1_000);
        chains::check_forcing(&states, &mut forcing_counts);
        loops::check_loops(&states, &mut loops_by_type);
    }
    println!("{forcing_counts:?} {loops_by_type:?}");
}
