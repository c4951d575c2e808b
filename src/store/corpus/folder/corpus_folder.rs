//! Opens the folder of a corpus: its files and its locks.
//!
//! ```text
//!   corpus/
//!     recipe.toml            the canonical recipe
//!     bases.txt              its bases, if it has any
//!     stock.jsonl            the finds of its stock, if it is one
//!     manifest.jsonl         which parts there are
//!     part-000000.parquet ...
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
use super::manifest::{self, Entry, Header, Manifest, Parts};
use super::part::{self, State};
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
pub(crate) struct Folder {
    pub path: PathBuf,
    /// True if no other process can be working here.
    alone: bool,
    _lock: File,
}

impl Folder {
    /// Creates the folder if needed and takes its lock: exclusively if `alone`, otherwise shared. Then removes
    /// temporary files of dead processes.
    pub(crate) fn open(path: &Path, alone: bool) -> Result<Folder> {
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
    pub(crate) fn claim(&self, recipe: &Recipe) -> Result<Parts> {
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
            let metadata = Metadata::of_file(&self.path.join(recipe.part_name(part)));
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

    /// The good ones of the wanted parts, and the number of parts with a line whose files are damaged. All parts that
    /// are not good are to be made, also one without a line: there is no other way to know that each of its bytes is
    /// right. After a stop, the rest is not read.
    ///
    /// # Errors
    /// A file cannot be read; a file is a part of another corpus.
    pub(crate) fn good_parts(
        &self,
        recipe: &Recipe,
        lines: &Parts,
        wanted: &Range<u64>,
        stop: &StopFlag,
    ) -> Result<(Parts, u64)> {
        let there = parts_in(&self.path, recipe, wanted)?;
        let judge = |&part: &u64| {
            let path = self.path.join(recipe.part_name(part));
            match if stop.is_set() {
                State::Missing
            } else {
                part::judge(&path, recipe, part, lines.get(&part), false)?
            } {
                State::Good(line) => Ok((Some((part, line)), false)),
                State::Foreign(difference) => Err(CorpusError::OtherRecipe { path, difference }),
                State::Damaged(_) => Ok((None, lines.contains_key(&part))),
                State::Missing | State::Unlisted => Ok((None, false)),
            }
        };
        let there: Vec<u64> = there.into_iter().collect();
        let judged: Vec<(Option<(u64, Entry)>, bool)> = there.par_iter().map(judge).collect::<Result<_>>()?;
        let damaged = judged.iter().filter(|(_, damaged)| *damaged).count() as u64;
        Ok((judged.into_iter().filter_map(|(good, _)| good).collect(), damaged))
    }

    /// Ends a run, and returns the number of parts. The manifest is rewritten, without the lines of missing parts, if
    /// the corpus is complete or no other process works here. Otherwise lines were only appended to it, which takes the
    /// same time for a manifest of any length.
    pub(crate) fn settle(&self, recipe: &Recipe) -> Result<u64> {
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
    pub(crate) fn rewrite<T>(&self, recipe: &Recipe, change: impl FnOnce(&mut Parts) -> Result<T>) -> Result<T> {
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
pub(crate) fn check_header(folder: &Path, header: &Header, recipe: &Recipe) -> Result<()> {
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
pub(crate) fn parts_in(folder: &Path, recipe: &Recipe, wanted: &Range<u64>) -> Result<BTreeSet<u64>> {
    let mut parts = BTreeSet::new();
    for file in files_in(folder)? {
        let part = part::part_of(&file, recipe).filter(|part| wanted.contains(part) && *part < recipe.parts());
        match part.map(|_| fs::metadata(&file)) {
            // A link that leads nowhere.
            Some(Err(error)) if error.kind() == ErrorKind::NotFound => {}
            Some(Err(error)) => return Err(CorpusError::io("open", &file)(error)),
            _ => parts.extend(part),
        }
    }
    Ok(parts)
}

/// The files of all parts in a folder, in the order of the parts.
pub fn part_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let ends = [PartFormat::Parquet, PartFormat::CsvZst].map(|format| format.file_format().suffix());
    let mut files = files_in(folder)?;
    files.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("part-") && ends.iter().any(|end| name.ends_with(end))
    });
    files.sort_by_key(|path| part::number(path));
    if files.is_empty() {
        let below = fs::read_dir(folder).into_iter().flatten().flatten();
        let keyed = below.into_iter().any(|entry| entry.file_name().to_str().is_some_and(|name| name.contains('=')));
        let earlier =
            "its parts lie in folders named key=value, as earlier versions made them; move them into this folder";
        return Err(if keyed {
            CorpusError::file(folder, earlier)
        } else {
            CorpusError::no_corpus(folder, "part-000000")
        });
    }
    for path in &files {
        if !fs::metadata(path).map_err(CorpusError::io("open", path))?.is_file() {
            return Err(CorpusError::file(path, "not an ordinary file"));
        }
    }
    Ok(files)
}
