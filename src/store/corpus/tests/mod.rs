//! Tests of corpora from end to end, with all kinds of faults.

mod bytes;
mod merge;
mod produce;
mod verify;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tempfile::{TempDir, tempdir};

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

fn check(folder: &Path) -> Report {
    verify(folder, &VerifyOptions { sample: None, threads: Some(1) }, &Silent, &StopFlag::new()).unwrap()
}

fn problems(folder: &Path) -> String {
    check(folder).problems.iter().map(|problem| format!("{problem}\n")).collect()
}
