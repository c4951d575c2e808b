//! Tests that damage of a corpus is found.

use super::*;
use crate::corpus::files::encode::Encoder;
use crate::corpus::folder::part::PartWriter;
use crate::corpus::{FileFormat, Metadata};

#[test]
fn every_kind_of_damage_is_reported() {
    let recipe = small("");
    let pristine = finished(&recipe);
    let part = "rows/part-000001.parquet";
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
    assert!(flipped.contains("has another checksum than the footer says"), "{flipped}");
    let short = damaged(&|folder| fs::write(folder.join(part), b"PAR1").unwrap());
    assert!(short.starts_with("rows/part-000001.parquet: not a Parquet file"), "{short}");
    let missing = damaged(&|folder| fs::remove_file(folder.join(part)).unwrap());
    assert_eq!(missing, "rows/part-000001.parquet: missing\n");
    let extra = damaged(&|folder| fs::write(folder.join("rows/part-000009.parquet"), b"").unwrap());
    assert!(extra.starts_with("rows/part-000009.parquet: not a part of this corpus"), "{extra}");
    for name in ["rows/2", "rows/part-000009.parquet", "steps/more"] {
        let folder_inside = damaged(&|folder| {
            fs::create_dir_all(folder.join(name)).unwrap();
            fs::copy(folder.join(part), folder.join(name).join("part-000001.parquet")).unwrap();
        });
        let reason = if name.starts_with("rows") {
            "a part of this corpus: it is a folder"
        } else {
            "the steps of a part of this corpus"
        };
        assert_eq!(folder_inside, format!("{name}: not {reason}\n"));
    }
    let edited = damaged(&|folder| {
        let text = fs::read_to_string(folder.join(RECIPE_FILE)).unwrap();
        fs::write(folder.join(RECIPE_FILE), text.replace("seed = 20261120", "seed = 20261_120")).unwrap();
    });
    assert!(edited.contains("recipe.toml: it was changed by hand: it is not in canonical form"), "{edited}");
}

/// Writes part 0 with rows that someone changed.
fn forge(recipe: &Recipe, folder: &Path, forge: &dyn Fn(&mut [Record])) {
    let mut rows: Vec<Record> = (0..40).map(|index| recipe.make(index).unwrap()).collect();
    forge(&mut rows);
    let mut writer = PartWriter::create(folder, &recipe.outline(), 0, &[]).unwrap();
    rows.into_iter().for_each(|row| writer.write(row).unwrap());
    writer.finish().map(drop).unwrap();
}

/// Parts with correct checksums and wrong rows: someone changed both.
#[test]
fn forged_rows_are_found() {
    let recipe = small("");
    let pristine = finished(&recipe);
    let forged = |change: &dyn Fn(&mut Record)| {
        let folder = copy_of(pristine.path(), "");
        forge(&recipe, folder.path(), &|rows| change(&mut rows[7]));
        problems(folder.path()).replace(&format!("{}/rows/part-000000.parquet: ", folder.path().display()), "")
    };
    assert_eq!(forged(&|_| ()), "");
    assert_eq!(forged(&|row| row.row = 8), "row 7: its number is 8\n");
    let score = forged(&|row| row.hodoku_score = Some(1));
    assert!(score.starts_with("row 7: hodoku_score: 1 in the file, "), "{score}");
    let givens = forged(&|row| row.givens = Some(1));
    assert!(givens.contains("its columns givens and holes are not those of the puzzle"), "{givens}");
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
        let report = verify(folder.path(), sample, &Job::default()).unwrap();
        assert_eq!(
            (report.parts_good, report.rows, report.rows_solved, report.rows_remade),
            (4, 150, checked, checked)
        );
    }
    let error = verify(Path::new("/nonexistent"), None, &Job::default()).unwrap_err();
    assert!(error.to_string().starts_with("/nonexistent: there is no such file or folder"), "{error}");
    let data_set = copy_of(finished(&small("")).path(), RECIPE_FILE);
    fs::create_dir(data_set.path().join("puzzles")).unwrap();
    let error = verify(data_set.path(), None, &Job::default()).unwrap_err().to_string();
    assert!(error.contains("not a corpus but a data set"), "{error}");
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
fn a_corpus_of_another_version_is_checked_but_not_made_again() {
    let recipe = recipe("count = 5").unwrap();
    let folder = finished(&recipe);
    let path = folder.path().join("rows/part-000000.parquet");
    let other = Metadata { format_version: 1, program_version: "0.1.0".to_owned(), ..recipe.outline().metadata(0) };
    let file = Box::new(fs::File::create(&path).unwrap());
    let mut encoder = Encoder::new(FileFormat::Parquet, file, &other, &[]).unwrap();
    (0..5).for_each(|index| encoder.write(recipe.make(index).unwrap()).unwrap());
    encoder.finish().unwrap();
    // recipe.toml says which version made the rows. Without this line, the parts say it.
    assert!(!check(folder.path()).is_sound());
    for text in [format!("# sudoku-corpus 0.1.0, format 1\n{}", recipe.canonical()), recipe.canonical()] {
        fs::write(folder.path().join(RECIPE_FILE), text).unwrap();
        let report = check(folder.path());
        assert!(report.is_sound(), "{:?}", report.problems);
        assert_eq!((report.rows, report.rows_remade, report.notes.len()), (5, 0, 1));
        let error = run(&recipe, folder.path()).unwrap_err().to_string();
        assert!(error.contains("made by version 0.1.0, this is "), "{error}");
    }
}

#[test]
fn rows_that_were_made_again_are_compared() {
    let [one, other] = ["", "seed = 7"].map(|seed| finished(&small(seed)));
    let mut report = Report::default();
    compare_rows(one.path(), one.path(), &mut report).unwrap();
    assert_eq!((report.rows_remade, report.is_sound()), (150, true));
    compare_rows(one.path(), other.path(), &mut report).unwrap();
    assert!(report.problem_count > 100 && report.problems[0].reason.ends_with(" made again"), "{:?}", report.problems);
}
