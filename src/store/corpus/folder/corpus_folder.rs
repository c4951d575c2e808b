//! Opens the folder of a corpus to make its parts: its lock, its recipe, and which parts are good.
//!
//! A run of the complete corpus holds `.lock` exclusively; runs of chosen parts share it. The system releases a lock
//! when a process dies.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::contents::{Contents, STRAY_STEPS, damage, is_hidden, refuse_older, stray_steps};
use crate::corpus::files::durable::atomic::{create_folder, rename_to_new, sync_folder, write_atomically};
use crate::corpus::files::durable::inside::folder_of;
use crate::corpus::files::durable::temporary::{clean, has_no_locks};
use crate::corpus::files::names::{ASIDE_FOLDER, BASES_FILE, RECIPE_FILE, ROWS_FOLDER, STEPS_FOLDER};
use crate::corpus::files::progress::StopFlag;
use crate::corpus::request::outline::{Outline, Version, difference};
use crate::corpus::values::error::{CorpusError, Result};

/// The file that is locked while a process works on the folder.
const LOCK_FILE: &str = ".lock";

/// A folder that this process works on.
#[derive(Debug)]
pub(crate) struct Folder {
    pub path: PathBuf,
    _lock: File,
}

/// The wanted parts that are in a folder.
#[derive(Default)]
pub(crate) struct GoodParts {
    pub parts: BTreeSet<u64>,
    /// What is told of files that were no parts of this corpus.
    pub set_aside: Vec<String>,
    /// What is told of hidden files, which stay.
    pub hidden: Vec<String>,
}

impl Folder {
    /// Creates the folder if needed and takes its lock: exclusively if `alone`, otherwise shared. Then removes
    /// temporary folders of dead processes.
    pub(crate) fn open(path: &Path, alone: bool) -> Result<Folder> {
        create_folder(path).map_err(CorpusError::io("create the folder", path))?;
        let lock_path = path.join(LOCK_FILE);
        // NFS refuses a shared lock on a file that is open for writing only, and an exclusive one on a file that is
        // open for reading only.
        let lock = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&lock_path);
        let lock = lock.map_err(CorpusError::io("write", &lock_path))?;
        match if alone { lock.try_lock() } else { lock.try_lock_shared() } {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let what = if alone { "another run" } else { "a run of the complete corpus" };
                return Err(CorpusError::Busy { path: path.to_owned(), what });
            }
            // Parts are still complete and identical, whoever makes them.
            Err(TryLockError::Error(error)) if has_no_locks(&error) => {}
            Err(TryLockError::Error(error)) => return Err(CorpusError::io("lock", &lock_path)(error)),
        }
        clean(path);
        Ok(Folder { path: path.to_owned(), _lock: lock })
    }

    /// Makes this the folder of a corpus: compares the recipe in it, or writes it.
    ///
    /// # Errors
    /// The folder holds another corpus, or one of another version.
    pub(crate) fn claim(&self, outline: &Outline, bases: Option<&str>) -> Result<()> {
        refuse_older(&self.path)?;
        let other_recipe = |difference: String| CorpusError::OtherRecipe { path: self.path.clone(), difference };
        let (earlier, version) = Outline::read(&self.path)?.unzip();
        if let Some(earlier) = earlier.filter(|earlier| earlier.text != outline.text) {
            return Err(other_recipe(difference(&outline.text, &earlier.text)));
        }
        let mut version = version.flatten();
        if version.is_none() {
            // No part, or only parts of this corpus: then the recipe is written again.
            let contents = Contents::by(outline.clone(), None, &self.path, None)?;
            if let Some(stranger) = contents.strangers.iter().find(|stranger| stranger.is_in_place) {
                return Err(other_recipe(format!("{}: {}", stranger.file.display(), stranger.reason)));
            }
            version = contents.version;
        }
        if let Some(version) = version.filter(|version| *version != Version::of_this_program()) {
            let ours = Version::of_this_program().program;
            return Err(other_recipe(format!("made by version {}, this is {ours}", version.program)));
        }
        let bases = bases.map(|bases| (BASES_FILE, bases.to_owned()));
        for (name, text) in [Some((RECIPE_FILE, outline.file())), bases].into_iter().flatten() {
            let path = self.path.join(name);
            if !fs::read(&path).is_ok_and(|bytes| bytes == text.as_bytes()) {
                write_atomically(&path, text.as_bytes()).map_err(CorpusError::io("write", &path))?;
            }
        }
        Ok(())
    }

    /// The wanted parts that are there, all bytes of which were compared with their checksums. Other files are set aside,
    /// because programs that read the folder would take them for rows of the corpus. What is wrong with them is not
    /// always known, so none is removed. Files in the place of a part that is not wanted stay. After a stop, the rest is
    /// not read.
    pub(crate) fn good_parts(&self, outline: &Outline, wanted: &Range<u64>, stop: &StopFlag) -> Result<GoodParts> {
        let version = Some(Version::of_this_program());
        let contents = Contents::by(outline.clone(), version, &self.path, Some(wanted))?;
        let (mut parts, mut set_aside, mut hidden) = (BTreeSet::new(), Vec::new(), Vec::new());
        for (part, reason) in contents.damaged {
            set_aside.extend(self.set_aside(&self.path.join(outline.part_file(part)), &reason)?);
        }
        for stranger in contents.strangers {
            match is_hidden(&stranger.file) {
                true => hidden.push(stranger.to_string()),
                false => set_aside.extend(self.set_aside(&stranger.file, &stranger.reason)?),
            }
        }
        for stray in stray_steps(&self.path, outline)?.into_iter().filter(|stray| !is_hidden(stray)) {
            set_aside.extend(self.set_aside(&stray, STRAY_STEPS)?);
        }
        let present: Vec<u64> = contents.parts.into_keys().collect();
        let checked = present.into_par_iter().map(|part| match stop.is_set() {
            true => Ok(None),
            false => Ok(Some((part, damage(&self.path, outline, part)?))),
        });
        let checked: Vec<_> = checked.collect::<Result<_>>()?;
        for (part, damage) in checked.into_iter().flatten() {
            match damage {
                None => drop(parts.insert(part)),
                Some(damage) if damage.file.is_file() => {
                    set_aside.extend(self.set_aside(&damage.file, &damage.reason)?);
                }
                Some(damage) => set_aside.push(format!("{}: {}", damage.file.display(), damage.reason)),
            }
        }
        Ok(GoodParts { parts, set_aside, hidden })
    }

    /// Removes the folder if it holds no part: nothing else is lost, and a corrected request may then use its name. What
    /// cannot be removed stays.
    pub(crate) fn remove_if_bare(self) {
        // A folder that is not empty is not removed, and then the recipe stays, too.
        for part_folder in [STEPS_FOLDER, ROWS_FOLDER].map(|name| self.path.join(name)) {
            if part_folder.exists() && fs::remove_dir(part_folder).is_err() {
                return;
            }
        }
        let removed = [RECIPE_FILE, BASES_FILE, LOCK_FILE].map(|name| fs::remove_file(self.path.join(name)));
        drop((removed, fs::remove_dir(&self.path)));
    }

    /// Moves a file or a folder into the folder of files that were set aside. Returns what is told of it; nothing if
    /// another process has moved it.
    fn set_aside(&self, file: &Path, reason: &str) -> Result<Option<String>> {
        let aside = self.path.join(ASIDE_FOLDER);
        create_folder(&aside).map_err(CorpusError::io("create the folder", &aside))?;
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let numbered = (2..).map(|number: u32| aside.join(format!("{number}-{name}")));
        for place in std::iter::once(aside.join(&name)).chain(numbered) {
            match rename_to_new(file, &place).and_then(|()| sync_folder(folder_of(file))) {
                Ok(()) => return Ok(Some(format!("{}: {reason}; it is {} now", file.display(), place.display()))),
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                // Another process may have taken this name just now.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(CorpusError::io("set aside", file)(error)),
            }
        }
        unreachable!("there are more names than files")
    }
}
