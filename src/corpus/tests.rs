//! A corpus from end to end, and everything that may go wrong with one.

// Missing parts are lists of ranges.
#![allow(clippy::single_range_in_vec_init)]

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
    let name = |path: &Path| path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
    let files = files_in(folder).unwrap();
    let files = files.iter().filter(|path| !path.to_str().unwrap().ends_with("lock"));
    files.map(|path| (name(path), fs::read(path).unwrap())).collect()
}

fn make_parts(recipe: &Recipe, folder: &Path, parts: std::ops::Range<u64>) -> Summary {
    let options = ProduceOptions { parts: Some(parts), threads: Some(1) };
    produce(recipe, folder, &options, &Silent, &StopFlag::new()).unwrap()
}

fn merge_with(recipe: &Recipe, folder: &Path, options: &MergeOptions) -> Merged {
    merge(recipe, folder, options, &Silent, &StopFlag::new()).unwrap()
}

/// Changes a bit of a file, or leaves a hole in it as a copy does that was cut short by a crash.
fn harm(path: &Path, hole: bool) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 3;
    if hole {
        bytes[middle..middle + middle / 2].fill(0);
    } else {
        bytes[middle] ^= 4;
    }
    fs::write(path, bytes).unwrap();
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
    let merged = merge_with(&recipe, here.path(), &MergeOptions::default());
    assert_eq!((merged.parts_good, merged.rows, merged.missing.len()), (4, 150, 0));
    assert_eq!(contents(here.path()), contents(whole.path()));
    let outside = ProduceOptions { parts: Some(3..5), threads: Some(1) };
    let error = produce(&recipe, here.path(), &outside, &Silent, &StopFlag::new()).unwrap_err();
    assert_eq!((error.to_string().as_str(), error.exit_code()), ("parts 3..5: the recipe has parts 0..4", 2));
}

#[test]
fn folders_of_workers_become_one_corpus_and_what_is_missing_is_told() {
    for layout in ["flat", "hive"] {
        let recipe = small(&format!("layout = \"{layout}\""));
        let whole = finished(&recipe);
        let (all, a, b) = (tempdir().unwrap(), tempdir().unwrap(), tempdir().unwrap());
        make_parts(&recipe, a.path(), 0..1);
        make_parts(&recipe, b.path(), 2..3);
        let sources = vec![a.path().to_owned(), b.path().to_owned()];
        let options = MergeOptions { sources, ..MergeOptions::default() };
        let merged = merge_with(&recipe, all.path(), &options);
        assert_eq!((merged.parts, merged.parts_good, merged.parts_copied), (4, 2, 2));
        assert_eq!((merged.missing, merged.problems), (vec![1..2, 3..4], vec![]));
        make_parts(&recipe, a.path(), 3..4);
        make_parts(&recipe, all.path(), 1..2);
        let merged = merge_with(&recipe, all.path(), &options);
        assert_eq!((merged.parts_good, merged.parts_copied, merged.missing), (4, 1, vec![]));
        assert_eq!(contents(all.path()), contents(whole.path()), "{layout}");
        assert!(check(all.path()).is_sound());
    }
}

#[test]
fn a_part_is_held_against_every_line_that_is_known() {
    let recipe = small("");
    let whole = finished(&recipe);
    let lines: Vec<Entry> = Manifest::read(whole.path()).unwrap().unwrap().parts.into_values().collect();
    let copied = || {
        let folder = tempdir().unwrap();
        for (name, bytes) in contents(whole.path()).into_iter().filter(|(name, _)| name.starts_with("part-")) {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        folder
    };
    let part = "part-000002.parquet";
    // With lines the checksum tells of a single bit; without, every row is read. Either way the part counts as missing.
    for lines in [vec![], lines.clone()] {
        let folder = copied();
        let known = !lines.is_empty();
        harm(&folder.path().join(part), !known);
        let options = MergeOptions { lines, ..MergeOptions::default() };
        let merged = merge_with(&recipe, folder.path(), &options);
        assert_eq!((merged.parts_good, merged.missing.clone(), merged.problems.len()), (3, vec![2..3], 1));
        assert!(merged.problems[0].to_string().contains("part-000002.parquet: damaged: "), "{merged:?}");
        let line = Manifest::read(folder.path()).unwrap().unwrap().parts.get(&2).cloned();
        assert_eq!(line.is_some(), known, "a line that is known keeps telling what the part should be");
        let quick = merge_with(&recipe, folder.path(), &MergeOptions { quick: true, ..options.clone() });
        assert_eq!(quick.missing.is_empty(), known, "quick believes lines, and reads what has none");
        let merged = merge_with(&recipe, folder.path(), &MergeOptions { drop_damaged: true, ..options.clone() });
        assert_eq!((merged.parts_dropped, merged.missing, merged.problems), (1, vec![2..3], vec![]));
        run(&recipe, folder.path()).unwrap();
        assert_eq!(contents(folder.path()), contents(whole.path()));
    }
    // A good copy elsewhere takes the place of a damaged part.
    let folder = copied();
    harm(&folder.path().join(part), false);
    let options = MergeOptions { sources: vec![whole.path().to_owned()], ..MergeOptions::default() };
    let merged = merge_with(&recipe, folder.path(), &options);
    assert_eq!((merged.parts_good, merged.parts_copied, merged.missing), (4, 1, vec![]));
    assert_eq!(contents(folder.path()), contents(whole.path()));
}

#[test]
fn lines_that_contradict_each_other_or_the_recipe_are_problems() {
    let recipe = small("");
    let whole = finished(&recipe);
    let mut lines: Vec<Entry> = Manifest::read(whole.path()).unwrap().unwrap().parts.into_values().collect();
    lines[0].blake3 = "0".repeat(64);
    lines[1].rows = 7;
    lines[3].part = 9;
    let merged = merge_with(&recipe, whole.path(), &MergeOptions { lines, ..MergeOptions::default() });
    let told: Vec<&str> = merged.problems.iter().map(|problem| problem.reason.as_str()).collect();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].starts_with("part 0: another checksum than in "), "{told:?}");
    assert_eq!(told[1], "part 1: the recipe has no such part with these rows");
    assert_eq!(merged.parts_good, 4, "the files are as the manifest says");
}

#[test]
fn a_manifest_is_made_of_lines_alone_when_the_parts_stand_elsewhere() {
    let recipe = small("");
    let whole = finished(&recipe);
    let mut lines: Vec<Entry> = Manifest::read(whole.path()).unwrap().unwrap().parts.into_values().collect();
    let folder = tempdir().unwrap();
    let last = lines.pop().unwrap();
    let options = |lines| MergeOptions { elsewhere: true, lines, ..MergeOptions::default() };
    assert_eq!(merge_with(&recipe, folder.path(), &options(lines)).missing, [3..4]);
    assert_eq!(merge_with(&recipe, folder.path(), &options(vec![last])).missing, []);
    assert_eq!(contents(folder.path())[MANIFEST_FILE], contents(whole.path())[MANIFEST_FILE]);
}

#[test]
fn parts_of_other_corpora_are_neither_taken_nor_removed() {
    let recipe = small("");
    let other = finished(&small("seed = 2"));
    let folder = tempdir().unwrap();
    let foreign = folder.path().join("part-000001.parquet");
    fs::copy(other.path().join("part-000001.parquet"), &foreign).unwrap();
    let merged = merge_with(&recipe, folder.path(), &MergeOptions { drop_damaged: true, ..MergeOptions::default() });
    assert!(merged.problems[0].reason.starts_with("a part of another corpus (seed = 2 there"), "{merged:?}");
    assert!(foreign.exists() && merged.parts_good == 0);
    let options = MergeOptions { sources: vec![other.path().to_owned()], ..MergeOptions::default() };
    let error = merge(&recipe, folder.path(), &options, &Silent, &StopFlag::new()).unwrap_err();
    assert!(matches!(error, CorpusError::OtherRecipe { .. }), "{error}");
}

#[test]
fn the_hive_layout_holds_the_same_rows_and_every_promise() {
    let recipe = small("layout = \"hive\"");
    let folder = finished(&recipe);
    let part = "shape=2x2/method=uniform/seed=20261120/block=0/part-000001.parquet";
    assert!(contents(folder.path()).contains_key(part));
    assert!(check(folder.path()).is_sound());
    assert_eq!(part_files(folder.path()).unwrap().len(), 4);
    let rows = |recipe: &Recipe, folder: &Path| -> Vec<Record> {
        (0..4)
            .flat_map(|part| Input::open_records(&folder.join(recipe.part_path(part))).unwrap())
            .map(Result::unwrap)
            .collect()
    };
    let flat = small("");
    assert!(rows(&recipe, folder.path()) == rows(&flat, finished(&flat).path()));
    // A part in the wrong folder is none, and what killed runs leave in the folders below is taken away.
    let misplaced = folder.path().join("part-000001.parquet");
    fs::rename(folder.path().join(part), &misplaced).unwrap();
    fs::write(folder.path().join(part).with_file_name(".part-000003.parquet.~gone-7-7~abcdef"), b"PAR1").unwrap();
    assert_eq!(check(folder.path()).problem_count, 2, "{}", problems(folder.path()));
    fs::remove_file(misplaced).unwrap();
    assert_eq!(run(&recipe, folder.path()).unwrap().parts_made, 1);
    assert!(contents(folder.path()).keys().all(|name| !name.contains('~')));
    assert!(check(folder.path()).is_sound());
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
    let start =
        "row 0: givens=17 is out of reach: none of 3 tries, the best of those that stopped early came down to 2";
    assert!(text.starts_with(start), "{text}");
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
