//! The folder of a corpus: its files and its locks.
//!
//! ```text
//!   corpus/
//!     recipe.toml            the canonical recipe
//!     bases.txt              its bases, if it has any
//!     stock.jsonl            the finds of its stock, if it is one
//!     manifest.jsonl         which parts there are
//!     part-000000.parquet ...   in folders below in the hive layout
//!     steps-000000.parquet ...  the steps of each part, if the recipe asks for them
//!     .lock .manifest.lock   empty; held while processes work here
//! ```
//!
//! A run of the complete corpus holds `.lock` exclusively; runs of chosen parts share it. The system releases a lock
//! when a process dies.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::layout::files_in;
use super::manifest::{self, Header, Manifest, Parts};
use super::part;
use crate::corpus::files::atomic::{clean, create_folder, has_no_locks, write_atomically};
use crate::corpus::files::format::PartFormat;
use crate::corpus::files::metadata::Metadata;
use crate::corpus::files::names::{BASES_FILE, RECIPE_FILE, STOCK_FILE};
use crate::corpus::files::progress::StopFlag;
use crate::corpus::request::recipe::{Recipe, difference};
use crate::corpus::values::error::{CorpusError, Result};

/// The file that is locked while a process works on the folder.
const LOCK_FILE: &str = ".lock";

/// A folder that this process works on.
#[derive(Debug)]
pub struct Folder {
    pub path: PathBuf,
    /// True if no other process can be working here.
    alone: bool,
    _lock: File,
}

impl Folder {
    /// Creates the folder if needed and takes its lock: exclusively if `alone`, otherwise shared. Then removes
    /// temporary files of dead processes.
    pub fn open(path: &Path, alone: bool) -> Result<Folder> {
        create_folder(path).map_err(CorpusError::io("create the folder", path))?;
        let lock_path = path.join(LOCK_FILE);
        let lock = manifest::open_lock(&lock_path).map_err(CorpusError::io("write", &lock_path))?;
        let certain = match if alone { lock.try_lock() } else { lock.try_lock_shared() } {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => {
                let what = if alone { "another run" } else { "a run of the complete corpus" };
                return Err(CorpusError::Busy { path: path.to_owned(), what });
            }
            // The file system has no locks. Parts are still complete and identical, whoever makes them.
            Err(TryLockError::Error(error)) if has_no_locks(&error) => false,
            Err(TryLockError::Error(error)) => return Err(CorpusError::io("lock", &lock_path)(error)),
        };
        clean(path).map_err(CorpusError::io("read the folder", path))?;
        Ok(Folder { path: path.to_owned(), alone: alone && certain, _lock: lock })
    }

    /// Makes this the folder of a recipe: reads or begins the manifest, and writes the recipe beside it. Returns the
    /// parts that the manifest lists.
    pub fn claim(&self, recipe: &Recipe) -> Result<Parts> {
        let _guard = manifest::guard(&self.path)?;
        let mut manifest = Manifest::new(recipe);
        if let Some((header, parts, _)) = Manifest::salvage(&self.path)? {
            manifest.parts = parts;
            manifest.parts.retain(|&part, line| part < recipe.parts() && line.is_at(recipe.place(part)));
            match header {
                Ok(header) if header == manifest.header => {
                    self.write_missing(recipe)?;
                    return Ok(manifest.parts);
                }
                Ok(header) if !self.belongs_to(recipe)? => check_header(&self.path, &header, recipe)?,
                // The header is damaged, or no part was made yet. The recipe and the parts replace it.
                Ok(_) | Err(_) => {}
            }
        }
        let recipe_path = self.path.join(RECIPE_FILE);
        match fs::read_to_string(&recipe_path) {
            Ok(there) if there != recipe.canonical() => return Err(other_recipe(&self.path, recipe, &there)),
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(CorpusError::io("read", &recipe_path)(error));
            }
            _ => {}
        }
        self.write_missing(recipe)?;
        manifest.write(&self.path)?;
        Ok(manifest.parts)
    }

    /// True if the recipe in the folder and the metadata of the first part belong to this recipe and version, whatever
    /// the manifest says.
    fn belongs_to(&self, recipe: &Recipe) -> Result<bool> {
        let same = fs::read(self.path.join(RECIPE_FILE)).is_ok_and(|text| text == recipe.canonical().as_bytes());
        let is_ours = |&part: &u64| {
            let metadata = Metadata::of_file(&self.path.join(recipe.part_path(part)));
            metadata.is_ok_and(|metadata| metadata == Some(recipe.metadata(recipe.place(part))))
        };
        Ok(same && parts_in(&self.path, recipe, &(0..recipe.parts()))?.first().is_none_or(is_ours))
    }

    /// Writes the recipe, its bases and its finds if they are missing or have other contents.
    fn write_missing(&self, recipe: &Recipe) -> Result<()> {
        let bases = recipe.bases.as_ref().map(|bases| (BASES_FILE, bases.lines.to_string()));
        let found = recipe.stock.as_ref().and_then(|stock| stock.found.as_ref());
        let found = found.map(|found| (STOCK_FILE, found.lines.to_string()));
        for (name, text) in [Some((RECIPE_FILE, recipe.canonical())), bases, found].into_iter().flatten() {
            let path = self.path.join(name);
            if !fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
                write_atomically(&path, text.as_bytes()).map_err(CorpusError::io("write", &path))?;
            }
        }
        Ok(())
    }

    /// Makes the list of parts agree with the files among the `wanted` parts. A part loses its line, and is made again, if it is
    /// missing, if it has another size or checksum, or if its file of steps is not good. A part without a line is made again
    /// too: there is no other way to know that each of its bytes is right. Returns the number of parts with a line that are
    /// damaged. After a stop, the rest is not read.
    ///
    /// # Errors
    /// A file cannot be read; a file is a part of another corpus.
    pub fn reconcile(&self, recipe: &Recipe, parts: &mut Parts, wanted: &Range<u64>, stop: &StopFlag) -> Result<u64> {
        self.clean_below(recipe, wanted)?;
        let there = parts_in(&self.path, recipe, wanted)?;
        let path = |part| self.path.join(recipe.part_path(part));
        parts.retain(|part, _| !wanted.contains(part) || there.contains(part));
        let lines: Vec<_> = parts.range(wanted.clone()).collect();
        let is_damaged = |(part, line): &(&u64, &manifest::Entry)| {
            let path = path(**part);
            if stop.is_set() {
                return Ok(None);
            }
            let good = part::differs(&path, line)?.is_none() && part::steps_are_good(&path, recipe, Some(line))?;
            Ok((!good).then_some(**part))
        };
        let judged: Vec<Option<u64>> = lines.par_iter().map(is_damaged).collect::<Result<_>>()?;
        let damaged: BTreeSet<u64> = judged.into_iter().flatten().collect();
        parts.retain(|part, _| !damaged.contains(part));
        for part in there.into_iter().filter(|part| !parts.contains_key(part)) {
            if let Some(difference) = part::foreign(&path(part), recipe, part)? {
                return Err(CorpusError::OtherRecipe { path: path(part), difference });
            }
        }
        Ok(damaged.len() as u64)
    }

    /// Removes temporary files of dead runs from the folders of some parts below this one.
    pub fn clean_below(&self, recipe: &Recipe, parts: &Range<u64>) -> Result<()> {
        let below = recipe.part_folders(&self.path, parts).map_err(CorpusError::io("read the folder", &self.path))?;
        for folder in below.iter().filter(|below| **below != Path::new("")).map(|below| self.path.join(below)) {
            clean(&folder).map_err(CorpusError::io("read the folder", &folder))?;
        }
        Ok(())
    }

    /// Ends a run, and returns the number of parts. The manifest is rewritten, without the lines of missing parts, if the
    /// corpus is complete or no other process works here. Otherwise lines were only appended to it, which takes the same
    /// time for a manifest of any length.
    pub fn settle(&self, recipe: &Recipe) -> Result<u64> {
        let listed = Manifest::read(&self.path)?.map_or(0, |manifest| manifest.parts.len() as u64);
        if !self.alone && listed < recipe.parts() {
            return Ok(listed);
        }
        self.rewrite(recipe, |parts| {
            let there = parts_in(&self.path, recipe, &(0..recipe.parts()))?;
            parts.retain(|part, _| there.contains(part));
            Ok(parts.len() as u64)
        })
    }

    /// Rewrites the manifest with a change of its lines, among them those that others appended since it was read.
    pub fn rewrite<T>(&self, recipe: &Recipe, change: impl FnOnce(&mut Parts) -> Result<T>) -> Result<T> {
        let _guard = manifest::guard(&self.path)?;
        let mut manifest = Manifest::read(&self.path)?.unwrap_or_else(|| Manifest::new(recipe));
        let changed = change(&mut manifest.parts)?;
        manifest.write(&self.path)?;
        Ok(changed)
    }
}

/// The error about a folder with another recipe, whose text is `there`.
fn other_recipe(folder: &Path, recipe: &Recipe, there: &str) -> CorpusError {
    CorpusError::OtherRecipe { path: folder.to_owned(), difference: difference(&recipe.canonical(), there) }
}

/// Checks that the manifest of a folder is of this recipe and version.
pub fn check_header(folder: &Path, header: &Header, recipe: &Recipe) -> Result<()> {
    let ours = Header::of(recipe);
    if *header == ours {
        Ok(())
    } else if header.fingerprint == ours.fingerprint {
        let difference = format!("made by version {}, this is {}", header.program_version, ours.program_version);
        Err(CorpusError::OtherRecipe { path: folder.to_owned(), difference })
    } else {
        Err(other_recipe(folder, recipe, &fs::read_to_string(folder.join(RECIPE_FILE)).unwrap_or_default()))
    }
}

/// The wanted parts that exist in a folder.
pub fn parts_in(folder: &Path, recipe: &Recipe, wanted: &Range<u64>) -> Result<BTreeSet<u64>> {
    let mut parts = BTreeSet::new();
    for below in recipe.part_folders(folder, wanted).map_err(CorpusError::io("read the folder", folder))? {
        let place = folder.join(&below);
        let entries = match fs::read_dir(&place) {
            Err(error) if error.kind() == ErrorKind::NotFound && below != Path::new("") => continue,
            entries => entries.map_err(CorpusError::io("read the folder", &place))?,
        };
        for entry in entries {
            let entry = entry.map_err(CorpusError::io("read the folder", &place))?;
            let path = entry.path();
            let part = part::part_of(&path, recipe).filter(|part| wanted.contains(part));
            let part = part.filter(|&part| folder.join(recipe.part_path(part)) == path);
            // Opening a pipe would wait for a writer.
            let Some(part) = part else { continue };
            match fs::metadata(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                data => parts.extend(data.map_err(CorpusError::io("open", &path))?.is_file().then_some(part)),
            }
        }
    }
    parts.retain(|part| *part < recipe.parts());
    Ok(parts)
}

/// The files of all parts in a folder, in any layout, sorted by name.
pub fn part_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let ends = [PartFormat::Parquet, PartFormat::CsvZst].map(|format| format.file_format().suffix());
    let mut files = files_in(folder)?;
    files.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("part-") && ends.iter().any(|end| name.ends_with(end))
    });
    if files.is_empty() {
        return Err(CorpusError::no_corpus(folder, "part-000000"));
    }
    match files.iter().find(|path| !fs::metadata(path).is_ok_and(|data| data.is_file())) {
        Some(odd) => Err(CorpusError::file(odd, "not an ordinary file")),
        None => Ok(files),
    }
}
