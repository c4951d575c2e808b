//! Checks a corpus.
//!
//! ```text
//!   every part      its line in the manifest, size, checksum, metadata, schema, number of rows
//!   every row       its number, a valid solution, a puzzle that is part of it, the number of givens
//!   chosen rows     the number of solutions, by a solver that is independent of the way the row was made;
//!                   every value, compared with the row that the recipe gives
//! ```
//!
//! Some thousands of rows are read at a time, whatever the size of the corpus.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::atomic::is_temporary;
use super::distinct;
use super::error::{CorpusError, Result};
use super::folder::{RECIPE_FILE, parts_in};
use super::layout::files_in;
use super::manifest::{Entry, Header, Manifest};
use super::part::{Fault, inspect, part_of_name};
use super::produce::gaps;
use super::progress::{Progress, StopFlag};
use super::recipe::Recipe;
use super::row_checks::{RowChecks, plain};
use super::workers::Workers;
use sudoku_corpus_core::random::{Rng, Stage};

/// Options of [`verify`].
#[derive(Clone, Debug, Default)]
pub struct VerifyOptions {
    /// The number of rows, drawn at random, to solve and to make again. None means all rows.
    pub sample: Option<u64>,
    /// The number of threads. None means one thread for each core.
    pub threads: Option<usize>,
}

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// The number of the row in the corpus, if the problem is about a row.
    pub row: Option<u64>,
    /// The reason.
    pub reason: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: ", self.file.display())?;
        if let Some(row) = self.row {
            write!(f, "row {row}: ")?;
        }
        f.write_str(&self.reason)
    }
}

/// The result of the checks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Parts of the corpus.
    pub parts: u64,
    /// Parts whose file agrees with the manifest.
    pub parts_good: u64,
    /// Rows read and checked.
    pub rows: u64,
    /// Rows given to an independent solver, including those that it could not decide.
    pub rows_solved: u64,
    /// Rows that were made again from the recipe and were equal.
    pub rows_remade: u64,
    /// Rows whose number of solutions the solver could not find within its budget.
    pub undecided: u64,
    /// The first problems.
    pub problems: Vec<Problem>,
    /// The number of all problems.
    pub problem_count: u64,
    /// Notes that are not problems.
    pub notes: Vec<String>,
    /// True if it was stopped early.
    pub stopped: bool,
    /// The time it took.
    pub seconds: f64,
}

/// Problems that are kept for the report. The rest are counted.
const KEPT: usize = 1_000;

impl Report {
    /// True if there is no problem.
    pub fn is_sound(&self) -> bool {
        self.problem_count == 0
    }

    fn add(&mut self, file: &Path, row: Option<u64>, reason: impl ToString) {
        self.push(Problem { file: file.to_owned(), row, reason: reason.to_string() });
    }

    fn push(&mut self, problem: Problem) {
        self.problem_count += 1;
        if self.problems.len() < KEPT {
            self.problems.push(problem);
        }
    }
}

struct Check<'a> {
    folder: &'a Path,
    rows: RowChecks<'a>,
}

/// Checks a corpus.
///
/// # Errors
/// The folder holds no corpus, or the recipe or manifest cannot be read. Problems of parts and rows are in the report.
pub fn verify(folder: &Path, options: &VerifyOptions, progress: &dyn Progress, stop: &StopFlag) -> Result<Report> {
    let began = Instant::now();
    let mut report = Report::default();
    let recipe_path = folder.join(RECIPE_FILE);
    if !recipe_path.is_file() {
        return Err(CorpusError::NoCorpus { path: folder.to_owned(), missing: RECIPE_FILE });
    }
    let recipe = Recipe::read(&recipe_path)?;
    let missing = || CorpusError::NoCorpus { path: folder.to_owned(), missing: super::manifest::MANIFEST_FILE };
    let manifest = Manifest::read(folder)?.ok_or_else(missing)?;
    let remake = check_header(&recipe, &manifest.header, folder, &mut report);
    let chosen = options.sample.filter(|&rows| rows < recipe.count).map(|rows| sample(rows, recipe.count));
    let rows = RowChecks { recipe: &recipe, chosen, solve: true, remake, progress, stop };
    let check = Check { folder, rows };
    report.parts = recipe.parts();
    check.files(&manifest, &mut report)?;
    progress.begin(Some(recipe.count), 0);
    let mut workers = Workers::new(options.threads)?;
    for entry in manifest.parts.values() {
        if report.stopped {
            break;
        }
        check.part(entry, &mut workers, &mut report);
    }
    if recipe.distinct && report.is_sound() && !report.stopped {
        distinct::problems(&recipe, folder)?.into_iter().for_each(|problem| report.push(problem));
    }
    report.seconds = began.elapsed().as_secs_f64();
    Ok(report)
}

/// Compares the header of the manifest with the recipe. False if another version made the corpus.
fn check_header(recipe: &Recipe, header: &Header, folder: &Path, report: &mut Report) -> bool {
    let ours = Header::of(recipe);
    let same_version = header.program_version == ours.program_version && header.format_version == ours.format_version;
    if !same_version {
        let (theirs, ours) = (&header.program_version, &ours.program_version);
        report.notes.push(format!("made by version {theirs}; version {ours} cannot make the rows again"));
    } else if *header != ours {
        report.add(&Manifest::path(folder), None, "it is not the manifest of recipe.toml");
    }
    let path = folder.join(RECIPE_FILE);
    if fs::read(&path).is_ok_and(|text| text != recipe.canonical().as_bytes()) {
        report.add(&path, None, "it was changed by hand: it is not in canonical form");
    }
    same_version
}

/// Different row numbers, drawn uniformly (Floyd's method). The same sample size and corpus size give the same
/// rows.
fn sample(rows: u64, count: u64) -> BTreeSet<u64> {
    let mut rng = Rng::new(rows, count, Stage::Sample, 0);
    let mut chosen = BTreeSet::new();
    for last in count - rows..count {
        let drawn = rng.below(last as usize + 1) as u64;
        if !chosen.insert(drawn) {
            chosen.insert(last);
        }
    }
    chosen
}

impl Check<'_> {
    /// Reports files that are missing, and files that do not belong to the corpus.
    fn files(&self, manifest: &Manifest, report: &mut Report) -> Result<()> {
        let recipe = self.rows.recipe;
        let there = parts_in(self.folder, recipe, &(0..recipe.parts()))?;
        for gap in gaps(0..recipe.parts(), there.iter().copied()) {
            let path = self.folder.join(recipe.part_path(gap.start));
            match gap.end - gap.start {
                1 => report.add(&path, None, "missing"),
                parts => report.add(&path, None, format!("missing, with all parts to {}: {parts} parts", gap.end - 1)),
            }
        }
        for &part in there.iter().filter(|part| !manifest.parts.contains_key(part)) {
            let path = self.folder.join(recipe.part_path(part));
            report.add(&path, None, "it has no line in the manifest");
        }
        if manifest.damaged > 0 {
            let reason = format!("{} damaged lines; `run` repairs them", manifest.damaged);
            report.add(&Manifest::path(self.folder), None, reason);
        }
        for &part in manifest.parts.keys().filter(|&&part| part >= recipe.parts()) {
            report.add(
                &Manifest::path(self.folder),
                None,
                format!("it has a line for part {part}, which the recipe does not have"),
            );
        }
        for path in files_in(self.folder)? {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let part = part_of_name(name, recipe).filter(|part| there.contains(part));
            let ours = part.is_some_and(|part| self.folder.join(recipe.part_path(part)) == path);
            if name.starts_with("part-") && !ours {
                report.add(&path, None, "it is not a part of this corpus");
            } else if is_temporary(name) {
                report
                    .notes
                    .push(format!("{}: a temporary file of a run that died or is still working", path.display()));
            }
        }
        Ok(())
    }

    /// Checks one part: its file, then its rows.
    fn part(&self, entry: &Entry, workers: &mut Workers, report: &mut Report) {
        let recipe = self.rows.recipe;
        let path = self.folder.join(recipe.part_path(entry.part));
        if entry.part >= recipe.parts() || !path.exists() {
            return;
        }
        let place = recipe.place(entry.part);
        if (entry.first_row, entry.rows) != (place.first_row, place.rows) {
            return report.add(&path, None, "its rows in the manifest differ from those of the recipe");
        }
        match inspect(&path, recipe, entry.part, Some(entry), !self.rows.remake) {
            Err(error) => return report.add(&path, None, plain(&path, &error)),
            Ok(Err(Fault::Damaged(reason))) => return report.add(&path, None, format!("damaged: {reason}")),
            Ok(Err(Fault::Foreign(_))) => {
                return report.add(&path, None, "its metadata belong to another recipe or part");
            }
            Ok(Ok(_)) => report.parts_good += 1,
        }
        let ended = self.rows.part(&path, place, workers, |index, outcome| {
            report.rows += u64::from(index.is_some());
            report.rows_solved += u64::from(outcome.solved);
            report.rows_remade += u64::from(outcome.remade);
            report.undecided += u64::from(outcome.undecided);
            outcome.problem.into_iter().for_each(|reason| report.add(&path, index, reason));
        });
        match ended {
            Ok(ended) => report.stopped = !ended,
            Err(error) => report.add(&path, None, plain(&path, &error)),
        }
    }
}
