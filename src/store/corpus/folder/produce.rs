//! Makes a corpus from a recipe. Parts are made in any order and by any number of processes.
//!
//! ```text
//!   rows of part k     all threads    \   in order     the caller: columns, compress, fsync,
//!   rows of part k+1                  /  --------->    rename, line in the manifest
//! ```
//!
//! One part is written while the next is made. Memory holds some thousands of rows and one row group.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::corpus_folder::Folder;
use super::manifest::{self, Entry};
use super::part::PartWriter;
use super::unfinished::{KeptRows, Unfinished};
use crate::corpus::files::atomic::FileSum;
use crate::corpus::files::metadata::PartPlace;
use crate::corpus::files::progress::{Job, PartDone, StageTimes};
use crate::corpus::files::workers::Workers;
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
    /// Rows of parts that are not complete; the next run takes them over.
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

/// What observers are told of a part.
fn part_done(recipe: &Recipe, line: Entry, seconds: f64) -> PartDone {
    let Entry { part, first_row, rows, bytes, blake3, steps } = line;
    let (place, sum) = (PartPlace { part, first_row, rows }, FileSum { bytes, blake3 });
    PartDone { file: recipe.part_name(part).into(), place, sum, steps, seconds }
}

/// Makes the rows of parts, except those that an earlier run has kept, and writes each part when its rows are there.
/// The rows of parts that are not completed are kept for the next run; their number comes last.
fn make_parts(
    recipe: &Recipe,
    folder: &Folder,
    parts: &[Range<u64>],
    workers: &mut Workers,
    job: &Job<'_>,
) -> Result<(Vec<PartDone>, u64)> {
    let unfinished = Unfinished::of(&folder.path)?;
    let (times, failed) = (StageTimes::default(), AtomicBool::new(false));
    let parts = || parts.iter().cloned().flatten().map(|part| recipe.place(part));
    let missing = |place: PartPlace| -> Box<dyn Iterator<Item = Result<(PartPlace, u64)>> + '_> {
        match unfinished.rows(recipe, place.part) {
            Err(error) => Box::new(std::iter::once(Err(error))),
            Ok(mut kept) => Box::new((place.first_row..place.first_row + place.rows).filter_map(move |index| {
                let there = kept.as_mut().map_or(Ok(false), |kept| kept.has(index));
                there.map(|there| (!there).then_some((place, index))).transpose()
            })),
        }
    };
    // After an error, rows that nobody has begun are left out.
    let make = |row: Result<(PartPlace, u64)>| match row {
        Ok(_) if failed.load(Ordering::Relaxed) => None,
        Ok((place, index)) => match recipe.make_watched(index, &times, &job.stop) {
            Err(MakeError::Stopped { .. }) => None,
            made => Some(made.map(|row| (place, row)).map_err(CorpusError::from)),
        },
        Err(error) => Some(Err(error)),
    };
    let rows = parts().flat_map(missing).take_while(|_| !failed.load(Ordering::Relaxed));
    let (unfinished, folder, left) = (&unfinished, &folder.path, parts());
    let (began, written) = (Instant::now(), Vec::new());
    let mut parts = Parts { recipe, unfinished, folder, job, left, open: None, began, written, rows_kept: 0 };
    let mut outcome = Ok(());
    workers.each(rows, &job.stop, make, |made| {
        let mut rows = 0;
        for row in made.into_iter().flatten().flatten() {
            match row {
                Ok((place, row)) => {
                    parts.write(place, row)?;
                    rows += 1;
                }
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    outcome = std::mem::replace(&mut outcome, Ok(())).and(Err(error));
                }
            }
        }
        job.progress.rows(rows);
        job.progress.stages(times.seconds());
        Ok::<(), CorpusError>(())
    })?;
    let is_whole = outcome.is_ok() && !job.stop.is_set();
    parts.end(is_whole)?;
    outcome.map(|()| (parts.written, parts.rows_kept))
}

/// Parts that are written one after the other.
struct Parts<'a, I> {
    recipe: &'a Recipe,
    unfinished: &'a Unfinished,
    folder: &'a Path,
    job: &'a Job<'a>,
    /// The parts that were not begun.
    left: I,
    open: Option<OpenPart<'a>>,
    /// When the last part was completed.
    began: Instant,
    written: Vec<PartDone>,
    /// The rows of parts that are not complete.
    rows_kept: u64,
}

/// A part that is being written, and the rows of it that an earlier run has kept.
struct OpenPart<'a> {
    place: PartPlace,
    writer: PartWriter,
    kept: Option<KeptRows<'a>>,
}

impl<'a, I: Iterator<Item = PartPlace>> Parts<'a, I> {
    /// Writes a row, after all rows before it that were kept.
    fn write(&mut self, place: PartPlace, row: Box<Record>) -> Result<()> {
        // Parts between, whose rows were all kept, are written on the way.
        while self.open.as_ref().is_none_or(|open| open.place.part < place.part) {
            self.close()?;
            self.begin()?;
        }
        self.write_kept(row.index)?;
        if let Some(open) = &mut self.open { open.writer.write(*row) } else { Ok(()) }
    }

    /// Ends the open part, and writes the other parts if no row is missing.
    fn end(&mut self, is_whole: bool) -> Result<()> {
        self.close()?;
        while is_whole && self.begin()? {
            self.close()?;
        }
        Ok(())
    }

    /// Begins the next part. False if there is none.
    fn begin(&mut self) -> Result<bool> {
        let Some(place) = self.left.next() else { return Ok(false) };
        let writer = PartWriter::create(self.folder, self.recipe, place.part)?;
        self.open = Some(OpenPart { place, writer, kept: self.unfinished.rows(self.recipe, place.part)? });
        Ok(true)
    }

    /// Writes the kept rows of the open part before a number.
    fn write_kept(&mut self, end: u64) -> Result<()> {
        let Some(OpenPart { writer, kept: Some(kept), .. }) = &mut self.open else { return Ok(()) };
        while let Some(row) = kept.before(end)? {
            writer.write(row)?;
            self.job.progress.rows(1);
        }
        Ok(())
    }

    /// Completes the open part if all its rows are there, and keeps them if not.
    fn close(&mut self) -> Result<()> {
        self.write_kept(u64::MAX)?;
        let Some(OpenPart { place, writer, .. }) = self.open.take() else { return Ok(()) };
        if writer.rows() < place.rows {
            self.rows_kept += writer.rows();
            let kept = writer.keep(self.folder, self.recipe)?;
            return kept.map_or(Ok(()), |kept| self.unfinished.remove(place.part, Some(&kept)));
        }
        let entry = writer.finish()?;
        manifest::append(self.folder, &entry)?;
        self.unfinished.remove(place.part, None)?;
        let done = part_done(self.recipe, entry, self.began.elapsed().as_secs_f64());
        self.job.progress.part(&done);
        self.written.push(done);
        self.began = Instant::now();
        Ok(())
    }
}
