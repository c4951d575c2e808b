//! Tests with cases of every technique and with files of cases.

use super::*;
use crate::board::{Freedom, Isomorphism};
use crate::ladder::tests::cases::{CASES, LEVELS};
use crate::ladder::tests::published;
use crate::ladder::tests::{find_all, puzzle, solutions};
use crate::ladder::{Ladder, trace};
use crate::random::{Rng, Stage};

#[test]
fn every_code_of_the_table_has_a_case() {
    for info in TECHNIQUES.iter().filter(|info| !info.technique.is_of_jigsaws()) {
        let has = |line: &&str| Case::parse(line).code == info.code_in_library;
        assert!(CASES.iter().any(has), "no case of {}", info.code);
    }
}

/// Locked hidden pairs and triples, 0110-2 and 0111-2, are hidden subsets and claiming in HoDoKu 2.2.0 and here.
#[test]
fn every_variant_of_hodokus_numbering_has_a_case() {
    let variants = "0110-1 0111-1 0402-1 0600-1 0600-2 0601-1 0601-2 0602-1 0602-2 0603-1 0603-2 0604-1 0605-1 0606-1 \
                    0606-2 0606-x 0607-1 0608-1 0610-x 0707-1 0707-2 0708-1 0708-2 0709-1 0709-2 0710-1 0710-2 0710-3 \
                    0710-4 0711-1 0711-2 0711-3 0711-4 0901-1 0901-2 0902-1 0903-1 0904-1 0904-2";
    for variant in variants.split_whitespace() {
        assert!(CASES.iter().any(|line| line.starts_with(&format!(":{variant}:"))), "no case of {variant}");
    }
}

/// The same case on an isomorph of the board.
fn image(case: &Case, map: &Isomorphism) -> Case {
    let candidate = |&(cell, digit): &(Cell, Digit)| {
        let mut grid = Grid::blank(Shape::NINE);
        grid.set(cell, Some(digit));
        map.apply_to_grid(&grid).given_cells().next().unwrap()
    };
    let list = |list: &[(Cell, Digit)]| sorted(&list.iter().map(candidate).collect::<Vec<_>>());
    let givens = case.marks.givens().cells().map(|cell| candidate(&(cell, Digit::new(1))).0);
    let image = map.apply_to_puzzle(&position(&case.marks));
    Case {
        marks: Candidates::at(&image, Narrow::of(givens), &list(&deleted(&case.marks))),
        eliminations: list(&case.eliminations),
        placements: list(&case.placements),
        ..case.clone()
    }
}

/// A technique must not depend on the place of its pattern, nor on its digits: isomorphs of the cases pass as well.
#[test]
fn cases_pass_and_so_do_their_isomorphs() {
    let mut rng = Rng::new(13, 0, Stage::Bench, 0);
    for line in CASES {
        let case = Case::parse(line);
        assert_eq!(case.run(), Outcome::Passed, "{line}");
        for round in 0..5 {
            let map = match round {
                0 => Isomorphism::transposition(Shape::NINE),
                _ => Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng),
            };
            assert_eq!(image(&case, &map).run(), Outcome::Passed, "{line} {map:?}");
        }
    }
}

/// Replays `techniques/hodoku_reglib_dev.txt` if it is in the folder of [`published::data`].
#[test]
fn every_case_of_the_library_file_passes() {
    let path = published::data().join("techniques/hodoku_reglib_dev.txt");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED: {path:?} is not there; set SUDOKU_CORPUS_DATA to replay the library of technique cases");
        return;
    };
    let cases = text.lines().filter(|line| line.starts_with(':'));
    let outcomes: Vec<(&str, Outcome)> = cases.map(|line| (line, Case::parse(line).run())).collect();
    let failed: Vec<&str> = outcomes.iter().filter(|(_, out)| *out == Outcome::Failed).map(|(line, _)| *line).collect();
    assert!(failed.is_empty(), "{} cases fail:\n{}", failed.len(), failed.join("\n"));
    assert!(outcomes.iter().filter(|(_, outcome)| *outcome == Outcome::Passed).count() > 200);
}

/// Every step of a trace is among the instances of its technique in its position.
#[test]
fn steps_of_a_trace_are_found_among_all_instances() {
    let conclusions = |step: &Step| [sorted(&step.placements), sorted(&step.eliminations)];
    for (line, _) in LEVELS {
        let puzzle = puzzle(line);
        let mut marks = Candidates::<Narrow>::new(&puzzle);
        for round in trace(&puzzle, &Ladder::default()).steps.chunk_by(|a, b| a.round == b.round) {
            for step in round {
                let instances = find_all(step.technique, &marks);
                assert!(instances.iter().any(|other| conclusions(other) == conclusions(step)), "{step:?}");
            }
            round.iter().for_each(|step| step.take(&mut marks));
        }
    }
}

/// Where 7 lines are open, a basic fish of 5 lines is the complement of one of 2 and removes the same candidates.
#[test]
fn large_fish_outside_all_ladders_are_replayed() {
    let x_wing = CASES.iter().find(|line| line.starts_with(":0300:")).unwrap();
    let outcomes = ["0303", "0304", "0305", "0313", "0334", "0345", "03131"].map(|code| {
        let line = x_wing.replace(":0300:", &format!(":{code}:"));
        (code, Case::parse(&line).run())
    });
    assert!(outcomes.iter().all(|&(_, outcome)| outcome != Outcome::Skipped), "{outcomes:?}");
    assert!(outcomes[..3].iter().any(|&(_, outcome)| outcome == Outcome::Passed), "{outcomes:?}");
    for code in ["0306", "03031", "0373", "0999"] {
        let line = x_wing.replace(":0300:", &format!(":{code}:"));
        assert_eq!(Case::parse(&line).run(), Outcome::Skipped, "{code}");
    }
}

#[test]
fn cases_do_not_contradict_the_solution() {
    for line in CASES {
        let case = Case::parse(line);
        let [solution] = &solutions(&position(&case.marks), 2)[..] else { panic!("{line}") };
        let is_right = |&(cell, digit): &(Cell, Digit)| solution.digit(cell) == digit;
        assert!(!case.eliminations.iter().any(is_right) && case.placements.iter().all(is_right), "{line}");
        let is_left = |cell: Cell| case.marks.of_cell(cell).contains(solution.digit(cell));
        assert!(case.marks.open().cells().all(is_left), "{line}");
    }
}
