//! Checks a corpus: every part, every row, and some rows against the recipe.
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
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::corpus_folder::parts_in;
use super::layout::files_in;
use super::manifest::{Entry, Header, Manifest};
use super::part::{State, judge, part_of};
use super::produce::gaps;
use crate::corpus::files::atomic::is_temporary;
use crate::corpus::files::input::{Input, Unread};
use crate::corpus::files::metadata::PartPlace;
use crate::corpus::files::names::{MANIFEST_FILE, RECIPE_FILE};
use crate::corpus::files::progress::Job;
use crate::corpus::files::workers::Workers;
use crate::corpus::request::recipe::Recipe;
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::mapping::Want;
use crate::corpus::values::record::COLUMNS;
use crate::corpus::values::record::Record;
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::solve::{Budget, Verdict, count, verdict};

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub file: PathBuf,
    /// The number of the row in the corpus, if the problem is about a row.
    pub row: Option<u64>,
    pub reason: String,
}

impl Display for Problem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file.display())?;
        self.row.map_or(Ok(()), |row| write!(f, "row {row}: "))?;
        f.write_str(&self.reason)
    }
}

/// The result of the checks.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Report {
    pub parts: u64,
    /// Parts whose file agrees with the manifest.
    pub parts_good: u64,
    pub rows: u64,
    /// Rows given to an independent solver, including those that it could not decide.
    pub rows_solved: u64,
    /// Rows that were made again from the recipe and were equal.
    pub rows_remade: u64,
    /// Rows whose number of solutions the solver could not find within its budget.
    pub undecided: u64,
    pub problems: Vec<Problem>,
    pub problem_count: u64,
    pub notes: Vec<String>,
    pub stopped: bool,
    pub seconds: f64,
}

/// Problems that are kept for the report. The rest are counted.
const KEPT: usize = 1_000;

impl Report {
    /// True if there is no problem.
    pub fn is_sound(&self) -> bool {
        self.problem_count == 0
    }

    /// Adds a problem of a file, or of one of its rows.
    fn add(&mut self, file: &Path, row: Option<u64>, reason: impl ToString) {
        self.push(Problem { file: file.to_owned(), row, reason: reason.to_string() });
    }

    /// Counts a problem, and keeps the first ones.
    fn push(&mut self, problem: Problem) {
        self.problem_count += 1;
        if self.problems.len() < KEPT {
            self.problems.push(problem);
        }
    }
}

/// Checks a corpus, and solves and makes again `sampled` of its rows, drawn at random. None means all rows. Rows of
/// another version are not made again.
///
/// # Errors
/// The folder holds no corpus; a file cannot be read, or the system lacks threads. Other problems are in the report.
pub fn verify(folder: &Path, sampled: Option<u64>, job: &Job<'_>) -> Result<Report> {
    let began = Instant::now();
    let recipe_path = folder.join(RECIPE_FILE);
    if !recipe_path.is_file() {
        return Err(CorpusError::no_corpus(folder, RECIPE_FILE));
    }
    let recipe = Recipe::read(&recipe_path)?;
    let manifest = Manifest::read(folder)?.ok_or_else(|| CorpusError::no_corpus(folder, MANIFEST_FILE))?;
    let mut report = Report { parts: recipe.parts(), ..Report::default() };
    let remake = check_header(&recipe, &manifest.header, folder, &mut report);
    check_files(&recipe, folder, &manifest, &mut report)?;
    let chosen = sampled.filter(|&rows| rows < recipe.count).map(|rows| sample(rows, recipe.count));
    let check = RowChecks { recipe: &recipe, chosen, solve: true, remake, job };
    job.progress.begin(Some(recipe.count), 0);
    let mut workers = Workers::new(job.threads)?;
    for entry in manifest.parts.values() {
        let path = folder.join(recipe.part_name(entry.part));
        if entry.part < recipe.parts() && !report.stopped {
            match check.part(&path, entry, &mut workers, &mut report) {
                Err(error) if !error.is_of_system() => report.add(&path, None, plain(&path, &error)),
                ended => report.stopped = !ended?,
            }
        }
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

/// Different row numbers, drawn uniformly (Floyd's method). The sizes decide which.
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

/// Reports files that are missing, and files that do not belong to the corpus.
fn check_files(recipe: &Recipe, folder: &Path, manifest: &Manifest, report: &mut Report) -> Result<()> {
    let path = |part| folder.join(recipe.part_name(part));
    let there = parts_in(folder, recipe, &(0..recipe.parts()))?;
    for gap in gaps(0..recipe.parts(), there.iter().copied()) {
        match gap.end - gap.start {
            1 => report.add(&path(gap.start), None, "missing"),
            parts => {
                let reason = format!("missing, with all parts to {}: {parts} parts", gap.end - 1);
                report.add(&path(gap.start), None, reason);
            }
        }
    }
    for &part in there.iter().filter(|part| !manifest.parts.contains_key(part)) {
        report.add(&path(part), None, "it has no line in the manifest");
    }
    let list = Manifest::path(folder);
    if manifest.damaged > 0 {
        report.add(&list, None, format!("{} damaged lines; `run` repairs them", manifest.damaged));
    }
    for (part, _) in manifest.parts.range(recipe.parts()..) {
        report.add(&list, None, format!("it has a line for part {part}, which the recipe does not have"));
    }
    for file in files_in(folder)? {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with("part-") && part_of(&file, recipe).is_none_or(|part| !there.contains(&part)) {
            report.add(&file, None, "it is not a part of this corpus");
        } else if is_temporary(name) {
            let note = format!("{}: a temporary file of a run that died or is still working", file.display());
            report.notes.push(note);
        }
    }
    Ok(())
}

/// Which checks the rows of a part get besides those without solving.
struct RowChecks<'a> {
    recipe: &'a Recipe,
    /// The numbers of the rows to solve and to make again. None means all rows.
    chosen: Option<BTreeSet<u64>>,
    /// True if their puzzles are solved.
    solve: bool,
    /// True if they are made again from the recipe.
    remake: bool,
    job: &'a Job<'a>,
}

/// What the checks of a row found.
#[derive(Default)]
struct RowOutcome {
    problem: Option<String>,
    solved: bool,
    remade: bool,
    undecided: bool,
}

impl RowOutcome {
    /// A problem that was found before anything else was checked.
    fn wrong(reason: String) -> RowOutcome {
        RowOutcome { problem: Some(reason), ..RowOutcome::default() }
    }
}

impl RowChecks<'_> {
    /// Checks one part: its file, then its rows. False if it was stopped.
    fn part(&self, path: &Path, entry: &Entry, workers: &mut Workers, report: &mut Report) -> Result<bool> {
        let place = self.recipe.place(entry.part);
        let wrong = |reason: &str| Err(CorpusError::file(path, reason));
        if !entry.is_at(place) {
            return wrong("its rows in the manifest differ from those of the recipe");
        }
        match judge(path, self.recipe, entry.part, Some(entry), !self.remake)? {
            State::Damaged(reason) => return wrong(&format!("damaged: {reason}")),
            State::Foreign(_) => return wrong("its metadata belong to another recipe or part"),
            // The gaps between the parts were reported.
            State::Missing | State::Unlisted => return Ok(true),
            State::Good(_) => report.parts_good += 1,
        }
        self.rows(path, place, workers, |index, outcome| {
            report.rows += u64::from(index.is_some());
            report.rows_solved += u64::from(outcome.solved);
            report.rows_remade += u64::from(outcome.remade);
            report.undecided += u64::from(outcome.undecided);
            outcome.problem.into_iter().for_each(|reason| report.add(path, index, reason));
            Ok(())
        })
    }

    /// Checks all rows of a part. `take` gets the number and the outcome of every row, and at last, without a number, a
    /// wrong number of rows. False if it was stopped.
    fn rows(
        &self,
        path: &Path,
        place: PartPlace,
        workers: &mut Workers,
        mut take: impl FnMut(Option<u64>, RowOutcome) -> Result<()>,
    ) -> Result<bool> {
        let rows = Input::open(path, Want::Everything)?.unread().zip(place.first_row..);
        let mut next = place.first_row;
        let check = |(row, index): (Unread, u64)| self.row(&row.read()?, index);
        let ended = workers.run(rows, &self.job.stop, check, |found| {
            self.job.progress.rows(found.len() as u64);
            for outcome in found {
                let outcome = match outcome {
                    Err(error) if error.is_about_a_row() => RowOutcome::wrong(plain(path, &error)),
                    outcome => outcome?,
                };
                take(Some(next), outcome)?;
                next += 1;
            }
            Ok::<(), CorpusError>(())
        })?;
        let rows = next - place.first_row;
        if ended && rows != place.rows {
            take(None, RowOutcome::wrong(format!("{rows} rows, but it should have {}", place.rows)))?;
        }
        Ok(ended)
    }

    /// Checks one row. `index` is its number in the corpus.
    fn row(&self, record: &Record, index: u64) -> Result<RowOutcome> {
        if let Some(reason) = simply_wrong(self.recipe, record, index) {
            return Ok(RowOutcome::wrong(reason));
        }
        if self.chosen.as_ref().is_some_and(|chosen| !chosen.contains(&index)) {
            return Ok(RowOutcome::default());
        }
        let mut outcome = RowOutcome { solved: self.solve, ..RowOutcome::default() };
        if self.solve {
            match solved(record, self.recipe.dig.count_limit) {
                Ok(decided) => outcome.undecided = !decided,
                Err(reason) => return Ok(RowOutcome { problem: Some(reason), ..outcome }),
            }
        }
        if self.remake {
            outcome.problem = first_difference(record, &self.recipe.make(record.index)?);
            outcome.remade = outcome.problem.is_none();
        }
        Ok(outcome)
    }
}

/// A problem that can be found without solving the puzzle.
fn simply_wrong(recipe: &Recipe, record: &Record, index: u64) -> Option<String> {
    if record.index != index {
        return Some(format!("its number is {}", record.index));
    }
    if recipe.shape_of(record.index) != Ok(record.shape) {
        return Some(format!("the row is of the {}", record.shape.board()));
    }
    let (Some(puzzle), Some(_)) = (&record.puzzle, &record.solution) else {
        return Some("the puzzle or the solution is missing".to_owned());
    };
    let (givens, holes) = (puzzle.grid().givens() as u32, puzzle.grid().holes() as u32);
    let differ = (record.givens, record.holes) != (Some(givens), Some(holes));
    differ.then(|| format!("the puzzle has {givens} givens and {holes} holes, but its columns have other numbers"))
}

/// Search nodes for one row on boards that are not 9x9.
const BUDGET: Budget = Budget(10_000_000);

/// Compares the number of solutions of a row with the solver's, and so its solution. False if the solver cannot decide.
///
/// # Errors
/// What is wrong.
fn solved(record: &Record, limit: u64) -> Result<bool, String> {
    let (Some(puzzle), Some(solution)) = (&record.puzzle, &record.solution) else { return Ok(false) };
    let exact = record.solutions_exact == Some(true);
    let only = record.solutions == Some(1) && exact;
    let otherwise = |has: &str| Err(format!("the puzzle has {has}, but its columns say otherwise"));
    let found = match verdict(puzzle, BUDGET) {
        Verdict::Unknown => return Ok(false),
        Verdict::Unsolvable => return Err("the puzzle has no solution".to_owned()),
        Verdict::Unique(_) if !only => return otherwise("one solution"),
        Verdict::Unique(found) if found != *solution => return Err("the puzzle has another solution".to_owned()),
        Verdict::Unique(_) => return Ok(true),
        Verdict::Several(..) if only => return Err("the puzzle has several solutions".to_owned()),
        Verdict::Several(..) => count(puzzle, limit, BUDGET),
    };
    // A number that is not exact is a lower bound, on either side.
    let Some(said) = record.solutions else { return Err("the number of solutions is missing".to_owned()) };
    // The count is settled if it is exact or reached the limit of the recipe.
    let (settled, found) = (found.exact || found.found >= limit, found.found);
    if settled && said != found && (exact || said > found) {
        return otherwise(&format!("{found} solutions"));
    }
    if !settled && exact && said < found {
        return Err(format!("the puzzle has at least {found} solutions, but its columns say {said}"));
    }
    Ok(settled || (!exact && said <= found))
}

/// The first column in which two rows differ.
fn first_difference(there: &Record, again: &Record) -> Option<String> {
    let column = COLUMNS.iter().find(|column| column.get(there) != column.get(again))?;
    let (there, again) = (column.get(there), column.get(again));
    Some(format!("{}: {there} in the file, {again} made from the recipe", column.name))
}

/// An error without the path, which the report gives already.
fn plain(path: &Path, error: &CorpusError) -> String {
    let text = match error {
        CorpusError::Row(row) => row.reason.clone(),
        other => other.to_string(),
    };
    text.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&text).to_owned()
}
