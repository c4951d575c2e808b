//! Where paths lead, and the folder in which alone an output of a recipe may make files.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use super::temporary;

/// The most symbolic links that are followed, as many as Linux follows.
pub(super) const MOST_LINKS: usize = 40;

/// The folder in which alone this process makes files and folders. Unset if it may make them anywhere.
static INSIDE: OnceLock<PathBuf> = OnceLock::new();

/// From now on, this process makes files and folders only in this folder and below it. Temporary ones, which it removes
/// itself, may lie in the folder of the system. An index of published puzzles may lie anywhere. The rule cannot be taken
/// back.
///
/// # Errors
/// The folder does not exist.
pub fn write_only_inside(folder: &Path) -> io::Result<()> {
    let folder = folder.canonicalize()?;
    INSIDE.get_or_init(|| folder);
    Ok(())
}

/// Refuses a path, as a user wrote it, that leads out of a folder: by `..`, from the root, or through a link. Neither the
/// folder nor the path need exist.
///
/// # Errors
/// The path leads out, or its links lead nowhere.
pub fn stays_inside(folder: &Path, path: &Path) -> io::Result<()> {
    let is_plain = path.components().all(|piece| matches!(piece, Component::Normal(_) | Component::CurDir));
    if !is_plain {
        return Err(leaves(path, folder));
    }
    let resolve = |path: &Path| resolved(path).ok_or_else(|| leaves(path, folder));
    let complete_path = resolve(&folder.join(path))?;
    if complete_path.starts_with(resolve(folder)?) { Ok(()) } else { Err(leaves(path, folder)) }
}

/// The error of a path that leads out of a folder.
fn leaves(path: &Path, folder: &Path) -> io::Error {
    let (path, folder) = (path.display(), folder.display());
    io::Error::new(ErrorKind::PermissionDenied, format!("{path} is outside of {folder}, where this output has to stay"))
}

/// Refuses to make what lies outside of the folder of this process, if it has one. Every function that makes files or
/// folders asks.
pub(super) fn may_make(path: &Path) -> io::Result<()> {
    let Some(inside) = INSIDE.get() else { return Ok(()) };
    let complete_path = resolved(path).ok_or_else(|| leaves(path, inside))?;
    if complete_path.starts_with(inside) {
        return Ok(());
    }
    for folder in temporary::living() {
        if resolved(&folder).is_some_and(|folder| complete_path.starts_with(folder)) {
            return Ok(());
        }
    }
    Err(leaves(path, inside))
}

/// The folder of a file.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file that a path leads to. Symbolic links are followed, even if the last target does not exist.
pub(crate) fn through_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = folder_of(&path).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The complete path of a file or folder that may not exist, after following links. None if its links lead in a circle.
pub fn resolved(path: &Path) -> Option<PathBuf> {
    let path = through_links(path).ok()?;
    if let Ok(complete) = path.canonicalize() {
        return Some(complete);
    }
    match path.components().next_back()? {
        Component::Normal(name) => Some(resolved(folder_of(&path))?.join(name)),
        Component::ParentDir => Some(resolved(path.parent()?)?.parent()?.to_owned()),
        _ => None,
    }
}
