//! Tests of making corpora: with several threads, stopped, killed, in parts, in stages.

use std::path::PathBuf;

use super::*;
use crate::corpus::folder::corpus_folder::Folder;
use sudoku_corpus_core::random::{Rng, Stage};

/// What `kill -9` may leave: a half-written temporary file, and files of steps whose part is missing.
#[test]
fn a_killed_run_is_finished_by_the_next() {
    let recipe = small("[analyze]\nsteps = true");
    let whole = finished(&recipe);
    let folder = copy_of(whole.path(), "");
    fs::remove_file(folder.path().join("rows/part-000001.parquet")).unwrap();
    fs::remove_file(folder.path().join("rows/part-000003.parquet")).unwrap();
    fs::remove_file(folder.path().join("steps/steps-000003.parquet")).unwrap();
    let temporary = folder.path().join(".~sudoku-corpus~abcdef");
    fs::create_dir(&temporary).unwrap();
    for name in ["0", ".temporary-folder-of-sudoku-corpus"] {
        fs::write(temporary.join(name), b"PAR1 half").unwrap();
    }
    let summary = run(&recipe, folder.path()).unwrap();
    assert_eq!((summary.parts_kept, summary.parts_made), (2, 2));
    assert_eq!(contents(folder.path()), contents(whole.path()));
}

/// A stop costs the part that was being made, however often it comes, and the bytes of the corpus do not show it.
#[test]
fn a_stopped_run_is_finished_by_the_next() {
    for (format, steps) in [("parquet", false), ("csv.zst", false), ("parquet", true)] {
        let text = format!(
            "count = 6000\npart_rows = 1500\nformat = \"{format}\"\n[grid]\nshape = \"2x2\"\n[analyze]\nsteps = {steps}"
        );
        let recipe = recipe(&text).unwrap();
        let whole = finished(&recipe);
        let folder = tempdir().unwrap();
        for rows in [20, 1600] {
            stopped_after(rows, &recipe, folder.path());
            let there = contents(folder.path());
            assert!(there.iter().all(|(name, bytes)| contents(whole.path()).get(name) == Some(bytes)), "{format}");
        }
        run(&recipe, folder.path()).unwrap();
        assert_eq!(contents(folder.path()), contents(whole.path()), "{format}, {steps}");
    }
}

#[test]
fn another_recipe_does_not_touch_the_folder() {
    let recipe = small("");
    let folder = finished(&recipe);
    let before = contents(folder.path());
    let error = run(&small("seed = 2"), folder.path()).unwrap_err().to_string();
    assert!(error.contains("(seed = 20261120 in the folder, seed = 2 now); choose another folder"), "{error}");
    assert_eq!(contents(folder.path()), before);
    // Without the recipe, the footers of the parts show it.
    fs::remove_file(folder.path().join(RECIPE_FILE)).unwrap();
    let error = run(&small("seed = 2"), folder.path()).unwrap_err();
    assert!(matches!(error, CorpusError::OtherRecipe { .. }), "{error}");
    for (name, bytes) in contents(folder.path()) {
        assert_eq!(before[&name], bytes);
    }
    assert_eq!(run(&recipe, folder.path()).unwrap().parts_kept, 4);
    assert_eq!(contents(folder.path()), before);
}

#[test]
fn two_runs_on_one_folder_collide_and_parts_do_not() {
    let recipe = small("");
    let folder = tempdir().unwrap();
    let alone = Folder::open(folder.path(), true).unwrap();
    for beside in [run(&recipe, folder.path()), make_parts(&recipe, folder.path(), 0..1)] {
        assert!(matches!(beside, Err(CorpusError::Busy { .. })));
    }
    drop(alone);
    let together = Folder::open(folder.path(), false).unwrap();
    assert!(matches!(run(&recipe, folder.path()), Err(CorpusError::Busy { .. })));
    make_parts(&recipe, folder.path(), 0..1).unwrap();
    drop(together);
    run(&recipe, folder.path()).unwrap();
}

#[test]
fn a_row_that_cannot_be_made_gives_its_number_and_the_reason() {
    for (dig, reason) in [
        ("plan = \"givens=17\"\nretries = 2", "row 0: no puzzle with givens=17 in 3 tries; fewest givens: 2"),
        (
            "needs = \"jellyfish\"\nplan = \"givens=60\"\nretries = 20",
            "in 21 tries; dug but not as asked for: 21 puzzles",
        ),
    ] {
        let folder = tempdir().unwrap();
        let error = run(&recipe(&format!("count = 3\n[dig]\n{dig}")).unwrap(), folder.path()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        assert!(contents(folder.path()).keys().all(|name| !name.contains("part")));
    }
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
    assert!(error.contains("but the recipe gives"), "{error}");
}

#[test]
fn stages_one_by_one_make_what_a_run_makes() {
    let recipe = small("");
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let stage = |name: &str, input: &mut dyn Iterator<Item = _>, work: &(dyn Fn(Record) -> Result<Record> + Sync)| {
        let mut sink = RowSink::create(&path(name), None).unwrap();
        run_stage(input, work, &mut sink, None, &Job::default()).unwrap();
        assert_eq!(sink.finish().unwrap(), 150);
    };
    let mut numbers = (0..150).map(|index| Ok(Record::new(index, recipe.shape)));
    stage("grids.txt", &mut numbers, &|row| Ok(recipe.generate(row.row)?));
    stage("dug.csv", &mut Input::open(&path("grids.txt"), None).unwrap(), &|row| Ok(recipe.dig(row)?));
    stage("rated.parquet", &mut Input::open(&path("dug.csv"), None).unwrap(), &|row| Ok(recipe.analysis.analyze(row)));
    let rows = Input::open(&path("rated.parquet"), Want::Everything).unwrap();
    for (index, row) in (0..).zip(rows) {
        let made = recipe.make(index).unwrap();
        // Lines of grids do not say how they were made, so their weights are not known.
        let unknown = Record { method: None, log2_probability: None, log_weight: None, log_class_weight: None, ..made };
        assert_eq!(row.unwrap(), unknown);
    }
}

/// What happens to one file of a corpus.
#[derive(Clone, Copy, Debug)]
enum Harm {
    Flip,
    Cut,
    Empty,
    Remove,
    /// Its contents are those of another file.
    Replace,
    /// A second file has its contents.
    Copy,
    Rename,
}

fn harm(folder: &Path, name: &str, other: &str, harm: Harm, rng: &mut Rng) {
    let path = folder.join(name);
    let mut bytes = fs::read(&path).unwrap();
    let place = rng.below(bytes.len());
    let (stem, end) = path.to_str().unwrap().rsplit_once('.').unwrap();
    let named = PathBuf::from(format!("{stem} (1).{end}"));
    match harm {
        Harm::Flip => {
            bytes[place] ^= 1 << rng.below(8);
            fs::write(path, bytes).unwrap();
        }
        Harm::Cut => fs::write(path, &bytes[..place]).unwrap(),
        Harm::Empty => fs::write(path, b"").unwrap(),
        Harm::Remove => fs::remove_file(path).unwrap(),
        Harm::Replace => fs::copy(folder.join(other), path).map(drop).unwrap(),
        Harm::Copy => fs::copy(path, named).map(drop).unwrap(),
        Harm::Rename => fs::rename(path, named).unwrap(),
    }
}

/// One file of a corpus is harmed at a time. Then no other file is lost or changed; what is read of the corpus without
/// an error is right, and nothing is counted twice; `verify` finds it; and `run` either makes the corpus whole again or
/// refuses to touch it. What it takes away is set aside.
#[test]
fn whatever_happens_to_one_file_costs_no_other() {
    let harms = [
        Harm::Flip,
        Harm::Flip,
        Harm::Flip,
        Harm::Cut,
        Harm::Empty,
        Harm::Remove,
        Harm::Replace,
        Harm::Copy,
        Harm::Rename,
    ];
    for extra in ["", "format = \"csv.zst\"", "[analyze]\nsteps = true"] {
        let recipe = small(extra);
        let whole = finished(&recipe);
        let before = contents(whole.path());
        let names: Vec<&String> = before.keys().collect();
        let right = rows_in(whole.path());
        for case in 0..60 {
            let mut rng = Rng::new(1, case, Stage::Bench, 0);
            let (name, other) = (names[rng.below(names.len())], names[rng.below(names.len())]);
            let kind = harms[rng.below(harms.len())];
            let told = format!("{extra} {kind:?} {name} {other} in case {case}");
            let folder = copy_of(whole.path(), "");
            harm(folder.path(), name, other, kind, &mut rng);
            let harmed = contents(folder.path());
            // A second recipe under another name is nobody's business.
            if harmed == before || (matches!(kind, Harm::Copy) && name == RECIPE_FILE) {
                continue;
            }
            // Some bits of the head of a zstd file only advise its reader.
            let is_unharmed =
                |bytes: &Vec<u8>| zstd::decode_all(&bytes[..]).ok() == zstd::decode_all(&before[name][..]).ok();
            if name.ends_with(".zst") && harmed.get(name).is_some_and(is_unharmed) {
                continue;
            }
            // Readers: each row at most once, and as it was made.
            let files = notes_on(folder.path(), false).and_then(|_| files_of(folder.path())).unwrap_or_default();
            let rows = files
                .iter()
                .map(|file| Input::open(file, Want::Everything).and_then(Iterator::collect::<Result<Vec<_>>>));
            if let Ok(rows) = rows.collect::<Result<Vec<_>>>() {
                let rows = rows.concat();
                assert!(rows.iter().zip(&right).all(|(row, made)| row == made), "{told}");
            }
            let sound = verify(folder.path(), None, &Job::default()).is_ok_and(|report| report.is_sound());
            assert!(!sound, "{told}");
            assert_eq!(contents(folder.path()), harmed, "{told}");
            let made = run(&recipe, folder.path());
            let after = contents(folder.path());
            let is_kept = |(file, bytes): (&String, &Vec<u8>)| after.get(file) == Some(bytes) || file == name;
            assert!(before.iter().all(is_kept), "{told}");
            // The harmed file itself is still there, in its place or set aside, unless it was the recipe of this corpus.
            if let Some(bytes) = harmed.get(name).filter(|_| name.contains('/')) {
                assert!(after.values().any(|there| there == bytes), "{told}");
            }
            if let Ok(summary) = made {
                assert!(summary.is_complete(), "{told}");
                assert!(before.iter().all(|(file, bytes)| after.get(file) == Some(bytes)), "{told}");
                let aside = after.keys().filter(|file| !before.contains_key(*file));
                let mut aside = aside.filter(|file| !file.starts_with("set-aside/") && !file.contains(" (1)."));
                assert_eq!(aside.next(), None, "{told}");
            } else {
                assert_eq!((after, name.as_str()), (harmed, RECIPE_FILE), "{told}");
            }
        }
    }
}

/// A part of another recipe, and one of another version, in the place of a part and beside the parts.
#[test]
fn parts_of_other_corpora_are_not_read_and_set_aside() {
    let recipe = small("");
    let folder = finished(&recipe);
    let (whole, rows) = (contents(folder.path()), rows_in(folder.path()));
    let other = finished(&small("seed = 2"));
    let foreign = other.path().join("rows/part-000002.parquet");
    fs::copy(&foreign, folder.path().join("rows/mine.parquet")).unwrap();
    fs::copy(folder.path().join("rows/part-000002.parquet"), folder.path().join("rows/part-000002 (1).parquet"))
        .unwrap();
    fs::write(folder.path().join("rows/notes.txt"), "mine").unwrap();
    fs::write(folder.path().join("rows/.part-000002.parquet.x7Kq2a"), "of a program that copies").unwrap();
    fs::create_dir(folder.path().join("rows/2")).unwrap();
    fs::copy(&foreign, folder.path().join("rows/2/part-000002.parquet")).unwrap();
    fs::create_dir(folder.path().join("steps")).unwrap();
    fs::write(folder.path().join("steps/steps-000000.parquet"), "of a corpus with steps").unwrap();
    assert_eq!(rows_in(folder.path()), rows);
    let notes = notes_on(folder.path(), false).unwrap().join("\n");
    for said in [
        "mine.parquet: not a part of this corpus, so it is not read: it is of another recipe: seed = 2, not seed = 20261120",
        "part-000002 (1).parquet: not a part of this corpus, so it is not read: it is a copy of part-000002.parquet",
        "notes.txt",
        "rows/2: not a part of this corpus, so it is not read: it is a folder",
        "steps/steps-000000.parquet: not the steps of a part of this corpus, so it is not read",
    ] {
        assert!(notes.contains(said), "{notes}");
    }
    fs::copy(&foreign, folder.path().join("rows/part-000001.parquet")).unwrap();
    let error = notes_on(folder.path(), false).unwrap_err().to_string();
    assert!(error.contains("rows/part-000001.parquet is not this part (it is of another recipe"), "{error}");
    assert_eq!(notes_on(folder.path(), true).unwrap().len(), 8);
    assert_eq!(rows_in(folder.path()).len(), 110);
    let summary = run(&recipe, folder.path()).unwrap();
    assert_eq!((summary.parts_made, summary.set_aside.len(), summary.notes.len()), (1, 6, 1));
    let files = contents(folder.path());
    let aside =
        ["mine.parquet", "part-000002 (1).parquet", "notes.txt", "2/part-000002.parquet", "steps-000000.parquet"];
    assert!(aside.iter().all(|file| files.contains_key(&format!("set-aside/{file}"))));
    let others = files.keys().filter(|file| !file.starts_with("set-aside/") && !file.contains("/."));
    assert!(others.eq(whole.keys()));
    assert_eq!(fs::read(folder.path().join("set-aside/part-000001.parquet")).unwrap(), fs::read(foreign).unwrap());
    assert_eq!(rows_in(folder.path()), rows);
}

/// Parts that several machines made in folders of their own become one corpus when they are moved into one folder.
#[test]
fn parts_of_several_machines_are_moved_together() {
    let recipe = small("[analyze]\nsteps = true");
    let whole = finished(&recipe);
    let [left, right] = [0..2, 3..4].map(|parts| {
        let folder = tempdir().unwrap();
        make_parts(&recipe, folder.path(), parts).unwrap();
        folder
    });
    for (name, bytes) in contents(right.path()) {
        fs::write(left.path().join(name), bytes).unwrap();
    }
    let summary = run(&recipe, left.path()).unwrap();
    assert_eq!((summary.parts_kept, summary.parts_made), (3, 1));
    assert_eq!(contents(left.path()), contents(whole.path()));
}

/// A corpus of version 0.4.0 is refused with a sentence that says how to read it.
#[test]
fn a_corpus_of_an_earlier_version_is_refused() {
    let recipe = small("");
    let folder = finished(&recipe);
    fs::rename(folder.path().join("rows/part-000000.parquet"), folder.path().join("part-000000.parquet")).unwrap();
    fs::remove_dir_all(folder.path().join("rows")).unwrap();
    let before = contents(folder.path());
    let errors = [run(&recipe, folder.path()).map(drop), files_of(folder.path()).map(drop)];
    for error in errors.map(|result| result.unwrap_err().to_string()) {
        assert!(error.contains("as version 0.4.0 made them"), "{error}");
    }
    assert_eq!(contents(folder.path()), before);
}

/// Neither of an earlier version nor in need of a folder of their own.
#[test]
fn the_folder_of_the_parts_is_refused_with_the_name_of_the_corpus() {
    let folder = finished(&small(""));
    let error = files_of(&folder.path().join("rows")).unwrap_err().to_string();
    let end = format!("it holds the parts of a corpus: give the folder above it, {}", folder.path().display());
    assert!(error.ends_with(&end), "{error}");
}

/// A corrected input makes another corpus, so a refused one leaves no recipe.
#[test]
fn an_input_whose_first_part_fails_leaves_no_folder() {
    let text = "count = 3\npart_rows = 1\nformat = \"parquet\"\n[command]\nname = \"analyze\"\n";
    let outline = Outline::of_text(text).unwrap();
    let good = small("").make(0).unwrap();
    let place = tempdir().unwrap();
    let folder = place.path().join("rated");
    let job = Job { on_error: OnError::Fail, ..Job::default() };
    let run = |good_rows: usize| {
        let bad = || Err(CorpusError::Make(MakeError::NotFull { index: 0 }));
        let rows = (0..3).map(|row| if row < good_rows { Ok(good.clone()) } else { bad() });
        produce_from(&outline, &[], &folder, rows, Ok, &job).is_ok()
    };
    assert!(!run(0) && !folder.exists());
    // A part is complete when the next one begins.
    assert!(!run(2) && folder.join(RECIPE_FILE).exists());
    assert!(!run(1) && folder.join(RECIPE_FILE).exists());
    assert!(run(3));
}

/// The rows of an input, part by part: as a run makes them, and continued after a stop.
#[test]
fn rows_of_an_input_are_continued() {
    let records: Vec<Record> = {
        let recipe = small("");
        (0..150).map(|index| recipe.make(index).unwrap()).collect()
    };
    let text = "count = 152\npart_rows = 40\nformat = \"parquet\"\n[command]\nname = \"analyze\"\n";
    let outline = Outline::of_text(text).unwrap();
    let bad = || CorpusError::Make(MakeError::NotFull { index: 0 });
    let input = || {
        let mut rows: Vec<Result<Record>> = records.iter().cloned().map(Ok).collect();
        rows.insert(3, Err(bad()));
        rows.insert(120, Err(bad()));
        rows.into_iter()
    };
    let made = |folder: &Path, job: &Job<'_>| produce_from(&outline, &[], folder, input(), Ok, job);
    let whole = tempdir().unwrap();
    let summary = made(whole.path(), &Job::default()).unwrap();
    assert_eq!((summary.parts_made, summary.rows_made, summary.rows_skipped), (4, 152, 2));
    assert_eq!(rows_in(whole.path()), records);
    assert!(check(whole.path()).is_sound(), "{}", problems(whole.path()));
    let folder = tempdir().unwrap();
    let stop = StopFlag::new();
    let progress = &StopAt(60, AtomicU64::new(0), stop.clone());
    made(folder.path(), &Job { progress, stop, ..Job::default() }).unwrap();
    let parts = made(folder.path(), &Job::default()).unwrap();
    assert!(parts.is_complete());
    assert_eq!(contents(folder.path()), contents(whole.path()));
    // A row more or fewer than the outline says.
    for count in [151, 153] {
        let other = Outline { count, text: text.replace("152", &count.to_string()), ..outline.clone() };
        let error =
            produce_from(&other, &[], tempdir().unwrap().path(), input(), Ok, &Job::default()).unwrap_err().to_string();
        assert!(error.contains("the input was changed"), "{error}");
    }
    let other = Outline::of_text(&text.replace("analyze", "dig")).unwrap();
    let error = produce_from(&other, &[], whole.path(), input(), Ok, &Job::default()).unwrap_err();
    assert!(matches!(error, CorpusError::OtherRecipe { .. }), "{error}");
}

#[test]
fn parts_are_never_enumerated_without_need() {
    let text = format!("count = {}\npart_rows = 1\n[grid]\nshape = \"2x2\"", i64::MAX);
    let recipe = recipe(&text).unwrap();
    let folder = tempdir().unwrap();
    let summary = stopped_after(3, &recipe, folder.path());
    assert!(summary.parts_made > 0);
    let report = check(folder.path());
    assert_eq!(report.problem_count, 1, "{:?}", report.problems);
    assert!(report.problems[0].reason.contains("missing, with all parts to"));
}
