//! One part of a corpus: a file that is written whole, and what can be asked of one that is there.

use std::fs;
use std::path::Path;

use super::atomic::AtomicFile;
use super::encode::Encoder;
use super::error::{CorpusError, Result};
use super::manifest::Entry;
use super::metadata::{Metadata, PartPlace};
use super::recipe::{Recipe, difference};
use super::record::Record;

/// A part being written. Dropping it removes what was written.
pub struct PartWriter {
    place: PartPlace,
    rows: u64,
    file: AtomicFile,
    encoder: Encoder<super::atomic::Shared>,
}

impl PartWriter {
    /// Begins a part of a corpus in its folder.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(folder: &Path, recipe: &Recipe, part: u64) -> Result<PartWriter> {
        let target = folder.join(recipe.part_name(part));
        let place = recipe.place(part);
        let metadata = Metadata::of_part(recipe, place);
        let file = AtomicFile::create(&target).map_err(CorpusError::io("write", &target))?;
        let encoder = Encoder::new(recipe.format.file_format(), file.writer(), &metadata);
        let encoder = encoder.map_err(CorpusError::io("write", &target))?;
        Ok(PartWriter { place, rows: 0, file, encoder })
    }

    /// Writes the next rows.
    ///
    /// # Errors
    /// What the system says, such as a full disk.
    pub fn write(&mut self, records: Vec<Record>) -> Result<()> {
        self.rows += records.len() as u64;
        let mut records = records.into_iter();
        records.try_for_each(|record| self.encoder.write(record)).map_err(CorpusError::io("write", self.file.target()))
    }

    /// Makes the part durable under its name. All its rows must have been written.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(self) -> Result<Entry> {
        let PartPlace { part, first_row, rows } = self.place;
        debug_assert_eq!(self.rows, rows, "part {part}");
        let target = self.file.target().to_owned();
        self.encoder.finish().map_err(CorpusError::io("write", &target))?;
        let written = self.file.finish().map_err(CorpusError::io("write", &target))?;
        Ok(Entry { part, first_row, rows, bytes: written.bytes, blake3: written.blake3 })
    }
}

/// A part that stands in the folder without a line in the manifest, made by a process that died in between or on
/// another machine: its line, if it is a whole part of this recipe; none if it cannot be read.
///
/// # Errors
/// [`CorpusError::OtherRecipe`] when it is a part of another corpus.
pub fn adopt(folder: &Path, recipe: &Recipe, part: u64) -> Result<Option<Entry>> {
    let path = folder.join(recipe.part_name(part));
    let metadata = match Metadata::read(&path, recipe.format) {
        Err(CorpusError::File { .. }) => return Ok(None),
        metadata => metadata?,
    };
    let Some(metadata) = metadata else { return Ok(None) };
    let place = recipe.place(part);
    if metadata != Metadata::of_part(recipe, place) {
        let theirs = metadata.recipe.unwrap_or_default();
        return Err(CorpusError::OtherRecipe { path, difference: difference(&recipe.canonical(), &theirs) });
    }
    let (bytes, blake3) = checksum(&path)?;
    Ok(Some(Entry { part, first_row: place.first_row, rows: place.rows, bytes, blake3 }))
}

/// Size and BLAKE3 of a file.
///
/// # Errors
/// What the system says.
pub fn checksum(path: &Path) -> Result<(u64, String)> {
    let mut hash = blake3::Hasher::new();
    let file = fs::File::open(path).map_err(CorpusError::io("open", path))?;
    hash.update_reader(file).map_err(CorpusError::io("read", path))?;
    Ok((hash.count(), hash.finalize().to_hex().to_string()))
}

/// The number of a part, from a file name such as `part-000012.parquet`.
pub fn part_of_name(name: &str, recipe: &Recipe) -> Option<u64> {
    let number = name.strip_prefix("part-")?.split('.').next()?.parse().ok()?;
    (recipe.part_name(number) == name).then_some(number)
}
