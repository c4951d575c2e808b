//! Bytes of files. They are a contract: a change of a hash needs a new version, see CONTRIBUTING.md.

use std::fs;

use crate::corpus::files::encode::Encoder;
use crate::corpus::{Draft, FileFormat, Metadata, Output, Recipe, Record, StepFormat, StepSink, StepsWanted};

/// Metadata that depend on no version.
fn metadata() -> Metadata {
    Metadata { format_version: 0, program_version: String::new(), lock: String::new(), ..Metadata::plain() }
}

#[test]
fn files_of_rows_and_of_steps_keep_their_bytes() {
    let recipe = |shape: &str, format: StepFormat| {
        let text = format!(
            "seed = 4\n[grid]\nshape = \"{shape}\"\n[analyze]\nratings = \"all\"\nnumbers = true\nsteps = true"
        );
        let mut recipe = Recipe::new(&Draft::parse(&text).unwrap()).unwrap();
        recipe.analysis.steps = Some(StepsWanted { wrong: 3, seed: 1, format });
        recipe
    };
    let rows_of = |format| -> Vec<Record> {
        let recipes = ["3x3", "2x3", "3x2", "4x4"].map(|shape| recipe(shape, format));
        recipes.iter().flat_map(|recipe| (0..3).map(|index| recipe.make(index).unwrap())).collect()
    };
    let rows = rows_of(StepFormat::Parquet);
    let folder = tempfile::tempdir().unwrap();
    let hash = |name: &str| blake3::hash(&fs::read(folder.path().join(name)).unwrap()).to_hex()[..16].to_owned();
    let of_rows = |name: &str| {
        let file = Box::new(fs::File::create(folder.path().join(name)).unwrap());
        let mut encoder = Encoder::new(FileFormat::of_name(name).unwrap(), file, &metadata(), &[]).unwrap();
        rows.iter().for_each(|row| encoder.write(row.clone()).unwrap());
        encoder.finish().unwrap();
        hash(name)
    };
    let of_steps = |name: &str| {
        let path = folder.path().join(name);
        let format = StepFormat::of_name(&path).unwrap();
        let mut sink = StepSink::of(Output::create(&path).unwrap(), format, &metadata()).unwrap();
        // Texts of steps name no boxes, so they take the usual ones alone.
        let mut rows = rows_of(format);
        rows.retain(|row| format.check(row.shape).is_ok());
        rows.iter_mut().for_each(|row| sink.write(row).unwrap());
        assert!(sink.finish().unwrap() > 500);
        hash(name)
    };
    let rows = ["a.csv", "a.txt", "a.csv.zst", "a.parquet"].map(of_rows);
    let steps = ["s.jsonl", "s.tokens", "s.txt", "s.parquet"].map(of_steps);
    assert_eq!(rows, ["f3067e7f175dbb45", "e36a8cd045f100d9", "15bc13c9180778ac", "d96a5c2cf6d09339"]);
    assert_eq!(steps, ["72cae01e5a84e31b", "b409d26570b2692b", "376214a040297937", "d62305141e9405d1"]);
}
