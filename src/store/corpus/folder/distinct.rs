//! Distinct rows. If the recipe says `distinct = true`, rows that are essentially the same as an earlier one are made
//! again until they differ.
//!
//! ```text
//!   classes of all rows  ->  rows that repeat the class of a smaller row number, in order
//!        each: continues with the next try until its class is new
//!        the parts with such rows are written again
//! ```
//!
//! The result depends on the recipe alone: the repeated rows and the order in which they are replaced follow from the
//! rows as they are made one by one. If a process dies in between, the rows that it replaced do not repeat others any
//! more, and the next run replaces the rest in the same way. A replaced row needs no mark, because its column `tries`
//! says which try made it.
//!
//! This needs the complete corpus, so runs with `--parts` leave it to a run without. It needs 32 bytes of memory for
//! each row: one list of all classes, which is sorted in place and then searched.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::corpus_folder::Folder;
use super::manifest;
use super::part::PartWriter;
use super::verify::Problem;
use crate::corpus::files::input::Input;
use crate::corpus::files::progress::{StageTimes, StopFlag};
use crate::corpus::files::workers::Workers;
use crate::corpus::request::recipe::Recipe;
use crate::corpus::sql::{AskLimits, Scan};
use crate::corpus::values::error::{CorpusError, MakeError, Result};
use crate::corpus::values::mapping::Want;
use crate::corpus::values::record::Record;
use sudoku_corpus_core::catalogue::canonical;

const BLOCK: usize = 4096;

/// The class and the number of every row of a complete corpus. None if it was stopped.
fn classes(recipe: &Recipe, folder: &Path, stop: &StopFlag) -> Result<Option<Vec<(u128, u64)>>> {
    let mut all = Vec::with_capacity(recipe.count as usize);
    for path in (0..recipe.parts()).map(|part| folder.join(recipe.part_path(part))) {
        if stop.is_set() {
            return Ok(None);
        }
        if add_written(&path, &mut all).is_none() {
            let work = |row: Result<Record>| row.map(|row| class(&row).map(|class| (class, row.index)));
            let ended = Workers::here().run(Input::open(&path, Want::Everything)?, stop, work, |found| {
                found.into_iter().try_for_each(|row| row.map(|row| all.extend(row)))
            })?;
            if !ended {
                return Ok(None);
            }
        }
    }
    Ok(Some(all))
}

/// The rows of a complete corpus that are essentially the same as an earlier row.
pub(crate) fn problems(recipe: &Recipe, folder: &Path) -> Result<Vec<Problem>> {
    let mut all = classes(recipe, folder, &StopFlag::new())?.unwrap_or_default();
    let problem = |(row, first)| Problem {
        file: folder.join(recipe.part_path(row / recipe.part_rows)),
        row: Some(row),
        reason: format!("essentially the same as row {first}; `run` without --parts replaces it"),
    };
    Ok(repeated(&mut all).into_iter().map(problem).collect())
}

/// Adds the classes of a Parquet file, some thousands of rows at a time. None, and nothing is added, if a row has no class.
fn add_written(path: &Path, all: &mut Vec<(u128, u64)>) -> Option<()> {
    let before = all.len();
    let mut add = || {
        let scan =
            path.extension().filter(|end| *end == "parquet").and_then(|_| Scan::open(&[path.to_owned()]).ok())?;
        let limits = AskLimits::default();
        let added = scan.ask_in_batches("SELECT index, class FROM puzzles", &limits, |answer| {
            let from = all.len();
            all.extend(answer.integers(0)?.into_iter().map(|index| (0, index)));
            let mut rows = all[from..].iter_mut();
            let mut whole = true;
            answer.texts(1, |class| {
                let class = class.and_then(|class| u128::from_str_radix(class, 16).ok());
                whole &= class.zip(rows.next()).map(|(class, row)| row.0 = class).is_some();
            })?;
            if whole { Ok(()) } else { Err("a row has no class".to_owned()) }
        });
        added.ok()?.ok()
    };
    let added = add();
    if added.is_none() {
        all.truncate(before);
    }
    added
}

fn class(record: &Record) -> Option<u128> {
    record.class.or_else(|| record.puzzle.as_ref().map(canonical::class))
}

/// The rows whose class a smaller row number has too, each with the first row of its class. Sorts the classes.
fn repeated(classes: &mut [(u128, u64)]) -> BTreeMap<u64, u64> {
    classes.sort_unstable();
    let mut repeated = BTreeMap::new();
    let mut first = None;
    for &(class, index) in classes.iter() {
        match first {
            Some((known, row)) if known == class => drop(repeated.insert(index, row)),
            _ => first = Some((class, index)),
        }
    }
    repeated
}

/// The classes that a replaced row must not have.
struct Taken {
    /// Those of all rows as they were, ascending.
    classes: Vec<(u128, u64)>,
    /// Those of replaced rows.
    new: HashSet<u128>,
}

impl Taken {
    /// Adds a class. False if it is taken.
    fn insert(&mut self, class: u128) -> bool {
        let at = self.classes.partition_point(|&(known, _)| known < class);
        self.classes.get(at).is_none_or(|&(known, _)| known != class) && self.new.insert(class)
    }
}

/// Replaces the rows of a complete corpus that repeat others. Returns their number, or none if it was stopped.
pub(crate) fn make_distinct(recipe: &Recipe, folder: &Folder, stop: &StopFlag) -> Result<Option<u64>> {
    let Some(mut all) = classes(recipe, &folder.path, stop)? else { return Ok(None) };
    let repeated = repeated(&mut all);
    if repeated.is_empty() {
        return Ok(Some(0));
    }
    let mut taken = Taken { classes: all, new: HashSet::new() };
    let rows: Vec<u64> = repeated.into_keys().collect();
    for rows in rows.chunk_by(|a, b| a / recipe.part_rows == b / recipe.part_rows) {
        if !rewrite(recipe, folder, rows[0] / recipe.part_rows, rows, &mut taken, stop)? {
            return Ok(None);
        }
    }
    Ok(Some(rows.len() as u64))
}

/// Writes a part again with other puzzles in some of its rows. False if it was stopped.
fn rewrite(
    recipe: &Recipe,
    folder: &Folder,
    part: u64,
    repeated: &[u64],
    taken: &mut Taken,
    stop: &StopFlag,
) -> Result<bool> {
    let path = folder.path.join(recipe.part_path(part));
    let mut writer = PartWriter::create(&folder.path, recipe, part)?;
    let mut input = Input::open(&path, Want::Everything)?;
    loop {
        let mut rows: Vec<Record> = input.by_ref().take(BLOCK).collect::<Result<_>>()?;
        if rows.is_empty() {
            break;
        }
        for row in &mut rows {
            if repeated.binary_search(&row.index).is_ok() {
                match another(recipe, row, taken, stop) {
                    Err(MakeError::Stopped { .. }) => return Ok(false),
                    made => *row = made.map_err(CorpusError::from)?,
                }
            } else {
                recipe.analysis.with_steps(row);
            }
        }
        writer.write(rows)?;
    }
    // The old file is open until here. Now it is replaced.
    drop(input);
    manifest::append(&folder.path, &writer.finish()?)?;
    Ok(true)
}

/// The row made by later tries, until no other row is like it.
fn another(recipe: &Recipe, row: &Record, taken: &mut Taken, stop: &StopFlag) -> Result<Record, MakeError> {
    let mut tries = row.tries.unwrap_or(1);
    loop {
        if tries > recipe.retries {
            return Err(MakeError::Repeated { index: row.index, tries });
        }
        let made = recipe.make_watched(row.index, tries, &StageTimes::default(), stop)?;
        if class(&made).is_none_or(|class| taken.insert(class)) {
            return Ok(made);
        }
        tries = made.tries.unwrap_or(tries + 1);
    }
}
