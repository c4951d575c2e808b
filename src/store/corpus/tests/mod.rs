//! Tests of corpora from end to end, with all kinds of faults.

mod bytes;
mod merge;
mod produce;
mod recipes;
mod stock;
mod verify;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::{TempDir, tempdir};

use super::*;
use crate::corpus::files::names::BASES_FILE;

pub(super) fn recipe(text: &str) -> Result<Recipe, String> {
    Draft::parse(text).and_then(|draft| Recipe::new(&draft)).map_err(|error| error.to_string())
}

/// A small corpus: 4x4 boards, quick to make, in parts of 40 rows.
fn small(extra: &str) -> Recipe {
    recipe(&format!("count = 150\npart_rows = 40\n{extra}\n[grid]\nshape = \"2x2\"")).unwrap()
}

fn run(recipe: &Recipe, folder: &Path) -> Result<Summary> {
    run_with(recipe, folder, 2)
}

fn run_with(recipe: &Recipe, folder: &Path, threads: usize) -> Result<Summary> {
    let found = find_stock(recipe, folder, &on(threads))?.unwrap();
    produce(&found, folder, None, &on(threads))
}

fn on(threads: usize) -> Job<'static> {
    Job { threads: Some(threads), ..Job::default() }
}

/// Stops the work after a number of rows.
struct StopAt(u64, AtomicU64, StopFlag);

impl Progress for StopAt {}

impl sudoku_corpus_core::progress::Progress for StopAt {
    fn rows(&self, rows: u64) {
        if self.1.fetch_add(rows, Ordering::Relaxed) + rows >= self.0 {
            self.2.set();
        }
    }
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

/// A copy of the files of a corpus whose names begin in a way.
fn copy_of(folder: &Path, begin: &str) -> TempDir {
    let copy = tempdir().unwrap();
    for (name, bytes) in contents(folder).into_iter().filter(|(name, _)| name.starts_with(begin)) {
        fs::write(copy.path().join(name), bytes).unwrap();
    }
    copy
}

fn make_parts(recipe: &Recipe, folder: &Path, parts: std::ops::Range<u64>) -> Result<Summary> {
    produce(recipe, folder, Some(parts), &on(1))
}

/// A run that is stopped after a number of rows.
fn stopped_after(rows: u64, recipe: &Recipe, folder: &Path) -> Summary {
    let stop = StopFlag::new();
    let progress = &StopAt(rows, AtomicU64::new(0), stop.clone());
    let summary = produce(recipe, folder, None, &Job { progress, stop, ..Job::default() }).unwrap();
    assert!(summary.is_stopped() && !summary.is_complete());
    summary
}

/// The rows of all parts.
fn rows_in(folder: &Path) -> Vec<Record> {
    let files = part_files(folder).unwrap();
    files.iter().flat_map(|file| Input::open(file, Want::Everything).unwrap()).map(Result::unwrap).collect()
}

fn check(folder: &Path) -> Report {
    verify(folder, None, &on(1)).unwrap()
}

fn problems(folder: &Path) -> String {
    check(folder).problems.iter().map(|problem| format!("{problem}\n")).collect()
}
