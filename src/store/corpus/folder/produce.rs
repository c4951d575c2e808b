//! Makes a corpus from a recipe. Parts are made in any order and by any number of processes.
//!
//! ```text
//!   rows of part k    all threads, in chunks     \   bounded channel    one thread: encode, compress, fsync,
//!   rows of part k+1                             /  ----------------->  rename, line in the manifest
//! ```
//!
//! One part is written while the next is made. Memory holds a few chunks of rows and one row group.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use super::corpus_folder::Folder;
use super::manifest::{self, Entry};
use super::part::PartWriter;
use super::unfinished::Unfinished;
use crate::corpus::files::atomic::FileSum;
use crate::corpus::files::metadata::PartPlace;
use crate::corpus::files::progress::{Job, PartDone, Progress, StageTimes};
use crate::corpus::files::workers::{Workers, spawn_in};
use crate::corpus::request::recipe::Recipe;
use crate::corpus::values::error::{CorpusError, MakeError, RecipeError, Result};
use crate::corpus::values::record::Record;

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Summary {
    pub parts_made: u64,
    pub rows_made: u64,
    pub bytes_made: u64,
    /// Rows of a part that is not complete; the next run takes them over.
    pub rows_kept: u64,
    /// Requested parts that were there before.
    pub parts_kept: u64,
    /// Requested parts that are still missing. The number is above 0 only if the run was stopped.
    pub parts_missing: u64,
    /// Parts whose file did not agree with the manifest, and that were made again.
    pub parts_damaged: u64,
    /// True if the run was stopped before it made a row.
    pub stopped: bool,
    /// Classes of a stock that have too few puzzles, with tries and rate.
    pub short: Vec<String>,
    /// Parts of the corpus that are in the folder now.
    pub parts_there: u64,
    pub parts: u64,
    pub seconds: f64,
}

impl Summary {
    /// The result of a run of a recipe that was stopped before it made a row.
    pub fn stopped(recipe: &Recipe) -> Summary {
        let parts = recipe.parts();
        Summary { stopped: true, parts, parts_missing: parts, ..Summary::default() }
    }

    /// True if the run was stopped before its parts were done.
    pub fn is_stopped(&self) -> bool {
        self.stopped || self.parts_missing > 0
    }

    /// True if the folder holds the complete corpus.
    pub fn is_complete(&self) -> bool {
        self.parts_there == self.parts
    }
}

/// The ranges of numbers of `range` that are not in `there`, which must ascend.
pub(crate) fn gaps(range: Range<u64>, there: impl Iterator<Item = u64>) -> Vec<Range<u64>> {
    let mut gaps = Vec::new();
    let mut next = range.start;
    for number in there {
        gaps.extend((next < number).then_some(next..number));
        next = number + 1;
    }
    gaps.extend((next < range.end).then_some(next..range.end));
    gaps
}

/// Makes the missing ones of the wanted parts of a corpus in a folder. Other processes may make other parts in the same
/// folder at the same time. None means all parts; then no other process may work in the folder. The puzzles of a stock
/// must have been found: [`crate::corpus::find_stock`].
///
/// # Errors
/// The folder is busy, holds another corpus or cannot be written; a row cannot be made. Parts that were finished before
/// are kept.
pub fn produce(recipe: &Recipe, folder: &Path, wanted: Option<Range<u64>>, job: &Job<'_>) -> Result<Summary> {
    let began = Instant::now();
    let mut workers = Workers::new(job.threads)?;
    let stock = recipe.stock.as_ref();
    if stock.is_some_and(|stock| stock.found.is_none()) {
        let first = "the search for a stock cannot be divided: run it once without --parts; the recipe in its folder then has parts";
        return Err(RecipeError::from(first).into());
    }
    let parts = recipe.parts();
    let is_whole = wanted.is_none();
    let wanted = wanted.unwrap_or(0..parts);
    if wanted.start > wanted.end || wanted.end > parts {
        return Err(CorpusError::Parts { start: wanted.start, end: wanted.end, parts });
    }
    let folder = Folder::open(folder, is_whole)?;
    let lines = folder.claim(recipe)?;
    let (there, parts_damaged) = folder.good_parts(recipe, &lines, &wanted, &job.stop)?;
    let missing = gaps(wanted.clone(), there.keys().copied());
    let rows = |parts: &Range<u64>| recipe.place(parts.end).first_row - recipe.place(parts.start).first_row;
    let all_rows = rows(&wanted);
    let parts_missing = missing.iter().map(|gap| gap.end - gap.start).sum::<u64>();
    job.progress.begin(Some(all_rows), all_rows - missing.iter().map(rows).sum::<u64>());
    for entry in there.values() {
        job.progress.kept(&part_done(recipe, entry.clone(), 0.0));
    }
    let (made, rows_kept) = make_parts(recipe, &folder, &missing, &mut workers, job)?;
    let parts_there = folder.settle(recipe)?;
    if parts_there == parts {
        Unfinished::of(&folder.path)?.remove_all()?;
    }
    Ok(Summary {
        short: stock.and_then(|stock| Some(stock.found.as_ref()?.short(stock))).unwrap_or_default(),
        parts_damaged,
        stopped: false,
        rows_kept,
        parts_made: made.len() as u64,
        rows_made: made.iter().map(|done| done.place.rows).sum(),
        bytes_made: made.iter().map(|done| done.sum.bytes).sum(),
        parts_kept: wanted.end - wanted.start - parts_missing,
        parts_missing: parts_missing - made.len() as u64,
        parts_there,
        parts,
        seconds: began.elapsed().as_secs_f64(),
    })
}

/// Makes the rows of parts and writes them in another thread, so that one part is written while the next is made.
fn make_parts(
    recipe: &Recipe,
    folder: &Folder,
    parts: &[Range<u64>],
    workers: &mut Workers,
    job: &Job<'_>,
) -> Result<(Vec<PartDone>, u64)> {
    let unfinished = &Unfinished::of(&folder.path)?;
    let (sender, receiver) = sync_channel(2);
    thread::scope(|scope| {
        let writer =
            spawn_in(scope, move || write_parts(recipe, unfinished, &folder.path, parts, &receiver, job.progress))?;
        let made = make_rows(recipe, unfinished, parts, workers, sender, job);
        let written = writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        made.and(written)
    })
}

/// Makes the rows of parts in order, until it is stopped or the writer has failed. Rows that an earlier run has kept
/// are not made again. After a stop or an error, the writer gets all rows that are finished.
fn make_rows(
    recipe: &Recipe,
    unfinished: &Unfinished,
    parts: &[Range<u64>],
    workers: &mut Workers,
    writer: SyncSender<Vec<Record>>,
    job: &Job<'_>,
) -> Result<()> {
    let times = StageTimes::default();
    for place in parts.iter().cloned().flatten().map(|part| recipe.place(part)) {
        let mut kept = unfinished.rows(recipe, place.part)?;
        let end = place.first_row + place.rows;
        let mut next = place.first_row;
        while next < end {
            let chunk = next..end.min(next + workers.chunk() as u64);
            let there = kept.before(chunk.end, usize::MAX)?;
            let mut rows: BTreeMap<u64, Record> = there.into_iter().map(|row| (row.index, row)).collect();
            let missing: Vec<u64> = chunk.clone().filter(|index| !rows.contains_key(index)).collect();
            let mut outcome = Ok(());
            let made = workers.work(missing.clone(), &job.stop, |index| recipe.make_watched(index, &times, &job.stop));
            for (index, made) in missing.into_iter().zip(made) {
                match made {
                    Some(Ok(row)) => drop(rows.insert(index, row)),
                    None | Some(Err(MakeError::Stopped { .. })) => {}
                    Some(Err(error)) => outcome = outcome.and(Err(error.into())),
                }
            }
            let made = rows.len() as u64;
            let mut going_on = writer.send(rows.into_values().collect()).is_ok();
            job.progress.rows(made);
            if made < chunk.end - chunk.start {
                while going_on {
                    let more = kept.before(u64::MAX, KEPT_TOGETHER)?;
                    going_on = !more.is_empty() && writer.send(more).is_ok();
                }
                return outcome;
            }
            if !going_on {
                return Ok(());
            }
            next = chunk.end;
        }
        job.progress.stages(times.seconds());
    }
    Ok(())
}

/// Kept rows that are passed on together.
const KEPT_TOGETHER: usize = 1024;

fn part_done(recipe: &Recipe, line: Entry, seconds: f64) -> PartDone {
    let Entry { part, first_row, rows, bytes, blake3, steps } = line;
    let (place, sum) = (PartPlace { part, first_row, rows }, FileSum { bytes, blake3 });
    PartDone { file: recipe.part_name(part).into(), place, sum, steps, seconds }
}

/// Writes parts as their rows arrive. The rows of a part that is not completed are kept for the next run; their number
/// comes last.
fn write_parts(
    recipe: &Recipe,
    unfinished: &Unfinished,
    folder: &Path,
    parts: &[Range<u64>],
    rows: &Receiver<Vec<Record>>,
    progress: &dyn Progress,
) -> Result<(Vec<PartDone>, u64)> {
    let mut written = Vec::new();
    let mut began = Instant::now();
    for part in parts.iter().cloned().flatten() {
        let mut writer = PartWriter::create(folder, recipe, part)?;
        let mut missing = recipe.place(part).rows;
        let mut last = began;
        while missing > 0 {
            let Ok(rows) = rows.recv() else {
                if let Some(kept) = writer.keep(folder, recipe)? {
                    unfinished.remove(part, Some(&kept))?;
                }
                return Ok((written, recipe.place(part).rows - missing));
            };
            last = Instant::now();
            missing -= rows.len() as u64;
            writer.write(rows)?;
        }
        let entry = writer.finish()?;
        manifest::append(folder, &entry)?;
        unfinished.remove(part, None)?;
        let done = part_done(recipe, entry, began.elapsed().as_secs_f64());
        progress.part(&done);
        written.push(done);
        began = last;
    }
    Ok((written, 0))
}
