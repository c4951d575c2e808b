//! Depths compared with published ones, with the definition, and with those of isomorphs.

use super::definition::{Definition, size};
use super::*;
use crate::board::{Freedom, Grid, Isomorphism, Shape, Symmetry};
use crate::ladder::tests::published::{isomorphs, puzzle, random_puzzle, sample};
use crate::random::{Rng, Stage};

/// From the collection Sudoku-Classif: te, bxb (0: none), puzzle.
const PUBLISHED: [(u8, u8, &str); 4] = [
    (2, 3, ".....67...5.7....3....3..45.4..6.3.......8.1.9.........62.7.4.......2....7..4.5.."),
    (2, 2, ".....6.....678...3.8.13....2.....9....52...4..1...3..6.3...1..8....4....9......5."),
    (2, 2, "...4...89......1....8..1.452....7.....41..9...3..64.....15..8...7......26....3..."),
    (3, 0, "987......6..95.....4.......3..21.65....5.3..2....96.31.3.1...2.....6.59.....2.1.3"),
];

#[test]
fn published_depths_are_met_also_by_isomorphs() {
    let mut rng = Rng::new(2, 0, Stage::Sample, 0);
    for (te, bxb, line) in PUBLISHED {
        let [copy, _] = isomorphs(&puzzle(line), &mut rng);
        for puzzle in [puzzle(line), copy] {
            let depth = te_depth_and_bxb(&puzzle, u64::MAX).unwrap();
            assert_eq!((depth.te, depth.bxb.unwrap_or(0)), (Some(te), bxb), "{puzzle}");
        }
    }
}

#[test]
fn depths_are_those_of_the_definition() {
    let (mut rng, definition) = (Rng::new(1, 0, Stage::Sample, 0), Definition::new());
    let random = (0..40).map(|_| random_puzzle(&mut rng).0);
    let (mut seen, hard) = ([0; 4], PUBLISHED[1..3].iter().map(|(_, _, line)| puzzle(line)));
    for puzzle in random.chain(hard) {
        let solves = |&depth: &u8| {
            let mut open = definition.open(puzzle.grid().values());
            assert!(definition.exhaust(&mut open, depth));
            size(&open) == 81
        };
        let depth = te_depth(&puzzle).unwrap().te;
        assert_eq!(depth, (0..=2).find(solves), "{puzzle:?}");
        seen[usize::from(depth.unwrap())] += 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0 && seen[2] == 2, "{seen:?}");
}

/// The way of boards with rules gives the depths of plain 9x9 boards too.
#[test]
fn both_ways_give_the_same_depth() {
    let mut rng = Rng::new(5, 0, Stage::Sample, 0);
    let random = (0..30).map(|_| random_puzzle(&mut rng).0);
    for puzzle in random.chain(PUBLISHED[..3].iter().map(|(_, _, line)| puzzle(line))) {
        let Verdict::Unique(solution) = solve::verdict(&puzzle, Budget::UNLIMITED) else { panic!("{puzzle:?}") };
        assert_eq!(solve::general::te_depth(&puzzle, &solution, 2), te_depth(&puzzle).unwrap().te, "{puzzle:?}");
    }
}

#[test]
fn maps_that_keep_the_houses_keep_the_depth() {
    let mut seen = [0; 4];
    for (index, shape) in crate::dig::testing::variants(9).into_iter().enumerate() {
        let mut rng = Rng::new(6, index as u64, Stage::Sample, 0);
        let solution = crate::dig::testing::solution(shape, &mut rng);
        let dug = crate::dig::testing::dig(&crate::dig::Plan::Minimal, shape, Symmetry::None, index as u64).unwrap();
        for puzzle in [dug.puzzle, solution.masked(|_| rng.below(3) > 0)] {
            let depth = te_depth(&puzzle);
            let image = Isomorphism::random(shape, Freedom::ALL, &mut rng).apply_to_puzzle(&puzzle);
            assert_eq!(te_depth(&image), depth, "{puzzle:?}");
            depth.into_iter().for_each(|depth| seen[usize::from(depth.te.unwrap())] += 1);
        }
    }
    assert!(seen[0] > 10 && seen[1] > 10, "{seen:?}");
}

#[test]
fn only_nine_by_nine_puzzles_with_one_solution_have_a_depth() {
    let blank = Puzzle::try_from(Grid::blank(Shape::NINE)).unwrap();
    assert_eq!(te_depth(&blank), None);
    let four = Puzzle::try_from(Grid::blank("2x2".parse().unwrap())).unwrap();
    assert_eq!(te_depth(&four), None);
    let easy = puzzle("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79");
    assert_eq!(te_depth_and_bxb(&easy, u64::MAX), Some(Depth { te: Some(0), bxb: None }));
}

#[test]
fn bxb_is_that_of_the_definition() {
    let definition = Definition::new();
    let (_, _, line) = PUBLISHED.into_iter().find(|&(_, bxb, _)| bxb == 2).unwrap();
    assert_eq!([1, 2].map(|length| definition.solves(puzzle(line).grid().values(), length)), [false, true]);
}

/// Where a published BxB differs, the definition decides.
#[test]
#[ignore = "18,462 puzzles take hours; run with `cargo test --release -- --ignored published_depths`, STEP=100 for every 100th"]
fn published_depths_of_the_collection() {
    let step = std::env::var("STEP").map_or(1, |step| step.parse().unwrap());
    let limit = std::env::var("WITHOUT_BXB").is_ok();
    let start = std::time::Instant::now();
    let (rows, definition) = (sample("te_bxb_dev.tsv.gz", step), Definition::new());
    let mut wrong = 0;
    for row in &rows {
        let puzzle = puzzle(&row[0]);
        let depth = if limit { te_depth(&puzzle) } else { te_depth_and_bxb(&puzzle, u64::MAX) }.unwrap();
        let (te, bxb): (u8, Option<u8>) = (row[1].parse().unwrap(), row[2].parse().ok());
        if depth.te != Some(te) {
            wrong += 1;
            println!("{row:?}: {depth:?}");
        } else if !limit && depth.bxb != bxb {
            let (found, values) = (u32::from(depth.bxb.unwrap()), puzzle.grid().values());
            let ours_is_right = !definition.solves(values, found - 1) && definition.solves(values, found);
            wrong += u32::from(!ours_is_right);
            println!("{row:?}: {depth:?}; by the definition this is {ours_is_right}");
        }
    }
    println!("{} puzzles, {wrong} differ, {:?}", rows.len(), start.elapsed());
    assert_eq!(wrong, 0);
}
