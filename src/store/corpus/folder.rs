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

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::atomic::{clean, create_folder, has_no_locks, write_atomically};
use super::bases::BASES_FILE;
use super::error::{CorpusError, Result};
use super::format::PartFormat;
use super::layout::files_in;
use super::manifest::{self, Entry, Header, Manifest};
use super::metadata::Metadata;
use super::part::{self, Fault};
use super::progress::StopFlag;
use super::recipe::{Recipe, difference};
use super::stock::STOCK_FILE;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// The name of the recipe in a corpus folder.
pub const RECIPE_FILE: &str = "recipe.toml";

/// The file that is locked while a process works on the folder.
pub const LOCK_FILE: &str = ".lock";

/// A folder that this process works on.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
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
        let taken = if alone { lock.try_lock() } else { lock.try_lock_shared() };
        let certain = match taken {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => {
                let what = if alone { "another run" } else { "a run of the complete corpus" };
                return Err(CorpusError::Busy { path: path.to_owned(), what });
            }
            // The file system has no locks. Parts are still complete and identical, whoever makes them.
            Err(TryLockError::Error(error)) if has_no_locks(&error) => false,
            Err(TryLockError::Error(error)) => return Err(CorpusError::io("lock", &lock_path)(error)),
        };
        let alone = alone && certain;
        clean(path).map_err(CorpusError::io("read the folder", path))?;
        Ok(Folder { path: path.to_owned(), alone, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes this the folder of a recipe: reads or begins the manifest, and writes the recipe beside it.
    pub fn claim(&self, recipe: &Recipe) -> Result<Manifest> {
        let _guard = manifest::guard(&self.path)?;
        let mut parts = BTreeMap::new();
        if let Some((header, lines, damaged)) = Manifest::salvage(&self.path)? {
            parts = lines;
            parts.retain(|&part, line| {
                let place = recipe.place(part);
                part < recipe.parts() && (line.first_row, line.rows) == (place.first_row, place.rows)
            });
            match header {
                Ok(header) if header == Header::of(recipe) => {
                    self.write_missing(recipe)?;
                    return Ok(Manifest { header, parts, damaged });
                }
                Ok(header) if !self.belongs_to(recipe)? => check_header(&self.path, &header, recipe)?,
                // The header is damaged, or no part was made yet. The recipe and the parts replace it.
                Ok(_) | Err(_) => {}
            }
        }
        let recipe_path = self.path.join(RECIPE_FILE);
        match fs::read_to_string(&recipe_path) {
            Ok(there) if there != recipe.canonical() => {
                let difference = difference(&recipe.canonical(), &there);
                Err(CorpusError::OtherRecipe { path: self.path.clone(), difference })
            }
            Ok(_) => Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(CorpusError::io("read", &recipe_path)(error)),
        }?;
        self.write_missing(recipe)?;
        let manifest = Manifest { parts, ..Manifest::new(recipe) };
        manifest.write(&self.path)?;
        Ok(manifest)
    }

    /// True if the recipe in the folder and the metadata of the first part belong to this recipe and version, whatever
    /// the manifest says.
    fn belongs_to(&self, recipe: &Recipe) -> Result<bool> {
        let same = fs::read(self.path.join(RECIPE_FILE)).is_ok_and(|text| text == recipe.canonical().as_bytes());
        let first = parts_in(&self.path, recipe, &(0..recipe.parts()))?.first().copied();
        Ok(same
            && first.is_none_or(|part| {
                let metadata = Metadata::read(&self.path.join(recipe.part_path(part)), recipe.format);
                metadata.is_ok_and(|metadata| metadata == Some(recipe.metadata(recipe.place(part))))
            }))
    }

    /// Writes the recipe, its bases and its finds if they are missing or have other contents.
    fn write_missing(&self, recipe: &Recipe) -> Result<()> {
        let bases = recipe.bases.as_ref().map(|bases| (BASES_FILE, bases.lines.to_string()));
        let found = recipe.stock.as_ref().and_then(|stock| stock.found.as_ref());
        let found = found.map(|found| (STOCK_FILE, found.lines.to_string()));
        for (name, text) in [(RECIPE_FILE, recipe.canonical())].into_iter().chain(bases).chain(found) {
            let path = self.path.join(name);
            if fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
                continue;
            }
            write_atomically(&path, text.as_bytes()).map_err(CorpusError::io("write", &path))?;
        }
        Ok(())
    }

    /// Makes the manifest agree with the files among the `wanted` parts. A part loses its line if it is missing, if it has
    /// another size or checksum, or if its file of steps is not good; a good part without a line gets one. Returns the
    /// number of parts with a line that are damaged. After a stop, the rest is not read.
    pub fn reconcile(
        &self,
        recipe: &Recipe,
        manifest: &mut Manifest,
        wanted: Range<u64>,
        stop: &StopFlag,
    ) -> Result<u64> {
        self.clean_below(recipe, &wanted)?;
        let there = parts_in(&self.path, recipe, &wanted)?;
        manifest.parts.retain(|part, _| !wanted.contains(part) || there.contains(part));
        let lines: Vec<&Entry> = manifest.parts.range(wanted).map(|(_, line)| line).collect();
        let is_damaged = |line: &&Entry| {
            let path = self.path.join(recipe.part_path(line.part));
            let good =
                || matches!(part::differs(&path, line), Ok(None)) && part::steps_are_good(&path, recipe, Some(line));
            !stop.is_set() && !good()
        };
        let damaged: BTreeSet<u64> = lines.into_par_iter().filter(is_damaged).map(|line| line.part).collect();
        for part in &damaged {
            manifest.parts.remove(part);
        }
        for part in there {
            // A part with a wrong checksum is made again, not read: reading would not notice a changed bit in a score.
            if manifest.parts.contains_key(&part) || damaged.contains(&part) || stop.is_set() {
                continue;
            }
            let path = self.path.join(recipe.part_path(part));
            match part::inspect(&path, recipe, part, None, false)? {
                Ok(entry) => {
                    manifest::append(&self.path, &entry)?;
                    manifest.parts.insert(part, entry);
                }
                Err(Fault::Damaged(_)) => {}
                Err(Fault::Foreign(difference)) => return Err(CorpusError::OtherRecipe { path, difference }),
            }
        }
        Ok(damaged.len() as u64)
    }

    /// Removes temporary files of dead runs from the folders of some parts below this one.
    pub fn clean_below(&self, recipe: &Recipe, parts: &Range<u64>) -> Result<()> {
        let below = recipe.part_folders(&self.path, parts);
        for below in below.map_err(CorpusError::io("read the folder", &self.path))? {
            let folder = self.path.join(&below);
            if below != Path::new("") {
                clean(&folder).map_err(CorpusError::io("read the folder", &folder))?;
            }
        }
        Ok(())
    }

    /// The manifest at the end of a run. It is rewritten if the corpus is complete or no other process works here.
    /// Otherwise lines were only appended to it, which takes the same time for a manifest of any length.
    pub fn settle(&self, recipe: &Recipe) -> Result<Manifest> {
        let manifest = Manifest::read(&self.path)?.unwrap_or_else(|| Manifest::new(recipe));
        if self.alone || manifest.parts.len() as u64 >= recipe.parts() { self.tidy(recipe) } else { Ok(manifest) }
    }

    /// Rewrites the manifest: replaces the lines that were read before by these, and keeps the lines that others
    /// appended since.
    pub fn replace(&self, recipe: &Recipe, before: &BTreeMap<u64, Entry>, lines: BTreeMap<u64, Entry>) -> Result<()> {
        let _guard = manifest::guard(&self.path)?;
        let mut manifest = Manifest::read(&self.path)?.unwrap_or_else(|| Manifest::new(recipe));
        manifest.parts.retain(|part, line| before.get(part) != Some(line));
        manifest.parts.extend(lines);
        manifest.write(&self.path)
    }

    /// Rewrites the manifest: keeps all appended lines, and removes lines of missing parts.
    pub fn tidy(&self, recipe: &Recipe) -> Result<Manifest> {
        let _guard = manifest::guard(&self.path)?;
        let mut manifest = Manifest::read(&self.path)?.unwrap_or_else(|| Manifest::new(recipe));
        let there = parts_in(&self.path, recipe, &(0..recipe.parts()))?;
        manifest.parts.retain(|part, _| there.contains(part));
        manifest.write(&self.path)?;
        Ok(manifest)
    }
}

/// Checks that the manifest of a folder is of this recipe and version.
pub fn check_header(folder: &Path, header: &Header, recipe: &Recipe) -> Result<()> {
    let ours = Header::of(recipe);
    if *header == ours {
        return Ok(());
    }
    let difference = if header.fingerprint == ours.fingerprint {
        format!("made by version {}, this is {}", header.program_version, ours.program_version)
    } else {
        let there = fs::read_to_string(folder.join(RECIPE_FILE)).unwrap_or_default();
        difference(&recipe.canonical(), &there)
    };
    Err(CorpusError::OtherRecipe { path: folder.to_owned(), difference })
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
            // Opening a pipe would wait for a writer.
            if !fs::metadata(entry.path()).is_ok_and(|data| data.is_file()) {
                continue;
            }
            let name = entry.file_name();
            let part = name.to_str().and_then(|name| part::part_of_name(name, recipe));
            parts.extend(part.filter(|part| recipe.part_path(*part) == below.join(&name)));
        }
    }
    parts.retain(|part| wanted.contains(part) && *part < recipe.parts());
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
        return Err(CorpusError::NoCorpus { path: folder.to_owned(), missing: "part-000000" });
    }
    if let Some(odd) = files.iter().find(|path| !fs::metadata(path).is_ok_and(|data| data.is_file())) {
        return Err(CorpusError::file(odd, "not an ordinary file"));
    }
    Ok(files)
}
