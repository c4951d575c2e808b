//! Makes files and folders that become visible when they are complete.
//!
//! ```text
//!   .~sudoku-corpus~x7Kq2a/0      written here, in a temporary folder beside it
//!        | fsync, rename, fsync of the folder around it
//!   NAME
//! ```

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::inside::{folder_of, may_make, through_links};
use super::temporary::{TempFolder, clean};
use crate::corpus::values::error::{CorpusError, Result};

/// A file that is being written under a temporary name.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    file: File,
    sealed: SealedFile,
}

/// A file that is complete and durable under its temporary name. It need not be open, because there may be many.
#[derive(Debug)]
pub(crate) struct SealedFile {
    target: PathBuf,
    temporary: PathBuf,
    /// There was no file of this name when this one was begun, and one that came since is not replaced.
    keeps_newer: bool,
    /// Holds the temporary file, and is removed with the last one.
    _folder: Arc<TempFolder>,
}

impl AtomicFile {
    /// Begins a file beside its final place, so that a folder that cannot be written fails at once. A symbolic link is
    /// kept, and its target is written.
    pub(crate) fn create(target: &Path) -> io::Result<AtomicFile> {
        AtomicFile::create_by(None, target)
    }

    /// Like [`AtomicFile::create`], with the temporary file in another folder of the same file system.
    pub(crate) fn create_by(folder: Option<&Path>, target: &Path) -> io::Result<AtomicFile> {
        may_make(target)?;
        let target = through_links(target)?;
        if target.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        let folder = TempFolder::shared(folder.unwrap_or_else(|| folder_of(&target)))?;
        let temporary = folder.new_path();
        let file = File::create_new(&temporary)?;
        Ok(AtomicFile { file, sealed: SealedFile { target, temporary, keeps_newer: false, _folder: folder } })
    }

    /// The same file, which from now on replaces nothing that comes while it is written, such as the file of a second
    /// call at the same time. A file that is there already is replaced.
    pub(crate) fn keeping_newer(mut self) -> AtomicFile {
        self.sealed.keeps_newer = !self.sealed.target.exists();
        self
    }

    /// A writer, which must be flushed before the file is sealed.
    pub(crate) fn writer(&self) -> io::Result<BufWriter<File>> {
        Ok(BufWriter::with_capacity(1 << 18, self.file.try_clone()?))
    }

    /// Makes the file durable and gives it its name. An existing file is replaced.
    pub(crate) fn finish(self) -> io::Result<()> {
        let folder = folder_of(&self.sealed.target).to_owned();
        self.seal()?.name()?;
        sync_folder(&folder)
    }

    /// Makes the file durable under its temporary name.
    pub(crate) fn seal(self) -> io::Result<SealedFile> {
        let AtomicFile { file, sealed } = self;
        if sealed.keeps_newer && sealed.target.exists() {
            return Err(came_meanwhile());
        }
        // A file that is replaced keeps its mode, so that nobody else may read the new one.
        #[cfg(unix)]
        if let Some(data) = fs::metadata(&sealed.target).ok().filter(fs::Metadata::is_file) {
            file.set_permissions(data.permissions())?;
        }
        file.sync_all()?;
        Ok(sealed)
    }
}

impl SealedFile {
    pub(crate) fn path(&self) -> &Path {
        &self.temporary
    }

    /// The folder that has to be made durable after [`SealedFile::name`].
    pub(crate) fn folder(&self) -> &Path {
        folder_of(&self.target)
    }

    /// Gives the file its name. An existing file is replaced, but for what came [meanwhile](AtomicFile::keeping_newer).
    pub(crate) fn name(self) -> io::Result<()> {
        let rename = if self.keeps_newer { rename_to_new } else { |from: &Path, to: &Path| fs::rename(from, to) };
        match rename(&self.temporary, &self.target) {
            // A process with many files has the temporary ones of all in a few folders.
            Err(error) if error.kind() == ErrorKind::CrossesDevices => {
                let folder = TempFolder::inside(self.folder())?;
                let copy = folder.new_path();
                fs::copy(&self.temporary, &copy)?;
                File::open(&copy)?.sync_all()?;
                rename(&copy, &self.target)
            }
            renamed => renamed,
        }
    }
}

/// Renames a file or a folder. Fails if there is one of the new name.
pub(crate) fn rename_to_new(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(Errno::EXIST) => return Err(came_meanwhile()),
            // Some file systems cannot do both in one step.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            renamed => return Ok(renamed?),
        }
    }
    if to.exists() { Err(came_meanwhile()) } else { fs::rename(from, to) }
}

/// The error of a file that another call made while this one was written.
fn came_meanwhile() -> io::Error {
    io::Error::new(ErrorKind::AlreadyExists, "another command made this file meanwhile: it is not replaced")
}

pub(crate) fn write_atomically(target: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(target)?;
    file.file.write_all(contents)?;
    file.finish()
}

/// Tells which files of a folder belong to it, as paths in the folder. An error of the kind `NotFound` says that it cannot
/// tell, so the folder is of another kind.
pub(crate) type OwnFiles = fn(&Path) -> io::Result<Vec<PathBuf>>;

/// A folder that is being made. Dropping it removes it.
///
/// An earlier folder goes away first, whole. So a process that is killed while it replaces one leaves the earlier folder,
/// the new one, or none. A folder with a file that it does not list, such as notes or a `.git`, is not replaced.
pub struct NewFolder {
    target: PathBuf,
    temporary: TempFolder,
    /// Which files an earlier folder may have. None if only an empty folder may be replaced.
    own_files: Option<OwnFiles>,
}

impl NewFolder {
    /// Begins a folder beside its final place. A folder that is there must be empty; with `own_files`, it may also be an
    /// earlier one of this kind without other files. A symbolic link is kept, and its target is written.
    ///
    /// # Errors
    /// [`CorpusError::Refused`]; an error of the operating system.
    pub fn beside(target: &Path, own_files: Option<OwnFiles>) -> Result<NewFolder> {
        let wrong = |error| CorpusError::io("write", target)(error);
        let target = std::path::absolute(target).and_then(|path| through_links(&path)).map_err(wrong)?;
        refuse_others(&target, own_files)?;
        let temporary = NewFolder::begin(&target).map_err(wrong)?;
        Ok(NewFolder { target, temporary, own_files })
    }

    /// The temporary folder beside the target, with the new folder in it.
    fn begin(target: &Path) -> io::Result<TempFolder> {
        may_make(target)?;
        create_folder(folder_of(target))?;
        let temporary = TempFolder::inside(folder_of(target))?;
        fs::create_dir(temporary.path().join("made"))?;
        Ok(temporary)
    }

    /// The path of the folder until it has its name.
    pub fn path(&self) -> PathBuf {
        self.temporary.path().join("made")
    }

    /// Removes an earlier folder, and gives the new one its name, durably. Its files must be durable already.
    ///
    /// # Errors
    /// The same as [`NewFolder::beside`].
    pub fn publish(self) -> Result<()> {
        refuse_others(&self.target, self.own_files)?;
        // A temporary folder inside that could not be removed must not get into the finished one.
        let folders = fs::read_dir(self.path()).map_err(CorpusError::io("read", &self.path()))?;
        folders.flatten().filter(|entry| entry.path().is_dir()).for_each(|folder| clean(&folder.path()));
        clean(&self.path());
        self.take_place()
    }

    /// Takes the place of an earlier folder, if it may be replaced, or of an empty one. A folder that another call made
    /// after the last look stays.
    fn take_place(&self) -> Result<()> {
        let failed = |error| CorpusError::io("write", &self.target)(error);
        sync_folders(&self.path()).map_err(failed)?;
        if self.own_files.is_some() {
            self.move_away()?;
        }
        // Not all systems rename to an empty folder. One with files cannot be removed in this way.
        drop(fs::remove_dir(&self.target));
        let renamed = fs::rename(self.path(), &self.target).map_err(|error| match error.kind() {
            ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists => CorpusError::refused(&self.target, NOT_EMPTY),
            _ => failed(error),
        });
        renamed.inspect_err(|_| self.move_back())?;
        sync_folder(folder_of(&self.target)).map_err(failed)
    }

    /// Moves an earlier folder away, unless somebody put files of their own into it after the last look.
    fn move_away(&self) -> Result<()> {
        match fs::rename(&self.target, self.earlier()) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            moved => moved.map_err(CorpusError::io("write", &self.target))?,
        }
        if refuse_others(&self.earlier(), self.own_files).is_err() {
            self.move_back();
            // Again, so that the message has the name that the user knows.
            refuse_others(&self.target, self.own_files)?;
        }
        Ok(())
    }

    /// Gives an earlier folder its name again, if it was moved and the name is free.
    fn move_back(&self) {
        drop(fs::rename(self.earlier(), &self.target));
    }

    /// Where an earlier folder goes until the new one has its name.
    fn earlier(&self) -> PathBuf {
        self.temporary.path().join("earlier")
    }
}

/// Why a folder is not replaced.
const NOT_EMPTY: &str = "the folder is not empty: choose another one, or replace it with --force";

/// Refuses to replace a folder with files that are not its own.
fn refuse_others(target: &Path, own_files: Option<OwnFiles>) -> Result<()> {
    // What a killed command left in it, or what the system did not let a command remove.
    clean(target);
    let failed = |error| CorpusError::io("read", target)(error);
    let files = match files_below(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        files => files.map_err(failed)?,
    };
    if files == [target] {
        return Ok(());
    }
    let Some(own_files) = own_files else { return Err(CorpusError::refused(target, NOT_EMPTY)) };
    let own_files = match own_files(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let reason = "the folder is not empty, and holds nothing that can be replaced";
            return Err(CorpusError::refused(target, reason));
        }
        own_files => own_files.map_err(failed)?,
    };
    for file in files.iter().filter_map(|file| file.strip_prefix(target).ok()) {
        if !own_files.iter().any(|own_file| own_file == file) {
            let file = file.display();
            let reason = "is not a file of what is to be replaced; move it away, or choose another folder";
            return Err(CorpusError::refused(target, format!("'{file}' in the folder {reason}")));
        }
    }
    Ok(())
}

/// The files in a folder and below it, and the folders without any.
pub fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => files.append(&mut files_below(&entry.path())?),
            false => files.push(entry.path()),
        }
    }
    Ok(if files.is_empty() { vec![folder.to_owned()] } else { files })
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

/// Makes the names in a folder durable. Does nothing on systems that cannot open or synchronise folders.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    let opened = match File::open(folder) {
        // A folder may allow writing and forbid reading.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return Ok(()),
        opened => opened?,
    };
    match opened.sync_all() {
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => Ok(()),
        synced => synced,
    }
}

/// Creates a folder and its missing parents, durably.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    may_make(folder)?;
    let parent = folder_of(folder);
    if parent != folder && !parent.as_os_str().is_empty() {
        create_folder(parent)?;
    }
    match fs::create_dir(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        made => made.and_then(|()| sync_folder(parent)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_becomes_visible_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("part.csv");
        let file = AtomicFile::create(&target).unwrap();
        file.writer().unwrap().write_all(b"half").unwrap();
        assert!(!target.exists());
        drop(file);
        assert_eq!(names(folder.path()), 0);
        for text in ["whole", "newer"] {
            write_atomically(&target, text.as_bytes()).unwrap();
            assert_eq!((fs::read_to_string(&target).unwrap().as_str(), names(folder.path())), (text, 1));
        }
        // Of two that begin a new file at once, one gets the name.
        let late = folder.path().join("late");
        let begun = || AtomicFile::create(&late).unwrap().keeping_newer();
        let [first, sealed, second] = [begun(), begun(), begun()];
        let sealed = sealed.seal().unwrap();
        first.finish().unwrap();
        for error in [sealed.name().unwrap_err(), second.finish().unwrap_err()] {
            assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        }
        begun().finish().unwrap();
        fs::remove_file(&late).unwrap();
        let error = AtomicFile::create(Path::new("/nonexistent/folder/file")).unwrap_err();
        assert_eq!(error.to_string(), "No such file or directory (os error 2)");
        assert!(AtomicFile::create(folder.path()).is_err() && create_folder(&target.join("x")).is_err());
        create_folder(&folder.path().join("a/b/c")).and_then(|()| create_folder(&folder.path().join("a/b/c"))).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn links_are_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("elsewhere")).unwrap();
        std::os::unix::fs::symlink("elsewhere/file", path("link")).unwrap();
        std::os::unix::fs::symlink(path("link"), path("second")).unwrap();
        for (name, text) in [("link", "one"), ("second", "two")] {
            write_atomically(&path(name), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(path("elsewhere/file")).unwrap(), text);
            assert!(fs::symlink_metadata(path(name)).unwrap().is_symlink());
        }
        std::os::unix::fs::symlink("round", path("round")).unwrap();
        assert!(write_atomically(&path("round"), b"x").is_err());
    }

    fn own(folder: &Path) -> io::Result<Vec<PathBuf>> {
        let text = fs::read_to_string(folder.join("LIST"))?;
        Ok(text.lines().chain(["LIST"]).map(PathBuf::from).collect())
    }

    /// Makes a folder with a list of its files, each with the same text.
    fn begun(target: &Path, text: &str, own_files: Option<OwnFiles>) -> Result<NewFolder> {
        let new = NewFolder::beside(target, own_files)?;
        for (file, text) in [("rows/a", text), ("LIST", "rows/a")] {
            create_folder(folder_of(&new.path().join(file))).unwrap();
            write_atomically(&new.path().join(file), text.as_bytes()).unwrap();
        }
        Ok(new)
    }

    #[test]
    fn a_folder_becomes_visible_when_it_is_complete_and_replaces_only_its_own_kind() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("data");
        let text = || fs::read_to_string(target.join("rows/a")).ok();
        drop(begun(&target, "none", None).unwrap());
        assert_eq!(names(place.path()), 0);
        fs::create_dir(&target).unwrap();
        for (words, own) in [("one", None), ("two", Some(own as OwnFiles))] {
            let new = begun(&target, words, own).unwrap();
            assert_ne!(text().as_deref(), Some(words));
            new.publish().unwrap();
            assert_eq!((text().as_deref(), names(place.path())), (Some(words), 1));
        }
        assert_eq!(begun(&target, "three", None).err().unwrap().exit_code(), 2);
        // A folder that comes after the last look stays, too.
        let late = begun(&place.path().join("late"), "four", None).unwrap();
        begun(&place.path().join("late"), "three", None).unwrap().publish().unwrap();
        assert!(late.take_place().unwrap_err().to_string().contains("late: the folder is not empty"));
        drop(late);
        assert_eq!(fs::read_to_string(place.path().join("late/rows/a")).unwrap(), "three");
        fs::remove_dir_all(place.path().join("late")).unwrap();
        // Files that somebody put there stay, also those that come while the new folder is made.
        for foreign in ["notes", "rows/notes", ".git/config"] {
            let new = begun(&target, "three", Some(own)).unwrap();
            create_folder(folder_of(&target.join(foreign))).unwrap();
            fs::write(target.join(foreign), "mine").unwrap();
            for refused in [new.publish().err(), begun(&target, "three", Some(own)).err()] {
                let refused = refused.unwrap();
                assert!(refused.to_string().contains(&format!("'{foreign}' in the folder")), "{refused}");
            }
            assert_eq!((text().as_deref(), target.join(foreign).exists()), (Some("two"), true));
            fs::remove_file(target.join(foreign)).unwrap();
            drop(fs::remove_dir(target.join(".git")));
        }
        fs::remove_file(target.join("LIST")).unwrap();
        assert!(begun(&target, "three", Some(own)).err().unwrap().to_string().contains("nothing that can be replaced"));
    }
}
