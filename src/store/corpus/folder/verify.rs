//! Checks a corpus: every part, every row, and some rows against the recipe.
//!
//! ```text
//!   every part      its footer, the checksums of all its bytes, metadata, schema, number of rows; its steps
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

use super::contents::{Contents, STRAY_STEPS, damage, plain, stray_steps};
use super::produce::gaps;
use crate::corpus::files::durable::temporary::temporary_folders;
use crate::corpus::files::input::{Input, Unread};
use crate::corpus::files::metadata::PartPlace;
use crate::corpus::files::names::RECIPE_FILE;
use crate::corpus::files::parallel::{ItemSize, in_order};
use crate::corpus::files::progress::Job;
use crate::corpus::request::outline::{Outline, Version};
use crate::corpus::request::recipe::Recipe;
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::mapping::Want;
use crate::corpus::values::record::{COLUMNS, Record};
use sudoku_corpus_core::board::{Puzzle, Solution};
use sudoku_corpus_core::page::numbers::counted;
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::solve::{Budget, Count, Verdict, count, verdict};

/// What is wrong with a file, or with one of its rows.
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
        if let Some(row) = self.row {
            write!(f, "row {row}: ")?;
        }
        f.write_str(&self.reason)
    }
}

/// The result of the checks.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Report {
    pub parts: u64,
    /// Parts whose bytes have their checksums, and all of whose rows can be read.
    pub parts_good: u64,
    pub rows: u64,
    /// Rows given to an independent solver, including those that it could not decide.
    pub rows_solved: u64,
    /// Rows that were made again from the recipe and were equal.
    pub rows_remade: u64,
    /// Rows whose number of solutions the solver could not find within its budget.
    pub undecided: u64,
    /// What the corpus consists of, if a command of this version made it: the command can make the rows again.
    pub of_command: Option<Outline>,
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

/// Checks a corpus, and solves and makes again `sampled` of its rows, drawn at random. None means all rows.
///
/// Rows of another version are not made again. Rows that a command made of its input can be made again only by that
/// command; [`compare_rows`] then compares them.
///
/// # Errors
/// The folder holds no corpus; a file cannot be read, or the system lacks threads. Other problems are in the report.
pub fn verify(folder: &Path, sampled: Option<u64>, job: &Job<'_>) -> Result<Report> {
    let began = Instant::now();
    let contents = Contents::of(folder)?;
    let outline = contents.outline.clone();
    let mut report = Report { parts: outline.parts(), ..Report::default() };
    let recipe = recipe_of(folder, &contents, &mut report)?;
    check_files(folder, &contents, &mut report)?;
    let chosen = sampled.filter(|&rows| rows < outline.count).map(|rows| sample(rows, outline.count));
    let check = RowChecks { recipe: recipe.as_ref(), chosen, job };
    job.progress.begin(Some(outline.count), 0);
    for (&part, path) in &contents.parts {
        if report.stopped {
            break;
        }
        if let Some(damage) = damage(folder, &outline, part)? {
            report.add(&damage.file, None, damage.reason);
            continue;
        }
        match check.part(path, outline.place(part), &mut report) {
            Err(error) if !error.is_of_system() => report.add(path, None, plain(path, &error)),
            ended => {
                report.stopped = !ended?;
                report.parts_good += u64::from(!report.stopped);
            }
        }
    }
    report.seconds = began.elapsed().as_secs_f64();
    Ok(report)
}

/// Compares the rows of a corpus with those that its command made again in another folder.
///
/// # Errors
/// A part that was sound cannot be read any more; the rows that were made again cannot be read.
pub fn compare_rows(folder: &Path, again: &Path, report: &mut Report) -> Result<()> {
    let Contents { outline, parts, .. } = Contents::of(folder)?;
    for (&part, path) in &parts {
        let rows_of_corpus = Input::open(path, Want::Rows)?;
        let mut rows_again = Input::open(&again.join(outline.part_file(part)), Want::Rows)?;
        for row in rows_of_corpus {
            let row = row?;
            let difference = match rows_again.next().transpose()? {
                Some(again) if row.outside == again.outside => first_difference(&row, &again),
                Some(_) => Some("a column that was copied from the input has another value there".to_owned()),
                None => Some("the input does not give this row".to_owned()),
            };
            match difference {
                Some(reason) => report.add(path, Some(row.row), reason),
                None => report.rows_remade += 1,
            }
        }
        if rows_again.next().is_some() {
            report.add(path, None, "rows that the input gives are missing");
        }
    }
    Ok(())
}

/// The recipe of a corpus, if this program can make its rows again.
fn recipe_of(folder: &Path, contents: &Contents, report: &mut Report) -> Result<Option<Recipe>> {
    let ours = Version::of_this_program();
    if let Some(version) = contents.version.as_ref().filter(|version| **version != ours) {
        let (theirs, ours) = (&version.program, ours.program);
        report.notes.push(format!("made by version {theirs}; version {ours} cannot make the rows again"));
        return Ok(None);
    }
    if contents.outline.command.is_some() {
        report.of_command = Some(contents.outline.clone());
        return Ok(None);
    }
    let path = folder.join(RECIPE_FILE);
    let recipe = Recipe::read(&path)?;
    let text = fs::read(&path).map_err(CorpusError::io("read", &path))?;
    if text != recipe.outline().file().as_bytes() {
        report.add(&path, None, "it was changed by hand: it is not in canonical form");
    }
    Ok(Some(recipe))
}

/// `size` different row numbers below `count`, drawn uniformly (Floyd's method). The same sizes give the same numbers.
fn sample(size: u64, count: u64) -> BTreeSet<u64> {
    let mut rng = Rng::new(size, count, Stage::Sample, 0);
    let mut chosen = BTreeSet::new();
    for last in count - size..count {
        let drawn = rng.below(last as usize + 1) as u64;
        if !chosen.insert(drawn) {
            chosen.insert(last);
        }
    }
    chosen
}

/// Reports files that are missing or damaged, and files that do not belong to the corpus.
fn check_files(folder: &Path, contents: &Contents, report: &mut Report) -> Result<()> {
    let outline = &contents.outline;
    let mut present: BTreeSet<u64> = contents.parts.keys().copied().collect();
    for (&part, reason) in &contents.damaged {
        report.add(&folder.join(outline.part_file(part)), None, reason);
        present.insert(part);
    }
    for stranger in &contents.strangers {
        report.add(&stranger.file, None, format!("not a part of this corpus: {}", stranger.reason));
        // A stranger with the name of a part takes its place, so that the part is not missing too.
        let name = stranger.file.file_name().map(|name| name.to_string_lossy());
        present.extend(name.and_then(|name| outline.part_of(&name)));
    }
    for gap in gaps(0..outline.parts(), present.into_iter()) {
        let reason = match gap.end - gap.start {
            1 => "missing".to_owned(),
            parts => format!("missing, with all parts to {}: {}", gap.end - 1, counted(parts, "part")),
        };
        report.add(&folder.join(outline.part_file(gap.start)), None, reason);
    }
    for file in stray_steps(folder, outline)? {
        report.add(&file, None, STRAY_STEPS);
    }
    for place in temporary_folders(folder) {
        report.notes.push(format!("{}: temporary files of a run that died or is still working", place.display()));
    }
    Ok(())
}

/// Which checks the rows of a part get besides those without solving.
struct RowChecks<'a> {
    /// The recipe that makes the rows again. None if none can.
    recipe: Option<&'a Recipe>,
    /// The numbers of the rows to solve and to make again. None means all rows.
    chosen: Option<BTreeSet<u64>>,
    job: &'a Job<'a>,
}

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
    /// Checks the rows of a part. False if it was stopped.
    fn part(&self, path: &Path, place: PartPlace, report: &mut Report) -> Result<bool> {
        self.rows(path, place, |index, outcome| {
            report.rows += u64::from(index.is_some());
            report.rows_solved += u64::from(outcome.solved);
            report.rows_remade += u64::from(outcome.remade);
            report.undecided += u64::from(outcome.undecided);
            if let Some(reason) = outcome.problem {
                report.add(path, index, reason);
            }
            Ok(())
        })
    }

    /// Checks all rows of a part. `take` gets the number and the outcome of every row, and at last, without a number, a
    /// wrong number of rows. False if it was stopped.
    fn rows(
        &self,
        path: &Path,
        place: PartPlace,
        mut take: impl FnMut(Option<u64>, RowOutcome) -> Result<()>,
    ) -> Result<bool> {
        // A command copies further columns of its input.
        let want = if self.recipe.is_some() { Want::Everything } else { Want::Rows };
        let rows = Input::open(path, want)?.unread().zip(place.first_row..);
        let mut next = place.first_row;
        let check = |(row, index): (Unread, u64)| self.row(&row.read()?, index);
        let ended = in_order(ItemSize::Small, rows, &self.job.stop, check, |outcomes| {
            self.job.progress.rows(outcomes.len() as u64);
            for outcome in outcomes {
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
        // A command leaves out rows of its input that cannot be used.
        let is_whole = rows == place.rows || (self.recipe.is_none() && rows < place.rows);
        if ended && !is_whole {
            take(None, RowOutcome::wrong(format!("{}, but it should have {}", counted(rows, "row"), place.rows)))?;
        }
        Ok(ended)
    }

    /// Checks one row. `index` is its number in the corpus.
    fn row(&self, record: &Record, index: u64) -> Result<RowOutcome> {
        if let Some(reason) = self.recipe.and_then(|recipe| simply_wrong(recipe, record, index)) {
            return Ok(RowOutcome::wrong(reason));
        }
        if self.chosen.as_ref().is_some_and(|chosen| !chosen.contains(&index)) {
            return Ok(RowOutcome::default());
        }
        let mut outcome = RowOutcome::default();
        if let (Some(puzzle), Some(solution)) = (&record.puzzle, &record.solution) {
            outcome.solved = true;
            // Without a recipe, one more than the row says decides whether its number is right.
            let one_more = record.solutions.unwrap_or(1).saturating_add(1);
            let limit = self.recipe.map_or(one_more, |recipe| recipe.dig.count_limit);
            match check_solutions(record, puzzle, solution, limit) {
                Ok(decided) => outcome.undecided = !decided,
                Err(reason) => return Ok(RowOutcome { problem: Some(reason), ..outcome }),
            }
        }
        if let Some(recipe) = self.recipe {
            outcome.problem = first_difference(record, &recipe.make(record.row)?);
            outcome.remade = outcome.problem.is_none();
        }
        Ok(outcome)
    }
}

/// A problem that can be found without solving the puzzle.
fn simply_wrong(recipe: &Recipe, record: &Record, index: u64) -> Option<String> {
    if record.row != index {
        return Some(format!("its number is {}", record.row));
    }
    if recipe.shape_of(record.row) != Ok(record.shape) {
        return Some(format!("the row is of the {}", record.shape.board()));
    }
    let (Some(puzzle), Some(_)) = (&record.puzzle, &record.solution) else {
        return Some("the puzzle or the solution is missing".to_owned());
    };
    let (givens, holes) = (puzzle.grid().givens() as u32, puzzle.grid().holes() as u32);
    let differ = (record.givens, record.holes) != (Some(givens), Some(holes));
    differ.then(|| format!("its columns givens and holes are not those of the puzzle, {givens} and {holes}"))
}

/// Search nodes for one row on boards that are not 9x9.
const BUDGET: Budget = Budget(10_000_000);

/// Compares the solution of a row, and its number of solutions, with those that the solver finds. The solver counts up
/// to `limit`. False if it cannot decide.
fn check_solutions(record: &Record, puzzle: &Puzzle, solution: &Solution, limit: u64) -> Result<bool, String> {
    let exact = record.solutions_exact == Some(true);
    let is_unique = record.is_unique();
    let otherwise = |has: &str| Err(format!("the puzzle has {has}, but its columns say otherwise"));
    let counted_again = match verdict(puzzle, BUDGET) {
        Verdict::Unknown => return Ok(false),
        Verdict::Unsolvable => return Err("the puzzle has no solution".to_owned()),
        Verdict::Unique(_) if !is_unique => return otherwise("one solution"),
        Verdict::Unique(solved) if solved != *solution => return Err("the puzzle has another solution".to_owned()),
        Verdict::Unique(_) => return Ok(true),
        Verdict::Several(..) if is_unique => return Err("the puzzle has several solutions".to_owned()),
        Verdict::Several(..) => count(puzzle, limit, BUDGET),
    };
    // A number that is not exact is a lower bound, on either side.
    let Some(claimed) = record.solutions else { return Err("the number of solutions is missing".to_owned()) };
    // The count is settled if it is exact or reached the limit of the recipe.
    let Count { found: solutions, exact: is_all } = counted_again;
    let is_settled = is_all || solutions >= limit;
    if is_settled && claimed != solutions && (exact || claimed > solutions) {
        return otherwise(&counted(solutions, "solution"));
    }
    if !is_settled && exact && claimed < solutions {
        return Err(format!(
            "the puzzle has at least {}, but its columns say {claimed}",
            counted(solutions, "solution")
        ));
    }
    Ok(is_settled || (!exact && claimed <= solutions))
}

/// The first column in which two rows differ.
fn first_difference(row: &Record, again: &Record) -> Option<String> {
    let column = COLUMNS.iter().find(|column| column.get(row) != column.get(again))?;
    let (row, again) = (column.get(row), column.get(again));
    Some(format!("{}: {row} in the file, {again} made again", column.name))
}
