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
//! each row.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::error::{CorpusError, MakeError, Result};
use super::folder::Folder;
use super::input::Input;
use super::manifest;
use super::mapping::Want;
use super::part::PartWriter;
use super::progress::{StageTimes, StopFlag};
use super::recipe::Recipe;
use super::record::Record;
use super::sql::Scan;
use super::verify::Problem;
use super::workers::Workers;
use sudoku_corpus_core::board::canonical;

/// Rows that are read together.
const BLOCK: usize = 4096;

/// The number and the class of every row of a part.
fn classes(recipe: &Recipe, path: &Path) -> Result<Vec<(u128, u64)>> {
    if let Some(classes) = written_classes(path) {
        return Ok(classes);
    }
    let (mut classes, never) = (Vec::new(), StopFlag::new());
    let work = |row: Result<Record>| row.map(|row| class(&row).map(|class| (class, row.index)));
    Workers::here().run(Input::open(path, Want::Everything)?, &never, work, |found| {
        found.into_iter().try_for_each(|row| row.map(|row| classes.extend(row)))
    })?;
    debug_assert!(classes.len() as u64 <= recipe.part_rows);
    Ok(classes)
}

/// The rows of a complete corpus that are essentially the same as an earlier row.
pub(super) fn problems(recipe: &Recipe, folder: &Path) -> Result<Vec<Problem>> {
    let mut all = Vec::new();
    for part in 0..recipe.parts() {
        all.extend(classes(recipe, &folder.join(recipe.part_path(part)))?);
    }
    let problem = |(row, first)| Problem {
        file: folder.join(recipe.part_path(row / recipe.part_rows)),
        row: Some(row),
        reason: format!("essentially the same as row {first}; `run` without --parts replaces it"),
    };
    Ok(repeated(&mut all).into_iter().map(problem).collect())
}

/// The classes of a Parquet file. None if a row has no class.
fn written_classes(path: &Path) -> Option<Vec<(u128, u64)>> {
    if path.extension().is_none_or(|end| end != "parquet") {
        return None;
    }
    let answer = Scan::open(&[path.to_owned()]).ok()?.ask("SELECT index, class FROM puzzles").ok()?;
    let indices = answer.integers(0).ok()?;
    let mut classes = Vec::with_capacity(indices.len());
    answer.texts(1, |class| classes.extend(class.and_then(|class| u128::from_str_radix(class, 16).ok()))).ok()?;
    (classes.len() == indices.len()).then(|| classes.into_iter().zip(indices).collect())
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

/// Replaces the rows of a complete corpus that repeat others. Returns their number, or none if it was stopped.
pub(super) fn make_distinct(recipe: &Recipe, folder: &Folder, stop: &StopFlag) -> Result<Option<u64>> {
    let mut all = Vec::with_capacity(recipe.count as usize);
    for part in 0..recipe.parts() {
        if stop.is_set() {
            return Ok(None);
        }
        all.extend(classes(recipe, &folder.path().join(recipe.part_path(part)))?);
    }
    let repeated = repeated(&mut all);
    if repeated.is_empty() {
        return Ok(Some(0));
    }
    let mut taken: HashSet<u128> = all.into_iter().map(|(class, _)| class).collect();
    let part_of = |index: &u64| index / recipe.part_rows;
    let mut rows: Vec<u64> = repeated.into_keys().collect();
    let replaced = rows.len() as u64;
    while let Some(part) = rows.first().map(part_of) {
        let later = rows.split_off(rows.partition_point(|index| part_of(index) == part));
        if !rewrite(recipe, folder, part, &rows, &mut taken, stop)? {
            return Ok(None);
        }
        rows = later;
    }
    Ok(Some(replaced))
}

/// Writes a part again with other puzzles in some of its rows. False if it was stopped.
fn rewrite(
    recipe: &Recipe,
    folder: &Folder,
    part: u64,
    repeated: &[u64],
    taken: &mut HashSet<u128>,
    stop: &StopFlag,
) -> Result<bool> {
    let path = folder.path().join(recipe.part_path(part));
    let mut writer = PartWriter::create(folder.path(), recipe, part)?;
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
    manifest::append(folder.path(), &writer.finish()?)?;
    Ok(true)
}

/// The row made by later tries, until no other row is like it.
fn another(recipe: &Recipe, row: &Record, taken: &mut HashSet<u128>, stop: &StopFlag) -> Result<Record, MakeError> {
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
