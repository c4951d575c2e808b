//! One part of a corpus: writing it, and checking an existing one.

use std::fs;
use std::path::{Path, PathBuf};

use super::atomic::{AtomicFile, create_folder, folder_of};
use super::encode::Encoder;
use super::error::{CorpusError, Result};
use super::manifest::{Entry, FileSum};
use super::metadata::{Metadata, PartPlace};
use super::recipe::{Recipe, difference};
use super::record::Record;
use super::row_checks::first_wrong_row;
use super::steps::StepSink;

/// A part that is being written. Dropping it removes the file.
pub struct PartWriter {
    place: PartPlace,
    rows: u64,
    file: AtomicFile,
    encoder: Encoder<super::atomic::Shared>,
    steps: Option<StepSink>,
}

impl PartWriter {
    /// Begins a part of a corpus in its folder.
    ///
    /// # Errors
    /// The system reports an error.
    pub fn create(folder: &Path, recipe: &Recipe, part: u64) -> Result<PartWriter> {
        let target = folder.join(recipe.part_path(part));
        let parent = folder_of(&target);
        if parent != folder {
            create_folder(parent).map_err(CorpusError::io("create the folder", parent))?;
        }
        let place = recipe.place(part);
        let metadata = recipe.metadata(place);
        let file = AtomicFile::create(&target).map_err(CorpusError::io("write", &target))?;
        let encoder = Encoder::new(recipe.format.file_format(), file.writer(), &metadata);
        let encoder = encoder.map_err(CorpusError::io("write", &target))?;
        let steps =
            recipe.analysis.steps.map(|_| StepSink::create_with(&steps_path(&target), &metadata)).transpose()?;
        Ok(PartWriter { place, rows: 0, file, encoder, steps })
    }

    /// Writes the next rows.
    ///
    /// # Errors
    /// The system reports an error, such as a full disk.
    pub fn write(&mut self, records: Vec<Record>) -> Result<()> {
        self.rows += records.len() as u64;
        for mut record in records {
            self.steps.as_mut().map_or(Ok(()), |steps| steps.write(&mut record))?;
            self.encoder.write(record).map_err(CorpusError::io("write", self.file.target()))?;
        }
        Ok(())
    }

    /// Gives the file of steps its name, and then the part. All rows of the part must have been written.
    ///
    /// # Errors
    /// The system reports an error.
    pub fn finish(self) -> Result<Entry> {
        let PartPlace { part, first_row, rows } = self.place;
        debug_assert_eq!(self.rows, rows, "part {part}");
        let target = self.file.target().to_owned();
        self.encoder.finish().map_err(CorpusError::io("write", &target))?;
        let steps = self.steps.map(|steps| steps.finish().and_then(|_| sum(&steps_path(&target)))).transpose()?;
        let written = self.file.finish().map_err(CorpusError::io("write", &target))?;
        Ok(Entry { part, first_row, rows, bytes: written.bytes, blake3: written.blake3, steps })
    }
}

/// Why a file is not the part that its name says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is damaged.
    Damaged(String),
    /// It is complete but belongs to another corpus. The text gives the first key that differs.
    Foreign(String),
}

/// Compares a file with the line of its part in the manifest, and returns the line. `line` is none if the manifest has
/// no such line.
///
/// A part without a line was made by a process that died before it wrote the line, or on another machine. There is no
/// checksum, so all its rows are read, and the first and the last are made again. This finds data that cannot be
/// decoded and rows that are not puzzles. It does not find a flipped bit that turns one score into another; only a
/// checksum or `verify` does.
///
/// # Errors
/// The system reports an error. Problems of the file are a [`Fault`].
pub fn inspect(path: &Path, recipe: &Recipe, part: u64, line: Option<&Entry>) -> Result<Result<Entry, Fault>> {
    let damaged = |reason: String| Ok(Err(Fault::Damaged(reason)));
    let (bytes, blake3) = checksum(path)?;
    match line {
        Some(line) if line.bytes != bytes => {
            return damaged(format!("it has {bytes} bytes, but the manifest says {}", line.bytes));
        }
        Some(line) if line.blake3 != blake3 => {
            return damaged(format!("its checksum is {blake3}, but the manifest says {}", line.blake3));
        }
        _ => {}
    }
    let metadata = match Metadata::read(path, recipe.format) {
        Err(CorpusError::File { reason, .. }) => return damaged(reason),
        metadata => metadata?,
    };
    let Some(metadata) = metadata else { return damaged("it has no metadata of this program".to_owned()) };
    let place = recipe.place(part);
    if metadata != recipe.metadata(place) {
        return Ok(Err(Fault::Foreign(difference(&recipe.canonical(), &metadata.recipe.unwrap_or_default()))));
    }
    if !steps_are_good(path, recipe, line) {
        return damaged("its file of steps is missing or differs from the manifest".to_owned());
    }
    let steps = line.and_then(|line| line.steps.clone());
    let entry = Entry { part, first_row: place.first_row, rows: place.rows, bytes, blake3, steps };
    if line.is_none()
        && let Some(reason) = first_wrong_row(recipe, &entry, path)?
    {
        return damaged(reason);
    }
    Ok(Ok(entry))
}

/// The file of steps that belongs to the file of a part.
pub fn steps_path(part: &Path) -> PathBuf {
    let name = part.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let number = name.trim_start_matches("part-").split('.').next().unwrap_or_default();
    part.with_file_name(format!("steps-{number}.parquet"))
}

/// True if the steps of a part agree with its line in the manifest, or if the recipe wants no steps. Without a line,
/// steps cannot be checked, and the result is false.
pub fn steps_are_good(part: &Path, recipe: &Recipe, line: Option<&Entry>) -> bool {
    let there = || sum(&steps_path(part)).ok();
    recipe.analysis.steps.is_none() || line.is_some_and(|line| line.steps.is_some() && line.steps == there())
}

fn sum(path: &Path) -> Result<FileSum> {
    checksum(path).map(|(bytes, blake3)| FileSum { bytes, blake3 })
}

/// Size and BLAKE3 of a file.
///
/// # Errors
/// The system reports an error.
pub fn checksum(path: &Path) -> Result<(u64, String)> {
    let mut hash = blake3::Hasher::new();
    let file = fs::File::open(path).map_err(CorpusError::io("open", path))?;
    hash.update_reader(file).map_err(CorpusError::io("read", path))?;
    Ok((hash.count(), hash.finalize().to_hex().to_string()))
}

/// The number of a part of this recipe, from a file name such as `part-000012.parquet`.
pub fn part_of_name(name: &str, recipe: &Recipe) -> Option<u64> {
    let number = name.strip_prefix("part-")?.split('.').next()?.parse().ok()?;
    (recipe.part_name(number) == name).then_some(number)
}
