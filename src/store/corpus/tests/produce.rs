//! Tests of making corpora: with several threads, stopped, killed, in parts, in stages.

use super::*;
use crate::corpus::folder::corpus_folder::Folder;

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
    fs::write(folder.path().join(".part-000001.parquet.~sudoku-corpus~abcdef"), b"PAR1 half").unwrap();
    let summary = run(&recipe, folder.path()).unwrap();
    assert_eq!((summary.parts_kept, summary.parts_made), (1, 3));
    assert_eq!(contents(folder.path()), contents(whole.path()));
}

/// A stop costs only the rows that were being made, however often it comes, and the bytes of the corpus do not show it.
#[test]
fn a_stopped_part_keeps_its_rows() {
    // More rows than two runs can have in work when they are stopped.
    for extra in ["", "format = \"csv.zst\"", "steps"] {
        let steps = if extra == "steps" { "\n[analyze]\nsteps = true" } else { "" };
        let text =
            format!("count = 10000\npart_rows = 10000\n{}\n[grid]\nshape = \"2x2\"{steps}", extra.replace("steps", ""));
        let recipe = recipe(&text).unwrap();
        let whole = finished(&recipe);
        let folder = tempdir().unwrap();
        let kept = || {
            let files = files_in(folder.path()).unwrap();
            let kept =
                files.into_iter().filter(|file| file.file_name().unwrap().to_str().unwrap().starts_with("unfinished-"));
            kept.collect::<Vec<_>>()
        };
        let rows_of = |file: &Path| {
            Input::open(file, Want::Everything).unwrap().map(|row| row.unwrap().index).collect::<Vec<_>>()
        };
        stopped_after(20, &recipe, folder.path());
        let first = rows_of(&kept()[0]);
        assert!(first.len() >= 20 && first.len() < 10_000 && first.is_sorted(), "{extra}: {first:?}");
        stopped_after(first.len() as u64 + 20, &recipe, folder.path());
        let second = rows_of(&kept()[0]);
        assert!(second.len() >= first.len() + 20 && kept().len() == 1, "{extra}: {second:?}");
        assert!(first.iter().all(|row| second.contains(row)));
        // A damaged file of rows is not used.
        let good = fs::read(&kept()[0]).unwrap();
        let copy = tempdir().unwrap();
        contents(folder.path()).into_iter().for_each(|(name, bytes)| fs::write(copy.path().join(name), bytes).unwrap());
        harm_middle(&copy.path().join(kept()[0].file_name().unwrap()), &good);
        for folder in [copy.path(), folder.path()] {
            run(&recipe, folder).unwrap();
            assert_eq!(contents(folder), contents(whole.path()), "{extra}");
        }
    }
}

fn harm_middle(file: &Path, good: &[u8]) {
    let mut bytes = good.to_vec();
    bytes[good.len() / 2] ^= 4;
    fs::write(file, bytes).unwrap();
}

#[test]
fn another_recipe_does_not_touch_the_folder() {
    let recipe = small("");
    let folder = finished(&recipe);
    let before = contents(folder.path());
    let error = run(&small("seed = 2"), folder.path()).unwrap_err().to_string();
    assert!(error.ends_with("(seed = 20261120 in the folder, seed = 2 now); choose another folder"), "{error}");
    assert_eq!(contents(folder.path()), before);
    // Without manifest and recipe, the metadata of the parts show it.
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
        ("needs = \"jellyfish\"\nplan = \"givens=60\"\nretries = 20", "in 21 tries; 21 puzzles did not meet the goal"),
    ] {
        let folder = tempdir().unwrap();
        let error = run(&recipe(&format!("count = 3\n[dig]\n{dig}")).unwrap(), folder.path()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        assert!(contents(folder.path()).keys().all(|name| !name.starts_with("part") && !name.contains('~')));
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
        run_stage(input, work, &mut sink, None, &on(2)).unwrap();
        assert_eq!(sink.finish().unwrap(), 150);
    };
    let mut numbers = (0..150).map(|index| Ok(Record::new(index, recipe.shape)));
    stage("grids.txt", &mut numbers, &|row| Ok(recipe.generate(row.index)?));
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

#[test]
fn a_part_with_a_flipped_bit_or_of_another_size_is_made_again() {
    let recipe = small("");
    let whole = finished(&recipe);
    let folder = finished(&recipe);
    let part = folder.path().join("part-000001.parquet");
    let bytes = fs::read(&part).unwrap();
    let flipped = [5, bytes.len() / 2, bytes.len() - 30].map(|at| {
        let mut flipped = bytes.clone();
        flipped[at] ^= 4;
        flipped
    });
    for harmed in flipped.iter().map(Vec::as_slice).chain([&bytes[..bytes.len() / 2]]) {
        fs::write(&part, harmed).unwrap();
        let summary = run(&recipe, folder.path()).unwrap();
        assert_eq!((summary.parts_made, summary.parts_damaged), (1, 1));
        assert_eq!(contents(folder.path()), contents(whole.path()));
        assert_eq!(run(&recipe, folder.path()).unwrap().parts_made, 0);
    }
}

/// Changes one bit of every 13th byte of the manifest, one at a time: the corpus is made as before.
#[test]
fn a_damaged_manifest_is_made_again() {
    let recipe = small("");
    let folder = finished(&recipe);
    let before = contents(folder.path());
    let bytes = before[MANIFEST_FILE].clone();
    for at in (0..bytes.len()).step_by(13) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(folder.path().join(MANIFEST_FILE), flipped).unwrap();
        run(&recipe, folder.path()).unwrap();
        assert_eq!(contents(folder.path()), before, "byte {at}");
    }
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
    let merged = merge(&recipe, folder.path(), &MergeOptions::default(), &Job::default()).unwrap();
    assert_eq!((merged.parts_good, merged.missing.len()), (summary.parts_made, 1));
}
