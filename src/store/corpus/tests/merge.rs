//! Tests of merging parts that were made separately.

// Missing parts are lists of ranges.
#![allow(clippy::single_range_in_vec_init)]

use super::*;

fn merge_with(recipe: &Recipe, folder: &Path, options: &MergeOptions) -> Merged {
    merge(recipe, folder, options, &Job::default()).unwrap()
}

fn lines_of(folder: &Path) -> Vec<Entry> {
    Manifest::read(folder).unwrap().unwrap().parts.into_values().collect()
}

/// Changes a bit of a file, or leaves a hole in it, like a copy that was interrupted by a crash.
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

#[test]
fn a_part_is_compared_with_every_known_line() {
    let recipe = small("");
    let whole = finished(&recipe);
    let lines = lines_of(whole.path());
    let copied = || copy_of(whole.path(), "part-");
    let part = "part-000002.parquet";
    // With lines, the checksum shows a single changed bit. Without lines, every row is read. In both cases the part
    // counts as missing.
    for lines in [vec![], lines.clone()] {
        let folder = copied();
        let known = !lines.is_empty();
        harm(&folder.path().join(part), !known);
        let options = MergeOptions { lines, ..MergeOptions::default() };
        let merged = merge_with(&recipe, folder.path(), &options);
        assert_eq!((merged.parts_good, merged.missing.clone(), merged.problems.len()), (3, vec![2..3], 1));
        assert!(merged.problems[0].to_string().contains("part-000002.parquet: damaged: "), "{merged:?}");
        let line = Manifest::read(folder.path()).unwrap().unwrap().parts.get(&2).cloned();
        assert_eq!(line.is_some(), known, "a known line stays in the manifest");
        let quick = merge_with(&recipe, folder.path(), &MergeOptions { quick: true, ..options.clone() });
        assert_eq!(quick.missing.is_empty(), known, "quick trusts lines, and reads parts that have none");
        let merged = merge_with(&recipe, folder.path(), &MergeOptions { drop_damaged: true, ..options.clone() });
        assert_eq!((merged.parts_dropped, merged.missing, merged.problems), (1, vec![2..3], vec![]));
        run(&recipe, folder.path()).unwrap();
        assert_eq!(contents(folder.path()), contents(whole.path()));
    }
    // A good copy elsewhere replaces a damaged part.
    let folder = copied();
    harm(&folder.path().join(part), false);
    let options = MergeOptions { sources: vec![whole.path().to_owned().into()], ..MergeOptions::default() };
    let merged = merge_with(&recipe, folder.path(), &options);
    assert_eq!((merged.parts_good, merged.parts_copied, merged.missing), (4, 1, vec![]));
    assert_eq!(contents(folder.path()), contents(whole.path()));
}

#[test]
fn lines_that_contradict_each_other_or_the_recipe_are_problems() {
    let recipe = small("");
    let whole = finished(&recipe);
    let mut lines = lines_of(whole.path());
    lines[0].blake3 = "0".repeat(64);
    lines[1].rows = 7;
    lines[3].part = 9;
    let merged = merge_with(&recipe, whole.path(), &MergeOptions { lines, ..MergeOptions::default() });
    let reasons: Vec<&str> = merged.problems.iter().map(|problem| problem.reason.as_str()).collect();
    assert_eq!(reasons.len(), 3, "{reasons:?}");
    assert!(reasons[0].starts_with("part 0: its checksum differs from the one in "), "{reasons:?}");
    assert_eq!(reasons[1], "part 1: the recipe has no part with this number and these rows");
    assert_eq!(merged.parts_good, 4, "the files are as the manifest says");
}

#[test]
fn a_manifest_is_made_from_lines_alone_if_the_parts_are_elsewhere() {
    let recipe = small("");
    let whole = finished(&recipe);
    let mut lines = lines_of(whole.path());
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
    assert!(
        merged.problems[0].reason.starts_with("it belongs to another corpus (seed = 2 in the folder"),
        "{merged:?}"
    );
    assert!(foreign.exists() && merged.parts_good == 0);
    let options = MergeOptions { sources: vec![other.path().to_owned().into()], ..MergeOptions::default() };
    let error = merge(&recipe, folder.path(), &options, &Job::default()).unwrap_err();
    assert!(matches!(error, CorpusError::OtherRecipe { .. }), "{error}");
}

/// A source below the corpus is not the corpus: its files are neither removed nor taken for parts in their place.
#[test]
fn sources_inside_the_corpus_stay_as_they_are() {
    let recipe = small("");
    let whole = finished(&recipe);
    let inside = whole.path().join("copy=1");
    fs::create_dir(&inside).unwrap();
    let (part, copy) = (whole.path().join("part-000002.parquet"), inside.join("part-000002.parquet"));
    fs::rename(&part, &copy).unwrap();
    harm(&copy, true);
    for (source, problems) in [(inside.clone(), 1), (whole.path().to_owned(), 0)] {
        let options = MergeOptions { sources: vec![source.into()], drop_damaged: true, ..MergeOptions::default() };
        let merged = merge_with(&recipe, whole.path(), &options);
        assert_eq!((merged.parts_dropped, merged.missing, merged.problems.len()), (0, vec![2..3], problems));
        assert!(copy.exists() && !part.exists());
    }
}

#[test]
fn a_part_without_a_line_is_adopted_only_if_every_byte_is_right() {
    for format in ["", "format = \"csv.zst\""] {
        let recipe = small(format);
        let source = tempdir().unwrap();
        make_parts(&recipe, source.path(), 0..1).unwrap();
        fs::remove_file(Manifest::path(source.path())).unwrap();
        let part = source.path().join(recipe.part_name(0));
        let whole = fs::read(&part).unwrap();
        let options = MergeOptions { sources: vec![source.path().to_owned().into()], ..MergeOptions::default() };
        for place in (0..24).map(|at| at * (whole.len() - 1) / 23) {
            let mut bytes = whole.clone();
            bytes[place] ^= 1;
            fs::write(&part, bytes).unwrap();
            let merged = merge_with(&recipe, tempdir().unwrap().path(), &options);
            assert_eq!((merged.parts_good, merged.problems.len()), (0, 1), "{format}: byte {place} of {}", whole.len());
        }
        fs::write(&part, &whole).unwrap();
        assert_eq!(merge_with(&recipe, tempdir().unwrap().path(), &options).parts_good, 1);
    }
}
