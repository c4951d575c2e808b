//! Tests of the rating's promises: invariance, soundness, agreement of trace and rating.

pub(crate) mod cases;
pub(crate) mod definitions;
pub(crate) mod gates;
mod hodoku;
mod library;
pub(crate) mod published;

use crate::board::candidates::at_width;
use crate::board::{Candidates, Cell, CellSet, Digit, Freedom, Grid, Isomorphism, Narrow, Puzzle, Shape, Solution};
use crate::ladder::climb::find::find_all_at;
use crate::ladder::position::Position;
use crate::ladder::tests::cases::{BEYOND, CASES, FIREWORKS, LEVELS, PATTERNS, SELDOM_USED, TRIDAGONS};
use crate::ladder::tests::library::Case;
pub(crate) use crate::ladder::tests::published::{isomorphs, puzzle};
use crate::ladder::*;
use crate::random::{Rng, Stage};
use crate::solve::{self, Budget, general};
use rayon::prelude::*;

/// Every instance of a technique, as steps of round 0, in the order of the search.
pub(crate) fn find_all<S: CellSet>(technique: Technique, marks: &Candidates<S>) -> Vec<Step> {
    find_all_at(technique, &Position::new(marks))
}

pub(crate) fn solutions(puzzle: &Puzzle, limit: usize) -> Vec<Solution> {
    solve::solutions(puzzle, limit, Budget::UNLIMITED).0
}

fn random_solution(shape: &str, rng: &mut Rng) -> Solution {
    general::random_fill(shape.parse().unwrap(), rng, Budget::UNLIMITED).unwrap()
}

/// A puzzle with one solution. Each of `tries` random cells was emptied if that kept the solution unique.
pub(crate) fn dug(solution: &Solution, tries: usize, rng: &mut Rng) -> Puzzle {
    let mut order: Vec<usize> = (0..solution.shape().cells()).collect();
    rng.shuffle(&mut order);
    let mut is_kept = vec![true; order.len()];
    for &cell in order.iter().take(tries) {
        is_kept[cell] = false;
        let unique = solutions(&solution.masked(|cell| is_kept[cell.index()]), 2).len() == 1;
        is_kept[cell] = !unique;
    }
    solution.masked(|cell| is_kept[cell.index()])
}

/// Puzzles of many shapes: quoted ones, dug ones, ones with several solutions.
pub(crate) fn sample() -> Vec<Puzzle> {
    let mut rng = Rng::new(2, 0, Stage::Bench, 0);
    let mut puzzles: Vec<Puzzle> = LEVELS.iter().map(|(line, _)| puzzle(line)).collect();
    puzzles.extend(BEYOND.map(puzzle));
    for (shape, tries, number) in
        [("2x2", 16, 8), ("2x3", 36, 12), ("3x2", 36, 12), ("2x4", 64, 6), ("3x3", 81, 30), ("2x5", 60, 3)]
    {
        for _ in 0..number {
            let solution = random_solution(shape, &mut rng);
            puzzles.push(dug(&solution, tries, &mut rng));
            puzzles.push(solution.masked(|_| rng.below(3) > 0));
        }
    }
    for shape in ["3x4", "4x3", "4x4"] {
        let solution = random_solution(shape, &mut rng);
        puzzles.extend([4, 5, 6].map(|kept| solution.masked(|_| rng.below(10) < kept)));
    }
    puzzles
}

#[test]
fn quoted_puzzles_have_the_level_that_hodoku_gives_them() {
    for (line, level) in LEVELS {
        let rating = rate(&puzzle(line), &Ladder::default());
        assert_eq!((rating.level, rating.end), (level, End::Finished), "{line}");
    }
    let short: Ladder = "singles,intersections,subsets".parse().unwrap();
    for line in BEYOND {
        let rating = rate(&puzzle(line), &short);
        assert_eq!((rating.level, rating.end, rating.finished), (Level::Beyond, End::Stuck, false), "{line}");
        assert!(rating.open_cells > 0);
    }
}

#[test]
fn every_isomorph_has_the_same_rating() {
    let mut rng = Rng::new(6, 0, Stage::Bench, 0);
    for puzzle in sample() {
        let rating = rate(&puzzle, &Ladder::default());
        for image in (0..4).flat_map(|_| isomorphs(&puzzle, &mut rng)) {
            assert_eq!(rate(&image, &Ladder::default()), rating, "{puzzle:?}\n{image:?}");
        }
    }
}

pub(crate) fn assert_sound(steps: &[Step], solution: &[u16], shape: Shape) {
    for step in steps {
        let is = |&(cell, digit): &(Cell, Digit)| solution[cell.index()] == digit.value();
        assert!(step.placements.iter().all(is), "{}", step.words(shape));
        assert!(!step.eliminations.iter().any(is), "{}", step.words(shape));
    }
}

/// With little beside it, a technique is used far more often than in a long ladder.
#[test]
fn each_technique_alone_is_sound_and_the_same_for_isomorphs() {
    let mut rng = Rng::new(12, 0, Stage::Bench, 0);
    let lines = LEVELS.map(|(line, _)| line).into_iter().chain(BEYOND).chain(SELDOM_USED);
    let mut puzzles: Vec<Puzzle> = lines.map(puzzle).collect();
    puzzles.extend((0..4).map(|_| dug(&random_solution("3x3", &mut rng), 81, &mut rng)));
    let solved: Vec<Solution> = puzzles.iter().map(|puzzle| solutions(puzzle, 1).remove(0)).collect();
    // The next test has the exotic ones.
    let is_plain = |technique: &Technique| technique.info().family != Family::Exotic && !technique.is_of_jigsaws();
    let plain: Vec<Technique> = Technique::all().filter(is_plain).collect();
    plain.par_iter().for_each(|&technique| {
        let mut rng = Rng::new(12, technique as u64, Stage::Bench, 1);
        // This family, apart from chains, needs positions that others have prepared.
        let is_late = technique.info().family == Family::Uniqueness && technique != Technique::RectangleAic;
        let beside = if is_late { "default" } else { "singles" };
        let ladder: Ladder = format!("{beside},{}", technique.code()).parse().unwrap();
        let mut used = 0;
        for (puzzle, solution) in puzzles.iter().zip(&solved) {
            let trace = trace(puzzle, &ladder);
            assert_sound(&trace.steps, solution.values(), puzzle.shape());
            let rating = rate(puzzle, &ladder);
            used += rating.count(technique);
            let [image, _] = isomorphs(puzzle, &mut rng);
            assert_eq!(rate(&image, &ladder), rating, "{}: isomorphs differ", technique.code());
        }
        assert!(used > 0, "{} is never used", technique.code());
    });
}

#[test]
fn exotic_steps_are_sound_and_the_same_for_isomorphs() {
    let mut rng = Rng::new(14, 0, Stage::Bench, 0);
    let modern = Ladder::modern();
    let mut used = [0; Technique::COUNT];
    for line in TRIDAGONS.into_iter().chain(FIREWORKS).chain(PATTERNS) {
        let puzzle = puzzle(line);
        let solution = solutions(&puzzle, 1).remove(0);
        let (rating, trace) = (rate(&puzzle, &modern), trace(&puzzle, &modern));
        assert_eq!(rating.finished, !PATTERNS.contains(&line), "{line}");
        assert_eq!(rate(&puzzle, &Ladder::default()).finished, FIREWORKS.contains(&line), "{line}");
        assert_eq!(Solution::try_from(replay(&puzzle, &trace).unwrap()).is_ok(), rating.finished);
        assert_sound(&trace.steps, solution.values(), puzzle.shape());
        // The hardest take long.
        for image in (0..if rating.finished { 3 } else { 1 }).flat_map(|_| isomorphs(&puzzle, &mut rng)) {
            assert_eq!(rate(&image, &modern), rating, "{line}");
        }
        used.iter_mut().zip(rating.counts).for_each(|(used, count)| *used += count);
    }
    let exotic = Ladder::of_family(Family::Exotic);
    assert!(exotic.techniques().iter().all(|&technique| used[technique as usize] > 0), "{used:?}");
}

/// The positions in which a ladder takes a step other than a single, and the one in which it ends.
fn positions<S: CellSet>(puzzle: &Puzzle, ladder: &Ladder) -> Vec<Candidates<S>> {
    let mut marks = Candidates::<S>::new(puzzle);
    let mut positions = Vec::new();
    for step in trace(puzzle, ladder).steps {
        if step.technique.info().family != Family::Singles {
            positions.push(marks.clone());
        }
        step.placements.iter().for_each(|&(cell, digit)| marks.place(cell, digit));
        step.eliminations.iter().for_each(|&(cell, digit)| marks.eliminate(cell, digit));
    }
    positions.push(marks);
    positions
}

/// Every instance of every technique in some positions of a puzzle with one solution.
fn assert_all_techniques_sound<S: CellSet>(puzzle: &Puzzle) {
    let solution = solutions(puzzle, 1).remove(0);
    let positions = positions::<S>(puzzle, &Ladder::default());
    for marks in positions.iter().step_by(positions.len().div_ceil(4)) {
        let position = Position::new(marks);
        for technique in Technique::all() {
            assert_sound(&find_all_at(technique, &position), solution.values(), puzzle.shape());
        }
    }
}

#[test]
fn every_technique_is_sound_on_every_shape() {
    let variants =
        crate::dig::testing::variants(9).into_iter().filter(|shape| shape.box_rows() <= 2 || shape.is_square());
    let variants = variants.filter(|shape| shape.order() != 8);
    let shapes: Vec<Shape> = Shape::all(12).into_iter().chain(variants).collect();
    shapes.par_iter().for_each(|&shape| {
        let mut rng = Rng::new(15, shape.cells() as u64, Stage::Bench, shape.box_rows() as u64);
        let tries = if shape.order() <= 9 { shape.cells() } else { 70 };
        for _ in 0..if shape.is_plain() { 2 } else { 1 } {
            let puzzle = dug(&general::random_fill(shape, &mut rng, Budget::UNLIMITED).unwrap(), tries, &mut rng);
            at_width!(shape, S => assert_all_techniques_sound::<S>(&puzzle));
        }
    });
}

/// A map that turns boxes into windows, or rows into groups, keeps the class of a puzzle but not its rating: people see
/// boxes and lines first. All others keep the rating.
#[test]
fn maps_that_keep_rows_columns_and_boxes_keep_the_rating_of_boards_with_rules() {
    let mut compared = 0;
    for (index, shape) in crate::dig::testing::variants(9).into_iter().enumerate() {
        let mut rng = Rng::new(16, index as u64, Stage::Bench, 0);
        let solution = general::random_fill(shape, &mut rng, Budget::UNLIMITED).unwrap();
        let puzzle = dug(&solution, shape.cells(), &mut rng);
        let rating = rate(&puzzle, &Ladder::default());
        for _ in 0..6 {
            let map = Isomorphism::random(shape, Freedom::ALL, &mut rng);
            if map.on_plain_boards().is_some() {
                assert_eq!(rate(&map.apply_to_puzzle(&puzzle), &Ladder::default()), rating, "{puzzle:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

/// A puzzle with symmetries has several steps with the same label. They must be taken together.
#[test]
fn isomorphs_of_symmetric_puzzles_have_the_same_rating() {
    let mut rng = Rng::new(7, 0, Stage::Bench, 0);
    for shape in Shape::all(16) {
        let (n, rows, template) = (shape.order(), shape.box_rows(), Solution::template(shape));
        let (first_rows, diagonal) =
            (|cell: Cell| cell.row(shape).is_multiple_of(rows), |cell: Cell| cell.index().is_multiple_of(n + 1));
        for puzzle in [
            template.masked(|cell| !first_rows(cell)),
            template.masked(|cell| !diagonal(cell)),
            template.masked(|cell| !first_rows(cell) && !diagonal(cell)),
            template.masked(diagonal),
            template.masked(|_| false),
        ] {
            let rating = rate(&puzzle, &Ladder::default());
            let [turned, _] = isomorphs(&puzzle, &mut rng);
            assert_eq!(rate(&turned, &Ladder::default()), rating, "{puzzle:?}");
        }
    }
}

/// Where there are several solutions, techniques based on uniqueness are left out.
#[test]
fn trace_and_rating_agree_and_the_trace_replays_and_contradicts_no_solution() {
    for puzzle in sample() {
        let solutions = solutions(&puzzle, 3);
        let only_one = solutions.len() == 1;
        let ladder = if only_one { Ladder::default() } else { Ladder::default().without_uniqueness() };
        let (rating, trace) = (rate(&puzzle, &ladder), trace(&puzzle, &ladder));
        solutions.iter().for_each(|solution| assert_sound(&trace.steps, solution.values(), puzzle.shape()));
        assert_eq!(trace.counts(), rating.counts, "{puzzle:?}");
        assert_eq!((trace.end, trace.open_cells), (rating.end, rating.open_cells));
        let last = replay(&puzzle, &trace).unwrap();
        assert_eq!(last.holes(), rating.open_cells);
        if rating.finished {
            assert!(Solution::try_from(last).is_ok());
        }
        let scores = TECHNIQUES.iter().zip(rating.counts).map(|(info, count)| info.score * count);
        assert_eq!(scores.sum::<u32>(), rating.score);
        assert_eq!(rating.hardest, trace.steps.iter().map(|step| step.technique).max_by_key(|step| step.rank()));
    }
}

#[test]
fn every_technique_is_used_on_some_board_other_than_nine() {
    let mut rng = Rng::new(9, 0, Stage::Bench, 0);
    let mut used = [false; Technique::COUNT];
    for (shape, kept) in [("2x3", 40), ("3x4", 42), ("4x4", 42), ("4x4", 45), ("2x5", 38), ("3x4", 38)] {
        for _ in 0..6 {
            let solution = random_solution(shape, &mut rng);
            let counts = rate(&solution.masked(|_| rng.below(100) < kept), &Ladder::default()).counts;
            used.iter_mut().zip(counts).for_each(|(used, count)| *used |= count > 0);
        }
    }
    let basic = Technique::all().take_while(|&technique| technique < Technique::LawOfLeftovers2);
    let unused: Vec<&str> = basic.filter(|&technique| !used[technique as usize]).map(Technique::code).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn the_largest_boards_are_rated() {
    let ladder = Ladder::default().without_uniqueness();
    for shape in ["5x5", "6x6"].map(|shape| shape.parse::<Shape>().unwrap()) {
        let solution = Solution::template(shape);
        let mut rng = Rng::new(10, shape.order() as u64, Stage::Bench, 0);
        let puzzle = solution.masked(|_| rng.below(4) > 0);
        let rating = rate(&puzzle, &ladder);
        assert!(rating.open_cells * 10 < puzzle.grid().holes(), "{shape}: {} open", rating.open_cells);
        let last = replay(&puzzle, &trace(&puzzle, &ladder)).unwrap();
        assert!(Puzzle::try_from(last).unwrap().is_part_of(&solution));
        assert_eq!(rate(&isomorphs(&puzzle, &mut rng)[1], &ladder), rating);
    }
}

#[test]
fn boards_above_order_36_are_refused_without_a_panic() {
    let blank = Puzzle::try_from(Grid::blank("7x7".parse().unwrap())).unwrap();
    let rating = rate(&blank, &Ladder::default());
    assert_eq!((rating.end, rating.level, rating.open_cells), (End::TooLarge, Level::Beyond, 49 * 49));
    assert_eq!(trace(&blank, &Ladder::default()).end, End::TooLarge);
    assert_eq!((hint(&blank, None), next_step(&blank, None, &Ladder::default())), (None, None));
    assert_eq!(digits_at(&blank, Cell::new(0)), None);
}

#[test]
fn a_puzzle_without_solution_ends_in_a_contradiction() {
    // In the first r1c9 has no candidate. In the second r1c7 and r1c8 can only be 7: found when one is placed.
    let lines = [
        "12345678.........9...............................................................",
        "123456...........................8........9..................8........9..........",
    ];
    for (line, open_cells) in lines.into_iter().zip([72, 71]) {
        let rating = rate(&puzzle(line), &Ladder::default());
        assert_eq!((rating.end, rating.level, rating.score), (End::Contradiction, Level::Beyond, 0));
        assert_eq!(rating.open_cells, open_cells);
    }
}

#[test]
fn rating_stops_exactly_when_the_level_or_the_techniques_are_exceeded() {
    let wanted: Ladder = "singles,intersections,naked-pair,simple-colors-trap".parse().unwrap();
    let within_wanted = Limit::outside(wanted.techniques().iter().copied());
    let mut within = 0;
    for line in LEVELS.map(|(line, _)| line).into_iter().chain(BEYOND) {
        let full = rate(&puzzle(line), &Ladder::default());
        let until = |limit: &Limit| rate_until(&puzzle(line), &Ladder::default(), limit);
        for level in [Level::Easy, Level::Medium, Level::Hard, Level::Unfair, Level::Extreme] {
            let rating = until(&Limit::above(level));
            if full.level > level {
                assert!(rating.end == End::Stopped && rating.level > level && !rating.finished);
                assert!(rating.open_cells > 0 && rating.score < full.score && rating.level <= full.level);
            } else {
                assert_eq!(rating, full);
            }
        }
        let rating = until(&within_wanted);
        let others = Technique::all().any(|technique| !wanted.has(technique) && full.count(technique) > 0);
        assert_eq!((rating == full, rating.end == End::Stopped), (!others, others), "{line}");
        let both = until(&within_wanted.or(Limit::above(Level::Easy)));
        assert_eq!(both.finished, !others && full.level == Level::Easy);
        within += u32::from(!others);
    }
    assert!(within > 2 && within < 9);
}

#[test]
fn a_shorter_ladder_uses_only_its_rungs() {
    let singles: Ladder = "singles".parse().unwrap();
    for (line, _) in LEVELS {
        let (rating, full) = (rate(&puzzle(line), &singles), rate(&puzzle(line), &Ladder::default()));
        let family = full.hardest.map(|technique| technique.info().family);
        assert_eq!(rating.finished, family == Some(Family::Singles), "{line}");
        assert!(Technique::all().all(|technique| singles.has(technique) || rating.count(technique) == 0));
    }
}

#[test]
fn a_wrong_trace_does_not_replay() {
    let puzzle = puzzle(LEVELS[6].0);
    let good = trace(&puzzle, &Ladder::default());
    let mut twice = good.clone();
    let again = Step { round: u32::MAX, ..twice.steps[0].clone() };
    twice.steps.push(again);
    let refused = |trace: &Trace| replay(&puzzle, trace).unwrap_err().0;
    assert!(refused(&twice).contains(" is not a candidate of "), "{}", refused(&twice));
    let mut short = good.clone();
    short.steps.pop();
    assert_eq!(refused(&short), "the end has 1 empty cell, but the trace says 0");
    let mut idle = good;
    idle.steps[0].placements.clear();
    idle.steps[0].eliminations.clear();
    assert_eq!(refused(&idle), "step 1 places nothing and removes nothing");
}

#[test]
fn words_name_digits_cells_and_houses() {
    for (technique, expected) in [
        (Technique::FullHouse, "Full House: 9 in r8c4 (box 8) => r8c4=9"),
        (
            Technique::Pointing,
            "Locked Candidates 1 (Pointing): 4 in r4c8 r5c8 (box 6; column 8) => r1c8<>4 r2c8<>4 r3c8<>4 r7c8<>4",
        ),
        (Technique::NakedPair, "Naked Pair: 5/6 in r4c4 r6c5 (box 5) => r6c4<>5 r6c4<>6"),
        (
            Technique::XWing,
            "X-Wing: 4 in r1c6 r1c8 r5c6 r5c8 (row 1, row 5; column 6, column 8) \
             => r2c6<>4 r2c8<>4 r3c8<>4 r4c8<>4 r7c8<>4",
        ),
        (Technique::AlsXz, "ALS-XZ (WXYZ-Wing): 1/3/6/9 in"),
        (Technique::XyWing, "XY-Wing: 3/6/8 in r1c4 r1c8 r2c5 => r2c7<>3 r2c8<>3 r2c9<>3"),
    ] {
        let cases = CASES.iter().map(|line| Case::parse(line));
        let case = cases.into_iter().find(|case| case.code == technique.info().code_in_library).unwrap();
        let steps = find_all(technique, &case.marks);
        let words: Vec<String> = steps.iter().map(|step| step.words(Shape::NINE)).collect();
        assert!(words.iter().any(|words| words.starts_with(expected)), "{words:#?}");
    }
}

#[test]
fn hints_circle_the_cells_with_fewest_candidates() {
    let full = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let one = puzzle(&full.replacen('5', ".", 1));
    let red = hint(&one, None).unwrap();
    assert_eq!((red.fewest, red.colour, red.cells), (Some(1), Some(HintColour::Red), vec![Cell::new(0)]));
    assert_eq!(digits_at(&one, Cell::new(0)).unwrap().single(), Some(Digit::new(5)));
    assert_eq!(digits_at(&one, Cell::new(1)).unwrap().len(), 0);
    assert_eq!(digits_at(&one, Cell::new(81)), None);
    let step = next_step(&one, None, &Ladder::default()).unwrap();
    assert_eq!(step.words(Shape::NINE), "Full House: 5 in r1c1 (row 1) => r1c1=5");
    let blank = hint(&Puzzle::try_from(Grid::blank("2x2".parse().unwrap())).unwrap(), None).unwrap();
    assert_eq!((blank.fewest, blank.colour, blank.cells.len()), (Some(4), None, 16));
    assert_eq!(hint(&puzzle(full), None).unwrap().fewest, None);
    let puzzle = puzzle(LEVELS[0].0);
    let hint = hint(&puzzle, None).unwrap();
    for step in find_all::<Narrow>(Technique::HiddenSingleBox, &Candidates::new(&puzzle)) {
        let (cell, digit) = step.placements[0];
        assert_eq!(hint.candidates[cell.index()].single(), Some(digit));
        assert!(hint.cells.contains(&cell) && hint.colour == Some(HintColour::Red));
    }
}
