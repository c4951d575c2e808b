//! Shortcuts compared with searches that do not have them: a shortcut must not lose anything.

use std::collections::BTreeSet;

use super::find_all;
use super::published::random_puzzle;
use crate::bits::{has, row};
use crate::board::{Candidates, Cell, CellSet, Digit, Digits, Narrow};
use crate::ladder::als::als_chains;
use crate::ladder::chains::nice_loops;
use crate::ladder::chains::reach::ReachFromStarts;
use crate::ladder::climb::find::simplest_step;
use crate::ladder::position::Position;
use crate::ladder::position::closure::Closure;
use crate::ladder::position::links::{LinkState, off, on};
use crate::ladder::position::subset_houses::MAX_SIZE;
use crate::ladder::tests::library::{deleted, position};
use crate::ladder::uniqueness::conclusions::{UniquenessType, conclude};
use crate::ladder::uniqueness::rectangles;
use crate::ladder::words::list::StepList;
use crate::ladder::words::sink::{Conclusion, Pattern};
use crate::ladder::words::technique::LinkType;
use crate::ladder::{Ladder, Step, Technique, trace};
use crate::random::{Rng, Stage};

/// Solves random puzzles. `each` gets the marks with what earlier searches noted, and the next step if it is `from` or
/// harder.
pub(crate) fn each_position(puzzles: usize, from: Technique, mut each: impl FnMut(&Candidates<Narrow>, &Step)) {
    let mut rng = Rng::new(13, 0, Stage::Bench, 0);
    for _ in 0..puzzles {
        let (puzzle, _) = random_puzzle(&mut rng);
        let mut marks = Candidates::<Narrow>::new(&puzzle);
        for round in trace(&puzzle, &Ladder::default()).steps.chunk_by(|a, b| a.round == b.round) {
            if round[0].technique >= from {
                each(&marks, &round[0]);
            }
            marks.next_round();
            round.iter().for_each(|step| step.take(&mut marks));
        }
    }
}

/// The same pencil marks without notes of earlier searches.
pub(crate) fn forgetful(marks: &Candidates<Narrow>) -> Candidates<Narrow> {
    Candidates::at(&position(marks), marks.givens(), &deleted(marks))
}

pub(crate) fn choices<T: Copy>(things: &[T], size: usize) -> Vec<Vec<T>> {
    let chosen = |mask: &u32| mask.count_ones() as usize == size;
    let pick = |mask: u32| (0..things.len()).filter(|at| mask >> at & 1 != 0).map(|at| things[at]).collect();
    (0..1_u32 << things.len()).filter(chosen).map(pick).collect()
}

#[test]
fn searches_with_and_without_memory_find_the_same() {
    let remember: Ladder = "locked_pair,locked_triple,pointing,claiming,subsets".parse().unwrap();
    let mut found = [0; 10];
    each_position(60, Technique::FullHouse, |marks, _| {
        let fresh = forgetful(marks);
        for (found, &technique) in found.iter_mut().zip(remember.techniques()) {
            let steps = find_all(technique, marks);
            assert_eq!(steps, find_all(technique, &fresh), "{technique:?}");
            *found += steps.len();
        }
    });
    assert!(found[..9].iter().all(|&found| found > 0), "{found:?}");
}

#[test]
fn subsets_are_those_of_all_choices() {
    let mut count = [0; 2];
    each_position(4, Technique::FullHouse, |marks, _| {
        let marks = &forgetful(marks);
        for size in 2..=MAX_SIZE {
            let (mut naked, mut hidden) = (Vec::new(), Vec::new());
            for house in marks.sets().layout().houses().filter(|&house| marks.open_in(house) > size) {
                let open: Vec<Cell> = (marks.house(house) & marks.open()).cells().collect();
                for cells in choices(&open, size) {
                    let digits = cells.iter().fold(Digits::EMPTY, |all, &cell| all | marks.of_cell(cell));
                    let sees = |cell: Cell| cells.iter().all(|&own| marks.peers(own).contains(cell));
                    let out = (marks.open() - Narrow::of(cells.iter().copied())).cells();
                    let mut out = out.filter(|&cell| !(marks.of_cell(cell) & digits).is_empty() && sees(cell));
                    if digits.len() == size && cells.iter().all(|&cell| marks.of_cell(cell).len() > 1) {
                        naked.extend(out.next().map(|_| (digits, cells)));
                    }
                }
                let lacked: Vec<Digit> =
                    Digits::all(9).iter().filter(|&digit| marks.places(digit, house) < 10).collect();
                for digits in choices(&lacked, size) {
                    let places = |digit: &Digit| marks.of_digit(*digit) & marks.house(house);
                    let cells = digits.iter().fold(Narrow::empty(), |all, digit| all | places(digit));
                    let digits_of = digits.iter().copied().collect::<Digits>();
                    let is_worth = cells.cells().any(|cell| !(marks.of_cell(cell) - digits_of).is_empty());
                    if cells.len() == size && is_worth && digits.iter().all(|digit| places(digit).len() > 1) {
                        hidden.push((digits_of, cells.cells().collect()));
                    }
                }
            }
            let of = |techniques: &[Technique]| {
                let steps = techniques.iter().flat_map(|&technique| find_all(technique, marks));
                steps.map(|step| (step.pattern.digits, step.pattern.cells)).collect::<Vec<_>>()
            };
            let sorted = |found: Vec<(Digits, Vec<Cell>)>| found.into_iter().collect::<BTreeSet<_>>();
            let all_naked: &[Technique] = match size {
                2 => &[Technique::NakedPair, Technique::LockedPair],
                3 => &[Technique::NakedTriple, Technique::LockedTriple],
                _ => &[Technique::NakedQuadruple],
            };
            let of_hidden = [Technique::HiddenPair, Technique::HiddenTriple, Technique::HiddenQuadruple][size - 2];
            count = [count[0] + naked.len(), count[1] + hidden.len()];
            assert_eq!(sorted(of(all_naked)), sorted(naked));
            assert_eq!(sorted(of(&[of_hidden])), sorted(hidden));
        }
    });
    assert!(count.iter().all(|&count| count > 50), "{count:?}");
}

fn offers(search: impl FnOnce(&mut StepList<Narrow>)) -> Vec<(Conclusion<Narrow>, Pattern)> {
    let mut found = StepList::all();
    search(&mut found);
    found.steps
}

/// Calls `each` with every four open cells of two rows, two columns and two boxes, and two digits of which each has
/// one.
pub(crate) fn each_rectangle(marks: &Candidates<Narrow>, mut each: impl FnMut([Cell; 4], Digits)) {
    let pairs: Vec<Vec<usize>> = choices(&(0..9).collect::<Vec<_>>(), 2);
    for (rows, columns) in pairs.iter().flat_map(|rows| pairs.iter().map(move |columns| (rows, columns))) {
        let cells = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[row, column]| Cell::new(9 * rows[row] + columns[column]));
        let boxes = [rows[0] / 3 == rows[1] / 3, columns[0] / 3 == columns[1] / 3];
        if boxes[0] == boxes[1] || cells.iter().any(|&cell| marks.value(cell).is_some()) {
            continue;
        }
        for digits in choices(&Digits::all(9).iter().collect::<Vec<_>>(), 2) {
            let pair = digits.into_iter().fold(Digits::EMPTY, |all, digit| all | Digits::only(digit));
            if cells.iter().all(|&cell| !(marks.of_cell(cell) & pair).is_empty()) {
                each(cells, pair);
            }
        }
    }
}

/// The conclusions of deadly rectangles.
fn by_all_rectangles(marks: &Candidates<Narrow>, kind: UniquenessType, sink: &mut StepList<Narrow>) {
    each_rectangle(marks, |cells, pair| {
        let roof = cells.iter().filter(|&&cell| !(marks.of_cell(cell) - pair).is_empty()).count();
        let has_corner = cells.iter().any(|&cell| marks.of_cell(cell) == pair);
        if has_corner && (roof > 1 || kind == UniquenessType::Alone) {
            conclude(marks, kind, &cells.map(|cell| (cell, pair)), sink);
        }
    });
}

#[test]
fn deadly_rectangles_are_those_of_all_rows_columns_and_digits() {
    let mut count = [0; 4];
    each_position(150, Technique::FullHouse, |marks, _| {
        let position = Position::new(marks);
        let kinds = UniquenessType::ALL.into_iter().zip([&[1][..], &[2, 5], &[3], &[4]]);
        for (count, (kind, tests)) in count.iter_mut().zip(kinds) {
            let found =
                offers(|sink| tests.iter().for_each(|&test| rectangles::uniqueness_test(&position, test, sink)));
            let all = offers(|sink| by_all_rectangles(marks, kind, sink));
            let has_all = |list: &[(Conclusion<Narrow>, Pattern)], of: &[(Conclusion<Narrow>, Pattern)]| {
                of.iter().all(|(conclusion, _)| list.iter().any(|(other, _)| other == conclusion))
            };
            assert!(has_all(&found, &all) && has_all(&all, &found), "{kind:?}: {found:?} {all:?}");
            *count += found.len();
        }
    });
    assert!(count.iter().all(|&count| count > 3), "{count:?}");
}

#[test]
fn alternating_chains_equal_those_of_the_general_search() {
    let rungs: [(LinkType, &[Technique]); 3] = [
        (LinkType::Pairs, &[Technique::XyChain]),
        (LinkType::Plain, &[Technique::ContinuousNiceLoop, Technique::DiscontinuousNiceLoop, Technique::Aic]),
        (
            LinkType::Grouped,
            &[Technique::GroupedContinuousNiceLoop, Technique::GroupedDiscontinuousNiceLoop, Technique::GroupedAic],
        ),
    ];
    let mut found = [0; 3];
    each_position(12, Technique::XyChain, |marks, _| {
        let position = Position::new(marks);
        for (found, (link_type, techniques)) in found.iter_mut().zip(rungs) {
            let of_all = offers(|sink| nice_loops::chains(&position, link_type, techniques, sink));
            assert_eq!(of_all, offers(|sink| nice_loops::chains_of_any_links(&position, link_type, techniques, sink)));
            *found += of_all.len();
        }
    });
    assert!(found.iter().all(|&found| found > 0) && found[1] > 100, "{found:?}");
}

#[test]
fn what_follows_by_chains_equals_what_the_general_search_reaches() {
    let mut found = 0;
    each_position(6, Technique::XyChain, |marks, _| {
        let closure = Closure::of_chains(marks);
        let (links, count) = (&closure.links, closure.links.singles);
        let premises: Vec<LinkState> = (0..count).map(on).chain((0..count).map(off)).collect();
        let mut reach = ReachFromStarts::new(links, premises.iter().copied());
        let mut reached = vec![false; 4 * count * count];
        let mut is_new = true;
        while is_new {
            for (at, &state) in premises.iter().enumerate() {
                reach.starts(state as usize).for_each(|premise| reached[2 * count * at + premise] = true);
            }
            is_new = reach.advance();
        }
        for (at, of_general) in reached.chunks_exact(2 * count).enumerate() {
            let rows = if at < count { &closure.of_falsehood } else { &closure.of_truth };
            let of_closure = row(rows, at % count, closure.words);
            assert!(of_general.iter().enumerate().all(|(premise, &reached)| has(of_closure, premise) == reached));
            found += of_general.iter().filter(|&&reached| reached).count();
        }
    });
    assert!(found > 10_000, "{found}");
}

#[test]
fn als_chains_continued_from_wings_equal_those_of_a_new_search() {
    let mut found = [0; 2];
    each_position(20, Technique::XyChain, |marks, _| {
        let (shared, own) = (Position::new(marks), Position::new(marks));
        let wings = offers(|sink| als_chains::als_xy_wings(&shared, sink));
        let chains = offers(|sink| als_chains::als_chains(&shared, sink));
        assert_eq!(chains, offers(|sink| als_chains::als_chains(&own, sink)));
        assert_eq!(wings, offers(|sink| als_chains::als_xy_wings(&own, sink)));
        found = [found[0] + wings.len(), found[1] + chains.len()];
    });
    assert!(found.iter().all(|&found| found > 0), "{found:?}");
}

#[test]
fn the_next_step_is_the_simplest_of_its_rung() {
    let ladder = Ladder::default();
    let mut with_chains = 0;
    each_position(40, Technique::FullHouse, |marks, taken| {
        let step = simplest_step(marks, &ladder).unwrap();
        let rung = ladder.rungs().find(|rung| rung.contains(&step.technique)).unwrap();
        assert!(rung.contains(&taken.technique), "{step:?} {taken:?}");
        let effort = |step: &Step| (step.placements.is_empty(), step.pattern.links);
        let others: Vec<Step> = rung.iter().flat_map(|&technique| find_all(technique, marks)).collect();
        assert_eq!(others.iter().map(effort).min(), Some(effort(&step)), "{step:?}");
        with_chains += usize::from(others.iter().any(|other| effort(other) > effort(&step)));
    });
    assert!(with_chains > 10, "{with_chains}");
}
