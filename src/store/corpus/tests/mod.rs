//! Tests of corpora from end to end, with all kinds of faults.

mod bytes;
mod produce;
mod recipes;
mod verify;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::{TempDir, tempdir};

use super::*;
use crate::corpus::files::names::BASES_FILE;
use sudoku_corpus_core::board::{Puzzle, text};

/// A puzzle with one solution, of 30 givens.
pub(crate) const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Its solution.
pub(crate) const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// The puzzle in a line.
pub(crate) fn puzzle(line: &str) -> Puzzle {
    Puzzle::try_from(text::parse_line(line, None).unwrap()).unwrap()
}

/// Writes rows into a file of this name.
pub(crate) fn write_rows(path: &Path, rows: impl IntoIterator<Item = Record>) {
    let mut sink = RowSink::create(path, None).unwrap();
    rows.into_iter().for_each(|row| sink.write(row).unwrap());
    sink.finish().unwrap();
}

pub(super) fn recipe(text: &str) -> Result<Recipe, String> {
    Draft::parse(text).and_then(|draft| Recipe::new(&draft)).map_err(|error| error.to_string())
}

/// A small corpus: 4x4 boards, quick to make, in parts of 40 rows.
fn small(extra: &str) -> Recipe {
    recipe(&format!("count = 150\npart_rows = 40\n{extra}\n[grid]\nshape = \"2x2\"")).unwrap()
}

fn run(recipe: &Recipe, folder: &Path) -> Result<RunSummary> {
    run_with(recipe, folder, 2)
}

fn run_with(recipe: &Recipe, folder: &Path, threads: usize) -> Result<RunSummary> {
    thread_pool(Some(threads))?.install(|| produce(recipe, folder, None, &Job::default()))
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

/// Names and contents of all files in a folder and below, without locks.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            let below = contents(&entry.path()).into_iter();
            all.extend(below.map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else if !name.ends_with("lock") {
            all.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    all
}

/// A copy of the files of a corpus whose names begin in a way.
fn copy_of(folder: &Path, begin: &str) -> TempDir {
    let copy = tempdir().unwrap();
    for (name, bytes) in contents(folder).into_iter().filter(|(name, _)| name.starts_with(begin)) {
        let file = copy.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
    copy
}

fn make_parts(recipe: &Recipe, folder: &Path, parts: std::ops::Range<u64>) -> Result<RunSummary> {
    produce(recipe, folder, Some(parts), &Job::default())
}

/// A run that is stopped after a number of rows.
fn stopped_after(rows: u64, recipe: &Recipe, folder: &Path) -> RunSummary {
    let stop = StopFlag::new();
    let progress = &StopAt(rows, AtomicU64::new(0), stop.clone());
    let summary = produce(recipe, folder, None, &Job { progress, stop, ..Job::default() }).unwrap();
    assert!(summary.is_stopped() && !summary.is_complete());
    summary
}

fn rows_in(folder: &Path) -> Vec<Record> {
    let files = files_of(folder).unwrap();
    files.iter().flat_map(|file| Input::open(file, Want::Everything).unwrap()).map(Result::unwrap).collect()
}

fn check(folder: &Path) -> Report {
    verify(folder, None, &Job::default()).unwrap()
}

fn problems(folder: &Path) -> String {
    check(folder).problems.iter().map(|problem| format!("{problem}\n")).collect()
}
