//! Makes the missing parts of a corpus. Parts are made in any order and by any number of processes.
//!
//! ```text
//!   rows of part k     all threads    \   in order     the caller: columns, compress, fsync, rename
//!   rows of part k+1                  /  --------->
//! ```
//!
//! One part is written while the next is made. Memory holds some thousands of rows and one row group. A part that is
//! there is done; of a part that was not completed, nothing is kept.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::corpus_folder::Folder;
use super::part::PartWriter;
use crate::corpus::files::names::{ROWS_FOLDER, STEPS_FOLDER, files_in, steps_name};
use crate::corpus::files::parallel::{ItemSize, in_order};
use crate::corpus::files::progress::{Job, OnError, PartDone, StageTimes};
use crate::corpus::request::outline::Outline;
use crate::corpus::request::recipe::Recipe;
use crate::corpus::values::error::{CorpusError, MakeError, Result};
use crate::corpus::values::outside::Outside;
use crate::corpus::values::record::Record;

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct RunSummary {
    pub parts_made: u64,
    pub rows_made: u64,
    pub bytes_made: u64,
    /// Rows of the input that could not be used.
    pub rows_skipped: u64,
    /// Rows that may or may not have one solution.
    pub rows_unsettled: u64,
    /// Requested parts that were there before.
    pub parts_kept: u64,
    /// Requested parts that are still missing. The number is above 0 only if the run was stopped.
    pub parts_missing: u64,
    /// Parts of the corpus that are in the folder now.
    pub parts_there: u64,
    pub parts: u64,
    /// Sentences about damaged files that were in the place of a part, and that were made again.
    pub set_aside: Vec<String>,
    /// Sentences about other files.
    pub notes: Vec<String>,
    pub seconds: f64,
}

impl RunSummary {
    /// True if the run was stopped before its parts were done.
    pub fn is_stopped(&self) -> bool {
        self.parts_missing > 0
    }

    /// True if the folder holds the complete corpus.
    pub fn is_complete(&self) -> bool {
        self.parts_there == self.parts
    }
}

/// The ranges of numbers of `range` that are not in `present`, which must ascend.
pub(crate) fn gaps(range: Range<u64>, present: impl Iterator<Item = u64>) -> Vec<Range<u64>> {
    let mut gaps = Vec::new();
    let mut next = range.start;
    for number in present {
        if next < number {
            gaps.push(next..number);
        }
        next = number + 1;
    }
    if next < range.end {
        gaps.push(next..range.end);
    }
    gaps
}

/// Makes the missing ones of the wanted parts of a corpus in a folder. Other processes may make other parts in the same
/// folder at the same time. None means all parts; then no other process may work in the folder.
///
/// # Errors
/// The folder is busy, holds another corpus or cannot be written; a row cannot be made. Parts that were finished before
/// are kept.
pub fn produce(recipe: &Recipe, folder: &Path, wanted: Option<Range<u64>>, job: &Job<'_>) -> Result<RunSummary> {
    let times = StageTimes::default();
    let outline = recipe.outline();
    // The item of a row is its number.
    let items = |missing: &[Range<u64>]| {
        let gaps = Vec::from(missing).into_iter();
        gaps.flat_map(|gap| outline.place(gap.start).first_row..outline.place(gap.end).first_row).map(|row| (row, row))
    };
    let make = |row: u64| -> Made {
        match recipe.make_watched(row, &times, &job.stop) {
            Ok(record) => Ok(Some(record)),
            Err(MakeError::Stopped { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    };
    let bases = recipe.bases.as_ref().map(|bases| &*bases.lines);
    let production = Production { outline: &outline, bases, outside: &[], on_error: OnError::Fail, wanted };
    production.run(folder, items, make, &|| job.progress.stages(times.seconds()), job)
}

/// Makes the missing parts of a corpus from the rows of an input: row n of the corpus comes from row n of the input.
/// `outside` are the columns of other programs in these rows.
///
/// # Errors
/// The folder is busy, holds another corpus or cannot be written; the input is damaged, or has more or fewer rows than
/// the outline says; a row cannot be used, and the job skips none.
pub fn produce_from<T: Send>(
    outline: &Outline,
    outside: &[Outside],
    folder: &Path,
    input: impl Iterator<Item = Result<T>>,
    work: impl Fn(T) -> Result<Record> + Sync + Send,
    job: &Job<'_>,
) -> Result<RunSummary> {
    let items = |missing: &[Range<u64>]| {
        let missing = missing.to_vec();
        let is_missing = move |row: u64| {
            let part = row / outline.part_rows;
            // A row after the last one belongs to no part. It is an error.
            part >= outline.parts() || missing.iter().any(|gap| gap.contains(&part))
        };
        (0..).zip(input).filter(move |(row, _)| is_missing(*row))
    };
    let work = |item: Result<T>| -> Made { item.and_then(&work).map(|row| Some(Box::new(row))) };
    let production = Production { outline, bases: None, outside, on_error: job.on_error, wanted: None };
    production.run(folder, items, work, &|| (), job)
}

/// Parts that are to be made.
struct Production<'a> {
    outline: &'a Outline,
    bases: Option<&'a str>,
    outside: &'a [Outside],
    on_error: OnError,
    wanted: Option<Range<u64>>,
}

/// What is made of an item. None after a stop.
type Made = Result<Option<Box<Record>>>;

impl Production<'_> {
    /// Makes the parts that are missing. `items` gives their rows in order, each with its number, and `work` makes a row
    /// of each. `after` is called from time to time.
    fn run<T: Send, I: Iterator<Item = (u64, T)>>(
        self,
        folder: &Path,
        items: impl FnOnce(&[Range<u64>]) -> I,
        work: impl Fn(T) -> Made + Sync + Send,
        after: &dyn Fn(),
        job: &Job<'_>,
    ) -> Result<RunSummary> {
        let wanted = self.wanted_parts()?;
        let is_new = !folder.exists();
        let is_alone = self.wanted.is_none();
        let folder = Folder::open(folder, is_alone)?;
        let made = self.run_in(&folder, wanted, items, work, after, job);
        if made.is_err() && is_new && is_alone {
            folder.remove_if_bare();
        }
        made
    }

    /// Makes the wanted parts that are missing in a folder.
    fn run_in<T: Send, I: Iterator<Item = (u64, T)>>(
        self,
        folder: &Folder,
        wanted: Range<u64>,
        items: impl FnOnce(&[Range<u64>]) -> I,
        work: impl Fn(T) -> Made + Sync + Send,
        after: &dyn Fn(),
        job: &Job<'_>,
    ) -> Result<RunSummary> {
        let began = Instant::now();
        let outline = self.outline;
        folder.claim(outline, self.bases)?;
        let good = folder.good_parts(outline, &wanted, &job.stop)?;
        let missing = gaps(wanted.clone(), good.parts.iter().copied());
        let parts_missing = missing.iter().map(|gap| gap.end - gap.start).sum::<u64>();
        let all_rows = outline.rows(&wanted);
        job.progress.begin(Some(all_rows), all_rows - missing.iter().map(|gap| outline.rows(gap)).sum::<u64>());
        for part in good.parts {
            job.progress.kept(&part_done(&folder.path, outline, part, 0.0)?);
        }
        let mut writing = Writing::new(&self, &folder.path, job);
        if parts_missing > 0 {
            let work = |(row, item)| (row, work(item));
            let is_complete = in_order(ItemSize::Small, items(&missing), &job.stop, work, |results| {
                let rows = results.len() as u64;
                for (row, made) in results {
                    writing.take(row, made)?;
                }
                job.progress.rows(rows);
                after();
                Ok::<(), CorpusError>(())
            })?;
            writing.end(is_complete)?;
        }
        let made = writing.summary();
        Ok(RunSummary {
            parts_kept: wanted.end - wanted.start - parts_missing,
            parts_missing: parts_missing - made.parts_made,
            parts_there: parts_there(outline, &folder.path)?,
            parts: outline.parts(),
            set_aside: good.set_aside,
            notes: good.hidden,
            seconds: began.elapsed().as_secs_f64(),
            ..made
        })
    }

    /// The numbers of the wanted parts.
    ///
    /// # Errors
    /// The corpus has fewer parts.
    fn wanted_parts(&self) -> Result<Range<u64>> {
        let parts = self.outline.parts();
        match self.wanted.clone().unwrap_or(0..parts) {
            Range { start, end } if start > end || end > parts => Err(CorpusError::Parts { start, end, parts }),
            wanted => Ok(wanted),
        }
    }
}

/// The number of files with names of parts. What is in the files that this run has not wanted is not looked at.
fn parts_there(outline: &Outline, folder: &Path) -> Result<u64> {
    let files = match folder.join(ROWS_FOLDER) {
        rows if rows.is_dir() => files_in(&rows)?,
        _ => Vec::new(),
    };
    let parts = files.iter().filter_map(|file| outline.part_of(&file.file_name()?.to_string_lossy()));
    Ok(parts.count() as u64)
}

/// What observers are told of a part.
fn part_done(folder: &Path, outline: &Outline, part: u64, seconds: f64) -> Result<PartDone> {
    let size = |file: &Path| match fs::metadata(folder.join(file)) {
        Ok(data) => Ok(data.len()),
        Err(error) => Err(CorpusError::io("read", file)(error)),
    };
    let file = PathBuf::from(outline.part_file(part));
    let steps_bytes = outline.has_steps.then(|| size(&Path::new(STEPS_FOLDER).join(steps_name(part)))).transpose()?;
    Ok(PartDone { bytes: size(&file)?, file, place: outline.place(part), steps_bytes, seconds })
}

/// Parts that are written one after the other.
struct Writing<'a> {
    production: &'a Production<'a>,
    folder: &'a Path,
    job: &'a Job<'a>,
    open: Option<OpenPart>,
    /// A row was not made, because the work was stopped.
    is_stopped: bool,
    /// When the last part was completed.
    began: Instant,
    written: Vec<PartDone>,
    rows_skipped: u64,
    rows_unsettled: u64,
}

struct OpenPart {
    writer: PartWriter,
    /// The items of which it got a row, or none because the item cannot be used.
    items: u64,
}

impl<'a> Writing<'a> {
    fn new(production: &'a Production<'a>, folder: &'a Path, job: &'a Job<'a>) -> Writing<'a> {
        let began = Instant::now();
        Writing {
            production,
            folder,
            job,
            open: None,
            is_stopped: false,
            began,
            written: Vec::new(),
            rows_skipped: 0,
            rows_unsettled: 0,
        }
    }

    /// Writes what was made of an item, whose number says to which part it belongs. The part before is complete then.
    fn take(&mut self, row: u64, made: Made) -> Result<()> {
        let Production { outline, outside, on_error, .. } = *self.production;
        if self.is_stopped {
            return Ok(());
        }
        let made = on_error.sort(made, self.job.progress)?;
        // None is a row that was skipped; None inside of it is the end after a stop.
        if matches!(made, Some(None)) {
            self.is_stopped = true;
            return Ok(());
        }
        let part = row / outline.part_rows;
        if self.open.as_ref().is_none_or(|open| open.writer.place.part != part) {
            self.close()?;
            if part >= outline.parts() {
                return Err(self.input_changed());
            }
            let writer = PartWriter::create(self.folder, outline, part, outside)?;
            self.open = Some(OpenPart { writer, items: 0 });
        }
        let Some(open) = &mut self.open else { return Ok(()) };
        open.items += 1;
        match made.flatten() {
            Some(row) => {
                self.rows_unsettled += u64::from(row.is_unsettled());
                open.writer.write(*row)
            }
            None => {
                self.rows_skipped += 1;
                Ok(())
            }
        }
    }

    /// Completes the open part, unless the work was stopped: then a part of it is missing.
    fn end(&mut self, ended: bool) -> Result<()> {
        if ended && !self.is_stopped {
            return self.close();
        }
        self.open = None;
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        let Some(OpenPart { writer, items }) = self.open.take() else { return Ok(()) };
        let place = writer.place;
        if items != place.rows {
            return Err(self.input_changed());
        }
        writer.finish()?;
        let done = part_done(self.folder, self.production.outline, place.part, self.began.elapsed().as_secs_f64())?;
        self.job.progress.part(&done);
        self.written.push(done);
        self.began = Instant::now();
        Ok(())
    }

    fn summary(self) -> RunSummary {
        RunSummary {
            parts_made: self.written.len() as u64,
            rows_made: self.written.iter().map(|part| part.place.rows).sum(),
            bytes_made: self.written.iter().map(|part| part.bytes).sum(),
            rows_skipped: self.rows_skipped,
            rows_unsettled: self.rows_unsettled,
            ..RunSummary::default()
        }
    }

    /// The error of an input that has more or fewer rows than at the beginning.
    fn input_changed(&self) -> CorpusError {
        CorpusError::file(self.folder, "the input was changed while it was read; the parts before are complete")
    }
}
