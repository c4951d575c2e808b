//! Tests that damage of a corpus is found.

use super::*;
use crate::corpus::files::encode::Encoder;
use crate::corpus::folder::part::PartWriter;
use crate::corpus::{FORMAT_VERSION, FileFormat, Metadata};

#[test]
fn every_kind_of_damage_is_reported() {
    let recipe = small("");
    let pristine = finished(&recipe);
    let part = "part-000001.parquet";
    let damaged = |harm: &dyn Fn(&Path)| {
        let folder = copy_of(pristine.path(), "");
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
    assert!(short.starts_with("part-000001.parquet: damaged: it has 4 bytes, but the manifest says "), "{short}");
    let missing = damaged(&|folder| fs::remove_file(folder.join(part)).unwrap());
    assert_eq!(missing, "part-000001.parquet: missing\n");
    let extra = damaged(&|folder| fs::write(folder.join("part-000009.parquet"), b"").unwrap());
    assert_eq!(extra, "part-000009.parquet: it is not a part of this corpus\n");
    let unlisted = damaged(&|folder| {
        let text = fs::read_to_string(folder.join(MANIFEST_FILE)).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("{\"part\":1,")).collect();
        fs::write(folder.join(MANIFEST_FILE), format!("{}\n", lines.join("\n"))).unwrap();
    });
    assert_eq!(unlisted, "part-000001.parquet: it has no line in the manifest\n");
    let edited = damaged(&|folder| {
        let text = fs::read_to_string(folder.join(RECIPE_FILE)).unwrap();
        fs::write(folder.join(RECIPE_FILE), format!("# mine\n{text}")).unwrap();
    });
    assert_eq!(edited, "recipe.toml: it was changed by hand: it is not in canonical form\n");
}

/// Writes part 0 with rows that someone changed, and gives its line.
fn forge(recipe: &Recipe, folder: &Path, forge: &dyn Fn(&mut [Record])) -> Entry {
    let mut rows: Vec<Record> = (0..40).map(|index| recipe.make(index).unwrap()).collect();
    forge(&mut rows);
    let mut writer = PartWriter::create(folder, recipe, 0).unwrap();
    rows.into_iter().for_each(|row| writer.write(row).unwrap());
    writer.finish().unwrap()
}

/// Parts with correct checksums and wrong rows: someone changed both.
#[test]
fn forged_rows_are_found() {
    let recipe = small("");
    let pristine = finished(&recipe);
    let forged = |change: &dyn Fn(&mut Record)| {
        let folder = copy_of(pristine.path(), "");
        let mut manifest = Manifest::read(folder.path()).unwrap().unwrap();
        manifest.parts.insert(0, forge(&recipe, folder.path(), &|rows| change(&mut rows[7])));
        manifest.write(folder.path()).unwrap();
        problems(folder.path()).replace(&format!("{}/part-000000.parquet: ", folder.path().display()), "")
    };
    assert_eq!(forged(&|_| ()), "");
    assert_eq!(forged(&|row| row.index = 8), "row 7: its number is 8\n");
    let score = forged(&|row| row.score = Some(1));
    assert!(score.starts_with("row 7: score: 1 in the file, "), "{score}");
    let givens = forged(&|row| row.givens = Some(1));
    assert!(givens.contains("but its columns have other numbers"), "{givens}");
    let several = forged(&|row| {
        let (grid, solution) = (row.puzzle.as_ref().unwrap().grid(), row.solution.as_ref().unwrap());
        let given = grid.given_cells().next().unwrap().0;
        let puzzle = solution.masked(|cell| cell != given && grid.get(cell).is_some());
        row.set_puzzle(puzzle);
    });
    assert_eq!(several, "row 7: the puzzle has several solutions\n");
    let other = recipe.make(100).unwrap();
    let foreign = forged(&|row| row.solution = other.solution.clone());
    assert_eq!(foreign, "row 7: the puzzle is not part of the solution\n");
}

#[test]
fn a_sample_is_checked_when_asked_for() {
    let folder = finished(&small(""));
    for (sample, checked) in [(Some(10), 10), (None, 150)] {
        let report = verify(folder.path(), sample, &on(2)).unwrap();
        assert_eq!(
            (report.parts_good, report.rows, report.rows_solved, report.rows_remade),
            (4, 150, checked, checked)
        );
    }
    let error = verify(Path::new("/nonexistent"), None, &on(2)).unwrap_err();
    assert_eq!(error.to_string(), "/nonexistent: not a corpus: recipe.toml is missing");
}

/// A part without a line, in which any row differs from the recipe, is made again.
#[test]
fn a_damaged_part_without_a_line_is_never_adopted() {
    let recipe = small("");
    let pristine = finished(&recipe);
    for row in [0, 7, 39] {
        let folder = tempdir().unwrap();
        forge(&recipe, folder.path(), &|rows| rows[row].score = Some(rows[row].score.unwrap_or(0) ^ 1));
        assert!(run(&recipe, folder.path()).unwrap().is_complete());
        assert_eq!(contents(folder.path()), contents(pristine.path()), "{row}");
    }
}

#[test]
fn good_rows_are_never_called_wrong() {
    let text =
        "count = 20\npart_rows = 10\n[grid]\nshape = \"2x2\"\n[dig]\nplan = \"controlled-bias\"\nretries = 1000000";
    assert_eq!(problems(finished(&recipe(text).unwrap()).path()), "");
    // A search that ends early knows a lower bound.
    let text = "count = 3\n[grid]\nshape = \"3x4\"\n[dig]\nplan = \"random-holes=100\"\n[analyze]\nratings = \"none\"\nbudget = 300";
    assert_eq!(problems(finished(&recipe(text).unwrap()).path()), "");
}

#[test]
fn a_corpus_of_another_format_is_checked_but_not_made_again() {
    let recipe = recipe("count = 5").unwrap();
    let folder = finished(&recipe);
    let (path, manifest) = (folder.path().join("part-000000.parquet"), folder.path().join(MANIFEST_FILE));
    let line = Manifest::read(folder.path()).unwrap().unwrap().parts.remove(&0).unwrap();
    let fingerprint = Some("another".to_owned());
    let other = Metadata { format_version: 1, fingerprint, ..recipe.metadata(recipe.place(0)) };
    let mut encoder = Encoder::new(FileFormat::Parquet, fs::File::create(&path).unwrap(), &other, &[]).unwrap();
    (0..5).for_each(|index| encoder.write(recipe.make(index).unwrap()).unwrap());
    encoder.finish().unwrap();
    let bytes = fs::read(&path).unwrap();
    let text = fs::read_to_string(&manifest).unwrap();
    let text = text.replace(&format!("\"format_version\":{FORMAT_VERSION}"), "\"format_version\":1");
    let text = text.replace(&line.blake3, blake3::hash(&bytes).to_hex().as_str());
    let text = text.replace(&format!("\"bytes\":{}", line.bytes), &format!("\"bytes\":{}", bytes.len()));
    fs::write(&manifest, text).unwrap();
    let report = verify(folder.path(), None, &Job::default()).unwrap();
    assert!(report.is_sound(), "{:?}", report.problems);
    assert_eq!((report.rows, report.rows_remade, report.notes.len()), (5, 0, 1));
}
