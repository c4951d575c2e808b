//! Tests of stocks: the same number of puzzles of every class.

use std::collections::HashSet;

use super::*;
use crate::corpus::folder::stock::judge::{Judge, Placement};
use crate::corpus::request::stock::{Stock, classes};
use sudoku_corpus_core::board::{Shape, Symmetry};
use sudoku_corpus_core::dig::{DigOptions, Plan};
use sudoku_corpus_core::generate::Method;
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::rate::explainer::{self, Options, Scope, Tenths};
use sudoku_corpus_core::rate::{Ladder, Technique, rate};

const ER: &str = "seed = 5\npart_rows = 4\n[analyze]\nsteps = true\n[dig]\nretries = 600\n\
    [stock]\nby = \"er\"\nclasses = \"1.2,1.5,2.3..2.6,7.2\"\ncount = 2";

#[test]
fn classes_are_complete_or_named_and_kills_and_threads_change_nothing() {
    let recipe = recipe(ER).unwrap();
    let (one, two) = (tempdir().unwrap(), tempdir().unwrap());
    let summary = run_with(&recipe, one.path(), 1).unwrap();
    let rows = rows_in(one.path());
    let ers: Vec<u32> = rows.iter().map(|row| row.se_er_tenths.unwrap()).collect();
    // No hint of Sudoku Explainer has the rating 2.4.
    assert_eq!(ers, [12, 12, 15, 15, 23, 23, 25, 25, 26, 26, 72, 72]);
    assert!(summary.is_complete() && summary.short.len() == 1, "{summary:?}");
    assert!(summary.short[0].starts_with("er 2.4: 0 of 2 in ") && summary.short[0].ends_with(" grids (none)"));
    let classes: HashSet<u128> = rows.iter().map(|row| row.class.unwrap()).collect();
    assert_eq!(classes.len(), rows.len());
    assert!(rows.iter().all(|row| row.log_weight.is_none() && row.solutions == Some(1)));
    assert!(rows.iter().all(|row| row.plan.as_deref() == Some("put-back") || row.minimal == Some(true)));
    let report = check(one.path());
    assert!(report.is_sound() && report.rows_remade == 12, "{report:?}");

    let stop = StopFlag::new();
    // After a find, so in the middle of the search.
    let progress = &StopAt(1, AtomicU64::new(0), stop.clone());
    assert!(find_stock(&recipe, two.path(), &Job { progress, stop, ..Job::default() }).unwrap().is_none());
    let journal = two.path().join(".stock.journal");
    let mut text = fs::read_to_string(&journal).unwrap();
    assert!(text.lines().count() >= 2);
    text.push_str("{\"end\":99");
    fs::write(&journal, text).unwrap();
    run(&recipe, two.path()).unwrap();
    assert_eq!(contents(one.path()), contents(two.path()));
    // A part and a file of steps that were removed are made again.
    let there = contents(one.path());
    fs::remove_file(two.path().join("part-000001.parquet")).unwrap();
    fs::remove_file(two.path().join("steps-000002.parquet")).unwrap();
    assert_eq!(run(&recipe, two.path()).unwrap().parts_made, 2);
    assert_eq!(contents(two.path()), there);
}

#[test]
fn stock_by_technique_needs_each_and_by_level_has_each() {
    let folder = tempdir().unwrap();
    let text =
        "[analyze]\nratings = \"none\"\n[stock]\nby = \"technique\"\nclasses = \"naked_pair,x_wing,w_wing\"\ncount = 2";
    run(&recipe(text).unwrap(), folder.path()).unwrap();
    let wanted = [Technique::NakedPair, Technique::XWing, Technique::WWing];
    for (row, technique) in rows_in(folder.path()).iter().zip(wanted.iter().flat_map(|technique| [technique; 2])) {
        let order = |other: &Technique| other.info().order <= technique.info().order;
        let up_to: Vec<Technique> = Ladder::default().techniques().iter().copied().filter(order).collect();
        let puzzle = row.puzzle.as_ref().unwrap();
        assert!(rate(puzzle, &Ladder::of(up_to.clone())).finished, "{technique}");
        let without = up_to.into_iter().filter(|other| other != technique);
        assert!(!rate(puzzle, &Ladder::of(without)).finished, "{technique}");
    }
    let folder = tempdir().unwrap();
    let text = "[analyze]\nratings = \"none\"\n[dig]\nsymmetry = \"rotate-180\"\n[stock]\nby = \"level\"\ncount = 3";
    run(&recipe(text).unwrap(), folder.path()).unwrap();
    let levels: Vec<&str> = rows_in(folder.path()).iter().map(|row| row.level.unwrap().name()).collect();
    let expected = ["easy", "medium", "hard", "unfair", "extreme"].map(|level| [level; 3]).concat();
    assert_eq!(levels, expected);
}

#[test]
fn shares_of_a_search_join_to_what_one_machine_finds() {
    let grids = "\ngrids = 3_000";
    let by_level = "[analyze]\nratings = \"none\"\n[stock]\nby = \"level\"\nclasses = \"medium,unfair\"\ncount = 30";
    for text in [ER, by_level] {
        let recipe = recipe(&(text.to_owned() + grids)).unwrap();
        let (one, many) = (tempdir().unwrap(), tempdir().unwrap());
        run(&recipe, one.path()).unwrap();
        for index in [2, 0] {
            assert!(find_share(&recipe, many.path(), (index, 3), &on(2)).unwrap());
        }
        let error = run(&recipe, many.path()).unwrap_err().to_string();
        assert!(error.contains("stock-1-of-3.jsonl"), "{error}");
        // A share that was killed goes on.
        assert!(find_share(&recipe, many.path(), (1, 3), &on(1)).unwrap());
        let share = many.path().join("stock-1-of-3.jsonl");
        let whole = fs::read_to_string(&share).unwrap();
        fs::write(&share, &whole[..whole.len() / 2]).unwrap();
        let error = run(&recipe, many.path()).unwrap_err().to_string();
        assert!(error.contains("run --share 1/3 to its end"), "{error}");
        assert!(find_share(&recipe, many.path(), (1, 3), &on(1)).unwrap());
        assert_eq!(fs::read_to_string(&share).unwrap(), whole);
        run(&recipe, many.path()).unwrap();
        assert_eq!(contents(one.path()), contents(many.path()));
    }
    let folder = tempdir().unwrap();
    let error = find_share(&recipe(ER).unwrap(), folder.path(), (0, 2), &on(1)).unwrap_err().to_string();
    assert!(error.contains("give grids in [stock]"), "{error}");
}

/// The judgement for a few open classes agrees with the complete rating.
#[test]
fn a_judge_that_stops_early_agrees_with_the_complete_rating() {
    let ladder = Ladder::default();
    let stock =
        |by, text| Stock { by, classes: classes(by, text, Some(&ladder)).unwrap(), count: 1, grids: None, found: None };
    let stocks = [stock(By::Er, Some("1.2..10.0")), stock(By::Level, None)];
    for index in 0..60 {
        let mut rng = Rng::new(4, index, Stage::Bench, 0);
        let solution = Method::Uniform.fill(Shape::NINE, &mut rng).unwrap();
        let options = DigOptions::of(Shape::NINE);
        let dug = Plan::Minimal.dig(&solution, Symmetry::None, &options, &mut rng).unwrap();
        let er = explainer::rate(&dug.puzzle, &Options { scope: Scope::Er, at_most: Some(100) });
        let whole = [
            er.er_tenths.filter(|_| er.exact).map(|er| Class::Er(Tenths(er))),
            Some(Class::Level(rate(&dug.puzzle, &ladder).level)),
        ];
        for (stock, class) in stocks.iter().zip(whole) {
            let open: Vec<bool> = stock.classes.iter().map(|_| rng.below(3) == 0).collect();
            let Some(least) = open.iter().position(|&open| open) else { continue };
            let classes = stock.classes.iter().copied().enumerate().filter(|&(class, _)| open[class]).collect();
            let judged = Judge { ladder: &ladder, open: classes }.of(&dug.puzzle);
            let at = class.and_then(|class| stock.classes.iter().position(|&known| known == class));
            let expected = match (class, at) {
                (_, Some(at)) if open[at] => Placement::Fits(at),
                (Some(class), _) if class < stock.classes[least] => Placement::TooEasy,
                _ => Placement::Other,
            };
            assert_eq!(judged, expected, "{class:?} {open:?}");
        }
    }
}

#[test]
fn a_search_is_named_by_its_recipe_and_not_divided() {
    let open = recipe(ER).unwrap();
    assert_eq!(recipe(&open.canonical()).unwrap().fingerprint(), open.fingerprint());
    let folder = tempdir().unwrap();
    let error = make_parts(&open, folder.path(), 0..1).unwrap_err().to_string();
    assert!(error.contains("run it once without --parts"), "{error}");
}
