//! Writes one part of a corpus, and checks an existing one.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::manifest::Entry;
use super::unfinished::name_of;
use crate::corpus::files::atomic::FileSum;
use crate::corpus::files::encode::Encoder;
use crate::corpus::files::metadata::{Metadata, PartPlace};
use crate::corpus::files::output::Output;
use crate::corpus::files::progress::StopFlag;
use crate::corpus::files::sink::RowSink;
use crate::corpus::files::step_sink::StepSink;
use crate::corpus::files::workers::Workers;
use crate::corpus::request::recipe::{Recipe, difference};
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::record::Record;
use crate::corpus::values::steps::StepFormat;

/// A part that is being written. Dropping it removes the file.
pub(crate) struct PartWriter {
    place: PartPlace,
    sink: RowSink,
}

impl PartWriter {
    /// Begins a part of a corpus in its folder.
    pub(crate) fn create(folder: &Path, recipe: &Recipe, part: u64) -> Result<PartWriter> {
        let target = folder.join(recipe.part_name(part));
        let place = recipe.place(part);
        let metadata = recipe.metadata(place);
        let mut sink = RowSink::of(Output::file(&target)?, recipe.format.file_format(), &metadata, &[])?;
        if recipe.analysis.steps.is_some() {
            let steps = Output::file(&steps_path(&target))?;
            sink = sink.with_steps(StepSink::of(steps, StepFormat::Parquet, &metadata)?);
        }
        Ok(PartWriter { place, sink })
    }

    /// Keeps the rows of a part that is not complete in a file for the next run, without steps. None without rows.
    pub(crate) fn keep(self, folder: &Path, recipe: &Recipe) -> Result<Option<PathBuf>> {
        if self.sink.rows() == 0 {
            return Ok(None);
        }
        let rows = self.sink.without_steps().seal()?;
        let path = folder.join(name_of(recipe, self.place.part, rows.blake3().unwrap_or_default()));
        rows.renamed(|_| path.clone()).publish()?;
        Ok(Some(path))
    }

    pub(crate) fn write(&mut self, record: Record) -> Result<()> {
        self.sink.write(record)
    }

    pub(crate) fn rows(&self) -> u64 {
        self.sink.rows()
    }

    /// Gives the file of steps its name, and then the part. All rows of the part must have been written.
    pub(crate) fn finish(self) -> Result<Entry> {
        debug_assert_eq!(self.sink.rows(), self.place.rows, "part {}", self.place.part);
        let mut sums = self.sink.seal()?.published()?;
        let rows = sums.pop().unwrap_or_else(|| unreachable!("the file of a part"));
        Ok(Entry::new(self.place, rows, sums.pop()))
    }
}

/// What is known about the file of a part after it was read. An error of the system is none of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Its bytes are those of its line in the manifest.
    Good(Entry),
    /// It is a whole part of this corpus, but no line says what its bytes must be. It was made by a process that died
    /// before it wrote the line, or on another machine.
    Unlisted,
    Missing,
    Damaged(String),
    /// The part is complete but belongs to another corpus. The text gives the first key that differs.
    Foreign(String),
}

/// Compares a file with the line of its part in the manifest. Returns the difference.
///
/// # Errors
/// The system cannot read the file.
pub(crate) fn differs(path: &Path, line: &Entry) -> Result<Option<String>> {
    let bytes = fs::metadata(path).map_err(CorpusError::io("open", path))?.len();
    if bytes != line.bytes {
        return Ok(Some(format!("it has {bytes} bytes, but the manifest says {}", line.bytes)));
    }
    let blake3 = sum(path)?.blake3;
    let reason = || format!("its checksum is {blake3}, but the manifest says {}", line.blake3);
    Ok((blake3 != line.blake3).then(reason))
}

/// Judges the file of a part. Runs, checks and merges ask nobody else. With `any_version`, the part may have been made
/// by another version of the program.
///
/// # Errors
/// The system cannot read a file: then nothing is known about the part.
pub(crate) fn judge(path: &Path, recipe: &Recipe, part: u64, line: Option<&Entry>, any_version: bool) -> Result<State> {
    let damaged = |reason: &str| Ok(State::Damaged(reason.to_owned()));
    let data = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(State::Missing),
        data => data.map_err(CorpusError::io("open", path))?,
    };
    if !data.is_file() {
        // Opening a pipe would wait for a writer.
        return damaged("not an ordinary file");
    }
    if let Some(reason) = line.map_or(Ok(None), |line| differs(path, line))? {
        return damaged(&reason);
    }
    let metadata = match Metadata::of_file(path) {
        Err(CorpusError::File { reason, .. }) => return damaged(&reason),
        metadata => metadata?,
    };
    let Some(metadata) = metadata else { return damaged("it has no metadata of this program") };
    let ours = recipe.metadata(recipe.place(part));
    let same_part = || (&metadata.recipe, &metadata.part) == (&ours.recipe, &ours.part);
    if metadata != ours && !(any_version && same_part()) {
        return Ok(State::Foreign(difference(&recipe.canonical(), &metadata.recipe.unwrap_or_default())));
    }
    let Some(line) = line else { return Ok(State::Unlisted) };
    if recipe.analysis.steps.is_some() && !has_steps(path, line)? {
        return damaged("its file of steps is missing or differs from the manifest");
    }
    Ok(State::Good(line.clone()))
}

/// Judges a part without a line: all its rows are made again, and its bytes must be those that these rows give. This
/// takes as long as making the part, and nothing damaged is adopted.
///
/// # Errors
/// The system cannot read the file; a row cannot be made.
pub(crate) fn judge_unlisted(path: &Path, recipe: &Recipe, part: u64) -> Result<State> {
    if recipe.analysis.steps.is_some() {
        return Ok(State::Damaged("without a line in a manifest, its file of steps cannot be checked".to_owned()));
    }
    let place = recipe.place(part);
    let there = sum(path)?;
    if made_again(recipe, place)? != there {
        return Ok(State::Damaged("its bytes are not those of the part that the recipe gives".to_owned()));
    }
    Ok(State::Good(Entry::new(place, there, None)))
}

/// Size and checksum of a part, made from the recipe alone.
fn made_again(recipe: &Recipe, place: PartPlace) -> Result<FileSum> {
    let failed = |error| CorpusError::io("make", Path::new(&recipe.part_name(place.part)))(error);
    let mut hash = blake3::Hasher::new();
    let metadata = recipe.metadata(place);
    let mut encoder = Encoder::new(recipe.format.file_format(), &mut hash, &metadata, &[]).map_err(failed)?;
    let rows = place.first_row..place.first_row + place.rows;
    Workers::here().run(
        rows,
        &StopFlag::new(),
        |index| recipe.make(index),
        |made| made.into_iter().try_for_each(|row| encoder.write(row?).map_err(failed)),
    )?;
    encoder.finish().map_err(failed)?;
    Ok(FileSum::of(&hash))
}

/// The file of steps that belongs to the file of a part.
pub(crate) fn steps_path(part: &Path) -> PathBuf {
    part.with_file_name(format!("steps-{}.parquet", digits(part).unwrap_or_default()))
}

/// The digits of the number in the name of a part.
fn digits(part: &Path) -> Option<&str> {
    part.file_name()?.to_str()?.strip_prefix("part-")?.split('.').next()
}

/// The number of a part, from the name of its file, such as `part-000012.parquet`.
pub(crate) fn number(part: &Path) -> Option<u64> {
    digits(part)?.parse().ok()
}

/// The number of a part of this recipe, from the name of its file.
pub(crate) fn part_of(file: &Path, recipe: &Recipe) -> Option<u64> {
    number(file).filter(|number| file.file_name().is_some_and(|name| name == &*recipe.part_name(*number)))
}

/// True if the steps of a part agree with its line in the manifest.
fn has_steps(part: &Path, line: &Entry) -> Result<bool> {
    match sum(&steps_path(part)) {
        Err(CorpusError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(false),
        there => Ok(line.steps == Some(there?)),
    }
}

fn sum(path: &Path) -> Result<FileSum> {
    FileSum::of_file(path).map_err(CorpusError::io("read", path))
}
