use std::collections::HashSet;
use std::path::Path;

use super::judge::{Judge, Verdict};
use super::*;
use crate::corpus::{
    Input, ProduceOptions, Progress, Record, Silent, StopFlag, Summary, VerifyOptions, Want, produce, verify,
};
use sudoku_corpus_core::dig::DigOptions;
use sudoku_corpus_core::generate::Method;
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::rate::explainer::{self, Options, Scope};
use sudoku_corpus_core::rate::rate;

fn recipe(text: &str) -> Result<Recipe, String> {
    Draft::parse(text).and_then(|draft| Recipe::new(&draft)).map_err(|error| error.to_string())
}

fn run(recipe: &Recipe, folder: &Path, threads: usize) -> Summary {
    let options = ProduceOptions { threads: Some(threads), parts: None };
    produce(recipe, folder, &options, &Silent, &StopFlag::new()).unwrap()
}

fn rows(folder: &Path) -> Vec<Record> {
    let files = crate::corpus::part_files(folder).unwrap();
    files.iter().flat_map(|file| Input::open(file, Want::Everything).unwrap()).map(Result::unwrap).collect()
}

/// Every file of a corpus by name, without its locks.
fn bytes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let named =
        files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap()));
    let mut all: Vec<_> = named.filter(|(name, _)| !name.contains("lock")).collect();
    all.sort();
    all
}

const ER: &str = "seed = 5\npart_rows = 4\n[analyze]\nsteps = true\n[dig]\nretries = 600\n\
    [stock]\nby = \"er\"\nclasses = \"1.2,1.5,2.3..2.6,7.2\"\ncount = 2";

/// Sets the stop flag after a find, so that the run ends in the middle of its search.
struct StopAtFirst(StopFlag);

impl Progress for StopAtFirst {}

impl sudoku_corpus_core::coverage::Progress for StopAtFirst {
    fn rows(&self, rows: u64) {
        if rows > 0 {
            self.0.set();
        }
    }
}

#[test]
fn classes_are_complete_or_named_and_kills_and_threads_change_nothing() {
    let recipe = recipe(ER).unwrap();
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let summary = run(&recipe, one.path(), 1);
    let rows = rows(one.path());
    let ers: Vec<u32> = rows.iter().map(|row| row.se_er_tenths.unwrap()).collect();
    // No hint of Sudoku Explainer has the rating 2.4.
    assert_eq!(ers, [12, 12, 15, 15, 23, 23, 25, 25, 26, 26, 72, 72]);
    assert!(summary.is_complete() && summary.short.len() == 1, "{summary:?}");
    assert!(summary.short[0].starts_with("er 2.4: 0 of 2 in ") && summary.short[0].ends_with(" grids (none)"));
    let classes: HashSet<u128> = rows.iter().map(|row| row.class.unwrap()).collect();
    assert_eq!(classes.len(), rows.len());
    assert!(rows.iter().all(|row| row.log_weight.is_none() && row.solutions == Some(1)));
    assert!(rows.iter().all(|row| row.plan.as_deref() == Some("put-back") || row.minimal == Some(true)));
    let report = verify(one.path(), &VerifyOptions::default(), &Silent, &StopFlag::new()).unwrap();
    assert!(report.is_sound() && report.rows_remade == 12, "{report:?}");

    let stop = StopFlag::new();
    let options = ProduceOptions { threads: Some(3), parts: None };
    let stopped = produce(&recipe, two.path(), &options, &StopAtFirst(stop.clone()), &stop).unwrap();
    assert!(stopped.is_stopped() && stopped.parts_there == 0);
    let journal = two.path().join(".stock.journal");
    let mut text = std::fs::read_to_string(&journal).unwrap();
    assert!(text.lines().count() >= 2);
    text.push_str("{\"end\":99");
    std::fs::write(&journal, text).unwrap();
    run(&recipe, two.path(), 3);
    assert_eq!(bytes(one.path()), bytes(two.path()));
    // A part and a file of steps that were removed are made again.
    let there = bytes(one.path());
    std::fs::remove_file(two.path().join("part-000001.parquet")).unwrap();
    std::fs::remove_file(two.path().join("steps-000002.parquet")).unwrap();
    assert_eq!(run(&recipe, two.path(), 2).parts_made, 2);
    assert_eq!(bytes(two.path()), there);
}

#[test]
fn stock_by_technique_needs_each_and_by_level_has_each() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "[analyze]\nratings = \"none\"\n[stock]\nby = \"technique\"\nclasses = \"naked_pair,x_wing,w_wing\"\ncount = 2";
    run(&recipe(text).unwrap(), folder.path(), 2);
    let wanted = [Technique::NakedPair, Technique::XWing, Technique::WWing];
    for (row, technique) in rows(folder.path()).iter().zip(wanted.iter().flat_map(|technique| [technique; 2])) {
        let order = |other: &Technique| other.info().order <= technique.info().order;
        let up_to: Vec<Technique> = Ladder::default().techniques().iter().copied().filter(order).collect();
        let puzzle = row.puzzle.as_ref().unwrap();
        assert!(rate(puzzle, &Ladder::of(up_to.clone())).finished, "{technique}");
        let without = up_to.into_iter().filter(|other| other != technique);
        assert!(!rate(puzzle, &Ladder::of(without)).finished, "{technique}");
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "[analyze]\nratings = \"none\"\n[dig]\nsymmetry = \"rotate-180\"\n[stock]\nby = \"level\"\ncount = 3";
    run(&recipe(text).unwrap(), folder.path(), 2);
    let levels: Vec<&str> = rows(folder.path()).iter().map(|row| row.level.unwrap().name()).collect();
    let expected = ["easy", "medium", "hard", "unfair", "extreme"].map(|level| [level; 3]).concat();
    assert_eq!(levels, expected);
}

/// The judgement for a few open classes agrees with the complete rating.
#[test]
fn a_judge_that_stops_early_agrees_with_the_complete_rating() {
    let ladder = Ladder::default();
    let stock = |by, text| Stock { by, classes: classes(by, text, Some(&ladder)).unwrap(), count: 1, found: None };
    let stocks = [stock(By::Er, Some("1.2..10.0")), stock(By::Level, None)];
    for index in 0..60 {
        let mut rng = Rng::new(4, index, Stage::Bench, 0);
        let solution = Method::Uniform.fill(sudoku_corpus_core::board::Shape::NINE, &mut rng).unwrap();
        let options = DigOptions::of(sudoku_corpus_core::board::Shape::NINE);
        let dug = Plan::Minimal.dig(&solution, sudoku_corpus_core::board::Symmetry::None, &options, &mut rng).unwrap();
        let er = explainer::rate(&dug.puzzle, &Options { scope: Scope::Er, at_most: Some(100) });
        let whole = [
            er.er_tenths.filter(|_| er.exact).map(|er| Class::Er(Tenths(er))),
            Some(Class::Level(rate(&dug.puzzle, &ladder).level)),
        ];
        for (stock, class) in stocks.iter().zip(whole) {
            let open: Vec<bool> = stock.classes.iter().map(|_| rng.below(3) == 0).collect();
            let Some(least) = open.iter().position(|&open| open) else { continue };
            let judged = Judge::new(stock, &ladder, |class| open[class]).of(&dug.puzzle);
            let at = class.and_then(|class| stock.classes.iter().position(|&known| known == class));
            let expected = match (class, at) {
                (_, Some(at)) if open[at] => Verdict::Fits(at),
                (Some(class), _) if class < stock.classes[least] => Verdict::TooEasy,
                _ => Verdict::Other,
            };
            assert_eq!(judged, expected, "{class:?} {open:?}");
        }
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (text, message) in [
        ("[stock]\nby = \"er\"", "stock: count is missing"),
        ("[stock]\ncount = 3", "stock: by is missing"),
        ("[stock]\nby = \"givens\"", "'givens' is not level, er or technique"),
        ("count = 7\n[stock]\nby = \"level\"\ncount = 3", "remove count"),
        ("[dig]\nlevel = \"hard\"\n[stock]\nby = \"level\"\ncount = 3", "[stock] cannot be used with"),
        ("[dig]\nplan = \"random-holes=50\"\n[stock]\nby = \"level\"\ncount = 3", "the plan must be minimal"),
        ("[stock]\nby = \"er\"\nclasses = \"11.0\"\ncount = 3", "above er_limit"),
        ("grid.shape = \"2x3\"\n[stock]\nby = \"er\"\ncount = 3", "er is for the 9x9 board"),
        ("[stock]\nby = \"level\"\nclasses = \"hrad\"\ncount = 3", "did you mean 'hard'"),
        (
            "[analyze]\ntechniques = \"singles\"\n[stock]\nby = \"technique\"\nclasses = \"x_wing\"\ncount = 3",
            "not among",
        ),
        ("[analyze]\ntechniques = \"none\"\n[stock]\nby = \"technique\"\ncount = 3", "stock"),
    ] {
        let error = recipe(text).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
    let open = recipe(ER).unwrap();
    assert_eq!(recipe(&open.canonical()).unwrap().fingerprint(), open.fingerprint());
    let folder = tempfile::tempdir().unwrap();
    let parts = ProduceOptions { parts: Some(0..1), threads: Some(1) };
    let error = produce(&open, folder.path(), &parts, &Silent, &StopFlag::new()).unwrap_err().to_string();
    assert!(error.contains("run it once without --parts"), "{error}");
}
