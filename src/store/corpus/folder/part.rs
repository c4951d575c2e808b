//! One part of a corpus: writing it, and checking an existing one.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::manifest::Entry;
use crate::corpus::files::atomic::{FileSum, create_folder, folder_of};
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
pub struct PartWriter {
    place: PartPlace,
    sink: RowSink,
}

impl PartWriter {
    /// Begins a part of a corpus in its folder.
    pub fn create(folder: &Path, recipe: &Recipe, part: u64) -> Result<PartWriter> {
        let target = folder.join(recipe.part_path(part));
        let parent = folder_of(&target);
        create_folder(parent).map_err(CorpusError::io("create the folder", parent))?;
        let place = recipe.place(part);
        let metadata = recipe.metadata(place);
        let mut sink = RowSink::of(Output::file(&target)?, recipe.format.file_format(), &metadata, &[])?;
        if recipe.analysis.steps.is_some() {
            let steps = Output::file(&steps_path(&target))?;
            sink = sink.with_steps(StepSink::of(steps, StepFormat::Parquet, &metadata)?);
        }
        Ok(PartWriter { place, sink })
    }

    pub fn write(&mut self, records: Vec<Record>) -> Result<()> {
        records.into_iter().try_for_each(|record| self.sink.write(record))
    }

    /// Gives the file of steps its name, and then the part. All rows of the part must have been written.
    pub fn finish(self) -> Result<Entry> {
        debug_assert_eq!(self.sink.rows(), self.place.rows, "part {}", self.place.part);
        let mut sums = self.sink.seal()?.published()?;
        let rows = sums.pop().unwrap_or_else(|| unreachable!("the file of a part"));
        Ok(Entry::new(self.place, rows, sums.pop()))
    }
}

/// Why a file is not the part that its name says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    Damaged(String),
    /// It is complete but belongs to another corpus. The text gives the first key that differs.
    Foreign(String),
}

/// Compares a file with the line of its part in the manifest. Returns the difference.
pub fn differs(path: &Path, line: &Entry) -> Result<Option<String>> {
    let bytes = fs::metadata(path).map_err(CorpusError::io("open", path))?.len();
    if bytes != line.bytes {
        return Ok(Some(format!("it has {bytes} bytes, but the manifest says {}", line.bytes)));
    }
    let blake3 = sum(path)?.blake3;
    let reason = || format!("its checksum is {blake3}, but the manifest says {}", line.blake3);
    Ok((blake3 != line.blake3).then(reason))
}

/// Checks the file of a part of a recipe, and returns its line in the manifest. `line` is none if the manifest has no such
/// line. With `any_version`, the part may have been made by another version of the program.
///
/// A part without a line was made by a process that died before it wrote the line, or on another machine. There is no
/// checksum, so all its rows are made again, and its bytes must be those that these rows give. This takes as long as making
/// the part, and nothing damaged is adopted.
///
/// # Errors
/// The system cannot read a file or lacks threads: then nothing is known about the part. A [`Fault`] is what a file shows that
/// was read.
pub fn inspect(
    path: &Path,
    recipe: &Recipe,
    part: u64,
    line: Option<&Entry>,
    any_version: bool,
) -> Result<Result<Entry, Fault>> {
    let damaged = |reason: &str| Ok(Err(Fault::Damaged(reason.to_owned())));
    if let Some(reason) = line.map_or(Ok(None), |line| differs(path, line))? {
        return damaged(&reason);
    }
    let metadata = match Metadata::of_file(path) {
        Err(CorpusError::File { reason, .. }) => return damaged(&reason),
        metadata => metadata?,
    };
    let Some(metadata) = metadata else { return damaged("it has no metadata of this program") };
    let place = recipe.place(part);
    let ours = recipe.metadata(place);
    let same_part = || (&metadata.recipe, &metadata.part) == (&ours.recipe, &ours.part);
    if metadata != ours && !(any_version && same_part()) {
        return Ok(Err(Fault::Foreign(difference(&recipe.canonical(), &metadata.recipe.unwrap_or_default()))));
    }
    if !steps_are_good(path, recipe, line)? {
        return damaged("its file of steps is missing or differs from the manifest");
    }
    if let Some(line) = line {
        return Ok(Ok(line.clone()));
    }
    let there = sum(path)?;
    if made_again(recipe, place, &ours)? != there {
        return damaged("its bytes are not those of the part that the recipe gives");
    }
    Ok(Ok(Entry::new(place, there, None)))
}

/// The first difference if a file is a part of another corpus. None if it is our part, or damaged.
pub fn foreign(path: &Path, recipe: &Recipe, part: u64) -> Result<Option<String>> {
    match Metadata::of_file(path) {
        Err(CorpusError::File { .. }) | Ok(None) => Ok(None),
        metadata => {
            let theirs = metadata?.filter(|theirs| *theirs != recipe.metadata(recipe.place(part)));
            Ok(theirs.map(|theirs| difference(&recipe.canonical(), &theirs.recipe.unwrap_or_default())))
        }
    }
}

/// Size and checksum of a part, made from the recipe alone.
fn made_again(recipe: &Recipe, place: PartPlace, metadata: &Metadata) -> Result<FileSum> {
    let failed = |error| CorpusError::io("make", Path::new(&recipe.part_name(place.part)))(error);
    let mut hash = blake3::Hasher::new();
    let mut encoder = Encoder::new(recipe.format.file_format(), &mut hash, metadata, &[]).map_err(failed)?;
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
pub fn steps_path(part: &Path) -> PathBuf {
    part.with_file_name(format!("steps-{}.parquet", digits(part).unwrap_or_default()))
}

fn digits(part: &Path) -> Option<&str> {
    part.file_name()?.to_str()?.strip_prefix("part-")?.split('.').next()
}

/// The number of a part, from the name of its file, such as `part-000012.parquet`.
pub fn number(part: &Path) -> Option<u64> {
    digits(part)?.parse().ok()
}

/// The number of a part of this recipe, from the name of its file.
pub fn part_of(file: &Path, recipe: &Recipe) -> Option<u64> {
    number(file).filter(|number| file.file_name().is_some_and(|name| name == &*recipe.part_name(*number)))
}

/// True if the steps of a part agree with its line in the manifest, or if the recipe wants no steps. Without a line,
/// steps cannot be checked, and the result is false.
///
/// # Errors
/// The system cannot read the file.
pub fn steps_are_good(part: &Path, recipe: &Recipe, line: Option<&Entry>) -> Result<bool> {
    if recipe.analysis.steps.is_none() {
        return Ok(true);
    }
    let Some(said) = line.and_then(|line| line.steps.as_ref()) else { return Ok(false) };
    match sum(&steps_path(part)) {
        Err(CorpusError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(false),
        there => Ok(there? == *said),
    }
}

fn sum(path: &Path) -> Result<FileSum> {
    let mut hash = blake3::Hasher::new();
    let file = fs::File::open(path).map_err(CorpusError::io("open", path))?;
    hash.update_reader(file).map_err(CorpusError::io("read", path))?;
    Ok(FileSum::of(&hash))
}
