//! Shortcuts compared with searches that do not have them: a shortcut must not lose anything.

use std::collections::BTreeSet;

use super::find_all;
use super::published::random_puzzle;
use crate::bits::{has, row};
use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House, Narrow};
use crate::ladder::als::als_chains;
use crate::ladder::chains::nice_loops;
use crate::ladder::chains::reach::ReachFromStarts;
use crate::ladder::climb::find::{find_all_at, simplest_step};
use crate::ladder::position::closure::Implications;
use crate::ladder::position::common::all_see;
use crate::ladder::position::links::{LinkState, off, on};
use crate::ladder::position::subset_houses::MAX_SIZE;
use crate::ladder::position::{Earlier, Position};
use crate::ladder::tests::library::{deleted, position};
use crate::ladder::uniqueness::conclusions::{UniquenessType, conclude};
use crate::ladder::uniqueness::rectangles;
use crate::ladder::words::list::StepList;
use crate::ladder::words::sink::{Conclusion, Pattern};
use crate::ladder::words::technique::LinkType;
use crate::ladder::{Ladder, Step, Technique, trace};
use crate::random::{Rng, Stage};

/// Solves random puzzles. `each` gets the marks, with notes of searches, and the next step if it is `from` or harder.
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
    let mut choices = Vec::new();
    for choice in (0..1_u32 << things.len()).filter(|choice| choice.count_ones() as usize == size) {
        let chosen = things.iter().enumerate().filter(|(number, _)| choice >> number & 1 != 0);
        choices.push(chosen.map(|(_, &thing)| thing).collect());
    }
    choices
}

pub(crate) fn digits_of(marks: &Candidates<Narrow>, cells: Narrow) -> Digits {
    cells.cells().fold(Digits::EMPTY, |digits, cell| digits | marks.of_cell(cell))
}

#[test]
fn searches_with_and_without_memory_find_the_same() {
    let remember: Ladder = "locked_pair,locked_triple,pointing,claiming,subsets".parse().unwrap();
    let mut counts = [0; 10];
    each_position(60, Technique::FullHouse, |marks, _| {
        let fresh = forgetful(marks);
        for (count, &technique) in counts.iter_mut().zip(remember.techniques()) {
            let steps = find_all(technique, marks);
            assert_eq!(steps, find_all(technique, &fresh), "{technique:?}");
            *count += steps.len();
        }
    });
    assert!(counts[..9].iter().all(|&count| count > 0), "{counts:?}");
}

type Subset = (Digits, Vec<Cell>);

/// The naked subsets of a house that remove something.
fn naked_subsets(marks: &Candidates<Narrow>, house: House, size: usize) -> Vec<Subset> {
    let mut subsets = Vec::new();
    let open: Vec<Cell> = (marks.house(house) & marks.open()).cells().collect();
    for cells in choices(&open, size) {
        let subset = Narrow::of(cells.iter().copied());
        let digits = digits_of(marks, subset);
        let seen = all_see(marks, subset) & marks.open();
        let is_worth = (seen - subset).cells().any(|cell| !(marks.of_cell(cell) & digits).is_empty());
        if digits.len() == size && is_worth && cells.iter().all(|&cell| marks.of_cell(cell).len() > 1) {
            subsets.push((digits, cells));
        }
    }
    subsets
}

/// The hidden subsets of a house that remove something.
fn hidden_subsets(marks: &Candidates<Narrow>, house: House, size: usize) -> Vec<Subset> {
    let mut subsets = Vec::new();
    let lacked: Vec<Digit> = Digits::all(9).iter().filter(|&digit| marks.places(digit, house) < 10).collect();
    for digits in choices(&lacked, size) {
        let places: Vec<Narrow> = digits.iter().map(|&digit| marks.of_digit(digit) & marks.house(house)).collect();
        let cells = places.iter().fold(Narrow::empty(), |cells, &places| cells | places);
        let digits: Digits = digits.into_iter().collect();
        let is_worth = !(digits_of(marks, cells) - digits).is_empty();
        if cells.len() == size && is_worth && places.iter().all(|places| places.len() > 1) {
            subsets.push((digits, cells.cells().collect()));
        }
    }
    subsets
}

#[test]
fn subsets_are_those_of_all_choices() {
    let naked: [&[Technique]; 3] = [
        &[Technique::NakedPair, Technique::LockedPair],
        &[Technique::NakedTriple, Technique::LockedTriple],
        &[Technique::NakedQuadruple],
    ];
    let hidden = [[Technique::HiddenPair], [Technique::HiddenTriple], [Technique::HiddenQuadruple]];
    let mut counts = [0; 2];
    each_position(4, Technique::FullHouse, |marks, _| {
        let marks = &forgetful(marks);
        for size in 2..=MAX_SIZE {
            let houses = || marks.sets().layout().houses().filter(|&house| marks.open_in(house) > size);
            let defined: [BTreeSet<Subset>; 2] = [
                houses().flat_map(|house| naked_subsets(marks, house, size)).collect(),
                houses().flat_map(|house| hidden_subsets(marks, house, size)).collect(),
            ];
            for (number, techniques) in [naked[size - 2], &hidden[size - 2]].into_iter().enumerate() {
                let steps = techniques.iter().flat_map(|&technique| find_all(technique, marks));
                let subsets: BTreeSet<Subset> = steps.map(|step| (step.pattern.digits, step.pattern.cells)).collect();
                assert_eq!(subsets, defined[number]);
                counts[number] += subsets.len();
            }
        }
    });
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

fn offers(search: impl FnOnce(&mut StepList<Narrow>)) -> Vec<(Conclusion<Narrow>, Pattern)> {
    let mut offers = StepList::all();
    search(&mut offers);
    offers.steps
}

/// Calls `each` with every four open cells of two rows, columns and boxes, and two digits of which each has one.
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
            let by_search =
                offers(|sink| tests.iter().for_each(|&test| rectangles::uniqueness_test(&position, test, sink)));
            let by_definition = offers(|sink| by_all_rectangles(marks, kind, sink));
            for (some, all) in [(&by_search, &by_definition), (&by_definition, &by_search)] {
                for (conclusion, _) in some {
                    assert!(all.iter().any(|(known, _)| known == conclusion), "{kind:?}: {conclusion:?}");
                }
            }
            *count += by_search.len();
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
    let mut counts = [0; 3];
    each_position(12, Technique::XyChain, |marks, _| {
        let position = Position::new(marks);
        for (count, (link_type, techniques)) in counts.iter_mut().zip(rungs) {
            let chains = offers(|sink| nice_loops::chains(&position, link_type, techniques, sink));
            assert_eq!(chains, offers(|sink| nice_loops::chains_of_any_links(&position, link_type, techniques, sink)));
            *count += chains.len();
        }
    });
    assert!(counts.iter().all(|&count| count > 0) && counts[1] > 100, "{counts:?}");
}

#[test]
fn what_follows_by_chains_equals_what_the_general_search_reaches() {
    let mut conclusions = 0;
    each_position(6, Technique::XyChain, |marks, _| {
        let position = Position::new(marks);
        let closure = position.closure(Implications::Chain);
        let (links, count) = (&closure.links, closure.links.singles);
        let premises: Vec<LinkState> = (0..count).map(on).chain((0..count).map(off)).collect();
        let mut reach = ReachFromStarts::new(links, premises.iter().copied());
        // [conclusion][premise].
        let mut reached = vec![false; 4 * count * count];
        let mut is_new = true;
        while is_new {
            for (literal, &state) in premises.iter().enumerate() {
                // Chains with a group end in the upper copy of the graph.
                let premises = [state as usize, links.at_end(state)].into_iter().flat_map(|end| reach.starts(end));
                premises.for_each(|premise| reached[2 * count * literal + premise] = true);
            }
            is_new = reach.advance();
        }
        for (literal, reached) in reached.chunks_exact(2 * count).enumerate() {
            let rows = if literal < count { &closure.of_falsehood } else { &closure.of_truth };
            let premises = row(rows, literal % count, closure.words);
            assert!(reached.iter().enumerate().all(|(premise, &reached)| has(premises, premise) == reached));
            conclusions += reached.iter().filter(|&&reached| reached).count();
        }
    });
    assert!(conclusions > 10_000, "{conclusions}");
}

#[test]
fn als_chains_continued_from_wings_equal_those_of_a_new_search() {
    let mut counts = [0; 2];
    each_position(20, Technique::XyChain, |marks, _| {
        let (shared, fresh) = (Position::new(marks), Position::new(marks));
        let wings = offers(|sink| als_chains::als_xy_wings(&shared, sink));
        let chains = offers(|sink| als_chains::als_chains(&shared, sink));
        assert_eq!(chains, offers(|sink| als_chains::als_chains(&fresh, sink)));
        assert_eq!(wings, offers(|sink| als_chains::als_xy_wings(&fresh, sink)));
        counts = [counts[0] + wings.len(), counts[1] + chains.len()];
    });
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

#[test]
fn positions_after_others_find_what_new_ones_find() {
    let techniques = [Technique::AlsXz, Technique::AlsXyWing, Technique::AlsChain, Technique::DeathBlossom];
    let fish = [Technique::FinnedSwordfish, Technique::SashimiSwordfish, Technique::FinnedFrankenSwordfish];
    let (mut earlier, mut open, mut counts) = (Earlier::default(), 0, [0; 7]);
    each_position(6, Technique::FullHouse, |marks, _| {
        // The next puzzle.
        if marks.open().len() > open {
            earlier = Earlier::default();
        }
        open = marks.open().len();
        let forgetful = forgetful(marks);
        let (later, new) = (Position::after(marks, &earlier), Position::new(&forgetful));
        for (count, &technique) in counts.iter_mut().zip(techniques.iter().chain(&fish)) {
            let steps = find_all_at(technique, &later);
            assert_eq!(steps, find_all_at(technique, &new));
            *count += steps.len();
        }
    });
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
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
        let efforts = rung.iter().flat_map(|&technique| find_all(technique, marks)).map(|step| effort(&step));
        let efforts: Vec<(bool, u32)> = efforts.collect();
        assert_eq!(efforts.iter().min(), Some(&effort(&step)), "{step:?}");
        with_chains += usize::from(efforts.iter().max() > Some(&effort(&step)));
    });
    assert!(with_chains > 10, "{with_chains}");
}
