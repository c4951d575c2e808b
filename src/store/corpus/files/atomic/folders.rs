//! Removes temporary folders. The place may be shared with other users, who may put links where folders were.
//!
//! So a folder is opened once, without following a link. It must belong to the user of this process. Everything in it
//! is removed through what was opened, never through a path.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _};
use std::path::Path;
use std::time::Duration;

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, fstat, openat, unlinkat};
use rustix::io::Errno;
use rustix::path::Arg;
use rustix::process::geteuid;

/// Temporary folders have this name and six random letters. Nobody else has an empty folder of this name.
pub(super) const FOLDER: &str = ".~sudoku-corpus~";

/// A file in a temporary folder. With [`MARKER_TEXT`] in it, it says that this program made the folder for itself; its
/// lock says that the folder is in use.
pub(super) const MARKER: &str = ".temporary-folder-of-sudoku-corpus";

pub(super) const MARKER_TEXT: &str =
    "sudoku-corpus made this folder for itself and removes it when no process uses it\n";

/// Where locks do not exist, a temporary file is abandoned after this time.
const FORGOTTEN: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes a temporary folder, its marker last: a folder without one would stay for ever if the process were killed.
pub(super) fn remove_folder(path: &Path) -> io::Result<()> {
    remove(path, &open(CWD, path)?)
}

/// Removes the temporary folders of killed processes of this user. One may have been killed before it wrote the marker.
pub(super) fn clean_temporary_folders(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        if entry.file_name().to_str().and_then(|name| name.strip_prefix(FOLDER)).is_some_and(is_random) {
            // What cannot be removed stays for the next command.
            drop(clean(&entry.path()));
        }
    }
}

/// Removes a folder, if it is one of this program and of this user that no process uses.
fn clean(path: &Path) -> io::Result<()> {
    let folder = open(CWD, path)?;
    // The second removes nothing but an empty folder.
    if fstat(&folder)?.st_uid != geteuid().as_raw() || fs::remove_dir(path).is_ok() {
        return Ok(());
    }
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Some(mut marker) = abandoned(File::from(openat(&folder, MARKER, flags, Mode::empty())?)) else { return Ok(()) };
    let mut text = Vec::new();
    (&mut marker).take(MARKER_TEXT.len() as u64 + 1).read_to_end(&mut text)?;
    // A process that was killed while it wrote the marker left nothing else.
    let begun = MARKER_TEXT.as_bytes().starts_with(&text);
    if text == MARKER_TEXT.as_bytes()
        || begun && Dir::read_from(&folder)?.filter(|entry| !is_itself(entry)).count() == 1
    {
        remove(path, &folder)?;
    }
    Ok(())
}

/// True for the names of a folder itself and of the one above it.
fn is_itself(entry: &Result<rustix::fs::DirEntry, Errno>) -> bool {
    entry.as_ref().is_ok_and(|entry| [c".", c".."].contains(&entry.file_name()))
}

/// Opens a folder without following a link.
fn open(place: impl AsFd, name: impl Arg) -> rustix::io::Result<OwnedFd> {
    openat(place, name, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
}

/// Removes a folder that was opened, its marker last.
fn remove(path: &Path, folder: &OwnedFd) -> io::Result<()> {
    empty(folder, Some(MARKER))?;
    unlinkat(folder, MARKER, AtFlags::empty())?;
    fs::remove_dir(path)
}

/// Removes what is in a folder, except what is kept.
fn empty(folder: &OwnedFd, keep: Option<&str>) -> io::Result<()> {
    for entry in Dir::read_from(folder)?.filter(|entry| !is_itself(entry)) {
        let entry = entry?;
        let name = entry.file_name();
        if keep.is_some_and(|keep| keep.as_bytes() == name.to_bytes()) {
            continue;
        }
        match unlinkat(folder, name, AtFlags::empty()) {
            Err(Errno::ISDIR | Errno::PERM) => {
                empty(&open(folder, name)?, None)?;
                unlinkat(folder, name, AtFlags::REMOVEDIR)?;
            }
            removed => removed?,
        }
    }
    Ok(())
}

/// An open file if no process writes it any more. It is locked then.
pub(super) fn abandoned(file: File) -> Option<File> {
    let age = || file.metadata().and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
    let abandoned = match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => age().is_some_and(|age| age > FORGOTTEN),
    };
    abandoned.then_some(file)
}

/// Six letters or digits.
pub(super) fn is_random(end: &str) -> bool {
    end.len() == 6 && end.bytes().all(|b| b.is_ascii_alphanumeric())
}
