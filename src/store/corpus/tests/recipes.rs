//! Tests of recipes: what is refused, what their rows are.

use super::*;
use crate::corpus::values::target::{explain, is_needed};
use sudoku_corpus_core::board::{Puzzle, Shape};
use sudoku_corpus_core::explainer::Tenths;
use sudoku_corpus_core::ladder::{Family, Ladder, Level, TECHNIQUES, Technique, rate};
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::solve::{Budget, count};

fn rows(text: &str, rows: u64) -> Vec<Record> {
    let recipe = recipe(text).unwrap();
    (0..rows).map(|index| recipe.make(index).unwrap()).collect()
}

#[test]
fn parts_divide_the_rows() {
    for (count, part_rows, parts) in [(0, 10, 0), (1, 10, 1), (10, 10, 1), (11, 10, 2), (25, 10, 3)] {
        let recipe = recipe(&format!("count = {count}\npart_rows = {part_rows}")).unwrap();
        assert_eq!(recipe.parts(), parts);
        let rows: u64 = (0..parts).map(|part| recipe.outline().place(part).rows).sum();
        assert_eq!(rows, count);
        assert_eq!(recipe.outline().place(parts + 5).rows, 0);
    }
    assert_eq!(recipe("").unwrap().outline().part_name(12), "part-000012.parquet");
}

#[test]
fn values_change_the_fingerprint_and_comments_and_order_do_not() {
    let first = recipe("seed = 3 # mine\n[dig]\nretries = 5\nplan = \"minimal\"").unwrap();
    let second = recipe("dig = { plan = \"minimal\", retries = 5 }\nseed = 3").unwrap();
    assert_eq!(first.fingerprint(), second.fingerprint());
    let other = recipe("seed = 3\n[dig]\nretries = 6").unwrap();
    assert_ne!(first.fingerprint(), other.fingerprint());
    assert_eq!(
        crate::corpus::request::outline::difference(&first.canonical(), &other.canonical()),
        "retries = 6 in the folder, retries = 5 now"
    );
}

#[test]
fn puzzles_have_the_requested_level() {
    for plan in ["", "plan = \"minimal\"\n", "plan = \"givens=30..34\"\n"] {
        for level in ["easy", "medium", "hard", "unfair"] {
            for row in rows(&format!("levels = \"hodoku\"\n[dig]\n{plan}level = \"{level}\""), 3) {
                assert_eq!((row.level.as_deref(), row.hodoku_level.unwrap().name()), (Some(level), level));
                assert_eq!((row.solutions, row.solutions_exact), (Some(1), Some(true)));
                assert!(row.tries.is_some_and(|tries| tries >= 1));
                assert_eq!(row.plan.as_deref() == Some("within"), plan.is_empty());
            }
        }
    }
}

#[test]
fn targets_for_techniques_are_met() {
    for row in rows("[dig]\nuses = \"x_wing,naked_pair\"", 2) {
        let counts = row.counts.as_ref().unwrap();
        assert!(counts[Technique::XWing as usize] > 0 && counts[Technique::NakedPair as usize] > 0);
        assert_eq!(row.plan.as_deref(), Some("minimal"));
    }
    let seeking = "[dig]\nneeds = \"naked_triple,hidden_pair\"";
    for text in [seeking, &format!("{seeking}\nsymmetry = \"rotate-180\"")] {
        for row in rows(text, 2) {
            let (ladder, puzzle) = (Ladder::default(), row.puzzle.unwrap());
            let is_needed = |technique| is_needed(technique, &puzzle, &ladder, &rate(&puzzle, &ladder));
            assert!([Technique::NakedTriple, Technique::HiddenPair].into_iter().all(is_needed));
            assert_eq!(row.plan.as_deref(), Some("needed"));
            assert!(row.symmetry.unwrap().orbits(Shape::NINE).iter().all(|orbit| {
                let given = |cell| puzzle.grid().get(cell).is_some();
                orbit.iter().all(|&cell| given(cell)) || !orbit.iter().any(|&cell| given(cell))
            }));
        }
    }
    for row in rows("[dig]\nonly = \"singles\"\n[analyze]\ntechniques = \"none\"", 5) {
        assert!(rate(row.puzzle.as_ref().unwrap(), &Ladder::of_family(Family::Singles)).finished);
        assert!(row.givens.unwrap() < 40 && row.hodoku_level.is_none());
    }
    for row in rows("[dig]\ner = \"3.0..4.5\"", 3) {
        assert!((30..=45).contains(&row.se_er_tenths.unwrap()) && row.plan.as_deref() == Some("within"));
    }
    for row in rows("[dig]\nonly = \"naked_single\"", 3) {
        assert!(rate(row.puzzle.as_ref().unwrap(), &"naked_single".parse().unwrap()).finished);
    }
}

/// True if a puzzle has the technique as its hardest, and the ladder without it and all that is harder does not solve it.
fn needs(technique: Technique, puzzle: &Puzzle) -> bool {
    let rating = rate(puzzle, &Ladder::default());
    let easier = Ladder::default()
        .techniques()
        .iter()
        .copied()
        .filter(|other| other.rank() < technique.rank())
        .collect::<Vec<_>>();
    let is_solved = !easier.is_empty() && rate(puzzle, &Ladder::of(easier)).finished;
    rating.finished && rating.hardest == Some(technique) && !is_solved
}

/// Each puzzle needs its technique, has one solution, and loses one or the other without any of its givens.
#[test]
fn puzzles_need_their_technique_and_each_of_their_givens() {
    let techniques = "full_house naked_single hidden_single_box locked_pair naked_pair hidden_triple naked_quadruple x_wing swordfish \
                      remote_pair skyscraper w_wing uniqueness_test_1 finned_x_wing sue_de_coq simple_colors_trap xy_chain";
    for name in techniques.split_whitespace() {
        let technique: Technique = name.parse().unwrap();
        let [first, second] = &rows(&format!("[dig]\nneeds = \"{name}\""), 2)[..] else { panic!() };
        assert_ne!(first.solution, second.solution);
        for row in [first, second] {
            let (puzzle, solution) = (row.puzzle.as_ref().unwrap(), row.solution.as_ref().unwrap());
            assert!(needs(technique, puzzle), "{name}: {puzzle:?}");
            for (given, _) in puzzle.grid().given_cells() {
                let less = solution.masked(|cell| cell != given && puzzle.grid().get(cell).is_some());
                assert!(count(&less, 2, Budget::UNLIMITED).found == 2 || !needs(technique, &less), "{name}: {given:?}");
            }
            assert_eq!(count(puzzle, 2, Budget::UNLIMITED).found, 1);
        }
    }
}

/// The recipe for practice has each technique of the ladder, besides those that its heading leaves out.
#[test]
fn the_recipe_for_practice_is_complete() {
    let text = include_str!("../../../../data/recipes/practice.toml");
    let (heading, _) = text.split_once("part_rows").unwrap();
    let left_out = heading[heading.find("Left out").unwrap()..].split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut named: Vec<Technique> = left_out.filter_map(|word| word.parse().ok()).collect();
    named.extend(recipe(text).unwrap().quotas.iter().flat_map(|quota| quota.goal.needs.0.clone()));
    assert_eq!(Ladder::of(named.clone()), Ladder::default());
    assert_eq!(named.len(), Ladder::default().techniques().len());
}

/// The ratings found while digging go into the row, so they must equal the ratings of the puzzle alone.
#[test]
fn rows_have_the_ratings_of_their_puzzles_alone() {
    let quotas = "[[quota]]\nlevel = \"easy\"\ncount = 2\n[[quota]]\nneeds = \"x_wing\"\ncount = 2\n\
                  [[quota]]\ner = \"2.0..4.5\"\ncount = 2";
    for text in [
        "[dig]\ner = \"2.6..4.5\"",
        "[dig]\nplan = \"minimal\"\ner = \"1.5..7.0\"\n[analyze]\nratings = \"er,ed\"",
        "[dig]\ner = \"3.0..7.0\"\nlevel = \"hard\"\n[analyze]\ner_limit = \"4.0\"",
        "levels = \"hodoku\"\n[dig]\nlevel = \"unfair\"\nplan = \"minimal\"",
        "[dig]\nlevel = \"extreme\"",
        "levels = \"hodoku\"\n[dig]\nlevel = \"hard\"\nneeds = \"naked_pair\"",
        "[dig]\nonly = \"intersections\"",
        "[grid]\nshape = \"4x4\"\n[dig]\nlevel = \"easy\"",
        &format!("count = 6\n{quotas}"),
    ] {
        let recipe = recipe(text).unwrap();
        for index in 0..6 {
            let row = recipe.make(index).unwrap();
            let alone = recipe.analysis.analyze(Record::of_puzzle(index, row.puzzle.clone().unwrap()));
            let explained = |row: &Record| (row.se_er_tenths, row.se_ep_tenths, row.se_ed_tenths, row.se_exact);
            let rated = |row: &Record| (row.level.clone(), row.hodoku_score, row.hardest, row.counts.clone());
            assert_eq!((explained(&row), rated(&row)), (explained(&alone), rated(&alone)), "{text}, row {index}");
        }
    }
}

/// A puzzle that is dug along a target and accepted has all ratings that its row needs.
#[test]
fn ratings_found_while_digging_are_not_computed_again() {
    let made = recipe("levels = \"hodoku\"\n[dig]\nlevel = \"hard\"\ner = \"1.0..7.0\"").unwrap();
    let (goal, row) = (made.goal.clone(), made.make(0).unwrap());
    let puzzle = row.puzzle.unwrap();
    let ladder = Ladder::default();
    let is_allowed = |puzzle: &Puzzle| goal.bounded(Shape::NINE, &ladder, |bound| (bound.allows)(puzzle));
    let (true, Some((last, allowed))) = is_allowed(&puzzle) else { panic!("it is as asked") };
    assert_eq!((&last, allowed.rating.as_ref()), (&puzzle, Some(&rate(&puzzle, &ladder))));
    assert_eq!(allowed.explained, Some(explain(&puzzle, Tenths(104))));
    let judged = goal.is_met(&puzzle, &ladder, Some(allowed.clone())).expect("it is as asked");
    assert_eq!((judged.rating, judged.explained), (allowed.rating, allowed.explained));
    let easier = Goal { hodoku_level: Some(Level::Easy), ..goal.clone() };
    assert!(!easier.bounded(Shape::NINE, &ladder, |bound| (bound.allows)(&puzzle)).0);
    assert!(easier.is_met(&puzzle, &ladder, None).is_none());
}

#[test]
fn the_ladder_proves_uniqueness_above_order_nine() {
    for row in rows("[grid]\nshape = \"4x4\"\n[dig]\nlevel = \"easy\"\nsymmetry = \"rotate-180\"", 2) {
        assert_eq!((row.level.as_deref(), row.hodoku_level), (Some("easy"), Some(Level::Easy)));
        assert!(row.givens.unwrap() < 140, "{:?}", row.givens);
        let counted = count(row.puzzle.as_ref().unwrap(), 2, Budget(1_000_000));
        assert!(counted.found == 1 && counted.exact);
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (text, message) in [
        ("part_rows = 0", "part_rows is 0: it must be 1 to 100000000"),
        (
            "[grid]\nshape = \"20x20\"\nmethod = \"permutation\"",
            "400x400 board, 20x20 boxes: this board can be generated but not dug",
        ),
        ("[grid]\nmethod = \"magic\"", "unknown method 'magic'"),
        ("[grid]\nbases = \"x\"", "bases are for the method base-shuffle, not for 'uniform'"),
        ("[grid]\nmethod = \"base-shuffle\"", "needs a file of base puzzles or grids"),
        ("[dig]\nplan = \"givens=10\"", "at least 17 are needed"),
        (
            "[dig]\nsymmetry = \"full\"\n[analyze]\nweight = true",
            "weights are known for the plans minimal and controlled-bias only",
        ),
        ("[analyze]\ncount_limit = 1", "count_limit must be at least 2"),
        ("[analyze]\ntechniques = \"wnigs\"", "did you mean 'wings'?"),
        (
            "levels = \"hodoku\"\n[dig]\nlevel = \"easy\"\nneeds = \"x_wing\"",
            "no puzzle with the level easy needs X-Wing, because its steps are easy at most on HoDoKu's scale; write `level = \"hard\"`",
        ),
        ("levels = \"hodoku\"\n[dig]\nlevel = \"beyond\"\nneeds = \"x_wing\"", "it needs no technique: ask for uses"),
        ("[dig]\nplan = \"within\"", "the plan within needs level, only or er"),
        ("[dig]\nplan = \"needed\"", "the plan needed is for needs alone"),
        ("[dig]\nplan = \"needed\"\nneeds = \"x_wing\"\ner = \"4.5\"", "the plan needed is for needs alone"),
        (
            "levels = \"hodoku\"\n[dig]\nplan = \"within\"\nlevel = \"beyond\"",
            "the plan within needs level, only or er",
        ),
        (
            "[dig]\nplan = \"random-holes=50\"\nlevel = \"easy\"",
            "puzzles with one solution, but the plan random-holes=50 does not",
        ),
        (
            "levels = \"hodoku\"\n[dig]\nlevel = \"easy\"\n[analyze]\ntechniques = \"none\"",
            "but techniques is \"none\"",
        ),
        ("[dig]\nlevel = \"easy\"\n[analyze]\nratings = \"none\"", "the level 'easy' needs ER: add er to ratings"),
        (
            "[grid]\nshape = \"2x3\"\n[dig]\nlevel = \"easy\"\n[analyze]\ntechniques = \"none\"",
            "level, needs and uses require a rating, but techniques is \"none\"",
        ),
        (
            "[grid]\nshape = \"2x3\"\n[dig]\nlevel = \"x\"\n[[level]]\nname = \"x\"\ner = \"2.0\"",
            "the level 'x' needs ER, which the 6x6 board",
        ),
        ("[dig]\nlevel = \"unfair\"", "HoDoKu's scale has it: add --levels hodoku"),
        ("[dig]\nneeds = \"x_wing\"\n[analyze]\ntechniques = \"singles\"", "X-Wing is not among the techniques"),
        ("[dig]\ner = \"1.5..3.0\"\nneeds = \"swordfish\"", "solve it; leave out `er` or `needs`"),
        ("[dig]\ner = \"0.5\"", "the lowest is 1.0"),
        ("levels = \"hodoku\"\n[dig]\nlevel = \"beyond\"\nonly = \"singles\"", "is beyond on HoDoKu's scale"),
        ("[dig]\nuses = \"law_of_leftovers_2\"", "the ladder does not search for it there"),
        (
            "[dig]\nlevel = \"x\"\nplan = \"givens=30\"\n[[level]]\nname = \"x\"\ngivens = \"24..26\"",
            "puzzles of the level x have 24 to 26 givens, not givens=30; leave out `plan`",
        ),
        ("[dig]\ner = \"4.5..3.0\"", "the range 4.5..3.0 of er is empty: write `er = \"3.0..4.5\"`"),
        ("[dig]\ner = \"7.0..8.0\"\nlevel = \"easy\"", "no puzzle of the level easy has an ER of 7.0..8.0"),
        ("[dig]\ner = \"9.0..9.5\"\n[analyze]\ner_limit = \"7.0\"", "er is 9.0..9.5, but er_limit is 7.0"),
        (
            "[dig]\ner = \"1.5\"\n[grid]\nshape = \"2x3\"",
            "er is for the 9x9 board, 3x3 boxes; not for the 6x6 board, 2x3 boxes",
        ),
        ("[dig]\nlevel = \"hard\"\nonly = \"singles\"", "has an ER of 2.9 or more: singles solve it"),
        (
            "[dig]\ner = \"2.4..5.0\"\nonly = \"naked_single\"",
            "naked_single solve it, and its ER is 2.3 at most; leave out `er` or `only`",
        ),
        (
            "[dig]\nneeds = \"x_wing\"\nonly = \"singles,naked_pair\"",
            "needs X-Wing, because singles,naked_pair solve it",
        ),
        ("[dig]\nplan = \"givens=81\"", "a board with 81 givens is a full grid"),
        ("[dig]\nplan = \"random-holes=0\"", "a puzzle needs an empty cell"),
        ("[dig]\nneeds = \"xwnig\"", "did you mean"),
        ("[dig]\nonly = \"sniglse\"", "did you mean 'singles'"),
        ("[dig]\nlevel = \"hrad\"", "did you mean 'hard'"),
        ("[stock]\nby = \"er\"\ncount = 3", "'stock' is gone: write a [[quota]] for each class"),
        ("[[quota]]\nlevel = \"easy\"", "quota 1: count is missing"),
        ("count = 2\n[[quota]]\n[[quota]]\ncount = 3", "the quotas add up to 3"),
        ("count = 5\n[[quota]]\ncount = 4", "count is 5, but the quotas add up to 4"),
        ("[[quota]]\ncount = 1\nplan = \"givens=5\"", "at least 17 are needed"),
    ] {
        let error = recipe(text).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
}

/// Pairs of goals that are drawn: no puzzle of a sample meets both goals of a refused pair, and many accepted pairs have a
/// puzzle in the sample.
#[test]
fn only_goals_without_a_puzzle_are_refused() {
    let of_plan = |dig: &str| rows(&format!("[dig]\n{dig}"), 8);
    let digs = ["", "only = \"singles\"", "only = \"subsets,pointing\"", "plan = \"givens=40\"", "er = \"3.0..5.0\""];
    let sample: Vec<Puzzle> = digs.into_iter().flat_map(of_plan).filter_map(|row| row.puzzle).collect();
    let goal = |rng: &mut Rng| {
        let (technique, least) = (TECHNIQUES[rng.below(34)].code, 10 + rng.below(40) as u16);
        let (key, value) = match rng.below(5) {
            0 => ("level", rng.choose(&["easy", "medium", "hard", "expert", "extreme"]).to_owned()),
            1 => ("needs", technique.to_owned()),
            2 => ("uses", technique.to_owned()),
            3 => ("only", rng.choose(&["singles", "singles,intersections", "naked_pair", "x_wing,xy_wing"]).to_owned()),
            _ => ("er", format!("{}..{}", Tenths(least), Tenths(least + rng.below(12) as u16))),
        };
        (key, format!("{key} = \"{value}\"\n"))
    };
    let is_met = |Recipe { goal, analysis, .. }: &Recipe, puzzle: &Puzzle| {
        let judged = goal.is_met(puzzle, &Ladder::default(), None)?;
        goal.level.as_ref().map_or(Some(()), |level| level.judge(puzzle, analysis, judged).map(drop))
    };
    let (mut refused, mut with_puzzle) = (0, 0);
    for index in 0..240 {
        let mut rng = Rng::new(31, index, Stage::Bench, 0);
        let ((key, first), (second_key, second)) = (goal(&mut rng), goal(&mut rng));
        let [Ok(one), Ok(two)] = [&first, &second].map(|text| recipe(&format!("[dig]\n{text}"))) else { continue };
        if key == second_key {
            continue;
        }
        let is_refused = recipe(&format!("[dig]\n{first}{second}")).is_err();
        let is_possible = sample.iter().any(|puzzle| is_met(&one, puzzle).and(is_met(&two, puzzle)).is_some());
        assert!(!(is_refused && is_possible), "{first}{second}");
        refused += u32::from(is_refused);
        with_puzzle += u32::from(is_possible);
    }
    assert!(refused > 30 && with_puzzle > 10, "{refused} refused, {with_puzzle} with a puzzle");
}

#[test]
fn quotas_without_a_number_share_the_rest() {
    let shared = recipe("count = 10\n[[quota]]\n[[quota]]\ncount = 3\n[[quota]]\n[[quota]]").unwrap();
    assert_eq!(shared.quotas.iter().map(|quota| quota.count).collect::<Vec<_>>(), [3, 3, 2, 2]);
    assert_eq!(recipe("count = 4\n[[quota]]\ncount = 4").unwrap().count, 4);
    assert_eq!(recipe("[[quota]]\ncount = 0").unwrap().parts(), 0);
}
