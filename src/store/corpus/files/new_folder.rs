//! Makes folders that become visible when they are complete, and that take the place of an earlier one as a whole.
//!
//! ```text
//!   .~sudoku-corpus~x7Kq2a/made     the new folder is built here
//!        | fsync, exchange of the two names in one step, fsync of the folder around them
//!   NAME                            the new folder; the earlier one has the temporary name now
//!        | the files that the earlier folder lists as its own are removed, and nothing else
//! ```
//!
//! So a process may be killed at any moment: a whole folder has the name, the earlier or the new one. Systems that
//! cannot exchange names set the earlier folder aside under `.NAME.earlier~sudoku-corpus`, which no clean-up removes,
//! and put it back if the new one does not get its name. After a kill between the two steps, the next call puts it
//! back.
//!
//! A folder with a file that it does not list, such as notes or a `.git`, is not replaced.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use super::atomic::{TempFolder, create_folder, folder_of, sync_folder, through_links};
use crate::corpus::values::error::{CorpusError, Result};

/// Tells which files of a folder belong to it, as paths in the folder. The last of them is the list itself. An error of
/// the kind `NotFound` says that the folder has no list, so it is of another kind.
pub(crate) type OwnFiles = fn(&Path) -> io::Result<Vec<PathBuf>>;

/// A folder that is being made. Dropping it removes it.
pub struct NewFolder {
    target: PathBuf,
    temporary: TempFolder,
    /// Which files of an earlier folder may be removed. None if only an empty folder may be replaced.
    own: Option<OwnFiles>,
}

impl NewFolder {
    /// Begins a folder beside its final place. A folder that is there must be empty; with `own`, it may also be an
    /// earlier one of this kind without other files. A symbolic link is kept, and its target is written.
    ///
    /// # Errors
    /// [`CorpusError::Refused`]; an error of the operating system.
    pub fn beside(target: &Path, own: Option<OwnFiles>) -> Result<NewFolder> {
        let wrong = |error| CorpusError::io("write", target)(error);
        let target = &std::path::absolute(target).and_then(|path| through_links(&path)).map_err(wrong)?;
        own.map_or(Ok(()), |own| put_back(target, own)).map_err(wrong)?;
        check(target, own)?;
        create_folder(folder_of(target)).map_err(wrong)?;
        let temporary = TempFolder::beside(target).map_err(wrong)?;
        let new = NewFolder { target: target.clone(), temporary, own };
        create_folder(&new.path()).map_err(wrong)?;
        Ok(new)
    }

    /// The path of the folder until it has its name.
    pub fn path(&self) -> PathBuf {
        self.temporary.path().join("made")
    }

    /// Gives the folder its name, durably. Its files must be durable already.
    ///
    /// # Errors
    /// The same as [`NewFolder::beside`]; the folder that was there is there again.
    pub fn publish(self) -> Result<()> {
        let (made, target) = (self.path(), &self.target);
        let wrong = |error| CorpusError::io("write", target)(error);
        sync_folders(&made).map_err(wrong)?;
        check(target, self.own)?;
        let earlier = match self.own.filter(|_| target.is_dir()) {
            Some(own) => {
                let earlier = exchange(&made, target, &mut |from, to| fs::rename(from, to)).map_err(wrong)?;
                Some((own, earlier))
            }
            None => {
                let renamed = fs::rename(&made, target);
                // Another process may have made a folder of this name meanwhile.
                renamed.or_else(|error| check(target, self.own).and(Err(wrong(error))))?;
                None
            }
        };
        sync_folder(folder_of(target)).map_err(wrong)?;
        match earlier {
            Some((own, earlier)) => remove_earlier(&earlier, target, own).map_err(wrong),
            None => Ok(()),
        }
    }
}

/// Where an earlier folder lies while it has no name, and where it stays if somebody else adds files to it.
fn aside(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.earlier~sudoku-corpus"))
}

/// Refuses a folder that has other files than its own.
fn check(target: &Path, own: Option<OwnFiles>) -> Result<()> {
    let wrong = |error| CorpusError::io("read", target)(error);
    let mut entries = match fs::read_dir(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(wrong)?,
    };
    let occupied = |reason: String| Err(CorpusError::refused(target, reason));
    let Some(first) = entries.next() else { return Ok(()) };
    first.map_err(wrong)?;
    let own = match own.map(|own| own(target)) {
        None => return occupied("the folder is not empty".to_owned()),
        Some(Err(error)) if error.kind() == ErrorKind::NotFound => {
            return occupied("the folder is not empty, and holds nothing that can be replaced".to_owned());
        }
        Some(own) => own.map_err(wrong)?,
    };
    match foreign(target, Path::new(""), &own).map_err(wrong)? {
        Some(file) => occupied(format!(
            "'{}' in the folder is not a file of what is to be replaced; move it away, or choose another folder",
            file.display()
        )),
        None => Ok(()),
    }
}

/// A file or folder that is not listed.
fn foreign(top: &Path, folder: &Path, own: &[PathBuf]) -> io::Result<Option<PathBuf>> {
    for entry in fs::read_dir(top.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        let found = match entry.file_type()?.is_dir() && own.iter().any(|file| file.starts_with(&path)) {
            true => foreign(top, &path, own)?,
            false => Some(path).filter(|path| !own.contains(path)),
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Gives a new folder the name of an earlier one. Returns where that is. If it fails, the earlier folder has its name.
fn exchange(made: &Path, target: &Path, rename: &mut dyn FnMut(&Path, &Path) -> io::Result<()>) -> io::Result<PathBuf> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, made, CWD, target, RenameFlags::EXCHANGE).map_err(io::Error::from) {
            Ok(()) => return Ok(made.to_owned()),
            // Some systems and file systems cannot exchange names.
            Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {}
            Err(error) => return Err(error),
        }
    }
    in_two_steps(made, target, rename)
}

/// Puts the new folder in the place of the earlier one by two renames, where the system cannot exchange them.
fn in_two_steps(
    made: &Path,
    target: &Path,
    rename: &mut dyn FnMut(&Path, &Path) -> io::Result<()>,
) -> io::Result<PathBuf> {
    let aside = aside(target);
    rename(target, &aside)?;
    if let Err(error) = rename(made, target) {
        // If this fails too, the next call puts it back.
        drop(rename(&aside, target));
        return Err(error);
    }
    Ok(aside)
}

/// Ends a replacement that was killed between two steps.
fn put_back(target: &Path, own: OwnFiles) -> io::Result<()> {
    let aside = aside(target);
    match (aside.is_dir(), target.exists()) {
        (true, false) => fs::rename(&aside, target).and_then(|()| sync_folder(folder_of(target))),
        (true, true) => remove_earlier(&aside, target, own),
        (false, _) => Ok(()),
    }
}

/// Removes the own files of an earlier folder, the list last, and the folders that are empty then. If other files came
/// into it meanwhile, the rest stays aside.
fn remove_earlier(earlier: &Path, target: &Path, own: OwnFiles) -> io::Result<()> {
    let files = match own(earlier) {
        // A call that could not remove a folder has removed all files.
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        files => files?,
    };
    // A list that names files elsewhere is not believed.
    for file in files.iter().filter(|file| file.components().all(|part| matches!(part, Component::Normal(_)))) {
        match fs::remove_file(earlier.join(file)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    remove_empty(earlier);
    if earlier.exists() && earlier != aside(target) { fs::rename(earlier, aside(target)) } else { Ok(()) }
}

/// Removes the folders without files in a folder, and the folder if it is empty then. What cannot be removed stays.
fn remove_empty(folder: &Path) {
    let folders = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    folders.filter(is_folder).for_each(|entry| remove_empty(&entry.path()));
    drop(fs::remove_dir(folder));
}

/// Makes the names in a folder and the folders below it durable.
fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    sync_folder(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(folder: &Path) -> io::Result<Vec<PathBuf>> {
        let text = fs::read_to_string(folder.join("LIST"))?;
        Ok(text.lines().chain(["LIST"]).map(PathBuf::from).collect())
    }

    fn fill(folder: &Path, text: &str, files: &[&str]) {
        for file in files {
            create_folder(folder_of(&folder.join(file))).unwrap();
            fs::write(folder.join(file), text).unwrap();
        }
        fs::write(folder.join("LIST"), files.join("\n")).unwrap();
    }

    fn text(folder: &Path) -> String {
        fs::read_to_string(folder.join("rows/a")).unwrap()
    }

    fn entries(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_takes_the_place_of_an_earlier_one_and_of_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("data");
        for (text_of_it, files) in [("one", &["rows/a", "rows/b"][..]), ("two", &["rows/a", "card"])] {
            let new = NewFolder::beside(&target, Some(own)).unwrap();
            fill(&new.path(), text_of_it, files);
            new.publish().unwrap();
            assert_eq!(text(&target), text_of_it);
        }
        assert_eq!(
            (entries(&target), entries(place.path())),
            (vec!["LIST".into(), "card".into(), "rows".into()], vec!["data".into()])
        );
        // Without a list of own files, only an empty folder is taken.
        let refused = NewFolder::beside(&target, None).err().unwrap();
        assert!(refused.to_string().ends_with("data: the folder is not empty"), "{refused}");
        // Files of others are found in every depth, before the work and before the exchange.
        for foreign in [".git/config", "rows/notes", "empty/"] {
            let new = NewFolder::beside(&target, Some(own)).unwrap();
            fill(&new.path(), "three", &["rows/a"]);
            let path = target.join(foreign);
            if foreign.ends_with('/') {
                fs::create_dir(&path).unwrap()
            } else {
                fill_one(&path)
            }
            for refused in [new.publish().err(), NewFolder::beside(&target, Some(own)).err()] {
                let refused = refused.unwrap();
                let named = foreign.trim_end_matches('/').trim_end_matches("/config");
                assert!(refused.to_string().contains(&format!("'{named}' in the folder")), "{refused}");
                assert_eq!(refused.exit_code(), 2);
            }
            assert_eq!((text(&target).as_str(), path.exists()), ("two", true));
            if path.is_dir() {
                fs::remove_dir(&path).unwrap()
            } else {
                fs::remove_file(&path).unwrap()
            }
            drop(fs::remove_dir(target.join(".git")));
        }
        // A link is kept.
        #[cfg(unix)]
        {
            let link = place.path().join("link");
            std::os::unix::fs::symlink("data", &link).unwrap();
            let new = NewFolder::beside(&link, Some(own)).unwrap();
            fill(&new.path(), "four", &["rows/a"]);
            new.publish().unwrap();
            assert_eq!((text(&target).as_str(), fs::read_link(&link).is_ok()), ("four", true));
        }
    }

    fn fill_one(path: &Path) {
        create_folder(folder_of(path)).unwrap();
        fs::write(path, "mine").unwrap();
    }

    /// Without an exchange of names: after a failure or a kill at each rename, the earlier folder is there, at the
    /// latest when the next call begins.
    #[test]
    fn an_earlier_folder_outlives_every_rename_that_fails_and_every_kill() {
        for (fails, killed) in [(0, false), (1, false), (2, false), (0, true), (1, true), (2, true)] {
            let place = tempfile::tempdir().unwrap();
            let target = place.path().join("data");
            fill(&target, "one", &["rows/a", "rows/b"]);
            let new = NewFolder::beside(&target, Some(own)).unwrap();
            fill(&new.path(), "two", &["rows/a"]);
            let mut calls = 0;
            let mut rename = |from: &Path, to: &Path| {
                calls += 1;
                // A killed process renames nothing more; a failing disk fails once, or twice.
                let fail = if killed { calls > fails } else { calls == fails + 1 || (fails == 1 && calls == 3) };
                if fail { Err(io::Error::other("no")) } else { fs::rename(from, to) }
            };
            let made = new.path();
            let done = in_two_steps(&made, &target, &mut rename);
            assert_eq!(done.is_ok(), fails == 2, "{fails} {killed}");
            drop(new);
            let next = NewFolder::beside(&target, Some(own)).unwrap();
            assert_eq!(text(&target), if fails == 2 { "two" } else { "one" }, "{fails} {killed}");
            drop(next);
            assert_eq!(entries(place.path()), ["data"], "{fails} {killed}");
        }
    }

    /// What comes into the earlier folder during the exchange stays.
    #[test]
    fn files_that_come_too_late_are_kept() {
        let place = tempfile::tempdir().unwrap();
        let (target, earlier) = (place.path().join("data"), place.path().join("temporary"));
        fill(&earlier, "one", &["rows/a", "../outside"]);
        fs::write(place.path().join("outside"), "").unwrap();
        fs::write(earlier.join("rows/late"), "mine").unwrap();
        remove_earlier(&earlier, &target, own).unwrap();
        assert_eq!(entries(place.path()), [".data.earlier~sudoku-corpus", "outside"]);
        assert_eq!(fs::read_to_string(aside(&target).join("rows/late")).unwrap(), "mine");
        // A folder that could not be removed is in nobody's way, and goes when that is possible.
        fill(&target, "two", &["rows/a"]);
        for left in [vec![".data.earlier~sudoku-corpus", "data", "outside"], vec!["data", "outside"]] {
            NewFolder::beside(&target, Some(own)).unwrap();
            assert_eq!(entries(place.path()), left);
            drop(fs::remove_file(aside(&target).join("rows/late")));
        }
    }
}
