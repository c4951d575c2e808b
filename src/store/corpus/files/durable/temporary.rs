//! Temporary folders. What this program makes stands in one of them until it is complete.
//!
//! ```text
//!   .~sudoku-corpus~x7Kq2a/                   beside what is to be made, or in the folder of the system
//!     .temporary-folder-of-sudoku-corpus      the marker, locked while the process lives
//!     0, 1, ..                                what has no name yet
//! ```
//!
//! The system releases the lock when the process dies. (Host names and process numbers would not do: containers share
//! them.) The next command that makes something in the same place then removes the folder. Without the marker it is
//! removed only if it is empty. Where a file system has no locks, nobody can know whether a process lives. So nothing of
//! others is removed there, and what a killed process leaves stays until the user removes it.
//!
//! The place may be shared with other users, who may put links where folders were. So a folder must be one, and belong
//! to the user of this process; no link in it is followed.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, DirEntry, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};

use crate::corpus::files::parallel::locked;

/// Temporary folders have this name and six letters or digits.
const PREFIX: &str = ".~sudoku-corpus~";

/// A file in a temporary folder, whose lock says that the folder is in use. Nobody else makes a file of this name.
const MARKER: &str = ".temporary-folder-of-sudoku-corpus";

/// The most shared folders of a process, each of which holds its marker open. Further places use one of them.
const MOST_SHARED: usize = 64;

/// The temporary folders of this process.
static LIVING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A temporary folder for each place, used by all that is made there.
struct SharedFolders(Mutex<BTreeMap<PathBuf, Weak<TempFolder>>>);

impl SharedFolders {
    fn of(&self, place: &Path) -> io::Result<Arc<TempFolder>> {
        let place = place.canonicalize()?;
        let mut folders = locked(&self.0);
        if let Some(folder) = folders.get(&place).and_then(Weak::upgrade) {
            return Ok(folder);
        }
        folders.retain(|_, folder| folder.strong_count() > 0);
        if folders.len() >= MOST_SHARED
            && let Some(folder) = folders.values().find_map(Weak::upgrade)
        {
            // A file that is removed at once shows whether files can be made in this place.
            tempfile::tempfile_in(&place).map_err(|error| plain(&error))?;
            return Ok(folder);
        }
        let folder = Arc::new(TempFolder::inside(&place)?);
        folders.insert(place, Arc::downgrade(&folder));
        Ok(folder)
    }
}

/// A temporary folder. Dropping it removes it.
#[derive(Debug)]
pub struct TempFolder {
    path: PathBuf,
    _marker: File,
    /// The names that were given.
    names: AtomicU64,
}

impl TempFolder {
    /// Creates a temporary folder in the folder of the system.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn new() -> io::Result<TempFolder> {
        TempFolder::inside(&std::env::temp_dir())
    }

    /// The folder, which is made in that of the system when it is needed first.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn when_needed(folder: &mut Option<TempFolder>) -> io::Result<&TempFolder> {
        let made = match folder.take() {
            Some(made) => made,
            None => TempFolder::new()?,
        };
        Ok(folder.insert(made))
    }

    /// Creates a temporary folder in a folder, and removes those of dead processes there.
    pub(crate) fn inside(place: &Path) -> io::Result<TempFolder> {
        clean(place);
        for _ in 0..100 {
            let path = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place).map_err(|error| plain(&error))?.keep();
            locked(&LIVING).insert(path.clone());
            // Until the marker is locked, a process that cleans may remove it and the folder.
            match locked_marker(&path.join(MARKER)) {
                Ok(Some(marker)) => return Ok(TempFolder { path, _marker: marker, names: AtomicU64::new(0) }),
                Ok(None) => forget(&path),
                Err(error) => {
                    drop(remove(&path));
                    forget(&path);
                    return Err(error);
                }
            }
        }
        Err(io::Error::other("other processes remove the temporary folders of this one"))
    }

    /// The temporary folder of this process for what is to be made in a folder. Fails if nothing can be made there.
    pub(crate) fn shared(place: &Path) -> io::Result<Arc<TempFolder>> {
        static SHARED: SharedFolders = SharedFolders(Mutex::new(BTreeMap::new()));
        SHARED.of(place)
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A path in the folder that was not given before.
    pub(crate) fn new_path(&self) -> PathBuf {
        self.path.join(self.names.fetch_add(1, Ordering::Relaxed).to_string())
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next command.
        drop(remove(&self.path));
        forget(&self.path);
    }
}

/// Notes that a folder is none of this process any more.
fn forget(path: &Path) {
    locked(&LIVING).remove(path);
}

/// The temporary folders of this process.
pub(super) fn living() -> BTreeSet<PathBuf> {
    locked(&LIVING).clone()
}

/// Removes the temporary folders of this process, which is about to end while they are in use.
pub fn remove_temporary() {
    // The process is ending, so an error cannot be reported.
    living().iter().for_each(|path| drop(remove(path)));
}

/// Makes a marker and locks it, if the file system has locks. None if another process removed it before.
fn locked_marker(marker: &Path) -> io::Result<Option<File>> {
    let file = match File::create_new(marker) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        made => made?,
    };
    match file.lock() {
        Err(error) if !has_no_locks(&error) => Err(error),
        _ => Ok(marker.try_exists()?.then_some(file)),
    }
}

/// True if this error of a lock means that the file system has no locks. NFS without its lock service gives ENOLCK.
pub fn has_no_locks(error: &io::Error) -> bool {
    const ENOLCK: i32 = if cfg!(target_os = "linux") { 37 } else { 77 };
    error.kind() == ErrorKind::Unsupported || (cfg!(unix) && error.raw_os_error() == Some(ENOLCK))
}

/// The error of the system without the path that `tempfile` adds to it. Messages give the name of the target.
pub(crate) fn plain(error: &io::Error) -> io::Error {
    let text = error.to_string();
    let number = text.split("(os error ").nth(1).and_then(|rest| rest.split(')').next()?.parse().ok());
    number.map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}

/// Removes the temporary folders of dead processes of this user from a folder.
pub fn clean(place: &Path) {
    for folder in temporary_folders(place) {
        // `remove_dir` removes an empty folder only: its process was killed before it made the marker. What cannot be
        // removed stays for the next command.
        let was_empty = fs::remove_dir(&folder).is_ok();
        let marker = File::options().read(true).write(true).open(folder.join(MARKER));
        if !was_empty && marker.is_ok_and(|marker| marker.try_lock().is_ok()) {
            drop(remove(&folder));
        }
    }
}

/// The temporary folders of this user in a folder: those in use, and those that nobody can remove without locks.
pub(crate) fn temporary_folders(place: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    entries.filter(|entry| is_temporary(&entry.file_name()) && is_own(entry)).map(|entry| entry.path()).collect()
}

fn is_temporary(name: &OsStr) -> bool {
    let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
    random.is_some_and(|random| random.len() == 6 && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// True for a folder of the user of this process.
fn is_own(entry: &DirEntry) -> bool {
    #[cfg(unix)]
    let is_of_user =
        |data: &fs::Metadata| std::os::unix::fs::MetadataExt::uid(data) == rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    let is_of_user = |_: &fs::Metadata| true;
    entry.metadata().is_ok_and(|data| data.is_dir() && is_of_user(&data))
}

/// Removes a temporary folder, its marker last: a folder without one would stay for ever if the process were killed.
fn remove(path: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(path)?.is_dir() {
        return Err(ErrorKind::NotADirectory.into());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if entry.file_name() != MARKER {
            fs::remove_file(entry.path())?;
        }
    }
    fs::remove_file(path.join(MARKER))?;
    fs::remove_dir(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn only_abandoned_folders_of_this_program_are_removed() {
        use std::os::unix::fs::{chown, symlink};
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let folder = |name: &str, files: &[&str]| {
            for file in files {
                fs::create_dir_all(path(name).join(file).parent().unwrap()).unwrap();
                fs::write(path(name).join(file), "").unwrap();
            }
            path(name)
        };
        // Behind links is what another user put there.
        let elsewhere = folder("elsewhere", &[MARKER, "file"]);
        let deep = folder(".~sudoku-corpus~abc122", &[MARKER, "deep/file"]);
        let abandoned = [folder(".~sudoku-corpus~abc121", &[MARKER]), deep.clone()];
        symlink(&elsewhere, deep.join("link")).unwrap();
        symlink(&elsewhere, deep.join("deep/link")).unwrap();
        fs::create_dir(path(".~sudoku-corpus~abc120")).unwrap();
        symlink(&elsewhere, path(".~sudoku-corpus~abc123")).unwrap();
        let kept = [
            folder(".~sudoku-corpus~notes", &[MARKER]),
            folder(".~sudoku-corpus~abc125", &["mine"]),
            folder(".~sudoku-corpus~sample", &[".lock"]),
            folder("sudoku-corpus-abc128", &[MARKER]),
        ];
        let given_away = folder(".~sudoku-corpus~abc129", &[MARKER]);
        // Only root can give folders away.
        let is_given = chown(&given_away, Some(12345), None).is_ok();
        let living = TempFolder::inside(place.path()).unwrap();
        assert!(abandoned.iter().all(|folder| !folder.exists()) && !path(".~sudoku-corpus~abc120").exists());
        assert!(kept.iter().all(|folder| folder.exists()) && living.path().join(MARKER).exists());
        assert_eq!(given_away.exists(), is_given);
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 2);
        assert!(remove(&path(".~sudoku-corpus~abc123")).is_err());
        clean(place.path());
        assert!(is_temporary(living.path().file_name().unwrap()) && super::living().contains(living.path()));
        let path_of_living = living.path().to_owned();
        drop(living);
        assert!(!path_of_living.exists() && !super::living().contains(&path_of_living));
    }

    /// More places than markers can be open.
    #[test]
    fn a_process_has_one_folder_in_a_place_and_a_bounded_number_of_them() {
        let place = tempfile::tempdir().unwrap();
        let places: Vec<PathBuf> = (0..2 * MOST_SHARED).map(|number| place.path().join(number.to_string())).collect();
        places.iter().for_each(|place| fs::create_dir(place).unwrap());
        // Not those of the process: other tests would get folders that this one removes.
        let shared = SharedFolders(Mutex::new(BTreeMap::new()));
        let folders: Vec<Arc<TempFolder>> = places.iter().map(|place| shared.of(place).unwrap()).collect();
        let paths: BTreeSet<&Path> = folders.iter().map(|folder| folder.path()).collect();
        assert!(paths.len() <= MOST_SHARED);
        assert!(Arc::ptr_eq(&folders[0], &shared.of(&places[0]).unwrap()));
        assert!(shared.of(&place.path().join("no")).is_err());
    }
}
