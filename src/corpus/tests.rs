//! A corpus from end to end, and everything that may go wrong with one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::{TempDir, tempdir};

use super::folder::Folder;
use super::part::PartWriter;
use super::*;

/// A small corpus: 4x4 boards, quick to make, in parts of 40 rows.
fn small(extra: &str) -> Recipe {
    Recipe::new(&Draft::parse(&format!("count = 150\npart_rows = 40\n{extra}\n[grid]\nshape = \"2x2\"")).unwrap())
        .unwrap()
}

fn run(recipe: &Recipe, folder: &Path) -> Result<Summary> {
    produce(recipe, folder, &ProduceOptions { parts: None, threads: Some(2) }, &Silent, &StopFlag::new())
}

fn finished(recipe: &Recipe) -> TempDir {
    let folder = tempdir().unwrap();
    assert!(run(recipe, folder.path()).unwrap().is_complete());
    folder
}

/// Names and contents of all files, without locks.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let named = |entry: fs::DirEntry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap());
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| named(entry.unwrap()))
        .filter(|(name, _)| !name.ends_with("lock"))
        .collect()
}

fn check(folder: &Path) -> Report {
    verify(folder, &VerifyOptions { sample: None, threads: Some(1) }, &Silent, &StopFlag::new()).unwrap()
}

fn problems(folder: &Path) -> String {
    check(folder).problems.iter().map(|problem| format!("{problem}\n")).collect()
}

/// Stops the work when so many rows are done.
struct StopAt(u64, AtomicU64, StopFlag);

impl Progress for StopAt {
    fn rows(&self, rows: u64) {
        if self.1.fetch_add(rows, Ordering::Relaxed) + rows >= self.0 {
            self.2.set();
        }
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_byte() {
    for format in ["parquet", "csv.zst"] {
        let recipe = small(&format!("format = \"{format}\""));
        let first = finished(&recipe);
        for threads in [1, 4] {
            let folder = tempdir().unwrap();
            let options = ProduceOptions { parts: None, threads: Some(threads) };
            produce(&recipe, folder.path(), &options, &Silent, &StopFlag::new()).unwrap();
            assert_eq!(contents(folder.path()), contents(first.path()), "{format}, {threads} threads");
        }
        assert_eq!(contents(first.path()).len(), 6, "recipe, manifest and four parts");
        let report = check(first.path());
        assert!(report.is_sound(), "{:?}", report.problems);
        assert_eq!((report.parts_good, report.rows, report.rows_solved, report.rows_remade), (4, 150, 150, 150));
    }
}

#[test]
fn a_stopped_run_goes_on_where_it_stopped() {
    let recipe = small("");
    let whole = finished(&recipe);
    for rows in [1, 50, 100] {
        let folder = tempdir().unwrap();
        let stop = StopFlag::new();
        let progress = StopAt(rows, AtomicU64::new(0), stop.clone());
        let stopped = produce(&recipe, folder.path(), &ProduceOptions::default(), &progress, &stop).unwrap();
        assert!(stopped.is_stopped() && !stopped.is_complete());
        assert!(contents(folder.path()).keys().all(|name| !name.contains('~')), "no temporary file is left");
        let resumed = run(&recipe, folder.path()).unwrap();
        assert_eq!((resumed.parts_made, resumed.parts_kept), (stopped.parts_missing, stopped.parts_made));
        assert_eq!(contents(folder.path()), contents(whole.path()));
    }
}

/// What `kill -9` may leave: a half-written temporary file, a torn line, a part whose line was never written.
#[test]
fn a_killed_run_is_finished_by_the_next() {
    let recipe = small("");
    let whole = finished(&recipe);
    let folder = tempdir().unwrap();
    for name in ["part-000000.parquet", "part-000002.parquet", "recipe.toml"] {
        fs::copy(whole.path().join(name), folder.path().join(name)).unwrap();
    }
    let manifest = fs::read_to_string(whole.path().join(MANIFEST_FILE)).unwrap();
    let lines: Vec<&str> = manifest.lines().collect();
    // Part 1 has a line but no file, part 2 a file but no line, and the line of part 0 was written twice.
    let torn = format!("{}\n{}\n{}\n{}\n{}", lines[0], lines[2], lines[1], lines[1], &lines[3][..lines[3].len() - 9]);
    fs::write(folder.path().join(MANIFEST_FILE), torn).unwrap();
    fs::write(folder.path().join(".part-000001.parquet.~gone-7-7~abcdef"), b"PAR1 half").unwrap();
    let summary = run(&recipe, folder.path()).unwrap();
    assert_eq!((summary.parts_kept, summary.parts_made), (2, 2));
    assert_eq!(contents(folder.path()), contents(whole.path()));
}

#[test]
fn a_part_of_another_size_is_made_again() {
    let recipe = small("");
    let whole = finished(&recipe);
    let folder = finished(&recipe);
    let part = folder.path().join("part-000001.parquet");
    let bytes = fs::read(&part).unwrap();
    fs::write(&part, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(run(&recipe, folder.path()).unwrap().parts_made, 1);
    assert_eq!(contents(folder.path()), contents(whole.path()));
    assert_eq!(run(&recipe, folder.path()).unwrap().parts_made, 0);
}

#[test]
fn parts_made_apart_are_the_same_corpus() {
    let recipe = small("");
    let whole = finished(&recipe);
    let (here, there) = (tempdir().unwrap(), tempdir().unwrap());
    for (folder, parts) in [(&there, 3..4), (&here, 1..3), (&there, 0..1), (&here, 0..0)] {
        let options = ProduceOptions { parts: Some(parts.clone()), threads: Some(1) };
        let summary = produce(&recipe, folder.path(), &options, &Silent, &StopFlag::new()).unwrap();
        assert_eq!(summary.parts_made, parts.end - parts.start);
        assert!(!summary.is_complete() && !summary.is_stopped());
    }
    for (name, bytes) in contents(there.path()).into_iter().filter(|(name, _)| name.starts_with("part-")) {
        fs::write(here.path().join(name), bytes).unwrap();
    }
    assert_eq!(merge(&recipe, here.path()).unwrap().parts.len(), 4);
    assert_eq!(contents(here.path()), contents(whole.path()));
    let outside = ProduceOptions { parts: Some(3..5), threads: Some(1) };
    let error = produce(&recipe, here.path(), &outside, &Silent, &StopFlag::new()).unwrap_err();
    assert_eq!((error.to_string().as_str(), error.exit_code()), ("parts 3..5: the recipe has parts 0..4", 2));
}

#[test]
fn another_recipe_does_not_touch_the_folder() {
    let recipe = small("");
    let folder = finished(&recipe);
    let before = contents(folder.path());
    let error = run(&small("seed = 2"), folder.path()).unwrap_err().to_string();
    assert!(error.ends_with("(seed = 20261120 there, seed = 2 now); choose another folder"), "{error}");
    assert_eq!(contents(folder.path()), before);
    // Without manifest and recipe, the parts themselves say so.
    fs::remove_file(folder.path().join(MANIFEST_FILE)).unwrap();
    fs::remove_file(folder.path().join(RECIPE_FILE)).unwrap();
    let error = run(&small("seed = 2"), folder.path()).unwrap_err();
    assert!(matches!(error, CorpusError::OtherRecipe { .. }), "{error}");
    for (name, bytes) in contents(folder.path()).iter().filter(|(name, _)| name.starts_with("part-")) {
        assert_eq!(before[name], *bytes);
    }
}

#[test]
fn two_runs_on_one_folder_collide_and_parts_do_not() {
    let recipe = small("");
    let folder = tempdir().unwrap();
    let parts = ProduceOptions { parts: Some(0..1), threads: Some(1) };
    let alone = Folder::open(folder.path(), true).unwrap();
    assert!(matches!(run(&recipe, folder.path()), Err(CorpusError::Busy { .. })));
    let beside = produce(&recipe, folder.path(), &parts, &Silent, &StopFlag::new());
    assert!(matches!(beside, Err(CorpusError::Busy { .. })));
    drop(alone);
    let together = Folder::open(folder.path(), false).unwrap();
    assert!(matches!(run(&recipe, folder.path()), Err(CorpusError::Busy { .. })));
    produce(&recipe, folder.path(), &parts, &Silent, &StopFlag::new()).unwrap();
    drop(together);
    run(&recipe, folder.path()).unwrap();
}

#[test]
fn folders_that_cannot_be_written_are_named() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    let error = run(&small(""), &file.join("corpus")).unwrap_err().to_string();
    assert!(error.starts_with("cannot create the folder") && error.contains("file/corpus"), "{error}");
}

#[test]
fn a_row_out_of_reach_says_which_and_why() {
    let draft = Draft::parse("count = 3\n[dig]\nplan = \"givens=17\"\nretries = 2").unwrap();
    let recipe = Recipe::new(&draft).unwrap();
    let folder = tempdir().unwrap();
    let error = run(&recipe, folder.path()).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("row 0: givens=17 is out of reach: the best of 3 tries came down to 2"), "{text}");
    assert!(contents(folder.path()).keys().all(|name| !name.starts_with("part") && !name.contains('~')));
}

#[test]
fn damage_of_every_kind_gets_its_line() {
    let recipe = small("");
    let pristine = finished(&recipe);
    let part = "part-000001.parquet";
    let damaged = |harm: &dyn Fn(&Path)| {
        let folder = tempdir().unwrap();
        for (name, bytes) in contents(pristine.path()) {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        harm(folder.path());
        let text = problems(folder.path());
        text.replace(&format!("{}/", folder.path().display()), "")
    };
    assert_eq!(damaged(&|_| ()), "");
    let flipped = damaged(&|folder| {
        let mut bytes = fs::read(folder.join(part)).unwrap();
        bytes[1000] ^= 1;
        fs::write(folder.join(part), bytes).unwrap();
    });
    assert!(flipped.starts_with("part-000001.parquet: damaged: its checksum is "), "{flipped}");
    let short = damaged(&|folder| fs::write(folder.join(part), b"PAR1").unwrap());
    assert!(short.starts_with("part-000001.parquet: 4 bytes, but the manifest says "), "{short}");
    let missing = damaged(&|folder| fs::remove_file(folder.join(part)).unwrap());
    assert_eq!(missing, "part-000001.parquet: missing\n");
    let extra = damaged(&|folder| fs::write(folder.join("part-000009.parquet"), b"").unwrap());
    assert_eq!(extra, "part-000009.parquet: is no part of this corpus\n");
    let unlisted = damaged(&|folder| {
        let text = fs::read_to_string(folder.join(MANIFEST_FILE)).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("{\"part\":1,")).collect();
        fs::write(folder.join(MANIFEST_FILE), format!("{}\n", lines.join("\n"))).unwrap();
    });
    assert_eq!(unlisted, "part-000001.parquet: has no line in the manifest\n");
    let edited = damaged(&|folder| {
        let text = fs::read_to_string(folder.join(RECIPE_FILE)).unwrap();
        fs::write(folder.join(RECIPE_FILE), format!("# mine\n{text}")).unwrap();
    });
    assert_eq!(edited, "recipe.toml: changed by hand: not in its canonical form\n");
}

/// Parts whose checksums are right and whose rows are wrong: someone changed them with care.
#[test]
fn forged_rows_are_found() {
    let recipe = small("");
    let pristine = finished(&recipe);
    let forged = |forge: &dyn Fn(&mut Record)| {
        let folder = tempdir().unwrap();
        for (name, bytes) in contents(pristine.path()) {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        let mut rows: Vec<Record> = (0..40).map(|index| recipe.make(index).unwrap()).collect();
        forge(&mut rows[7]);
        let mut writer = PartWriter::create(folder.path(), &recipe, 0).unwrap();
        writer.write(rows).unwrap();
        let mut manifest = Manifest::read(folder.path()).unwrap().unwrap();
        manifest.parts.insert(0, writer.finish().unwrap());
        manifest.write(folder.path()).unwrap();
        problems(folder.path()).replace(&format!("{}/part-000000.parquet: ", folder.path().display()), "")
    };
    assert_eq!(forged(&|_| ()), "");
    assert_eq!(forged(&|row| row.index = 8), "row 7: its number is 8\n");
    let score = forged(&|row| row.score = Some(1));
    assert!(score.starts_with("row 7: score: 1 in the file, "), "{score}");
    let givens = forged(&|row| row.givens = Some(1));
    assert!(givens.contains("its columns say otherwise"), "{givens}");
    let several = forged(&|row| {
        let given = row.puzzle.as_ref().unwrap().grid().given_cells().next().unwrap().0;
        let puzzle = row
            .solution
            .as_ref()
            .unwrap()
            .masked(|cell| cell != given && row.puzzle.as_ref().unwrap().grid().get(cell).is_some());
        *row = row.clone().with_puzzle(puzzle);
    });
    assert_eq!(several, "row 7: the puzzle has several solutions\n");
    let other = recipe.make(100).unwrap();
    let foreign = forged(&|row| row.solution = other.solution.clone());
    assert_eq!(foreign, "row 7: the puzzle is not part of the solution\n");
}

#[test]
fn a_sample_is_checked_when_asked_for() {
    let folder = finished(&small(""));
    let options = VerifyOptions { sample: Some(10), threads: Some(2) };
    let report = verify(folder.path(), &options, &Silent, &StopFlag::new()).unwrap();
    assert_eq!((report.rows, report.rows_solved, report.rows_remade), (150, 10, 10));
    let error = verify(Path::new("/nonexistent"), &options, &Silent, &StopFlag::new()).unwrap_err();
    assert_eq!(error.to_string(), "/nonexistent: no corpus here: recipe.toml is missing");
}

#[test]
fn a_corpus_of_shuffled_bases_carries_them() {
    let folder = tempdir().unwrap();
    let bases = folder.path().join("mine.txt");
    fs::write(&bases, "# one\n1234341221434321\n").unwrap();
    let text = "count = 20\n[grid]\nshape = \"2x2\"\nmethod = \"base-shuffle\"\nbases = \"mine.txt\"";
    fs::write(folder.path().join("mine.toml"), text).unwrap();
    let recipe = Recipe::read(&folder.path().join("mine.toml")).unwrap();
    let corpus = folder.path().join("corpus");
    run(&recipe, &corpus).unwrap();
    fs::remove_file(&bases).unwrap();
    assert!(check(&corpus).is_sound());
    assert_eq!(Recipe::read(&corpus.join(RECIPE_FILE)).unwrap().fingerprint(), recipe.fingerprint());
    fs::write(corpus.join(BASES_FILE), "1234341243212143\n").unwrap();
    let error = Recipe::read(&corpus.join(RECIPE_FILE)).unwrap_err().to_string();
    assert!(error.contains("other bases than the recipe asks for"), "{error}");
}

#[test]
fn stages_one_by_one_make_what_a_run_makes() {
    let recipe = small("");
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let options = StageOptions { threads: Some(2), ..StageOptions::default() };
    let (quiet, stop) = (Silent, StopFlag::new());
    let mut grids = Sink::create(&path("grids.txt"), None).unwrap();
    run_stage((0..150).map(Ok), |index| Ok(recipe.generate(index)?), &mut grids, &options, &quiet, &stop).unwrap();
    assert_eq!(grids.finish().unwrap(), 150);
    let mut dug = Sink::create(&path("dug.csv"), None).unwrap();
    let input = Input::open(&path("grids.txt"), None).unwrap();
    run_stage(input, |record| Ok(recipe.dig(record)?), &mut dug, &options, &quiet, &stop).unwrap();
    dug.finish().unwrap();
    let mut rated = Sink::create(&path("rated.parquet"), None).unwrap();
    let input = Input::open(&path("dug.csv"), None).unwrap();
    run_stage(input, |record| Ok(recipe.analysis.analyze(record)), &mut rated, &options, &quiet, &stop).unwrap();
    rated.finish().unwrap();
    let rows = Input::open_records(&path("rated.parquet")).unwrap();
    for (index, row) in (0..).zip(rows) {
        let made = recipe.make(index).unwrap();
        // Lines of grids do not say how they were made.
        assert_eq!(row.unwrap(), Record { method: None, ..made });
    }
}
